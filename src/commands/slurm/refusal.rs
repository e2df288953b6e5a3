//! The reason for a refused request, from slurmctld's error number. The page's advice next to the terminal
//! depends on it.

use crate::Cx;
use base::refusal::Refusal;
use slurmctld::error::SlurmError;
use slurmctld::reason::Reason;

/// Records that the command is refused.
pub fn note(cx: &mut Cx, refusal: impl Into<Option<Refusal>>) {
    if let Some(refusal) = refusal.into() {
        cx.kernel.note_refusal(cx.pid, refusal);
    }
}

/// Limits on how many jobs may be submitted.
const SUBMIT_LIMITS: [Reason; 5] = [
    Reason::QosGrpSubJob,
    Reason::QosMaxSubJob,
    Reason::AssocGrpSubJob,
    Reason::AssocMaxSubJob,
    Reason::QosMaxSubJobPerAcct,
];

/// Why a job is refused. Two errors have several causes, which only slurmctld's message distinguishes.
#[must_use]
#[inline(never)] // Deferred (xtask).
pub fn of_job(error: SlurmError, messages: &[String]) -> Option<Refusal> {
    let says = |text: &str| messages.iter().any(|line| line.strip_prefix("error: ") == Some(text));
    Some(match error {
        SlurmError::AccountingPolicy if SUBMIT_LIMITS.iter().any(|limit| says(limit.text())) => {
            Refusal::Submitted
        }
        SlurmError::RequestedNodeConfigUnavailable if says("Memory specification can not be satisfied") => {
            Refusal::Memory
        }
        SlurmError::RequestedNodeConfigUnavailable if says("CPU count per node can not be satisfied") => {
            Refusal::Cpus
        }
        error => of_error(error)?,
    })
}

/// Why something is refused with this error.
#[must_use]
pub const fn of_error(error: SlurmError) -> Option<Refusal> {
    Some(match error {
        SlurmError::InvalidPartitionName
        | SlurmError::DefaultPartitionNotSet
        | SlurmError::PartitionAssoc => Refusal::Partition,
        SlurmError::AccessDenied | SlurmError::UserIdMissing => Refusal::Permission,
        SlurmError::JobMissingRequiredPartitionGroup => Refusal::Group,
        SlurmError::RequestedNodesNotInPartition | SlurmError::InvalidNodeName => Refusal::NodeName,
        SlurmError::TooManyRequestedCpus | SlurmError::InvalidCpuCount => Refusal::Cpus,
        SlurmError::InvalidNodeCount
        | SlurmError::RequestedNodeConfigUnavailable
        | SlurmError::RequestedPartConfigUnavailable
        | SlurmError::RequestedTopoConfigUnavailable
        | SlurmError::TopoNoFit
        | SlurmError::TopoSegmentNoFit
        | SlurmError::TopoReqNodesNoMatchTopo => Refusal::Nodes,
        SlurmError::MaxJobCount => Refusal::Full,
        SlurmError::JobScriptMissing => Refusal::Script,
        SlurmError::NotTopPriority
        | SlurmError::Fragmentation
        | SlurmError::Defer
        | SlurmError::NodesBusy
        | SlurmError::CanNotStartImmediately => Refusal::Busy,
        SlurmError::InvalidJobId | SlurmError::AlreadyDone | SlurmError::JobFinished => Refusal::Job,
        SlurmError::PathnameTooLong
        | SlurmError::BadDist
        | SlurmError::InvalidWckey
        | SlurmError::InvalidTimeValue
        | SlurmError::InvalidTres
        | SlurmError::InvalidNice
        | SlurmError::InvalidMcsLabel => Refusal::Value,
        SlurmError::BadTaskCount | SlurmError::DuplicateGres | SlurmError::InvalidGresType => {
            Refusal::Contradiction
        }
        SlurmError::InvalidFeature
        | SlurmError::InvalidPrefer
        | SlurmError::BatchConstraint
        | SlurmError::InvalidExtra => Refusal::Feature,
        SlurmError::Dependency | SlurmError::CircularDependency => Refusal::Dependency,
        SlurmError::LicensesUnavailable | SlurmError::InvalidLicenses => Refusal::License,
        SlurmError::InvalidTaskMemory => Refusal::Memory,
        SlurmError::InvalidAccount => Refusal::Account,
        SlurmError::AccountingPolicy => Refusal::Limit,
        SlurmError::QosThres => Refusal::Spent,
        SlurmError::InvalidTimeLimit | SlurmError::InvalidTimeMinLimit => Refusal::Time,
        SlurmError::ReservationAccess | SlurmError::ReservationInvalid => Refusal::Reservation,
        SlurmError::NodeNotAvail | SlurmError::TopoReqNodesNotAvail => Refusal::NodeAway,
        SlurmError::PartitionNotAvail | SlurmError::PartitionDown | SlurmError::SubmissionsDisabled => {
            Refusal::PartitionDown
        }
        SlurmError::InvalidQos => Refusal::Qos,
        SlurmError::InvalidGres | SlurmError::InsufficientGres => Refusal::Gres,
        SlurmError::InvalidArray => Refusal::Array,
        SlurmError::CtldCommunicationsConnectionError
        | SlurmError::CtldCommunicationsSendError
        | SlurmError::CtldCommunicationsReceiveError
        | SlurmError::CtldCommunicationsShutdownError
        | SlurmError::CtldCommunicationsBackoff
        | SlurmError::CtldCommunicationsHardDrop => Refusal::Controller,
        _ => return None,
    })
}
