//! The global part of slurm.conf(5). Defaults are those of Slurm 26.05.

use super::lines::{DiagnosticLog, LineOptions};
use super::value::{self, big, number, period, words, yes};
use super::{
    Enforce, EnforcePart, Global, GpuDefaults, JobSubmitPlugin, Priority, PriorityFlags, UsageReset, power,
    select,
};
use base::diagnostic::Severity;
use base::order::StableSort as _;
use base::time::Limit;
use std::collections::BTreeMap;

/// Parses the global settings; `raw` keys are already in canonical case.
pub(super) fn read(o: &LineOptions<'_>, report: &mut DiagnosticLog) -> Global {
    let cluster_name = o.text("ClusterName").map_or_else(
        || {
            report.add(Severity::Error, "slurm.conf", 0, "CLUSTERNAME needs to be specified");
            "cluster".to_owned()
        },
        str::to_ascii_lowercase,
    );
    let has = |key: &str, word: &str| {
        o.text(key).is_some_and(|v| words(v).iter().any(|w| w.eq_ignore_ascii_case(word)))
    };
    super::parameters::report(o, report);
    super::invalid::report(o, report);
    let select = select::read(o, report);
    let priority = priority(o, report);
    Global {
        cluster_name,
        raw: o.0.values().map(|e| (e.key.clone(), e.value.clone())).collect(),
        accounting_enforce: o.get(report, "AccountingStorageEnforce", enforce).unwrap_or_default(),
        tracked_gres: tracked_gres(o.text("AccountingStorageTRES").unwrap_or_default()),
        batch_requeue: o.get(report, "JobRequeue", yes).unwrap_or(true),
        def_mem_per_cpu: memory(o, report, "DefMemPerCPU"),
        def_mem_per_node: memory(o, report, "DefMemPerNode"),
        max_mem_per_cpu: memory(o, report, "MaxMemPerCPU"),
        max_mem_per_node: memory(o, report, "MaxMemPerNode"),
        gpu_defaults: gpu_defaults(job_defaults(o).as_deref()),
        enforce_part_limits: o.get(report, "EnforcePartLimits", enforce_part).unwrap_or_default(),
        first_job_id: o.get(report, "FirstJobId", number).unwrap_or(1).max(1),
        gres_types: words(o.text("GresTypes").unwrap_or_default()),
        inactive_limit: o.get(report, "InactiveLimit", number).unwrap_or(0),
        kill_wait: o.get(report, "KillWait", number).unwrap_or(30),
        max_array_size: o.get(report, "MaxArraySize", number).unwrap_or(1001).min(4_000_001),
        max_job_count: o.text("MaxJobCount").and_then(number).unwrap_or(10_000).max(1),
        min_job_age: o.get(report, "MinJobAge", number).unwrap_or(300),
        over_time_limit: o.get(report, "OverTimeLimit", minutes).unwrap_or(Limit::Minutes(0)),
        preempt_mode: o.text("PreemptMode").unwrap_or("OFF").to_ascii_uppercase(),
        preempt_type: o.text("PreemptType").unwrap_or("preempt/none").to_ascii_lowercase(),
        scheduler_parameters: super::parameters::read(o, report),
        scheduler_backfill: o
            .get(report, "SchedulerType", |t| plugin(t, "sched/", &["backfill", "builtin"]))
            .is_none_or(|t| t == "backfill"),
        select,
        priority,
        return_to_service: o.get(report, "ReturnToService", return_to_service).unwrap_or(0),
        slurmd_timeout: o.get(report, "SlurmdTimeout", number).unwrap_or(300),
        licenses: licenses(o, report),
        kill_on_invalid_depend: has("DependencyParameters", "kill_invalid_depend")
            || has("SchedulerParameters", "kill_invalid_depend"),
        prolog_contain: has("PrologFlags", "contain") || has("PrologFlags", "x11"),
        use_interactive_step: has("LaunchParameters", "use_interactive_step"),
        requeue_exit: o.get(report, "RequeueExit", exit_codes).unwrap_or_default(),
        requeue_exit_hold: o.get(report, "RequeueExitHold", exit_codes).unwrap_or_default(),
        accounting_store_flags: words(o.text("AccountingStoreFlags").unwrap_or_default()),
        private_data: words(o.text("PrivateData").unwrap_or_default())
            .iter()
            .map(|w| w.to_ascii_lowercase())
            .collect(),
        preempt: super::preempt::read(o, report),
        resv_over_run: o.get(report, "ResvOverRun", value::bound).map_or(0, |b| b.unwrap_or(u32::MAX)),
        power: power::read(o, report),
        programs: super::programs::read(o),
        mcs: super::mcs::read(o, report),
        job_submit: job_submit(o, report),
        max_batch_requeue: o.get(report, "MaxBatchRequeue", number).unwrap_or(5),
        user_resv_delete: has("SlurmctldParameters", "user_resv_delete"),
        complete_wait: o.get(report, "CompleteWait", number).unwrap_or(0).min(65_533),
        track_wckey: o.get(report, "TrackWCKey", yes).unwrap_or(false),
    }
}

