//! Suspending and resuming jobs: by hand (`scontrol suspend`, scontrol(1)), and for gang scheduling.
//!
//! A suspended job keeps its resources. Its run time and its limit do not advance.

use crate::Slurmctld;
use crate::priority;
use crate::rpc::request::{Caller, Order, SignalScope, Target};
use crate::state::edit;
use crate::state::error::SlurmError;
use crate::state::job::JobState;
use base::ids::{JobId, NodeId};
use base::signal::Signal;
use base::time::{Span, Time};

impl Slurmctld {
    /// `scontrol suspend`.
    pub(crate) fn suspend(&mut self, caller: Caller, target: Target, now: Time) -> Result<(), SlurmError> {
        let id = self.single(target)?;
        let job = self.jobs.get(id).ok_or(SlurmError::InvalidJobId)?;
        if job.state == JobState::Pending {
            return Err(SlurmError::JobPending);
        }
        self.operator(caller)?;
        match job.state {
            JobState::Suspended => {
                self.edit_job(id, edit::life::stay_suspended());
                Ok(())
            }
            JobState::Running if !job.flags.completing => {
                self.pause(id, false, now);
                self.share_cores(now);
                Ok(())
            }
            JobState::Pending
            | JobState::Running
            | JobState::Complete
            | JobState::Cancelled
            | JobState::Failed
            | JobState::Timeout
            | JobState::NodeFail
            | JobState::Preempted
            | JobState::BootFail
            | JobState::Deadline
            | JobState::OutOfMemory => Err(SlurmError::JobNotRunning),
        }
    }

    /// `scontrol resume`.
    pub(crate) fn resume(&mut self, caller: Caller, target: Target, now: Time) -> Result<(), SlurmError> {
        self.operator(caller)?;
        let id = self.single(target)?;
        let job = self.jobs.get(id).ok_or(SlurmError::InvalidJobId)?;
        if job.state == JobState::Pending {
            return Err(SlurmError::JobPending);
        }
        if job.state != JobState::Suspended {
            return Err(SlurmError::JobNotSuspended);
        }
        self.proceed(id, now);
        // One that was held gets a priority again; why it was held goes on to be shown.
        if let Some(job) = self.jobs.get(id).filter(|job| job.priority == 0) {
            let priority = priority::of(self, job, now);
            self.edit_job(id, edit::pending::prioritize(priority));
        }
        self.share_cores(now);
        Ok(())
    }

    fn operator(&self, caller: Caller) -> Result<(), SlurmError> {
        if self.is_operator(caller.uid) { Ok(()) } else { Err(SlurmError::AccessDenied) }
    }

    fn single(&mut self, target: Target) -> Result<JobId, SlurmError> {
        self.records(target)?.first().copied().ok_or(SlurmError::InvalidJobId)
    }

    /// Suspends a running job. `ganged`: the gang scheduler resumes it.
    pub(crate) fn pause(&mut self, id: JobId, ganged: bool, now: Time) {
        let Some(job) = self.jobs.get(id) else { return };
        let ran = u32::try_from(job.run_seconds(now)).unwrap_or(u32::MAX);
        self.edit_job(id, edit::life::suspend(ran, ganged, now));
        self.mark_nodes(id, true);
        self.orders.push(Order::Signal { job: id, signal: Signal::STOP, scope: SignalScope::Full });
        self.record_update(id);
    }

    /// Resumes a suspended job. Its end moves by the time of the suspension.
    pub(crate) fn proceed(&mut self, id: JobId, now: Time) {
        let away = self.jobs.get(id).and_then(|j| j.suspend).map_or(Span(0), |since| now - since);
        self.edit_job(id, edit::life::resume(away, now));
        self.mark_nodes(id, false);
        self.orders.push(Order::Signal { job: id, signal: Signal::CONT, scope: SignalScope::Full });
        self.record_update(id);
    }

    /// Notes on its nodes whether a job is suspended.
    fn mark_nodes(&mut self, id: JobId, suspended: bool) {
        let nodes: Vec<NodeId> = self.nodes_of(id);
        for node in nodes {
            self.edit_node(node, edit::node::suspend_job(id, suspended));
        }
    }
}
