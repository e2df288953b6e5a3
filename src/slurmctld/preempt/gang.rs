//! Gang scheduling: jobs that share cores take turns. Mirrors gang_scheduling.html.
//!
//! Partitions of a higher tier come first; within a tier, a list holds the order of turns. A job whose cores are taken
//! by a job before it is suspended. At the end of a time slice, the jobs that ran move to the end of the list.

use crate::Slurmctld;
use crate::state::job::{Job, JobState};
use base::bitset::BitSet;
use base::ids::JobId;
use base::order::StableSort as _;
use base::time::{Span, Time};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The state of gang scheduling.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Gang {
    /// Jobs that share cores with others, in the order of their turns.
    list: Vec<JobId>,
    /// Jobs suspended until the job of another partition that preempted them by QOS is gone.
    suspended_for: BTreeMap<JobId, JobId>,
    /// The end of this time slice.
    pub next_slice: Time,
}

/// The first time slice is longer by this many seconds, as recorded: `suspend_grace_time`.
const FIRST_SLICE: i64 = 2;

impl Gang {
    /// Whether any job shares cores.
    pub(crate) fn shares(&self) -> bool {
        self.list.len() > 1
    }
}

impl Slurmctld {
    /// Notes that a job has started. It joins the list if it shares cores with another job.
    pub(crate) fn note_shared(&mut self, id: JobId, now: Time) {
        if !self.cluster.global.preempt.gang {
            return;
        }
        let Some(job) = self.jobs.get(id) else { return };
        let mates: Vec<JobId> = self.core_sharers(job);
        if mates.is_empty() {
            return;
        }
        if self.gang.next_slice <= now {
            self.gang.next_slice = now + self.slice() + Span::from_secs(FIRST_SLICE);
        }
        for mate in mates.into_iter().chain([id]) {
            if !self.gang.list.contains(&mate) {
                self.gang.list.push(mate);
            }
        }
        self.share_cores(now);
    }

    fn slice(&self) -> Span {
        Span::from_secs(self.cluster.global.preempt.time_slice.into())
    }

    /// Jobs that hold some of the job's cores.
    fn core_sharers(&self, job: &Job) -> Vec<JobId> {
        let mut mates = Vec::new();
        for part in job.allocation.iter().flat_map(|a| &a.nodes) {
            for other in self.node(part.node).jobs.keys().filter(|o| **o != job.id) {
                let other_job = self.jobs.get(*other).filter(|j| !j.flags.completing);
                let theirs = other_job.and_then(|j| j.allocation.as_ref());
                let same = theirs
                    .iter()
                    .flat_map(|a| &a.nodes)
                    .any(|n| n.node == part.node && n.cores.intersects(&part.cores));
                if same && !mates.contains(other) {
                    mates.push(*other);
                }
            }
        }
        mates
    }

    /// Notes that a job has left its nodes. Jobs that shared its cores may resume.
    pub(crate) fn forget_shared(&mut self, id: JobId, now: Time) {
        if !self.gang.list.contains(&id) {
            return;
        }
        self.gang.list.retain(|other| *other != id);
        self.gang.suspended_for.retain(|still, other| *still != id && *other != id);
        self.share_cores(now);
        let alone =
            |ctld: &Self, id: &JobId| ctld.jobs.get(*id).is_none_or(|j| ctld.core_sharers(j).is_empty());
        let left: Vec<JobId> = self.gang.list.iter().copied().filter(|id| !alone(self, id)).collect();
        self.gang.list = left;
    }

    /// Suspends a victim of preemption by QOS until the preemptor, in another partition, is gone. Within one partition
    /// and between tiers, turns and tiers decide.
    pub(super) fn suspend_for(&mut self, victim: JobId, by: JobId, _now: Time) {
        let home = |id: JobId| self.jobs.get(id).and_then(|j| j.partitions.first().copied());
        let qos = self.cluster.global.preempt.kind == config::preempt::PreemptType::Qos;
        if qos && home(victim) != home(by) {
            self.gang.suspended_for.insert(victim, by);
        }
    }

    /// Ends a time slice: jobs that ran move to the end of the list.
    pub(crate) fn next_slice(&mut self, now: Time) {
        self.gang.next_slice = now + self.slice();
        let runs = |id: &JobId| self.jobs.get(*id).is_some_and(|j| j.state == JobState::Running);
        let (ran, waited): (Vec<JobId>, Vec<JobId>) = self.gang.list.iter().partition(|id| runs(id));
        self.gang.list = waited.into_iter().chain(ran).collect();
        self.share_cores(now);
    }

    /// Suspends and resumes jobs so that one job runs on each core.
    pub(crate) fn share_cores(&mut self, now: Time) {
        let mut turns = self.gang.list.clone();
        turns.order_by_key(|id| {
            let part = self.jobs.get(*id).and_then(|j| j.partitions.first());
            Reverse(part.map_or(0, |p| self.partition(*p).priority_tier))
        });
        let mut taken: BTreeMap<u32, BitSet> = BTreeMap::new();
        let (mut stop, mut go) = (Vec::new(), Vec::new());
        let there = |id: &JobId| self.jobs.get(*id).is_some_and(|j| j.start.is_some() && !j.flags.completing);
        for id in turns {
            let Some(job) = self.jobs.get(id) else { continue };
            let parts = || job.allocation.iter().flat_map(|a| &a.nodes);
            let free = parts().all(|n| taken.get(&n.node.0).is_none_or(|t| !t.intersects(&n.cores)));
            let by_hand = job.state == JobState::Suspended && !job.ganged;
            if by_hand || !free || self.gang.suspended_for.get(&id).is_some_and(there) {
                stop.push(id);
                continue;
            }
            for part in parts() {
                taken.entry(part.node.0).or_default().union_with(&part.cores);
            }
            go.push(id);
        }
        for id in stop {
            if self.jobs.get(id).is_some_and(|j| j.state == JobState::Running && !j.flags.completing) {
                self.pause(id, true, now);
            }
        }
        for id in go {
            if self.jobs.get(id).is_some_and(|j| j.state == JobState::Suspended) {
                self.proceed(id, now);
            }
        }
    }
}
