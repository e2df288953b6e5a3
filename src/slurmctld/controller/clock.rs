//! The times at which the controller's loops run.
//!
//! Recorded from 26.05.3: a background loop ticks once a second. A scheduling pass requested by an event (a submission,
//! a completion, a release) runs at the first tick that is at least `batch_sched_delay` (3 s) after the previous pass.
//! A full pass runs every `sched_interval` (60 s), and time limits are checked every 30 s. Backfill is a loop of its
//! own: it sleeps for `bf_interval` (30 s), then checks once a second whether jobs, nodes or partitions have changed
//! since its last pass. Resumed nodes are pinged at once and again after a third of `SlurmdTimeout`; their second
//! answer counts as a change.
//!
//! A loop that has nothing to do is not in the event queue.

use super::pass_queue::PassQueue;
use crate::Slurmctld;
use crate::state::job::{Job, JobState};
use base::time::{SECOND, Span, Time, earlier, grid};
use config::parameters::number;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Time limits are checked this often, seconds.
const LIMIT_PERIOD: i64 = 30;

/// Ended jobs are forgotten this often, seconds.
const PURGE_PERIOD: i64 = 60;

/// Time that slurmctld takes to read its state before it first computes priorities.
const START: Span = Span::from_millis(200);

/// The state of the loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Clock {
    boot: Time,
    pub(crate) last_sched: Time,
    pub(crate) last_full: Time,
    last_backfill: Time,
    last_limits: Time,
    /// When nodes were last pinged out of turn.
    last_ping: Option<Time>,
    /// When a scheduling pass was first requested.
    pub(crate) wanted: Option<Time>,
    /// When a job last went back to the queue. The pass for it does not wait for the background loop.
    pub(crate) urgent: Option<Time>,
    /// The first change since the last backfill pass. Without one, backfill does not run.
    changed: Option<Time>,
    /// The last change.
    changed_last: Time,
    last_change: Time,
    /// `batch_sched_delay`, `sched_interval`, `bf_interval`, seconds.
    batch_delay: i64,
    sched_interval: i64,
    bf_interval: i64,
}

impl Clock {
    pub(crate) fn new(parameters: &BTreeMap<String, String>, now: Time) -> Self {
        let get = |name: &str, default: i64| number(parameters, name).unwrap_or(default);
        Self {
            batch_delay: get("batch_sched_delay", 3),
            sched_interval: get("sched_interval", 60),
            bf_interval: get("bf_interval", 30),
            boot: now,
            last_sched: now,
            last_full: now,
            last_backfill: now,
            last_limits: now,
            last_ping: None,
            wanted: None,
            urgent: None,
            changed: None,
            changed_last: now,
            last_change: now,
        }
    }

    /// Takes over changed periods.
    pub(crate) fn tune(&mut self, parameters: &BTreeMap<String, String>) {
        let fresh = Self::new(parameters, self.boot);
        (self.batch_delay, self.sched_interval, self.bf_interval) =
            (fresh.batch_delay, fresh.sched_interval, fresh.bf_interval);
    }

    /// Requests a scheduling pass.
    pub(crate) fn want_schedule(&mut self, now: Time) {
        self.wanted.get_or_insert(now);
        self.note_change(now);
    }

    /// Requests a pass at once after a killed job has left its nodes, as recorded.
    pub(crate) fn schedule_at_once(&mut self, now: Time) {
        self.urgent = self.urgent.max(Some(now));
        self.change(now);
    }

    /// Notes a change for backfill.
    fn change(&mut self, now: Time) {
        *self = self.caught_up(now);
        self.changed.get_or_insert(now);
        self.changed_last = now;
    }

    /// When backfill next checks for changes and sees this one.
    fn seen(&self) -> Option<Time> {
        let next_look = self.last_backfill + Span::from_secs(self.bf_interval);
        Some(grid(next_look, Span(SECOND), self.changed?))
    }

    /// Notes a backfill pass at `at`. Times are compared in whole seconds, so a change within the same second counts
    /// again.
    pub(crate) fn note_backfill(&mut self, at: Time) {
        self.last_backfill = at;
        self.changed =
            Some(self.changed_last).filter(|last| last.secs() >= at.secs()).map(|last| last.max(at));
    }

    /// The clock after the passes until `now` that would have found an empty queue. They did not run, but the next pass
    /// comes no earlier because of that.
    fn caught_up(&self, now: Time) -> Self {
        let mut clock = *self;
        for _ in 0..2 {
            let Some(at) = clock.seen().filter(|at| *at < now) else { break };
            clock.note_backfill(at);
        }
        clock
    }

