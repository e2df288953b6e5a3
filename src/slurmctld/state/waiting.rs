//! Indices over jobs that wait for other jobs or for a moment.
//!
//! They change where jobs change, so that a submission or a pass looks only at the jobs whose dependencies or begin times
//! may have changed. They decide nothing.

use super::job::{DepKind, Dependency, Job, JobState};
use base::cow_set::CowSet;
use base::ids::{JobId, Uid};
use base::time::{Span, Time};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Pairs of jobs, found by the first.
type Pairs = CowSet<(JobId, JobId)>;

/// What is known about waiting jobs; derived from the jobs, kept for speed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WaitIndex {
    /// An array and each of its records.
    pub(super) records: Pairs,
    /// Records of an array that hold resources; arrays without one are left out.
    pub(super) running: BTreeMap<JobId, u32>,
    /// A job (or an array) and each job that depends on it.
    pub(super) dependents: Pairs,
    /// Jobs that are not over by the hash of owner and name, for `singleton`.
    pub(super) named: CowSet<(u64, JobId)>,
    /// When a begin time or an `after:...+minutes` comes.
    pub(super) due: CowSet<(Time, JobId)>,
    /// Jobs whose dependencies or begin times are looked at by the next pass.
    pub(super) review: CowSet<JobId>,
}

/// How far a job has come, for those who wait for it.
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
    /// A job is new.
    pub(super) fn enter(&mut self, job: &Job) {
        if let Some(array) = &job.array {
            self.records.insert((array.job, job.id));
        }
        self.named.insert((name_key(job.uid(), &job.name), job.id));
        self.depend(job);
    }

    /// Notes which jobs and which moment it waits for.
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

    /// The job is reviewed once more when `at` has come.
    pub(super) fn review_at(&mut self, at: Time, id: JobId) {
        self.due.insert((at, id));
    }

    /// Jobs whose moment has come are reviewed by the next pass.
    pub(super) fn review_due(&mut self, now: Time) {
        while let Some(&(at, id)) = self.due.first().filter(|d| d.0 <= now) {
            self.due.remove(&(at, id));
            self.review.insert(id);
        }
    }

    /// The next moment at which some job's begin time or delay has come; the past if one is to be reviewed.
    pub(super) fn next_due(&self) -> Option<Time> {
        if self.review.is_empty() { self.due.first().map(|d| d.0) } else { Some(Time::default()) }
    }

    /// A job is forgotten.
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

    /// A job moved on.
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

/// When a job with a deadline must have begun.
pub(crate) fn latest_start(job: &Job) -> Option<Time> {
    let need = job.desc.time_min.unwrap_or(job.time_limit).span().unwrap_or_default();
    job.desc.deadline.map(|deadline| deadline - need)
}

/// Whether something about `job` can matter to what a dependent waits for.
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
