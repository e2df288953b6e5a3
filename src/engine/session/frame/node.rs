//! Nodes: the jobs on their cores and GPUs, and a node's details.

use super::machine::{FNV, machine, mix, stamp};
use super::{People, queue};
use crate::world::World;
use base::ids::NodeId;
use base::state::JobState;
use commands::slurm::nodetext;
use commands::slurm::squeue::row::SqueueRow;
use protocol::{CellChanges, CoreRun, MachineInfo, NodeCell, NodeDetail};
use slurmctld::Slurmctld;
use slurmctld::job::{Job, NodeAlloc};
use slurmctld::node::Node;

/// Maximum number of jobs in a node's details.
const MAX_JOBS: usize = 200;

/// Maximum number of nodes inspected for a frame.
const LOOKED: usize = 2_500;
/// Maximum number of nodes described in a frame. Describing one takes much longer than inspecting one.
const DESCRIBED: usize = 8;

/// What the page knows about the nodes: a fingerprint of each. Only nodes with a changed fingerprint are
/// described again and sent. With very many nodes, each frame covers some of them in turn.
#[derive(Default)]
pub struct KnownNodes {
    /// None if the node must be described in any case.
    nodes: Vec<Option<u64>>,
    /// Fingerprint of the nodes and partitions; none means those that the page was started with.
    machine: Option<u64>,
    /// The node to inspect next.
    next: usize,
    /// Nodes that were not inspected since the last event.
    left: usize,
    /// The number of that event.
    step: Option<u64>,
}

impl KnownNodes {
    /// Nodes and partitions, if they have changed. All nodes are then described again.
    pub fn machine(&mut self, ctld: &Slurmctld) -> Option<MachineInfo> {
        let now = stamp(ctld);
        let other = self.machine.replace(now).is_some_and(|before| before != now);
        if other {
            self.nodes.clear();
        }
        other.then(|| machine(ctld))
    }

    /// Frames now show another moment.
    pub const fn elsewhere(&mut self) {
        self.step = None;
    }

    /// Whether some nodes are still to be inspected, even if nothing else happens.
    pub const fn is_behind(&self) -> bool {
        self.left > 0
    }

    /// Nodes that changed; the first time all nodes.
    pub fn changes(&mut self, ctld: &Slurmctld, step: u64, people: &People) -> CellChanges {
        let count = ctld.nodes.len();
        let all = self.nodes.len() != count;
        if all {
            (self.nodes, self.next) = (vec![None; count], 0);
        }
        if all || self.step.replace(step) != Some(step) {
            self.left = count;
        }
        let (mut cells, mut looks) = (Vec::new(), 0);
        for _ in 0..count {
            if looks >= LOOKED {
                break;
            }
            let position = self.next;
            self.next = (position + 1) % count;
            self.left = self.left.saturating_sub(1);
            looks += 1;
            let (Some(node), Some(known)) = (ctld.nodes.get(position), self.nodes.get_mut(position)) else {
                break;
            };
            let print = fingerprint(ctld, node);
            if known.replace(print) != Some(print) {
                looks += DESCRIBED;
                cells.push((node.id.0, cell(ctld, node, &holders(ctld, node, people))));
            }
        }
        CellChanges { all, cells }
    }
}

/// A fingerprint of a node's state, its jobs and their usage. The cores and GPUs of a job on a node do not
/// change while it has them. When it releases some, the node's counters change.
fn fingerprint(ctld: &Slurmctld, node: &Node) -> u64 {
    let shown = nodetext::shown(ctld, node);
    let state_bits = u64::from(shown.number) | u64::from(shown.completing) << 40 | 1 << 41;
    let jobs = node.jobs.iter().flat_map(|(id, cpus)| [u64::from(id.0), u64::from(*cpus)]);
    let apart = node.completing.keys().chain(&node.suspended).map(|id| u64::from(id.0));
    let used = [node.mem_used, u64::from(node.cpus_used), u64::from(node.cores_used.len())];
    [state_bits].into_iter().chain(used).chain(jobs).chain([u64::MAX]).chain(apart).fold(FNV, mix)
}

/// The jobs with resources on a node.
fn holders<'a>(ctld: &'a Slurmctld, node: &Node, people: &People) -> Vec<Holder<'a>> {
    let jobs = node.jobs.keys().filter_map(|id| ctld.job(*id)).filter(|job| holds(job));
    let part = |job: &'a Job| {
        let part = job.allocation.as_ref()?.on(node.id)?;
        Some(Holder { job, part, user: queue::index(people, job.uid()) })
    };
    jobs.filter_map(part).collect()
}

/// A job's resources on a node.
struct Holder<'a> {
    job: &'a Job,
    part: &'a NodeAlloc,
    user: u32,
}

fn holds(job: &Job) -> bool {
    job.is_live() && job.allocation.is_some()
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
    let of = |position: u32, index: u32| {
        let mut all = holders.iter();
        let has = |h: &&Holder| h.part.gres.iter().any(|(p, set)| *p == position && set.contains(index));
        all.find(has).map_or(0, |h| h.job.id.0)
    };
    kinds.flat_map(|(position, g)| (0..g.count).map(move |i| (position, i))).map(|(p, i)| of(p, i)).collect()
}

/// The state as sinfo shows it.
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
    let rows = jobs.map(SqueueRow::of);
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

#[cfg(test)]
mod tests {
    use super::*;
    use base::time::Time;
    use config::SiteFiles;

    #[test]
    fn many_nodes_are_sent_in_turn() {
        let conf = "ClusterName=t\nNodeName=n[0001-9000] CPUs=4\nPartitionName=a Nodes=ALL Default=YES\n";
        let files = SiteFiles([("slurm.conf".into(), conf.into())].into());
        let (world, _) = World::new("t", &files, 1, Time::from_secs(1_795_240_458));
        let (mut known, mut told, mut frames) = (KnownNodes::default(), Vec::new(), 0);
        while frames == 0 || known.is_behind() {
            let changes = known.changes(&world.ctld, 1, &People::new());
            assert_eq!(changes.all, frames == 0);
            assert!(changes.cells.len() <= LOOKED / DESCRIBED, "{} at once", changes.cells.len());
            told.extend(changes.cells.into_iter().map(|cell| cell.0));
            frames += 1;
        }
        assert_eq!(told, (0..9000).collect::<Vec<_>>());
        for _ in 0..4 {
            assert!(known.changes(&world.ctld, 2, &People::new()).cells.is_empty(), "none looks otherwise");
        }
        assert!(!known.is_behind(), "all were looked at after the second event");
    }
}