/// The job_submit plugins that ship with Slurm. A site's own scripts are rules in `site.toml` instead.
fn job_submit(o: &LineOptions<'_>, report: &mut DiagnosticLog) -> Vec<JobSubmitPlugin> {
    let Some(entry) = o.entry("JobSubmitPlugins") else { return Vec::new() };
    let mut plugins = Vec::new();
    for word in words(&entry.value) {
        match word.to_ascii_lowercase().trim_start_matches("job_submit/") {
            "require_timelimit" => plugins.push(JobSubmitPlugin::RequireTimeLimit),
            "all_partitions" => plugins.push(JobSubmitPlugin::AllPartitions),
            other => {
                let message = format!(
                    "job_submit/{other} does not run here; its rules go into site.toml as [[job_submit]]"
                );
                report.add(Severity::Note, entry.file, entry.line, message);
            }
        }
    }
    plugins
}

/// The GRES in `AccountingStorageTRES`; with GPUs Slurm also tracks their memory and utilisation.
fn tracked_gres(text: &str) -> Vec<String> {
    let gres = |t: &String| t.to_ascii_lowercase().strip_prefix("gres/").map(str::to_owned);
    let mut all: Vec<String> = words(text).iter().filter_map(gres).collect();
    if all.iter().any(|g| g == "gpu") {
        all.extend(["gpumem", "gpuutil"].map(str::to_owned));
        all.dedup();
    }
    all
}

/// `JobDefaults=`, including the two legacy keys.
pub(super) fn job_defaults(o: &LineOptions<'_>) -> Option<String> {
    let one = |key: &str| o.text(key).map(|v| format!("{key}={v}"));
    let old: Vec<String> = [one("DefCpuPerGPU"), one("DefMemPerGPU")].into_iter().flatten().collect();
    o.text("JobDefaults").map(str::to_owned).or_else(|| (!old.is_empty()).then(|| old.join(",")))
}

/// Parses `DefCpuPerGPU=4,DefMemPerGPU=8000`.
pub(super) fn gpu_defaults(text: Option<&str>) -> GpuDefaults {
    let all = words(text.unwrap_or_default());
    let one = |key: &str| {
        let pairs = all.iter().filter_map(|w| w.split_once('='));
        pairs.filter(|p| p.0.eq_ignore_ascii_case(key)).find_map(|p| big(p.1)).filter(|n| *n > 0)
    };
    let cpus = one("DefCpuPerGPU").and_then(|n| u32::try_from(n).ok());
    GpuDefaults { cpus, memory: one("DefMemPerGPU") }
}

/// Parses MiB; 0 and `UNLIMITED` mean unset.
pub(super) fn memory(o: &LineOptions<'_>, report: &mut DiagnosticLog, key: &str) -> Option<u64> {
    o.get(report, key, big).filter(|m| *m > 0 && *m < u64::MAX)
}

/// Parses whole minutes, as in `OverTimeLimit`.
fn minutes(text: &str) -> Option<Limit> {
    number(text).map(|m| if m == u32::MAX { Limit::Unlimited } else { Limit::Minutes(m) })
}

fn enforce(text: &str) -> Option<Enforce> {
    let mut e = Enforce::default();
    for word in words(text) {
        match word.to_ascii_lowercase().as_str() {
            "none" | "0" => {}
            // `all` excludes the flags that disable accounting.
            "all" => {
                e = Enforce { associations: true, limits: true, qos: true, safe: true, wckeys: true, ..e };
            }
            "nojobs" => e = Enforce { no_jobs: true, no_steps: true, ..e },
            "nosteps" => e.no_steps = true,
            "associations" | "1" => e.associations = true,
            "limits" | "2" => e = Enforce { associations: true, limits: true, ..e },
            "qos" => e = Enforce { associations: true, qos: true, ..e },
            "safe" => e = Enforce { associations: true, limits: true, safe: true, ..e },
            "wckeys" => e = Enforce { associations: true, wckeys: true, ..e },
            _ => return None,
        }
    }
    Some(e)
}

fn enforce_part(text: &str) -> Option<EnforcePart> {
    match text.to_ascii_uppercase().as_str() {
        "NO" => Some(EnforcePart::No),
        "YES" | "ALL" => Some(EnforcePart::All),
        "ANY" => Some(EnforcePart::Any),
        _ => None,
    }
}

fn return_to_service(text: &str) -> Option<u8> {
    text.parse().ok().filter(|n| *n <= 2)
}

