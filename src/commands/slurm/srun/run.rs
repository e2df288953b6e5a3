//! srun while it runs: waiting for its allocation, for room for its step, for its tasks.

use super::around;
use super::component::{self, Component};
use super::launch::{self, Tasks};
use super::report;
use crate::base::ids::{JobId, Pid};
use crate::base::time::{Span, Time};
use crate::commands::{Cx, STDIN};
use crate::host::{Signal, Status, Step, Wait};
use crate::slurmctld::error::SlurmError;
use crate::slurmctld::job::{ExitCode, JobState};
use crate::slurmctld::request::{Request, Response, SignalScope, StepDesc, StepLayout, Target};
use serde::{Deserialize, Serialize};

/// srun while it runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Srun {
    /// The job, or the first component of it.
    job: JobId,
    /// The allocation is srun's own.
    own: bool,
    components: Vec<Component>,
    phase: Phase,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Phase {
    /// Waiting for the allocation, at most until that moment.
    Allocate { told: bool, until: Option<Time> },
    /// Waiting for room for the step.
    Create { told: bool },
    /// What runs before the step.
    Before { child: Pid, layouts: Vec<StepLayout> },
    /// Running.
    Tasks(Box<Tasks>),
    /// What runs after it.
    After { child: Pid, tasks: Box<Tasks>, code: u8 },
    /// All tasks are gone; that they were launched is known a little later.
    Leave { tasks: Box<Tasks>, code: u8 },
}

/// From a step's creation to srun's knowing that all of it was launched.
const LAUNCH: Span = Span::from_millis(50);

/// What making a step came to.
enum Made {
    All(Vec<StepLayout>),
    Busy(SlurmError),
    Refused(SlurmError, Vec<String>),
}

