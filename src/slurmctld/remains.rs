//! What is left of a controller that nobody needs any more, a fork above all: where it was the last to have thousands of nodes
//! and jobs as they were, to drop them takes its time.

use super::Slurmctld;
use super::job::Job;
use super::node::Node;
use super::select::Forecast;
use crate::base::cow::CowMap;
use crate::base::ids::{DbIndex, JobId};
use crate::base::shared::Shared;
use crate::slurmdbd::JobRecord;

/// Pages of jobs that are dropped at a time ...
const PAGES: u32 = 4;
/// ... or nodes.
const NODES: usize = 256;

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Remains {
    nodes: Shared<Node>,
    jobs: CowMap<JobId, Job>,
    records: CowMap<DbIndex, JobRecord>,
    forecast: Forecast,
}

impl Remains {
    /// Of this controller; what there are not very many of goes at once.
    #[must_use]
    pub fn of(mut ctld: Slurmctld) -> Self {
        Self {
            nodes: std::mem::take(&mut ctld.nodes),
            jobs: std::mem::take(&mut ctld.jobs),
            records: std::mem::take(&mut ctld.dbd.jobs),
            forecast: std::mem::take(&mut ctld.live.forecast),
        }
    }

    /// Drops some; false when nothing is left.
    pub fn shed(&mut self) -> bool {
        (0..PAGES).all(|_| self.jobs.shed() || self.records.shed())
            || self.forecast.shed(NODES)
            || self.nodes.shed(NODES)
    }
}
