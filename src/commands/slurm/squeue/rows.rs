//! Which rows squeue shows: arrays folded or one row for each task, filtered and sorted.

use super::filter::Filter;
use super::order::Keys;
use super::row::Row;
use crate::base::bitset::BitSet;
use crate::base::ids::JobId;
use crate::commands::slurm::getopt::Parsed;
use crate::commands::slurm::jobtext::{self, JobSpec, View};
use crate::slurmctld::job::{Array, Job, JobState};
use std::collections::BTreeMap;

/// Whether it is in the queue and not only on its way back to it.
fn waits(job: &Job) -> bool {
    job.state == JobState::Pending && !job.flags.completing
}

/// Which records become several rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Each {
    /// None: an array's waiting tasks are one row.
    Record,
    /// Arrays: a row for each task (`-r`), or with their waiting tasks apart (`--array-unique`).
    Task,
    /// Waiting jobs: a row for each of their partitions (`-P`).
    Partition,
}

impl Each {
    /// What the options say.
    pub fn of(parsed: &Parsed) -> Self {
        if parsed.has("array") || parsed.has("array-unique") {
            Self::Task
        } else if parsed.has("priority") {
            Self::Partition
        } else {
            Self::Record
        }
    }
}

/// All rows, in order.
pub fn rows<'a>(view: &View<'a>, filter: &Filter, each: Each, sort: &str) -> Vec<Row<'a>> {
    let (mut rows, mut keys) = (Vec::new(), Keys::of(sort));
    visit(view, filter, each, |row, place| {
        keys.push(view, &row, place);
        rows.push(Some(row));
    });
    keys.order().into_iter().filter_map(|i| rows.get_mut(i)?.take()).collect()
}

/// Shows each row, with its record's place in slurmctld's list.
pub fn visit<'a>(view: &View<'a>, filter: &Filter, each: Each, mut see: impl FnMut(Row<'a>, u32)) {
    let mut walk = Walk::new(filter.clone(), each);
    view.state.jobs.values().rev().for_each(|job| walk.record(view, job, &mut see));
}

/// A way through all records, the newest first, that makes rows of each: of an array the tasks come before the common record
/// that they were split off from, so that it is known by then what is folded into its row.
pub struct Walk {
    filter: Filter,
    each: Each,
    /// What was seen of arrays, by their common records' ids.
    folds: BTreeMap<JobId, Fold>,
}

impl Walk {
    /// At its beginning.
    pub const fn new(filter: Filter, each: Each) -> Self {
        Self { filter, each, folds: BTreeMap::new() }
    }

    /// Shows the rows of a record, with its place in slurmctld's list.
    pub fn record<'a>(&mut self, view: &View<'a>, job: &'a Job, mut see: impl FnMut(Row<'a>, u32)) {
        if !self.filter.passes(view, job) {
            return;
        }
        let place = view.state.list_place(job);
        match self.common(view, job) {
            Some(common) if common == job.id => {
                let fold = self.folds.remove(&common).map(|fold| fold.text(job));
                see(Row { folded: fold, ..Row::of(job) }, place);
            }
            Some(common) => self.folds.entry(common).or_default().add(job),
            None => add(job, &self.filter, self.each, |row| see(row, place)),
        }
    }

    /// The record in whose row a waiting one is shown: its array's common one, if there is still one that is shown. A task
    /// that was renamed is another job to squeue.
    fn common(&self, view: &View, job: &Job) -> Option<JobId> {
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

/// Rows of one record: one, or one for each task or partition that is asked for.
fn add<'a>(job: &'a Job, filter: &Filter, each: Each, mut see: impl FnMut(Row<'a>)) {
    if each == Each::Partition && waits(job) {
        job.partitions.iter().for_each(|part| see(Row { partition: Some(*part), ..Row::of(job) }));
        return;
    }
    let Some(array) = job.array.as_ref().filter(|a| a.task.is_none()) else { return see(Row::of(job)) };
    let asked = asked_tasks(filter, array.job.0);
    if each != Each::Task && asked.is_none() {
        return see(Row::of(job));
    }
    for task in array.pending.iter().filter(|t| asked.as_ref().is_none_or(|set| set.contains(*t))) {
        see(Row { task: Some(task), ..Row::of(job) });
    }
}

/// The tasks that `-j 4_2` names; none: the array as a whole, or nothing of it is named.
fn asked_tasks(filter: &Filter, array: u32) -> Option<BitSet> {
    let specs: Vec<&JobSpec> = filter.jobs.iter().filter(|s| s.job == array).collect();
    if specs.is_empty() || specs.iter().any(|s| s.tasks.is_none()) {
        return None;
    }
    let mut all = BitSet::new();
    specs.iter().filter_map(|s| s.tasks.as_ref()).for_each(|t| all.union_with(t));
    Some(all)
}

/// Single tasks of an array that wait beside its common record.
#[derive(Default)]
struct Fold {
    tasks: BitSet,
    reasons: Vec<String>,
}

impl Fold {
    /// Adds an older record: its reason comes first.
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

    /// Tasks and reasons with those of the common record.
    fn text(mut self, common: &Job) -> (String, String) {
        self.add(common);
        (jobtext::task_list(&self.tasks), self.reasons.join(","))
    }
}
