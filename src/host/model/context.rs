//! The context of a model: arguments, rank, CPUs and GPUs, as real programs learn them from their
//! environment.

use crate::{Env, Exec, Kernel, path};
use base::ids::Pid;
use base::time::Time;
use std::sync::Arc;

/// The context in which a program runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelContext {
    /// The command name without directories.
    pub name: String,
    /// The program file that an interpreter or launcher runs (`train.py`).
    pub file: Option<String>,
    /// The arguments after the file, or after the command name.
    pub args: Vec<String>,
    /// All words after the name.
    pub words: Vec<String>,
    /// Its environment.
    pub env: Arc<Env>,
    /// The number of tasks of the step or ranks of `mpirun`.
    pub tasks: u32,
    /// The rank.
    pub rank: u32,
    /// The number of nodes.
    pub nodes: u32,
    /// The number of usable CPUs.
    pub cpus: u32,
    /// Memory limit of the job, MiB; `None` outside jobs.
    pub memory: Option<u64>,
    /// The end of the job's time limit.
    pub ends: Option<Time>,
    /// Number of threads requested (`OMP_NUM_THREADS`, `SLURM_CPUS_PER_TASK`).
    pub threads: u32,
    /// The visible GPUs by host index.
    pub gpus: Vec<u32>,
    /// The job's restart count.
    pub restarts: u32,
    /// Job and task as text, for random seeds.
    pub job: String,
}

/// Programs that run another program: interpreters and launchers.
const RUNNERS: [&str; 19] = [
    "R",
    "Rscript",
    "accelerate",
    "deepspeed",
    "ipython",
    "java",
    "julia",
    "mpiexec",
    "mpiexec.hydra",
    "mpirun",
    "octave",
    "orterun",
    "perl",
    "python",
    "python2",
    "python3",
    "ruby",
    "torchrun",
    "wine",
];

/// Options of these programs that take a separate value.
const TAKING: [&str; 14] = [
    "-W",
    "-X",
    "-n",
    "-np",
    "-N",
    "--map-by",
    "--bind-to",
    "-x",
    "-H",
    "--host",
    "--hostfile",
    "--nproc_per_node",
    "--nnodes",
    "-p",
];

/// Whether a command runs another program.
#[must_use]
pub fn is_runner(name: &str) -> bool {
    RUNNERS.contains(&name) || name.starts_with("python3.")
}

impl ModelContext {
    /// The context of a process that executes `exec`.
    #[must_use]
    pub fn of(kernel: &Kernel, pid: Pid, exec: &Exec) -> Self {
        let name = exec.argv.first().map_or("", |a| path::base_name(a)).to_owned();
        let words: Vec<String> = exec.argv.iter().skip(1).cloned().collect();
        let at = if is_runner(&name) { file_among(&words) } else { None };
        let args = words.iter().skip(at.map_or(0, |at| at + 1)).cloned().collect();
        let mut context = Self {
            file: at.and_then(|at| words.get(at).cloned()),
            name,
            args,
            words,
            env: exec.env.clone(),
            ..Self::default()
        };
        let host = kernel.process(pid).map(|p| p.origin.host.clone()).unwrap_or_default();
        context.count(&host, kernel);
        context
    }

    /// Reads the numeric environment variables.
    fn count(&mut self, host: &str, kernel: &Kernel) {
        let number = |name: &str| self.env.get(name).and_then(|v| v.parse::<u32>().ok());
        // Processes of the batch script are not tasks: their step has no number.
        let task = self.env.get("SLURM_STEP_ID").is_some_and(|s| s.parse::<u32>().is_ok());
        let ranked = number("OMPI_COMM_WORLD_SIZE").or_else(|| number("PMI_SIZE"));
        let ranked = ranked.or_else(|| number("SLURM_STEP_NUM_TASKS").filter(|_| task));
        let tasks = ranked.unwrap_or(1).max(1);
        let rank = number("OMPI_COMM_WORLD_RANK").or_else(|| number("PMI_RANK"));
        let rank = rank.or_else(|| number("SLURM_PROCID").filter(|_| task)).unwrap_or(0);
        let nodes = number("SLURM_STEP_NUM_NODES").filter(|_| task).unwrap_or(1);
        let on_node = number("SLURM_CPUS_ON_NODE");
        let per_task = number("SLURM_CPUS_PER_TASK");
        let here = tasks.div_ceil(nodes.max(1)).max(1);
        let hardware = kernel.hardware(host).map_or(1, |h| h.cpus);
        let cpus = match (task, per_task, on_node) {
            (true, Some(cpus), _) => cpus,
            (true, None, Some(all)) => (all / here).max(1),
            (false, _, Some(all)) => all,
            (_, _, None) => hardware,
        };
        let threads = number("OMP_NUM_THREADS").or(per_task).unwrap_or(if task { 1 } else { cpus });
        let job = self.env.get("SLURM_JOB_ID").map_or("", String::as_str);
        let step = self.env.get("SLURM_STEP_ID").map_or("", String::as_str);
        let array = self.env.get("SLURM_ARRAY_TASK_ID").map_or("", String::as_str);
        let restarts = number("SLURM_RESTART_COUNT").unwrap_or(0);
        let end = self.env.get("SLURM_JOB_END_TIME").and_then(|v| v.parse::<i64>().ok());
        self.ends = end.map(|seconds| Time(seconds.saturating_mul(1_000_000)));
        let sharing = if task { here } else { 1 };
        let per_node = number("SLURM_MEM_PER_NODE").filter(|m| *m > 0).map(|m| u64::from(m / sharing));
        let per_cpu = number("SLURM_MEM_PER_CPU").filter(|m| *m > 0);
        self.memory = per_cpu.map(|m| u64::from(m) * u64::from(cpus.max(1))).or(per_node);
        self.job = format!("{job}.{step}.{array}.{rank}.{restarts}");
        (self.tasks, self.rank, self.nodes, self.restarts) = (tasks, rank, nodes.max(1), restarts);
        (self.cpus, self.threads) = (cpus.max(1), threads.max(1));
        self.gpus = visible_gpus(&self.env, host, kernel);
    }

