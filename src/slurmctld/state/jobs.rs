//! The job table: all jobs in memory, and the indices over them.
//!
//! Jobs are read freely. They change only by the edits that [`super::edit`] names, through [`JobTable::apply`], and by the
//! operations of the table, which keep the indices true and log each change (see [`super::changes`]).

use super::changes::{JobChange, Snapshot, lists};
use super::edit::JobEdit;
use super::factors::Factors;
use super::job::{Job, JobState};
use super::waiting::{WaitIndex, concerns, name_key, of};
use base::cow::CowMap;
use base::cow_set::CowSet;
use base::ids::{JobId, PartId};
use base::time::{Span, Time};
use std::collections::BTreeMap;
use std::ops::Deref;

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct JobTable {
    jobs: CowMap<JobId, Job>,
    index: JobIndex,
    /// `MinJobAge`: how long jobs are remembered after their end.
    min_age: Span,
    /// Changes that were not followed yet, in their order.
    log: Vec<JobChange>,
}

/// Which jobs are pending, running or completing, and which ended ones will be forgotten when.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct JobIndex {
    pub pending: CowSet<JobId>,
    pub active: CowSet<JobId>,
    pub ended: CowSet<(Time, JobId)>,
    /// Running jobs by when their time limit, or the warning before it, must be checked.
    pub limits: CowSet<(Time, JobId)>,
    /// Running jobs whose nodes boot.
    pub configuring: CowSet<JobId>,
    /// Pending jobs for which backfill expects a start.
    pub planned: CowSet<JobId>,
    pub waiting: WaitIndex,
}

/// Reading is free.
impl Deref for JobTable {
    type Target = CowMap<JobId, Job>;

    fn deref(&self) -> &Self::Target {
        &self.jobs
    }
}

impl JobTable {
    pub(crate) fn restore(jobs: CowMap<JobId, Job>, index: JobIndex, min_age: Span) -> Self {
        Self { jobs, index, min_age, log: Vec::new() }
    }

    /// The indices.
    pub(crate) const fn index(&self) -> &JobIndex {
        &self.index
    }

    /// Edits a job, keeps the indices true and logs the change; `counts`: also how it counts for limits.
    pub(crate) fn apply(&mut self, id: JobId, counts: bool, edit: JobEdit<impl FnOnce(&mut Job)>) {
        let Some(job) = self.jobs.get_mut(id) else { return };
        let before = Snapshot::of(job, counts);
        edit.0(job);
        let after = Snapshot::of(job, counts);
        self.log.push(JobChange { id, before: Some(before), after });
        self.settle(id);
    }

    /// Brings the indices up to date with the change that was logged last.
    fn settle(&mut self, id: JobId) {
        let Some(JobChange { before: Some(before), after, .. }) = self.log.last() else { return };
        let index = &mut self.index;
        if after.limit_check != before.limit_check {
            before.limit_check.map(|at| index.limits.remove(&(at, id)));
            after.limit_check.map(|at| index.limits.insert((at, id)));
        }
        index.list(id, before.lists, after.lists);
        let age = self.min_age;
        if after.stage.over && age.0 > 0 {
            index.ended.insert((after.end.unwrap_or_default() + age, id));
        } else if before.stage.over {
            index.ended.remove(&(before.end.unwrap_or_default() + age, id));
        }
        let (before, after) = (before.stage, after.stage);
        if before != after
            && let Some(job) = self.jobs.get(id)
        {
            index.waiting.changed(job, before, after);
            if before.started != after.started || before.over != after.over {
                self.review_dependents(id);
            }
        }
    }

    /// Takes in a new job.
    pub(crate) fn insert(&mut self, job: Job, counts: bool) {
        let id = job.id;
        self.index.waiting.enter(&job);
        self.index.list(id, [false; 4], lists(&job));
        let after = Snapshot::of(&job, counts);
        self.jobs.insert(id, job);
        self.log.push(JobChange { id, before: None, after });
    }

    /// Takes the changes that were not followed yet.
    pub(crate) fn take_changes(&mut self) -> Vec<JobChange> {
        std::mem::take(&mut self.log)
    }

    /// They are followed now. The log uses their memory again.
    pub(crate) fn followed(&mut self, mut changes: Vec<JobChange>) {
        if self.log.is_empty() {
            changes.clear();
            self.log = changes;
        }
    }

