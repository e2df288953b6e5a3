//! Allocates a step's nodes, CPUs, memory and GRES within its job. Mirrors "srun" within an allocation: srun(1),
//! `--exact`, `--overlap`, `--relative`.
//!
//! A step holds its resources until its end. A step that does not fit beside the others waits. By default, a step holds
//! all of the job's CPUs on its nodes.

use super::gres::{self, StepGres};
use super::layout::{self, Deal, Distribution};
use crate::Slurmctld;
use crate::rpc::request::StepDesc;
use crate::state::error::SlurmError;
use crate::state::job::{Job, Memory, NodeAlloc, StepHold};
use base::bitset::BitSet;
use base::hostlist;
use base::ids::{NodeId, StepNum};
use base::order::StableSort as _;

/// A step's part on one node.
pub struct StepPart {
    /// The resources that it gets there.
    pub gets: StepHold,
    /// The ranks of the tasks there.
    pub ranks: Vec<u32>,
}

/// The layout and resources of a step.
pub struct StepPlan {
    /// Node by node.
    pub parts: Vec<StepPart>,
    /// How its tasks are distributed.
    pub distribution: Distribution,
}

/// The offer of one of the job's nodes to the step.
struct StepOffer<'a> {
    part: &'a NodeAlloc,
    free: StepHold,
    /// Tasks that would fit if no other step used the node, and what is free.
    most: u32,
    now: u32,
    /// Tasks assigned to it before any node exceeds its CPUs or `--ntasks-per-node`.
    first: u32,
    /// It is requested by name.
    named: bool,
    /// No `srun` runs there.
    idle: bool,
}

/// Plans a step.
///
/// # Errors
///
/// [`SlurmError::NodesBusy`] if it would fit once other steps end; otherwise why it can never run.
pub fn plan(ctld: &Slurmctld, job: &Job, desc: &StepDesc) -> Result<StepPlan, SlurmError> {
    let requested = gres::requested(job, desc);
    let parts = allowed(ctld, job, desc)?;
    if desc.min_nodes.is_some_and(|n| n as usize > parts.len()) {
        return Err(SlurmError::RequestedNodeConfigUnavailable);
    }
    let listed = u32::try_from(parts.len()).unwrap_or(u32::MAX);
    let tasks =
        desc.ntasks.unwrap_or_else(|| desc.min_nodes.unwrap_or(listed) * desc.ntasks_per_node.unwrap_or(1));
    // `--ntasks-per-node` is a maximum if the job has enough CPUs in total: then a node may get more where others have
    // too few.
    let mut cpus: Vec<u32> = parts.iter().map(|p| p.usable).collect();
    cpus.order_by_key(|cpus| std::cmp::Reverse(*cpus));
    let widest = desc.max_nodes.or(desc.min_nodes).map_or(cpus.len(), |n| n as usize);
    let enough = tasks.saturating_mul(cpus_per_task(desc)) <= cpus.iter().take(widest).sum();
    let more = desc.overcommit || desc.ntasks_per_node.is_some() && enough;
    let mut step_nodes: Vec<StepOffer> =
        parts.into_iter().map(|p| step_node(ctld, job, (desc, more), &requested, p)).collect();
    let names = desc.nodelist.as_deref().and_then(|list| hostlist::expand(list).ok()).unwrap_or_default();
    for step_node in step_nodes.iter_mut().filter(|_| !names.is_empty()) {
        step_node.named = names.contains(&ctld.node(step_node.part.node).conf.name);
    }
    never(ctld, job, desc, &requested, &step_nodes, tasks)?;
    let count = desc.min_nodes.unwrap_or(listed).min(tasks).max(1);
    let chosen = choose(&step_nodes, job, count, desc.max_nodes, tasks).ok_or(SlurmError::NodesBusy)?;
    deal(ctld, desc, &requested, &chosen, tasks)
}

/// Whether the job has the requested number of CPUs, on any nodes.
pub fn job_has_cpus(job: &Job, desc: &StepDesc) -> bool {
    let parts = job.allocation.as_ref().map(|a| a.nodes.as_slice()).unwrap_or_default();
    let nodes = desc.min_nodes.unwrap_or(u32::try_from(parts.len()).unwrap_or(u32::MAX));
    let tasks = desc.ntasks.unwrap_or_else(|| nodes.saturating_mul(desc.ntasks_per_node.unwrap_or(1)));
    tasks.saturating_mul(cpus_per_task(desc)) <= parts.iter().map(|p| p.usable).sum()
}

