//! Runs the scheduler's passes: lends them their caches, applies their decisions one by one, and takes the caches back.
//!
//! Passes themselves read `&Slurmctld`. All changes of the controller during a pass happen here and in
//! [`super::apply`].

use crate::Slurmctld;
use crate::sched::backfill::{self, BackfillPass};
use crate::sched::decision::{Pass, Step};
use crate::sched::immediate::ImmediatePass;
use crate::sched::main::{BlockingJobs, MainPass};
use crate::select::{Availability, RequestClasses};
use base::ids::JobId;
use base::time::Time;

/// Nodes that one slice of a pass visits as a rule: about a millisecond in the page's worker.
const NODES: u32 = 4096;

impl Slurmctld {
    /// Lends the request classes together with the state that they describe.
    pub(crate) fn with_classes<T>(&mut self, look: impl FnOnce(&Self, &mut RequestClasses) -> T) -> T {
        let mut classes = std::mem::take(&mut self.caches.classes);
        let found = look(self, &mut classes);
        self.caches.classes = classes;
        found
    }

    /// Begins a pass of the main loop over at most `depth` entries. None if no job may start.
    pub(crate) fn begin_main(&mut self, depth: usize, now: Time) -> Option<Box<MainPass>> {
        self.refresh_waiting(now);
        Availability::refresh(self);
        MainPass::begin(self, depth, now).map(Box::new)
    }

    /// Begins a backfill pass. None if it could start no job and only starts matter.
    pub(crate) fn begin_backfill(&mut self, now: Time) -> Option<Box<BackfillPass>> {
        self.refresh_waiting(now);
        Availability::refresh(self);
        if self.with_classes(backfill::is_futile) {
            return None;
        }
        let memo = std::mem::take(&mut self.caches.backfill);
        Some(Box::new(BackfillPass::begin(self, memo, now)))
    }

    /// Runs at most this number of steps of a pass. Returns false when the pass is complete.
    pub(crate) fn advance(&mut self, pass: &mut impl Pass, steps: u32) -> bool {
        for _ in 0..steps {
            match self.with_classes(|ctld, classes| pass.decide(ctld, classes)) {
                Step::Decided(decision) => {
                    let applied = self.apply(decision, pass.now());
                    pass.note(self, applied);
                }
                Step::Nothing => {}
                Step::Over => return false,
            }
        }
        true
    }

    /// Ends a pass of the main loop. Returns the jobs that keep nodes from lower-priority jobs.
    pub(crate) fn end_main(&mut self, pass: Box<MainPass>) -> BlockingJobs {
        let now = pass.now();
        let end = pass.end(self);
        self.stats.pass(false, end.looked, end.waiting, end.cut, now);
        for decision in end.decisions {
            self.apply(decision, now);
        }
        end.blockers
    }

    /// Ends a backfill pass and keeps its results for the next one.
    pub(crate) fn end_backfill(&mut self, pass: Box<BackfillPass>) {
        let now = pass.now();
        let end = pass.end(self);
        self.stats.pass(true, end.looked, end.waiting, end.cut, now);
        self.caches.backfill = end.memo;
        for decision in end.decisions {
            self.apply(decision, now);
        }
    }

    /// Starts one job now if it fits in one of its partitions.
    pub(crate) fn start_at_once(&mut self, id: JobId, now: Time) {
        Availability::refresh(self);
        if let Some(mut pass) = ImmediatePass::begin(self, id, now) {
            while self.advance(&mut pass, u32::MAX) {}
        }
    }

    /// The number of steps in one slice of a pass. Each step may look at all nodes.
    pub(crate) fn tries(&self) -> u32 {
        let nodes = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        (NODES / nodes.max(1)).max(1)
    }
}
