//! Requests of commands and node daemons to slurmctld, and its responses. The state changes only through these and
//! through its own clock; queries read the state directly.

pub use super::order::{Order, SignalScope, Switch};
use super::reservation::ResvDesc;
pub use super::step::{StepDesc, StepLayout, StepNode};
use super::trigger::Trigger;
use crate::state::desc::{GresReq, GresTexts, JobDesc};
use crate::state::error::SlurmError;
use crate::state::node::NodeNames;
use base::ids::{JobId, NodeId, Pid, StepId, Uid};
use base::process::{Fd, Status};
use base::signal::Signal;
use base::state::ExitCode;
use base::time::{Limit, Time};
pub use base::usage::Usage;
use serde::{Deserialize, Serialize};

/// A request. The caller is passed along with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// `sbatch`.
    SubmitBatch(Box<JobDesc>),
    /// `sbatch` of a heterogeneous job: its components.
    SubmitHet(Vec<JobDesc>),
    /// `salloc`, and `srun` outside of an allocation. Answered at once, even if the job must wait: the client polls
    /// [`crate::Slurmctld::job`] and is woken when the allocation is granted or gone.
    Allocate(Box<JobDesc>),
    /// `--test-only`.
    WillRun(Box<JobDesc>),
    /// `scancel`: one job, an array task (`task`), or all tasks of an array (an array id without `task`).
    Kill {
        /// The job or task.
        target: Target,
        /// None: cancel it (SIGTERM, SIGKILL after KillWait, state CANCELLED).
        signal: Option<Signal>,
        /// The recipients of a signal.
        scope: SignalScope,
        /// Part of a list of targets: pending tasks of an array get records of their own.
        many: bool,
    },
    /// `scontrol update job`.
    Update {
        /// The job or task.
        target: Target,
        /// The changes.
        change: Box<JobUpdate>,
    },
    /// `scontrol hold` (`uhold`: by user).
    Hold {
        /// The job or task.
        target: Target,
        /// As a hold by the user, who can then release it.
        user: bool,
    },
    /// `scontrol release`.
    Release(Target),
    /// `scontrol requeue` and `requeuehold`.
    Requeue {
        /// The job or task.
        target: Target,
        /// How it waits afterwards.
        how: Requeue,
    },
    /// `scontrol suspend`.
    Suspend(Target),
    /// `scontrol top`.
    Top(Target),
    /// `scontrol resume`.
    Resume(Target),
    /// `scontrol update nodename=`.
    UpdateNode(Box<NodeUpdate>),
    /// `scontrol reboot`.
    Reboot(Reboot),
    /// `scontrol create reservation`; answered with [`Response::Reservation`].
    CreateReservation(Box<ResvDesc>),
    /// `scontrol update reservation`.
    UpdateReservation(Box<ResvDesc>),
    /// `scontrol delete reservation`.
    DeleteReservation(String),
    /// `scontrol update partitionname=`: key and value pairs as written.
    UpdatePartition {
        /// The partition.
        name: String,
        /// The changes.
        changes: Vec<(String, String)>,
    },
    /// `scontrol create partitionname=`.
    CreatePartition {
        /// The new partition.
        name: String,
        /// Its settings, as key and value pairs as written.
        changes: Vec<(String, String)>,
    },
    /// `scontrol create nodename=`: a line in the format of slurm.conf.
    CreateNodes(String),
    /// `scontrol delete nodename=`: a host list.
    DeleteNodes(String),
    /// `scontrol delete partitionname=`.
    DeletePartition(String),
    /// `srun`: create a step in an allocation.
    CreateStep(Box<StepDesc>),
    /// `srun` no longer waits for resources for its step.
    ForgetStep {
        /// The job.
        job: JobId,
        /// The `srun` process.
        client: Pid,
    },
    /// `sattach`: also copy the output of a step's tasks to these descriptors of a process.
    Listen {
        /// The step.
        step: StepId,
        /// The process.
        listener: Pid,
        /// For standard output and error.
        fds: [Fd; 2],
    },
    /// slurmd: all processes of a step on a node are gone.
    StepDone {
        /// The step.
        step: StepId,
        /// The highest exit code of its tasks.
        exit: ExitCode,
        /// The resources that it used.
        usage: Usage,
    },
    /// slurmd: the batch script ended.
    BatchDone {
        /// The job.
        job: JobId,
        /// How the script ended.
        status: BatchEnd,
        /// The resources that it used.
        usage: Usage,
    },
    /// `salloc`, `srun`: relinquish the allocation.
    CompleteJob {
        /// The job.
        job: JobId,
        /// The command's exit code.
        exit: ExitCode,
    },
    /// slurmd: everything of the job on these nodes is cleaned up (epilog complete).
    EpilogComplete {
        /// The job.
        job: JobId,
        /// The nodes.
        nodes: Vec<NodeId>,
    },
    /// The prologs of a job have ended.
    Prepared {
        /// The job.
        job: JobId,
        /// Where one failed, if any did.
        failed: Option<Failure>,
    },
    /// `ResumeProgram` has started for these nodes, or succeeded.
    Resuming {
        /// The nodes.
        nodes: Vec<NodeId>,
        /// Whether it has ended.
        ended: bool,
    },
    /// slurmd: a node's Epilog failed.
    EpilogFailed {
        /// The node.
        node: NodeId,
    },
    /// slurmd stops answering (`@node-stop`, a crash), or answers again.
    NodeResponding {
        /// The node.
        node: NodeId,
        /// Whether it responds.
        up: bool,
    },
    /// The node ran out of memory and restarts, see `config::OutOfMemory`.
    NodeOutOfMemory {
        /// The node.
        node: NodeId,
        /// The job that used too much.
        job: JobId,
        /// Its new Comment.
        comment: String,
        /// When the node is up again.
        back: Time,
    },
    /// The machine of a cloud node was taken away: it is powered down, and its jobs have failed.
    NodeGone {
        /// The node.
        node: NodeId,
    },
    /// slurmd: the cgroup's OOM killer ended a process of a step.
    OutOfMemory {
        /// The step.
        step: StepId,
    },
    /// `sacctmgr` and the like change the database.
    Accounting(slurmdbd::AccountingChange),
    /// `scontrol reconfigure`: the files as they are now, by name.
    Reconfigure(config::SiteFiles),
    /// `scrontab`: a user's crontab and the jobs it describes. An empty one is removed.
    SetCrontab {
        /// The user.
        uid: Uid,
        /// As written.
        text: String,
        /// Its entries.
        jobs: Vec<JobDesc>,
    },
    /// `scontrol notify`.
    Notify {
        /// The job.
        job: JobId,
        /// The message.
        message: String,
    },
    /// `scontrol fsdampeningfactor`.
    SetDampening(u32),
    /// `strigger --set`.
    SetTrigger(Box<Trigger>),
    /// `strigger --clear`: triggers that match all given criteria.
    ClearTriggers {
        /// With this id.
        id: Option<u32>,
        /// About this job.
        job: Option<JobId>,
        /// Of this user.
        user: Option<Uid>,
    },
    /// `sdiag --reset`.
    ResetStats,
}

