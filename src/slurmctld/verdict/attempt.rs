//! Whether a job would start with a changed request: on a fork, with the passes in slices.

use super::ahead;
use crate::sched::backfill::BackfillPass;
use crate::sched::main::MainPass;
use crate::{Slurmctld, Teardown};
use base::ids::JobId;
use base::time::Time;
use base::verdict::RequestChange;

/// An attempt in progress. See the module.
#[derive(Debug)]
pub(super) struct Attempt {
    fork: Box<Slurmctld>,
    job: JobId,
    now: Time,
    stage: AttemptStage,
    /// Whether the request could be changed.
    changed: bool,
}

/// The next stage.
#[derive(Debug)]
enum AttemptStage {
    /// Build the caches that passes need, then change the request.
    Change(RequestChange),
    Main(Box<MainPass>),
    /// Run the backfill pass, if there is one.
    Plan,
    Backfill(Box<BackfillPass>),
    Over,
}

impl Attempt {
    pub(super) fn new(ctld: &Slurmctld, job: JobId, change: RequestChange, now: Time) -> Self {
        Self { fork: Box::new(ctld.fork()), job, now, stage: AttemptStage::Change(change), changed: false }
    }

    /// Runs a step of about a millisecond. Returns false when the result is known.
    pub(super) fn step(&mut self) -> bool {
        let (fork, now) = (&mut *self.fork, self.now);
        self.stage = match std::mem::replace(&mut self.stage, AttemptStage::Over) {
            AttemptStage::Change(change) if fork.build_some_caches() => AttemptStage::Change(change),
            AttemptStage::Change(change) => {
                fork.build_caches_at(now);
                self.changed = fork.change_request(self.job, &change, now);
                if self.changed {
                    // The job may have become eligible.
                    fork.refresh_waiting(now);
                    // Only starts matter here, not expected starts.
                    fork.lean = true;
                    let pass = fork.begin_main(usize::MAX, now);
                    pass.map_or(AttemptStage::Plan, AttemptStage::Main)
                } else {
                    AttemptStage::Over
                }
            }
            AttemptStage::Main(mut pass) => {
                if fork.advance(&mut *pass, fork.tries()) {
                    AttemptStage::Main(pass)
                } else {
                    fork.end_main(pass);
                    AttemptStage::Plan
                }
            }
            AttemptStage::Plan => {
                let backfill = fork.cluster.global.scheduler_backfill;
                let pass = backfill.then(|| fork.begin_backfill(now)).flatten();
                pass.map_or(AttemptStage::Over, AttemptStage::Backfill)
            }
            AttemptStage::Backfill(mut pass) => {
                if fork.advance(&mut *pass, fork.tries()) {
                    AttemptStage::Backfill(pass)
                } else {
                    fork.end_backfill(pass);
                    AttemptStage::Over
                }
            }
            AttemptStage::Over => AttemptStage::Over,
        };
        !matches!(self.stage, AttemptStage::Over)
    }

    /// What remains of the fork, to be dropped in steps.
    pub(super) fn leave(self) -> Teardown {
        Teardown::of(*self.fork)
    }

    /// The result: whether the job starts.
    pub(super) fn starts(&self) -> bool {
        self.changed
            && self.fork.jobs.get(self.job).is_some_and(|job| ahead::started(&self.fork, job, self.now))
    }
}
