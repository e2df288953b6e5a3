//! Sockets and cores within a node: which of the free cores a job could use, and which of them it takes.

use super::Refusal;
use super::room::Room;
use crate::base::bitset::BitSet;
use crate::config::{NodeConf, SelectUnit};

/// How many of the free cores the job could use, sockets' limits kept.
pub(super) fn usable(room: &Room<'_>, conf: &NodeConf, free: &BitSet) -> Result<u32, Refusal> {
    let shape = &room.needs.shape;
    let mut sockets = 0;
    let mut cores = 0;
    for socket in 0..conf.sockets {
        let here = on_socket(conf, free, socket).count();
        let here = most_of_socket(room, conf, u32::try_from(here).unwrap_or(0));
        if here > 0 {
            sockets += 1;
            cores += here;
        }
    }
    if sockets < shape.sockets.max(1) { Err(Refusal::Cpus) } else { Ok(cores) }
}

/// The free cores of a socket.
fn on_socket<'a>(conf: &NodeConf, free: &'a BitSet, socket: u32) -> impl Iterator<Item = u32> + 'a {
    let first = socket * conf.cores_per_socket;
    (first..first + conf.cores_per_socket).filter(|core| free.contains(*core))
}

/// How many of a socket's free cores the job could use.
fn most_of_socket(room: &Room<'_>, conf: &NodeConf, free: u32) -> u32 {
    let shape = &room.needs.shape;
    if free < shape.cores || (room.select.unit == SelectUnit::Socket && free < conf.cores_per_socket) {
        return 0;
    }
    if shape.ntasks_per_socket == 0 {
        return free;
    }
    let cpus = shape.ntasks_per_socket.saturating_mul(room.cpus_per_task());
    free.min(cpus.div_ceil(room.per_core(conf).max(1)))
}

/// Takes cores for so many CPUs: tasks of one CPU go round over the sockets, larger ones fill socket after socket, each on
/// one socket where it fits. As in Slurm a task is counted here in cores, even where a core has several CPUs.
pub(super) fn take(room: &Room<'_>, conf: &NodeConf, free: &BitSet, cpus: u32) -> BitSet {
    let wanted = cpus.div_ceil(room.per_core(conf).max(1));
    let free = first_cores(room, conf, free);
    if room.needs.style.block_cores {
        return free.iter().take(wanted as usize).collect();
    }
    let mut stacks: Vec<Vec<u32>> = (0..conf.sockets)
        .map(|socket| {
            let mut cores: Vec<u32> = on_socket(conf, &free, socket).collect();
            cores.truncate(most_of_socket(room, conf, u32::try_from(cores.len()).unwrap_or(0)) as usize);
            cores.reverse();
            cores
        })
        .collect();
    avoid(room, &mut stacks, cpus);
    let mut taken = BitSet::new();
    let mut left = wanted;
    let task = room.cpus_per_task();
    while task > 1 && left > 0 {
        // A whole task on the first socket that has room for it.
        let chunk = task.min(left) as usize;
        let Some(stack) = stacks.iter_mut().find(|s| s.len() >= chunk) else { break };
        taken.extend(stack.drain(stack.len() - chunk..));
        left -= task.min(left);
    }
    while left > 0 && stacks.iter().any(|s| !s.is_empty()) {
        for stack in stacks.iter_mut().filter(|s| !s.is_empty()) {
            if left > 0 {
                taken.extend(stack.pop());
                left -= 1;
            }
        }
    }
    if room.select.unit == SelectUnit::Socket {
        return whole_sockets(conf, &taken);
    }
    taken
}

/// With `--ntasks-per-socket`, sockets that the tasks do not need are left alone: the fuller ones, of equals the first.
fn avoid(room: &Room<'_>, stacks: &mut [Vec<u32>], cpus: u32) {
    let each = room.needs.shape.ntasks_per_socket;
    if each == 0 {
        return;
    }
    let tasks = cpus / room.cpus_per_task();
    let needed = tasks.div_ceil(each) as usize;
    let open = stacks.iter().filter(|s| !s.is_empty()).count();
    for _ in needed..open {
        let fullest = stacks.iter_mut().filter(|s| !s.is_empty()).min_by_key(|s| s.len());
        fullest.into_iter().for_each(Vec::clear);
    }
}

/// The cores that a limit of tasks for each node leaves: the first ones that are free.
fn first_cores(room: &Room<'_>, conf: &NodeConf, free: &BitSet) -> BitSet {
    let tasks = room.needs.ntasks_per_node;
    if tasks == 0 {
        return free.clone();
    }
    let cpus = tasks.saturating_mul(room.cpus_per_task()).max(room.needs.min_cpus_per_node);
    let cores = cpus.div_ceil(room.per_core(conf).max(1));
    free.iter().take(cores as usize).collect()
}

/// All cores of the sockets that have some of these (CR_Socket).
fn whole_sockets(conf: &NodeConf, taken: &BitSet) -> BitSet {
    let per = conf.cores_per_socket.max(1);
    let touched: BitSet = taken.iter().map(|core| core / per).collect();
    touched.iter().flat_map(|s| s * per..(s + 1) * per).collect()
}
