//! Layered layout of a directed acyclic graph.
//!
//! Vertices are layered by longest path (the first step of Sugiyama's method) and ordered by the barycentre of their
//! neighbours, with dummy vertices where an edge crosses a layer. Remaining crossings are the price of simplicity.
//! Connected components are stacked, and each layer is centred within its component, so a fan looks like a fan.

use base::order::StableSort as _;

/// Position of a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GraphSlot {
    /// Column, from the left.
    pub layer: usize,
    /// Row, from the top, in half rows.
    pub slot: usize,
}

/// The computed layout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphLayout {
    /// Positions of the vertices.
    pub slots: Vec<GraphSlot>,
    /// For each edge, the positions of its dummy vertices.
    pub ways: Vec<Vec<GraphSlot>>,
}

/// Number of ordering sweeps.
const ROUNDS: usize = 4;

/// Lays out `count` vertices; the second of each pair depends on the first. Invalid pairs have no path.
#[must_use]
pub fn layers(count: usize, pairs: &[(usize, usize)]) -> GraphLayout {
    let fits = |(a, b): &(usize, usize)| a != b && *a < count && *b < count;
    let mut layer = depths(count, &pairs.iter().copied().filter(fits).collect::<Vec<_>>());
    // An edge gets a dummy vertex in each layer that it crosses.
    let mut links = Vec::new();
    let mut ways: Vec<Vec<usize>> = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let mut way = Vec::new();
        if fits(pair) {
            let mut last = pair.0;
            for depth in layer[pair.0] + 1..layer[pair.1] {
                layer.push(depth);
                way.push(layer.len() - 1);
                links.push((last, layer.len() - 1));
                last = layer.len() - 1;
            }
            links.push((last, pair.1));
        }
        ways.push(way);
    }
    let slot = slots(&layer, &links);
    let slot_of = |i: usize| GraphSlot { layer: layer[i], slot: slot[i] };
    GraphLayout {
        slots: (0..count).map(slot_of).collect(),
        ways: ways.into_iter().map(|way| way.into_iter().map(slot_of).collect()).collect(),
    }
}

/// Layer of each vertex: the length of the longest path to it.
fn depths(count: usize, pairs: &[(usize, usize)]) -> Vec<usize> {
    let mut layer = vec![0_usize; count];
    // The longest path of an acyclic graph has fewer edges than vertices; with a cycle the loop still terminates.
    for _ in 0..count {
        let mut moved = false;
        for (from, to) in pairs {
            let least = (layer[*from] + 1).min(count - 1);
            moved |= layer[*to] < least;
            layer[*to] = layer[*to].max(least);
        }
        if !moved {
            break;
        }
    }
    layer
}

/// Row of each vertex within its layer, with the components below each other.
fn slots(layer: &[usize], links: &[(usize, usize)]) -> Vec<usize> {
    let deepest = layer.iter().max().map_or(0, |l| l + 1);
    let (mut before, mut behind) = (vec![Vec::new(); layer.len()], vec![Vec::new(); layer.len()]);
    for (from, to) in links {
        before[*to].push(*from);
        behind[*from].push(*to);
    }
    let (mut slot, mut top) = (vec![0_usize; layer.len()], 0);
    for part in parts(&before, &behind) {
        let mut rows: Vec<Vec<usize>> = vec![Vec::new(); deepest];
        part.into_iter().for_each(|i| rows[layer[i]].push(i));
        order(&rows, &before, &behind, &mut slot);
        let most = rows.iter().map(Vec::len).max().unwrap_or(0);
        for row in &rows {
            row.iter().for_each(|i| slot[*i] = top + most - row.len() + 2 * slot[*i]);
        }
        // More space around components with several rows.
        top += 2 * most + usize::from(most > 1);
    }
    slot
}

/// Connected components, ordered by their first vertex.
fn parts(before: &[Vec<usize>], behind: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut seen = vec![false; before.len()];
    let mut parts = Vec::new();
    for first in 0..before.len() {
        let mut part = Vec::new();
        let mut next = vec![first];
        while let Some(i) = next.pop() {
            if !std::mem::replace(&mut seen[i], true) {
                part.push(i);
                next.extend(before[i].iter().chain(&behind[i]));
            }
        }
        if !part.is_empty() {
            part.order();
            parts.push(part);
        }
    }
    parts
}

/// Orders each layer by the barycentre of its neighbours, in alternating sweeps.
fn order(rows: &[Vec<usize>], before: &[Vec<usize>], behind: &[Vec<usize>], slot: &mut [usize]) {
    for row in rows {
        row.iter().enumerate().for_each(|(at, i)| slot[*i] = at);
    }
    for round in 0..ROUNDS {
        let forward = round % 2 == 0;
        let neighbours = if forward { before } else { behind };
        for step in 0..rows.len() {
            let depth = if forward { step } else { rows.len() - 1 - step };
            // Mean position in hundredths of a slot, so that means are comparable. Vertices without neighbours keep
            // their place.
            let near = |i: usize| {
                let mine = &neighbours[i];
                let sum: usize = mine.iter().map(|o| slot[*o]).sum();
                if mine.is_empty() { slot[i] * 100 } else { sum * 100 / mine.len() }
            };
            let mut row: Vec<(usize, usize)> = rows[depth].iter().map(|i| (near(*i), *i)).collect();
            row.order_by_key(|(mean, i)| (*mean, slot[*i]));
            row.iter().enumerate().for_each(|(at, (_, i))| slot[*i] = at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_right_of_their_dependencies() {
        // A diamond with a tail: 0 -> 1, 2 -> 3 -> 4, and 0 -> 4 past the others.
        let pairs = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (0, 4)];
        let GraphLayout { slots, ways } = layers(5, &pairs);
        assert_eq!(slots.iter().map(|p| p.layer).collect::<Vec<_>>(), [0, 1, 1, 2, 3]);
        assert!(slots[1].slot != slots[2].slot);
        assert_eq!(ways[5].iter().map(|p| p.layer).collect::<Vec<_>>(), [1, 2]);
        assert!(ways[5].iter().all(|p| !slots.contains(p)), "{ways:?} {slots:?}");
        // Two separate chains do not cross.
        let slots = layers(4, &[(0, 3), (1, 2)]).slots;
        assert_eq!(slots.iter().map(|p| p.slot).collect::<Vec<_>>(), [0, 2, 2, 0]);
    }

    #[test]
    fn components_are_separate_and_their_layers_centred() {
        // A fan of three that joins again, and a chain whose jobs were submitted in between.
        let fan = [(0, 2), (0, 4), (0, 6), (2, 7), (4, 7), (6, 7)];
        let chain = [(1, 3), (3, 5)];
        let slots = layers(8, &[&fan[..], &chain[..]].concat()).slots;
        let slot = |i: usize| slots[i].slot;
        assert_eq!(
            [0, 2, 4, 6, 7].map(slot),
            [2, 0, 2, 4, 2],
            "who spreads and who gathers stand in the middle"
        );
        assert!(
            [1, 3, 5].map(slot).iter().all(|s| *s == slot(1) && *s > 5),
            "the chain is one line below: {slots:?}"
        );
    }

    #[test]
    fn cycles_and_invalid_pairs_terminate() {
        let layout = layers(2, &[(0, 1), (1, 0), (0, 0), (7, 1)]);
        assert_eq!((layout.slots.len(), layout.ways.len()), (2, 4));
        assert_eq!(layers(0, &[(0, 1)]).slots, []);
    }
}
