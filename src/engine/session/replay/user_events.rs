//! Events that users and administrators caused while a recorded workload ran: jobs cancelled before they started, and
//! nodes set down or drained. The replay repeats them at the same times.

use super::recorded::{RecordedJob, RecordedNodeChange};
use base::ids::{JobId, Uid};
use base::state::JobState;
use base::time::{Span, Time};
use slurmctld::Slurmctld;
use slurmctld::request::{Caller, NodeUpdate, Request, SignalScope, Target};

/// A recorded event.
#[derive(Clone, Debug)]
enum UserEvent {
    /// The job at this index of the trace is cancelled, even if the simulation has started it.
    Cancel(usize),
    /// The state of nodes changes.
    Nodes(RecordedNodeChange),
}

/// The remaining events; the last one is next.
#[derive(Debug, Default)]
pub struct UserEvents(Vec<(Span, UserEvent)>);

impl UserEvents {
    /// The events of a trace, given its jobs in the order of submission and its changes of nodes.
    pub fn new<'j>(
        jobs: impl Iterator<Item = Option<&'j RecordedJob>>,
        changes: Vec<RecordedNodeChange>,
    ) -> Self {
        let mut all: Vec<(Span, UserEvent)> = Vec::new();
        for (index, recorded) in jobs.enumerate() {
            let Some(recorded) = recorded else { continue };
            let never = recorded.runs.is_empty() && recorded.state == JobState::Cancelled;
            if let Some(end) = recorded.end.filter(|_| never) {
                all.push((end, UserEvent::Cancel(index)));
            }
        }
        all.extend(changes.into_iter().map(|change| (change.at, UserEvent::Nodes(change))));
        all.sort_by_key(|(at, _)| *at);
        all.reverse();
        Self(all)
    }

    /// Adds the cancellation of the job at this index of the trace.
    pub(super) fn cancel_at(&mut self, at: Span, index: usize) {
        // The last one is next, and earlier entries of the same time stay first.
        let place = self.0.partition_point(|(other, _)| *other > at);
        self.0.insert(place, (at, UserEvent::Cancel(index)));
    }

    /// When the next event is due.
    pub(super) fn due(&self, start: Time) -> Option<Time> {
        self.0.last().map(|(at, _)| start + *at)
    }

    /// Carries out the next event, and returns the job that it cancelled. `job_of` returns the job id of a job of the trace.
    pub(super) fn apply_next(
        &mut self,
        ctld: &mut Slurmctld,
        now: Time,
        job_of: impl Fn(usize) -> Option<JobId>,
    ) -> Option<JobId> {
        let (_, user_event) = self.0.pop()?;
        let (request, cancelled) = match user_event {
            UserEvent::Cancel(index) => {
                let job = job_of(index)?;
                let target = Target { job, task: None };
                let scope = SignalScope::default();
                (Request::Kill { target, signal: None, scope, many: false }, Some(job))
            }
            UserEvent::Nodes(change) => {
                let reason = Some(change.reason).filter(|r| !r.is_empty());
                let update = NodeUpdate {
                    nodes: change.nodes,
                    state: Some(change.state.to_ascii_lowercase()),
                    reason: reason.or_else(|| Some("recorded".to_owned())),
                    ..NodeUpdate::default()
                };
                (Request::UpdateNode(Box::new(update)), None)
            }
        };
        // Unknown nodes are an error that changes nothing.
        let _ = ctld.request(Caller { uid: Uid(0) }, request, now);
        cancelled
    }
}
