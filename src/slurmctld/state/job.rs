//! A job: its request, its allocation and its state.

pub use super::desc::{Exclusive, Extras, GresReq, GresTexts, JobDesc, WarnSignal, gres_text};
pub use super::details::{Constraint, GresNeed, GresPer, Memory, Needs, Shape, Style};
use super::factors::Factors;
use super::reason::Reason;
pub use super::step::{StepHold, StepRecord, WaitingStep};
use base::bitset::BitSet;
use base::ids::{AssocId, DbIndex, JobId, NodeId, PartId, QosId, ResvId, StepNum, Uid};
pub use base::state::{ExitCode, JobState};
use base::time::{Limit, Span, Time};
use base::tres::Tres;
use base::vec_map::VecMap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Flags of a job, shown instead of its base state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct JobFlags {
    pub completing: bool,
    pub configuring: bool,
    pub requeued: bool,
    pub requeue_hold: bool,
    pub special_exit: bool,
    pub stopped: bool,
    /// Its prologs are running, have ended, or failed so that it is held.
    pub preparing: bool,
    pub prepared: bool,
    pub launch_failed: bool,
    /// The last percentage of its time limit that mail reported.
    pub mailed: u8,
    /// Its reservation was deleted; it is held until released.
    pub resv_del_hold: bool,
}

/// The array that a job belongs to: the common record, or one task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Array {
    /// The id that `sbatch` printed.
    pub job: JobId,
    /// The task's index. None while the record stands for all of `pending`.
    pub task: Option<u32>,
    /// Tasks without a record of their own, in the common record.
    pub pending: BitSet,
    /// `%N`; 0 is no limit.
    pub throttle: u32,
    /// SLURM_ARRAY_TASK_COUNT, _MIN, _MAX, _STEP as submitted.
    pub count: u32,
    pub min: u32,
    pub max: u32,
    pub step: u32,
}

/// The resources allocated to a job.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Allocation {
    /// In the order of the configuration.
    pub nodes: Vec<NodeAlloc>,
    pub tres: Tres,
}

impl Allocation {
    /// The part on a node.
    #[must_use]
    pub fn on(&self, node: NodeId) -> Option<&NodeAlloc> {
        // Most jobs use adjacent nodes.
        let guess = node.0.checked_sub(self.nodes.first()?.node.0)? as usize;
        if let Some(part) = self.nodes.get(guess).filter(|part| part.node == node) {
            return Some(part);
        }
        let at = self.nodes.binary_search_by_key(&node, |n| n.node).ok()?;
        self.nodes.get(at)
    }
}

/// The resources allocated to a job on one node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct NodeAlloc {
    pub node: NodeId,
    /// Core numbers, socket by socket.
    pub cores: BitSet,
    /// CPUs (cores times threads, or what CR_CPU counts).
    pub cpus: u32,
    /// The CPUs among them that tasks may use, fewer with `--threads-per-core` or `--hint=nomultithread`.
    pub usable: u32,
    /// MiB.
    pub memory: u64,
    /// `(index in the node's GRES list, device indices)`.
    pub gres: Vec<(u32, BitSet)>,
    /// Tasks as shown by `SLURM_TASKS_PER_NODE`.
    pub tasks: u32,
}

