//! What starts when: the main loop in strict order, and backfill around it.

pub(super) mod backfill;
pub(super) mod main;

use super::Slurmctld;
use super::depend::Standing;
use super::job::{DepKind, Job};
use super::reason::Reason;
use crate::base::ids::{JobId, PartId};
use crate::base::order::Order as _;
use crate::base::time::{Limit, Time};
use crate::config::PartState;
use std::cmp::Reverse;

/// A job in one of its partitions, in the order in which it is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub job: JobId,
    pub part: PartId,
}

/// Brings what waits up to date: dependencies, begin times, arrays that must be split.
pub(super) fn refresh(ctld: &mut Slurmctld, now: Time) {
    let ids: Vec<JobId> = ctld.pending_jobs().map(|j| j.id).collect();
    for id in ids {
        split_corresponding(ctld, id);
    }
    let ids: Vec<JobId> = ctld.pending_jobs().map(|j| j.id).collect();
    for id in ids {
        refresh_job(ctld, id, now);
    }
}

/// An array with `aftercorr` gets a record for each task: each has its own predecessor.
fn split_corresponding(ctld: &mut Slurmctld, id: JobId) {
    let Some(job) = ctld.jobs.get(id) else { return };
    if !job.deps.iter().any(|d| d.kind == DepKind::AfterCorr) {
        return;
    }
    let Some(array) = job.array.as_ref().filter(|a| a.task.is_none()) else { return };
    let tasks: Vec<u32> = array.pending.iter().collect();
    for task in tasks {
        ctld.split_task(id, task);
    }
}

/// Looks at the dependencies of everything that waits, without splitting arrays.
pub(super) fn refresh_dependencies(ctld: &mut Slurmctld, now: Time) {
    let dependent: Vec<JobId> = ctld.pending_jobs().filter(|j| !j.deps.is_empty()).map(|j| j.id).collect();
    for id in dependent {
        refresh_job(ctld, id, now);
    }
}

fn refresh_job(ctld: &mut Slurmctld, id: JobId, now: Time) {
    let Some(job) = ctld.jobs.get(id) else { return };
    if job.deps.iter().any(|d| d.kind == DepKind::AfterCorr)
        && job.array.as_ref().is_some_and(|a| a.task.is_none())
    {
        return;
    }
    if job.priority == 0 && job.desc.priority != Some(0) && job.held() {
        return;
    }
    if !job.deps.is_empty() {
        let (deps, standing) = ctld.review(job, now);
        let kill = standing == Standing::Never
            && job.desc.kill_on_invalid_dep.unwrap_or(ctld.cluster.global.kill_on_invalid_depend);
        ctld.change_job(id, |job| {
            job.deps = deps;
            match standing {
                Standing::Free if matches!(job.reason, Reason::Dependency | Reason::DepInvalid) => {
                    job.reason = Reason::None;
                }
                Standing::Free => {}
                Standing::Waiting => job.reason = Reason::Dependency,
                Standing::Never => job.reason = Reason::DepInvalid,
            }
        });
        if kill {
            ctld.cancel_pending(id, crate::base::ids::Uid(0), now);
            return;
        }
        if standing != Standing::Free {
            return;
        }
    }
    let Some(job) = ctld.jobs.get(id) else { return };
    if job.begin.is_some_and(|begin| begin > now) {
        ctld.change_job(id, |job| job.reason = Reason::Time);
    } else if job.eligible.is_none() {
        ctld.make_eligible(id, now);
    }
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
    if job.time_limit > conf.max_time {
        return Some(Reason::PartTimeLimit);
    }
    if conf.max_nodes.is_some_and(|most| job.needs.min_nodes > most)
        || job.needs.min_nodes > conf.nodes.len()
        || (job.needs.max_nodes > 0 && job.needs.max_nodes < conf.min_nodes)
    {
        return Some(Reason::PartNodeLimit);
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
