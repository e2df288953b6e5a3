//! Job submission: checks in Slurm's order, defaults, job id, first reason. Mirrors `sbatch`, `salloc`, `srun` and
//! `EnforcePartLimits` of slurm.conf(5).

use super::array;
use super::depend::DependencyOutcome;
use crate::Slurmctld;
use crate::acct_policy::{self, access};
use crate::priority::{self, Factors};
use crate::rpc::request::{Caller, Response};
use crate::sched::queue;
use crate::select::{self, Infeasible};
use crate::state::edit;
use crate::state::error::SlurmError;
use crate::state::job::{
    Array, DepKind, Exempt, ExitCode, Job, JobDesc, JobFlags, JobState, Needs, Scheduler,
};
use crate::state::reason::Reason;
use base::bitset::BitSet;
use base::hostlist;
use base::ids::{AssocId, JobId, PartId, QosId};
use base::order::StableSort as _;
use base::time::{Limit, Time};
use base::tres::Tres;
use base::vec_map::VecMap;
use config::EnforcePart;
use std::sync::Arc;

/// A refused submission: the error, additional lines for the user, and whether it used up a job id.
pub(crate) struct SubmitRefusal {
    pub(crate) error: SlurmError,
    messages: Vec<String>,
}

impl SubmitRefusal {
    /// A refusal with lines for the user.
    pub(crate) const fn with(error: SlurmError, messages: Vec<String>) -> Self {
        Self { error, messages }
    }
}

impl From<SlurmError> for SubmitRefusal {
    fn from(error: SlurmError) -> Self {
        Self { error, messages: Vec::new() }
    }
}

impl From<SubmitRefusal> for Response {
    fn from(refusal: SubmitRefusal) -> Self {
        Self::Err { error: refusal.error, messages: refusal.messages }
    }
}

impl Slurmctld {
    /// Accepts a job, or returns why not.
    pub(crate) fn submit(&mut self, _caller: Caller, mut desc: Box<JobDesc>, now: Time) -> Response {
        let said = match self.by_policy(&mut desc) {
            Ok(said) => said,
            Err(refusal) => return refusal.into(),
        };
        let tasks = match self.array_of(&desc) {
            Ok(tasks) => tasks,
            Err(error) => return SubmitRefusal::from(error).into(),
        };
        let job = match self.build(desc, now) {
            Ok(job) => job,
            Err(refusal) => return refusal.into(),
        };
        let count = tasks.as_ref().map_or(1, |t| t.tasks.len());
        if let Err(refusal) = self.within_limits(&job, count, now) {
            return refusal.into();
        }
        let id = self.new_job_id();
        match self.admit(job, id, tasks, now) {
            Ok(()) => {
                // Each task of an array counts.
                self.stats.submitted += u64::from(count);
                let messages = said.into_iter().chain(self.not_now(id)).collect();
                self.start_interactive(id, now);
                if let Some(error) = self.refuse_late(id, now) {
                    return SubmitRefusal::from(error).into();
                }
                Response::Job { id, messages }
            }
            Err(refusal) => refusal.into(),
        }
    }

    /// Checks the limits of associations and QOS that refuse a job instead of letting it wait.
    pub(crate) fn within_limits(&self, job: &Job, tasks: u32, now: Time) -> Result<(), SubmitRefusal> {
        acct_policy::may_submit(self, job, tasks, now).map_err(|blocked| SubmitRefusal {
            error: SlurmError::AccountingPolicy,
            messages: vec![format!("error: {}", blocked.reason.text())],
        })
    }

    fn array_of(&self, desc: &JobDesc) -> Result<Option<array::ArraySpec>, SlurmError> {
        let Some(text) = desc.array.as_deref().filter(|t| !t.is_empty()) else { return Ok(None) };
        let spec = array::parse(text, self.cluster.global.max_array_size)?;
        let most = self.parameter("max_array_tasks").unwrap_or(u32::MAX);
        if spec.tasks.len() > most { Err(SlurmError::InvalidArray) } else { Ok(Some(spec)) }
    }

