//! `scontrol show config`: the values of slurm.conf, with defaults for parameters that are not set.

use crate::Cx;
use base::time::hms;
use config::PartConf;
use slurmctld::Slurmctld;

/// Name, default, unit.
#[rustfmt::skip]
const ROWS: &[(&str, &str, &str)] = &[
    ("AccountingStorageBackupHost", "(null)", ""),
    ("AccountingStorageEnforce", "none", ""),
    ("AccountingStorageHost", "localhost", ""),
    ("AccountingStorageExternalHost", "(null)", ""),
    ("AccountingStorageParameters", "(null)", ""),
    ("AccountingStoragePort", "6819", ""),
    ("AccountingStorageTRES", "", ""),
    ("AccountingStorageType", "accounting_storage/slurmdbd", ""),
    ("AccountingStoreFlags", "(null)", ""),
    ("AcctGatherEnergyType", "(null)", ""),
    ("AcctGatherFilesystemType", "(null)", ""),
    ("AcctGatherInterconnectType", "(null)", ""),
    ("AcctGatherNodeFreq", "0", " sec"),
    ("AcctGatherProfileType", "(null)", ""),
    ("AllowSpecResourcesUsage", "no", ""),
    ("AuthAltTypes", "(null)", ""),
    ("AuthAltParameters", "(null)", ""),
    ("AuthInfo", "(null)", ""),
    ("AuthType", "auth/munge", ""),
    ("BatchStartTimeout", "10", " sec"),
    ("BcastExclude", "/lib,/usr/lib,/lib64,/usr/lib64", ""),
    ("BcastParameters", "(null)", ""),
    ("BOOT_TIME", "", ""),
    ("BurstBufferType", "(null)", ""),
    ("CertgenParameters", "(null)", ""),
    ("CertgenType", "(null)", ""),
    ("CertmgrParameters", "(null)", ""),
    ("CertmgrType", "(null)", ""),
    ("CliFilterParameters", "(null)", ""),
    ("CliFilterPlugins", "(null)", ""),
    ("ClusterName", "", ""),
    ("CommunicationParameters", "(null)", ""),
    ("CompleteWait", "0", " sec"),
    ("CpuFreqDef", "Unknown", ""),
    ("CpuFreqGovernors", "OnDemand,Performance,UserSpace", ""),
    ("CredType", "cred/munge", ""),
    ("DataParserParameters", "(null)", ""),
    ("DebugFlags", "(null)", ""),
    ("DefMemPerCPU", "", ""),
    ("DependencyParameters", "(null)", ""),
    ("DisableRootJobs", "no", ""),
    ("EioTimeout", "60", ""),
    ("EnforcePartLimits", "NO", ""),
    ("EpilogMsgTime", "2000", " usec"),
    ("FairShareDampeningFactor", "1", ""),
    ("FederationParameters", "(null)", ""),
    ("FirstJobId", "1", ""),
    ("GresTypes", "(null)", ""),
    ("GpuFreqDef", "(null)", ""),
    ("GroupUpdateForce", "1", ""),
    ("GroupUpdateTime", "600", " sec"),
    ("HASH_VAL", "Match", ""),
    ("HashPlugin", "hash/k12", ""),
    ("HealthCheckInterval", "0", " sec"),
    ("HealthCheckNodeState", "ANY", ""),
    ("HealthCheckProgram", "(null)", ""),
    ("HealthCheckTimeout", "0", " sec"),
    ("HttpParserType", "(null)", ""),
    ("InactiveLimit", "0", " sec"),
    ("InteractiveStepOptions", "--interactive --preserve-env --pty $SHELL", ""),
    ("JobAcctGatherFrequency", "30", ""),
    ("JobAcctGatherType", "(null)", ""),
    ("JobAcctGatherParams", "(null)", ""),
    ("JobCompHost", "localhost", ""),
    ("JobCompLoc", "(null)", ""),
    ("JobCompParams", "(null)", ""),
    ("JobCompPass", "(null)", ""),
    ("JobCompPort", "0", ""),
    ("JobCompType", "(null)", ""),
    ("JobCompUser", "root", ""),
    ("JobDefaults", "(null)", ""),
    ("JobFileAppend", "0", ""),
    ("JobRequeue", "1", ""),
    ("JobSubmitPlugins", "(null)", ""),
    ("KillOnBadExit", "0", ""),
    ("KillWait", "30", " sec"),
    ("LaunchParameters", "(null)", ""),
    ("LicenseParameters", "(null)", ""),
    ("Licenses", "(null)", ""),
    ("LogTimeFormat", "iso8601_ms", ""),
    ("MailDomain", "(null)", ""),
    ("MailProg", "/bin/mail", ""),
    ("MaxArraySize", "1001", ""),
    ("MaxBatchRequeue", "5", ""),
    ("MaxDBDMsgs", "20048", ""),
    ("MaxJobCount", "10000", ""),
    ("MaxJobId", "67043328", ""),
    ("MaxMemPerNode", "UNLIMITED", ""),
    ("MaxNodeCount", "", ""),
    ("MaxStepCount", "40000", ""),
    ("MaxTasksPerNode", "512", ""),
    ("MCSPlugin", "(null)", ""),
    ("MCSParameters", "(null)", ""),
    ("MessageTimeout", "10", " sec"),
    ("MetricsAuthUsers", "(null)", ""),
    ("MetricsParameters", "(null)", ""),
    ("MetricsType", "(null)", ""),
    ("MinJobAge", "300", " sec"),
    ("MpiDefault", "(null)", ""),
    ("MpiParams", "(null)", ""),
    (config::MULTIPLE_SLURMD, "no", ""),
    ("NamespaceType", "(null)", ""),
    ("NEXT_JOB_ID", "", ""),
    ("NodeFeaturesPlugins", "(null)", ""),
    ("OverTimeLimit", "0", " min"),
    ("PluginDir", "/usr/lib/slurm", ""),
    ("PlugStackConfig", "(null)", ""),
    ("PreemptMode", "OFF", ""),
    ("PreemptParameters", "(null)", ""),
    ("PreemptType", "(null)", ""),
    ("PreemptExemptTime", "00:00:00", ""),
    ("PrEpParameters", "(null)", ""),
    ("PrEpPlugins", "prep/script", ""),
    ("PriorityParameters", "(null)", ""),
    ("PrioritySiteFactorParameters", "(null)", ""),
    ("PrioritySiteFactorPlugin", "(null)", ""),
    ("PriorityDecayHalfLife", "", ""),
    ("PriorityCalcPeriod", "", ""),
    ("PriorityFavorSmall", "no", ""),
    ("PriorityFlags", "", ""),
    ("PriorityMaxAge", "", ""),
    ("PriorityType", "priority/multifactor", ""),
    ("PriorityUsageResetPeriod", "NONE", ""),
    ("PriorityWeightAge", "0", ""),
    ("PriorityWeightAssoc", "0", ""),
    ("PriorityWeightFairShare", "0", ""),
    ("PriorityWeightJobSize", "0", ""),
    ("PriorityWeightPartition", "0", ""),
    ("PriorityWeightQOS", "0", ""),
    ("PriorityWeightTRES", "(null)", ""),
    ("PrivateData", "none", ""),
    ("ProctrackType", "proctrack/linuxproc", ""),
    ("PrologEpilogTimeout", "65534", ""),
    ("PrologFlags", "(null)", ""),
    ("PropagatePrioProcess", "0", ""),
    ("PropagateResourceLimits", "ALL", ""),
    ("PropagateResourceLimitsExcept", "(null)", ""),
    ("RebootProgram", "(null)", ""),
    ("ReconfigFlags", "(null)", ""),
    ("RequeueExit", "(null)", ""),
    ("RequeueExitHold", "(null)", ""),
    ("ResumeFailProgram", "(null)", ""),
    ("ResumeProgram", "(null)", ""),
    ("ResumeRate", "300", " nodes/min"),
    ("ResumeTimeout", "60", " sec"),
    ("ResvEpilog", "(null)", ""),
    ("ResvOverRun", "0", " min"),
    ("ResvProlog", "(null)", ""),
    ("ReturnToService", "0", ""),
    ("SchedulerParameters", "(null)", ""),
    ("SchedulerTimeSlice", "30", " sec"),
    ("SchedulerType", "sched/backfill", ""),
    ("ScronParameters", "(null)", ""),
    ("SelectType", "select/cons_tres", ""),
    ("SelectTypeParameters", "CR_CORE", ""),
    ("SlurmUser", "slurm(64030)", ""),
    ("SlurmctldAddr", "(null)", ""),
    ("SlurmctldDebug", "info", ""),
    ("SlurmctldHost[0]", "ctl", ""),
    ("SlurmctldHttpAuthParameters", "(null)", ""),
    ("SlurmctldLogFile", "/var/log/slurm/slurmctld.log", ""),
    ("SlurmctldPort", "6817", ""),
    ("SlurmctldSyslogDebug", "(null)", ""),
    ("SlurmctldPrimaryOffProg", "(null)", ""),
    ("SlurmctldPrimaryOnProg", "(null)", ""),
    ("SlurmctldTimeout", "120", " sec"),
    ("SlurmctldParameters", "(null)", ""),
    ("SlurmdDebug", "info", ""),
    ("SlurmdHttpAuthParameters", "(null)", ""),
    ("SlurmdLogFile", "/var/log/slurm/slurmd.%n.log", ""),
    ("SlurmdParameters", "(null)", ""),
    ("SlurmdPidFile", "/run/slurm/slurmd.%n.pid", ""),
    ("SlurmdPort", "6818", ""),
    ("SlurmdSpoolDir", "/var/spool/slurmd/%n", ""),
    ("SlurmdSyslogDebug", "(null)", ""),
    ("SlurmdTimeout", "300", " sec"),
    ("SlurmdUser", "root(0)", ""),
    ("SlurmSchedLogFile", "(null)", ""),
    ("SlurmSchedLogLevel", "0", ""),
    ("SlurmctldPidFile", "/run/slurm/slurmctld.pid", ""),
    ("SLURM_CONF", "", ""),
    ("SLURM_VERSION", "26.05.3", ""),
    ("SrunEpilog", "(null)", ""),
    ("SrunPortRange", "0-0", ""),
    ("SrunProlog", "(null)", ""),
    ("StateSaveLocation", "/var/spool/slurmctld", ""),
    ("SuspendExcNodes", "(null)", ""),
    ("SuspendExcParts", "(null)", ""),
    ("SuspendExcStates", "(null)", ""),
    ("SuspendProgram", "(null)", ""),
    ("SuspendRate", "60", " nodes/min"),
    ("SuspendTime", "INFINITE", ""),
    ("SuspendTimeout", "30", " sec"),
    ("SwitchParameters", "(null)", ""),
    ("SwitchType", "(null)", ""),
    ("TaskEpilog", "(null)", ""),
    ("TaskPlugin", "(null)", ""),
    ("TaskPluginParam", "(null type)", ""),
    ("TaskProlog", "(null)", ""),
    ("TCPTimeout", "2", " sec"),
    ("TLSParameters", "(null)", ""),
    ("TLSType", "tls/none", ""),
    ("TmpFS", "/tmp", ""),
    ("TopologyParam", "(null)", ""),
    ("TopologyPlugin", "topology/flat", ""),
    ("TrackWCKey", "no", ""),
    ("TreeWidth", "16", ""),
    ("UsePam", "no", ""),
    ("UnkillableStepProgram", "(null)", ""),
    ("UnkillableStepTimeout", "60", " sec"),
    ("UrlParserType", "(null)", ""),
    ("VSizeFactor", "0", " percent"),
    ("WaitTime", "0", " sec"),
    ("X11Parameters", "(null)", ""),
];