/// The job's nodes that the options allow, in order. Those requested by name come first.
fn allowed<'a>(ctld: &Slurmctld, job: &'a Job, desc: &StepDesc) -> Result<Vec<&'a NodeAlloc>, SlurmError> {
    let expand = |list: &Option<String>| match list.as_deref() {
        Some(list) => hostlist::expand(list).map_err(|_| SlurmError::InvalidNodeName),
        None => Ok(Vec::new()),
    };
    let (wanted, unwanted) = (expand(&desc.nodelist)?, expand(&desc.exclude)?);
    let name = |part: &NodeAlloc| ctld.node(part.node).conf.name.as_str();
    let all = job.allocation.as_ref().map(|a| a.nodes.as_slice()).unwrap_or_default();
    let known = |host: &String| all.iter().any(|p| name(p) == host);
    if !wanted.iter().chain(&desc.hosts).all(known) {
        return Err(SlurmError::RequestedNodeConfigUnavailable);
    }
    let mut parts: Vec<&NodeAlloc> = all.iter().filter(|p| !unwanted.iter().any(|n| n == name(p))).collect();
    if !desc.hosts.is_empty() {
        parts.retain(|p| desc.hosts.iter().any(|n| n == name(p)));
    }
    if let Some(first) = desc.relative {
        parts = parts.split_off((first as usize).min(parts.len()));
    }
    // A step includes its named nodes; others join them if it needs more.
    if !wanted.is_empty() && desc.min_nodes.is_none_or(|n| n as usize <= wanted.len()) {
        parts.retain(|p| wanted.iter().any(|n| n == name(p)));
    }
    Ok(parts)
}

/// What a node offers to the step.
fn step_node<'a>(
    ctld: &Slurmctld,
    job: &Job,
    (desc, more): (&StepDesc, bool),
    requested: &StepGres,
    part: &'a NodeAlloc,
) -> StepOffer<'a> {
    let whole = StepHold {
        node: part.node,
        cpus: part.usable,
        memory: part.memory,
        cores: part.cores.clone(),
        gres: part.gres.clone(),
    };
    let on_node = |node: NodeId| {
        job.steps.values().filter(move |s| s.end.is_none() && s.nodes.iter().any(|n| n.0 == node))
    };
    let mut free = whole.clone();
    if !desc.overlap {
        for held in on_node(part.node).flat_map(|s| &s.holds).filter(|h| h.node == part.node) {
            free.cpus = free.cpus.saturating_sub(held.cpus);
            free.memory = free.memory.saturating_sub(held.memory);
            free.cores.subtract(&held.cores);
            gres::subtract(&mut free.gres, &held.gres);
        }
    }
    let tasks = |offer: &StepHold, overcommit: bool| {
        let by_cpu = match offer.cpus {
            0 => 0,
            // Without `--exact`, it takes all of the job's CPUs there, or waits.
            cpus if cpus < whole.cpus && !desc.exact => 0,
            _ if overcommit => u32::MAX,
            cpus => cpus / cpus_per_task(desc),
        };
        let by_memory = match asked_memory(ctld, desc, part) {
            Memory::PerNode(0) | Memory::Unset | Memory::PerGpu(_) => u32::MAX,
            Memory::PerCpu(_) if desc.overcommit => u32::MAX,
            Memory::PerNode(mib) if mib > offer.memory => 0,
            Memory::PerNode(_) => u32::MAX,
            Memory::PerCpu(mib) => {
                let tasks = offer.memory / (mib.max(1) * u64::from(cpus_per_task(desc)));
                u32::try_from(tasks).unwrap_or(u32::MAX)
            }
        };
        // A step that names no GRES gets all of the job's there, or waits.
        if matches!(requested, StepGres::All) && offer.gres != whole.gres {
            return 0;
        }
        by_cpu.min(by_memory).min(gres::tasks(ctld, requested, offer))
    };
    let idle = !on_node(part.node).any(|s| matches!(s.num, StepNum::Number(_)));
    let first = tasks(&free, false).min(desc.ntasks_per_node.unwrap_or(u32::MAX));
    StepOffer { part, most: tasks(&whole, more), now: tasks(&free, more), first, named: false, idle, free }
}

fn cpus_per_task(desc: &StepDesc) -> u32 {
    desc.cpus_per_task.unwrap_or(1).max(1)
}

