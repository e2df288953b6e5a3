//! The queue entries of a backfill pass that could still start now.
//!
//! When expected starts are not read, only these entries and the ones before them matter. Within a pass, reservations only
//! grow and free resources only shrink (unless jobs are preempted), so an entry that cannot start once cannot start later in
//! the same pass. The pass ends when no candidate is left.

use super::backfill_cache::BackfillPlan;
use super::queue::QueueEntry;
use crate::Slurmctld;
use crate::acct_policy::{self, access};
use crate::preempt;
use crate::select::{RequestClassId, RequestClasses};
use base::time::Time;
use smallvec::SmallVec;

/// See the module.
#[derive(Debug)]
pub(super) struct StartCandidates {
    /// Entries from this index on cannot start now; the entry before it is the last candidate.
    end: usize,
    /// Whether counted resources are enough for the last candidate.
    counted: bool,
    /// Nodes that the first `reservations` reservations of the plan take from the last candidate.
    reserved: Vec<u64>,
    reservations: usize,
    /// The count of the availability at which the last candidate was found to fit; none: not checked.
    fits_at: Option<u64>,
    /// Whether the limits were found to let it start.
    unlimited: bool,
    /// Entries that do not fit: the request class, and from which length on in microseconds, in the order of classes.
    too_long: SmallVec<[(RequestClassId, i64); 4]>,
}

impl StartCandidates {
    /// All entries of a pass.
    pub(super) const fn new(entries: &[QueueEntry]) -> Self {
        Self {
            end: entries.len(),
            counted: false,
            reserved: Vec::new(),
            reservations: 0,
            fits_at: None,
            unlimited: false,
            too_long: SmallVec::new_const(),
        }
    }

    /// Whether any entry from `index` on might start now.
    pub(super) fn remain(
        &mut self,
        ctld: &Slurmctld,
        classes: &mut RequestClasses,
        (plan, entries): (&BackfillPlan, &[QueueEntry]),
        index: usize,
        now: Time,
    ) -> bool {
        while self.end > index {
            let entry = entries[self.end - 1];
            self.counted = self.counted || classes.may_fit(ctld, entry.class) || may_preempt(ctld, entry);
            if self.counted {
                if self.may_start(ctld, classes, plan, entry, now) {
                    return true;
                }
                self.reserved.clear();
                (self.reservations, self.fits_at, self.unlimited) = (0, None, false);
            }
            (self.end, self.counted) = (self.end - 1, false);
        }
        false
    }

    /// Whether the last candidate fits beside the reservations, and the limits allow its start.
    fn may_start(
        &mut self,
        ctld: &Slurmctld,
        classes: &mut RequestClasses,
        plan: &BackfillPlan,
        entry: QueueEntry,
        now: Time,
    ) -> bool {
        let Some(job) = ctld.jobs.get(entry.job()) else { return false };
        if may_preempt(ctld, entry) {
            return true;
        }
        let span = job.planned_span();
        let known = self.too_long.binary_search_by_key(&entry.class, |l| l.0);
        if known.is_ok_and(|at| self.too_long[at].1 <= span.0) {
            return false;
        }
        let more = plan.reserved_between((now, now + span), self.reservations, &mut self.reserved);
        self.reservations = plan.count();
        let count = ctld.caches.availability.count();
        if !more && self.fits_at == Some(count) {
            return true;
        }
        self.fits_at = None;
        if classes.may_fit(ctld, entry.class)
            && classes.enough(entry.class, classes.profile(entry.class).tasks.sums(&self.reserved))
        {
            self.unlimited = self.unlimited
                || super::barred(ctld, job, entry.part, now).is_none()
                    && access::admits(ctld, access::AccessIdentity::of(job), entry.part).is_ok()
                    && acct_policy::needs(ctld, job, entry.part, now).is_ok();
            self.fits_at = Some(count).filter(|_| self.unlimited);
            return self.unlimited;
        }
        match known {
            Ok(at) => self.too_long[at].1 = span.0,
            Err(at) => self.too_long.insert(at, (entry.class, span.0)),
        }
        false
    }
}

/// Whether the entry might start by preempting other jobs.
fn may_preempt(ctld: &Slurmctld, entry: QueueEntry) -> bool {
    preempt::configured(ctld)
        && ctld.jobs.get(entry.job()).is_some_and(|job| preempt::possible(ctld, job, entry.part))
}
