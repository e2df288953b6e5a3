//! Steering jobs that wait or run. Mirrors scontrol(1): hold, release, requeue, suspend, resume, update job.

use super::Slurmctld;
use super::error::SlurmError;
use super::job::{Ending, Job, JobState, Memory};
use super::priority;
use super::reason::Reason;
use super::request::{Caller, JobUpdate, Order, Response, SignalScope, Target};
use crate::base::ids::{JobId, Uid};
use crate::base::time::{Span, Time};
use crate::host::Signal;
use std::sync::Arc;

impl Slurmctld {
    /// Does something to each record of a target; failures of single tasks are told task by task.
    fn each(
        &mut self,
        target: Target,
        mut act: impl FnMut(&mut Self, JobId) -> Result<(), SlurmError>,
    ) -> Response {
        let records = match self.records(target) {
            Ok(records) => records,
            Err(error) => return Response::Err { error, messages: Vec::new() },
        };
        let many = records.len() > 1;
        let mut failed = Vec::new();
        for id in records {
            if let Err(error) = act(self, id) {
                if !many {
                    return Response::Err { error, messages: Vec::new() };
                }
                failed.push((self.bracketed(id), error));
            }
        }
        if failed.is_empty() { Response::Ok } else { Response::PerTask(failed) }
    }

    /// `41_[1]`, as scontrol names a task that failed.
    fn bracketed(&self, id: JobId) -> String {
        match self.jobs.get(id).and_then(|j| j.array.as_ref()) {
            Some(super::job::Array { job, task: Some(task), .. }) => format!("{job}_[{task}]"),
            Some(array) => format!("{}_[{}]", array.job, array.text()),
            None => id.to_string(),
        }
    }

    fn owner_or_operator(&self, caller: Caller, id: JobId) -> Result<&Job, SlurmError> {
        let job = self.jobs.get(id).ok_or(SlurmError::InvalidJobId)?;
        if job.uid() == caller.uid || self.is_operator(caller.uid) {
            Ok(job)
        } else {
            Err(SlurmError::UserIdMissing)
        }
    }

    pub(super) fn hold(&mut self, caller: Caller, target: Target, user: bool, _now: Time) -> Response {
        self.each(target, |ctld, id| {
            let job = ctld.owner_or_operator(caller, id)?;
            if job.state.ended() {
                return Err(SlurmError::JobFinished);
            }
            let by_admin = !user && job.uid() != caller.uid;
            let pending = job.state == JobState::Pending;
            ctld.change_job(id, |job| {
                job.priority = 0;
                job.held_by_admin = by_admin;
                if pending {
                    job.reason = if by_admin { Reason::Held } else { Reason::HeldUser };
                    job.state_desc = None;
                }
            });
            Ok(())
        })
    }

    pub(super) fn release(&mut self, caller: Caller, target: Target, now: Time) -> Response {
        self.each(target, |ctld, id| {
            let job = ctld.owner_or_operator(caller, id)?;
            if job.state.ended() {
                return Err(SlurmError::JobFinished);
            }
            if job.priority != 0 {
                return Ok(());
            }
            if job.held_by_admin && !ctld.is_operator(caller.uid) {
                return Err(SlurmError::AccessDenied);
            }
            let priority = priority::of(ctld, job, now);
            ctld.change_job(id, |job| {
                job.priority = priority.max(1);
                job.held_by_admin = false;
                if job.held() {
                    job.reason = Reason::None;
                }
                job.state_desc = None;
            });
            let waits =
                ctld.jobs.get(id).is_some_and(|j| j.deps.is_empty() && j.begin.is_none_or(|b| b <= now));
            if waits && ctld.jobs.get(id).is_some_and(|j| j.state == JobState::Pending) {
                ctld.make_eligible(id, now);
            }
            ctld.review_later(id);
            ctld.clock.want_schedule(now);
            Ok(())
        })
    }

    pub(super) fn requeue(&mut self, caller: Caller, target: Target, hold: bool, now: Time) -> Response {
        self.each(target, |ctld, id| {
            let job = ctld.owner_or_operator(caller, id)?;
            if job.state == JobState::Pending && !job.flags.completing {
                return Err(SlurmError::JobPending);
            }
            if !job.requeue || !job.is_batch() {
                return Err(SlurmError::Disabled);
            }
            if job.flags.completing {
                return Err(SlurmError::TransitionStateNoUpdate);
            }
            let ended = job.state.ended();
            let ending = Ending { state: JobState::Cancelled, since: now, by: caller.uid, requeue: true };
            ctld.change_job(id, |job| job.flags.requeue_hold = hold);
            if ended {
                ctld.change_job(id, |job| job.ending = Some(ending));
                ctld.complete(id, now);
            } else {
                ctld.end_job(id, ending, " DUE TO JOB REQUEUE", now);
            }
            Ok(())
        })
    }

