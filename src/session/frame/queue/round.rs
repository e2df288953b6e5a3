//! A round through all records, a few at a time: how many jobs wait and run, and the wanted rows in their order. The world
//! goes on meanwhile: a record is counted as it was when its turn came.

use super::{tasks, view, wish};
use crate::base::ids::JobId;
use crate::base::state::JobState;
use crate::commands::slurm::jobtext::View;
use crate::commands::slurm::squeue::{Keys, Walk};
use crate::protocol::QueueList;
use crate::slurmctld::job::Job;
use crate::world::World;
use std::collections::BTreeMap;
use std::vec::IntoIter;

/// Jobs that wait, and that run.
pub type Counts = (u32, u32);

/// A row's record, and what of an array is folded into it.
#[derive(Default)]
pub struct Place {
    pub job: JobId,
    /// Tasks and reasons of an array's single tasks that wait.
    pub folded: Option<Box<(String, String)>>,
    /// Of a whole array in one row: which, ...
    pub array: Option<JobId>,
    /// ... and what of it waits and runs.
    pub tasks: Option<Counts>,
}

/// See the module.
pub struct Round {
    /// Records from this one on were looked at.
    from: JobId,
    counts: Counts,
    rows: Option<Rows>,
}

impl Round {
    /// At its beginning; with rows if the page looks at the queue.
    #[inline(never)]
    pub fn new(world: &World, list: Option<&QueueList>) -> Self {
        let rows = list.map(|list| Rows::new(world, list));
        Self { from: JobId(u32::MAX), counts: (0, 0), rows }
    }

    /// Which rows it puts in order.
    pub fn list(&self) -> Option<&QueueList> {
        self.rows.as_ref().map(|rows| &rows.list)
    }

    /// Goes on by so many records, or what takes as long; true when it is over.
    #[inline(never)]
    pub fn go_on(&mut self, world: &World, records: usize) -> bool {
        if self.from > JobId(0) {
            self.look(world, records);
            return self.from == JobId(0) && self.rows.is_none();
        }
        self.rows.as_mut().is_none_or(|rows| rows.go_on(world, records))
    }

    /// Looks at the next records.
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

    /// From which record on all were looked at, and how many rows are in their places.
    #[cfg(test)]
    pub fn progress(&self) -> (JobId, usize) {
        (self.from, self.rows.as_ref().map_or(0, |rows| rows.ordered.len()))
    }

    /// What it found: the rows, if there are any, are in order.
    pub fn found(self) -> (Counts, Option<(QueueList, Vec<Place>)>) {
        (self.counts, self.rows.map(|rows| (rows.list, rows.ordered)))
    }
}

/// Wanted rows on the way to their order.
struct Rows {
    list: QueueList,
    walk: Walk,
    keys: Keys,
    places: Vec<Place>,
    /// Where arrays have one row: what waits and runs of each. None: its row is in its place.
    arrays: BTreeMap<JobId, Option<Counts>>,
    /// The rows that are still to be put in their places.
    order: Option<IntoIter<usize>>,
    ordered: Vec<Place>,
}

/// So many rows are put in their places while a record is looked at.
const PUT: usize = 4;

impl Rows {
    fn new(world: &World, list: &QueueList) -> Self {
        let (walk, keys) = wish::of(world, list);
        Self {
            list: list.clone(),
            walk,
            keys,
            places: Vec::new(),
            arrays: BTreeMap::new(),
            order: None,
            ordered: Vec::new(),
        }
    }

    /// Adds a record's row, if it has one that is wanted.
    fn add(&mut self, view: &View, job: &Job) {
        let Self { list, walk, keys, places, arrays, .. } = self;
        walk.record(view, job, |row, place| {
            if !wish::wants(view, list, &row) {
                return;
            }
            keys.push(view, &row, place);
            if let Some(array) = job.array.as_ref().filter(|_| list.group) {
                let (waiting, running) = arrays.entry(array.job).or_default().get_or_insert_default();
                *waiting += if job.state == JobState::Pending { tasks(job) } else { 0 };
                *running += u32::from(job.state == JobState::Running);
            }
            places.push(Place { job: job.id, folded: row.folded.map(Box::new), ..Place::default() });
        });
    }

    /// Goes on with the order; true when it is there.
    fn go_on(&mut self, world: &World, records: usize) -> bool {
        let Some(order) = &mut self.order else {
            self.order = self.keys.go_on(records).map(Vec::into_iter);
            return false;
        };
        for at in order.by_ref().take(records.saturating_mul(PUT)) {
            let Some(place) = self.places.get_mut(at).map(std::mem::take) else { continue };
            let job = world.ctld.job(place.job).filter(|_| self.list.group);
            let Some(array) = job.and_then(|job| job.array.as_ref()) else {
                self.ordered.push(place);
                continue;
            };
            if let Some(counts) = self.arrays.get_mut(&array.job).and_then(Option::take) {
                let tasks = Some(counts).filter(|(waiting, running)| waiting + running > 1);
                self.ordered.push(Place { tasks, array: Some(array.job), ..place });
            }
        }
        order.len() == 0
    }
}
