//! What happens on the nodes: launching scripts, output files, signals, memory, program models.
//!
//! [`Slurmd`] represents all node daemons of the cluster. It acts on the simulated hosts through the kernel and
//! returns what slurmctld must learn. The world runs the processes.

pub mod env;
pub mod launch;
pub mod pattern;
mod usage;

use base::cow::CowMap;
use base::ids::{Cgroup, JobId, NodeId, Pid, StepNum, Uid};
use base::time::Time;
use host::{Kernel, Signal};
use serde::{Deserialize, Serialize};
use slurmctld::Slurmctld;
use slurmctld::job::JobState;
use slurmctld::request::{SignalScope, StepLayout};
use std::collections::BTreeSet;

/// All node daemons.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Slurmd {
    /// The step and node of each cgroup.
    tracked: CowMap<Cgroup, Tracked>,
    /// The cgroups of each job, by number.
    of_job: CowMap<JobId, Vec<Cgroup>>,
    /// Running batch scripts, by job.
    batch: CowMap<JobId, Batch>,
    /// The jobs of batch scripts, by process.
    scripts: CowMap<Pid, JobId>,
    /// Jobs that are being terminated, with the nodes on which some of their processes may still run.
    dying: CowMap<JobId, BTreeSet<NodeId>>,
}

/// A step's processes on one node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Tracked {
    job: JobId,
    step: StepNum,
    node: NodeId,
    /// The ranks of the tasks on this node, in the order in which they start.
    ranks: Vec<u32>,
}

/// A running batch script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Batch {
    pid: Pid,
    cgroup: Cgroup,
    /// The node that runs it.
    host: std::sync::Arc<str>,
    /// The file for slurmstepd's own lines: the script's standard error.
    log: Option<String>,
}

impl Slurmd {
    /// Registers the cgroups of a new step.
    pub fn track(&mut self, layout: &StepLayout) {
        for node in &layout.nodes {
            let ranks = node.ranks.clone();
            let tracked =
                Tracked { job: layout.step.job, step: layout.step.step, node: node.gets.node, ranks };
            self.enter(node.cgroup, tracked);
        }
    }

