//! The choice of nodes, and of cores, memory and GRES on each of them.

use super::offer::{Offer, SelectContext};
use super::pick::{self, Taken};
use super::{Counts, Free, FreeResources, SelectError, gres, share, sockets};
use crate::Slurmctld;
use crate::state::billing;
use crate::state::job::{Allocation, GresNeed, GresPer, GresReq, Job, Memory, NodeAlloc};
use base::bitset::BitSet;
use base::ids::{NodeId, PartId};
use base::order::StableSort as _;
use base::tres::Tres;
use config::SelectUnit;
use std::borrow::Cow;

/// The chosen nodes, with what the job gets on each.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    parts: Vec<NodeAlloc>,
}

/// The nodes that a job may use.
#[derive(Clone, Copy)]
pub(crate) struct UsableNodes<'a> {
    nodes: &'a BitSet,
    counted: Option<&'a Counts>,
}

impl<'a> UsableNodes<'a> {
    /// Nodes with the number of the job's tasks that each could take, where nothing else about them matters.
    pub(crate) const fn counted(nodes: &'a BitSet, counted: Option<&'a Counts>) -> Self {
        Self { nodes, counted }
    }
}

impl<'a> From<&'a BitSet> for UsableNodes<'a> {
    fn from(nodes: &'a BitSet) -> Self {
        Self { nodes, counted: None }
    }
}

/// Chooses nodes for a job.
///
/// # Errors
/// Which resource was not enough.
pub(crate) fn choose(
    ctld: &Slurmctld,
    job: &Job,
    part: PartId,
    resources: &FreeResources,
    usable: UsableNodes<'_>,
) -> Result<Choice, SelectError> {
    let mut context = context_on(ctld, job, part, resources, usable);
    let mut taken = take(&mut context, job, resources, usable.nodes)?;
    taken.order_by_key(|t| t.offer.node);
    let opens = opens(&context, resources, &taken);
    let tasks = tasks(&context, &taken, &opens);
    let identical = identical(&context, resources, &taken, &tasks, &opens);
    let mut parts: Vec<NodeAlloc> = Vec::with_capacity(taken.len());
    for (((t, tasks), open), identical) in taken.iter().zip(tasks).zip(opens).zip(identical) {
        let part = match parts.last().filter(|_| identical) {
            Some(before) => NodeAlloc { node: NodeId(t.offer.node), ..before.clone() },
            None => cut(&context, (resources, open), t, tasks),
        };
        parts.push(part);
    }
    Ok(Choice { parts })
}

/// For each node, whether it gives the same as the node before it: both are idle and identical, and the same is taken.
fn identical(
    context: &SelectContext<'_>,
    resources: &FreeResources,
    taken: &[Taken],
    tasks: &[u32],
    opens: &[Cow<'_, BitSet>],
) -> Vec<bool> {
    let availability = &context.ctld.caches.availability;
    let kind = |t: &Taken| availability.idle_kind(t.offer.node, resources.free(t.offer.node));
    let mut before = None;
    let identical = |((t, tasks), open)| {
        let this = kind(t).map(|kind| (kind, t.cpus, t.gres, tasks, open));
        let identical = this.is_some() && this == before;
        before = this;
        identical
    };
    taken.iter().zip(tasks).zip(opens).map(identical).collect()
}

/// The nodes that [`choose`] would choose, without the details of each.
///
/// # Errors
/// As [`choose`].
pub(crate) fn nodes_for(
    ctld: &Slurmctld,
    job: &Job,
    part: PartId,
    resources: &FreeResources,
    usable: UsableNodes<'_>,
) -> Result<BitSet, SelectError> {
    let mut context = context_on(ctld, job, part, resources, usable);
    if job.needs.prefer.is_none()
        && job.needs.constraint.is_none()
        && job.needs.node_counts.is_empty()
        && let Some(nodes) = pick::counted::set(&context, usable.nodes)
    {
        return Ok(nodes);
    }
    Ok(take(&mut context, job, resources, usable.nodes)?.iter().map(|t| t.offer.node).collect())
}

/// The context of choosing nodes for a job.
fn context_on<'a>(
    ctld: &'a Slurmctld,
    job: &'a Job,
    part: PartId,
    resources: &FreeResources,
    usable: UsableNodes<'a>,
) -> SelectContext<'a> {
    let mut context = SelectContext::new(ctld, job, part);
    context.counted = usable.counted;
    context.busy_first = resources.is_later() && ctld.caches.parameters.bf_busy_nodes;
    context
}

