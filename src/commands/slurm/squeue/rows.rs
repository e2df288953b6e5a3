//! Which rows squeue shows: arrays folded or one row for each task, filtered and sorted.

use super::filter::Filter;
use super::order::Keys;
use super::row::Row;
use crate::base::bitset::BitSet;
use crate::base::order::Order as _;
use crate::commands::slurm::getopt::Parsed;
use crate::commands::slurm::jobtext::{self, JobSpec, View};
use crate::slurmctld::job::{Job, JobState};
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

/// Shows each row, with its record's place in slurmctld's list. A queue is long: every record is looked at once, and those
/// of arrays, whose rows depend on each other, once more in the end.
pub fn visit<'a>(view: &View<'a>, filter: &Filter, each: Each, mut see: impl FnMut(Row<'a>, u32)) {
    let mut of_arrays: Vec<&Job> = Vec::new();
    for job in view.state.jobs.values() {
        if job.array.is_some() {
            of_arrays.push(job);
        } else if filter.passes(view, job) {
            add(job, filter, each, |row| see(row, job.id.0));
        }
    }
    let places = jobtext::list_places(&of_arrays);
    let place = |job: &Job| places.get(&job.id.0).copied().unwrap_or(job.id.0);
    of_arrays.retain(|job| filter.passes(view, job));
    of_arrays.order_by_key(|job| place(job));
    let folded = if each == Each::Task { BTreeMap::new() } else { fold(&of_arrays, filter) };
    for job in of_arrays {
        let Some(array) = &job.array else { continue };
        match folded.get(&(array.job.0, job.name.as_str())).filter(|_| waits(job)) {
            Some(text) if array.task.is_none() => {
                see(Row { folded: text.clone(), ..Row::of(job) }, place(job));
            }
            Some(_) => {}
            None => add(job, filter, each, |row| see(row, place(job))),
        }
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

/// What waits of an array under one name.
#[derive(Default)]
struct Fold {
    /// Whether there is still a common record.
    common: bool,
    tasks: BitSet,
    reasons: Vec<String>,
    records: u32,
}

/// Arrays (and their names) whose waiting tasks are shown in one row: those that still have a common record. The value is
/// the text where single tasks have records too. A task that was renamed is another job to squeue.
fn fold<'a>(jobs: &[&'a Job], filter: &Filter) -> BTreeMap<(u32, &'a str), Option<(String, String)>> {
    let mut arrays: BTreeMap<(u32, &str), Fold> = BTreeMap::new();
    for job in jobs.iter().filter(|j| waits(j)) {
        let Some(array) = &job.array else { continue };
        if asked_tasks(filter, array.job.0).is_some() {
            continue;
        }
        let fold = arrays.entry((array.job.0, job.name.as_str())).or_default();
        match array.task {
            Some(task) => fold.tasks.insert(task),
            None => {
                fold.common = true;
                fold.tasks.union_with(&array.pending);
            }
        }
        fold.records += 1;
    }
    // The common record's reason comes first.
    for job in jobs.iter().filter(|j| waits(j)) {
        let Some(array) = &job.array else { continue };
        let Some(fold) = arrays.get_mut(&(array.job.0, job.name.as_str())) else { continue };
        let reason = jobtext::reason(job);
        if array.task.is_none() {
            fold.reasons.retain(|r| r != reason);
            fold.reasons.insert(0, reason.to_owned());
        } else if !fold.reasons.iter().any(|r| r == reason) {
            fold.reasons.push(reason.to_owned());
        }
    }
    let text =
        |fold: Fold| (fold.records > 1).then(|| (jobtext::task_list(&fold.tasks), fold.reasons.join(",")));
    arrays.into_iter().filter(|(_, fold)| fold.common).map(|(id, fold)| (id, text(fold))).collect()
}