/// The name of a plugin without its type prefix, which old files omit.
fn plugin(text: &str, kind: &str, known: &[&'static str]) -> Option<&'static str> {
    let lower = text.to_ascii_lowercase();
    let name = lower.strip_prefix(kind).unwrap_or(&lower);
    known.iter().find(|k| **k == name).copied()
}

fn priority(o: &LineOptions<'_>, report: &mut DiagnosticLog) -> Priority {
    negative_weights(o, report);
    let mut weight = |key| o.get(report, key, number).unwrap_or(0);
    let (weight_age, weight_assoc) = (weight("PriorityWeightAge"), weight("PriorityWeightAssoc"));
    let (weight_fairshare, weight_job_size) =
        (weight("PriorityWeightFairshare"), weight("PriorityWeightJobSize"));
    let (weight_partition, weight_qos) = (weight("PriorityWeightPartition"), weight("PriorityWeightQOS"));
    Priority {
        multifactor: o
            .get(report, "PriorityType", |t| plugin(t, "priority/", &["multifactor", "basic"]))
            .is_none_or(|t| t == "multifactor"),
        half_life: o.get(report, "PriorityDecayHalfLife", period).unwrap_or(604_800),
        calc_period: o.get(report, "PriorityCalcPeriod", period).filter(|p| *p > 0).unwrap_or(300),
        max_age: o.get(report, "PriorityMaxAge", period).filter(|p| *p > 0).unwrap_or(604_800),
        favor_small: o.get(report, "PriorityFavorSmall", yes).unwrap_or(false),
        weight_age,
        weight_assoc,
        weight_fairshare,
        weight_job_size,
        weight_partition,
        weight_qos,
        weight_tres: o.get(report, "PriorityWeightTRES", value::weights).unwrap_or_default(),
        flags: o.get(report, "PriorityFlags", priority_flags).unwrap_or_default(),
        usage_reset: o.get(report, "PriorityUsageResetPeriod", usage_reset).unwrap_or_default(),
        dampening: o.get(report, "FairShareDampeningFactor", number).unwrap_or(1).max(1),
    }
}

fn priority_flags(text: &str) -> Option<PriorityFlags> {
    let mut f = PriorityFlags::default();
    for word in words(text) {
        let flag = match word.to_ascii_uppercase().as_str() {
            "ACCRUE_ALWAYS" => &mut f.accrue_always,
            "CALCULATE_RUNNING" => &mut f.calculate_running,
            "DEPTH_OBLIVIOUS" => &mut f.depth_oblivious,
            "NO_FAIR_TREE" => &mut f.no_fair_tree,
            "INCR_ONLY" => &mut f.incr_only,
            "MAX_TRES" => &mut f.max_tres,
            "MAX_TRES_GRES" => &mut f.max_tres_gres,
            "NO_NORMAL_ASSOC" => &mut f.no_normal_assoc,
            "NO_NORMAL_PART" => &mut f.no_normal_part,
            "NO_NORMAL_QOS" => &mut f.no_normal_qos,
            "NO_NORMAL_TRES" => &mut f.no_normal_tres,
            "NO_NORMAL_ALL" => {
                f.no_normal_assoc = true;
                f.no_normal_part = true;
                f.no_normal_tres = true;
                &mut f.no_normal_qos
            }
            "SMALL_RELATIVE_TO_TIME" => &mut f.small_relative_to_time,
            // The default since Fair Tree became one.
            "FAIR_TREE" => continue,
            _ => return None,
        };
        *flag = true;
    }
    // Depth applies to the classic formula only.
    f.no_fair_tree |= f.depth_oblivious;
    Some(f)
}

/// Warns of negative weights: Slurm accepts them, and requests for such TRES lower a job's priority.
fn negative_weights(o: &LineOptions<'_>, report: &mut DiagnosticLog) {
    let Some(entry) = o.entry("PriorityWeightTRES") else { return };
    let negative = |w: &std::collections::BTreeMap<String, f64>| w.values().any(|v| *v < 0.0);
    if value::weights(&entry.value).as_ref().is_some_and(negative) {
        let message =
            "a weight in PriorityWeightTRES is negative: it lowers the priority of those who ask for it";
        report.add(Severity::Warning, entry.file, entry.line, message);
    }
}

fn usage_reset(text: &str) -> Option<UsageReset> {
    Some(match text.to_ascii_uppercase().as_str() {
        "NONE" => UsageReset::None,
        "NOW" => UsageReset::Now,
        "DAILY" => UsageReset::Daily,
        "WEEKLY" => UsageReset::Weekly,
        "MONTHLY" => UsageReset::Monthly,
        "QUARTERLY" => UsageReset::Quarterly,
        "YEARLY" => UsageReset::Yearly,
        _ => return None,
    })
}

/// Parses `matlab:2,ansys=10,one`; a name without a count counts one.
fn licenses(o: &LineOptions<'_>, report: &mut DiagnosticLog) -> BTreeMap<String, u32> {
    let parse = |text: &str| {
        let mut all = BTreeMap::new();
        for word in words(text) {
            let (name, count) = word.split_once([':', '=']).unwrap_or((&word, "1"));
            all.insert(name.to_owned(), count.parse().ok()?);
        }
        Some(all)
    };
    o.get(report, "Licenses", parse).unwrap_or_default()
}

/// Parses `1-9,18,32`.
fn exit_codes(text: &str) -> Option<Vec<u8>> {
    let mut all = Vec::new();
    for word in words(text) {
        let (lo, hi) = word.split_once('-').unwrap_or((&word, &word));
        all.extend(lo.parse::<u8>().ok()?..=hi.parse().ok()?);
    }
    all.order();
    all.dedup();
    Some(all)
}
