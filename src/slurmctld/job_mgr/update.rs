//! `scontrol update jobid=`: permissions and changes for pending and running jobs. Mirrors scontrol(1), "Specifications
//! for update command, jobs".
//!
//! The description is changed and the needs are derived from it again. What Slurm counts separately (nodes, tasks,
//! CPUs) is carried over. Some refused updates have already changed something in Slurm: [`Slurmctld::apply_despite_refusal`].

use super::changed::changed_desc;
use super::tally;
use crate::Slurmctld;
use crate::acct_policy;
use crate::acct_policy::access::AccessIdentity;
use crate::licenses;
use crate::priority;
use crate::rpc::request::{Caller, JobUpdate, Response, Target, TextField};
use crate::state::edit;
use crate::state::error::SlurmError;
use crate::state::features;
use crate::state::job::{Exempt, Job, JobDesc, JobState, Needs};
use crate::state::reason::Reason;
use base::ids::{AssocId, JobId, PartId, QosId};
use base::time::Time;
use std::sync::Arc;

/// The result of a permitted update.
#[derive(Clone)]
struct JobUpdatePlan {
    desc: JobDesc,
    needs: Needs,
    /// Memory of a whole node of the partition, MiB.
    node_memory: u64,
    partitions: Vec<PartId>,
    account: Option<(String, Option<AssocId>)>,
    qos: Option<QosId>,
    deps: Option<(Vec<crate::state::job::Dependency>, bool)>,
}

impl Slurmctld {
    pub(crate) fn update(
        &mut self,
        caller: Caller,
        target: Target,
        change: &JobUpdate,
        now: Time,
    ) -> Response {
        if self.jobs.get(target.job).is_some_and(|j| j.desc.cron.is_some()) {
            return Response::Err { error: SlurmError::CannotModifyCronJob, messages: Vec::new() };
        }
        if let Some(Err(refusal)) =
            self.jobs.get(target.job).map(|job| self.may_modify(caller.uid, job, change))
        {
            return refusal.into();
        }
        if target.task.is_none() && self.jobs.get(target.job).is_some_and(|j| j.het.is_some()) {
            // The first component means all of them, any other one only itself.
            let mut done = Response::Ok;
            for id in self.components(target.job).unwrap_or_else(|_| vec![target.job]) {
                if let Err(error) = self.update_one(caller, id, change, now) {
                    done = Response::Err { error, messages: Vec::new() };
                }
            }
            return done;
        }
        self.each(target, |ctld, id| ctld.update_one(caller, id, change, now))
    }

    pub(crate) fn update_one(
        &mut self,
        caller: Caller,
        id: JobId,
        change: &JobUpdate,
        now: Time,
    ) -> Result<(), SlurmError> {
        let texts = |field| change.texts.iter().any(|t| t.0 == field);
        let over = |job: &Job| job.state.ended() && job.uid() == caller.uid;
        let there = self.jobs.get(id).is_some_and(|job| !over(job));
        if texts(TextField::AdminComment) && !self.is_administrator(caller.uid) && there {
            return Err(SlurmError::AccessDenied);
        }
        let job = self.owner_or_operator(caller, id)?;
        if job.state.ended() {
            return Err(SlurmError::JobFinished);
        }
        let operator = self.is_operator(caller.uid);
        // Coordinators cannot move jobs out of their accounts.
        let owns = operator || job.uid() == caller.uid;
        let goes = change.account.as_ref().filter(|a| **a != job.account);
        if goes.is_some_and(|account| !owns && !self.dbd.coordinates(&self.user_name(caller.uid), account)) {
            return Err(SlurmError::UserIdMissing);
        }
        if job.state != JobState::Pending && change.resizes() {
            if change.max_nodes.is_some_and(|most| change.min_nodes.is_some_and(|least| least != most)) {
                return Err(SlurmError::JobNotPending);
            }
            if let Some(to) = self.merges(job, change)? {
                self.merge(id, to, now);
                return Ok(());
            }
            self.permitted(caller, job, change, now)?;
            let left = self.leaves(job, change)?;
            self.shrink(id, &left, now);
            let rest = JobUpdate { min_nodes: None, max_nodes: None, required: None, ..change.clone() };
            return if rest == JobUpdate::default() {
                Ok(())
            } else {
                self.update_one(caller, id, &rest, now)
            };
        }
        let plan = self
            .permitted(caller, job, change, now)
            .and_then(|()| self.planned_update(caller, job, change))
            .and_then(|plan| self.within_limits_then(job, plan, change, operator, now));
        match plan {
            Ok(plan) => {
                self.apply_update(id, plan, change, self.is_operator(caller.uid), now);
                if operator {
                    let before = self.jobs.get(id).map(|j| j.exempt).unwrap_or_default();
                    self.edit_job(id, edit::request::exempt(exempt(before, change)));
                }
                if change.priority == Some(0) {
                    self.hold_one(caller, id, false);
                }
                Ok(())
            }
            Err(error) => {
                self.apply_despite_refusal(id, change, error, now);
                Err(error)
            }
        }
    }

