//! Checks of invariants: a lower-priority start never delays a reservation, and no job is forgotten.

use super::queue::{self, Key};
use crate::Slurmctld;
use crate::state::job::{Job, JobState, Scheduler};
use crate::state::reason::Reason;
use base::bitset::BitSet;
use base::time::{Span, Time};

/// The longest time that a job may wait without a reason, or run beyond its time limit.
const TOLERANCE: Span = Span::from_secs(150);

impl Slurmctld {
    /// Jobs that started at `now` on nodes that are reserved for a higher-priority job before they end; one sentence each.
    #[must_use]
    pub fn check_reservations(&self, now: Time) -> Vec<String> {
        let started = self.active_jobs().filter(|j| j.state == JobState::Running && j.start == Some(now));
        let mut faults = Vec::new();
        for job in started.filter(|j| j.het.is_none() && j.restarts == 0) {
            let Some(allocation) = &job.allocation else { continue };
            let nodes: BitSet = allocation.nodes.iter().map(|n| n.node.0).collect();
            let Some(own) = self.queue_key(job) else { continue };
            let planned = self.jobs.index().planned.iter().filter_map(|id| self.jobs.get(*id));
            for (first, at) in planned.filter_map(|j| Some((j, self.reservation_before(j, own, job, now)?))) {
                let overlaps = job.planned_end() > at.0 && at.1.intersects(&nodes);
                if overlaps {
                    faults.push(format!(
                        "job {} starts on nodes that are reserved for job {} from {} on",
                        job.id, first.id, at.0
                    ));
                }
            }
        }
        faults
    }

    /// A job's key in the queue of its first partition.
    fn queue_key(&self, job: &Job) -> Option<Key> {
        Some(queue::key(self, job, *job.partitions.first()?))
    }

    /// The reservation of a job that is ahead of a key in each of its partitions, if the pass that started `other` made it.
    fn reservation_before<'a>(
        &self,
        job: &'a Job,
        own: Key,
        other: &Job,
        now: Time,
    ) -> Option<(Time, &'a BitSet)> {
        let (at, nodes) = job.planned.as_ref()?;
        let same = other.scheduler == Scheduler::Backfill && job.last_sched == Some(now);
        let before = job.partitions.iter().all(|p| queue::key(self, job, *p) < own);
        (same && before && job.scheduler == Scheduler::Backfill).then_some((*at, nodes))
    }

    /// Jobs that run beyond their time limits, and jobs that wait without a reason; one sentence each.
    #[must_use]
    pub fn check_forgotten_jobs(&self, now: Time) -> Vec<String> {
        let late = |since: Option<Time>| since.is_some_and(|since| now - since > TOLERANCE);
        let mut faults = Vec::new();
        // A change, such as a limit that is lowered below the elapsed time, counts from the time of the change.
        for job in self.pending_jobs().filter(|j| j.queued() && j.reason == Reason::None && j.het.is_none()) {
            if late(job.eligible.max(job.last_sched).max(Some(self.clock.last_change()))) {
                faults.push(format!("job {} waits without a reason", job.id));
            }
        }
        let Some(over) = self.cluster.global.over_time_limit.span() else { return faults };
        let kill = Span::from_secs(self.cluster.global.kill_wait.into());
        for job in self.active_jobs() {
            let runs = job.state == JobState::Running && !job.flags.completing && !job.flags.configuring;
            let end = job.end.filter(|end| runs && end.0 < i64::MAX).map(|end| end + over + kill);
            let end = end.map(|end| end.max(self.clock.last_change()));
            if late(end) && job.ending.is_none() {
                faults.push(format!("job {} runs beyond its time limit", job.id));
            }
        }
        faults
    }
}
