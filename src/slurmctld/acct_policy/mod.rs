//! Limits of associations and QOS, and access to partitions. Mirrors resource_limits.html and qos.html.
//!
//! Checks read the controller's state and change nothing: [`may_submit`] runs before a job is accepted,
//! [`before_selection`] and [`after_selection`] before it starts, the latter with the resources that it would get. They
//! compare limits with the usage in [`counters`], which changes with `now` only in steps of `PriorityCalcPeriod`.
//!
//! Deliberate difference: limits of a `Relative` QOS follow the configured nodes, not those that are up.

pub(crate) mod access;
mod amount;
mod association;
mod counters;
mod invariants;
mod owner_usage;
mod reasons;
#[cfg(test)]
mod tests;
mod view;

use crate::Slurmctld;
use crate::state::changes::LimitUse;
use crate::state::edit;
use crate::state::job::{Allocation, Ending, Job, JobState};
use crate::state::reason::Reason;
use base::bitset::BitSet;
use base::ids::{JobId, PartId, Uid};
use base::time::{Limit, Time};
use base::tres::Tres;
pub use counters::{Counters, UsageOwner};
pub use owner_usage::Used;
use serde::{Deserialize, Serialize};
use slurmdbd::{CountLimit, QosFlag, TresLimit};
use view::{LimitCheck, LimitView};

/// The limit that blocks a job, with its numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocked {
    /// The reason that `squeue` shows.
    pub reason: Reason,
    /// Which limit.
    pub which: LimitKind,
    /// Its value (minutes, MiB, jobs ...).
    pub at: u64,
    /// How much of it is used.
    pub used: u64,
    /// What the job would add.
    pub asked: u64,
    /// The owner of the limit or of the usage.
    pub owner: UsageOwner,
}

/// A limit by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LimitKind {
    /// On a TRES.
    Tres(TresLimit, String),
    /// On a number of jobs.
    Count(CountLimit),
    /// `GrpWall`, minutes.
    GrpWall,
    /// `MaxWall`, minutes.
    MaxWall,
}

/// Checks whether a job (or an array of `tasks` tasks) may be submitted. Limits on submitted jobs refuse it; with
/// `DenyOnLimit`, so do limits that it could never meet.
pub(crate) fn may_submit(ctld: &Slurmctld, job: &Job, tasks: u32, now: Time) -> Result<(), Blocked> {
    let Some(part) = job.partitions.first().filter(|_| ctld.limited()) else {
        return Ok(());
    };
    let view = LimitView::new(ctld, job, *part, LimitCheck::Alone, now);
    let strict = view.strict();
    let own = || {
        view.qos_count(CountLimit::GrpSubmitJobs, tasks)
            .or_else(|| view.qos_count(CountLimit::MaxSubmitJobsPerAccount, tasks))
            .or_else(|| view.qos_count(CountLimit::MaxSubmitJobs, tasks))
    };
    let instead = [CountLimit::MaxSubmitJobs, CountLimit::MaxSubmitJobsPerAccount];
    let alone = || if strict { view.alone() } else { None };
    let found = own()
        .or_else(alone)
        .or_else(|| view.assoc_count(CountLimit::GrpSubmitJobs, &[CountLimit::GrpSubmitJobs], tasks))
        .or_else(|| view.assoc_count(CountLimit::MaxSubmitJobs, &instead, tasks));
    found.map_or(Ok(()), Err)
}

/// Checks whether an update may change a pending job to this. With `DenyOnLimit` it must not exceed a limit by itself.
pub(crate) fn may_remain(ctld: &Slurmctld, job: &Job, now: Time) -> Result<(), Blocked> {
    let Some(part) = job.partitions.first().filter(|_| ctld.limited()) else {
        return Ok(());
    };
    let view = LimitView::new(ctld, job, *part, LimitCheck::Alone, now);
    let found = if view.strict() { view.alone() } else { None };
    found.map_or(Ok(()), Err)
}

/// Checks the limits that do not depend on the allocation: numbers of jobs, time limits.
pub(crate) fn before_selection(ctld: &Slurmctld, job: &Job, part: PartId) -> Result<(), Blocked> {
    if !ctld.limited() {
        return Ok(());
    }
    // Limits on minutes are not checked here, so any time will do.
    let view = LimitView::new(ctld, job, part, LimitCheck::Needs, ctld.boot);
    let instead = [CountLimit::MaxJobs, CountLimit::MaxJobsPerAccount];
    let found = view
        .qos_count(CountLimit::GrpJobs, 1)
        .or_else(|| view.qos_group_wall())
        .or_else(|| view.qos_count(CountLimit::MaxJobsPerAccount, 1))
        .or_else(|| view.qos_count(CountLimit::MaxJobs, 1))
        .or_else(|| view.wall(true))
        .or_else(|| view.assoc_count(CountLimit::GrpJobs, &[CountLimit::GrpJobs], 1))
        .or_else(|| view.assoc_group_wall())
        .or_else(|| view.assoc_count(CountLimit::MaxJobs, &instead, 1))
        .or_else(|| view.wall(false));
    found.map_or(Ok(()), Err)
}