impl Srun {
    pub(super) const fn new(components: Vec<Component>, job: JobId, own: bool, phase: Phase) -> Self {
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

    /// One slice.
    pub fn step(&mut self, cx: &mut Cx) -> Step {
        loop {
            let next = match &mut self.phase {
                Phase::Allocate { .. } => self.wait_allocation(cx),
                Phase::Create { .. } => self.create(cx),
                Phase::Before { .. } => self.before(cx),
                Phase::Tasks(_) => self.tasks(cx),
                Phase::After { .. } => self.after(cx),
                Phase::Leave { .. } => return self.leave(cx),
            };
            if let Some(step) = next {
                return step;
            }
        }
    }

    /// Waits until the job runs; `None`: it does.
    fn wait_allocation(&mut self, cx: &mut Cx) -> Option<Step> {
        let (id, quiet) = (self.job, self.quiet());
        let Phase::Allocate { told, until } = &mut self.phase else { return None };
        let signal = cx.kernel.take_signal(cx.pid);
        if matches!(signal, Some(Signal::INT | Signal::TERM | Signal::HUP | Signal::QUIT)) {
            give_up(cx, id);
            cx.complain(&format!("srun: Force Terminated JobId={id}"));
            cx.complain(&format!("srun: Job allocation {id} has been revoked"));
            return Some(Step::Exit(Status::Exited(1)));
        }
        let job = cx.slurm.state().jobs.get(id);
        match job.map(|j| j.state) {
            // Its nodes boot.
            Some(JobState::Running) if job.is_some_and(|j| j.flags.configuring) => {
                Some(Step::Wait(Wait::Wakeup))
            }
            Some(JobState::Running) => {
                if *told && !quiet {
                    cx.complain(&format!("srun: job {id} has been allocated resources"));
                }
                self.phase = Phase::Create { told: false };
                None
            }
            Some(JobState::Pending) => {
                if !*told && !quiet {
                    if cx.slurm.state().jobs.get(id).is_some_and(|j| j.priority == 0) {
                        cx.complain("srun: Job is in held state, pending scheduler release");
                    }
                    cx.complain(&format!("srun: job {id} queued and waiting for resources"));
                }
                *told = true;
                if until.is_some_and(|t| cx.now >= t) {
                    give_up(cx, id);
                    cx.complain("srun: error: Unable to allocate resources: Requested nodes are busy");
                    return Some(Step::Exit(Status::Exited(1)));
                }
                let mut waits = vec![Wait::Wakeup, Wait::Until(cx.now + Span::from_secs(5))];
                waits.extend(until.map(Wait::Until));
                Some(Step::Wait(Wait::Any(waits)))
            }
            Some(_) | None => {
                cx.complain("srun: Job has been cancelled");
                let why = SlurmError::AlreadyDone;
                cx.complain(&format!("srun: error: Unable to allocate resources: {why}"));
                Some(Step::Exit(Status::Exited(1)))
            }
        }
    }

    /// The step's part of each component.
    fn descs(&self, cx: &mut Cx) -> Result<Vec<StepDesc>, Vec<String>> {
        let one = |(at, c): (u32, &Component)| {
            let group = if self.own { at } else { c.group };
            component::step_desc(cx, c, JobId(self.job.0 + group))
        };
        (0u32..).zip(&self.components).map(one).collect()
    }

    /// Makes the step and starts its tasks; `None`: they run.
    fn create(&mut self, cx: &mut Cx) -> Option<Step> {
        let Phase::Create { told } = self.phase else { return None };
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
                if told && !self.quiet() {
                    cx.complain(&format!("srun: Step created for StepId={id}"));
                }
                if self.verbose() {
                    report::launching(cx, self.job, &layouts);
                }
                match around::begin(cx, around::When::Before, self.first(), layouts.first()) {
                    Some(child) => {
                        self.phase = Phase::Before { child, layouts };
                        None
                    }
                    None => self.launch(cx, layouts),
                }
            }
            Made::Busy(error) => {
                if !told && self.verbose() {
                    let id = self.job;
                    cx.complain(&format!(
                        "srun: Job {id} step creation temporarily disabled, retrying ({error})"
                    ));
                }
                let immediate = self.first().and_then(|c| c.desc.immediate).filter(|_| !self.own);
                if immediate.is_some() {
                    self.forget(cx);
                    cx.complain(&format!("srun: error: Unable to create step for job {}: {error}", self.job));
                    return Some(self.end(cx, 1, refused));
                }
                self.phase = Phase::Create { told: true };
                let again = Wait::Until(cx.now + Span::from_secs(60));
                Some(Step::Wait(Wait::Any(vec![Wait::Wakeup, again])))
            }
            Made::Refused(error, messages) => {
                self.forget(cx);
                for line in messages {
                    cx.complain(&format!("srun: {line}"));
                }
                cx.complain(&format!("srun: error: Unable to create step for job {}: {error}", self.job));
                Some(self.end(cx, 1, refused))
            }
        }
    }

    /// `None`: what ran before the step has ended.
    fn before(&mut self, cx: &mut Cx) -> Option<Step> {
        let Phase::Before { child, layouts } = &mut self.phase else { return None };
        if around::runs(cx, *child) {
            return Some(Step::Wait(Wait::Child));
        }
        let layouts = std::mem::take(layouts);
        self.launch(cx, layouts)
    }

    /// `None`: what ran after the step has ended.
    fn after(&mut self, cx: &mut Cx) -> Option<Step> {
        let Phase::After { child, tasks, code } = &self.phase else { return None };
        if around::runs(cx, *child) {
            return Some(Step::Wait(Wait::Child));
        }
        self.phase = Phase::Leave { tasks: tasks.clone(), code: *code };
        None
    }

    fn launch(&mut self, cx: &mut Cx, layouts: Vec<StepLayout>) -> Option<Step> {
        let quiet = self.quiet();
        match launch::launch(cx, &self.components, layouts.clone(), self.own, quiet) {
            Ok(tasks) => {
                self.phase = Phase::Tasks(Box::new(tasks));
                None
            }
            Err(lines) => {
                let exit = ExitCode { code: 1, signal: 0 };
                for layout in layouts {
                    let usage = cx.slurm.usage(cx.kernel, layout.step);
                    cx.slurm.request(cx.uid(), Request::StepDone { step: layout.step, exit, usage });
                }
                Some(self.fail(cx, &lines))
            }
        }
    }

    fn fail(&self, cx: &mut Cx, lines: &[String]) -> Step {
        for line in lines {
            cx.complain(&format!("srun: {line}"));
        }
        self.end(cx, 1, ExitCode { code: 1, signal: 0 })
    }

    /// It waits no longer for room.
    fn forget(&self, cx: &mut Cx) {
        for component in &self.components {
            let job = JobId(self.job.0 + component.group);
            cx.slurm.request(cx.uid(), Request::ForgetStep { job, client: cx.pid });
        }
    }

    /// `None`: all tasks are gone.
    fn tasks(&mut self, cx: &mut Cx) -> Option<Step> {
        let run = self.first()?.run.clone();
        let Phase::Tasks(tasks) = &mut self.phase else { return None };
        tasks.signals(cx, &run);
        tasks.feed(cx);
        tasks.listen(cx, &run);
        tasks.reap(cx, &run);
        let ended = tasks.tasks.iter().all(|t| t.status.is_some());
        if ended {
            tasks.kill(cx, Signal::KILL);
            // What was written before the end is still in the pipes.
            tasks.listen(cx, &run);
        }
        let silent = tasks.tasks.iter().all(|t| t.out.is_none() && t.err.is_none());
        if ended && silent {
            let tasks = tasks.clone();
            let (code, exit) = done(cx, &tasks);
            let child = around::begin(cx, around::When::After, self.first(), tasks.layouts.first());
            self.give_back(cx, exit);
            self.phase = match child {
                Some(child) => Phase::After { child, tasks, code },
                None => Phase::Leave { tasks, code },
            };
            return None;
        }
        tasks.waiting_limit(cx, &run);
        Some(Step::Wait(waits(tasks, run.wait_seconds, ended)))
    }

    /// A job that ends before its step is known to be launched takes srun with it.
    fn leave(&mut self, cx: &mut Cx) -> Step {
        let run = self.first().map(|c| c.run.clone()).unwrap_or_default();
        let Phase::Leave { tasks, code } = &mut self.phase else { return Step::Again };
        let (code, until) = (*code, tasks.begun + LAUNCH);
        let over = |j: &crate::slurmctld::job::Job| j.state.ended() || j.flags.completing;
        let ended = cx.slurm.state().jobs.get(self.job).is_none_or(over);
        if cx.now < tasks.begun + LAUNCH && ended && !self.own && !tasks.ending_told {
            let step = tasks.step().map(|s| s.to_string()).unwrap_or_default();
            cx.complain(&format!("srun: StepId={step} aborted before step completely launched."));
            cx.complain("srun: Job step aborted: Waiting up to 32 seconds for job step to finish.");
            let line = report::cancelled(cx.now, &tasks.layouts, "DUE to SIGNAL Terminated");
            tasks.stepd(cx, &run, &line);
            return Step::Exit(Status::Exited(1));
        }
        if cx.now >= until {
            return Step::Exit(Status::Exited(code));
        }
        Step::Wait(Wait::Any(vec![Wait::Wakeup, Wait::Until(until)]))
    }

    /// Gives an own allocation back.
    fn give_back(&self, cx: &mut Cx, exit: ExitCode) {
        if self.own {
            cx.slurm.request(cx.uid(), Request::CompleteJob { job: self.job, exit });
        }
    }

    /// Gives an own allocation back and ends.
    fn end(&self, cx: &mut Cx, code: u8, exit: ExitCode) -> Step {
        self.give_back(cx, exit);
        Step::Exit(Status::Exited(code))
    }
}

