//! What the last backfill pass found, row by row, so that the next one need not look again where nothing changed.
//!
//! A place stays the one that would be chosen as long as (1) on no node that the job could use anything is otherwise in
//! the time of the place, and (2) less came free before than was missing at every earlier moment
//! ([`super::plan::Short`]). The moments themselves do not move with time: limits end when they end, and places begin
//! where they began. Where only (1) does not hold, it is found again no earlier than it was. Rows are known again by their
//! jobs; what stood between rows that are still in the same order, and does not any more, has gone. Rows that a pass did
//! not come to stay known, together with what has changed since.

use super::super::Slurmctld;
use super::super::select::{self, ShapeId, Shapes, Sums};
use super::ascent::longest_ascent;
use super::floor::Floor;
use super::plan::{Found, Place, Plan};
use super::queue::{Key, Row};
use crate::base::bitset::BitSet;
use crate::base::ids::{JobId, PartId};
use crate::base::order::Order as _;
use crate::base::time::Time;
use std::collections::VecDeque;

/// What was found for one row.
#[derive(Clone, Debug)]
struct Entry {
    row: (JobId, PartId),
    /// Where the row stood in the queue.
    key: Key,
    /// Which of the row's places it is: arrays keep several.
    nth: u32,
    shape: ShapeId,
    /// Microseconds.
    span: i64,
    found: Found,
    /// Where the window ended.
    until: Time,
    /// How much of the forecast's log it knows: of what started later in its pass it knows nothing.
    seen: u64,
}

impl Entry {
    /// What was kept for it.
    fn kept(&self, plan: &Plan) -> Option<Place> {
        self.found.kept_for(plan, self.span)
    }
}

/// What the last pass found, in its order.
#[derive(Debug, Default)]
pub(in super::super) struct Memo {
    entries: Vec<Entry>,
    /// How much of the forecast's log the pass began with.
    seen: u64,
    /// How often rows had been moved in the queue.
    moves: u64,
    /// From which entries on the pass did not come to them.
    unvisited: VecDeque<(usize, News)>,
    /// Memory for the entries of the next pass.
    spare: Vec<Entry>,
}

/// What is otherwise than it was thought to be.
#[derive(Debug, Default)]
struct News {
    changes: Vec<Change>,
    /// Nodes on which more may be free.
    freed: BitSet,
}

/// A row of the pass, one of its places, and its length in microseconds.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    pub row: Row,
    /// The row's place in the pass.
    pub index: usize,
    pub nth: u32,
    pub span: i64,
}

/// What is known of a row.
pub(super) enum Recalled {
    /// This would be found again.
    Same(Found),
    /// This would be found again unless it fits earlier now.
    Unless(Found),
    /// It must be looked for, no earlier than this; and what was kept for it by the last pass.
    Anew(Floor, Option<Place>),
}

/// A pass's use of the memo: what it knew, what changed since, what is to be known next time.
#[derive(Debug)]
pub(super) struct Recall {
    /// From `next` on not yet come to.
    old: Vec<Entry>,
    next: usize,
    stay: Stay,
    new: Vec<Entry>,
    seen: u64,
    news: News,
    /// What is news besides from some entries on.
    unvisited: VecDeque<(usize, News)>,
    /// Grows with the nodes that came free.
    frees: u32,
    /// What the freed nodes could hold of a kind, at some count of `frees`.
    gains: Vec<(usize, u32, Sums)>,
    now: Time,
}

/// How rows are known again that stand in the same order as last time.
#[derive(Debug)]
enum Stay {
    /// By their places in the queue, where these have not moved: entries before this one are of rows in front.
    Placed(usize),
    /// Their place in the pass, and their first entry in `old`.
    Listed(VecDeque<(usize, usize)>),
}

/// Nodes on which something is otherwise in the forecast, or in the plan in front, between two moments.
#[derive(Debug)]
struct Change {
    nodes: BitSet,
    from: Time,
    to: Time,
    /// Its place in the forecast's log; what changes in the plan comes after all of that.
    logged: u64,
}

/// Changes that are kept for entries that no pass comes to.
const MANY_CHANGES: usize = 1000;

impl Recall {
    pub(super) fn new(ctld: &mut Slurmctld, plan: &Plan, rows: &[Row], now: Time) -> Self {
        let memo = std::mem::take(&mut ctld.live.memo);
        let mut recall = Self {
            old: Vec::new(),
            next: 0,
            stay: Stay::Placed(0),
            new: memo.spare,
            seen: ctld.live.forecast.count(),
            news: News::default(),
            unvisited: memo.unvisited,
            frees: 0,
            gains: Vec::new(),
            now,
        };
        let known = !memo.entries.is_empty() && ctld.reservations.is_empty();
        let Some(log) = ctld.live.forecast.since(memo.seen).filter(|_| known) else { return recall };
        for (change, logged) in log.iter().zip(memo.seen..) {
            recall.note_logged(change, logged);
        }
        recall.stay = if memo.moves == ctld.live.queue.moves() && ctld.live.knobs.bf_hetjob_prio.is_none() {
            Stay::Placed(0)
        } else {
            Stay::Listed(same_order(&memo.entries, rows))
        };
        recall.old = memo.entries;
        recall.note_overdue(ctld, plan);
        recall
    }

