//! Programs that Slurm runs around jobs: `Prolog`, `TaskProlog` and related keys of slurm.conf(5). Mirrors
//! prolog_epilog.html.

use super::lines::LineOptions;
use super::value::words;
use serde::{Deserialize, Serialize};

/// Absolute paths on the simulated file system.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the keys of slurm.conf")]
pub struct JobPrograms {
    /// Run as root on each node of a job, before and after it.
    pub prolog: Option<String>,
    pub epilog: Option<String>,
    /// Run on slurmctld's host, before and after each job.
    pub prolog_slurmctld: Option<String>,
    pub epilog_slurmctld: Option<String>,
    /// Run as the job's owner, before and after each task.
    pub task_prolog: Option<String>,
    pub task_epilog: Option<String>,
    /// Run by srun before and after each step.
    pub srun_prolog: Option<String>,
    pub srun_epilog: Option<String>,
    /// `PrologFlags=Alloc` (or a flag that implies it): a job is CONFIGURING until its prologs have ended.
    pub at_allocation: bool,
}

pub(super) fn read(o: &LineOptions<'_>) -> JobPrograms {
    let path = |key: &str| o.text(key).filter(|p| p.starts_with('/')).map(str::to_owned);
    let implied = ["alloc", "contain", "x11", "forcerequeueonfail", "nohold", "serial", "runinjob"];
    let flags = words(o.text("PrologFlags").unwrap_or_default());
    JobPrograms {
        prolog: path("Prolog"),
        epilog: path("Epilog"),
        prolog_slurmctld: path("PrologSlurmctld"),
        epilog_slurmctld: path("EpilogSlurmctld"),
        task_prolog: path("TaskProlog"),
        task_epilog: path("TaskEpilog"),
        srun_prolog: path("SrunProlog"),
        srun_epilog: path("SrunEpilog"),
        at_allocation: flags.iter().any(|f| implied.iter().any(|i| f.eq_ignore_ascii_case(i))),
    }
}
