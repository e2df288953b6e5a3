//! How much the reservations of a plan take from the requests of each class over time. Free resources minus this sum is an upper
//! bound, so single nodes are examined at few moments only.
//!
//! Overlapping reservations use different nodes, and the free resources of a node only grow while nothing starts there. So each
//! reservation takes at least what it took at its beginning.

use crate::select::Sums;
use base::time::Time;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct ReservedTotals(Vec<(usize, Vec<TotalsStep>)>);

/// The reserved total from a moment on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TotalsStep {
    pub from: Time,
    pub sums: Sums,
}

impl ReservedTotals {
    /// Removes all reservations, but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.0.iter_mut().for_each(|node_request| node_request.1.clear());
    }

    /// The reserved totals of a node request, in order of time. Nothing is reserved before the first step.
    pub(super) fn from(&self, node_request: usize) -> &[TotalsStep] {
        self.0.iter().find(|k| k.0 == node_request).map_or(&[], |k| &k.1)
    }

    /// Adds a reservation that takes this much between two moments.
    pub(super) fn add(&mut self, node_request: usize, (from, to): (Time, Time), sums: Sums) {
        let at = self.0.iter().position(|k| k.0 == node_request).unwrap_or_else(|| {
            self.0.push((node_request, Vec::new()));
            self.0.len() - 1
        });
        let steps = &mut self.0[at].1;
        let first = split_at(steps, from);
        let end = split_at(steps, to);
        for step in &mut steps[first..end] {
            step.sums = step.sums.plus(sums);
        }
    }
}

/// The index of the step that begins at a moment, after adding one if necessary.
fn split_at(steps: &mut Vec<TotalsStep>, at: Time) -> usize {
    let next = steps.partition_point(|s| s.from < at);
    if steps.get(next).is_none_or(|s| s.from > at) {
        let sums = next.checked_sub(1).map_or_else(Sums::default, |before| steps[before].sums);
        steps.insert(next, TotalsStep { from: at, sums });
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_reservations_add_up() {
        let mut reserved = ReservedTotals::default();
        let sums = |nodes: u32| Sums { nodes, tasks: u64::from(nodes) * 10 };
        reserved.add(3, (Time(10), Time(20)), sums(1));
        reserved.add(3, (Time(15), Time(30)), sums(2));
        reserved.add(4, (Time(0), Time(99)), sums(50));
        reserved.add(3, (Time(20), Time(30)), sums(4));
        let seen: Vec<(i64, u32)> = reserved.from(3).iter().map(|s| (s.from.0, s.sums.nodes)).collect();
        assert_eq!(seen, [(10, 1), (15, 3), (20, 6), (30, 0)]);
        assert!(reserved.from(3).iter().all(|s| s.sums == sums(s.sums.nodes)));
        assert_eq!(reserved.from(5), []);
    }
}
