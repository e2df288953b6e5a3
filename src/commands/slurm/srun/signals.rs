//! Events that end a step: signals to srun, the end of the job, finished tasks, `--wait`,
//! `--kill-on-bad-exit`.

use super::launch::Tasks;
use super::report;
use crate::Cx;
use crate::slurm::opt::RunOptions;
use base::hostlist;
use base::ids::StepId;
use base::time::Span;
use host::kernel::ProcessTarget;
use host::{Signal, Status};
use slurmctld::job::JobState;
use slurmctld::node::NodeBase;
use slurmctld::request::{Request, SignalScope, Target};
use std::collections::BTreeMap;

/// The signals that srun handles itself.
pub const CAUGHT: &[Signal] = &[
    Signal::INT,
    Signal::TERM,
    Signal::HUP,
    Signal::QUIT,
    Signal::USR1,
    Signal::USR2,
    Signal::ALRM,
    Signal::CONT,
];

/// Delay until srun learns of an ended task while others run. Ends within it are reported together.
const REPORT: Span = Span::from_millis(10);
/// Delay from srun's request to SIGKILL on the nodes.
const ABORT: Span = Span::from_millis(50);

impl Tasks {
    /// A signal for all processes of the step.
    pub(super) fn kill(&self, cx: &mut Cx, signal: Signal) {
        for node in self.layouts.iter().flat_map(|l| &l.nodes) {
            cx.kernel.kill_cgroup(node.cgroup, signal);
        }
    }

    /// Two Ctrl-C within a second end the step, SIGTERM ends it immediately, other signals are passed on to the tasks.
    pub(super) fn signals(&mut self, cx: &mut Cx, run: &RunOptions) {
        self.nodes_fail(cx, run);
        while let Some(signal) = cx.kernel.take_signal(cx.pid) {
            match signal {
                Signal::INT => self.interrupt(cx, run),
                Signal::CONT => cx.complain("srun: got SIGCONT"),
                Signal::TERM | Signal::HUP | Signal::QUIT => {
                    if signal == Signal::QUIT {
                        cx.complain("srun: Quit");
                    }
                    cx.complain("srun: forcing job termination");
                    self.abort(cx);
                    self.kill_at = Some(cx.now + ABORT);
                }
                other => self.kill(cx, other),
            }
        }
        self.job_ends(cx, run);
        if self.kill_at.is_some_and(|at| cx.now >= at) {
            self.kill_at = None;
            if self.tasks.iter().any(|t| t.status.is_none()) {
                let line = report::cancelled(cx.now, &self.layouts, "DUE to SIGNAL Killed");
                self.stepd(cx, run, &line);
                self.kill(cx, Signal::KILL);
            }
        }
    }

    fn interrupt(&mut self, cx: &mut Cx, run: &RunOptions) {
        let Some(step) = self.step() else { return };
        let again = self.interrupted.is_some_and(|t| cx.now - t <= Span::from_secs(1));
        if !(again || run.quit_on_interrupt || run.disable_status) {
            self.interrupted = Some(cx.now);
            cx.complain("srun: interrupt (one more within 1 sec to abort)");
            self.report_tasks(cx, step);
            return;
        }
        cx.complain(&format!("srun: sending Ctrl-C to StepId={step}"));
        self.kill(cx, Signal::INT);
        if again || run.quit_on_interrupt {
            cx.complain("srun: forcing job termination");
            self.stopped = true;
            self.abort(cx);
            self.kill_at = Some(cx.now + ABORT);
        }
    }

    fn abort(&mut self, cx: &mut Cx) {
        if !self.aborted {
            cx.complain("srun: Job step aborted: Waiting up to 32 seconds for job step to finish.");
        }
        self.aborted = true;
        self.ending_told = true;
    }

