//! The programs of the simulated cluster: one sorted table, one file per program. Slurm's are in `slurm/`,
//! sandbatch's own in `own/`, models and tools in `programs/`; the Unix commands are the crate `unix`.
//!
//! A program is a process image that the world runs in slices. Most programs read all of their input, print
//! and exit ([`CommandKind::Once`], [`CommandKind::Filter`]). Programs that wait or stream are small state machines
//! ([`CommandMachine`]).

mod hosts;
pub mod own;
pub mod programs;
pub mod slurm;

use base::order::StableSort as _;
use hosts::on_hosts;
use unix::{CommandSet, InputMode, STDERR, STDIN, STDOUT, StartedCommand, not_simulated};

use base::ids::{Cgroup, NodeId};
use host::{SliceEnd, Status};
use serde::{Deserialize, Serialize};
use slurmctld::Slurmctld;
use slurmctld::request::{Request, Response, Usage};
use std::sync::LazyLock;

/// An entry of the table of commands.
#[derive(Clone, Copy)]
pub struct CommandEntry {
    /// The command's name.
    pub name: &'static str,
    /// A one-line description for `man -k` and completion.
    pub summary: &'static str,
    /// How it runs.
    pub kind: CommandKind,
}

/// How a command runs.
#[derive(Clone, Copy)]
pub enum CommandKind {
    /// A Unix command.
    Unix(&'static unix::UnixCommand),
    /// Runs at once, without waiting for standard input (it may read it with [`unix::Context::kernel`]).
    Once(fn(&mut Cx) -> u8),
    /// Runs as a state machine.
    Machine(fn(&mut Cx) -> CommandMachine),
    /// One of our scripts ([`host::scripts`]), installed as a file.
    Script(&'static str),
    /// Runs as a program model of slurmd (python, mpirun).
    Model,
}

/// The context of a command that talks to slurmctld.
pub type Cx<'a, 'c> = unix::Context<'a, dyn Slurm + 'c>;

/// Access to slurmctld. The world routes the requests.
pub trait Slurm {
    /// Sends a request as the process' user.
    fn request(&mut self, uid: base::ids::Uid, request: Request) -> Response;
    /// slurmctld's state, for queries.
    fn state(&self) -> &Slurmctld;
    /// `pam_slurm_adopt`: the cgroup of one of the user's jobs on a node, for a process in group `from`; `None`
    /// if there is no such job.
    fn adopt(&mut self, uid: base::ids::Uid, node: NodeId, from: Cgroup) -> Option<Cgroup>;
    /// The usage of a step so far, as measured by its slurmds.
    fn usage(&self, kernel: &host::Kernel, step: base::ids::StepId) -> Usage;
}

/// The state of a command that waits or streams. Each step may write to `cx.out` and `cx.err`, which are drained
/// before the step's result takes effect.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum CommandMachine {
    /// Finished, for example after a usage error at start.
    End(u8),
    /// A Unix command.
    Unix(unix::UnixMachine),
    /// `scontrol`, `sacctmgr`, `sreport`, `scancel`: commands that may ask questions.
    Dialog(Box<slurm::dialog::Dialog>),
    /// `scrontab -e`.
    Scrontab(slurm::scrontab::Scrontab),
    /// `squeue` and `sinfo` with `--iterate`.
    Watch(slurm::watch::Watch),
    /// `nvidia-smi -l`
    NvidiaSmi(programs::nvidia_smi::NvidiaSmi),
    /// `sattach`
    Sattach(Box<slurm::sattach::Sattach>),
    /// `salloc`
    Salloc(Box<slurm::salloc::Salloc>),
    /// `srun`
    Srun(Box<slurm::srun::Srun>),
    /// `sbatch`
    Sbatch(slurm::sbatch::Sbatch),
    /// `scontrol wait_job`
    WaitJob(slurm::scontrol::WaitJob),
    /// `slurmstepd`
    Stepd(Box<slurm::stepd::Stepd>),
    /// `swait`
    Swait(slurm::swait::Swait),
}

impl CommandMachine {
    /// Runs one slice.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        match self {
            Self::End(code) => SliceEnd::Exit(Status::Exited(*code)),
            Self::Unix(machine) => on_hosts(cx, |cx| machine.step(cx)),
            Self::Dialog(dialog) => dialog.step(cx),
            Self::Scrontab(scrontab) => scrontab.step(cx),
            Self::Watch(watch) => watch.step(cx),
            Self::NvidiaSmi(smi) => smi.step(cx),
            Self::Sattach(sattach) => sattach.step(cx),
            Self::Salloc(salloc) => salloc.step(cx),
            Self::Srun(srun) => srun.step(cx),
            Self::Sbatch(sbatch) => match sbatch.step(cx) {
                Ok(step) => step,
                Err(next) => {
                    *self = *next;
                    SliceEnd::Again
                }
            },
            Self::WaitJob(wait) => wait.step(cx),
            Self::Stepd(stepd) => stepd.step(cx),
            Self::Swait(swait) => swait.step(cx),
        }
    }
}

