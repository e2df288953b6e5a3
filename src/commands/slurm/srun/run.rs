//! The states of a running srun: waiting for its allocation, for its step's resources, for its tasks.

use super::component::{self, Component};
use super::launch::{self, Tasks};
use super::report;
use super::srun_prolog;
use crate::slurm::refusal;
use crate::{Cx, STDIN};
use base::ids::{JobId, Pid};
use base::refusal::Refusal;
use base::time::{Span, Time};
use host::{Signal, SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};
use slurmctld::error::SlurmError;
use slurmctld::job::{ExitCode, JobState};
use slurmctld::request::{Request, Response, SignalScope, StepDesc, StepLayout, Target};

/// A running srun.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Srun {
    /// The job, or its first component.
    job: JobId,
    /// The allocation is srun's own.
    own: bool,
    components: Vec<Component>,
    phase: SrunPhase,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum SrunPhase {
    /// Waits for the allocation, at most until this time.
    Allocate { announced: bool, until: Option<Time> },
    /// Waits for the step's resources.
    Create { announced: bool },
    /// Runs the programs before the step.
    Before { child: Pid, layouts: Vec<StepLayout> },
    /// Runs the tasks.
    Tasks(Box<Tasks>),
    /// Runs the programs after the step.
    After { child: Pid, tasks: Box<Tasks>, code: u8 },
    /// All tasks have finished, but srun does not yet know that they were launched.
    Leave { tasks: Box<Tasks>, code: u8 },
}

/// The delay between a step's creation and srun's notice of its launch.
const LAUNCH: Span = Span::from_millis(50);

/// The result of creating a step.
enum Made {
    All(Vec<StepLayout>),
    Busy(SlurmError),
    Refused(SlurmError, Vec<String>),
}

impl Srun {
    pub(super) const fn new(components: Vec<Component>, job: JobId, own: bool, phase: SrunPhase) -> Self {
        Self { job, own, components, phase }
    }

    fn first(&self) -> Option<&Component> {
        self.components.first()
    }

    fn quiet(&self) -> bool {
        self.first().is_some_and(|c| c.run.quiet > 0)
    }

    fn verbose(&self) -> bool {
        self.first().is_some_and(|c| c.run.verbose > 0)
    }

