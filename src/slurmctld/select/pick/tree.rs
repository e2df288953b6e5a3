//! topology/tree: the job goes below the lowest switch that has enough for it, and there onto as few leaves as it can.

use super::super::Refusal;
use super::super::room::{Offer, Room};
use super::{Left, Taken};
use crate::base::order::Order as _;
use crate::config::Switch;

/// What hangs below a switch.
#[derive(Clone, Copy, Default)]
struct Sum {
    nodes: u32,
    cpus: u64,
    gres: u64,
}

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
        .filter(|s| required.is_subset(&s.nodes))
        .map(|s| (s, sum(offers, s)))
        .filter(|(_, sum)| left.enough(sum.nodes, sum.cpus, sum.gres))
        .min_by_key(|(s, sum)| (s.level, sum.nodes));
    // Without a switch above all of it, nodes are taken as if there were none.
    let Some((top, _)) = top else { return super::plain(room, offers, left) };
    if room.needs.style.spread {
        let below: Vec<Offer> = offers.iter().filter(|o| top.nodes.contains(o.node)).copied().collect();
        return super::spread(&below, left);
    }
    let mut leaves: Vec<&Switch> =
        switches.iter().filter(|s| s.level == 0 && s.nodes.is_subset(&top.nodes)).collect();
    let mut used = switches.iter().filter(|s| s.level == 0 && s.nodes.intersects(required)).count();
    while !left.done() && left.room > 0 {
        let Some(best) = best(offers, &leaves, &left, room) else { break };
        let leaf = leaves.remove(best);
        used += usize::from(!leaf.nodes.intersects(required));
        take_leaf(offers, leaf, &mut left);
    }
    let taken = left.finish()?;
    match room.needs.switches {
        Some((most, _)) if used > most as usize && !room.switches_waived() => Err(Refusal::Switches),
        Some(_) | None => Ok(taken),
    }
}

fn sum(offers: &[Offer], switch: &Switch) -> Sum {
    let mut sum = Sum::default();
    for offer in offers.iter().filter(|o| switch.nodes.contains(o.node)) {
        sum.nodes += 1;
        sum.cpus += u64::from(offer.cpus);
        sum.gres += offer.gres;
    }
    sum
}

/// The leaf to take next: one with required nodes, else the tightest that is enough, else the largest.
fn best(offers: &[Offer], leaves: &[&Switch], left: &Left, room: &Room<'_>) -> Option<usize> {
    let key = |leaf: &&Switch| {
        let sum = sum(offers, leaf);
        let enough = left.enough(sum.nodes, sum.cpus, sum.gres);
        let size = if enough { u64::from(sum.nodes) } else { u64::MAX - sum.cpus };
        (sum.nodes == 0, !leaf.nodes.intersects(&room.needs.required), !enough, size)
    };
    let best = leaves.iter().enumerate().min_by_key(|(_, leaf)| key(leaf))?;
    (!key(best.1).0).then_some(best.0)
}

fn take_leaf(offers: &[Offer], leaf: &Switch, left: &mut Left) {
    let mut here: Vec<Offer> = offers.iter().filter(|o| leaf.nodes.contains(o.node)).copied().collect();
    here.order_by_key(|o| (o.weight, o.node));
    super::consecutive::take_run(&here, left);
}
