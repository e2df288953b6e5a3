//! Carries out slurmctld's orders, and reports from the node daemons.

use super::World;
use super::event::WorldEvent;
use base::ids::{Cgroup, JobId, NodeId, Pid, StepId, StepNum, Uid};
use base::time::{Span, Time};
use config::OutOfMemory;
use host::kernel::{Process, ProcessTarget};
use host::{Signal, Status};
use slurmctld::job::{ExitCode, JobState};
use slurmctld::request::{BatchEnd, Caller, Order, Request, SignalScope};
use slurmd::launch::Launched;

/// Orders carried out in one part of an event. They take the page's worker less than a millisecond.
const ORDERS: u32 = 8;
/// Time from an allocation to the script's first command.
const LAUNCH: Span = Span::from_millis(60);
/// Time from a script's end until slurmctld learns of it.
const REPORT: Span = Span::from_millis(10);
/// Time from a script's first command to SIGSTOP if its job is already suspended.
const STOP_LATER: Span = Span::from_millis(500);
/// Time to clean up a node without an epilog: without remaining processes, and after killing some. squeue shows
/// CG in the meantime.
const CLEAN: Span = Span::from_millis(5);
const CLEAN_KILLED: Span = Span::from_millis(12);
/// Interval at which slurmctld learns of several jobs that end at the same moment.
const NEXT_JOB: Span = Span::from_millis(3);

impl World {
    /// Carries out all orders and notices.
    pub(super) fn settle(&mut self) {
        while self.settle_some() {}
    }

    /// Carries out some of them. False when none are left.
    pub(super) fn settle_some(&mut self) -> bool {
        for _ in 0..ORDERS {
            if self.orders.is_empty() {
                self.take_kernel_events();
                self.orders.extend(self.ctld.take_orders());
            }
            let Some(order) = self.orders.pop_front() else { return false };
            self.carry_out_order(order);
        }
        true
    }

    fn carry_out_order(&mut self, order: Order) {
        match order {
            Order::Mail { to, subject } => {
                host::mail::deliver(&mut self.kernel, to, "slurm", &subject, "", self.now);
            }
            Order::Tell { job, message } => {
                let line = format!("[{}] error: {message}\n", self.now.iso_millis());
                self.slurmd.log(&mut self.kernel, job, &line, self.now);
            }
            Order::Power { what, nodes, at } => {
                self.queue.push(at.max(self.now), WorldEvent::Power(what, nodes))
            }
            Order::Run { uid, program } => self.run_trigger(uid, &program),
            Order::Prepare(job) => self.prepare_job(job),
            Order::LaunchBatch(job) => {
                self.make_job_dirs(job);
                self.queue.push(self.now + LAUNCH, WorldEvent::Launch(job));
            }
            Order::WakeClient(job) => {
                self.make_job_dirs(job);
                self.wake_clients(job);
            }
            Order::Signal { job, signal, scope } => {
                #[cfg(feature = "real-host")]
                self.note_scope(job, signal, scope);
                self.slurmd.note_signal(&mut self.kernel, &self.ctld, job, signal, scope, self.now);
                self.slurmd.signal(&mut self.kernel, job, signal, scope);
            }
            Order::Terminate { job, nodes, kill_at, note } => {
                self.slurmd.terminate(&mut self.kernel, &self.ctld, job, &nodes, &note, self.now);
                self.queue.push(kill_at, WorldEvent::Kill(job));
                self.end_unlaunched(job);
                self.report_clear(job);
            }
            Order::NewNodes => self.equip(),
            Order::NodeRestarts { node, back } => {
                self.kill_host(node);
                self.queue.push(back, WorldEvent::NodeBack(node));
            }
            Order::Leave { job, nodes } => self.slurmd.leave(&mut self.kernel, job, &nodes),
            Order::CleanUp { job, nodes } => {
                self.slurmd.kill(&mut self.kernel, job);
                let batch = self.ctld.job(job).is_some_and(slurmctld::job::Job::is_batch);
                if batch || self.ctld.cluster.global.programs.epilog.is_some() {
                    self.report_clean(job, nodes, CLEAN);
                } else {
                    // Its client has already seen the end.
                    nodes.into_iter().for_each(|node| self.clean(job, node));
                }
            }
        }
    }

