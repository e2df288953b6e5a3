//! A job: what was asked, what it got, how it stands.

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

/// What a job is besides its base state; shown instead of it where set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct JobFlags {
    pub completing: bool,
    pub configuring: bool,
    pub requeued: bool,
    pub requeue_hold: bool,
    pub special_exit: bool,
    pub stopped: bool,
    /// What runs before it has not ended yet, has, or failed so that it waits held.
    pub preparing: bool,
    pub prepared: bool,
    pub launch_failed: bool,
    /// Per cent of its time limit that mail reported last.
    pub mailed: u8,
    /// Its reservation is gone; held until it is released.
    pub resv_del_hold: bool,
}

/// An array's common part or a task's place in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Array {
    /// The id that `sbatch` printed.
    pub job: JobId,
    /// Which task; none while the record stands for all of `pending`.
    pub task: Option<u32>,
    /// Tasks that have no record of their own yet (the record that stands for many).
    pub pending: BitSet,
    /// `%N`; 0 is no limit.
    pub throttle: u32,
    /// SLURM_ARRAY_TASK_COUNT, _MIN, _MAX, _STEP as submitted.
    pub count: u32,
    pub min: u32,
    pub max: u32,
    pub step: u32,
}

/// What a job has got.
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
        // Most jobs are on neighbours.
        let guess = node.0.checked_sub(self.nodes.first()?.node.0)? as usize;
        if let Some(part) = self.nodes.get(guess).filter(|part| part.node == node) {
            return Some(part);
        }
        let at = self.nodes.binary_search_by_key(&node, |n| n.node).ok()?;
        self.nodes.get(at)
    }
}

/// What a job has got on one node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct NodeAlloc {
    pub node: NodeId,
    /// Core numbers, socket by socket.
    pub cores: BitSet,
    /// CPUs (cores times threads, or what CR_CPU counts).
    pub cpus: u32,
    /// The CPUs among them that tasks may use: fewer with `--threads-per-core` or `--hint=nomultithread`.
    pub usable: u32,
    /// MiB.
    pub memory: u64,
    /// `(place in the node's gres list, indices)`.
    pub gres: Vec<(u32, BitSet)>,
    /// Tasks that `SLURM_TASKS_PER_NODE` shows.
    pub tasks: u32,
}

/// One job (or array task, or the pending rest of an array).
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
    /// Changeable copies of what was asked.
    pub name: String,
    pub account: String,
    pub assoc: Option<AssocId>,
    pub qos: QosId,
    /// In the order in which they are tried; the first one is shown, the one it runs in once it runs.
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
    /// A sentence that is shown instead of the reason's name.
    pub state_desc: Option<String>,
    /// 0: held.
    pub priority: u32,
    /// What the priority was made of when it was last worked out.
    pub factors: Factors,
    /// Given by an administrator, so that nothing else changes it.
    pub fixed_priority: Option<u32>,
    /// `SiteFactor`: added to the priority.
    pub site_factor: i64,
    /// Who holds it, where priority is 0.
    pub held_by_admin: bool,
    pub submit: Time,
    /// When it may be considered; none: begins later, held or dependent.
    pub eligible: Option<Time>,
    pub accrue: Option<Time>,
    pub begin: Option<Time>,
    pub start: Option<Time>,
    /// The end, or while it runs the moment when the limit is reached.
    pub end: Option<Time>,
    /// Plans count with this end instead (`time_min_as_soft_limit`).
    pub soft_end: Option<Time>,
    pub suspend: Option<Time>,
    /// Seconds it ran before the last suspension.
    pub pre_suspend: u32,
    pub last_sched: Option<Time>,
    /// Which loop looked at it last.
    pub scheduler: Scheduler,
    /// Expected start and nodes, as the last backfill pass saw them.
    pub planned: Option<(Time, BitSet)>,
    pub deps: Vec<Dependency>,
    /// `?` between the dependencies instead of `,`.
    pub deps_any: bool,
    pub allocation: Option<Allocation>,
    /// Kept after the end, for `NodeList` and `BatchHost`.
    pub nodes_text: String,
    /// What it asked for in TRES, as `ReqTRES`.
    pub req_tres: Tres,
    pub exit: ExitCode,
    pub derived_exit: ExitCode,
    pub restarts: u32,
    pub oom_steps: Vec<StepNum>,
    pub steps: VecMap<StepNum, StepRecord>,
    pub next_step: u32,
    /// Steps that wait for room, in their order.
    pub waiting_steps: Vec<WaitingStep>,
    /// Steps of fewer nodes than the job has take turns over them: the place in the allocation that comes next.
    pub step_turn: u32,
    /// Its record in the accounting database, once it is eligible.
    pub db: Option<DbIndex>,
    pub batch_host: Option<NodeId>,
    pub preempt_time: Option<Time>,
    pub warned: bool,
    /// What an administrator has set of it, whatever limits say.
    pub exempt: Exempt,
    /// It is being ended, with this state; set between the first signal and completion.
    pub ending: Option<Ending>,
    /// Since when it waits for those whom it has preempted.
    pub preempting: Option<Time>,
    /// Seconds of all suspensions that are over.
    pub suspended: u32,
    pub resized: Option<Time>,
    /// The job to which its nodes are to go (`--dependency=expand:`).
    pub expands: Option<JobId>,
    /// It was suspended for others on its cores and goes on by itself.
    pub ganged: bool,
    /// Its place in a heterogeneous job.
    pub het: Option<Het>,
    /// The reservations that it may use.
    pub reservations: Vec<ResvId>,
}