/// A job, an array task, or the common record of an array's pending tasks.
///
/// A stored job changes only by the edits of the controller. The fields can be read, but not assigned:
///
/// ```
/// fn read(ctld: &slurmctld::Slurmctld, id: base::ids::JobId) -> Option<u32> {
///     ctld.jobs.get(id).map(|job| job.priority)
/// }
/// ```
///
/// ```compile_fail,E0594
/// fn assign(ctld: &mut slurmctld::Slurmctld, id: base::ids::JobId) {
///     let Some(job) = ctld.jobs.get(id) else { return };
///     job.priority = 0;
/// }
/// ```
///
/// ```compile_fail,E0596
/// fn borrow(ctld: &mut slurmctld::Slurmctld, id: base::ids::JobId) {
///     ctld.jobs.get_mut(id);
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Job {
    pub id: JobId,
    pub desc: Arc<JobDesc>,
    pub array: Option<Array>,
    /// Changeable copies of parts of the request.
    pub name: String,
    pub account: String,
    pub assoc: Option<AssocId>,
    pub qos: QosId,
    /// In the order in which they are tried. Commands show the first one; once the job runs, it is the one used.
    pub partitions: Vec<PartId>,
    pub needs: Arc<Needs>,
    pub time_limit: Limit,
    pub nice: i64,
    pub comment: Option<String>,
    pub admin_comment: Option<String>,
    pub requeue: bool,
    pub state: JobState,
    pub flags: JobFlags,
    pub reason: Reason,
    /// A sentence that replaces the reason's name.
    pub state_desc: Option<String>,
    /// 0: held.
    pub priority: u32,
    /// The factors of the priority when it was last computed.
    pub factors: Factors,
    /// Set by an administrator, so it does not change.
    pub fixed_priority: Option<u32>,
    /// `SiteFactor`: added to the priority.
    pub site_factor: i64,
    /// Whether an administrator holds it, if the priority is 0.
    pub held_by_admin: bool,
    pub submit: Time,
    /// When it became eligible. None: a later begin time, held or dependent.
    pub eligible: Option<Time>,
    pub accrue: Option<Time>,
    pub begin: Option<Time>,
    pub start: Option<Time>,
    /// Its end. While it runs, the time at which its limit is reached.
    pub end: Option<Time>,
    /// The end that plans use instead (`time_min_as_soft_limit`).
    pub soft_end: Option<Time>,
    pub suspend: Option<Time>,
    /// Seconds that it ran before the last suspension.
    pub pre_suspend: u32,
    pub last_sched: Option<Time>,
    /// The loop that last looked at it.
    pub scheduler: Scheduler,
    /// Expected start and nodes, from the last backfill pass.
    pub planned: Option<(Time, BitSet)>,
    pub deps: Vec<Dependency>,
    /// Dependencies are separated by `?` instead of `,`.
    pub deps_any: bool,
    pub allocation: Option<Allocation>,
    /// Kept after the end, for `NodeList` and `BatchHost`.
    pub nodes_text: String,
    /// The requested TRES, as in `ReqTRES`.
    pub req_tres: Tres,
    pub exit: ExitCode,
    pub derived_exit: ExitCode,
    pub restarts: u32,
    pub oom_steps: Vec<StepNum>,
    pub steps: VecMap<StepNum, StepRecord>,
    pub next_step: u32,
    /// Steps that wait for resources, in order.
    pub waiting_steps: Vec<WaitingStep>,
    /// The index in the allocation at which the next step of fewer nodes than the job begins. Such steps take turns
    /// over the nodes.
    pub step_turn: u32,
    /// Its record in the accounting database, once it is eligible.
    pub db: Option<DbIndex>,
    pub batch_host: Option<NodeId>,
    pub preempt_time: Option<Time>,
    pub warned: bool,
    /// Limits that do not apply because an administrator set the values.
    pub exempt: Exempt,
    /// Being ended with this state; set between the first signal and completion.
    pub ending: Option<Ending>,
    /// When it began to wait for the jobs that it has preempted.
    pub preempting: Option<Time>,
    /// Seconds of all past suspensions.
    pub suspended: u32,
    pub resized: Option<Time>,
    /// The job that gets its nodes (`--dependency=expand:`).
    pub expands: Option<JobId>,
    /// Suspended by the gang scheduler, which resumes it.
    pub ganged: bool,
    /// Its position in a heterogeneous job.
    pub het: Option<Het>,
    /// The reservations that it may use.
    pub reservations: Vec<ResvId>,
}

/// A component's position in a heterogeneous job. Components have consecutive ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Het {
    pub leader: JobId,
    pub offset: u32,
    /// The number of components.
    pub size: u32,
}

/// The duration that plans assume for "no limit": a year.
pub const UNLIMITED: Span = Span::from_secs(365 * 86_400);

/// The limit that a plan uses, in seconds.
pub(crate) fn planned_seconds(limit: Limit) -> i64 {
    limit.span().unwrap_or(UNLIMITED).secs()
}

/// What an administrator has set by `scontrol update`. No limit applies to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Exempt {
    pub qos: bool,
    pub time: bool,
    pub cpu: bool,
    pub mem: bool,
    pub node: bool,
    pub gres: bool,
}

/// The loop that last looked at a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Scheduler {
    #[default]
    Main,
    Backfill,
}

/// Why a job is being killed, and when that began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Ending {
    pub state: JobState,
    /// When SIGTERM was sent; SIGKILL follows after `KillWait`.
    pub since: Time,
    pub by: Uid,
    /// It is requeued afterwards.
    pub requeue: bool,
}

/// One dependency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Dependency {
    pub kind: DepKind,
    /// The job; `JobId(0)` for singleton.
    pub job: JobId,
    /// One task, or all of an array (`_*`).
    pub task: Option<u32>,
    pub is_array: bool,
    /// `+minutes`.
    pub delay: u32,
    pub state: DepState,
}

