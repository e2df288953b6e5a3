//! `CompleteWait` of slurm.conf(5): while jobs have been completing for less than that, nobody starts, so that jobs get
//! nodes next to each other rather than one by one. With `reduce_completing_frag` the main loop leaves only the partitions
//! alone that share nodes with that of a completing job; backfill waits all the same.

use super::super::Slurmctld;
use super::super::job::Job;
use crate::base::bitset::BitSet;
use crate::base::time::{Span, Time};

impl Slurmctld {
    fn completing(&self) -> impl Iterator<Item = (&Job, Time)> {
        let wait = self.cluster.global.complete_wait;
        let jobs = self.index.active.iter().take(if wait > 0 { usize::MAX } else { 0 });
        let jobs = jobs.filter_map(|id| self.jobs.get(*id)).filter(|job| job.flags.completing);
        jobs.filter_map(move |job| Some((job, job.end? + Span::from_secs(wait.into()))))
    }

    /// Until when nobody starts if nothing changes; none: somebody may.
    pub(in super::super) fn completing_until(&self) -> Option<Time> {
        self.completing().map(|c| c.1).max()
    }

    /// Partitions in which the main loop starts nobody at present; none: in no partition at all.
    pub(super) fn open_but_for(&self, now: Time) -> Option<BitSet> {
        let mut closed = BitSet::new();
        for (job, _) in self.completing().filter(|c| now < c.1) {
            if !self.live.knobs.reduce_completing_frag {
                return None;
            }
            let nodes = job.partitions.iter().map(|p| &self.partition(*p).nodes);
            let shares = |other: &BitSet| nodes.clone().any(|own| own.intersects(other));
            let parts = (0u32..).zip(&self.partitions).filter(|(_, part)| shares(&part.nodes));
            closed.extend(parts.map(|(id, _)| id));
        }
        Some(closed)
    }
}
