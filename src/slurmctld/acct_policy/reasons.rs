//! Tables of the reason for each limit.

use crate::state::reason::Reason::{self, *};
use slurmdbd::{CountLimit, TresLimit};

/// The reasons of one limit on TRES, in this order: `cpu`, `mem`, `node`, `billing`, `energy`, `gres/`, `license/`,
/// `bb/`, any other.
type TresReasons = [Reason; 9];

const ASSOC: &[(TresLimit, TresReasons)] = &[
    (
        TresLimit::GrpTres,
        [
            AssocGrpCpu,
            AssocGrpMem,
            AssocGrpNode,
            AssocGrpBilling,
            AssocGrpEnergy,
            AssocGrpGres,
            AssocGrpLic,
            AssocGrpBb,
            AssocGrpUnk,
        ],
    ),
    (
        TresLimit::GrpTresMins,
        [
            AssocGrpCpuMin,
            AssocGrpMemMin,
            AssocGrpNodeMin,
            AssocGrpBillingMin,
            AssocGrpEnergyMin,
            AssocGrpGresMin,
            AssocGrpLicMin,
            AssocGrpBbMin,
            AssocGrpUnkMin,
        ],
    ),
    (
        TresLimit::GrpTresRunMins,
        [
            AssocGrpCpuRunMin,
            AssocGrpMemRunMin,
            AssocGrpNodeRunMin,
            AssocGrpBillingRunMin,
            AssocGrpEnergyRunMin,
            AssocGrpGresRunMin,
            AssocGrpLicRunMin,
            AssocGrpBbRunMin,
            AssocGrpUnkRunMin,
        ],
    ),
    (
        TresLimit::MaxTres,
        [
            AssocMaxCpuPerJob,
            AssocMaxMemPerJob,
            AssocMaxNodePerJob,
            AssocMaxBillingPerJob,
            AssocMaxEnergyPerJob,
            AssocMaxGresPerJob,
            AssocMaxLicPerJob,
            AssocMaxBbPerJob,
            AssocMaxUnkPerJob,
        ],
    ),
    (
        TresLimit::MaxTresPerNode,
        [
            AssocMaxCpuPerNode,
            AssocMaxMemPerNode,
            AssocMaxUnkPerNode,
            AssocMaxBillingPerNode,
            AssocMaxEnergyPerNode,
            AssocMaxGresPerNode,
            AssocMaxUnkPerNode,
            AssocMaxBbPerNode,
            AssocMaxUnkPerNode,
        ],
    ),
    (
        TresLimit::MaxTresMins,
        [
            AssocMaxCpuMinsPerJob,
            AssocMaxMemMinsPerJob,
            AssocMaxNodeMinsPerJob,
            AssocMaxBillingMinsPerJob,
            AssocMaxEnergyMinsPerJob,
            AssocMaxGresMinsPerJob,
            AssocMaxLicMinsPerJob,
            AssocMaxBbMinsPerJob,
            AssocMaxUnkMinsPerJob,
        ],
    ),
];