    /// The job ends because it lost nodes: returns those of the step.
    fn nodes_fail(&mut self, cx: &mut Cx, run: &RunOptions) {
        let state = cx.cluster.state();
        let job = self.step().and_then(|step| state.jobs.get(step.job));
        let fails = job.and_then(|j| j.ending).is_some_and(|e| e.state == JobState::NodeFail);
        if !fails || self.lost.is_some() {
            return;
        }
        let down = |name: &&String| {
            let node = state.node_by_name(name).map(|id| state.node(id));
            node.is_some_and(|n| n.base == NodeBase::Down)
        };
        let names = self.layouts.iter().flat_map(|l| &l.nodes).map(|n| &n.name);
        let lost: Vec<String> = names.filter(down).cloned().collect();
        if !lost.is_empty() {
            cx.complain(&format!("srun: error: Node failure on {}", hostlist::compress(&lost)));
            let line = report::cancelled(cx.now, &self.layouts, report::why(JobState::NodeFail));
            self.stepd(cx, run, &line);
        }
        self.lost = Some(lost);
    }

    /// The job or the step is ended from outside.
    /// The rank of a task within its component: messages about ends count from there (90).
    fn rank_in_component(&self, rank: u32) -> u32 {
        let mut before = 0;
        for layout in &self.layouts {
            let tasks: usize = layout.nodes.iter().map(|n| n.ranks.len()).sum();
            let behind = before + u32::try_from(tasks).unwrap_or(u32::MAX - before);
            if rank < behind {
                break;
            }
            before = behind;
        }
        rank - before.min(rank)
    }

    fn job_ends(&mut self, cx: &mut Cx, run: &RunOptions) {
        let Some(step) = self.step() else { return };
        let Some(job) = cx.cluster.state().jobs.get(step.job) else { return };
        if let Some(ending) = job.ending.filter(|_| !self.ending_told && self.lost.is_none()) {
            self.ending_told = true;
            cx.complain("srun: Job step aborted: Waiting up to 32 seconds for job step to finish.");
            let line = report::cancelled(cx.now, &self.layouts, report::why(ending.state));
            return self.stepd(cx, run, &line);
        }
        // A request ended the step: slurmstepd reports it on its standard error.
        let signalled = job.steps.get(&step.step).and_then(|s| s.last_signal);
        let Some((at, signal)) = signalled.filter(|last| self.last_signal != Some(*last)) else { return };
        self.last_signal = Some((at, signal));
        let line = report::cancelled(at, &self.layouts, &format!("DUE to SIGNAL {}", signal.text()));
        self.stepd(cx, run, &line);
        if signal == Signal::KILL {
            self.ending_told = true;
            cx.complain("srun: Job step aborted: Waiting up to 32 seconds for job step to finish.");
        }
    }

    /// Reports tasks that have finished.
    pub(super) fn reap(&mut self, cx: &mut Cx, run: &RunOptions) {
        let mut ended = Vec::new();
        while let Ok(Some((pid, status))) = cx.kernel.wait(cx.pid, ProcessTarget::Any) {
            if let Some(task) = self.tasks.iter_mut().find(|t| t.pid == Some(pid)) {
                task.status = Some(status);
                ended.push((task.node.clone(), task.rank, status));
            }
        }
        // Tasks that failed to start are reported at once, too.
        if self.first_end.is_none() {
            let failed = self.tasks.iter().filter(|t| t.pid.is_none());
            ended.extend(failed.filter_map(|t| Some((t.node.clone(), t.rank, t.status?))));
        }
        if !ended.is_empty() {
            self.first_end.get_or_insert(cx.now);
            self.untold.append(&mut ended);
            self.tell_at.get_or_insert(cx.now + REPORT);
        }
        let all = self.tasks.iter().all(|t| t.status.is_some());
        if self.untold.is_empty() || !all && self.tell_at.is_some_and(|at| cx.now < at) {
            return;
        }
        self.tell_at = None;
        let mut ended = std::mem::take(&mut self.untold);
        // A node with fewer tasks launches them earlier.
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for task in &self.tasks {
            *counts.entry(&task.node).or_default() += 1;
        }
        ended.sort_by_key(|(node, rank, _)| (counts.get(node.as_str()).copied(), *rank));
        // Effects of Ctrl-C are not reported.
        let expected = |s: &Status| self.stopped && *s == Status::Signaled(Signal::INT);
        // A lost node reports nothing.
        let lost = |name: &String| self.lost.as_ref().is_some_and(|l| l.contains(name)) && !alive(cx, name);
        let reported = ended.iter().filter(|e| !expected(&e.2) && !lost(&e.0));
        let news: Vec<_> = reported
            .map(|(node, rank, status)| (node.clone(), self.rank_in_component(*rank), *status))
            .collect();
        let kills = self.oom_kills(cx);
        if kills > 0 && all {
            let line = report::oom(cx.now, &self.layouts, kills);
            self.stepd(cx, run, &line);
        }
        let mut lines = report::ends(&news, kills > 0).into_iter();
        // The exit of a program that was searched for along the path is reported before the message about the search.
        let searched = self.tasks.iter().filter_map(|t| t.note.as_ref()).all(|n| report::searched(n));
        if let Some(line) = searched.then(|| lines.next()).flatten() {
            cx.complain(&line);
        }
        for at in 0..self.tasks.len() {
            let note = self.tasks.get_mut(at).and_then(|t| t.note.take());
            if let (Some(note), label) = (note, self.label(run))
                && let Some(task) = self.tasks.get_mut(at)
            {
                super::io::print(cx, task, 1, format!("{note}\n").as_bytes(), label);
            }
        }
        for line in lines {
            cx.complain(&line);
        }
        let bad = ended.iter().any(|(_, _, s)| *s != Status::Exited(0));
        let killed = |s: &Status| matches!(s, Status::Signaled(Signal::KILL | Signal::TERM));
        self.forced |= kills == 0 && !self.ending_told && ended.iter().any(|(_, _, s)| killed(s));
        if bad && run.kill_on_bad_exit && !self.aborted {
            self.aborted = true;
            let Some(step) = self.step() else { return };
            cx.complain(&format!("srun: Terminating StepId={step}"));
            let line = report::cancelled(cx.now, &self.layouts, "DUE TO TASK FAILURE");
            self.stepd(cx, run, &line);
            self.kill(cx, Signal::TERM);
        }
    }