    /// Notes that nodes were pinged out of turn.
    pub(crate) fn note_ping(&mut self, now: Time) {
        self.last_ping = Some(now);
    }

    /// Notes a request, after which the next full pass may decide something new.
    pub(crate) fn note_request(&mut self, now: Time) {
        self.last_change = now;
    }

    /// Notes a change of running jobs. It requests no main pass.
    pub(crate) fn note_change(&mut self, now: Time) {
        self.change(now);
        self.last_change = now;
    }

    /// When anything last happened.
    pub(crate) const fn last_change(&self) -> Time {
        self.last_change
    }

    /// The first tick of the background loop at or after `t`.
    fn tick(&self, t: Time) -> Time {
        let since = (t - self.boot).0.max(0);
        self.boot + Span((since + SECOND - 1).div_euclid(SECOND) * SECOND)
    }

    /// The next point of a loop of `period` seconds that last ran at `last`. Points in the past at which the loop had
    /// nothing to do are skipped.
    fn next_point(&self, last: Time, period: i64, now: Time) -> Time {
        let step = period * SECOND;
        let grid = self.boot + Span(((now - self.boot).0.max(0) + step - 1).div_euclid(step) * step);
        grid.max(last + Span(1))
    }
}

impl Slurmctld {
    pub(crate) fn pass_due(&self) -> Option<Time> {
        let wanted = self.clock.wanted?;
        let delay = self.clock.batch_delay;
        Some(self.clock.tick((self.clock.last_sched + Span::from_secs(delay)).max(wanted + Span(1))))
    }

    /// The next full pass. Points at which it could decide nothing new are skipped.
    pub(crate) fn full_due(&self, now: Time) -> Option<Time> {
        let interval =
            Some(self.clock.sched_interval).filter(|i| *i > 0 && !self.jobs.index().pending.is_empty())?;
        let news = self.clock.last_change >= self.clock.last_full;
        let from = if news { now } else { self.next_wait_over()?.max(now) };
        Some(self.clock.next_point(self.clock.last_full, interval, from))
    }

    pub(crate) fn backfill_due(&self, now: Time) -> Option<Time> {
        if !self.cluster.global.scheduler_backfill || self.jobs.index().pending.is_empty() {
            return None;
        }
        let clock = self.clock.caught_up(now);
        let next_look = clock.last_backfill + Span::from_secs(clock.bf_interval);
        let due = clock.seen().or_else(|| {
            Some(grid(next_look, Span(SECOND), self.pinged_pass(self.next_wait_over()?)?.max(now)))
        })?;
        Some(
            self.completing_until()
                .filter(|until| *until > due)
                .map_or(due, |t| grid(next_look, Span(SECOND), t)),
        )
    }

    /// When the next begin time, exempt time or similar wait is over.
    fn next_wait_over(&self) -> Option<Time> {
        earlier(self.jobs.next_review(), self.recheck_at.first().copied())
    }

    /// The first backfill pass from `t` on that follows from the second ping of resumed nodes, if nothing else changes.
    /// There are two: one at the ping and, since the ping falls into the same second, one more.
    fn pinged_pass(&self, t: Time) -> Option<Time> {
        let period = Span::from_secs(i64::from(self.cluster.global.slurmd_timeout) / 3);
        let pinged = self.clock.last_ping? + period;
        let from = t.max(self.clock.last_backfill + Span(1));
        [pinged, pinged + Span::from_secs(self.clock.bf_interval)].into_iter().find(|at| *at >= from)
    }

    fn limits_due(&self, now: Time) -> Option<Time> {
        let booting = self.jobs.index().configuring.first().map(|_| now);
        let first = booting.or(self.jobs.index().limits.first().map(|l| l.0))?;
        Some(self.clock.next_point(self.clock.last_limits, LIMIT_PERIOD, now.max(first)))
    }

    /// The first priority pass runs as soon as slurmctld is up, the others every `PriorityCalcPeriod`.
    fn priority_due(&self, now: Time) -> Option<Time> {
        let period = self.cluster.global.priority.calc_period;
        self.priorities_move().then(|| match self.priority.last() {
            None => self.clock.boot + START,
            Some(last) => self.clock.next_point(last, period.into(), now),
        })
    }

    fn triggers_due(&self, now: Time) -> Option<Time> {
        let last = self.triggers.last;
        (!self.triggers.is_empty()).then(|| self.clock.next_point(last, super::triggers::PERIOD, now))
    }

    pub(crate) fn slice_due(&self, now: Time) -> Option<Time> {
        self.gang.shares().then(|| self.gang.next_slice.max(now))
    }

