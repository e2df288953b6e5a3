//! GRES within a node: how much is free, and which units a job takes. `shard` and `mps` are parts of GPUs: a GPU with parts in
//! use is not free as a whole, and a GPU in use has no free parts.

use super::Free;
use base::bitset::BitSet;
use base::order::StableSort as _;
use config::{GresConf, NodeConf};

/// How many units of the kinds are free on the node. Parts of GPUs count only for the GPU with the most free parts, unless a job
/// may have parts of `several`.
pub(super) fn free(conf: &NodeConf, free: &Free, kinds: u64, several: bool) -> u64 {
    let mut sum = 0u64;
    for (gres, units) in conf.gres.iter().zip(&free.gres) {
        if kinds >> gres.id & 1 == 0 {
            continue;
        }
        sum += if gres.no_consume {
            gres.amount(gres.units())
        } else if conf.shares_gpus() {
            let open = available(conf, free, gres, units);
            let most = by_device(conf, gres, units, &open).iter().map(BitSet::len).max();
            gres.amount(most.filter(|_| gres.shares() && !several).unwrap_or(open.len()))
        } else {
            gres.amount(units.len())
        };
    }
    sum
}

/// The free parts of each GPU. `mps` uses only one GPU of a node at a time.
fn by_device(conf: &NodeConf, gres: &GresConf, units: &BitSet, open: &BitSet) -> Vec<BitSet> {
    let Some(gpus) = conf.gres.iter().find(|g| g.is_gpu()).filter(|_| gres.shares()) else {
        return Vec::new();
    };
    let parts = |gpu: u32| other_units(gpus, gpu, gres);
    let used = |gpu: &u32| gres.name == "mps" && parts(*gpu).any(|u| !units.contains(u));
    let only = (0..gpus.units()).find(used);
    let here = |gpu: u32| parts(gpu).filter(|u| open.contains(*u)).collect();
    (0..gpus.units()).filter(|gpu| only.is_none_or(|only| only == *gpu)).map(here).collect()
}

/// The free cores near devices of the kinds: those of the affinity group with the most free devices that has at least this many
/// units and cores. None if devices have no affinity (`Cores` of gres.conf(5)), or no single group is enough.
pub(super) fn near(
    conf: &NodeConf,
    free: &Free,
    kinds: u64,
    (count, cores): (u64, u32),
    open: &BitSet,
) -> Option<BitSet> {
    let mut best: Option<(u32, BitSet)> = None;
    let kinds = conf.gres.iter().zip(&free.gres).filter(|(g, _)| kinds >> g.id & 1 == 1);
    for (gres, group, units) in kinds.flat_map(|(g, units)| g.affinity.iter().map(move |p| (g, p, units))) {
        let (mut here, mut devices) = (open.clone(), units.clone());
        here.intersect_with(&group.cores);
        devices.intersect_with(&group.units);
        let enough = gres.amount(devices.len()) >= count && here.len() >= cores && here.len() < open.len();
        if enough && best.as_ref().is_none_or(|b| devices.len() > b.0) {
            best = Some((devices.len(), here));
        }
    }
    best.map(|b| b.1)
}

/// The cores near any free device of the kinds; none if devices have no affinity.
pub(super) fn reach(conf: &NodeConf, free: &Free, kinds: u64) -> Option<BitSet> {
    let mut all = BitSet::new();
    let mut bound = false;
    for (gres, units) in conf.gres.iter().zip(&free.gres).filter(|(g, _)| kinds >> g.id & 1 == 1) {
        bound |= !gres.affinity.is_empty();
        let open = gres.affinity.iter().filter(|group| group.units.intersects(units));
        open.for_each(|group| all.union_with(&group.cores));
    }
    bound.then_some(all)
}

