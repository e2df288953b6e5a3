//! Serialisation of the indices, in one record.

use super::jobs::JobIndex;
use super::nodes::NodeIndex;
use super::waiting::WaitIndex;
use base::bitset::BitSet;
use base::cow_set::CowSet;
use base::ids::{JobId, NodeId};
use base::time::Time;
use serde::{Deserialize, Serialize};

/// The indices as they are written.
#[derive(Serialize)]
pub(crate) struct IndicesRef<'a> {
    pending: &'a CowSet<JobId>,
    active: &'a CowSet<JobId>,
    ended: &'a CowSet<(Time, JobId)>,
    limits: &'a CowSet<(Time, JobId)>,
    configuring: &'a CowSet<JobId>,
    planned: &'a CowSet<JobId>,
    silent: &'a CowSet<(Time, NodeId)>,
    available: &'a BitSet,
    completing: &'a BitSet,
    nodes_due: &'a CowSet<(Time, NodeId)>,
    waiting: &'a WaitIndex,
    recheck_at: &'a CowSet<Time>,
}

/// The indices as they are read.
#[derive(Deserialize)]
pub(crate) struct Indices {
    pending: CowSet<JobId>,
    active: CowSet<JobId>,
    ended: CowSet<(Time, JobId)>,
    limits: CowSet<(Time, JobId)>,
    configuring: CowSet<JobId>,
    planned: CowSet<JobId>,
    silent: CowSet<(Time, NodeId)>,
    available: BitSet,
    completing: BitSet,
    nodes_due: CowSet<(Time, NodeId)>,
    waiting: WaitIndex,
    recheck_at: CowSet<Time>,
}

impl<'a> IndicesRef<'a> {
    pub(crate) const fn of(jobs: &'a JobIndex, nodes: &'a NodeIndex, recheck_at: &'a CowSet<Time>) -> Self {
        Self {
            pending: &jobs.pending,
            active: &jobs.active,
            ended: &jobs.ended,
            limits: &jobs.limits,
            configuring: &jobs.configuring,
            planned: &jobs.planned,
            silent: &nodes.silent,
            available: &nodes.available,
            completing: &nodes.completing,
            nodes_due: &nodes.due,
            waiting: &jobs.waiting,
            recheck_at,
        }
    }
}

impl Indices {
    /// Splits them by owner.
    pub(crate) fn split(self) -> (JobIndex, NodeIndex, CowSet<Time>) {
        let jobs = JobIndex {
            pending: self.pending,
            active: self.active,
            ended: self.ended,
            limits: self.limits,
            configuring: self.configuring,
            planned: self.planned,
            waiting: self.waiting,
        };
        let nodes = NodeIndex {
            silent: self.silent,
            available: self.available,
            completing: self.completing,
            due: self.nodes_due,
        };
        (jobs, nodes, self.recheck_at)
    }
}