    /// Something changed in the forecast.
    fn note_logged(&mut self, change: &select::Change, logged: u64) {
        let (node, now) = (change.node.0, self.now);
        match self.news.changes.last_mut() {
            Some(last) if last.to == change.until && last.from == now => {
                last.nodes.insert(node);
                last.logged = logged;
            }
            Some(_) | None => {
                let nodes = [node].into_iter().collect();
                self.news.changes.push(Change { nodes, from: now, to: change.until, logged });
            }
        }
        if change.freer {
            self.news.freed.insert(node);
        }
    }

    /// A job that is over its limit and still there holds its nodes longer than was thought.
    fn note_overdue(&mut self, ctld: &Slurmctld, plan: &Plan) {
        let overdue = ctld.live.ends_from(Time(i64::MIN)).take_while(|(end, _)| *end <= self.now);
        let jobs = overdue.filter_map(|(_, id)| ctld.jobs.get(id));
        let nodes = jobs.flat_map(|j| j.allocation.iter().flat_map(|a| &a.nodes)).map(|n| n.node.0).collect();
        self.note_taken(&Place { from: self.now, to: plan.soon(), nodes });
    }

    /// Keeps what was found for the next pass, and if this one was `cut` short, what it did not come to. Reservations close
    /// nodes by the clock, and open them when they go: nothing is remembered while there are any.
    pub(super) fn store(mut self, ctld: &mut Slurmctld, cut: bool) {
        if !ctld.reservations.is_empty() {
            return;
        }
        let moves = ctld.live.queue.moves();
        let mut memo = Memo { entries: self.new, seen: self.seen, moves, ..Memo::default() };
        let visited = memo.entries.len();
        self.news.changes.retain(|change| change.to > self.now);
        let changes =
            self.unvisited.iter().map(|u| u.1.changes.len()).sum::<usize>() + self.news.changes.len();
        if cut && changes < MANY_CHANGES {
            memo.entries.extend(self.old.drain(self.next..));
            memo.unvisited.push_back((visited, self.news));
            let later = self.unvisited.into_iter();
            memo.unvisited.extend(later.map(|(first, news)| (first - self.next + visited, news)));
        }
        self.old.clear();
        memo.spare = self.old;
        ctld.live.memo = memo;
    }

    /// When the first of the places that were found begins; and if somebody found none, where the window ends and when
    /// something ends next after that.
    pub(super) fn outlook(&self, ctld: &Slurmctld, plan: &Plan) -> (Time, Option<(Time, Option<Time>)>) {
        let mut places = self.new.iter().map(|entry| entry.found.place.as_ref().map(|place| place.0));
        let due = places.clone().flatten().min().unwrap_or(Time(i64::MAX));
        let window = || (plan.until(), plan.next_end(ctld, plan.until()));
        (due, places.any(|place| place.is_none()).then(window))
    }

    /// What the last pass found for a row, as far as that is still so.
    pub(super) fn find(
        &mut self,
        ctld: &Slurmctld,
        shapes: &mut Shapes,
        plan: &Plan,
        asked: Asked,
    ) -> Recalled {
        let Some(entry) = self.entry(plan, asked) else { return Recalled::Anew(Floor::NONE, None) };
        let shape = asked.row.shape;
        let gain = self.gain(ctld, shapes, shape);
        let alike = entry.shape == shape && entry.span == asked.span;
        let (valid, earliest) = match &entry.found.place {
            Some((at, _)) => (*at > self.now && !self.differs(shapes.open(shape), &entry, *at), *at),
            None => {
                let ends = plan.next_end(ctld, entry.until);
                (ends.is_none_or(|at| at > plan.until()), entry.until)
            }
        };
        let short = entry.found.short;
        let later = short.survives(gain.nodes, gain.tasks);
        let short = short.after(gain.nodes, gain.tasks);
        match (alike && valid, alike && later) {
            (true, true) => Recalled::Same(Found { short, ..entry.found }),
            (true, false) => Recalled::Unless(entry.found),
            (false, true) => Recalled::Anew(Floor { at: earliest, short }, entry.kept(plan)),
            (false, false) => Recalled::Anew(Floor::NONE, entry.kept(plan)),
        }
    }

    /// Somebody has another place than the last pass found.
    pub(super) fn note_moved(&mut self, old: Option<Place>, new: Option<Place>) {
        if old != new {
            old.into_iter().for_each(|place| self.note_free(&place));
            new.into_iter().for_each(|place| self.note_taken(&place));
        }
    }

