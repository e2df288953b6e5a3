//! Jobs as slurmctld knows them.

use super::Number;
use serde::Serialize;

#[derive(Clone, Debug, Serialize)]
pub struct ExitStatusSignal {
    pub id: Number,
    pub name: &'static str,
}

/// How a job ended.
#[derive(Clone, Debug, Serialize)]
pub struct ExitStatus {
    pub status: Vec<String>,
    pub return_code: Number,
    pub signal: ExitStatusSignal,
}

/// A job of slurmctld.
#[derive(Clone, Debug, Serialize)]
pub struct JobRow {
    pub account: String,
    pub accrue_time: Number,
    pub admin_comment: String,
    pub allocating_node: String,
    pub array_job_id: Number,
    pub array_task_id: Number,
    pub array_max_tasks: Number,
    pub array_task_string: String,
    pub association_id: u32,
    pub batch_features: &'static str,
    pub batch_flag: bool,
    pub batch_host: String,
    pub flags: Vec<String>,
    pub burst_buffer: &'static str,
    pub burst_buffer_state: &'static str,
    pub cluster: String,
    pub cluster_features: &'static str,
    pub command: String,
    pub comment: String,
    pub container: &'static str,
    pub container_id: &'static str,
    pub container_type: &'static str,
    pub contiguous: bool,
    pub core_spec: u32,
    pub thread_spec: u32,
    pub cores_per_socket: Number,
    pub billable_tres: Number<f64>,
    pub cpus_per_task: Number,
    pub cpu_frequency_minimum: Number,
    pub cpu_frequency_maximum: Number,
    pub cpu_frequency_governor: Number,
    pub cpus_per_tres: String,
    pub cron: &'static str,
    pub deadline: Number,
    pub delay_boot: Number,
    pub dependency: String,
    pub derived_exit_code: ExitStatus,
    pub eligible_time: Number,
    pub end_time: Number,
    pub excluded_nodes: String,
    pub exit_code: ExitStatus,
    pub extra: &'static str,
    pub failed_node: &'static str,
    pub features: String,
    pub federation_origin: &'static str,
    pub federation_siblings_active: &'static str,
    pub federation_siblings_viable: &'static str,
    pub gres_detail: Vec<String>,
    pub group_id: u32,
    pub group_name: String,
    pub het_job_id: Number,
    pub het_job_id_set: String,
    pub het_job_offset: Number,
    pub job_id: u32,
    pub job_resources: Option<JobResources>,
    pub job_size_str: Vec<String>,
    pub job_state: Vec<String>,
    pub last_sched_evaluation: Number,
    pub licenses: String,
    pub licenses_allocated: String,
    pub mail_type: Vec<String>,
    pub mail_user: String,
    pub max_cpus: Number,
    pub max_nodes: Number,
    pub mcs_label: String,
    pub memory_per_tres: String,
    pub memory_update_delay: u32,
    pub memory_update_margin: u32,
    pub name: String,
    pub network: &'static str,
    pub nodes: String,
    pub nice: i64,
    pub tasks_per_core: Number,
    pub tasks_per_tres: Number,
    pub tasks_per_node: Number,
    pub tasks_per_socket: Number,
    pub tasks_per_board: Number,
    pub cpus: Number,
    pub node_count: Number,
    pub tasks: Number,
    pub partition: String,
    pub prefer: String,
    pub memory_per_cpu: Number,
    pub memory_per_node: Number,
    pub minimum_cpus_per_node: Number,
    pub minimum_tmp_disk_per_node: Number,
    pub preempt_time: Number,
    pub preemptable_time: Number,
    pub pre_sus_time: Number,
    pub hold: bool,
    pub priority: Number,
    pub priority_by_partition: Vec<String>,
    pub profile: Vec<String>,
    pub qos: String,
    pub reboot: bool,
    pub required_nodes: String,
    pub required_switches: u32,
    pub requeue: bool,
    pub resize_time: Number,
    pub restart_cnt: u32,
    pub resv_name: String,
    pub scheduled_nodes: String,
    pub segment_size: u32,
    pub selinux_context: &'static str,
    pub shared: Vec<String>,
    pub step_id: JobStepId,
    pub sockets_per_board: u32,
    pub sockets_per_node: Number,
    pub start_time: Number,
    pub state_description: String,
    pub state_reason: String,
    pub standard_input: String,
    pub standard_output: String,
    pub standard_error: String,
    pub stdin_expanded: String,
    pub stdout_expanded: String,
    pub stderr_expanded: String,
    pub submit_time: Number,
    pub submit_line: String,
    pub suspend_time: Number,
    pub system_comment: &'static str,
    pub time_limit: Number,
    pub time_minimum: Number,
    pub threads_per_core: Number,
    pub tres_bind: &'static str,
    pub tres_freq: &'static str,
    pub tres_per_job: String,
    pub tres_per_node: String,
    pub tres_per_socket: String,
    pub tres_per_task: String,
    pub tres_req_str: String,
    pub tres_alloc_str: String,
    pub user_id: u32,
    pub user_name: String,
    pub maximum_switch_wait_time: u32,
    pub wckey: String,
    pub current_working_directory: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct JobStepId {
    pub sluid: String,
    pub job_id: Number,
    pub step_het_component: Number,
    pub step_id: &'static str,
}

#[derive(Clone, Debug, Serialize)]
pub struct JobCore {
    pub index: u32,
    pub status: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct JobSocket {
    pub index: u32,
    pub cores: Vec<JobCore>,
}

#[derive(Clone, Debug, Serialize)]
pub struct JobNodeCpus {
    pub count: u32,
    pub used: u32,
}

#[derive(Clone, Debug, Serialize)]
pub struct JobNodeMemory {
    pub used: u64,
    pub allocated: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct JobNode {
    pub index: u32,
    pub name: String,
    pub cpus: JobNodeCpus,
    pub memory: JobNodeMemory,
    pub sockets: Vec<JobSocket>,
}

#[derive(Clone, Debug, Serialize)]
pub struct JobResourcesNodes {
    pub count: u32,
    pub select_type: Vec<String>,
    pub list: String,
    pub whole: bool,
    pub allocation: Vec<JobNode>,
}

/// What a job has on its nodes.
#[derive(Clone, Debug, Serialize)]
pub struct JobResources {
    pub select_type: Vec<String>,
    pub nodes: JobResourcesNodes,
    pub cpus: u32,
    pub threads_per_core: Number,
}