/// The nodes, and how much of each. Preferred nodes are used alone if they are enough.
fn take(
    context: &mut SelectContext<'_>,
    job: &Job,
    resources: &FreeResources,
    nodes: &BitSet,
) -> Result<Vec<Taken>, SelectError> {
    if let Some(prefer) = &job.needs.prefer {
        let mut preferred = nodes.clone();
        preferred.intersect_with(&prefer.nodes);
        if let Ok(taken) = of_listed_size(context, resources, &preferred) {
            return Ok(taken);
        }
    }
    of_listed_size(context, resources, nodes)
}

/// The nodes for a job that lists numbers of nodes (`-N 2,4`): the largest number that works.
fn of_listed_size(
    context: &mut SelectContext<'_>,
    resources: &FreeResources,
    nodes: &BitSet,
) -> Result<Vec<Taken>, SelectError> {
    let limits = context.node_limits;
    let taken = loop {
        let taken = in_layers(context, resources, nodes);
        let counts = &context.needs.node_counts;
        let has = match &taken {
            Ok(taken) if !counts.is_empty() => u32::try_from(taken.len()).unwrap_or(u32::MAX),
            Ok(_) | Err(_) => break taken,
        };
        if counts.contains(&has) {
            break taken;
        }
        match counts.iter().rev().find(|count| **count < has) {
            Some(count) => context.node_limits.1 = *count,
            None => break Err(SelectError::Nodes),
        }
    };
    context.node_limits = limits;
    taken
}

/// Counts how many tasks of a job single nodes could take at most, without regard to the job's totals.
pub(super) struct Capacity<'a> {
    context: SelectContext<'a>,
    many: u32,
}

impl<'a> Capacity<'a> {
    pub(super) fn new(ctld: &'a Slurmctld, job: &'a Job, part: PartId) -> Self {
        let mut context = SelectContext::new(ctld, job, part);
        context.layer = share::layers(ctld, part, job.needs.share) - 1;
        let many = if job.needs.style.overcommit { job.needs.ntasks } else { 1 };
        Self { context, many }
    }

    /// Whether these free resources of a node are those of the idle node.
    pub(super) fn is_idle(&self, node: u32, free: &Free) -> bool {
        std::ptr::eq(free, self.context.ctld.caches.availability.idle(node))
    }

    /// The number of tasks that a node could take with these free resources.
    pub(super) fn tasks(&self, node: NodeId, free: &Free) -> u32 {
        if self.context.layer == 0 && free.cores.is_empty() {
            return 0;
        }
        let offer = self.context.offer(self.context.ctld.node(node), free);
        offer.map_or(0, |offer| (offer.cpus / self.context.cpus_per_task()).max(self.many))
    }
}

/// The nodes with cores of the job's own if possible, otherwise with cores that the partition shares.
fn in_layers(
    context: &mut SelectContext<'_>,
    resources: &FreeResources,
    nodes: &BitSet,
) -> Result<Vec<Taken>, SelectError> {
    let mut refused = SelectError::Nodes;
    for layer in 0..share::layers(context.ctld, context.part_id, context.needs.share) {
        context.layer = layer;
        match constrained(context, resources, nodes) {
            Ok(taken) => return Ok(taken),
            Err(why) => refused = why,
        }
    }
    Err(refused)
}

