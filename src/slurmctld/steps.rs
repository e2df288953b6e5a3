//! Steps: where an `srun`'s tasks run within its job, and what becomes of them. Mirrors srun(1).

use super::Slurmctld;
use super::error::SlurmError;
use super::job::{ExitCode, Job, JobState, NodeAlloc, StepRecord};
use super::request::{Caller, Response, StepDesc, StepLayout, StepNode, Usage};
use crate::base::hostlist;
use crate::base::ids::{JobId, StepId, StepNum};
use crate::base::time::Time;
use crate::base::tres::Tres;

/// What a job's part on one node counts as.
pub(super) fn node_tres(ctld: &Slurmctld, part: &NodeAlloc) -> Tres {
    let mut tres = Tres { cpu: part.cpus.into(), mem: part.memory, node: 1, ..Tres::default() };
    let conf = &ctld.node(part.node).conf;
    for (i, set) in &part.gres {
        let gres = &conf.gres[*i as usize];
        *tres.gres.entry(gres.name.clone()).or_default() += u64::from(set.len());
    }
    tres
}

impl Slurmctld {
    pub(super) fn create_step(&mut self, caller: Caller, desc: &StepDesc, now: Time) -> Response {
        match self.try_step(caller, desc, now) {
            Ok(layout) => Response::Step(Box::new(layout)),
            Err(error) => Response::Err { error, messages: Vec::new() },
        }
    }

    fn try_step(&mut self, caller: Caller, desc: &StepDesc, now: Time) -> Result<StepLayout, SlurmError> {
        let job = self.jobs.get(desc.job).ok_or(SlurmError::InvalidJobId)?;
        if job.uid() != caller.uid && !self.is_operator(caller.uid) {
            return Err(SlurmError::UserIdMissing);
        }
        match job.state {
            JobState::Running if !job.flags.completing => {}
            JobState::Pending => return Err(SlurmError::JobPending),
            JobState::Suspended => return Err(SlurmError::JobSuspended),
            JobState::Running
            | JobState::Complete
            | JobState::Cancelled
            | JobState::Failed
            | JobState::Timeout
            | JobState::NodeFail
            | JobState::Preempted
            | JobState::BootFail
            | JobState::Deadline
            | JobState::OutOfMemory => return Err(SlurmError::AlreadyDone),
        }
        let placed = place(self, job, desc)?;
        let num = job.next_step;
        let step = StepId { job: desc.job, step: StepNum::Number(num) };
        let mut tres = Tres::default();
        let mut nodes = Vec::new();
        for Placed { part, ranks, cpus } in placed {
            tres.cpu += u64::from(cpus);
            tres.node += 1;
            tres.mem += part.memory;
            nodes.push(StepNode {
                node: part.node,
                name: self.node(part.node).conf.name.clone(),
                ranks,
                cpus,
                cgroup: self.new_cgroup(),
            });
        }
        let record = StepRecord {
            num: StepNum::Number(num),
            name: desc.name.clone(),
            state: JobState::Running,
            start: now,
            end: None,
            exit: Some(ExitCode::default()),
            tasks: nodes.iter().map(|n| u32::try_from(n.ranks.len()).unwrap_or(0)).sum(),
            nodes: nodes.iter().map(|n| (n.node, n.cpus)).collect(),
            tres,
            usage: Usage::default(),
            submit_line: desc.submit_line.clone(),
            ended_by: None,
            told: None,
        };
        self.record_step(desc.job, &record);
        self.change_job(desc.job, |job| {
            job.next_step += 1;
            job.steps.insert(StepNum::Number(num), record);
        });
        Ok(StepLayout { step, nodes })
    }

