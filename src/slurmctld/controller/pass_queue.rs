//! The passes that are due at a moment. They run one after the other, each in slices.

use crate::Slurmctld;
use crate::sched::backfill::BackfillPass;
use crate::sched::main::MainPass;
use base::time::Time;

/// The passes that are due. See the module.
#[derive(Debug, Default)]
pub(crate) struct PassQueue {
    active: bool,
    /// How many of the [`STAGES`] have begun.
    begun: usize,
    pass: Option<PendingPass>,
}

/// Forks are made only between events, when nothing is pending.
impl Clone for PassQueue {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// A pass in progress.
#[derive(Debug)]
enum PendingPass {
    Main(Box<MainPass>),
    Backfill(Box<BackfillPass>),
}

/// The stages in order. Each checks whether it is due, and some run in slices.
const STAGES: [fn(&mut Slurmctld, Time) -> Option<PendingPass>; 6] =
    [urgent, slices, wanted, full, purge, planned];

impl PassQueue {
    /// The queue at the beginning of a moment.
    pub(crate) fn begin() -> Self {
        Self { active: true, ..Self::default() }
    }

    /// Whether the moment has begun and not ended.
    pub(crate) const fn is_active(&self) -> bool {
        self.active
    }

    /// Runs a slice. Returns false when nothing is left.
    pub(crate) fn go_on(&mut self, ctld: &mut Slurmctld, now: Time) -> bool {
        loop {
            match self.pass.take() {
                Some(pass) => {
                    self.pass = pass.part(ctld);
                    if self.pass.is_some() {
                        return true;
                    }
                }
                None => {
                    let Some(stage) = STAGES.get(self.begun) else { return false };
                    self.begun += 1;
                    self.pass = stage(ctld, now);
                }
            }
        }
    }
}

impl PendingPass {
    /// Runs a slice of this pass. Returns none when the pass is complete.
    fn part(mut self, ctld: &mut Slurmctld) -> Option<Self> {
        let more = match &mut self {
            Self::Main(pass) => ctld.advance(&mut **pass, ctld.tries()),
            Self::Backfill(pass) => ctld.advance(&mut **pass, ctld.tries()),
        };
        if more {
            return Some(self);
        }
        match self {
            Self::Main(pass) => drop(ctld.end_main(pass)),
            Self::Backfill(pass) => ctld.end_backfill(pass),
        }
        None
    }
}

fn over(ctld: &mut Slurmctld, depth: usize, now: Time) -> Option<PendingPass> {
    ctld.begin_main(depth, now).map(PendingPass::Main)
}

fn urgent(ctld: &mut Slurmctld, now: Time) -> Option<PendingPass> {
    let due = ctld.clock.urgent.take_if(|t| *t <= now).is_some();
    due.then(|| over(ctld, ctld.caches.parameters.default_queue_depth, now)).flatten()
}

fn slices(ctld: &mut Slurmctld, now: Time) -> Option<PendingPass> {
    if ctld.slice_due(now).is_some_and(|t| t <= now) {
        ctld.next_slice(now);
    }
    None
}

fn wanted(ctld: &mut Slurmctld, now: Time) -> Option<PendingPass> {
    ctld.pass_due().filter(|t| *t <= now)?;
    ctld.clock.wanted = None;
    ctld.clock.last_sched = now;
    over(ctld, ctld.caches.parameters.default_queue_depth, now)
}

fn full(ctld: &mut Slurmctld, now: Time) -> Option<PendingPass> {
    ctld.full_due(now).filter(|t| *t <= now)?;
    ctld.clock.last_full = now;
    while ctld.recheck_at.first().is_some_and(|t| *t <= now) {
        ctld.recheck_at.pop_first();
    }
    over(ctld, usize::MAX, now)
}

fn purge(ctld: &mut Slurmctld, now: Time) -> Option<PendingPass> {
    if ctld.purge_due(now).is_some_and(|t| t <= now) {
        ctld.purge(now);
    }
    None
}

fn planned(ctld: &mut Slurmctld, now: Time) -> Option<PendingPass> {
    ctld.backfill_due(now).filter(|t| *t <= now)?;
    ctld.clock.note_backfill(now);
    ctld.begin_backfill(now).map(PendingPass::Backfill)
}
