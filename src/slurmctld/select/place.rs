//! The choice itself: how much each node could give, which nodes are taken, which cores and GPUs of them.

use super::super::Slurmctld;
use super::super::job::{Allocation, Exclusive, GresReq, Job, Memory, NodeAlloc};
use super::super::needs;
use super::{Board, Free, alone_in};
use crate::base::bitset::BitSet;
use crate::base::ids::{NodeId, PartId};
use crate::base::order::Order as _;
use crate::base::tres::Tres;
use crate::config::{GresConf, NodeConf};

/// Nodes with the CPUs and GPUs taken on each.
#[derive(Clone, Debug)]
pub(in super::super) struct Choice {
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
struct Part {
    alloc: NodeAlloc,
}

/// What one node could give to the job.
#[derive(Clone, Debug)]
struct Offer {
    node: NodeId,
    cpus: u32,
    tasks: u32,
    gpus: u64,
}

/// Chooses nodes for a job out of `nodes`.
pub(in super::super) fn choose(
    ctld: &Slurmctld,
    job: &Job,
    part: PartId,
    board: &Board,
    nodes: &BitSet,
) -> Result<Choice, ()> {
    let alone = alone_in(job.needs.exclusive, Some(ctld.partition(part)));
    let room = Room { ctld, job, alone };
    let mut offers: Vec<Offer> = nodes.iter().filter_map(|i| room.offer(NodeId(i), board.free(i))).collect();
    offers.order_by_key(|o| (ctld.node(o.node).conf.weight, o.node));
    let taken = room.pick(offers)?;
    let mut parts: Vec<Part> =
        taken.into_iter().map(|(offer, cpus, gpus)| room.cut(&offer, cpus, gpus, board)).collect();
    parts.order_by_key(|p| p.alloc.node);
    room.share_tasks(&mut parts);
    Ok(Choice { parts })
}

/// How many of the job's tasks a node could take, whatever its totals are.
pub(super) fn most_tasks(ctld: &Slurmctld, job: &Job, part: PartId, node: NodeId, free: &Free) -> u32 {
    let alone = alone_in(job.needs.exclusive, Some(ctld.partition(part)));
    Room { ctld, job, alone }.offer(node, free).map_or(0, |offer| offer.tasks)
}

/// A job looking for room.
struct Room<'a> {
    ctld: &'a Slurmctld,
    job: &'a Job,
    alone: Option<Exclusive>,
}

