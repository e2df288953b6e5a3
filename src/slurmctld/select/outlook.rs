//! The availability profile of one node: what is free now, and after the time limit of each of its jobs.

use super::free::Free;
use crate::Slurmctld;
use base::ids::{JobId, NodeId};
use base::order::StableSort as _;
use base::time::Time;
use std::cell::{Cell, OnceCell};

/// See the module. Once its last job is gone a node is idle; what is free on it then is not kept with it.
#[derive(Clone, Debug, Default)]
pub(super) struct Outlook {
    /// Jobs may start here.
    available: bool,
    now: Free,
    /// Its jobs in the order of their ends.
    ends: Vec<End>,
    /// What is free after each end but the last, ascending; computed at the second look.
    later: OnceCell<Vec<(Time, Free)>>,
    /// What is free later was looked at before.
    looked: Cell<bool>,
}

/// A job's limit, and what it gives back then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct End {
    at: Time,
    job: JobId,
    cpus: u32,
    memory: u64,
}

impl End {
    /// Whether another end is of the same job and gives no more, and no earlier.
    fn lasts(&self, other: &Self) -> bool {
        self.job == other.job && other.at >= self.at && other.cpus >= self.cpus && other.memory >= self.memory
    }
}

impl Outlook {
    /// Becomes that of a node; keeps its memory. Free is what is `idle` without what its jobs have.
    pub(super) fn renew(&mut self, ctld: &Slurmctld, id: NodeId, idle: &Free) {
        let node = ctld.node(id);
        self.available = node.available();
        self.now.renew(idle);
        self.ends.clear();
        self.later.take();
        self.looked.set(false);
        for job in node.jobs.keys().filter_map(|job| ctld.jobs.get(*job)) {
            let Some(part) = job.allocation.as_ref().and_then(|a| a.on(id)) else { continue };
            self.now.take(ctld, part, job);
            self.ends.push(End { at: job.planned_end(), job: job.id, cpus: part.cpus, memory: part.memory });
        }
        self.ends.order_by_key(|e| (e.at, e.job));
        debug_assert!(self.ends_idle(ctld, id, idle), "{id:?} is idle after its last job");
    }

    /// Whether the node is idle when all its jobs are gone.
    fn ends_idle(&self, ctld: &Slurmctld, id: NodeId, idle: &Free) -> bool {
        let mut free = self.now.clone();
        self.ends.iter().for_each(|end| give(ctld, id, &mut free, end.job));
        // Where a node has less memory than it had, its jobs have more.
        free.mem = free.mem.min(idle.mem);
        free == *idle
    }

    /// What is free now, where so much is when it is `idle`.
    pub(super) fn now<'a>(&'a self, idle: &'a Free) -> &'a Free {
        if self.ends.is_empty() { idle } else { &self.now }
    }

    /// When the last of its jobs is gone.
    pub(super) fn idle_from(&self) -> Option<Time> {
        self.ends.last().map(|end| end.at)
    }

    /// Whether nothing has changed.
    pub(super) fn same(&self, other: &Self) -> bool {
        self.available == other.available && self.ends == other.ends && self.now == other.now
    }

    /// From when on two outlooks are the same.
    pub(super) fn differs_until(&self, other: &Self) -> Time {
        let same = self.ends.iter().rev().zip(other.ends.iter().rev()).take_while(|(a, b)| a == b).count();
        let last = |o: &Self| o.ends.len().checked_sub(same + 1).map(|at| o.ends[at].at);
        let ends = last(self).max(last(other)).filter(|_| self.available == other.available);
        // A node that is drained, or back, is so for good.
        ends.unwrap_or(Time(i64::MAX))
    }

    /// Whether another has more room at some moment: who was there is not, or not as long, or holds less.
    pub(super) fn is_exceeded_by(&self, other: &Self) -> bool {
        (other.available && !self.available)
            || self.ends.iter().any(|end| !other.ends.iter().any(|o| end.lasts(o)))
            || !self.now.covers(&other.now)
    }

    /// What is free after the limits up to a moment.
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

    /// What is free after each end but the last.
    pub(super) fn later(&self, ctld: &Slurmctld, id: NodeId) -> &[(Time, Free)] {
        self.later.get_or_init(|| {
            let mut later = Vec::with_capacity(self.ends.len().saturating_sub(1));
            self.give_back(ctld, id, |at, free| later.push((at, free.clone())));
            later
        })
    }

    /// Shows what is free after each end.
    pub(super) fn each_later(
        &self,
        ctld: &Slurmctld,
        id: NodeId,
        idle: &Free,
        mut see: impl FnMut(Time, &Free),
    ) {
        let Some(last) = self.idle_from() else { return };
        if self.looked.replace(true) {
            self.later(ctld, id).iter().for_each(|(at, free)| see(*at, free));
        } else {
            self.give_back(ctld, id, &mut see);
        }
        see(last, idle);
    }

    fn give_back(&self, ctld: &Slurmctld, id: NodeId, mut see: impl FnMut(Time, &Free)) {
        let last = self.idle_from();
        if self.ends.first().map(|first| first.at) == last {
            return;
        }
        let mut free = self.now.clone();
        let mut ends = self.ends.iter().take_while(|end| Some(end.at) < last).peekable();
        while let Some(end) = ends.next() {
            give(ctld, id, &mut free, end.job);
            if ends.peek().is_none_or(|next| next.at > end.at) {
                see(end.at, &free);
            }
        }
    }
}

/// A job gives back what it has on a node.
fn give(ctld: &Slurmctld, id: NodeId, free: &mut Free, job: JobId) {
    let part = ctld.jobs.get(job).and_then(|j| j.allocation.as_ref()).and_then(|a| a.on(id));
    if let Some(part) = part {
        free.give(part, job);
        // A job with `--core-spec` may have had cores that others may not.
        let conf = &ctld.node(id).conf;
        if conf.core_spec > 0 {
            free.cores.intersect_with(&conf.job_cores());
        }
    }
}
