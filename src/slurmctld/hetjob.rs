//! Heterogeneous jobs: several components that are submitted, started and ended together. Mirrors heterogeneous_jobs.html.
//!
//! Components have consecutive numbers; the first one leads: it has the script, and its end is everybody's. Only
//! backfill starts them, when there is room for all of them at once.

use super::Slurmctld;
use super::error::SlurmError;
use super::job::{Allocation, Het, Job, JobDesc, JobState, Scheduler};
use super::limits;
use super::reason::Reason;
use super::request::Response;
use crate::base::ids::{JobId, PartId, Uid};
use crate::base::time::Time;

/// Most components of a job (`MAX_HET_JOB_COMPS`).
const MAX_COMPONENTS: usize = 128;

/// A component that found room in a pass.
#[derive(Debug)]
pub(super) struct Ready {
    pub job: JobId,
    pub part: PartId,
    pub allocation: Allocation,
}

impl Het {
    /// The components' numbers.
    fn all(self) -> impl DoubleEndedIterator<Item = JobId> {
        (0..self.size).map(move |i| JobId(self.leader.0 + i))
    }
}

impl Slurmctld {
    /// Takes all components in, or none.
    pub(super) fn submit_het(&mut self, descs: Vec<JobDesc>, now: Time) -> Response {
        let fail = |error| Response::Err { error, messages: Vec::new() };
        if descs.len() > MAX_COMPONENTS {
            return fail(SlurmError::InvalidHetJobCompTooLarge);
        }
        if descs.iter().any(|d| d.array.is_some()) {
            return fail(SlurmError::InvalidArray);
        }
        let (mut jobs, mut said) = (Vec::new(), Vec::new());
        for mut desc in descs {
            match self.by_policy(&mut desc) {
                Ok(lines) => said.extend(lines),
                Err(refusal) => return refusal.into(),
            }
            match self.build(desc, now).and_then(|job| self.within_limits(&job, 1, now).map(|()| job)) {
                Ok(job) => jobs.push(job),
                Err(refusal) => return refusal.into(),
            }
        }
        let leader = JobId(self.next_job);
        let size = u32::try_from(jobs.len()).unwrap_or(u32::MAX);
        for (offset, mut job) in (0..).zip(jobs) {
            let id = self.new_job_id();
            job.het = Some(Het { leader, offset, size });
            if let Err(refusal) = self.admit(job, id, None, now) {
                for before in (leader.0..id.0).map(JobId) {
                    self.cancel_pending(before, Uid(0), now);
                }
                return refusal.into();
            }
            self.first_het_reason(id);
        }
        Response::Job { id: leader, messages: said }
    }

    /// A component does not wait behind others before backfill has looked at it.
    fn first_het_reason(&mut self, id: JobId) {
        let Some(job) = self.jobs.get(id) else { return };
        let too_big = job.partitions.iter().all(|p| job.needs.min_nodes > self.partition(*p).nodes.len());
        let reason = match job.reason {
            Reason::None | Reason::Priority | Reason::PartNodeLimit if too_big => Reason::PartConfig,
            Reason::Priority => Reason::None,
            other => other,
        };
        self.change_job(id, |job| job.reason = reason);
    }

    /// The records that a number means: a job; all components of a heterogeneous job by its first one, that one last. A
    /// component by itself is not to be touched while it waits.
    pub(super) fn components(&self, id: JobId) -> Result<Vec<JobId>, SlurmError> {
        let job = self.jobs.get(id).ok_or(SlurmError::InvalidJobId)?;
        match job.het {
            Some(het) if het.offset == 0 || self.whole_hetjob() => {
                Ok(het.all().rev().filter(|id| self.jobs.contains(*id)).collect())
            }
            Some(_) if job.state == JobState::Pending => Err(SlurmError::NotWholeHetJob),
            Some(_) | None => Ok(vec![id]),
        }
    }

    /// `whole_hetjob`: what is done to one component is done to all.
    fn whole_hetjob(&self) -> bool {
        let set = &self.cluster.global.scheduler_parameters;
        set.contains_key("whole_hetjob") || set.contains_key("whole_pack")
    }

    /// The other components that run, of the one that leads.
    pub(super) fn led_by(&self, id: JobId) -> Vec<JobId> {
        let het = self.jobs.get(id).and_then(|j| j.het).filter(|h| h.offset == 0);
        let runs = |id: &JobId| {
            let job = self.jobs.get(*id);
            job.is_some_and(|j| matches!(j.state, JobState::Running | JobState::Suspended))
        };
        het.into_iter().flat_map(Het::all).filter(|other| *other != id).filter(runs).collect()
    }

    /// All components of a leader in memory, in order.
    pub fn het_components(&self, leader: JobId) -> impl Iterator<Item = &Job> {
        let het = self.jobs.get(leader).and_then(|j| j.het).filter(|h| h.offset == 0);
        het.into_iter().flat_map(Het::all).filter_map(|id| self.jobs.get(id))
    }

    /// Starts the jobs of which every component found room.
    pub(super) fn start_het_jobs(&mut self, mut ready: Vec<Ready>, now: Time) {
        while let Some(het) = ready.first().and_then(|r| self.jobs.get(r.job)).and_then(|j| j.het) {
            let (mine, others): (Vec<Ready>, Vec<Ready>) =
                ready.into_iter().partition(|r| het.all().any(|id| id == r.job));
            ready = others;
            let complete = u32::try_from(mine.len()).is_ok_and(|n| n == het.size);
            let stopped = complete.then(|| self.within_limits_together(&mine, now).err()).flatten();
            if !complete || stopped.is_some() {
                for Ready { job, .. } in mine {
                    let reason = stopped.filter(|s| s.0 == job).map_or(Reason::Resources, |s| s.1);
                    self.change_job(job, |j| j.reason = reason);
                }
            } else {
                for Ready { job, part, allocation } in mine {
                    self.start(job, part, allocation, Scheduler::Backfill, now);
                }
            }
        }
    }

    /// Whether limits let all components run beside each other, and beside who has started since they were looked at; if
    /// not, who is stopped by what.
    fn within_limits_together(&mut self, all: &[Ready], now: Time) -> Result<(), (JobId, Reason)> {
        let counted = self.limits.clone();
        let found = all.iter().try_for_each(|Ready { job: id, part, allocation }| {
            let Some(job) = self.jobs.get(*id) else { return Ok(()) };
            limits::before_selection(self, job, *part)
                .and_then(|()| limits::after_selection(self, job, *part, allocation, now))
                .map_err(|blocked| (*id, blocked.reason))?;
            let (before, mut runs) = (limits::Standing::of(job), job.clone());
            (runs.state, runs.start, runs.partitions) = (JobState::Running, Some(now), vec![*part]);
            runs.end = Some(now + runs.time_limit.span().unwrap_or(super::job::UNLIMITED));
            runs.allocation = Some(allocation.clone());
            let after = limits::Standing::of(&runs);
            self.limits.move_job(&self.dbd, &runs, Some(before), Some(after));
            Ok(())
        });
        self.limits = counted;
        found
    }
}
