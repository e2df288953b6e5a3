//! The backfill planner and its cache: the earliest reservation of each queue entry, recomputed only where something changed.
//!
//! This is conservative backfill: every entry that a pass considers gets a reservation, not only the first one as in EASY
//! backfill. Textbook terms, and where they are:
//!
//! - The *resource profile* of a request class is what it could use over time: now, and after each release
//!   ([`crate::select::ResourceProfile`]). Jobs with identical requests share a class and its profile.
//! - The *free-slot list* is [`node_space`]: time is cut into slots, each with the nodes that are reserved in it.
//! - The *plan* ([`plan`]) sweeps through both for the *first fit*: the earliest moment at which enough nodes are free for all
//!   of the job's time. [`reserved_totals`] subtracts reservations from the profile as sums, so that single nodes are examined
//!   at few moments only.
//! - A *lower bound* ([`lower_bound`]) is the earliest time at which a request could start. It is monotone: a request that
//!   dominates an earlier one of the same pass cannot start before it.
//! - A *shortfall* ([`crate::select::Shortfall`]) is how much was missing at every moment before the first fit.
//!
//! # The cache
//!
//! [`BackfillCache`] holds the first fits of the last pass; [`CacheCursor`] walks through them in parallel with the new pass. A
//! cached first fit is valid if (1) no usable node changed during the reserved window, and (2) at every earlier moment the
//! resources released are still less than the shortfall. The ends of time limits and the starts of reservations are absolute
//! times, so they are still the same in a later pass. If only (1) fails, the cached start is a lower bound for the new search.
//! If only (2) fails, only the time before it is searched.
//!
//! Entries are matched by job, along the longest common subsequence of both passes ([`subsequence`]). Unmatched entries between
//! matched ones count as released. Entries that a pass did not reach stay cached, with the changes since.
//!
//! Invariant: the cache changes no decision. Tests compare passes with and without it.

mod lower_bound;
mod node_space;
mod plan;
mod reserved_totals;
mod subsequence;

use super::queue::{Key, QueueEntry};
use crate::Slurmctld;
use crate::select::{self, RequestClassId, RequestClasses, Sums};
use base::bitset::BitSet;
use base::ids::{JobId, PartId};
use base::order::StableSort as _;
use base::time::Time;
pub(super) use lower_bound::{LowerBound, LowerBounds};
pub(super) use plan::{BackfillPlan, FirstFit, PlannedReservation};
use smallvec::SmallVec;
use std::collections::VecDeque;
use subsequence::longest_increasing_subsequence;

/// The first fit of one queue entry.
#[derive(Clone, Debug)]
struct CacheEntry {
    queued: (JobId, PartId),
    /// The sort key of the queue entry.
    key: Key,
    /// The index of the reservation among those of the entry: arrays have several.
    nth: u32,
    class: RequestClassId,
    /// Microseconds.
    span: i64,
    found: FirstFit,
    /// The end of the planning window.
    until: Time,
    /// The length of the availability's log when the fit was found. Jobs that start later in the same pass are not in it.
    seen: u64,
}

impl CacheEntry {
    /// The reservation for the first fit.
    fn reservation(&self, plan: &BackfillPlan) -> Option<PlannedReservation> {
        self.found.reservation_for(plan, self.span)
    }
}

/// The first fits of the last pass, in its order.
#[derive(Debug, Default)]
pub(crate) struct BackfillCache {
    entries: Vec<CacheEntry>,
    /// The length of the availability's log when the pass began.
    seen: u64,
    /// The queue's counter of moves when the pass began.
    moves: u64,
    /// Changes that passes did not apply to the entries from an index on, because they did not reach them.
    unvisited: VecDeque<(usize, Invalidations)>,
    /// Memory for the entries of the next pass.
    spare: Vec<CacheEntry>,
}

/// What has changed since entries were cached.
#[derive(Debug, Default)]
struct Invalidations {
    changes: Vec<ChangedWindow>,
    /// Nodes that may have more free resources.
    freed: BitSet,
}

/// A request for a slot in the plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlotRequest {
    pub entry: QueueEntry,
    /// The entry's index in the pass.
    pub index: usize,
    /// The index of the reservation among those of the entry.
    pub nth: u32,
    /// Microseconds.
    pub span: i64,
}