    /// Checks whether the caller, the job's state and the values permit the update.
    fn permitted(&self, caller: Caller, job: &Job, change: &JobUpdate, now: Time) -> Result<(), SlurmError> {
        let operator = self.is_operator(caller.uid);
        let pending = job.state == JobState::Pending;
        if !pending && change.resizes() {
            self.leaves(job, change)?;
        }
        let list = change.licenses.as_deref().unwrap_or_default();
        licenses::parse(&self.cluster, list)?;
        let unknown = |name: &str| !name.is_empty() && self.dbd.qos_by_name(name).is_none();
        if !pending && change.qos.as_deref().is_some_and(|names| names.split(',').any(unknown)) {
            return Err(SlurmError::InvalidQos);
        }
        if !pending && !operator && change.licenses.as_deref().is_some_and(|l| !l.is_empty()) {
            return Err(SlurmError::AccessDenied);
        }
        let elsewhere = JobUpdate { min_nodes: None, required: None, ..change.clone() };
        if elsewhere.only_pending() && !pending {
            return Err(SlurmError::JobNotPending);
        }
        let known = &self.cluster.global.gres_types;
        if change.gres.iter().chain(&change.gpus).flatten().any(|g| !known.contains(&g.name)) {
            return Err(SlurmError::InvalidGres);
        }
        if change.min_nodes == Some(0) {
            return Err(SlurmError::InvalidNodeCount);
        }
        if change.cpus_per_task == Some(0) {
            return Err(SlurmError::InvalidCpuCount);
        }
        // A held job gets a priority when it is released.
        if change.priority.is_some_and(|p| p > 0) && job.held() {
            return Err(SlurmError::JobHeld);
        }
        if !operator {
            self.permitted_to_owner(job, change)?;
        }
        // As recorded from 22.05, not even root may.
        let specialized = change.core_spec.is_some() || change.thread_spec.is_some();
        if specialized && !self.cluster.global.select.core_spec {
            return Err(SlurmError::AccessDenied);
        }
        if change.reboot.is_some() && !pending {
            return Err(SlurmError::JobNotPending);
        }
        if change.deadline.is_some_and(|d| d < now) || change.end_time.is_some_and(|e| e < now) {
            return Err(SlurmError::InvalidTimeValue);
        }
        if change.end_time.is_some() && pending {
            return Err(SlurmError::JobNotRunning);
        }
        if change.time_min.is_some_and(|min| min > change.time_limit.unwrap_or(job.time_limit)) {
            return Err(SlurmError::InvalidTimeMinLimit);
        }
        let parts = || job.partitions.iter().map(|p| self.partition(*p));
        // For a held job, Slurm does not check whether it could run.
        let checked = pending && job.priority > 0;
        if checked && change.min_nodes.is_some_and(|n| parts().all(|p| n > p.nodes.len())) {
            return Err(SlurmError::RequestedPartConfigUnavailable);
        }
        let nodes = change.min_nodes.unwrap_or(job.needs.min_nodes);
        if change.ntasks.is_some_and(|tasks| tasks < nodes.max(1)) {
            return Err(SlurmError::BadTaskCount);
        }
        features::constraint(self, change.features.as_deref().unwrap_or_default())?;
        self.reservations_for(change.reservation.as_deref(), job, now)?;
        Ok(())
    }

