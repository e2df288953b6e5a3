//! GRES within a node: how much is free, and which units a job takes. `shard` and `mps` are parts of GPUs: a GPU of
//! which parts are used is not free as a whole, and the other way round.

use super::Free;
use crate::base::bitset::BitSet;
use crate::config::{GresConf, NodeConf};

/// How many units of the kinds are free on the node.
pub(super) fn free(conf: &NodeConf, free: &Free, kinds: u64) -> u64 {
    let mut sum = 0u64;
    for (gres, units) in conf.gres.iter().zip(&free.gres) {
        if kinds >> gres.id & 1 == 0 {
            continue;
        }
        sum += if gres.no_consume {
            gres.amount(gres.units())
        } else if conf.shares_gpus() {
            gres.amount(available(conf, free, gres, units).len())
        } else {
            gres.amount(units.len())
        };
    }
    sum
}

/// The units of a node with `shard` or `mps` that nobody else's use of the same GPU blocks.
fn available(conf: &NodeConf, free: &Free, gres: &GresConf, units: &BitSet) -> BitSet {
    let linked = |other: &GresConf| gres.shares() != other.shares() && (gres.is_gpu() || other.is_gpu());
    let mut open = units.clone();
    for (other, theirs) in conf.gres.iter().zip(&free.gres).filter(|(o, _)| linked(o)) {
        let blocked = |unit: &u32| {
            let mut span = other_units(gres, *unit, other);
            span.any(|u| !theirs.contains(u))
        };
        open = open.iter().filter(|u| !blocked(u)).collect();
    }
    open
}

/// The units of `other` on the same device as a unit of `gres`: a GPU's shards, or a shard's GPU.
fn other_units(gres: &GresConf, unit: u32, other: &GresConf) -> std::ops::Range<u32> {
    let (mine, theirs) = (u64::from(gres.units().max(1)), u64::from(other.units()));
    let narrow = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    if gres.is_gpu() {
        narrow(u64::from(unit) * theirs / mine)..narrow(u64::from(unit + 1) * theirs / mine)
    } else {
        let gpu = narrow(u64::from(unit) * theirs / mine);
        gpu..gpu + 1
    }
}

/// Takes `count` of the kinds into `out`; devices near `cores` first.
pub(super) fn take(
    conf: &NodeConf,
    free: &Free,
    kinds: u64,
    count: u64,
    cores: &BitSet,
    out: &mut Vec<(u32, BitSet)>,
) {
    let mut left = count;
    let fits = |g: &GresConf| kinds >> g.id & 1 == 1;
    let near = |g: &GresConf| g.cores.as_ref().is_none_or(|c| c.intersects(cores));
    for close in [true, false] {
        for (place, (gres, units)) in (0u32..).zip(conf.gres.iter().zip(&free.gres)) {
            if left == 0 || !fits(gres) || near(gres) != close || gres.no_consume {
                continue;
            }
            let mut open =
                if conf.shares_gpus() { available(conf, free, gres, units) } else { units.clone() };
            if let Some((_, mine)) = out.iter().find(|o| o.0 == place) {
                open.subtract(mine);
            }
            let wanted = left.div_ceil(gres.grain().into());
            let order = if gres.shares() { one_device(conf, gres, &open, wanted) } else { open };
            let taken: BitSet = order.iter().take(usize::try_from(wanted).unwrap_or(usize::MAX)).collect();
            left = left.saturating_sub(gres.amount(taken.len()));
            match out.iter_mut().find(|o| o.0 == place) {
                Some(o) => o.1.union_with(&taken),
                None if !taken.is_empty() => out.push((place, taken)),
                None => {}
            }
        }
    }
}

/// The free parts of the first GPU that has enough of them; of all GPUs where none has.
fn one_device(conf: &NodeConf, gres: &GresConf, open: &BitSet, wanted: u64) -> BitSet {
    let Some(gpus) = conf.gres.iter().find(|g| g.is_gpu()) else { return open.clone() };
    for gpu in 0..gpus.units() {
        let here: BitSet = other_units(gpus, gpu, gres).filter(|u| open.contains(*u)).collect();
        if u64::from(here.len()) >= wanted {
            return here;
        }
    }
    open.clone()
}