/// The result of a look-up in the cache.
pub(super) enum Lookup {
    /// A search would find this again.
    Hit(FirstFit),
    /// A search would find this again, unless the entry fits earlier now.
    HitUnlessEarlier(FirstFit),
    /// A search from this bound on is needed. The reservation is that of the last pass.
    Miss(LowerBound, Option<PlannedReservation>),
}

/// A walk through the cache in parallel with a pass: the old entries, the changes since then, and the new entries.
#[derive(Debug)]
pub(super) struct CacheCursor {
    old: Vec<CacheEntry>,
    /// The index of the first old entry that the pass has not reached yet.
    next: usize,
    matching: Matching,
    new: Vec<CacheEntry>,
    seen: u64,
    invalidations: Invalidations,
    /// Further changes, each with the index of the first entry that it affects.
    unvisited: VecDeque<(usize, Invalidations)>,
    /// A counter of additions to the freed nodes.
    frees: u32,
    /// By node request: a count of `frees`, and the capacity of the freed nodes at that count.
    gains: SmallVec<[(usize, u32, Sums); 1]>,
    now: Time,
}

/// How entries of the pass are matched with cached ones.
#[derive(Debug)]
enum Matching {
    /// By their keys, if no entry has moved in the queue: the cached entries before this one are ahead of the pass.
    ByKey(usize),
    /// By the longest common subsequence: the index in the pass, and the first entry in `old`.
    BySubsequence(VecDeque<(usize, usize)>),
}

/// Nodes whose availability, or reservations ahead of an entry, changed between two moments.
#[derive(Debug)]
struct ChangedWindow {
    nodes: BitSet,
    from: Time,
    to: Time,
    /// Its index in the availability's log; changes of the plan come after all of that.
    logged: u64,
}

/// Maximum number of changes stored for entries that no pass reaches.
const MANY_CHANGES: usize = 1000;

impl CacheCursor {
    pub(super) fn new(
        ctld: &Slurmctld,
        memo: BackfillCache,
        plan: &BackfillPlan,
        queue: &[QueueEntry],
        now: Time,
    ) -> Self {
        let mut cache = Self {
            old: Vec::new(),
            next: 0,
            matching: Matching::ByKey(0),
            new: memo.spare,
            seen: ctld.caches.availability.count(),
            invalidations: Invalidations::default(),
            unvisited: memo.unvisited,
            frees: 0,
            gains: SmallVec::new(),
            now,
        };
        let known = !memo.entries.is_empty() && ctld.reservations.is_empty();
        let Some(log) = ctld.caches.availability.since(memo.seen).filter(|_| known) else { return cache };
        for (change, logged) in log.iter().zip(memo.seen..) {
            cache.note_logged(change, logged);
        }
        cache.matching =
            if memo.moves == ctld.caches.queue.moves() && ctld.caches.parameters.bf_hetjob_prio.is_none() {
                Matching::ByKey(0)
            } else {
                Matching::BySubsequence(same_order(&memo.entries, queue))
            };
        cache.old = memo.entries;
        cache.note_overdue(ctld, plan);
        cache
    }

    /// Notes a change of a node's availability.
    fn note_logged(&mut self, change: &select::AvailabilityChange, logged: u64) {
        let (node, now) = (change.node.0, self.now);
        match self.invalidations.changes.last_mut() {
            Some(last) if last.to == change.until && last.from == now => {
                last.nodes.insert(node);
                last.logged = logged;
            }
            Some(_) | None => {
                let nodes = [node].into_iter().collect();
                self.invalidations.changes.push(ChangedWindow { nodes, from: now, to: change.until, logged });
            }
        }
        if change.freer {
            self.invalidations.freed.insert(node);
        }
    }

    /// Notes that jobs beyond their time limits hold their nodes longer than planned.
    fn note_overdue(&mut self, ctld: &Slurmctld, plan: &BackfillPlan) {
        let overdue = ctld.caches.ends_from(Time(i64::MIN)).take_while(|(end, _)| *end <= self.now);
        let jobs = overdue.filter_map(|(_, id)| ctld.jobs.get(id));
        let nodes = jobs.flat_map(|j| j.allocation.iter().flat_map(|a| &a.nodes)).map(|n| n.node.0).collect();
        self.note_reserved(&PlannedReservation { from: self.now, to: plan.soon(), nodes });
    }

