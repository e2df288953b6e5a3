//! When and where a job would start: `sbatch --test-only`. Mirrors sbatch(1).

use super::submit::SubmitRefusal;
use crate::Slurmctld;
use crate::priority;
use crate::reservation;
use crate::rpc::request::{Caller, Response};
use crate::select::{self, Availability, FreeResources};
use crate::state::error::SlurmError;
use crate::state::job::{Allocation, Job, JobDesc, JobState};
use crate::state::reason::Reason;
use base::ids::{JobId, PartId};
use base::order::StableSort as _;
use base::time::{Limit, Span, Time};

/// How far ahead to look for the end of a reservation.
const AHEAD: Span = Span::from_secs(366 * 86_400);

impl Slurmctld {
    /// The line that `srun` and `salloc` print about a job that is too big for its partition.
    pub(crate) fn not_now(&self, id: JobId) -> Option<String> {
        let job = self.jobs.get(id)?;
        let many = |part: &PartId| job.needs.min_nodes > self.partition(*part).nodes.len();
        let too_many = job.reason == Reason::PartConfig || job.partitions.iter().all(many);
        let tells = !job.is_batch() && job.state == JobState::Pending && too_many;
        tells.then(|| SlurmError::RequestedPartConfigUnavailable.to_string())
    }

    /// `--test-only`: returns the id that it uses up, and when and where the job would start.
    pub(crate) fn will_run(&mut self, _caller: Caller, mut desc: JobDesc, now: Time) -> Response {
        let mut job = match self.by_policy(&mut desc).and_then(|_| self.build(Box::new(desc), now)) {
            Ok(job) => job,
            Err(refusal) => return refusal.into(),
        };
        if let Err(refusal) = self.within_limits(&job, 1, now) {
            return refusal.into();
        }
        job.id = self.new_job_id();
        match self.reservations_for(job.desc.reservation.as_deref(), &job, now) {
            Ok(ids) => job.reservations = ids,
            Err(error) => return SubmitRefusal::from(error).into(),
        }
        priority::of(self, &job, now).give(&mut job);
        let part = job.partitions[0];
        let conf = self.partition(part);
        let over = job.needs.min_nodes > conf.nodes.len();
        if over || select::feasible(self, &job, part, None).is_err() {
            return SubmitRefusal::from(SlurmError::RequestedNodeConfigUnavailable).into();
        }
        Availability::refresh(self);
        match self.expected_start(&job, part, now) {
            Some((start, allocation)) => Response::WillRun {
                id: job.id,
                start: start + self.work_ahead(&job, part),
                cpus: allocation.nodes.iter().map(|n| n.cpus).sum(),
                nodes: self.nodes_text(allocation.nodes.iter().map(|n| n.node)),
                partition: self.partition(part).name.clone(),
            },
            None => SubmitRefusal::from(SlurmError::RequestedNodeConfigUnavailable).into(),
        }
    }

    /// The work ahead of the job. Slurm's test only sums it: node minutes of the partition's jobs of at least the same
    /// priority, divided by its nodes. Unlimited jobs are left out, because Slurm's sum overflows there.
    fn work_ahead(&self, job: &Job, part: PartId) -> Span {
        let ahead = |j: &&Job| j.priority >= job.priority.max(1) && j.partitions.first() == Some(&part);
        let minutes: u64 = self
            .pending_jobs()
            .filter(ahead)
            .filter_map(|j| match j.time_limit {
                Limit::Minutes(m) => Some(u64::from(m) * u64::from(j.needs.likely_nodes.max(1))),
                Limit::Unlimited => None,
            })
            .sum();
        let nodes = u64::from(self.partition(part).nodes.len().max(1));
        Span::from_mins(i64::try_from(minutes / nodes).unwrap_or(0))
    }

    /// When the running jobs' limits and the reservations allow the job to start. Ignores other pending jobs, as
    /// Slurm's test does.
    fn expected_start(&self, job: &Job, part: PartId, now: Time) -> Option<(Time, Allocation)> {
        let nodes = select::candidates(self, job, part, true);
        let mut moments: Vec<Time> =
            self.active_jobs().map(Job::planned_end).filter(|end| *end > now).collect();
        moments.extend(reservation::edges(self, now, now + AHEAD));
        moments.order();
        moments.dedup();
        let resources = std::iter::once((now, FreeResources::now(self)));
        let resources = resources.chain(moments.into_iter().map(|at| (at, FreeResources::after(self, at))));
        for (at, resources) in resources {
            let mut open = nodes.clone();
            if let Some(shut) = reservation::closed(self, job, at, at + job.planned_span()) {
                open.subtract(&shut);
            }
            let resources = resources.reserved_for(job, (at, at + job.planned_span()));
            if let Ok(choice) = select::choose(self, job, part, &resources, (&open).into()) {
                return Some((at, choice.allocation(self, job, part)));
            }
        }
        None
    }
}
