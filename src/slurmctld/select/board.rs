//! What is free where and when: the forecast, kept up to date as jobs come and go, and boards, which are views of it.

use super::super::Slurmctld;
use super::super::job::{Job, JobState, NodeAlloc};
use super::{Exclusive, alone, share};
use crate::base::bitset::BitSet;
use crate::base::ids::{JobId, NodeId, PartId, Uid};
use crate::base::order::Order as _;
use crate::base::time::Time;
use std::sync::Arc;

/// What is free on one node, and who is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Free {
    pub cores: BitSet,
    pub mem: u64,
    /// In the order of the node's gres list.
    pub gres: Vec<BitSet>,
    /// Jobs there.
    pub guests: Vec<Guest>,
}

/// A job on a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Guest {
    pub job: JobId,
    pub uid: Uid,
    /// It shares the node with no other user.
    pub alone: bool,
    /// It has all of the node that it wants (`--core-spec`): nobody joins it.
    pub whole: bool,
    /// Where its partition lets others onto its cores: the partition and the cores.
    pub shared: Option<(PartId, BitSet)>,
}

impl Free {
    fn of_idle(node: &super::super::node::Node) -> Self {
        Self {
            cores: node.conf.job_cores(),
            mem: node.conf.usable_memory(),
            gres: node.conf.gres.iter().map(|g| BitSet::full(g.units())).collect(),
            guests: Vec::new(),
        }
    }

    fn take(&mut self, ctld: &Slurmctld, part: &NodeAlloc, job: &Job) {
        self.cores.subtract(&part.cores);
        self.mem = self.mem.saturating_sub(part.memory);
        for (i, used) in &part.gres {
            self.gres[*i as usize].subtract(used);
        }
        let layered = |p: &&PartId| share::layers(ctld, **p, job.needs.share) > 1;
        self.guests.push(Guest {
            job: job.id,
            uid: job.uid(),
            alone: alone(ctld, job) == Some(Exclusive::User),
            whole: job.needs.core_spec.is_some(),
            shared: job.partitions.first().filter(layered).map(|p| (*p, part.cores.clone())),
        });
    }

    fn give(&mut self, part: &NodeAlloc, job: JobId) {
        self.cores.union_with(&part.cores);
        self.mem += part.memory;
        for (i, used) in &part.gres {
            self.gres[*i as usize].union_with(used);
        }
        self.guests.retain(|g| g.job != job);
        self.cores.subtract(&share::still_used(&self.guests));
    }
}

/// One node: what is free now, and after each of its jobs' time limits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Outlook {
    /// Jobs may start here.
    available: bool,
    now: Free,
    /// Ascending; the moments are the limits themselves.
    later: Vec<(Time, Free)>,
}

/// All nodes' outlooks. It follows from jobs and nodes; [`Forecast::refresh`] brings it up to date.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Forecast {
    nodes: Vec<Arc<Outlook>>,
    idle: Arc<Vec<Free>>,
    /// Nodes on which something changed since the last refresh.
    stale: Vec<NodeId>,
    /// Nodes in the order in which they were brought up to date, each with the moment from which on it is as it was
    /// thought before; `log[i]` happened at count `logged_before + i`.
    log: Vec<(NodeId, Time)>,
    logged_before: u64,
}

impl Forecast {
    /// Made anew from jobs and nodes.
    pub(in super::super) fn new(ctld: &Slurmctld) -> Self {
        Self {
            nodes: ctld.nodes.iter().map(|n| Arc::new(Outlook::of(ctld, n.id))).collect(),
            idle: Arc::new(ctld.nodes.iter().map(Free::of_idle).collect()),
            ..Self::default()
        }
    }

    /// Something changed on a node: what is held there, or until when.
    pub(in super::super) fn touch(&mut self, node: NodeId) {
        self.stale.push(node);
    }

    /// Takes what was touched, to be made anew with [`outlooks`] and put back with [`Forecast::put`].
    pub(in super::super) fn refresh(ctld: &mut Slurmctld) {
        let mut stale = std::mem::take(&mut ctld.live.forecast.stale);
        if stale.is_empty() {
            return;
        }
        stale.order();
        stale.dedup();
        for node in stale {
            let outlook = Arc::new(Outlook::of(ctld, node));
            let forecast = &mut ctld.live.forecast;
            if forecast.nodes[node.0 as usize] == outlook {
                continue;
            }
            let before = std::mem::replace(&mut forecast.nodes[node.0 as usize], outlook);
            let until = before.differs_until(&forecast.nodes[node.0 as usize]);
            forecast.log.push((node, until));
        }
        ctld.live.forecast.shorten_log();
    }

    /// A count that grows with each change of a node.
    pub(in super::super) fn count(&self) -> u64 {
        self.logged_before + self.log.len() as u64
    }

    /// The nodes that changed since `count` (each at least once); none when that is too long ago to be known.
    pub(in super::super) fn since(&self, count: u64) -> Option<&[(NodeId, Time)]> {
        let from = count.checked_sub(self.logged_before)?;
        self.log.get(usize::try_from(from).ok()?..)
    }

    /// What is free on a node now.
    pub(super) fn now(&self, node: u32) -> &Free {
        &self.nodes[node as usize].now
    }

    /// What is free on a node after each of its jobs' limits.
    pub(super) fn later(&self, node: u32) -> &[(Time, Free)] {
        &self.nodes[node as usize].later
    }

    /// What is free on a node when it is idle.
    pub(super) fn idle(&self, node: u32) -> &Free {
        &self.idle[node as usize]
    }

