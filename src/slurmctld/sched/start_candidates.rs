//! The queue entries of a backfill pass that could still start now.
//!
//! When nobody reads expected starts, only these entries and the ones before them matter. Within a pass reservations only
//! grow and free resources only shrink (unless jobs are preempted), so an entry that cannot start once cannot start later in
//! the same pass. The pass is over when no candidate is left.

use super::backfill_cache::BackfillPlan;
use super::queue::QueueEntry;
use crate::Slurmctld;
use crate::acct_policy::{self, access};
use crate::preempt;
use crate::select::{RequestClassId, RequestClasses};
use base::time::Time;

/// See the module.
#[derive(Debug)]
pub(super) struct StartCandidates {
    /// Rows from this index of the pass on can't start now; the one before it is the last candidate.
    end: usize,
    /// Whether counting lets the last candidate start.
    counted: bool,
    /// Nodes that the first so many places of the plan keep from the last candidate.
    shut: Vec<u64>,
    places: usize,
    /// Whether nothing was found to stop the last of them, and at which count of the availability.
    stands: Option<u64>,
    /// Whether no limit was found to stop it.
    unlimited: bool,
    /// Who was crowded out: rows of a shape from some length on, in microseconds, in the order of shapes.
    lost: Vec<(RequestClassId, i64)>,
}

impl StartCandidates {
    /// All rows of a pass.
    pub(super) const fn new(rows: &[QueueEntry]) -> Self {
        Self {
            end: rows.len(),
            counted: false,
            shut: Vec::new(),
            places: 0,
            stands: None,
            unlimited: false,
            lost: Vec::new(),
        }
    }

    /// Whether any row from `index` on might start now.
    pub(super) fn remain(
        &mut self,
        ctld: &Slurmctld,
        classes: &mut RequestClasses,
        (plan, rows): (&BackfillPlan, &[QueueEntry]),
        index: usize,
        now: Time,
    ) -> bool {
        while self.end > index {
            let row = rows[self.end - 1];
            self.counted = self.counted || classes.may_fit(ctld, row.class) || may_preempt(ctld, row);
            if self.counted {
                if self.stands(ctld, classes, plan, row, now) {
                    return true;
                }
                self.shut.clear();
                (self.places, self.stands, self.unlimited) = (0, None, false);
            }
            (self.end, self.counted) = (self.end - 1, false);
        }
        false
    }

    /// Whether the last row is neither crowded out nor limited.
    fn stands(
        &mut self,
        ctld: &Slurmctld,
        classes: &mut RequestClasses,
        plan: &BackfillPlan,
        row: QueueEntry,
        now: Time,
    ) -> bool {
        let Some(job) = ctld.jobs.get(row.job()) else { return false };
        if may_preempt(ctld, row) {
            return true;
        }
        let span = job.planned_span();
        let place = self.lost.binary_search_by_key(&row.class, |l| l.0);
        if place.is_ok_and(|at| self.lost[at].1 <= span.0) {
            return false;
        }
        let more = plan.shut_between((now, now + span), self.places, &mut self.shut);
        self.places = plan.count();
        let count = ctld.caches.availability.count();
        if !more && self.stands == Some(count) {
            return true;
        }
        self.stands = None;
        if classes.may_fit(ctld, row.class)
            && classes.enough(row.class, classes.profile(row.class).tasks.sums(&self.shut))
        {
            self.unlimited = self.unlimited
                || super::barred(ctld, job, row.part, now).is_none()
                    && access::admits(ctld, access::AccessIdentity::of(job), row.part).is_ok()
                    && acct_policy::needs(ctld, job, row.part, now).is_ok();
            self.stands = Some(count).filter(|_| self.unlimited);
            return self.unlimited;
        }
        match place {
            Ok(at) => self.lost[at].1 = span.0,
            Err(at) => self.lost.insert(at, (row.class, span.0)),
        }
        false
    }
}

/// Whether the row might start on what others have.
fn may_preempt(ctld: &Slurmctld, row: QueueEntry) -> bool {
    preempt::configured(ctld)
        && ctld.jobs.get(row.job()).is_some_and(|job| preempt::possible(ctld, job, row.part))
}
