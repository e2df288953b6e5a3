//! Which rows squeue shows: arrays folded or one row for each task, filtered and sorted.

use super::fields;
use super::filter::Filter;
use crate::base::bitset::BitSet;
use crate::base::ids::PartId;
use crate::base::order::Order as _;
use crate::base::time::Limit;
use crate::commands::slurm::getopt::Parsed;
use crate::commands::slurm::jobtext::{self, JobSpec, View};
use crate::slurmctld::job::{Job, JobState, Memory};
use std::cmp::Ordering;
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

/// One row: a job, a task of an array, or all waiting tasks of an array.
pub struct Row<'a> {
    /// The record.
    pub job: &'a Job,
    /// The task it stands for where the record stands for many.
    pub task: Option<u32>,
    /// Tasks and reasons of the records that are folded into this row.
    pub folded: Option<(String, String)>,
    /// The one partition that it stands for.
    pub partition: Option<PartId>,
    /// Whether names of files are shown with their patterns filled in.
    pub expand: bool,
}

impl<'a> Row<'a> {
    /// The row of a record as a whole.
    #[must_use]
    pub const fn of(job: &'a Job) -> Self {
        Self { job, task: None, folded: None, partition: None, expand: false }
    }
}

impl Row<'_> {
    /// The array's task, or tasks.
    pub fn tasks(&self) -> Option<String> {
        let array = self.job.array.as_ref()?;
        if let Some((tasks, _)) = &self.folded {
            return Some(tasks.clone());
        }
        match self.task.or(array.task) {
            Some(task) => Some(task.to_string()),
            None => jobtext::pending_tasks(self.job),
        }
    }

    /// `12_[3-10%2]`.
    pub fn id(&self) -> String {
        let Some(array) = &self.job.array else { return self.job.id_text() };
        match (&self.folded, self.task) {
            (Some((tasks, _)), _) => format!("{}_[{tasks}]", array.job),
            (None, Some(task)) => format!("{}_{task}", array.job),
            (None, None) => jobtext::id_text(self.job),
        }
    }

    /// The partitions it stands for.
    pub fn partitions(&self, view: &View) -> String {
        match self.partition {
            Some(part) => view.state.partition(part).name.clone(),
            None => view.partitions(self.job),
        }
    }

    /// Why it waits.
    pub fn reason(&self) -> String {
        self.folded.as_ref().map_or_else(|| jobtext::reason(self.job), |(_, reasons)| reasons.clone())
    }
}

/// All rows, in order.
pub fn rows<'a>(view: &View<'a>, filter: &Filter, each: Each, sort: &str) -> Vec<Row<'a>> {
    let places = jobtext::list_places(view.state);
    let place = |job: &Job| places.get(&job.id.0).copied().unwrap_or(job.id.0);
    let mut jobs: Vec<&Job> = view.state.jobs.values().filter(|job| filter.passes(view, job)).collect();
    jobs.order_by_key(|job| place(job));
    let folded = if each == Each::Task { BTreeMap::new() } else { fold(&jobs, filter) };
    let mut rows = Vec::with_capacity(jobs.len());
    for job in jobs {
        let of = job.array.as_ref().map(|a| a.job.0);
        let pending = waits(job);
        match of.and_then(|array| folded.get(&array)).filter(|_| pending) {
            Some(text) if job.array.as_ref().is_some_and(|a| a.task.is_none()) => {
                rows.push(Row { folded: text.clone(), ..Row::of(job) });
            }
            Some(_) => {}
            None => add(&mut rows, job, filter, each),
        }
    }
    sorted(view, rows, sort, &place)
}

/// Sorts by letters, `-` before one for descending; equal rows by start and place.
fn sorted<'a>(view: &View<'a>, rows: Vec<Row<'a>>, sort: &str, place: &dyn Fn(&Job) -> u32) -> Vec<Row<'a>> {
    let letters: Vec<(bool, char)> = sort
        .split(',')
        .filter_map(|key| {
            let down = key.starts_with('-');
            Some((down, key.trim_start_matches(['-', '+', '#']).chars().next()?))
        })
        .collect();
    let ties = letters.last().is_none_or(|(_, key)| *key != 'S');
    let mut keyed: Vec<(Vec<Key>, Row)> = rows
        .into_iter()
        .map(|row| (letters.iter().map(|(_, letter)| key(view, *letter, &row)).collect(), row))
        .collect();
    keyed.order_by(|(ka, a), (kb, b)| {
        let by_keys = letters.iter().zip(ka.iter().zip(kb)).map(|((down, _), (x, y))| {
            let order = x.cmp(y);
            if *down { order.reverse() } else { order }
        });
        by_keys
            .fold(Ordering::Equal, Ordering::then)
            .then_with(|| if ties { tie(view, a, b, place) } else { place(a.job).cmp(&place(b.job)) })
    });
    keyed.into_iter().map(|(_, row)| row).collect()
}

/// Equal keys: later starts first; without a start the newest first.
fn tie(view: &View, a: &Row, b: &Row, place: &dyn Fn(&Job) -> u32) -> Ordering {
    let (sa, sb) = (view.start(a.job), view.start(b.job));
    let places = place(a.job).cmp(&place(b.job));
    let by_task = a.task.cmp(&b.task);
    sb.cmp(&sa).then(if sa.is_none() { places.reverse() } else { places }).then(by_task)
}

