//! What steps used: the accounts of their tracking groups, as jobacct_gather plugins sample them.
//!
//! Memory that programs touch is known at once. A shell or a small command has its own few megabytes only once it was
//! sampled: `JobAcctGatherFrequency` after its start.

use super::Slurmd;
use crate::base::ids::StepId;
use crate::base::time::Time;
use crate::base::usage::{SHELL_KIB, TaskUsage, Usage};
use crate::host::Kernel;
use crate::slurmctld::Slurmctld;

/// Seconds between samples unless `JobAcctGatherFrequency` says otherwise.
const FREQUENCY: i64 = 30;

impl Slurmd {
    /// What a step used until `now`, over all its nodes; nothing where no plugin gathers it.
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
            let place = record.nodes.iter().position(|(node, _)| *node == tracked.node).unwrap_or(0);
            let node = u32::try_from(place).unwrap_or(0);
            // The first processes of a group are its tasks in their order; what joined it later is no task.
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

/// `30`, `task=15,energy=60`: seconds between two looks at tasks; 0 is none but the last.
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