    pub(super) fn suspend(&mut self, caller: Caller, target: Target, now: Time) -> Result<(), SlurmError> {
        self.operator(caller)?;
        let id = self.single(target)?;
        let job = self.jobs.get(id).ok_or(SlurmError::InvalidJobId)?;
        if job.state != JobState::Running || job.flags.completing {
            return Err(if job.state == JobState::Pending {
                SlurmError::JobPending
            } else {
                SlurmError::JobNotRunning
            });
        }
        let ran = u32::try_from(job.run_seconds(now)).unwrap_or(u32::MAX);
        self.change_job(id, |job| {
            job.state = JobState::Suspended;
            job.pre_suspend = ran;
            job.suspend = Some(now);
        });
        self.orders.push(Order::Signal { job: id, signal: Signal::STOP, scope: SignalScope::Full });
        self.record_update(id);
        Ok(())
    }

    pub(super) fn resume(&mut self, caller: Caller, target: Target, now: Time) -> Result<(), SlurmError> {
        self.operator(caller)?;
        let id = self.single(target)?;
        let job = self.jobs.get(id).ok_or(SlurmError::InvalidJobId)?;
        if job.state != JobState::Suspended {
            return Err(SlurmError::JobNotSuspended);
        }
        let away = job.suspend.map_or(Span(0), |since| now - since);
        self.change_job(id, |job| {
            job.state = JobState::Running;
            job.suspend = Some(now);
            job.end = job.end.map(|end| end + away);
        });
        self.orders.push(Order::Signal { job: id, signal: Signal::CONT, scope: SignalScope::Full });
        self.record_update(id);
        Ok(())
    }

    fn operator(&self, caller: Caller) -> Result<(), SlurmError> {
        if self.is_operator(caller.uid) { Ok(()) } else { Err(SlurmError::AccessDenied) }
    }

    fn single(&mut self, target: Target) -> Result<JobId, SlurmError> {
        self.records(target)?.first().copied().ok_or(SlurmError::InvalidJobId)
    }

    pub(super) fn update(
        &mut self,
        caller: Caller,
        target: Target,
        change: &JobUpdate,
        now: Time,
    ) -> Response {
        self.each(target, |ctld, id| ctld.update_one(caller, id, change, now))
    }

    fn update_one(
        &mut self,
        caller: Caller,
        id: JobId,
        change: &JobUpdate,
        now: Time,
    ) -> Result<(), SlurmError> {
        let job = self.owner_or_operator(caller, id)?;
        if job.state.ended() {
            return Err(SlurmError::JobFinished);
        }
        let operator = self.is_operator(caller.uid);
        let pending = job.state == JobState::Pending;
        self.check_update(job, change, operator, pending)?;
        let qos = change.qos.as_deref().map(|q| self.dbd.qos_by_name(q).map(|q| q.id));
        let qos = qos.map(|q| q.ok_or(SlurmError::InvalidQos)).transpose()?;
        let partitions = change.partition.as_deref().map(|p| {
            p.split(',').map(|n| self.partition_by_name(n).ok_or(SlurmError::InvalidPartitionName)).collect()
        });
        let partitions: Option<Vec<_>> = partitions.transpose()?;
        let deps = change.dependency.as_deref().map(|d| self.parse_dependencies(d, id)).transpose()?;
        if let Some(name) = &change.name {
            self.rename(id, name);
        }
        self.change_job(id, |job| {
            if let Some(limit) = change.time_limit {
                job.time_limit = limit;
                if let (Some(start), JobState::Running) = (job.start, job.state) {
                    job.end = Some(limit.span().map_or(Time(i64::MAX), |s| start + s));
                }
            }
            if let Some(qos) = qos {
                job.qos = qos;
            }
            if let Some(partitions) = partitions {
                job.partitions = partitions;
            }
            if let Some(nice) = change.nice {
                job.nice = nice;
            }
            if let Some(comment) = &change.comment {
                job.comment = Some(comment.clone());
            }
            if let Some(comment) = &change.admin_comment {
                job.admin_comment = Some(comment.clone());
            }
            if let Some(requeue) = change.requeue {
                job.requeue = requeue;
            }
            if let Some(begin) = change.begin {
                job.begin = Some(begin).filter(|b| *b > now);
            }
            if let Some((deps, any)) = deps {
                job.deps = deps;
                job.deps_any = any;
            }
            if let (Some(throttle), Some(array)) = (change.throttle, &mut job.array) {
                array.throttle = throttle;
            }
            update_needs(job, change);
        });
        self.after_update(id, change, now);
        Ok(())
    }

