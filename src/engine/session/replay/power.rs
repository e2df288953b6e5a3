//! Measures how long a replay's nodes were powered up. Without power saving, all nodes always are.

use base::time::Time;
use slurmctld::Slurmctld;

/// Total time of powered-up nodes.
pub(super) struct PoweredNodes {
    since: Time,
    nodes: u64,
    /// Node-seconds up to `since`.
    seconds: u64,
}

impl PoweredNodes {
    pub(super) fn new(ctld: &Slurmctld, now: Time) -> Self {
        Self { since: now, nodes: powered(ctld), seconds: 0 }
    }

    /// Counts up to this time, at which nodes were powered up or down.
    pub(super) fn count(&mut self, ctld: &Slurmctld, at: Time) {
        self.seconds = self.until(at);
        (self.since, self.nodes) = (self.since.max(at), powered(ctld));
    }

    /// Node-seconds up to a time.
    pub(super) fn until(&self, at: Time) -> u64 {
        self.seconds + self.nodes * u64::try_from((at - self.since).secs()).unwrap_or(0)
    }
}

fn powered(ctld: &Slurmctld) -> u64 {
    ctld.nodes.iter().filter(|n| !n.gone && !n.flags.powered_down && !n.flags.powering_down).count() as u64
}
