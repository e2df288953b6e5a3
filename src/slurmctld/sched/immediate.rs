//! The attempt to start one job immediately, outside the regular passes: `srun` and `salloc` with no job ahead of them.

use super::decision::{Applied, Decision, Pass, RefusedStart, Start, Step};
use super::main::attempt;
use super::queue::QueueEntry;
use crate::Slurmctld;
use crate::select::RequestClasses;
use crate::state::job::Scheduler;
use base::bitset::BitSet;
use base::ids::JobId;
use base::time::Time;
use std::vec::IntoIter;

/// A pass over the entries of one job that ends with its start.
#[derive(Debug)]
pub(crate) struct ImmediatePass {
    now: Time,
    entries: IntoIter<QueueEntry>,
}

impl ImmediatePass {
    /// None while other jobs are completing (`CompleteWait`).
    pub(crate) fn begin(ctld: &Slurmctld, id: JobId, now: Time) -> Option<Self> {
        ctld.closed_partitions(now).filter(BitSet::is_empty)?;
        Some(Self { now, entries: ctld.caches.queue.entries_of(id).into_iter() })
    }
}

impl Pass for ImmediatePass {
    fn now(&self) -> Time {
        self.now
    }

    fn decide(&mut self, ctld: &Slurmctld, classes: &mut RequestClasses) -> Step {
        let Some(entry) = self.entries.next() else { return Step::Over };
        let (job, part, by) = (entry.job(), entry.part, Scheduler::Main);
        Step::Decided(match attempt(ctld, classes, entry, &BitSet::new(), self.now) {
            Ok(allocation) => Decision::Start(Start { job, part, allocation, by, limit: None }),
            Err(why) => Decision::Refuse(RefusedStart {
                job,
                why,
                said: None,
                by: None,
                single_out: false,
                hold: false,
            }),
        })
    }

    fn note(&mut self, _: &Slurmctld, applied: Applied) {
        if applied != Applied::Done {
            self.entries = Vec::new().into_iter();
        }
    }
}
