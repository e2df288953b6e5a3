//! The priority period, every `PriorityCalcPeriod`: decays usage, charges running jobs, recomputes shares and
//! priorities. Mirrors "Decay" of priority_multifactor.shtml.
//!
//! A job is charged at each period and when it ends, for the seconds since it was last charged. As in Slurm, these
//! seconds decay over their own length. The decay factor is linear: 1 - 0.693 / half-life per second.

use super::fair_tree::{self, FairShare};
use super::{Slurmctld, classic};
use crate::state::billing;
use crate::state::job::{Job, JobState};
use base::ids::JobId;
use base::math::pow;
use base::time::Time;
use config::UsageReset;
use slurmdbd::Fair;

impl Slurmctld {
    /// Whether a priority period has anything to do.
    pub(crate) fn priorities_move(&self) -> bool {
        self.cluster.global.priority.multifactor
            && (self.priority.last.is_none()
                || !self.jobs.index().pending.is_empty()
                || !self.jobs.index().active.is_empty()
                || self.dbd.has_usage())
    }

    /// Runs a priority period. Costs O(jobs + associations).
    pub(crate) fn priority_period(&mut self, now: Time) {
        self.reset_usage(now);
        let mut found = self.fair_shares();
        let fair_tree = !self.cluster.global.priority.flags.no_fair_tree;
        if !fair_tree {
            let usage = self.raw_usage();
            classic::accounts(&self.priority.tree, &usage, &self.cluster.global.priority, &mut found);
        }
        if let Some(last) = self.priority.last {
            self.dbd.decay(self.decayed(now.secs() - last.secs()));
            let running: Vec<JobId> = self.jobs.index().active.iter().copied().collect();
            running.into_iter().for_each(|id| self.charge(id, now));
        }
        let usage = self.raw_usage();
        if fair_tree {
            found = fair_tree::rank(&self.priority.tree, &usage);
        } else {
            classic::users(&self.priority.tree, &usage, &self.cluster.global.priority, &mut found);
        }
        self.keep_fair_shares(&found);
        self.priority.last = Some(now);
        self.start_accruing(now);
        self.weigh_jobs(now);
    }

    /// Charges a job that holds resources for the time since it was last charged. Called at each period, and at its end
    /// while it still counts as running.
    pub(crate) fn charge(&mut self, id: JobId, now: Time) {
        // priority/basic counts no usage.
        let counts = self.cluster.global.priority.multifactor;
        let Some(job) = self.jobs.get(id).filter(|j| counts && runs(j)) else { return };
        let (Some(assoc), Some(start), Some(allocation)) = (job.assoc, job.start, &job.allocation) else {
            return;
        };
        // Everything before a resize was already charged.
        let start = job.resized.map_or(start, |at| start.max(at));
        let since = self.priority.last.map_or(start, |last| start.max(last));
        let seconds = now.secs() - since.secs();
        let Some(part) = job.partitions.first().filter(|_| seconds > 0) else { return };
        let flags = self.cluster.global.priority.flags;
        let billing = billing::billable(self.partition(*part), &allocation.tres, flags);
        let qos = job.qos;
        let of_part = self.limits.part_qos(*part).filter(|q| *q != qos);
        let weighed = seconds as f64 * self.decayed(seconds);
        self.dbd.charge(assoc, qos, of_part, weighed, billing, &allocation.tres);
    }

    /// The fraction of usage that is left after a number of seconds.
    fn decayed(&self, seconds: i64) -> f64 {
        match self.cluster.global.priority.half_life {
            0 => 1.0,
            half_life => pow((1.0 - 0.693 / f64::from(half_life)).max(0.0), seconds.max(0) as f64),
        }
    }

    fn reset_usage(&mut self, now: Time) {
        let period = self.cluster.global.priority.usage_reset;
        let Some(last) = self.priority.last_reset else {
            self.priority.last_reset = Some(now);
            return;
        };
        if next_reset(period, last).is_some_and(|due| due <= now) {
            self.dbd.decay(0.0);
            self.priority.last_reset = Some(now);
        }
    }

