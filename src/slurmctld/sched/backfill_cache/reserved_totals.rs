//! How much the reservations of a plan take from requests of each class, moment by moment. Free resources minus this sum is
//! an upper bound, so most moments need no look at single nodes.
//!
//! Reservations that overlap use different nodes, and what is free on a node only grows while nothing starts there, so each
//! reservation takes at least what it took at its beginning.

use crate::select::Sums;
use base::time::Time;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct ReservedTotals(Vec<(usize, Vec<TotalsStep>)>);

/// What is reserved from a moment on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TotalsStep {
    pub from: Time,
    pub kept: Sums,
}

impl ReservedTotals {
    /// Nothing is reserved; the memory stays.
    pub(super) fn clear(&mut self) {
        self.0.iter_mut().for_each(|node_request| node_request.1.clear());
    }

    /// What is reserved of a node request, in order of time; nothing before the first step.
    pub(super) fn from(&self, node_request: usize) -> &[TotalsStep] {
        self.0.iter().find(|k| k.0 == node_request).map_or(&[], |k| &k.1)
    }

    /// A reservation takes this much between two moments.
    pub(super) fn keep(&mut self, node_request: usize, (from, to): (Time, Time), kept: Sums) {
        let at = self.0.iter().position(|k| k.0 == node_request).unwrap_or_else(|| {
            self.0.push((node_request, Vec::new()));
            self.0.len() - 1
        });
        let steps = &mut self.0[at].1;
        let first = cut(steps, from);
        let end = cut(steps, to);
        for step in &mut steps[first..end] {
            step.kept = step.kept.plus(kept);
        }
    }
}

/// The step that begins at a moment.
fn cut(steps: &mut Vec<TotalsStep>, at: Time) -> usize {
    let next = steps.partition_point(|s| s.from < at);
    if steps.get(next).is_none_or(|s| s.from > at) {
        let kept = next.checked_sub(1).map_or_else(Sums::default, |before| steps[before].kept);
        steps.insert(next, TotalsStep { from: at, kept });
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_add_up_while_they_last() {
        let mut reserved = ReservedTotals::default();
        let sums = |nodes: u32| Sums { nodes, tasks: u64::from(nodes) * 10 };
        reserved.keep(3, (Time(10), Time(20)), sums(1));
        reserved.keep(3, (Time(15), Time(30)), sums(2));
        reserved.keep(4, (Time(0), Time(99)), sums(50));
        reserved.keep(3, (Time(20), Time(30)), sums(4));
        let seen: Vec<(i64, u32)> = reserved.from(3).iter().map(|s| (s.from.0, s.kept.nodes)).collect();
        assert_eq!(seen, [(10, 1), (15, 3), (20, 6), (30, 0)]);
        assert!(reserved.from(3).iter().all(|s| s.kept == sums(s.kept.nodes)));
        assert_eq!(reserved.from(5), []);
    }
}
