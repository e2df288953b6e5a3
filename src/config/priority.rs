//! `PriorityType`, its weights and its flags. Mirrors priority_multifactor.shtml and slurm.conf(5).

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// `PriorityType` and its weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the keys of slurm.conf")]
pub struct Priority {
    pub multifactor: bool,
    /// Seconds; 0: no decay.
    pub half_life: u32,
    /// Seconds.
    pub calc_period: u32,
    /// Seconds after which the age factor is 1.
    pub max_age: u32,
    pub favor_small: bool,
    pub weight_age: u32,
    pub weight_assoc: u32,
    pub weight_fairshare: u32,
    pub weight_job_size: u32,
    pub weight_partition: u32,
    pub weight_qos: u32,
    pub weight_tres: BTreeMap<String, f64>,
    pub flags: PriorityFlags,
    pub usage_reset: UsageReset,
    /// `FairShareDampeningFactor`, classic fair share only.
    pub dampening: u32,
}

/// `PriorityFlags`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "as many as slurm.conf has")]
#[allow(missing_docs, reason = "named as the keys of slurm.conf")]
pub struct PriorityFlags {
    pub accrue_always: bool,
    pub calculate_running: bool,
    pub depth_oblivious: bool,
    pub no_fair_tree: bool,
    pub incr_only: bool,
    pub max_tres: bool,
    pub max_tres_gres: bool,
    pub no_normal_assoc: bool,
    pub no_normal_part: bool,
    pub no_normal_qos: bool,
    pub no_normal_tres: bool,
    pub small_relative_to_time: bool,
}

/// `PriorityUsageResetPeriod`: when usage is reset to zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the values in the configuration")]
pub enum UsageReset {
    #[default]
    None,
    /// Once, when slurmctld starts.
    Now,
    Daily,
    Weekly,
    Monthly,
    Quarterly,
    Yearly,
}
