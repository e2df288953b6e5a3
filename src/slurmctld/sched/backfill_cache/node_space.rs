//! Reserved nodes over time: time is cut into slots, each with the set of nodes that are reserved in it (Slurm's backfill node
//! space table).

use super::plan::PlannedReservation;
use base::time::Time;

/// The slots. They cover all of time without gaps.
#[derive(Debug, Default)]
pub(super) struct NodeSpace {
    /// Number of words in a set of all nodes.
    words: usize,
    /// The start of each slot, and the index of its set.
    slots: Vec<(Time, usize)>,
    /// The sets of reserved nodes, one after the other.
    busy: Vec<u64>,
}

impl NodeSpace {
    /// Removes all reservations, but keeps the memory.
    pub(super) fn reset(&mut self, nodes: usize) {
        self.words = nodes.div_ceil(64);
        self.slots.clear();
        self.slots.push((Time(i64::MIN), 0));
        self.busy.clear();
        self.busy.resize(self.words, 0);
    }

    /// Number of words in a set of all nodes.
    pub(super) const fn words(&self) -> usize {
        self.words
    }

    /// Adds a reservation.
    pub(super) fn add(&mut self, reservation: &PlannedReservation) {
        let first = self.split_at(reservation.from);
        let end = self.split_at(reservation.to);
        for (_, set) in &self.slots[first..end] {
            unite(&mut self.busy[set * self.words..], reservation.nodes.words());
        }
    }

    /// The index of the slot that begins at a moment, after splitting a slot if necessary.
    fn split_at(&mut self, at: Time) -> usize {
        let next = self.slots.partition_point(|s| s.0 < at);
        if self.slots.get(next).is_none_or(|s| s.0 > at) {
            let (set, before) = (self.slots.len(), self.slots[next - 1].1 * self.words);
            self.busy.extend_from_within(before..before + self.words);
            self.slots.insert(next, (at, set));
        }
        next
    }

    /// The nodes that are reserved in a slot.
    fn busy(&self, slot: usize) -> &[u64] {
        let first = self.slots[slot].1 * self.words;
        &self.busy[first..first + self.words]
    }

    /// Whether there is a slot that begins before a moment.
    fn begins_before(&self, slot: usize, at: Time) -> bool {
        self.slots.get(slot).is_some_and(|s| s.0 < at)
    }
}

/// The nodes that are reserved at any time in a sliding window over the slots.
///
/// As in a queue made of two stacks, it stores the union from each slot up to a middle, and the union from the middle on. A step
/// costs an amortised constant number of unions.
#[derive(Debug, Default)]
pub(super) struct Window {
    /// The window has the slots from `low` up to but not including `high`, with `middle` in between.
    low: usize,
    middle: usize,
    high: usize,
    /// The first slot of `front`, which has the union up to the middle for each slot.
    base: usize,
    front: Vec<u64>,
    back: Vec<u64>,
    both: Vec<u64>,
}

impl Window {
    /// Moves the window to the beginning of time.
    pub(super) fn begin(&mut self, node_space: &NodeSpace) {
        (self.low, self.middle, self.high, self.base) = (0, 0, 0, 0);
        self.front.clear();
        self.back.clear();
        self.back.resize(node_space.words, 0);
        self.both.clear();
        self.both.resize(node_space.words, 0);
    }

    /// Moves the window forward. Returns the nodes that are reserved at any time in it.
    pub(super) fn between(&mut self, node_space: &NodeSpace, from: Time, to: Time) -> &[u64] {
        while node_space.begins_before(self.low + 1, Time(from.0 + 1)) {
            self.low += 1;
        }
        self.high = self.high.max(self.low);
        let first = self.high;
        while node_space.begins_before(self.high, to) {
            self.high += 1;
        }
        if self.low >= self.middle {
            self.rebuild_front(node_space);
        } else {
            (first..self.high).for_each(|slot| unite(&mut self.back, node_space.busy(slot)));
        }
        let front = (self.low - self.base) * node_space.words;
        self.both.copy_from_slice(&self.back);
        if let Some(front) = self.front.get(front..front + node_space.words) {
            unite(&mut self.both, front);
        }
        &self.both
    }

    /// Moves the middle to the end of the window.
    fn rebuild_front(&mut self, node_space: &NodeSpace) {
        let words = node_space.words;
        (self.base, self.middle) = (self.low, self.high);
        self.back.fill(0);
        self.front.clear();
        self.front.resize((self.high - self.low) * words, 0);
        for (i, slot) in (self.low..self.high).enumerate().rev() {
            let (this, later) = self.front[i * words..].split_at_mut(words);
            this.copy_from_slice(node_space.busy(slot));
            if let Some(next) = later.get(..words) {
                unite(this, next);
            }
        }
    }
}

/// Adds one set's nodes to another's.
pub(super) fn unite(all: &mut [u64], more: &[u64]) {
    all.iter_mut().zip(more).for_each(|(a, b)| *a |= b);
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::bitset::BitSet;

    #[test]
    fn a_window_has_the_reservations_that_overlap_it() {
        let mut seed = 3_u64;
        let mut dice = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % n
        };
        for _ in 0..200 {
            let mut node_space = NodeSpace::default();
            node_space.reset(100);
            let reservations: Vec<PlannedReservation> = (0..dice(20))
                .map(|_| {
                    let from = dice(50) as i64;
                    let nodes: BitSet = (0..dice(6)).map(|_| dice(100) as u32).collect();
                    PlannedReservation { from: Time(from), to: Time(from + 1 + dice(30) as i64), nodes }
                })
                .collect();
            reservations.iter().for_each(|p| node_space.add(p));
            let mut window = Window::default();
            window.begin(&node_space);
            let (mut at, span) = (0, 1 + dice(40) as i64);
            while at < 100 {
                let mut expected = BitSet::new();
                let overlaps = |p: &&PlannedReservation| p.from.0 < at + span && p.to.0 > at;
                reservations.iter().filter(overlaps).for_each(|p| expected.union_with(&p.nodes));
                let seen = window.between(&node_space, Time(at), Time(at + span)).to_vec();
                assert_eq!(BitSet::from_words(seen), expected);
                at += 1 + dice(9) as i64;
            }
        }
    }
}
