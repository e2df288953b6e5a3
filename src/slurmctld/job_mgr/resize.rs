//! Resizing running jobs: `scontrol update jobid= NumNodes=` and `NodeList=`. Mirrors "Job size change" of scontrol(1)
//! and of faq.html.
//!
//! As recorded from 22.05, a job that shrinks keeps its first nodes or the named ones. A job grows only with
//! `permit_job_expansion`: a second job is submitted with `--dependency=expand:`, and once it runs, its `NumNodes=0`
//! transfers all its resources to the first job.

use crate::Slurmctld;
use crate::rpc::request::{JobUpdate, Order};
use crate::state::edit;
use crate::state::error::SlurmError;
use crate::state::job::{Allocation, Job, JobState};
use crate::step_mgr::node_tres;
use base::hostlist;
use base::ids::{JobId, NodeId};
use base::time::{Limit, Time};
use base::tres::Tres;

impl Slurmctld {
    /// The nodes that an update removes from a running job.
    pub(crate) fn leaves(&self, job: &Job, change: &JobUpdate) -> Result<Vec<NodeId>, SlurmError> {
        let has = self.nodes_of(job.id);
        if job.state != JobState::Running || job.flags.completing {
            return Err(SlurmError::JobNotPending);
        }
        let mut left = Vec::new();
        if let Some(list) = change.required.as_deref() {
            let names = hostlist::expand(list).map_err(|_| SlurmError::InvalidNodeName)?;
            let named = |name: &String| self.node_by_name(name).filter(|id| has.contains(id));
            let kept: Vec<NodeId> =
                names.iter().map(named).collect::<Option<_>>().ok_or(SlurmError::InvalidNodeName)?;
            let batch = job.batch_host.filter(|_| job.is_batch());
            if kept.is_empty() || batch.is_some_and(|host| !kept.contains(&host)) {
                return Err(SlurmError::InvalidNodeName);
            }
            left.extend(has.iter().filter(|id| !kept.contains(id)).copied());
        }
        match change.min_nodes.map(|n| n as usize) {
            None => {}
            Some(0) if self.expansion_permitted() => return Err(SlurmError::InvalidNodeCount),
            Some(0) => return Err(SlurmError::JobNotPending),
            Some(n) if n > has.len() && self.expansion_permitted() => {
                return Err(SlurmError::InvalidNodeCount);
            }
            Some(n) if n > has.len() => return Err(SlurmError::NotSupported),
            Some(n) => {
                let surplus = has.len().saturating_sub(left.len()).saturating_sub(n);
                let more: Vec<NodeId> =
                    has.iter().rev().filter(|id| !left.contains(id)).take(surplus).copied().collect();
                left.extend(more);
            }
        }
        if !left.is_empty() && self.cluster.global.scheduler_parameters.contains_key("disable_job_shrink") {
            return Err(SlurmError::NotSupported);
        }
        Ok(left)
    }

    /// Removes nodes from a running job and kills what runs there. The database gets a record for each size.
    pub(crate) fn shrink(&mut self, id: JobId, left: &[NodeId], now: Time) {
        if left.is_empty() {
            return;
        }
        self.charge(id, now);
        self.record_resized(id, now);
        for node in left {
            self.free_node(id, *node, now);
        }
        let Some(job) = self.jobs.get(id) else { return };
        let Some(mut allocation) = job.allocation.clone() else { return };
        allocation.nodes.retain(|n| !left.contains(&n.node));
        allocation.tres = self.sum_of(job, &allocation);
        let text = self.nodes_text(allocation.nodes.iter().map(|n| n.node));
        self.edit_job(id, edit::life::resize(allocation, text, now));
        self.recount();
        self.record_pending(id);
        self.orders.push(Order::Leave { job: id, nodes: left.to_vec() });
        self.clock.want_schedule(now);
    }

    /// The TRES of an allocation, summed over its nodes.
    fn sum_of(&self, job: &Job, allocation: &Allocation) -> Tres {
        let mut tres = Tres { licenses: allocation.tres.licenses.clone(), ..Tres::default() };
        for part in &allocation.nodes {
            let one = node_tres(self, part);
            tres.cpu += one.cpu;
            tres.mem += one.mem;
            tres.node += one.node;
            for (name, count) in one.gres {
                *tres.gres.entry(name).or_default() += count;
            }
        }
        if let Some(part) = job.partitions.first() {
            let flags = self.cluster.global.priority.flags;
            tres.billing = crate::state::billing::billing(self.partition(*part), &tres, flags);
        }
        tres
    }

