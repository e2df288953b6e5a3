//! A merge sort that is compiled once.
//!
//! The standard library's sort is instantiated for every type and key, at about seven kilobytes each; fifty
//! instances were a tenth of the engine that the page loads. Here the sort runs on indices and exists once;
//! only the final permutation is compiled for each type.
//!
//! Cost: O(n log n), stable. [`Merge`] can run incrementally.

use std::cmp::Ordering;

/// Stable in-place sorting for slices.
pub trait StableSort<T> {
    /// Sorts by a comparison; equal items keep their order.
    fn order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Sorts by a key.
    fn order_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.order_by(|a, b| key(a).cmp(&key(b)));
    }

    /// Sorts by the natural order.
    fn order(&mut self)
    where
        T: Ord,
    {
        self.order_by(T::cmp);
    }
}

impl<T> StableSort<T> for [T] {
    fn order_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        if self.is_sorted_by(|a, b| compare(a, b) != Ordering::Greater) {
            return;
        }
        let mut merge = Merge::new(self.len());
        merge.go_on(usize::MAX, &mut |a, b| compare(&self[a], &self[b]));
        rearrange(self, merge.positions());
    }
}

/// The merge sort of the indices below `n`. It can run in slices, between other work.
pub struct Merge {
    /// The length of the sorted runs in `from`.
    width: usize,
    from: Vec<usize>,
    /// The merged output of the current pass so far.
    to: Vec<usize>,
    next: usize,
    /// The next index of the left run.
    left: usize,
    right: usize,
}

impl Merge {
    /// A sort of the indices below `n` in their initial order.
    #[must_use]
    pub fn new(n: usize) -> Self {
        let from: Vec<usize> = (0..n).collect();
        Self { width: 1, to: from.clone(), from, next: 0, left: 0, right: 0 }
    }

    /// Moves at most `moves` indices; returns true when the sort is done. `compare` must be consistent
    /// between calls.
    pub fn go_on(&mut self, mut moves: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> bool {
        let n = self.from.len();
        while self.width < n {
            if moves == 0 {
                return false;
            }
            let start = self.next - self.next % (2 * self.width);
            let (middle, end) = ((start + self.width).min(n), (start + 2 * self.width).min(n));
            if self.next == start {
                (self.left, self.right) = (start, middle);
            }
            let stop = end.min(self.next.saturating_add(moves));
            moves -= stop - self.next;
            self.merge(stop, middle, end, compare);
            if stop == n {
                std::mem::swap(&mut self.from, &mut self.to);
                self.width *= 2;
                self.next = 0;
            }
        }
        true
    }

    /// Merges two runs up to `end`.
    fn merge(
        &mut self,
        stop: usize,
        middle: usize,
        end: usize,
        compare: &mut dyn FnMut(usize, usize) -> Ordering,
    ) {
        let (from, mut left, mut right) = (&self.from, self.left, self.right);
        for item in &mut self.to[self.next..stop] {
            let first =
                right >= end || (left < middle && compare(from[left], from[right]) != Ordering::Greater);
            let next = if first { &mut left } else { &mut right };
            *item = from[*next];
            *next += 1;
        }
        (self.next, self.left, self.right) = (stop, left, right);
    }

    /// The sorted indices.
    #[must_use]
    pub fn positions(self) -> Vec<usize> {
        self.from
    }
}

/// Moves the item at `places[i]` to index `i`, cycle by cycle.
fn rearrange<T>(items: &mut [T], mut positions: Vec<usize>) {
    for start in 0..positions.len() {
        let mut here = start;
        loop {
            let next = std::mem::replace(&mut positions[here], here);
            if next == start || next == here {
                break;
            }
            items.swap(here, next);
            here = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_like_the_standard_library() {
        let mut seed = 7_u32;
        for n in 0..200_usize {
            let items: Vec<(u32, usize)> = (0..n)
                .map(|i| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (seed >> 28, i)
                })
                .collect();
            let (mut ours, mut theirs) = (items.clone(), items);
            ours.order_by_key(|i| i.0);
            theirs.sort_by_key(|i| i.0);
            assert_eq!(ours, theirs, "{n} things, equal ones in their old order");
            ours.order_by(|a, b| b.cmp(a));
            theirs.sort_by(|a, b| b.cmp(a));
            assert_eq!(ours, theirs);
        }
    }

    #[test]
    fn incremental_sort_equals_one_run() {
        let keys: Vec<u32> = (0_u32..300).map(|i| i.wrapping_mul(2_654_435_761) >> 27).collect();
        for n in [0, 1, 2, 3, 64, 255, 300] {
            let (mut once, mut compared) = (Merge::new(n), 0);
            assert!(once.go_on(usize::MAX, &mut |a, b| keys[a].cmp(&keys[b])));
            let mut bits = Merge::new(n);
            while !bits.go_on(7, &mut |a, b| {
                compared += 1;
                keys[a].cmp(&keys[b])
            }) {
                assert!(compared <= 7, "a comparison for each move at most");
                compared = 0;
            }
            assert_eq!(once.positions(), bits.positions(), "{n} numbers");
        }
    }
}