/// A command's process image.
pub type Running = unix::Running<CommandMachine>;

impl<'c> CommandSet<dyn Slurm + 'c> for CommandMachine {
    fn is_known(name: &str) -> bool {
        find(name).is_some()
    }

    fn input(name: &str, argv: &[String]) -> InputMode {
        match find(name).map(|command| command.kind) {
            Some(CommandKind::Unix(command)) => command.input(argv),
            Some(CommandKind::Once(_)) => InputMode::Files,
            Some(CommandKind::Machine(_) | CommandKind::Script(_) | CommandKind::Model) | None => {
                InputMode::Streamed
            }
        }
    }

    fn start(name: &str, cx: &mut Cx<'_, 'c>, input: &[u8]) -> StartedCommand<Self> {
        let Some(command) = find(name) else {
            cx.error("command not found");
            return StartedCommand::Ended(127);
        };
        match command.kind {
            CommandKind::Unix(command) => match on_hosts(cx, |cx| command.start(cx, input)) {
                StartedCommand::Ended(code) => StartedCommand::Ended(code),
                StartedCommand::Machine(machine) => StartedCommand::Machine(Self::Unix(machine)),
            },
            CommandKind::Once(run) => StartedCommand::Ended(run(cx)),
            // A command that ended at its start needs none of the code below, for example the `sacctmgr` that
            // creates a site's accounts.
            CommandKind::Machine(start) => match start(cx) {
                Self::End(code) => StartedCommand::Ended(code),
                machine => StartedCommand::Machine(machine),
            },
            CommandKind::Model | CommandKind::Script(_) => {
                StartedCommand::Ended(not_simulated(cx, command.summary))
            }
        }
    }

    fn step(&mut self, cx: &mut Cx<'_, 'c>) -> SliceEnd {
        Self::step(self, cx)
    }

    fn memory(&self) -> u64 {
        match self {
            Self::Unix(machine) => machine.memory(),
            // These keep a command line, a script or the answer to one request.
            Self::End(_)
            | Self::Dialog(_)
            | Self::Scrontab(_)
            | Self::Watch(_)
            | Self::NvidiaSmi(_)
            | Self::Sattach(_)
            | Self::Salloc(_)
            | Self::Srun(_)
            | Self::Sbatch(_)
            | Self::WaitJob(_)
            | Self::Stepd(_)
            | Self::Swait(_) => 0,
        }
    }
}

static ALL: LazyLock<Vec<CommandEntry>> = LazyLock::new(|| {
    let of_unix = unix::TABLE.iter().map(|c| CommandEntry {
        name: c.name,
        summary: c.summary,
        kind: CommandKind::Unix(c),
    });
    let mut all: Vec<CommandEntry> = of_unix
        .chain(slurm::TABLE.iter().copied())
        .chain(own::TABLE.iter().copied())
        .chain(programs::TABLE.iter().copied())
        .chain(programs::MODELS.iter().copied())
        .collect();
    all.order_by_key(|command| command.name);
    all
});

/// All commands, sorted by name.
#[must_use]
pub fn table() -> &'static [CommandEntry] {
    &ALL
}

/// The command with this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static CommandEntry> {
    let all = table();
    all.binary_search_by_key(&name, |command| command.name).ok().and_then(|i| all.get(i))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_names_unique() {
        for rows in [slurm::TABLE, own::TABLE, programs::TABLE] {
            let names: Vec<_> = rows.iter().map(|c| c.name).collect();
            let mut sorted = names.clone();
            sorted.order();
            assert_eq!(names, sorted);
        }
        assert!(table().windows(2).all(|w| w[0].name < w[1].name));
        assert!(find("sleep").is_some() && find("slep").is_none());
    }
}
