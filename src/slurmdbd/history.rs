//! The history of jobs. It is bounded: the oldest records are dropped first.

use super::{JobRecord, ResvRecord, Slurmdbd};
use base::cow::CowMap;
use base::ids::{DbIndex, JobId};

/// Maximum number of finished reservations.
const MAX_RESERVATIONS: usize = 10_000;
/// Maximum number of job records: about 1 kB each in the page, which has 300 MB for everything.
const MAX_RECORDS: u64 = 40_000;

impl Slurmdbd {
    /// Stores a new record under the next index.
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

    /// Stores a finished reservation.
    pub fn note_reservation(&mut self, record: ResvRecord) {
        if self.reservations.len() >= MAX_RESERVATIONS {
            self.reservations.remove(0);
        }
        self.reservations.push(record);
    }

    /// The job records that `sacct`, `sreport` and `seff` see.
    #[must_use]
    pub const fn arrived_jobs(&self) -> &CowMap<DbIndex, JobRecord> {
        match &self.arrived {
            Some(arrived) => arrived,
            None => &self.jobs,
        }
    }

    /// Mutable access to a record; none if it was dropped because of its age.
    pub fn job_mut(&mut self, index: DbIndex) -> Option<&mut JobRecord> {
        self.jobs.get_mut(index)
    }

    /// The newest record of a job.
    #[must_use]
    pub fn job_latest(&self, job: JobId) -> Option<&JobRecord> {
        self.jobs.values().rev().find(|r| r.job == job)
    }
}
