//! The lines that squeue shows: arrays folded or expanded to one line per task, filtered and sorted.

use super::filter::Filter;
use super::row::SqueueRow;
use crate::slurm::getopt::ParsedArguments;
use crate::slurm::jobtext::{self, JobSpec, JobView};
use base::bitset::BitSet;
use base::ids::JobId;
use slurmctld::job::{Array, Job, JobState};
use std::collections::BTreeMap;

/// Whether the job is in the queue; a job that is being requeued is not yet.
fn waits(job: &Job) -> bool {
    job.state == JobState::Pending && !job.flags.completing
}

/// Which records are split into several rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Each {
    /// None: an array's pending tasks share a row.
    Record,
    /// Arrays: one row per task (`-r`). `--array-unique` alone splits nothing, as recorded from 22.05.
    Task,
    /// Pending jobs: one row per partition (`-P`).
    Partition,
}

impl Each {
    /// The settings that the options specify.
    pub fn of(parsed: &ParsedArguments) -> Self {
        if parsed.has("array") {
            Self::Task
        } else if parsed.has("priority") {
            Self::Partition
        } else {
            Self::Record
        }
    }
}

/// Calls a function with each row and its record's position in slurmctld's list.
pub fn visit<'a>(view: &JobView<'a>, filter: &Filter, each: Each, mut see: impl FnMut(SqueueRow<'a>, u32)) {
    let mut walk = RecordWalk::new(filter.clone(), each);
    view.state.jobs.values().rev().for_each(|job| walk.record(view, job, &mut see));
}

/// Visits all records, the newest first, and makes rows of each. Split-off tasks of an array come before the
/// array's common record, so the tasks to fold into its row are known by then.
pub struct RecordWalk {
    filter: Filter,
    each: Each,
    /// The tasks found so far of each array, by the id of their common record.
    folds: BTreeMap<JobId, FoldedTasks>,
}

impl RecordWalk {
    /// Starts a visit.
    pub const fn new(filter: Filter, each: Each) -> Self {
        Self { filter, each, folds: BTreeMap::new() }
    }

    /// Calls a function with the rows of a record and its position in slurmctld's list.
    pub fn record<'a>(&mut self, view: &JobView<'a>, job: &'a Job, mut see: impl FnMut(SqueueRow<'a>, u32)) {
        if !self.filter.passes(view, job) {
            return;
        }
        let position = view.state.list_position(job);
        match self.common(view, job) {
            Some(common) if common == job.id => {
                let fold = self.folds.remove(&common).map(|fold| fold.text(job));
                see(SqueueRow { folded: fold, ..SqueueRow::of(job) }, position);
            }
            Some(common) => self.folds.entry(common).or_default().add(job),
            None => add(job, &self.filter, self.each, |row| see(row, position)),
        }
    }

    /// The record whose row includes a pending task: its array's common record, if that is still shown. For
    /// squeue, a renamed task is a separate job.
    fn common(&self, view: &JobView, job: &Job) -> Option<JobId> {
        let own = job.array.as_ref().filter(|_| self.each != Each::Task && waits(job))?;
        if asked_tasks(&self.filter, own.job.0).is_some() {
            return None;
        }
        if own.task.is_none() {
            return Some(job.id);
        }
        let common = view.state.job(own.job)?;
        let stands_for_it = |array: &Array| array.task.is_none() && array.job == own.job;
        let shown = common.array.as_ref().is_some_and(stands_for_it)
            && common.name == job.name
            && waits(common)
            && self.filter.passes(view, common);
        shown.then_some(common.id)
    }
}

/// The rows of a record: one, or one per requested task or partition.
fn add<'a>(job: &'a Job, filter: &Filter, each: Each, mut see: impl FnMut(SqueueRow<'a>)) {
    if each == Each::Partition && waits(job) {
        job.partitions
            .iter()
            .for_each(|part| see(SqueueRow { partition: Some(*part), ..SqueueRow::of(job) }));
        return;
    }
    let Some(array) = job.array.as_ref().filter(|a| a.task.is_none()) else { return see(SqueueRow::of(job)) };
    let asked = asked_tasks(filter, array.job.0);
    if each != Each::Task && asked.is_none() {
        return see(SqueueRow::of(job));
    }
    for task in array.pending.iter().filter(|t| asked.as_ref().is_none_or(|set| set.contains(*t))) {
        see(SqueueRow { task: Some(task), ..SqueueRow::of(job) });
    }
}

/// The tasks named by `-j 4_2`; none if the array is named as a whole or not at all.
fn asked_tasks(filter: &Filter, array: u32) -> Option<BitSet> {
    let specs: Vec<&JobSpec> = filter.jobs.iter().flatten().filter(|s| s.job == array).collect();
    if specs.is_empty() || specs.iter().any(|s| s.tasks.is_none()) {
        return None;
    }
    let mut all = BitSet::new();
    specs.iter().filter_map(|s| s.tasks.as_ref()).for_each(|t| all.union_with(t));
    Some(all)
}

/// Single pending tasks of an array, next to its common record.
#[derive(Default)]
struct FoldedTasks {
    tasks: BitSet,
    reasons: Vec<String>,
}

impl FoldedTasks {
    /// Adds an older record. Its reason comes first.
    fn add(&mut self, job: &Job) {
        let Some(array) = &job.array else { return };
        match array.task {
            Some(task) => self.tasks.insert(task),
            None => self.tasks.union_with(&array.pending),
        }
        let reason = jobtext::reason(job);
        self.reasons.retain(|known| known != reason);
        self.reasons.insert(0, reason.to_owned());
    }

    /// Task ids and reasons, including those of the common record.
    fn text(mut self, common: &Job) -> (String, String) {
        self.add(common);
        (jobtext::task_list(&self.tasks), self.reasons.join(","))
    }
}
