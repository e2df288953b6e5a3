//! Values that slurmctld refuses when it reads slurm.conf, for keys that the simulation itself does not use.
//!
//! Mirrors slurm.conf(5). A key that the simulation uses is checked where it is read.

use super::lines::{ConfigEntry, DiagnosticLog, LineOptions};
use super::nodes::Nodes;
use super::value::{number, period, words};
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
}

use Domain::{Number, Plugin, Seconds, Word, Words};

const MOST: u32 = u32::MAX;

/// The keys, sorted by name.
const DOMAINS: &[(&str, Domain)] = &[
    ("AccountingStorageType", Plugin("accounting_storage", &["ctld_relay", "none", "slurmdbd"])),
    ("AuthAltTypes", Plugin("auth", &["jwt", "munge", "slurm"])),
    ("AuthType", Plugin("auth", &["munge", "none", "slurm"])),
    ("BatchStartTimeout", Number(0, MOST)),
    ("CredType", Plugin("cred", &["munge", "none", "slurm"])),
    ("DisableRootJobs", Word(&["YES", "NO", "TRUE", "FALSE", "UP", "DOWN", "1", "0"])),
    ("EioTimeout", Number(0, 65_533)),
    ("EpilogMsgTime", Number(0, MOST)),
    ("GetEnvTimeout", Number(0, 65_533)),
    ("GroupUpdateForce", Number(0, 65_533)),
    ("GroupUpdateTime", Number(0, 65_533)),
    ("HashPlugin", Plugin("hash", &["k12", "sha3"])),
    ("HealthCheckInterval", Number(0, 65_533)),
    ("JobAcctGatherType", Plugin("jobacct_gather", &["cgroup", "linux", "none"])),
    (
        "JobCompType",
        Plugin(
            "jobcomp",
            &["elasticsearch", "filetxt", "kafka", "lua", "mysql", "none", "script", "slurmdbd"],
        ),
    ),
    ("JobFileAppend", Number(0, 1)),
    ("MaxDBDMsgs", Number(0, MOST)),
    ("MaxJobCount", Number(1, MOST)),
    ("MaxJobId", Number(1, 0x03ff_ffff)),
    ("MaxStepCount", Number(1, MOST)),
    ("MaxTasksPerNode", Number(1, 65_533)),
    ("MessageTimeout", Number(1, 65_533)),
    (
        "MpiDefault",
        Plugin(
            "mpi",
            &["cray_shasta", "none", "openmpi", "pmi2", "pmix", "pmix_v2", "pmix_v3", "pmix_v4", "pmix_v5"],
        ),
    ),
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
    ("PropagatePrioProcess", Number(0, 2)),
    (
        "ReconfigFlags",
        Words(&["KeepNodeStateFuture", "KeepPartInfo", "KeepPartState", "KeepPowerSaveSettings"]),
    ),
    ("SlurmctldTimeout", Number(0, 65_533)),
    ("SwitchType", Plugin("switch", &["hpe_slingshot", "none", "nvidia_imex"])),
    ("TCPTimeout", Number(0, 65_533)),
    ("TaskPlugin", Plugin("task", &["affinity", "cgroup", "none"])),
    ("TreeWidth", Number(1, 65_533)),
    ("UnkillableStepTimeout", Seconds),
    ("VSizeFactor", Number(0, 65_533)),
    ("WaitTime", Number(0, 65_533)),
];

/// Reports values that slurmctld refuses.
pub(super) fn report(o: &LineOptions<'_>, report: &mut DiagnosticLog) {
    for (key, domain) in DOMAINS {
        let Some(entry) = o.entry(key).filter(|entry| !entry.value.is_empty()) else { continue };
        if let Some(why) = refused(&entry.value, domain) {
            let message = format!("Invalid value \"{}\" for {}: {why}", entry.value, entry.key);
            report.add(Severity::Error, entry.file, entry.line, message);
        }
    }
    if let Some(entry) = o.entry("PreemptMode") {
        let bad = |word: &&String| {
            let known = ["OFF", "CANCEL", "GANG", "PRIORITY", "REQUEUE", "SUSPEND", "WITHIN"];
            !known.iter().any(|known| known.eq_ignore_ascii_case(word))
        };
        if let Some(word) = words(&entry.value).iter().find(bad) {
            let message = format!("Invalid PreemptMode: {word}; no job is preempted");
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
