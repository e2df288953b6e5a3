//! The instruction set of the [`Vm`](super::Vm): a flat list of small operations, as plain data.
//!
//! Words are lowered, too: every piece of a word is an op that appends to the buffer on top of the stack. A
//! command substitution in the middle of a word is therefore just another wait. Jumps are relative.

use super::formula::Formula;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A lowered list of commands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bytecode {
    /// The operations, in order.
    pub ops: Vec<Op>,
    /// The source text, for `jobs` and messages.
    pub text: String,
}

impl Bytecode {
    /// Whether it is a single simple command.
    #[must_use]
    pub fn is_simple(&self) -> bool {
        matches!(self.ops.as_slice(), [Op::Cmd(_), .., Op::Exec(_)])
            && self.ops.iter().filter(|op| matches!(op, Op::Exec(_))).count() == 1
    }
}

/// How a word is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// Arguments: split at `IFS`, with pathname expansion.
    Args,
    /// One text without quotes: assignments, here-documents.
    Text,
    /// One text with quoted characters marked: patterns.
    Pattern,
}

/// The subscript of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Index {
    /// No subscript.
    None,
    /// The subscript is on the text stack.
    Key,
    /// `[@]` or `$@`.
    All,
    /// `[*]` or `$*`.
    Star,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Param {
    /// Its name, digits or special character.
    pub name: String,
    /// The subscript.
    pub index: Index,
    /// `${!name}`.
    pub indirect: bool,
    /// Within double quotes.
    pub quoted: bool,
}

/// The operator of a `${x-word}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ParameterTest {
    /// `-`
    Default,
    /// `+`
    Alternative,
    /// `=`
    Assign,
    /// `?`
    Error,
}

/// Operations on an expanded value.
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
    /// `/`, `//`, `/#`, `/%`: pattern and replacement are on the stack.
    Replace(ReplaceScope),
    /// `:offset` or `:offset:length`, with the operands on the stack.
    Slice {
        /// Whether a length is given.
        length: bool,
    },
    /// `^`, `^^`, `,`, `,,`: the pattern is on the stack.
    Case {
        /// Upper or lower case, or toggle.
        to: CaseChange,
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

/// A case conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CaseChange {
    Upper,
    Lower,
    Toggle,
}

/// The matches that `${x/pattern/word}` replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReplaceScope {
    First,
    Every,
    Start,
    End,
}

