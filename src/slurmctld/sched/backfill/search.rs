//! The search for the earliest reservation of an entry. It uses the cached result where that is still valid.

use super::BackfillPass;
use crate::Slurmctld;
use crate::reservation;
use crate::sched::backfill_cache::LowerBound;
use crate::sched::backfill_cache::{FirstFit, PlannedReservation};
use crate::sched::backfill_cache::{Lookup, SlotRequest};
use crate::sched::queue::QueueEntry;
use crate::select::{RequestClasses, Shortfall};
use crate::state::job::Job;
use base::time::{Span, Time};

impl BackfillPass {
    /// With `bf_licenses`, the earliest moment at which an entry that needs licences has them and fits.
    pub(super) fn licensed(
        &mut self,
        ctld: &Slurmctld,
        classes: &mut RequestClasses,
        SlotRequest { entry, span, .. }: SlotRequest,
    ) -> Option<FirstFit> {
        let mut from = self.now;
        let found = loop {
            let (licenses, job) = (self.licenses.as_ref()?, ctld.jobs.get(entry.job())?);
            if job.needs.licenses.is_empty() {
                return None;
            }
            let Some(at) = licenses.earliest(ctld, job, (from, Span(span))) else {
                break FirstFit::default();
            };
            let found = self.search(ctld, classes, entry, (at, Time(i64::MAX)), Shortfall::ANY);
            match found.slot.as_ref().map(|slot| slot.0) {
                Some(fits) if fits > at && fits > from => from = fits,
                Some(_) | None => break found,
            }
        };
        self.note_moved(None, &found, span);
        Some(found)
    }

    /// The first fit of an entry, from the cache or from a search.
    pub(super) fn earliest(
        &mut self,
        ctld: &Slurmctld,
        classes: &mut RequestClasses,
        asked: SlotRequest,
    ) -> FirstFit {
        let SlotRequest { entry, span, .. } = asked;
        // A job with `--switches` or an advance reservation differs from others with the same request.
        let unlike = |job: &Job| job.needs.switches.is_some() || reservation::personal(ctld, job);
        if ctld.jobs.get(entry.job()).is_some_and(unlike) {
            let found = self.search(ctld, classes, entry, (self.now, Time(i64::MAX)), Shortfall::ANY);
            self.note_moved(None, &found, span);
            return found;
        }
        let lower_bound =
            if ctld.plain { LowerBound::NONE } else { self.lower_bounds.of(classes, entry.class, span) };
        // The choice prefers nodes that are in use at present, so cached results are not valid.
        let known = if ctld.caches.parameters.bf_busy_nodes {
            Lookup::Miss(LowerBound::NONE, None)
        } else {
            self.cache.find(ctld, classes, &self.plan, asked)
        };
        let found = match known {
            Lookup::Hit(found) => found,
            Lookup::HitUnlessEarlier(found) => self.unless_earlier(ctld, classes, asked, lower_bound, found),
            Lookup::Miss(later, old) => {
                let lower_bound = lower_bound.and(later);
                let found = self.search(
                    ctld,
                    classes,
                    entry,
                    (lower_bound.at, Time(i64::MAX)),
                    lower_bound.shortfall,
                );
                self.note_moved(old, &found, span);
                found
            }
        };
        self.lower_bounds.note(entry.class, span, &found);
        found
    }

    /// The cached first fit, or an earlier one.
    fn unless_earlier(
        &mut self,
        ctld: &Slurmctld,
        classes: &mut RequestClasses,
        asked: SlotRequest,
        lower_bound: LowerBound,
        old: FirstFit,
    ) -> FirstFit {
        let before = old.slot.as_ref().map_or(Time(i64::MAX), |(at, _)| Time(at.0 - 1));
        let found = self.search(ctld, classes, asked.entry, (lower_bound.at, before), lower_bound.shortfall);
        if found.slot.is_none() {
            return FirstFit { shortfall: found.shortfall, ..old };
        }
        self.note_moved(old.reservation_for(&self.plan, asked.span), &found, asked.span);
        found
    }

    /// Tells the cache about a first fit. A job that starts now has no reservation.
    fn note_moved(&mut self, old: Option<PlannedReservation>, found: &FirstFit, span: i64) {
        let new = found
            .reservation_for(&self.plan, span)
            .filter(|_| found.slot.as_ref().is_some_and(|p| p.0 > self.now));
        self.cache.note_moved(old, new);
    }

    /// Drops a first fit that gets no reservation. The last pass may have reserved it.
    pub(super) fn release(&mut self, found: &FirstFit, span: i64) {
        self.cache.note_moved(found.reservation_for(&self.plan, span), None);
    }

    fn search(
        &mut self,
        ctld: &Slurmctld,
        classes: &mut RequestClasses,
        entry: QueueEntry,
        within: (Time, Time),
        before: Shortfall,
    ) -> FirstFit {
        let found = self.plan.earliest(ctld, classes, entry, within);
        FirstFit { shortfall: found.shortfall.min(before), ..found }
    }
}
