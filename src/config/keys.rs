//! The keys of slurm.conf(5) in canonical case, and how the simulation treats each.

/// How the simulation treats a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyUse {
    /// Used, or without an effect that a simulation could show (paths, ports, debug levels).
    Taken,
    /// Has an effect in Slurm but not in the simulation.
    Ignored,
    /// Defunct: Slurm 26.05 warns and continues.
    Defunct,
}

/// The canonical spelling and treatment of a global key.
pub(super) fn global(key: &str) -> Option<(&'static str, KeyUse)> {
    let find =
        |table: &'static [&'static str]| table.iter().copied().find(|known| known.eq_ignore_ascii_case(key));
    let taken = || find(TAKEN).map(|k| (k, KeyUse::Taken));
    let ignored = || find(IGNORED).map(|k| (k, KeyUse::Ignored));
    let defunct = || find(DEFUNCT).map(|k| (k, KeyUse::Defunct));
    taken().or_else(ignored).or_else(defunct)
}

/// Keys of a file or of a kind of line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownKeys {
    /// Where they occur.
    pub of: &'static str,
    /// How the simulation treats them.
    pub used: KeyUse,
    /// The keys, sorted by name.
    pub keys: &'static [&'static str],
}

/// All keys that the reader knows.
pub const KNOWN_KEYS: &[KnownKeys] = &[
    known("slurm.conf", KeyUse::Taken, TAKEN),
    known("slurm.conf", KeyUse::Ignored, IGNORED),
    known("slurm.conf", KeyUse::Defunct, DEFUNCT),
    known("NodeName lines", KeyUse::Taken, NODE),
    known("NodeName lines", KeyUse::Ignored, NODE_IGNORED),
    known("PartitionName lines", KeyUse::Taken, PARTITION),
    known("PartitionName lines", KeyUse::Ignored, PARTITION_IGNORED),
    known("gres.conf", KeyUse::Taken, GRES),
    known("gres.conf", KeyUse::Ignored, GRES_IGNORED),
    known("topology.conf", KeyUse::Taken, TOPOLOGY),
];

const fn known(of: &'static str, used: KeyUse, keys: &'static [&'static str]) -> KnownKeys {
    KnownKeys { of, used, keys }
}

/// The treatment of a key of a `NodeName` line.
pub(super) fn node(key: &str) -> Option<KeyUse> {
    local(key, NODE, NODE_IGNORED)
}

/// The treatment of a key of a `PartitionName` line.
pub(super) fn partition(key: &str) -> Option<KeyUse> {
    local(key, PARTITION, PARTITION_IGNORED)
}

/// The treatment of a key in gres.conf.
pub(super) fn gres(key: &str) -> Option<KeyUse> {
    local(key, GRES, GRES_IGNORED)
}

fn local(key: &str, taken: &[&str], ignored: &[&str]) -> Option<KeyUse> {
    let has = |table: &[&str]| table.iter().any(|known| known.eq_ignore_ascii_case(key));
    if has(taken) {
        Some(KeyUse::Taken)
    } else if has(ignored) {
        Some(KeyUse::Ignored)
    } else {
        None
    }
}

/// Keys that start an entity line instead of a global setting.
pub(super) const LINE_KEYS: &[&str] = &["NodeName", "PartitionName", "DownNodes", "NodeSet", "FrontendName"];

/// Keys that may occur more than once.
pub(super) const REPEATED: &[&str] = &["SlurmctldHost", "SchedulerParameters"];

/// The global key closest to a misspelt one.
pub(super) fn like_global(key: &str) -> Option<&'static str> {
    like(TAKEN.iter().chain(IGNORED).copied(), key)
}

/// The known word closest to a misspelt one.
pub(super) fn like<'t>(known: impl Iterator<Item = &'t str>, word: &str) -> Option<&'t str> {
    let distances = known.map(|k| (distance(&k.to_ascii_lowercase(), &word.to_ascii_lowercase()), k));
    distances.min_by_key(|d| d.0).filter(|(d, _)| *d <= 2).map(|(_, known)| known)
}