    /// The number of processes of the step that the OOM killer has ended.
    pub(super) fn oom_kills(&self, cx: &Cx) -> usize {
        let Some(step) = self.step() else { return 0 };
        cx.cluster.state().jobs.get(step.job).map_or(0, |job| job.oom_kills(step.step))
    }

    /// Reports the running tasks, and how the others ended.
    fn report_tasks(&self, cx: &mut Cx, step: StepId) {
        let word = |status: Option<Status>| match status {
            None => "running",
            Some(Status::Exited(0)) => "exited",
            Some(Status::Exited(_) | Status::Signaled(_)) => "exited abnormally",
        };
        for state in ["running", "exited abnormally", "exited"] {
            let of = self.tasks.iter().filter(|t| word(t.status) == state);
            let ranks: Vec<u32> = of.map(|t| t.rank).collect();
            if !ranks.is_empty() {
                cx.complain(&format!("srun: StepId={step} {}: {state}", report::ranks(&ranks)));
            }
        }
    }

    /// `--wait`: how long other tasks may continue after the first end.
    pub(super) fn waiting_limit(&mut self, cx: &mut Cx, run: &RunOptions) {
        let (Some(first), Some(seconds)) = (self.first_end, run.wait_seconds.filter(|s| *s > 0)) else {
            return;
        };
        let Some(step) = self.step() else { return };
        if self.aborted || cx.now < first + Span::from_secs(seconds.into()) {
            return;
        }
        cx.complain(&format!("srun: First task exited {seconds}s ago"));
        self.report_tasks(cx, step);
        cx.complain(&format!("srun: Terminating StepId={step}"));
        self.abort(cx);
        let line = report::cancelled(cx.now, &self.layouts, "DUE to SIGNAL Killed");
        self.stepd(cx, run, &line);
        // slurmctld ends the step at the user's request. The message is already printed.
        self.last_signal = Some((cx.now, Signal::KILL));
        for step in self.layouts.iter().map(|layout| layout.step) {
            let (target, scope) = (Target { job: step.job, task: None }, SignalScope::Step(step.step));
            cx.cluster.request(cx.uid(), Request::Kill { target, signal: None, scope, many: false });
        }
        self.kill(cx, Signal::KILL);
    }
}

/// Whether the slurmd of a node is responding.
fn alive(cx: &Cx, name: &str) -> bool {
    let state = cx.cluster.state();
    state.node_by_name(name).is_some_and(|id| state.node(id).alive)
}
