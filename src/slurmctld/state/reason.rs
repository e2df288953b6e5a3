//! Reasons why a job is pending or ended (`squeue` manual page, "JOB REASON CODES").

use serde::{Deserialize, Serialize};

/// Kinds of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReasonKind {
    /// Only the order of the queue.
    Queue,
    /// Nodes, licences or a reservation that are busy or missing.
    Resources,
    /// A limit of an association or of a QOS.
    Limit,
    /// The state or a limit of the partition.
    Partition,
    /// The partition does not admit the job's account or QOS, or they no longer exist.
    Access,
    /// The request itself: a begin time, an array's throttle, or more than the partition has.
    Request,
    /// Other jobs.
    Dependency,
    /// The job is held.
    Hold,
    /// Preparation before its start or cleanup after its end.
    Setup,
    /// How the job ended.
    Failure,
}

macro_rules! reasons {
    ($($name:ident = $number:literal, $kind:ident, $text:literal;)*) => {
        /// A reason. Its text is what `squeue`'s last column shows in parentheses.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[allow(missing_docs, reason = "the names say it")]
        pub enum Reason { #[default] $($name,)* }

        impl Reason {
            /// All reasons.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Slurm's number for it.
            #[must_use]
            pub const fn number(self) -> u32 {
                match self { $(Self::$name => $number,)* }
            }

            /// What kind of reason it is.
            #[must_use]
            pub const fn kind(self) -> ReasonKind {
                match self { $(Self::$name => ReasonKind::$kind,)* }
            }

            /// Whether it is a limit of an association or of a QOS: with `assoc_limit_stop`, a job with such a reason stops
            /// its partition.
            #[must_use]
            pub const fn is_limit(self) -> bool {
                matches!(self.kind(), ReasonKind::Limit)
            }

            /// Whether a pass may change it although it does not reach the job.
            #[must_use]
            pub const fn is_provisional(self) -> bool {
                matches!(self, Self::None | Self::Resources | Self::ArrayTaskLimit)
            }

            /// Slurm's word for it.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

reasons! {
    None = 0, Queue, "None";
    Prolog = 36, Setup, "Prolog";
    Priority = 1, Queue, "Priority";
    Dependency = 2, Dependency, "Dependency";
    Resources = 3, Resources, "Resources";
    PartNodeLimit = 4, Partition, "PartitionNodeLimit";
    PartTimeLimit = 5, Partition, "PartitionTimeLimit";
    PartDown = 6, Partition, "PartitionDown";
    PartInactive = 7, Partition, "PartitionInactive";
    Held = 8, Hold, "JobHeldAdmin";
    HeldUser = 16, Hold, "JobHeldUser";
    NvidiaImexChannels = 17, Resources, "NvidiaImexChannels";
    Time = 9, Request, "BeginTime";
    Licenses = 10, Resources, "Licenses";
    AssocJobLimit = 11, Limit, "AssociationJobLimit";
    AssocResourceLimit = 12, Limit, "AssociationResourceLimit";
    AssocTimeLimit = 13, Limit, "AssociationTimeLimit";
    Reservation = 14, Resources, "Reservation";
    NodeNotAvail = 15, Resources, "ReqNodeNotAvail";
    FailDefer = 18, Queue, "SchedDefer";
    FailDownPartition = 19, Failure, "PartitionDown";
    FailDownNode = 20, Failure, "NodeDown";
    FailBadConstraints = 21, Request, "BadConstraints";
    FailSystem = 22, Failure, "SystemFailure";
    FailLaunch = 23, Failure, "JobLaunchFailure";
    FailExitCode = 24, Failure, "NonZeroExitCode";
    FailSignal = 33, Failure, "RaisedSignal";
    FailTimeout = 25, Failure, "TimeLimit";
    FailInactiveLimit = 26, Failure, "InactiveLimit";
    FailAccount = 27, Access, "InvalidAccount";
    FailQos = 28, Access, "InvalidQOS";
    QosThres = 29, Limit, "QOSUsageThreshold";
    QosJobLimit = 30, Limit, "QOSJobLimit";
    QosResourceLimit = 31, Limit, "QOSResourceLimit";
    QosTimeLimit = 32, Limit, "QOSTimeLimit";
    Cleaning = 35, Setup, "Cleaning";
    Qos = 37, Access, "QOSNotAllowed";
    Account = 38, Access, "AccountNotAllowed";
    DepInvalid = 39, Dependency, "DependencyNeverSatisfied";
    QosGrpCpu = 40, Limit, "QOSGrpCpuLimit";
    QosGrpCpuMin = 41, Limit, "QOSGrpCPUMinutesLimit";
    QosGrpCpuRunMin = 42, Limit, "QOSGrpCPURunMinutesLimit";
    QosGrpJob = 43, Limit, "QOSGrpJobsLimit";
    QosGrpMem = 44, Limit, "QOSGrpMemLimit";
    QosGrpNode = 45, Limit, "QOSGrpNodeLimit";
    QosGrpSubJob = 46, Limit, "QOSGrpSubmitJobsLimit";
    QosGrpWall = 47, Limit, "QOSGrpWallLimit";
    QosMaxCpuPerJob = 48, Limit, "QOSMaxCpuPerJobLimit";
    QosMaxCpuMinsPerJob = 49, Limit, "QOSMaxCpuMinutesPerJobLimit";
    QosMaxNodePerJob = 50, Limit, "QOSMaxNodePerJobLimit";
    QosMaxWallPerJob = 51, Limit, "QOSMaxWallDurationPerJobLimit";
    QosMaxCpuPerUser = 52, Limit, "QOSMaxCpuPerUserLimit";
    QosMaxJobPerUser = 53, Limit, "QOSMaxJobsPerUserLimit";
    QosMaxNodePerUser = 54, Limit, "QOSMaxNodePerUserLimit";
    QosMaxSubJob = 55, Limit, "QOSMaxSubmitJobPerUserLimit";
    QosMinCpu = 56, Limit, "QOSMinCpuNotSatisfied";
    AssocGrpCpu = 57, Limit, "AssocGrpCpuLimit";
    AssocGrpCpuMin = 58, Limit, "AssocGrpCPUMinutesLimit";
    AssocGrpCpuRunMin = 59, Limit, "AssocGrpCPURunMinutesLimit";
    AssocGrpJob = 60, Limit, "AssocGrpJobsLimit";
    AssocGrpMem = 61, Limit, "AssocGrpMemLimit";
    AssocGrpNode = 62, Limit, "AssocGrpNodeLimit";
    AssocGrpSubJob = 63, Limit, "AssocGrpSubmitJobsLimit";
    AssocGrpWall = 64, Limit, "AssocGrpWallLimit";
    AssocMaxJobs = 65, Limit, "AssocMaxJobsLimit";
    AssocMaxCpuPerJob = 66, Limit, "AssocMaxCpuPerJobLimit";
    AssocMaxCpuMinsPerJob = 67, Limit, "AssocMaxCpuMinutesPerJobLimit";
    AssocMaxNodePerJob = 68, Limit, "AssocMaxNodePerJobLimit";
    AssocMaxWallPerJob = 69, Limit, "AssocMaxWallDurationPerJobLimit";
    AssocMaxSubJob = 70, Limit, "AssocMaxSubmitJobLimit";
    MaxRequeue = 71, Hold, "JobHoldMaxRequeue";
    ArrayTaskLimit = 72, Request, "JobArrayTaskLimit";
    BurstBufferResource = 73, Resources, "BurstBufferResources";
    BurstBufferStaging = 74, Setup, "BurstBufferStageIn";
    FailBurstBufferOp = 75, Failure, "BurstBufferOperation";
    AssocGrpUnk = 78, Limit, "AssocGrpUnknown";
    AssocGrpUnkMin = 79, Limit, "AssocGrpUnknownMinutes";
    AssocGrpUnkRunMin = 80, Limit, "AssocGrpUnknownRunMinutes";
    AssocMaxUnkPerJob = 81, Limit, "AssocMaxUnknownPerJob";
    AssocMaxUnkPerNode = 82, Limit, "AssocMaxUnknownPerNode";
    AssocMaxUnkMinsPerJob = 83, Limit, "AssocMaxUnknownMinutesPerJob";
    AssocMaxCpuPerNode = 84, Limit, "AssocMaxCpuPerNode";
    AssocGrpMemMin = 85, Limit, "AssocGrpMemMinutes";
    AssocGrpMemRunMin = 86, Limit, "AssocGrpMemRunMinutes";
    AssocMaxMemPerJob = 87, Limit, "AssocMaxMemPerJob";
    AssocMaxMemPerNode = 88, Limit, "AssocMaxMemPerNode";
    AssocMaxMemMinsPerJob = 89, Limit, "AssocMaxMemMinutesPerJob";
    AssocGrpNodeMin = 90, Limit, "AssocGrpNodeMinutes";
    AssocGrpNodeRunMin = 91, Limit, "AssocGrpNodeRunMinutes";
    AssocMaxNodeMinsPerJob = 92, Limit, "AssocMaxNodeMinutesPerJob";
    AssocGrpEnergy = 93, Limit, "AssocGrpEnergy";
    AssocGrpEnergyMin = 94, Limit, "AssocGrpEnergyMinutes";
    AssocGrpEnergyRunMin = 95, Limit, "AssocGrpEnergyRunMinutes";
    AssocMaxEnergyPerJob = 96, Limit, "AssocMaxEnergyPerJob";
    AssocMaxEnergyPerNode = 97, Limit, "AssocMaxEnergyPerNode";
    AssocMaxEnergyMinsPerJob = 98, Limit, "AssocMaxEnergyMinutesPerJob";
    AssocGrpGres = 99, Limit, "AssocGrpGRES";
    AssocGrpGresMin = 100, Limit, "AssocGrpGRESMinutes";
    AssocGrpGresRunMin = 101, Limit, "AssocGrpGRESRunMinutes";
    AssocMaxGresPerJob = 102, Limit, "AssocMaxGRESPerJob";
    AssocMaxGresPerNode = 103, Limit, "AssocMaxGRESPerNode";
    AssocMaxGresMinsPerJob = 104, Limit, "AssocMaxGRESMinutesPerJob";
    AssocGrpLic = 105, Limit, "AssocGrpLicense";
    AssocGrpLicMin = 106, Limit, "AssocGrpLicenseMinutes";
    AssocGrpLicRunMin = 107, Limit, "AssocGrpLicenseRunMinutes";
    AssocMaxLicPerJob = 108, Limit, "AssocMaxLicensePerJob";
    AssocMaxLicMinsPerJob = 109, Limit, "AssocMaxLicenseMinutesPerJob";
    AssocGrpBb = 110, Limit, "AssocGrpBB";
    AssocGrpBbMin = 111, Limit, "AssocGrpBBMinutes";
    AssocGrpBbRunMin = 112, Limit, "AssocGrpBBRunMinutes";
    AssocMaxBbPerJob = 113, Limit, "AssocMaxBBPerJob";
    AssocMaxBbPerNode = 114, Limit, "AssocMaxBBPerNode";
    AssocMaxBbMinsPerJob = 115, Limit, "AssocMaxBBMinutesPerJob";
    QosGrpUnk = 116, Limit, "QOSGrpUnknown";
    QosGrpUnkMin = 117, Limit, "QOSGrpUnknownMinutes";
    QosGrpUnkRunMin = 118, Limit, "QOSGrpUnknownRunMinutes";
    QosMaxUnkPerJob = 119, Limit, "QOSMaxUnknownPerJob";
    QosMaxUnkPerNode = 120, Limit, "QOSMaxUnknownPerNode";
    QosMaxUnkPerUser = 121, Limit, "QOSMaxUnknownPerUser";
    QosMaxUnkMinsPerJob = 122, Limit, "QOSMaxUnknownMinutesPerJob";
    QosMinUnk = 123, Limit, "QOSMinUnknown";
    QosMaxCpuPerNode = 124, Limit, "QOSMaxCpuPerNode";
    QosGrpMemMin = 125, Limit, "QOSGrpMemoryMinutes";
    QosGrpMemRunMin = 126, Limit, "QOSGrpMemoryRunMinutes";
    QosMaxMemPerJob = 128, Limit, "QOSMaxMemoryPerJob";
    QosMaxMemPerNode = 129, Limit, "QOSMaxMemoryPerNode";
    QosMaxMemPerUser = 130, Limit, "QOSMaxMemoryPerUser";
    QosMaxMemMinsPerJob = 127, Limit, "QOSMaxMemoryMinutesPerJob";
    QosMinMem = 131, Limit, "QOSMinMemory";
    QosGrpNodeMin = 140, Limit, "QOSGrpNodeMinutes";
    QosGrpNodeRunMin = 141, Limit, "QOSGrpNodeRunMinutes";
    QosMaxNodeMinsPerJob = 142, Limit, "QOSMaxNodeMinutesPerJob";
    QosMinNode = 143, Limit, "QOSMinNode";
    QosGrpEnergy = 132, Limit, "QOSGrpEnergy";
    QosGrpEnergyMin = 133, Limit, "QOSGrpEnergyMinutes";
    QosGrpEnergyRunMin = 134, Limit, "QOSGrpEnergyRunMinutes";
    QosMaxEnergyPerJob = 135, Limit, "QOSMaxEnergyPerJob";
    QosMaxEnergyPerNode = 136, Limit, "QOSMaxEnergyPerNode";
    QosMaxEnergyPerUser = 137, Limit, "QOSMaxEnergyPerUser";
    QosMaxEnergyMinsPerJob = 138, Limit, "QOSMaxEnergyMinutesPerJob";
    QosMinEnergy = 139, Limit, "QOSMinEnergy";
    QosGrpGres = 144, Limit, "QOSGrpGRES";
    QosGrpGresMin = 145, Limit, "QOSGrpGRESMinutes";
    QosGrpGresRunMin = 146, Limit, "QOSGrpGRESRunMinutes";
    QosMaxGresPerJob = 147, Limit, "QOSMaxGRESPerJob";
    QosMaxGresPerNode = 148, Limit, "QOSMaxGRESPerNode";
    QosMaxGresPerUser = 149, Limit, "QOSMaxGRESPerUser";
    QosMaxGresMinsPerJob = 150, Limit, "QOSMaxGRESMinutesPerJob";
    QosMinGres = 151, Limit, "QOSMinGRES";
    QosGrpLic = 152, Limit, "QOSGrpLicense";
    QosGrpLicMin = 153, Limit, "QOSGrpLicenseMinutes";
    QosGrpLicRunMin = 154, Limit, "QOSGrpLicenseRunMinutes";
    QosMaxLicPerJob = 155, Limit, "QOSMaxLicensePerJob";
    QosMaxLicPerUser = 156, Limit, "QOSMaxLicensePerUser";
    QosMaxLicMinsPerJob = 157, Limit, "QOSMaxLicenseMinutesPerJob";
    QosMinLic = 158, Limit, "QOSMinLicense";
    QosGrpBb = 159, Limit, "QOSGrpBB";
    QosGrpBbMin = 160, Limit, "QOSGrpBBMinutes";
    QosGrpBbRunMin = 161, Limit, "QOSGrpBBRunMinutes";
    QosMaxBbPerJob = 162, Limit, "QOSMaxBBPerJob";
    QosMaxBbPerNode = 163, Limit, "QOSMaxBBPerNode";
    QosMaxBbPerUser = 164, Limit, "QOSMaxBBPerUser";
    QosMaxBbMinsPerJob = 165, Limit, "AssocMaxBBMinutesPerJob";
    QosMinBb = 166, Limit, "QOSMinBB";
    FailDeadline = 167, Failure, "DeadLine";
    QosMaxBbPerAcct = 168, Limit, "MaxBBPerAccount";
    QosMaxCpuPerAcct = 169, Limit, "MaxCpuPerAccount";
    QosMaxEnergyPerAcct = 170, Limit, "MaxEnergyPerAccount";
    QosMaxGresPerAcct = 171, Limit, "MaxGRESPerAccount";
    QosMaxNodePerAcct = 172, Limit, "MaxNodePerAccount";
    QosMaxLicPerAcct = 173, Limit, "MaxLicensePerAccount";
    QosMaxMemPerAcct = 174, Limit, "MaxMemoryPerAccount";
    QosMaxUnkPerAcct = 175, Limit, "MaxUnknownPerAccount";
    QosMaxJobPerAcct = 176, Limit, "MaxJobsPerAccount";
    QosMaxSubJobPerAcct = 177, Limit, "MaxSubmitJobsPerAccount";
    PartConfig = 178, Request, "PartitionConfig";
    AccountPolicy = 179, Access, "AccountingPolicy";
    FedJobLock = 180, Setup, "FedJobLock";
    FailOom = 181, Failure, "OutOfMemory";
    PnMemLimit = 182, Request, "MaxMemPerLimit";
    AssocGrpBilling = 183, Limit, "AssocGrpBilling";
    AssocGrpBillingMin = 184, Limit, "AssocGrpBillingMinutes";
    AssocGrpBillingRunMin = 185, Limit, "AssocGrpBillingRunMinutes";
    AssocMaxBillingPerJob = 186, Limit, "AssocMaxBillingPerJob";
    AssocMaxBillingPerNode = 187, Limit, "AssocMaxBillingPerNode";
    AssocMaxBillingMinsPerJob = 188, Limit, "AssocMaxBillingMinutesPerJob";
    QosGrpBilling = 189, Limit, "QOSGrpBilling";
    QosGrpBillingMin = 190, Limit, "QOSGrpBillingMinutes";
    QosGrpBillingRunMin = 191, Limit, "QOSGrpBillingRunMinutes";
    QosMaxBillingPerJob = 192, Limit, "QOSMaxBillingPerJob";
    QosMaxBillingPerNode = 193, Limit, "QOSMaxBillingPerNode";
    QosMaxBillingPerUser = 194, Limit, "QOSMaxBillingPerUser";
    QosMaxBillingMinsPerJob = 195, Limit, "QOSMaxBillingMinutesPerJob";
    QosMaxBillingPerAcct = 196, Limit, "MaxBillingPerAccount";
    QosMinBilling = 197, Limit, "QOSMinBilling";
    ResvDeleted = 198, Hold, "ReservationDeleted";
    ResvInvalid = 199, Request, "ReservationInvalid";
    FailConstraints = 200, Request, "Constraints";
    QosMaxBbRunMinsPerAcct = 201, Limit, "MaxBBRunMinsPerAccount";
    QosMaxBillingRunMinsPerAcct = 202, Limit, "MaxBillingRunMinsPerAccount";
    QosMaxCpuRunMinsPerAcct = 203, Limit, "MaxCpuRunMinsPerAccount";
    QosMaxEnergyRunMinsPerAcct = 204, Limit, "MaxEnergyRunMinsPerAccount";
    QosMaxGresRunMinsPerAcct = 205, Limit, "MaxGRESRunMinsPerAccount";
    QosMaxNodeRunMinsPerAcct = 206, Limit, "MaxNodeRunMinsPerAccount";
    QosMaxLicRunMinsPerAcct = 207, Limit, "MaxLicenseRunMinsPerAccount";
    QosMaxMemRunMinsPerAcct = 208, Limit, "MaxMemoryRunMinsPerAccount";
    QosMaxUnkRunMinsPerAcct = 209, Limit, "MaxUnknownRunMinsPerAccount";
    QosMaxBbRunMinsPerUser = 210, Limit, "MaxBBRunMinsPerUser";
    QosMaxBillingRunMinsPerUser = 211, Limit, "MaxBillingRunMinsPerUser";
    QosMaxCpuRunMinsPerUser = 212, Limit, "MaxCpuRunMinsPerUser";
    QosMaxEnergyRunMinsPerUser = 213, Limit, "MaxEnergyRunMinsPerUser";
    QosMaxGresRunMinsPerUser = 214, Limit, "MaxGRESRunMinsPerUser";
    QosMaxNodeRunMinsPerUser = 215, Limit, "MaxNodeRunMinsPerUser";
    QosMaxLicRunMinsPerUser = 216, Limit, "MaxLicenseRunMinsPerUser";
    QosMaxMemRunMinsPerUser = 217, Limit, "MaxMemoryRunMinsPerUser";
    QosMaxUnkRunMinsPerUser = 218, Limit, "MaxUnknownRunMinsPerUser";
    MaxPoweredNodes = 219, Resources, "MaxPoweredUpNodes";
    MpiPortsBusy = 220, Resources, "MpiPortsBusy";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_of_associations_and_qos() {
        for limit in [Reason::QosGrpCpu, Reason::AssocMaxJobs, Reason::QosMaxJobPerAcct, Reason::QosThres] {
            assert!(limit.is_limit(), "{}", limit.text());
        }
        // Their names start like the names of limits, but no job's end would free anything.
        for other in [Reason::Qos, Reason::Account, Reason::PnMemLimit, Reason::MaxPoweredNodes] {
            assert!(!other.is_limit(), "{}", other.text());
        }
    }
}
