//! What happens on nodes: launching scripts, output files, signals, memory, program models.
//!
//! [`Slurmd`] stands for all node daemons of the cluster. It acts on the simulated hosts through the kernel and hands
//! back what slurmctld must hear; who runs the processes is the world.

pub mod env;
pub mod launch;
pub mod pattern;
mod usage;

use crate::base::cow::CowMap;
use crate::base::ids::{Cgroup, JobId, NodeId, Pid, StepNum, Uid};
use crate::base::time::Time;
use crate::host::{Kernel, Signal};
use crate::slurmctld::Slurmctld;
use crate::slurmctld::job::JobState;
use crate::slurmctld::request::{SignalScope, StepLayout};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// All node daemons.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Slurmd {
    /// Which step a tracking group belongs to.
    tracked: CowMap<Cgroup, Tracked>,
    /// The tracking groups of each job, by number.
    of_job: CowMap<JobId, Vec<Cgroup>>,
    /// Batch scripts that run, by job.
    batch: CowMap<JobId, Batch>,
    /// The jobs of batch scripts, by their processes.
    scripts: CowMap<Pid, JobId>,
    /// Jobs that are being ended, with the nodes on which something of them may still live.
    dying: CowMap<JobId, BTreeSet<NodeId>>,
}

/// A step's processes on one node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Tracked {
    job: JobId,
    step: StepNum,
    node: NodeId,
    /// The ranks of the tasks there, in the order in which they start.
    ranks: Vec<u32>,
}

/// A running batch script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Batch {
    pid: Pid,
    cgroup: Cgroup,
    /// Where it runs.
    host: std::sync::Arc<str>,
    /// Where slurmstepd's own lines go: the script's standard error.
    log: Option<String>,
}

impl Slurmd {
    /// A step was created: its tracking groups are known from now on.
    pub fn track(&mut self, layout: &StepLayout) {
        for node in &layout.nodes {
            let ranks = node.ranks.clone();
            let tracked =
                Tracked { job: layout.step.job, step: layout.step.step, node: node.gets.node, ranks };
            self.enter(node.cgroup, tracked);
        }
    }

    /// `pam_slurm_adopt(8)`: a login on a node becomes part of a job of the user there: the one it comes from, else the
    /// newest. Its processes are tracked as the job's external step.
    pub fn adopt(&mut self, ctld: &mut Slurmctld, uid: Uid, node: NodeId, from: Cgroup) -> Option<Cgroup> {
        let here = |job: &&crate::slurmctld::job::Job| {
            job.uid() == uid
                && job.state == JobState::Running
                && job.allocation.as_ref().is_some_and(|a| a.nodes.iter().any(|n| n.node == node))
        };
        let origin = self.tracked.get(from).map(|tracked| tracked.job);
        let known = origin.and_then(|job| ctld.job(job)).filter(here).map(|job| job.id);
        let job = known.or_else(|| ctld.jobs.values().filter(here).map(|job| job.id).max())?;
        let external = |(_, t): &(Cgroup, Tracked)| t.node == node && t.step == StepNum::Extern;
        if let Some((cgroup, _)) = self.groups(job).into_iter().find(external) {
            return Some(cgroup);
        }
        let cgroup = ctld.new_cgroup();
        self.enter(cgroup, Tracked { job, step: StepNum::Extern, node, ranks: Vec::new() });
        Some(cgroup)
    }

    /// Whose batch script this process is.
    #[must_use]
    pub fn batch_job(&self, pid: Pid) -> Option<JobId> {
        self.scripts.get(pid).copied()
    }

    /// Whether the job's batch script was launched here.
    #[must_use]
    pub fn has_batch(&self, job: JobId) -> bool {
        self.batch.contains(job)
    }

    /// The job and node of a tracking group, and what the job's processes there have resident, MiB.
    #[must_use]
    pub fn memory(&self, kernel: &Kernel, cgroup: Cgroup) -> Option<(JobId, NodeId, u64)> {
        let tracked = self.tracked.get(cgroup)?;
        let (job, node) = (tracked.job, tracked.node);
        let here = self.groups(job).into_iter().filter(|(_, t)| t.node == node);
        Some((job, node, here.map(|(cgroup, _)| kernel.cgroup_memory(cgroup)).sum()))
    }

    /// Tracking groups of a job, those of steps and those of the batch script, in the order of their numbers.
    fn groups(&self, job: JobId) -> Vec<(Cgroup, Tracked)> {
        let numbers = self.of_job.get(job).map(Vec::as_slice).unwrap_or_default();
        numbers.iter().filter_map(|c| Some((*c, self.tracked.get(*c)?.clone()))).collect()
    }

    /// A tracking group belongs to a step from now on.
    fn enter(&mut self, cgroup: Cgroup, tracked: Tracked) {
        self.of_job.or_default(tracked.job).push(cgroup);
        self.tracked.insert(cgroup, tracked);
    }

    /// Delivers a signal.
    pub fn signal(&self, kernel: &mut Kernel, job: JobId, signal: Signal, scope: SignalScope) {
        // Of a batch script alone only its own process is meant.
        let all = scope != SignalScope::Batch;
        for (cgroup, _) in self.groups(job).into_iter().filter(|(_, t)| all && scope.reaches(t.step)) {
            kernel.kill_cgroup(cgroup, signal);
        }
        if scope == SignalScope::Batch
            && let Some(batch) = self.batch.get(job)
        {
            let _ = kernel.kill(
                crate::base::ids::Uid(0),
                crate::host::kernel::Whom::Process(batch.pid),
                Some(signal),
            );
        }
    }

