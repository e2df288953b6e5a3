//! CPU and GPU binding of a step's tasks. Mirrors `--cpu-bind`, `--gpu-bind` and `--gpus-per-task` of
//! srun(1).
//!
//! Simulated processes run on any CPU, so binding consists of its visible effects: masks, variables and
//! messages.

use super::component::Component;
use base::order::StableSort as _;
use config::Cluster;
use slurmctld::Slurmctld;
use slurmctld::jobenv::devices::gpu_indices;
use slurmctld::request::StepNode;

/// Types of `--cpu-bind`.
const TYPES: &[&str] = &[
    "none",
    "no",
    "rank",
    "map_cpu",
    "mask_cpu",
    "rank_ldom",
    "map_ldom",
    "mask_ldom",
    "sockets",
    "socket",
    "cores",
    "core",
    "threads",
    "thread",
    "ldoms",
    "ldom",
    "boards",
];

/// Whether the cluster binds tasks (`TaskPlugin`).
fn binds(cluster: &Cluster) -> bool {
    cluster.global.raw.get("TaskPlugin").is_some_and(|p| p.contains("affinity") || p.contains("cgroup"))
}

/// Messages about `--cpu-bind` before the step starts, and the exit code if nothing else follows.
pub fn check(cluster: &Cluster, o: &Component) -> (Vec<String>, Option<u8>) {
    let Some(asked) = o.run.cpu_bind.as_deref() else { return (Vec::new(), None) };
    let able = binds(cluster);
    if asked == "help" {
        let text = if able { HELP } else { "CPU bind options not supported with current configuration" };
        return (vec![text.to_owned()], Some(u8::from(!able)));
    }
    let list = asked.contains("map_") || asked.contains("mask_");
    let known = |word: &&str| {
        let kind = word.split(':').next().unwrap_or(word);
        matches!(kind, "q" | "quiet" | "v" | "verbose") || TYPES.contains(&kind) || list && is_value(word)
    };
    if let Some(bad) = asked.split(',').find(|word| !known(word)) {
        let lines = vec![
            format!("srun: error: unrecognized --cpu-bind argument \"{bad}\""),
            "srun: fatal: Failed to parse --cpu-bind= values.".to_owned(),
        ];
        return (lines, Some(1));
    }
    (Vec::new(), None)
}

const HELP: &str = "CPU bind options:
    --cpu-bind=         Bind tasks to CPUs
        q[uiet]         quietly bind before task runs (default)
        v[erbose]       verbosely report binding before task runs
        no[ne]          don't bind tasks to CPUs (default)
        rank            bind by task rank
        map_cpu:<list>  specify a CPU ID binding for each task
        mask_cpu:<list> specify a CPU ID binding mask for each task
        sockets         auto-generated masks bind to sockets
        cores           auto-generated masks bind to cores
        threads         auto-generated masks bind to threads
        ldoms           auto-generated masks bind to NUMA locality domains
        help            show this help message";

/// A further value of a list: `map_cpu:0,2`.
fn is_value(word: &str) -> bool {
    word.trim_start_matches("0x").bytes().all(|b| b.is_ascii_hexdigit()) && !word.is_empty()
}

/// The binding of one task.
pub struct Bound {
    /// `MASK` in the output of verbose binding.
    pub kind: &'static str,
    /// A bit per CPU, lowest first.
    pub mask: Vec<bool>,
    /// Whether the binding is printed on standard error.
    pub verbose: bool,
}

impl Bound {
    /// `0x3`.
    #[must_use]
    pub fn hex(&self) -> String {
        let digit = |bits: &[bool]| {
            let value = bits.iter().rev().fold(0, |n, bit| n * 2 + u32::from(*bit));
            char::from_digit(value, 16).unwrap_or('0')
        };
        let text: String = self.mask.chunks(4).rev().map(digit).collect();
        let text = text.trim_start_matches('0');
        format!("0x{}", if text.is_empty() { "0" } else { text })
    }
}

/// The CPUs of all tasks on a node; `None` without binding.
#[must_use]
pub fn cpus(ctld: &Slurmctld, o: &Component, node: &StepNode, cpus_per_task: u32) -> Option<Vec<Bound>> {
    if !binds(&ctld.cluster) {
        return None;
    }
    let asked = o.run.cpu_bind.as_deref().unwrap_or("");
    let verbose = asked.split(',').any(|w| matches!(w, "v" | "verbose"));
    let kind = asked.split(',').map(|w| w.split(':').next().unwrap_or(w)).find(|w| TYPES.contains(w));
    let list: Vec<&str> = asked.split_once(':').map_or(Vec::new(), |(_, list)| list.split(',').collect());
    let machine = StepCores::of(ctld, node);
    let each = |local_id: usize| -> (&'static str, Vec<bool>) {
        let value = || list.get(local_id % list.len().max(1)).copied().unwrap_or("0");
        match kind {
            Some("none" | "no") => ("NONE", machine.mask(&machine.cores)),
            Some("rank" | "rank_ldom") => ("RANK", machine.one_cpu(local_id)),
            Some("map_cpu" | "map_ldom") => ("MAP ", machine.one_cpu(number(value()))),
            Some("mask_cpu" | "mask_ldom") => ("MASK", bits(value())),
            Some("sockets" | "socket" | "ldoms" | "ldom" | "boards") => {
                let own = machine.of_task(local_id, cpus_per_task);
                ("MASK", machine.mask(&machine.whole_sockets(&own)))
            }
            Some(_) | None => ("MASK", machine.mask(&machine.of_task(local_id, cpus_per_task))),
        }
    };
    Some(
        (0..node.ranks.len())
            .map(|local_id| {
                let (kind, mask) = each(local_id);
                Bound { kind, mask, verbose }
            })
            .collect(),
    )
}