/// The nodes that meet `--constraint`: all with the same feature (`[a|b]`), or a number of nodes with each (`[a*2&b]`).
fn constrained(
    context: &SelectContext<'_>,
    resources: &FreeResources,
    nodes: &BitSet,
) -> Result<Vec<Taken>, SelectError> {
    let Some(constraint) = context.needs.constraint.as_deref() else {
        return out_of(context, resources, nodes);
    };
    if !constraint.one_of.is_empty() {
        let mut refused = SelectError::Features;
        for set in &constraint.one_of {
            let mut suitable = nodes.clone();
            suitable.intersect_with(set);
            match out_of(context, resources, &suitable) {
                Ok(taken) => return Ok(taken),
                Err(why) => refused = why,
            }
        }
        return Err(refused);
    }
    if constraint.counts.is_empty() {
        return out_of(context, resources, nodes);
    }
    // The counted nodes of each kind first, then the rest of the job on any nodes.
    let mut all = nodes.clone();
    for (set, count) in &constraint.counts {
        let fits = |i: &u32| set.contains(*i) && offer(context, resources, *i).is_ok();
        let kind: BitSet = nodes.iter().filter(fits).take(*count as usize).collect();
        if kind.len() < *count {
            return Err(SelectError::Features);
        }
        let mut others = nodes.clone();
        others.subtract(set);
        let elsewhere: u32 = constraint.counts.iter().map(|c| c.1).sum::<u32>() - count;
        if context.needs.min_nodes <= *count + elsewhere {
            all.subtract(set);
            all.union_with(&kind);
        }
    }
    out_of(context, resources, &all)
}

fn offer(context: &SelectContext<'_>, resources: &FreeResources, i: u32) -> Result<Offer, SelectError> {
    let node = context.ctld.nodes.get(i as usize).ok_or(SelectError::Nodes)?;
    context.offer(node, resources.free(i))
}

/// The nodes that are taken out of these.
fn out_of(
    context: &SelectContext<'_>,
    resources: &FreeResources,
    nodes: &BitSet,
) -> Result<Vec<Taken>, SelectError> {
    if let Some(taken) = pick::counted::pick(context, nodes) {
        return Ok(taken);
    }
    let mut refused = SelectError::Nodes;
    let mut offers = Vec::with_capacity(nodes.len() as usize);
    for i in nodes.iter() {
        match offer(context, resources, i) {
            Ok(offer) => offers.push(offer),
            Err(why) => refused = why,
        }
    }
    if offers.is_empty() {
        return Err(refused);
    }
    pick::nodes(context, &offers)
}

/// The cores of each node that the job may use.
fn opens<'b>(
    context: &SelectContext<'_>,
    resources: &'b FreeResources,
    taken: &[Taken],
) -> Vec<Cow<'b, BitSet>> {
    let last = u32::try_from(taken.len()).unwrap_or(u32::MAX).saturating_sub(1);
    let open = |(t, i): (&Taken, u32)| {
        let conf = &context.ctld.node(NodeId(t.offer.node)).conf;
        let cores = context.open_cores(conf, resources.free(t.offer.node));
        sockets::open(context, conf, cores, last - i)
    };
    taken.iter().zip(0..).map(open).collect()
}

