//! Slurm's commands, one file each.

pub mod clusters;
pub mod data;
pub mod dialog;
pub mod format;
pub mod getopt;
pub mod jobfiles;
pub mod jobtext;
pub mod lint;
pub mod listing;
pub mod nodetext;
pub mod opt;
pub mod private;
pub mod sacct;
pub mod sacctmgr;
pub mod salloc;
pub mod sattach;
pub mod sbatch;
pub mod sbcast;
pub mod scancel;
pub mod scontrol;
pub mod scrontab;
pub mod sdiag;
pub mod seff;
pub mod sinfo;
pub mod sprio;
pub mod squeue;
pub mod sreport;
pub mod srun;
pub mod sshare;
pub mod sstat;
pub mod stepd;
pub mod stepusage;
pub mod strigger;
pub mod submission;
#[cfg(test)]
mod tests;
pub mod tool;
mod tres;
pub mod watch;

use super::{Command, Kind};

/// The rows, sorted by name.
pub const TABLE: &[Command] = &[
    row("sacct", "show jobs and steps of the accounting database", Kind::Once(sacct::run)),
    row("sacctmgr", "show and change accounts, users and QOS", Kind::Machine(sacctmgr::start)),
    row("salloc", "get an allocation and run a command in it", Kind::Machine(salloc::start)),
    row("sattach", "attach to a running step", Kind::Machine(sattach::start)),
    row("sbatch", "submit a batch script to Slurm", Kind::Machine(sbatch::start)),
    row("sbcast", "copy a file to the nodes of a job", Kind::Once(sbcast::run)),
    row("scancel", "end or signal jobs and steps", Kind::Machine(scancel::start)),
    row("scontrol", "show and change what Slurm knows", Kind::Machine(scontrol::start)),
    row("scrontab", "batch jobs by the clock", Kind::Machine(scrontab::start)),
    row("sdiag", "statistics of the scheduler", Kind::Once(sdiag::run)),
    row("seff", "how well a job used what it had", Kind::Once(seff::run)),
    row("sinfo", "show partitions and nodes", Kind::Machine(sinfo::start)),
    row("slurmstepd", "what slurmd starts a task with", Kind::Machine(stepd::start)),
    row("sprio", "parts of the waiting jobs' priorities", Kind::Once(sprio::run)),
    row("squeue", "show the jobs in the queue", Kind::Machine(squeue::start)),
    row("sreport", "reports of usage", Kind::Machine(sreport::start)),
    row("srun", "run tasks on the nodes of an allocation", Kind::Machine(srun::start)),
    row("sshare", "shares and usage of accounts", Kind::Once(sshare::run)),
    row("sstat", "usage of running steps", Kind::Once(sstat::run)),
    row("strigger", "event triggers", Kind::Once(strigger::run)),
];

const fn row(name: &'static str, summary: &'static str, kind: Kind) -> Command {
    Command { name, summary, kind }
}

/// What `--version` prints.
pub const VERSION: &str = "slurm 26.05.3";
