//! Estimates the memory of a copy of a world next to a later copy: the pages that the two do not share, and
//! everything outside pages. The figures per item are rough and the same on every machine. `cargo bench --bench
//! memory` compares their sum with the allocator's count.

use super::World;

/// Bytes for a job in the controller and its database record.
const JOB: u64 = 2_500;
const RECORD: u64 = 1_300;
/// Bytes for a shell with its script and environment.
const IMAGE: u64 = 8_000;
/// Bytes for the state of a node.
const NODE: u64 = 1_500;
/// Bytes for everything else: configuration, associations, counters.
const REST: u64 = 200_000;

impl World {
    /// Estimated bytes of this copy that a later one does not share.
    #[must_use]
    pub fn apart(&self, later: &Self) -> u64 {
        let (ctld, after) = (&self.ctld, &later.ctld);
        let nodes = u64::try_from(ctld.nodes.apart(&after.nodes)).unwrap_or(u64::MAX);
        let pages = ctld.jobs.apart(&after.jobs, |_, _| JOB)
            + ctld.dbd.jobs.apart(&after.dbd.jobs, |_, _| RECORD)
            + self.images.apart(&later.images, |_, _| IMAGE)
            + self.kernel.apart(&later.kernel);
        REST + NODE.saturating_mul(nodes) + pages
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Input;
    use base::time::{Span, Time};
    use config::SiteFiles;

    #[test]
    fn only_changes_use_memory() {
        let conf = "ClusterName=c\nSlurmctldHost=h\nNodeName=n[1-4] CPUs=8 RealMemory=1000\nPartitionName=p Nodes=ALL Default=YES\n";
        let files = SiteFiles([("slurm.conf".to_owned(), conf.to_owned())].into());
        let (mut world, _) = World::new("c", &files, 1, Time::from_secs(1_795_240_458));
        let before = world.clone();
        let still = before.apart(&world);
        let command = "sbatch --array=1-30 --mem=1 --wrap 'sleep 60'".to_owned();
        world.apply(&Input::Run { user: "root".to_owned(), command });
        let until = world.now + Span::from_secs(60);
        while world.now < until && world.step(until) {}
        assert!(world.ctld.dbd.jobs.len() > 10);
        let after = world.clone();
        assert_eq!(after.apart(&world), still, "a fresh copy shares all its pages");
        assert!(after.apart(&before) > still + 30 * RECORD, "{} {still}", after.apart(&before));
    }
}
