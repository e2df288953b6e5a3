//! The programs that a person types: one sorted table, one file for each, Slurm's in `slurm/`, Unix' in `unix/`,
//! sandbatch's own in `own/`.
//!
//! A program is a process image, run in slices by the world. Most of them read all of their input, print and
//! end ([`Kind::Once`], [`Kind::Filter`]); those that wait or stream are small state machines ([`Machine`]).

mod cx;
pub mod own;
pub mod programs;
mod running;
pub mod slurm;
#[cfg(test)]
pub mod testing;
pub mod unix;

use crate::base::order::Order as _;
pub use cx::Cx;
pub use running::Running;

use crate::base::ids::{Cgroup, NodeId};
use crate::host::{Exec, Fd, Status, Step};
use crate::slurmctld::Slurmctld;
use crate::slurmctld::request::{Request, Response, Usage};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

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
    /// bash and sh: the world runs them as shells.
    Shell,
    /// A script of ours ([`crate::host::scripts`]), installed as a file.
    Script(&'static str),
    /// Not simulated itself, but run as a program model of slurmd (python, mpirun).
    Model,
    /// Known on real clusters and not simulated: says so in one line, exit code 127.
    NotSimulated,
}

/// The way to slurmctld; the world routes it.
pub trait Slurm {
    /// A request by the process' user.
    fn request(&mut self, uid: crate::base::ids::Uid, request: Request) -> Response;
    /// The state, for queries.
    fn state(&self) -> &Slurmctld;
    /// `pam_slurm_adopt`: the tracking group of a job of the user on a node, for a process that comes from group
    /// `from`; none: there is no such job.
    fn adopt(&mut self, uid: crate::base::ids::Uid, node: NodeId, from: Cgroup) -> Option<Cgroup>;
    /// What a step used so far, as its slurmd's measure it.
    fn usage(&self, kernel: &crate::host::Kernel, step: crate::base::ids::StepId) -> Usage;
}

/// State of a command that waits or streams. Each step may write to `cx.out` and `cx.err`; that is drained before
/// what the step returned is honoured.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Machine {
    /// Nothing more to do: a usage error found while starting, say.
    End(u8),
    /// It becomes another program.
    Become(Exec),
    /// `awk`
    Awk(Box<unix::awk::Awk>),
    /// `cat`
    Cat(Box<unix::cat::Cat>),
    /// `dd`
    Dd(Box<unix::dd::Dd>),
    /// `scontrol`, `sacctmgr`, `sreport`, `scancel`: commands that may ask.
    Dialog(Box<slurm::dialog::Dialog>),
    /// `scrontab -e`.
    Scrontab(slurm::scrontab::Scrontab),
    /// `squeue` and `sinfo` again and again.
    Watch(slurm::watch::Watch),
    /// `nano`, `vi`, `emacs`
    Editor(unix::editor::Editor),
    /// `find -exec`
    Find(Box<unix::find::Find>),
    /// `grep`
    Grep(Box<unix::grep::Grep>),
    /// `head`
    Head(Box<unix::head::Head>),
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
    /// `less`
    Pager(Box<unix::pager::Pager>),
    /// `watch`, `top`
    Screen(Box<unix::screen::Screen>),
    /// `sed`
    Sed(Box<unix::sed::Sed>),
    /// `scontrol wait_job`
    WaitJob(slurm::scontrol::WaitJob),
    /// `ssh`
    Ssh(unix::ssh::Ssh),
    /// `mail`
    Mail(Box<unix::mail::Mail>),
    /// `slurmstepd`
    Stepd(Box<slurm::stepd::Stepd>),
    /// `sleep`
    Sleep(unix::sleep::Sleep),
    /// `cut`, `tr`, `uniq` ...
    Stream(Box<unix::stream::Stream>),
    /// `tail`
    Tail(Box<unix::tail::Tail>),
    /// `tee`
    Tee(Box<unix::cat::Tee>),
    /// `timeout`
    Timeout(unix::process::Timeout),
    /// `xargs`
    Xargs(Box<unix::xargs::Xargs>),
    /// `yes`
    Yes(unix::print::Yes),
}

impl Machine {
    /// One slice of its work.
    pub fn step(&mut self, cx: &mut Cx) -> Step {
        match self {
            Self::End(code) => Step::Exit(Status::Exited(*code)),
            Self::Become(exec) => Step::Exec(exec.clone()),
            Self::Awk(awk) => awk.step(cx),
            Self::Cat(cat) => cat.step(cx),
            Self::Dd(dd) => dd.step(cx),
            Self::Dialog(dialog) => dialog.step(cx),
            Self::Scrontab(scrontab) => scrontab.step(cx),
            Self::Watch(watch) => watch.step(cx),
            Self::Editor(editor) => editor.step(cx),
            Self::Find(find) => find.step(cx),
            Self::Grep(grep) => grep.step(cx),
            Self::Head(head) => head.step(cx),
            Self::NvidiaSmi(smi) => smi.step(cx),
            Self::Sattach(sattach) => sattach.step(cx),
            Self::Salloc(salloc) => salloc.step(cx),
            Self::Srun(srun) => srun.step(cx),
            Self::Sbatch(sbatch) => match sbatch.step(cx) {
                Ok(step) => step,
                Err(next) => {
                    *self = *next;
                    Step::Again
                }
            },
            Self::Pager(pager) => pager.step(cx),
            Self::Screen(screen) => screen.step(cx),
            Self::Sed(sed) => sed.step(cx),
            Self::WaitJob(wait) => wait.step(cx),
            Self::Ssh(ssh) => ssh.step(cx),
            Self::Mail(mail) => mail.step(cx),
            Self::Stepd(stepd) => stepd.step(cx),
            Self::Sleep(sleep) => sleep.step(cx),
            Self::Stream(stream) => stream.step(cx),
            Self::Tail(tail) => tail.step(cx),
            Self::Tee(tee) => tee.step(cx),
            Self::Timeout(timeout) => timeout.step(cx),
            Self::Xargs(xargs) => xargs.step(cx),
            Self::Yes(yes) => yes.step(cx),
        }
    }
}

/// Descriptors by their usual names.
pub const STDIN: Fd = 0;
/// Standard output.
pub const STDOUT: Fd = 1;
/// Standard error.
pub const STDERR: Fd = 2;

static ALL: LazyLock<Vec<&'static Command>> = LazyLock::new(|| {
    let mut all: Vec<&Command> = unix::TABLE
        .iter()
        .chain(slurm::TABLE)
        .chain(own::TABLE)
        .chain(programs::TABLE)
        .chain(programs::MODELS.iter())
        .collect();
    all.order_by_key(|command| command.name);
    all
});

/// All commands, sorted by name.
#[must_use]
pub fn table() -> &'static [&'static Command] {
    &ALL
}

/// The command of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Command> {
    let all = table();
    all.binary_search_by_key(&name, |command| command.name).ok().and_then(|i| all.get(i).copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_names_unique() {
        for rows in [unix::TABLE, slurm::TABLE, own::TABLE, programs::TABLE] {
            let names: Vec<_> = rows.iter().map(|c| c.name).collect();
            let mut sorted = names.clone();
            sorted.order();
            assert_eq!(names, sorted);
        }
        assert!(table().windows(2).all(|w| w[0].name < w[1].name));
        assert!(find("sleep").is_some() && find("slep").is_none());
    }
}
