//! Values that slurmctld refuses when it reads slurm.conf, for keys that the simulation itself does not use.
//!
//! Mirrors slurm.conf(5). A key that the simulation uses is checked where it is read.

use super::lines::{ConfigEntry, DiagnosticLog, LineOptions};
use super::nodes::Nodes;
use super::value::{big, number, period, words};
use base::diagnostic::Severity;
use base::hostlist;

/// The valid values of a key.
enum Domain {
    /// A number in this inclusive range, `INFINITE` or `UNLIMITED`.
    Number(u32, u32),
    /// Seconds.
    Seconds,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A list of these words. A value may follow a word after `=` or `:`.
    Words(&'static [&'static str]),
    /// A plugin of this type: its name, or a list of names.
    Plugin(&'static str, &'static [&'static str]),
    /// A port, or a range of ports: `60001-63000`.
    Ports,
    /// A list of `NAME=NUMBER` with these names. With `true`, a number alone is valid, too.
    Numbers(&'static [&'static str], bool),
}

use Domain::{Number, Numbers, Plugin, Ports, Seconds, Word, Words};

const MOST: u32 = u32::MAX;
const SWITCH: Domain = Word(&["YES", "NO", "TRUE", "FALSE", "UP", "DOWN", "1", "0"]);
/// How much a daemon logs.
const LEVEL: Domain = Word(&[
    "quiet", "fatal", "error", "info", "verbose", "debug", "debug2", "debug3", "debug4", "debug5", "0", "1",
    "2", "3", "4", "5", "6", "7", "8", "9",
]);
const LIMITS: Domain = Words(&[
    "ALL", "NONE", "AS", "CORE", "CPU", "DATA", "FSIZE", "MEMLOCK", "NOFILE", "NPROC", "RSS", "STACK",
]);