/// Parameters that only priority/multifactor has.
const MULTIFACTOR: &[&str] = &[
    "PriorityDecayHalfLife",
    "PriorityCalcPeriod",
    "PriorityFavorSmall",
    "PriorityFlags",
    "PriorityMaxAge",
    "PriorityUsageResetPeriod",
    "PriorityWeightAge",
    "PriorityWeightAssoc",
    "PriorityWeightFairShare",
    "PriorityWeightJobSize",
    "PriorityWeightPartition",
    "PriorityWeightQOS",
    "PriorityWeightTRES",
];

/// Prints the configuration.
pub fn print(cx: &mut Cx) {
    let state = cx.cluster.state();
    let mut out = format!("Configuration data as of {}\n", cx.now);
    let per_cpu = state.cluster.global.def_mem_per_cpu.is_some();
    let basic = value(state, "PriorityType", "", "") == "priority/basic";
    let one_machine = state.cluster.global.shares_a_machine();
    let shown = |name: &str| {
        (name != config::MULTIPLE_SLURMD || one_machine) && !(basic && MULTIFACTOR.contains(&name))
    };
    for (name, default, unit) in ROWS.iter().filter(|row| shown(row.0)) {
        // Only the effective value; by default the node's.
        let name = if *name == "DefMemPerCPU" && !per_cpu { "DefMemPerNode" } else { name };
        out += &format!("{name:<23} = {}\n", value(state, name, default, unit));
    }
    out.push('\n');
    cx.print(&out);
    cx.line(super::UP);
}

