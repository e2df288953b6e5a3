//! The page's queue: entries in the order of the last sort, each with its current state. Long queues are sorted
//! by a background task; until it is done, the previous order is shown.

use super::round::{QueueCounts, QueueListEntry, Round};
use super::{filter, row, view};
use crate::session::frame::People;
use crate::world::World;
use commands::slurm::squeue::row::SqueueRow;
use protocol::{QueueList, QueueRow, QueueRows, QueueWindow};

/// Maximum number of entries in a frame.
const MAX_ROWS: usize = 200;
/// Maximum number of positions inspected for them. The jobs at some may have been purged.
const LOOKED: usize = 1_000;
/// Up to this number of records, the whole queue is sorted for each frame.
const FEW: u64 = 500;
/// Records per step: less than a millisecond of the page's worker.
const PIECE: usize = 500;
/// Pause between two sorts: a millisecond for this many records.
const PER_MILLI: u64 = 100;

/// The sorted queue of the page (see the module).
#[derive(Default)]
pub struct SortedQueue {
    pub counts: QueueCounts,
    /// None before the first sort.
    list: Option<QueueList>,
    entries: Vec<QueueListEntry>,
    round: Option<Box<Round>>,
    /// Number of the session's events when the last sort began; none if that was another world.
    step: Option<u64>,
    /// Milliseconds until the next sort can begin.
    rest: u32,
}

impl SortedQueue {
    /// Lets real time pass.
    pub const fn tick(&mut self, millis: u32) {
        self.rest = self.rest.saturating_sub(millis);
    }

    /// Frames now show another moment.
    pub fn elsewhere(&mut self) {
        (self.round, self.step) = (None, None);
    }

    /// Whether a sort is in progress.
    pub const fn is_sorting(&self) -> bool {
        self.round.is_some()
    }

    /// Starts a sort if the result is outdated or another order is requested. A short queue is sorted immediately.
    pub fn refresh(&mut self, world: &World, step: u64, list: Option<&QueueList>) {
        let made = self.round.as_ref().map_or(self.list.as_ref(), |round| round.list());
        let other = list.is_some() && list != made;
        let rests = self.round.is_some() || (self.step.is_some() && self.rest > 0);
        if !other && (rests || self.step == Some(step)) {
            return;
        }
        self.step = Some(step);
        // The code below is in the worker's deferred module, which is not needed before there are jobs.
        if world.ctld.jobs.is_empty() {
            (self.counts, self.list, self.round) = ((0, 0), list.cloned(), None);
            self.entries.clear();
            return;
        }
        self.round = Some(Box::new(Round::new(world, list)));
        if world.ctld.jobs.len() <= FEW {
            while !self.advance(world, usize::MAX) {}
        }
    }

    /// Continues the sort. True when it is complete.
    pub fn sort_step(&mut self, world: &World) -> bool {
        self.advance(world, PIECE)
    }

    /// Processes this many records. True when the sort is complete.
    fn advance(&mut self, world: &World, records: usize) -> bool {
        let Some(round) = self.round.take_if(|round| round.go_on(world, records)) else {
            return self.round.is_none();
        };
        let (counts, rows) = round.found();
        self.counts = counts;
        // Entries of an older sort stay visible, but no longer belong to a requested list.
        self.list = rows.map(|(list, entries)| {
            self.entries = entries;
            list
        });
        self.rest = u32::try_from(world.ctld.jobs.len() / PER_MILLI).unwrap_or(u32::MAX);
        true
    }

    /// The entries of a window; none before the first sort.
    pub fn rows(&mut self, world: &World, window: &QueueWindow, people: &People) -> Option<QueueRows> {
        let list = self.list.as_ref()?;
        let (count, mut rows) = ((window.count as usize).min(MAX_ROWS), Vec::new());
        let first = self.entries.len().min(window.first as usize);
        let end = self.entries.len().min(first + LOOKED);
        let (mut kept, mut at) = (first, first);
        while at < end && rows.len() < count {
            if let Some(row) = self.entries.get(at).and_then(|entry| shown(world, list, entry, people)) {
                rows.push(row);
                self.entries.swap(kept, at);
                kept += 1;
            }
            at += 1;
        }
        self.entries.drain(kept..at);
        Some(QueueRows {
            total: u32::try_from(self.entries.len()).unwrap_or(u32::MAX),
            first: window.first,
            rows,
        })
    }
}

/// The current entry, if it still matches the filter. The entry of an array also represents its other jobs.
#[inline(never)]
fn shown(world: &World, list: &QueueList, entry: &QueueListEntry, people: &People) -> Option<QueueRow> {
    let view = view(world);
    let ctld = &world.ctld;
    // If the array's first job is gone, another one represents the array.
    let others = || ctld.array_records(entry.array?).find_map(|id| ctld.job(id));
    let job = ctld.job(entry.job).or_else(others)?;
    let shown = SqueueRow { folded: entry.folded.as_deref().cloned(), ..SqueueRow::of(job) };
    let wanted = entry.tasks.is_some() || filter::wants(&view, list, &shown);
    wanted.then(|| QueueRow { tasks: entry.tasks, ..row(&view, &shown, people) })
}
