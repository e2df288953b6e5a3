//! The summands of a priority.

use super::job::Job;
use serde::{Deserialize, Serialize};

/// The weighted factors of a priority that are the same in all of a job's partitions, as last computed. sprio shows
/// them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Factors {
    pub age: f64,
    pub assoc: f64,
    pub fairshare: f64,
    pub job_size: f64,
    pub qos: f64,
    pub site: i64,
    /// Subtracted.
    pub nice: i64,
}

/// A priority and its factors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Assessment {
    pub value: u32,
    pub factors: Factors,
}

impl Assessment {
    /// Writes it to a draft of a job.
    pub(crate) fn give(self, job: &mut Job) {
        job.priority = self.value;
        job.factors = self.factors;
    }
}

impl Factors {
    pub(crate) fn sum(&self) -> f64 {
        self.age + self.assoc + self.fairshare + self.job_size + self.qos + self.site as f64
            - self.nice as f64
    }
}