    /// Keeps a log as long as reading it is cheaper than looking at all nodes.
    fn shorten_log(&mut self) {
        let most = 2 * self.nodes.len() + 64;
        if self.log.len() > 2 * most {
            let dropped = self.log.len() - most;
            self.log.drain(..dropped);
            self.logged_before += dropped as u64;
        }
    }
}

impl Outlook {
    /// From when on two outlooks are the same.
    fn differs_until(&self, other: &Self) -> Time {
        let same = self.later.iter().rev().zip(other.later.iter().rev()).take_while(|(a, b)| a == b).count();
        let last = |o: &Self| o.later.len().checked_sub(same + 1).map(|at| o.later[at].0);
        let ends = last(self).max(last(other)).filter(|_| self.available == other.available);
        // A node that is drained, or back, is so for good.
        ends.unwrap_or(Time(i64::MAX))
    }

    fn of(ctld: &Slurmctld, id: NodeId) -> Self {
        let node = ctld.node(id);
        let mut now = Free::of_idle(node);
        let mut parts: Vec<(Time, &Job, &NodeAlloc)> = Vec::new();
        for job in node.jobs.keys().filter_map(|job| ctld.jobs.get(*job)) {
            let Some(part) = job.allocation.as_ref().and_then(|a| a.on(id)) else { continue };
            now.take(ctld, part, job);
            parts.push((job.planned_end(), job, part));
        }
        parts.order_by_key(|(end, job, _)| (*end, job.id));
        let mut later: Vec<(Time, Free)> = Vec::with_capacity(parts.len());
        let mut free = now.clone();
        for (end, job, part) in parts {
            free.give(part, job.id);
            // A job with `--core-spec` may have had cores that others may not.
            if node.conf.core_spec > 0 {
                free.cores.intersect_with(&node.conf.job_cores());
            }
            match later.last_mut() {
                Some(last) if last.0 == end => last.1.clone_from(&free),
                Some(_) | None => later.push((end, free.clone())),
            }
        }
        Self { available: node.available(), now, later }
    }
}

/// A picture of what is free: now, at some later moment, or on an idle machine; with what a plan changes in it.
#[derive(Clone, Debug)]
pub(in super::super) struct Board<'a> {
    forecast: &'a Forecast,
    view: View,
    /// Nodes on which a plan changed something, ascending.
    changed: Vec<(u32, Free)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum View {
    Now,
    /// After all time limits up to this moment.
    After(Time),
    Idle,
}

impl<'a> Board<'a> {
    /// The board of an idle machine: what could ever be had.
    pub(in super::super) const fn empty(ctld: &'a Slurmctld) -> Self {
        Self { forecast: &ctld.live.forecast, view: View::Idle, changed: Vec::new() }
    }

    /// The board of this moment: what active jobs hold is gone, completing ones included.
    pub(in super::super) const fn now(ctld: &'a Slurmctld) -> Self {
        Self { forecast: &ctld.live.forecast, view: View::Now, changed: Vec::new() }
    }

    /// The board when the jobs are gone whose time limits are not after `moment`.
    pub(in super::super) const fn after(ctld: &'a Slurmctld, moment: Time) -> Self {
        Self { forecast: &ctld.live.forecast, view: View::After(moment), changed: Vec::new() }
    }

    /// What is free on a node.
    ///
    /// # Panics
    /// When no such node exists.
    pub(in super::super) fn free(&self, node: u32) -> &Free {
        if !self.changed.is_empty()
            && let Ok(at) = self.changed.binary_search_by_key(&node, |c| c.0)
        {
            return &self.changed[at].1;
        }
        self.unchanged(node)
    }

    fn unchanged(&self, node: u32) -> &'a Free {
        let outlook = || &*self.forecast.nodes[node as usize];
        match self.view {
            View::Idle => &self.forecast.idle[node as usize],
            View::Now => &outlook().now,
            View::After(moment) => {
                let ended = outlook().later.partition_point(|l| l.0 <= moment);
                ended.checked_sub(1).map_or_else(|| &outlook().now, |last| &outlook().later[last].1)
            }
        }
    }

    fn change(&mut self, node: u32) -> &mut Free {
        let at = match self.changed.binary_search_by_key(&node, |c| c.0) {
            Ok(at) => at,
            Err(at) => {
                self.changed.insert(at, (node, self.unchanged(node).clone()));
                at
            }
        };
        &mut self.changed[at].1
    }

    /// Gives the cores of a job back that makes way for another, but for those on which somebody else runs. Its memory and
    /// GRES stay taken.
    pub(in super::super) fn pause(&mut self, ctld: &Slurmctld, job: &Job) {
        for part in job.allocation.iter().flat_map(|a| &a.nodes) {
            let mut cores = part.cores.clone();
            let others = ctld.node(part.node).jobs.keys().filter_map(|id| ctld.jobs.get(*id));
            for other in others.filter(|o| o.id != job.id && o.state == JobState::Running) {
                if let Some(there) = other.allocation.as_ref().and_then(|a| a.on(part.node)) {
                    cores.subtract(&there.cores);
                }
            }
            let free = self.change(part.node.0);
            free.cores.union_with(&cores);
            free.guests.retain(|g| g.job != job.id);
        }
    }

    /// Gives a job's allocation back.
    pub(in super::super) fn release(&mut self, job: &Job) {
        for part in job.allocation.iter().flat_map(|a| &a.nodes) {
            self.change(part.node.0).give(part, job.id);
        }
    }
}
