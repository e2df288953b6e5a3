//! Why a job waits, as data: what the passes would decide of it now, and what that rests on.
//!
//! Nothing is recorded while passes run. A verdict takes a fork of the controller, on which the passes run once, watched
//! where they come to the job: it says what they decide, costs nothing when nobody asks, and its size is
//! bounded. [`Slurmctld::would_start`] tries a change on another fork, [`Slurmctld::remedies`] looks for changes with which
//! the job would start at once. Words are made of it elsewhere.

mod ahead;
mod asking;
mod attempt;
mod nodes;
mod remedy;
mod spent;
mod stop;
#[cfg(test)]
mod tests;

use crate::Slurmctld;
use crate::acct_policy::Blocked;
use crate::acct_policy::access::Denied;
use crate::state::edit;
use crate::state::job::{DepState, Dependency, Job, JobState, Scheduler};
use crate::state::reason::Reason;
pub use asking::Asking;
use base::bitset::BitSet;
use base::ids::{JobId, NodeId, PartId, ResvId};
use base::time::{Limit, Time};
use config::PartState;
pub use nodes::{NodeCause, NodeGroup, Resource};
pub use remedy::{Change, Search};
use serde::{Deserialize, Serialize};
pub use spent::{Fades, Spent};

/// Names that a verdict gives at most of each kind; the rest is counted.
pub const NAMES: usize = 4;

/// Why a job waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The record: of an array's task that has none of its own, the array's.
    pub job: JobId,
    /// The moment for which it was worked out.
    pub at: Time,
    /// What `squeue` shows: what the last pass that came to the job said.
    pub shown: Reason,
    /// Whether passes look at it, and what else it waits for.
    pub standing: Standing,
    /// What stops it in each of its partitions, in the order in which they are tried.
    pub tried: Vec<Tried>,
    /// What backfill makes of it.
    pub backfill: Backfill,
}

/// How a job stands before any pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standing {
    /// It does not wait any more.
    Past(JobState),
    /// Its priority is 0.
    Held {
        /// An administrator holds it, or slurmctld itself does.
        by_admin: bool,
    },
    /// Its begin time has not come.
    Begins {
        /// When it does.
        at: Time,
        /// It ran before: who is put back into the queue waits a little first.
        again: bool,
    },
    /// Dependencies that do not hold (at most [`NAMES`]), and how many there are.
    Depends(Vec<Dependency>, u32),
    /// Passes look at it.
    Queued {
        /// Queue entries (a job in each of its partitions) in front of its first one.
        in_front: u32,
    },
}

/// What stops a job in one of its partitions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    /// The partition.
    pub part: PartId,
    /// What the main loop says.
    pub stop: Stop,
    /// The partition's nodes by what they say to the job, the largest group first.
    pub nodes: Vec<NodeGroup>,
    /// Nodes that it needs at least, and tasks.
    pub wanted: (u32, u32),
    /// Nodes that have room for a task now and are kept from it by nobody, and tasks that they could take in all.
    pub room: (u32, u64),
}

/// What the main loop says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stop {
    /// Nothing: the next pass starts it there.
    Nothing,
    /// The partition is stopped by a job in front that finds no room itself.
    Behind(JobId),
    /// Too few nodes have room for it; [`Tried::nodes`] tells why.
    Nodes,
    /// Others are told to go for it.
    Preempts(Vec<JobId>),
    /// The partition is not up.
    State(PartState),
    /// Its time limit is beyond the partition's.
    TimeLimit {
        /// Its own.
        asked: Limit,
        /// `MaxTime`.
        most: Limit,
    },
    /// The partition lets jobs have another number of nodes.
    NodeCount {
        /// What it asks for at least.
        asked: u32,
        /// `MinNodes`.
        least: u32,
        /// `MaxNodes`, and nodes that the partition has.
        most: u32,
    },
    /// The partition is smaller than what it asks for.
    TooSmall {
        /// CPUs asked for, and CPUs that the partition has for jobs.
        cpus: (u64, u64),
        /// Nodes, likewise.
        nodes: (u32, u32),
    },
    /// The partition is not for this account.
    Account,
    /// ... for this user's groups.
    Group,
    /// ... for this QOS.
    Qos,
    /// No nodes of the partition could ever hold it; [`Tried::nodes`] tells why.
    Never,
    /// Its association is gone, or it never had one.
    NoAccount,
    /// Its QOS is gone, or its association may not use it any more.
    NoQos,
    /// Its association's fair share is below what its QOS wants (`UsageThreshold`); thousandths.
    Threshold {
        /// Of the association.
        has: u32,
        /// Of the QOS.
        least: u32,
    },
    /// A limit of an association or of a QOS.
    Limit {
        /// Which, at which value, used by whom.
        limit: Blocked,
        /// Jobs that use it now (at most [`NAMES`]), the largest first, and how many there are.
        users: (Vec<JobId>, u32),
        /// Of a limit on what was used up: who did, and whether that fades.
        spent: Option<Spent>,
    },
    /// Licences.
    Licenses(Vec<License>),
    /// `%N` of the array.
    ArrayTasks {
        /// Tasks that run.
        running: u32,
        /// At most.
        most: u32,
    },
    /// Its reservations have not begun; the first does then.
    Reservation(Option<Time>),
    /// Slurm has nothing but this to say.
    Other(Reason),
}

/// A licence with too few free.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct License {
    pub name: String,
    pub asked: u32,
    pub total: u32,
    pub used: u32,
    pub reserved: u32,
}

