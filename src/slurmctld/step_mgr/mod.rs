//! Steps: creating, running and ending the steps of an `srun` within its job. Mirrors srun(1).

mod gres;
pub mod layout;
pub(crate) mod oom;
mod plan;

use crate::Slurmctld;
use crate::rpc::request::{Caller, Order, Response, StepDesc, StepLayout, StepNode, Usage};
use crate::state::edit;
use crate::state::edit::steps::StepEnd;
use crate::state::error::SlurmError;
use crate::state::job::{ExitCode, Job, JobState, NodeAlloc, StepHold, StepRecord, WaitingStep};
use base::bitset::BitSet;
use base::ids::{JobId, NodeId, Pid, StepId, StepNum, Uid};
use base::process::Fd;
use base::time::Time;
use base::tres::Tres;
use plan::{StepPart, StepPlan};

/// The TRES of a job's allocation on one node.
pub(crate) fn node_tres(ctld: &Slurmctld, part: &NodeAlloc) -> Tres {
    part_tres(ctld, part.node, part.cpus, part.memory, &part.gres)
}

fn part_tres(ctld: &Slurmctld, node: NodeId, cpus: u32, mem: u64, gres: &[(u32, BitSet)]) -> Tres {
    let mut tres = Tres { cpu: cpus.into(), mem, node: 1, ..Tres::default() };
    let conf = &ctld.node(node).conf;
    for (i, set) in gres {
        if let Some(gres) = conf.gres.get(*i as usize) {
            *tres.gres.entry(gres.name.clone()).or_default() += u64::from(set.len());
        }
    }
    tres
}

/// Default of `MaxTasksPerNode`.
const MAX_TASKS_PER_NODE: usize = 512;

impl Slurmctld {
    pub(crate) fn create_step(&mut self, caller: Caller, desc: &StepDesc, now: Time) -> Response {
        match self.try_step(caller, desc, now) {
            Ok(layout) => Response::Step(Box::new(layout)),
            Err(error) => {
                let messages = match self.jobs.get(desc.job) {
                    Some(job) if error == SlurmError::InvalidGres => {
                        gres::complaint(job, desc).into_iter().collect()
                    }
                    Some(_) | None => Vec::new(),
                };
                Response::Err { error, messages }
            }
        }
    }

    fn try_step(&mut self, caller: Caller, desc: &StepDesc, now: Time) -> Result<StepLayout, SlurmError> {
        let job = self.jobs.get(desc.job).ok_or(SlurmError::InvalidJobId)?;
        if job.uid() != caller.uid {
            return Err(SlurmError::AccessDenied);
        }
        ready(job)?;
        let most = self.cluster.global.raw.get("MaxTasksPerNode").and_then(|n| n.parse().ok());
        let most: usize = most.unwrap_or(MAX_TASKS_PER_NODE);
        match plan::plan(self, job, desc) {
            Ok(plan) if plan.parts.iter().any(|part| part.ranks.len() > most) => {
                Err(SlurmError::BadTaskCount)
            }
            Ok(plan) => Ok(self.begin_step(desc, plan, now)),
            Err(SlurmError::NodesBusy) => {
                self.await_room(desc);
                Err(SlurmError::NodesBusy)
            }
            Err(SlurmError::TooManyRequestedCpus) if plan::job_has_cpus(job, desc) => {
                // Slurm noticed this only while laying out the step's tasks: its number is used up.
                let number = self.next_step(desc.job);
                self.edit_job(desc.job, edit::steps::use_number(number));
                Err(SlurmError::TooManyRequestedCpus)
            }
            Err(error) => Err(error),
        }
    }

    /// Starts a planned step.
    fn begin_step(&mut self, desc: &StepDesc, plan: StepPlan, now: Time) -> StepLayout {
        let number = desc.number.unwrap_or_else(|| self.next_step(desc.job));
        let own = || self.jobs.get(desc.job).map_or_else(String::new, |job| job.name.clone());
        let name = if desc.name.is_empty() { own() } else { desc.name.clone() };
        let num = if desc.interactive { StepNum::Interactive } else { StepNum::Number(number) };
        let mut record = StepRecord {
            tasks: 0,
            oom_kill: desc
                .oom_kill
                .unwrap_or_else(|| self.jobs.get(desc.job).is_some_and(|job| self.kills_whole_steps(job))),
            submit_line: desc.submit_line.clone(),
            tres_per_node: gres::text(&desc.gres),
            distribution: plan.distribution.text(),
            client: Some(desc.client.clone()),
            ..StepRecord::new(num, name, now)
        };
        let mut nodes = Vec::new();
        for StepPart { gets, ranks } in plan.parts {
            record.tasks += u32::try_from(ranks.len()).unwrap_or(0);
            record.nodes.push((gets.node, gets.cpus));
            record.ranks.push(ranks.clone());
            record.tres.add(&self.hold_tres(desc.job, &gets), 1);
            if !desc.overlap && !desc.interactive {
                record.holds.push(gets.clone());
            }
            let name = self.node(gets.node).conf.name.clone();
            nodes.push(StepNode { name, ranks, gets, cgroup: self.new_cgroup() });
        }
        self.record_step(desc.job, &record);
        self.edit_job(desc.job, edit::steps::begin(record));
        StepLayout { step: StepId { job: desc.job, step: num }, distribution: plan.distribution, nodes }
    }

    /// The number of a job's next step. Components of a heterogeneous job share the numbering.
    fn next_step(&self, id: JobId) -> u32 {
        let leader = self.jobs.get(id).and_then(|j| j.het).map(|h| h.leader);
        let next = |id: JobId| self.jobs.get(id).map_or(0, |j| j.next_step);
        match leader {
            Some(leader) => self.het_components(leader).map(|j| j.next_step).max().unwrap_or(0),
            None => next(id),
        }
    }