/// Checks the job's request against limits before nodes are selected.
pub(crate) fn needs(ctld: &Slurmctld, job: &Job, part: PartId, now: Time) -> Result<(), Blocked> {
    check_amounts(ctld, job, part, LimitCheck::Needs, now)
}

/// Checks the resources that the job would get.
pub(crate) fn after_selection(
    ctld: &Slurmctld,
    job: &Job,
    part: PartId,
    allocation: &Allocation,
    now: Time,
) -> Result<(), Blocked> {
    check_amounts(ctld, job, part, LimitCheck::Given(allocation), now)
}

fn check_amounts(
    ctld: &Slurmctld,
    job: &Job,
    part: PartId,
    asked: LimitCheck<'_>,
    now: Time,
) -> Result<(), Blocked> {
    if !ctld.limited() {
        return Ok(());
    }
    LimitView::new(ctld, job, part, asked, now).amounts().map_or(Ok(()), Err)
}

/// `MaxWall` for a job without a time limit in a partition without a default.
pub(crate) fn default_time(ctld: &Slurmctld, job: &Job, part: PartId) -> Option<Limit> {
    if !ctld.limited() {
        return None;
    }
    LimitView::new(ctld, job, part, LimitCheck::Alone, ctld.boot).max_wall().map(|m| m.0)
}

/// What prevents a job from being tried in a partition because of its QOS or association, before any limits.
fn membership(ctld: &Slurmctld, job: &Job) -> Option<Reason> {
    let enforce = ctld.cluster.global.accounting_enforce;
    let belongs = job.uid() == Uid(0) || job.assoc.is_some_and(|id| ctld.dbd.assoc(id).is_some());
    if enforce.associations && !belongs {
        return Some(Reason::FailAccount);
    }
    let allowed = || job.exempt.qos || ctld.qos_allowed(job.assoc, job.qos) || ctld.is_operator(job.uid());
    if ctld.dbd.qos_by_id(job.qos).is_none() || !allowed() {
        return Some(Reason::FailQos);
    }
    below_threshold(ctld, job).then_some(Reason::QosThres)
}

/// Whether the fair share of a job's association is below what its QOS requires (`EnforceUsageThreshold`).
fn below_threshold(ctld: &Slurmctld, job: &Job) -> bool {
    let Some(qos) = ctld.dbd.qos_by_id(job.qos).filter(|q| q.has(QosFlag::EnforceUsageThreshold)) else {
        return false;
    };
    let factor = job.assoc.and_then(|id| ctld.dbd.assoc(id)).map(|a| a.fair.factor);
    ctld.cluster.global.accounting_enforce.limits
        && qos.usage_threshold.zip(factor).is_some_and(|(least, factor)| factor < least)
}

/// What prevents a job from being tried at all: association, QOS, numbers of jobs, time limits.
pub(crate) fn barred(ctld: &Slurmctld, job: &Job, part: PartId) -> Option<Reason> {
    membership(ctld, job).or_else(|| before_selection(ctld, job, part).err().map(|b| b.reason))
}

/// Whether a job's QOS, or its partition's, has a flag.
pub(crate) fn flagged(ctld: &Slurmctld, job: &Job, part: PartId, flag: QosFlag) -> bool {
    let of_part = ctld.limits.part_qos(part);
    of_part.into_iter().chain([job.qos]).filter_map(|id| ctld.dbd.qos_by_id(id)).any(|q| q.has(flag))
}

/// Whether a pending job may accrue age priority.
pub(crate) fn may_accrue(ctld: &Slurmctld, job: &Job) -> bool {
    let part = job.partitions.first().filter(|_| ctld.limited() && ctld.limits.kinds().on_accruing);
    let Some(part) = part else { return true };
    // Limits on minutes are not checked here, so any time will do.
    let view = LimitView::new(ctld, job, *part, LimitCheck::Needs, ctld.boot);
    let instead = [CountLimit::MaxJobsAccrue, CountLimit::MaxJobsAccruePerAccount];
    view.qos_count(CountLimit::GrpJobsAccrue, 1)
        .or_else(|| view.qos_count(CountLimit::MaxJobsAccruePerAccount, 1))
        .or_else(|| view.qos_count(CountLimit::MaxJobsAccrue, 1))
        .or_else(|| view.assoc_count(CountLimit::GrpJobsAccrue, &[CountLimit::GrpJobsAccrue], 1))
        .or_else(|| view.assoc_count(CountLimit::MaxJobsAccrue, &instead, 1))
        .is_none()
}

/// Whether backfill makes a reservation for a job: not with `NoReserve`, and not below `MinPrioThresh` of the first
/// owner that sets it.
pub(crate) fn reserves(ctld: &Slurmctld, job: &Job, part: PartId) -> bool {
    if flagged(ctld, job, part, QosFlag::NoReserve) {
        return false;
    }
    let least = ctld
        .limited()
        .then(|| LimitView::new(ctld, job, part, LimitCheck::Needs, ctld.boot).min_priority())
        .flatten();
    least.is_none_or(|least| job.priority >= least)
}

