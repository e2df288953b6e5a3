//! What the [`Vm`](super::Vm) runs: a flat list of small operations, plain data.
//!
//! Words are lowered too: every piece of a word is an op that appends to the buffer on top of the Vm's
//! stack, so that a command substitution in the middle of a word is only one more wait. Jumps are relative.

use super::formula::Formula;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A lowered list of commands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Code {
    /// The operations, in order.
    pub ops: Vec<Op>,
    /// The text it came from, for `jobs` and messages.
    pub text: String,
}

impl Code {
    /// It is one simple command.
    #[must_use]
    pub fn is_simple(&self) -> bool {
        matches!(self.ops.as_slice(), [Op::Cmd(_), .., Op::Exec(_)])
            && self.ops.iter().filter(|op| matches!(op, Op::Exec(_))).count() == 1
    }
}

/// How a word is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// Split at `IFS` and matched against file names: arguments.
    Args,
    /// One text, quotes removed: assignments, here-documents.
    Text,
    /// One text whose quoted characters stay marked: patterns.
    Pattern,
}

/// Which part of a variable is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Index {
    /// The whole of a scalar.
    None,
    /// The element whose subscript lies on the stack of texts.
    Key,
    /// `[@]` or `$@`.
    All,
    /// `[*]` or `$*`.
    Star,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Param {
    /// Its name, digits or sign.
    pub name: String,
    /// Which part.
    pub index: Index,
    /// `${!name}`.
    pub indirect: bool,
    /// Within double quotes.
    pub quoted: bool,
}

/// What a `${x-word}` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Test {
    /// `-`
    Default,
    /// `+`
    Alternative,
    /// `=`
    Assign,
    /// `?`
    Error,
}

/// Changes to a value that is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Modify {
    /// `${#x}`
    Length,
    /// `#`, `##`
    Prefix {
        /// The longest match.
        longest: bool,
    },
    /// `%`, `%%`
    Suffix {
        /// The longest match.
        longest: bool,
    },
    /// `/`, `//`, `/#`, `/%`: pattern and replacement lie on the stack.
    Replace(Place),
    /// `:offset` or `:offset:length`, lying on the stack.
    Slice {
        /// A length is there.
        length: bool,
    },
    /// `^`, `^^`, `,`, `,,`: the pattern lies on the stack.
    Case {
        /// Which way.
        to: Case,
        /// All characters, not only the first.
        all: bool,
    },
    /// `@Q`, `@U` and so on.
    Transform(char),
    /// `${!a[@]}`
    Keys,
    /// `${!prefix*}`
    Names,
}

/// What becomes of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Case {
    Upper,
    Lower,
    Toggle,
}

/// Which matches are replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Place {
    First,
    Every,
    Start,
    End,
}

/// Kinds of redirections; the target lies on the stack of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RedirKind {
    /// `<`
    Read,
    /// `>`
    Write,
    /// `>|`
    Clobber,
    /// `>>`
    Append,
    /// `<>`
    ReadWrite,
    /// `<&`
    DupIn,
    /// `>&`
    DupOut,
    /// `&>`
    Both,
    /// `&>>`
    BothAppend,
    /// A here-document or here-string: the target is its text.
    Here,
    /// The target came to several words, or none: never done.
    Ambiguous,
}

