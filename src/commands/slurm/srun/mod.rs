//! srun(1): runs a step, in an allocation that exists or in one of its own.
//!
//! The tasks are children of srun with the node's name and tracking group; pipes carry what they read and print.

mod launch;
mod report;
mod start;

use super::VERSION;
use super::opt::{Bad, Instead, Options, RunOptions, Tool, check, help};
use super::sbatch::describe;
use crate::base::ids::JobId;
use crate::base::time::{SECOND, Span, Time};
use crate::commands::{Cx, Machine};
use crate::host::signal::Disposition;
use crate::host::{Env, Signal, Status, Step, Wait, path};
use crate::slurmctld::error::SlurmError;
use crate::slurmctld::job::{ExitCode, Job, JobDesc, JobState};
use crate::slurmctld::request::{Request, Response, StepDesc};
use launch::Tasks;
use serde::{Deserialize, Serialize};

/// srun while it runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Srun {
    job: JobId,
    /// The allocation is srun's own.
    own: bool,
    run: RunOptions,
    /// The command and its arguments.
    command: Vec<String>,
    step: StepDesc,
    /// `-o`, `-e`, `-i`.
    files: [Option<String>; 3],
    phase: Phase,
    quiet: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Phase {
    /// Waiting for the allocation since this moment, at most until that one.
    Allocate { told: bool, until: Option<Time> },
    /// Waiting for room for the step.
    Create { told: bool },
    /// Running.
    Tasks(Box<Tasks>),
}

fn refuse(cx: &mut Cx, bad: &Bad) -> Machine {
    cx.complain(bad.lines("srun").trim_end_matches('\n'));
    Machine::End(bad.exit)
}

/// The environment as the component sees it that `--het-group` names: its variables without their endings.
fn component_env(cx: &Cx) -> Result<Env, Bad> {
    let mut env = cx.env.clone();
    let mut o = Options { now: cx.now, uid: cx.uid(), ..Options::default() };
    let command = o.argv(Tool::Srun, cx.argv)?;
    let several = "steps over several components of a heterogeneous job are not simulated";
    if command.iter().any(|word| word == ":") {
        return Err(Bad::error(several).with_exit(127));
    }
    let Some(list) = o.run.het_group else { return Ok(env) };
    let Ok(group) = list.parse::<u32>() else { return Err(Bad::error(several).with_exit(127)) };
    let ending = format!("_HET_GROUP_{group}");
    let own = cx.env.iter().filter_map(|(name, value)| Some((name.strip_suffix(&ending)?, value)));
    let own: Vec<(String, String)> = own.map(|(name, value)| (name.to_owned(), value.clone())).collect();
    if own.is_empty() {
        return Err(Bad::error(format!("Invalid --het-group specification: {list}")).with_exit(1));
    }
    env.extend(own);
    Ok(env)
}

/// Starts it.
pub fn start(cx: &mut Cx) -> Machine {
    let mut o = Options { now: cx.now, uid: cx.uid(), ..Options::default() };
    let env = match component_env(cx) {
        Ok(env) => env,
        Err(bad) => return refuse(cx, &bad),
    };
    let command = match o.environment(Tool::Srun, &env).and_then(|()| o.argv(Tool::Srun, cx.argv)) {
        Ok(command) => command,
        Err(bad) => return refuse(cx, &bad),
    };
    if let Some(instead) = o.run.instead {
        match instead {
            Instead::Help => cx.print(&help::help(Tool::Srun)),
            Instead::Usage => cx.print(&help::usage(Tool::Srun)),
            Instead::Version => cx.line(VERSION),
        }
        return Machine::End(0);
    }
    let Some(program) = command.first().cloned() else {
        return refuse(cx, &Bad::fatal("No command given to execute."));
    };
    let warnings = match check::check(&mut o)
        .and_then(|w| check::known_gres(&o, &cx.slurm.state().cluster.global.gres_types).map(|()| w))
    {
        Ok(warnings) => warnings,
        Err(bad) => return refuse(cx, &bad),
    };
    for line in warnings.iter().filter(|_| o.run.quiet == 0) {
        cx.complain(&format!("srun: {line}"));
    }
    if o.run.verbose > 0 {
        cx.complain(o.defined(Tool::Srun).trim_end_matches('\n'));
    }
    if o.desc.name.is_empty() {
        o.desc.name = path::base_name(&program).to_owned();
    }
    describe(cx, &mut o);
    let inside = o.run.job.or_else(|| env.get("SLURM_JOB_ID").and_then(|id| id.parse().ok()));
    if o.run.pty && cx.kernel.fd_tty(cx.pid, crate::commands::STDIN).is_none() {
        cx.complain("srun: error: ioctl(TIOCGWINSZ): Inappropriate ioctl for device");
        cx.complain("srun: error: Not using a pseudo-terminal, disregarding --pty option");
        o.run.pty = false;
    }
    match inside {
        Some(id) => within(cx, o, command, JobId(id)),
        None => outside(cx, o, command),
    }
}

