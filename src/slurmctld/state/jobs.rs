//! The job table: all jobs in memory, and the indices over them.
//!
//! Jobs can be read freely. They change only through the edits in [`super::edit`], applied by [`JobTable::apply`], and
//! by the operations of the table, which update the indices and log each change (see [`super::changes`]).

use super::changes::{JobChange, Snapshot, lists};
use super::edit::JobEdit;
use super::factors::Factors;
use super::job::{Job, JobState};
use super::reason::Reason;
use super::waiting::{JobStage, WaitIndex, concerns, name_key, of};
use base::cow::CowMap;
use base::cow_set::CowSet;
use base::ids::{JobId, PartId};
use base::time::{Span, Time};
use std::collections::BTreeMap;
use std::ops::Deref;

/// The job table. See the module.
#[derive(Clone, Debug, Default)]
pub struct JobTable {
    jobs: CowMap<JobId, Job>,
    index: JobIndex,
    /// `MinJobAge`: how long jobs are remembered after their end.
    min_age: Span,
    /// Logged changes that were not processed yet, in order.
    log: Vec<JobChange>,
}

/// Which jobs are pending, running or completing, and when finished jobs are purged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct JobIndex {
    pub pending: CowSet<JobId>,
    pub active: CowSet<JobId>,
    pub ended: CowSet<(Time, JobId)>,
    /// Running jobs by the time at which their time limit, or the warning before it, must be checked.
    pub limits: CowSet<(Time, JobId)>,
    /// Running jobs whose nodes boot.
    pub configuring: CowSet<JobId>,
    /// Pending jobs for which backfill expects a start.
    pub planned: CowSet<JobId>,
    pub waiting: WaitIndex,
}