/// The keys of a line type, as [`super::nodes::checked`] names it.
pub(super) fn words_of(line: &str) -> impl Iterator<Item = &'static str> {
    let words = match line {
        "NodeName" => NODE,
        "PartitionName" => PARTITION,
        "gres.conf" => GRES,
        _ => TOPOLOGY,
    };
    words.iter().copied()
}

/// The edit distance between two words.
fn distance(a: &str, b: &str) -> usize {
    if a.len().abs_diff(b.len()) > 2 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, y) in row.iter_mut().skip(1).zip(b.bytes()) {
            let value = (diagonal + usize::from(x != y)).min(left + 1).min(*cell + 1);
            diagonal = *cell;
            left = value;
            *cell = value;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(usize::MAX)
}

const TAKEN: &[&str] = &[
    "AccountingStorageBackupHost",
    "AccountingStorageEnforce",
    "AccountingStorageExternalHost",
    "AccountingStorageHost",
    "AccountingStorageParameters",
    "AccountingStoragePass",
    "AccountingStoragePort",
    "AccountingStorageTRES",
    "AccountingStorageType",
    "AccountingStorageUser",
    "AccountingStoreFlags",
    "AllowSpecResourcesUsage",
    "AuthAltParameters",
    "AuthAltTypes",
    "AuthInfo",
    "AuthType",
    "BatchStartTimeout",
    "BcastExclude",
    "BcastParameters",
    "CertgenParameters",
    "CertgenType",
    "CertmgrParameters",
    "CertmgrType",
    "ClusterName",
    "CommunicationParameters",
    "CompleteWait",
    "CredType",
    "DataParserParameters",
    "DebugFlags",
    "DefCpuPerGPU",
    "DefMemPerCPU",
    "DefMemPerGPU",
    "DefMemPerNode",
    "DependencyParameters",
    "DisableRootJobs",
    "EioTimeout",
    "EnforcePartLimits",
    "Epilog",
    "EpilogMsgTime",
    "EpilogSlurmctld",
    "FairShareDampeningFactor",
    "FederationParameters",
    "FirstJobId",
    "GetEnvTimeout",
    "GresTypes",
    "GroupUpdateForce",
    "GroupUpdateTime",
    "HashPlugin",
    "HttpParserType",
    "InactiveLimit",
    "InteractiveStepOptions",
    "JobAcctGatherFrequency",
    "JobAcctGatherParams",
    "JobAcctGatherType",
    "JobCompHost",
    "JobCompLoc",
    "JobCompParams",
    "JobCompPass",
    "JobCompPassScript",
    "JobCompPort",
    "JobCompType",
    "JobCompUser",
    "JobDefaults",
    "JobFileAppend",
    "JobRequeue",
    "JobSubmitPlugins",
    "KillWait",
    "LaunchParameters",
    "Licenses",
    "LogTimeFormat",
    "MailDomain",
    "MailProg",
    "MaxArraySize",
    "MaxBatchRequeue",
    "MaxDBDMsgs",
    "MaxJobCount",
    "MaxJobId",
    "MaxMemPerCPU",
    "MaxMemPerNode",
    "MaxNodeCount",
    "MaxStepCount",
    "MaxTasksPerNode",
    "MCSParameters",
    "MCSPlugin",
    "MessageTimeout",
    "MetricsAuthUsers",
    "MetricsParameters",
    "MetricsType",
    "MinJobAge",
    "MpiDefault",
    "MpiParams",
    "OverTimeLimit",
    "PluginDir",
    "PlugStackConfig",
    "PreemptExemptTime",
    "PreemptMode",
    "PreemptParameters",
    "PreemptType",
    "PrEpParameters",
    "PrEpPlugins",
    "PriorityCalcPeriod",
    "PriorityDecayHalfLife",
    "PriorityFavorSmall",
    "PriorityFlags",
    "PriorityMaxAge",
    "PriorityParameters",
    "PriorityType",
    "PriorityUsageResetPeriod",
    "PriorityWeightAge",
    "PriorityWeightAssoc",
    "PriorityWeightFairshare",
    "PriorityWeightJobSize",
    "PriorityWeightPartition",
    "PriorityWeightQOS",
    "PriorityWeightTRES",
    "PrivateData",
    "ProctrackType",
    "Prolog",
    "PrologEpilogTimeout",
    "PrologFlags",
    "PrologSlurmctld",
    "PropagatePrioProcess",
    "PropagateResourceLimits",
    "PropagateResourceLimitsExcept",
    "ReconfigFlags",
    "RequeueExit",
    "RequeueExitHold",
    "ResumeFailProgram",
    "ResumeProgram",
    "ResumeRate",
    "ResumeTimeout",
    "ResvOverRun",
    "ReturnToService",
    "SchedulerParameters",
    "SchedulerTimeSlice",
    "SchedulerType",
    "ScronParameters",
    "SelectType",
    "SelectTypeParameters",
    "SlurmctldAddr",
    "SlurmctldDebug",
    "SlurmctldHost",
    "SlurmctldHttpAuthParameters",
    "SlurmctldLogFile",
    "SlurmctldParameters",
    "SlurmctldPidFile",
    "SlurmctldPort",
    "SlurmctldPrimaryOffProg",
    "SlurmctldPrimaryOnProg",
    "SlurmctldSyslogDebug",
    "SlurmctldTimeout",
    "SlurmdDebug",
    "SlurmdHttpAuthParameters",
    "SlurmdLogFile",
    "SlurmdParameters",
    "SlurmdPidFile",
    "SlurmdPort",
    "SlurmdSpoolDir",
    "SlurmdSyslogDebug",
    "SlurmdTimeout",
    "SlurmdUser",
    "SlurmSchedLogFile",
    "SlurmSchedLogLevel",
    "SlurmUser",
    "SrunPortRange",
    "StateSaveLocation",
    "SuspendExcNodes",
    "SuspendExcParts",
    "SuspendExcStates",
    "SuspendProgram",
    "SuspendRate",
    "SuspendTime",
    "SuspendTimeout",
    "SwitchParameters",
    "SwitchType",
    "TaskEpilog",
    "TaskPlugin",
    "TaskPluginParam",
    "TaskProlog",
    "TCPTimeout",
    "TLSParameters",
    "TLSType",
    "TmpFS",
    "TopologyPlugin",
    "TrackWCKey",
    "TreeWidth",
    "UnkillableStepProgram",
    "UnkillableStepTimeout",
    "UrlParserType",
    "UsePAM",
    "VSizeFactor",
    "WaitTime",
    "X11Parameters",
];

