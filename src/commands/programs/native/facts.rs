//! What a program learns of its machine and its step, beyond its environment.

use base::hostlist;
use base::time::Time;
use host::Gpu;
use host::model::ModelContext;

/// Facts about the process that runs.
#[derive(Clone, Debug, Default)]
pub(super) struct HostFacts {
    /// When it started.
    pub now: Time,
    pub pid: i64,
    /// The visible GPUs: the number on the host, and the model.
    pub gpus: Vec<(u32, Gpu)>,
    /// The hosts of all ranks, if they are known.
    pub hosts: Vec<String>,
}

/// The compute capability and the multiprocessors of GPUs, by a word of their model.
const CAPABILITIES: &[(&str, i64, i64, i64)] = &[
    ("P100", 6, 0, 56),
    ("V100", 7, 0, 80),
    ("T4", 7, 5, 40),
    ("8000", 7, 5, 72),
    ("A100", 8, 0, 108),
    ("A40", 8, 6, 84),
    ("L4", 8, 9, 58),
    ("L40S", 8, 9, 142),
    ("H100", 9, 0, 132),
];

/// Compute capability (major, minor) and multiprocessors of a GPU.
pub(super) fn capability(gpu: &Gpu) -> Option<(i64, i64, i64)> {
    let words = gpu.model.split([' ', '-']);
    let found = words.filter_map(|word| CAPABILITIES.iter().find(|known| known.0 == word)).next()?;
    Some((found.1, found.2, found.3))
}

/// Most ranks whose hosts are listed.
const MAX_RANKS: u32 = 4096;

/// The hosts of the ranks of a step with block distribution. Empty if they are not known.
pub(super) fn hosts(context: &ModelContext) -> Vec<String> {
    let own = context.variable("host");
    if context.tasks <= 1 {
        return vec![own];
    }
    let env = |name: &str| context.env.get(name).map_or("", String::as_str);
    let step = env("SLURM_STEP_ID").parse::<u32>().is_ok();
    if !step {
        // Ranks that `mpirun` started outside of a job.
        let local = !env("OMPI_COMM_WORLD_SIZE").is_empty() && env("SLURM_JOB_ID").is_empty();
        let count = usize::try_from(context.tasks.min(MAX_RANKS)).unwrap_or(0);
        return if local { vec![own; count] } else { Vec::new() };
    }
    if !matches!(env("SLURM_DISTRIBUTION"), "" | "block") || context.tasks > MAX_RANKS {
        return Vec::new();
    }
    let Ok(nodes) = hostlist::expand(env("SLURM_STEP_NODELIST")) else { return Vec::new() };
    let mut all = Vec::new();
    let mut nodes = nodes.into_iter();
    for part in env("SLURM_STEP_TASKS_PER_NODE").split(',') {
        let (tasks, times) = match part.split_once("(x") {
            Some((tasks, times)) => (tasks, times.trim_end_matches(')').parse().unwrap_or(0)),
            None => (part, 1_usize),
        };
        let tasks: usize = tasks.parse().unwrap_or(0);
        for node in nodes.by_ref().take(times) {
            all.extend(std::iter::repeat_n(node, tasks.min(4096)));
        }
    }
    let rank = usize::try_from(context.rank).unwrap_or(usize::MAX);
    let right = all.len() == usize::try_from(context.tasks).unwrap_or(0) && all.get(rank) == Some(&own);
    if right { all } else { Vec::new() }
}
