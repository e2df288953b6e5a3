//! What lies on the machine's stacks.

use super::super::op::{Code, Mode, RedirKind};
use crate::host::Fd;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Something being run: ops and a place in them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::shell) struct Frame {
    pub code: Arc<Code>,
    pub pc: u32,
    pub kind: FrameKind,
    /// What the stacks come back to at its end.
    pub mark: Mark,
}

/// Where a frame's ops come from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::shell) enum FrameKind {
    /// A text, read command by command.
    Text(TextFrame),
    /// A function; the caller's arguments, and what `$_` is behind it.
    Call { args: Vec<String>, last: String },
    /// A subshell's body.
    Body,
    /// The last member of a pipeline, in the shell itself (`lastpipe`); the job of the others.
    LastMember { key: u32 },
}

/// A text that is read command by command.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::shell) struct TextFrame {
    pub text: Arc<str>,
    pub pos: u32,
    pub line: u32,
    pub what: TextKind,
}

/// Why a text is run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::shell) enum TextKind {
    /// The shell's own: script, `-c`.
    Main,
    /// Lines from standard input.
    Stdin,
    /// `eval`
    Eval,
    /// `source`: the name of the shell and, where new ones were given, the arguments from before.
    Source { args: Option<Vec<String>> },
    /// `/etc/profile`, `~/.bashrc`.
    Startup,
    /// A trap; `$?` comes back.
    Trap { status: u8 },
    /// The trap on exit.
    Exit { status: u8 },
}

impl Frame {
    /// A sourced file that goes on after an error keeps its name among the calls.
    pub fn kind_keeps_scope(&self) -> bool {
        matches!(&self.kind, FrameKind::Text(text) if matches!(text.what, TextKind::Source { .. }))
    }

    /// Nothing more will come of it after the op that was just taken.
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

/// Heights of the stacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::shell) struct Mark {
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

/// A loop being run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::shell) struct Loop {
    /// The frame it belongs to, as a height.
    pub frames: u32,
    pub brk: u32,
    pub cont: u32,
    pub mark: Mark,
    pub items: Vec<String>,
    pub next: u32,
    /// `select` has shown its menu.
    pub shown: bool,
    /// Of the body's last round.
    pub status: u8,
}

/// A descriptor that a redirection replaced.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(in crate::shell) struct Saved {
    pub fd: Fd,
    /// Where it is kept; none: it was closed.
    pub kept: Option<Fd>,
}

/// A word being expanded. Fields are marked texts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::shell) struct Buffer {
    pub mode: Mode,
    pub fields: Vec<String>,
    pub current: String,
    /// `current` is a field even if empty.
    pub open: bool,
    pub size: u64,
}

impl Buffer {
    /// An empty one.
    pub const fn new(mode: Mode) -> Self {
        Self { mode, fields: Vec::new(), current: String::new(), open: false, size: 0 }
    }
}

/// A command being built.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(in crate::shell) struct Command {
    pub line: u32,
    pub text: Arc<str>,
    pub args: Vec<String>,
    pub assigns: Vec<Assign>,
    pub redirs: Vec<Redirect>,
    /// Arrays among the arguments of `declare`: after so many arguments.
    pub arrays: Vec<(u32, Assign)>,
}

/// An assignment, expanded.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::shell) struct Assign {
    pub name: String,
    pub subscript: Option<String>,
    pub append: bool,
    pub value: Given,
}

/// The right side of an assignment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::shell) enum Given {
    Text(String),
    Array(Vec<Element>),
}

/// An element of `( ... )`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::shell) struct Element {
    pub key: Option<String>,
    pub append: bool,
    pub value: String,
}

/// `( ... )` being built.
pub(in crate::shell) type Array = Vec<Element>;

/// A redirection, expanded.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::shell) struct Redirect {
    pub fd: Option<u32>,
    pub var: Option<String>,
    pub kind: RedirKind,
    pub target: String,
}