    fn check_update(
        &self,
        job: &Job,
        change: &JobUpdate,
        operator: bool,
        pending: bool,
    ) -> Result<(), SlurmError> {
        if let Some(limit) = change.time_limit {
            let most = job.partitions.first().map(|p| self.partition(*p).max_time);
            let raised = limit > job.time_limit;
            if !operator && raised && (!pending || most.is_some_and(|m| limit > m)) {
                return Err(SlurmError::AccessDenied);
            }
        }
        if change.priority.is_some_and(|p| p > job.priority) && !operator {
            return Err(SlurmError::AccessDenied);
        }
        if change.priority.is_some() && !operator {
            return Err(SlurmError::PrioResetFail);
        }
        if change.nice.is_some_and(|n| n < 0) && !operator {
            return Err(SlurmError::InvalidNice);
        }
        let only_pending = change.partition.is_some()
            || change.min_nodes.is_some()
            || change.min_cpus.is_some()
            || change.dependency.is_some()
            || change.mem_per_node.is_some()
            || change.mem_per_cpu.is_some();
        if only_pending && !pending { Err(SlurmError::JobNotPending) } else { Ok(()) }
    }

    fn after_update(&mut self, id: JobId, change: &JobUpdate, now: Time) {
        let Some(job) = self.jobs.get(id) else { return };
        if let Some(part) = job.partitions.first().copied() {
            let tres = self.requested_tres(&job.needs.clone(), part);
            self.change_job(id, |job| job.req_tres = tres);
        }
        let Some(job) = self.jobs.get(id) else { return };
        if let Some(priority) = change.priority {
            self.change_job(id, |job| job.priority = priority);
        } else if job.priority > 0 && job.state == JobState::Pending {
            let priority = priority::of(self, job, now);
            self.change_job(id, |job| job.priority = priority);
        }
        if self.jobs.get(id).is_some_and(|j| j.reason == Reason::ArrayTaskLimit) {
            self.change_job(id, |job| job.reason = Reason::None);
        }
        self.review_later(id);
        self.record_update(id);
        self.clock.want_schedule(now);
    }

    /// `scontrol update partitionname=`: State, MaxTime and PriorityTier; anything else is refused.
    pub(super) fn update_partition(
        &mut self,
        caller: Caller,
        name: &str,
        changes: &[(String, String)],
        now: Time,
    ) -> Result<(), SlurmError> {
        if caller.uid != Uid(0) && !self.is_operator(caller.uid) {
            return Err(SlurmError::UserIdMissing);
        }
        let part = self.partition_by_name(name).ok_or(SlurmError::InvalidPartitionName)?;
        for (key, value) in changes {
            let conf = &mut self.partitions[part.0 as usize];
            match key.to_ascii_lowercase().as_str() {
                "state" => {
                    conf.state = match value.to_ascii_lowercase().as_str() {
                        "up" => crate::config::PartState::Up,
                        "down" => crate::config::PartState::Down,
                        "drain" => crate::config::PartState::Drain,
                        "inactive" => crate::config::PartState::Inactive,
                        _ => return Err(SlurmError::InvalidPartitionName),
                    };
                }
                "prioritytier" => {
                    conf.priority_tier = value.parse().map_err(|_| SlurmError::NotSupported)?;
                }
                _ => return Err(SlurmError::NotSupported),
            }
        }
        self.clock.want_schedule(now);
        Ok(())
    }
}

fn update_needs(job: &mut Job, change: &JobUpdate) {
    let needs = Arc::make_mut(&mut job.needs);
    if let Some(nodes) = change.min_nodes {
        needs.min_nodes = nodes;
        needs.min_cpus = needs.min_cpus.max(nodes);
    }
    if let Some(nodes) = change.max_nodes {
        needs.max_nodes = nodes;
    }
    if let Some(tasks) = change.ntasks {
        needs.ntasks = tasks;
        needs.min_cpus = tasks.saturating_mul(needs.cpus_per_task).max(needs.min_nodes);
    }
    if let Some(cpus) = change.min_cpus {
        needs.min_cpus = cpus;
    }
    if let Some(mib) = change.mem_per_node {
        needs.memory = Memory::PerNode(mib);
    }
    if let Some(mib) = change.mem_per_cpu {
        needs.memory = Memory::PerCpu(mib);
    }
    if let Some(features) = &change.features {
        needs.features = Some(features.clone()).filter(|f| !f.is_empty());
    }
}
