//! POSIX regular expressions, regex(7): basic and extended syntax with GNU's `\w \s \b \< \> \+ \? \|` and
//! back-references.
//!
//! Invariant: a match is the leftmost and, among those, the longest, as POSIX requires and `grep -o`, `sed`
//! and bash's `=~` show. No crate combines this with back-references.
//!
//! Cost: a pattern compiles to a short program ([`program`]) that runs as a Pike-style NFA simulation, linear
//! in the text ([`search`]). Patterns with back-references run by backtracking with a step limit.

mod class;
mod parse;
mod program;
mod search;
#[cfg(test)]
mod tests;

pub use class::{in_class, is_class, lower, upper};

use program::RegexProgram;
use std::sync::Arc;

/// Maximum pattern length in bytes.
const MAX_PATTERN: usize = 16 << 10;

/// The syntax of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// `\(a\|b\)\{2\}`
    Basic,
    /// `(a|b){2}`; an operator with nothing to repeat is literal: grep, sed, awk.
    Extended,
    /// The same, but an operator with nothing to repeat is an error: regcomp(3), bash's `=~`.
    Posix,
    /// A literal string: `grep -F`.
    Fixed,
}

/// Matching options.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flags {
    /// Ignore case.
    pub icase: bool,
    /// `^` and `$` also match at newlines within the text.
    pub lines: bool,
}

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Regex(Arc<RegexProgram>);

/// Byte ranges of a match and its groups; group 0 is the whole match.
pub type Groups = Vec<Option<(usize, usize)>>;

impl Regex {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// The message of GNU's regcomp.
    pub fn new(pattern: &str, syntax: Syntax, flags: Flags) -> Result<Self, String> {
        if pattern.len() > MAX_PATTERN {
            return Err("Regular expression too big".into());
        }
        let parsed = parse::parse(pattern, syntax)?;
        Ok(Self(Arc::new(RegexProgram::new(&parsed.node, parsed.groups, flags)?)))
    }

    /// Whether the pattern matches anywhere in the text.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        search::find(&self.0, text, 0, search::Want::Any).is_some()
    }

    /// The first match at or after a byte position.
    #[must_use]
    pub fn find_at(&self, text: &str, from: usize) -> Option<(usize, usize)> {
        let slots = search::find(&self.0, text, from, search::Want::Span)?;
        slots.first().copied().zip(slots.get(1).copied())
    }

    /// The first match at or after a byte position, with its groups.
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
