//! bash in virtual time: `brush-parser`'s tree, lowered to ops, run by a [`Vm`] that is plain data.
//!
//! The shell knows no Slurm: programs are files under `$PATH`, executed by whoever runs the processes.

use crate::base::ids::Pid;
use crate::base::time::Time;
use crate::host::{Env, Exec, Kernel, Step};
use serde::{Deserialize, Serialize};

/// A running shell. Cloning it is `fork`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Vm {}

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

impl Vm {
    /// A shell. `args` are `$0`, `$1`...; `env` is what it inherits.
    #[must_use]
    pub fn new(_source: Source, _args: Vec<String>, _env: &Env) -> Self {
        todo!()
    }

    /// Runs until it waits, ends, execs, or its fuel is used up.
    pub fn run(&mut self, _cx: &mut Cx) -> Step {
        todo!()
    }

    /// What a terminal should show.
    #[must_use]
    pub fn prompt(&self) -> Prompt {
        todo!()
    }

    /// A shell variable's value, exported or not.
    #[must_use]
    pub fn var(&self, _name: &str) -> Option<&str> {
        todo!()
    }
}
