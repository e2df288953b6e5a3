//! What is remembered of preemptions, for those who watch. Slurm only writes it into slurmctld's log.

use super::rules;
use crate::Slurmctld;
use base::ids::JobId;
use base::time::Time;
use config::preempt::PreemptMode;
use serde::{Deserialize, Serialize};

/// Preemptions that are kept; the oldest go first.
const MAX_KEPT: usize = 200;

/// A job made way for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preemption {
    /// When it was told.
    pub at: Time,
    /// Who made way ...
    pub victim: JobId,
    /// ... for whom.
    pub by: JobId,
    /// How.
    pub mode: PreemptMode,
    /// Seconds between the first signal and the end.
    pub grace: u32,
}

impl Slurmctld {
    /// Preemptions that are remembered, the newest last.
    pub fn preemptions(&self) -> impl DoubleEndedIterator<Item = &Preemption> {
        self.preempted.iter()
    }

    /// Remembers one, unless the victim was told before and is on its way out.
    pub(super) fn note_preemption(&mut self, victim: JobId, by: JobId, mode: PreemptMode, now: Time) {
        let Some(job) = self.jobs.get(victim) else { return };
        if mode == PreemptMode::Off || job.preempt_time.is_some() {
            return;
        }
        let grace = if mode == PreemptMode::Suspend { 0 } else { rules::grace_of(self, job) };
        if self.preempted.len() >= MAX_KEPT {
            self.preempted.remove(0);
        }
        self.preempted.push(Preemption { at: now, victim, by, mode, grace });
    }
}
