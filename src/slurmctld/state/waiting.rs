//! Indices over jobs that wait for other jobs or for a time.
//!
//! They are updated when jobs change, so a submission or a pass visits only the jobs whose dependencies or begin times
//! may have changed. They make no decisions.

use super::job::{DepKind, Dependency, Job, JobState};
use base::cow_set::CowSet;
use base::ids::{JobId, Uid};
use base::time::{Span, Time};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Pairs of jobs, sorted by the first.
type Pairs = CowSet<(JobId, JobId)>;

/// The indices; derived from the jobs, cached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WaitIndex {
    /// Arrays and their records.
    pub(super) records: Pairs,
    /// The number of records of each array that hold resources. Arrays without any are left out.
    pub(super) running: BTreeMap<JobId, u32>,
    /// Jobs (or arrays) and the jobs that depend on them.
    pub(super) dependents: Pairs,
    /// Unfinished jobs by the hash of owner and name, for `singleton`.
    pub(super) named: CowSet<(u64, JobId)>,
    /// When a begin time or an `after:...+minutes` is reached.
    pub(super) due: CowSet<(Time, JobId)>,
    /// Jobs whose dependencies or begin times the next pass reviews.
    pub(super) review: CowSet<JobId>,
}

/// A job's progress as far as dependents can wait for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JobStage {
    pub active: bool,
    pub started: bool,
    /// It has ended and left its nodes.
    pub over: bool,
}

impl JobStage {
    pub(crate) fn of(job: &Job) -> Self {
        let completing = job.flags.completing;
        Self {
            active: !completing && job.state != JobState::Pending && !job.state.ended(),
            started: job.start.is_some(),
            over: job.state.ended() && !completing,
        }
    }
}

pub(super) fn of(pairs: &Pairs, first: JobId) -> impl DoubleEndedIterator<Item = JobId> + '_ {
    pairs.range((first, JobId(0))..=(first, JobId(u32::MAX))).map(|p| p.1)
}

pub(super) fn name_key(uid: Uid, name: &str) -> u64 {
    base::hash::fnv1a(name.as_bytes()) ^ u64::from(uid.0).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl WaitIndex {
    /// Adds a new job.
    pub(super) fn enter(&mut self, job: &Job) {
        if let Some(array) = &job.array {
            self.records.insert((array.job, job.id));
        }
        self.named.insert((name_key(job.uid(), &job.name), job.id));
        self.depend(job);
    }

    /// Notes the jobs and the time that it waits for.
    pub(super) fn depend(&mut self, job: &Job) {
        if let Some(latest) = latest_start(job) {
            self.review_at(latest + Span(1), job.id);
        }
        if !job.deps.is_empty() {
            self.dependents.extend(job.deps.iter().map(|d| (d.job, job.id)));
            self.review.insert(job.id);
        } else if let Some(begin) = job.begin {
            self.review_at(begin, job.id);
        }
    }

    /// Schedules a review of the job at `at`.
    pub(super) fn review_at(&mut self, at: Time, id: JobId) {
        self.due.insert((at, id));
    }

    /// Schedules the reviews whose time has come.
    pub(super) fn review_due(&mut self, now: Time) {
        while let Some(&(at, id)) = self.due.first().filter(|d| d.0 <= now) {
            self.due.remove(&(at, id));
            self.review.insert(id);
        }
    }

    /// The next time at which a begin time or delay is reached. In the past if a review is due now.
    pub(super) fn next_due(&self) -> Option<Time> {
        if self.review.is_empty() { self.due.first().map(|d| d.0) } else { Some(Time::default()) }
    }

    /// Removes a purged job.
    pub(super) fn leave(&mut self, job: &Job) {
        self.review.remove(&job.id);
        self.named.remove(&(name_key(job.uid(), &job.name), job.id));
        for dep in &job.deps {
            self.dependents.remove(&(dep.job, job.id));
        }
        let mut gone = vec![job.id];
        if let Some(array) = &job.array {
            self.records.remove(&(array.job, job.id));
            gone.retain(|id| *id != array.job);
            if of(&self.records, array.job).next().is_none() {
                gone.push(array.job);
            }
        }
        for id in gone {
            let pairs: Vec<JobId> = of(&self.dependents, id).collect();
            for dependent in pairs {
                self.dependents.remove(&(id, dependent));
            }
        }
    }

    /// Updates the indices after a job's progress.
    pub(super) fn changed(&mut self, job: &Job, before: JobStage, after: JobStage) {
        if before.over != after.over {
            let named = (name_key(job.uid(), &job.name), job.id);
            if after.over {
                self.named.remove(&named)
            } else {
                self.named.insert(named)
            };
        }
        let Some(array) = job.array.as_ref().filter(|_| before.active != after.active) else { return };
        let running = self.running.entry(array.job).or_default();
        *running = if after.active { *running + 1 } else { running.saturating_sub(1) };
        if *running == 0 {
            self.running.remove(&array.job);
        }
    }
}

/// The latest start of a job with a deadline.
pub(crate) fn latest_start(job: &Job) -> Option<Time> {
    let need = job.desc.time_min.unwrap_or(job.time_limit).span().unwrap_or_default();
    job.desc.deadline.map(|deadline| deadline - need)
}

/// Whether a change of `job` can affect what `dependent` waits for.
pub(super) fn concerns(dependent: &Job, job: &Job) -> bool {
    let task = job.array.as_ref().and_then(|a| a.task);
    let same = |wanted: Option<u32>| wanted.is_none() || task.is_none() || wanted == task;
    dependent.deps.iter().any(|dep: &Dependency| match dep.kind {
        DepKind::Singleton | DepKind::AfterCorr => true,
        DepKind::After
        | DepKind::AfterAny
        | DepKind::AfterBurstBuffer
        | DepKind::AfterNotOk
        | DepKind::AfterOk => same(dep.task),
    })
}
