//! Why a job waits or ended: Slurm's reasons (`squeue` manual page, "JOB REASON CODES").

use serde::{Deserialize, Serialize};

macro_rules! reasons {
    ($($name:ident = $number:literal, $text:literal;)*) => {
        /// A reason. Its text is what `squeue`'s last column shows in parentheses.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[allow(missing_docs)]
        pub enum Reason { #[default] $($name,)* }

        impl Reason {
            /// Slurm's number for it.
            #[must_use]
            pub const fn number(self) -> u32 {
                match self { $(Self::$name => $number,)* }
            }

            /// Whether it is a limit of an association or of a QOS.
            #[must_use]
            pub fn is_limit(self) -> bool {
                ["Assoc", "QOS", "Max"].iter().any(|start| self.text().starts_with(start))
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
    None = 0, "None";
    Prolog = 36, "Prolog";
    Priority = 1, "Priority";
    Dependency = 2, "Dependency";
    Resources = 3, "Resources";
    PartNodeLimit = 4, "PartitionNodeLimit";
    PartTimeLimit = 5, "PartitionTimeLimit";
    PartDown = 6, "PartitionDown";
    PartInactive = 7, "PartitionInactive";
    Held = 8, "JobHeldAdmin";
    HeldUser = 16, "JobHeldUser";
    NvidiaImexChannels = 17, "NvidiaImexChannels";
    Time = 9, "BeginTime";
    Licenses = 10, "Licenses";
    AssocJobLimit = 11, "AssociationJobLimit";
    AssocResourceLimit = 12, "AssociationResourceLimit";
    AssocTimeLimit = 13, "AssociationTimeLimit";
    Reservation = 14, "Reservation";
    NodeNotAvail = 15, "ReqNodeNotAvail";
    FailDefer = 18, "SchedDefer";
    FailDownPartition = 19, "PartitionDown";
    FailDownNode = 20, "NodeDown";
    FailBadConstraints = 21, "BadConstraints";
    FailSystem = 22, "SystemFailure";
    FailLaunch = 23, "JobLaunchFailure";
    FailExitCode = 24, "NonZeroExitCode";
    FailSignal = 33, "RaisedSignal";
    FailTimeout = 25, "TimeLimit";
    FailInactiveLimit = 26, "InactiveLimit";
    FailAccount = 27, "InvalidAccount";
    FailQos = 28, "InvalidQOS";
    QosThres = 29, "QOSUsageThreshold";
    QosJobLimit = 30, "QOSJobLimit";
    QosResourceLimit = 31, "QOSResourceLimit";
    QosTimeLimit = 32, "QOSTimeLimit";
    Cleaning = 35, "Cleaning";
    Qos = 37, "QOSNotAllowed";
    Account = 38, "AccountNotAllowed";
    DepInvalid = 39, "DependencyNeverSatisfied";
    QosGrpCpu = 40, "QOSGrpCpuLimit";
    QosGrpCpuMin = 41, "QOSGrpCPUMinutesLimit";
    QosGrpCpuRunMin = 42, "QOSGrpCPURunMinutesLimit";
    QosGrpJob = 43, "QOSGrpJobsLimit";
    QosGrpMem = 44, "QOSGrpMemLimit";
    QosGrpNode = 45, "QOSGrpNodeLimit";
    QosGrpSubJob = 46, "QOSGrpSubmitJobsLimit";
    QosGrpWall = 47, "QOSGrpWallLimit";
    QosMaxCpuPerJob = 48, "QOSMaxCpuPerJobLimit";
    QosMaxCpuMinsPerJob = 49, "QOSMaxCpuMinutesPerJobLimit";
    QosMaxNodePerJob = 50, "QOSMaxNodePerJobLimit";
    QosMaxWallPerJob = 51, "QOSMaxWallDurationPerJobLimit";
    QosMaxCpuPerUser = 52, "QOSMaxCpuPerUserLimit";
    QosMaxJobPerUser = 53, "QOSMaxJobsPerUserLimit";
    QosMaxNodePerUser = 54, "QOSMaxNodePerUserLimit";
    QosMaxSubJob = 55, "QOSMaxSubmitJobPerUserLimit";
    QosMinCpu = 56, "QOSMinCpuNotSatisfied";
    AssocGrpCpu = 57, "AssocGrpCpuLimit";
    AssocGrpCpuMin = 58, "AssocGrpCPUMinutesLimit";
    AssocGrpCpuRunMin = 59, "AssocGrpCPURunMinutesLimit";
    AssocGrpJob = 60, "AssocGrpJobsLimit";
    AssocGrpMem = 61, "AssocGrpMemLimit";
    AssocGrpNode = 62, "AssocGrpNodeLimit";
    AssocGrpSubJob = 63, "AssocGrpSubmitJobsLimit";
    AssocGrpWall = 64, "AssocGrpWallLimit";
    AssocMaxJobs = 65, "AssocMaxJobsLimit";
    AssocMaxCpuPerJob = 66, "AssocMaxCpuPerJobLimit";
    AssocMaxCpuMinsPerJob = 67, "AssocMaxCpuMinutesPerJobLimit";
    AssocMaxNodePerJob = 68, "AssocMaxNodePerJobLimit";
    AssocMaxWallPerJob = 69, "AssocMaxWallDurationPerJobLimit";
    AssocMaxSubJob = 70, "AssocMaxSubmitJobLimit";
    MaxRequeue = 71, "JobHoldMaxRequeue";
    ArrayTaskLimit = 72, "JobArrayTaskLimit";
    BurstBufferResource = 73, "BurstBufferResources";
    BurstBufferStaging = 74, "BurstBufferStageIn";
    FailBurstBufferOp = 75, "BurstBufferOperation";
    AssocGrpUnk = 78, "AssocGrpUnknown";
    AssocGrpUnkMin = 79, "AssocGrpUnknownMinutes";
    AssocGrpUnkRunMin = 80, "AssocGrpUnknownRunMinutes";
    AssocMaxUnkPerJob = 81, "AssocMaxUnknownPerJob";
    AssocMaxUnkPerNode = 82, "AssocMaxUnknownPerNode";
    AssocMaxUnkMinsPerJob = 83, "AssocMaxUnknownMinutesPerJob";
    AssocMaxCpuPerNode = 84, "AssocMaxCpuPerNode";
    AssocGrpMemMin = 85, "AssocGrpMemMinutes";
    AssocGrpMemRunMin = 86, "AssocGrpMemRunMinutes";
    AssocMaxMemPerJob = 87, "AssocMaxMemPerJob";
    AssocMaxMemPerNode = 88, "AssocMaxMemPerNode";
    AssocMaxMemMinsPerJob = 89, "AssocMaxMemMinutesPerJob";
    AssocGrpNodeMin = 90, "AssocGrpNodeMinutes";
    AssocGrpNodeRunMin = 91, "AssocGrpNodeRunMinutes";
    AssocMaxNodeMinsPerJob = 92, "AssocMaxNodeMinutesPerJob";
    AssocGrpEnergy = 93, "AssocGrpEnergy";
    AssocGrpEnergyMin = 94, "AssocGrpEnergyMinutes";
    AssocGrpEnergyRunMin = 95, "AssocGrpEnergyRunMinutes";
    AssocMaxEnergyPerJob = 96, "AssocMaxEnergyPerJob";
    AssocMaxEnergyPerNode = 97, "AssocMaxEnergyPerNode";
    AssocMaxEnergyMinsPerJob = 98, "AssocMaxEnergyMinutesPerJob";
    AssocGrpGres = 99, "AssocGrpGRES";
    AssocGrpGresMin = 100, "AssocGrpGRESMinutes";
    AssocGrpGresRunMin = 101, "AssocGrpGRESRunMinutes";
    AssocMaxGresPerJob = 102, "AssocMaxGRESPerJob";
    AssocMaxGresPerNode = 103, "AssocMaxGRESPerNode";
    AssocMaxGresMinsPerJob = 104, "AssocMaxGRESMinutesPerJob";
    AssocGrpLic = 105, "AssocGrpLicense";
    AssocGrpLicMin = 106, "AssocGrpLicenseMinutes";
    AssocGrpLicRunMin = 107, "AssocGrpLicenseRunMinutes";
    AssocMaxLicPerJob = 108, "AssocMaxLicensePerJob";
    AssocMaxLicMinsPerJob = 109, "AssocMaxLicenseMinutesPerJob";
    AssocGrpBb = 110, "AssocGrpBB";
    AssocGrpBbMin = 111, "AssocGrpBBMinutes";
    AssocGrpBbRunMin = 112, "AssocGrpBBRunMinutes";
    AssocMaxBbPerJob = 113, "AssocMaxBBPerJob";
    AssocMaxBbPerNode = 114, "AssocMaxBBPerNode";
    AssocMaxBbMinsPerJob = 115, "AssocMaxBBMinutesPerJob";
    QosGrpUnk = 116, "QOSGrpUnknown";
    QosGrpUnkMin = 117, "QOSGrpUnknownMinutes";
    QosGrpUnkRunMin = 118, "QOSGrpUnknownRunMinutes";
    QosMaxUnkPerJob = 119, "QOSMaxUnknownPerJob";
    QosMaxUnkPerNode = 120, "QOSMaxUnknownPerNode";
    QosMaxUnkPerUser = 121, "QOSMaxUnknownPerUser";
    QosMaxUnkMinsPerJob = 122, "QOSMaxUnknownMinutesPerJob";
    QosMinUnk = 123, "QOSMinUnknown";
    QosMaxCpuPerNode = 124, "QOSMaxCpuPerNode";
    QosGrpMemMin = 125, "QOSGrpMemoryMinutes";
    QosGrpMemRunMin = 126, "QOSGrpMemoryRunMinutes";
    QosMaxMemPerJob = 128, "QOSMaxMemoryPerJob";
    QosMaxMemPerNode = 129, "QOSMaxMemoryPerNode";
    QosMaxMemPerUser = 130, "QOSMaxMemoryPerUser";
    QosMaxMemMinsPerJob = 127, "QOSMaxMemoryMinutesPerJob";
    QosMinMem = 131, "QOSMinMemory";
    QosGrpNodeMin = 140, "QOSGrpNodeMinutes";
    QosGrpNodeRunMin = 141, "QOSGrpNodeRunMinutes";
    QosMaxNodeMinsPerJob = 142, "QOSMaxNodeMinutesPerJob";
    QosMinNode = 143, "QOSMinNode";
    QosGrpEnergy = 132, "QOSGrpEnergy";
    QosGrpEnergyMin = 133, "QOSGrpEnergyMinutes";
    QosGrpEnergyRunMin = 134, "QOSGrpEnergyRunMinutes";
    QosMaxEnergyPerJob = 135, "QOSMaxEnergyPerJob";
    QosMaxEnergyPerNode = 136, "QOSMaxEnergyPerNode";
    QosMaxEnergyPerUser = 137, "QOSMaxEnergyPerUser";
    QosMaxEnergyMinsPerJob = 138, "QOSMaxEnergyMinutesPerJob";
    QosMinEnergy = 139, "QOSMinEnergy";
    QosGrpGres = 144, "QOSGrpGRES";
    QosGrpGresMin = 145, "QOSGrpGRESMinutes";
    QosGrpGresRunMin = 146, "QOSGrpGRESRunMinutes";
    QosMaxGresPerJob = 147, "QOSMaxGRESPerJob";
    QosMaxGresPerNode = 148, "QOSMaxGRESPerNode";
    QosMaxGresPerUser = 149, "QOSMaxGRESPerUser";
    QosMaxGresMinsPerJob = 150, "QOSMaxGRESMinutesPerJob";
    QosMinGres = 151, "QOSMinGRES";
    QosGrpLic = 152, "QOSGrpLicense";
    QosGrpLicMin = 153, "QOSGrpLicenseMinutes";
    QosGrpLicRunMin = 154, "QOSGrpLicenseRunMinutes";
    QosMaxLicPerJob = 155, "QOSMaxLicensePerJob";
    QosMaxLicPerUser = 156, "QOSMaxLicensePerUser";
    QosMaxLicMinsPerJob = 157, "QOSMaxLicenseMinutesPerJob";
    QosMinLic = 158, "QOSMinLicense";
    QosGrpBb = 159, "QOSGrpBB";
    QosGrpBbMin = 160, "QOSGrpBBMinutes";
    QosGrpBbRunMin = 161, "QOSGrpBBRunMinutes";
    QosMaxBbPerJob = 162, "QOSMaxBBPerJob";
    QosMaxBbPerNode = 163, "QOSMaxBBPerNode";
    QosMaxBbPerUser = 164, "QOSMaxBBPerUser";
    QosMaxBbMinsPerJob = 165, "AssocMaxBBMinutesPerJob";
    QosMinBb = 166, "QOSMinBB";
    FailDeadline = 167, "DeadLine";
    QosMaxBbPerAcct = 168, "MaxBBPerAccount";
    QosMaxCpuPerAcct = 169, "MaxCpuPerAccount";
    QosMaxEnergyPerAcct = 170, "MaxEnergyPerAccount";
    QosMaxGresPerAcct = 171, "MaxGRESPerAccount";
    QosMaxNodePerAcct = 172, "MaxNodePerAccount";
    QosMaxLicPerAcct = 173, "MaxLicensePerAccount";
    QosMaxMemPerAcct = 174, "MaxMemoryPerAccount";
    QosMaxUnkPerAcct = 175, "MaxUnknownPerAccount";
    QosMaxJobPerAcct = 176, "MaxJobsPerAccount";
    QosMaxSubJobPerAcct = 177, "MaxSubmitJobsPerAccount";
    PartConfig = 178, "PartitionConfig";
    AccountPolicy = 179, "AccountingPolicy";
    FedJobLock = 180, "FedJobLock";
    FailOom = 181, "OutOfMemory";
    PnMemLimit = 182, "MaxMemPerLimit";
    AssocGrpBilling = 183, "AssocGrpBilling";
    AssocGrpBillingMin = 184, "AssocGrpBillingMinutes";
    AssocGrpBillingRunMin = 185, "AssocGrpBillingRunMinutes";
    AssocMaxBillingPerJob = 186, "AssocMaxBillingPerJob";
    AssocMaxBillingPerNode = 187, "AssocMaxBillingPerNode";
    AssocMaxBillingMinsPerJob = 188, "AssocMaxBillingMinutesPerJob";
    QosGrpBilling = 189, "QOSGrpBilling";
    QosGrpBillingMin = 190, "QOSGrpBillingMinutes";
    QosGrpBillingRunMin = 191, "QOSGrpBillingRunMinutes";
    QosMaxBillingPerJob = 192, "QOSMaxBillingPerJob";
    QosMaxBillingPerNode = 193, "QOSMaxBillingPerNode";
    QosMaxBillingPerUser = 194, "QOSMaxBillingPerUser";
    QosMaxBillingMinsPerJob = 195, "QOSMaxBillingMinutesPerJob";
    QosMaxBillingPerAcct = 196, "MaxBillingPerAccount";
    QosMinBilling = 197, "QOSMinBilling";
    ResvDeleted = 198, "ReservationDeleted";
    ResvInvalid = 199, "ReservationInvalid";
    FailConstraints = 200, "Constraints";
    QosMaxBbRunMinsPerAcct = 201, "MaxBBRunMinsPerAccount";
    QosMaxBillingRunMinsPerAcct = 202, "MaxBillingRunMinsPerAccount";
    QosMaxCpuRunMinsPerAcct = 203, "MaxCpuRunMinsPerAccount";
    QosMaxEnergyRunMinsPerAcct = 204, "MaxEnergyRunMinsPerAccount";
    QosMaxGresRunMinsPerAcct = 205, "MaxGRESRunMinsPerAccount";
    QosMaxNodeRunMinsPerAcct = 206, "MaxNodeRunMinsPerAccount";
    QosMaxLicRunMinsPerAcct = 207, "MaxLicenseRunMinsPerAccount";
    QosMaxMemRunMinsPerAcct = 208, "MaxMemoryRunMinsPerAccount";
    QosMaxUnkRunMinsPerAcct = 209, "MaxUnknownRunMinsPerAccount";
    QosMaxBbRunMinsPerUser = 210, "MaxBBRunMinsPerUser";
    QosMaxBillingRunMinsPerUser = 211, "MaxBillingRunMinsPerUser";
    QosMaxCpuRunMinsPerUser = 212, "MaxCpuRunMinsPerUser";
    QosMaxEnergyRunMinsPerUser = 213, "MaxEnergyRunMinsPerUser";
    QosMaxGresRunMinsPerUser = 214, "MaxGRESRunMinsPerUser";
    QosMaxNodeRunMinsPerUser = 215, "MaxNodeRunMinsPerUser";
    QosMaxLicRunMinsPerUser = 216, "MaxLicenseRunMinsPerUser";
    QosMaxMemRunMinsPerUser = 217, "MaxMemoryRunMinsPerUser";
    QosMaxUnkRunMinsPerUser = 218, "MaxUnknownRunMinsPerUser";
    MaxPoweredNodes = 219, "MaxPoweredUpNodes";
    MpiPortsBusy = 220, "MpiPortsBusy";
}
