//! `scontrol create`, `update` and `delete partitionname=`. Mirrors scontrol(1), "Specifications for update command,
//! partitions".
//!
//! Finished jobs keep the name of a deleted partition: deleted partitions are in a list of their own, with ids from
//! [`GONE`] on.

use crate::Slurmctld;
use crate::rpc::request::Caller;
use crate::state::edit;
use crate::state::error::SlurmError;
use crate::state::job::{Ending, JobState};
use crate::state::reason::{Reason, ReasonKind};
use base::ids::{JobId, PartId, Uid};
use base::time::Time;
use config::{EnforcePart, PartConf, PartState};

/// The id of the first deleted partition.
const GONE: u32 = 1 << 20;

impl Slurmctld {
    /// A partition, or a deleted one that jobs still refer to.
    /// # Panics
    ///
    /// When it never existed: ids come from this controller only.
    #[must_use]
    pub fn partition(&self, id: PartId) -> &PartConf {
        match id.0.checked_sub(GONE) {
            None => &self.partitions[id.0 as usize],
            Some(gone) => &self.gone[gone as usize],
        }
    }

    /// A partition by name.
    #[must_use]
    pub fn partition_by_name(&self, name: &str) -> Option<PartId> {
        let i = self.partitions.iter().position(|p| p.name == name)?;
        Some(PartId(u32::try_from(i).ok()?))
    }

    /// Whether a partition accepts no jobs.
    pub(crate) fn closed(&self, part: PartId) -> bool {
        matches!(self.partition(part).state, PartState::Drain | PartState::Inactive)
    }

    /// Those of several partitions that accept jobs, or all of them if all must accept (97).
    pub(crate) fn open_of(&self, mut partitions: Vec<PartId>) -> Vec<PartId> {
        let all = self.cluster.global.enforce_part_limits == EnforcePart::All;
        if !all && partitions.iter().any(|part| !self.closed(*part)) {
            partitions.retain(|part| !self.closed(*part));
        }
        partitions
    }

    /// Creates a partition.
    pub(crate) fn create_partition(
        &mut self,
        caller: Caller,
        name: &str,
        changes: &[(String, String)],
        now: Time,
    ) -> Result<(), SlurmError> {
        self.administrator_only(caller)?;
        if self.partition_by_name(name).is_some() || self.partitions.len() >= GONE as usize {
            return Err(SlurmError::InvalidPartitionName);
        }
        let fresh = PartConf { min_nodes: 1, ..PartConf::named(name) };
        let conf = self.changed_partition(fresh, changes)?;
        let mut all = self.partitions.clone();
        if conf.is_default {
            all.iter_mut().for_each(|p| p.is_default = false);
        }
        all.push(conf);
        self.replace_partitions(all, now);
        Ok(())
    }

    /// Deletes a partition that no pending or running job uses.
    pub(crate) fn delete_partition(
        &mut self,
        caller: Caller,
        name: &str,
        now: Time,
    ) -> Result<(), SlurmError> {
        self.administrator_only(caller)?;
        let part = self.partition_by_name(name).ok_or(SlurmError::InvalidPartitionName)?;
        if self.pending_jobs().chain(self.active_jobs()).any(|j| j.partitions.contains(&part)) {
            return Err(SlurmError::PartitionInUse);
        }
        let all = self.partitions.iter().filter(|p| p.name != name).cloned().collect();
        self.replace_partitions(all, now);
        Ok(())
    }

    /// Updates a partition. On an error, nothing changes.
    pub(crate) fn update_partition(
        &mut self,
        caller: Caller,
        name: &str,
        changes: &[(String, String)],
        now: Time,
    ) -> Result<(), SlurmError> {
        self.administrator_only(caller)?;
        let part = self.partition_by_name(name).ok_or(SlurmError::InvalidPartitionName)?;
        let conf = self.changed_partition(self.partition(part).clone(), changes)?;
        self.put_partition(part, conf);
        self.note_nodes(now);
        self.forget_partition_reasons(part);
        self.caches.forget();
        self.cluster_changed();
        self.clock.want_schedule(now);
        Ok(())
    }

    /// The partition with the changes applied.
    fn changed_partition(
        &self,
        mut conf: PartConf,
        changes: &[(String, String)],
    ) -> Result<PartConf, SlurmError> {
        for (key, value) in changes {
            let key = PartConf::key_name(key).unwrap_or(key);
            self.set_partition(&mut conf, &key.to_ascii_lowercase(), value)?;
        }
        let listed = conf.allow_qos.iter().chain(&conf.deny_qos).flatten();
        let mut named = listed.chain(&conf.qos);
        if named.any(|q| self.dbd.qos_by_name(q).is_none()) {
            return Err(SlurmError::InvalidQos);
        }
        Ok(conf)
    }

