//! Timed events of reservations: begin, end, repeat, replace nodes, mark nodes.
//!
//! Recorded from 26.05.3: nodes are marked by a check every five seconds (and at once by an update or a deletion). Ends
//! are noticed by the check of time limits every half minute.

use super::pick::{self, Wanted};
use super::{Reservation, ResvFlags};
use crate::Slurmctld;
use crate::state::edit;
use crate::state::job::{Ending, Job, JobState};
use base::bitset::BitSet;
use base::ids::{JobId, NodeId, ResvId, Uid};
use base::time::{SECOND, Span, Time};
use jiff::civil::Weekday;
use slurmdbd::ResvRecord;

/// Nodes are marked this often, seconds.
const MARK_PERIOD: i64 = 5;
/// Ends are checked this often, seconds.
const END_PERIOD: i64 = 30;

impl Slurmctld {
    /// When the next event of a reservation is due, from `now` on.
    pub(crate) fn next_reservation_event(&self, now: Time) -> Option<Time> {
        let grid = |t: Time, period: i64| {
            let step = period * SECOND;
            let since = (t.max(now) - self.boot).0.max(0);
            self.boot + Span((since + step - 1).div_euclid(step) * step)
        };
        if self.reservations.is_empty() {
            return None;
        }
        let looked = self.reservations.looked + Span(1);
        // Marks that no active reservation explains.
        let mut stale = self.reservations.marked.clone();
        self.reservations.list.iter().filter(|r| r.active(now)).for_each(|r| stale.subtract(&r.nodes));
        let one = |resv: &Reservation| {
            let (start, end) = resv.window(now);
            let ends = resv.ahead.is_none().then(|| {
                let kept = end <= now && self.reservation_runs(resv.id);
                grid(if kept { self.over_run(resv) } else { end }, END_PERIOD)
            });
            let begins = (!resv.begun && resv.ahead.is_none() && end > now).then(|| grid(start, MARK_PERIOD));
            let unmarked = (stale.intersects(&resv.nodes) && end <= now).then(|| grid(end, MARK_PERIOD));
            let purges = (resv.flags.has(ResvFlags::PURGE_COMP) && resv.begun && end > now)
                .then(|| grid(resv.idle_since.map_or(looked, |t| t + resv.purge), END_PERIOD));
            [ends, begins, unmarked, purges].into_iter().flatten().min()
        };
        self.reservations.list.iter().filter_map(one).min()
    }

    /// Handles the events due at `now`.
    pub(crate) fn reservation_events(&mut self, now: Time) {
        if self.reservations.is_empty() || self.next_reservation_event(now).is_none_or(|t| t > now) {
            return;
        }
        self.begin_reservations(now);
        if (now - self.boot).0.rem_euclid(END_PERIOD * SECOND) == 0 {
            self.reservations.looked = now;
            self.watch_idle(now);
            self.end_reservations(now);
            self.replace_nodes(now);
        }
        self.mark_reserved(now);
    }

    fn begin_reservations(&mut self, now: Time) {
        for resv in &mut self.reservations.list {
            if !resv.begun && resv.active(now) {
                resv.begun = true;
                self.clock.note_change(now);
            }
        }
    }

    /// `PURGE_COMP`: notes the time at which a reservation became unused.
    fn watch_idle(&mut self, now: Time) {
        let watched = |r: &&Reservation| r.begun && r.flags.has(ResvFlags::PURGE_COMP);
        let ids: Vec<ResvId> = self.reservations.list.iter().filter(watched).map(|r| r.id).collect();
        for id in ids {
            let used = self.reservation_used(id);
            let Some(resv) = self.reservations.list.iter_mut().find(|r| r.id == id) else { continue };
            resv.idle_since = if used { None } else { resv.idle_since.or(Some(now)) };
            if resv.idle_since.is_none_or(|since| since + resv.purge > now) {
                continue;
            }
            if resv.flags.has(ResvFlags::REPEATING) {
                // It repeats with the same duration.
                let old = resv.clone();
                advance(resv, old.end);
                self.record_reservation(&old, now);
                self.clock.note_change(now);
            } else {
                resv.end = resv.end.min(now);
            }
        }
    }

    /// Moves repeating reservations to their next occurrence and deletes others.
    fn end_reservations(&mut self, now: Time) {
        let over = |r: &&Reservation| {
            r.ahead.is_none() && r.end <= now && (self.over_run(r) <= now || !self.reservation_runs(r.id))
        };
        let ids: Vec<ResvId> = self.reservations.list.iter().filter(over).map(|r| r.id).collect();
        for id in ids {
            self.end_jobs_of(id, now);
            self.clock.note_change(now);
            let Some(index) = self.reservations.list.iter().position(|r| r.id == id) else { continue };
            if self.reservations.list[index].flags.has(ResvFlags::REPEATING) {
                self.record_reservation(&self.reservations.list[index].clone(), now);
                let resv = &mut self.reservations.list[index];
                advance(resv, now);
            } else {
                self.drop_reservation(id, now);
            }
        }
    }

    /// Records in the database what a reservation was up to now.
    fn record_reservation(&mut self, resv: &Reservation, now: Time) {
        if resv.start >= now {
            return;
        }
        let record = ResvRecord {
            id: resv.id,
            name: resv.name.clone(),
            start: resv.start,
            end: resv.end.min(now),
            cpus: self.reserved_cpus(resv),
            nodes: self.nodes_text(resv.nodes.iter().map(NodeId)),
        };
        self.dbd.note_reservation(record);
    }