/// Memory per GPU refers to the job's GPUs.
fn asked_memory(ctld: &Slurmctld, desc: &StepDesc, part: &NodeAlloc) -> Memory {
    match desc.memory {
        // Jobs hold no memory if it is not a consumable resource.
        _ if !ctld.cluster.global.select.memory => Memory::Unset,
        Memory::PerGpu(_) => Memory::Unset,
        Memory::PerCpu(mib)
            if mib * u64::from(part.cpus) > part.memory && mib <= part.memory && !desc.exact =>
        {
            // A default derived from the job's request never exceeds what the job has.
            Memory::PerCpu((part.memory / u64::from(part.cpus.max(1))).max(1))
        }
        Memory::PerNode(_) | Memory::PerCpu(_) | Memory::Unset => desc.memory,
    }
}

/// Checks whether the step could run if no other step did.
fn never(
    ctld: &Slurmctld,
    job: &Job,
    desc: &StepDesc,
    requested: &StepGres,
    step_nodes: &[StepOffer],
    tasks: u32,
) -> Result<(), SlurmError> {
    let holds = |f: &dyn Fn(&StepOffer) -> bool| step_nodes.iter().any(f);
    if step_nodes.is_empty() {
        return Err(SlurmError::RequestedNodeConfigUnavailable);
    }
    let listed = u32::try_from(step_nodes.len()).unwrap_or(u32::MAX);
    let nodes = desc.min_nodes.unwrap_or(listed).min(tasks).max(1);
    if holds(&|r| r.named && r.part.usable < cpus_per_task(desc)) && !desc.overcommit {
        return Err(SlurmError::RequestedNodeConfigUnavailable);
    }
    let whole = |r: &StepOffer| {
        let part = StepHold { gres: r.part.gres.clone(), ..r.free.clone() };
        gres::tasks(ctld, requested, &part) > 0
    };
    if !holds(&whole)
        || !gres::enough(
            ctld,
            requested,
            step_nodes.iter().map(|r| r.part.gres.as_slice()),
            step_nodes.iter().map(|r| r.part.node),
        )
    {
        return Err(SlurmError::InvalidGres);
    }
    let mut capacities: Vec<u64> = step_nodes.iter().map(|r| u64::from(r.most)).collect();
    capacities.order_by_key(|most| std::cmp::Reverse(*most));
    let widest = desc.max_nodes.or(desc.min_nodes).map_or(capacities.len(), |n| n as usize);
    let most: u64 = capacities.iter().take(widest).sum();
    let each = u64::from(cpus_per_task(desc));
    let wanted = u64::from(tasks) * each;
    let cpus = |parts: &mut dyn Iterator<Item = &NodeAlloc>| parts.map(|p| u64::from(p.usable)).sum::<u64>();
    let in_job = cpus(&mut job.allocation.iter().flat_map(|a| &a.nodes));
    let on_nodes = cpus(&mut step_nodes.iter().map(|r| r.part));
    let hold_a_task = step_nodes.iter().filter(|r| u64::from(r.part.usable) >= each).count();
    match () {
        () if desc.overcommit => Ok(()),
        // Without a node count from the user, all of the job's nodes are used: each must hold a task.
        () if hold_a_task < nodes as usize && desc.min_nodes.or(desc.relative).is_none() => {
            Err(SlurmError::TooManyRequestedCpus)
        }
        () if most >= u64::from(tasks) => Ok(()),
        () if wanted > in_job => Err(SlurmError::TooManyRequestedCpus),
        // As recorded, a step whose nodes are too small waits, but a step that names its nodes is refused.
        () if desc.relative.is_some() => Ok(()),
        () if on_nodes < wanted && (desc.nodelist.is_some() || desc.exclude.is_some()) => {
            Err(SlurmError::RequestedNodeConfigUnavailable)
        }
        () if nodes == 1 || on_nodes < wanted => Err(SlurmError::TooManyRequestedCpus),
        () => Ok(()),
    }
}

