//! The options of `SchedulerParameters` and other list-valued keys of slurm.conf(5), and which of them have
//! an effect here.

use super::keys;
use super::lines::{DiagnosticLog, LineOptions};
use super::value::words;
use base::diagnostic::Severity;
use std::collections::BTreeMap;

/// Options that affect the simulated loops and checks.
const USED: &[&str] = &[
    "allow_zero_lic",
    "assoc_limit_stop",
    "batch_sched_delay",
    "bf_busy_nodes",
    "bf_hetjob_immediate",
    "bf_hetjob_prio",
    "bf_interval",
    "bf_job_part_count_reserve",
    "bf_licenses",
    "bf_max_job_array_resv",
    "bf_max_job_assoc",
    "bf_max_job_part",
    "bf_max_job_start",
    "bf_max_job_test",
    "bf_max_job_user",
    "bf_max_job_user_part",
    "bf_min_age_reserve",
    "bf_min_prio_reserve",
    "bf_one_resv_per_job",
    "bf_resolution",
    "bf_window",
    "default_queue_depth",
    "defer",
    "defer_batch",
    "disable_job_shrink",
    "enable_user_top",
    "kill_invalid_depend",
    "max_array_tasks",
    "max_switch_wait",
    "nohold_on_prolog_fail",
    "pack_serial_at_end",
    "partition_job_depth",
    "permit_job_expansion",
    "reduce_completing_frag",
    "sched_interval",
    "sched_max_job_start",
    "time_min_as_soft_limit",
    "whole_hetjob",
    "whole_pack",
];

/// Those with an integer value, with its minimum and maximum.
const NUMBERS: &[(&str, i64, i64)] = &[
    ("batch_sched_delay", 0, 3600),
    ("bf_interval", 1, 10_800),
    ("bf_job_part_count_reserve", 0, 100_000),
    ("bf_max_job_array_resv", 0, 1 << 20),
    ("bf_max_job_assoc", 0, 1 << 20),
    ("bf_max_job_part", 0, 1 << 20),
    ("bf_max_job_start", 0, 1 << 20),
    ("bf_max_job_test", 0, 1 << 20),
    ("bf_max_job_user", 0, 1 << 20),
    ("bf_max_job_user_part", 0, 1 << 20),
    ("bf_min_age_reserve", 0, 2_592_000),
    ("bf_min_prio_reserve", 0, u32::MAX as i64),
    ("bf_resolution", 1, 3600),
    ("bf_window", 1, 43_200),
    ("default_queue_depth", 0, 1 << 20),
    ("max_array_tasks", 0, u32::MAX as i64),
    ("max_switch_wait", 0, u32::MAX as i64),
    ("partition_job_depth", 0, 1 << 20),
    ("sched_interval", -1, 86_400),
    ("sched_max_job_start", 0, 1 << 20),
];

/// Options that only matter to a real daemon: here passes take no time, there are no locks, and no pass is
/// interrupted.
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

/// Options with an effect in Slurm but not in the simulation.
const IGNORED: &[&str] = &[
    "bb_array_stage_cnt",
    "bf_allow_magnetic_slot",
    "bf_ignore_newly_avail_nodes",
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
    "salloc_wait_nodes",
    "sbatch_wait_nodes",
    "spec_cores_first",
];

/// A key whose value is a list of options.
struct OptionList {
    key: &'static str,
    /// slurmctld refuses to start on an unknown option.
    strict: bool,
    used: &'static [&'static str],
    /// Options without an effect that a simulation could show.
    daemon: &'static [&'static str],
    /// Options with an effect in Slurm but not in the simulation.
    ignored: &'static [&'static str],
}

const SCHEDULER: OptionList =
    OptionList { key: "SchedulerParameters", strict: false, used: USED, daemon: DAEMON, ignored: IGNORED };