    /// The cache for the next pass. If this pass was `cut` short, it includes the entries that were not reached. Advance
    /// reservations open and close nodes at fixed times, so nothing is cached while there are any.
    pub(super) fn store(mut self, ctld: &Slurmctld, cut: bool) -> BackfillCache {
        if !ctld.reservations.is_empty() {
            return BackfillCache::default();
        }
        let moves = ctld.caches.queue.moves();
        let mut memo = BackfillCache { seen: self.seen, moves, ..BackfillCache::default() };
        let visited = self.new.len();
        self.invalidations.changes.retain(|change| change.to > self.now);
        let changes = self.unvisited.iter().map(|u| u.1.changes.len()).sum::<usize>()
            + self.invalidations.changes.len();
        if cut && changes < MANY_CHANGES {
            // The entries that the pass did not reach stay in place.
            self.old.splice(..self.next, self.new.drain(..));
            std::mem::swap(&mut self.old, &mut self.new);
            memo.unvisited = self.unvisited;
            memo.unvisited.iter_mut().for_each(|(first, _)| *first = *first - self.next + visited);
            memo.unvisited.push_front((visited, self.invalidations));
        }
        self.old.clear();
        (memo.entries, memo.spare) = (self.new, self.old);
        memo
    }

    /// Looks up an entry: its first fit in the last pass, if that is still valid.
    pub(super) fn find(
        &mut self,
        ctld: &Slurmctld,
        classes: &mut RequestClasses,
        plan: &BackfillPlan,
        asked: SlotRequest,
    ) -> Lookup {
        let Some(entry) = self.entry(plan, asked) else { return Lookup::Miss(LowerBound::NONE, None) };
        let class = asked.entry.class;
        let gain = self.gain(ctld, classes, class);
        let alike = entry.class == class && entry.span == asked.span;
        let (valid, earliest) = match &entry.found.slot {
            Some((at, nodes)) => {
                // A reserved node may have gone down since.
                let open = classes.open(class);
                (*at > self.now && nodes.is_subset(open) && !self.differs(open, &entry, *at), *at)
            }
            None => {
                let ends = plan.next_end(ctld, entry.until);
                (ends.is_none_or(|at| at > plan.until()), entry.until)
            }
        };
        let shortfall = entry.found.shortfall;
        let later = shortfall.survives(gain.nodes, gain.tasks);
        let shortfall = shortfall.after(gain.nodes, gain.tasks);
        match (alike && valid, alike && later) {
            (true, true) => Lookup::Hit(FirstFit { shortfall, ..entry.found }),
            (true, false) => Lookup::HitUnlessEarlier(entry.found),
            (false, true) => Lookup::Miss(LowerBound { at: earliest, shortfall }, entry.reservation(plan)),
            (false, false) => Lookup::Miss(LowerBound::NONE, entry.reservation(plan)),
        }
    }

    /// Notes the old and the new reservation of an entry. If they are the same, nothing has changed.
    pub(super) fn note_moved(&mut self, old: Option<PlannedReservation>, new: Option<PlannedReservation>) {
        if old != new {
            old.into_iter().for_each(|reservation| self.note_released(&reservation));
            new.into_iter().for_each(|reservation| self.note_reserved(&reservation));
        }
    }

    /// The cached entry that matches. The reservations of unmatched entries before it are released.
    fn entry(&mut self, plan: &BackfillPlan, asked: SlotRequest) -> Option<CacheEntry> {
        let first = self.first(asked)?;
        for gone in self.next..first {
            self.advance_to(gone);
            let reservation = self.old[gone].reservation(plan);
            self.note_moved(reservation, None);
        }
        self.next = self.next.max(first);
        self.advance_to(self.next);
        let this =
            |e: &&mut CacheEntry| e.queued == (asked.entry.job(), asked.entry.part) && e.nth == asked.nth;
        let entry = self.old.get_mut(self.next).filter(this)?;
        self.next += 1;
        Some(CacheEntry { found: std::mem::take(&mut entry.found), ..*entry })
    }