    /// Runs one slice.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        loop {
            let next = match &mut self.phase {
                SrunPhase::Allocate { .. } => self.wait_allocation(cx),
                SrunPhase::Create { .. } => self.create(cx),
                SrunPhase::Before { .. } => self.before(cx),
                SrunPhase::Tasks(_) => self.tasks(cx),
                SrunPhase::After { .. } => self.after(cx),
                SrunPhase::Leave { .. } => return self.leave(cx),
            };
            if let Some(step) = next {
                return step;
            }
        }
    }

    /// Waits until the job runs; `None`: it runs.
    fn wait_allocation(&mut self, cx: &mut Cx) -> Option<SliceEnd> {
        let (id, quiet) = (self.job, self.quiet());
        let SrunPhase::Allocate { announced, until } = &mut self.phase else { return None };
        let signal = cx.kernel.take_signal(cx.pid);
        if matches!(signal, Some(Signal::INT | Signal::TERM | Signal::HUP | Signal::QUIT)) {
            give_up(cx, id);
            cx.complain(&format!("srun: Force Terminated JobId={id}"));
            cx.complain(&format!("srun: Job allocation {id} has been revoked"));
            return Some(SliceEnd::Exit(Status::Exited(1)));
        }
        let job = cx.cluster.state().jobs.get(id);
        match job.map(|j| j.state) {
            // Its nodes are booting.
            Some(JobState::Running) if job.is_some_and(|j| j.flags.configuring) => {
                Some(SliceEnd::Wait(Wait::Wakeup))
            }
            Some(JobState::Running) => {
                if *announced && !quiet {
                    cx.complain(&format!("srun: job {id} has been allocated resources"));
                }
                self.phase = SrunPhase::Create { announced: false };
                None
            }
            Some(JobState::Pending) => {
                if !*announced && !quiet {
                    if cx.cluster.state().jobs.get(id).is_some_and(|j| j.priority == 0) {
                        cx.complain("srun: Job is in held state, pending scheduler release");
                    }
                    cx.complain(&format!("srun: job {id} queued and waiting for resources"));
                }
                *announced = true;
                if until.is_some_and(|t| cx.now >= t) {
                    give_up(cx, id);
                    cx.complain("srun: error: Unable to allocate resources: Requested nodes are busy");
                    refusal::note(cx, Refusal::Busy);
                    return Some(SliceEnd::Exit(Status::Exited(1)));
                }
                let mut waits = vec![Wait::Wakeup, Wait::Until(cx.now + Span::from_secs(5))];
                waits.extend(until.map(Wait::Until));
                Some(SliceEnd::Wait(Wait::Any(waits)))
            }
            Some(_) | None => {
                cx.complain("srun: Job has been cancelled");
                let why = SlurmError::AlreadyDone;
                cx.complain(&format!("srun: error: Unable to allocate resources: {why}"));
                refusal::note(cx, refusal::of_error(why));
                Some(SliceEnd::Exit(Status::Exited(1)))
            }
        }
    }

    /// The step in each component.
    fn descs(&self, cx: &mut Cx) -> Result<Vec<StepDesc>, Vec<String>> {
        let one = |(at, c): (u32, &Component)| {
            let group = if self.own { at } else { c.group };
            let mut desc = component::step_desc(cx, c, JobId(self.job.0 + group))?;
            // The own allocation contains the listed nodes, and more if the tasks need them (22.05).
            desc.nodelist.take_if(|_| self.own && desc.hosts.is_empty());
            Ok(desc)
        };
        (0u32..).zip(&self.components).map(one).collect()
    }

    /// Creates the step and starts its tasks; `None`: they run.
    fn create(&mut self, cx: &mut Cx) -> Option<SliceEnd> {
        let SrunPhase::Create { announced } = self.phase else { return None };
        let refused = ExitCode { code: 1, signal: 0 };
        let signal = cx.kernel.take_signal(cx.pid).filter(|s| *s != Signal::CONT);
        if let Some(signal) = signal {
            cx.complain(&format!("srun: Cancelled pending job step with signal {}", signal.number()));
            self.forget(cx);
            cx.complain(&format!(
                "srun: error: Unable to create step for job {}: Job/step already completing or completed",
                self.job
            ));
            return Some(self.end(cx, 1, refused));
        }
        let descs = match self.descs(cx) {
            Ok(descs) => descs,
            Err(lines) => return Some(self.fail(cx, &lines)),
        };
        match make(cx, &descs) {
            Made::All(layouts) => {
                let id = layouts.first().map(|l| l.step.to_string()).unwrap_or_default();
                if announced && !self.quiet() {
                    cx.complain(&format!("srun: Step created for StepId={id}"));
                }
                if self.verbose() {
                    report::launching(cx, self.job, &layouts);
                }
                match srun_prolog::begin(cx, srun_prolog::When::Before, self.first(), layouts.first()) {
                    Some(child) => {
                        self.phase = SrunPhase::Before { child, layouts };
                        None
                    }
                    None => self.launch(cx, layouts),
                }
            }
            Made::Busy(error) => {
                if !announced && self.verbose() {
                    let id = self.job;
                    cx.complain(&format!(
                        "srun: Job {id} step creation temporarily disabled, retrying ({error})"
                    ));
                }
                let immediate = self.first().and_then(|c| c.desc.immediate).filter(|_| !self.own);
                if immediate.is_some() {
                    self.forget(cx);
                    cx.complain(&format!("srun: error: Unable to create step for job {}: {error}", self.job));
                    refusal::note(cx, Refusal::Step);
                    return Some(self.end(cx, 1, refused));
                }
                self.phase = SrunPhase::Create { announced: true };
                let again = Wait::Until(cx.now + Span::from_secs(60));
                Some(SliceEnd::Wait(Wait::Any(vec![Wait::Wakeup, again])))
            }
            Made::Refused(error, messages) => {
                self.forget(cx);
                for line in messages {
                    cx.complain(&format!("srun: {line}"));
                }
                cx.complain(&format!("srun: error: Unable to create step for job {}: {error}", self.job));
                refusal::note(cx, Refusal::Step);
                Some(self.end(cx, 1, refused))
            }
        }
    }

    /// `None`: the programs before the step have exited.
    fn before(&mut self, cx: &mut Cx) -> Option<SliceEnd> {
        let SrunPhase::Before { child, layouts } = &mut self.phase else { return None };
        if srun_prolog::runs(cx, *child) {
            return Some(SliceEnd::Wait(Wait::Child));
        }
        let layouts = std::mem::take(layouts);
        self.launch(cx, layouts)
    }

    /// `None`: the programs after the step have exited.
    fn after(&mut self, cx: &mut Cx) -> Option<SliceEnd> {
        let SrunPhase::After { child, tasks, code } = &self.phase else { return None };
        if srun_prolog::runs(cx, *child) {
            return Some(SliceEnd::Wait(Wait::Child));
        }
        self.phase = SrunPhase::Leave { tasks: tasks.clone(), code: *code };
        None
    }

    fn launch(&mut self, cx: &mut Cx, layouts: Vec<StepLayout>) -> Option<SliceEnd> {
        let quiet = self.quiet();
        match launch::launch(cx, &self.components, layouts.clone(), self.own, quiet) {
            Ok(tasks) => {
                self.phase = SrunPhase::Tasks(Box::new(tasks));
                None
            }
            Err(lines) => {
                let exit = ExitCode { code: 1, signal: 0 };
                // In an existing allocation, the step stays without tasks until the job ends.
                for layout in layouts.into_iter().filter(|_| self.own) {
                    let usage = cx.cluster.usage(cx.kernel, layout.step);
                    cx.cluster.request(cx.uid(), Request::StepDone { step: layout.step, exit, usage });
                }
                Some(self.fail(cx, &lines))
            }
        }
    }

    fn fail(&self, cx: &mut Cx, lines: &[String]) -> SliceEnd {
        for line in lines {
            cx.complain(&format!("srun: {line}"));
        }
        self.end(cx, 1, ExitCode { code: 1, signal: 0 })
    }

    /// Cancels the wait for resources.
    fn forget(&self, cx: &mut Cx) {
        for component in &self.components {
            let job = JobId(self.job.0 + component.group);
            cx.cluster.request(cx.uid(), Request::ForgetStep { job, client: cx.pid });
        }
    }

    /// `None`: all tasks have finished.
    fn tasks(&mut self, cx: &mut Cx) -> Option<SliceEnd> {
        let run = self.first()?.run.clone();
        let SrunPhase::Tasks(tasks) = &mut self.phase else { return None };
        tasks.signals(cx, &run);
        tasks.feed(cx);
        tasks.listen(cx, &run);
        tasks.reap(cx, &run);
        let ended = tasks.tasks.iter().all(|t| t.status.is_some());
        if ended {
            tasks.kill(cx, Signal::KILL);
            // The pipes still hold output from before the exit.
            tasks.listen(cx, &run);
        }
        let silent = tasks.tasks.iter().all(|t| t.out.is_none() && t.err.is_none());
        if ended && silent {
            let tasks = tasks.clone();
            let (code, exit) = done(cx, &tasks);
            let child = srun_prolog::begin(cx, srun_prolog::When::After, self.first(), tasks.layouts.first());
            self.give_back(cx, exit);
            self.phase = match child {
                Some(child) => SrunPhase::After { child, tasks, code },
                None => SrunPhase::Leave { tasks, code },
            };
            return None;
        }
        tasks.waiting_limit(cx, &run);
        Some(SliceEnd::Wait(waits(tasks, run.wait_seconds, ended)))
    }

    /// A job that ends before srun knows of the step's launch ends srun, too.
    fn leave(&mut self, cx: &mut Cx) -> SliceEnd {
        let run = self.first().map(|c| c.run.clone()).unwrap_or_default();
        let SrunPhase::Leave { tasks, code } = &mut self.phase else { return SliceEnd::Again };
        let (code, until) = (*code, tasks.begun + LAUNCH);
        let over = |j: &slurmctld::job::Job| j.state.ended() || j.flags.completing;
        let ended = cx.cluster.state().jobs.get(self.job).is_none_or(over);
        if cx.now < tasks.begun + LAUNCH && ended && !self.own && !tasks.ending_told {
            let step = tasks.step().map(|s| s.to_string()).unwrap_or_default();
            cx.complain(&format!("srun: StepId={step} aborted before step completely launched."));
            cx.complain("srun: Job step aborted: Waiting up to 32 seconds for job step to finish.");
            let line = report::cancelled(cx.now, &tasks.layouts, "DUE to SIGNAL Terminated");
            tasks.stepd(cx, &run, &line);
            return SliceEnd::Exit(Status::Exited(1));
        }
        if cx.now >= until {
            return SliceEnd::Exit(Status::Exited(code));
        }
        SliceEnd::Wait(Wait::Any(vec![Wait::Wakeup, Wait::Until(until)]))
    }

    /// Releases srun's own allocation.
    fn give_back(&self, cx: &mut Cx, exit: ExitCode) {
        if self.own {
            cx.cluster.request(cx.uid(), Request::CompleteJob { job: self.job, exit });
        }
    }

    /// Releases srun's own allocation and exits.
    fn end(&self, cx: &mut Cx, code: u8, exit: ExitCode) -> SliceEnd {
        self.give_back(cx, exit);
        SliceEnd::Exit(Status::Exited(code))
    }
}