const OTHERS: &[OptionList] = &[
    OptionList {
        key: "PreemptParameters",
        strict: false,
        used: &["min_exempt_priority", "reorder_count", "send_user_signal", "strict_order", "youngest_first"],
        daemon: &[],
        ignored: &["reclaim_licenses", "suspend_grace_time"],
    },
    OptionList {
        key: "SlurmctldParameters",
        strict: false,
        used: &["enable_configless", "user_resv_delete"],
        daemon: &[
            "cloud_dns",
            "cloud_reg_addrs",
            "conmgr_connect_timeout",
            "conmgr_max_connections",
            "conmgr_quiesce_timeout",
            "conmgr_read_timeout",
            "conmgr_threads",
            "conmgr_use_poll",
            "conmgr_wait_write_delay",
            "conmgr_write_timeout",
            "enable_job_state_cache",
            "enable_rpc_queue",
            "enable_stepmgr",
            "max_dbd_msg_action",
            "no_quick_restart",
            "node_reg_mem_percent",
            "power_save_min_interval",
            "preempt_send_user_signal",
            "reconfig_on_restart",
            "rl_bucket_size",
            "rl_enable",
            "rl_log_freq",
            "rl_refill_period",
            "rl_refill_rate",
            "rl_table_size",
            "threadpool",
            "threadpool_preallocate",
            "threadpool_preserve",
            "validate_nodeaddr_threads",
            "workerpool_threads",
        ],
        ignored: &[
            "allow_user_triggers",
            "disable_triggers",
            "enable_expedited_requeue",
            "idle_on_node_suspend",
            "max_powered_nodes",
            "power_save_interval",
            "reboot_from_controller",
        ],
    },
    OptionList {
        key: "LaunchParameters",
        strict: false,
        used: &["use_interactive_step"],
        daemon: &[
            "batch_step_set_cpu_freq",
            "cray_net_exclusive",
            "disable_send_gids",
            "disable_slurm_hydra_bootstrap",
            "enable_nss_slurm",
            "home_xauthority",
            "interactive_step_set_cpu_freq",
            "lustre_no_flush",
            "mem_sort",
            "mpir_use_nodeaddr",
            "send_gids",
            "slurmstepd_memlock",
            "slurmstepd_memlock_all",
            "ulimit_pam_adopt",
        ],
        ignored: &["srun_exclusive_allocation", "test_exec"],
    },
    OptionList {
        key: "PrologFlags",
        strict: true,
        used: &["Alloc", "Contain", "NoHold", "X11"],
        daemon: &["Serial"],
        ignored: &["DeferBatch", "ForceRequeueOnFail", "RunInJob"],
    },
    OptionList {
        key: "ReconfigFlags",
        strict: true,
        used: &["KeepPartInfo", "KeepPartState"],
        daemon: &[],
        ignored: &["KeepPowerSaveSettings"],
    },
    OptionList {
        key: "DependencyParameters",
        strict: false,
        used: &["kill_invalid_depend"],
        daemon: &["disable_remote_singleton"],
        ignored: &["max_depend_depth"],
    },
    OptionList {
        key: "AccountingStoreFlags",
        strict: true,
        used: &["job_comment", "job_env", "job_extra", "job_script"],
        daemon: &["no_stdio"],
        ignored: &[],
    },
    OptionList {
        key: "JobAcctGatherParams",
        strict: false,
        used: &[],
        daemon: &["DisableGPUAcct", "NoShared", "UsePss", "no_file_cache"],
        ignored: &["OverMemoryKill"],
    },
    OptionList {
        key: "SelectTypeParameters",
        strict: true,
        used: &[
            "CR_CORE_DEFAULT_DIST_BLOCK",
            "CR_CPU",
            "CR_CPU_Memory",
            "CR_Core",
            "CR_Core_Memory",
            "CR_LLN",
            "CR_Memory",
            "CR_ONE_TASK_PER_CORE",
            "CR_Pack_Nodes",
            "CR_Socket",
            "CR_Socket_Memory",
            "ENFORCE_BINDING_GRES",
            "MULTIPLE_SHARING_GRES_PJ",
            "NONE",
        ],
        daemon: &[],
        ignored: &["CR_NO_DIST_TOPO_BLOCK", "LL_SHARED_GRES", "ONE_TASK_PER_SHARING_GRES"],
    },
];

impl OptionList {
    /// Reports options without effect, and unknown options, which Slurm ignores silently.
    fn report(&self, o: &LineOptions<'_>, report: &mut DiagnosticLog) {
        let Some(entry) = o.entry(self.key) else { return };
        for word in words(&entry.value) {
            let word = word.split_once(['=', ':']).map_or(word.as_str(), |pair| pair.0);
            let among = |table: &[&str]| table.iter().any(|w| w.eq_ignore_ascii_case(word));
            let (severity, message) = if among(self.ignored) {
                (Severity::Note, format!("{word} of {} has no effect in the simulation", self.key))
            } else if among(self.used) || among(self.daemon) {
                continue;
            } else {
                let known = self.used.iter().chain(self.daemon).chain(self.ignored).copied();
                let hint =
                    keys::like(known, word).map(|k| format!(" (did you mean {k}?)")).unwrap_or_default();
                if self.strict {
                    (Severity::Error, format!("{} has no word {word}{hint}", self.key))
                } else {
                    (
                        Severity::Warning,
                        format!("{} has no word {word}, Slurm leaves it alone{hint}", self.key),
                    )
                }
            };
            report.add(severity, entry.file, entry.line, message);
        }
    }
}

/// Reports options without effect in all list-valued keys.
pub(super) fn report(o: &LineOptions<'_>, report: &mut DiagnosticLog) {
    OTHERS.iter().for_each(|list| list.report(o, report));
}

/// The value of an integer option of `SchedulerParameters`; `None` if it is absent or invalid, so the default
/// applies.
#[must_use]
pub fn number(parameters: &BTreeMap<String, String>, name: &str) -> Option<i64> {
    let (_, least, most) = NUMBERS.iter().find(|n| n.0 == name)?;
    parameters.get(name)?.trim().parse().ok().filter(|n| (*least..=*most).contains(n))
}

/// Reports invalid values, for which the default applies.
fn report_numbers(o: &LineOptions<'_>, parameters: &BTreeMap<String, String>, report: &mut DiagnosticLog) {
    let Some(entry) = o.entry(SCHEDULER.key) else { return };
    for (name, least, most) in NUMBERS {
        let value = parameters.get(*name).filter(|_| number(parameters, name).is_none());
        if let Some(value) = value {
            let message = format!("{name}={value} is no number from {least} to {most}: the default applies");
            report.add(Severity::Warning, entry.file, entry.line, message);
        }
    }
}

/// Parses `SchedulerParameters=a=1,b` into a map; an option without a value maps to the empty string.
pub(super) fn read(o: &LineOptions<'_>, report: &mut DiagnosticLog) -> BTreeMap<String, String> {
    SCHEDULER.report(o, report);
    let pair = |word: String| match word.split_once('=') {
        Some((key, value)) => (key.to_owned(), value.to_owned()),
        None => (word, String::new()),
    };
    let parameters = words(o.text(SCHEDULER.key).unwrap_or_default()).into_iter().map(pair).collect();
    report_numbers(o, &parameters, report);
    parameters
}