    /// All tasks of a step are gone.
    pub(super) fn step_done(
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

    pub(super) fn end_step(
        &mut self,
        id: JobId,
        num: StepNum,
        state: JobState,
        exit: Option<ExitCode>,
        usage: Usage,
        now: Time,
    ) {
        let mut ended = None;
        self.change_job(id, |job| {
            let Some(step) = job.steps.get_mut(&num).filter(|s| s.end.is_none()) else { return };
            step.state = state;
            step.exit = exit;
            step.end = Some(now);
            step.usage = usage;
            ended = Some(step.clone());
            if matches!(num, StepNum::Number(_)) {
                job.derived_exit = job.derived_exit.max(exit.unwrap_or_default());
            }
        });
        if let Some(step) = ended {
            self.record_step(id, &step);
        }
    }

    /// A job's end ends what is left of its steps; `exit` is unknown where their node is lost.
    pub(super) fn end_open_steps(&mut self, id: JobId, exit: Option<ExitCode>, now: Time) {
        let Some(job) = self.jobs.get(id) else { return };
        let open: Vec<StepNum> = job.steps.values().filter(|s| s.end.is_none()).map(|s| s.num).collect();
        for num in open {
            let (state, exit) = match num {
                // Nothing of its own is cancelled in it.
                StepNum::Extern => (JobState::Complete, Some(ExitCode::default())),
                StepNum::Batch | StepNum::Interactive | StepNum::Number(_) => (JobState::Cancelled, exit),
            };
            self.end_step(id, num, state, exit, Usage::default(), now);
        }
    }
}

/// A step's part on one of the job's nodes.
struct Placed {
    part: NodeAlloc,
    ranks: Vec<u32>,
    cpus: u32,
}

/// How a step stands that ended so.
pub(super) const fn state_of(exit: ExitCode) -> JobState {
    match exit {
        ExitCode { code: 0, signal: 0 } => JobState::Complete,
        super::oom::OOM => JobState::OutOfMemory,
        ExitCode { signal: 0, .. } => JobState::Failed,
        ExitCode { .. } => JobState::Cancelled,
    }
}

/// Shares a step's tasks over the job's nodes, block by block: each node with its ranks and CPUs.
fn place(ctld: &Slurmctld, job: &Job, desc: &StepDesc) -> Result<Vec<Placed>, SlurmError> {
    let parts = job.allocation.as_ref().map(|a| a.nodes.as_slice()).unwrap_or_default();
    let wanted = match desc.nodelist.as_deref() {
        Some(list) => Some(hostlist::expand(list).map_err(|_| SlurmError::InvalidNodeName)?),
        None => None,
    };
    let named = |part: &&NodeAlloc| {
        wanted.as_ref().is_none_or(|names| names.contains(&ctld.node(part.node).conf.name))
    };
    let cpus_per_task = desc.cpus_per_task.unwrap_or(job.needs.cpus_per_task).max(1);
    let mut parts: Vec<&NodeAlloc> = parts.iter().filter(named).collect();
    if let Some(nodes) = desc.nodes {
        if nodes as usize > parts.len() {
            return Err(SlurmError::RequestedNodeConfigUnavailable);
        }
        parts.truncate(nodes as usize);
    }
    let tasks = match desc.ntasks {
        Some(tasks) => tasks,
        None if desc.nodes.is_some() || wanted.is_some() => u32::try_from(parts.len()).unwrap_or(1),
        None => job.needs.ntasks.max(u32::try_from(parts.len()).unwrap_or(1)),
    };
    if desc.nodes.is_none() && (tasks as usize) < parts.len() {
        parts.truncate(tasks.max(1) as usize);
    }
    let room: u32 = parts.iter().map(|p| p.usable / cpus_per_task).sum();
    if tasks > room && !desc.overlap {
        return Err(SlurmError::TooManyRequestedCpus);
    }
    let nodes = u32::try_from(parts.len()).unwrap_or(u32::MAX);
    let mut left = tasks.saturating_sub(nodes);
    let mut rank = 0;
    let mut placed = Vec::new();
    for part in parts {
        let more = left.min((part.usable / cpus_per_task).max(1) - 1);
        left -= more;
        let count = 1 + more;
        placed.push(Placed {
            part: part.clone(),
            ranks: (rank..rank + count).collect(),
            // A step has all CPUs of the job on its nodes unless it wants no more than it asks for (`--exact`).
            cpus: if desc.exact { (count * cpus_per_task).min(part.usable) } else { part.cpus },
        });
        rank += count;
    }
    Ok(placed)
}
