//! Whether those for whom backfill keeps a place were left in peace: what nobody does who starts behind them.

use super::super::Slurmctld;
use super::super::job::{Job, JobState, Scheduler};
use super::super::reason::Reason;
use super::queue::{self, Key};
use crate::base::bitset::BitSet;
use crate::base::time::{Span, Time};

/// A job waits no longer for somebody to say why.
const PATIENCE: Span = Span::from_secs(150);

impl Slurmctld {
    /// Jobs that started at `now` on nodes, and for longer, which are kept for somebody in front of them; one sentence each.
    #[must_use]
    pub fn check_places_kept(&self, now: Time) -> Vec<String> {
        let started = self.active_jobs().filter(|j| j.state == JobState::Running && j.start == Some(now));
        let mut faults = Vec::new();
        for job in started.filter(|j| j.het.is_none() && j.restarts == 0) {
            let Some(allocation) = &job.allocation else { continue };
            let nodes: BitSet = allocation.nodes.iter().map(|n| n.node.0).collect();
            let Some(own) = self.row_key(job) else { continue };
            let kept = self.index.planned.iter().filter_map(|id| self.jobs.get(*id));
            for (front, at) in kept.filter_map(|j| Some((j, self.place_before(j, own, job, now)?))) {
                let over = job.planned_end() > at.0 && at.1.intersects(&nodes);
                if over {
                    faults.push(format!(
                        "job {} starts on nodes that are kept for job {} from {} on",
                        job.id, front.id, at.0
                    ));
                }
            }
        }
        faults
    }

    /// A job's place in the queue of its first partition.
    fn row_key(&self, job: &Job) -> Option<Key> {
        Some(queue::key(self, job, *job.partitions.first()?))
    }

    /// When and where a place is kept for a job that stands before a key in each of its partitions, as the same pass said
    /// that started the other.
    fn place_before<'a>(&self, job: &'a Job, own: Key, other: &Job, now: Time) -> Option<(Time, &'a BitSet)> {
        let (at, nodes) = job.planned.as_ref()?;
        let same = other.scheduler == Scheduler::Backfill && job.last_sched == Some(now);
        let before = job.partitions.iter().all(|p| queue::key(self, job, *p) < own);
        (same && before && job.scheduler == Scheduler::Backfill).then_some((*at, nodes))
    }

    /// Jobs that nobody ends although their time is over, and jobs that wait and nobody says why; one sentence each.
    #[must_use]
    pub fn check_nobody_forgotten(&self, now: Time) -> Vec<String> {
        let late = |since: Option<Time>| since.is_some_and(|since| now - since > PATIENCE);
        let mut faults = Vec::new();
        // What somebody has changed, a limit that is lowered below the time gone by, counts from then on.
        for job in self.pending_jobs().filter(|j| j.queued() && j.reason == Reason::None && j.het.is_none()) {
            if late(job.eligible.max(job.last_sched).max(Some(self.clock.last_change()))) {
                faults.push(format!("job {} waits, and nobody says why", job.id));
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