    /// `pam_slurm_adopt(8)`: adds a login on a node to a job of the user there: the job that the login comes
    /// from, otherwise the newest. Its processes are tracked as the job's external step.
    pub fn adopt(&mut self, ctld: &mut Slurmctld, uid: Uid, node: NodeId, from: Cgroup) -> Option<Cgroup> {
        let here = |job: &&slurmctld::job::Job| {
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

    /// The job whose batch script this process runs.
    #[must_use]
    pub fn batch_job(&self, pid: Pid) -> Option<JobId> {
        self.scripts.get(pid).copied()
    }

    /// Whether the job's batch script was launched.
    #[must_use]
    pub fn has_batch(&self, job: JobId) -> bool {
        self.batch.contains(job)
    }

    /// The job and node of a cgroup, and the resident memory of the job's processes on that node in MiB.
    #[must_use]
    pub fn memory(&self, kernel: &Kernel, cgroup: Cgroup) -> Option<(JobId, NodeId, u64)> {
        let tracked = self.tracked.get(cgroup)?;
        let (job, node) = (tracked.job, tracked.node);
        let here = self.groups(job).into_iter().filter(|(_, t)| t.node == node);
        Some((job, node, here.map(|(cgroup, _)| kernel.cgroup_memory(cgroup)).sum()))
    }

    /// The cgroups of a job, including that of the batch script, in numerical order.
    fn groups(&self, job: JobId) -> Vec<(Cgroup, Tracked)> {
        let numbers = self.of_job.get(job).map(Vec::as_slice).unwrap_or_default();
        numbers.iter().filter_map(|c| Some((*c, self.tracked.get(*c)?.clone()))).collect()
    }

    /// Registers a cgroup of a step.
    fn enter(&mut self, cgroup: Cgroup, tracked: Tracked) {
        self.of_job.or_default(tracked.job).push(cgroup);
        self.tracked.insert(cgroup, tracked);
    }

    /// Delivers a signal.
    pub fn signal(&self, kernel: &mut Kernel, job: JobId, signal: Signal, scope: SignalScope) {
        // The scope `Batch` means only the batch script's own process.
        let all = scope != SignalScope::Batch;
        for (cgroup, _) in self.groups(job).into_iter().filter(|(_, t)| all && scope.reaches(t.step)) {
            kernel.kill_cgroup(cgroup, signal);
        }
        if scope == SignalScope::Batch
            && let Some(batch) = self.batch.get(job)
        {
            let _ =
                kernel.kill(base::ids::Uid(0), host::kernel::ProcessTarget::Process(batch.pid), Some(signal));
        }
    }

    /// Writes slurmstepd's line to a batch job's output when its shell gets a signal that ends it.
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

    /// The first part of terminating a job: slurmstepd's line in its output, SIGCONT, SIGTERM. On nodes that do
    /// not respond, the processes are removed without these.
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
        let unreachable: Vec<Cgroup> =
            groups.filter(|(_, t)| !ctld.node(t.node).alive).map(|(cgroup, _)| cgroup).collect();
        if self.batch.get(job).is_some_and(|b| !unreachable.contains(&b.cgroup)) {
            self.write_note(kernel, ctld, job, note, now);
        }
        for cgroup in unreachable {
            kernel.kill_cgroup(cgroup, Signal::KILL);
        }
        self.dying.or_default(job).extend(nodes);
        for signal in [Signal::CONT, Signal::TERM] {
            self.signal(kernel, job, signal, SignalScope::Full);
        }
    }

    /// The job that a cgroup belongs to.
    #[must_use]
    pub fn job_of(&self, cgroup: Cgroup) -> Option<JobId> {
        self.tracked.get(cgroup).map(|t| t.job)
    }

    /// The step of a cgroup.
    #[must_use]
    pub fn step_of(&self, cgroup: Cgroup) -> Option<StepNum> {
        self.tracked.get(cgroup).map(|t| t.step)
    }

    /// The job and node of a cgroup.
    #[must_use]
    pub fn job_and_node(&self, cgroup: Cgroup) -> Option<(JobId, NodeId)> {
        self.tracked.get(cgroup).map(|t| (t.job, t.node))
    }

    /// The job that a cgroup belongs to, if that job is being terminated.
    #[must_use]
    pub fn dying_job(&self, cgroup: Cgroup) -> Option<JobId> {
        if self.dying.is_empty() {
            return None;
        }
        self.tracked.get(cgroup).map(|t| t.job).filter(|job| self.dying.contains(*job))
    }

    /// Nodes on which no process of a terminating job is left. Each is returned once.
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

    /// KillWait has passed for a terminating job: sends SIGKILL.
    pub fn kill_dying(&self, kernel: &mut Kernel, job: JobId) {
        if self.dying.contains(job) {
            self.kill(kernel, job);
        }
    }

    /// Writes slurmstepd's line about the end of a batch script.
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

    /// The last part of terminating a job, and the start of its cleanup: SIGKILL to all remaining processes.
    pub fn kill(&self, kernel: &mut Kernel, job: JobId) {
        self.signal(kernel, job, Signal::KILL, SignalScope::Full);
    }

    /// A job releases nodes: SIGKILL to its processes there.
    pub fn leave(&self, kernel: &mut Kernel, job: JobId, nodes: &[NodeId]) {
        for (cgroup, _) in self.groups(job).into_iter().filter(|(_, t)| nodes.contains(&t.node)) {
            kernel.kill_cgroup(cgroup, Signal::KILL);
        }
    }

    /// The job is cleaned up: drops all records of it.
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

    /// Writes a line to the batch script's standard error.
    pub fn log(&self, kernel: &mut Kernel, job: JobId, line: &str, now: Time) {
        let Some(batch) = self.batch.get(job) else { return };
        if let Some(log) = &batch.log {
            launch::append(kernel, &batch.host, log, line.as_bytes(), now);
        }
    }
}
