//! Statistics of the scheduler.

use super::Number;
use serde::Serialize;

#[derive(Clone, Debug, Serialize)]
pub struct StatisticsRowScheduleExit {
    pub end_job_queue: u64,
    pub default_queue_depth: u64,
    pub max_job_start: u32,
    pub max_rpc_cnt: u32,
    pub max_sched_time: u32,
    pub licenses: u32,
}

#[derive(Clone, Debug, Serialize)]
pub struct StatisticsRowBfExit {
    pub end_job_queue: u64,
    pub bf_max_job_start: u32,
    pub bf_max_job_test: u64,
    pub bf_max_time: u32,
    pub bf_node_space_size: u32,
    pub state_changed: u32,
}

/// The statistics of `sdiag`.
#[derive(Clone, Debug, Serialize)]
pub struct StatisticsRow {
    pub parts_packed: u32,
    pub req_time: Number,
    pub req_time_start: Number,
    pub server_thread_count: u32,
    pub agent_queue_size: u32,
    pub agent_count: u32,
    pub agent_thread_count: u32,
    pub dbd_agent_queue_size: u32,
    pub gettimeofday_latency: u32,
    pub schedule_cycle_max: u64,
    pub schedule_cycle_last: u64,
    pub schedule_cycle_sum: u64,
    pub schedule_cycle_total: u64,
    pub schedule_cycle_mean: u64,
    pub schedule_cycle_mean_depth: u64,
    pub schedule_cycle_per_minute: u64,
    pub schedule_cycle_depth: u64,
    pub schedule_exit: StatisticsRowScheduleExit,
    pub schedule_queue_length: u64,
    pub jobs_submitted: u64,
    pub jobs_started: u64,
    pub jobs_completed: u64,
    pub jobs_canceled: u64,
    pub jobs_failed: u64,
    pub jobs_pending: u64,
    pub jobs_running: u64,
    pub job_states_ts: Number,
    pub bf_backfilled_jobs: u64,
    pub bf_last_backfilled_jobs: u64,
    pub bf_backfilled_het_jobs: u64,
    pub bf_cycle_counter: u64,
    pub bf_cycle_mean: u64,
    pub bf_depth_mean: u64,
    pub bf_depth_mean_try: u64,
    pub bf_cycle_sum: u64,
    pub bf_cycle_last: u64,
    pub bf_last_depth: u64,
    pub bf_last_depth_try: u64,
    pub bf_depth_sum: u64,
    pub bf_depth_try_sum: u64,
    pub bf_queue_len: u64,
    pub bf_queue_len_mean: u64,
    pub bf_queue_len_sum: u64,
    pub bf_table_size: u64,
    pub bf_table_size_sum: u64,
    pub bf_table_size_mean: u64,
    pub bf_when_last_cycle: Number,
    pub bf_active: bool,
    pub bf_exit: StatisticsRowBfExit,
    pub rpcs_by_message_type: Vec<RpcsByType>,
    pub rpcs_by_user: Vec<RpcsByUser>,
    pub pending_rpcs: Vec<String>,
    pub pending_rpcs_by_hostlist: Vec<String>,
}

/// Calls of one kind.
#[derive(Clone, Debug, Serialize)]
pub struct RpcsByType {
    pub message_type: String,
    pub type_id: u32,
    pub count: u64,
}

/// Calls of one user.
#[derive(Clone, Debug, Serialize)]
pub struct RpcsByUser {
    pub user: String,
    pub user_id: u32,
    pub count: u64,
}