impl Slurmctld {
    /// Ends the jobs of a group that has used up its `GrpTRESMins` or `GrpWall`, unless the site enforces `safe`
    /// limits. Runs whenever usage is charged.
    pub(crate) fn end_overrun(&mut self, now: Time) {
        let enforce = self.cluster.global.accounting_enforce;
        if !enforce.limits || enforce.safe || !self.limits.kinds().on_minutes {
            return;
        }
        let over = |job: &&Job| {
            let part =
                job.partitions.first().filter(|_| job.state == JobState::Running && job.ending.is_none());
            part.zip(job.allocation.as_ref()).is_some_and(|(part, allocation)| {
                LimitView::new(self, job, *part, LimitCheck::Given(allocation), now).overrun().is_some()
            })
        };
        let ids: Vec<JobId> = self.active_jobs().filter(over).map(|j| j.id).collect();
        for id in ids {
            let ending = Ending { state: JobState::Timeout, since: now, by: Uid(0), requeue: false };
            self.end_job(id, ending, " DUE TO TIME LIMIT", now);
        }
    }

    /// Whether any limit is set and enforced.
    fn limited(&self) -> bool {
        self.cluster.global.accounting_enforce.limits && self.limits.kinds().any
    }

    /// Lets pending jobs start to accrue age as far as limits allow, in order of submission.
    pub(crate) fn start_accruing(&mut self, now: Time) {
        if !self.limited() || !self.limits.kinds().on_accruing {
            return;
        }
        let still: Vec<JobId> =
            self.pending_jobs().filter(|j| j.queued() && j.accrue.is_none()).map(|j| j.id).collect();
        for id in still {
            if self.jobs.get(id).is_some_and(|job| may_accrue(self, job)) {
                self.edit_job(id, edit::pending::accrue(now));
            }
        }
    }

    /// The number of distinct nodes that an owner's running jobs use. It scans all running jobs, so it is for commands
    /// only.
    #[must_use]
    pub fn nodes_used_by(&self, owner: UsageOwner) -> u64 {
        let mut nodes = BitSet::new();
        for job in self.active_jobs().filter(|j| j.runs()) {
            if self.limits.counts_in(&self.dbd, job, owner) {
                job.allocation.iter().flat_map(|a| &a.nodes).for_each(|n| nodes.insert(n.node.0));
            }
        }
        nodes.len().into()
    }

    /// The minutes that a job may run, for limits on minutes. A job without a limit uses the partition's, or a year.
    fn planned_minutes(&self, job: &Job, part: PartId) -> u64 {
        let limit = job.time_limit.min(self.partition(part).max_time);
        u64::try_from(crate::state::job::planned_seconds(limit) / 60).unwrap_or(0)
    }

    /// All resources of a partition or of the cluster.
    fn whole(&self, part: Option<PartId>) -> Tres {
        let mut all = Tres::default();
        let nodes =
            self.nodes.iter().filter(|n| part.is_none_or(|p| self.partition(p).nodes.contains(n.id.0)));
        for node in nodes {
            all.cpu += u64::from(node.cpus());
            all.mem += node.conf.real_memory;
            all.node += 1;
            for gres in &node.conf.gres {
                *all.gres.entry(gres.name.clone()).or_default() += u64::from(gres.count);
            }
        }
        all.billing = all.cpu;
        all
    }

    /// TRES minutes or wall-clock minutes used so far, with decay. Users and accounts within a QOS have none.
    #[must_use]
    pub fn spent_minutes(&self, owner: UsageOwner, tres: Option<&str>) -> u64 {
        let usage = match owner {
            UsageOwner::Assoc(id) => self.dbd.assoc(id).map(|a| &a.usage),
            UsageOwner::Qos(id) => self.dbd.qos_by_id(id).map(|q| &q.usage),
            UsageOwner::User(..) | UsageOwner::Account(..) => None,
        };
        let seconds =
            usage.map_or(0.0, |u| tres.map_or(u.wall, |name| u.tres.get(name).copied().unwrap_or(0.0)));
        // Never negative, and far below 2^53.
        (seconds / 60.0) as u64
    }

    /// Differences between the counters and a recount over all jobs, one sentence for each.
    #[must_use]
    pub fn check_limits_counted(&self, now: Time) -> Vec<String> {
        let mut fresh = self.limits.clone();
        fresh.reset(&self.dbd, &self.partitions);
        for job in self.jobs.values() {
            fresh.move_job(&self.dbd, job, None, Some(LimitUse::of(job)));
        }
        self.limits.differs(&fresh, now)
    }

    /// Recounts everything after a change of associations, QOS or partitions.
    pub(crate) fn recount(&mut self) {
        self.limits.reset(&self.dbd, &self.partitions);
        for id in self.jobs.index().pending.iter().chain(&self.jobs.index().active) {
            let Some(job) = self.jobs.get(*id) else { continue };
            self.limits.move_job(&self.dbd, job, None, Some(LimitUse::of(job)));
        }
    }
}