    /// `permit_job_expansion`.
    fn expansion_permitted(&self) -> bool {
        self.cluster.global.scheduler_parameters.contains_key("permit_job_expansion")
    }

    /// Takes `expand:JOB` out of a submission's dependencies. Both jobs must use the same partition.
    /// # Errors
    ///
    /// The other job does not exist, or expansion is not permitted.
    pub(crate) fn expansion(&self, text: &str, job: &mut Job) -> Result<String, SlurmError> {
        let mut rest = Vec::new();
        for part in text.split(',') {
            let Some(id) = part.strip_prefix("expand:") else {
                rest.push(part);
                continue;
            };
            if !self.expansion_permitted() {
                return Err(SlurmError::NotSupported);
            }
            let id = JobId(id.parse().map_err(|_| SlurmError::Dependency)?);
            let other = self.jobs.get(id).filter(|other| other.state == JobState::Running);
            if other.is_none_or(|other| other.partitions.first() != job.partitions.first()) {
                return Err(SlurmError::Dependency);
            }
            job.expands = Some(id);
        }
        Ok(rest.join(","))
    }

    /// Whether the job that this one expands, if any, still runs.
    pub(crate) fn expanded_job_runs(&self, job: &Job) -> bool {
        let runs = |id: JobId| self.jobs.get(id).is_some_and(|j| j.state == JobState::Running);
        job.expands.is_none_or(runs)
    }

    /// The limit of an expanding job, which must not outlive the other one, in whole minutes.
    pub(crate) fn expansion_limit(&self, id: JobId, now: Time) -> Option<Limit> {
        let other = self.jobs.get(self.jobs.get(id)?.expands?)?;
        let minutes = (other.end.filter(|end| end.0 < i64::MAX)? - now).secs().div_euclid(60);
        Some(Limit::Minutes(u32::try_from(minutes).unwrap_or(0)))
    }

    /// `NumNodes=0` of a running job that was submitted to expand another one: returns the other job.
    pub(crate) fn merges(&self, job: &Job, change: &JobUpdate) -> Result<Option<JobId>, SlurmError> {
        let wanted = change.min_nodes == Some(0) && self.expansion_permitted();
        let Some(to) = job.expands.filter(|_| wanted && job.state == JobState::Running) else {
            return Ok(None);
        };
        let other = self.jobs.get(to).filter(|other| other.state == JobState::Running);
        let other = other.ok_or(SlurmError::InvalidNodeCount)?;
        let here = |id: NodeId| other.allocation.as_ref().is_some_and(|a| a.on(id).is_some());
        let busy = job.is_batch() || job.steps.values().any(|step| step.end.is_none());
        // As recorded: refused if it still has steps, or if both jobs share a node.
        if busy || self.nodes_of(job.id).into_iter().any(here) {
            return Err(SlurmError::SlurmdStepExists);
        }
        Ok(Some(to))
    }

    /// Transfers all nodes of a job to another one. The job is then complete.
    pub(crate) fn merge(&mut self, id: JobId, to: JobId, now: Time) {
        for one in [id, to] {
            self.charge(one, now);
            self.record_resized(one, now);
        }
        let record = self.jobs.get(id).and_then(|j| j.db);
        if let Some(record) = record.and_then(|index| self.dbd.job_mut(index)) {
            // As recorded, its accounting record ends up empty, too.
            record.nodes.clear();
            record.alloc_tres = Tres::default();
        }
        let Some(given) = self.jobs.get(id).and_then(|j| j.allocation.clone()) else { return };
        let Some(other) = self.jobs.get(to) else { return };
        let Some(mut allocation) = other.allocation.clone() else { return };
        for part in given.nodes {
            self.edit_node(part.node, edit::node::hand_over(id, to, part.cpus));
            let at = allocation.nodes.partition_point(|n| n.node < part.node);
            allocation.nodes.insert(at, part);
        }
        let Some(other) = self.jobs.get(to) else { return };
        allocation.tres = self.sum_of(other, &allocation);
        let text = self.nodes_text(allocation.nodes.iter().map(|n| n.node));
        self.edit_job(id, edit::life::give_nodes_away(now));
        self.edit_job(to, edit::life::resize(allocation, text, now));
        self.recount();
        self.record_pending(to);
        self.caches.forget();
        self.clock.want_schedule(now);
    }
}
