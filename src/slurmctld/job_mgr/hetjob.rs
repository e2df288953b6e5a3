//! Heterogeneous jobs: components that are submitted, started and ended together. Mirrors heterogeneous_jobs.html.
//!
//! Components have consecutive ids. The first one is the leader: it has the script, and when it ends, all components
//! end. Only backfill starts them, when all of them fit at once.

use crate::Slurmctld;
use crate::acct_policy;
use crate::rpc::request::Response;
use crate::sched::decision::Start;
use crate::state::changes::LimitUse;
use crate::state::edit;
use crate::state::error::SlurmError;
use crate::state::job::{Het, Job, JobDesc, JobState, Scheduler};
use crate::state::reason::Reason;
use base::ids::JobId;
use base::time::Time;

/// Maximum number of components of a job (`MAX_HET_JOB_COMPS`).
const MAX_COMPONENTS: usize = 128;

impl Het {
    /// The ids of the components.
    fn all(self) -> impl DoubleEndedIterator<Item = JobId> {
        (0..self.size).map(move |i| JobId(self.leader.0 + i))
    }
}

impl Slurmctld {
    /// Accepts all components, or none.
    pub(crate) fn submit_het(&mut self, descs: Vec<JobDesc>, now: Time) -> Response {
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
            match self
                .build(Box::new(desc), now)
                .and_then(|job| self.within_limits(&job, 1, now).map(|()| job))
            {
                Ok(job) => jobs.push(job),
                Err(refusal) => {
                    // The components before it had already used job ids.
                    for _ in &jobs {
                        self.new_job_id();
                    }
                    return refusal.into();
                }
            }
        }
        let leader = JobId(self.next_job);
        let size = u32::try_from(jobs.len()).unwrap_or(u32::MAX);
        for (offset, mut job) in (0..).zip(jobs) {
            let id = self.new_job_id();
            job.het = Some(Het { leader, offset, size });
            if let Err(refusal) = self.admit(job, id, None, now) {
                // Nobody cancelled the components before it, as recorded (90).
                for before in (leader.0..id.0).map(JobId) {
                    self.end_pending(before, JobState::Cancelled, Reason::None, now);
                }
                return refusal.into();
            }
            self.first_het_reason(id);
        }
        Response::Job { id: leader, messages: said }
    }

    /// Sets the reason that a component shows until backfill has looked at it, which is never `Priority`.
    fn first_het_reason(&mut self, id: JobId) {
        let Some(job) = self.jobs.get(id) else { return };
        let too_big = job.partitions.iter().all(|p| job.needs.min_nodes > self.partition(*p).nodes.len());
        let reason = match job.reason {
            Reason::None | Reason::Priority | Reason::PartNodeLimit if too_big => Reason::PartConfig,
            Reason::Priority => Reason::None,
            other => other,
        };
        self.edit_job(id, edit::pending::set_reason(reason));
    }

    /// The records that a job id means: a single job, or all components of a heterogeneous job for the leader's id, the
    /// leader last. A pending component cannot be changed individually.
    pub(crate) fn components(&self, id: JobId) -> Result<Vec<JobId>, SlurmError> {
        let job = self.jobs.get(id).ok_or(SlurmError::InvalidJobId)?;
        match job.het {
            Some(het) if het.offset == 0 || self.whole_hetjob() => {
                Ok(het.all().rev().filter(|id| self.jobs.contains(*id)).collect())
            }
            Some(_) if job.state == JobState::Pending => Err(SlurmError::NotWholeHetJob),
            Some(_) | None => Ok(vec![id]),
        }
    }

    /// `whole_hetjob`: an action on one component applies to all.
    fn whole_hetjob(&self) -> bool {
        let set = &self.cluster.global.scheduler_parameters;
        set.contains_key("whole_hetjob") || set.contains_key("whole_pack")
    }

    /// The other running components of a leader.
    pub(crate) fn led_by(&self, id: JobId) -> Vec<JobId> {
        let het = self.jobs.get(id).and_then(|j| j.het).filter(|h| h.offset == 0);
        let runs = |id: &JobId| {
            let job = self.jobs.get(*id);
            job.is_some_and(|j| matches!(j.state, JobState::Running | JobState::Suspended))
        };
        het.into_iter().flat_map(Het::all).filter(|other| *other != id).filter(runs).collect()
    }

    /// All components of a leader still in memory, in order.
    pub fn het_components(&self, leader: JobId) -> impl Iterator<Item = &Job> {
        let het = self.jobs.get(leader).and_then(|j| j.het).filter(|h| h.offset == 0);
        het.into_iter().flat_map(Het::all).filter_map(|id| self.jobs.get(id))
    }

    /// Starts the jobs whose components all fit.
    pub(crate) fn start_het_jobs(&mut self, mut ready: Vec<Start>, now: Time) {
        while let Some(het) = ready.first().and_then(|r| self.jobs.get(r.job)).and_then(|j| j.het) {
            let (mine, others): (Vec<Start>, Vec<Start>) =
                ready.into_iter().partition(|r| het.all().any(|id| id == r.job));
            ready = others;
            let complete = u32::try_from(mine.len()).is_ok_and(|n| n == het.size);
            let stopped = complete.then(|| self.check_limits_together(&mine, now).err()).flatten();
            if !complete || stopped.is_some() {
                for Start { job, .. } in mine {
                    let reason = stopped.filter(|s| s.0 == job).map_or(Reason::Resources, |s| s.1);
                    self.edit_job(job, edit::pending::set_reason(reason));
                }
            } else {
                for Start { job, part, allocation, .. } in mine {
                    self.start(job, part, allocation, Scheduler::Backfill, now);
                }
            }
        }
    }

    /// Whether limits allow all components to run together, and together with jobs that have started since the limits
    /// were checked. Otherwise the component that is blocked and its reason.
    fn check_limits_together(&mut self, all: &[Start], now: Time) -> Result<(), (JobId, Reason)> {
        let counted = self.limits.clone();
        let found = all.iter().try_for_each(|Start { job: id, part, allocation, .. }| {
            let Some(job) = self.jobs.get(*id) else { return Ok(()) };
            acct_policy::before_selection(self, job, *part)
                .and_then(|()| acct_policy::after_selection(self, job, *part, allocation, now))
                .map_err(|blocked| (*id, blocked.reason))?;
            let (before, mut runs) = (LimitUse::of(job), job.clone());
            (runs.state, runs.start, runs.partitions) = (JobState::Running, Some(now), vec![*part]);
            runs.end = Some(now + runs.time_limit.span().unwrap_or(crate::state::job::UNLIMITED));
            runs.allocation = Some(allocation.clone());
            let after = LimitUse::of(&runs);
            self.limits.move_job(&self.dbd, &runs, Some(before), Some(after));
            Ok(())
        });
        self.limits = counted;
        found
    }
}
