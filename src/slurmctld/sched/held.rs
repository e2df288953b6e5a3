//! How much the places of a plan keep from requests of each kind, moment by moment: what is free in all without that is
//! the most that somebody could find, so that most moments need no look at nodes.
//!
//! Places keep different nodes while they overlap, and what is free on a node grows with time as long as nobody starts
//! there, so each keeps at least what it kept at its beginning.

use super::super::select::Sums;
use crate::base::time::Time;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Held(Vec<(usize, Vec<Step>)>);

/// From a moment on so much is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub from: Time,
    pub kept: Sums,
}

impl Held {
    /// Nothing is kept; keeps its memory.
    pub(super) fn clear(&mut self) {
        self.0.iter_mut().for_each(|kind| kind.1.clear());
    }

    /// What is kept from a kind, in the order of time; nothing before the first step.
    pub(super) fn from(&self, kind: usize) -> &[Step] {
        self.0.iter().find(|k| k.0 == kind).map_or(&[], |k| &k.1)
    }

    /// A place of a kind keeps so much between two moments.
    pub(super) fn keep(&mut self, kind: usize, (from, to): (Time, Time), kept: Sums) {
        let at = self.0.iter().position(|k| k.0 == kind).unwrap_or_else(|| {
            self.0.push((kind, Vec::new()));
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
fn cut(steps: &mut Vec<Step>, at: Time) -> usize {
    let next = steps.partition_point(|s| s.from < at);
    if steps.get(next).is_none_or(|s| s.from > at) {
        let kept = next.checked_sub(1).map_or_else(Sums::default, |before| steps[before].kept);
        steps.insert(next, Step { from: at, kept });
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_add_up_while_they_last() {
        let mut held = Held::default();
        let sums = |nodes: u32| Sums { nodes, tasks: u64::from(nodes) * 10 };
        held.keep(3, (Time(10), Time(20)), sums(1));
        held.keep(3, (Time(15), Time(30)), sums(2));
        held.keep(4, (Time(0), Time(99)), sums(50));
        held.keep(3, (Time(20), Time(30)), sums(4));
        let seen: Vec<(i64, u32)> = held.from(3).iter().map(|s| (s.from.0, s.kept.nodes)).collect();
        assert_eq!(seen, [(10, 1), (15, 3), (20, 6), (30, 0)]);
        assert!(held.from(3).iter().all(|s| s.kept == sums(s.kept.nodes)));
        assert_eq!(held.from(5), []);
    }
}
