//! Drops a controller that is no longer needed, in steps. A fork that holds the last reference to old copies of
//! thousands of nodes and jobs takes time to free.

use crate::Slurmctld;
use crate::select::Availability;
use crate::state::jobs::JobTable;
use crate::state::nodes::NodeTable;
use base::cow::CowMap;
use base::ids::DbIndex;
use slurmdbd::JobRecord;

/// Pages of jobs that one step drops.
const PAGES: u32 = 4;
/// Nodes that one step drops.
const NODES: usize = 256;

/// The parts that are still to be dropped. See the module.
#[derive(Clone, Debug, Default)]
pub struct Teardown {
    nodes: NodeTable,
    jobs: JobTable,
    records: CowMap<DbIndex, JobRecord>,
    availability: Availability,
}

impl Teardown {
    /// Takes a controller apart. Small parts are dropped at once.
    #[must_use]
    pub fn of(mut ctld: Slurmctld) -> Self {
        Self {
            nodes: std::mem::take(&mut ctld.nodes),
            jobs: std::mem::take(&mut ctld.jobs),
            records: std::mem::take(&mut ctld.dbd.jobs),
            availability: std::mem::take(&mut ctld.caches.availability),
        }
    }

    /// Drops a few. Returns false when nothing is left.
    pub fn drop_some(&mut self) -> bool {
        (0..PAGES).all(|_| self.jobs.drop_some() || self.records.drop_some())
            || self.availability.drop_some(NODES)
            || self.nodes.drop_some(NODES)
    }
}