/// What backfill makes of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Backfill {
    /// It has no say: the job runs by then, is not queued or may not be tried at all, or there is no backfill.
    None,
    /// It would start the job at once.
    Starts,
    /// It expects the job to start.
    Expects(Expected),
    /// A limit stops it before it looks for nodes, which the main loop does first.
    Limited {
        /// Which, at which value, used by whom.
        limit: Blocked,
        /// As in [`Stop::Limit`].
        users: (Vec<JobId>, u32),
        /// As in [`Stop::Limit`].
        spent: Option<Spent>,
    },
    /// It does not come to the job: `bf_max_job_test`.
    TooFar(u32),
    /// It finds no place before this moment (`bf_window`), or keeps none for such jobs.
    NoPlace(Time),
}

/// When a job is expected to start, and what that rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expected {
    /// When.
    pub at: Time,
    /// Where.
    pub nodes: BitSet,
    /// What must be over by then on these nodes, the last to end first (at most [`NAMES`]), and how many there are.
    pub rests_on: (Vec<Rest>, u32),
    /// Jobs in front whose plans keep nodes that have room for it now (at most [`NAMES`]), and how many there are.
    pub in_front: (Vec<InFront>, u32),
}

/// What must be over first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Rest {
    /// A job runs, until its time limit.
    Limit { job: JobId, end: Time },
    /// A job in front has its place there, as planned.
    Plan { job: JobId, end: Time },
    /// A reservation.
    Reservation { id: ResvId, end: Time },
}

/// The plan of a job in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct InFront {
    pub job: JobId,
    pub start: Time,
    pub end: Time,
    /// Nodes that have room for the job now and that this plan keeps.
    pub nodes: u32,
}

impl Slurmctld {
    /// Why a job waits at `now`: what a main pass and a backfill pass would decide of it. None: there is no such job.
    #[must_use]
    pub fn verdict(&self, id: JobId, now: Time) -> Option<Verdict> {
        let mut asking = self.ask_why(id, now)?;
        while asking.step() {}
        asking.verdict
    }

    /// A job that no nodes could hold is in the queue again; on a fork.
    fn reconsider(&mut self, id: JobId, now: Time) {
        let given_up = |job: &&Job| job.reason == Reason::FailBadConstraints && job.held();
        if let Some(job) = self.jobs.get(id).filter(given_up) {
            let priority = crate::priority::of(self, job, now);
            self.edit_job(id, edit::pending::retry(priority));
        }
    }

    /// A copy on which passes may run, once it is awake: nobody hears of what they do there.
    fn fork(&self) -> Self {
        Self { lean: false, ..self.clone() }
    }

    /// A fork makes what passes need.
    fn wake_at(&mut self, now: Time) {
        self.wake();
        self.caches.moment = now;
    }

    /// What earlier passes expected, and the next one need not look at again, is not known any more.
    fn forget_plans(&mut self) {
        let planned: Vec<JobId> = self.pending_jobs().filter(|j| j.planned.is_some()).map(|j| j.id).collect();
        for job in planned {
            self.edit_job(job, edit::pending::clear_planned_start());
        }
    }

    /// The jobs in front of a job's first row, in order, each as often as it has rows.
    fn in_front_of(&self, id: JobId) -> Vec<JobId> {
        let mut walk = self.caches.queue.walk();
        let mut jobs = Vec::new();
        while let Some(row) = walk.next(&self.caches.queue, |_| true).filter(|row| row.job() != id) {
            jobs.push(row.job());
        }
        jobs
    }
}

fn standing(ctld: &Slurmctld, job: &Job, now: Time) -> Standing {
    if job.state != JobState::Pending || job.flags.completing {
        return Standing::Past(job.state);
    }
    if job.priority == 0 {
        let by_user = matches!(job.reason, Reason::HeldUser) && !job.held_by_admin;
        return Standing::Held { by_admin: !by_user };
    }
    let open = || job.deps.iter().filter(|d| d.state != DepState::Fulfilled);
    if let Some(count) = u32::try_from(open().count()).ok().filter(|n| *n > 0) {
        return Standing::Depends(open().take(NAMES).cloned().collect(), count);
    }
    if let Some(begin) = job.begin.filter(|b| *b > now) {
        return Standing::Begins { at: begin, again: job.restarts > 0 && job.desc.begin != Some(begin) };
    }
    if !job.queued() {
        return Standing::Depends(Vec::new(), 0);
    }
    let in_front = u32::try_from(ctld.in_front_of(job.id).len()).unwrap_or(u32::MAX);
    Standing::Queued { in_front }
}

impl Verdict {
    /// Whether a pass would start the job now.
    #[must_use]
    pub fn starts(&self) -> Option<Scheduler> {
        if self.tried.iter().any(|t| t.stop == Stop::Nothing) {
            return Some(Scheduler::Main);
        }
        (self.backfill == Backfill::Starts).then_some(Scheduler::Backfill)
    }
}

impl From<Denied> for Stop {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::Account => Self::Account,
            Denied::Group => Self::Group,
            Denied::Qos => Self::Qos,
        }
    }
}

/// The first names of a list, and its length.
fn named<T>(all: Vec<T>) -> (Vec<T>, u32) {
    let count = u32::try_from(all.len()).unwrap_or(u32::MAX);
    (all.into_iter().take(NAMES).collect(), count)
}

/// A node by its number.
fn node_ids(set: &BitSet) -> impl Iterator<Item = NodeId> + '_ {
    set.iter().map(NodeId)
}