/// The number of tasks on each node: one at a time in a round robin over the nodes, until the CPUs of a node are used up.
fn tasks(context: &SelectContext<'_>, taken: &[Taken], opens: &[Cow<'_, BitSet>]) -> Vec<u32> {
    let per_task = context.cpus_per_task();
    // Maximum number of tasks on a node, and how many are added at a time.
    let shares = |(t, open): (&Taken, &Cow<'_, BitSet>)| {
        let each = context.per_core(&context.ctld.node(NodeId(t.offer.node)).conf).max(1);
        let cpus = match context.select.unit {
            // Evenly (26.05; 22.05 gives the other nodes as little as possible).
            _ if context.needs.style.spread => t.offer.cpus,
            // Whole sockets.
            SelectUnit::Socket if context.nodes_asked() => open.len().saturating_mul(each).min(t.offer.cpus),
            // No other job can use the rest of a core.
            SelectUnit::Cpu => t.cpus.next_multiple_of(each),
            SelectUnit::Core | SelectUnit::Socket => t.cpus,
        };
        // Where a core has several CPUs, all tasks that fit on a core are added together.
        let together = match context.select.unit {
            SelectUnit::Cpu => 1,
            SelectUnit::Core | SelectUnit::Socket => (each / per_task).max(1),
        };
        ((cpus / per_task).max(1), together)
    };
    let shares: Vec<(u32, u32)> = taken.iter().zip(opens).map(shares).collect();
    let nodes = u32::try_from(taken.len()).unwrap_or(u32::MAX);
    let mut left = context.needs.ntasks.saturating_sub(nodes);
    let capacity = shares.iter().fold(0, |all: u32, (most, _)| all.saturating_add(most - 1));
    let mut tasks = vec![1u32; taken.len()];
    if left >= capacity {
        tasks = shares.iter().map(|(most, _)| *most).collect();
        left -= capacity;
    } else {
        while left > 0 {
            for (n, (most, together)) in tasks.iter_mut().zip(&shares) {
                let more = (most - *n).min(left).min(together - *n % together);
                *n += more;
                left -= more;
            }
        }
    }
    if context.needs.style.overcommit && left > 0 {
        let (each, rest) = (left / nodes.max(1), left % nodes.max(1));
        tasks.iter_mut().zip(0..).for_each(|(n, i)| *n += each + u32::from(i < rest));
    }
    tasks
}

