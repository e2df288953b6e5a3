//! Parsed sed scripts.

use base::regex::Regex;
use std::collections::BTreeMap;

/// A parsed script.
#[derive(Clone, Debug, Default)]
pub struct SedScript {
    /// The commands; blocks are compiled to jumps.
    pub commands: Vec<SedCommand>,
    /// The number of two-address ranges.
    pub ranges: usize,
    /// Files that `w` writes.
    pub writes: Vec<String>,
}

/// A command with its addresses.
#[derive(Clone, Debug)]
pub struct SedCommand {
    /// The lines that it applies to.
    pub address: Address,
    /// `!`
    pub negated: bool,
    /// The action.
    pub action: Action,
}

/// The lines that a command applies to.
#[derive(Clone, Debug)]
pub enum Address {
    /// Every line.
    All,
    /// Lines that match one address.
    One(LineAddress),
    /// A range of lines, with the index of its state.
    Range(LineAddress, RangeEnd, usize),
}

/// An address.
#[derive(Clone, Debug)]
pub enum LineAddress {
    /// A line number. 0 is allowed only at the start of a range that ends with a pattern.
    Line(u64),
    /// `$`
    Last,
    /// `first~step`
    Step(u64, u64),
    /// A pattern; `None` means the last one used.
    Match(Option<Regex>),
}

/// Where a range ends.
#[derive(Clone, Debug)]
pub enum RangeEnd {
    /// An address.
    Address(LineAddress),
    /// `+N`
    After(u64),
    /// `~N`
    Multiple(u64),
}

/// The action of a command.
#[derive(Clone, Debug)]
pub enum Action {
    /// `{`: jumps past its `}` if the address does not match.
    Block(usize),
    /// `}` and labels.
    Nothing,
    /// `s`
    Substitute(Box<Substitute>),
    /// `y`
    Transliterate(BTreeMap<char, char>),
    /// `a`, `i`, `c`
    Text(char, String),
    /// `b`, `t`, `T`: the target. An index after the last command is the end of the script.
    Branch(char, usize),
    /// `r`, `w`, `R`, `W`
    File(char, String),
    /// `q`, `Q` with an exit code
    Quit(char, u8),
    /// `= F l d D g G h H n N p P x z`
    Simple(char),
}

/// `s///`
#[derive(Clone, Debug)]
pub struct Substitute {
    /// The pattern; `None` means the last one used.
    pub regex: Option<Regex>,
    /// The replacement.
    pub replacement: Vec<ReplacementPart>,
    /// `g`
    pub all: bool,
    /// `N`: the number of the first match to replace.
    pub from: u64,
    /// `p`
    pub print: bool,
    /// `w FILE`
    pub write: Option<String>,
}

/// A part of a replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplacementPart {
    /// Text.
    Text(String),
    /// `&` or `\1`
    Group(usize),
    /// `\U \L \u \l \E`
    Case(char),
}