impl Room<'_> {
    fn conf(&self, node: NodeId) -> &NodeConf {
        &self.ctld.node(node).conf
    }

    /// What the node could give; none: nothing.
    fn offer(&self, node: NodeId, free: &Free) -> Option<Offer> {
        let needs = &self.job.needs;
        let uid = self.job.uid();
        match self.alone {
            Some(Exclusive::Node | Exclusive::Topo) if !free.guests.is_empty() => return None,
            Some(Exclusive::User) if free.guests.iter().any(|g| g.1 != uid) => return None,
            _ if free.guests.iter().any(|g| g.2 && g.1 != uid) => return None,
            _ => {}
        }
        let conf = self.conf(node);
        let mut cpus = free.cores.len() * conf.threads_per_core;
        let gpus = self.gpus_free(conf, free);
        if !needs.gres_per_node.iter().all(|g| free_gres(conf, free, g) >= g.count)
            || (!needs.gres_per_job.is_empty() && gpus == 0)
        {
            return None;
        }
        if self.ctld.cluster.global.select.memory {
            match needs.memory {
                Memory::PerNode(0) | Memory::Unset if free.mem < usable(conf) => return None,
                Memory::PerNode(mib) if free.mem < mib => return None,
                Memory::PerCpu(mib) if mib > 0 => {
                    let fit = u32::try_from(free.mem / mib).unwrap_or(u32::MAX);
                    cpus = cpus.min(fit);
                }
                Memory::PerGpu(mib) if free.mem < mib => return None,
                Memory::PerNode(_) | Memory::Unset | Memory::PerCpu(_) | Memory::PerGpu(_) => {}
            }
        }
        if let Some(most) =
            self.job.partitions.first().and_then(|p| self.ctld.partition(*p).max_cpus_per_node)
        {
            cpus = cpus.min(most);
        }
        let mut tasks = cpus / needs.cpus_per_task;
        if needs.ntasks_per_node > 0 {
            tasks = tasks.min(needs.ntasks_per_node);
        }
        (tasks > 0 && cpus >= needs.min_cpus_per_node).then_some(Offer { node, cpus, tasks, gpus })
    }

    fn gpus_free(&self, conf: &NodeConf, free: &Free) -> u64 {
        self.job.needs.gres_per_job.iter().map(|g| free_gres(conf, free, g)).min().unwrap_or(0)
    }

    /// Which offers are taken, with the CPUs and job-wide GPUs of each.
    fn pick(&self, offers: Vec<Offer>) -> Result<Vec<(Offer, u32, u64)>, ()> {
        let needs = &self.job.needs;
        let gpus_wanted = needs.gres_per_job.iter().map(|g| g.count).max().unwrap_or(0);
        let most = if needs.max_nodes > 0 { needs.max_nodes } else { u32::MAX };
        // A range of nodes (`-N 2-4`) takes as many as it may; a single number or none takes the fewest.
        let wanted = if needs.max_nodes > needs.min_nodes && self.job.desc.min_nodes.is_some() {
            needs.max_nodes
        } else {
            needs.min_nodes
        };
        let (required, others): (Vec<Offer>, Vec<Offer>) =
            offers.into_iter().partition(|o| needs.required.contains(o.node.0));
        if required.len() < needs.required.len() as usize {
            return Err(());
        }
        let mut left = Left { tasks: needs.ntasks, gpus: gpus_wanted, nodes: wanted.max(1), taken: 0 };
        let mut taken = Vec::new();
        for offer in required {
            left.take(offer, most, &mut taken);
        }
        if taken.is_empty() && left.nodes == 1 {
            // One node is enough if one can hold all of it: the first in order of weight and name.
            let one = others.iter().position(|o| o.tasks >= needs.ntasks && o.gpus >= gpus_wanted);
            if let Some(i) = one {
                left.take(others[i].clone(), most, &mut taken);
                return self.finish(taken, &left);
            }
        }
        for offer in self.best_block(others, &left) {
            if left.done() || left.taken >= most {
                break;
            }
            left.take(offer, most, &mut taken);
        }
        self.finish(taken, &left)
    }

    fn finish(&self, taken: Vec<(Offer, u32, u64)>, left: &Left) -> Result<Vec<(Offer, u32, u64)>, ()> {
        let enough = left.tasks == 0 && left.gpus == 0 && left.taken >= self.job.needs.min_nodes;
        let tasks_per_node = |(offer, tasks, gpus): (Offer, u32, u64)| {
            let cpus = (tasks * self.job.needs.cpus_per_task).max(self.job.needs.min_cpus_per_node);
            (offer, cpus, gpus)
        };
        if enough { Ok(taken.into_iter().map(tasks_per_node).collect()) } else { Err(()) }
    }

    /// Orders offers for a job of several nodes: runs of neighbouring nodes, the smallest run that is enough first,
    /// else the largest. Weight comes before that.
    fn best_block(&self, offers: Vec<Offer>, left: &Left) -> Vec<Offer> {
        let mut runs: Vec<Vec<Offer>> = Vec::new();
        for offer in offers {
            let weight = self.conf(offer.node).weight;
            match runs.last_mut() {
                Some(run)
                    if run.last().is_some_and(|o| {
                        o.node.0 + 1 == offer.node.0 && self.conf(o.node).weight == weight
                    }) =>
                {
                    run.push(offer);
                }
                _ => runs.push(vec![offer]),
            }
        }
        let enough = |run: &Vec<Offer>| {
            run.iter().map(|o| o.tasks).sum::<u32>() >= left.tasks
                && run.len() >= left.nodes as usize
                && run.iter().map(|o| o.gpus).sum::<u64>() >= left.gpus
        };
        runs.order_by_key(|run| {
            let cpus: u32 = run.iter().map(|o| o.cpus).sum();
            let weight = run.first().map_or(0, |o| self.conf(o.node).weight);
            let first = run.first().map_or(0, |o| o.node.0);
            let size = if enough(run) { i64::from(cpus) } else { -i64::from(cpus) };
            (weight, !enough(run), size, first)
        });
        runs.into_iter().flatten().collect()
    }

    /// Cuts cores, memory and GPUs out of a node.
    fn cut(&self, offer: &Offer, cpus: u32, gpus: u64, board: &Board) -> Part {
        let needs = &self.job.needs;
        let conf = self.conf(offer.node);
        let free = board.free(offer.node.0);
        let whole = matches!(self.alone, Some(Exclusive::Node | Exclusive::Topo)) || self.linear();
        let cores = if whole {
            free.cores.clone()
        } else {
            spread_cores(conf, &free.cores, cpus.div_ceil(conf.threads_per_core.max(1)))
        };
        let cpus = cores.len() * conf.threads_per_core;
        let mut gres: Vec<(u32, BitSet)> = Vec::new();
        for g in &needs.gres_per_node {
            take_gres(conf, free, g, g.count, &mut gres);
        }
        for g in &needs.gres_per_job {
            take_gres(conf, free, g, gpus.min(g.count), &mut gres);
        }
        let gpus: u64 = gres.iter().map(|(_, set)| u64::from(set.len())).sum();
        let memory = match needs.memory {
            Memory::PerNode(0) | Memory::Unset => usable(conf),
            Memory::PerNode(mib) => mib,
            Memory::PerCpu(mib) => mib * u64::from(cpus),
            Memory::PerGpu(mib) => mib * gpus,
        };
        Part { alloc: NodeAlloc { node: offer.node, cores, cpus, memory, gres, tasks: 0 } }
    }

    fn linear(&self) -> bool {
        self.ctld.cluster.global.select.linear
    }

    /// Shares the tasks out, block by block, as SLURM_TASKS_PER_NODE shows them.
    fn share_tasks(&self, parts: &mut [Part]) {
        let needs = &self.job.needs;
        let nodes = u32::try_from(parts.len()).unwrap_or(u32::MAX);
        let mut left = needs.ntasks.max(nodes) - nodes.min(needs.ntasks.max(nodes));
        for part in parts.iter_mut() {
            let mut most = (part.alloc.cpus / needs.cpus_per_task).max(1);
            if needs.ntasks_per_node > 0 {
                most = most.min(needs.ntasks_per_node);
            }
            let more = left.min(most - 1);
            part.alloc.tasks = 1 + more;
            left -= more;
        }
    }
}

