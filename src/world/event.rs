//! The event queue: by time, then in the order in which things were asked for.

use crate::base::ids::{JobId, NodeId, Pid};
use crate::base::time::Time;
use crate::slurmctld::request::{BatchEnd, Switch};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is due at a moment, besides slurmctld's own clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Event {
    /// A process waits no longer.
    Wake { pid: Pid, ticket: u32 },
    /// slurmd starts a batch script.
    Launch(JobId),
    /// A script that has begun is stopped if its job is suspended.
    Still(JobId),
    /// slurmstepd reports a batch script's end.
    BatchDone(JobId, BatchEnd),
    /// KillWait is over.
    Kill(JobId),
    /// A node has cleaned up after a job.
    Epilog(JobId, NodeId),
    /// Looks at what a process uses of the login node.
    Guard(Pid),
    /// A minute of other people's work begins.
    Minute,
    /// One of them submits something of this kind: the `nth` of its minute.
    Arrival { kind: u32, nth: u32 },
    /// A site's program that switches nodes is due.
    Power(Switch, Vec<NodeId>),
    /// A node that restarted is up.
    NodeBack(NodeId),
    /// The provider looks which machines it takes back in the next minute.
    Provider,
    /// It tells one of them.
    Notice(NodeId),
    /// A machine is gone.
    Gone(NodeId),
}

/// Events to come.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Queue {
    events: BTreeMap<(Time, u64), Event>,
    next: u64,
}

impl Queue {
    pub fn push(&mut self, at: Time, event: Event) {
        self.events.insert((at, self.next), event);
        self.next += 1;
    }

    pub fn next_time(&self) -> Option<Time> {
        self.events.first_key_value().map(|(key, _)| key.0)
    }

    pub fn pop(&mut self) -> Option<Event> {
        self.events.pop_first().map(|(_, event)| event)
    }
}
