//! topology/tree: the job goes below the lowest switch that has enough for it, and there onto as few leaves as it can.
//! As recorded, leaves are compared by how many of their nodes would do, not by the CPUs of these.

use super::super::Refusal;
use super::super::room::{Offer, Room};
use super::{Left, Taken};
use crate::base::order::Order as _;
use crate::config::Switch;
use std::cmp::Reverse;

/// Takes nodes leaf by leaf.
pub(super) fn pick(
    room: &Room<'_>,
    offers: &[Offer],
    mut left: Left,
    switches: &[Switch],
) -> Result<Vec<Taken>, Refusal> {
    let required = &room.needs.required;
    let top = switches
        .iter()
        .filter(|s| s.level > 0 && required.is_subset(&s.nodes))
        .filter(|s| has_enough(offers, s, &left))
        .min_by_key(|s| (s.level, s.nodes.len()));
    // Without a switch above all of it, nodes are taken as if there were none.
    let Some(top) = top else { return super::plain(room, offers, left) };
    if room.needs.style.spread {
        let below: Vec<Offer> = offers.iter().filter(|o| top.nodes.contains(o.node)).copied().collect();
        return super::spread(&below, left);
    }
    let mut leaves: Vec<(&Switch, Vec<Offer>)> = switches
        .iter()
        .filter(|s| s.level == 0 && s.nodes.is_subset(&top.nodes))
        .map(|leaf| (leaf, below(offers, leaf)))
        .filter(|(_, offers)| !offers.is_empty())
        .collect();
    let mut used = switches.iter().filter(|s| s.level == 0 && s.nodes.intersects(required)).count();
    while !left.done() && left.room > 0 && !leaves.is_empty() {
        let (leaf, here) = leaves.remove(best(&leaves, &left, room));
        used += usize::from(!leaf.nodes.intersects(required));
        here.into_iter().for_each(|offer| left.take_if_wanted(offer));
    }
    let taken = left.finish()?;
    match room.needs.switches {
        Some((most, _)) if used > most as usize && !room.any_switches => Err(Refusal::Switches),
        Some(_) | None => Ok(taken),
    }
}

fn has_enough(offers: &[Offer], switch: &Switch, left: &Left) -> bool {
    let (mut nodes, mut cpus, mut gres) = (0, 0u64, 0u64);
    for offer in offers.iter().filter(|o| switch.nodes.contains(o.node)) {
        nodes += 1;
        cpus += u64::from(offer.cpus);
        gres += offer.gres;
    }
    left.enough(nodes, cpus, gres)
}

fn below(offers: &[Offer], leaf: &Switch) -> Vec<Offer> {
    let mut here: Vec<Offer> = offers.iter().filter(|o| leaf.nodes.contains(o.node)).copied().collect();
    here.order_by_key(|o| (o.weight, o.node));
    here
}

/// The leaf to take next: one with named nodes; else the smallest with enough nodes; else the largest.
fn best(leaves: &[(&Switch, Vec<Offer>)], left: &Left, room: &Room<'_>) -> usize {
    let key = |(leaf, here): &(&Switch, Vec<Offer>)| {
        let other = !leaf.nodes.intersects(&room.needs.required);
        let enough = here.len() >= left.nodes as usize;
        (other, !enough, if enough { here.len() } else { 0 }, Reverse(here.len()))
    };
    leaves.iter().enumerate().min_by_key(|(_, leaf)| key(leaf)).map_or(0, |(i, _)| i)
}
