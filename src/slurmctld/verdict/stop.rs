//! What stops a job in one partition: the main loop's verdict, and the numbers behind it.

use super::{names, nodes};
use crate::Slurmctld;
use crate::acct_policy::access::{self, AccessIdentity, Denied};
use crate::acct_policy::{self, Blocked};
use crate::preempt;
use crate::sched;
use crate::sched::main::{BlockingJob, attempt};
use crate::sched::queue::QueueEntry;
use crate::select::{FreeResources, RequestClasses};
use crate::state::job::Job;
use crate::state::reason::Reason;
use base::bitset::BitSet;
use base::ids::{JobId, PartId};
use base::order::StableSort as _;
use base::time::Time;
use base::verdict::{Blocker, FirstOf, JobRef, LicenseShortage, NAMES, PartitionVerdict};
use config::PartState;

/// The main loop's verdict on an entry, before it acts on it.
pub(super) fn tried(
    ctld: &Slurmctld,
    classes: &mut RequestClasses,
    entry: QueueEntry,
    kept: &BitSet,
    keepers: &[BlockingJob],
    now: Time,
) -> PartitionVerdict {
    let answer = attempt(ctld, classes, entry, kept, now);
    let Some(job) = ctld.jobs.get(entry.job()) else { return empty(ctld, entry.part) };
    let blocker = match answer {
        // Backfill starts components once all of them fit; until then, they keep their reason.
        Ok(_) if job.het.is_some() => other(job.reason),
        Ok(_) => Blocker::Nothing,
        Err(why) => preempted(ctld, job, entry.part, kept, now)
            .filter(|_| why.reason == Reason::Resources)
            .unwrap_or_else(|| of_reason(ctld, job, (entry.part, kept), why.reason, now)),
    };
    filled(ctld, job, entry.part, blocker, keepers, now)
}

/// The verdict on an entry that the main loop does not reach because its partition is stopped: that, or what would stop
/// the job anyway. None if there is no such job any more.
pub(super) fn not_tried(
    ctld: &Slurmctld,
    entry: QueueEntry,
    keepers: &[BlockingJob],
    now: Time,
) -> Option<PartitionVerdict> {
    let job = ctld.jobs.get(entry.job())?;
    let barred = sched::barred(ctld, job, entry.part, now);
    let stopper = keepers.iter().find(|k| k.part == Some(entry.part));
    let blocker = match (barred, stopper) {
        (Some(reason), _) => of_reason(ctld, job, (entry.part, &BitSet::new()), reason, now),
        (None, Some(keeper)) => Blocker::Behind(names::job(ctld, keeper.job)),
        // Components of heterogeneous jobs are left to backfill, and `partition_job_depth` also stops partitions.
        (None, None) => other(Reason::Priority),
    };
    Some(filled(ctld, job, entry.part, blocker, keepers, now))
}

fn empty(ctld: &Slurmctld, part: PartId) -> PartitionVerdict {
    let partition = ctld.partition(part).name.clone();
    PartitionVerdict { partition, blocker: Blocker::Nothing, nodes: Vec::new(), available: (0, 0) }
}

fn filled(
    ctld: &Slurmctld,
    job: &Job,
    part: PartId,
    blocker: Blocker,
    keepers: &[BlockingJob],
    now: Time,
) -> PartitionVerdict {
    let (nodes, available) = nodes::tally(ctld, job, part, keepers, now);
    PartitionVerdict { blocker, nodes, available, ..empty(ctld, part) }
}

fn other(reason: Reason) -> Blocker {
    Blocker::Other(reason.text().to_owned())
}

fn preempted(ctld: &Slurmctld, job: &Job, part: PartId, kept: &BitSet, now: Time) -> Option<Blocker> {
    let plan = preempt::plan(ctld, job, part, &FreeResources::now_for(ctld, job, now), kept, now)?;
    Some(Blocker::Preempts(plan.victims.into_iter().take(NAMES).map(|v| names::job(ctld, v.0)).collect()))
}