/// Rows of one record: one, or one for each task or partition that is asked for.
fn add<'a>(rows: &mut Vec<Row<'a>>, job: &'a Job, filter: &Filter, each: Each) {
    if each == Each::Partition && waits(job) {
        rows.extend(job.partitions.iter().map(|part| Row { partition: Some(*part), ..Row::of(job) }));
        return;
    }
    let Some(array) = job.array.as_ref().filter(|a| a.task.is_none()) else {
        rows.push(Row::of(job));
        return;
    };
    let asked = asked_tasks(filter, array.job.0);
    if each != Each::Task && asked.is_none() {
        rows.push(Row::of(job));
        return;
    }
    for task in array.pending.iter().filter(|t| asked.as_ref().is_none_or(|set| set.contains(*t))) {
        rows.push(Row { task: Some(task), ..Row::of(job) });
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

/// Arrays whose waiting tasks are shown in one row: those that still have a common record. The value is the text
/// where single tasks have records too.
fn fold(jobs: &[&Job], filter: &Filter) -> BTreeMap<u32, Option<(String, String)>> {
    let mut arrays: BTreeMap<u32, (bool, BitSet, Vec<String>, u32)> = BTreeMap::new();
    for job in jobs.iter().filter(|j| waits(j)) {
        let Some(array) = &job.array else { continue };
        if asked_tasks(filter, array.job.0).is_some() {
            continue;
        }
        let entry = arrays.entry(array.job.0).or_default();
        match array.task {
            Some(task) => entry.1.insert(task),
            None => {
                entry.0 = true;
                entry.1.union_with(&array.pending);
            }
        }
        entry.3 += 1;
    }
    // The common record's reason comes first.
    for job in jobs.iter().filter(|j| waits(j)) {
        let Some(array) = &job.array else { continue };
        let Some(entry) = arrays.get_mut(&array.job.0) else { continue };
        let reason = jobtext::reason(job);
        if array.task.is_none() {
            entry.2.retain(|r| *r != reason);
            entry.2.insert(0, reason);
        } else if !entry.2.contains(&reason) {
            entry.2.push(reason);
        }
    }
    let text = |(_, tasks, reasons, records): (bool, BitSet, Vec<String>, u32)| {
        (records > 1).then(|| (jobtext::task_list(&tasks), reasons.join(",")))
    };
    arrays.into_iter().filter(|(_, e)| e.0).map(|(id, e)| (id, text(e))).collect()
}

/// Whether a specification names this record, or tasks of it.
pub fn names(spec: &JobSpec, job: &Job) -> bool {
    match (&job.array, &spec.tasks) {
        (None, None) => job.id.0 == spec.job || job.het.is_some_and(|h| h.leader.0 == spec.job),
        (None, Some(_)) => false,
        (Some(array), None) => array.job.0 == spec.job || job.id.0 == spec.job,
        (Some(array), Some(tasks)) => {
            array.job.0 == spec.job
                && match array.task {
                    Some(task) => tasks.contains(task),
                    None => tasks.intersects(&array.pending),
                }
        }
    }
}

/// What rows are compared by.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Number(i64),
    Pair(u32, i64),
    Text(String),
}

/// A row's key under a letter; what has no start or end comes last. Fields without an order of their own are compared
/// as they are printed.
fn key(view: &View, letter: char, row: &Row) -> Key {
    let job = row.job;
    let moment = |time: Option<crate::base::time::Time>| Key::Number(time.map_or(i64::MAX, |t| t.0));
    match letter {
        'i' | 'A' | 'F' => {
            let array = job.array.as_ref();
            let task = array.and_then(|a| row.task.or(a.task).or(a.pending.first()));
            Key::Pair(array.map_or(job.id, |a| a.job).0, task.map_or(-1, i64::from))
        }
        'U' => Key::Number(job.uid().0.into()),
        'P' => Key::Text(row.partitions(view)),
        't' | 'T' => Key::Number(rank((job.flags.completing, job.state)).into()),
        'p' | 'Q' => Key::Number(job.priority.into()),
        'M' => Key::Number(job.run_seconds(view.now)),
        'l' => Key::Number(match job.time_limit {
            Limit::Unlimited => i64::MAX,
            Limit::Minutes(m) => m.into(),
        }),
        'L' | 'e' => moment(view.end(job)),
        'D' => Key::Number(view.node_count(job).into()),
        'C' => Key::Number(view.cpus(job).into()),
        'S' => moment(view.start(job)),
        'V' => moment(Some(job.submit)),
        'r' => Key::Text(jobtext::reason(job)),
        'N' | 'R' => Key::Text(view.nodelist(job)),
        'y' => Key::Number(job.nice),
        'm' => Key::Number(match job.needs.memory {
            Memory::Unset => 0,
            Memory::PerNode(m) | Memory::PerCpu(m) | Memory::PerGpu(m) => {
                i64::try_from(m).unwrap_or(i64::MAX)
            }
        }),
        other => {
            let field =
                fields::by_letter(other.encode_utf8(&mut [0; 4])).and_then(|at| fields::FIELDS.get(at));
            field.map_or(Key::Number(0), |f| Key::Text((f.get)(view, row)))
        }
    }
}

/// Waiting jobs first, then completing ones, then running ones.
fn rank((completing, state): (bool, JobState)) -> u8 {
    match (completing, state) {
        (_, JobState::Pending) => 0,
        (true, _) => 1,
        (false, JobState::Running) => 2,
        (false, JobState::Suspended) => 3,
        (false, state) => 4 + state as u8,
    }
}