/// The keys, sorted by name.
const DOMAINS: &[(&str, Domain)] = &[
    ("AccountingStoragePort", Number(0, 65_535)),
    ("AccountingStorageType", Plugin("accounting_storage", &["ctld_relay", "none", "slurmdbd"])),
    (
        "AcctGatherEnergyType",
        Plugin(
            "acct_gather_energy",
            &["cray_aries", "gpu", "ibmaem", "ipmi", "none", "pm_counters", "rapl", "xcc"],
        ),
    ),
    ("AcctGatherFilesystemType", Plugin("acct_gather_filesystem", &["lustre", "none"])),
    ("AcctGatherInterconnectType", Plugin("acct_gather_interconnect", &["none", "ofed", "sysfs"])),
    ("AcctGatherNodeFreq", Number(0, 65_533)),
    ("AcctGatherProfileType", Plugin("acct_gather_profile", &["hdf5", "influxdb", "none"])),
    ("AuthAltTypes", Plugin("auth", &["jwt", "munge", "slurm"])),
    ("AuthType", Plugin("auth", &["munge", "none", "slurm"])),
    ("BatchStartTimeout", Number(0, MOST)),
    ("BurstBufferType", Plugin("burst_buffer", &["datawarp", "lua", "none"])),
    ("CertgenType", Plugin("certgen", &["script"])),
    ("CertmgrType", Plugin("certmgr", &["script"])),
    ("CliFilterPlugins", Plugin("cli_filter", &["lua", "none", "syslog", "user_defaults"])),
    ("CredType", Plugin("cred", &["munge", "none", "slurm"])),
    (
        "DebugFlags",
        Words(&[
            "Accrue",
            "Agent",
            "AuditRPCs",
            "AuditTLS",
            "Backfill",
            "BackfillMap",
            "BurstBuffer",
            "Cgroup",
            "ConMgr",
            "CPU_Bind",
            "CpuFrequency",
            "Data",
            "DBD_Agent",
            "Dependency",
            "Elasticsearch",
            "Energy",
            "ExtSensors",
            "Federation",
            "Filesystem",
            "FrontEnd",
            "Gang",
            "GLOB_SILENCE",
            "Gres",
            "Hetjob",
            "Interconnect",
            "JobAccountGather",
            "JobComp",
            "JobContainer",
            "License",
            "Metrics",
            "Namespace",
            "Network",
            "NetworkRaw",
            "NodeFeatures",
            "NO_CONF_HASH",
            "Power",
            "Priority",
            "Profile",
            "Protocol",
            "Reservation",
            "Route",
            "Script",
            "SelectType",
            "Steps",
            "Switch",
            "TimeCray",
            "TLS",
            "TraceJobs",
            "Triggers",
            "WorkQueue",
        ]),
    ),
    ("DefCpuPerGPU", Number(0, MOST)),
    ("DefMemPerGPU", Number(0, MOST)),
    ("DisableRootJobs", SWITCH),
    ("EioTimeout", Number(0, 65_533)),
    ("EpilogMsgTime", Number(0, MOST)),
    ("EpilogTimeout", Number(0, 65_533)),
    ("FederationParameters", Words(&["fed_display"])),
    ("GetEnvTimeout", Number(0, 65_533)),
    ("GroupUpdateForce", Number(0, 65_533)),
    ("GroupUpdateTime", Number(0, 65_533)),
    ("HashPlugin", Plugin("hash", &["k12", "sha3"])),
    ("HealthCheckInterval", Number(0, 65_533)),
    (
        "HealthCheckNodeState",
        Words(&["ALLOC", "ANY", "CYCLE", "IDLE", "MIXED", "NONDRAINED_IDLE", "START_ONLY"]),
    ),
    ("HealthCheckTimeout", Number(0, 65_533)),
    ("HttpParserType", Plugin("http_parser", &["libhttp_parser"])),
    ("JobAcctGatherFrequency", Numbers(&["task", "energy", "filesystem", "network"], true)),
    ("JobAcctGatherType", Plugin("jobacct_gather", &["cgroup", "linux", "none"])),
    ("JobCompPort", Number(0, 65_535)),
    (
        "JobCompType",
        Plugin(
            "jobcomp",
            &["elasticsearch", "filetxt", "kafka", "lua", "mysql", "none", "script", "slurmdbd"],
        ),
    ),
    ("JobContainerType", Plugin("job_container", &["cncu", "none", "tmpfs"])),
    ("JobDefaults", Numbers(&["DefCpuPerGPU", "DefMemPerGPU"], false)),
    ("JobFileAppend", Number(0, 1)),
    ("KillOnBadExit", Number(0, 1)),
    (
        "LogTimeFormat",
        Words(&[
            "iso8601",
            "iso8601_ms",
            "rfc5424",
            "rfc5424_ms",
            "rfc3339",
            "clock",
            "short",
            "thread_id",
            "format_stderr",
        ]),
    ),
    ("MaxDBDMsgs", Number(0, MOST)),
    ("MaxJobCount", Number(1, MOST)),
    ("MaxJobId", Number(1, 0x03ff_ffff)),
    ("MaxNodeCount", Number(1, MOST)),
    ("MaxStepCount", Number(1, MOST)),
    ("MaxTasksPerNode", Number(1, 65_533)),
    ("MessageTimeout", Number(1, 65_533)),
    ("MetricsType", Plugin("metrics", &["none", "openmetrics"])),
    (
        "MpiDefault",
        Plugin(
            "mpi",
            &["cray_shasta", "none", "openmpi", "pmi2", "pmix", "pmix_v2", "pmix_v3", "pmix_v4", "pmix_v5"],
        ),
    ),
    ("NamespaceType", Plugin("namespace", &["linux", "none", "tmpfs"])),
    ("NodeFeaturesPlugins", Plugin("node_features", &["helpers", "knl_cray", "knl_generic"])),
    ("PrEpPlugins", Plugin("prep", &["lua", "script"])),
    (
        "PrivateData",
        Words(&[
            "accounts",
            "events",
            "jobs",
            "nodes",
            "partitions",
            "reservations",
            "usage",
            "users",
            "all",
            "none",
            "cloud",
        ]),
    ),
    ("ProctrackType", Plugin("proctrack", &["cgroup", "linuxproc", "pgid"])),
    ("PrologEpilogTimeout", Number(0, 65_533)),
    ("PrologTimeout", Number(0, 65_533)),
    ("PropagatePrioProcess", Number(0, 2)),
    ("PropagateResourceLimits", LIMITS),
    ("PropagateResourceLimitsExcept", LIMITS),
    (
        "ReconfigFlags",
        Words(&["KeepNodeStateFuture", "KeepPartInfo", "KeepPartState", "KeepPowerSaveSettings"]),
    ),
    ("SlurmSchedLogLevel", Number(0, 1)),
    ("SlurmctldDebug", LEVEL),
    ("SlurmctldPort", Ports),
    ("SlurmctldSyslogDebug", LEVEL),
    ("SlurmctldTimeout", Number(0, 65_533)),
    ("SlurmdDebug", LEVEL),
    ("SlurmdPort", Number(0, 65_535)),
    ("SlurmdSyslogDebug", LEVEL),
    ("SrunPortRange", Ports),
    (
        "SuspendExcStates",
        Words(&[
            "CLOUD",
            "DOWN",
            "DRAIN",
            "DYNAMIC_FUTURE",
            "DYNAMIC_NORM",
            "FAIL",
            "INVALID_REG",
            "MAINTENANCE",
            "NOT_RESPONDING",
            "PERFCTRS",
            "PLANNED",
            "RESERVED",
        ]),
    ),
    ("SwitchType", Plugin("switch", &["hpe_slingshot", "none", "nvidia_imex"])),
    ("TCPTimeout", Number(0, 65_533)),
    ("TLSType", Plugin("tls", &["none", "s2n"])),
    ("TaskPlugin", Plugin("task", &["affinity", "cgroup", "none"])),
    (
        "TaskPluginParam",
        Words(&[
            "None",
            "Boards",
            "Sockets",
            "Cores",
            "Threads",
            "Verbose",
            "SlurmdOffSpec",
            "OOMKillStep",
            "Autobind",
            "Sched",
        ]),
    ),
    ("TopologyPlugin", Plugin("topology", &["3d_torus", "block", "default", "flat", "none", "tree"])),
    ("TreeWidth", Number(1, 65_533)),
    ("UnkillableStepTimeout", Seconds),
    ("UrlParserType", Plugin("url_parser", &["libhttp_parser"])),
    ("UsePAM", SWITCH),
    ("VSizeFactor", Number(0, 65_533)),
    ("WaitTime", Number(0, 65_533)),
    ("X11Parameters", Words(&["home_xauthority"])),
];

