//! The history of jobs, bounded: the oldest records go first.

use super::{JobRecord, ResvRecord, Slurmdbd};
use crate::base::ids::{DbIndex, JobId};

/// Most reservations that are kept.
const MAX_RESERVATIONS: usize = 10_000;
/// Most records that are kept: some 1 kB each in the page, which has 300 MB for everything.
const MAX_RECORDS: u64 = 40_000;

impl Slurmdbd {
    /// Keeps a new record under the next index.
    pub fn job_start(&mut self, mut record: JobRecord) -> DbIndex {
        let newest = self.jobs.iter().next_back().map_or(0, |(index, _)| index);
        let index = DbIndex(newest + 1);
        record.index = index;
        self.jobs.insert(index, record);
        if self.jobs.len() > MAX_RECORDS {
            let oldest = self.jobs.iter().next().map(|(index, _)| DbIndex(index));
            oldest.and_then(|index| self.jobs.remove(index));
        }
        index
    }

    /// Keeps a reservation that is over.
    pub fn note_reservation(&mut self, record: ResvRecord) {
        if self.reservations.len() >= MAX_RESERVATIONS {
            self.reservations.remove(0);
        }
        self.reservations.push(record);
    }

    /// A record, to change; none when it is too old to be kept.
    pub fn job_mut(&mut self, index: DbIndex) -> Option<&mut JobRecord> {
        self.jobs.get_mut(index)
    }

    /// The newest record of a job.
    #[must_use]
    pub fn job_latest(&self, job: JobId) -> Option<&JobRecord> {
        self.jobs.values().rev().find(|r| r.job == job)
    }
}
