//! What starts when: the main loop in strict order, and backfill around it.

pub(super) mod backfill;
pub(super) mod main;

use super::Slurmctld;
use super::job::Job;
use super::limits;
use super::reason::Reason;
pub(super) use super::waiting::{refresh, refresh_dependencies};
use crate::base::ids::{JobId, PartId};
use crate::base::order::Order as _;
use crate::base::time::Limit;
use crate::config::PartState;
use crate::slurmdbd::QosFlag;
use std::cmp::Reverse;

/// A job in one of its partitions, in the order in which it is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub job: JobId,
    pub part: PartId,
}

/// Eligible rows in order: tier, priority, then age of the id.
pub(super) fn rows(ctld: &Slurmctld) -> Vec<Row> {
    let mut keyed: Vec<(Reverse<u32>, Reverse<u32>, JobId, PartId)> = Vec::new();
    for job in ctld.pending_jobs().filter(|j| j.eligible.is_some() && j.priority > 0) {
        for part in &job.partitions {
            let tier = ctld.partition(*part).priority_tier;
            keyed.push((Reverse(tier), Reverse(job.priority), job.id, *part));
        }
    }
    keyed.order();
    keyed.into_iter().map(|(_, _, job, part)| Row { job, part }).collect()
}

/// What keeps a job from being tried at all, without blocking others.
pub(super) fn barred(ctld: &Slurmctld, job: &Job, part: PartId) -> Option<Reason> {
    let conf = ctld.partition(part);
    match conf.state {
        PartState::Up => {}
        PartState::Down => return Some(Reason::PartDown),
        PartState::Drain | PartState::Inactive => return Some(Reason::PartInactive),
    }
    let lifted = |flag| limits::flagged(ctld, job, part, flag);
    if job.time_limit > conf.max_time && !lifted(QosFlag::PartitionTimeLimit) {
        return Some(Reason::PartTimeLimit);
    }
    let too_many = conf.max_nodes.is_some_and(|most| job.needs.min_nodes > most);
    let too_few = job.needs.max_nodes > 0 && job.needs.max_nodes < conf.min_nodes;
    if (too_many && !lifted(QosFlag::PartitionMaxNodes))
        || (too_few && !lifted(QosFlag::PartitionMinNodes))
        || job.needs.min_nodes > conf.nodes.len()
    {
        return Some(Reason::PartNodeLimit);
    }
    if let Some(reason) = limits::barred(ctld, job, part) {
        return Some(reason);
    }
    if !ctld.licenses_free(job) {
        return Some(Reason::Licenses);
    }
    let array = job.array.as_ref().filter(|a| a.throttle > 0)?;
    (ctld.running_tasks(array.job) >= array.throttle).then_some(Reason::ArrayTaskLimit)
}

/// The limit that a plan counts with, in seconds; no limit is a year.
pub(super) fn planned_seconds(limit: Limit) -> i64 {
    limit.span().map_or(365 * 86_400, |s| s.secs())
}