    /// Whether there are changes that were not followed yet.
    pub(crate) const fn has_changes(&self) -> bool {
        !self.log.is_empty()
    }

    /// Forgets one of the jobs whose `MinJobAge` is over.
    pub(crate) fn forget_one(&mut self, now: Time) -> bool {
        let Some(&(_, id)) = self.index.ended.first().filter(|e| e.0 <= now) else { return false };
        self.index.ended.pop_first();
        if let Some(job) = self.jobs.get(id) {
            self.index.waiting.leave(job);
        }
        self.jobs.remove(id);
        true
    }

    /// `MinJobAge` changes: finished jobs are forgotten earlier or later.
    pub(crate) fn set_min_age(&mut self, age: Span) {
        let by = Span(age.0 - self.min_age.0);
        self.min_age = age;
        let old = std::mem::take(&mut self.index.ended);
        self.index.ended = old.iter().map(|(at, id)| (*at + by, *id)).collect();
    }

    /// A pending job's new priority. The caller puts the queue in order once all priorities are set.
    pub(crate) fn set_priority(&mut self, id: JobId, priority: u32, factors: Factors) {
        if let Some(job) = self.jobs.get_mut(id) {
            (job.priority, job.factors) = (priority, factors);
        }
    }

    /// Partitions have other ids. The caller rebuilds what depends on them.
    pub(crate) fn renumber_partitions(&mut self, id: JobId, partitions: Vec<PartId>) {
        if self.jobs.get(id).is_some_and(|job| job.partitions != partitions)
            && let Some(job) = self.jobs.get_mut(id)
        {
            job.partitions = partitions;
        }
    }

    /// A job has another name from now on.
    pub(crate) fn rename(&mut self, id: JobId, name: &str) {
        let Some(job) = self.jobs.get_mut(id) else { return };
        let old = (name_key(job.uid(), &job.name), id);
        name.clone_into(&mut job.name);
        if self.index.waiting.named.remove(&old) {
            self.index.waiting.named.insert((name_key(job.uid(), name), id));
        }
    }

    /// Jobs that depend on a job, or on its array, are reviewed by the next pass.
    pub(crate) fn review_dependents(&mut self, id: JobId) {
        let Some(job) = self.jobs.get(id) else { return };
        let array = job.array.as_ref().map(|a| a.job).filter(|a| *a != id);
        let dependents = &self.index.waiting.dependents;
        let reviewed: Vec<JobId> = of(dependents, id)
            .chain(array.into_iter().flat_map(|a| of(dependents, a)))
            .filter(|d| self.jobs.get(*d).is_some_and(|d| concerns(d, job)))
            .collect();
        self.index.waiting.review.extend(reviewed);
    }

    /// The next pass reviews what the job waits for.
    pub(crate) fn review_later(&mut self, id: JobId) {
        if let Some(job) = self.jobs.get(id) {
            self.index.waiting.depend(job);
            self.index.waiting.review.insert(id);
        }
    }

    /// A pass reviews it, whatever else it waits for.
    pub(crate) fn review(&mut self, id: JobId) {
        self.index.waiting.review.insert(id);
    }

    /// It is reviewed once more when `at` has come.
    pub(crate) fn review_at(&mut self, at: Time, id: JobId) {
        self.index.waiting.review_at(at, id);
    }

    /// Jobs whose moment has come are to be reviewed.
    pub(crate) fn review_due(&mut self, now: Time) {
        self.index.waiting.review_due(now);
    }

    /// Takes one of the jobs that are to be reviewed.
    pub(crate) fn take_review(&mut self) -> Option<JobId> {
        self.index.waiting.review.pop_first()
    }

    /// These are reviewed by the next pass, and no others.
    pub(crate) fn set_review(&mut self, jobs: CowSet<JobId>) {
        self.index.waiting.review = jobs;
    }

    /// It was reviewed.
    pub(crate) fn reviewed(&mut self, id: JobId) {
        self.index.waiting.review.remove(&id);
    }

    /// Jobs that are to be reviewed.
    pub(crate) fn to_review(&self) -> Vec<JobId> {
        self.index.waiting.review.iter().copied().collect()
    }

    /// Whether it is reviewed by the next pass at this moment.
    pub(crate) fn is_reviewed(&self, id: JobId, now: Time) -> bool {
        let waiting = &self.index.waiting;
        waiting.review.contains(&id) || waiting.due.iter().any(|d| d.0 <= now && d.1 == id)
    }