/// Selects nodes: those without running steps first, in turn; the largest if the tasks would not fit otherwise. None:
/// it must wait.
fn choose<'a, 'b>(
    step_nodes: &'b [StepOffer<'a>],
    job: &Job,
    count: u32,
    max: Option<u32>,
    tasks: u32,
) -> Option<Vec<&'b StepOffer<'a>>> {
    let count = count as usize;
    let usable: Vec<&StepOffer> = step_nodes.iter().filter(|r| r.now > 0).collect();
    let total = |list: &[&StepOffer]| list.iter().map(|r| u64::from(r.now)).sum::<u64>();
    if usable.len() < count {
        return None;
    }
    let all = job.allocation.as_ref().map(|a| a.nodes.as_slice()).unwrap_or_default();
    // A range of nodes starts with the first node and uses as many as there are tasks for.
    let range = max.is_some_and(|max| max as usize > count);
    let count = max.map_or(count, |max| count.max(max.min(tasks) as usize).min(usable.len()));
    let turn = all.get(job.step_turn as usize).map(|p| p.node).filter(|_| !range);
    let mut by_rest = usable.clone();
    by_rest.order_by_key(|r| (!r.named, !r.idle, Some(r.part.node) < turn));
    let mut by_room = usable.clone();
    by_room.order_by_key(|r| std::cmp::Reverse(r.now));
    for order in [by_rest, by_room] {
        let most = max.map_or(count, |m| m as usize).max(count);
        let mut chosen: Vec<&StepOffer> = order.iter().take(count).copied().collect();
        for more in order.into_iter().take(most).skip(count) {
            if total(&chosen) < u64::from(tasks) {
                chosen.push(more);
            }
        }
        if total(&chosen) >= u64::from(tasks) {
            // Tasks are distributed in the order of the job's nodes.
            let taken = |r: &&StepOffer| chosen.iter().any(|c| c.part.node == r.part.node);
            return Some(usable.into_iter().filter(taken).collect());
        }
    }
    None
}

/// Distributes the tasks and takes the resources that they need.
fn deal(
    ctld: &Slurmctld,
    desc: &StepDesc,
    requested: &StepGres,
    chosen: &[&StepOffer],
    tasks: u32,
) -> Result<StepPlan, SlurmError> {
    let nodes = u32::try_from(chosen.len()).unwrap_or(u32::MAX);
    let distribution = Distribution::read(desc.distribution.as_deref(), tasks, nodes, desc.ntasks.is_some());
    let of_node = if distribution.deal == Deal::Arbitrary && !desc.hosts.is_empty() {
        let at = |r: &&StepOffer| {
            let name = &ctld.node(r.part.node).conf.name;
            let ranks = (0u32..tasks).zip(desc.hosts.iter());
            ranks.filter(|(_, host)| *host == name).map(|(rank, _)| rank).collect()
        };
        chosen.iter().map(at).collect()
    } else {
        let capacities: Vec<u32> = chosen.iter().map(|r| r.first).collect();
        let mut counts = layout::counts(distribution.deal, distribution.pack, tasks, &capacities);
        // The rest is distributed cyclically.
        let left = tasks.saturating_sub(counts.iter().sum());
        let (nodes, at) = (u32::try_from(counts.len()).unwrap_or(1).max(1), 0u32..);
        for (count, at) in counts.iter_mut().zip(at) {
            *count += left / nodes + u32::from(at < left % nodes);
        }
        layout::ranks(distribution.deal, &counts)
    };
    let shares =
        gres::shares(ctld, requested, &of_node, chosen.iter().map(|r| (r.part.node, r.free.gres.as_slice())));
    let mut parts = Vec::new();
    for ((step_node, ranks), gres) in chosen.iter().zip(of_node).zip(shares.ok_or(SlurmError::NodesBusy)?) {
        let tasks = u32::try_from(ranks.len()).unwrap_or(u32::MAX);
        let cpus = if desc.exact {
            let each = tasks.saturating_mul(cpus_per_task(desc));
            whole_cores(step_node.part, each).min(step_node.part.cpus)
        } else {
            step_node.part.cpus
        };
        let memory = match asked_memory(ctld, desc, step_node.part) {
            Memory::PerNode(0) | Memory::Unset | Memory::PerGpu(_) => 0,
            Memory::PerNode(mib) => mib,
            Memory::PerCpu(mib) => (mib * u64::from(cpus)).min(step_node.part.memory),
        };
        let cores = if desc.exact { some_cores(step_node, cpus) } else { step_node.part.cores.clone() };
        parts.push(StepPart {
            gets: StepHold { node: step_node.part.node, cpus, memory, cores, gres },
            ranks,
        });
    }
    Ok(StepPlan { parts, distribution })
}

/// Steps get whole cores.
fn whole_cores(part: &NodeAlloc, cpus: u32) -> u32 {
    let threads = (part.cpus / part.cores.len().max(1)).max(1);
    cpus.div_ceil(threads) * threads
}

/// The first free cores of the job on the node, or its first ones if too few are free.
fn some_cores(step_node: &StepOffer, cpus: u32) -> BitSet {
    let threads = (step_node.part.cpus / step_node.part.cores.len().max(1)).max(1);
    let wanted = cpus.div_ceil(threads) as usize;
    let mut cores: BitSet = BitSet::new();
    let taken = step_node.part.cores.iter().filter(|c| !step_node.free.cores.contains(*c));
    for core in step_node.free.cores.iter().chain(taken).take(wanted) {
        cores.insert(core);
    }
    cores
}
