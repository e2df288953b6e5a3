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
    /// Entries of the pass from this index on cannot start now; the one before it is the last candidate.
    end: usize,
    /// Whether counting lets the last candidate start.
    counted: bool,
    /// Nodes blocked for the last candidate by the first `reservations` reservations of the plan.
    shut: Vec<u64>,
    reservations: usize,
    /// Whether nothing was found to stop the last of them, and at which count of the availability.
    stands: Option<u64>,
    /// Whether no limit was found to stop it.
    unlimited: bool,
    /// Who was crowded out: entries of a shape from some length on, in microseconds, in the order of shapes.
    lost: Vec<(RequestClassId, i64)>,
}

impl StartCandidates {
    /// All entries of a pass.
    pub(super) const fn new(entries: &[QueueEntry]) -> Self {
        Self {
            end: entries.len(),
            counted: false,
            shut: Vec::new(),
            reservations: 0,
            stands: None,
            unlimited: false,
            lost: Vec::new(),
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
                if self.stands(ctld, classes, plan, entry, now) {
                    return true;
                }
                self.shut.clear();
                (self.reservations, self.stands, self.unlimited) = (0, None, false);
            }
            (self.end, self.counted) = (self.end - 1, false);
        }
        false
    }

    /// Whether the last entry is neither crowded out nor limited.
    fn stands(
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
        let known = self.lost.binary_search_by_key(&entry.class, |l| l.0);
        if known.is_ok_and(|at| self.lost[at].1 <= span.0) {
            return false;
        }
        let more = plan.shut_between((now, now + span), self.reservations, &mut self.shut);
        self.reservations = plan.count();
        let count = ctld.caches.availability.count();
        if !more && self.stands == Some(count) {
            return true;
        }
        self.stands = None;
        if classes.may_fit(ctld, entry.class)
            && classes.enough(entry.class, classes.profile(entry.class).tasks.sums(&self.shut))
        {
            self.unlimited = self.unlimited
                || super::barred(ctld, job, entry.part, now).is_none()
                    && access::admits(ctld, access::AccessIdentity::of(job), entry.part).is_ok()
                    && acct_policy::needs(ctld, job, entry.part, now).is_ok();
            self.stands = Some(count).filter(|_| self.unlimited);
            return self.unlimited;
        }
        match known {
            Ok(at) => self.lost[at].1 = span.0,
            Err(at) => self.lost.insert(at, (entry.class, span.0)),
        }
        false
    }
}

/// Whether the entry might start on what others have.
fn may_preempt(ctld: &Slurmctld, entry: QueueEntry) -> bool {
    preempt::configured(ctld)
        && ctld.jobs.get(entry.job()).is_some_and(|job| preempt::possible(ctld, job, entry.part))
}
