//! What backfill makes of a job: when it is expected to start, what must be over by then, and whose plans keep nodes from
//! it that are free now.

use super::{Backfill, Expected, InFront, Rest, named, stop};
use crate::Slurmctld;
use crate::acct_policy;
use crate::sched;
use crate::select::{FreeResources, tasks_on};
use crate::state::job::{Job, JobState};
use base::bitset::BitSet;
use base::ids::{JobId, NodeId, PartId};
use base::order::StableSort as _;
use base::time::{SECOND, Time};

/// After a backfill pass on a fork: what it made of the job. `before` is the state that the pass saw, `front` the jobs
/// that are tried earlier.
pub(super) fn outcome(
    fork: &Slurmctld,
    before: &Slurmctld,
    id: JobId,
    front: &[JobId],
    now: Time,
) -> Backfill {
    let Some(job) = fork.jobs.get(id) else { return Backfill::None };
    if started(fork, job, now) {
        return Backfill::Starts;
    }
    let depth = fork.caches.parameters.bf_max_job_test;
    match &job.planned {
        Some((at, nodes)) => Backfill::Expects(Expected {
            at: *at,
            nodes: nodes.clone(),
            rests_on: rests_on(before, fork, front, (*at, nodes)),
            in_front: in_front(before, fork, front, job),
        }),
        None if job.partitions.iter().all(|part| sched::barred(before, job, *part, now).is_some()) => {
            Backfill::None
        }
        None if front.len() >= depth => Backfill::TooFar(u32::try_from(depth).unwrap_or(u32::MAX)),
        None => limited(before, fork, job, now)
            .unwrap_or(Backfill::NoPlace(now + fork.caches.parameters.bf_window)),
    }
}

fn limited(before: &Slurmctld, fork: &Slurmctld, job: &Job, now: Time) -> Option<Backfill> {
    let by_needs = |part: &PartId| acct_policy::needs(before, before.jobs.get(job.id)?, *part, now).err();
    let by_nodes = |part: &PartId| stop::limit(fork, job, (*part, &BitSet::new()), now);
    let limit = job.partitions.iter().find_map(by_needs).or_else(|| {
        let parts = if job.reason.is_limit() { job.partitions.as_slice() } else { &[] };
        parts.iter().find_map(by_nodes)
    })?;
    let (users, spent) = (stop::users(before, &limit), super::spent::spent(before, &limit, now));
    Some(Backfill::Limited { limit, users, spent })
}

/// Whether a job, or a task of the array whose record it is, has started at `now`.
pub(super) fn started(ctld: &Slurmctld, job: &Job, now: Time) -> bool {
    let runs = |j: &Job| j.state == JobState::Running && j.start == Some(now);
    let of_array =
        |j: &&Job| job.array.as_ref().is_some_and(|a| j.array.as_ref().is_some_and(|b| b.job == a.job));
    runs(job) || (job.array.is_some() && ctld.active_jobs().filter(of_array).any(runs))
}

/// What a planned job keeps: full steps of `bf_resolution` around its time.
fn place(ctld: &Slurmctld, job: &Job) -> Option<(Time, Time, BitSet)> {
    let (at, nodes) = job.planned.clone()?;
    let step = ctld.caches.parameters.bf_resolution * SECOND;
    let end = at.0 + job.planned_span().0;
    let up = |t: i64| (t + step - 1).div_euclid(step) * step;
    Some((Time(at.0.div_euclid(step) * step), Time(up(end)), nodes))
}

/// Who is planned in front of the job, once each.
fn plans<'a>(
    fork: &'a Slurmctld,
    front: &'a [JobId],
) -> impl Iterator<Item = (JobId, (Time, Time, BitSet))> + 'a {
    let first = |(i, id): &(usize, &JobId)| !front[..*i].contains(id);
    front
        .iter()
        .enumerate()
        .filter(first)
        .filter_map(|(_, id)| Some((*id, place(fork, fork.jobs.get(*id)?)?)))
}

fn rests_on(
    before: &Slurmctld,
    fork: &Slurmctld,
    front: &[JobId],
    (at, nodes): (Time, &BitSet),
) -> (Vec<Rest>, u32) {
    let mut all: Vec<(Time, Rest)> = Vec::new();
    let ours = |job: &&Job| job.allocation.iter().flat_map(|a| &a.nodes).any(|n| nodes.contains(n.node.0));
    for job in before.active_jobs().filter(|j| j.planned_end() <= at).filter(ours) {
        let end = job.planned_end();
        all.push((end, Rest::Limit { job: job.id, end }));
    }
    for (job, (_, end, _)) in plans(fork, front).filter(|p| p.1.1 <= at && p.1.2.intersects(nodes)) {
        all.push((end, Rest::Plan { job, end }));
    }
    for resv in before.reservations.iter().filter(|r| r.nodes.intersects(nodes)) {
        let end = resv.window(at).1;
        if end <= at {
            all.push((end, Rest::Reservation { id: resv.id, end }));
        }
    }
    all.order_by_key(|(end, _)| std::cmp::Reverse(*end));
    named(all.into_iter().map(|a| a.1).collect())
}

fn in_front(before: &Slurmctld, fork: &Slurmctld, front: &[JobId], job: &Job) -> (Vec<InFront>, u32) {
    let plans: Vec<_> = plans(fork, front).collect();
    if plans.is_empty() {
        return (Vec::new(), 0);
    }
    let span = job.planned_span();
    let until = before.caches.moment + span;
    let board = FreeResources::now(before);
    let room = |part: &PartId| {
        let nodes = before.partition(*part).nodes.iter().filter(|n| before.node(NodeId(*n)).available());
        nodes.filter(|n| tasks_on(before, job, *part, &board, NodeId(*n)).is_ok()).collect::<BitSet>()
    };
    let mut free = BitSet::new();
    job.partitions.iter().map(room).for_each(|nodes| free.union_with(&nodes));
    let keeps = |(job, (start, end, nodes)): (JobId, (Time, Time, BitSet))| {
        let mut kept = nodes;
        kept.intersect_with(&free);
        (start < until && !kept.is_empty()).then(|| InFront { job, start, end, nodes: kept.len() })
    };
    named(plans.into_iter().filter_map(keeps).collect())
}