    /// When [`Slurmctld::timer`] must be called next. None: not before the next request.
    #[must_use]
    pub fn next_due(&self, now: Time) -> Option<Time> {
        let mut next = i64::MAX;
        let mut see = |due: Option<Time>| next = due.map_or(next, |due| next.min(due.0));
        see(self.clock.urgent);
        see(self.pass_due());
        see(self.full_due(now));
        see(self.backfill_due(now));
        see(self.limits_due(now));
        see(self.priority_due(now));
        see(self.slice_due(now));
        see(self.purge_due(now));
        see(self.next_node_event());
        see(self.next_reservation_event(now));
        see(self.cron_due(now));
        see(self.triggers_due(now));
        (next < i64::MAX).then(|| Time(next).max(now))
    }

    /// Whether no job and no node can change before the next request: every job has ended or is held, and no node,
    /// reservation or trigger is due. Periodic work (priorities, purging) changes neither.
    #[must_use]
    pub fn is_at_rest(&self, now: Time) -> bool {
        let rests = |job: &Job| !job.is_live() || (job.state == JobState::Pending && job.priority == 0);
        self.next_node_event().is_none()
            && self.next_reservation_event(now).is_none()
            && self.triggers.is_empty()
            && self.jobs.values().all(|job| rests(job) && !job.flags.completing)
    }

    /// `LastSchedEval` at `now`. Passes evaluate all pending jobs, even if nothing changes.
    #[must_use]
    pub fn last_sched_eval(&self, job: &Job, now: Time) -> Option<Time> {
        if !job.queued() {
            return job.last_sched;
        }
        let behind = job.reason == crate::state::reason::Reason::Priority;
        let pass = Some(self.clock.last_sched).filter(|_| behind);
        let step = self.clock.sched_interval * SECOND;
        let full = (step > 0).then(|| self.boot + Span((now - self.boot).0.max(0).div_euclid(step) * step));
        job.last_sched.max(pass.max(full).filter(|at| *at > job.submit))
    }

    /// Whether a full pass and a backfill pass have run since the last change. Until the next request, only begin times
    /// can then start a job.
    #[must_use]
    pub fn idle_since(&self, now: Time) -> bool {
        let clock = &self.clock;
        let begins = self.pending_jobs().any(|j| j.begin.is_some_and(|b| b > now));
        let filled = clock.changed.is_none() || !self.cluster.global.scheduler_backfill;
        clock.wanted.is_none() && filled && clock.last_full > clock.last_change && !begins
    }

    /// Does everything that is due at `now`: scheduling, time limits, node time-outs, purging of finished jobs.
    pub fn timer(&mut self, now: Time) {
        while self.timer_part(now) {}
    }

    /// Does a slice of [`Self::timer`], since passes over a long queue take a while. Returns true while work is left.
    /// The caller must finish it before any other change of the controller.
    pub fn timer_part(&mut self, now: Time) -> bool {
        if !self.pass_queue.is_active() && !self.caches.is_built() && self.build_some_caches() {
            return true;
        }
        let mut passes = std::mem::take(&mut self.pass_queue);
        if !passes.is_active() {
            self.build_caches();
            self.caches.moment = now;
            self.look_at_clock(now);
            passes = PassQueue::begin();
        }
        let more = passes.go_on(self, now);
        if more {
            self.pass_queue = passes;
        }
        more
    }

    /// Does the short tasks that are due.
    fn look_at_clock(&mut self, now: Time) {
        self.node_events(now);
        self.reservation_events(now);
        self.cron(now);
        if self.triggers_due(now).is_some_and(|t| t <= now) {
            self.look_at_triggers(now);
        }
        if self.limits_due(now).is_some_and(|t| t <= now) {
            self.clock.last_limits = now;
            self.check_limits(now);
        }
        if self.priority_due(now).is_some_and(|t| t <= now) {
            self.priority_period(now);
            self.end_overrun(now);
        }
    }

    /// When jobs past their `MinJobAge` are purged: every minute, more often if `MinJobAge` is short.
    pub(crate) fn purge_due(&self, now: Time) -> Option<Time> {
        let age = i64::from(self.cluster.global.min_job_age);
        let period = if age < PURGE_PERIOD { age.max(10) } else { PURGE_PERIOD };
        let first = self.jobs.index().ended.first()?.0;
        Some(grid(self.clock.boot, Span::from_secs(period), first.max(now)))
    }

    pub(crate) fn purge(&mut self, now: Time) {
        while self.jobs.forget_one(now) {
            if !self.lean {
                self.clock.change(now);
            }
        }
    }
}
