//! Running jobs that give nodes back: `scontrol update jobid= NumNodes=` and `NodeList=`. Mirrors "Job size change" of
//! scontrol(1) and of faq.html. As recorded of 22.05: a job keeps its first nodes or those that are named; it never grows
//! (Slurm did that with `permit_job_expansion` only).

use super::Slurmctld;
use super::error::SlurmError;
use super::job::{Job, JobState};
use super::request::{JobUpdate, Order};
use super::steps::node_tres;
use crate::base::hostlist;
use crate::base::ids::{JobId, NodeId};
use crate::base::time::Time;
use crate::base::tres::Tres;
use std::sync::Arc;

impl Slurmctld {
    /// The nodes that an update of a running job takes from it.
    pub(super) fn leaves(&self, job: &Job, change: &JobUpdate) -> Result<Vec<NodeId>, SlurmError> {
        let has = self.nodes_of(job.id);
        if job.state != JobState::Running || job.flags.completing {
            return Err(SlurmError::JobNotPending);
        }
        let mut left = Vec::new();
        if let Some(list) = change.required.as_deref() {
            let names = hostlist::expand(list).map_err(|_| SlurmError::InvalidNodeName)?;
            let named = |name: &String| self.node_by_name(name).filter(|id| has.contains(id));
            let kept: Vec<NodeId> =
                names.iter().map(named).collect::<Option<_>>().ok_or(SlurmError::InvalidNodeName)?;
            let batch = job.batch_host.filter(|_| job.is_batch());
            if kept.is_empty() || batch.is_some_and(|host| !kept.contains(&host)) {
                return Err(SlurmError::InvalidNodeName);
            }
            left.extend(has.iter().filter(|id| !kept.contains(id)).copied());
        }
        match change.min_nodes.map(|n| n as usize) {
            None => {}
            Some(0) => return Err(SlurmError::JobNotPending),
            Some(n) if n > has.len() => return Err(SlurmError::NotSupported),
            Some(n) => {
                let surplus = has.len().saturating_sub(left.len()).saturating_sub(n);
                let more: Vec<NodeId> =
                    has.iter().rev().filter(|id| !left.contains(id)).take(surplus).copied().collect();
                left.extend(more);
            }
        }
        Ok(left)
    }

    /// Takes nodes from a running job; what runs there is killed. The database gets a record for each size.
    pub(super) fn shrink(&mut self, id: JobId, left: &[NodeId], now: Time) {
        if left.is_empty() {
            return;
        }
        self.charge(id, now);
        self.record_resized(id, now);
        for node in left {
            self.free_node(id, *node, now);
        }
        let Some(job) = self.jobs.get(id) else { return };
        let Some(mut allocation) = job.allocation.clone() else { return };
        allocation.nodes.retain(|n| !left.contains(&n.node));
        let mut tres = Tres { licenses: allocation.tres.licenses.clone(), ..Tres::default() };
        for part in &allocation.nodes {
            let one = node_tres(self, part);
            tres.cpu += one.cpu;
            tres.mem += one.mem;
            tres.node += one.node;
            for (name, count) in one.gres {
                *tres.gres.entry(name).or_default() += count;
            }
        }
        if let Some(part) = job.partitions.first() {
            let flags = self.cluster.global.priority.flags;
            tres.billing = super::needs::billing(self.partition(*part), &tres, flags);
        }
        allocation.tres = tres;
        let text = self.nodes_text(allocation.nodes.iter().map(|n| n.node));
        let nodes = u32::try_from(allocation.nodes.len()).unwrap_or(u32::MAX);
        self.change_job(id, |job| {
            Arc::make_mut(&mut job.needs).min_nodes = nodes;
            job.allocation = Some(allocation);
            job.nodes_text = text;
            job.resized = Some(now);
            job.db = None;
        });
        self.recount();
        self.record_pending(id);
        self.orders.push(Order::Leave { job: id, nodes: left.to_vec() });
        self.clock.want_schedule(now);
    }
}
