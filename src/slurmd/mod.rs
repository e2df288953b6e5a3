//! What happens on nodes: launching scripts, output files, signals, memory, program models.
//!
//! [`Slurmd`] stands for all node daemons of the cluster. It acts on the simulated hosts through the kernel and hands
//! back what slurmctld must hear; who runs the processes is the world.

pub mod env;
pub mod launch;
pub mod model;
pub mod pattern;

use crate::base::ids::{Cgroup, JobId, NodeId, Pid, StepNum};
use crate::base::time::Time;
use crate::host::{Kernel, Signal};
use crate::slurmctld::Slurmctld;
use crate::slurmctld::request::{SignalScope, StepLayout, Usage};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// All node daemons.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Slurmd {
    /// Which step a tracking group belongs to.
    tracked: BTreeMap<Cgroup, Tracked>,
    /// Batch scripts that run, by job.
    batch: BTreeMap<JobId, Batch>,
    /// Jobs that are being ended, with the nodes on which something of them may still live.
    dying: BTreeMap<JobId, BTreeSet<NodeId>>,
}

/// A step's processes on one node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Tracked {
    job: JobId,
    step: StepNum,
    node: NodeId,
    /// Largest memory seen, MiB; what `MaxRSS` shows.
    peak: u64,
}

/// A running batch script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Batch {
    pid: Pid,
    cgroup: Cgroup,
    /// Where slurmstepd's own lines go: the script's standard error.
    log: Option<String>,
}

impl Slurmd {
    /// A step was created: its tracking groups are known from now on.
    pub fn track(&mut self, layout: &StepLayout) {
        for node in &layout.nodes {
            let tracked = Tracked { job: layout.step.job, step: layout.step.step, node: node.node, peak: 0 };
            self.tracked.insert(node.cgroup, tracked);
        }
    }

    /// Whose batch script this process is.
    #[must_use]
    pub fn batch_job(&self, pid: Pid) -> Option<JobId> {
        self.batch.iter().find(|(_, b)| b.pid == pid).map(|(job, _)| *job)
    }

    /// Whether the job's batch script was launched here.
    #[must_use]
    pub fn has_batch(&self, job: JobId) -> bool {
        self.batch.contains_key(&job)
    }

    /// What a step used so far, over all its nodes.
    #[must_use]
    pub fn usage(&self, kernel: &Kernel, job: JobId, step: StepNum) -> Usage {
        let mut usage = Usage::default();
        for (cgroup, tracked) in self.tracked.iter().filter(|(_, t)| t.job == job && t.step == step) {
            usage.cpu_time += u64::try_from(kernel.cgroup_cpu_time(*cgroup)).unwrap_or(0);
            usage.max_rss = usage.max_rss.max(tracked.peak * 1024);
        }
        usage
    }

    /// Looks at the memory of the tracking group's processes. Gives the job and what it uses on the node, MiB.
    pub fn note_memory(&mut self, kernel: &Kernel, cgroup: Cgroup) -> Option<(JobId, NodeId, u64)> {
        let used: u64 = kernel.processes().filter(|p| p.origin.cgroup == cgroup).map(|p| p.rss).sum();
        let tracked = self.tracked.get_mut(&cgroup)?;
        tracked.peak = tracked.peak.max(used);
        let (job, node) = (tracked.job, tracked.node);
        let groups: Vec<Cgroup> =
            self.tracked.iter().filter(|(_, t)| t.job == job && t.node == node).map(|(c, _)| *c).collect();
        let total =
            kernel.processes().filter(|p| groups.contains(&p.origin.cgroup)).map(|p| p.rss).sum::<u64>();
        Some((job, node, total))
    }

    /// Tracking groups of a job, those of steps and those of the batch script.
    fn groups(&self, job: JobId) -> Vec<(Cgroup, StepNum)> {
        self.tracked.iter().filter(|(_, t)| t.job == job).map(|(c, t)| (*c, t.step)).collect()
    }

