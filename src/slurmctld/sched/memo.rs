//! What the last backfill pass found, row by row, so that the next one need not look again where nothing changed.
//!
//! A place stays the one that would be chosen as long as (1) no node that the job could use is otherwise at that moment,
//! and (2) less came free before than was missing at every earlier moment ([`super::plan::Short`]). The moments
//! themselves do not move with time: limits end when they end, and places begin where they began.

use super::super::Slurmctld;
use super::super::select::{ShapeId, Shapes};
use super::plan::{Found, Place, Plan};
use super::queue::{Key, Row};
use crate::base::bitset::BitSet;
use crate::base::ids::{NodeId, PartId};
use crate::base::time::Time;

/// A row's place in the order of the queue, and which of the row's places it is (arrays keep several).
type Position = (Key, PartId, u32);

/// What was found for one row.
#[derive(Clone, Debug)]
struct Entry {
    at: Position,
    shape: ShapeId,
    /// Microseconds.
    span: i64,
    found: Found,
    /// Where the window ended.
    until: Time,
}

/// What the last pass found.
#[derive(Debug, Default)]
pub(in super::super) struct Memo {
    entries: Vec<Entry>,
    /// How much of the forecast's log it knows.
    seen: Option<u64>,
}

/// A pass's use of the memo: what it knew, what changed since, what is to be known next time.
pub(super) struct Recall {
    old: std::vec::IntoIter<Entry>,
    next: Option<Entry>,
    new: Vec<Entry>,
    /// Nodes on which something changed, in the forecast or in the plan in front, and until when they are otherwise.
    changed: Vec<(NodeId, Time)>,
    /// The same nodes.
    nodes: BitSet,
    latest: Time,
    /// Grows with `changed`.
    changes: u32,
    /// What all changed nodes could hold of a kind: `(kind, changes, nodes, tasks)`.
    gains: Vec<(usize, u32, u32, u64)>,
    now: Time,
}

impl Recall {
    pub(super) fn new(ctld: &mut Slurmctld, plan: &Plan, now: Time) -> Self {
        let memo = std::mem::take(&mut ctld.live.memo);
        let seen = memo.seen.filter(|_| ctld.reservations.is_empty());
        let log = seen.and_then(|seen| ctld.live.forecast.since(seen));
        let (entries, changed) = match log {
            Some(changed) => (memo.entries, changed.to_vec()),
            None => (Vec::new(), Vec::new()),
        };
        let empty = entries.is_empty();
        let mut old = entries.into_iter();
        let mut recall = Self {
            next: old.next(),
            old,
            new: Vec::new(),
            nodes: changed.iter().map(|c| c.0.0).collect(),
            latest: changed.iter().map(|c| c.1).max().unwrap_or_default(),
            changed,
            changes: 1,
            gains: Vec::new(),
            now,
        };
        if !empty {
            recall.note_overdue(ctld, plan);
        }
        recall
    }

    /// A job that is over its limit and still there holds its nodes longer than was thought.
    fn note_overdue(&mut self, ctld: &Slurmctld, plan: &Plan) {
        let overdue = ctld.live.ends_from(Time(i64::MIN)).take_while(|(end, _)| *end <= self.now);
        let jobs = overdue.filter_map(|(_, id)| ctld.jobs.get(id));
        let nodes = jobs.flat_map(|j| j.allocation.iter().flat_map(|a| &a.nodes)).map(|n| n.node.0).collect();
        self.note_change(Some(&Place { from: self.now, to: plan.soon(), nodes }));
    }

    /// Keeps what was found for the next pass. Reservations close nodes by the clock, and open them when they go: nothing
    /// is remembered while there are any.
    pub(super) fn store(self, ctld: &mut Slurmctld) {
        if !ctld.reservations.is_empty() {
            return;
        }
        ctld.live.memo = Memo { entries: self.new, seen: Some(ctld.live.forecast.count()) };
    }

    /// What the last pass found for a row, if that is still so.
    pub(super) fn find(
        &mut self,
        ctld: &Slurmctld,
        shapes: &mut Shapes,
        plan: &Plan,
        (row, nth, span): (Row, u32, i64),
    ) -> Option<Found> {
        let at = (row.key, row.part, nth);
        while self.next.as_ref().is_some_and(|e| e.at < at) {
            self.skip(plan);
        }
        let entry = self.next.take_if(|e| e.at == at)?;
        self.next = self.old.next();
        let (nodes, tasks) = self.gain(ctld, shapes, row.shape);
        let same = entry.shape == row.shape && entry.span == span && entry.found.short.survives(nodes, tasks);
        let valid = same
            && match &entry.found.place {
                Some((at, _)) => *at > self.now && !self.differs(shapes, row.shape, *at),
                None => !plan.ends_between(ctld, entry.until, plan.until()),
            };
        if valid {
            let short = entry.found.short.after(nodes, tasks);
            return Some(Found { short, ..entry.found });
        }
        self.note_change(entry.found.kept_for(plan, entry.span).as_ref());
        None
    }

    /// A row that the last pass knew has gone: what it kept is free.
    fn skip(&mut self, plan: &Plan) {
        let gone = std::mem::replace(&mut self.next, self.old.next());
        self.note_change(gone.and_then(|e| e.found.kept_for(plan, e.span)).as_ref());
    }

    /// Something came to a place or left it.
    pub(super) fn note_change(&mut self, place: Option<&Place>) {
        if let Some(place) = place {
            self.changed.extend(place.nodes.iter().map(|n| (NodeId(n), place.to)));
            self.nodes.union_with(&place.nodes);
            self.latest = self.latest.max(place.to);
            self.changes += 1;
        }
    }

    /// Whether any node that a shape could use is otherwise at a moment.
    fn differs(&self, shapes: &Shapes, shape: ShapeId, at: Time) -> bool {
        self.latest > at
            && self.changed.iter().any(|(node, until)| *until > at && shapes.may_use(shape, *node))
    }

    /// Notes what was found for a row, new or old.
    pub(super) fn keep(&mut self, plan: &Plan, (row, nth, span): (Row, u32, i64), found: Found) {
        let at = (row.key, row.part, nth);
        self.new.push(Entry { at, shape: row.shape, span, found, until: plan.until() });
    }

    /// The most that the changed nodes could hold of a shape's kind.
    fn gain(&mut self, ctld: &Slurmctld, shapes: &mut Shapes, shape: ShapeId) -> (u32, u64) {
        let kind = shapes.kind(shape);
        let known = self.gains.iter().position(|g| g.0 == kind);
        if let Some(at) = known
            && self.gains[at].1 == self.changes
        {
            return (self.gains[at].2, self.gains[at].3);
        }
        let (nodes, tasks) = shapes.most_on(ctld, shape, &self.nodes);
        let gain = (kind, self.changes, nodes, tasks);
        match known {
            Some(at) => self.gains[at] = gain,
            None => self.gains.push(gain),
        }
        (nodes, tasks)
    }
}
