//! `scontrol update partitionname=`: what of a partition changes at run time. Mirrors scontrol(1), "Specifications for
//! update command, partitions".

use super::Slurmctld;
use super::error::SlurmError;
use super::reason::Reason;
use super::request::Caller;
use crate::base::ids::{JobId, PartId};
use crate::base::time::Time;
use crate::config::PartConf;

impl Slurmctld {
    /// Changes a partition; nothing is changed on an error.
    pub(super) fn update_partition(
        &mut self,
        caller: Caller,
        name: &str,
        changes: &[(String, String)],
        now: Time,
    ) -> Result<(), SlurmError> {
        self.operator_only(caller)?;
        let part = self.partition_by_name(name).ok_or(SlurmError::InvalidPartitionName)?;
        let mut conf = self.partition(part).clone();
        for (key, value) in changes {
            self.set_partition(&mut conf, &key.to_ascii_lowercase(), value)?;
        }
        if conf.qos.as_deref().is_some_and(|q| self.dbd.qos_by_name(q).is_none()) {
            return Err(SlurmError::InvalidQos);
        }
        self.put_partition(part, conf);
        self.forget_partition_reasons(part);
        self.live.forget();
        self.cluster_changed();
        self.clock.want_schedule(now);
        Ok(())
    }

    /// One setting; the key is in lower case.
    fn set_partition(&self, conf: &mut PartConf, key: &str, value: &str) -> Result<(), SlurmError> {
        match key {
            "nodes" => conf.nodes = self.nodes_named(value)?.into_iter().map(|n| n.0).collect(),
            "maxtime" | "defaulttime" => conf.change(key, value).ok_or(SlurmError::InvalidTimeLimit)?,
            "state" => conf.change(key, value).ok_or(SlurmError::InvalidPartitionName)?,
            key => conf.change(key, value).ok_or(SlurmError::NotSupported)?,
        }
        Ok(())
    }

    fn put_partition(&mut self, part: PartId, conf: PartConf) {
        if conf.is_default {
            self.partitions.iter_mut().for_each(|p| p.is_default = false);
        }
        let other_qos = self.partition(part).qos != conf.qos;
        self.partitions[part.0 as usize] = conf;
        if other_qos {
            self.recount();
        }
    }

    /// What the partition's old state had against its jobs is said no longer.
    fn forget_partition_reasons(&mut self, part: PartId) {
        let stale = |reason| {
            matches!(
                reason,
                Reason::PartDown | Reason::PartInactive | Reason::PartTimeLimit | Reason::PartNodeLimit
            )
        };
        let said = self.pending_jobs().filter(|j| stale(j.reason) && j.partitions.contains(&part));
        let ids: Vec<JobId> = said.map(|j| j.id).collect();
        for id in ids {
            self.change_job(id, |job| (job.reason, job.state_desc) = (Reason::None, None));
        }
    }
}