/// The step's end is told: to the user where tasks were killed, to slurmctld for each component.
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
        let (_, exit) = report::result(tasks.tasks.iter().filter(|t| ranks.contains(&t.rank)));
        let usage = cx.slurm.usage(cx.kernel, layout.step);
        cx.slurm.request(cx.uid(), Request::StepDone { step: layout.step, exit, usage });
    }
    (code, exit)
}

/// Makes the step in every component: the same number in each.
fn make(cx: &mut Cx, descs: &[StepDesc]) -> Made {
    let mut layouts: Vec<StepLayout> = Vec::new();
    for desc in descs {
        let number = layouts.first().and_then(|l| match l.step.step {
            crate::base::ids::StepNum::Number(n) => Some(n),
            _ => None,
        });
        let desc = StepDesc { number, ..desc.clone() };
        match cx.slurm.request(cx.uid(), Request::CreateStep(Box::new(desc))) {
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
            | Response::PerTask(_) => return Made::Refused(SlurmError::InvalidJobId, Vec::new()),
        }
    }
    Made::All(layouts)
}

/// The parts of a step that cannot start as a whole end at once.
fn undo(cx: &mut Cx, layouts: Vec<StepLayout>) {
    for layout in layouts {
        let usage = cx.slurm.usage(cx.kernel, layout.step);
        let exit = ExitCode::default();
        cx.slurm.request(cx.uid(), Request::StepDone { step: layout.step, exit, usage });
    }
}

fn give_up(cx: &mut Cx, job: JobId) {
    let target = Target { job, task: None };
    let request = Request::Kill { target, signal: None, scope: SignalScope::Steps, many: false };
    cx.slurm.request(cx.uid(), request);
}

fn waits(tasks: &Tasks, wait_seconds: Option<u32>, ended: bool) -> Wait {
    let mut waits = vec![Wait::Child, Wait::Wakeup];
    waits.extend(tasks.tasks.iter().flat_map(|t| [t.out, t.err]).flatten().map(Wait::Readable));
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
