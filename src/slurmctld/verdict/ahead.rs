//! Backfill's verdict on a job: its expected start, what must end by then, and which backfill reservations contain nodes
//! that are free now.

use super::{names, stop};
use crate::Slurmctld;
use crate::acct_policy;
use crate::sched;
use crate::select::{FreeResources, tasks_on};
use crate::state::job::{Job, JobState};
use base::bitset::BitSet;
use base::ids::{JobId, NodeId, PartId};
use base::order::StableSort as _;
use base::time::{SECOND, Time};
use base::verdict::{Assumption, BackfillVerdict, ExpectedStart, FirstOf, ReservationAhead};

/// Backfill's verdict after a pass on a fork. `before` is the state before the pass, `front` the jobs ahead.
pub(super) fn outcome(
    fork: &Slurmctld,
    before: &Slurmctld,
    id: JobId,
    front: &[JobId],
    now: Time,
) -> BackfillVerdict {
    let Some(job) = fork.jobs.get(id) else { return BackfillVerdict::None };
    if started(fork, job, now) {
        return BackfillVerdict::Starts;
    }
    let depth = fork.caches.parameters.bf_max_job_test;
    match &job.planned {
        Some((at, nodes)) => BackfillVerdict::Expects(ExpectedStart {
            at: *at,
            nodes: names::hosts(before, nodes),
            assumes: assumptions(before, fork, front, (*at, nodes)),
            in_front: in_front(before, fork, front, job),
        }),
        None if job.partitions.iter().all(|part| sched::barred(before, job, *part, now).is_some()) => {
            BackfillVerdict::None
        }
        None if front.len() >= depth => BackfillVerdict::TooFar(u32::try_from(depth).unwrap_or(u32::MAX)),
        None => limited(before, fork, job, now)
            .unwrap_or(BackfillVerdict::NoStart(now + fork.caches.parameters.bf_window)),
    }
}

fn limited(before: &Slurmctld, fork: &Slurmctld, job: &Job, now: Time) -> Option<BackfillVerdict> {
    let by_needs = |part: &PartId| acct_policy::needs(before, before.jobs.get(job.id)?, *part, now).err();
    let by_nodes = |part: &PartId| stop::limit(fork, job, (*part, &BitSet::new()), now);
    let limit = job.partitions.iter().find_map(by_needs).or_else(|| {
        let parts = if job.reason.is_limit() { job.partitions.as_slice() } else { &[] };
        parts.iter().find_map(by_nodes)
    })?;
    Some(BackfillVerdict::Limited(names::limit(before, &limit, now)))
}

/// Whether a job, or a task of the array that it represents, has started at `now`.
pub(super) fn started(ctld: &Slurmctld, job: &Job, now: Time) -> bool {
    let runs = |j: &Job| j.state == JobState::Running && j.start == Some(now);
    let of_array =
        |j: &&Job| job.array.as_ref().is_some_and(|a| j.array.as_ref().is_some_and(|b| b.job == a.job));
    runs(job) || (job.array.is_some() && ctld.active_jobs().filter(of_array).any(runs))
}

/// A backfill reservation: start and end in whole steps of `bf_resolution`, and nodes.
type Reserved = (Time, Time, BitSet);

fn reserved(ctld: &Slurmctld, job: &Job) -> Option<Reserved> {
    let (at, nodes) = job.planned.clone()?;
    let step = ctld.caches.parameters.bf_resolution * SECOND;
    let end = at.0 + job.planned_span().0;
    let up = |t: i64| (t + step - 1).div_euclid(step) * step;
    Some((Time(at.0.div_euclid(step) * step), Time(up(end)), nodes))
}

/// The backfill reservations of the jobs ahead, without duplicates.
fn reservations<'a>(fork: &'a Slurmctld, front: &'a [JobId]) -> impl Iterator<Item = (JobId, Reserved)> + 'a {
    let first = |(i, id): &(usize, &JobId)| !front[..*i].contains(id);
    let jobs = front.iter().enumerate().filter(first);
    jobs.filter_map(|(_, id)| Some((*id, reserved(fork, fork.jobs.get(*id)?)?)))
}

/// What must end on these nodes before the expected start.
fn assumptions(
    before: &Slurmctld,
    fork: &Slurmctld,
    front: &[JobId],
    (at, nodes): (Time, &BitSet),
) -> FirstOf<Assumption> {
    // Only the last few are named.
    let mut all: Vec<(Time, Box<dyn FnOnce() -> Assumption + '_>)> = Vec::new();
    let ours = |job: &&Job| job.allocation.iter().flat_map(|a| &a.nodes).any(|n| nodes.contains(n.node.0));
    for job in before.active_jobs().filter(|j| j.planned_end() <= at).filter(ours) {
        let end = job.planned_end();
        all.push((end, Box::new(move || Assumption::Limit(names::job(before, job.id), end))));
    }
    for (job, (_, end, _)) in reservations(fork, front).filter(|p| p.1.1 <= at && p.1.2.intersects(nodes)) {
        all.push((end, Box::new(move || Assumption::Plan(names::job(before, job), end))));
    }
    for resv in before.reservations.iter().filter(|r| r.nodes.intersects(nodes)) {
        let end = resv.window(at).1;
        if end <= at {
            all.push((end, Box::new(move || Assumption::Reservation(resv.name.clone(), end))));
        }
    }
    all.order_by_key(|(end, _)| std::cmp::Reverse(*end));
    FirstOf::new(all, |(_, name)| name())
}

/// Backfill reservations ahead that contain nodes on which the job could run now.
fn in_front(before: &Slurmctld, fork: &Slurmctld, front: &[JobId], job: &Job) -> FirstOf<ReservationAhead> {
    let span = job.planned_span();
    let until = before.caches.moment + span;
    let resources = FreeResources::now(before);
    let mut ahead: Vec<(JobId, Reserved)> =
        reservations(fork, front).filter(|(_, (start, ..))| *start < until).collect();
    if !ahead.is_empty() {
        let usable = |part: &PartId| {
            let nodes = before.partition(*part).nodes.iter().filter(|n| before.node(NodeId(*n)).available());
            nodes.filter(|n| tasks_on(before, job, *part, &resources, NodeId(*n)).is_ok()).collect::<BitSet>()
        };
        let mut free = BitSet::new();
        job.partitions.iter().map(usable).for_each(|nodes| free.union_with(&nodes));
        ahead.iter_mut().for_each(|(_, (_, _, nodes))| nodes.intersect_with(&free));
        ahead.retain(|(_, (_, _, nodes))| !nodes.is_empty());
    }
    FirstOf::new(ahead, |(job, (start, end, nodes))| {
        let job = names::job(before, job);
        ReservationAhead { job, start, end, nodes: nodes.len() }
    })
}
