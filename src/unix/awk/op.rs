//! The operations of the stack machine that awk programs compile to.

use serde::{Deserialize, Serialize};

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Var {
    /// A global variable by its slot; special variables come first.
    Global(u32),
    /// A parameter of the running function.
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
pub enum Compare {
    Lt,
    Le,
    Eq,
    Ne,
    Gt,
    Ge,
}

/// An lvalue. Its operands (a key, the number of a field) are on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AwkLvalue {
    /// A variable.
    Var(Var),
    /// A field; its number is on the stack.
    Field,
    /// An element; its key is on the stack.
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

/// An operation. The comments show the stack before and after: `a b -- c`, with the top on the right.
#[derive(Clone, Debug, PartialEq)]
pub enum AwkOp {
    /// `-- n`
    Number(f64),
    /// `-- s`
    Text(String),
    /// `-- re`, by its index in the program's list
    Regex(u32),
    /// `-- $0 ~ re`
    MatchRecord(u32),
    /// `-- v`, or `n -- $n`, or `key -- a[key]`
    Load(AwkLvalue),
    /// `-- array`, for a call
    LoadArray(Var),
    /// `-- v`, for a call: a value, or an array that the function may pass on
    Pass(Var),
    /// `v -- v`, `n v -- v`, `key v -- v`
    Store(AwkLvalue),
    /// `-- v`: increments; pushes the value before (`post`) or after
    Increment {
        /// The variable, field or element.
        target: AwkLvalue,
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
        /// The number of arguments.
        arguments: u32,
    },
    /// `v --`; the caller gets the value
    Return,
    /// `v1 ... vn -- result`
    Builtin(&'static str, u32),
    /// `re text -- count`, with the target's operands below
    Substitute(AwkLvalue, bool),
    /// `s [separator] -- count`
    Split(Var, bool),
    /// `-- length`
    LengthOf(Var),
    /// `v1 ... vn [target] --`
    Print(u32, Redirect),
    /// `format v2 ... vn [target] --`
    Printf(u32, Redirect),
    /// `[source] -- status`, with the target's operands below; without a target it sets the record
    Getline(Source, Option<AwkLvalue>),
    /// Whether a range is open: `-- 0 or 1`
    RangeOpen(u32),
    /// Opens or closes the range.
    RangeSet(u32, bool),
    /// The next record.
    Next,
    /// The next file.
    NextFile,
    /// `code --`
    Exit,
    /// Ends a section.
    Halt,
}

/// A function.
#[derive(Clone, Debug, Default)]
pub struct AwkFunction {
    /// Where its code begins.
    pub entry: u32,
    /// For each parameter: whether it is an array.
    pub arrays: Vec<bool>,
    /// The parameters' names.
    pub parameters: Vec<String>,
}

/// A compiled program.
#[derive(Clone, Debug, Default)]
pub struct AwkProgram {
    /// All code.
    pub code: Vec<AwkOp>,
    /// The entry points of BEGIN, the rules and END.
    pub begin: u32,
    /// The rules.
    pub rules: u32,
    /// END.
    pub end: u32,
    /// Whether the program reads input.
    pub reads: bool,
    /// Functions.
    pub functions: Vec<AwkFunction>,
    /// Patterns.
    pub regexes: Vec<String>,
    /// Names of global variables, by slot.
    pub globals: Vec<String>,
    /// The number of range patterns.
    pub ranges: u32,
    /// Where statements and patterns begin in the code, with their lines in the source.
    pub lines: Vec<(u32, u32)>,
}