    /// Checks what only operators may do: exceed the partition's limits, extend a running job, raise its priority, take
    /// resources of other users.
    fn permitted_to_owner(&self, job: &Job, change: &JobUpdate) -> Result<(), SlurmError> {
        if let Some(limit) = change.time_limit.filter(|l| *l > job.time_limit) {
            let most = job.partitions.first().map(|p| self.partition(*p).max_time);
            if job.state != JobState::Pending || most.is_some_and(|most| limit > most) {
                return Err(SlurmError::AccessDenied);
            }
        }
        if change.end_time.is_some_and(|end| job.end.is_some_and(|now| end > now)) {
            return Err(SlurmError::AccessDenied);
        }
        let denied = change.priority.is_some_and(|p| p > job.priority)
            || change.nice.is_some_and(|n| n < 0)
            || change.site_factor.is_some()
            || change.deadline.is_some()
            || change.tasks_per_node.is_some()
            || change.core_spec.is_some()
            || change.thread_spec.is_some()
            || change.oversubscribe.is_some()
            || change.contiguous.is_some()
            || change.reboot.is_some();
        if denied {
            return Err(SlurmError::AccessDenied);
        }
        if change.priority.is_some_and(|p| p > 0) { Err(SlurmError::PrioResetFail) } else { Ok(()) }
    }

    /// The job with the update applied.
    fn planned_update(
        &self,
        caller: Caller,
        job: &Job,
        change: &JobUpdate,
    ) -> Result<JobUpdatePlan, SlurmError> {
        let desc = changed_desc(&job.desc, change);
        let partitions = match change.partition.as_deref() {
            Some(names) => self.partitions_named(names)?,
            None => job.partitions.clone(),
        };
        let part = partitions.first().copied().ok_or(SlurmError::InvalidPartitionName)?;
        let limit = change.time_limit.unwrap_or(job.time_limit);
        let account = match &change.account {
            Some(name) => {
                let wanted = JobDesc { account: Some(name.clone()), ..desc.clone() };
                Some(self.account_of(&wanted, part)?)
            }
            None => None,
        };
        let assoc = account.as_ref().map_or(job.assoc, |a| a.1);
        let qos = change.qos.is_some().then(|| self.qos_of(&desc, assoc, caller.uid)).transpose()?;
        let deps = change.dependency.as_deref().map(|d| self.parse_dependencies(d, job.id)).transpose()?;
        if deps.as_ref().is_some_and(|(deps, _)| self.circular(deps, job.id)) {
            return Err(SlurmError::CircularDependency);
        }
        let mut needs = if change.changes_needs() {
            let fresh = self.needs(&desc, part)?;
            let old = &job.needs;
            Needs {
                min_nodes: old.min_nodes,
                max_nodes: old.max_nodes,
                ntasks: old.ntasks,
                ntasks_given: old.ntasks_given,
                min_cpus: old.min_cpus,
                max_cpus: old.max_cpus,
                memory: old.memory,
                likely_nodes: old.likely_nodes,
                ..fresh
            }
        } else {
            Needs::clone(&job.needs)
        };
        tally::counts(&mut needs, change);
        if change.partition.is_some() {
            let (account, qos) = (account.as_ref().map_or(&job.account, |a| &a.0), qos.unwrap_or(job.qos));
            let guest = AccessIdentity { uid: job.uid(), account, assoc, qos };
            self.partition_limits(&desc, &needs, Some(limit), &partitions, guest)?;
        }
        let node_memory = self.first_node_memory(part);
        Ok(JobUpdatePlan { desc, needs, node_memory, partitions, account, qos, deps })
    }