    /// When all usage is next reset (`PriorityUsageResetPeriod`).
    pub(crate) fn usage_reset_due(&self) -> Option<Time> {
        next_reset(self.cluster.global.priority.usage_reset, self.priority.last_reset?)
    }

    /// Usage in the order of the tree.
    pub(super) fn raw_usage(&self) -> Vec<f64> {
        let raw = |n: &super::tree::ShareNode| self.dbd.assoc(n.assoc).map_or(0.0, |a| a.usage.raw);
        self.priority.tree.nodes.iter().map(raw).collect()
    }

    /// The fair shares computed by the last period, in the order of the tree.
    pub(super) fn fair_shares(&self) -> Vec<FairShare> {
        let old = |n: &super::tree::ShareNode| {
            let Fair { usage, effective, level, factor, .. } =
                self.dbd.assoc(n.assoc).map_or(Fair::default(), |a| a.fair);
            FairShare { usage: usage.unwrap_or(0.0), effective, level, factor }
        };
        self.priority.tree.nodes.iter().map(old).collect()
    }

    pub(super) fn keep_fair_shares(&mut self, found: &[FairShare]) {
        for (node, s) in self.priority.tree.nodes.iter().zip(found) {
            if let Some(fair) = self.dbd.fair_mut(node.assoc) {
                let shares = fair.shares;
                let FairShare { usage, effective, level, factor } = *s;
                *fair = Fair { shares, usage: Some(usage), effective, level, factor };
            }
        }
    }

    /// Recomputes all priorities that change with time. With `INCR_ONLY`, none decreases.
    fn weigh_jobs(&mut self, now: Time) {
        let flags = self.cluster.global.priority.flags;
        let mut ids: Vec<JobId> = self.jobs.index().pending.iter().copied().collect();
        if flags.calculate_running {
            ids.extend(self.jobs.index().active.iter().copied());
        }
        let (mut weighed, mut moved) = (false, false);
        for id in ids {
            let Some(job) = self.jobs.get(id).filter(|j| self.is_weighed(j)) else { continue };
            let new = super::of(self, job, now);
            let same = job.priority == new.value && job.factors == new.factors;
            if !same && (!flags.incr_only || new.value > job.priority) {
                (weighed, moved) = (true, moved || job.priority != new.value);
                // Only its positions in the queue depend on it.
                self.jobs.set_priority(id, new.value, new.factors);
            }
        }
        if weighed {
            self.reorder_entries();
        }
        if moved {
            self.clock.note_change(now);
        }
    }
}

/// Whether a job uses its allocation.
fn runs(job: &Job) -> bool {
    matches!(job.state, JobState::Running | JobState::Suspended)
}

/// When usage is next reset: midnight, Sunday, or the first day of a month, quarter or year after the last reset.
pub(super) fn next_reset(period: UsageReset, last: Time) -> Option<Time> {
    let date = last.civil().date();
    let first = date.first_of_month();
    let day = jiff::ToSpan::days;
    let next = match period {
        UsageReset::None | UsageReset::Now => return None,
        UsageReset::Daily => date.tomorrow().ok()?,
        UsageReset::Weekly => {
            date.checked_add(day(7 - i64::from(date.weekday().to_sunday_zero_offset()))).ok()?
        }
        UsageReset::Monthly => first.checked_add(jiff::ToSpan::months(1)).ok()?,
        UsageReset::Quarterly => {
            let past = (i64::from(date.month()) - 1) % 3;
            first.checked_add(jiff::ToSpan::months(3 - past)).ok()?
        }
        UsageReset::Yearly => date.first_of_year().checked_add(jiff::ToSpan::years(1)).ok()?,
    };
    Time::from_civil(next.to_datetime(jiff::civil::Time::midnight()))
}