/// The free cores for a job that may use only cores near its devices (`enforce-binding`), by affinity group: those of one group
/// with enough devices and cores, otherwise of as few groups as have enough together. None: there are not enough. Empty if
/// devices have no affinity.
pub(super) fn bound_cores(
    conf: &NodeConf,
    free: &Free,
    kinds: u64,
    (count, cores): (u64, u32),
    open: &BitSet,
) -> Option<Vec<BitSet>> {
    let kinds = || conf.gres.iter().zip(&free.gres).filter(|(g, _)| kinds >> g.id & 1 == 1);
    if kinds().all(|(g, _)| g.affinity.is_empty()) {
        return Some(Vec::new());
    }
    let mut all: Vec<(u64, BitSet)> = Vec::new();
    for (gres, group, units) in kinds().flat_map(|(g, units)| g.affinity.iter().map(move |p| (g, p, units))) {
        let (mut here, mut devices) = (open.clone(), units.clone());
        here.intersect_with(&group.cores);
        devices.intersect_with(&group.units);
        if !here.is_empty() && !devices.is_empty() {
            all.push((gres.amount(devices.len()), here));
        }
    }
    all.order_by_key(|group| std::cmp::Reverse(group.0));
    if let Some(at) = all.iter().position(|p| p.0 >= count && p.1.len() >= cores) {
        return Some(vec![all.swap_remove(at).1]);
    }
    let (mut devices, mut total) = (0, 0);
    let mut taken = Vec::new();
    for (units, here) in all.into_iter().take(usize::try_from(count).unwrap_or(usize::MAX)) {
        if devices >= count && total >= cores {
            break;
        }
        (devices, total) = (devices + units, total + here.len());
        taken.push(here);
    }
    (devices >= count && total >= cores).then_some(taken)
}

/// All free devices of a node. Parts of GPUs are not included.
pub(super) fn all_devices(conf: &NodeConf, free: &Free) -> Vec<(u32, BitSet)> {
    let all = (0u32..).zip(conf.gres.iter().zip(&free.gres));
    let whole = all.filter(|(_, (gres, units))| !gres.shares() && !gres.no_consume && !units.is_empty());
    whole.map(|(index, (_, units))| (index, units.clone())).collect()
}

/// Whether a job holds GRES of the kinds.
pub(super) fn covered(conf: &NodeConf, held: &[(u32, BitSet)], kinds: u64) -> bool {
    held.iter().any(|(index, _)| conf.gres.get(*index as usize).is_some_and(|g| kinds >> g.id & 1 == 1))
}

/// The units of a GRES that are near some of these cores; all units if they have no affinity.
fn close_to(gres: &GresConf, cores: &BitSet) -> BitSet {
    if gres.affinity.is_empty() {
        return BitSet::full(gres.units());
    }
    let mut units = BitSet::new();
    let near = gres.affinity.iter().filter(|p| p.cores.intersects(cores));
    near.for_each(|p| units.union_with(&p.units));
    units
}

/// The free units of a node with `shard` or `mps` whose GPU is not used in another way.
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

/// Adds `count` units of the kinds to `out`, devices near `cores` first.
pub(super) fn take(
    conf: &NodeConf,
    free: &Free,
    kinds: u64,
    count: u64,
    (cores, several): (&BitSet, bool),
    out: &mut Vec<(u32, BitSet)>,
) {
    let mut left = count;
    let fits = |g: &GresConf| kinds >> g.id & 1 == 1;
    for close in [true, false] {
        for (index, (gres, units)) in (0u32..).zip(conf.gres.iter().zip(&free.gres)) {
            if left == 0 || !fits(gres) || gres.no_consume {
                continue;
            }
            let mut open =
                if conf.shares_gpus() { available(conf, free, gres, units) } else { units.clone() };
            if let Some((_, mine)) = out.iter().find(|o| o.0 == index) {
                open.subtract(mine);
            }
            if close {
                open.intersect_with(&close_to(gres, cores));
            }
            let wanted = left.div_ceil(gres.grain().into());
            let order =
                if gres.shares() && !several { one_device(conf, gres, units, &open, wanted) } else { open };
            let taken: BitSet = order.iter().take(usize::try_from(wanted).unwrap_or(usize::MAX)).collect();
            left = left.saturating_sub(gres.amount(taken.len()));
            match out.iter_mut().find(|o| o.0 == index) {
                Some(o) => o.1.union_with(&taken),
                None if !taken.is_empty() => out.push((index, taken)),
                None => {}
            }
        }
    }
}

/// The free parts of the first GPU that has enough of them; otherwise those of all GPUs.
fn one_device(conf: &NodeConf, gres: &GresConf, units: &BitSet, open: &BitSet, wanted: u64) -> BitSet {
    let devices = by_device(conf, gres, units, open);
    devices.into_iter().find(|here| u64::from(here.len()) >= wanted).unwrap_or_else(|| open.clone())
}
