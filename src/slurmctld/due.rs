//! What the controller's clock has still to do at a moment: its passes, one after the other and each in parts.

use super::Slurmctld;
use super::sched::{backfill, main};
use crate::base::time::Time;

/// Nodes that are looked at in one part of a pass, as a rule: about a millisecond of the page's worker.
const NODES: u32 = 4096;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Due {
    /// How many of the [`STAGES`] were begun.
    begun: usize,
    pass: Option<Pass>,
}

/// A pass on its way.
#[derive(Debug)]
enum Pass {
    Main(Box<main::Pass>),
    Backfill(Box<backfill::Pass>),
}

/// In their order; each looks whether it is due, and some are long.
const STAGES: [fn(&mut Slurmctld, Time) -> Option<Pass>; 6] = [urgent, slices, wanted, full, purge, planned];

impl Due {
    /// Goes on; false when nothing is left.
    pub(super) fn go_on(&mut self, ctld: &mut Slurmctld, now: Time) -> bool {
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

impl Pass {
    /// A part of it; none when it is over.
    fn part(mut self, ctld: &mut Slurmctld) -> Option<Self> {
        let more = match &mut self {
            Self::Main(pass) => pass.part(ctld, ctld.tries(), &mut |_, _, _, _| {}),
            Self::Backfill(pass) => pass.part(ctld, ctld.tries()),
        };
        if more {
            return Some(self);
        }
        match self {
            Self::Main(pass) => drop(pass.end(ctld)),
            Self::Backfill(pass) => pass.end(ctld),
        }
        None
    }
}

impl Slurmctld {
    /// Tries in one part of a pass: one may look at all nodes.
    pub(super) fn tries(&self) -> u32 {
        let nodes = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        (NODES / nodes.max(1)).max(1)
    }
}

fn over(ctld: &mut Slurmctld, depth: usize, now: Time) -> Option<Pass> {
    main::Pass::unless_repeated(ctld, depth, now).map(|pass| Pass::Main(Box::new(pass)))
}

fn urgent(ctld: &mut Slurmctld, now: Time) -> Option<Pass> {
    let due = ctld.clock.urgent.take_if(|t| *t <= now).is_some();
    due.then(|| over(ctld, ctld.live.knobs.default_queue_depth, now)).flatten()
}

fn slices(ctld: &mut Slurmctld, now: Time) -> Option<Pass> {
    if ctld.slice_due(now).is_some_and(|t| t <= now) {
        ctld.next_slice(now);
    }
    None
}

fn wanted(ctld: &mut Slurmctld, now: Time) -> Option<Pass> {
    ctld.pass_due().filter(|t| *t <= now)?;
    ctld.clock.wanted = None;
    ctld.clock.last_sched = now;
    over(ctld, ctld.live.knobs.default_queue_depth, now)
}

fn full(ctld: &mut Slurmctld, now: Time) -> Option<Pass> {
    ctld.full_due(now).filter(|t| *t <= now)?;
    ctld.clock.last_full = now;
    while ctld.index.ripe.first().is_some_and(|t| *t <= now) {
        ctld.index.ripe.pop_first();
    }
    over(ctld, usize::MAX, now)
}

fn purge(ctld: &mut Slurmctld, now: Time) -> Option<Pass> {
    if ctld.purge_due(now).is_some_and(|t| t <= now) {
        ctld.purge(now);
    }
    None
}

fn planned(ctld: &mut Slurmctld, now: Time) -> Option<Pass> {
    ctld.backfill_due(now).filter(|t| *t <= now)?;
    ctld.clock.note_backfill(now);
    backfill::Pass::unless_repeated(ctld, now).map(|pass| Pass::Backfill(Box::new(pass)))
}