/// The kind of a redirection; the target is on the text stack.
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
    /// The target expanded to several words or none: always an error.
    Ambiguous,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Op {
    /// Begins a word.
    Begin(Mode),
    /// Appends literal text.
    Lit {
        /// The text.
        text: String,
        /// Whether it is quoted.
        quoted: bool,
        /// Whether it is split at `IFS`: it is the word of an unquoted `${x-word}`.
        split: bool,
    },
    /// `~` or `~name`.
    Tilde(String),
    /// `$x`
    Param(Param),
    /// `${x-word}`: appends the value and skips the word, if the value is set (or, for `+`, skips it if
    /// unset).
    Test {
        /// The parameter.
        param: Param,
        /// `:-`: empty counts as unset.
        colon: bool,
        /// The operator.
        test: ParameterTest,
        /// The distance past the word.
        skip: i32,
    },
    /// `${x=word}`: assigns the text on the stack to the parameter and expands it.
    AssignDefault(Param),
    /// `${x?word}`: fails with the text on the stack.
    Unset(Param, bool),
    /// Expands a parameter with an operation.
    Modify(Param, Modify),
    /// An invalid `${`: fails at run time, as in bash.
    BadSubstitution(String),
    /// `$(...)`: runs a command and appends its output; true: quoted.
    Substitute(Arc<Bytecode>, bool),
    /// `<(...)` or `>(...)`; true for reading.
    ProcessSub(Arc<Bytecode>, bool),
    /// Evaluates the text on the stack and appends the number; true: quoted.
    Arith(bool),
    /// Evaluates a formula and appends the number; true: quoted.
    Formula(Arc<Formula>, bool),
    /// Arguments of a sequence `{first..last..step}`.
    ArgSequence {
        /// The first number.
        first: i64,
        /// The increment.
        step: i64,
        /// The number of elements.
        count: u32,
        /// Minimum number of digits, padded with zeros.
        width: u32,
    },
    /// Starts a compound command; its text is for the `DEBUG` trap. True: `set -x` also shows it.
    Begins(Arc<str>, bool),
    /// Completes a word and pushes it to the text stack.
    End,
    /// Completes a word and adds its fields to the arguments of the current command.
    EndArgs,
    /// Begins building a command, at this line.
    Cmd(u32),
    /// A scalar assignment with its value on the stack (and the subscript below it).
    Assign {
        /// The variable.
        name: String,
        /// Whether there is a subscript.
        index: bool,
        /// `+=`
        append: bool,
        /// No command follows: assign at once.
        now: bool,
    },
    /// `name=(`: begins a list of elements.
    ArrayBegin,
    /// Adds the fields of the word to the list.
    ArrayFields,
    /// `[key]=value`, both on the stack.
    ArrayKeyed {
        /// `+=`
        append: bool,
    },
    /// Completes the list and assigns it.
    ArrayEnd {
        /// The variable.
        name: String,
        /// `+=`
        append: bool,
        /// It is an argument of `declare` or a similar builtin.
        argument: bool,
        /// No command follows: assign at once.
        now: bool,
    },
    /// A redirection of the current command.
    Redirect {
        /// The explicit descriptor.
        fd: Option<u32>,
        /// `{name}>`: the variable that gets the descriptor.
        var: Option<String>,
        /// Which.
        kind: RedirKind,
        /// The target as written, for messages; empty for here-documents.
        word: Arc<str>,
    },
    /// Executes the current simple command. Its text is for messages.
    Exec(Arc<str>),
    /// Applies the current redirections until [`Op::RedirPop`]; jumps if they fail.
    RedirPush(i32),
    /// Undoes the last redirections.
    RedirPop,
    /// Jumps.
    Jump(i32),
    /// Jumps if the last command failed.
    JumpIfFail(i32),
    /// Jumps if the last command succeeded.
    JumpIfOk(i32),
    /// Begins a condition: suspends `set -e`.
    CondEnter,
    /// Ends a condition.
    CondExit,
    /// `!`
    Not,
    /// Sets `$?`.
    Status(u8),
    /// A pipeline of several members.
    Pipeline {
        /// The members.
        members: Vec<Arc<Bytecode>>,
        /// The text, for messages.
        text: String,
        /// The line.
        line: u32,
    },
    /// `&`
    Async(Arc<Bytecode>),
    /// `( ... )` with its line.
    Subshell(Arc<Bytecode>, u32),
    /// Enters a loop, with the targets of `break` and `continue`.
    LoopEnter {
        /// Past the loop's [`Op::LoopExit`].
        brk: i32,
        /// The next iteration.
        cont: i32,
    },
    /// Leaves a loop.
    LoopExit,
    /// Ends an iteration: its status becomes the loop's.
    LoopRound,
    /// Takes the current arguments as the loop's items; without `in`, the positional parameters.
    ForItems {
        /// Whether `in` is present.
        explicit: bool,
    },
    /// Sets the variable to the next item; jumps if there is none.
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
    /// `((...))` with the expression on the stack; its line and text.
    ArithCommand(u32, Arc<str>),
    /// `((...))` with a precompiled formula.
    FormulaCommand(u32, Arc<str>, Arc<Formula>),
    /// Adds a literal argument.
    Arg(Box<str>),
    /// Adds an argument that is only a parameter.
    ArgParam(Param),
    /// Compares the pattern on the stack with the text below it; jumps unless it matches.
    CaseMatch(i32),
    /// Drops a text from the stack.
    Drop,
    /// A unary test of `[[`.
    CondUnary(String),
    /// A binary test of `[[`.
    CondBinary(String),
    /// `]]`: the status is that of the whole command.
    CondDone(u32),
    /// Defines a function.
    Function(String, Arc<Bytecode>),
    /// `coproc`: the array for its descriptors, what it runs, its line.
    Coproc(String, Arc<Bytecode>, u32),
    /// `time` begins.
    TimeStart,
    /// `time` ends; true for the format of POSIX (`time -p`).
    TimeEnd(bool),
}

impl Op {
    /// Whether the op affects only the shell itself, so it cannot cause processes, file changes or signals.
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