    /// Cleans up the nodes that have just lost their last process of a terminating job.
    pub(super) fn report_clear(&mut self, job: JobId) {
        let nodes = self.slurmd.cleared(&self.kernel, job);
        self.report_clean(job, nodes, CLEAN_KILLED);
    }

    fn report_clean(&mut self, job: JobId, nodes: Vec<NodeId>, after: Span) {
        if nodes.is_empty() {
            return;
        }
        let mut at = self.now + after;
        if self.cleaned.1 != job {
            at = at.max(self.cleaned.0 + NEXT_JOB);
        }
        self.cleaned = (at, job);
        for node in nodes {
            self.queue.push(at, WorldEvent::Epilog(job, node));
        }
    }

    /// A job that ends between its allocation and its launch never gets a script.
    fn end_unlaunched(&mut self, job: JobId) {
        let batch = self.ctld.job(job).is_some_and(slurmctld::job::Job::is_batch);
        if batch && !self.slurmd.has_batch(job) {
            self.queue.push(
                self.now + REPORT,
                WorldEvent::BatchDone(job, BatchEnd::NotStarted(ExitCode::default())),
            );
        }
    }

    /// Wakes `srun` and `salloc` so that they check their jobs. All commands of the owner wake, which is harmless.
    fn wake_clients(&mut self, job: JobId) {
        let Some(owner) = self.ctld.job(job).map(slurmctld::job::Job::uid) else { return };
        let mine = |pid: &Pid| self.kernel.process(*pid).is_some_and(|p| p.origin.uid == owner);
        let clients: Vec<Pid> = self.clients.iter().copied().filter(mine).collect();
        for pid in clients {
            self.kernel.wake(pid);
        }
    }

    pub(super) fn launch(&mut self, job: JobId) {
        let first = self.ctld.job(job).and_then(|job| job.batch_host);
        if let Some(node) = first {
            self.kernel.fs.enter(&self.ctld.node(node).conf.name, self.now);
        }
        #[cfg(feature = "real-host")]
        self.kernel.fs.reach_real_host(true);
        let launched = self.slurmd.launch_batch(&mut self.kernel, &mut self.ctld, job, self.now);
        #[cfg(feature = "real-host")]
        self.kernel.fs.reach_real_host(false);
        self.kernel.enter_login(self.now);
        match launched {
            Launched::Process(pid, exec) => {
                #[cfg(feature = "real-host")]
                self.join_real_host(pid);
                self.exec(pid, exec);
                self.queue.push(self.now + STOP_LATER, WorldEvent::Still(job));
            }
            Launched::Failed(exit) => {
                self.queue.push(self.now + REPORT, WorldEvent::BatchDone(job, BatchEnd::NotStarted(exit)));
            }
            Launched::Nothing => {}
        }
    }

    /// Stops the script of a job that was suspended before the script began.
    pub(super) fn stop_if_suspended(&mut self, job: JobId) {
        if self.ctld.job(job).is_some_and(|j| j.state == JobState::Suspended) {
            self.slurmd.signal(&mut self.kernel, job, Signal::STOP, SignalScope::Full);
        }
    }

    pub(super) fn batch_ended(&mut self, job: JobId, status: Status) {
        self.queue.push(self.now + REPORT, WorldEvent::BatchDone(job, BatchEnd::Ran(status)));
    }

    pub(super) fn report_batch(&mut self, job: JobId, status: BatchEnd) {
        let host = self.ctld.job(job).and_then(|job| job.batch_host);
        if host.is_some_and(|host| self.leaving.contains(&host)) {
            return;
        }
        self.write_oom_line(job);
        let step = StepId { job, step: StepNum::Batch };
        let usage = self.slurmd.usage(&self.kernel, &self.ctld, step, self.now);
        self.ask(Request::BatchDone { job, status, usage });
    }

    pub(super) fn ask(&mut self, request: Request) {
        self.ctld.request(Caller { uid: Uid(0) }, request, self.now);
    }

