//! `scontrol update partitionname=`: what of a partition changes at run time. Mirrors scontrol(1), "Specifications for
//! update command, partitions".

use super::Slurmctld;
use super::error::SlurmError;
use super::request::Caller;
use crate::base::ids::PartId;
use crate::base::time::Time;
use crate::config::{PartConf, PartState, parse_limit};

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
            set(&mut conf, &key.to_ascii_lowercase(), value)?;
        }
        if conf.qos.as_deref().is_some_and(|q| self.dbd.qos_by_name(q).is_none()) {
            return Err(SlurmError::InvalidQos);
        }
        self.put_partition(part, conf);
        self.cluster_changed();
        self.clock.want_schedule(now);
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
}

/// One setting; the key is in lower case.
fn set(conf: &mut PartConf, key: &str, value: &str) -> Result<(), SlurmError> {
    match key {
        "state" => {
            conf.state = match value.to_ascii_lowercase().as_str() {
                "up" => PartState::Up,
                "down" => PartState::Down,
                "drain" => PartState::Drain,
                "inactive" => PartState::Inactive,
                _ => return Err(SlurmError::InvalidPartitionName),
            };
        }
        "prioritytier" => conf.priority_tier = number(value)?,
        "priorityjobfactor" => conf.priority_job_factor = number(value)?,
        "maxtime" => conf.max_time = parse_limit(value).ok_or(SlurmError::InvalidTimeLimit)?,
        "defaulttime" | "default_time" => {
            let none = value.eq_ignore_ascii_case("none");
            let limit = || parse_limit(value).ok_or(SlurmError::InvalidTimeLimit);
            conf.default_time = if none { None } else { Some(limit()?) };
        }
        "maxnodes" => conf.max_nodes = bound(value)?,
        "minnodes" => conf.min_nodes = number(value)?,
        "maxcpuspernode" => conf.max_cpus_per_node = bound(value)?,
        "default" => conf.is_default = yes(value)?,
        "hidden" => conf.hidden = yes(value)?,
        "rootonly" => conf.root_only = yes(value)?,
        "allowaccounts" => conf.allow_accounts = names(value),
        "denyaccounts" => conf.deny_accounts = names(value),
        "allowqos" => conf.allow_qos = names(value),
        "denyqos" => conf.deny_qos = names(value),
        "allowgroups" => conf.allow_groups = names(value),
        "qos" => conf.qos = Some(value.to_owned()).filter(|q| !q.is_empty()),
        _ => return Err(SlurmError::NotSupported),
    }
    Ok(())
}

fn number(value: &str) -> Result<u32, SlurmError> {
    value.parse().map_err(|_| SlurmError::NotSupported)
}

/// A number, or `UNLIMITED`.
fn bound(value: &str) -> Result<Option<u32>, SlurmError> {
    let endless = ["unlimited", "infinite", "-1"].iter().any(|w| value.eq_ignore_ascii_case(w));
    if endless { Ok(None) } else { number(value).map(Some) }
}

fn yes(value: &str) -> Result<bool, SlurmError> {
    match value.to_ascii_lowercase().as_str() {
        "yes" | "true" | "1" => Ok(true),
        "no" | "false" | "0" => Ok(false),
        _ => Err(SlurmError::NotSupported),
    }
}

/// A list of names; `ALL` and nothing mean that there is no list.
fn names(value: &str) -> Option<Vec<String>> {
    let list: Vec<String> = value.split(',').filter(|n| !n.is_empty()).map(str::to_owned).collect();
    Some(list).filter(|l| !l.is_empty() && !value.eq_ignore_ascii_case("ALL"))
}
