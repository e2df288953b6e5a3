//! The words of `SchedulerParameters` of slurm.conf(5), and which of them have an effect here.

use super::keys;
use super::lines::{Options, Report};
use super::value::words;
use crate::base::diagnostic::Severity;
use std::collections::BTreeMap;

/// They steer the simulated loops and checks.
const USED: &[&str] = &[
    "allow_zero_lic",
    "assoc_limit_stop",
    "batch_sched_delay",
    "bf_busy_nodes",
    "bf_interval",
    "bf_max_job_array_resv",
    "bf_max_job_assoc",
    "bf_max_job_part",
    "bf_max_job_start",
    "bf_max_job_test",
    "bf_max_job_user",
    "bf_max_job_user_part",
    "bf_min_prio_reserve",
    "bf_one_resv_per_job",
    "bf_resolution",
    "bf_window",
    "default_queue_depth",
    "defer",
    "defer_batch",
    "enable_user_top",
    "kill_invalid_depend",
    "max_array_tasks",
    "max_switch_wait",
    "nohold_on_prolog_fail",
    "pack_serial_at_end",
    "partition_job_depth",
    "permit_job_expansion",
    "sched_interval",
    "sched_max_job_start",
];

/// What a simulation does by itself, or what keeps a real daemon from being busy: passes take no time here, nobody waits
/// for a lock, and no pass is given up half-way.
const DAEMON: &[&str] = &[
    "bf_continue",
    "bf_max_time",
    "bf_node_space_size",
    "bf_running_job_reserve",
    "bf_yield_interval",
    "bf_yield_rpc_cnt",
    "bf_yield_sleep",
    "build_queue_timeout",
    "delay_registrations",
    "disable_job_shrink",
    "enable_job_state_cache",
    "enable_rpc_queue",
    "inventory_interval",
    "max_rpc_cnt",
    "max_sched_time",
    "max_script_size",
    "max_submit_line_size",
    "no_backup_scheduling",
    "no_env_cache",
    "requeue_setup_env_fail",
    "sched_min_interval",
    "step_retry_count",
    "step_retry_time",
];

/// Slurm would act on them, the simulation does not.
const IGNORED: &[&str] = &[
    "bf_allow_magnetic_resv",
    "bf_hetjob_immediate",
    "bf_hetjob_prio",
    "bf_ignore_newly_avail_nodes",
    "bf_job_part_count_reserve",
    "bf_licenses",
    "bf_topopt_enable",
    "bf_topopt_iterations",
    "bf_window_linear",
    "correspond_after_task_cnt",
    "default_gbytes",
    "delay_boot",
    "disable_hetjob_steps",
    "enable_hetjob_steps",
    "extra_constraints",
    "Ignore_NUMA",
    "ignore_constraint_validation",
    "ignore_prefer_validation",
    "max_depend_depth",
    "reduce_completing_frag",
    "salloc_wait_nodes",
    "sbatch_wait_nodes",
    "spec_cores_first",
    "time_min_as_soft_limit",
    "whole_hetjob",
];

/// `a=1,b` as a map; a word without a value has an empty one. What has no effect, and what Slurm does not know (it says
/// nothing of that), is told.
pub(super) fn read(o: &Options<'_>, report: &mut Report) -> BTreeMap<String, String> {
    let Some(entry) = o.entry("SchedulerParameters") else { return BTreeMap::new() };
    let mut all = BTreeMap::new();
    for word in words(&entry.value) {
        let (key, value) = word.split_once('=').unwrap_or((&word, ""));
        let among = |table: &[&str]| table.iter().any(|w| w.eq_ignore_ascii_case(key));
        let mut say = |severity, message: String| report.add(severity, entry.file, entry.line, message);
        if among(IGNORED) {
            say(Severity::Note, format!("{key} of SchedulerParameters has no effect in the simulation"));
        } else if !among(USED) && !among(DAEMON) {
            let known = USED.iter().chain(DAEMON).chain(IGNORED).copied();
            let hint = keys::like(known, key).map(|k| format!(" (did you mean {k}?)")).unwrap_or_default();
            say(
                Severity::Warning,
                format!("SchedulerParameters has no word {key}, Slurm leaves it alone{hint}"),
            );
        }
        all.insert(key.to_owned(), value.to_owned());
    }
    all
}