    /// slurmstepd's line in a batch job's output when its shell is sent what ends it.
    pub fn note_signal(
        &self,
        kernel: &mut Kernel,
        ctld: &Slurmctld,
        job: JobId,
        signal: Signal,
        scope: SignalScope,
        now: Time,
    ) {
        let shell = matches!(scope, SignalScope::Batch | SignalScope::Full);
        if shell && matches!(signal, Signal::KILL | Signal::TERM) {
            self.write_note(kernel, ctld, job, &format!(" DUE to SIGNAL {}", signal.text()), now);
        }
    }

    /// The first part of ending a job: slurmstepd's line in its output, CONT, TERM. On nodes that do not answer nobody
    /// does that; what runs there is gone without a word.
    pub fn terminate(
        &mut self,
        kernel: &mut Kernel,
        ctld: &Slurmctld,
        job: JobId,
        nodes: &[NodeId],
        note: &str,
        now: Time,
    ) {
        let groups = self.groups(job).into_iter();
        let lost: Vec<Cgroup> =
            groups.filter(|(_, t)| !ctld.node(t.node).alive).map(|(cgroup, _)| cgroup).collect();
        if self.batch.get(job).is_some_and(|b| !lost.contains(&b.cgroup)) {
            self.write_note(kernel, ctld, job, note, now);
        }
        for cgroup in lost {
            kernel.kill_cgroup(cgroup, Signal::KILL);
        }
        self.dying.or_default(job).extend(nodes);
        for signal in [Signal::CONT, Signal::TERM] {
            self.signal(kernel, job, signal, SignalScope::Full);
        }
    }

    /// The job that a tracking group belongs to.
    #[must_use]
    pub fn job_of(&self, cgroup: Cgroup) -> Option<JobId> {
        self.tracked.get(cgroup).map(|t| t.job)
    }

    /// The step of a tracking group.
    #[must_use]
    pub fn step_of(&self, cgroup: Cgroup) -> Option<StepNum> {
        self.tracked.get(cgroup).map(|t| t.step)
    }

    /// The job and node of a tracking group.
    #[must_use]
    pub fn whose(&self, cgroup: Cgroup) -> Option<(JobId, NodeId)> {
        self.tracked.get(cgroup).map(|t| (t.job, t.node))
    }

    /// The job that is being ended to which a tracking group belongs.
    #[must_use]
    pub fn dying_job(&self, cgroup: Cgroup) -> Option<JobId> {
        if self.dying.is_empty() {
            return None;
        }
        self.tracked.get(cgroup).map(|t| t.job).filter(|job| self.dying.contains(*job))
    }

    /// Nodes on which nothing of a job that is being ended lives any more; each is told of once.
    pub fn cleared(&mut self, kernel: &Kernel, job: JobId) -> Vec<NodeId> {
        let groups = self.groups(job).into_iter();
        let alive: Vec<NodeId> =
            groups.filter(|(cgroup, _)| kernel.cgroup_alive(*cgroup)).map(|(_, t)| t.node).collect();
        let Some(left) = self.dying.get_mut(job) else { return Vec::new() };
        let clear: Vec<NodeId> = left.iter().filter(|n| !alive.contains(n)).copied().collect();
        left.retain(|n| alive.contains(n));
        if left.is_empty() {
            self.dying.remove(job);
        }
        clear
    }

    /// KillWait is over for a job that is being ended.
    pub fn kill_dying(&self, kernel: &mut Kernel, job: JobId) {
        if self.dying.contains(job) {
            self.kill(kernel, job);
        }
    }

    /// slurmstepd's line about the end of a batch script.
    pub fn write_note(&self, kernel: &mut Kernel, ctld: &Slurmctld, job: JobId, note: &str, now: Time) {
        let Some(batch) = self.batch.get(job) else { return };
        let Some(log) = batch.log.clone() else { return };
        let host = self.tracked.get(batch.cgroup).map_or("", |t| ctld.node(t.node).conf.name.as_str());
        let line = format!(
            "[{}] error: *** JOB {job} ON {host} CANCELLED AT {}{note} ***\n",
            now.iso_millis(),
            now.iso()
        );
        launch::append(kernel, &batch.host, &log, line.as_bytes(), now);
    }

    /// The end of ending a job, and what cleaning up starts with: KILL for whatever is left.
    pub fn kill(&self, kernel: &mut Kernel, job: JobId) {
        self.signal(kernel, job, Signal::KILL, SignalScope::Full);
    }

    /// A job gives nodes back: KILL for what it has there.
    pub fn leave(&self, kernel: &mut Kernel, job: JobId, nodes: &[NodeId]) {
        for (cgroup, _) in self.groups(job).into_iter().filter(|(_, t)| nodes.contains(&t.node)) {
            kernel.kill_cgroup(cgroup, Signal::KILL);
        }
    }

    /// The job is cleaned up: nothing of it is tracked any more.
    pub fn forget(&mut self, kernel: &mut Kernel, job: JobId) {
        for cgroup in self.of_job.remove(job).unwrap_or_default() {
            kernel.forget_cgroup(cgroup);
            self.tracked.remove(cgroup);
        }
        self.dying.remove(job);
        if let Some(batch) = self.batch.remove(job) {
            self.scripts.remove(batch.pid);
        }
    }

    /// A line in the batch script's error output.
    pub fn log(&self, kernel: &mut Kernel, job: JobId, line: &str, now: Time) {
        let Some(batch) = self.batch.get(job) else { return };
        if let Some(log) = &batch.log {
            launch::append(kernel, &batch.host, log, line.as_bytes(), now);
        }
    }
}
