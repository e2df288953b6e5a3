//! What users and administrators did while a recorded workload ran: jobs that were cancelled before they started, and nodes that were
//! down or drained. The replay does the same at the same times.

use super::recorded::{RecordedJob, RecordedNodeChange};
use base::ids::{JobId, Uid};
use base::state::JobState;
use base::time::{Span, Time};
use slurmctld::Slurmctld;
use slurmctld::request::{Caller, NodeUpdate, Request, SignalScope, Target};

/// One of them.
#[derive(Clone, Debug)]
enum Happening {
    /// The job at this place of the trace is cancelled, also if the simulation has started it.
    Cancel(usize),
    /// Nodes change.
    Nodes(RecordedNodeChange),
}

/// Those that are still to come, the next one last.
#[derive(Debug, Default)]
pub struct Happenings(Vec<(Span, Happening)>);

impl Happenings {
    /// Those of a trace: what it says of each job, in the order of submission, and of nodes.
    pub fn new<'j>(
        jobs: impl Iterator<Item = Option<&'j RecordedJob>>,
        changes: Vec<RecordedNodeChange>,
    ) -> Self {
        let mut all: Vec<(Span, Happening)> = Vec::new();
        for (place, recorded) in jobs.enumerate() {
            let Some(recorded) = recorded else { continue };
            let never = recorded.runs.is_empty() && recorded.state == JobState::Cancelled;
            if let Some(end) = recorded.end.filter(|_| never) {
                all.push((end, Happening::Cancel(place)));
            }
        }
        all.extend(changes.into_iter().map(|change| (change.at, Happening::Nodes(change))));
        all.sort_by_key(|(at, _)| *at);
        all.reverse();
        Self(all)
    }

    /// When the next one is due.
    pub(super) fn due(&self, start: Time) -> Option<Time> {
        self.0.last().map(|(at, _)| start + *at)
    }

    /// Does the next one. `job_of` tells the number of a job of the trace.
    pub(super) fn happen(
        &mut self,
        ctld: &mut Slurmctld,
        now: Time,
        job_of: impl Fn(usize) -> Option<JobId>,
    ) {
        let Some((_, happening)) = self.0.pop() else { return };
        let request = match happening {
            Happening::Cancel(place) => {
                let Some(job) = job_of(place) else { return };
                let target = Target { job, task: None };
                Request::Kill { target, signal: None, scope: SignalScope::default(), many: false }
            }
            Happening::Nodes(change) => Request::UpdateNode(Box::new(NodeUpdate {
                nodes: change.nodes,
                state: Some(change.state.to_ascii_lowercase()),
                reason: Some(change.reason).filter(|r| !r.is_empty()).or_else(|| Some("recorded".to_owned())),
                ..NodeUpdate::default()
            })),
        };
        // Nodes that the site does not have are an error, which changes nothing.
        let _ = ctld.request(Caller { uid: Uid(0) }, request, now);
    }
}
