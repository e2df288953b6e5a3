//! The controller: it keeps jobs, nodes and partitions, and decides what starts where and when.
//!
//! Policies (`sched`, `select`, `priority`, `preempt`) take `&Slurmctld` and return a plan or a
//! [`reason::Reason`]; `apply` alone changes the state. Time moves only through [`Slurmctld::timer`] and requests.

pub mod error;
pub mod job;
pub mod node;
pub mod reason;
pub mod request;

use crate::base::cow::CowMap;
use crate::base::ids::{JobId, NodeId, PartId};
use crate::base::time::Time;
use crate::config::{Cluster, PartConf};
use crate::slurmdbd::Slurmdbd;
use job::Job;
use node::Node;
use request::{Caller, Order, Request, Response};
use serde::{Deserialize, Serialize};

/// slurmctld's state, with slurmdbd's.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Slurmctld {
    /// The configuration as read.
    pub cluster: Cluster,
    /// Nodes, by [`NodeId`].
    pub nodes: Vec<Node>,
    /// Partitions, by [`PartId`]; changeable copies of the configuration.
    pub partitions: Vec<PartConf>,
    /// Jobs in memory: until `MinJobAge` after their end.
    pub jobs: CowMap<JobId, Job>,
    /// The accounting database.
    pub dbd: Slurmdbd,
    /// When the daemon started.
    pub boot: Time,
    /// The id that the next job gets.
    pub next_job: u32,
    orders: Vec<Order>,
}

impl Slurmctld {
    /// A controller that has just started, its nodes up.
    #[must_use]
    pub fn new(_cluster: Cluster, _now: Time) -> Self {
        todo!()
    }

    /// Carries out a request.
    pub fn request(&mut self, _caller: Caller, _request: Request, _now: Time) -> Response {
        todo!()
    }

    /// Its own clock: scheduling, time limits, node time-outs, purging. Called at each [`Order::Timer`].
    pub fn timer(&mut self, _now: Time) {
        todo!()
    }

    /// What it wants done, in order.
    pub fn take_orders(&mut self) -> Vec<Order> {
        std::mem::take(&mut self.orders)
    }

    /// A job in memory, by its own id (for arrays see [`job::Job::array`]).
    #[must_use]
    pub fn job(&self, id: JobId) -> Option<&Job> {
        self.jobs.get(id)
    }

    /// A node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// A partition.
    #[must_use]
    pub fn partition(&self, id: PartId) -> &PartConf {
        &self.partitions[id.0 as usize]
    }

    /// A partition by name.
    #[must_use]
    pub fn partition_by_name(&self, name: &str) -> Option<PartId> {
        let i = self.partitions.iter().position(|p| p.name == name)?;
        Some(PartId(u32::try_from(i).ok()?))
    }

    /// A node by name.
    #[must_use]
    pub fn node_by_name(&self, name: &str) -> Option<NodeId> {
        self.nodes.iter().find(|n| n.conf.name == name).map(|n| n.id)
    }
}
