//! Suspending and resuming: by hand (`scontrol suspend`, scontrol(1)) and for whom cores are shared with.
//!
//! A suspended job keeps what it has; its run time and its limit stand still.

use super::super::Slurmctld;
use super::super::error::SlurmError;
use super::super::job::JobState;
use super::super::request::{Caller, Order, SignalScope, Target};
use crate::base::ids::{JobId, NodeId};
use crate::base::time::{Span, Time};
use crate::host::Signal;

impl Slurmctld {
    /// `scontrol suspend`.
    pub(in super::super) fn suspend(
        &mut self,
        caller: Caller,
        target: Target,
        now: Time,
    ) -> Result<(), SlurmError> {
        let id = self.single(target)?;
        let job = self.jobs.get(id).ok_or(SlurmError::InvalidJobId)?;
        if job.state == JobState::Pending {
            return Err(SlurmError::JobPending);
        }
        self.operator(caller)?;
        match job.state {
            JobState::Suspended if job.ganged => {
                self.change_job(id, |job| job.ganged = false);
                Ok(())
            }
            JobState::Running if !job.flags.completing => {
                self.pause(id, false, now);
                self.share_cores(now);
                Ok(())
            }
            JobState::Pending
            | JobState::Running
            | JobState::Suspended
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
    pub(in super::super) fn resume(
        &mut self,
        caller: Caller,
        target: Target,
        now: Time,
    ) -> Result<(), SlurmError> {
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
        self.share_cores(now);
        Ok(())
    }

    fn operator(&self, caller: Caller) -> Result<(), SlurmError> {
        if self.is_operator(caller.uid) { Ok(()) } else { Err(SlurmError::AccessDenied) }
    }

    fn single(&mut self, target: Target) -> Result<JobId, SlurmError> {
        self.records(target)?.first().copied().ok_or(SlurmError::InvalidJobId)
    }

    /// Stops a running job; `ganged`: to be continued by itself.
    pub(super) fn pause(&mut self, id: JobId, ganged: bool, now: Time) {
        let Some(job) = self.jobs.get(id) else { return };
        let ran = u32::try_from(job.run_seconds(now)).unwrap_or(u32::MAX);
        self.change_job(id, |job| {
            job.state = JobState::Suspended;
            job.pre_suspend = ran;
            job.suspend = Some(now);
            job.ganged = ganged;
        });
        self.mark_nodes(id, true);
        self.orders.push(Order::Signal { job: id, signal: Signal::STOP, scope: SignalScope::Full });
        self.record_update(id);
    }

    /// Continues a suspended job: its end moves by the time that it stood still.
    pub(super) fn proceed(&mut self, id: JobId, now: Time) {
        let away = self.jobs.get(id).and_then(|j| j.suspend).map_or(Span(0), |since| now - since);
        self.change_job(id, |job| {
            job.state = JobState::Running;
            job.suspend = Some(now);
            job.ganged = false;
            job.suspended += u32::try_from(away.secs()).unwrap_or(0);
            if job.time_limit.span().is_some() {
                job.end = job.end.map(|end| end + away);
            }
        });
        self.mark_nodes(id, false);
        self.orders.push(Order::Signal { job: id, signal: Signal::CONT, scope: SignalScope::Full });
        self.record_update(id);
    }

    /// Notes on its nodes whether a job stands still there.
    fn mark_nodes(&mut self, id: JobId, suspended: bool) {
        let nodes: Vec<NodeId> = self.nodes_of(id);
        for node in nodes {
            let still = &mut self.node_mut(node).suspended;
            if suspended {
                still.insert(id)
            } else {
                still.remove(&id)
            };
        }
    }
}
