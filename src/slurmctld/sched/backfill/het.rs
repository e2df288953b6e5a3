//! Heterogeneous jobs in a backfill pass: components that could start wait until all components of the job can.

use super::BackfillPass;
use crate::Slurmctld;
use crate::acct_policy;
use crate::sched::backfill_cache::FirstFit;
use crate::sched::backfill_cache::SlotRequest;
use crate::sched::decision::{Decision, Start};
use crate::select::RequestClasses;
use crate::state::job::Scheduler;
use base::ids::JobId;

impl BackfillPass {
    /// Reserves the nodes of a component that could start, until the pass knows whether the others can start, too. The
    /// reservation is cached like any other, because the entries behind it were planned around it.
    pub(super) fn reserve_component(
        &mut self,
        ctld: &Slurmctld,
        classes: &mut RequestClasses,
        asked: SlotRequest,
        found: &FirstFit,
    ) -> Option<Decision> {
        let entry = asked.entry;
        let (_, nodes) = found.slot.as_ref()?;
        let choice = Self::choose(ctld, classes, entry, nodes)?;
        let job = ctld.jobs.get(entry.job())?;
        let taken = choice.nodes();
        let allocation = choice.allocation(ctld, job, entry.part);
        if acct_policy::after_selection(ctld, job, entry.part, &allocation, self.now).is_err() {
            return None;
        }
        let reservation = self.plan.reservation(self.now, asked.span, taken.clone());
        self.cache.note_reserved(&reservation);
        self.plan.add(reservation);
        let found = FirstFit { slot: Some((self.now, taken)), ..found.clone() };
        self.cache.insert(ctld, &self.plan, asked, found);
        let by = Scheduler::Backfill;
        self.ready.push(Start { job: job.id, part: entry.part, allocation, by, limit: None });
        let starts = ctld
            .caches
            .parameters
            .bf_hetjob_immediate
            .then(|| self.take_complete(ctld, entry.job()))
            .flatten();
        starts.map(|starts| Decision::StartHet { starts, last: false })
    }

    /// All components of a heterogeneous job, if all of them could start.
    fn take_complete(&mut self, ctld: &Slurmctld, id: JobId) -> Option<Vec<Start>> {
        let het = ctld.jobs.get(id).and_then(|job| job.het)?;
        let ready = std::mem::take(&mut self.ready);
        let (mine, others): (Vec<Start>, Vec<Start>) = ready.into_iter().partition(|r| {
            ctld.jobs.get(r.job).and_then(|job| job.het).is_some_and(|h| h.leader == het.leader)
        });
        self.ready = others;
        if u32::try_from(mine.len()).is_ok_and(|n| n == het.size) {
            return Some(mine);
        }
        self.ready.extend(mine);
        None
    }
}