const QOS: &[(TresLimit, TresReasons)] = &[
    (
        TresLimit::GrpTres,
        [
            QosGrpCpu,
            QosGrpMem,
            QosGrpNode,
            QosGrpBilling,
            QosGrpEnergy,
            QosGrpGres,
            QosGrpLic,
            QosGrpBb,
            QosGrpUnk,
        ],
    ),
    (
        TresLimit::GrpTresMins,
        [
            QosGrpCpuMin,
            QosGrpMemMin,
            QosGrpNodeMin,
            QosGrpBillingMin,
            QosGrpEnergyMin,
            QosGrpGresMin,
            QosGrpLicMin,
            QosGrpBbMin,
            QosGrpUnkMin,
        ],
    ),
    (
        TresLimit::GrpTresRunMins,
        [
            QosGrpCpuRunMin,
            QosGrpMemRunMin,
            QosGrpNodeRunMin,
            QosGrpBillingRunMin,
            QosGrpEnergyRunMin,
            QosGrpGresRunMin,
            QosGrpLicRunMin,
            QosGrpBbRunMin,
            QosGrpUnkRunMin,
        ],
    ),
    (
        TresLimit::MaxTres,
        [
            QosMaxCpuPerJob,
            QosMaxMemPerJob,
            QosMaxNodePerJob,
            QosMaxBillingPerJob,
            QosMaxEnergyPerJob,
            QosMaxGresPerJob,
            QosMaxLicPerJob,
            QosMaxBbPerJob,
            QosMaxUnkPerJob,
        ],
    ),
    (
        TresLimit::MaxTresPerNode,
        [
            QosMaxCpuPerNode,
            QosMaxMemPerNode,
            QosMaxUnkPerNode,
            QosMaxBillingPerNode,
            QosMaxEnergyPerNode,
            QosMaxGresPerNode,
            QosMaxUnkPerNode,
            QosMaxBbPerNode,
            QosMaxUnkPerNode,
        ],
    ),
    (
        TresLimit::MaxTresMins,
        [
            QosMaxCpuMinsPerJob,
            QosMaxMemMinsPerJob,
            QosMaxNodeMinsPerJob,
            QosMaxBillingMinsPerJob,
            QosMaxEnergyMinsPerJob,
            QosMaxGresMinsPerJob,
            QosMaxLicMinsPerJob,
            QosMaxBbMinsPerJob,
            QosMaxUnkMinsPerJob,
        ],
    ),
    (
        TresLimit::MaxTresPerUser,
        [
            QosMaxCpuPerUser,
            QosMaxMemPerUser,
            QosMaxNodePerUser,
            QosMaxBillingPerUser,
            QosMaxEnergyPerUser,
            QosMaxGresPerUser,
            QosMaxLicPerUser,
            QosMaxBbPerUser,
            QosMaxUnkPerUser,
        ],
    ),
    (
        TresLimit::MaxTresPerAccount,
        [
            QosMaxCpuPerAcct,
            QosMaxMemPerAcct,
            QosMaxNodePerAcct,
            QosMaxBillingPerAcct,
            QosMaxEnergyPerAcct,
            QosMaxGresPerAcct,
            QosMaxLicPerAcct,
            QosMaxBbPerAcct,
            QosMaxUnkPerAcct,
        ],
    ),
    (
        TresLimit::MaxTresRunMinsPerUser,
        [
            QosMaxCpuRunMinsPerUser,
            QosMaxMemRunMinsPerUser,
            QosMaxNodeRunMinsPerUser,
            QosMaxBillingRunMinsPerUser,
            QosMaxEnergyRunMinsPerUser,
            QosMaxGresRunMinsPerUser,
            QosMaxLicRunMinsPerUser,
            QosMaxBbRunMinsPerUser,
            QosMaxUnkRunMinsPerUser,
        ],
    ),
    (
        TresLimit::MaxTresRunMinsPerAccount,
        [
            QosMaxCpuRunMinsPerAcct,
            QosMaxMemRunMinsPerAcct,
            QosMaxNodeRunMinsPerAcct,
            QosMaxBillingRunMinsPerAcct,
            QosMaxEnergyRunMinsPerAcct,
            QosMaxGresRunMinsPerAcct,
            QosMaxLicRunMinsPerAcct,
            QosMaxBbRunMinsPerAcct,
            QosMaxUnkRunMinsPerAcct,
        ],
    ),
    (
        TresLimit::MinTres,
        [
            QosMinCpu,
            QosMinMem,
            QosMinNode,
            QosMinBilling,
            QosMinEnergy,
            QosMinGres,
            QosMinLic,
            QosMinBb,
            QosMinUnk,
        ],
    ),
];

/// The index of a TRES in [`TresReasons`].
fn column(tres: &str) -> usize {
    const PLAIN: [&str; 5] = ["cpu", "mem", "node", "billing", "energy"];
    const KINDS: [&str; 3] = ["gres/", "license/", "bb/"];
    let plain = PLAIN.iter().position(|n| *n == tres);
    plain.or_else(|| KINDS.iter().position(|k| tres.starts_with(k)).map(|i| i + 5)).unwrap_or(8)
}

/// The reason for a TRES limit of a QOS or an association.
pub(super) fn of_tres(limit: TresLimit, of_qos: bool, tres: &str) -> Reason {
    let table = if of_qos { QOS } else { ASSOC };
    table.iter().find(|row| row.0 == limit).map_or(AccountPolicy, |row| row.1[column(tres)])
}

/// The reason for a job count limit of a QOS or an association.
pub(super) const fn of_count(limit: CountLimit, of_qos: bool) -> Reason {
    match (limit, of_qos) {
        (CountLimit::GrpJobs, true) => QosGrpJob,
        (CountLimit::GrpJobs, false) => AssocGrpJob,
        (CountLimit::GrpSubmitJobs, true) => QosGrpSubJob,
        (CountLimit::GrpSubmitJobs, false) => AssocGrpSubJob,
        (CountLimit::MaxJobs, true) => QosMaxJobPerUser,
        (CountLimit::MaxJobs, false) => AssocMaxJobs,
        (CountLimit::MaxSubmitJobs, true) => QosMaxSubJob,
        (CountLimit::MaxSubmitJobs, false) => AssocMaxSubJob,
        (CountLimit::MaxJobsPerAccount, _) => QosMaxJobPerAcct,
        (CountLimit::MaxSubmitJobsPerAccount, _) => QosMaxSubJobPerAcct,
        // These stop a job from accruing age, never from starting.
        (CountLimit::GrpJobsAccrue | CountLimit::MaxJobsAccrue | CountLimit::MaxJobsAccruePerAccount, _) => {
            Reason::None
        }
    }
}