const IGNORED: &[&str] = &[
    "AcctGatherEnergyType",
    "AcctGatherFilesystemType",
    "AcctGatherInterconnectType",
    "AcctGatherNodeFreq",
    "AcctGatherProfileType",
    "BurstBufferType",
    "CliFilterParameters",
    "CliFilterPlugins",
    "CpuFreqDef",
    "CpuFreqGovernors",
    "EpilogTimeout",
    "GpuFreqDef",
    "HealthCheckInterval",
    "HealthCheckNodeState",
    "HealthCheckProgram",
    "HealthCheckTimeout",
    "JobContainerType",
    "KillOnBadExit",
    "LicenseParameters",
    "NamespaceType",
    "NodeFeaturesPlugins",
    "PrioritySiteFactorParameters",
    "PrioritySiteFactorPlugin",
    "PrologTimeout",
    "RebootProgram",
    "ResvEpilog",
    "ResvProlog",
    "SrunEpilog",
    "SrunProlog",
    "TopologyParam",
];

const DEFUNCT: &[&str] = &[
    "AccountingStorageLoc",
    "AccountingStoreJobComment",
    "AcctGatherInfinibandType",
    "AuthServiceType",
    "BackupAddr",
    "BackupController",
    "CacheGroups",
    "CheckpointType",
    "ControlAddr",
    "ControlMachine",
    "CoreSpecPlugin",
    "CryptoType",
    "DefaultStorageHost",
    "DefaultStorageLoc",
    "DefaultStoragePass",
    "DefaultStoragePort",
    "DefaultStorageType",
    "DefaultStorageUser",
    "ExtSensorsFreq",
    "ExtSensorsType",
    "FastSchedule",
    "JobAcctFrequency",
    "JobAcctLogFile",
    "JobAcctType",
    "JobCheckpointDir",
    "JobCredentialPrivateKey",
    "JobCredentialPublicCertificate",
    "KeepAliveTime",
    "LaunchType",
    "LayoutsConfig",
    "MemLimitEnforce",
    "PowerParameters",
    "PowerPlugin",
    "RoutePlugin",
    "SallocDefaultCommand",
    "SchedulerAuth",
    "SchedulerPort",
    "SchedulerRootFilter",
];

