//! Slurm's commands, one file or folder each.

pub mod clusters;
mod daemons;
pub mod data;
pub mod dialog;
pub mod format;
pub mod getopt;
pub mod jobfiles;
mod jobrange;
pub mod jobtext;
pub mod lint;
pub mod listing;
pub mod nodetext;
pub mod opt;
mod pbs;
pub mod private;
mod refusal;
pub mod release;
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
pub mod swait;
#[cfg(test)]
mod tests;
pub mod tool;
mod tres;
pub mod watch;

use super::{CommandEntry, CommandKind};

/// The rows, sorted by name.
pub const TABLE: &[CommandEntry] = &[
    row("sacct", "show jobs and steps of the accounting database", CommandKind::Once(sacct::run)),
    row("sacctmgr", "show and change accounts, users and QOS", CommandKind::Machine(sacctmgr::start)),
    row("sackd", "credentials of nodes without slurmd", CommandKind::Once(daemons::sackd)),
    row("salloc", "get an allocation and run a command in it", CommandKind::Machine(salloc::start)),
    row("sattach", "attach to a running step", CommandKind::Machine(sattach::start)),
    row("sbatch", "submit a batch script to Slurm", CommandKind::Machine(sbatch::start)),
    row("sbcast", "copy a file to the nodes of a job", CommandKind::Once(sbcast::run)),
    row("scancel", "end or signal jobs and steps", CommandKind::Machine(scancel::start)),
    row("scontrol", "show and change what Slurm knows", CommandKind::Machine(scontrol::start)),
    row("scrontab", "batch jobs by the clock", CommandKind::Machine(scrontab::start)),
    row("scrun", "a runtime for containers", CommandKind::Once(daemons::scrun)),
    row("sdiag", "statistics of the scheduler", CommandKind::Once(sdiag::run)),
    row("seff", "how well a job used what it had", CommandKind::Once(seff::run)),
    row("sinfo", "show partitions and nodes", CommandKind::Machine(sinfo::start)),
    row("slurmctld", "the controller", CommandKind::Once(daemons::run)),
    row("slurmd", "the daemon of a node", CommandKind::Once(daemons::run)),
    row("slurmdbd", "the daemon of the accounting database", CommandKind::Once(daemons::run)),
    row("slurmrestd", "the REST interface", CommandKind::Once(daemons::run)),
    row("slurmstepd", "what slurmd starts a task with", CommandKind::Machine(stepd::start)),
    row("sprio", "parts of the waiting jobs' priorities", CommandKind::Once(sprio::run)),
    row("squeue", "show the jobs in the queue", CommandKind::Machine(squeue::start)),
    row("sreport", "reports of usage", CommandKind::Machine(sreport::start)),
    row("srun", "run tasks on the nodes of an allocation", CommandKind::Machine(srun::start)),
    row("sshare", "shares and usage of accounts", CommandKind::Once(sshare::run)),
    row("sstat", "usage of running steps", CommandKind::Once(sstat::run)),
    row("strigger", "event triggers", CommandKind::Once(strigger::run)),
    row("swait", "wait until a job has no running steps", CommandKind::Machine(swait::start)),
];

const fn row(name: &'static str, summary: &'static str, kind: CommandKind) -> CommandEntry {
    CommandEntry { name, summary, kind }
}

/// What `--version` prints.
pub const VERSION: &str = "slurm 26.05.3";