/// The numbers behind a reason.
fn of_reason(
    ctld: &Slurmctld,
    job: &Job,
    (part, kept): (PartId, &BitSet),
    reason: Reason,
    now: Time,
) -> Blocker {
    let conf = ctld.partition(part);
    if reason.is_limit()
        && let Some(limit) = limit(ctld, job, (part, kept), now)
    {
        return Blocker::Limit(names::limit(ctld, &limit, now));
    }
    if reason == Reason::FailBadConstraints {
        Blocker::Never
    } else if reason == Reason::FailAccount {
        Blocker::NoAccount(job.account.clone())
    } else if reason == Reason::FailQos {
        Blocker::NoQos(names::qos(ctld, job.qos))
    } else if reason == Reason::QosThres {
        threshold(ctld, job).unwrap_or(other(reason))
    } else if matches!(reason, Reason::PartDown | Reason::PartInactive) {
        Blocker::State(state_name(conf.state).to_owned())
    } else if reason == Reason::PartTimeLimit {
        Blocker::TimeLimit { asked: job.time_limit, most: conf.max_time }
    } else if reason == Reason::PartNodeLimit {
        let most = conf.max_nodes.unwrap_or(u32::MAX).min(conf.nodes.len());
        Blocker::NodeCount { asked: job.needs.min_nodes, least: conf.min_nodes.max(1), most }
    } else if matches!(reason, Reason::PartConfig | Reason::Qos) {
        match access::admits(ctld, AccessIdentity::of(job), part) {
            Err(Denied::Account) => Blocker::Account,
            Err(Denied::Group) => Blocker::Group,
            Err(Denied::Qos) => Blocker::Qos,
            Ok(()) => too_small(ctld, job, part),
        }
    } else if reason == Reason::Licenses {
        Blocker::Licenses(licenses(ctld, job, now))
    } else if reason == Reason::ArrayTaskLimit {
        let array = job.array.as_ref();
        let running = array.map_or(0, |a| ctld.running_tasks(a.job));
        Blocker::ArrayTasks { running, most: array.map_or(0, |a| a.throttle) }
    } else if reason == Reason::Reservation {
        let own = job.reservations.iter().filter_map(|id| ctld.reservations.get(*id));
        Blocker::Reservation(own.map(|r| r.window(now).0).min())
    } else if matches!(reason, Reason::Resources | Reason::NodeNotAvail) {
        Blocker::Nodes
    } else {
        other(reason)
    }
}

const fn state_name(state: PartState) -> &'static str {
    match state {
        PartState::Up => "UP",
        PartState::Down => "DOWN",
        PartState::Drain => "DRAIN",
        PartState::Inactive => "INACTIVE",
    }
}

/// The fair share that its QOS requires, and that of its association.
fn threshold(ctld: &Slurmctld, job: &Job) -> Option<Blocker> {
    let qos = ctld.dbd.qos_by_id(job.qos)?;
    let least = qos.usage_threshold?;
    let has = ctld.dbd.assoc(job.assoc?)?.fair.factor;
    // Both are between 0 and 1.
    let thousandths = |share: f64| (share * 1000.0) as u32;
    Some(Blocker::Threshold { qos: qos.name.clone(), has: thousandths(has), least: thousandths(least) })
}

/// The limit that blocks the job, in the order in which the main loop checks limits.
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

/// The running jobs that count towards the limit, the largest first.
pub(super) fn users(ctld: &Slurmctld, limit: &Blocked) -> FirstOf<JobRef> {
    let counted = ctld.active_jobs().filter(|j| ctld.limits.counts_in(&ctld.dbd, j, limit.owner));
    let size = |job: &Job| job.allocation.as_ref().map_or(0, |a| a.tres.cpu);
    let mut jobs: Vec<(u64, JobId)> = counted.map(|j| (size(j), j.id)).collect();
    jobs.order_by_key(|(cpus, id)| (std::cmp::Reverse(*cpus), *id));
    FirstOf::new(jobs, |(_, id)| names::job(ctld, id))
}

fn too_small(ctld: &Slurmctld, job: &Job, part: PartId) -> Blocker {
    let conf = ctld.partition(part);
    let of_node = |node| u64::from(ctld.node(node).cpus().min(conf.cpus_limit()));
    let has = super::node_ids(&conf.nodes).map(of_node).sum();
    Blocker::TooSmall {
        cpus: (job.needs.min_cpus.into(), has),
        nodes: (job.needs.min_nodes, conf.nodes.len()),
    }
}

fn licenses(ctld: &Slurmctld, job: &Job, now: Time) -> Vec<LicenseShortage> {
    let all = job.needs.licenses.iter().map(|(name, asked)| {
        let count = ctld.license(name, now);
        let taken = count.used.saturating_add(count.reserved);
        LicenseShortage { name: name.clone(), asked: *asked, total: count.total, taken }
    });
    all.filter(|l| l.taken.saturating_add(l.asked) > l.total).collect()
}