    /// The plan, unless the QOS would refuse the changed job (`DenyOnLimit`).
    fn within_limits_then(
        &self,
        job: &Job,
        plan: JobUpdatePlan,
        change: &JobUpdate,
        operator: bool,
        now: Time,
    ) -> Result<JobUpdatePlan, SlurmError> {
        if operator || job.state != JobState::Pending {
            return Ok(plan);
        }
        let mut changed = job.clone();
        enact(&mut changed, plan.clone(), change, now);
        match acct_policy::may_remain(self, &changed, now) {
            Ok(()) => Ok(plan),
            Err(_) => Err(SlurmError::AccountingPolicy),
        }
    }

    fn partitions_named(&self, names: &str) -> Result<Vec<PartId>, SlurmError> {
        let id = |name| self.partition_by_name(name).ok_or(SlurmError::InvalidPartitionName);
        names.split(',').map(id).collect()
    }

    fn apply_update(
        &mut self,
        id: JobId,
        plan: JobUpdatePlan,
        change: &JobUpdate,
        operator: bool,
        now: Time,
    ) {
        if let Some(name) = &change.name {
            self.jobs.rename(id, name);
        }
        let names = change.reservation.as_deref().zip(self.jobs.get(id));
        let reservations = names.and_then(|(names, job)| self.reservations_for(Some(names), job, now).ok());
        let Some(mut draft) = self.jobs.get(id).cloned() else { return };
        if let Some(reservations) = reservations {
            draft.reservations = reservations;
        }
        enact(&mut draft, plan, change, now);
        self.edit_job(id, edit::request::revise(draft));
        self.bill(id);
        if let Some(priority) = change.priority
            && self.jobs.get(id).is_some_and(|job| job.state != JobState::Pending)
        {
            self.edit_job(id, edit::request::keep_priority(Some(priority)));
        }
        self.after_update(id, change, operator, now);
    }

    fn bill(&mut self, id: JobId) {
        let Some(job) = self.jobs.get(id) else { return };
        let Some(part) = job.partitions.first() else { return };
        let billing = crate::state::billing::billing(
            self.partition(*part),
            &job.req_tres,
            self.cluster.global.priority.flags,
        );
        self.edit_job(id, edit::request::bill(billing));
    }

    /// Applies what a refused update changes all the same, as the recordings show.
    fn apply_despite_refusal(&mut self, id: JobId, change: &JobUpdate, error: SlurmError, now: Time) {
        match error {
            SlurmError::RequestedPartConfigUnavailable => {
                self.edit_job(id, edit::request::keep_node_counts(change.min_nodes, change.max_nodes));
            }
            SlurmError::AccessDenied if change.tasks_per_node.is_some() => {
                self.edit_job(id, edit::request::keep_tasks_per_node(change.tasks_per_node.unwrap_or(1)));
            }
            SlurmError::BadTaskCount => {
                self.edit_job(id, edit::request::keep_tasks(change.ntasks.unwrap_or(1)));
            }
            SlurmError::PrioResetFail => self.edit_job(id, edit::request::keep_priority(change.priority)),
            _ => return,
        }
        self.after_update(id, &JobUpdate::default(), false, now);
    }

    /// Updates the priority, reason and eligibility of a pending job after a change.
    fn after_update(&mut self, id: JobId, change: &JobUpdate, operator: bool, now: Time) {
        let waits = |j: &&Job| j.state == JobState::Pending && !j.flags.completing;
        if let Some(job) = self.jobs.get(id).filter(waits) {
            // For a job that no nodes could run, Slurm looks at the new request unless the update sets a priority.
            let given_up = job.reason == Reason::FailBadConstraints && change.priority.is_none();
            let held = job.priority == 0 && !given_up && change.priority.is_none_or(|p| p == 0);
            let priority = priority::of(self, job, now);
            // The next pass evaluates new dependencies.
            let new = change.dependency.is_some();
            let deps = if new { job.deps.clone() } else { self.review(job, now).0 };
            let restarts_wait = change.begin.is_some() || change.dependency.is_some();
            let reason = self.updated_reason(job, !deps.is_empty(), operator);
            let priority = Some(priority).filter(|_| !held);
            self.edit_job(id, edit::request::settle(deps, priority, reason, restarts_wait));
            let free = |j: &Job| j.eligible.is_none() && !held && j.deps.is_empty() && j.begin.is_none();
            if self.jobs.get(id).is_some_and(free) {
                self.make_eligible(id, now);
            }
            self.note_waits(id);
            self.jobs.review_later(id);
        }
        self.record_update(id);
        self.clock.want_schedule(now);
    }

