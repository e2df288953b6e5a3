//! sed's scripts, ready to run.

use crate::base::regex::Regex;
use std::collections::BTreeMap;

/// A script, ready to run.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Its commands; blocks are jumps.
    pub commands: Vec<Command>,
    /// How many two-address ranges there are.
    pub ranges: usize,
    /// Files that `w` writes.
    pub writes: Vec<String>,
}

/// A command with its addresses.
#[derive(Clone, Debug)]
pub struct Command {
    /// For which lines.
    pub address: Address,
    /// `!`
    pub negated: bool,
    /// What.
    pub action: Action,
}

/// Which lines.
#[derive(Clone, Debug)]
pub enum Address {
    /// Every line.
    All,
    /// One kind of line.
    One(Place),
    /// From one to another; the number of the range's state.
    Range(Place, End, usize),
}

/// One kind of line.
#[derive(Clone, Debug)]
pub enum Place {
    /// A number; 0 only as a range's start before a pattern.
    Line(u64),
    /// `$`
    Last,
    /// `first~step`
    Step(u64, u64),
    /// A pattern; none: the last one used.
    Match(Option<Regex>),
}

/// Where a range ends.
#[derive(Clone, Debug)]
pub enum End {
    /// As an address of one line.
    Place(Place),
    /// `+N`
    After(u64),
    /// `~N`
    Multiple(u64),
}

/// A command.
#[derive(Clone, Debug)]
pub enum Action {
    /// `{`: jumps behind its `}` when the address does not match.
    Block(usize),
    /// `}` and labels.
    Nothing,
    /// `s`
    Substitute(Box<Substitute>),
    /// `y`
    Transliterate(BTreeMap<char, char>),
    /// `a`, `i`, `c`
    Text(char, String),
    /// `b`, `t`, `T`: where to; past the last command is the end of the script.
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
    /// The pattern; none: the last one used.
    pub regex: Option<Regex>,
    /// What comes instead.
    pub replacement: Vec<Part>,
    /// `g`
    pub all: bool,
    /// `N`: from which match on.
    pub from: u64,
    /// `p`
    pub print: bool,
    /// `w FILE`
    pub write: Option<String>,
}

/// A piece of a replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text.
    Text(String),
    /// `&` or `\1`
    Group(usize),
    /// `\U \L \u \l \E`
    Case(char),
}
