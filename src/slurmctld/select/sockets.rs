//! Sockets and cores within a node: which free cores a job could use, and which of them it gets.

use super::SelectError;
use super::offer::SelectContext;
use base::bitset::BitSet;
use config::{NodeConf, SelectUnit};
use std::borrow::Cow;

/// How many of the free cores the job could use within its limits for sockets.
pub(super) fn usable(
    context: &SelectContext<'_>,
    conf: &NodeConf,
    free: &BitSet,
) -> Result<u32, SelectError> {
    let shape = &context.needs.shape;
    let mut sockets = 0;
    let mut cores = 0;
    for socket in 0..conf.sockets {
        let here = on_socket(conf, free, socket).count();
        let here = most_of_socket(context, conf, u32::try_from(here).unwrap_or(0));
        if here > 0 {
            sockets += 1;
            cores += here;
        }
    }
    if sockets < shape.sockets.max(1) { Err(SelectError::Cpus) } else { Ok(cores) }
}

/// The free cores of a socket.
fn on_socket<'a>(conf: &NodeConf, free: &'a BitSet, socket: u32) -> impl Iterator<Item = u32> + 'a {
    let first = socket * conf.cores_per_socket;
    (first..first + conf.cores_per_socket).filter(|core| free.contains(*core))
}

/// How many of a socket's free cores the job could use.
fn most_of_socket(context: &SelectContext<'_>, conf: &NodeConf, free: u32) -> u32 {
    let shape = &context.needs.shape;
    if free < shape.cores || (context.select.unit == SelectUnit::Socket && free < conf.cores_per_socket) {
        return 0;
    }
    if shape.ntasks_per_socket == 0 {
        return free;
    }
    let cpus = shape.ntasks_per_socket.saturating_mul(context.cpus_per_task());
    free.min(cpus.div_ceil(context.per_core(conf).max(1)))
}

/// Selects cores for a number of CPUs. One-CPU tasks are distributed over the sockets in a round robin. Larger tasks fill one
/// socket after the other, each on a single socket if it fits (not with `--ntasks-per-socket`). With CR_CPU, sockets do not matter.
pub(super) fn take(context: &SelectContext<'_>, conf: &NodeConf, free: &BitSet, cpus: u32) -> BitSet {
    let wanted = cpus.div_ceil(context.per_core(conf).max(1));
    let free = first_cores(context, conf, free);
    let any = context.select.unit != SelectUnit::Socket
        && (context.needs.shape.cores, context.needs.shape.ntasks_per_socket) == (0, 0);
    if any && wanted >= free.len() {
        return free.into_owned();
    }
    let free = free.as_ref();
    if any && conf.sockets == 1 {
        return free.iter().take(wanted as usize).collect();
    }
    if context.needs.style.block_cores || context.select.unit == SelectUnit::Cpu {
        let taken = block(conf, free, wanted);
        return if context.select.unit == SelectUnit::Socket { whole_sockets(conf, &taken) } else { taken };
    }
    let mut stacks: Vec<Vec<u32>> = (0..conf.sockets)
        .map(|socket| {
            let mut cores: Vec<u32> = on_socket(conf, free, socket).collect();
            cores.truncate(most_of_socket(context, conf, u32::try_from(cores.len()).unwrap_or(0)) as usize);
            cores.reverse();
            cores
        })
        .collect();
    avoid(context, &mut stacks, wanted);
    let mut taken = BitSet::new();
    let mut left = wanted;
    let whole = whole_tasks(context, conf, &stacks, cpus);
    for (stack, cores) in stacks.iter_mut().zip(whole) {
        let cores = cores.min(left);
        taken.extend(stack.drain(stack.len() - cores as usize..));
        left -= cores;
    }
    while left > 0 && stacks.iter().any(|s| !s.is_empty()) {
        for stack in stacks.iter_mut().filter(|s| !s.is_empty()) {
            if left > 0 {
                taken.extend(stack.pop());
                left -= 1;
            }
        }
    }
    if context.select.unit == SelectUnit::Socket {
        return whole_sockets(conf, &taken);
    }
    taken
}

/// The cores within the limit of tasks per node: the first free ones (26.05; 22.05 distributes them over the sockets). With
/// CR_Socket, all free cores, because only whole sockets can be allocated.
fn first_cores<'f>(context: &SelectContext<'_>, conf: &NodeConf, free: &'f BitSet) -> Cow<'f, BitSet> {
    let tasks = context.needs.ntasks_per_node;
    if tasks == 0 || context.select.unit == SelectUnit::Socket {
        return Cow::Borrowed(free);
    }
    let cpus = tasks.saturating_mul(context.cpus_per_task()).max(context.needs.min_cpus_per_node);
    let cores = cpus.div_ceil(context.per_core(conf).max(1));
    Cow::Owned(free.iter().take(cores as usize).collect())
}

