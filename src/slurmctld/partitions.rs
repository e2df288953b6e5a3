//! Partitions while the cluster runs. Mirrors `scontrol update partitionname=` and `scontrol reconfigure`.

use super::Slurmctld;
use super::error::SlurmError;
use super::job::JobState;
use super::reason::Reason;
use super::request::Caller;
use crate::base::ids::{JobId, PartId};
use crate::base::time::Time;

impl Slurmctld {
    /// `scontrol update partitionname=`. What comes before a wrong key stays changed, as in Slurm.
    pub(super) fn update_partition(
        &mut self,
        caller: Caller,
        name: &str,
        changes: &[(String, String)],
        now: Time,
    ) -> Result<(), SlurmError> {
        self.operator_only(caller)?;
        let part = self.partition_by_name(name).ok_or(SlurmError::InvalidPartitionName)?;
        let done = changes.iter().try_for_each(|(key, value)| self.change_partition(part, key, value));
        self.forget_partition_reasons(part);
        self.live.forget();
        self.cluster_changed();
        self.clock.want_schedule(now);
        done
    }

    fn change_partition(&mut self, part: PartId, key: &str, value: &str) -> Result<(), SlurmError> {
        let place = part.0 as usize;
        match key.to_ascii_lowercase().as_str() {
            "nodes" => {
                let nodes = self.nodes_named(value)?;
                self.partitions[place].nodes = nodes.into_iter().map(|n| n.0).collect();
            }
            "default" => {
                let yes = value.eq_ignore_ascii_case("yes");
                for (i, conf) in self.partitions.iter_mut().enumerate() {
                    conf.is_default = if i == place { yes } else { conf.is_default && !yes };
                }
            }
            key => self.partitions[place].change(key, value).ok_or(SlurmError::NotSupported)?,
        }
        Ok(())
    }

    /// What the partition's old state had against its jobs is said no longer.
    fn forget_partition_reasons(&mut self, part: PartId) {
        let stale = |reason| {
            matches!(
                reason,
                Reason::PartDown | Reason::PartInactive | Reason::PartTimeLimit | Reason::PartNodeLimit
            )
        };
        let waits: Vec<JobId> = self
            .pending_jobs()
            .filter(|j| j.state == JobState::Pending && stale(j.reason) && j.partitions.contains(&part))
            .map(|j| j.id)
            .collect();
        for id in waits {
            self.change_job(id, |job| (job.reason, job.state_desc) = (Reason::None, None));
        }
    }
}