    /// Checks that need no job id: partition, account, QOS, limits of partitions.
    pub(crate) fn build(&self, mut desc: Box<JobDesc>, now: Time) -> Result<Box<Job>, SubmitRefusal> {
        if self.jobs.len() >= u64::from(self.cluster.global.max_job_count) {
            return Err(SlurmError::MaxJobCount.into());
        }
        if desc.nice < 0 && !self.is_operator(desc.uid) {
            return Err(SlurmError::InvalidNice.into());
        }
        if desc.reboot && !self.is_operator(desc.uid) {
            let said = "error: rebooting of nodes is only allowed for admins".to_owned();
            return Err(SubmitRefusal::with(SlurmError::AccessDenied, vec![said]));
        }
        if desc.signal.is_some_and(|s| s.on_preempt) && self.cluster.global.preempt_type == "preempt/none" {
            return Err(SlurmError::PreemptionRequired.into());
        }
        if !desc.names_tres() {
            return Err(SlurmError::InvalidTres.into());
        }
        if !desc.extras.batch_features_fit(desc.constraint.as_deref()) {
            return Err(SlurmError::BatchConstraint.into());
        }
        let partitions = self.open_of(self.partitions_of(&desc)?);
        let part = partitions[0];
        let (account, assoc) = self.account_of(&desc, part)?;
        let qos = self.qos_of(&desc, assoc, desc.uid)?;
        let wckey = self.wckey_of(&desc)?;
        // A label that the user may not use is refused later, once the job has its id.
        let mcs_label = self.mcs_label(&desc, &account).unwrap_or_else(|_| desc.mcs_label.clone());
        (desc.wckey, desc.mcs_label) = (wckey, mcs_label);
        let conf = self.partition(part);
        let asked = desc.time_limit;
        let time_limit = asked.or(conf.default_time).unwrap_or(conf.max_time);
        let needs = self.needs(&desc, part)?;
        if desc.time_min.is_some_and(|min| min > time_limit) {
            return Err(SlurmError::InvalidTimeMinLimit.into());
        }
        if let Some(deadline) = desc.deadline {
            let earliest = desc.begin.unwrap_or(now).max(now);
            // A job without a limit misses every deadline.
            let need = desc.time_min.unwrap_or(time_limit).span();
            if need.is_none_or(|need| earliest + need > deadline) {
                return Err(SlurmError::InvalidTimeLimit.into());
            }
        }
        let guest = access::AccessIdentity { uid: desc.uid, account: &account, assoc, qos };
        // The partition's default is not a limit that the user requested.
        let limit = Some(time_limit).filter(|_| asked.is_some() || conf.default_time.is_some());
        self.partition_limits(&desc, &needs, limit, &partitions, guest)?;
        let unlimited = asked.is_none() && conf.default_time.is_none();
        let mut job = self.blank(desc, account, assoc, qos, partitions, needs, time_limit, now);
        if let Some(most) = acct_policy::default_time(self, &job, part).filter(|_| unlimited) {
            job.time_limit = job.time_limit.min(most);
        }
        Ok(job)
    }

    fn partitions_of(&self, desc: &JobDesc) -> Result<Vec<PartId>, SubmitRefusal> {
        let Some(names) = desc.partition.as_deref() else {
            // A job that names a reservation uses the reservation's partition.
            let name = desc.reservation.as_deref().unwrap_or_default().split(',').next();
            let of_resv = name.and_then(|name| self.reservations.by_name(name)).and_then(|r| r.partition);
            if let Some(part) = of_resv {
                return Ok(vec![part]);
            }
            let default = self.partitions.iter().position(|p| p.is_default);
            let default = default.and_then(|i| u32::try_from(i).ok()).map(PartId);
            return Ok(vec![default.ok_or(SlurmError::DefaultPartitionNotSet)?]);
        };
        if names.is_empty() {
            let said = vec!["error: invalid partition specified: (null)".to_owned()];
            return Err(SubmitRefusal::with(SlurmError::InvalidPartitionName, said));
        }
        let mut found = Vec::new();
        for name in names.split(',').filter(|n| !n.is_empty()) {
            let Some(part) = self.partition_by_name(name) else {
                return Err(SubmitRefusal {
                    error: SlurmError::InvalidPartitionName,
                    messages: vec![format!("error: invalid partition specified: {name}")],
                });
            };
            if !found.contains(&part) {
                found.push(part);
            }
        }
        if found.is_empty() {
            let said = "error: invalid partition specified: (null)".to_owned();
            return Err(SubmitRefusal::with(SlurmError::InvalidPartitionName, vec![said]));
        }
        found.order_by_key(|p| std::cmp::Reverse(self.partition(*p).priority_tier));
        Ok(found)
    }