/// Reports the end of the step: to the user if tasks were killed, to slurmctld for each component.
fn done(cx: &mut Cx, tasks: &Tasks) -> (u8, ExitCode) {
    if let Some(step) = tasks.step().filter(|_| tasks.forced && !tasks.quiet) {
        cx.complain(&format!("srun: Force Terminated StepId={step}"));
    }
    let (mut code, mut exit) = report::result(tasks.tasks.iter());
    if tasks.oom_kills(cx) > 0 {
        code = report::OOM_CODE;
        exit = ExitCode { code: 0, signal: code - 128 };
    }
    for layout in &tasks.layouts {
        let ranks: Vec<u32> = layout.nodes.iter().flat_map(|n| n.ranks.iter().copied()).collect();
        let exit = report::recorded(tasks.tasks.iter().filter(|t| ranks.contains(&t.rank)));
        let usage = cx.cluster.usage(cx.kernel, layout.step);
        cx.cluster.request(cx.uid(), Request::StepDone { step: layout.step, exit, usage });
    }
    (code, exit)
}

/// Creates the step in every component, with the same number.
fn make(cx: &mut Cx, descs: &[StepDesc]) -> Made {
    let mut layouts: Vec<StepLayout> = Vec::new();
    for desc in descs {
        let number = layouts.first().and_then(|l| match l.step.step {
            base::ids::StepNum::Number(n) => Some(n),
            _ => None,
        });
        let desc = StepDesc { number, ..desc.clone() };
        match cx.cluster.request(cx.uid(), Request::CreateStep(Box::new(desc))) {
            Response::Step(layout) => layouts.push(*layout),
            Response::Err { error: error @ (SlurmError::NodesBusy | SlurmError::PortsBusy), .. } => {
                undo(cx, layouts);
                return Made::Busy(error);
            }
            Response::Err { error, messages } => {
                undo(cx, layouts);
                return Made::Refused(error, messages);
            }
            Response::Ok
            | Response::Job { .. }
            | Response::WillRun { .. }
            | Response::Reservation(_)
            | Response::PerTask(_)
            | Response::Accounting(_) => return Made::Refused(SlurmError::InvalidJobId, Vec::new()),
        }
    }
    Made::All(layouts)
}

