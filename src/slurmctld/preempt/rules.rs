//! Which jobs a job may preempt, how, and in which order: preempt/partition_prio and preempt/qos.

use crate::Slurmctld;
use crate::select::mcs;
use crate::state::job::{Job, JobState};
use base::bitset::BitSet;
use base::ids::{JobId, PartId, QosId};
use base::order::StableSort as _;
use base::time::{Span, Time};
use config::preempt::{PreemptMode, PreemptType, mode};
use slurmdbd::Qos;

/// A job that may be preempted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub id: JobId,
    pub mode: PreemptMode,
    /// The number of selected nodes that it uses; sort key of the reordering.
    pub shared: u32,
}

fn qos<'a>(ctld: &'a Slurmctld, job: &Job) -> Option<&'a Qos> {
    ctld.dbd.qos.iter().find(|q| q.id == job.qos)
}

/// The partition in which it runs.
fn home(job: &Job) -> Option<PartId> {
    job.partitions.first().copied()
}

fn tier(ctld: &Slurmctld, job: &Job) -> u32 {
    home(job).map_or(0, |p| ctld.partition(p).priority_tier)
}

/// Whether a job could preempt any other at all. A cheap check.
pub(super) fn preempts(ctld: &Slurmctld, job: &Job, part: PartId) -> bool {
    let conf = &ctld.cluster.global.preempt;
    match conf.kind {
        PreemptType::None => false,
        PreemptType::PartitionPrio => {
            let tier = ctld.partition(part).priority_tier;
            ctld.partitions.iter().any(|p| p.priority_tier < tier)
        }
        PreemptType::Qos => qos(ctld, job).is_some_and(|q| !q.preempt.is_empty() || within(ctld, q)),
    }
}

/// With preempt/qos, the preemptable QOS, each with the length of the longest chain of preemptors above it. Preemptors
/// are tried before the QOS that they may preempt.
pub(crate) fn preempted(ctld: &Slurmctld) -> Vec<(QosId, u32)> {
    let all = &ctld.dbd.qos;
    let mut below: Vec<(QosId, u32)> = Vec::new();
    if ctld.cluster.global.preempt.kind != PreemptType::Qos {
        return below;
    }
    // A chain longer than the number of QOS would be a loop, which sacctmgr refuses.
    for _ in all {
        let depth = |id: QosId| below.iter().find(|b| b.0 == id).map_or(0, |b| b.1);
        let above = |q: &Qos| all.iter().filter(|a| a.preempt.contains(&q.id)).map(|a| depth(a.id) + 1).max();
        let next: Vec<(QosId, u32)> = all.iter().filter_map(|q| Some((q.id, above(q)?))).collect();
        if next == below {
            break;
        }
        below = next;
    }
    below
}

/// Whether jobs of the QOS may preempt each other.
fn within(ctld: &Slurmctld, qos: &Qos) -> bool {
    ctld.cluster.global.preempt.within || qos.preempt_mode.split(',').any(|w| w == "within")
}

/// What happens to a preempted job, as set by its partition or QOS, otherwise by the cluster.
pub(super) fn mode_of(ctld: &Slurmctld, job: &Job) -> PreemptMode {
    let conf = &ctld.cluster.global.preempt;
    let own = match conf.kind {
        PreemptType::None => return PreemptMode::Off,
        PreemptType::PartitionPrio => home(job).and_then(|p| ctld.partition(p).preempt_mode.as_deref()),
        PreemptType::Qos => qos(ctld, job).map(|q| q.preempt_mode.as_str()),
    };
    match own.and_then(mode).unwrap_or(conf.mode) {
        PreemptMode::Requeue if !job.requeue || !job.is_batch() => PreemptMode::Cancel,
        PreemptMode::Suspend if !conf.gang => PreemptMode::Cancel,
        mode => mode,
    }
}

/// The time between the first signal and the end, seconds.
pub(super) fn grace_of(ctld: &Slurmctld, job: &Job) -> u32 {
    match ctld.cluster.global.preempt.kind {
        PreemptType::None => 0,
        PreemptType::PartitionPrio => home(job).map_or(0, |p| ctld.partition(p).grace_time),
        PreemptType::Qos => qos(ctld, job).map_or(0, |q| q.grace_time),
    }
}

/// Run time before a job may be preempted, as set by its QOS, otherwise by the cluster.
pub(super) fn exempt_time(ctld: &Slurmctld, job: &Job) -> Span {
    let own = qos(ctld, job).and_then(|q| q.preempt_exempt_time);
    Span::from_secs(own.unwrap_or(ctld.cluster.global.preempt.exempt_time).into())
}

/// Whether `job`, tried in `part`, may preempt `victim`, apart from time and nodes.
fn may(ctld: &Slurmctld, job: &Job, part: PartId, victim: &Job) -> bool {
    let conf = &ctld.cluster.global.preempt;
    let by_rank = match conf.kind {
        PreemptType::None => false,
        PreemptType::PartitionPrio => ctld.partition(part).priority_tier > tier(ctld, victim),
        PreemptType::Qos => qos(ctld, job).is_some_and(|q| {
            let same = q.id == victim.qos && within(ctld, q) && job.priority > victim.priority;
            same || q.preempt.contains(&victim.qos)
        }),
    };
    by_rank
        && mcs::same_label(job, victim)
        && (!conf.priority || job.priority > victim.priority)
        && conf.min_exempt_priority.is_none_or(|least| victim.priority < least)
        && mode_of(ctld, victim) != PreemptMode::Off
}

/// The jobs on `nodes` that the job may preempt, in the order in which they would be preempted: lowest tier (or QOS
/// priority), then fewest nodes, then lowest id. With `youngest_first`, the latest start precedes all of that.
pub(super) fn candidates(
    ctld: &Slurmctld,
    job: &Job,
    part: PartId,
    nodes: &BitSet,
    now: Time,
) -> Vec<Candidate> {
    let youngest = ctld.cluster.global.preempt.youngest_first;
    let by_qos = ctld.cluster.global.preempt.kind == PreemptType::Qos;
    let mut found: Vec<((i64, u32, usize, JobId), Candidate)> = Vec::new();
    for victim in ctld.active_jobs() {
        let runs = matches!(victim.state, JobState::Running | JobState::Suspended);
        if !runs || victim.flags.completing || !may(ctld, job, part, victim) {
            continue;
        }
        let Some((start, allocation)) = victim.start.zip(victim.allocation.as_ref()) else { continue };
        let mode = mode_of(ctld, victim);
        let ripe = start + exempt_time(ctld, victim) <= now;
        let here = allocation.nodes.iter().any(|n| nodes.contains(n.node.0));
        if !ripe || !here || (victim.state == JobState::Suspended && mode != PreemptMode::Suspend) {
            continue;
        }
        let rank = if by_qos { qos(ctld, victim).map_or(0, |q| q.priority) } else { tier(ctld, victim) };
        let age = if youngest { -start.0 } else { 0 };
        found.push((
            (age, rank, allocation.nodes.len(), victim.id),
            Candidate { id: victim.id, mode, shared: 0 },
        ));
    }
    found.order_by_key(|f| f.0);
    found.into_iter().map(|f| f.1).collect()
}
