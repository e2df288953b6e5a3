//! A log of preemptions for the page. Slurm only writes them to slurmctld's log.

use super::rules;
use crate::Slurmctld;
use base::ids::JobId;
use base::time::Time;
use config::preempt::PreemptMode;
use serde::{Deserialize, Serialize};

/// Maximum number of entries; the oldest are dropped.
const MAX_KEPT: usize = 200;

/// A preemption: one job loses its resources to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preemption {
    /// When the victim was signalled.
    pub at: Time,
    /// The preempted job.
    pub victim: JobId,
    /// The preemptor.
    pub by: JobId,
    /// What happens to the victim.
    pub mode: PreemptMode,
    /// Grace time: seconds between the first signal and the end.
    pub grace: u32,
}

impl Slurmctld {
    /// Logged preemptions, the newest last.
    pub fn preemptions(&self) -> impl DoubleEndedIterator<Item = &Preemption> {
        self.preempted.iter()
    }

    /// Logs a preemption, unless the victim was already being preempted.
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