    /// The TRES that a step holds on a node. A step without a memory request may use all of the job's memory there.
    fn hold_tres(&self, job: JobId, gets: &StepHold) -> Tres {
        let allocation = self.jobs.get(job).and_then(|j| j.allocation.as_ref());
        let all = allocation.and_then(|a| a.on(gets.node)).map_or(0, |p| p.memory);
        let memory = if gets.memory == 0 { all } else { gets.memory };
        part_tres(self, gets.node, gets.cpus, memory, &gets.gres)
    }

    /// An `srun` waits for other steps to end. It repeats its request when they do.
    fn await_room(&mut self, desc: &StepDesc) {
        let Some(job) = self.jobs.get(desc.job) else { return };
        if job.waiting_steps.iter().any(|w| w.client == desc.client) {
            return;
        }
        let parts = job.allocation.as_ref().map(|a| a.nodes.as_slice()).unwrap_or_default();
        let count = desc.min_nodes.map_or(parts.len(), |n| n as usize);
        let nodes: Vec<NodeId> = parts.iter().take(count).map(|p| p.node).collect();
        let tasks = desc.ntasks.unwrap_or_else(|| u32::try_from(nodes.len()).unwrap_or(1));
        let cpus = tasks.saturating_mul(desc.cpus_per_task.unwrap_or(1));
        let waiting = WaitingStep { client: desc.client.clone(), nodes, tasks, cpus };
        self.edit_job(desc.job, edit::steps::wait(waiting));
    }

    pub(crate) fn forget_step(&mut self, job: JobId, client: Pid) -> Result<(), SlurmError> {
        self.edit_job(job, edit::steps::stop_waiting(client));
        Ok(())
    }

    /// `sattach`: a process also gets the step's output.
    pub(crate) fn listen(
        &mut self,
        caller: Caller,
        step: StepId,
        listener: Pid,
        fds: [Fd; 2],
    ) -> Result<(), SlurmError> {
        let job = self.jobs.get(step.job).ok_or(SlurmError::InvalidJobId)?;
        if job.uid() != caller.uid && caller.uid != Uid(0) {
            return Err(SlurmError::AccessDenied);
        }
        ready(job)?;
        let open = job.steps.get(&step.step).is_some_and(|s| s.end.is_none());
        if !open {
            return Err(SlurmError::InvalidJobId);
        }
        self.edit_job(step.job, edit::steps::listen(step.step, listener, fds));
        Ok(())
    }

    /// Ends a step whose tasks are all gone.
    pub(crate) fn step_done(
        &mut self,
        step: StepId,
        exit: ExitCode,
        usage: Usage,
        now: Time,
    ) -> Result<(), SlurmError> {
        self.jobs.get(step.job).ok_or(SlurmError::InvalidJobId)?;
        let exit = self.exit_of(step.job, step.step, exit);
        self.end_step(step.job, step.step, state_of(exit), Some(exit), usage, now);
        Ok(())
    }

    pub(crate) fn end_step(
        &mut self,
        id: JobId,
        num: StepNum,
        state: JobState,
        exit: Option<ExitCode>,
        usage: Usage,
        now: Time,
    ) {
        let step = |ctld: &Self| ctld.jobs.get(id).and_then(|j| j.steps.get(&num)).cloned();
        if step(self).is_none_or(|s| s.end.is_some()) {
            return;
        }
        self.edit_job(id, edit::steps::end(StepEnd { num, state, exit, usage }, now));
        if let Some(step) = step(self) {
            self.record_step(id, &step);
            let told = !step.listeners.is_empty();
            if told || self.jobs.get(id).is_some_and(|j| !j.waiting_steps.is_empty()) {
                self.orders.push(Order::WakeClient(id));
            }
        }
    }

    /// Ends the remaining steps of a finished job. `exit` is None if their node was lost.
    pub(crate) fn end_open_steps(&mut self, id: JobId, exit: Option<ExitCode>, now: Time) {
        let Some(job) = self.jobs.get(id) else { return };
        let open: Vec<StepNum> = job.steps.values().filter(|s| s.end.is_none()).map(|s| s.num).collect();
        for num in open {
            let (state, exit) = match num {
                // The external step has no processes of its own to cancel.
                StepNum::Extern => (JobState::Complete, Some(ExitCode::default())),
                StepNum::Batch | StepNum::Interactive | StepNum::Number(_) => (JobState::Cancelled, exit),
            };
            self.end_step(id, num, state, exit, Usage::default(), now);
        }
    }
}

/// Whether a job accepts steps.
fn ready(job: &Job) -> Result<(), SlurmError> {
    match job.state {
        JobState::Running if !job.flags.completing => Ok(()),
        JobState::Pending => Err(SlurmError::JobPending),
        JobState::Suspended => Err(SlurmError::JobSuspended),
        JobState::Running
        | JobState::Complete
        | JobState::Cancelled
        | JobState::Failed
        | JobState::Timeout
        | JobState::NodeFail
        | JobState::Preempted
        | JobState::BootFail
        | JobState::Deadline
        | JobState::OutOfMemory => Err(SlurmError::AlreadyDone),
    }
}

/// The state of a step with this exit code.
pub(crate) const fn state_of(exit: ExitCode) -> JobState {
    match exit {
        ExitCode { code: 0, signal: 0 } => JobState::Complete,
        crate::step_mgr::oom::OOM => JobState::OutOfMemory,
        ExitCode { signal: 0, .. } => JobState::Failed,
        ExitCode { .. } => JobState::Cancelled,
    }
}