    /// The number of CPUs in a reservation.
    #[must_use]
    pub fn reserved_cpus(&self, resv: &Reservation) -> u32 {
        let nodes = resv.nodes.iter().filter_map(|n| self.nodes.get(n as usize));
        nodes.map(|node| resv.cores_on(node) * node.conf.threads_per_core).sum()
    }

    /// When jobs still running in the reservation are killed.
    fn over_run(&self, resv: &Reservation) -> Time {
        resv.end + Span::from_mins(self.cluster.global.resv_over_run.into())
    }

    fn reservation_runs(&self, id: ResvId) -> bool {
        self.active_jobs().any(|j| j.reservations.contains(&id) && !j.flags.completing)
    }

    /// Ends jobs still running in a finished reservation (`ResvOverRun` after its end).
    fn end_jobs_of(&mut self, id: ResvId, now: Time) {
        if self.reservations.get(id).is_none_or(|r| r.flags.has(ResvFlags::FLEX)) {
            return;
        }
        let runs = |j: &&Job| {
            j.reservations.first() == Some(&id) && j.state == JobState::Running && j.ending.is_none()
        };
        let jobs: Vec<JobId> = self.active_jobs().filter(runs).map(|j| j.id).collect();
        for job in jobs {
            let ending = Ending { state: JobState::Timeout, since: now, by: Uid(0), requeue: false };
            self.end_job(job, ending, " DUE TO TIME LIMIT", now);
        }
    }

    /// Deletes a reservation. Jobs that wait for it are held.
    pub(super) fn drop_reservation(&mut self, id: ResvId, now: Time) {
        let Some(index) = self.reservations.list.iter().position(|r| r.id == id) else { return };
        let resv = self.reservations.list.remove(index);
        self.record_reservation(&resv, now);
        self.clock.note_change(now);
        let waits: Vec<JobId> =
            self.pending_jobs().filter(|j| j.reservations.contains(&id)).map(|j| j.id).collect();
        for job in waits {
            let held = self.jobs.get(job).is_some_and(Job::held);
            let hold = !resv.flags.has(ResvFlags::NO_HOLD) && !held;
            self.edit_job(job, edit::pending::lose_reservation(id, hold));
        }
    }

    /// `REPLACE` and `REPLACE_DOWN`: replaces unusable nodes by idle ones.
    fn replace_nodes(&mut self, now: Time) {
        let flags = ResvFlags::REPLACE.with(ResvFlags::REPLACE_DOWN);
        for index in 0..self.reservations.list.len() {
            let resv = &self.reservations.list[index];
            if !resv.flags.has(flags) {
                continue;
            }
            let taken = resv.flags.has(ResvFlags::REPLACE);
            let bad: BitSet = resv
                .nodes
                .iter()
                .filter(|n| {
                    let node = self.node(NodeId(*n));
                    !node.available() || (taken && !node.jobs.is_empty())
                })
                .collect();
            let default = || self.partitions.iter().find(|p| p.is_default).map(|p| p.nodes.clone());
            let pool = resv.partition.map(|p| self.partition(p).nodes.clone()).or_else(default);
            let Some(mut pool) = pool.filter(|_| !bad.is_empty()) else { continue };
            pool.subtract(&resv.nodes);
            let wanted = Wanted { nodes: bad.len(), cores: &[], none: false };
            if let Ok((new, _)) = pick::pick(self, resv, &pool, wanted, now) {
                let resv = &mut self.reservations.list[index];
                resv.nodes.subtract(&bad);
                resv.nodes.union_with(&new);
                self.clock.note_change(now);
            }
        }
    }

    /// Sets RESERVED and MAINTENANCE on the nodes of active reservations only.
    pub(super) fn mark_reserved(&mut self, now: Time) {
        let (mut reserved, mut maint) = (BitSet::new(), BitSet::new());
        // As observed on 22.05, a node shows it even if only some of its cores are reserved.
        for resv in self.reservations.list.iter().filter(|r| r.active(now)) {
            reserved.union_with(&resv.nodes);
            if resv.flags.has(ResvFlags::MAINT) {
                maint.union_with(&resv.nodes);
            }
        }
        let mut touched = std::mem::replace(&mut self.reservations.marked, reserved.clone());
        touched.union_with(&reserved);
        for n in touched.iter() {
            let edit = edit::node::mark_reserved(reserved.contains(n), maint.contains(n));
            self.edit_node(NodeId(n), edit);
        }
    }
}

/// Moves a reservation to its next occurrence that has not ended.
fn advance(resv: &mut Reservation, now: Time) {
    let Some(period) = resv.period() else { return };
    resv.begun = false;
    resv.idle_since = None;
    let wanted = |start: Time| {
        let weekend = matches!(start.civil().weekday(), Weekday::Saturday | Weekday::Sunday);
        !(resv.flags.has(ResvFlags::WEEKDAY) && weekend || resv.flags.has(ResvFlags::WEEKEND) && !weekend)
    };
    let behind = Span((now - resv.end).0.div_euclid(period.0).max(0) * period.0);
    let (mut start, mut end) = (resv.start + behind, resv.end + behind);
    while end <= now || !wanted(start) {
        start += period;
        end += period;
    }
    (resv.start, resv.end) = (start, end);
}
