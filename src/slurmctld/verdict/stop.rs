//! What stops a job in one partition: the main loop's own answer, and the numbers behind it.

use super::{License, Stop, Tried, named, nodes, spent};
use crate::Slurmctld;
use crate::acct_policy::access::{self, Guest};
use crate::acct_policy::{self, Blocked};
use crate::preempt;
use crate::sched;
use crate::sched::main::{Blocker, attempt};
use crate::sched::queue::QueueEntry;
use crate::select::{FreeResources, RequestClasses};
use crate::state::job::Job;
use crate::state::reason::Reason;
use base::bitset::BitSet;
use base::ids::{JobId, PartId};
use base::order::StableSort as _;
use base::time::Time;

/// The main loop has come to a row: what it says, seen before it acts on that.
pub(super) fn tried(
    ctld: &Slurmctld,
    classes: &mut RequestClasses,
    row: QueueEntry,
    kept: &BitSet,
    keepers: &[Blocker],
    now: Time,
) -> Tried {
    let answer = attempt(ctld, classes, row, kept, now);
    let Some(job) = ctld.jobs.get(row.job()) else { return empty(row.part) };
    let stop = match answer {
        // Backfill starts components, when all of them find room; until then they say what it said.
        Ok(_) if job.het.is_some() => Stop::Other(job.reason),
        Ok(_) => Stop::Nothing,
        Err(why) => preempted(ctld, job, row.part, kept, now)
            .filter(|_| why.reason == Reason::Resources)
            .unwrap_or_else(|| of_reason(ctld, job, (row.part, kept), why.reason, now)),
    };
    filled(ctld, job, row.part, stop, keepers, now)
}

/// The main loop does not come to a row, since its partition is stopped: that, or what would stop the job there all the
/// same. None: there is no such job any more.
pub(super) fn not_tried(ctld: &Slurmctld, row: QueueEntry, keepers: &[Blocker], now: Time) -> Option<Tried> {
    let job = ctld.jobs.get(row.job())?;
    let barred = sched::barred(ctld, job, row.part, now);
    let stopper = keepers.iter().find(|k| k.part == Some(row.part));
    let stop = match (barred, stopper) {
        (Some(reason), _) => of_reason(ctld, job, (row.part, &BitSet::new()), reason, now),
        (None, Some(keeper)) => Stop::Behind(keeper.job),
        // Components of heterogeneous jobs are backfill's, and `partition_job_depth` stops partitions, too.
        (None, None) => Stop::Other(Reason::Priority),
    };
    Some(filled(ctld, job, row.part, stop, keepers, now))
}

fn empty(part: PartId) -> Tried {
    Tried { part, stop: Stop::Nothing, nodes: Vec::new(), wanted: (0, 0), room: (0, 0) }
}

fn filled(ctld: &Slurmctld, job: &Job, part: PartId, stop: Stop, keepers: &[Blocker], now: Time) -> Tried {
    let (nodes, room) = nodes::tally(ctld, job, part, keepers, now);
    Tried { part, stop, nodes, wanted: (job.needs.min_nodes.max(1), job.needs.ntasks), room }
}

fn preempted(ctld: &Slurmctld, job: &Job, part: PartId, kept: &BitSet, now: Time) -> Option<Stop> {
    let plan = preempt::plan(ctld, job, part, &FreeResources::now_for(ctld, job, now), kept, now)?;
    Some(Stop::Preempts(named(plan.victims.into_iter().map(|v| v.0).collect()).0))
}