/// The modes of preemption.
const PREEMPT_MODES: &[&str] = &["OFF", "CANCEL", "GANG", "PRIORITY", "REQUEUE", "SUSPEND", "WITHIN"];

/// The keys of partitions that have no type of their own.
const OF_PARTITIONS: &[(&str, Domain)] = &[
    ("DefCpuPerGPU", Number(0, MOST)),
    ("DefMemPerGPU", Number(0, MOST)),
    ("JobDefaults", Numbers(&["DefCpuPerGPU", "DefMemPerGPU"], false)),
    ("PreemptMode", Words(PREEMPT_MODES)),
];

/// The keys of gres.conf that have no effect here.
const OF_GRES: &[(&str, Domain)] = &[(
    "Flags",
    Words(&[
        "CountOnly",
        "explicit",
        "one_sharing",
        "all_sharing",
        "amd_gpu_env",
        "intel_gpu_env",
        "nvidia_gpu_env",
        "opencl_env",
        "no_gpu_env",
    ]),
)];

/// Reports values of a line of gres.conf that slurmd refuses.
pub(super) fn report_gres(o: &LineOptions<'_>, report: &mut DiagnosticLog) {
    check(o, OF_GRES, report);
}

/// Reports values of a `PartitionName` line that slurmctld refuses.
pub(super) fn report_partition(o: &LineOptions<'_>, report: &mut DiagnosticLog) {
    check(o, OF_PARTITIONS, report);
}

/// Reports values that slurmctld refuses.
pub(super) fn report(o: &LineOptions<'_>, report: &mut DiagnosticLog) {
    check(o, DOMAINS, report);
    if let Some(entry) = o.entry("PreemptMode") {
        let bad = |word: &&String| !PREEMPT_MODES.iter().any(|known| known.eq_ignore_ascii_case(word));
        if let Some(word) = words(&entry.value).iter().find(bad) {
            let message = format!("Invalid PreemptMode: {word}; no job is preempted");
            report.add(Severity::Error, entry.file, entry.line, message);
        }
    }
}