/// One operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Op {
    /// A word begins.
    Begin(Mode),
    /// Text of a word. `split`: it came from the word of an unquoted `${x-word}` and is split.
    Lit {
        /// The text.
        text: String,
        /// It was quoted.
        quoted: bool,
        /// It is split at `IFS`.
        split: bool,
    },
    /// `~` or `~name`.
    Tilde(String),
    /// `$x`
    Param(Param),
    /// `${x-word}`: with the value in place (or, for `+`, without a value) jumps over the word.
    Test {
        /// Which parameter.
        param: Param,
        /// `:-`: empty counts as unset.
        colon: bool,
        /// What for.
        test: Test,
        /// Over the word.
        skip: i32,
    },
    /// Assigns the text on the stack to the parameter and expands it (`${x=word}`).
    AssignDefault(Param),
    /// Fails with the text on the stack (`${x?word}`).
    Unset(Param, bool),
    /// A changed value.
    Modify(Param, Modify),
    /// `${` followed by nonsense: fails when it is reached, as bash does.
    BadSubstitution(String),
    /// `$(...)`: runs and appends what it prints.
    Substitute(Arc<Code>, bool),
    /// `<(...)` or `>(...)`: true for reading from it.
    ProcessSub(Arc<Code>, bool),
    /// Evaluates the text on the stack and appends the number.
    Arith(bool),
    /// Evaluates a formula and appends the number; true: quoted.
    Formula(Arc<Formula>, bool),
    /// Arguments `{first..last..step}`, so many, with at least so many digits.
    ArgSequence {
        /// The first number.
        first: i64,
        /// From one to the next.
        step: i64,
        /// How many.
        count: u32,
        /// Filled up with zeros.
        width: u32,
    },
    /// A compound command begins, as it is written, for the trap on `DEBUG`; true: `set -x` shows it, too.
    Begins(Arc<str>, bool),
    /// The word is whole: onto the stack of texts.
    End,
    /// The word is whole: its fields become arguments of the command being built.
    EndArgs,
    /// A command begins to be built, at this line.
    Cmd(u32),
    /// A scalar assignment, value on the stack (and the subscript below it).
    Assign {
        /// The variable.
        name: String,
        /// With a subscript.
        index: bool,
        /// `+=`
        append: bool,
        /// No command follows: at once.
        now: bool,
    },
    /// `name=(`: the following elements go to a list.
    ArrayBegin,
    /// The fields of the word are elements of the list.
    ArrayFields,
    /// `[key]=value`: both lie on the stack.
    ArrayKeyed {
        /// `+=`
        append: bool,
    },
    /// The list is whole. `argument`: of `declare` and the like.
    ArrayEnd {
        /// The variable.
        name: String,
        /// `+=`
        append: bool,
        /// As an argument.
        argument: bool,
        /// No command follows: at once.
        now: bool,
    },
    /// A redirection of the command being built.
    Redirect {
        /// The descriptor named.
        fd: Option<u32>,
        /// `{name}>`: the variable that gets the descriptor.
        var: Option<String>,
        /// Which.
        kind: RedirKind,
        /// The target as it was written, for messages; of a here-document nothing.
        word: Arc<str>,
    },
    /// The simple command is whole: do it. Its text is for messages.
    Exec(Arc<str>),
    /// The command being built has only redirections: they hold until [`Op::RedirPop`]; if they fail, jumps.
    RedirPush(i32),
    /// Takes the last redirections back.
    RedirPop,
    /// Goes on elsewhere.
    Jump(i32),
    /// If the last command failed.
    JumpIfFail(i32),
    /// If it did not.
    JumpIfOk(i32),
    /// What follows is a condition: `set -e` looks away.
    CondEnter,
    /// The condition is over.
    CondExit,
    /// `!`
    Not,
    /// Sets `$?`.
    Status(u8),
    /// A pipeline of several members.
    Pipeline {
        /// What each runs.
        members: Vec<Arc<Code>>,
        /// For messages.
        text: String,
        /// Where.
        line: u32,
    },
    /// `&`
    Async(Arc<Code>),
    /// `( ... )`, and its line.
    Subshell(Arc<Code>, u32),
    /// A loop begins: where `break` and `continue` go.
    LoopEnter {
        /// Behind the loop's [`Op::LoopExit`].
        brk: i32,
        /// The next round.
        cont: i32,
    },
    /// A loop is over.
    LoopExit,
    /// A round of the loop's body is over: its status is the loop's.
    LoopRound,
    /// The arguments built are the loop's items; without `in`, the positional parameters.
    ForItems {
        /// `in` was there.
        explicit: bool,
    },
    /// Sets the variable to the next item; jumps when there is none.
    ForNext {
        /// The variable.
        name: String,
        /// Out of the loop.
        done: i32,
        /// `for name in words`, for `BASH_COMMAND`.
        text: Arc<str>,
    },
    /// `select`: prints the menu and reads a choice; jumps at the end of input.
    Select {
        /// The variable.
        name: String,
        /// Out of the loop.
        done: i32,
    },
    /// `((...))`: the expression lies on the stack; its line and its text.
    ArithCommand(u32, Arc<str>),
    /// `((...))` of a formula.
    FormulaCommand(u32, Arc<str>, Arc<Formula>),
    /// An argument that is only text.
    Arg(Box<str>),
    /// An argument that is only a parameter.
    ArgParam(Param),
    /// Compares the pattern on the stack with the text below it; jumps unless it matches.
    CaseMatch(i32),
    /// Drops a text from the stack.
    Drop,
    /// A unary test of `[[`.
    CondUnary(String),
    /// A binary test of `[[`.
    CondBinary(String),
    /// `]]`: the status counts from here.
    CondDone(u32),
    /// Defines a function.
    Function(String, Arc<Code>),
    /// `coproc`: the array for its descriptors, what it runs, its line.
    Coproc(String, Arc<Code>, u32),
    /// `time` begins.
    TimeStart,
    /// `time` ends; true for the format of POSIX (`time -p`).
    TimeEnd(bool),
}

impl Op {
    /// It changes nothing but the shell itself: no process, no file, and no signal can come of it.
    #[must_use]
    pub const fn is_inner(&self) -> bool {
        match self {
            Self::Substitute(..)
            | Self::ProcessSub(..)
            | Self::Exec(_)
            | Self::RedirPush(_)
            | Self::RedirPop
            | Self::Pipeline { .. }
            | Self::Async(_)
            | Self::Subshell(..)
            | Self::Coproc(..)
            | Self::Begins(..)
            | Self::Select { .. } => false,
            Self::Begin(_)
            | Self::Lit { .. }
            | Self::Tilde(_)
            | Self::Param(_)
            | Self::Test { .. }
            | Self::AssignDefault(_)
            | Self::Unset(..)
            | Self::Modify(..)
            | Self::BadSubstitution(_)
            | Self::Arith(_)
            | Self::Formula(..)
            | Self::End
            | Self::EndArgs
            | Self::Arg(_)
            | Self::ArgParam(_)
            | Self::ArgSequence { .. }
            | Self::Cmd(_)
            | Self::Assign { .. }
            | Self::ArrayBegin
            | Self::ArrayFields
            | Self::ArrayKeyed { .. }
            | Self::ArrayEnd { .. }
            | Self::Redirect { .. }
            | Self::Jump(_)
            | Self::JumpIfFail(_)
            | Self::JumpIfOk(_)
            | Self::CondEnter
            | Self::CondExit
            | Self::Not
            | Self::Status(_)
            | Self::LoopEnter { .. }
            | Self::LoopExit
            | Self::LoopRound
            | Self::ForItems { .. }
            | Self::ForNext { .. }
            | Self::ArithCommand(..)
            | Self::FormulaCommand(..)
            | Self::CaseMatch(_)
            | Self::Drop
            | Self::CondUnary(_)
            | Self::CondBinary(_)
            | Self::CondDone(_)
            | Self::Function(..)
            | Self::TimeStart
            | Self::TimeEnd(_) => true,
        }
    }
}