/// The numbers behind a reason.
fn of_reason(
    ctld: &Slurmctld,
    job: &Job,
    (part, kept): (PartId, &BitSet),
    reason: Reason,
    now: Time,
) -> Stop {
    let conf = ctld.partition(part);
    if reason.is_limit()
        && let Some(limit) = limit(ctld, job, (part, kept), now)
    {
        let (users, spent) = (users(ctld, &limit), spent::spent(ctld, &limit, now));
        return Stop::Limit { limit, users, spent };
    }
    if reason == Reason::FailBadConstraints {
        Stop::Never
    } else if reason == Reason::FailAccount {
        Stop::NoAccount
    } else if reason == Reason::FailQos {
        Stop::NoQos
    } else if reason == Reason::QosThres {
        threshold(ctld, job).unwrap_or(Stop::Other(reason))
    } else if matches!(reason, Reason::PartDown | Reason::PartInactive) {
        Stop::State(conf.state)
    } else if reason == Reason::PartTimeLimit {
        Stop::TimeLimit { asked: job.time_limit, most: conf.max_time }
    } else if reason == Reason::PartNodeLimit {
        let most = conf.max_nodes.unwrap_or(u32::MAX).min(conf.nodes.len());
        Stop::NodeCount { asked: job.needs.min_nodes, least: conf.min_nodes.max(1), most }
    } else if matches!(reason, Reason::PartConfig | Reason::Qos) {
        match access::admits(ctld, Guest::of(job), part) {
            Err(denied) => denied.into(),
            Ok(()) => too_small(ctld, job, part),
        }
    } else if reason == Reason::Licenses {
        Stop::Licenses(licenses(ctld, job, now))
    } else if reason == Reason::ArrayTaskLimit {
        let array = job.array.as_ref();
        let running = array.map_or(0, |a| ctld.running_tasks(a.job));
        Stop::ArrayTasks { running, most: array.map_or(0, |a| a.throttle) }
    } else if reason == Reason::Reservation {
        let own = job.reservations.iter().filter_map(|id| ctld.reservations.get(*id));
        Stop::Reservation(own.map(|r| r.window(now).0).min())
    } else if matches!(reason, Reason::Resources | Reason::NodeNotAvail) {
        Stop::Nodes
    } else {
        Stop::Other(reason)
    }
}

/// The fair share that its QOS wants, and that of its association.
fn threshold(ctld: &Slurmctld, job: &Job) -> Option<Stop> {
    let least = ctld.dbd.qos_by_id(job.qos)?.usage_threshold?;
    let has = ctld.dbd.assoc(job.assoc?)?.fair.factor;
    // Both are between 0 and 1.
    Some(Stop::Threshold { has: (has * 1000.0) as u32, least: (least * 1000.0) as u32 })
}

/// The limit in data, in the order in which the main loop looks at them.
pub(super) fn limit(
    ctld: &Slurmctld,
    job: &Job,
    (part, kept): (PartId, &BitSet),
    now: Time,
) -> Option<Blocked> {
    if let Err(blocked) = acct_policy::before_selection(ctld, job, part) {
        return Some(blocked);
    }
    let allocation = sched::now::now_alone(ctld, job, part, kept, now)?;
    acct_policy::after_selection(ctld, job, part, &allocation, now).err()
}

/// The jobs that run and count where the limit does, the largest first.
pub(super) fn users(ctld: &Slurmctld, limit: &Blocked) -> (Vec<JobId>, u32) {
    let counted = ctld.active_jobs().filter(|j| ctld.limits.counts_in(&ctld.dbd, j, limit.whose));
    let size = |job: &Job| job.allocation.as_ref().map_or(0, |a| a.tres.cpu);
    let mut jobs: Vec<(u64, JobId)> = counted.map(|j| (size(j), j.id)).collect();
    jobs.order_by_key(|(cpus, id)| (std::cmp::Reverse(*cpus), *id));
    named(jobs.into_iter().map(|j| j.1).collect())
}

fn too_small(ctld: &Slurmctld, job: &Job, part: PartId) -> Stop {
    let conf = ctld.partition(part);
    let of_node = |node| u64::from(ctld.node(node).cpus().min(conf.cpus_limit()));
    let has = super::node_ids(&conf.nodes).map(of_node).sum();
    Stop::TooSmall { cpus: (job.needs.min_cpus.into(), has), nodes: (job.needs.min_nodes, conf.nodes.len()) }
}

fn licenses(ctld: &Slurmctld, job: &Job, now: Time) -> Vec<License> {
    let all = job.needs.licenses.iter().map(|(name, asked)| {
        let count = ctld.license(name, now);
        let (total, used, reserved) = (count.total, count.used, count.reserved);
        License { name: name.clone(), asked: *asked, total, used, reserved }
    });
    all.filter(|l| l.used.saturating_add(l.reserved).saturating_add(l.asked) > l.total).collect()
}
