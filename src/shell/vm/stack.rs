//! The elements of the machine's stacks.

use super::super::op::{Bytecode, Mode, RedirKind};
use host::Fd;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A running code sequence: ops and a program counter.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CallFrame {
    pub code: Arc<Bytecode>,
    pub pc: u32,
    pub kind: FrameKind,
    /// The mark to unwind to at its end.
    pub mark: StackMark,
}

/// The origin of a frame's ops.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum FrameKind {
    /// A text, executed command by command.
    Text(TextFrame),
    /// A function call: the caller's arguments, and `$_` afterwards.
    Call { args: Vec<String>, last: String },
    /// A subshell's body.
    Body,
    /// The last member of a pipeline in the shell itself (`lastpipe`); the job of the others.
    LastMember { key: u32 },
}

/// A text that is executed command by command.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TextFrame {
    pub text: Arc<str>,
    pub pos: u32,
    pub line: u32,
    pub what: TextKind,
}

/// The purpose of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum TextKind {
    /// The main program: script, `-c`.
    Main,
    /// Lines from standard input.
    Stdin,
    /// `eval`
    Eval,
    /// `source`: the previous arguments if new ones were given.
    Source { args: Option<Vec<String>> },
    /// `/etc/profile`, `~/.bashrc`.
    Startup,
    /// A trap; `$?` is restored.
    Trap { status: u8 },
    /// The `EXIT` trap.
    Exit { status: u8 },
}

impl CallFrame {
    /// Whether a text keeps its call entry when it continues after an error: sourced files do.
    pub fn keeps_scope(&self) -> bool {
        matches!(&self.kind, FrameKind::Text(text) if matches!(text.what, TextKind::Source { .. }))
    }

    /// Whether nothing follows the current op.
    pub fn is_over(&self) -> bool {
        let done = self.pc as usize + 1 >= self.code.ops.len();
        done && match &self.kind {
            FrameKind::Body => true,
            FrameKind::Text(text) => {
                text.what == TextKind::Main && text.text[text.pos as usize..].trim().is_empty()
            }
            FrameKind::Call { .. } | FrameKind::LastMember { .. } => false,
        }
    }
}

/// The heights of the stacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StackMark {
    pub loops: u32,
    pub redirs: u32,
    pub buffers: u32,
    pub texts: u32,
    pub commands: u32,
    pub arrays: u32,
    pub scopes: u32,
    pub calls: u32,
    pub conditions: u32,
}

/// A running loop.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Loop {
    /// The frame depth it belongs to.
    pub frames: u32,
    pub brk: u32,
    pub cont: u32,
    pub mark: StackMark,
    pub items: Vec<String>,
    pub next: u32,
    /// `select` has shown its menu.
    pub shown: bool,
    /// The status of the last iteration.
    pub status: u8,
}

/// A descriptor that a redirection replaced.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct SavedFd {
    pub fd: Fd,
    /// The private copy; `None` if it was closed.
    pub kept: Option<Fd>,
}

/// A word being expanded. Fields are marked texts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct WordBuffer {
    pub mode: Mode,
    pub fields: Vec<String>,
    pub current: String,
    /// `current` is a field even if it is empty.
    pub open: bool,
    pub size: u64,
}

impl WordBuffer {
    /// An empty buffer.
    pub const fn new(mode: Mode) -> Self {
        Self { mode, fields: Vec::new(), current: String::new(), open: false, size: 0 }
    }
}

/// A command being built.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SimpleCommand {
    pub line: u32,
    pub text: Arc<str>,
    pub args: Vec<String>,
    pub assigns: Vec<Assign>,
    pub redirs: Vec<Redirection>,
    /// Array arguments of `declare`, with the number of preceding arguments.
    pub arrays: Vec<(u32, Assign)>,
}

/// An assignment, expanded.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Assign {
    pub name: String,
    pub subscript: Option<String>,
    pub append: bool,
    pub value: Given,
}

/// The right side of an assignment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Given {
    Text(String),
    Array(Vec<Element>),
}

/// An element of `( ... )`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Element {
    pub key: Option<String>,
    pub append: bool,
    pub value: String,
}

/// `( ... )` being built.
pub(crate) type ArrayLiteral = Vec<Element>;

/// A redirection, expanded.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Redirection {
    pub fd: Option<u32>,
    pub var: Option<String>,
    pub kind: RedirKind,
    pub target: String,
}