    /// The reason after an update. Slurm clears it, except for a job that is too big for its partitions.
    fn updated_reason(&self, job: &Job, depends: bool, operator: bool) -> Reason {
        let mut parts = job.partitions.iter().map(|p| self.partition(*p));
        let too_big = !operator && parts.all(|p| job.needs.min_nodes > p.nodes.len());
        match (too_big, depends) {
            (true, true) => Reason::Dependency,
            (true, false) => Reason::PartConfig,
            (false, _) => Reason::None,
        }
    }
}

/// Changes a job as planned.
fn enact(job: &mut Job, plan: JobUpdatePlan, change: &JobUpdate, now: Time) {
    tally::tres(&mut job.req_tres, &plan.needs, change, plan.node_memory);
    job.desc = Arc::new(plan.desc);
    job.needs = Arc::new(plan.needs);
    job.partitions = plan.partitions;
    if let Some((account, assoc)) = plan.account {
        (job.account, job.assoc) = (account, assoc);
    }
    job.qos = plan.qos.unwrap_or(job.qos);
    if let Some((deps, any)) = plan.deps {
        (job.deps, job.deps_any) = (deps, any);
    }
    if let Some(nice) = change.nice {
        let moved = i64::from(job.priority) + job.nice - nice;
        job.priority = if job.priority == 0 { 0 } else { u32::try_from(moved.max(2)).unwrap_or(u32::MAX) };
        job.nice = nice;
    } else if change.priority.is_some_and(|p| p > 0) {
        // Setting a priority resets the nice value.
        job.nice = 0;
    }
    job.site_factor = change.site_factor.unwrap_or(job.site_factor);
    job.fixed_priority = change.priority.filter(|p| *p > 0).or(job.fixed_priority);
    job.requeue = change.requeue.unwrap_or(job.requeue);
    job.comment.clone_from(&job.desc.comment);
    job.admin_comment.clone_from(&job.desc.admin_comment);
    if let (Some(throttle), Some(array)) = (change.throttle, &mut job.array) {
        array.throttle = throttle;
    }
    update_times(job, change, now);
}

/// Marks what an administrator sets as exempt from limits.
fn exempt(before: Exempt, change: &JobUpdate) -> Exempt {
    Exempt {
        qos: before.qos || change.qos.is_some(),
        time: before.time || change.time_limit.is_some() || change.end_time.is_some(),
        cpu: before.cpu
            || change.min_cpus.is_some()
            || change.ntasks.is_some()
            || change.cpus_per_task.is_some(),
        mem: before.mem || change.mem_per_node.is_some() || change.mem_per_cpu.is_some(),
        node: before.node || change.min_nodes.is_some(),
        gres: before.gres || change.gres.is_some(),
    }
}

fn update_times(job: &mut Job, change: &JobUpdate, now: Time) {
    if let Some(limit) = change.time_limit {
        job.time_limit = limit;
        if let (Some(start), JobState::Running) = (job.start, job.state) {
            job.end = Some(limit.span().map_or(Time(i64::MAX), |s| start + s));
        }
    }
    if let (Some(end), Some(start)) = (change.end_time, job.start) {
        let minutes = u32::try_from(((end - start).secs().max(0) + 59) / 60).unwrap_or(u32::MAX);
        job.end = Some(end);
        job.time_limit = base::time::Limit::Minutes(minutes);
    }
    if let Some(begin) = change.begin {
        job.begin = Some(begin).filter(|b| *b > now);
    }
    if change.reset_accrue {
        job.accrue = job.accrue.map(|_| now);
    }
}
