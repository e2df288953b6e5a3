//! Sorting that stays small. The standard library's sort is compiled anew, some seven kilobytes, for every type
//! and key; fifty of them are a tenth of the engine that the page loads. Here the merge sort exists once, on
//! numbers, and only moving things into place is compiled for each type. Stable; O(n log n).

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
        let places = merged(self.len(), &mut |a, b| compare(&self[a], &self[b]));
        rearrange(self, places);
    }
}

/// The numbers below `n` in order.
fn merged(n: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut from: Vec<usize> = (0..n).collect();
    let mut to = from.clone();
    let mut width = 1;
    while width < n {
        for start in (0..n).step_by(2 * width) {
            let (middle, end) = ((start + width).min(n), (start + 2 * width).min(n));
            let (mut left, mut right) = (start, middle);
            for place in &mut to[start..end] {
                let first =
                    right >= end || (left < middle && compare(from[left], from[right]) != Ordering::Greater);
                let next = if first { &mut left } else { &mut right };
                *place = from[*next];
                *next += 1;
            }
        }
        std::mem::swap(&mut from, &mut to);
        width *= 2;
    }
    from
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
}