fn number(text: &str) -> usize {
    match text.strip_prefix("0x") {
        Some(hex) => usize::from_str_radix(hex, 16).unwrap_or(0),
        None => text.parse().unwrap_or(0),
    }
}

fn bits(hex: &str) -> Vec<bool> {
    let digits = hex.trim_start_matches("0x").chars().rev().filter_map(|c| c.to_digit(16));
    digits.flat_map(|d| (0..4).map(move |bit| d >> bit & 1 == 1)).take(4096).collect()
}

/// The step's cores on a node, in the order in which tasks get them.
struct StepCores {
    cores: Vec<u32>,
    per_socket: u32,
    threads: u32,
    all: u32,
}

impl StepCores {
    fn of(ctld: &Slurmctld, node: &StepNode) -> Self {
        let conf = &ctld.node(node.gets.node).conf;
        let per_socket = conf.cores_per_socket.max(1);
        let mut cores: Vec<u32> = node.gets.cores.iter().collect();
        // Tasks are distributed over the sockets cyclically.
        let turn = |core: &u32| {
            let before = node.gets.cores.iter().filter(|c| c / per_socket == core / per_socket && c < core);
            (before.count(), *core)
        };
        cores.order_by_key(turn);
        Self {
            cores,
            per_socket,
            threads: conf.threads_per_core.max(1),
            all: conf.sockets.max(1) * per_socket,
        }
    }

    /// The cores of a task; tasks share cores if there are too few.
    fn of_task(&self, local_id: usize, cpus: u32) -> Vec<u32> {
        let each = cpus.div_ceil(self.threads).max(1) as usize;
        let mut sorted: Vec<u32> = self.cores.clone();
        if each > 1 {
            sorted.order();
        }
        let len = sorted.len().max(1);
        (0..each).filter_map(|i| sorted.get((local_id * each + i) % len).copied()).collect()
    }

    fn whole_sockets(&self, own: &[u32]) -> Vec<u32> {
        let near = |core: &&u32| own.iter().any(|c| c / self.per_socket == **core / self.per_socket);
        self.cores.iter().filter(near).copied().collect()
    }

    fn one_cpu(&self, cpu: usize) -> Vec<bool> {
        (0..=cpu.min(4095)).map(|i| i == cpu).collect()
    }

    /// All threads of cores: the CPU numbers of second threads follow those of all first threads.
    fn mask(&self, cores: &[u32]) -> Vec<bool> {
        let mut mask = vec![false; (self.all * self.threads) as usize];
        for cpu in cores.iter().flat_map(|core| (0..self.threads).map(move |t| core + t * self.all)) {
            if let Some(bit) = mask.get_mut(cpu as usize) {
                *bit = true;
            }
        }
        mask
    }
}

/// The indices of the GPUs of the step that a task sees on its node; `None`: all of them.
#[must_use]
pub fn gpus(ctld: &Slurmctld, o: &Component, node: &StepNode, local_id: usize) -> Option<Vec<u32>> {
    let count = u32::try_from(gpu_indices(ctld, node.gets.node, &node.gets.gres).len()).unwrap_or(0);
    let local_id = u32::try_from(local_id).unwrap_or(0);
    if count == 0 {
        return None;
    }
    let asked = o.desc.gpu_bind.as_deref();
    let kind = asked.and_then(|a| a.split(',').find(|w| !matches!(*w, "v" | "verbose" | "q" | "quiet")));
    let per_task: u64 = o.desc.gpus_per_task.iter().map(|g| g.count).sum();
    let (kind, value) = match (kind, o.desc.ntasks_per_gpu) {
        (Some(kind), _) => kind.split_once(':').unwrap_or((kind, "1")),
        (None, _) if per_task > 0 => ("per_task", ""),
        (None, Some(_)) => ("single", ""),
        (None, None) => return None,
    };
    let list: Vec<&str> =
        asked.and_then(|a| a.split_once(':')).map_or(Vec::new(), |(_, l)| l.split(',').collect());
    let own = |n: u32| list.get(n as usize % list.len().max(1)).copied().unwrap_or("0");
    match kind {
        "per_task" => {
            let each = value.parse().unwrap_or_else(|_| u32::try_from(per_task).unwrap_or(1)).max(1);
            Some((0..each).map(|i| (local_id * each + i) % count).collect())
        }
        "single" => {
            let each = value.parse().unwrap_or_else(|_| o.desc.ntasks_per_gpu.unwrap_or(1)).max(1);
            Some(vec![local_id / each % count])
        }
        "map" | "map_gpu" => Some(vec![u32::try_from(number(own(local_id))).unwrap_or(0)]),
        "mask" | "mask_gpu" => {
            let bits = bits(own(local_id));
            Some((0u32..).zip(bits).filter(|(_, bit)| *bit).map(|(i, _)| i).collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_as_hex() {
        let bound = |mask: Vec<bool>| Bound { kind: "MASK", mask, verbose: false }.hex();
        assert_eq!(bound(vec![true, true]), "0x3");
        assert_eq!(bound(bits("0x8001")), "0x8001");
        assert_eq!(bound(vec![false; 16]), "0x0");
    }
}
