//! Slurm's error numbers and texts (`slurm_strerror`).

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! errors {
    ($($name:ident = $number:literal, $text:literal;)*) => {
        /// A Slurm error. Displays as the text that Slurm's commands print.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[allow(missing_docs, reason = "the names say it")]
        pub enum SlurmError { $($name,)* }

        impl SlurmError {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Slurm's error number.
            #[must_use]
            pub const fn number(self) -> u32 {
                match self { $(Self::$name => $number,)* }
            }

            /// The error of this name, in any case.
            #[must_use]
            pub fn by_name(name: &str) -> Option<Self> {
                [$((stringify!($name), Self::$name)),*].into_iter().find(|e| e.0.eq_ignore_ascii_case(name)).map(|e| e.1)
            }
        }

        impl fmt::Display for SlurmError {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$name => $text,)* })
            }
        }
    };
}

errors! {
    Error = 4294967295, "Unspecified error";
    NoSuchTrigger = 3, "No such process";
    UnexpectedMsgError = 1000, "Unexpected message received";
    CommunicationsConnectionError = 1001, "Communication connection failure";
    CommunicationsSendError = 1002, "Message send failure";
    CommunicationsReceiveError = 1003, "Message receive failure";
    CommunicationsShutdownError = 1004, "Communication shutdown failure";
    ProtocolVersionError = 1005, "Incompatible versions of client and server code";
    ProtocolIoStreamVersionError = 1006, "I/O stream version number error";
    ProtocolAuthenticationError = 1007, "Protocol authentication error";
    ProtocolInsaneMsgLength = 1008, "Insane message length";
    MpiPluginNameInvalid = 1009, "Invalid MPI plugin name";
    MpiPluginPrelaunchSetupFailed = 1010, "MPI plugin's pre-launch setup failed";
    PluginNameInvalid = 1011, "Plugin initialization failed";
    UnknownForwardAddr = 1012, "Can't find an address, check slurm.conf";
    CommunicationsMissingSocketError = 1013, "Unexpected missing socket error";
    CommunicationsInvalidIncomingFd = 1014, "Unable to process incoming file descriptor";
    CommunicationsInvalidOutgoingFd = 1015, "Unable to process outgoing file descriptor";
    CommunicationsInvalidFd = 1016, "Unable to process incoming and outgoing file descriptors";
    BlockedOnRead = 1017, "Read would block";
    BlockedOnWrite = 1018, "Write would block";
    CommunicationsRejected = 1019, "Connection rejected by handler";
    CommunicationsQuiesceTimeout = 1020, "Connection forced closed by quiesce timeout";
    CommunicationsConnectTimeout = 1021, "Connection timed out establishing";
    CommunicationsWriteTimeout = 1022, "Connection timed out writing";
    CommunicationsReadTimeout = 1023, "Connection timed out reading";
    CtldCommunicationsConnectionError = 1800, "Unable to contact slurm controller (connect failure)";
    CtldCommunicationsSendError = 1801, "Unable to contact slurm controller (send failure)";
    CtldCommunicationsReceiveError = 1802, "Unable to contact slurm controller (receive failure)";
    CtldCommunicationsShutdownError = 1803, "Unable to contact slurm controller (shutdown failure)";
    CtldCommunicationsBackoff = 1804, "Rate limit exceeded, please retry momentarily";
    CtldCommunicationsHardDrop = 1805, "Rate limit exceeded, please retry later";
    NoChangeInData = 1900, "Data has not changed since time specified";
    InvalidPartitionName = 2000, "Invalid partition name specified";
    DefaultPartitionNotSet = 2001, "No partition specified or system default partition";
    AccessDenied = 2002, "Access/permission denied";
    JobMissingRequiredPartitionGroup = 2003, "User's group not permitted to use this partition";
    RequestedNodesNotInPartition = 2004, "Requested nodes not in this partition";
    TooManyRequestedCpus = 2005, "More processors requested than permitted";
    InvalidNodeCount = 2006, "Node count specification invalid";
    MaxJobCount = 2007, "MaxJobCount limit reached";
    JobMissingSizeSpecification = 2008, "Job size specification needs to be provided";
    JobScriptMissing = 2009, "Job script not specified";
    UserIdMissing = 2010, "Invalid user id";
    DuplicateJobId = 2011, "Duplicate job id";
    PathnameTooLong = 2012, "Pathname of a file, directory or other parameter too long";
    NotTopPriority = 2013, "Immediate execution impossible, insufficient priority";
    RequestedNodeConfigUnavailable = 2014, "Requested node configuration is not available";
    RequestedPartConfigUnavailable = 2015, "Requested partition configuration not available now";
    NodesBusy = 2016, "Requested nodes are busy";
    InvalidJobId = 2017, "Invalid job id specified";
    InvalidNodeName = 2018, "Invalid node name specified";
    InvalidCoreCnt = 2111, "Core count for reservation node list is not consistent!";
    WritingToFile = 2019, "I/O error writing script/environment to file";
    TransitionStateNoUpdate = 2020, "Job can not be altered now, try again later";
    AlreadyDone = 2021, "Job/step already completing or completed";
    InterconnectFailure = 2022, "Error configuring interconnect";
    BadDist = 2023, "Task distribution specification invalid";
    JobPending = 2024, "Job is pending execution";
    BadTaskCount = 2025, "Task count specification invalid";
    InvalidJobCredential = 2026, "Error generating job credential";
    InStandbyMode = 2027, "Slurm backup controller in standby mode";
    InvalidNodeState = 2028, "Invalid node state specified";
    InvalidFeature = 2029, "Invalid feature specification";
    InvalidAuthtypeChange = 2030, "AuthType change requires restart of all Slurm daemons and commands to take effect";
    ActiveFeatureNotSubset = 2031, "Active features not subset of available features";
    InvalidCredTypeChange = 2043, "CredType change requires restart of all Slurm daemons to take effect";
    InvalidSchedtypeChange = 2032, "SchedulerType change requires restart of the slurmctld daemon to take effect";
    InvalidSelecttypeChange = 2033, "SelectType change requires restart of the slurmctld daemon to take effect";
    InvalidSwitchtypeChange = 2034, "SwitchType change requires restart of all Slurm daemons and jobs to take effect";
    Fragmentation = 2035, "Immediate execution impossible, resources too fragmented for allocation";
    NotSupported = 2036, "Requested operation not supported on this system";
    Disabled = 2037, "Requested operation is presently disabled";
    Dependency = 2038, "Job dependency problem";
    BatchOnly = 2039, "Only batch jobs are accepted or processed";
    ExternOnly = 2186, "Requested operation requires extern step";
    LicensesUnavailable = 2040, "Licenses currently unavailable";
    TakeoverNoHeartbeat = 2041, "Unable to takeover, heartbeat file is missing";
    JobHeld = 2042, "Job is in held state, pending scheduler release";
    InvalidTaskMemory = 2044, "Memory required by task is not available";
    InvalidAccount = 2045, "Invalid account or account/partition combination specified";
    InvalidParentAccount = 2046, "Invalid parent account specified";
    SameParentAccount = 2047, "Account already child of parent account specified";
    InvalidQos = 2066, "Invalid qos specification";
    InvalidWckey = 2057, "Invalid wckey specification";
    InvalidLicenses = 2048, "Invalid license specification";
    NeedRestart = 2049, "The node configuration changes that were made require restart of the slurmctld daemon to take effect";
    AccountingPolicy = 2050, "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)";
    InvalidTimeLimit = 2051, "Requested time limit is invalid (missing or exceeds some limit)";
    ReservationAccess = 2052, "Access denied to requested reservation";
    ReservationInvalid = 2053, "Requested reservation is invalid";
    InvalidTimeValue = 2054, "Invalid time specified";
    ReservationBusy = 2055, "Requested reservation is in use";
    ReservationNotUsable = 2056, "Requested reservation not usable now";
    ReservationOverlap = 2058, "Requested reservation overlaps with another reservation";
    PortsBusy = 2059, "Required ports are in use";
    PortsInvalid = 2060, "Requires more ports than can be reserved";
    PrologRunning = 2061, "PrologSlurmctld is still running";
    NoSteps = 2062, "Job steps can not be run on this cluster";
    MissingWorkDir = 2063, "Job cannot be submitted without the current working directory specified.";
    StepsDrained = 2064, "No running or pending steps in the job";
    QosPreemptionLoop = 2067, "QOS Preemption loop detected";
    NodeNotAvail = 2068, "Required node not available (down, drained or reserved)";
    InvalidCpuCount = 2069, "CPU count specification invalid";
    PartitionNotAvail = 2070, "Required partition not available (inactive or drain)";
    CircularDependency = 2071, "Circular job dependency";
    InvalidGres = 2072, "Invalid generic resource (gres) specification";
    JobNotPending = 2073, "Job is no longer pending execution";
    QosThres = 2074, "Requested account has breached requested QOS usage threshold";
    PartitionInUse = 2075, "Partition is in use";
    StepLimit = 2076, "Step limit reached for this job";
    JobSuspended = 2077, "Job is current suspended, requested operation disabled";
    CanNotStartImmediately = 2078, "Job can not start immediately";
    ReservationEmpty = 2080, "Reservation request lacks users, groups or accounts";
    InvalidArray = 2081, "Invalid job array specification";
    ReservationNameDup = 2082, "Duplicate reservation name";
    JobStarted = 2083, "Job has already started";
    JobFinished = 2084, "Job has already finished";
    JobNotRunning = 2085, "Job is not running";
    JobNotPendingNorRunning = 2086, "Job is not pending nor running";
    JobNotSuspended = 2087, "Job is not suspended";
    JobNotFinished = 2088, "Job is not finished";
    TriggerDup = 2089, "Duplicate event trigger";
    Internal = 2090, "Slurm internal error, contact system administrator";
    InvalidBurstBufferChange = 2091, "BurstBufferType change requires restart of slurmctld daemon to take effect";
    BurstBufferPermission = 2092, "Burst Buffer permission denied";
    BurstBufferLimit = 2093, "Burst Buffer resource limit exceeded";
    InvalidBurstBufferRequest = 2094, "Burst Buffer request invalid";
    PrioResetFail = 2095, "Changes to job priority are not persistent, change nice instead";
    CannotModifyCronJob = 2096, "Cannot modify scrontab jobs through scontrol";
    InvalidNamespaceChange = 2097, "NamespaceType change requires restart of all Slurm daemons and commands to take effect";
    CannotCancelCronJob = 2098, "Cannot cancel scrontab jobs without --cron flag.";
    InvalidMcsLabel = 2099, "Invalid mcs_label specified";
    BurstBufferWait = 2100, "Waiting for burst buffer";
    PartitionDown = 2101, "Partition in DOWN state";
    DuplicateGres = 2102, "Duplicate generic resource (gres) specification";
    RsvAlreadyStarted = 2104, "Reservation already started";
    SubmissionsDisabled = 2105, "System submissions disabled";
    NotHetJob = 2106, "Job not heterogeneous job";
    NotHetJobLeader = 2107, "Job not heterogeneous job leader";
    NotWholeHetJob = 2108, "Operation not permitted on individual component of heterogeneous job";
    CoreReservationUpdate = 2109, "Core-based reservation can not be updated";
    DuplicateStepId = 2110, "Duplicate job step id";
    X11NotAvail = 2112, "X11 forwarding not available";
    GroupIdMissing = 2113, "Invalid group id";
    BatchConstraint = 2114, "Job --batch option is invalid or not a subset of --constraint";
    InvalidTres = 2115, "Invalid Trackable RESource (TRES) specification";
    InvalidTresBillingWeights = 2116, "Invalid TRESBillingWeights specification";
    InvalidJobDefaults = 2117, "Invalid JobDefaults specification";
    ReservationMaint = 2118, "Job can not start due to maintenance reservation.";
    InvalidGresType = 2119, "Invalid GRES specification (with and without type identification)";
    RebootInProgress = 2120, "Reboot already in progress";
    MultiKnlConstraint = 2121, "Multiple KNL NUMA and/or MCDRAM constraints require use of a heterogeneous job";
    UnsupportedGres = 2122, "Requested GRES option unsupported by configured SelectType plugin";
    InvalidNice = 2123, "Invalid --nice value";
    InvalidTimeMinLimit = 2124, "Invalid time-min specification (exceeds job's time or other limits)";
    Defer = 2125, "Immediate execution impossible. Individual job submission scheduling attempts deferred";
    ConfiglessDisabled = 2126, "ConfigLess mode is disabled in slurm configuration.";
    EnvironmentMissing = 2127, "Environment is missing in job";
    ReservationNoSkip = 2128, "Reservation given is not skipable, try deleting instead";
    ReservationUserGroup = 2129, "Reservations can't have users and groups specified, only one or the other";
    PartitionAssoc = 2130, "Multiple partition job request not supported when a partition is set in the association";
    InStandbyUseBackup = 2131, "Controller is in standby mode, try a different controller";
    BadThreadPerCore = 2132, "Cannot request more threads per core than the job allocation";
    InvalidPrefer = 2133, "Invalid preferred feature specification";
    InsufficientGres = 2134, "Insufficient GRES available in allocation";
    InvalidContainerId = 2135, "Invalid container id specified";
    EmptyJobId = 2136, "JobID must not be an empty string";
    InvalidJobIdZero = 2137, "JobID can not be zero";
    InvalidJobIdNegative = 2138, "JobID can not be a negative number";
    InvalidJobIdTooLarge = 2139, "JobID larger than acceptable range";
    InvalidJobIdNonNumeric = 2140, "JobID includes unexpected non-numeric characters";
    EmptyJobArrayId = 2141, "Job Array ID must not be an empty string";
    InvalidJobArrayIdNegative = 2142, "Job Array ID can not be a negative number";
    InvalidJobArrayIdTooLarge = 2143, "Job Array ID larger than acceptable range";
    InvalidJobArrayIdNonNumeric = 2144, "Job Array ID includes unexpected non-numeric characters";
    EmptyHetJobComp = 2146, "HetJob component must not be an empty string";
    InvalidHetJobCompNegative = 2147, "HetJob component can not be a negative number";
    InvalidHetJobCompTooLarge = 2148, "HetJob component larger than acceptable range";
    EmptyStepId = 2150, "StepID must not be an empty string";
    InvalidStepIdNegative = 2151, "StepID can not be a negative number";
    InvalidStepIdTooLarge = 2152, "StepID larger than acceptable range";
    InvalidStepIdNonNumeric = 2153, "StepID includes unexpected non-numeric characters";
    EmptyHetStep = 2154, "HetStep component must not be an empty string";
    InvalidHetStepZero = 2155, "HetStep component can not be zero";
    InvalidHetStepNegative = 2156, "HetStep component can not be a negative number";
    InvalidHetStepTooLarge = 2157, "HetStep component larger than acceptable range";
    InvalidHetStepNonNumeric = 2158, "HetStep component includes unexpected non-numeric characters";
    InvalidHetStepJob = 2159, "HetJob can not Het step id";
    JobTimeoutKilled = 2160, "Job killed due hitting max wall clock limit";
    JobNodeFailKilled = 2161, "Job killed due node failure";
    EmptyList = 2162, "Empty list";
    GroupIdInvalid = 2163, "Invalid group ID";
    GroupIdUnknown = 2164, "Unable to resolve group ID to group name";
    UserIdInvalid = 2165, "Invalid user ID";
    UserIdUnknown = 2166, "Unable to resolve user ID to user name";
    InvalidAssoc = 2167, "Invalid or unknown association";
    NodeAlreadyExists = 2168, "Node already exists in the node table";
    NodeTableFull = 2169, "Unable to add node, node table is full";
    InvalidRelativeQos = 2170, "Invalid QOS specification, relative QOS can only be used in a single partition per cluster.";
    InvalidExtra = 2171, "Invalid extra constraints specification";
    JobSignalFailed = 2172, "Cannot signal job";
    SignalJobsInvalid = 2173, "Invalid signal jobs request, at least one job id or filter is required.";
    ResCoresPerGpuUnique = 2174, "RestrictedCoresPerGPU: Not enough unique cores per GPU";
    ResCoresPerGpuTopo = 2175, "RestrictedCoresPerGPU: Missing core topology for GPUs";
    ResCoresPerGpuNo = 2176, "RestrictedCoresPerGPU: No GPUs configured on node";
    MaxPoweredNodes = 2177, "Max powered up nodes reached";
    RequestedTopoConfigUnavailable = 2178, "Requested topology configuration is not available";
    PreemptionRequired = 2179, "Preemption is required but is disabled on this system";
    InvalidNodeStateTransition = 2180, "Invalid node state transition";
    InvalidJobState = 2181, "Invalid job state";
    InvalidSluid = 2185, "SLUID is invalid";
    InvalidPowerAction = 2187, "Invalid power action";
    StepQueued = 2188, "Step queued as pending";
    InvalidExternalJob = 2189, "Invalid configuration for external job";
    FileUnreadable = 2190, "Unable to load file for reading";
    TopoReqNodesNotAvail = 7201, "Required nodes lack available resources";
    TopoReqNodesNoMatchTopo = 7202, "Required nodes do not fit topology";
    TopoNoFit = 7203, "No suitable topology unit found";
    TopoSegmentNoFit = 7204, "No suitable topology unit found for segment";
    TopoInsufficientResources = 7205, "Insufficient resources in topology unit";
    TopoWeightNoFit = 7206, "Weight-based selection could not satisfy request within topology unit";
    TopoMaxNodeLimit = 7207, "Exceeded maximum node limit during topology allocation";
    TopoEmptyNodeMap = 7208, "No available nodes in topology";
    SlurmdKillTaskFailed = 4001, "Kill task failed";
    SlurmdInvalidAcctFreq = 4003, "Invalid accounting frequency requested";
    SlurmdInvalidJobCredential = 4004, "Invalid job credential";
    SlurmdCredentialRevoked = 4008, "Job credential revoked";
    SlurmdCredentialExpired = 4007, "Job credential expired";
    SlurmdCredentialReplayed = 4009, "Job credential replayed";
    SlurmdCreateBatchDirError = 4010, "Slurmd could not create a batch directory or file";
    SlurmdSetupEnvironmentError = 4014, "Slurmd could not set up environment for batch job";
    SlurmdSetUidOrGidError = 4016, "Slurmd could not set UID or GID";
    SlurmdExecveFailed = 4020, "Slurmd could not execve job";
    SlurmdIoError = 4021, "Slurmd could not connect IO";
    SlurmdPrologFailed = 4022, "Job prolog failed";
    SlurmdEpilogFailed = 4023, "Job epilog failed";
    SlurmdToomanysteps = 4025, "Too many job steps on node";
    SlurmdStepExists = 4026, "Job step already exists";
    SlurmdStepNotrunning = 4027, "Job step not running";
    SlurmdStepSuspended = 4028, "Job step is suspended";
    SlurmdStepNotsuspended = 4029, "Job step is not currently suspended";
    SlurmdInvalidSocketNameLen = 4030, "Unix socket name exceeded maximum length";
    SlurmdContainerRuntimeInvalid = 4031, "Container runtime not configured or invalid";
    SlurmdCpuBindError = 4032, "Unable to satisfy cpu bind request";
    SlurmdCpuLayoutError = 4033, "Unable to layout tasks on given cpus";
    SlurmdStepdProxyFailed = 4035, "Unable to proxy slurmstepd message";
    ProtocolIncompletePacket = 5003, "Header lengths are longer than data received";
    ProtocolSocketImplTimeout = 5004, "Socket timed out on send/recv operation";
    ProtocolSocketZeroBytesSent = 5005, "Zero Bytes were transmitted or received";
    AuthCredInvalid = 6000, "Invalid authentication credential";
    AuthExpired = 6001, "Authentication credential expired";
    AuthBadarg = 6004, "Bad argument to plugin function";
    AuthUnpack = 6007, "Cannot unpack credential";
    AuthSkip = 6008, "Authentication does not apply to request";
    AuthUnableToGenerateToken = 6009, "Token Generation failed.";
    AuthNobody = 6010, "Rejecting authentication of user nobody or group nobody";
    AuthSocketInvalidPeer = 6011, "Unable to query kernel for socket peer credential";
    DbConnection = 7000, "Unable to connect to database";
    JobsRunningOnAssoc = 7001, "Job(s) active, cancel job(s) before remove";
    ClusterDeleted = 7002, "Cluster deleted, commit/rollback immediately";
    OneChange = 7003, "Can only change one at a time";
    BadName = 7004, "Unacceptable name given. (No '.' in name allowed)";
    OverAllocate = 7005, "You can not allocate more than 100% of a resource";
    ResultTooLarge = 7006, "Query result exceeds size limit";
    DbQueryTooWide = 7007, "Too wide of a date range in query";
    DbConnectionInvalid = 7008, "Database connection reference is invalid";
    NoRemoveDefaultAccount = 7009, "You can not remove the default account of a user";
    BadSql = 7010, "There is something internally wrong with the SQL needed for this. Please consult the slurmdbd log for more info.";
    NoRemoveDefaultQos = 7011, "This request would make it so some associations would not have access to their default qos.";
    CoordNoIncreaseJobLimit = 7012, "Coordinators can not increase job limits beyond the parent ones";
    NoRpcStats = 7013, "No RPC stats are available";
    InvalidSharedPoolAllowed = 7014, "Invalid value for Allowed field when SharedPool enabled, must be 0 or 100% (without Absolute) or Count (with Absolute).";
    FedClusterMaxCnt = 7100, "Too many clusters in federation";
    FedClusterMultipleAssignment = 7101, "Clusters can only be assigned to one federation";
    InvalidClusterFeature = 7102, "Invalid cluster feature specification";
    JobNotFederated = 7103, "Not a valid federated job";
    InvalidClusterName = 7104, "Invalid cluster name";
    FedJobLock = 7105, "Job locked by another sibling";
    FedNoValidClusters = 7106, "No eligible clusters for federated job";
    MissingTimeLimit = 8000, "Time limit specification required, but not provided";
    PluginInvalid = 8002, "Plugin has invalid format or unable to be loaded";
    PluginIncomplete = 8003, "Plugin missing required symbol or function";
    PluginNotLoaded = 8004, "Required plugin type not loaded or initialized";
    PluginNotfound = 8005, "Plugin file not found";
    PluginAccessError = 8006, "Plugin access denied";
    PluginDlopenFailed = 8007, "Dlopen of plugin file failed";
    PluginInitFailed = 8008, "Plugin init() callback failed";
    PluginMissingName = 8009, "Plugin name/type/version symbol missing";
    PluginBadVersion = 8010, "Incompatible plugin version";
}
