//! Job priority: priority/multifactor and priority/basic. Mirrors priority_multifactor.shtml, fair_tree.shtml and
//! classic_fair_share.shtml.
//!
//! `multifactor` sums a job's factors. `tree` holds the shares, `fair_tree` and `classic` compute the fair-share factor
//! from usage, and `decay` runs every `PriorityCalcPeriod`. A submission or an update computes a single job's priority,
//! at a cost independent of the size of the cluster.

mod classic;
mod decay;
mod fair_tree;
mod multifactor;
mod norms;
#[cfg(test)]
mod tests;
mod top;
mod tree;
mod what_if;

pub use crate::state::factors::Factors;
pub use multifactor::Part;

use crate::Slurmctld;
use crate::state::factors::Assessment;
use crate::state::job::{Job, JobState};
use base::ids::{JobId, PartId};
use base::time::Time;
use norms::Norms;
use serde::{Deserialize, Serialize};
use tree::ShareTree;

/// priority/basic counts down from here.
const TOP: u32 = 4_294_901_760;

/// The inputs of priorities apart from jobs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Priorities {
    norms: Norms,
    tree: ShareTree,
    /// The number of priorities that priority/basic has assigned.
    given: u32,
    /// When the last priority period ran.
    last: Option<Time>,
    /// When usage was last reset (`PriorityUsageResetPeriod`).
    last_reset: Option<Time>,
}

impl Priorities {
    /// When the last priority period ran.
    pub const fn last(&self) -> Option<Time> {
        self.last
    }
}

/// The priority of a job that is not held.
pub(crate) fn of(ctld: &Slurmctld, job: &Job, now: Time) -> Assessment {
    if let Some(fixed) = job.fixed_priority {
        return Assessment { value: fixed, factors: Factors::default() };
    }
    if !ctld.cluster.global.priority.multifactor {
        return Assessment { value: basic(ctld, job), factors: Factors::default() };
    }
    let factors = multifactor::factors(ctld, job, now);
    let first = job.partitions.first().map_or(0.0, |part| multifactor::sum(ctld, job, &factors, *part));
    Assessment { value: whole(first), factors }
}

/// priority/basic: each job gets one less than the previous job, minus its nice value, and keeps it.
fn basic(ctld: &Slurmctld, job: &Job) -> u32 {
    if job.priority > 0 {
        return job.priority;
    }
    let next = i64::from(TOP) - i64::from(ctld.priority.given) - 1;
    u32::try_from((next - job.nice).max(1)).unwrap_or(u32::MAX)
}

/// Rounds a sum to a priority; 0 would mean held.
fn whole(sum: f64) -> u32 {
    sum.trunc().clamp(1.0, f64::from(u32::MAX)) as u32
}

impl Slurmctld {
    /// A job's priority in one of its partitions (`PriorityByPartition`).
    pub(crate) fn priority_in(&self, job: &Job, part: PartId) -> u32 {
        let one = job.partitions.len() < 2 || job.priority == 0 || job.fixed_priority.is_some();
        if one || !self.cluster.global.priority.multifactor {
            return job.priority;
        }
        whole(multifactor::sum(self, job, &job.factors, part))
    }

    /// The parts of a job's priority in one of its partitions: the partition's, each TRES's, and the unrounded sum.
    #[must_use]
    pub fn priority_parts<'a>(&'a self, job: &'a Job, part: PartId) -> (f64, Vec<Part<'a>>, f64) {
        let tres = multifactor::tres(self, job, part).collect();
        (multifactor::partition(self, part), tres, multifactor::sum(self, job, &job.factors, part))
    }

    /// A job's unweighted factors at `now`, and the factor of one of its partitions.
    #[must_use]
    pub fn priority_factors(&self, job: &Job, part: PartId, now: Time) -> (Factors, f64) {
        (multifactor::unweighed(self, job, now), multifactor::partition_factor(self, part))
    }

    /// Notes that a job has got its first priority: priority/basic counts them.
    pub(crate) fn note_priority(&mut self, id: JobId, before: u32) {
        let given = |job: &Job| before == 0 && job.priority > 0 && job.fixed_priority.is_none();
        if !self.cluster.global.priority.multifactor && self.jobs.get(id).is_some_and(given) {
            self.priority.given += 1;
        }
    }

    /// Whether a job's priority changes with time and usage.
    pub(crate) fn is_weighed(&self, job: &Job) -> bool {
        job.priority > 0
            && (matches!(job.state, JobState::Pending)
                || (self.cluster.global.priority.flags.calculate_running
                    && matches!(job.state, JobState::Running | JobState::Suspended)))
    }

    /// Recomputes the norms after a change of nodes or partitions.
    pub(crate) fn cluster_changed(&mut self) {
        self.priority.norms = Norms::of(self);
    }

    /// Rebuilds the share tree after a change of associations or QOS.
    pub(crate) fn shares_changed(&mut self) {
        self.priority.norms.follow(&self.dbd);
        self.priority.tree = ShareTree::of(&self.dbd);
        let fair_tree = !self.cluster.global.priority.flags.no_fair_tree;
        let shares: Vec<_> =
            self.priority.tree.nodes.iter().map(|n| (n.assoc, ShareTree::norm(n, fair_tree))).collect();
        for (id, shares) in shares {
            if let Some(fair) = self.dbd.fair_mut(id) {
                fair.shares = shares;
            }
        }
    }
}
