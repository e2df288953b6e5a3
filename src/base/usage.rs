//! Resource usage of steps as slurmd measures it: the CPU time and memory that `sacct` and `sstat` show.

use serde::{Deserialize, Serialize};

/// Resident memory of an idle shell when it was sampled at least once, KiB.
pub const SHELL_KIB: u64 = 4788;

/// Resource usage of one task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TaskUsage {
    /// The task's rank in the step.
    pub rank: u32,
    /// The index of its node in the step's node list.
    pub node: u32,
    /// CPU time, microseconds.
    pub cpu: u64,
    /// Largest resident memory, KiB.
    pub rss: u64,
}

/// The task with the maximum (or minimum) of a quantity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extreme {
    /// The value: microseconds of CPU time, or KiB of memory.
    pub value: u64,
    /// The task's rank.
    pub task: u32,
    /// The index of its node in the step's node list.
    pub node: u32,
}

/// Resource usage of the tasks of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// CPU time of all tasks, microseconds.
    pub cpu_time: u64,
    /// The task with the least CPU time.
    pub min_cpu: Extreme,
    /// The task with the largest resident memory.
    pub max_rss: Extreme,
    /// Sum of the tasks' peak resident memory, KiB.
    pub total_rss: u64,
    /// The number of tasks sampled.
    pub tasks: u32,
}

/// CPU time of program start-up, half of it system time, microseconds. Time beyond it counts as computation.
const SYSTEM_START: u64 = 40_000;

impl Usage {
    /// Sums the usage of tasks.
    #[must_use]
    pub fn of(tasks: impl Iterator<Item = TaskUsage>) -> Self {
        let mut usage = Self::default();
        for task in tasks {
            let extreme = |value| Extreme { value, task: task.rank, node: task.node };
            if usage.tasks == 0 || task.cpu < usage.min_cpu.value {
                usage.min_cpu = extreme(task.cpu);
            }
            if usage.tasks == 0 || task.rss > usage.max_rss.value {
                usage.max_rss = extreme(task.rss);
            }
            usage.cpu_time += task.cpu;
            usage.total_rss += task.rss;
            usage.tasks += 1;
        }
        usage
    }

    /// `SystemCPU`, microseconds: half of the start-up time plus a fiftieth of the computation.
    #[must_use]
    pub fn system_cpu(&self) -> u64 {
        let start = self.cpu_time.min(SYSTEM_START);
        start / 2 + (self.cpu_time - start) / 50
    }

    /// `UserCPU`, microseconds.
    #[must_use]
    pub fn user_cpu(&self) -> u64 {
        self.cpu_time - self.system_cpu()
    }

    /// `AveCPU`, microseconds.
    #[must_use]
    pub fn ave_cpu(&self) -> u64 {
        self.cpu_time / u64::from(self.tasks.max(1))
    }

    /// `AveRSS`, KiB.
    #[must_use]
    pub fn ave_rss(&self) -> u64 {
        self.total_rss / u64::from(self.tasks.max(1))
    }
}

/// Virtual memory of a process with resident memory `rss`, KiB: programs map more than they touch.
#[must_use]
pub const fn virtual_memory(rss: u64) -> u64 {
    if rss == 0 { 0 } else { rss + rss / 2 + 2048 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_and_averages() {
        let task = |rank, cpu, rss| TaskUsage { rank, node: rank / 2, cpu, rss };
        let usage = Usage::of(
            [task(0, 5_000_000, 100), task(1, 3_000_000, 300), task(2, 4_000_000, 200)].into_iter(),
        );
        assert_eq!((usage.cpu_time, usage.ave_cpu(), usage.ave_rss()), (12_000_000, 4_000_000, 200));
        assert_eq!(usage.min_cpu, Extreme { value: 3_000_000, task: 1, node: 0 });
        assert_eq!(usage.max_rss, Extreme { value: 300, task: 1, node: 0 });
        assert_eq!(usage.user_cpu() + usage.system_cpu(), usage.cpu_time);
        assert_eq!(Usage::of(std::iter::empty()), Usage::default());
    }
}
