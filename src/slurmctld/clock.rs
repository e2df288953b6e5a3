//! When the controller's loops run.
//!
//! Recorded of 26.05.3: a background loop ticks once a second. A scheduling pass that somebody wants (a
//! submission, a completion, a release) runs at the first tick at which `batch_sched_delay` (3 s) has gone by since
//! the pass before; a full pass runs every `sched_interval` (60 s); backfill every `bf_interval` (30 s); time limits
//! are looked at every 30 s. None of them is in the queue of events while nothing could come of it.

use super::Slurmctld;
use super::sched;
use crate::base::time::{SECOND, Span, Time};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Time limits are checked this often, seconds.
const LIMIT_PERIOD: i64 = 30;

/// What the daemon needs to read its state before it works out priorities for the first time.
const START: Span = Span::from_millis(500);

/// The loops' memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Clock {
    boot: Time,
    last_sched: Time,
    last_full: Time,
    last_backfill: Time,
    last_limits: Time,
    /// Since when a pass is wanted.
    wanted: Option<Time>,
    /// A job went back to the queue at this moment: the pass for that does not wait for the background loop.
    urgent: Option<Time>,
    /// Something happened since the last backfill pass; without that there is none.
    changed: bool,
    last_change: Time,
    /// `batch_sched_delay`, `sched_interval`, `bf_interval`, seconds.
    batch_delay: i64,
    sched_interval: i64,
    bf_interval: i64,
}

impl Clock {
    pub(super) fn new(parameters: &BTreeMap<String, String>, now: Time) -> Self {
        let get =
            |name: &str, default: i64| parameters.get(name).and_then(|t| t.parse().ok()).unwrap_or(default);
        Self {
            batch_delay: get("batch_sched_delay", 3).clamp(0, 3600),
            sched_interval: get("sched_interval", 60).min(86_400),
            bf_interval: get("bf_interval", 30).clamp(1, 10_800),
            boot: now,
            last_sched: now,
            last_full: now,
            last_backfill: now,
            last_limits: now,
            wanted: None,
            urgent: None,
            changed: false,
            last_change: now,
        }
    }

    /// Other periods from now on.
    pub(super) fn tune(&mut self, parameters: &BTreeMap<String, String>) {
        let fresh = Self::new(parameters, self.boot);
        (self.batch_delay, self.sched_interval, self.bf_interval) =
            (fresh.batch_delay, fresh.sched_interval, fresh.bf_interval);
    }

    /// A pass should come soon.
    pub(super) fn want_schedule(&mut self, now: Time) {
        self.wanted.get_or_insert(now);
        self.note_change(now);
    }

    /// A job was requeued: recordings show a pass at once.
    pub(super) fn schedule_at_once(&mut self, now: Time) {
        self.urgent.get_or_insert(now);
        self.changed = true;
    }

    /// Somebody asked for something: the next full pass is no repetition.
    pub(super) fn note_request(&mut self, now: Time) {
        self.last_change = now;
    }

    /// What runs has changed; no pass of the main loop is wanted for that.
    pub(super) fn note_change(&mut self, now: Time) {
        self.changed = true;
        self.last_change = now;
    }

    /// When something last happened.
    pub(super) const fn last_change(&self) -> Time {
        self.last_change
    }

    /// The first tick of the background loop at or after `t`.
    fn tick(&self, t: Time) -> Time {
        let since = (t - self.boot).0.max(0);
        self.boot + Span((since + SECOND - 1).div_euclid(SECOND) * SECOND)
    }

    /// The next point of a loop of `period` seconds that last ran at `last`. Points that went by while nothing could
    /// come of them are skipped.
    fn next_point(&self, last: Time, period: i64, now: Time) -> Time {
        let step = period * SECOND;
        let grid = self.boot + Span(((now - self.boot).0.max(0) + step - 1).div_euclid(step) * step);
        grid.max(last + Span(1))
    }
}

impl Slurmctld {
    fn pass_due(&self) -> Option<Time> {
        let wanted = self.clock.wanted?;
        let delay = self.clock.batch_delay;
        Some(self.clock.tick((self.clock.last_sched + Span::from_secs(delay)).max(wanted + Span(1))))
    }

    /// Points at which nothing could be decided otherwise than at the last one are skipped.
    fn full_due(&self, now: Time) -> Option<Time> {
        let interval =
            Some(self.clock.sched_interval).filter(|i| *i > 0 && !self.index.pending.is_empty())?;
        let news = self.clock.last_change >= self.clock.last_full;
        let first = [self.index.waiting.next_due(), self.index.ripe.first().copied()];
        let from = if news { now } else { first.into_iter().flatten().min()?.max(now) };
        Some(self.clock.next_point(self.clock.last_full, interval, from))
    }

