//! Which nodes reservations close to a job between two times, and when that changes.

use super::access::may_use;
use super::{Reservation, ResvFlags};
use crate::Slurmctld;
use crate::state::job::Job;
use base::bitset::BitSet;
use base::ids::NodeId;
use base::order::StableSort as _;
use base::time::{Span, Time};

/// Nodes that a job may not use between two times. None if reservations do not restrict it. Costs nothing without
/// reservations.
pub(crate) fn closed(ctld: &Slurmctld, job: &Job, from: Time, to: Time) -> Option<BitSet> {
    if ctld.reservations.is_empty() {
        return None;
    }
    let mut shut = if job.reservations.is_empty() { BitSet::new() } else { outside(ctld, job, from) };
    for resv in ctld.reservations.iter() {
        let whole = !resv.nodes.is_empty() && resv.cores_of.is_empty();
        if whole && closes_nodes(ctld, resv, job) && meets(resv, from, to) {
            shut.union_with(&resv.nodes);
        }
    }
    (!shut.is_empty()).then_some(shut)
}

/// Cores that a job may not use between two times on nodes that are open to it: those of other reservations, and all
/// except those of its own reservation.
pub(crate) fn closed_cores(ctld: &Slurmctld, job: &Job, (from, to): (Time, Time)) -> Vec<(NodeId, BitSet)> {
    let mut shut = Vec::new();
    for resv in ctld.reservations.iter().filter(|r| !r.cores_of.is_empty() && meets(r, from, to)) {
        let own = job.reservations.contains(&resv.id);
        if own && !resv.flags.has(ResvFlags::FLEX) {
            shut.extend(resv.cores_of.iter().map(|(node, cores)| {
                let mut others = ctld.node(*node).conf.job_cores();
                others.subtract(cores);
                (*node, others)
            }));
        } else if !own && closes_nodes(ctld, resv, job) {
            shut.extend(resv.cores_of.iter().cloned());
        }
    }
    shut
}

/// All nodes except those of the job's own reservations that are open at `from`.
fn outside(ctld: &Slurmctld, job: &Job, from: Time) -> BitSet {
    let mut shut = BitSet::full(u32::try_from(ctld.nodes.len()).unwrap_or(0));
    for resv in job.reservations.iter().filter_map(|id| ctld.reservations.get(*id)) {
        if resv.flags.has(ResvFlags::FLEX) {
            return BitSet::new();
        }
        if resv.nodes.is_empty() && !resv.licenses.is_empty() {
            // A reservation of licences only: any nodes.
            return BitSet::new();
        }
        let (start, end) = resv.window(from);
        if start <= from && from < end {
            shut.subtract(&resv.nodes);
        }
    }
    shut
}

/// Whether a reservation closes its nodes to the job. Other reservations do, unless the job's own one overlaps or is
/// for maintenance.
fn closes_nodes(ctld: &Slurmctld, resv: &Reservation, job: &Job) -> bool {
    if job.reservations.is_empty() {
        return !(resv.flags.has(ResvFlags::MAGNETIC) && may_use(ctld, resv, job));
    }
    !job.reservations.iter().filter_map(|id| ctld.reservations.get(*id)).any(|own| {
        own.id == resv.id
            || own.flags.has(ResvFlags::MAINT)
            || (own.flags.has(ResvFlags::OVERLAP) && !resv.flags.has(ResvFlags::MAINT))
    })
}

/// Whether an occurrence of a reservation overlaps the time between the two.
pub(super) fn meets(resv: &Reservation, from: Time, to: Time) -> bool {
    let (start, end) = resv.window(from);
    let start = start + resv.max_start_delay.unwrap_or_default();
    if start < to && from < end {
        return true;
    }
    let Some(period) = resv.period().filter(|_| end <= from) else { return false };
    // The first occurrence that ends after `from`. Weekday and weekend reservations are treated as daily.
    let ahead = Span((from - end).0.div_euclid(period.0) * period.0 + period.0);
    start + ahead < to
}

/// Ends of reservations between two times, as backfill sees them: at the next full minute plus one second.
pub(crate) fn edges(ctld: &Slurmctld, from: Time, to: Time) -> Vec<Time> {
    let minute = Span::from_mins(1).0;
    let seen = |end: Time| Time((end.0 + minute - 1).div_euclid(minute) * minute) + Span::from_secs(1);
    let both = |resv: &Reservation| {
        let (start, end) = resv.window(from);
        [start, seen(end)]
    };
    let mut all: Vec<Time> =
        ctld.reservations.iter().flat_map(both).filter(|t| from < *t && *t <= to).collect();
    all.order();
    all
}

/// Whether reservations treat this job differently from others with the same request.
pub(crate) fn personal(ctld: &Slurmctld, job: &Job) -> bool {
    let unlike = |r: &Reservation| r.flags.has(ResvFlags::MAGNETIC) || !r.cores_of.is_empty();
    !job.reservations.is_empty() || ctld.reservations.iter().any(unlike)
}

/// Whether a job's reservation has only some of the cores of its nodes.
pub(crate) fn of_cores(ctld: &Slurmctld, job: &Job) -> bool {
    job.reservations.iter().filter_map(|id| ctld.reservations.get(*id)).any(|r| !r.cores_of.is_empty())
}

/// The nodes of a job's reservations. None if it is not restricted to them.
pub(crate) fn own_nodes(ctld: &Slurmctld, job: &Job) -> Option<BitSet> {
    let mut nodes = BitSet::new();
    for resv in job.reservations.iter().filter_map(|id| ctld.reservations.get(*id)) {
        if resv.flags.has(ResvFlags::FLEX) || resv.nodes.is_empty() {
            return None;
        }
        nodes.union_with(&resv.nodes);
    }
    (!nodes.is_empty()).then_some(nodes)
}