    /// Delivers a signal.
    pub fn signal(&self, kernel: &mut Kernel, job: JobId, signal: Signal, scope: SignalScope) {
        // Of a batch script alone only its own process is meant.
        let all = scope != SignalScope::Batch;
        for (cgroup, _) in self.groups(job).into_iter().filter(|(_, step)| all && scope.reaches(*step)) {
            kernel.kill_cgroup(cgroup, signal);
        }
        if scope == SignalScope::Batch
            && let Some(batch) = self.batch.get(&job)
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

    /// The first part of ending a job: slurmstepd's line in its output, CONT, TERM.
    pub fn terminate(
        &mut self,
        kernel: &mut Kernel,
        ctld: &Slurmctld,
        job: JobId,
        nodes: &[NodeId],
        note: &str,
        now: Time,
    ) {
        self.write_note(kernel, ctld, job, note, now);
        self.dying.entry(job).or_default().extend(nodes);
        for signal in [Signal::CONT, Signal::TERM] {
            self.signal(kernel, job, signal, SignalScope::Full);
        }
    }

    /// The job that is being ended to which a tracking group belongs.
    #[must_use]
    pub fn dying_job(&self, cgroup: Cgroup) -> Option<JobId> {
        self.tracked.get(&cgroup).map(|t| t.job).filter(|job| self.dying.contains_key(job))
    }

    /// Nodes on which nothing of a job that is being ended lives any more; each is told of once.
    pub fn cleared(&mut self, kernel: &Kernel, job: JobId) -> Vec<NodeId> {
        let alive: Vec<NodeId> = self
            .tracked
            .iter()
            .filter(|(cgroup, t)| t.job == job && kernel.cgroup_alive(**cgroup))
            .map(|(_, t)| t.node)
            .collect();
        let Some(left) = self.dying.get_mut(&job) else { return Vec::new() };
        let clear: Vec<NodeId> = left.iter().filter(|n| !alive.contains(n)).copied().collect();
        left.retain(|n| alive.contains(n));
        if left.is_empty() {
            self.dying.remove(&job);
        }
        clear
    }

    /// KillWait is over for a job that is being ended.
    pub fn kill_dying(&self, kernel: &mut Kernel, job: JobId) {
        if self.dying.contains_key(&job) {
            self.kill(kernel, job);
        }
    }

    /// slurmstepd's line about the end of a batch script.
    pub fn write_note(&self, kernel: &mut Kernel, ctld: &Slurmctld, job: JobId, note: &str, now: Time) {
        let Some(batch) = self.batch.get(&job) else { return };
        let Some(log) = batch.log.clone() else { return };
        let host = self.tracked.get(&batch.cgroup).map_or("", |t| ctld.node(t.node).conf.name.as_str());
        let line = format!(
            "[{}] error: *** JOB {job} ON {host} CANCELLED AT {}{note} ***\n",
            now.iso_millis(),
            now.iso()
        );
        launch::append(kernel, &log, line.as_bytes(), now);
    }

    /// The end of ending a job, and what cleaning up starts with: KILL for whatever is left.
    pub fn kill(&self, kernel: &mut Kernel, job: JobId) {
        self.signal(kernel, job, Signal::KILL, SignalScope::Full);
    }

    /// The job is cleaned up: nothing of it is tracked any more.
    pub fn forget(&mut self, kernel: &mut Kernel, job: JobId) {
        self.tracked.retain(|cgroup, t| {
            if t.job == job {
                kernel.forget_cgroup(*cgroup);
            }
            t.job != job
        });
        self.dying.remove(&job);
        self.batch.remove(&job);
    }

    /// A line in the batch script's error output.
    pub fn log(&self, kernel: &mut Kernel, job: JobId, line: &str, now: Time) {
        if let Some(log) = self.batch.get(&job).and_then(|b| b.log.clone()) {
            launch::append(kernel, &log, line.as_bytes(), now);
        }
    }
}