/// Selects cores, memory and GRES on a node.
fn cut(
    context: &SelectContext<'_>,
    (resources, open): (&FreeResources, Cow<'_, BitSet>),
    taken: &Taken,
    tasks: u32,
) -> NodeAlloc {
    let needs = context.needs;
    let id = NodeId(taken.offer.node);
    let conf = &context.ctld.node(id).conf;
    let free = resources.free(taken.offer.node);
    let mut cpus = tasks.saturating_mul(context.per_task_on(conf)).max(needs.min_cpus_per_node);
    if needs.style.overcommit || needs.min_cpus > needs.ntasks.saturating_mul(context.cpus_per_task()) {
        cpus = taken.cpus;
    }
    let gpus = wanted_gpus(context, taken, tasks);
    if needs.cpus_per_gpu > 0 {
        let fed = u64::from(needs.cpus_per_gpu).saturating_mul(gpus);
        cpus = cpus.max(u32::try_from(fed).unwrap_or(u32::MAX));
    }
    let cores = if context.whole() {
        needs.core_spec.map_or_else(|| open.into_owned(), |spec| conf.cores_but(spec))
    } else {
        let wanted = cpus.div_ceil(context.per_core(conf).max(1));
        let near = |need: &GresNeed| gres::near(conf, free, need.kinds, (gpus, wanted), &open);
        let only = needs.gres.first().filter(|need| needs.gres.len() == 1 && need.per != GresPer::Socket);
        let bound = |need: &GresNeed| gres::bound_cores(conf, free, need.kinds, (gpus, wanted), &open);
        let groups = only.filter(|_| context.bound()).and_then(bound).unwrap_or_default();
        // At least one core near each device.
        let cpus = cpus.max(u32::try_from(groups.len()).unwrap_or(0).saturating_mul(context.per_core(conf)));
        let mut all = BitSet::new();
        groups.iter().for_each(|cores| all.union_with(cores));
        let near = if groups.is_empty() { only.and_then(near) } else { Some(all) };
        sockets::take(context, conf, near.as_ref().unwrap_or(&open), cpus)
    };
    let mut held: Vec<(u32, BitSet)> =
        if context.exclusive_node() { gres::all_devices(conf, free) } else { Vec::new() };
    let several = context.select.multiple_sharing;
    // A job with exclusive nodes gets all their devices.
    let rest = |need: &&GresNeed| !gres::covered(conf, &held, need.kinds);
    let rest: Vec<&GresNeed> = needs.gres.iter().filter(rest).collect();
    for need in rest {
        let count = match need.per {
            GresPer::Node => need.count,
            GresPer::Job => taken.gres.min(need.count),
            GresPer::Task => need.count.saturating_mul(tasks.into()),
            GresPer::Socket => {
                let used = (0..conf.sockets).map(|s| sockets::of_socket(conf, &cores, s));
                for here in used.filter(|here| !here.is_empty()) {
                    gres::take(conf, free, need.kinds, need.count, (&here, several), &mut held);
                }
                let further = needs.shape.sockets.saturating_sub(sockets::count(conf, &cores));
                need.count.saturating_mul(further.into())
            }
        };
        gres::take(conf, free, need.kinds, count, (&cores, several), &mut held);
    }
    let all = cores.len() * conf.cpus_per_core();
    let threads = cores.len() * context.threads(conf);
    let (all, usable) = match context.select.unit {
        SelectUnit::Cpu if !context.whole() => (cpus.min(all), cpus.min(threads)),
        SelectUnit::Cpu | SelectUnit::Core | SelectUnit::Socket => (all, threads),
    };
    let memory = match needs.memory {
        Memory::PerNode(0) | Memory::Unset => conf.usable_memory(),
        Memory::PerNode(mib) => mib,
        Memory::PerCpu(mib) => mib.saturating_mul(usable.into()),
        Memory::PerGpu(mib) => mib.saturating_mul(gpus),
    };
    let memory = if context.select.memory { memory.min(free.mem) } else { 0 };
    NodeAlloc { node: id, cores, cpus: all, usable, memory, gres: held, tasks }
}

/// Number of GPUs (or other requested GRES) on the node.
fn wanted_gpus(context: &SelectContext<'_>, taken: &Taken, tasks: u32) -> u64 {
    let needs = context.needs;
    let of = |need: &GresNeed| match need.per {
        GresPer::Node => need.count,
        GresPer::Job => taken.gres.min(need.count),
        GresPer::Task => need.count.saturating_mul(tasks.into()),
        GresPer::Socket => need.count.saturating_mul(needs.shape.sockets.max(1).into()),
    };
    needs.gres.iter().map(of).fold(0, u64::saturating_add)
}

impl SelectContext<'_> {
    /// CPUs in total.
    pub(super) fn cpus_wanted(&self) -> u32 {
        let needs = self.needs;
        if needs.style.overcommit {
            return needs.min_nodes.max(1);
        }
        needs.min_cpus.max(needs.ntasks.saturating_mul(self.cpus_per_task()))
    }

    /// GRES for the whole job.
    pub(super) fn gres_wanted(&self) -> u64 {
        let of_job = self.needs.gres.iter().filter(|g| g.per == GresPer::Job);
        of_job.map(|g| g.count).max().unwrap_or(0)
    }
}

impl Choice {
    /// The nodes.
    pub(crate) fn nodes(&self) -> BitSet {
        self.parts.iter().map(|p| p.node.0).collect()
    }

    /// The allocation, with its TRES.
    pub(crate) fn allocation(self, ctld: &Slurmctld, job: &Job, part: PartId) -> Allocation {
        let nodes = self.parts;
        let mut tres = Tres { node: nodes.len() as u64, ..Tres::default() };
        for alloc in &nodes {
            tres.cpu += u64::from(alloc.cpus);
            tres.mem += alloc.memory;
            let conf = &ctld.node(alloc.node).conf;
            for (i, set) in &alloc.gres {
                let Some(gres) = conf.gres.get(*i as usize) else { continue };
                let req = GresReq { name: gres.name.clone(), kind: gres.kind.clone(), count: 0 };
                billing::add_gres(&mut tres, &req, gres.amount(set.len()));
            }
        }
        tres.licenses = ctld.licenses_for(job, ctld.caches.moment);
        tres.billing = billing::billing(ctld.partition(part), &tres, ctld.cluster.global.priority.flags);
        Allocation { nodes, tres }
    }
}