fn check(o: &LineOptions<'_>, domains: &[(&str, Domain)], report: &mut DiagnosticLog) {
    for (key, domain) in domains {
        let Some(entry) = o.entry(key).filter(|entry| !entry.value.is_empty()) else { continue };
        if let Some(why) = refused(&entry.value, domain) {
            let message = format!("Invalid value \"{}\" for {}: {why}", entry.value, entry.key);
            report.add(Severity::Error, entry.file, entry.line, message);
        }
    }
}

/// Reports nonexistent nodes and partitions in the lists for power saving.
pub(super) fn report_names(
    o: &LineOptions<'_>,
    nodes: &Nodes<'_>,
    partitions: &[String],
    report: &mut DiagnosticLog,
) {
    if let Some(entry) = o.entry("SuspendExcNodes") {
        for (list, _) in super::power::outside_brackets(&entry.value) {
            match hostlist::expand(&list) {
                Ok(names) => {
                    let unknown = names.iter().filter(|name| !nodes.index.contains_key(*name));
                    unknown.take(10).for_each(|name| unknown_name(entry, "node", name, report));
                }
                Err(why) => {
                    let message = format!("Invalid value \"{}\" for {}: {why}", entry.value, entry.key);
                    report.add(Severity::Error, entry.file, entry.line, message);
                }
            }
        }
    }
    if let Some(entry) = o.entry("SuspendExcParts") {
        let names = words(&entry.value);
        let unknown = names.iter().filter(|name| !partitions.contains(name));
        unknown.take(10).for_each(|name| unknown_name(entry, "partition", name, report));
    }
}

fn unknown_name(entry: &ConfigEntry<'_>, what: &str, name: &str, report: &mut DiagnosticLog) {
    let message = format!("Invalid {what} {name} in {}", entry.key);
    report.add(Severity::Error, entry.file, entry.line, message);
}

/// Why a value is refused.
fn refused(text: &str, domain: &Domain) -> Option<String> {
    let has = |known: &[&str], word: &str| known.iter().any(|known| known.eq_ignore_ascii_case(word));
    match domain {
        Number(least, most) => match number(text) {
            None => Some("not a number".to_owned()),
            Some(n) if n < *least || n > *most && n != u32::MAX => {
                let most = if *most == MOST { "up".to_owned() } else { format!("to {most}") };
                Some(format!("a number from {least} {most}"))
            }
            Some(_) => None,
        },
        Ports => {
            let (low, high) = text.split_once('-').unwrap_or((text, text));
            let range = (low.parse::<u16>().ok(), high.parse::<u16>().ok());
            let ordered = matches!(range, (Some(low), Some(high)) if low <= high);
            (!ordered).then(|| "not a port, nor a range of ports".to_owned())
        }
        Numbers(known, alone) => {
            let words = words(text);
            let valid = |word: &&String| match word.split_once('=') {
                Some((name, value)) => has(known, name) && big(value).is_some(),
                None => *alone && big(word).is_some(),
            };
            let bad = words.iter().find(|word| !valid(word))?;
            Some(format!("{bad} is no NAME=NUMBER with a name of {}", known.join(", ")))
        }
        Seconds => period(text).is_none().then(|| "not a time".to_owned()),
        Word(known) => {
            (!known.is_empty() && !has(known, text)).then(|| format!("one of {}", known.join(", ")))
        }
        Words(known) => {
            let words = words(text);
            let bad = words.iter().find(|word| !has(known, word.split(['=', ':']).next().unwrap_or(word)))?;
            Some(format!("{bad} is none of {}", known.join(", ")))
        }
        Plugin(kind, known) => {
            let words = words(text);
            let bare = |word: &String| {
                let lower = word.to_ascii_lowercase();
                lower.strip_prefix(kind).and_then(|rest| rest.strip_prefix('/')).unwrap_or(&lower).to_owned()
            };
            let bad = words.iter().find(|word| !has(known, &bare(word)))?;
            Some(format!("cannot find {kind} plugin for {bad}"))
        }
    }
}
