//! `CompleteWait` of slurm.conf(5): no job starts while another job has been completing for less than this time, so that jobs get
//! neighbouring nodes. With `reduce_completing_frag`, the main loop skips only the partitions that share nodes with the
//! partitions of a completing job. Backfill still waits.

use crate::Slurmctld;
use crate::state::job::Job;
use base::bitset::BitSet;
use base::time::{Span, Time};

impl Slurmctld {
    fn completing(&self) -> impl Iterator<Item = (&Job, Time)> {
        let wait = self.cluster.global.complete_wait;
        let jobs = self.jobs.index().active.iter().take(if wait > 0 { usize::MAX } else { 0 });
        let jobs = jobs.filter_map(|id| self.jobs.get(*id)).filter(|job| job.flags.completing);
        jobs.filter_map(move |job| Some((job, job.end? + Span::from_secs(wait.into()))))
    }

    /// The time until which no job starts; none: jobs may start.
    pub(crate) fn completing_until(&self) -> Option<Time> {
        self.completing().map(|c| c.1).max()
    }

    /// Partitions in which the main loop starts no job at present; none: it starts no job in any partition.
    pub(super) fn closed_partitions(&self, now: Time) -> Option<BitSet> {
        let mut closed = BitSet::new();
        for (job, _) in self.completing().filter(|c| now < c.1) {
            if !self.caches.parameters.reduce_completing_frag {
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