impl Srun {
    fn new(o: &Options, command: Vec<String>, job: JobId, own: bool) -> Self {
        let d = &o.desc;
        let step = StepDesc {
            job,
            name: d.name.clone(),
            submit_line: d.submit_line.clone(),
            ntasks: d.ntasks.or_else(|| Some(d.ntasks_per_node? * d.min_nodes?)),
            nodes: d.min_nodes,
            cpus_per_task: d.cpus_per_task,
            nodelist: d.nodelist.clone(),
            overlap: o.run.overlap || d.overcommit,
            exact: o.run.exact,
            mem_per_node: d.mem_per_node,
            gres: d.gres.clone(),
            distribution: d.distribution.clone(),
        };
        Self {
            job,
            own,
            run: o.run.clone(),
            command,
            step,
            files: [d.stdout.clone(), d.stderr.clone(), d.stdin.clone()],
            phase: Phase::Create { told: false },
            quiet: o.run.quiet > 0,
        }
    }

    /// One slice.
    pub fn step(&mut self, cx: &mut Cx) -> Step {
        loop {
            let next = match &mut self.phase {
                Phase::Allocate { .. } => self.wait_allocation(cx),
                Phase::Create { .. } => self.create(cx),
                Phase::Tasks(_) => return self.tasks(cx),
            };
            if let Some(step) = next {
                return step;
            }
        }
    }

    /// Waits until the job runs; `None`: it does.
    fn wait_allocation(&mut self, cx: &mut Cx) -> Option<Step> {
        let Phase::Allocate { told, until } = &mut self.phase else { return None };
        let signal = cx.kernel.take_signal(cx.pid);
        if matches!(signal, Some(Signal::INT | Signal::TERM | Signal::HUP)) {
            self.give_up(cx);
            cx.complain(&format!("srun: Force Terminated JobId={}", self.job));
            cx.complain(&format!("srun: Job allocation {} has been revoked", self.job));
            return Some(Step::Exit(Status::Exited(1)));
        }
        let job = cx.slurm.state().jobs.get(self.job);
        match job.map(|j| j.state) {
            // Its nodes boot.
            Some(JobState::Running) if job.is_some_and(|j| j.flags.configuring) => {
                Some(Step::Wait(Wait::Wakeup))
            }
            Some(JobState::Running) => {
                if *told && !self.quiet {
                    cx.complain(&format!("srun: job {} has been allocated resources", self.job));
                }
                self.phase = Phase::Create { told: false };
                None
            }
            Some(JobState::Pending) => {
                if !*told && !self.quiet {
                    cx.complain(&format!("srun: job {} queued and waiting for resources", self.job));
                }
                *told = true;
                if until.is_some_and(|t| cx.now >= t) {
                    self.give_up(cx);
                    cx.complain("srun: error: Unable to allocate resources: Requested nodes are busy");
                    return Some(Step::Exit(Status::Exited(1)));
                }
                let mut waits = vec![Wait::Wakeup, Wait::Until(cx.now + Span::from_secs(5))];
                waits.extend(until.map(Wait::Until));
                Some(Step::Wait(Wait::Any(waits)))
            }
            Some(_) | None => {
                cx.complain("srun: Job has been cancelled");
                cx.complain(&format!(
                    "srun: error: Unable to allocate resources: {}",
                    SlurmError::AlreadyDone
                ));
                Some(Step::Exit(Status::Exited(1)))
            }
        }
    }

    fn give_up(&self, cx: &mut Cx) {
        let target = crate::slurmctld::request::Target { job: self.job, task: None };
        let scope = crate::slurmctld::request::SignalScope::Steps;
        cx.slurm.request(cx.uid(), Request::Kill { target, signal: None, scope, many: false });
    }