/// Types of dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum DepKind {
    After,
    AfterAny,
    AfterBurstBuffer,
    AfterCorr,
    AfterNotOk,
    AfterOk,
    Singleton,
}

/// The state of a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum DepState {
    Unfulfilled,
    Fulfilled,
    Failed,
}

impl Job {
    /// Seconds of run time at `now`, without suspensions.
    #[must_use]
    pub fn run_seconds(&self, now: Time) -> i64 {
        let Some(start) = self.start else { return 0 };
        match self.state {
            JobState::Pending => 0,
            JobState::Suspended => self.pre_suspend.into(),
            JobState::Running => {
                let since = self.suspend.unwrap_or(start);
                i64::from(self.pre_suspend) + (now.secs() - since.secs()).max(0)
            }
            _ => {
                let since = self.suspend.unwrap_or(start);
                i64::from(self.pre_suspend) + (self.end.unwrap_or(now).secs() - since.secs()).max(0)
            }
        }
    }

    /// The duration that a plan uses: the minimum for a job with `--time-min`.
    pub(crate) fn planned_span(&self) -> Span {
        self.desc.time_min.unwrap_or(self.time_limit).span().unwrap_or(UNLIMITED)
    }

    /// The state that commands show: a flag where one is set, else the base state.
    #[must_use]
    pub const fn shown_state(&self) -> (&'static str, &'static str) {
        if self.flags.completing {
            ("COMPLETING", "CG")
        } else if self.flags.configuring {
            ("CONFIGURING", "CF")
        } else if self.flags.requeued {
            ("REQUEUED", "RQ")
        } else if self.flags.requeue_hold {
            ("REQUEUE_HOLD", "RH")
        } else if self.flags.special_exit {
            ("SPECIAL_EXIT", "SE")
        } else if self.flags.stopped {
            ("STOPPED", "ST")
        } else if self.flags.resv_del_hold {
            ("RESV_DEL_HOLD", "RD")
        } else {
            (self.state.long(), self.state.compact())
        }
    }

    /// Its owner.
    #[must_use]
    pub fn uid(&self) -> Uid {
        self.desc.uid
    }

    /// Whether it has a script.
    #[must_use]
    pub fn is_batch(&self) -> bool {
        self.desc.script.is_some()
    }

    /// Whether it is in the queue: eligible and not held.
    #[must_use]
    pub fn queued(&self) -> bool {
        self.state == JobState::Pending
            && !self.flags.completing
            && self.eligible.is_some()
            && self.priority > 0
    }

    /// Whether it is pending, or holds resources.
    #[must_use]
    pub const fn is_live(&self) -> bool {
        matches!(self.state, JobState::Pending | JobState::Running | JobState::Suspended)
            || self.flags.completing
    }

    /// Whether limits count what it holds.
    pub(crate) const fn runs(&self) -> bool {
        matches!(self.state, JobState::Running | JobState::Suspended) && !self.flags.completing
    }

    /// Whether it holds its licences: from start to end, not while completing.
    pub(crate) const fn holds_licenses(&self) -> bool {
        matches!(self.state, JobState::Running | JobState::Suspended)
    }

    /// Whether it has an allocation that it has not released.
    #[must_use]
    pub fn holds_nodes(&self) -> bool {
        let active = matches!(self.state, JobState::Running | JobState::Suspended) || self.flags.completing;
        active && self.allocation.is_some()
    }

    /// The end that plans assume: at its limit, or in a year without one. Only for running jobs.
    #[must_use]
    pub fn planned_end(&self) -> Time {
        match self.time_limit.span() {
            Some(_) => self.soft_end.or(self.end).unwrap_or_default(),
            None => self.start.unwrap_or_default() + UNLIMITED,
        }
    }

    /// When its time limit must next be checked: for its end, or the warning before it. None unless it is running.
    #[must_use]
    pub fn limit_look(&self) -> Option<Time> {
        let runs = self.state == JobState::Running
            && !self.flags.completing
            && !self.flags.configuring
            && self.ending.is_none();
        let end = self.end.filter(|end| runs && end.0 != i64::MAX)?;
        let warning = self.desc.signal.filter(|_| !self.warned);
        let looked = warning.map_or(end, |w| end - Span::from_secs(i64::from(w.seconds) + 30));
        Some(self.next_part().map_or(looked, |(_, at)| looked.min(at)))
    }
}
