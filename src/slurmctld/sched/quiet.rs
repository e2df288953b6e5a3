//! Passes that could only decide what the pass before them decided: a world that wants nothing but decisions (`lean`)
//! leaves them out.
//!
//! As long as nothing comes free, whoever found no room finds none, and places that are kept for later stay where they
//! are. Only the clock moves: a place may come due, or the end of backfill's window may pass something that ends.

use super::super::Slurmctld;
use super::super::preempt;
use super::queue::{Key, News, Row};
use crate::base::ids::PartId;
use crate::base::time::{SECOND, Time};
use crate::config::Topology;

/// What a pass saw: the counts of the forecast and of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Sight(u64, u64);

impl Sight {
    /// What there is to see now.
    pub(super) fn new(ctld: &Slurmctld) -> Self {
        Self(ctld.live.forecast.count(), ctld.live.queue.version())
    }
}

/// What the last backfill pass leaves behind if it started nobody.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Quiet {
    /// The forecast's count.
    count: u64,
    /// The last row that it looked at; none: whoever comes behind is not looked at.
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
        && ctld.index.completing.is_empty()
        && !preempt::configured(ctld)
}

/// Whether a pass of the main loop would find what the last one found.
pub(super) fn main_repeats(ctld: &Slurmctld) -> bool {
    possible(ctld) && ctld.live.seen == Some(Sight::new(ctld))
}

/// Whether a backfill pass would find what the last one found, and nobody came who might start.
pub(super) fn backfill_repeats(ctld: &mut Slurmctld, news: &News, now: Time) -> bool {
    let lasts = |quiet: &Quiet| quiet.count == ctld.live.forecast.count() && now < quiet.until;
    let quiet = ctld.live.quiet.take().filter(lasts).filter(|_| !news.more && possible(ctld));
    let Some(quiet) = quiet else { return false };
    let mut idle = |row: &Row| match quiet.last {
        Some(last) => (row.key, row.part) > last && !may_fit(ctld, *row),
        None => true,
    };
    let repeats = news.came.iter().all(&mut idle);
    ctld.live.quiet = Some(quiet).filter(|_| repeats);
    repeats
}

fn may_fit(ctld: &mut Slurmctld, row: Row) -> bool {
    ctld.with_shapes(|ctld, shapes| shapes.may_fit(ctld, row.shape))
}

/// A backfill pass that began with such a sight started nobody; its places begin at `due` or later. `window`: where its
/// window ended, if somebody found no place within it, and when something ends next after that.
pub(super) fn note_backfill(
    ctld: &mut Slurmctld,
    (began, rows): (Sight, &[Row]),
    due: Time,
    window: Option<(Time, Option<Time>)>,
    now: Time,
) {
    if began != Sight::new(ctld) || !possible(ctld) {
        return;
    }
    let reaches = window.and_then(|(until, next)| Some(Time(now.0 + (next? - until).0)));
    // A job that is over its limit is thought to end in a second, again and again.
    let overdue = ctld.live.ends_from(Time(i64::MIN)).next().map(|(end, _)| Time(end.0 - SECOND + 1));
    let until = [Some(due), reaches, overdue].into_iter().flatten().min().unwrap_or(due);
    let cut = rows.len() >= ctld.live.knobs.bf_max_job_test;
    let last = rows.last().map(|row| (row.key, row.part)).filter(|_| !cut);
    ctld.live.quiet = Some(Quiet { count: ctld.live.forecast.count(), last, until });
}
