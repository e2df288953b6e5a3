//! `OverSubscribe=FORCE` and `YES`: cores that several jobs of a partition use together.
//!
//! Slurm keeps a row of cores for each job that may be on top of others and fills them one after the other. Here the
//! layers are counted core by core, which comes to the same.

use super::free::{Free, NodeJob};
use crate::Slurmctld;
use base::bitset::BitSet;
use base::ids::PartId;
use config::OverSubscribe;
use std::borrow::Cow;

/// How many jobs of the partition may be on a core at once, for a job that asked for it (`-s`) or not. With gang
/// scheduling they take turns.
pub(super) fn layers(ctld: &Slurmctld, part: PartId, asked: bool) -> u32 {
    match ctld.partition(part).over_subscribe {
        OverSubscribe::Force(jobs) => jobs.max(1),
        OverSubscribe::Yes(jobs) if asked => jobs.max(1),
        OverSubscribe::Yes(_) | OverSubscribe::No | OverSubscribe::Exclusive => 1,
    }
}

/// The cores with at most `layer` jobs of the partition that share, and nobody else.
pub(super) fn cores(free: &Free, part: PartId, layer: u32) -> Cow<'_, BitSet> {
    if layer == 0 {
        return Cow::Borrowed(&free.cores);
    }
    let mut all = free.cores.clone();
    let sharing = || free.guests.iter().filter_map(|g| g.shared.as_ref());
    sharing().filter(|(p, _)| *p == part).for_each(|(_, cores)| all.union_with(cores));
    let fits = |core: &u32| {
        let here = || sharing().filter(|(_, cores)| cores.contains(*core));
        here().all(|(p, _)| *p == part) && here().count() <= layer as usize
    };
    let fit: BitSet = all.iter().filter(fits).collect();
    Cow::Owned(fit)
}

/// What is still used once a guest has gone: cores that others share.
pub(super) fn still_used(guests: &[NodeJob]) -> BitSet {
    let mut used = BitSet::new();
    guests.iter().filter_map(|g| g.shared.as_ref()).for_each(|(_, cores)| used.union_with(cores));
    used
}
