//! Skips passes that could only repeat the decisions of the pass before them. Only controllers that need nothing but
//! decisions (`lean`) skip them.
//!
//! While nothing is released, a job that could not start still cannot, and future reservations stay where they are. Only
//! time passes: a reservation may become due, or the end of the backfill window may pass the end of a job.

use super::queue::{Key, QueueChanges, QueueEntry};
use crate::Slurmctld;
use crate::preempt;
use crate::select::RequestClasses;
use base::ids::PartId;
use base::time::{SECOND, Time};
use config::Topology;

/// The version of what a pass reads: the counts of the availability and of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StateVersion(u64, u64);

impl StateVersion {
    /// The current version.
    pub(crate) fn new(ctld: &Slurmctld) -> Self {
        Self(ctld.caches.availability.count(), ctld.caches.queue.version())
    }
}

/// What the last backfill pass leaves behind if it started no job.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quiet {
    /// The forecast's count.
    count: u64,
    /// The last entry that it looked at; none: later ones are not looked at.
    last: Option<(Key, PartId)>,
    /// From then on it might decide otherwise.
    until: Time,
}

/// Whether nodes and the queue are all that decides.
pub(super) fn possible(ctld: &Slurmctld) -> bool {
    let global = &ctld.cluster.global;
    ctld.lean
        && !ctld.plain
        && !global.accounting_enforce.limits
        && global.complete_wait == 0
        && matches!(ctld.cluster.topology, Topology::Flat)
        && ctld.reservations.is_empty()
        && ctld.nodes.index().completing.is_empty()
        && !preempt::configured(ctld)
}

/// Whether a pass of the main loop would find what the last one found.
pub(crate) fn main_repeats(ctld: &Slurmctld) -> bool {
    possible(ctld) && ctld.caches.seen == Some(StateVersion::new(ctld))
}

/// Whether a backfill pass would find what the last one found, and no new entry might start.
pub(super) fn backfill_repeats(
    ctld: &Slurmctld,
    classes: &mut RequestClasses,
    quiet: Quiet,
    changes: &QueueChanges,
    now: Time,
) -> bool {
    let lasts = quiet.count == ctld.caches.availability.count() && now < quiet.until;
    let mut idle = |row: &QueueEntry| match quiet.last {
        Some(last) => (row.key, row.part) > last && !classes.may_fit(ctld, row.class),
        None => true,
    };
    lasts && !changes.more && possible(ctld) && changes.came.iter().all(&mut idle)
}

/// A backfill pass that began with such a sight started no job; its reservations begin at `due` or later. `window`: where its
/// window ended, if an entry found no slot within it, and when anything ends next after that.
pub(super) fn after_backfill(
    ctld: &Slurmctld,
    (began, rows): (StateVersion, &[QueueEntry]),
    due: Time,
    window: Option<(Time, Option<Time>)>,
    now: Time,
) -> Option<Quiet> {
    if began != StateVersion::new(ctld) || !possible(ctld) {
        return None;
    }
    let reaches = window.and_then(|(until, next)| Some(Time(now.0 + (next? - until).0)));
    // A job beyond its limit is expected to end in a second, again and again.
    let overdue = ctld.caches.ends_from(Time(i64::MIN)).next().map(|(end, _)| Time(end.0 - SECOND + 1));
    let until = [Some(due), reaches, overdue].into_iter().flatten().min().unwrap_or(due);
    let cut = rows.len() >= ctld.caches.parameters.bf_max_job_test;
    let last = rows.last().map(|row| (row.key, row.part)).filter(|_| !cut);
    Some(Quiet { count: ctld.caches.availability.count(), last, until })
}