/// How many cores of each socket tasks with several CPUs take: each task gets the first socket with enough cores for it. 0 for
/// one-CPU tasks and with `--ntasks-per-socket`.
fn whole_tasks(context: &SelectContext<'_>, conf: &NodeConf, sockets: &[Vec<u32>], cpus: u32) -> Vec<u32> {
    let (task, each) = (context.cpus_per_task(), context.per_core(conf).max(1));
    let mut used = vec![0; sockets.len()];
    if task == 1 || context.needs.shape.ntasks_per_socket > 0 {
        return used;
    }
    for _ in 0..cpus / task {
        let fits =
            |(cores, used): &(&Vec<u32>, &mut u32)| cores.len() * each as usize >= (**used + task) as usize;
        let Some((_, used)) = sockets.iter().zip(&mut used).find(fits) else { break };
        *used += task;
    }
    used.into_iter().map(|cpus| cpus.div_ceil(each)).collect()
}

/// Adjacent cores: of the smallest socket that has enough, otherwise of the largest socket, and then of the next.
fn block(conf: &NodeConf, free: &BitSet, wanted: u32) -> BitSet {
    let mut taken = BitSet::new();
    let mut sockets: Vec<Vec<u32>> = (0..conf.sockets).map(|s| on_socket(conf, free, s).collect()).collect();
    let mut left = wanted as usize;
    while left > 0 {
        sockets.retain(|cores| !cores.is_empty());
        let enough = sockets.iter().enumerate().filter(|s| s.1.len() >= left).min_by_key(|s| s.1.len());
        let largest = || sockets.iter().enumerate().min_by_key(|s| std::cmp::Reverse(s.1.len()));
        let Some(at) = enough.or_else(largest).map(|s| s.0) else { break };
        let cores = sockets.remove(at);
        taken.extend(cores.iter().copied().take(left));
        left = left.saturating_sub(cores.len());
    }
    taken
}

/// The cores of a node that the job may use with CR_Socket. As recorded: if the job requests several nodes, all cores of the last
/// node; of each other node, the first sockets with enough cores for all tasks that it could get if each further node gets one.
pub(super) fn open<'f>(
    context: &SelectContext<'_>,
    conf: &NodeConf,
    free: Cow<'f, BitSet>,
    further: u32,
) -> Cow<'f, BitSet> {
    let by_socket = context.select.unit == SelectUnit::Socket && context.nodes_asked();
    if !by_socket || further == 0 || context.whole() || context.needs.shape.ntasks_per_socket > 0 {
        return free;
    }
    let tasks = context.needs.ntasks.saturating_sub(further).max(1);
    let cpus = tasks.saturating_mul(context.cpus_per_task());
    let least = context.needs.shape.sockets.saturating_mul(conf.cores_per_socket);
    let mut wanted = cpus.div_ceil(context.per_core(conf).max(1)).max(least);
    let mut open = BitSet::new();
    for socket in 0..conf.sockets {
        let here: Vec<u32> = on_socket(conf, &free, socket).collect();
        if wanted > 0 && here.len() == conf.cores_per_socket as usize {
            wanted = wanted.saturating_sub(conf.cores_per_socket);
            open.extend(here);
        }
    }
    Cow::Owned(open)
}

/// The first free cores of each socket, so that at most this many cores of a socket are used.
pub(super) fn capped(conf: &NodeConf, free: &BitSet, used: &BitSet, most: u32) -> BitSet {
    let left = |socket: u32| (most as usize).saturating_sub(on_socket(conf, used, socket).count());
    (0..conf.sockets).flat_map(|socket| on_socket(conf, free, socket).take(left(socket))).collect()
}

/// The number of sockets with some of these cores.
pub(super) fn count(conf: &NodeConf, cores: &BitSet) -> u32 {
    let here = |s: &u32| on_socket(conf, cores, *s).next().is_some();
    u32::try_from((0..conf.sockets).filter(here).count()).unwrap_or(u32::MAX)
}

/// The cores among these on a socket.
pub(super) fn of_socket(conf: &NodeConf, cores: &BitSet, socket: u32) -> BitSet {
    on_socket(conf, cores, socket).collect()
}

/// With `--ntasks-per-socket`, leaves out sockets that are not needed, the first ones first.
fn avoid(context: &SelectContext<'_>, stacks: &mut [Vec<u32>], wanted: u32) {
    if context.needs.shape.ntasks_per_socket == 0 {
        return;
    }
    for socket in 0..stacks.len() {
        let others: usize = stacks.iter().enumerate().filter(|s| s.0 != socket).map(|s| s.1.len()).sum();
        if others >= wanted as usize {
            stacks[socket].clear();
        }
    }
}

/// All cores of the sockets that have some of these (CR_Socket).
fn whole_sockets(conf: &NodeConf, taken: &BitSet) -> BitSet {
    let per = conf.cores_per_socket.max(1);
    let touched: BitSet = taken.iter().map(|core| core / per).collect();
    touched.iter().flat_map(|s| s * per..(s + 1) * per).collect()
}