    /// The entry of a row that stands where it stood; what was in front of it and is not any more has gone.
    fn entry(&mut self, plan: &Plan, asked: Asked) -> Option<Entry> {
        let first = self.first(asked)?;
        for gone in self.next..first {
            self.come_to(gone);
            let kept = self.old[gone].kept(plan);
            self.note_moved(kept, None);
        }
        self.next = self.next.max(first);
        self.come_to(self.next);
        let this = |e: &&mut Entry| e.row == (asked.row.job(), asked.row.part) && e.nth == asked.nth;
        let entry = self.old.get_mut(self.next).filter(this)?;
        self.next += 1;
        Some(Entry { found: std::mem::take(&mut entry.found), ..*entry })
    }

    /// The first entry of a row that stands where it stood.
    fn first(&mut self, asked: Asked) -> Option<usize> {
        match &mut self.stay {
            Stay::Listed(pairs) => {
                while pairs.front().is_some_and(|(index, _)| *index < asked.index) {
                    pairs.pop_front();
                }
                pairs.front().filter(|(index, _)| *index == asked.index).map(|pair| pair.1)
            }
            Stay::Placed(at) => {
                let place = (asked.row.key, asked.row.part);
                let firsts = self.old.iter().enumerate().skip(*at).filter(|(_, e)| e.nth == 0);
                let of = |e: &Entry| (e.key, e.row.1);
                let here = |e: &Entry| e.row.0 == asked.row.job() && of(e) == place;
                let next = firsts.map(|(i, e)| (i, e, here(e))).find(|(_, e, here)| *here || of(e) > place);
                *at = next.map_or(self.old.len(), |(i, ..)| i);
                next.filter(|(.., here)| *here).map(|(i, ..)| i)
            }
        }
    }

    /// What is news for an entry and those behind it.
    fn come_to(&mut self, entry: usize) {
        while self.unvisited.front().is_some_and(|u| u.0 <= entry) {
            if let Some((_, news)) = self.unvisited.pop_front() {
                self.news.changes.extend(news.changes);
                self.news.freed.union_with(&news.freed);
                self.frees += 1;
            }
        }
    }

    /// Nobody has a place any more who had it.
    fn note_free(&mut self, place: &Place) {
        self.news.freed.union_with(&place.nodes);
        self.frees += 1;
        self.note_taken(place);
    }

    /// Somebody has a place who had not.
    pub(super) fn note_taken(&mut self, place: &Place) {
        if !self.old.is_empty() {
            self.news.changes.push(Change {
                nodes: place.nodes.clone(),
                from: place.from,
                to: place.to,
                logged: u64::MAX,
            });
        }
    }

    /// Whether any of the nodes is otherwise in the time of the entry's place, as far as it does not know of it.
    fn differs(&self, nodes: &BitSet, entry: &Entry, at: Time) -> bool {
        let then = |c: &&Change| c.to > at && c.from.0 < at.0 + entry.span && c.logged >= entry.seen;
        self.news.changes.iter().filter(then).any(|change| change.nodes.intersects(nodes))
    }

    /// Notes what was found for a row, new or old.
    pub(super) fn keep(&mut self, ctld: &Slurmctld, plan: &Plan, asked: Asked, found: Found) {
        let Asked { row, nth, span, .. } = asked;
        let row_of = (row.job(), row.part);
        let (until, seen) = (plan.until(), ctld.live.forecast.count());
        self.new.push(Entry { row: row_of, key: row.key, nth, shape: row.shape, span, found, until, seen });
    }

    /// The most that the freed nodes could hold of a shape's kind.
    fn gain(&mut self, ctld: &Slurmctld, shapes: &mut Shapes, shape: ShapeId) -> Sums {
        let kind = shapes.kind(shape);
        let known = self.gains.iter().position(|g| g.0 == kind);
        if let Some((_, _, sums)) = known.map(|at| self.gains[at]).filter(|g| g.1 == self.frees) {
            return sums;
        }
        let gain = (kind, self.frees, shapes.most_on(ctld, shape, &self.news.freed));
        match known {
            Some(at) => self.gains[at] = gain,
            None => self.gains.push(gain),
        }
        gain.2
    }
}

/// The rows that stand in the same order as the entries do, as many as there are, each with its first entry.
fn same_order(entries: &[Entry], rows: &[Row]) -> VecDeque<(usize, usize)> {
    let firsts = entries.iter().enumerate().filter(|(_, e)| e.nth == 0);
    let mut known: Vec<((JobId, PartId), usize)> = firsts.map(|(i, e)| (e.row, i)).collect();
    known.order();
    let pairs = rows.iter().enumerate().filter_map(|(index, row)| {
        let at = known.binary_search_by_key(&(row.job(), row.part), |k| k.0).ok()?;
        Some((index, known[at].1))
    });
    longest_ascent(&pairs.collect::<Vec<_>>()).into()
}
