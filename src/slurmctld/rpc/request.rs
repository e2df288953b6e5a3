//! What commands and node daemons ask of slurmctld, and what it answers. Every change of its state comes
//! through here or from its own clock; queries read the state directly.

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

/// A request with who makes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// `sbatch`.
    SubmitBatch(Box<JobDesc>),
    /// `sbatch` of a heterogeneous job: its components.
    SubmitHet(Vec<JobDesc>),
    /// `salloc`, and `srun` outside of an allocation. Answered at once, also when it must wait: the client polls
    /// [`crate::Slurmctld::job`] (it is woken when the allocation is granted or gone).
    Allocate(Box<JobDesc>),
    /// `--test-only`.
    WillRun(Box<JobDesc>),
    /// `scancel`: one job (`task`: of an array; `task` none and an array id: all its tasks).
    Kill {
        /// Which.
        target: Target,
        /// None: end it (SIGTERM, SIGKILL after KillWait, state CANCELLED).
        signal: Option<Signal>,
        /// Where a signal goes.
        scope: SignalScope,
        /// It is one of several that were named: tasks of an array that wait get records of their own.
        many: bool,
    },
    /// `scontrol update job`.
    Update {
        /// Which.
        target: Target,
        /// What.
        change: Box<JobUpdate>,
    },
    /// `scontrol hold` (`uhold`: by user).
    Hold {
        /// Which.
        target: Target,
        /// As the user would, so that the user can release it.
        user: bool,
    },
    /// `scontrol release`.
    Release(Target),
    /// `scontrol requeue` and `requeuehold`.
    Requeue {
        /// Which.
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
        /// Which.
        name: String,
        /// What.
        changes: Vec<(String, String)>,
    },
    /// `scontrol create partitionname=`.
    CreatePartition {
        /// Which.
        name: String,
        /// What it is, key and value pairs as written.
        changes: Vec<(String, String)>,
    },
    /// `scontrol create nodename=`: the line as it would stand in slurm.conf.
    CreateNodes(String),
    /// `scontrol delete nodename=`: a host list.
    DeleteNodes(String),
    /// `scontrol delete partitionname=`.
    DeletePartition(String),
    /// `srun`: make a step in an allocation.
    CreateStep(Box<StepDesc>),
    /// `srun` waits no longer for room for its step.
    ForgetStep {
        /// Whose.
        job: JobId,
        /// The `srun`.
        client: Pid,
    },
    /// `sattach`: what a step's tasks print goes to these descriptors of a process, too.
    Listen {
        /// Which.
        step: StepId,
        /// Who.
        listener: Pid,
        /// For standard output and error.
        fds: [Fd; 2],
    },
    /// slurmd: all processes of a step on a node are gone.
    StepDone {
        /// Which.
        step: StepId,
        /// How the tasks ended: the highest.
        exit: ExitCode,
        /// What it used.
        usage: Usage,
    },
    /// slurmd: the batch script ended.
    BatchDone {
        /// Which job.
        job: JobId,
        /// How the script ended.
        status: BatchEnd,
        /// What it used.
        usage: Usage,
    },
    /// `salloc`, `srun`: the allocation is given back.
    CompleteJob {
        /// Which.
        job: JobId,
        /// The command's exit code.
        exit: ExitCode,
    },
    /// slurmd: everything of the job on these nodes is cleaned up (epilog complete).
    EpilogComplete {
        /// Which.
        job: JobId,
        /// Where.
        nodes: Vec<NodeId>,
    },
    /// What runs before a job has ended.
    Prepared {
        /// Which.
        job: JobId,
        /// Where it failed, if it did.
        failed: Option<Failure>,
    },
    /// `ResumeProgram` began for these nodes, or ended well.
    Resuming {
        /// Which.
        nodes: Vec<NodeId>,
        /// Whether it has ended.
        ended: bool,
    },
    /// slurmd: a node's Epilog failed.
    EpilogFailed {
        /// Where.
        node: NodeId,
    },
    /// slurmd stops answering (`@node-stop`, a crash), or answers again.
    NodeResponding {
        /// Which.
        node: NodeId,
        /// It answers.
        up: bool,
    },
    /// The node ran out of memory and restarts, see `config::OutOfMemory`.
    NodeOutOfMemory {
        /// Which.
        node: NodeId,
        /// The job that used too much.
        job: JobId,
        /// What its Comment says from now on.
        comment: String,
        /// When the node is up again.
        back: Time,
    },
    /// A machine of a cloud was taken away: it is off, and what ran there has failed.
    NodeGone {
        /// Which.
        node: NodeId,
    },
    /// slurmd: the cgroup's OOM killer ended a process of a step.
    OutOfMemory {
        /// Which.
        step: StepId,
    },
    /// `sacctmgr` and the like change the database.
    Accounting(slurmdbd::AccountingChange),
    /// `scontrol reconfigure`: the files as they are now, by name.
    Reconfigure(config::SiteFiles),
    /// `scrontab`: a user's table and the jobs that it describes; an empty one is taken away.
    SetCrontab {
        /// Whose.
        uid: Uid,
        /// As written.
        text: String,
        /// Its entries.
        jobs: Vec<JobDesc>,
    },
    /// `scontrol notify`.
    Notify {
        /// Whom.
        job: JobId,
        /// What.
        message: String,
    },
    /// `scontrol fsdampeningfactor`.
    SetDampening(u32),
    /// `strigger --set`.
    SetTrigger(Box<Trigger>),
    /// `strigger --clear`: those that fit all that is given.
    ClearTriggers {
        /// Of this number.
        id: Option<u32>,
        /// About this job.
        job: Option<JobId>,
        /// Of this user.
        user: Option<Uid>,
    },
    /// `sdiag --reset`.
    ResetStats,
}

