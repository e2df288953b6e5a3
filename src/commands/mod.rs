//! The programs that a person types: one sorted table, one file for each, Slurm's in `slurm/`, Unix' in `unix/`.
//!
//! A program is a process image, run in slices by the world. Most of them read all of their input, print and
//! end ([`Kind::Once`], [`Kind::Filter`]); those that wait or stream are small state machines ([`Machine`]).

pub mod slurm;
pub mod unix;

use crate::base::ids::Pid;
use crate::base::time::Time;
use crate::host::{Env, Exec, Fd, Kernel, Step};
use crate::shell::Born;
use crate::slurmctld::Slurmctld;
use crate::slurmctld::request::{Request, Response};
use serde::{Deserialize, Serialize};

/// One row of the table of commands.
pub struct Command {
    /// The name it is called by.
    pub name: &'static str,
    /// What it does, a line for `man -k` and completion.
    pub summary: &'static str,
    /// How it runs.
    pub kind: Kind,
}

/// How a command runs.
#[derive(Clone, Copy)]
pub enum Kind {
    /// At once, without looking at its standard input (it may, with [`Cx::kernel`]).
    Once(fn(&mut Cx) -> u8),
    /// After all of its standard input was read (unless `reads` says that these arguments read files only).
    Filter {
        /// Whether standard input is read with these arguments.
        reads: fn(&[String]) -> bool,
        /// Runs it.
        run: fn(&mut Cx, &[u8]) -> u8,
    },
    /// As a state machine.
    Machine(fn(&mut Cx) -> Machine),
    /// Known on real clusters and not simulated: says so in one line, exit code 127.
    NotSimulated,
}

/// What a command needs while it runs. What goes to `out` and `err` is written to descriptors 1 and 2 as fast as
/// their readers take it; the process ends after that.
pub struct Cx<'a> {
    /// Virtual time.
    pub now: Time,
    /// Its process.
    pub pid: Pid,
    /// Its arguments; the first is its name.
    pub argv: &'a [String],
    /// Its environment.
    pub env: &'a Env,
    /// The system.
    pub kernel: &'a mut Kernel,
    /// The cluster.
    pub slurm: &'a mut dyn Slurm,
    /// Standard output.
    pub out: &'a mut Vec<u8>,
    /// Standard error.
    pub err: &'a mut Vec<u8>,
    /// Children born in this slice, with what they run.
    pub born: &'a mut Vec<(Pid, Born)>,
}

/// The way to slurmctld; the world routes it.
pub trait Slurm {
    /// A request by the process' user.
    fn request(&mut self, uid: crate::base::ids::Uid, request: Request) -> Response;
    /// The state, for queries.
    fn state(&self) -> &Slurmctld;
}

/// State of a command that waits or streams; `step` returns what `Step` says to the world.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Machine {
    /// `sleep`
    Sleep(unix::sleep::Sleep),
}

/// A command's process image.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Running {
    exec: Exec,
    phase: Phase,
    /// What is still to be written.
    out: Vec<u8>,
    err: Vec<u8>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Phase {
    Start,
    Collect(Vec<u8>),
    Machine(Box<Machine>),
    Drain(u8),
}

impl Running {
    /// A command about to run. `exec.argv[0]`'s base name (or the installed program's name) finds the row.
    #[must_use]
    pub fn new(_program: &str, _exec: Exec) -> Self {
        todo!()
    }

    /// One slice.
    pub fn run(
        &mut self,
        _kernel: &mut Kernel,
        _slurm: &mut dyn Slurm,
        _pid: Pid,
        _now: Time,
        _born: &mut Vec<(Pid, Born)>,
    ) -> Step {
        todo!()
    }
}

/// Descriptors by their usual names.
pub const STDIN: Fd = 0;
/// Standard output.
pub const STDOUT: Fd = 1;
/// Standard error.
pub const STDERR: Fd = 2;

/// All commands, sorted by name.
#[must_use]
pub fn table() -> &'static [&'static Command] {
    todo!()
}

/// The command of this name.
#[must_use]
pub fn find(_name: &str) -> Option<&'static Command> {
    todo!()
}
