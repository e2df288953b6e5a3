//! The statistics of `sdiag --json`.

use super::moment;
use super::rows::sdiag::{
    RpcsByType, RpcsByUser, StatisticsRow, StatisticsRowBfExit, StatisticsRowScheduleExit,
};
use super::write::ResponseWriter;
use crate::slurm::jobtext::JobView;
use crate::slurm::sdiag::StateCounts;
use slurmctld::stats::{Calls, KINDS};

/// The whole response.
pub fn statistics(v: &JobView, out: &mut ResponseWriter) {
    let s = &v.state.stats;
    let (main, back) = (&s.main, &s.backfill);
    let mean = |sum: u64, count: u64| sum.checked_div(count).unwrap_or(0);
    let counts = StateCounts::of(v);
    let name = |id: u32| KINDS.iter().find(|k| k.0 == id).map_or("UNKNOWN", |k| k.1).to_owned();
    let by_type = |c: &Calls| RpcsByType { message_type: name(c.id), type_id: c.id, count: c.count };
    let by_user =
        |c: &Calls| RpcsByUser { user: v.users.name(base::ids::Uid(c.id)), user_id: c.id, count: c.count };
    out.field(
        "statistics",
        &StatisticsRow {
            parts_packed: 1,
            req_time: moment(Some(v.now)),
            req_time_start: moment(Some(s.since)),
            server_thread_count: 1,
            agent_queue_size: 0,
            agent_count: 0,
            agent_thread_count: 0,
            dbd_agent_queue_size: 0,
            gettimeofday_latency: 21,
            schedule_cycle_max: main.max,
            schedule_cycle_last: main.last,
            schedule_cycle_sum: main.total,
            schedule_cycle_total: main.count,
            schedule_cycle_mean: mean(main.total, main.count),
            schedule_cycle_mean_depth: mean(main.depth, main.count),
            schedule_cycle_per_minute: main.count,
            schedule_cycle_depth: main.depth,
            schedule_exit: StatisticsRowScheduleExit {
                end_job_queue: main.count - main.cut,
                default_queue_depth: main.cut,
                max_job_start: 0,
                max_rpc_cnt: 0,
                max_sched_time: 0,
                licenses: 0,
            },
            schedule_queue_length: main.last_queue,
            jobs_submitted: s.submitted,
            jobs_started: s.started,
            jobs_completed: s.completed,
            jobs_canceled: s.canceled,
            jobs_failed: s.failed,
            jobs_pending: counts.pending,
            jobs_running: counts.running,
            job_states_ts: moment(Some(counts.at)),
            bf_backfilled_jobs: s.backfilled,
            bf_last_backfilled_jobs: s.backfilled_since,
            bf_backfilled_het_jobs: s.backfilled_het,
            bf_cycle_counter: back.count,
            bf_cycle_mean: mean(back.total, back.count),
            bf_depth_mean: mean(back.depth, back.count),
            bf_depth_mean_try: mean(back.depth, back.count),
            bf_cycle_sum: back.total,
            bf_cycle_last: back.last,
            bf_last_depth: back.last_depth,
            bf_last_depth_try: back.last_depth,
            bf_depth_sum: back.depth,
            bf_depth_try_sum: back.depth,
            bf_queue_len: back.last_queue,
            bf_queue_len_mean: mean(back.queue, back.count),
            bf_queue_len_sum: back.queue,
            bf_table_size: back.last_depth + 1,
            bf_table_size_sum: back.depth + back.count,
            bf_table_size_mean: mean(back.depth, back.count) + 1,
            bf_when_last_cycle: moment(back.when),
            bf_active: false,
            bf_exit: StatisticsRowBfExit {
                end_job_queue: back.count - back.cut,
                bf_max_job_start: 0,
                bf_max_job_test: back.cut,
                bf_max_time: 0,
                bf_node_space_size: 0,
                state_changed: 0,
            },
            rpcs_by_message_type: s.by_kind.iter().map(by_type).collect(),
            rpcs_by_user: s.by_user.iter().map(by_user).collect(),
            pending_rpcs: Vec::new(),
            pending_rpcs_by_hostlist: Vec::new(),
        },
    );
}