    /// Applies `EnforcePartLimits`, and the checks that refuse regardless of it.
    pub(crate) fn partition_limits(
        &self,
        desc: &JobDesc,
        needs: &Needs,
        time_limit: Option<Limit>,
        partitions: &[PartId],
        guest: access::AccessIdentity<'_>,
    ) -> Result<(), SlurmError> {
        if partitions.iter().any(|part| self.closed(*part)) {
            return Err(SlurmError::PartitionNotAvail);
        }
        let mut worst = None;
        let mut good = 0;
        for part in partitions {
            let conf = self.partition(*part);
            if (conf.root_only && desc.uid.0 != 0) || (conf.req_resv && desc.reservation.is_none()) {
                return Err(SlurmError::AccessDenied);
            }
            let hosts = conf.alloc_nodes.as_deref().and_then(|list| hostlist::expand(list).ok());
            if hosts.is_some_and(|hosts| !hosts.contains(&desc.submit_host)) {
                return Err(SlurmError::AccessDenied);
            }
            if conf.disable_root_jobs && desc.uid.0 == 0 {
                return Err(SlurmError::UserIdMissing);
            }
            if let Err(denied) = access::admits(self, guest, *part) {
                worst = Some(denied.error());
            } else if !needs.required.is_subset(&conf.nodes) {
                worst = Some(SlurmError::RequestedNodesNotInPartition);
            } else if crate::select::needs::too_much_memory(self, needs, *part) {
                worst = Some(SlurmError::InvalidTaskMemory);
            } else if needs.min_nodes > conf.nodes.len()
                || conf.max_nodes.is_some_and(|most| needs.min_nodes > most)
                || (needs.max_nodes > 0 && needs.max_nodes < conf.min_nodes)
            {
                worst = Some(SlurmError::InvalidNodeCount);
            } else if select::too_small(self, needs, *part) {
                worst = Some(SlurmError::TooManyRequestedCpus);
            } else if time_limit.is_some_and(|limit| limit > conf.max_time) {
                worst = Some(SlurmError::InvalidTimeLimit);
            } else {
                good += 1;
            }
        }
        let refuse = match self.cluster.global.enforce_part_limits {
            EnforcePart::No => false,
            EnforcePart::Any => good == 0,
            EnforcePart::All => good < partitions.len(),
        };
        match worst {
            Some(error) if refuse => Err(error),
            Some(_) | None => Ok(()),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a job, each found by its own check")]
    fn blank(
        &self,
        desc: Box<JobDesc>,
        account: String,
        assoc: Option<AssocId>,
        qos: QosId,
        partitions: Vec<PartId>,
        needs: Needs,
        time_limit: Limit,
        now: Time,
    ) -> Box<Job> {
        let req_tres: Tres = self.requested_tres(&needs, partitions[0]);
        Box::new(Job {
            id: JobId(0),
            array: None,
            name: desc.name.clone(),
            account,
            assoc,
            qos,
            partitions,
            needs: Arc::new(needs),
            time_limit,
            nice: desc.nice,
            comment: desc.comment.clone(),
            admin_comment: desc.admin_comment.clone(),
            requeue: desc.requeue.unwrap_or(self.cluster.global.batch_requeue),
            state: JobState::Pending,
            flags: JobFlags::default(),
            reason: Reason::None,
            state_desc: None,
            priority: 0,
            factors: Factors::default(),
            fixed_priority: desc.priority.filter(|_| self.is_operator(desc.uid)),
            site_factor: 0,
            held_by_admin: false,
            submit: now,
            eligible: None,
            accrue: None,
            begin: desc.begin.filter(|b| *b > now),
            start: None,
            end: None,
            soft_end: None,
            suspend: None,
            pre_suspend: 0,
            last_sched: None,
            scheduler: Scheduler::Main,
            planned: None,
            deps: Vec::new(),
            deps_any: false,
            allocation: None,
            nodes_text: String::new(),
            req_tres,
            exit: ExitCode::default(),
            derived_exit: ExitCode::default(),
            restarts: 0,
            oom_steps: Vec::new(),
            steps: VecMap::default(),
            next_step: 0,
            waiting_steps: Vec::new(),
            step_turn: 0,
            db: None,
            batch_host: None,
            preempt_time: None,
            warned: false,
            exempt: Exempt::default(),
            ending: None,
            het: None,
            preempting: None,
            suspended: 0,
            resized: None,
            expands: None,
            ganged: false,
            reservations: Vec::new(),
            desc: Arc::from(desc),
        })
    }

    /// Runs the checks that use up a job id, then queues the job.
    pub(crate) fn admit(
        &mut self,
        mut job: Box<Job>,
        id: JobId,
        tasks: Option<array::ArraySpec>,
        now: Time,
    ) -> Result<(), SubmitRefusal> {
        job.id = id;
        let desc = Arc::clone(&job.desc);
        if desc.min_nodes == Some(0) {
            return Err(SlurmError::InvalidNodeCount.into());
        }
        self.mcs_label(&desc, &job.account)?;
        job.reservations = self.reservations_for(desc.reservation.as_deref(), &job, now)?;
        if let Some(text) = desc.dependency.as_deref().filter(|t| !t.is_empty()) {
            let text = self.expansion(text, &mut job)?;
            (job.deps, job.deps_any) = self.parse_dependencies(&text, id)?;
        }
        let held = desc.hold || desc.priority == Some(0);
        if !held {
            self.check_feasible(&mut job, now)?;
        }
        if let Some(spec) = tasks {
            let (min, max) = (spec.tasks.first().unwrap_or(0), spec.tasks.iter().last().unwrap_or(0));
            let count = spec.tasks.len();
            job.array = Some(Array {
                job: id,
                task: None,
                pending: spec.tasks,
                throttle: spec.throttle,
                count,
                min,
                max,
                step: spec.step,
            });
        }
        if !held {
            priority::of(self, &job, now).give(&mut job);
        }
        job.reason = if held { Reason::HeldUser } else { self.first_reason(&mut job, now) };
        let (free, is_array) = (!held && job.deps.is_empty() && job.begin.is_none(), job.array.is_some());
        let dependent = matches!(job.reason, Reason::Dependency | Reason::DepInvalid);
        if dependent || held || job.begin.is_some() {
            job.last_sched = Some(now);
        }
        self.insert_job(job);
        match (free, is_array) {
            (true, true) => self.jobs.review_later(id),
            (true, false) => self.make_eligible(id, now),
            // The database knows jobs before they are eligible: `sacct -j` finds them (86).
            (false, _) => self.record_pending(id),
        }
        self.clock.want_schedule(now);
        Ok(())
    }

    /// Tries to start `srun` and `salloc` jobs at once, without a pass, if no other job is ahead of them.
    fn start_interactive(&mut self, id: JobId, now: Time) {
        let Some(job) = self.jobs.get(id).filter(|j| !j.is_batch() && j.eligible.is_some()) else { return };
        if job.reason != Reason::None || self.caches.parameters.defer {
            return;
        }
        self.start_at_once(id, now);
    }

    /// Whether any partition of the job could ever run it. If not, the submission stays in the accounts as a failed
    /// job.
    fn check_feasible(&mut self, job: &mut Job, now: Time) -> Result<(), SubmitRefusal> {
        let wide =
            |part: &PartId| self.partition(*part).max_nodes.is_some_and(|most| job.needs.widest() > most);
        let too_wide = match self.cluster.global.enforce_part_limits {
            EnforcePart::No => false,
            EnforcePart::Any => job.partitions.iter().all(wide),
            EnforcePart::All => job.partitions.iter().any(wide),
        };
        if too_wide {
            // What counts is the largest number of nodes that it could use, not the smallest (88k).
            self.hold_refused(job, now);
            return Err(SlurmError::RequestedPartConfigUnavailable.into());
        }
        let mut first = None;
        for part in job.partitions.clone() {
            let conf = self.partition(part);
            let too_many = job.needs.min_nodes > conf.nodes.len()
                || (job.needs.max_nodes > 0 && job.needs.max_nodes < conf.min_nodes)
                || conf.max_nodes.is_some_and(|most| job.needs.min_nodes > most);
            if too_many || select::too_small(self, &job.needs, part) {
                // It waits with PartitionNodeLimit or PartitionConfig. EnforcePartLimits was checked before.
                return Ok(());
            }
            match self.with_classes(|ctld, classes| classes.feasible(ctld, job, part)) {
                Ok(nodes) => {
                    let likely = nodes.max(job.needs.min_nodes);
                    Arc::make_mut(&mut job.needs).likely_nodes = likely;
                    return Ok(());
                }
                Err(why) => {
                    first.get_or_insert(why);
                }
            }
        }
        let messages = match first {
            Some(Infeasible::Cpus) => vec!["error: CPU count per node can not be satisfied".to_owned()],
            Some(Infeasible::Memory) => vec!["error: Memory specification can not be satisfied".to_owned()],
            Some(Infeasible::Disk) => {
                vec!["error: Temporary disk specification can not be satisfied".to_owned()]
            }
            Some(Infeasible::Config) | None => Vec::new(),
        };
        self.hold_refused(job, now);
        Err(SubmitRefusal { error: SlurmError::RequestedNodeConfigUnavailable, messages })
    }

    /// Keeps a job that no nodes could ever run in memory and in the database, as failed.
    fn hold_refused(&mut self, job: &mut Job, now: Time) {
        priority::of(self, job, now).give(job);
        self.insert_job(Box::new(job.clone()));
        self.fail_unstarted(job.id, Reason::FailBadConstraints, now);
    }

    /// Fails a job that was refused after it had got its id.
    pub(crate) fn fail_unstarted(&mut self, id: JobId, reason: Reason, now: Time) {
        self.edit_job(id, edit::life::fail_unstarted(reason, now));
        self.record_refused(id);
        // The database gets the exit code itself, slurmctld shows it as a wait status.
        self.edit_job(id, edit::life::set_exit(ExitCode { code: 0, signal: 1 }));
    }

    /// The reason that squeue shows until the first pass: `Priority` if other jobs wait for the same nodes.
    fn first_reason(&mut self, job: &mut Job, now: Time) -> Reason {
        let corresponding = job.array.is_some() && job.deps.iter().any(|d| d.kind == DepKind::AfterCorr);
        if corresponding {
            return Reason::None;
        }
        // To find the jobs ahead, Slurm evaluates all dependencies again.
        self.refresh_dependencies(now);
        let (deps, outcome) = self.review(job, now);
        job.deps = deps;
        match outcome {
            DependencyOutcome::Waiting => return Reason::Dependency,
            DependencyOutcome::Never => return Reason::DepInvalid,
            DependencyOutcome::Free => {}
        }
        if job.begin.is_some() {
            return Reason::Time;
        }
        if let Some(reason) = crate::sched::barred_by_partition(self, job, job.partitions[0]) {
            return reason;
        }
        if select::too_small(self, &job.needs, job.partitions[0]) {
            return Reason::PartConfig;
        }
        let first = job.partitions[0];
        if let Some(why) = select::unavailable::missing(self, job, first, &BitSet::new(), now) {
            job.state_desc = why.text;
            return why.reason;
        }
        let nodes = &self.partition(first).nodes;
        let near = |other: PartId| self.partition(other).nodes.intersects(nodes);
        // Only for single jobs: an array gets this reason in the first pass.
        let rank = queue::rank(self, job, first);
        // A job that the limits of its partition keep from starting blocks no other job.
        let waits = |id: JobId, part: PartId| {
            self.jobs
                .get(id)
                .is_some_and(|other| crate::sched::barred_by_partition(self, other, part).is_none())
        };
        let before = job.array.is_none() && self.caches.queue.has_entry_before(rank, near, waits);
        if before { Reason::Priority } else { Reason::None }
    }
}
