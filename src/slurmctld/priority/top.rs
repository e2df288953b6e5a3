//! `scontrol top`: reorders a user's jobs. Mirrors "top" of scontrol(1).
//!
//! The first job gets the highest priority of all comparable jobs (same association, QOS and partition), the next one
//! slightly less. The comparable jobs lose in equal parts what these jobs gain, through their nice values, and none
//! stays above.

use crate::Slurmctld;
use crate::rpc::request::{Caller, Response, Target};
use crate::state::edit;
use crate::state::error::SlurmError;
use crate::state::job::{Job, JobState};
use base::ids::JobId;
use base::time::Time;

impl Slurmctld {
    /// Moves a job ahead of its owner's other jobs.
    pub(crate) fn top(&mut self, caller: Caller, target: Target, now: Time) -> Response {
        match self.records(target).and_then(|records| self.top_records(caller, &records)) {
            Ok(changes) => {
                for (id, priority) in changes {
                    self.edit_job(id, edit::pending::reorder(priority));
                }
                self.clock.want_schedule(now);
                Response::Ok
            }
            Err(error) => Response::Err { error, messages: Vec::new() },
        }
    }

    /// The new priorities.
    fn top_records(&self, caller: Caller, records: &[JobId]) -> Result<Vec<(JobId, u32)>, SlurmError> {
        let operator = self.is_operator(caller.uid);
        if !operator && !self.cluster.global.scheduler_parameters.contains_key("enable_user_top") {
            return Err(SlurmError::AccessDenied);
        }
        let mut chosen: Vec<&Job> = Vec::new();
        for id in records {
            let job = self.jobs.get(*id).ok_or(SlurmError::InvalidJobId)?;
            if job.uid() != caller.uid && !operator {
                return Err(SlurmError::AccessDenied);
            }
            match job.state {
                JobState::Pending if job.priority == 0 => return Err(SlurmError::JobHeld),
                JobState::Pending if job.partitions.len() > 1 => {
                    return Err(SlurmError::RequestedPartConfigUnavailable);
                }
                JobState::Pending => chosen.push(job),
                _ => {}
            }
        }
        let first = *chosen.first().ok_or(SlurmError::JobNotPending)?;
        let others: Vec<&Job> = self
            .pending_jobs()
            .filter(|j| j.priority > 0 && comparable(j, first) && !chosen.iter().any(|c| c.id == j.id))
            .collect();
        Ok(new_priorities(&chosen, &others))
    }
}

fn comparable(job: &Job, first: &Job) -> bool {
    job.uid() == first.uid()
        && job.assoc == first.assoc
        && job.qos == first.qos
        && job.partitions == first.partitions
}

fn new_priorities(chosen: &[&Job], others: &[&Job]) -> Vec<(JobId, u32)> {
    let mut next = chosen.iter().chain(others).map(|j| j.priority).max().unwrap_or(1);
    let mut new = Vec::new();
    let (mut gained, mut lowest) = (0_i64, next);
    for job in chosen {
        new.push((job.id, next));
        gained += i64::from(next) - i64::from(job.priority);
        lowest = next;
        next = next.saturating_sub(1).max(1);
    }
    let mut left = i64::try_from(others.len()).unwrap_or(i64::MAX);
    for job in others {
        let loss = (gained / left.max(1)).max(0);
        let below = i64::from(lowest) - 1;
        let priority = (i64::from(job.priority) - loss).min(below).max(1);
        gained -= loss;
        left -= 1;
        new.push((job.id, u32::try_from(priority).unwrap_or(1)));
    }
    new
}