/// A component's place in a heterogeneous job; components have consecutive numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Het {
    pub leader: JobId,
    pub offset: u32,
    /// How many components there are.
    pub size: u32,
}

/// What plans take for "no limit": a year.
pub const UNLIMITED: Span = Span::from_secs(365 * 86_400);

/// The limit that a plan counts with, in seconds.
pub(crate) fn planned_seconds(limit: Limit) -> i64 {
    limit.span().unwrap_or(UNLIMITED).secs()
}

/// What an administrator has set by `scontrol update`: no limit applies to it any more.
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

/// Why and since when a job is being killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Ending {
    pub state: JobState,
    /// When SIGTERM went; SIGKILL follows `KillWait` later.
    pub since: Time,
    pub by: Uid,
    /// It goes back to the queue afterwards.
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

/// Kinds of dependency.
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

/// How a dependency stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum DepState {
    Unfulfilled,
    Fulfilled,
    Failed,
}

impl Job {
    /// Seconds of run time at `now`, suspension left out.
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

    /// How long a plan counts with: at least, for a job with `--time-min`.
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

    /// Whose it is.
    #[must_use]
    pub fn uid(&self) -> Uid {
        self.desc.uid
    }

    /// Whether it has a script.
    #[must_use]
    pub fn is_batch(&self) -> bool {
        self.desc.script.is_some()
    }

    /// Whether it stands in the queue: eligible, and not held.
    #[must_use]
    pub fn queued(&self) -> bool {
        self.state == JobState::Pending
            && !self.flags.completing
            && self.eligible.is_some()
            && self.priority > 0
    }

    /// Whether it has something, or waits for it.
    #[must_use]
    pub const fn is_live(&self) -> bool {
        matches!(self.state, JobState::Pending | JobState::Running | JobState::Suspended)
            || self.flags.completing
    }

    /// Whether it holds what it has got, for limits.
    pub(crate) const fn runs(&self) -> bool {
        matches!(self.state, JobState::Running | JobState::Suspended) && !self.flags.completing
    }

    /// Whether it has its licences: from its start to its end, not while its nodes are cleaned.
    pub(crate) const fn holds_licenses(&self) -> bool {
        matches!(self.state, JobState::Running | JobState::Suspended)
    }

    /// Whether it has an allocation that is not given back yet.
    #[must_use]
    pub fn holds_nodes(&self) -> bool {
        let active = matches!(self.state, JobState::Running | JobState::Suspended) || self.flags.completing;
        active && self.allocation.is_some()
    }

    /// When plans count with its end: at its limit, for a job without one in a year. Only for jobs that run.
    #[must_use]
    pub fn planned_end(&self) -> Time {
        match self.time_limit.span() {
            Some(_) => self.soft_end.or(self.end).unwrap_or_default(),
            None => self.start.unwrap_or_default() + UNLIMITED,
        }
    }

    /// When the look at time limits has something to say: its end, or the warning before it; none unless it runs on.
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
