//! topology/tree: the job gets nodes below the lowest switch that has enough, on as few leaf switches as possible. As recorded,
//! leaf switches are compared by their number of suitable nodes, not by CPUs.

use super::{Left, Taken};
use crate::select::SelectError;
use crate::select::offer::{Offer, SelectContext};
use base::bitset::BitSet;
use base::order::StableSort as _;
use config::NetworkSwitch;
use std::cmp::Reverse;

/// Takes nodes leaf by leaf from the nodes with the lowest weights that are enough. If they have different weights, 22.05 takes
/// all nodes with the lower weights, on any switch.
pub(super) fn pick(
    context: &SelectContext<'_>,
    offers: &[Offer],
    left: Left,
    switches: &[NetworkSwitch],
) -> Result<Vec<Taken>, SelectError> {
    let (fixed, others) = by_weight(offers, &left);
    match below_top(context, (&fixed, &others), left.clone(), switches) {
        Some(taken) => taken,
        // Without a common switch, nodes are taken without regard to the topology.
        None => super::plain(context, offers, left),
    }
}

/// The nodes of the lower weights, which are not enough together, and those of the next weight, with which they are.
fn by_weight(offers: &[Offer], left: &Left) -> (Vec<Offer>, Vec<Offer>) {
    let mut weights: Vec<u32> = offers.iter().map(|o| o.weight).collect();
    weights.order();
    weights.dedup();
    let enough = |most: &u32| {
        let light = || offers.iter().filter(|o| o.weight <= *most);
        let nodes = u32::try_from(light().count()).unwrap_or(u32::MAX);
        left.enough(nodes, light().map(|o| u64::from(o.cpus)).sum(), light().map(|o| o.gres).sum())
    };
    let last = weights.iter().position(enough).and_then(|at| weights.get(at)).copied();
    let last = last.or(weights.last().copied()).unwrap_or(0);
    (
        offers.iter().filter(|o| o.weight < last).copied().collect(),
        offers.iter().filter(|o| o.weight == last).copied().collect(),
    )
}

/// Takes nodes below the lowest switch that has enough; none: there is no such switch.
fn below_top(
    context: &SelectContext<'_>,
    (fixed, others): (&[Offer], &[Offer]),
    mut left: Left,
    switches: &[NetworkSwitch],
) -> Option<Result<Vec<Taken>, SelectError>> {
    let mut required = context.needs.required.clone();
    required.extend(fixed.iter().map(|o| o.node));
    let top = switches
        .iter()
        .filter(|s| s.level > 0 && required.is_subset(&s.nodes))
        .filter(|s| has_enough(fixed.iter().chain(others), s, &left))
        .min_by_key(|s| (s.level, s.nodes.len()))?;
    let below_it = |o: &&Offer| top.nodes.contains(o.node);
    if context.needs.style.spread {
        let below: Vec<Offer> = fixed.iter().chain(others).filter(below_it).copied().collect();
        return Some(super::spread(&below, left));
    }
    fixed.iter().for_each(|offer| left.take_if_wanted(*offer));
    let mut leaves: Vec<(&NetworkSwitch, Vec<Offer>)> = switches
        .iter()
        .filter(|s| s.level == 0 && s.nodes.is_subset(&top.nodes))
        .map(|leaf| (leaf, below(others, leaf)))
        .filter(|(_, offers)| !offers.is_empty())
        .collect();
    let mut used = switches.iter().filter(|s| s.level == 0 && s.nodes.intersects(&required)).count();
    while !left.done() && left.allowed > 0 && !leaves.is_empty() {
        let (leaf, here) = leaves.remove(best(&leaves, &left, &required));
        used += usize::from(!leaf.nodes.intersects(&required));
        here.into_iter().for_each(|offer| left.take_if_wanted(offer));
    }
    let many = context.needs.switches.is_some_and(|(most, _)| used > most as usize && !context.any_switches);
    Some(left.finish().and_then(|taken| if many { Err(SelectError::Switches) } else { Ok(taken) }))
}

fn has_enough<'o>(offers: impl Iterator<Item = &'o Offer>, switch: &NetworkSwitch, left: &Left) -> bool {
    let (mut nodes, mut cpus, mut gres) = (0, 0u64, 0u64);
    for offer in offers.filter(|o| switch.nodes.contains(o.node)) {
        nodes += 1;
        cpus += u64::from(offer.cpus);
        gres += offer.gres;
    }
    left.enough(nodes, cpus, gres)
}

fn below(offers: &[Offer], leaf: &NetworkSwitch) -> Vec<Offer> {
    let mut here: Vec<Offer> = offers.iter().filter(|o| leaf.nodes.contains(o.node)).copied().collect();
    here.order_by_key(|o| (o.weight, o.node));
    here
}

/// The leaf to take next: one with required nodes, otherwise the smallest with enough nodes, otherwise the largest.
fn best(leaves: &[(&NetworkSwitch, Vec<Offer>)], left: &Left, required: &BitSet) -> usize {
    let key = |(leaf, here): &(&NetworkSwitch, Vec<Offer>)| {
        let other = !leaf.nodes.intersects(required);
        let enough = here.len() >= left.nodes as usize;
        (other, !enough, if enough { here.len() } else { 0 }, Reverse(here.len()))
    };
    leaves.iter().enumerate().min_by_key(|(_, leaf)| key(leaf)).map_or(0, |(i, _)| i)
}