/// `scontrol update nodename=`: the changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct NodeUpdate {
    /// Host list.
    pub nodes: String,
    /// `drain`, `resume`, `down`, `undrain`, `idle`, `fail`, `power_up`..., lower case.
    pub state: Option<String>,
    pub reason: Option<String>,
    pub weight: Option<u32>,
    pub comment: Option<String>,
    pub extra: Option<String>,
    /// `AvailableFeatures=`, which also activates them all.
    pub features: Option<String>,
    /// `ActiveFeatures=`: the active ones of these.
    pub active_features: Option<String>,
    /// As in slurm.conf: `tape:4`.
    pub gres: Option<String>,
    /// Seconds; `Some(None)` clears it.
    pub resume_after: Option<Option<u32>>,
    /// `Topology=`, for plugins that place nodes in it by name.
    pub topology: Option<String>,
    pub names: NodeNames,
}

/// `scontrol reboot`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Reboot {
    /// Host list, or `ALL`.
    pub nodes: String,
    /// No new job starts before it.
    pub asap: bool,
    /// `nextstate=DOWN`.
    pub next_down: bool,
    pub reason: Option<String>,
}

/// How a requeued job waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Requeue {
    /// Until it is scheduled again.
    Plain,
    /// Held.
    Held,
    /// Held, and shown as SPECIAL_EXIT (`State=SpecialExit`).
    SpecialExit,
}

impl Request {
    /// Whether the request may change nodes and partitions themselves, not only their allocation.
    #[must_use]
    pub const fn reshapes(&self) -> bool {
        matches!(
            self,
            Self::UpdateNode { .. }
                | Self::CreateNodes(_)
                | Self::DeleteNodes(_)
                | Self::CreatePartition { .. }
                | Self::DeletePartition(_)
                | Self::UpdatePartition { .. }
                | Self::Reconfigure(_)
                | Self::Accounting(_)
        )
    }
}

/// Where a prolog failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Failure {
    /// PrologSlurmctld.
    Controller,
    /// A node's Prolog.
    Node(NodeId),
}

/// How a batch script ended, as slurmstepd reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BatchEnd {
    /// It ran.
    Ran(Status),
    /// It could not be started; Slurm's exit code 0:53 (output file) or so.
    NotStarted(ExitCode),
}

