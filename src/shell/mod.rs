//! bash in virtual time: source text lowered to ops, run by a [`Vm`] that is plain data. Mirrors bash(1), version 5.2.
//!
//! The grammar is read by `lower`, not by a parser crate: see there. On purpose unlike bash: no
//! line editing (the terminal does that), bytes that are no UTF-8 are replaced.
//!
//! The shell knows no Slurm: programs are files under `$PATH`, executed by whoever runs the processes.

mod arith;
mod builtins;
mod completion;
mod expand;
mod formula;
mod glob;
mod history;
mod lower;
mod op;
mod options;
mod pattern;
mod prompt;
mod shared;
#[cfg(test)]
mod tests;
mod vars;
mod vm;

pub use completion::{Completion, complete};
pub use shared::Lowered;
pub use vm::Vm;
pub use vm::start::DASH;

use crate::base::ids::Pid;
use crate::base::time::Time;
use crate::host::{Exec, Kernel};
use serde::{Deserialize, Serialize};

/// What a shell starts from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Source {
    /// `bash -c TEXT [name args...]`.
    Text(String),
    /// A script file that was already read: its bytes; the name it was called by is `$0`.
    Script(Vec<u8>),
    /// Standard input, not a terminal: read line by line as bash does.
    Stdin,
    /// A login shell on a terminal: prompts, history, `~/.bash_profile` or `~/.bashrc`.
    Interactive {
        /// Reads the login files.
        login: bool,
    },
}

/// What a slice of a shell needs.
pub struct Cx<'a> {
    /// Virtual time.
    pub now: Time,
    /// The shell's process.
    pub pid: Pid,
    /// The system.
    pub kernel: &'a mut Kernel,
    /// Commands that were lowered lately, by any shell.
    pub lowered: &'a mut Lowered,
    /// Ops left in this slice; when 0 the shell returns [`Step::Again`].
    pub fuel: u32,
    /// Children born in this slice, in order, with what they run.
    pub born: Vec<(Pid, Born)>,
}

/// What a new process runs.
#[derive(Clone, Debug)]
pub enum Born {
    /// A copy of the shell (subshell, pipeline member, command substitution).
    Shell(Box<Vm>),
    /// A program.
    Exec(Exec),
}

/// What a terminal's shell is doing, for whoever edits lines for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Prompt {
    /// It wants a command: `PS1`, or `PS2` within an unfinished one, expanded.
    Ready(String),
    /// Something runs; typed lines go to it.
    Busy,
}
