//! Resource usage of steps, from the accounting of their cgroups, as the jobacct_gather plugins sample it.
//!
//! Memory that program models allocate is counted immediately. The few megabytes of a shell or a small command
//! count from the first sample on, `JobAcctGatherFrequency` after its start.

use super::Slurmd;
use base::ids::StepId;
use base::time::Time;
use base::usage::{SHELL_KIB, TaskUsage, Usage};
use host::Kernel;
use slurmctld::Slurmctld;

/// Seconds between samples if `JobAcctGatherFrequency` is not set.
const FREQUENCY: i64 = 30;

impl Slurmd {
    /// The usage of a step until `now`, over all its nodes; none if no plugin gathers it.
    #[must_use]
    pub fn usage(&self, kernel: &Kernel, ctld: &Slurmctld, step: StepId, now: Time) -> Usage {
        let raw = &ctld.cluster.global.raw;
        let plugin = raw.get("JobAcctGatherType").map_or("", String::as_str);
        if plugin.is_empty() || plugin.ends_with("none") {
            return Usage::default();
        }
        let record = ctld.job(step.job).and_then(|job| job.steps.get(&step.step));
        let Some(record) = record else { return Usage::default() };
        let sampled = (now - record.start).secs() >= frequency(raw.get("JobAcctGatherFrequency"));
        let floor = if sampled { SHELL_KIB } else { 0 };
        let groups = self.groups(step.job).into_iter().filter(|(_, t)| t.step == step.step);
        let tasks = groups.flat_map(|(cgroup, tracked)| {
            let position = record.nodes.iter().position(|(node, _)| *node == tracked.node).unwrap_or(0);
            let node = u32::try_from(position).unwrap_or(0);
            // The first processes of a cgroup are its tasks, in order. Processes that joined later are not tasks.
            let accounts: Vec<_> =
                kernel.accounts(cgroup).take(tracked.ranks.len().max(1)).copied().collect();
            let ranks = tracked.ranks.into_iter().chain(std::iter::repeat(0));
            accounts.into_iter().zip(ranks).map(move |(account, rank)| TaskUsage {
                rank,
                node,
                cpu: u64::try_from(account.cpu.at(now)).unwrap_or(0),
                rss: (account.peak * 1024).max(floor),
            })
        });
        Usage::of(tasks)
    }
}

/// Seconds between samples of tasks, from `30` or `task=15,energy=60`. 0 means a sample only at the end.
fn frequency(text: Option<&String>) -> i64 {
    let Some(text) = text else { return FREQUENCY };
    let task = text.split(',').find_map(|word| match word.split_once('=') {
        Some((key, value)) if key.eq_ignore_ascii_case("task") => value.parse().ok(),
        Some(_) => None,
        None => word.parse().ok(),
    });
    task.unwrap_or(FREQUENCY)
}

#[cfg(test)]
mod tests {
    use super::frequency;

    #[test]
    fn frequencies() {
        let of = |text: &str| frequency(Some(&text.to_owned()));
        assert_eq!((of("5"), of("task=15,energy=60"), of("energy=60"), frequency(None)), (5, 15, 30, 30));
    }
}