    fn backfill_due(&self, now: Time) -> Option<Time> {
        let wanted = self.clock.changed && self.cluster.global.scheduler_backfill;
        (wanted && !self.index.pending.is_empty())
            .then(|| self.clock.next_point(self.clock.last_backfill, self.clock.bf_interval, now))
    }

    fn limits_due(&self, now: Time) -> Option<Time> {
        let booting = self.index.configuring.first().map(|_| now);
        let first = booting.or(self.index.limits.first().map(|l| l.0))?;
        Some(self.clock.next_point(self.clock.last_limits, LIMIT_PERIOD, now.max(first)))
    }

    /// The first pass comes as soon as the daemon is up, the others every `PriorityCalcPeriod`.
    fn priority_due(&self, now: Time) -> Option<Time> {
        let period = self.cluster.global.priority.calc_period;
        self.priorities_move().then(|| match self.priority.last() {
            None => self.clock.boot + START,
            Some(last) => self.clock.next_point(last, period.into(), now),
        })
    }

    fn slice_due(&self, now: Time) -> Option<Time> {
        self.gang.shares().then(|| self.gang.next_slice.max(now))
    }

    /// When, from `now` on, [`Slurmctld::timer`] wants to be called next; none: not before a request comes.
    #[must_use]
    pub fn next_due(&self, now: Time) -> Option<Time> {
        [
            self.clock.urgent,
            self.pass_due(),
            self.full_due(now),
            self.backfill_due(now),
            self.limits_due(now),
            self.priority_due(now),
            self.slice_due(now),
            self.index.ended.first().map(|e| e.0),
            self.next_node_event(),
            self.next_reservation_event(now),
            self.cron_due(now),
        ]
        .into_iter()
        .flatten()
        .min()
        .map(|t| t.max(now))
    }

    /// `LastSchedEval` at `now`: passes look at whoever waits, also where nothing changes.
    #[must_use]
    pub fn last_sched_eval(&self, job: &super::job::Job, now: Time) -> Option<Time> {
        if !job.queued() {
            return job.last_sched;
        }
        let behind = job.reason == super::reason::Reason::Priority;
        let pass = Some(self.clock.last_sched).filter(|_| behind);
        let step = self.clock.sched_interval * SECOND;
        let full = (step > 0).then(|| self.boot + Span((now - self.boot).0.max(0).div_euclid(step) * step));
        job.last_sched.max(pass.max(full).filter(|at| *at > job.submit))
    }

    /// Whether a full pass and a backfill pass have looked at what waits since anything changed: nothing more will come
    /// of itself but begin times.
    #[must_use]
    pub fn idle_since(&self, now: Time) -> bool {
        let clock = &self.clock;
        let begins = self.pending_jobs().any(|j| j.begin.is_some_and(|b| b > now));
        let filled = !clock.changed || !self.cluster.global.scheduler_backfill;
        clock.wanted.is_none() && filled && clock.last_full > clock.last_change && !begins
    }

    /// Its own clock: scheduling, time limits, node time-outs, forgetting. Does everything that is due at `now`.
    pub fn timer(&mut self, now: Time) {
        self.wake();
        self.live.moment = now;
        self.node_events(now);
        self.reservation_events(now);
        self.cron(now);
        if self.limits_due(now).is_some_and(|t| t <= now) {
            self.clock.last_limits = now;
            self.check_limits(now);
        }
        if self.priority_due(now).is_some_and(|t| t <= now) {
            self.priority_period(now);
            self.end_overrun(now);
        }
        if self.clock.urgent.take_if(|t| *t <= now).is_some() {
            sched::main::pass(self, self.live.knobs.default_queue_depth, now);
        }
        if self.slice_due(now).is_some_and(|t| t <= now) {
            self.next_slice(now);
        }
        if self.pass_due().is_some_and(|t| t <= now) {
            self.clock.wanted = None;
            self.clock.last_sched = now;
            sched::main::pass(self, self.live.knobs.default_queue_depth, now);
        }
        if self.full_due(now).is_some_and(|t| t <= now) {
            self.clock.last_full = now;
            while self.index.ripe.first().is_some_and(|t| *t <= now) {
                self.index.ripe.pop_first();
            }
            sched::main::pass(self, usize::MAX, now);
        }
        if self.backfill_due(now).is_some_and(|t| t <= now) {
            self.clock.last_backfill = now;
            self.clock.changed = false;
            sched::backfill::pass(self, now);
        }
        while let Some(&(at, id)) = self.index.ended.first() {
            if at > now {
                break;
            }
            self.index.ended.pop_first();
            self.forget_job(id);
        }
    }
}
