//! What awk programs are compiled to: a stack machine's operations.

use serde::{Deserialize, Serialize};

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Var {
    /// By its slot; the first ones are the special variables.
    Global(u32),
    /// A parameter of the function that runs.
    Local(u32),
}

/// The special variables, in the order of their slots.
pub const SPECIAL: &[&str] = &[
    "NF", "NR", "FNR", "FS", "OFS", "ORS", "RS", "FILENAME", "SUBSEP", "RSTART", "RLENGTH", "CONVFMT",
    "OFMT", "ENVIRON", "ARGC", "ARGV",
];
#[allow(missing_docs, reason = "slots named as the variables")]
pub mod slot {
    pub const NF: u32 = 0;
    pub const NR: u32 = 1;
    pub const FNR: u32 = 2;
    pub const FS: u32 = 3;
    pub const OFS: u32 = 4;
    pub const ORS: u32 = 5;
    pub const RS: u32 = 6;
    pub const FILENAME: u32 = 7;
    pub const SUBSEP: u32 = 8;
    pub const RSTART: u32 = 9;
    pub const RLENGTH: u32 = 10;
    pub const CONVFMT: u32 = 11;
    pub const OFMT: u32 = 12;
    pub const ENVIRON: u32 = 13;
    pub const ARGC: u32 = 14;
    pub const ARGV: u32 = 15;
}

/// Arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Arith {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Pow,
}

/// Comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Compare {
    Lt,
    Le,
    Eq,
    Ne,
    Gt,
    Ge,
}

/// Something that is assigned to; what else it needs (a key, a field's number) is on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A variable.
    Var(Var),
    /// A field; its number.
    Field,
    /// An element; its key.
    Element(Var),
}

/// Where `print` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redirect {
    /// Standard output.
    None,
    /// `>`
    File,
    /// `>>`
    Append,
    /// `|`
    Pipe,
}

/// Where `getline` reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The main input.
    Main,
    /// `< file`
    File,
    /// `command |`
    Command,
}

/// An operation. Values are popped and pushed as the comments say: `a b -- c`, the last being on top.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// `-- n`
    Number(f64),
    /// `-- s`
    Text(String),
    /// `-- re`, by its place in the program's list
    Regex(u32),
    /// `-- $0 ~ re`
    MatchRecord(u32),
    /// `-- v`, or `n -- $n`, or `key -- a[key]`
    Load(Place),
    /// `-- array`, for a call
    LoadArray(Var),
    /// `v -- v`, `n v -- v`, `key v -- v`
    Store(Place),
    /// `-- v`: adds; pushes the value before (`post`) or after
    Increment {
        /// What.
        place: Place,
        /// 1 or -1.
        by: f64,
        /// Pushes the old value.
        post: bool,
    },
    /// `a b -- c`
    Arith(Arith),
    /// `a b -- c`
    Compare(Compare),
    /// `a b -- ab`
    Concat,
    /// `a -- -a`
    Negate,
    /// `a -- +a`
    Plus,
    /// `a -- !a`
    Not,
    /// `a -- 0 or 1`
    Truth,
    /// `s re -- 0 or 1`; the flag: `!~`
    Match(bool),
    /// `key -- 0 or 1`
    In(Var),
    /// `key --`
    Delete(Var),
    /// `--`
    DeleteAll(Var),
    /// `k1 ... kn -- key`
    Keys(u32),
    /// `--`
    Jump(u32),
    /// `a --`
    JumpFalse(u32),
    /// `a --`
    JumpTrue(u32),
    /// `a -- a a`
    Dup,
    /// `a --`
    Pop,
    /// `--`: begins a loop over keys
    IterateKeys(Var),
    /// `-- key`, or jumps when there are no more
    NextKey(u32),
    /// `--`
    IterateEnd,
    /// `v1 ... vn -- result`
    Call {
        /// Which function.
        function: u32,
        /// How many arguments are given.
        arguments: u32,
    },
    /// `v --`, and the caller gets it
    Return,
    /// `v1 ... vn -- result`
    Builtin(&'static str, u32),
    /// `re text -- count`, the place's needs below them
    Substitute(Place, bool),
    /// `s [separator] -- count`
    Split(Var, bool),
    /// `-- length`
    LengthOf(Var),
    /// `v1 ... vn [target] --`
    Print(u32, Redirect),
    /// `format v2 ... vn [target] --`
    Printf(u32, Redirect),
    /// `[source] -- status`, the place's needs below it; no place: the record
    Getline(Source, Option<Place>),
    /// Whether a range is open: `-- 0 or 1`
    RangeOpen(u32),
    /// Opens or closes it.
    RangeSet(u32, bool),
    /// The next record.
    Next,
    /// The next file.
    NextFile,
    /// `code --`
    Exit,
    /// The end of a section.
    Halt,
}

/// A function.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// Where its code begins.
    pub entry: u32,
    /// For each parameter: whether it is an array.
    pub arrays: Vec<bool>,
}

/// A compiled program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// All code.
    pub code: Vec<Op>,
    /// Where BEGIN, the rules and END begin.
    pub begin: u32,
    /// The rules.
    pub rules: u32,
    /// END.
    pub end: u32,
    /// Whether the input is to be read at all.
    pub reads: bool,
    /// Functions.
    pub functions: Vec<Function>,
    /// Patterns.
    pub regexes: Vec<String>,
    /// Names of global variables, by slot.
    pub globals: Vec<String>,
    /// How many range patterns there are.
    pub ranges: u32,
}
