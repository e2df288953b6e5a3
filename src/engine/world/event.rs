//! The event queue, ordered by time and then by sequence number.

use base::ids::{JobId, NodeId, Pid};
use base::time::Time;
use serde::{Deserialize, Serialize};
use slurmctld::request::{BatchEnd, Switch};
use std::collections::BTreeMap;

/// Events of the world, other than slurmctld's timers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum WorldEvent {
    /// A process stops waiting.
    Wake { pid: Pid, ticket: u32 },
    /// slurmd starts a batch script.
    Launch(JobId),
    /// Stops a script that has just begun if its job is suspended.
    Still(JobId),
    /// slurmstepd reports the end of a batch script.
    BatchDone(JobId, BatchEnd),
    /// KillWait has passed.
    Kill(JobId),
    /// A node has cleaned up after a job.
    Epilog(JobId, NodeId),
    /// Checks a process against the limits of the login node.
    Guard(Pid),
    /// A minute of background jobs begins.
    Minute,
    /// A background job of this stream arrives: the `nth` of its minute.
    Arrival { kind: u32, nth: u32 },
    /// A program of the site that powers nodes up or down is due.
    Power(Switch, Vec<NodeId>),
    /// A restarted node has booted.
    NodeBack(NodeId),
    /// The provider chooses the machines to take back in the next minute.
    Provider,
    /// The provider gives notice to a machine.
    Notice(NodeId),
    /// The provider has taken a machine back.
    Gone(NodeId),
    /// The first moment of a world with background jobs: the jobs before it have left no usage but the site's.
    Opening,
}

/// Scheduled events.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct EventQueue {
    events: BTreeMap<(Time, u64), WorldEvent>,
    next: u64,
}

impl EventQueue {
    pub fn push(&mut self, at: Time, event: WorldEvent) {
        self.events.insert((at, self.next), event);
        self.next += 1;
    }

    /// The scheduled events, in order.
    pub fn iter(&self) -> impl Iterator<Item = &WorldEvent> {
        self.events.values()
    }

    pub fn next_time(&self) -> Option<Time> {
        self.events.first_key_value().map(|(key, _)| key.0)
    }

    pub fn pop(&mut self) -> Option<WorldEvent> {
        self.events.pop_first().map(|(_, event)| event)
    }
}
