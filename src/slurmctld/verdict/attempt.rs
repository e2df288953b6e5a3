//! Whether a job would start if its request were changed: on a fork, the passes in parts.

use super::ahead;
use super::remedy::Change;
use crate::base::ids::JobId;
use crate::base::time::Time;
use crate::slurmctld::sched::{self, backfill, main};
use crate::slurmctld::{Remains, Slurmctld};

/// See the module.
#[derive(Debug)]
pub(super) struct Attempt {
    fork: Box<Slurmctld>,
    job: JobId,
    now: Time,
    stage: Stage,
    /// The request could be changed so.
    changed: bool,
}

/// What comes next.
#[derive(Debug)]
enum Stage {
    /// What passes need is made, then the request is changed.
    Change(Change),
    Main(Box<main::Pass>),
    /// The backfill pass, if there is one.
    Plan,
    Backfill(Box<backfill::Pass>),
    Over,
}

impl Attempt {
    pub(super) fn new(ctld: &Slurmctld, job: JobId, change: Change, now: Time) -> Self {
        Self { fork: Box::new(ctld.fork()), job, now, stage: Stage::Change(change), changed: false }
    }

    /// A bit of it, about a millisecond's; false when it is known.
    pub(super) fn step(&mut self) -> bool {
        let (fork, now) = (&mut *self.fork, self.now);
        self.stage = match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Change(change) if fork.wake_some() => Stage::Change(change),
            Stage::Change(change) => {
                fork.wake_at(now);
                self.changed = fork.change_request(self.job, &change, now);
                if self.changed {
                    // Who was not in the queue joins it.
                    sched::refresh(fork, now);
                    // Who only wants to know who starts need not know who is expected when.
                    fork.lean = true;
                    let pass = main::Pass::unless_repeated(fork, usize::MAX, now);
                    pass.map_or(Stage::Plan, |pass| Stage::Main(Box::new(pass)))
                } else {
                    Stage::Over
                }
            }
            Stage::Main(mut pass) => {
                if pass.part(fork, fork.tries(), &mut |_, _, _, _| {}) {
                    Stage::Main(pass)
                } else {
                    pass.end(fork);
                    Stage::Plan
                }
            }
            Stage::Plan => {
                let backfill = fork.cluster.global.scheduler_backfill;
                let pass = backfill.then(|| backfill::Pass::unless_repeated(fork, now)).flatten();
                pass.map_or(Stage::Over, |pass| Stage::Backfill(Box::new(pass)))
            }
            Stage::Backfill(mut pass) => {
                if pass.part(fork, fork.tries()) {
                    Stage::Backfill(pass)
                } else {
                    pass.end(fork);
                    Stage::Over
                }
            }
            Stage::Over => Stage::Over,
        };
        !matches!(self.stage, Stage::Over)
    }

    /// What is left of the fork, to be dropped little by little.
    pub(super) fn leave(self) -> Remains {
        Remains::of(*self.fork)
    }

    /// Once it is known: whether the job starts.
    pub(super) fn starts(&self) -> bool {
        self.changed
            && self.fork.jobs.get(self.job).is_some_and(|job| ahead::started(&self.fork, job, self.now))
    }
}
