//! The availability profile of one node: the free resources now, and after the time limit of each of its jobs.

use super::free::Free;
use crate::Slurmctld;
use base::ids::{JobId, NodeId};
use base::order::StableSort as _;
use base::time::Time;
use std::cell::{Cell, OnceCell};

/// See the module. After its last job a node is idle. The resources of the idle node are not part of the profile.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeProfile {
    /// Jobs may start here.
    available: bool,
    now: Free,
    /// The ends of its jobs, in order.
    ends: Vec<End>,
    /// The free resources after each end but the last, in order; computed at the second use.
    later: OnceCell<Vec<(Time, Free)>>,
    /// `later` was needed before.
    used: Cell<bool>,
}

/// The end of a job by its time limit, and what it releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct End {
    at: Time,
    job: JobId,
    cpus: u32,
    memory: u64,
}

impl End {
    /// Whether another end is of the same job, is not earlier, and releases at least as much.
    fn lasts(&self, other: &Self) -> bool {
        self.job == other.job && other.at >= self.at && other.cpus >= self.cpus && other.memory >= self.memory
    }
}

impl NodeProfile {
    /// Recomputes the profile of a node: the free resources are the `idle` ones without those of its jobs. Memory is reused.
    pub(super) fn reset(&mut self, ctld: &Slurmctld, id: NodeId, idle: &Free) {
        let node = ctld.node(id);
        self.available = node.available();
        self.now.reset(idle);
        self.ends.clear();
        self.later.take();
        self.used.set(false);
        for job in node.jobs.keys().filter_map(|job| ctld.jobs.get(*job)) {
            let Some(part) = job.allocation.as_ref().and_then(|a| a.on(id)) else { continue };
            self.now.allocate(ctld, part, job);
            self.ends.push(End { at: job.planned_end(), job: job.id, cpus: part.cpus, memory: part.memory });
        }
        self.ends.order_by_key(|e| (e.at, e.job));
        debug_assert!(self.ends_idle(ctld, id, idle), "{id:?} is idle after its last job");
    }

    /// Whether the node is idle after the last of its jobs.
    fn ends_idle(&self, ctld: &Slurmctld, id: NodeId, idle: &Free) -> bool {
        let mut free = self.now.clone();
        self.ends.iter().for_each(|end| release(ctld, id, &mut free, end.job));
        // If the memory of a node was reduced, its jobs may have more than that.
        free.mem = free.mem.min(idle.mem);
        free == *idle
    }

    /// The free resources now; `idle` are those of the idle node.
    pub(super) fn now<'a>(&'a self, idle: &'a Free) -> &'a Free {
        if self.ends.is_empty() { idle } else { &self.now }
    }

    /// The end of its last job.
    pub(super) fn idle_from(&self) -> Option<Time> {
        self.ends.last().map(|end| end.at)
    }

    /// Whether nothing has changed.
    pub(super) fn same(&self, other: &Self) -> bool {
        self.available == other.available && self.ends == other.ends && self.now == other.now
    }

    /// The time from which two profiles are the same.
    pub(super) fn differs_until(&self, other: &Self) -> Time {
        let same = self.ends.iter().rev().zip(other.ends.iter().rev()).take_while(|(a, b)| a == b).count();
        let last = |o: &Self| o.ends.len().checked_sub(same + 1).map(|at| o.ends[at].at);
        let ends = last(self).max(last(other)).filter(|_| self.available == other.available);
        // The state of a node does not change by itself.
        ends.unwrap_or(Time(i64::MAX))
    }

    /// Whether another profile has more free resources at some moment: a job is gone, ends earlier, or holds less.
    pub(super) fn is_exceeded_by(&self, other: &Self) -> bool {
        (other.available && !self.available)
            || self.ends.iter().any(|end| !other.ends.iter().any(|o| end.lasts(o)))
            || !self.now.covers(&other.now)
    }

    /// The free resources after all ends up to a moment.
    pub(super) fn after<'a>(
        &'a self,
        ctld: &Slurmctld,
        id: NodeId,
        moment: Time,
        idle: &'a Free,
    ) -> &'a Free {
        if self.idle_from().is_none_or(|last| last <= moment) {
            return idle;
        }
        if self.ends.first().is_none_or(|first| first.at > moment) {
            return &self.now;
        }
        let later = self.later(ctld, id);
        let ended = later.partition_point(|l| l.0 <= moment);
        ended.checked_sub(1).map_or(&self.now, |last| &later[last].1)
    }

    /// The free resources after each end but the last.
    pub(super) fn later(&self, ctld: &Slurmctld, id: NodeId) -> &[(Time, Free)] {
        self.later.get_or_init(|| {
            let mut later = Vec::with_capacity(self.ends.len().saturating_sub(1));
            self.each_release(ctld, id, |at, free| later.push((at, free.clone())));
            later
        })
    }

    /// Passes the free resources after each end to `see`.
    pub(super) fn each_later(
        &self,
        ctld: &Slurmctld,
        id: NodeId,
        idle: &Free,
        mut see: impl FnMut(Time, &Free),
    ) {
        let Some(last) = self.idle_from() else { return };
        if self.used.replace(true) {
            self.later(ctld, id).iter().for_each(|(at, free)| see(*at, free));
        } else {
            self.each_release(ctld, id, &mut see);
        }
        see(last, idle);
    }

    fn each_release(&self, ctld: &Slurmctld, id: NodeId, mut see: impl FnMut(Time, &Free)) {
        let last = self.idle_from();
        if self.ends.first().map(|first| first.at) == last {
            return;
        }
        let mut free = self.now.clone();
        let mut ends = self.ends.iter().take_while(|end| Some(end.at) < last).peekable();
        while let Some(end) = ends.next() {
            release(ctld, id, &mut free, end.job);
            if ends.peek().is_none_or(|next| next.at > end.at) {
                see(end.at, &free);
            }
        }
    }
}

/// Releases what a job holds on a node.
fn release(ctld: &Slurmctld, id: NodeId, free: &mut Free, job: JobId) {
    let part = ctld.jobs.get(job).and_then(|j| j.allocation.as_ref()).and_then(|a| a.on(id));
    if let Some(part) = part {
        free.release(part, job);
        // A job with `--core-spec` may have held cores that are not for other jobs.
        let conf = &ctld.node(id).conf;
        if conf.core_spec > 0 {
            free.cores.intersect_with(&conf.job_cores());
        }
    }
}