    /// The next moment at which a job must be reviewed; the past if one must be now.
    pub(crate) fn next_review(&self) -> Option<Time> {
        self.index.waiting.next_due()
    }

    /// The job depends on one more.
    pub(crate) fn add_dependent(&mut self, of: JobId, dependent: JobId) {
        self.index.waiting.dependents.insert((of, dependent));
    }

    /// Records of an array by their own ids: the tasks that have one, and the one that stands for the rest.
    pub fn array_records(&self, array: JobId) -> impl DoubleEndedIterator<Item = JobId> + '_ {
        of(&self.index.waiting.records, array)
    }

    /// A job's place in slurmctld's list: its id, but of an array's tasks. The first one keeps the array's place, later ones
    /// were added behind the jobs that existed when they were split off; the record with the array's own id was split off
    /// last.
    #[must_use]
    pub fn list_place(&self, job: &Job) -> u32 {
        let Some(array) = job.array.as_ref().map(|a| a.job) else { return job.id.0 };
        if array == job.id {
            return self.array_records(array).next_back().map_or(job.id.0, |last| last.0);
        }
        // Tasks that start together are neighbours.
        let neighbour = job.id.0.checked_sub(1).and_then(|id| self.jobs.get(JobId(id)));
        if let Some(neighbour) = neighbour.filter(|j| j.array.as_ref().is_some_and(|a| a.job == array)) {
            return neighbour.id.0;
        }
        let before = self.index.waiting.records.range((array, JobId(0))..(array, job.id)).rev();
        before.map(|pair| pair.1).find(|id| *id != array).unwrap_or(array).0
    }

    /// Jobs that name a job, or an array, among those that they wait for; others, too.
    pub fn dependents(&self, id: JobId) -> impl Iterator<Item = JobId> + '_ {
        of(&self.index.waiting.dependents, id)
    }

    /// Tasks of an array that run; those that are completing do not count for its throttle.
    #[must_use]
    pub fn running_tasks(&self, array: JobId) -> u32 {
        self.index.waiting.running.get(&array).copied().unwrap_or(0)
    }

    /// The same of all arrays.
    pub(crate) const fn all_running_tasks(&self) -> &BTreeMap<JobId, u32> {
        &self.index.waiting.running
    }

    /// Whether an array knows a record as its own.
    pub(crate) fn is_record(&self, array: JobId, id: JobId) -> bool {
        self.index.waiting.records.contains(&(array, id))
    }

    /// The job that a `singleton` waits for: of the same owner and name, submitted before it or running.
    #[must_use]
    pub fn singleton_blocker(&self, job: &Job) -> Option<JobId> {
        let key = name_key(job.uid(), &job.name);
        let same = |id: &JobId| {
            let other = self.jobs.get(*id)?;
            (other.name == job.name && other.uid() == job.uid()).then_some(other)
        };
        let named = &self.index.waiting.named;
        let before = named.range((key, JobId(0))..(key, job.id)).rev().map(|n| n.1);
        let after = named.range((key, JobId(job.id.0.saturating_add(1)))..=(key, JobId(u32::MAX)));
        let running = after.map(|n| n.1).find(|id| same(id).is_some_and(|o| o.state != JobState::Pending));
        before.into_iter().find(|id| same(id).is_some()).or(running)
    }

    /// Jobs that hold resources: running, suspended, completing.
    pub fn active(&self) -> impl Iterator<Item = &Job> {
        self.index.active.iter().filter_map(|id| self.jobs.get(*id))
    }

    /// Jobs from an id on that wait, arrays' common records once.
    pub fn pending_from(&self, first: JobId) -> impl Iterator<Item = &Job> {
        self.index.pending.range(first..).filter_map(|id| self.jobs.get(*id))
    }

    /// Drops some of a table that nobody needs any more; false when nothing is left.
    pub(crate) fn shed(&mut self) -> bool {
        self.jobs.shed()
    }
}

impl JobIndex {
    /// A job is in other lists than it was.
    fn list(&mut self, id: JobId, before: [bool; 4], after: [bool; 4]) {
        if before == after {
            return;
        }
        let all = [&mut self.configuring, &mut self.planned, &mut self.pending, &mut self.active];
        for ((ids, was), is) in all.into_iter().zip(before).zip(after) {
            if was != is && is {
                ids.insert(id);
            } else if was != is {
                ids.remove(&id);
            }
        }
    }
}
