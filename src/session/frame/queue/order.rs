//! The queue as the page sees it: its rows in the order that was made last, each as it is now. A long queue's order is made
//! beside the clock; until it is there, the one before is shown.

use super::round::{Counts, Place, Round};
use super::{row, view, wish};
use crate::commands::slurm::squeue::row::Row;
use crate::protocol::{QueueList, QueueRow, QueueRows, QueueWindow};
use crate::session::frame::People;
use crate::world::World;

/// Most rows in a frame ...
const MAX_ROWS: usize = 200;
/// ... and most places that are looked at for them: jobs may be gone from some.
const LOOKED: usize = 1_000;
/// With so many records or less all of it is as it is now.
const FEW: u64 = 500;
/// Records that are looked at in one go: less than a millisecond of the page's worker.
const PIECE: usize = 500;
/// Many are looked at again after a millisecond for so many.
const PER_MILLI: u64 = 100;

/// See the module.
#[derive(Default)]
pub struct Queue {
    pub counts: Counts,
    /// None: there is no order yet.
    list: Option<QueueList>,
    places: Vec<Place>,
    round: Option<Box<Round>>,
    /// Events of the session when the last round began; none: it was another world.
    step: Option<u64>,
    /// Milliseconds until another may begin.
    rest: u32,
}

impl Queue {
    /// Real time went by.
    pub const fn tick(&mut self, millis: u32) {
        self.rest = self.rest.saturating_sub(millis);
    }

    /// It is another moment that is seen from now on.
    pub fn elsewhere(&mut self) {
        (self.round, self.step) = (None, None);
    }

    /// Whether a round is under way.
    pub const fn is_under_way(&self) -> bool {
        self.round.is_some()
    }

    /// Begins a round if what is known is not of now, or not what is wanted; a short one is over at once.
    pub fn refresh(&mut self, world: &World, step: u64, list: Option<&QueueList>) {
        let made = self.round.as_ref().map_or(self.list.as_ref(), |round| round.list());
        let other = list.is_some() && list != made;
        let rests = self.round.is_some() || (self.step.is_some() && self.rest > 0);
        if !other && (rests || self.step == Some(step)) {
            return;
        }
        self.step = Some(step);
        // What follows comes with the worker's later half; before there are jobs nobody needs it.
        if world.ctld.jobs.is_empty() {
            (self.counts, self.list, self.round) = ((0, 0), list.cloned(), None);
            self.places.clear();
            return;
        }
        self.round = Some(Box::new(Round::new(world, list)));
        if world.ctld.jobs.len() <= FEW {
            while !self.advance(world, usize::MAX) {}
        }
    }

    /// A bit of the round; true when something else is known thereby.
    pub fn go_on(&mut self, world: &World) -> bool {
        self.advance(world, PIECE)
    }

    /// Goes on by so many records; true when nothing is left to do.
    fn advance(&mut self, world: &World, records: usize) -> bool {
        let Some(round) = self.round.take_if(|round| round.go_on(world, records)) else {
            return self.round.is_none();
        };
        let (counts, rows) = round.found();
        self.counts = counts;
        // Rows of an older round stay in sight, but are of no list any more.
        self.list = rows.map(|(list, places)| {
            self.places = places;
            list
        });
        self.rest = u32::try_from(world.ctld.jobs.len() / PER_MILLI).unwrap_or(u32::MAX);
        true
    }

    /// The rows of a window; none before the first order is there.
    pub fn rows(&mut self, world: &World, window: &QueueWindow, people: &People) -> Option<QueueRows> {
        let list = self.list.as_ref()?;
        let (count, mut rows) = ((window.count as usize).min(MAX_ROWS), Vec::new());
        let first = self.places.len().min(window.first as usize);
        let end = self.places.len().min(first + LOOKED);
        let (mut kept, mut at) = (first, first);
        while at < end && rows.len() < count {
            if let Some(row) = self.places.get(at).and_then(|place| shown(world, list, place, people)) {
                rows.push(row);
                self.places.swap(kept, at);
                kept += 1;
            }
            at += 1;
        }
        self.places.drain(kept..at);
        Some(QueueRows {
            total: u32::try_from(self.places.len()).unwrap_or(u32::MAX),
            first: window.first,
            rows,
        })
    }
}

/// A row as it is now, if it would still be wanted. An array's row stands for its other jobs, too.
#[inline(never)]
fn shown(world: &World, list: &QueueList, place: &Place, people: &People) -> Option<QueueRow> {
    let view = view(world);
    let ctld = &world.ctld;
    // Where the first of an array's jobs is gone, another one stands for it.
    let others = || ctld.array_records(place.array?).find_map(|id| ctld.job(id));
    let job = ctld.job(place.job).or_else(others)?;
    let shown = Row { folded: place.folded.as_deref().cloned(), ..Row::of(job) };
    let wanted = place.tasks.is_some() || wish::wants(&view, list, &shown);
    wanted.then(|| QueueRow { tasks: place.tasks, ..row(&view, &shown, people) })
}
