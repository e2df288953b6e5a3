//! `OverSubscribe=FORCE` and `YES`: cores that several jobs of a partition use together.
//!
//! Slurm has a table of cores with a row for each job that may share them, and fills the rows one after the other. Here the layers
//! are counted core by core, with the same result.

use super::free::{Free, NodeJob};
use crate::Slurmctld;
use base::bitset::BitSet;
use base::ids::PartId;
use config::OverSubscribe;
use std::borrow::Cow;

/// How many jobs of the partition may share a core. With `OverSubscribe=YES`, only jobs that request it (`-s`) share cores. With
/// gang scheduling, the jobs take turns.
pub(super) fn layers(ctld: &Slurmctld, part: PartId, asked: bool) -> u32 {
    match ctld.partition(part).over_subscribe {
        OverSubscribe::Force(jobs) => jobs.max(1),
        OverSubscribe::Yes(jobs) if asked => jobs.max(1),
        OverSubscribe::Yes(_) | OverSubscribe::No | OverSubscribe::Exclusive => 1,
    }
}

/// The cores with at most `layer` jobs, if all these jobs share the cores of this partition.
pub(super) fn cores(free: &Free, part: PartId, layer: u32) -> Cow<'_, BitSet> {
    if layer == 0 {
        return Cow::Borrowed(&free.cores);
    }
    let mut all = free.cores.clone();
    let sharing = || free.jobs.iter().filter_map(|g| g.shared.as_ref());
    sharing().filter(|(p, _)| *p == part).for_each(|(_, cores)| all.union_with(cores));
    let fits = |core: &u32| {
        let here = || sharing().filter(|(_, cores)| cores.contains(*core));
        here().all(|(p, _)| *p == part) && here().count() <= layer as usize
    };
    let fit: BitSet = all.iter().filter(fits).collect();
    Cow::Owned(fit)
}

/// The cores that these jobs share. They are still in use after another job has ended.
pub(super) fn shared_cores(jobs: &[NodeJob]) -> BitSet {
    let mut used = BitSet::new();
    jobs.iter().filter_map(|g| g.shared.as_ref()).for_each(|(_, cores)| used.union_with(cores));
    used
}