    /// Changes one setting. The key is in lower case, with a `+` or `-` to add or remove nodes.
    fn set_partition(&self, conf: &mut PartConf, key: &str, value: &str) -> Result<(), SlurmError> {
        let nodes = || self.nodes_named(value).map(|all| all.into_iter().map(|n| n.0).collect());
        match key {
            "nodes" => {
                (conf.nodes, conf.all_nodes) = (nodes()?, value.eq_ignore_ascii_case("ALL"));
                (conf.named, conf.features) = (conf.nodes.clone(), Vec::new());
            }
            "nodes+" => {
                conf.nodes.union_with(&nodes()?);
                conf.named.union_with(&nodes()?);
            }
            "nodes-" => {
                conf.nodes.subtract(&nodes()?);
                conf.named.subtract(&nodes()?);
            }
            "maxtime" | "defaulttime" => conf.change(key, value).ok_or(SlurmError::InvalidTimeLimit)?,
            "state" => conf.change(key, value).ok_or(SlurmError::InvalidPartitionName)?,
            "topology" => return Err(SlurmError::RequestedTopoConfigUnavailable),
            "jobdefaults" => conf.change(key, value).ok_or(SlurmError::InvalidJobDefaults)?,
            "tresbillingweights" => conf.change(key, value).ok_or(SlurmError::InvalidTresBillingWeights)?,
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

    /// Replaces the partitions. Jobs and reservations follow by name. An unfinished job with none left fails, as when a
    /// real slurmctld restores its state without them.
    pub(crate) fn replace_partitions(&mut self, new: Vec<PartConf>, now: Time) {
        let old = std::mem::replace(&mut self.partitions, new);
        let moved: Vec<Option<PartId>> = old.iter().map(|p| self.partition_by_name(&p.name)).collect();
        let new_id = |part: PartId| moved.get(part.0 as usize).copied().flatten();
        let ids: Vec<JobId> = self.jobs.values().map(|j| j.id).collect();
        let mut lost = Vec::new();
        for id in ids {
            let Some(job) = self.jobs.get(id) else { continue };
            let first = job.partitions.first().copied();
            let mut parts: Vec<PartId> = job.partitions.iter().filter_map(|p| new_id(*p)).collect();
            if parts.is_empty() {
                let gone = first.filter(|p| p.0 >= GONE);
                let name = first.and_then(|p| old.get(p.0 as usize));
                parts.extend(gone.or_else(|| name.map(|conf| self.retire(conf))));
                lost.extend((!self.jobs.get(id).is_some_and(|j| j.state.ended())).then_some(id));
            }
            self.jobs.renumber_partitions(id, parts);
        }
        self.reservations.move_partitions(new_id);
        self.caches.forget();
        self.cluster_changed();
        self.recount();
        self.build_caches();
        for id in lost {
            self.fail_without_partition(id, now);
        }
        self.clock.want_schedule(now);
    }

    /// Adds a partition to the list of deleted ones.
    fn retire(&mut self, conf: &PartConf) -> PartId {
        let known = self.gone.iter().position(|p| p.name == conf.name);
        let at = known.unwrap_or(self.gone.len());
        if known.is_none() {
            self.gone.push(conf.clone());
        }
        PartId(GONE.saturating_add(u32::try_from(at).unwrap_or(0)))
    }

    fn fail_without_partition(&mut self, id: JobId, now: Time) {
        if self.jobs.get(id).is_some_and(|j| j.state == JobState::Pending && !j.flags.completing) {
            return self.end_pending(id, JobState::NodeFail, Reason::FailDownPartition, now);
        }
        let ending = Ending { state: JobState::NodeFail, since: now, by: Uid(0), requeue: false };
        if self.jobs.get(id).is_some_and(|j| !j.flags.completing) {
            self.end_job(id, ending, " DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS", now);
            self.edit_job(id, edit::pending::set_reason(Reason::FailDownPartition));
        }
    }

    /// Clears reasons of pending jobs that came from the partition's old state.
    fn forget_partition_reasons(&mut self, part: PartId) {
        let stale = |reason: Reason| reason.kind() == ReasonKind::Partition;
        let said = self.pending_jobs().filter(|j| stale(j.reason) && j.partitions.contains(&part));
        let ids: Vec<JobId> = said.map(|j| j.id).collect();
        for id in ids {
            self.edit_job(id, edit::pending::clear_reason());
        }
    }
}
