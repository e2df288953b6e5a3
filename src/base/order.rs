//! Sorting that stays small. The standard library's sort is compiled anew, some seven kilobytes, for every type
//! and key; fifty of them are a tenth of the engine that the page loads. Here the merge sort exists once, on
//! numbers, and only moving things into place is compiled for each type. Stable; O(n log n). It can be done bit by bit.

use std::cmp::Ordering;

/// Sorting in place, for everything that is a slice.
pub trait Order<T> {
    /// By a comparison; equal things keep their order.
    fn order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// By a key.
    fn order_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.order_by(|a, b| key(a).cmp(&key(b)));
    }

    /// By their own order.
    fn order(&mut self)
    where
        T: Ord,
    {
        self.order_by(T::cmp);
    }
}

impl<T> Order<T> for [T] {
    fn order_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        if self.is_sorted_by(|a, b| compare(a, b) != Ordering::Greater) {
            return;
        }
        let mut merge = Merge::new(self.len());
        merge.go_on(usize::MAX, &mut |a, b| compare(&self[a], &self[b]));
        rearrange(self, merge.places());
    }
}

/// The merge sort, of the numbers below `n`: bit by bit, where somebody waits meanwhile.
pub struct Merge {
    /// Runs of so many neighbours are in order here ...
    width: usize,
    from: Vec<usize>,
    /// ... and two and two of them become one there; so far it has come.
    to: Vec<usize>,
    place: usize,
    /// What comes next of the two runs.
    left: usize,
    right: usize,
}

impl Merge {
    /// Of the numbers below `n`, as they come.
    #[must_use]
    pub fn new(n: usize) -> Self {
        let from: Vec<usize> = (0..n).collect();
        Self { width: 1, to: from.clone(), from, place: 0, left: 0, right: 0 }
    }

    /// Moves at most so many numbers, by a comparison that must be the same each time; true when all are in order.
    pub fn go_on(&mut self, mut moves: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> bool {
        let n = self.from.len();
        while self.width < n {
            if moves == 0 {
                return false;
            }
            let start = self.place - self.place % (2 * self.width);
            let (middle, end) = ((start + self.width).min(n), (start + 2 * self.width).min(n));
            if self.place == start {
                (self.left, self.right) = (start, middle);
            }
            let stop = end.min(self.place.saturating_add(moves));
            moves -= stop - self.place;
            self.merge(stop, middle, end, compare);
            if stop == n {
                std::mem::swap(&mut self.from, &mut self.to);
                self.width *= 2;
                self.place = 0;
            }
        }
        true
    }

    /// Goes on with two runs up to a place.
    fn merge(
        &mut self,
        stop: usize,
        middle: usize,
        end: usize,
        compare: &mut dyn FnMut(usize, usize) -> Ordering,
    ) {
        let (from, mut left, mut right) = (&self.from, self.left, self.right);
        for place in &mut self.to[self.place..stop] {
            let first =
                right >= end || (left < middle && compare(from[left], from[right]) != Ordering::Greater);
            let next = if first { &mut left } else { &mut right };
            *place = from[*next];
            *next += 1;
        }
        (self.place, self.left, self.right) = (stop, left, right);
    }

    /// The numbers in their order.
    #[must_use]
    pub fn places(self) -> Vec<usize> {
        self.from
    }
}

/// Puts the thing at `places[i]` at `i`, cycle by cycle.
fn rearrange<T>(items: &mut [T], mut places: Vec<usize>) {
    for start in 0..places.len() {
        let mut here = start;
        loop {
            let next = std::mem::replace(&mut places[here], here);
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
    fn as_the_standard_library_sorts() {
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
    fn bit_by_bit_as_at_once() {
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
            assert_eq!(once.places(), bits.places(), "{n} numbers");
        }
    }
}