const NODE: &[&str] = &[
    "BcastAddr",
    "Boards",
    "CoreSpecCount",
    "CoresPerSocket",
    "CPUs",
    "Feature",
    "Features",
    "Gres",
    "MemSpecLimit",
    "NodeAddr",
    "NodeHostname",
    "Port",
    "Procs",
    "RealMemory",
    "Reason",
    "Sockets",
    "SocketsPerBoard",
    "State",
    "ThreadsPerCore",
    "TmpDisk",
    "Weight",
];

const NODE_IGNORED: &[&str] =
    &["Alternate", "CertToken", "CpuBind", "CpuSpecList", "Parameters", "RestrictedCoresPerGPU", "Topology"];

const PARTITION: &[&str] = &[
    "SuspendTimeout",
    "SuspendTime",
    "ResumeTimeout",
    "PowerDownOnIdle",
    "AllocNodes",
    "AllowAccounts",
    "AllowGroups",
    "AllowQos",
    "Default",
    "DefaultTime",
    "DefMemPerCPU",
    "DefMemPerNode",
    "DenyAccounts",
    "DenyQos",
    "DisableRootJobs",
    "Exclusive",
    "ExclusiveTopo",
    "ExclusiveUser",
    "GraceTime",
    "Hidden",
    "JobDefaults",
    "DefCpuPerGPU",
    "DefMemPerGPU",
    "LLN",
    "MaxCPUsPerNode",
    "MaxCPUsPerSocket",
    "MaxMemPerCPU",
    "MaxMemPerNode",
    "MaxNodes",
    "MaxTime",
    "MinNodes",
    "Nodes",
    "OverSubscribe",
    "OverTimeLimit",
    "PreemptMode",
    "Priority",
    "PriorityJobFactor",
    "PriorityTier",
    "QOS",
    "ReqResv",
    "RootOnly",
    "Shared",
    "State",
    "TRESBillingWeights",
];

const PARTITION_IGNORED: &[&str] = &["Alternate", "CpuBind", "SelectTypeParameters", "Topology"];

/// The treatment of a key in topology.conf.
pub(super) fn topology(key: &str) -> Option<KeyUse> {
    local(key, TOPOLOGY, &["LinkSpeed"])
}

const TOPOLOGY: &[&str] = &["SwitchName", "Switches", "Nodes", "BlockName", "BlockSizes"];

const GRES: &[&str] =
    &["NodeName", "Name", "Type", "File", "MultipleFiles", "Count", "Cores", "CPUs", "Flags"];

const GRES_IGNORED: &[&str] = &["AutoDetect", "Links"];