    /// The memory of a program model has changed: checks it against the limits of the job and the node.
    pub(super) fn watch_memory(&mut self, pid: Pid) {
        let Some(cgroup) = self.kernel.process(pid).map(|p| p.origin.cgroup) else { return };
        let Some((job, node, used)) = self.slurmd.memory(&self.kernel, cgroup) else { return };
        match self.site.out_of_memory.clone() {
            OutOfMemory::Ignore => {}
            OutOfMemory::Cgroup => {
                let own = self.kernel.cgroup_memory(cgroup);
                let over =
                    |most: Option<u64>, used: u64| most.and_then(|m| used.checked_sub(m)).filter(|o| *o > 0);
                let of_job = over(self.granted(job, node), used);
                if let Some(refused) = of_job.or_else(|| over(self.step_limit(cgroup, job, node), own)) {
                    self.kernel.refuse_memory(pid, refused);
                    self.oom_kill(job, node, of_job.is_none().then_some(cgroup));
                }
            }
            OutOfMemory::RebootNode { comment, seconds } => {
                let conf = &self.ctld.node(node).conf;
                if self.kernel.host_memory(&conf.name) > conf.real_memory {
                    let back: Time = self.now + Span::from_secs(seconds.into());
                    self.ask(Request::NodeOutOfMemory { node, job, comment, back });
                }
            }
        }
    }

    fn granted(&self, job: JobId, node: NodeId) -> Option<u64> {
        // If memory is not a consumable resource, it has no limit.
        let allocation =
            self.ctld.job(job)?.allocation.as_ref().filter(|_| self.ctld.cluster.global.select.memory)?;
        allocation.nodes.iter().find(|n| n.node == node).map(|n| n.memory).filter(|memory| *memory > 0)
    }

    /// A step's own `--mem` on a node.
    fn step_limit(&self, cgroup: Cgroup, job: JobId, node: NodeId) -> Option<u64> {
        self.granted(job, node)?;
        let record = self.ctld.job(job)?.steps.get(&self.slurmd.step_of(cgroup)?)?;
        let hold = record.holds.iter().find(|hold| hold.node == node)?;
        Some(hold.memory).filter(|memory| *memory > 0)
    }

    /// The cgroup's OOM killer: kills the largest process of the job on the node, or of the step that exceeds
    /// its limit. False if there is no process.
    pub(super) fn oom_kill(&mut self, job: JobId, node: NodeId, only: Option<Cgroup>) -> bool {
        let host = self.ctld.node(node).conf.name.clone();
        let mine = |p: &&Process| {
            let of = p.origin.cgroup;
            *p.origin.host == *host
                && only.map_or_else(|| self.slurmd.job_of(of) == Some(job), |cgroup| cgroup == of)
        };
        let largest = self.kernel.processes().filter(mine).max_by_key(|p| (p.rss, p.pid));
        let Some((pid, cgroup)) = largest.map(|p| (p.pid, p.origin.cgroup)) else { return false };
        let Some(step) = self.slurmd.step_of(cgroup) else { return false };
        let whole = self.ctld.job(job).and_then(|j| j.steps.get(&step)).is_some_and(|record| record.oom_kill);
        self.ask(Request::OutOfMemory { step: StepId { job, step } });
        let _ = self.kernel.kill(Uid(0), ProcessTarget::Process(pid), Some(Signal::KILL));
        if whole {
            let of_step = |p: &&Process| {
                let cgroup = p.origin.cgroup;
                self.slurmd.job_of(cgroup) == Some(job) && self.slurmd.step_of(cgroup) == Some(step)
            };
            let all: Vec<Pid> = self.kernel.processes().filter(of_step).map(|p| p.pid).collect();
            for pid in all {
                let _ = self.kernel.kill(Uid(0), ProcessTarget::Process(pid), Some(Signal::KILL));
            }
        }
        true
    }

    /// Writes slurmstepd's line at the end of a script in which the OOM killer killed a process.
    fn write_oom_line(&mut self, job: JobId) {
        let kills = self.ctld.job(job).map_or(0, |j| j.oom_kills(StepNum::Batch));
        if kills > 0 {
            let stamp = self.now.iso_millis();
            let events = if kills == 1 { "event" } else { "events" };
            let line = format!(
                "[{stamp}] error: Detected {kills} oom_kill {events} in StepId={job}.batch. Some of the step tasks have been OOM Killed.\n"
            );
            self.slurmd.log(&mut self.kernel, job, &line, self.now);
        }
    }
}
