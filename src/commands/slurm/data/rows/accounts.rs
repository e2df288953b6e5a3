//! Accounts, users, associations, QOS and shares.

use super::{Number, TresCount};
use serde::Serialize;

#[derive(Clone, Debug, Serialize)]
pub struct Coordinator {
    pub name: String,
    pub direct: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct SacctmgrAccount {
    pub associations: Vec<AssociationKey>,
    pub coordinators: Vec<Coordinator>,
    pub description: String,
    pub name: String,
    pub organization: String,
    pub flags: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ClusterRowController {
    pub host: &'static str,
    pub port: u32,
}

#[derive(Clone, Debug, Serialize)]
pub struct ClusterRowAssociationsRoot {
    pub account: &'static str,
    pub cluster: String,
    pub partition: &'static str,
    pub user: &'static str,
    pub id: u32,
}

#[derive(Clone, Debug, Serialize)]
pub struct ClusterRowAssociations {
    pub root: ClusterRowAssociationsRoot,
}

/// A cluster.
#[derive(Clone, Debug, Serialize)]
pub struct ClusterRow {
    pub controller: ClusterRowController,
    pub flags: Vec<String>,
    pub name: String,
    pub nodes: String,
    pub select_plugin: &'static str,
    pub associations: ClusterRowAssociations,
    pub rpc_version: u32,
    pub tres: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ShareLineTres {
    pub run_seconds: Vec<String>,
    pub group_minutes: Vec<TresCount>,
    pub usage: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ShareLineFairshare {
    pub factor: Number<f64>,
    pub level: Number<f64>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ShareLine {
    pub id: u32,
    pub cluster: String,
    pub name: String,
    pub parent: String,
    pub partition: String,
    pub shares_normalized: Number<f64>,
    pub shares: Number,
    pub tres: ShareLineTres,
    pub effective_usage: Number<f64>,
    pub usage_normalized: Number<f64>,
    pub usage: f64,
    pub fairshare: ShareLineFairshare,
    #[serde(rename = "type")]
    pub kind: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ShareList {
    pub shares: Vec<ShareLine>,
    pub total_shares: i64,
}

/// The key of an association.
#[derive(Clone, Debug, Serialize)]
pub struct AssociationKey {
    pub account: String,
    pub cluster: String,
    pub partition: String,
    pub user: String,
    pub id: u32,
}

#[derive(Clone, Debug, Serialize)]
pub struct UserRowDefault {
    pub account: String,
    pub qos: &'static str,
    pub wckey: &'static str,
}

/// A user of the accounting database.
#[derive(Clone, Debug, Serialize)]
pub struct UserRow {
    pub administrator_level: Vec<String>,
    pub associations: Vec<AssociationKey>,
    pub coordinators: Vec<Coordinator>,
    pub default: UserRowDefault,
    pub flags: Vec<String>,
    pub name: String,
    pub old_name: &'static str,
    pub wckeys: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct AssociationRowDefault {
    pub qos: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct AssociationRowMaxJobsPer {
    pub count: Number,
    pub accruing: Number,
    pub submitted: Number,
    pub wall_clock: Number,
}

#[derive(Clone, Debug, Serialize)]
pub struct AssociationRowMaxJobs {
    pub per: AssociationRowMaxJobsPer,
    pub active: Number,
    pub accruing: Number,
    pub total: Number,
}

#[derive(Clone, Debug, Serialize)]
pub struct AssociationRowMaxTresGroup {
    pub minutes: Vec<TresCount>,
    pub active: Vec<TresCount>,
}

#[derive(Clone, Debug, Serialize)]
pub struct AssociationRowMaxTresMinutesPer {
    pub job: Vec<TresCount>,
}

#[derive(Clone, Debug, Serialize)]
pub struct AssociationRowMaxTresMinutes {
    pub total: Vec<TresCount>,
    pub per: AssociationRowMaxTresMinutesPer,
}

#[derive(Clone, Debug, Serialize)]
pub struct AssociationRowMaxTresPer {
    pub job: Vec<TresCount>,
    pub node: Vec<TresCount>,
}

#[derive(Clone, Debug, Serialize)]
pub struct AssociationRowMaxTres {
    pub total: Vec<TresCount>,
    pub group: AssociationRowMaxTresGroup,
    pub minutes: AssociationRowMaxTresMinutes,
    pub per: AssociationRowMaxTresPer,
}

#[derive(Clone, Debug, Serialize)]
pub struct AssociationRowMaxPerAccount {
    pub wall_clock: Number,
}

#[derive(Clone, Debug, Serialize)]
pub struct AssociationRowMaxPer {
    pub account: AssociationRowMaxPerAccount,
}

#[derive(Clone, Debug, Serialize)]
pub struct AssociationRowMax {
    pub jobs: AssociationRowMaxJobs,
    pub tres: AssociationRowMaxTres,
    pub per: AssociationRowMaxPer,
}

#[derive(Clone, Debug, Serialize)]
pub struct AssociationRowMin {
    pub priority_threshold: Number,
}

/// An association with its limits.
#[derive(Clone, Debug, Serialize)]
pub struct AssociationRow {
    pub accounting: Vec<String>,
    pub account: String,
    pub cluster: String,
    pub comment: &'static str,
    pub default: AssociationRowDefault,
    pub flags: Vec<String>,
    pub max: AssociationRowMax,
    pub id: u32,
    pub is_default: bool,
    pub lineage: String,
    pub min: AssociationRowMin,
    pub parent_account: String,
    pub partition: String,
    pub priority: Number,
    pub qos: Vec<String>,
    pub shares_raw: u32,
    pub user: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct QosRowLimitsMaxActiveJobs {
    pub accruing: Number,
    pub count: Number,
}

#[derive(Clone, Debug, Serialize)]
pub struct QosRowLimitsMaxJobsActiveJobsPer {
    pub account: Number,
    pub user: Number,
}

#[derive(Clone, Debug, Serialize)]
pub struct QosRowLimitsMaxJobsActiveJobs {
    pub per: QosRowLimitsMaxJobsActiveJobsPer,
}

#[derive(Clone, Debug, Serialize)]
pub struct QosRowLimitsMaxJobsPer {
    pub account: Number,
    pub user: Number,
}

#[derive(Clone, Debug, Serialize)]
pub struct QosRowLimitsMaxJobs {
    pub count: Number,
    pub active_jobs: QosRowLimitsMaxJobsActiveJobs,
    pub per: QosRowLimitsMaxJobsPer,
}

#[derive(Clone, Debug, Serialize)]
pub struct QosRowLimitsMaxTresMinutesPer {
    pub qos: Vec<TresCount>,
    pub job: Vec<TresCount>,
    pub account: Vec<TresCount>,
    pub user: Vec<TresCount>,
}

#[derive(Clone, Debug, Serialize)]
pub struct QosRowLimitsMaxTresMinutes {
    pub total: Vec<TresCount>,
    pub per: QosRowLimitsMaxTresMinutesPer,
}

#[derive(Clone, Debug, Serialize)]
pub struct QosRowLimitsMaxTresPer {
    pub account: Vec<TresCount>,
    pub job: Vec<TresCount>,
    pub node: Vec<TresCount>,
    pub user: Vec<TresCount>,
}

#[derive(Clone, Debug, Serialize)]
pub struct QosRowLimitsMaxTres {
    pub total: Vec<TresCount>,
    pub minutes: QosRowLimitsMaxTresMinutes,
    pub per: QosRowLimitsMaxTresPer,
}

#[derive(Clone, Debug, Serialize)]
pub struct QosRowLimitsMaxWallClockPer {
    pub qos: Number,
    pub job: Number,
}

#[derive(Clone, Debug, Serialize)]
pub struct QosRowLimitsMaxWallClock {
    pub per: QosRowLimitsMaxWallClockPer,
}

#[derive(Clone, Debug, Serialize)]
pub struct QosRowLimitsMaxAccruingPer {
    pub account: Number,
    pub user: Number,
}

#[derive(Clone, Debug, Serialize)]
pub struct QosRowLimitsMaxAccruing {
    pub per: QosRowLimitsMaxAccruingPer,
}

#[derive(Clone, Debug, Serialize)]
pub struct QosRowLimitsMax {
    pub active_jobs: QosRowLimitsMaxActiveJobs,
    pub jobs: QosRowLimitsMaxJobs,
    pub tres: QosRowLimitsMaxTres,
    pub wall_clock: QosRowLimitsMaxWallClock,
    pub accruing: QosRowLimitsMaxAccruing,
}

#[derive(Clone, Debug, Serialize)]
pub struct QosRowLimitsMinTresPer {
    pub job: Vec<TresCount>,
}

#[derive(Clone, Debug, Serialize)]
pub struct QosRowLimitsMinTres {
    pub per: QosRowLimitsMinTresPer,
}

#[derive(Clone, Debug, Serialize)]
pub struct QosRowLimitsMin {
    pub priority_threshold: Number,
    pub tres: QosRowLimitsMinTres,
}

#[derive(Clone, Debug, Serialize)]
pub struct QosRowLimits {
    pub grace_time: u32,
    pub max: QosRowLimitsMax,
    pub factor: Number<f64>,
    pub min: QosRowLimitsMin,
}

#[derive(Clone, Debug, Serialize)]
pub struct QosRowPreempt {
    pub list: Vec<String>,
    pub mode: Vec<String>,
    pub exempt_time: Number,
}

/// A QOS.
#[derive(Clone, Debug, Serialize)]
pub struct QosRow {
    pub description: String,
    pub flags: Vec<String>,
    pub id: u32,
    pub limits: QosRowLimits,
    pub name: String,
    pub preempt: QosRowPreempt,
    pub priority: Number,
    pub usage_factor: Number<f64>,
    pub usage_threshold: Number<f64>,
}