    /// The index of the first cached entry that matches.
    fn first(&mut self, asked: SlotRequest) -> Option<usize> {
        match &mut self.matching {
            Matching::BySubsequence(pairs) => {
                while pairs.front().is_some_and(|(index, _)| *index < asked.index) {
                    pairs.pop_front();
                }
                pairs.front().filter(|(index, _)| *index == asked.index).map(|pair| pair.1)
            }
            Matching::ByKey(at) => {
                let position = (asked.entry.key, asked.entry.part);
                let firsts = self.old.iter().enumerate().skip(*at).filter(|(_, e)| e.nth == 0);
                let of = |e: &CacheEntry| (e.key, e.queued.1);
                let here = |e: &CacheEntry| e.queued.0 == asked.entry.job() && of(e) == position;
                let next =
                    firsts.map(|(i, e)| (i, e, here(e))).find(|(_, e, here)| *here || of(e) > position);
                *at = next.map_or(self.old.len(), |(i, ..)| i);
                next.filter(|(.., here)| *here).map(|(i, ..)| i)
            }
        }
    }

    /// Adds the changes that affect entries up to this one.
    fn advance_to(&mut self, entry: usize) {
        while self.unvisited.front().is_some_and(|u| u.0 <= entry) {
            if let Some((_, invalidations)) = self.unvisited.pop_front() {
                self.invalidations.changes.extend(invalidations.changes);
                self.invalidations.freed.union_with(&invalidations.freed);
                self.frees += 1;
            }
        }
    }

    /// Notes the release of a reservation.
    fn note_released(&mut self, reservation: &PlannedReservation) {
        self.invalidations.freed.union_with(&reservation.nodes);
        self.frees += 1;
        self.note_reserved(reservation);
    }

    /// Notes a new reservation, or the start of a job.
    pub(super) fn note_reserved(&mut self, reservation: &PlannedReservation) {
        if !self.old.is_empty() {
            self.invalidations.changes.push(ChangedWindow {
                nodes: reservation.nodes.clone(),
                from: reservation.from,
                to: reservation.to,
                logged: u64::MAX,
            });
        }
    }

    /// Whether any usable node changed during the reserved window after the entry was cached.
    fn differs(&self, nodes: &BitSet, entry: &CacheEntry, at: Time) -> bool {
        let then = |c: &&ChangedWindow| c.to > at && c.from.0 < at.0 + entry.span && c.logged >= entry.seen;
        self.invalidations.changes.iter().filter(then).any(|change| change.nodes.intersects(nodes))
    }

    /// Adds an entry's first fit to the cache.
    pub(super) fn insert(
        &mut self,
        ctld: &Slurmctld,
        plan: &BackfillPlan,
        asked: SlotRequest,
        found: FirstFit,
    ) {
        let SlotRequest { entry, nth, span, .. } = asked;
        let (until, seen) = (plan.until(), ctld.caches.availability.count());
        self.new.push(CacheEntry {
            queued: (entry.job(), entry.part),
            key: entry.key,
            nth,
            class: entry.class,
            span,
            found,
            until,
            seen,
        });
    }

    /// The capacity of the freed nodes for a class.
    fn gain(&mut self, ctld: &Slurmctld, classes: &mut RequestClasses, class: RequestClassId) -> Sums {
        let node_request = classes.node_request(class);
        let known = self.gains.iter().position(|g| g.0 == node_request);
        if let Some((_, _, sums)) = known.map(|at| self.gains[at]).filter(|g| g.1 == self.frees) {
            return sums;
        }
        let gain = (node_request, self.frees, classes.capacity_of(ctld, class, &self.invalidations.freed));
        match known {
            Some(at) => self.gains[at] = gain,
            None => self.gains.push(gain),
        }
        gain.2
    }
}

/// The longest common subsequence of entries of the pass and cached ones, each with the index of its first cached entry.
fn same_order(entries: &[CacheEntry], queue: &[QueueEntry]) -> VecDeque<(usize, usize)> {
    let firsts = entries.iter().enumerate().filter(|(_, e)| e.nth == 0);
    let mut known: Vec<((JobId, PartId), usize)> = firsts.map(|(i, e)| (e.queued, i)).collect();
    known.order();
    let pairs = queue.iter().enumerate().filter_map(|(index, entry)| {
        let at = known.binary_search_by_key(&(entry.job(), entry.part), |k| k.0).ok()?;
        Some((index, known[at].1))
    });
    longest_increasing_subsequence(&pairs.collect::<Vec<_>>()).into()
}
