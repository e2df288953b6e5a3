//! Caches of the scheduler: free resources, the queue in its order, request classes, the last backfill pass.
//!
//! All of them are derived from the state. They are neither saved nor cloned; a controller without caches rebuilds them in slices.

use super::backfill::BackfillMemo;
use super::parameters::Parameters;
use super::queue::Queue;
use crate::Slurmctld;
use crate::preempt;
use crate::select::{Availability, RequestClasses, Size};
use crate::state::changes::{JobChange, QueueState};
use crate::state::job::{Exclusive, Job};
use base::ids::{JobId, PartId, QosId};
use base::time::Time;
use config::PartExclusive;
use std::collections::BTreeSet;
use std::ops::Bound;

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct Caches {
    pub availability: Availability,
    pub queue: Queue,
    /// Empty while lent to a pass.
    pub classes: RequestClasses,
    pub parameters: Parameters,
    /// Results of the last backfill pass; empty while lent to a pass.
    pub backfill: BackfillMemo,
    /// QOS that others may preempt, with the length of the chain of QOS above each.
    pub preempted: Vec<(QosId, u32)>,
    /// Jobs that hold nodes, in the order in which their time limits end.
    ends: BTreeSet<(Time, JobId)>,
    /// By partition.
    sizes: Vec<Size>,
    /// Some nodes may belong to one user at a time.
    pub may_hit_exclusive_user: bool,
    /// The time of the last request or timer.
    pub moment: Time,
    build_state: BuildState,
}

/// How much of the caches is built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum BuildState {
    /// Nothing, or nothing that is still valid.
    #[default]
    Stale,
    /// The availability of some nodes.
    Availability,
    /// The availability of all nodes, and the queue up to a job.
    Queue(JobId),
    Complete,
}

/// Batch size when rebuilding the caches, in nodes or jobs: about a millisecond.
const BATCH: usize = 512;

/// A fork starts without caches and builds them when it needs them: most forks are only read.
impl Clone for Caches {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Caches {
    /// The times after a moment at which jobs that hold nodes reach their time limits, in order.
    pub(crate) fn ends_from(&self, after: Time) -> impl Iterator<Item = (Time, JobId)> + '_ {
        self.ends.range((Bound::Excluded((after, JobId(u32::MAX))), Bound::Unbounded)).copied()
    }

    /// Marks the caches for a rebuild, after a change that they do not follow.
    pub(crate) const fn forget(&mut self) {
        self.build_state = BuildState::Stale;
    }

    pub(crate) const fn is_built(&self) -> bool {
        matches!(self.build_state, BuildState::Complete)
    }
}

impl Slurmctld {
    /// Builds the caches if they are missing. Every request and every timer begins with it.
    pub(crate) fn build_caches(&mut self) {
        if self.caches.is_built() && (self.caches.classes.crowded() || self.plain) {
            self.caches.forget();
        }
        while self.build_some_caches() {}
    }

    /// Builds a batch of them. Returns false when they are complete.
    pub(crate) fn build_some_caches(&mut self) -> bool {
        self.caches.build_state = match self.caches.build_state {
            BuildState::Stale => {
                self.begin_caches();
                BuildState::Availability
            }
            BuildState::Availability => {
                let mut availability = std::mem::take(&mut self.caches.availability);
                let more = availability.add_some(self, BATCH);
                self.caches.availability = availability;
                if more { BuildState::Availability } else { BuildState::Queue(JobId(0)) }
            }
            BuildState::Queue(from) => {
                let some: Vec<JobId> = self.pending_from(from).take(BATCH).map(|job| job.id).collect();
                for id in &some {
                    let after = self.jobs.get(*id).map(QueueState::of).unwrap_or_default();
                    self.enter(*id, &QueueState::default(), &after);
                }
                some.last()
                    .map_or(BuildState::Complete, |last| BuildState::Queue(JobId(last.0.saturating_add(1))))
            }
            BuildState::Complete => BuildState::Complete,
        };
        !self.caches.is_built()
    }

    /// Builds the small caches and empties the others.
    fn begin_caches(&mut self) {
        self.caches = Caches::default();
        self.nodes.take_changed();
        self.caches.parameters = Parameters::new(&self.cluster.global.scheduler_parameters);
        self.caches.preempted = preempt::preempted(self);
        self.caches.queue = Queue::new(self.partitions.len());
        let by_user = |p: &config::PartConf| p.exclusive == PartExclusive::User;
        let asks = |j: &Job| j.needs.exclusive == Some(Exclusive::User);
        self.caches.may_hit_exclusive_user = self.partitions.iter().any(by_user)
            || self.pending_jobs().any(asks)
            || self.active_jobs().any(asks);
        self.caches.sizes =
            (0u32..).zip(&self.partitions).map(|(id, _)| Size::of(self, PartId(id))).collect();
        self.caches.ends = self.active_jobs().filter_map(|j| Some((QueueState::of(j).end?, j.id))).collect();
    }

    /// The size of a partition.
    pub(crate) fn size_of(&self, part: PartId) -> Size {
        let known = self.caches.sizes.get(part.0 as usize).filter(|_| self.caches.is_built());
        known.copied().unwrap_or_else(|| Size::of(self, part))
    }

    /// Follows a change of a job: its position in the queue, or the time at which its nodes become free, may differ.
    pub(crate) fn note_queue_state(&mut self, change: &JobChange) {
        if self.caches.is_built() {
            let new = QueueState::default();
            let before = change.before.as_ref().map_or(&new, |before| &before.queued);
            self.enter(change.id, before, &change.after.queued);
        }
    }

    fn enter(&mut self, id: JobId, before: &QueueState, after: &QueueState) {
        let Some(job) = self.jobs.get(id) else { return };
        if before.end != after.end {
            before.end.map(|end| self.caches.ends.remove(&(end, id)));
            after.end.map(|end| self.caches.ends.insert((end, id)));
            let nodes = job.allocation.iter().flat_map(|a| &a.nodes);
            nodes.for_each(|part| self.nodes.note_changed(part.node));
        }
        if job.needs.exclusive == Some(Exclusive::User) && !self.caches.may_hit_exclusive_user {
            return self.caches.forget();
        }
        match (&before.entry, &after.entry) {
            (before, after) if before == after => {}
            (Some(before), Some(after)) if before.asks_like(after) => self.move_entries(id),
            _ => {
                self.caches.queue.remove(id, &mut self.caches.classes);
                self.enqueue(id);
            }
        }
        if before.is_provisional() != after.is_provisional() {
            self.caches.queue.note_provisional(id, after.is_provisional());
        }
    }
}
