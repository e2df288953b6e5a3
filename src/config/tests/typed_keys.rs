//! The types of the keys: a value of another type is a finding with its line.

use super::super::{Cluster, keys};
use super::{BASE, found, read, site};

/// Keys whose values are texts: names, paths, addresses, passwords, parameters of plugins.
const FREE: &[&str] = &[
    "AccountingStorageBackupHost",
    "AccountingStorageExternalHost",
    "AccountingStorageHost",
    "AccountingStorageParameters",
    "AccountingStoragePass",
    "AccountingStorageTRES",
    "AccountingStorageUser",
    "AllocNodes",
    "AllowAccounts",
    "AllowGroups",
    "AllowQos",
    "AuthAltParameters",
    "AuthInfo",
    "BcastAddr",
    "BcastExclude",
    "BcastParameters",
    "CertgenParameters",
    "CertmgrParameters",
    "CliFilterParameters",
    "ClusterName",
    "CommunicationParameters",
    "CpuFreqDef",
    "CpuFreqGovernors",
    "DataParserParameters",
    "DenyAccounts",
    "DenyQos",
    "Epilog",
    "EpilogSlurmctld",
    "Feature",
    "Features",
    "File",
    "GpuFreqDef",
    "GresTypes",
    "HealthCheckProgram",
    "InteractiveStepOptions",
    "JobCompHost",
    "JobCompLoc",
    "JobCompParams",
    "JobCompPass",
    "JobCompPassScript",
    "JobCompUser",
    "LicenseParameters",
    "Licenses",
    "MCSParameters",
    "MailDomain",
    "MailProg",
    "MetricsAuthUsers",
    "MetricsParameters",
    "MpiParams",
    "MultipleFiles",
    "Name",
    "NodeAddr",
    "NodeHostname",
    "NodeName",
    "PlugStackConfig",
    "PluginDir",
    "PrEpParameters",
    "PriorityParameters",
    "PrioritySiteFactorParameters",
    "PrioritySiteFactorPlugin",
    "Prolog",
    "PrologSlurmctld",
    "QOS",
    "Reason",
    "RebootProgram",
    "ResumeFailProgram",
    "ResumeProgram",
    "ResvEpilog",
    "ResvProlog",
    "ScronParameters",
    "SlurmSchedLogFile",
    "SlurmUser",
    "SlurmctldAddr",
    "SlurmctldHost",
    "SlurmctldHttpAuthParameters",
    "SlurmctldLogFile",
    "SlurmctldPidFile",
    "SlurmctldPrimaryOffProg",
    "SlurmctldPrimaryOnProg",
    "SlurmdHttpAuthParameters",
    "SlurmdLogFile",
    "SlurmdParameters",
    "SlurmdPidFile",
    "SlurmdSpoolDir",
    "SlurmdUser",
    "SrunEpilog",
    "SrunProlog",
    "StateSaveLocation",
    "SuspendProgram",
    "SwitchParameters",
    "TLSParameters",
    "TaskEpilog",
    "TaskProlog",
    "TmpFS",
    "TopologyParam",
    "Type",
    "UnkillableStepProgram",
    // A plugin of the site's own: told in a note.
    "JobSubmitPlugins",
];

/// Each typed key of the files is checked: a value of another type is a finding at its line.
#[test]
fn each_key_refuses_values_of_another_type() {
    let mut silent = Vec::new();
    for table in keys::KNOWN_KEYS {
        let lines: Vec<(&str, String)> = match (table.of, table.used) {
            (_, keys::KeyUse::Defunct) | ("topology.conf", _) => continue,
            // On these lines, keys without an effect are told in a note, whatever they say.
            (of, keys::KeyUse::Ignored) if of != "slurm.conf" => continue,
            ("slurm.conf", _) => table.keys.iter().map(|key| (*key, format!("{key}=@?"))).collect(),
            ("gres.conf", _) => table.keys.iter().map(|key| (*key, format!("Name=gpu {key}=@?"))).collect(),
            ("NodeName lines", _) => {
                table.keys.iter().map(|key| (*key, format!("NodeName=x[1-2] {key}=@?"))).collect()
            }
            _ => table.keys.iter().map(|key| (*key, format!("PartitionName=x Nodes=cn1 {key}=@?"))).collect(),
        };
        for (key, line) in lines {
            let (text, of) = if table.of == "gres.conf" {
                (BASE.to_owned(), "gres.conf:1: ")
            } else {
                (format!("{BASE}{line}\n"), "slurm.conf:4: ")
            };
            let gres = format!("{line}\n");
            let files: &[(&str, &str)] = if table.of == "gres.conf" { &[("gres.conf", &gres)] } else { &[] };
            let all = found(&Cluster::parse(&site(&text, files)));
            let told = all
                .iter()
                .any(|f| f.starts_with(of) && !f.contains("no effect") && !f.contains("more than once"));
            if told == FREE.contains(&key) {
                silent.push(format!("{line}: {all:?}"));
            }
        }
    }
    assert_eq!(silent, Vec::<String>::new());
}

#[test]
fn valid_values_of_typed_keys() {
    for line in [
        "SlurmctldPort=6817-6820",
        "SrunPortRange=60001-63000",
        "SlurmctldDebug=debug2",
        "SlurmdDebug=3",
        "DebugFlags=backfill,NO_CONF_HASH",
        "JobAcctGatherFrequency=30",
        "JobAcctGatherFrequency=task=10,energy=1",
        "JobDefaults=DefCpuPerGPU=2,DefMemPerGPU=1000",
        "PropagateResourceLimitsExcept=MEMLOCK,NOFILE",
        "TaskPluginParam=autobind=threads",
        "SuspendExcStates=CLOUD,DOWN",
        "UsePAM=0",
        "PartitionName=x Nodes=cn1 PreemptMode=GANG,SUSPEND DefCpuPerGPU=4",
    ] {
        assert_eq!(found(&read(&format!("{BASE}{line}\n"))), Vec::<String>::new(), "{line}");
    }
    for (line, told) in [
        ("SrunPortRange=63000-60001", "not a port"),
        ("SlurmctldPort=99999", "not a port"),
        ("JobAcctGatherFrequency=tusk=3", "tusk=3 is no NAME=NUMBER"),
        ("PartitionName=x Nodes=cn1 PreemptMode=CANCL", "CANCL is none of OFF"),
    ] {
        let all = found(&read(&format!("{BASE}{line}\n")));
        assert!(
            all.iter().any(|f| f.starts_with("slurm.conf:4: error: ") && f.contains(told)),
            "{line}: {all:?}"
        );
    }
}