/// A parameter in the format of the listing; `None`: the line is omitted.
#[must_use]
pub fn of(state: &Slurmctld, name: &str) -> Option<String> {
    let (name, default, unit) = ROWS.iter().find(|row| row.0 == name)?;
    Some(value(state, name, default, unit))
}

fn value(state: &Slurmctld, name: &str, default: &str, unit: &str) -> String {
    let g = &state.cluster.global;
    let raw = g.raw.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str());
    match name {
        "BOOT_TIME" => state.boot.iso(),
        "ClusterName" => g.cluster_name.clone(),
        "SLURM_CONF" => state.cluster.conf_file.clone(),
        "NEXT_JOB_ID" => state.next_job.to_string(),
        "MaxNodeCount" => state.nodes.len().to_string(),
        "DefMemPerCPU" | "DefMemPerNode" => {
            let most = g.def_mem_per_cpu.or(g.def_mem_per_node);
            most.map_or_else(|| "UNLIMITED".to_owned(), |m| m.to_string())
        }
        "PriorityDecayHalfLife" => hms(g.priority.half_life.into()),
        "PriorityCalcPeriod" => hms(g.priority.calc_period.into()),
        "PriorityMaxAge" => hms(g.priority.max_age.into()),
        "SelectTypeParameters" => raw.unwrap_or(default).to_ascii_uppercase(),
        "PreemptMode" => preempt_mode(raw.unwrap_or(default)),
        "AccountingStorageTRES" => {
            let base = "cpu,mem,energy,node,billing,fs/disk,vmem,pages";
            g.tracked_gres.iter().fold(base.to_owned(), |text, gres| format!("{text},gres/{gres}"))
        }
        _ => match raw {
            Some(raw) if matches!(default, "yes" | "no") => yes_or_no(raw).to_owned(),
            // A plugin named `none` is shown as `(null)`.
            Some(raw) if default == "(null)" && raw.ends_with("/none") => default.to_owned(),
            Some(raw) if raw.bytes().all(|b| b.is_ascii_digit()) => format!("{raw}{unit}"),
            Some(raw) => raw.to_owned(),
            None => format!("{default}{unit}"),
        },
    }
}

/// A boolean as displayed, regardless of the word that set it.
fn yes_or_no(text: &str) -> &'static str {
    let words = ["1", "yes", "y", "true", "t", "up", "on"];
    if words.iter().any(|word| word.eq_ignore_ascii_case(text)) { "yes" } else { "no" }
}

/// A partition's `PreemptMode`: its own, else the cluster's.
#[must_use]
pub fn partition_preempt_mode(ctld: &Slurmctld, part: &PartConf) -> String {
    preempt_mode(part.preempt_mode.as_ref().unwrap_or(&ctld.cluster.global.preempt_mode))
}

/// A `PreemptMode` in Slurm's order: `GANG` comes first.
fn preempt_mode(text: &str) -> String {
    let text = text.to_ascii_uppercase();
    let gang = |word: &&str| *word == "GANG";
    let words = text.split(',');
    words.clone().filter(gang).chain(words.filter(|w| !gang(w))).collect::<Vec<_>>().join(",")
}
