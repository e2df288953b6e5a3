//! Nodes: who holds which cores and GPUs, and a node's details.

use super::{People, queue};
use crate::base::ids::NodeId;
use crate::base::state::JobState;
use crate::commands::slurm::nodetext;
use crate::commands::slurm::squeue::rows::Row;
use crate::protocol::{CoreRun, NodeCell, NodeDetail};
use crate::slurmctld::Slurmctld;
use crate::slurmctld::job::{Job, NodeAlloc};
use crate::slurmctld::node::Node;
use crate::world::World;

/// Most jobs in a node's details.
const MAX_JOBS: usize = 200;

/// All nodes in the order of the configuration.
pub fn cells(ctld: &Slurmctld, people: &People) -> Vec<NodeCell> {
    let mut holders: Vec<Vec<Holder>> = vec![Vec::new(); ctld.nodes.len()];
    for job in ctld.jobs.values().filter(|j| holds(j)) {
        for part in job.allocation.iter().flat_map(|a| &a.nodes) {
            let user = queue::index(people, job.uid());
            if let Some(node) = holders.get_mut(part.node.0 as usize) {
                node.push(Holder { job, part, user });
            }
        }
    }
    ctld.nodes.iter().zip(&holders).map(|(node, holders)| cell(ctld, node, holders)).collect()
}

/// A job's part of a node.
#[derive(Clone)]
struct Holder<'a> {
    job: &'a Job,
    part: &'a NodeAlloc,
    user: u32,
}

fn holds(job: &Job) -> bool {
    queue::live(job) && job.allocation.is_some()
}

fn cell(ctld: &Slurmctld, node: &Node, holders: &[Holder]) -> NodeCell {
    let mut cores: Vec<CoreRun> = Vec::new();
    let holder_of = |core| holders.iter().find(|h| h.part.cores.contains(core));
    for core in 0..node.cores() {
        let run = holder_of(core).map_or_else(CoreRun::default, |h| CoreRun {
            count: 0,
            job: h.job.id.0,
            user: h.user,
            completing: h.job.flags.completing,
            suspended: h.job.state == JobState::Suspended,
        });
        match cores.last_mut() {
            Some(last) if CoreRun { count: 0, ..*last } == run => last.count += 1,
            Some(_) | None => cores.push(CoreRun { count: 1, ..run }),
        }
    }
    NodeCell { state: state(ctld, node), cores, mem_used_mib: node.mem_used, gpus: gpus(node, holders) }
}

fn gpus(node: &Node, holders: &[Holder]) -> Vec<u32> {
    let kinds = (0u32..).zip(&node.conf.gres).filter(|(_, g)| g.name == "gpu");
    let of = |place: u32, index: u32| {
        let mut all = holders.iter();
        let has = |h: &&Holder| h.part.gres.iter().any(|(p, set)| *p == place && set.contains(index));
        all.find(has).map_or(0, |h| h.job.id.0)
    };
    kinds.flat_map(|(place, g)| (0..g.count).map(move |i| (place, i))).map(|(p, i)| of(p, i)).collect()
}

/// As sinfo shows it.
fn state(ctld: &Slurmctld, node: &Node) -> String {
    nodetext::state_text(ctld, node).1.to_ascii_lowercase()
}

/// A node's details.
pub fn detail(world: &World, index: u32, people: &People) -> Option<NodeDetail> {
    let ctld = &world.ctld;
    let node = ctld.nodes.get(index as usize)?;
    let parts = ctld.partitions.iter().filter(|p| p.nodes.contains(index));
    let on_it = |job: &&Job| {
        let mut nodes = job.allocation.iter().flat_map(|a| &a.nodes);
        holds(job) && nodes.any(|n| n.node == NodeId(index))
    };
    let view = queue::view(world);
    let jobs = node.jobs.keys().filter_map(|id| ctld.job(*id)).filter(on_it);
    let rows = jobs.map(Row::of);
    Some(NodeDetail {
        name: node.conf.name.clone(),
        state: state(ctld, node),
        reason: node.reason.as_ref().map(|r| r.text.clone()).unwrap_or_default(),
        features: node.conf.features.join(","),
        gres: if node.conf.gres.is_empty() { String::new() } else { nodetext::gres(node) },
        cpus: node.cpus(),
        cpus_used: node.cpus_used,
        mem_mib: node.conf.real_memory,
        mem_used_mib: node.mem_used,
        partitions: parts.map(|p| p.name.clone()).collect(),
        jobs: rows.take(MAX_JOBS).map(|row| queue::row(&view, &row, people)).collect(),
    })
}
