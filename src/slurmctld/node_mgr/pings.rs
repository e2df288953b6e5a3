//! When slurmctld notices that a node is silent. Mirrors SlurmdTimeout and MessageTimeout of slurm.conf(5).
//!
//! Nodes are pinged every third of `SlurmdTimeout`, except those that were heard from since the previous ping. A ping
//! waits ten seconds for an answer, and no other ping goes out meanwhile; without an answer the node shows as not
//! responding (`*`). The node is down at the first ping for which the previous one was at least `SlurmdTimeout` after
//! the node was last heard from.
//!
//! This was observed on 22.05. The seconds at which pings fall differ each time.

use base::time::{SECOND, Span, Time};

/// From slurmctld's start to its first ping.
const FIRST: Span = Span::from_millis(1300);
/// How long a ping waits for an answer.
const TRIED: Span = Span::from_secs(10);
/// Time between two pings if one waits for an answer.
const SLOWED: Span = Span::from_millis(10_500);
/// The period where `SlurmdTimeout` is 0.
const ENDLESS: i64 = 100;

/// The consequences of a slurmd that stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Silence {
    /// When it shows as not responding.
    pub noticed: Time,
    /// When it is down. Never if `SlurmdTimeout` is 0.
    pub down: Option<Time>,
}

/// When slurmctld notices a node that was last heard from at `heard` and stopped at `stopped`. `timeout` is in seconds.
pub(crate) fn silence(boot: Time, heard: Time, stopped: Time, timeout: u32) -> Silence {
    let period = Span(if timeout == 0 { ENDLESS } else { i64::from(timeout / 3).max(1) } * SECOND);
    let first = boot + FIRST;
    let after = |t: Time| {
        let behind = (t - first).0;
        if behind < 0 { first } else { first + Span((behind / period.0 + 1) * period.0) }
    };
    // Every other ping goes to a node that nothing else is heard from.
    let mut heard = heard;
    let next = after(heard + period);
    if next < stopped {
        let times = (stopped - next).0 / (2 * period.0);
        heard = next + Span(times * 2 * period.0);
    }
    let missed = after((heard + period).max(stopped));
    let pace = Span(period.0.max(SLOWED.0));
    let patience = Span(i64::from(timeout) * SECOND);
    let enough = (heard + patience - missed).0.max(0);
    let rounds = enough.div_euclid(pace.0) + i64::from(enough % pace.0 > 0) + 1;
    let down = (timeout > 0).then(|| missed + Span(rounds * pace.0));
    Silence { noticed: missed + TRIED, down }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Time {
        Time(0) + Span(seconds * SECOND)
    }

    #[test]
    fn silence_shows_as_recorded() {
        // Jobs began there a second before. `SlurmdTimeout=20`.
        let silence = silence(at(0) - Span::from_millis(300), at(3), at(4), 20);
        assert_eq!((silence.noticed, silence.down), (at(23), Some(at(34))));
    }

    #[test]
    fn the_last_response_of_a_node_without_jobs_is_a_ping() {
        let boot = at(0) - Span::from_millis(1500);
        let idle = silence(boot, boot, at(100), 20);
        assert!(idle.noticed > at(110) && idle.noticed <= at(123), "{idle:?}");
        assert!(idle.down.is_some_and(|down| down > at(119) && down <= at(145)), "{idle:?}");
        assert_eq!(silence(boot, boot, at(100), 0).down, None, "no time-out");
    }
}
