//! Jobs whose wait the simulation does not explain, grouped by likely cause.

use super::CalibratedJob;
use base::time::{Span, Time};
use engine::session::replay::recorded::RecordedNodeChange;

/// A wait is explained if the simulated one differs by at most this many seconds ...
const SECONDS: i64 = 60;
/// ... or by at most this fraction of the recorded one.
const SHARE: f64 = 0.25;
/// Maximum number of listed jobs for each cause.
const LISTED: usize = 10;

/// Why a wait may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WaitCause {
    /// The job asked for a reservation, which is not replayed.
    Reservation,
    /// It was held.
    Hold,
    /// A dependency whose end is not visible in the recorded eligible time.
    Dependency,
    /// It waited for a begin time.
    BeginTime,
    /// It waited for a limit of its association, QOS or partition.
    Limit,
    /// Nodes were down or drained while it waited.
    Nodes,
    /// No recorded fact explains it.
    Unknown,
    /// It waits longer in the simulation: limits, priorities or nodes were different at the time.
    SimulatedLonger,
    /// The simulation refuses it or never starts it.
    NeverSimulated,
}

impl WaitCause {
    /// The cause in words.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Reservation => "a reservation, which is not replayed",
            Self::Hold => "a hold",
            Self::Dependency => "a dependency that is not recorded",
            Self::BeginTime => "a begin time",
            Self::Limit => "a limit",
            Self::Nodes => "a node that was down or drained",
            Self::Unknown => "unknown",
            Self::SimulatedLonger => "the simulated wait is longer",
            Self::NeverSimulated => "never started in the simulation",
        }
    }
}

/// The jobs of one cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CauseGroup {
    /// The cause.
    pub cause: WaitCause,
    /// Number of jobs.
    pub jobs: u64,
    /// Seconds by which recorded and simulated waits differ, in all.
    pub seconds: i64,
    /// The numbers of the first jobs.
    pub first: Vec<u32>,
    /// The controller's message about the first one that it refuses.
    pub message: Option<String>,
}

/// The groups, the most seconds first.
pub fn groups(jobs: &[CalibratedJob], changes: &[RecordedNodeChange], began: Time) -> Vec<CauseGroup> {
    let mut groups: Vec<CauseGroup> = Vec::new();
    for job in jobs {
        let Some(cause) = cause(job, changes, began) else { continue };
        let at = groups.iter().position(|group| group.cause == cause).unwrap_or_else(|| {
            groups.push(CauseGroup { cause, jobs: 0, seconds: 0, first: Vec::new(), message: None });
            groups.len() - 1
        });
        let group = &mut groups[at];
        group.jobs += 1;
        group.seconds += job.simulated_wait().map_or(0, |wait| (wait - job.recorded_wait()).abs());
        if group.first.len() < LISTED {
            group.first.push(job.job);
        }
        if group.message.is_none() {
            group.message.clone_from(&job.refused);
        }
    }
    groups.sort_by_key(|group| (std::cmp::Reverse(group.seconds), group.cause));
    groups
}

fn cause(job: &CalibratedJob, changes: &[RecordedNodeChange], began: Time) -> Option<WaitCause> {
    let Some(simulated) = job.simulated_wait() else { return Some(WaitCause::NeverSimulated) };
    let recorded = job.recorded_wait();
    let difference = recorded - simulated;
    if difference.abs() <= SECONDS || difference.abs() as f64 <= SHARE * recorded as f64 {
        return None;
    }
    if difference < 0 {
        return Some(WaitCause::SimulatedLonger);
    }
    let words: Vec<&str> = job.waited_for.split(',').collect();
    let says = |all: &[&str]| words.iter().any(|word| all.iter().any(|start| word.starts_with(start)));
    let during = |change: &RecordedNodeChange| {
        let at = (began + Span(change.at.0)).secs();
        change.state != "RESUME" && at <= job.recorded && at >= job.eligible - 7 * 86_400
    };
    Some(if says(&["reservation", "Reservation"]) {
        WaitCause::Reservation
    } else if says(&["hold", "JobHeld"]) {
        WaitCause::Hold
    } else if says(&["Assoc", "QOS", "Partition", "MaxMem", "Licenses", "JobArrayTaskLimit"]) {
        WaitCause::Limit
    } else if says(&["dependency", "Dependency"]) {
        WaitCause::Dependency
    } else if says(&["begin", "BeginTime"]) {
        WaitCause::BeginTime
    } else if says(&["ReqNodeNotAvail", "Nodes"]) || changes.iter().any(during) {
        WaitCause::Nodes
    } else {
        WaitCause::Unknown
    })
}