    /// Makes the step and starts its tasks; `None`: they run.
    fn create(&mut self, cx: &mut Cx) -> Option<Step> {
        let Phase::Create { told } = &mut self.phase else { return None };
        if matches!(cx.kernel.take_signal(cx.pid), Some(Signal::INT | Signal::TERM | Signal::HUP)) {
            return Some(self.end(cx, 1, ExitCode { code: 1, signal: 0 }));
        }
        match cx.slurm.request(cx.uid(), Request::CreateStep(Box::new(self.step.clone()))) {
            Response::Step(layout) => {
                if *told && !self.quiet {
                    cx.complain(&format!("srun: Step created for StepId={}", layout.step));
                }
                let tasks = launch::launch(cx, &self.run, &self.command, &self.files, *layout, self.quiet);
                self.phase = Phase::Tasks(Box::new(tasks));
                None
            }
            Response::Err { error: error @ (SlurmError::NodesBusy | SlurmError::PortsBusy), .. } => {
                if !*told && !self.quiet {
                    let id = self.job;
                    cx.complain(&format!(
                        "srun: Job {id} step creation temporarily disabled, retrying ({error})"
                    ));
                }
                *told = true;
                let again = Wait::Until(cx.now + Span::from_secs(1));
                Some(Step::Wait(Wait::Any(vec![Wait::Wakeup, again])))
            }
            Response::Err { error, messages } => {
                for line in messages {
                    cx.complain(&format!("srun: {line}"));
                }
                cx.complain(&format!("srun: error: Unable to create step for job {}: {error}", self.job));
                Some(self.end(cx, 1, ExitCode { code: 1, signal: 0 }))
            }
            Response::Ok
            | Response::Job { .. }
            | Response::WillRun { .. }
            | Response::Reservation(_)
            | Response::PerTask(_) => Some(self.end(cx, 1, ExitCode { code: 1, signal: 0 })),
        }
    }

    fn tasks(&mut self, cx: &mut Cx) -> Step {
        let Phase::Tasks(tasks) = &mut self.phase else { return Step::Again };
        match tasks.slice(cx, &self.run) {
            launch::Slice::Wait(wait) => Step::Wait(wait),
            launch::Slice::Done { code, exit, usage } => {
                let step = tasks.layout.step;
                cx.slurm.request(cx.uid(), Request::StepDone { step, exit, usage });
                self.end(cx, code, exit)
            }
        }
    }

    /// Gives an own allocation back and ends.
    fn end(&mut self, cx: &mut Cx, code: u8, exit: ExitCode) -> Step {
        if self.own {
            cx.slurm.request(cx.uid(), Request::CompleteJob { job: self.job, exit });
        }
        Step::Exit(Status::Exited(code))
    }
}

/// A step of a job that exists.
fn within(cx: &mut Cx, o: Options, command: Vec<String>, id: JobId) -> Machine {
    let known = cx.slurm.state().jobs.get(id).filter(|j| !j.state.ended());
    let Some(job) = known else {
        cx.complain(&format!(
            "srun: error: Unable to confirm allocation for job {id}: {}",
            SlurmError::InvalidJobId
        ));
        cx.complain(&format!("srun: Check SLURM_JOB_ID environment variable. Expired or invalid job {id}"));
        return Machine::End(1);
    };
    let has = node_count(job);
    if let Some(asked) = o.desc.min_nodes.filter(|asked| *asked > has) {
        cx.complain(&format!("srun: error: Only allocated {has} nodes asked for {asked}"));
        return Machine::End(1);
    }
    catch(cx);
    Machine::Srun(Box::new(Srun::new(&o, command, id, false)))
}

fn node_count(job: &Job) -> u32 {
    job.allocation.as_ref().map_or(0, |a| u32::try_from(a.nodes.len()).unwrap_or(u32::MAX))
}

/// An allocation of its own.
fn outside(cx: &mut Cx, o: Options, command: Vec<String>) -> Machine {
    let desc: Box<JobDesc> = Box::new(o.desc.clone());
    let test = o.run.test_only;
    let request = if test { Request::WillRun(desc) } else { Request::Allocate(desc) };
    match cx.slurm.request(cx.uid(), request) {
        Response::Job { id, messages } => {
            for line in messages {
                cx.complain(&format!("srun: {line}"));
            }
            catch(cx);
            let mut srun = Srun::new(&o, command, id, true);
            let until = o.desc.immediate.map(|s| cx.now + Span(i64::from(s) * SECOND));
            srun.phase = Phase::Allocate { told: false, until };
            Machine::Srun(Box::new(srun))
        }
        Response::WillRun { id, start, cpus, nodes, partition } => {
            cx.complain(&format!(
                "srun: Job {id} to start at {start} a using {cpus} processors on nodes {nodes} in partition {partition}"
            ));
            Machine::End(0)
        }
        Response::Err { error, messages } => {
            for line in messages {
                cx.complain(&format!("srun: {line}"));
            }
            let text = if test {
                format!("allocation failure: {error}")
            } else {
                format!("srun: error: Unable to allocate resources: {error}")
            };
            cx.complain(&text);
            Machine::End(1)
        }
        Response::Ok | Response::Step(_) | Response::Reservation(_) | Response::PerTask(_) => Machine::End(1),
    }
}

/// The signals that srun handles itself.
fn catch(cx: &mut Cx) {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        cx.kernel.set_disposition(cx.pid, signal, Disposition::Catch);
    }
}
