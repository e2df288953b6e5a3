//! Why a job finds no nodes at all: they are down, drained, blocked by other jobs, or reserved. Mirrors `ReqNodeNotAvail` and
//! similar reasons of squeue(1), "JOB REASON CODES".

use super::FreeResources;
use crate::Slurmctld;
use crate::reservation::{self, ResvFlags};
use crate::select;
use crate::state::job::Job;
use crate::state::reason::Reason;
use base::bitset::BitSet;
use base::ids::{NodeId, PartId};
use base::time::Time;

/// Why a job is pending: a reason, and a text that replaces it where slurmctld gives more detail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PendingReason {
    pub reason: Reason,
    pub text: Option<String>,
}

impl From<Reason> for PendingReason {
    fn from(reason: Reason) -> Self {
        Self { reason, text: None }
    }
}

const NODES_REQUIRED: &str =
    "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions";

impl PendingReason {
    /// Whether the partition is stopped after this.
    pub(crate) fn blocks(&self) -> bool {
        self.reason == Reason::Resources
    }
}

/// The time until which the job holds its nodes if it starts at `now`.
fn end(job: &Job, now: Time) -> Time {
    job.time_limit.span().map_or(Time(i64::MAX), |s| now + s)
}

/// Reserved nodes that the job may not use if it starts at `now`.
pub(crate) fn reserved(ctld: &Slurmctld, job: &Job, now: Time) -> Option<BitSet> {
    reservation::closed(ctld, job, now, end(job, now))
}

/// Why a job that was tried does not fit. `blocked` are nodes that jobs ahead of it block.
pub(crate) fn why(ctld: &Slurmctld, job: &Job, part: PartId, blocked: &BitSet, now: Time) -> PendingReason {
    missing(ctld, job, part, blocked, now).unwrap_or(PendingReason { reason: Reason::Resources, text: None })
}

/// The reason if no node of the partition is left. It takes precedence over all others.
pub(crate) fn no_node_left(ctld: &Slurmctld, part: PartId, blocked: &BitSet) -> Option<PendingReason> {
    let gone = |n| blocked.contains(n) || !ctld.nodes.index().available.contains(n);
    let none = ctld.partition(part).nodes.iter().all(gone);
    none.then(|| PendingReason { reason: Reason::Resources, text: Some(NODES_REQUIRED.to_owned()) })
}

/// Why the job could not run even if all nodes were idle; none: it could. Fast if all nodes of the partition are in service and
/// nothing is reserved.
pub(crate) fn missing(
    ctld: &Slurmctld,
    job: &Job,
    part: PartId,
    blocked: &BitSet,
    now: Time,
) -> Option<PendingReason> {
    let nodes = &ctld.partition(part).nodes;
    let all_available = nodes.is_subset(&ctld.nodes.index().available) && !nodes.intersects(blocked);
    if all_available && ctld.reservations.is_empty() {
        return None;
    }
    if waits_for_reservation(ctld, job, now) {
        return Some(Reason::Reservation.into());
    }
    let mut there = nodes.clone();
    there.intersect_with(&ctld.nodes.index().available);
    there.subtract(blocked);
    if there.len() < job.needs.min_nodes {
        return Some(PendingReason { reason: Reason::Resources, text: Some(NODES_REQUIRED.to_owned()) });
    }
    let mut open = select::candidates(ctld, job, part, true);
    open.subtract(blocked);
    if let Some(shut) = reserved(ctld, job, now) {
        open.subtract(&shut);
    }
    let empty = FreeResources::empty(ctld).reserved_for(job, (now, end(job, now)));
    let fits = job.needs.required.is_subset(&open)
        && open.len() >= job.needs.min_nodes
        && select::choose(ctld, job, part, &empty, (&open).into()).is_ok();
    (!fits).then(|| not_available(ctld, job, part, now))
}

/// Whether none of the job's reservations has begun.
fn waits_for_reservation(ctld: &Slurmctld, job: &Job, now: Time) -> bool {
    let mut own = job.reservations.iter().filter_map(|id| ctld.reservations.get(*id)).peekable();
    own.peek().is_some() && own.all(|r| !r.active(now) && !r.flags.has(ResvFlags::FLEX))
}

/// `ReqNodeNotAvail` with details about the nodes.
fn not_available(ctld: &Slurmctld, job: &Job, part: PartId, now: Time) -> PendingReason {
    let reason = Reason::NodeNotAvail;
    if in_maintenance(ctld, job, part, now) {
        return PendingReason { reason, text: Some("ReqNodeNotAvail, Reserved for maintenance".to_owned()) };
    }
    let mut nodes = ctld.partition(part).nodes.clone();
    if !job.needs.required.is_empty() {
        nodes.intersect_with(&job.needs.required);
    }
    nodes.subtract(&job.needs.excluded);
    let down = nodes.iter().filter(|n| !ctld.node(NodeId(*n)).up());
    let names = ctld.nodes_text(down.map(NodeId));
    let text = if names.is_empty() {
        "ReqNodeNotAvail, May be reserved for other job".to_owned()
    } else {
        format!("ReqNodeNotAvail, UnavailableNodes:{names}")
    };
    PendingReason { reason, text: Some(text) }
}

/// Whether a reservation closes the whole partition to the job.
fn in_maintenance(ctld: &Slurmctld, job: &Job, part: PartId, now: Time) -> bool {
    let end = end(job, now);
    job.reservations.is_empty()
        && ctld.reservations.iter().any(|resv| {
            let whole = resv.flags.has(ResvFlags::ALL_NODES)
                || resv.flags.has(ResvFlags::PART_NODES) && resv.partition == Some(part)
                || resv.flags.has(ResvFlags::MAINT) && ctld.partition(part).nodes.is_subset(&resv.nodes);
            let (from, to) = resv.window(now);
            whole && from < end && now < to
        })
}