/// What is still wanted while nodes are taken.
struct Left {
    tasks: u32,
    gpus: u64,
    nodes: u32,
    taken: u32,
}

impl Left {
    fn done(&self) -> bool {
        self.tasks == 0 && self.gpus == 0 && self.nodes == 0
    }

    fn take(&mut self, offer: Offer, most: u32, taken: &mut Vec<(Offer, u32, u64)>) {
        if self.taken >= most {
            return;
        }
        // Leave at least one task for each further node that is still needed.
        let spare = self.tasks.saturating_sub(self.nodes.saturating_sub(1));
        let tasks = offer.tasks.min(spare.max(1));
        let gpus = offer.gpus.min(self.gpus);
        self.tasks = self.tasks.saturating_sub(tasks);
        self.gpus -= gpus;
        self.nodes = self.nodes.saturating_sub(1);
        self.taken += 1;
        taken.push((offer, tasks, gpus));
    }
}

fn usable(conf: &NodeConf) -> u64 {
    conf.real_memory.saturating_sub(conf.mem_spec_limit)
}

fn matches_gres(conf: &GresConf, wanted: &GresReq) -> bool {
    conf.name == wanted.name && (wanted.kind.is_none() || conf.kind == wanted.kind)
}

fn free_gres(conf: &NodeConf, free: &Free, wanted: &GresReq) -> u64 {
    conf.gres
        .iter()
        .zip(&free.gres)
        .filter(|(c, _)| matches_gres(c, wanted))
        .map(|(_, set)| u64::from(set.len()))
        .sum()
}

fn take_gres(conf: &NodeConf, free: &Free, wanted: &GresReq, count: u64, out: &mut Vec<(u32, BitSet)>) {
    let mut left = count;
    for (i, gres) in (0u32..).zip(&conf.gres) {
        if !matches_gres(gres, wanted) {
            continue;
        }
        let mut set: BitSet = BitSet::new();
        let already = out.iter().find(|o| o.0 == i).map(|o| o.1.clone()).unwrap_or_default();
        for index in free.gres[i as usize].iter().filter(|x| !already.contains(*x)) {
            if left == 0 {
                break;
            }
            set.insert(index);
            left -= 1;
        }
        if !set.is_empty() {
            match out.iter_mut().find(|o| o.0 == i) {
                Some(o) => o.1.union_with(&set),
                None => out.push((i, set)),
            }
        }
    }
}

/// `count` of the free cores, dealt out over the sockets in turn (distribution block:cyclic).
fn spread_cores(conf: &NodeConf, free: &BitSet, count: u32) -> BitSet {
    let per = conf.cores_per_socket.max(1);
    let mut sockets: Vec<Vec<u32>> = vec![Vec::new(); conf.sockets.max(1) as usize];
    for core in free.iter() {
        if let Some(socket) = sockets.get_mut((core / per) as usize) {
            socket.push(core);
        }
    }
    let mut taken = BitSet::new();
    let mut round = 0;
    while taken.len() < count {
        let before = taken.len();
        for socket in &sockets {
            if let Some(core) = socket.get(round)
                && taken.len() < count
            {
                taken.insert(*core);
            }
        }
        if taken.len() == before && sockets.iter().all(|s| s.len() <= round) {
            break;
        }
        round += 1;
    }
    taken
}

impl Choice {
    /// The nodes.
    pub(in super::super) fn nodes(&self) -> BitSet {
        self.parts.iter().map(|p| p.alloc.node.0).collect()
    }

    /// The allocation, with what it counts as in TRES.
    pub(in super::super) fn allocation(self, ctld: &Slurmctld, job: &Job, part: PartId) -> Allocation {
        let nodes: Vec<NodeAlloc> = self.parts.into_iter().map(|p| p.alloc).collect();
        let mut tres = Tres { node: nodes.len() as u64, ..Tres::default() };
        for alloc in &nodes {
            tres.cpu += u64::from(alloc.cpus);
            tres.mem += alloc.memory;
            let conf = &ctld.node(alloc.node).conf;
            for (i, set) in &alloc.gres {
                let gres = &conf.gres[*i as usize];
                let req = GresReq { name: gres.name.clone(), kind: gres.kind.clone(), count: 0 };
                needs::add_gres(&mut tres, &req, u64::from(set.len()));
            }
        }
        tres.licenses = needs::licenses_tres(&job.needs);
        tres.billing = needs::billing(ctld.partition(part), &tres, ctld.cluster.global.priority.flags);
        Allocation { nodes, tres }
    }
}
