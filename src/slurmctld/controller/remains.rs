//! What is left of a controller that nobody needs any more, a fork above all: where it was the last to have thousands of nodes
//! and jobs as they were, to drop them takes its time.

use crate::Slurmctld;
use crate::select::Availability;
use crate::state::jobs::JobTable;
use crate::state::nodes::NodeTable;
use base::cow::CowMap;
use base::ids::DbIndex;
use slurmdbd::JobRecord;

/// Pages of jobs that are dropped at a time ...
const PAGES: u32 = 4;
/// ... or nodes.
const NODES: usize = 256;

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Remains {
    nodes: NodeTable,
    jobs: JobTable,
    records: CowMap<DbIndex, JobRecord>,
    availability: Availability,
}

impl Remains {
    /// Of this controller; what there are not very many of goes at once.
    #[must_use]
    pub fn of(mut ctld: Slurmctld) -> Self {
        Self {
            nodes: std::mem::take(&mut ctld.nodes),
            jobs: std::mem::take(&mut ctld.jobs),
            records: std::mem::take(&mut ctld.dbd.jobs),
            availability: std::mem::take(&mut ctld.caches.availability),
        }
    }

    /// Drops some; false when nothing is left.
    pub fn shed(&mut self) -> bool {
        (0..PAGES).all(|_| self.jobs.shed() || self.records.shed())
            || self.availability.shed(NODES)
            || self.nodes.shed(NODES)
    }
}
