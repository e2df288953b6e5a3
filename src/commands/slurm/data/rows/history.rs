//! Jobs and steps of the accounting database.

use super::jobs::ExitStatus;
use super::{Number, TresCount};
use serde::Serialize;

/// CPU time.
#[derive(Clone, Debug, Serialize)]
pub struct CpuTime {
    pub seconds: u64,
    pub microseconds: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedTime {
    pub elapsed: i64,
    pub eligible: i64,
    pub end: i64,
    pub planned: Number,
    pub start: i64,
    pub submission: i64,
    pub suspended: u32,
    pub system: CpuTime,
    pub limit: Number,
    pub total: CpuTime,
    pub user: CpuTime,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedState {
    pub current: Vec<String>,
    pub reason: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedJobComment {
    pub administrator: String,
    pub job: String,
    pub system: &'static str,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedJobArrayLimitsMaxRunning {
    pub tasks: u32,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedJobArrayLimitsMax {
    pub running: AccountedJobArrayLimitsMaxRunning,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedJobArrayLimits {
    pub max: AccountedJobArrayLimitsMax,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedJobArray {
    pub job_id: u32,
    pub limits: AccountedJobArrayLimits,
    pub task_id: Number,
    pub task: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedJobAssociation {
    pub account: &'static str,
    pub cluster: String,
    pub partition: &'static str,
    pub user: &'static str,
    pub id: u32,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedJobHet {
    pub job_id: u32,
    pub job_offset: Number,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedJobMcs {
    pub label: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedJobReservation {
    pub id: u32,
    pub name: &'static str,
    pub requested: &'static str,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedJobTres {
    pub allocated: Vec<TresCount>,
    pub requested: Vec<TresCount>,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedJobWckey {
    pub wckey: &'static str,
    pub flags: Vec<String>,
}

/// A job of the accounting database.
#[derive(Clone, Debug, Serialize)]
pub struct AccountedJob {
    pub account: String,
    pub comment: AccountedJobComment,
    pub allocation_nodes: u32,
    pub array: AccountedJobArray,
    pub association: AccountedJobAssociation,
    pub block: &'static str,
    pub cluster: String,
    pub constraints: String,
    pub container: &'static str,
    pub sluid: String,
    pub derived_exit_code: ExitStatus,
    pub time: AccountedTime,
    pub exclusive: &'static str,
    pub exit_code: ExitStatus,
    pub extra: &'static str,
    pub failed_node: &'static str,
    pub flags: Vec<String>,
    pub group: String,
    pub het: AccountedJobHet,
    pub job_id: u32,
    pub name: String,
    pub licenses: &'static str,
    pub mcs: AccountedJobMcs,
    pub nodes: String,
    pub oversubscribe: &'static str,
    pub partition: String,
    pub hold: bool,
    pub priority: Number,
    pub qos: String,
    pub qosreq: &'static str,
    pub required: AccountedRequest,
    pub kill_request_user: String,
    pub restart_cnt: u32,
    pub reservation: AccountedJobReservation,
    pub script: &'static str,
    pub segment_size: u32,
    pub original_sluid: String,
    pub stdin_expanded: String,
    pub stdout_expanded: String,
    pub stderr_expanded: String,
    pub stdout: String,
    pub stderr: String,
    pub stdin: String,
    pub state: AccountedState,
    pub steps: Vec<AccountedStep>,
    pub submit_line: String,
    pub tres: AccountedJobTres,
    pub used_gres: &'static str,
    pub user: String,
    pub wckey: AccountedJobWckey,
    pub working_directory: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedRequest {
    #[serde(rename = "CPUs")]
    pub cpus: u32,
    pub memory_per_cpu: Number,
    pub memory_per_node: Number,
}

#[derive(Clone, Debug, Serialize)]
pub struct StepUsage {
    pub max: Vec<StepTres>,
    pub min: Vec<StepTres>,
    pub average: Vec<StepTres>,
    pub total: Vec<StepTres>,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedStepTime {
    pub elapsed: i64,
    pub end: Number,
    pub start: Number,
    pub suspended: u32,
    pub system: CpuTime,
    pub limit: Number,
    pub total: CpuTime,
    pub user: CpuTime,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedStepNodes {
    pub count: u32,
    pub range: String,
    pub list: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedStepTasks {
    pub count: u32,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedStepCpuRequestedFrequency {
    pub min: Number,
    pub max: Number,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedStepCpu {
    pub requested_frequency: AccountedStepCpuRequestedFrequency,
    pub governor: &'static str,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedStepStatisticsCpu {
    pub actual_frequency: u32,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedStepStatisticsEnergy {
    pub consumed: Number,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedStepStatistics {
    #[serde(rename = "CPU")]
    pub cpu: AccountedStepStatisticsCpu,
    pub energy: AccountedStepStatisticsEnergy,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedStepStep {
    pub id: String,
    pub name: String,
    pub stderr: &'static str,
    pub stdin: &'static str,
    pub stdout: &'static str,
    pub stderr_expanded: &'static str,
    pub stdin_expanded: &'static str,
    pub stdout_expanded: &'static str,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedStepTask {
    pub distribution: &'static str,
}

#[derive(Clone, Debug, Serialize)]
pub struct AccountedStepTres {
    pub requested: StepUsage,
    pub consumed: StepUsage,
    pub allocated: Vec<TresCount>,
}

/// A measured TRES of a step, with the task and the node of an extreme value.
#[derive(Clone, Debug, Serialize)]
pub struct StepTres {
    #[serde(rename = "type")]
    pub kind: String,
    pub name: String,
    pub id: u32,
    pub count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
}

/// A step of the accounting database.
#[derive(Clone, Debug, Serialize)]
pub struct AccountedStep {
    pub time: AccountedStepTime,
    pub exit_code: ExitStatus,
    pub nodes: AccountedStepNodes,
    pub tasks: AccountedStepTasks,
    #[serde(rename = "CPU")]
    pub cpu: AccountedStepCpu,
    pub kill_request_user: String,
    pub state: Vec<String>,
    pub statistics: AccountedStepStatistics,
    pub step: AccountedStepStep,
    pub submit_line: String,
    pub task: AccountedStepTask,
    pub tres: AccountedStepTres,
}