    /// A variable of the environment, or one of `$rank`, `$tasks`, `$threads`, `$gpus`, `$host`.
    #[must_use]
    pub fn variable(&self, name: &str) -> String {
        match name {
            "rank" => self.rank.to_string(),
            "tasks" => self.tasks.to_string(),
            "threads" => self.threads.to_string(),
            "gpus" => self.gpus.len().to_string(),
            "host" => self.env.get("HOSTNAME").cloned().unwrap_or_default(),
            _ => self.env.get(name).cloned().unwrap_or_default(),
        }
    }
}

/// The index of the program file among the words: the first that is neither an option, an option's value, nor
/// a runner.
fn file_among(words: &[String]) -> Option<usize> {
    let mut skip = false;
    for (i, word) in words.iter().enumerate() {
        if std::mem::take(&mut skip) {
            continue;
        }
        if word == "-m" || word == "-c" || word == "-e" {
            return None;
        }
        if word.starts_with('-') {
            skip = TAKING.contains(&word.as_str());
            continue;
        }
        if is_runner(path::base_name(word)) || matches!(word.as_str(), "launch" | "CMD" | "BATCH") {
            continue;
        }
        return Some(i);
    }
    None
}

/// The GPUs visible to a program, by host index: `CUDA_VISIBLE_DEVICES`, or all.
#[must_use]
pub fn visible_gpus(env: &Env, host: &str, kernel: &Kernel) -> Vec<u32> {
    let Some(hardware) = kernel.hardware(host) else { return Vec::new() };
    let count = u32::try_from(hardware.gpus.len()).unwrap_or(0);
    let list = |name: &str| -> Option<Vec<u32>> {
        env.get(name).map(|text| text.split(',').map_while(|w| w.trim().parse().ok()).collect())
    };
    // With device constraints, each step numbers its devices from 0.
    let own = if hardware.constrained {
        let in_job = env.contains_key("SLURM_JOB_ID");
        list("SLURM_STEP_GPUS").or_else(|| list("SLURM_JOB_GPUS")).or(in_job.then(Vec::new))
    } else {
        None
    };
    let devices = own.unwrap_or_else(|| (0..count).collect());
    let numbers = match list("CUDA_VISIBLE_DEVICES") {
        Some(seen) if hardware.constrained => {
            seen.iter().filter_map(|i| devices.get(*i as usize).copied()).collect()
        }
        Some(seen) => seen,
        None => devices,
    };
    numbers.into_iter().filter(|n| *n < count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_runners() {
        let of = |text: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            file_among(&words).and_then(|at| words.get(at).cloned())
        };
        assert_eq!(of("train.py --lr 0.1").as_deref(), Some("train.py"));
        assert_eq!(of("-u train.py").as_deref(), Some("train.py"));
        assert_eq!(of("-np 4 ./a.out x").as_deref(), Some("./a.out"));
        assert_eq!(of("-n 4 python train.py").as_deref(), Some("train.py"));
        assert_eq!(of("--nproc_per_node 2 train.py").as_deref(), Some("train.py"));
        assert_eq!(of("CMD BATCH --vanilla fit.R").as_deref(), Some("fit.R"));
        assert_eq!((of("-c print(1)"), of("-m pip install x"), of("--version")), (None, None, None));
    }
}
