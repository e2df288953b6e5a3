//! A scan of all records in small steps: counts pending and running jobs, and sorts the matching entries. The
//! world runs in the meantime: a record counts as it was when the scan reached it.

use super::{filter, tasks, view};
use crate::world::World;
use base::ids::JobId;
use base::state::JobState;
use commands::slurm::jobtext::JobView;
use commands::slurm::squeue::{Keys, RecordWalk};
use protocol::QueueList;
use slurmctld::job::Job;
use std::collections::BTreeMap;
use std::vec::IntoIter;

/// Numbers of pending and running jobs.
pub type QueueCounts = (u32, u32);

/// The record of a queue entry, and the tasks of an array that share the entry.
#[derive(Default)]
pub struct QueueListEntry {
    pub job: JobId,
    /// Task ids and reasons of the pending single tasks in the entry.
    pub folded: Option<Box<(String, String)>>,
    /// The array, if one entry shows a whole array.
    pub array: Option<JobId>,
    /// Its numbers of pending and running tasks.
    pub tasks: Option<QueueCounts>,
}

/// A scan (see the module).
pub struct Round {
    /// Records from this one on were scanned.
    from: JobId,
    counts: QueueCounts,
    rows: Option<Rows>,
}

impl Round {
    /// Starts a scan. It collects entries if the page shows the queue.
    #[inline(never)]
    pub fn new(world: &World, list: Option<&QueueList>) -> Self {
        let rows = list.map(|list| Rows::new(world, list));
        Self { from: JobId(u32::MAX), counts: (0, 0), rows }
    }

    /// The list that it sorts.
    pub fn list(&self) -> Option<&QueueList> {
        self.rows.as_ref().map(|rows| &rows.list)
    }

    /// Processes this many records, or sorts for as long. True when complete.
    #[inline(never)]
    pub fn go_on(&mut self, world: &World, records: usize) -> bool {
        if self.from > JobId(0) {
            self.look(world, records);
            return self.from == JobId(0) && self.rows.is_none();
        }
        self.rows.as_mut().is_none_or(|rows| rows.go_on(world, records))
    }

    /// Scans the next records.
    fn look(&mut self, world: &World, records: usize) {
        let view = view(world);
        let mut left = records;
        for job in world.ctld.jobs.values_below(self.from).take(records) {
            left -= 1;
            self.from = job.id;
            if job.state == JobState::Running {
                self.counts.1 += 1;
            } else if job.state == JobState::Pending && !job.flags.completing {
                self.counts.0 = self.counts.0.saturating_add(tasks(job));
            }
            if let Some(rows) = &mut self.rows {
                rows.add(&view, job);
            }
        }
        if left > 0 {
            self.from = JobId(0);
        }
    }

    /// The record from which on all were scanned, and the number of entries sorted.
    #[cfg(test)]
    pub fn progress(&self) -> (JobId, usize) {
        (self.from, self.rows.as_ref().map_or(0, |rows| rows.ordered.len()))
    }

    /// The result: counts, and the entries in order, if any were requested.
    pub fn found(self) -> (QueueCounts, Option<(QueueList, Vec<QueueListEntry>)>) {
        (self.counts, self.rows.map(|rows| (rows.list, rows.ordered)))
    }
}

/// Matching entries on their way to the final order.
struct Rows {
    list: QueueList,
    walk: RecordWalk,
    keys: Keys,
    entries: Vec<QueueListEntry>,
    /// Numbers of pending and running tasks for arrays with one entry. None once the entry is complete.
    arrays: BTreeMap<JobId, Option<QueueCounts>>,
    /// The entries that are still to be sorted in.
    order: Option<IntoIter<usize>>,
    ordered: Vec<QueueListEntry>,
}

/// Number of entries sorted in the time of scanning one record.
const PUT: usize = 4;

impl Rows {
    fn new(world: &World, list: &QueueList) -> Self {
        let (walk, keys) = filter::of(world, list);
        Self {
            list: list.clone(),
            walk,
            keys,
            entries: Vec::new(),
            arrays: BTreeMap::new(),
            order: None,
            ordered: Vec::new(),
        }
    }

    /// Adds the entry of a record if it matches.
    fn add(&mut self, view: &JobView, job: &Job) {
        let Self { list, walk, keys, entries, arrays, .. } = self;
        walk.record(view, job, |row, position| {
            if !filter::wants(view, list, &row) {
                return;
            }
            keys.push(view, &row, position);
            if let Some(array) = job.array.as_ref().filter(|_| list.group) {
                let (waiting, running) = arrays.entry(array.job).or_default().get_or_insert_default();
                *waiting += if job.state == JobState::Pending { tasks(job) } else { 0 };
                *running += u32::from(job.state == JobState::Running);
            }
            entries.push(QueueListEntry {
                job: job.id,
                folded: row.folded.map(Box::new),
                ..QueueListEntry::default()
            });
        });
    }

    /// Continues sorting. True when complete.
    fn go_on(&mut self, world: &World, records: usize) -> bool {
        let Some(order) = &mut self.order else {
            self.order = self.keys.go_on(records).map(Vec::into_iter);
            return false;
        };
        for at in order.by_ref().take(records.saturating_mul(PUT)) {
            let Some(entry) = self.entries.get_mut(at).map(std::mem::take) else { continue };
            let job = world.ctld.job(entry.job).filter(|_| self.list.group);
            let Some(array) = job.and_then(|job| job.array.as_ref()) else {
                self.ordered.push(entry);
                continue;
            };
            if let Some(counts) = self.arrays.get_mut(&array.job).and_then(Option::take) {
                let tasks = Some(counts).filter(|(waiting, running)| waiting + running > 1);
                self.ordered.push(QueueListEntry { tasks, array: Some(array.job), ..entry });
            }
        }
        order.len() == 0
    }
}
