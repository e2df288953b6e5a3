//! bash as a virtual machine in virtual time: source text is lowered to ops, which a [`Vm`] executes in slices on a
//! simulated Unix. Mirrors bash(1) 5.2; differences: no line editing, and invalid UTF-8 is replaced.
//! Invariants: a [`Vm`] is plain data, so it can be cloned (fork) and saved between any two slices; recursion is bounded.
//! The shell knows nothing of Slurm: programs are files along `PATH`, and the caller runs the processes.
//!
//! ```
//! use base::{ids::{Cgroup, Uid}, process::{Env, Status}, time::Time};
//! use host::{Kernel, ProcessOrigin, SliceEnd, users::Users};
//! let mut kernel = Kernel::new(Users::new(["alice"]), "login", Time(0));
//! let origin = ProcessOrigin { uid: Uid(1001), host: "login".into(), cgroup: Cgroup(0) };
//! let pid = kernel.spawn(origin, "/home/alice", vec!["bash".into()], Time(0)).unwrap();
//! let mut vm = shell::Vm::new(shell::ShellInput::Text("exit $((6 * 7))".into()), vec!["bash".into()], &Env::new());
//! let (kernel, lowered) = (&mut kernel, &mut Default::default());
//! let mut cx = shell::ShellContext { now: Time(0), pid, kernel, lowered, fuel: 1000, debt: 0, grew: false, born: Vec::new() };
//! assert_eq!(vm.run(&mut cx), SliceEnd::Exit(Status::Exited(42)));
//! ```

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
pub use pattern::name_matches;
pub use shared::Lowered;
pub use vm::Vm;
pub use vm::start::DASH;

use base::ids::Pid;
use base::time::Time;
use host::{Exec, Kernel};
use serde::{Deserialize, Serialize};

/// The input of a shell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShellInput {
    /// `bash -c TEXT [name args...]`.
    Text(String),
    /// The bytes of a script file; its name is `$0`.
    Script(Vec<u8>),
    /// Standard input that is not a terminal, read line by line as bash does.
    Stdin,
    /// A login shell on a terminal: prompts, history, `~/.bash_profile` or `~/.bashrc`.
    Interactive {
        /// Read the login files.
        login: bool,
    },
}

/// The context of a slice.
pub struct ShellContext<'a> {
    /// The current virtual time.
    pub now: Time,
    /// The shell's process.
    pub pid: Pid,
    /// The simulated system.
    pub kernel: &'a mut Kernel,
    /// Cache of lowered commands, shared by all shells.
    pub lowered: &'a mut Lowered,
    /// Remaining ops of this slice; at 0 the shell returns [`SliceEnd::Again`].
    pub fuel: u32,
    /// Ops beyond this slice that its work was worth. The process is charged for them.
    pub debt: u32,
    /// Its variables have grown, and are large.
    pub grew: bool,
    /// Children created in this slice, in order, with what they run.
    pub born: Vec<(Pid, Born)>,
}

impl ShellContext<'_> {
    /// Charges fuel for work on this many bytes or elements: one op for each 64.
    pub(crate) fn spend(&mut self, touched: usize) {
        let cost = u32::try_from(touched / 64).unwrap_or(u32::MAX);
        self.debt = self.debt.saturating_add(cost.saturating_sub(self.fuel));
        self.fuel = self.fuel.saturating_sub(cost);
    }
}

/// What a new process runs.
#[derive(Clone, Debug)]
pub enum Born {
    /// A copy of the shell (subshell, pipeline member, command substitution).
    Shell(Box<Vm>),
    /// A program.
    Exec(Exec),
}

/// The state of an interactive shell, for the line editor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Prompt {
    /// It waits for a command: expanded `PS1`, or `PS2` within an incomplete one.
    Ready(String),
    /// A command runs and reads the typed lines.
    Busy,
}