/// `scontrol update nodename=`: what changes.
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
    /// `AvailableFeatures=`: it has them all from then on.
    pub features: Option<String>,
    /// `ActiveFeatures=`: those of them that it has.
    pub active_features: Option<String>,
    /// As in slurm.conf: `tape:4`.
    pub gres: Option<String>,
    /// Seconds; `Some(None)`: no longer.
    pub resume_after: Option<Option<u32>>,
    /// `Topology=`, for plugins that put nodes into it by name.
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
    /// For its turn.
    Plain,
    /// Held.
    Held,
    /// Held, and shown as SPECIAL_EXIT (`State=SpecialExit`).
    SpecialExit,
}

impl Request {
    /// Whether it may change what nodes and partitions are, not only who holds them.
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

/// A job as a person names it: `12`, `12_3`, `12_[1-3]` is a list of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Target {
    pub job: JobId,
    pub task: Option<u32>,
}

/// `scontrol update job`: what changes.
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
    /// `gres`, `gpus` and the like as typed.
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
    /// How many at most, and seconds to wait for that.
    pub switches: Option<(u32, Option<u32>)>,
    pub switch_wait: Option<u32>,
    /// MiB.
    pub tmp_disk: Option<u64>,
    pub deadline: Option<Time>,
    pub time_min: Option<Limit>,
    pub end_time: Option<Time>,
    pub reset_accrue: bool,
    /// Fields that are plain texts.
    pub texts: Vec<(TextField, String)>,
}

/// A text of a job that can be changed as it is.
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
    /// Whether it names a file of the job.
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
    /// Submitted (or allocated, or queued): its id, and lines for the user's standard error (without
    /// `sbatch: `; an error's come as `error: ...`).
    Job {
        /// Its id.
        id: JobId,
        /// What slurmctld has to say to the user.
        messages: Vec<String>,
    },
    /// `--test-only`.
    WillRun {
        /// The id that was used up.
        id: JobId,
        /// When.
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
    /// A reservation was made, of this name.
    Reservation(String),
    /// Refused; `messages` as above.
    Err {
        /// Why.
        error: SlurmError,
        /// What slurmctld has to say to the user.
        messages: Vec<String>,
    },
    /// Per task results of an array: `41_[1]: Job has already finished`.
    PerTask(Vec<(String, SlurmError)>),
    /// A change of the accounts was refused.
    Accounting(slurmdbd::ChangeError),
}

impl Response {
    /// Whether it was done, for who needs nothing that the answer brings. Results of single tasks are no refusal.
    ///
    /// # Errors
    /// Why it was refused, and what slurmctld has to say to the user.
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

/// The user of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// The user.
    pub uid: Uid,
}