/// If a step cannot start in all components, its started parts end at once.
fn undo(cx: &mut Cx, layouts: Vec<StepLayout>) {
    for layout in layouts {
        let usage = cx.cluster.usage(cx.kernel, layout.step);
        let exit = ExitCode::default();
        cx.cluster.request(cx.uid(), Request::StepDone { step: layout.step, exit, usage });
    }
}

fn give_up(cx: &mut Cx, job: JobId) {
    let target = Target { job, task: None };
    let request = Request::Kill { target, signal: None, scope: SignalScope::Steps, many: false };
    cx.cluster.request(cx.uid(), request);
}

fn waits(tasks: &Tasks, wait_seconds: Option<u32>, ended: bool) -> Wait {
    let mut waits = vec![Wait::Child, Wait::Wakeup];
    if tasks.tasks.iter().any(|t| t.out.is_some() || t.err.is_some()) {
        waits.push(Wait::Watched);
    }
    if tasks.input_open && tasks.input.is_empty() && !ended {
        waits.push(Wait::Readable(STDIN));
    }
    if !tasks.input.is_empty() {
        waits.extend(tasks.tasks.iter().filter_map(|t| t.input).map(Wait::Writable));
    }
    if let (Some(first), Some(seconds)) = (tasks.first_end, wait_seconds.filter(|s| *s > 0 && !tasks.aborted))
    {
        waits.push(Wait::Until(first + Span::from_secs(seconds.into())));
    }
    waits.extend(tasks.kill_at.into_iter().chain(tasks.tell_at).map(Wait::Until));
    Wait::Any(waits)
}
