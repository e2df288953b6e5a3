//! GRES within a node: how much is free, and which units a job takes. `shard` and `mps` are parts of GPUs: a GPU with
//! parts in use is not free as a whole, and the other way round.

use super::Free;
use base::bitset::BitSet;
use base::order::StableSort as _;
use config::{GresConf, NodeConf};

/// How many units of the kinds are free on the node; of parts of GPUs as many as one GPU has, unless a job may have parts
/// of `several`.
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

/// The open parts of each GPU. Of `mps` only one GPU of a node is used at a time.
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

/// The cores near devices of the kinds that are enough for so many units, and for so many cores: of the place with the most
/// free devices, the first of equals. None where devices have no place, or no single place is enough.
pub(super) fn near(
    conf: &NodeConf,
    free: &Free,
    kinds: u64,
    (count, cores): (u64, u32),
    open: &BitSet,
) -> Option<BitSet> {
    let mut best: Option<(u32, BitSet)> = None;
    let kinds = conf.gres.iter().zip(&free.gres).filter(|(g, _)| kinds >> g.id & 1 == 1);
    for (gres, place, units) in kinds.flat_map(|(g, units)| g.places.iter().map(move |p| (g, p, units))) {
        let (mut here, mut devices) = (open.clone(), units.clone());
        here.intersect_with(&place.cores);
        devices.intersect_with(&place.units);
        let enough = gres.amount(devices.len()) >= count && here.len() >= cores && here.len() < open.len();
        if enough && best.as_ref().is_none_or(|b| devices.len() > b.0) {
            best = Some((devices.len(), here));
        }
    }
    best.map(|b| b.1)
}

/// The cores near any free device of the kinds; none where devices have no place.
pub(super) fn reach(conf: &NodeConf, free: &Free, kinds: u64) -> Option<BitSet> {
    let mut all = BitSet::new();
    let mut placed = false;
    for (gres, units) in conf.gres.iter().zip(&free.gres).filter(|(g, _)| kinds >> g.id & 1 == 1) {
        placed |= !gres.places.is_empty();
        let open = gres.places.iter().filter(|place| place.units.intersects(units));
        open.for_each(|place| all.union_with(&place.cores));
    }
    placed.then_some(all)
}

/// The places of devices that a job gets that has no cores but those near its devices (`enforce-binding`): one with enough
/// devices and cores, else as few as have them together, each with a device of it. Of each the free cores; none: there
/// are not enough. Empty where devices have no place.
pub(super) fn places(
    conf: &NodeConf,
    free: &Free,
    kinds: u64,
    (count, cores): (u64, u32),
    open: &BitSet,
) -> Option<Vec<BitSet>> {
    let kinds = || conf.gres.iter().zip(&free.gres).filter(|(g, _)| kinds >> g.id & 1 == 1);
    if kinds().all(|(g, _)| g.places.is_empty()) {
        return Some(Vec::new());
    }
    let mut all: Vec<(u64, BitSet)> = Vec::new();
    for (gres, place, units) in kinds().flat_map(|(g, units)| g.places.iter().map(move |p| (g, p, units))) {
        let (mut here, mut devices) = (open.clone(), units.clone());
        here.intersect_with(&place.cores);
        devices.intersect_with(&place.units);
        if !here.is_empty() && !devices.is_empty() {
            all.push((gres.amount(devices.len()), here));
        }
    }
    all.order_by_key(|place| std::cmp::Reverse(place.0));
    if let Some(at) = all.iter().position(|p| p.0 >= count && p.1.len() >= cores) {
        return Some(vec![all.swap_remove(at).1]);
    }
    let (mut devices, mut there) = (0, 0);
    let mut taken = Vec::new();
    for (units, here) in all.into_iter().take(usize::try_from(count).unwrap_or(usize::MAX)) {
        if devices >= count && there >= cores {
            break;
        }
        (devices, there) = (devices + units, there + here.len());
        taken.push(here);
    }
    (devices >= count && there >= cores).then_some(taken)
}

/// All free devices of a node: GPUs, but not parts of them.
pub(super) fn all_devices(conf: &NodeConf, free: &Free) -> Vec<(u32, BitSet)> {
    let all = (0u32..).zip(conf.gres.iter().zip(&free.gres));
    let whole = all.filter(|(_, (gres, units))| !gres.shares() && !gres.no_consume && !units.is_empty());
    whole.map(|(place, (_, units))| (place, units.clone())).collect()
}

/// Whether a job holds GRES of the kinds.
pub(super) fn covered(conf: &NodeConf, held: &[(u32, BitSet)], kinds: u64) -> bool {
    held.iter().any(|(place, _)| conf.gres.get(*place as usize).is_some_and(|g| kinds >> g.id & 1 == 1))
}

/// The units of a GRES that are near some of these cores; all where nobody says where they are.
fn close_to(gres: &GresConf, cores: &BitSet) -> BitSet {
    if gres.places.is_empty() {
        return BitSet::full(gres.units());
    }
    let mut units = BitSet::new();
    let near = gres.places.iter().filter(|p| p.cores.intersects(cores));
    near.for_each(|p| units.union_with(&p.units));
    units
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
    (cores, several): (&BitSet, bool),
    out: &mut Vec<(u32, BitSet)>,
) {
    let mut left = count;
    let fits = |g: &GresConf| kinds >> g.id & 1 == 1;
    for close in [true, false] {
        for (place, (gres, units)) in (0u32..).zip(conf.gres.iter().zip(&free.gres)) {
            if left == 0 || !fits(gres) || gres.no_consume {
                continue;
            }
            let mut open =
                if conf.shares_gpus() { available(conf, free, gres, units) } else { units.clone() };
            if let Some((_, mine)) = out.iter().find(|o| o.0 == place) {
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
            match out.iter_mut().find(|o| o.0 == place) {
                Some(o) => o.1.union_with(&taken),
                None if !taken.is_empty() => out.push((place, taken)),
                None => {}
            }
        }
    }
}

/// The free parts of the first GPU that has enough of them; of all GPUs where none has.
fn one_device(conf: &NodeConf, gres: &GresConf, units: &BitSet, open: &BitSet, wanted: u64) -> BitSet {
    let devices = by_device(conf, gres, units, open);
    devices.into_iter().find(|here| u64::from(here.len()) >= wanted).unwrap_or_else(|| open.clone())
}
