//! POSIX regular expressions, regex(7): basic and extended, with GNU's `\w \s \b \< \> \+ \? \|` and back-references.
//!
//! Of all matches the leftmost is taken and of those the longest, as POSIX has it and `grep -o`, `sed` and bash's `=~`
//! show. No crate does that together with back-references, hence this one: a pattern becomes a short program
//! ([`program`]), which is run over the text once with all places in it at a time ([`search`]); with back-references
//! it is tried out, with a bound on the tries.

mod class;
mod parse;
mod program;
mod search;
#[cfg(test)]
mod tests;

pub use class::{in_class, is_class, lower, upper};

use program::Program;
use std::sync::Arc;

/// Longest pattern, bytes.
const MAX_PATTERN: usize = 16 << 10;

/// Which notation a pattern is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// `\(a\|b\)\{2\}`
    Basic,
    /// `(a|b){2}`, where an operator without anything to repeat stands for itself: grep, sed, awk.
    Extended,
    /// The same, where such operators are mistakes: regcomp(3), bash's `=~`.
    Posix,
    /// No notation at all: `grep -F`.
    Fixed,
}

/// How a pattern is to match.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flags {
    /// Without regard to case.
    pub icase: bool,
    /// `^` and `$` also at line breaks within the text.
    pub lines: bool,
}

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Regex(Arc<Program>);

/// Byte positions of a match and its groups; group 0 is the whole.
pub type Groups = Vec<Option<(usize, usize)>>;

impl Regex {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// What is wrong with it, in the words of GNU's regcomp.
    pub fn new(pattern: &str, syntax: Syntax, flags: Flags) -> Result<Self, String> {
        if pattern.len() > MAX_PATTERN {
            return Err("Regular expression too big".into());
        }
        let parsed = parse::parse(pattern, syntax)?;
        Ok(Self(Arc::new(Program::new(&parsed.node, parsed.groups, flags)?)))
    }

    /// Whether it matches anywhere.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        search::find(&self.0, text, 0, search::Want::Any).is_some()
    }

    /// The first match from a byte position on.
    #[must_use]
    pub fn find_at(&self, text: &str, from: usize) -> Option<(usize, usize)> {
        let slots = search::find(&self.0, text, from, search::Want::Span)?;
        slots.first().copied().zip(slots.get(1).copied())
    }

    /// The first match from a byte position on, with its groups.
    #[must_use]
    pub fn groups_at(&self, text: &str, from: usize) -> Option<Groups> {
        let slots = search::find(&self.0, text, from, search::Want::Groups)?;
        let pair = |pair: &[usize]| match pair {
            [from, to] if *from != search::UNSET && *to != search::UNSET => Some((*from, *to)),
            _ => None,
        };
        Some(slots.chunks(2).take(self.0.groups + 1).map(pair).collect())
    }
}