/// Reading is unrestricted.
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

    /// Edits a job, updates the indices and logs the change. `counts`: also log how it counts towards limits.
    pub(crate) fn apply(&mut self, id: JobId, counts: bool, edit: JobEdit<impl FnOnce(&mut Job)>) {
        let Some(job) = self.jobs.get_mut(id) else { return };
        let before = Snapshot::of(job, counts);
        edit.0(job);
        let after = Snapshot::of(job, counts);
        self.log.push(JobChange { id, before: Some(before), after });
        self.settle(id);
    }

    /// Edits a job's reason. Nothing but the queue depends on it, and the queue only on whether it is provisional.
    pub(crate) fn apply_reason(
        &mut self,
        id: JobId,
        counts: bool,
        reason: Reason,
        edit: JobEdit<impl FnOnce(&mut Job)>,
    ) {
        let Some(job) = self.jobs.get_mut(id) else { return };
        if job.reason.is_provisional() != reason.is_provisional() {
            return self.apply(id, counts, edit);
        }
        let before = cfg!(debug_assertions).then(|| Snapshot::of(job, counts));
        edit.0(job);
        debug_assert_eq!(before.as_ref(), Some(&Snapshot::of(job, counts)), "only the reason has changed");
    }

    /// Updates the indices after the last logged change.
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

    /// Inserts a new job.
    pub(crate) fn insert(&mut self, job: Box<Job>, counts: bool) {
        let id = job.id;
        self.index.waiting.enter(&job);
        self.index.list(id, [false; 4], lists(&job));
        let after = Snapshot::of(&job, counts);
        self.jobs.insert_box(id, job);
        self.log.push(JobChange { id, before: None, after });
    }

    /// Takes the logged changes that were not processed yet.
    pub(crate) fn take_changes(&mut self) -> Vec<JobChange> {
        std::mem::take(&mut self.log)
    }

    /// Marks the changes as processed. The log reuses their memory.
    pub(crate) fn followed(&mut self, mut changes: Vec<JobChange>) {
        if self.log.is_empty() {
            changes.clear();
            self.log = changes;
        }
    }

    /// Whether there are unprocessed changes.
    pub(crate) const fn has_changes(&self) -> bool {
        !self.log.is_empty()
    }

    /// Purges one of the jobs whose `MinJobAge` has passed.
    pub(crate) fn forget_one(&mut self, now: Time) -> bool {
        let Some(&(_, id)) = self.index.ended.first().filter(|e| e.0 <= now) else { return false };
        self.index.ended.pop_first();
        if let Some(job) = self.jobs.get(id) {
            self.index.waiting.leave(job);
        }
        self.jobs.remove_box(id);
        true
    }

    /// Purges a job that has ended. False if there is none.
    pub(crate) fn forget(&mut self, id: JobId) -> bool {
        let Some(job) = self.jobs.get(id).filter(|job| JobStage::of(job).over) else { return false };
        self.index.ended.remove(&(job.end.unwrap_or_default() + self.min_age, id));
        self.index.waiting.leave(job);
        self.jobs.remove_box(id);
        true
    }

    /// Changes `MinJobAge`: finished jobs are purged earlier or later.
    pub(crate) fn set_min_age(&mut self, age: Span) {
        let by = Span(age.0 - self.min_age.0);
        self.min_age = age;
        let old = std::mem::take(&mut self.index.ended);
        self.index.ended = old.iter().map(|(at, id)| (*at + by, *id)).collect();
    }

    /// Sets a pending job's priority. The caller sorts the queue once all priorities are set.
    pub(crate) fn set_priority(&mut self, id: JobId, priority: u32, factors: Factors) {
        if let Some(job) = self.jobs.get_mut(id) {
            (job.priority, job.factors) = (priority, factors);
        }
    }

    /// Renumbers a job's partitions. The caller rebuilds what depends on them.
    pub(crate) fn renumber_partitions(&mut self, id: JobId, partitions: Vec<PartId>) {
        if self.jobs.get(id).is_some_and(|job| job.partitions != partitions)
            && let Some(job) = self.jobs.get_mut(id)
        {
            job.partitions = partitions;
        }
    }

    /// Renames a job.
    pub(crate) fn rename(&mut self, id: JobId, name: &str) {
        let Some(job) = self.jobs.get_mut(id) else { return };
        let old = (name_key(job.uid(), &job.name), id);
        name.clone_into(&mut job.name);
        if self.index.waiting.named.remove(&old) {
            self.index.waiting.named.insert((name_key(job.uid(), name), id));
        }
    }

    /// Schedules a review of the jobs that depend on a job or its array, in the next pass.
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

    /// Schedules a review of the job in the next pass.
    pub(crate) fn review_later(&mut self, id: JobId) {
        if let Some(job) = self.jobs.get(id) {
            self.index.waiting.depend(job);
            self.index.waiting.review.insert(id);
        }
    }

    /// Schedules a review of the job.
    pub(crate) fn review(&mut self, id: JobId) {
        self.index.waiting.review.insert(id);
    }

    /// Schedules a review of the job at `at`.
    pub(crate) fn review_at(&mut self, at: Time, id: JobId) {
        self.index.waiting.review_at(at, id);
    }

    /// Schedules the reviews whose time has come.
    pub(crate) fn review_due(&mut self, now: Time) {
        self.index.waiting.review_due(now);
    }

    /// Takes one of the jobs to be reviewed.
    pub(crate) fn take_review(&mut self) -> Option<JobId> {
        self.index.waiting.review.pop_first()
    }

    /// Replaces the set of jobs to be reviewed.
    pub(crate) fn set_review(&mut self, jobs: CowSet<JobId>) {
        self.index.waiting.review = jobs;
    }

    /// Notes that the job was reviewed.
    pub(crate) fn reviewed(&mut self, id: JobId) {
        self.index.waiting.review.remove(&id);
    }

    /// Jobs to be reviewed.
    pub(crate) fn to_review(&self) -> Vec<JobId> {
        self.index.waiting.review.iter().copied().collect()
    }

    /// Whether the next pass at this time reviews the job.
    pub(crate) fn is_reviewed(&self, id: JobId, now: Time) -> bool {
        let waiting = &self.index.waiting;
        waiting.review.contains(&id) || waiting.due.iter().any(|d| d.0 <= now && d.1 == id)
    }

    /// The next time at which a job must be reviewed. In the past if one is due now.
    pub(crate) fn next_review(&self) -> Option<Time> {
        self.index.waiting.next_due()
    }

    /// Adds a dependent to a job.
    pub(crate) fn add_dependent(&mut self, of: JobId, dependent: JobId) {
        self.index.waiting.dependents.insert((of, dependent));
    }

    /// All records of an array: its tasks with a record of their own, and the record of the other tasks.
    pub fn array_records(&self, array: JobId) -> impl DoubleEndedIterator<Item = JobId> + '_ {
        of(&self.index.waiting.records, array)
    }

    /// A job's position in slurmctld's list: its id, except for the tasks of an array. The first task keeps the array's
    /// position; later ones were added after the jobs that existed when they were split off. The record with the
    /// array's own id was split off last.
    #[must_use]
    pub fn list_position(&self, job: &Job) -> u32 {
        let Some(array) = job.array.as_ref().map(|a| a.job) else { return job.id.0 };
        if array == job.id {
            return self.array_records(array).next_back().map_or(job.id.0, |last| last.0);
        }
        // Tasks that start together are adjacent.
        let neighbour = job.id.0.checked_sub(1).and_then(|id| self.jobs.get(JobId(id)));
        if let Some(neighbour) = neighbour.filter(|j| j.array.as_ref().is_some_and(|a| a.job == array)) {
            return neighbour.id.0;
        }
        let before = self.index.waiting.records.range((array, JobId(0))..(array, job.id)).rev();
        before.map(|pair| pair.1).find(|id| *id != array).unwrap_or(array).0
    }

    /// Jobs that depend on a job or an array. May include others.
    pub fn dependents(&self, id: JobId) -> impl Iterator<Item = JobId> + '_ {
        of(&self.index.waiting.dependents, id)
    }

    /// Running tasks of an array. Completing tasks do not count towards its throttle.
    #[must_use]
    pub fn running_tasks(&self, array: JobId) -> u32 {
        self.index.waiting.running.get(&array).copied().unwrap_or(0)
    }

    /// Running tasks of all arrays.
    pub(crate) const fn all_running_tasks(&self) -> &BTreeMap<JobId, u32> {
        &self.index.waiting.running
    }

    /// Whether a record belongs to an array.
    pub(crate) fn is_record(&self, array: JobId, id: JobId) -> bool {
        self.index.waiting.records.contains(&(array, id))
    }

    /// The job that a `singleton` waits for: same owner and name, submitted earlier or running.
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

    /// Pending jobs from this id on. The common record of an array counts once.
    pub fn pending_from(&self, first: JobId) -> impl Iterator<Item = &Job> {
        self.index.pending.range(first..).filter_map(|id| self.jobs.get(*id))
    }

    /// Drops part of a table that is no longer used. Returns false when nothing is left.
    pub(crate) fn drop_some(&mut self) -> bool {
        self.jobs.drop_some()
    }
}

impl JobIndex {
    /// Moves a job between the lists.
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