/// A job as a user names it: `12`, `12_3`; `12_[1-3]` is a list of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Target {
    pub job: JobId,
    pub task: Option<u32>,
}

/// `scontrol update job`: the changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct JobUpdate {
    pub name: Option<String>,
    pub time_limit: Option<Limit>,
    pub partition: Option<String>,
    pub qos: Option<String>,
    pub account: Option<String>,
    pub priority: Option<u32>,
    pub nice: Option<i64>,
    /// `SiteFactor`.
    pub site_factor: Option<i64>,
    pub dependency: Option<String>,
    pub begin: Option<Time>,
    pub throttle: Option<u32>,
    pub min_nodes: Option<u32>,
    pub max_nodes: Option<u32>,
    pub ntasks: Option<u32>,
    pub min_cpus: Option<u32>,
    /// `NumCPUs=1-4`.
    pub max_cpus: Option<u32>,
    pub mem_per_node: Option<u64>,
    pub mem_per_cpu: Option<u64>,
    pub features: Option<String>,
    pub required: Option<String>,
    pub excluded: Option<String>,
    pub requeue: Option<bool>,
    pub licenses: Option<String>,
    pub reservation: Option<String>,
    pub gres: Option<Vec<GresReq>>,
    /// `gres`, `gpus` and similar options as typed.
    pub gres_texts: GresTexts,
    pub contiguous: Option<bool>,
    pub oversubscribe: Option<bool>,
    pub reboot: Option<bool>,
    pub cpus_per_task: Option<u32>,
    pub tasks_per_node: Option<u32>,
    pub min_cpus_node: Option<u32>,
    pub core_spec: Option<u32>,
    pub thread_spec: Option<u32>,
    pub gpus: Option<Vec<crate::state::job::GresReq>>,
    pub sockets: Option<u32>,
    pub cores: Option<u32>,
    pub threads: Option<u32>,
    /// Seconds.
    pub delay_boot: Option<u32>,
    /// The maximum number, and seconds to wait for it.
    pub switches: Option<(u32, Option<u32>)>,
    pub switch_wait: Option<u32>,
    /// MiB.
    pub tmp_disk: Option<u64>,
    pub deadline: Option<Time>,
    pub time_min: Option<Limit>,
    pub end_time: Option<Time>,
    pub reset_accrue: bool,
    /// Text fields.
    pub texts: Vec<(TextField, String)>,
}

/// A text field of a job that can be changed as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum TextField {
    Comment,
    AdminComment,
    Extra,
    TresBind,
    TresFreq,
    MailType,
    MailUser,
    Stdin,
    Stdout,
    Stderr,
    Wckey,
    Prefer,
    WorkDir,
}

impl TextField {
    /// Whether it is the name of one of the job's files.
    #[must_use]
    pub const fn is_file(self) -> bool {
        matches!(self, Self::Stdin | Self::Stdout | Self::Stderr)
    }
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Response {
    /// Done.
    Ok,
    /// Submitted, allocated or queued. `messages` go to the user's standard error, without the `sbatch: ` prefix;
    /// errors start with `error: `.
    Job {
        /// Its id.
        id: JobId,
        /// Lines for the user.
        messages: Vec<String>,
    },
    /// `--test-only`.
    WillRun {
        /// The id that was used up.
        id: JobId,
        /// The expected start.
        start: Time,
        /// CPUs.
        cpus: u32,
        /// Host list.
        nodes: String,
        /// Partition.
        partition: String,
    },
    /// A step to launch.
    Step(Box<StepLayout>),
    /// The name of the reservation that was created.
    Reservation(String),
    /// Refused; `messages` as above.
    Err {
        /// Why.
        error: SlurmError,
        /// Lines for the user.
        messages: Vec<String>,
    },
    /// Per task results of an array: `41_[1]: Job has already finished`.
    PerTask(Vec<(String, SlurmError)>),
    /// A change of the accounts was refused.
    Accounting(slurmdbd::ChangeError),
}

impl Response {
    /// Whether the request succeeded, for callers that need no data from the response. Results of single tasks do not
    /// count as a refusal.
    ///
    /// # Errors
    ///
    /// Why it was refused, and lines for the user.
    pub fn done(self) -> Result<(), (SlurmError, Vec<String>)> {
        match self {
            Self::Err { error, messages } => Err((error, messages)),
            Self::Accounting(error) => Err((SlurmError::Error, vec![error.to_string()])),
            Self::Ok
            | Self::Job { .. }
            | Self::WillRun { .. }
            | Self::Step(_)
            | Self::Reservation(_)
            | Self::PerTask(_) => Ok(()),
        }
    }
}

/// The sender of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// The user.
    pub uid: Uid,
}
