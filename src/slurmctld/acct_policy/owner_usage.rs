//! The usage counters of one owner of limits: an association, a QOS, or a user or account within a QOS.
//!
//! What running jobs will still use (`GrpTRESRunMins`) decreases in steps of `PriorityCalcPeriod`, as in Slurm. The
//! counter keeps the sum of amount times end, so a step costs one subtraction.

use crate::state::job::Allocation;
use base::ids::NodeId;
use base::time::{SECOND, Time};
use base::tres::Tres;
use serde::{Deserialize, Serialize};

/// The steps of `PriorityCalcPeriod` since slurmctld started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Steps {
    boot: Time,
    /// Seconds.
    period: i64,
}

impl Steps {
    pub(super) fn new(boot: Time, period: u32) -> Self {
        Self { boot, period: i64::from(period.max(1)) }
    }

    /// The step that contains a time.
    pub(super) fn at(self, t: Time) -> i64 {
        (t - self.boot).0.max(0) / (self.period * SECOND)
    }

    /// Seconds from slurmctld's start to a time.
    fn seconds(self, t: Time) -> u64 {
        u64::try_from((t - self.boot).secs()).unwrap_or(0)
    }

    /// Seconds from slurmctld's start to the beginning of a step.
    fn begin(self, step: i64) -> u64 {
        u64::try_from(step.saturating_mul(self.period)).unwrap_or(0)
    }
}

/// The usage counters of one owner.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    /// Unfinished jobs; each task of an array counts.
    pub submitted: u32,
    /// Pending jobs that accrue age priority.
    pub accruing: u32,
    /// Jobs that hold resources.
    pub jobs: u32,
    /// Their allocated TRES. A node counts once for each job on it.
    pub tres: Tres,
    /// Amounts times seconds from slurmctld's start to the jobs' ends.
    until: Tres,
    /// For jobs that started in the current step `fresh_in`: amounts times seconds from the beginning of the step to
    /// the start.
    fresh: Tres,
    fresh_in: i64,
    /// The number of jobs on each node, if a limit counts nodes.
    nodes: Vec<u16>,
}

impl Used {
    fn count_nodes(&mut self, nodes: impl Iterator<Item = NodeId>, more: bool) {
        for node in nodes {
            let i = node.0 as usize;
            if i >= self.nodes.len() {
                self.nodes.resize(i + 1, 0);
            }
            self.nodes[i] =
                if more { self.nodes[i].saturating_add(1) } else { self.nodes[i].saturating_sub(1) };
        }
        while self.nodes.last() == Some(&0) {
            self.nodes.pop();
        }
    }

    /// How much of a TRES is held. Counts distinct nodes if nodes are counted individually.
    #[must_use]
    pub fn held(&self, tres: &str) -> u64 {
        if tres == "node" && !self.nodes.is_empty() {
            return self.nodes.iter().filter(|n| **n > 0).count() as u64;
        }
        self.tres.get(tres)
    }

    /// Whether one of its jobs is on a node.
    #[must_use]
    pub fn on(&self, node: NodeId) -> bool {
        self.nodes.get(node.0 as usize).is_some_and(|n| *n > 0)
    }

    /// Adds or removes a job with this allocation, from its start to its expected end.
    pub(super) fn hold(
        &mut self,
        allocation: &Allocation,
        (start, end): (Time, Time),
        clock: Steps,
        by_node: bool,
        more: bool,
    ) {
        let step = clock.at(start);
        if more && self.fresh_in < step {
            (self.fresh, self.fresh_in) = (Tres::default(), step);
        }
        let put = if more { Tres::add } else { Tres::sub };
        put(&mut self.tres, &allocation.tres, 1);
        put(&mut self.until, &allocation.tres, clock.seconds(end));
        if self.fresh_in == step {
            let into = clock.seconds(start).saturating_sub(clock.begin(step));
            put(&mut self.fresh, &allocation.tres, into);
        }
        self.jobs = if more { self.jobs.saturating_add(1) } else { self.jobs.saturating_sub(1) };
        if by_node {
            self.count_nodes(allocation.nodes.iter().map(|n| n.node), more);
        }
    }

    /// TRES seconds that running jobs may still use until their time limits.
    pub(super) fn run_seconds(&self, tres: &str, clock: Steps, now: Time) -> u64 {
        let step = clock.at(now);
        let gone = self.tres.get(tres).saturating_mul(clock.begin(step));
        let fresh = if self.fresh_in == step { self.fresh.get(tres) } else { 0 };
        self.until.get(tres).saturating_sub(gone).saturating_sub(fresh)
    }

    /// The same counters normalized to a step, for comparison.
    pub(super) fn settled(mut self, step: i64) -> Self {
        if self.fresh_in != step {
            self.fresh = Tres::default();
        }
        self.fresh_in = step;
        self
    }
}
