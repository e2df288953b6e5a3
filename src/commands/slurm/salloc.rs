//! salloc(1): an allocation, and a command or a shell in it.

use super::opt::{Bad, Instead, Options, Tool, check, help};
use super::sbatch::describe;
use super::{VERSION, jobenv};
use crate::base::hostlist;
use crate::base::ids::{JobId, Pid};
use crate::base::time::{Span, Time};
use crate::commands::{Cx, Machine, STDIN};
use crate::host::kernel::Whom;
use crate::host::signal::Disposition;
use crate::host::{Signal, Status, Step, Wait};
use crate::slurmctld::job::{ExitCode, JobState};
use crate::slurmctld::request::{Request, Response, SignalScope, Target};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// salloc while it runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Salloc {
    job: JobId,
    command: Vec<String>,
    no_shell: bool,
    quiet: bool,
    told: bool,
    until: Option<Time>,
    child: Option<Pid>,
    /// The job ended before its command.
    revoked: bool,
}

fn refuse(cx: &mut Cx, bad: &Bad) -> Machine {
    cx.complain(bad.lines("salloc").trim_end_matches('\n'));
    Machine::End(bad.exit)
}

/// Starts it.
pub fn start(cx: &mut Cx) -> Machine {
    let mut o = Options { now: cx.now, uid: cx.uid(), ..Options::default() };
    let mut command = match o.environment(Tool::Salloc, cx.env).and_then(|()| o.argv(Tool::Salloc, cx.argv)) {
        Ok(command) => command,
        Err(bad) => return refuse(cx, &bad),
    };
    if let Some(instead) = o.run.instead {
        match instead {
            Instead::Help => cx.print(&help::help(Tool::Salloc)),
            Instead::Usage => cx.print(&help::usage(Tool::Salloc)),
            Instead::Version => cx.line(VERSION),
        }
        return Machine::End(0);
    }
    let types = cx.slurm.state().cluster.global.gres_types.clone();
    match check::check(&mut o).and_then(|w| check::known_gres(&o, &types).map(|()| w)) {
        Ok(warnings) => warnings.iter().for_each(|line| cx.complain(&format!("salloc: {line}"))),
        Err(bad) => return refuse(cx, &bad),
    }
    if o.run.verbose > 0 {
        cx.complain(o.defined(Tool::Salloc).trim_end_matches('\n'));
    }
    if command.is_empty() && !o.run.no_shell {
        if !cx.is_tty(STDIN) {
            return refuse(cx, &Bad::error("no controlling terminal: please set --no-shell").with_exit(1));
        }
        command = shell(cx);
    }
    if o.desc.name.is_empty() {
        o.desc.name = if o.run.no_shell { "no-shell" } else { "interactive" }.to_owned();
    }
    describe(cx, &mut o);
    let until = o.desc.immediate.map(|s| cx.now + Span::from_secs(s.into()));
    match cx.slurm.request(cx.uid(), Request::Allocate(Box::new(o.desc))) {
        Response::Job { id, messages } => {
            for line in messages {
                cx.complain(&format!("salloc: {line}"));
            }
            for signal in [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT] {
                cx.kernel.set_disposition(cx.pid, signal, Disposition::Catch);
            }
            Machine::Salloc(Box::new(Salloc {
                job: id,
                command,
                no_shell: o.run.no_shell,
                quiet: o.run.quiet > 0,
                told: false,
                until,
                child: None,
                revoked: false,
            }))
        }
        Response::Err { error, messages } => {
            for line in messages {
                cx.complain(&format!("salloc: {line}"));
            }
            cx.complain(&format!("salloc: error: Job submit/allocate failed: {error}"));
            Machine::End(1)
        }
        Response::Ok
        | Response::WillRun { .. }
        | Response::Step(_)
        | Response::Reservation(_)
        | Response::PerTask(_) => Machine::End(1),
    }
}

/// The user's shell here, or on the first node where `LaunchParameters=use_interactive_step` says so.
fn shell(cx: &Cx) -> Vec<String> {
    let shell = cx.env.get("SHELL").cloned().unwrap_or_else(|| "/bin/bash".to_owned());
    if cx.slurm.state().cluster.global.use_interactive_step {
        return ["srun", "--interactive", "--preserve-env", "--pty", "-n1", "-N1", &shell]
            .map(str::to_owned)
            .to_vec();
    }
    vec![shell]
}

/// Whether a job waits for nodes that boot.
fn booting(cx: &Cx, id: JobId) -> bool {
    cx.slurm.state().jobs.get(id).is_some_and(|j| j.flags.configuring)
}

impl Salloc {
    /// One slice.
    pub fn step(&mut self, cx: &mut Cx) -> Step {
        match self.child {
            Some(child) => self.wait_child(cx, child),
            None => self.wait_job(cx),
        }
    }

    fn say(&self, cx: &mut Cx, text: &str) {
        if !self.quiet {
            cx.complain(&format!("salloc: {text}"));
        }
    }

    fn wait_job(&mut self, cx: &mut Cx) -> Step {
        let id = self.job;
        if cx.kernel.take_signal(cx.pid).is_some() {
            self.cancel(cx);
            self.say(cx, "Job aborted due to signal");
            self.say(cx, &format!("Job allocation {id} has been revoked."));
            return Step::Exit(Status::Exited(1));
        }
        match cx.slurm.state().jobs.get(id).map(|j| j.state) {
            Some(JobState::Running) if booting(cx, id) => Step::Wait(Wait::Wakeup),
            Some(JobState::Running) => self.granted(cx),
            Some(JobState::Pending) => {
                if !self.told {
                    self.told = true;
                    self.say(cx, &format!("Pending job allocation {id}"));
                    self.say(cx, &format!("job {id} queued and waiting for resources"));
                }
                if self.until.is_some_and(|t| cx.now >= t) {
                    self.cancel(cx);
                    cx.complain("salloc: error: Unable to allocate resources: Requested nodes are busy");
                    return Step::Exit(Status::Exited(1));
                }
                let mut waits = vec![Wait::Wakeup, Wait::Until(cx.now + Span::from_secs(5))];
                waits.extend(self.until.map(Wait::Until));
                Step::Wait(Wait::Any(waits))
            }
            Some(_) | None => {
                self.say(cx, &format!("Job allocation {id} has been revoked."));
                Step::Exit(Status::Exited(1))
            }
        }
    }

    fn cancel(&self, cx: &mut Cx) {
        let target = Target { job: self.job, task: None };
        cx.slurm.request(
            cx.uid(),
            Request::Kill { target, signal: None, scope: SignalScope::Steps, many: false },
        );
    }

    fn granted(&mut self, cx: &mut Cx) -> Step {
        let id = self.job;
        if self.told {
            self.say(cx, &format!("job {id} has been allocated resources"));
        }
        self.say(cx, &format!("Granted job allocation {id}"));
        let state = cx.slurm.state();
        let mut env = cx.env.clone();
        let mut nodes = String::new();
        if let Some(job) = state.jobs.get(id) {
            jobenv::allocation(&mut env, job, state);
            let parts = job.allocation.as_ref().map(|a| a.nodes.as_slice()).unwrap_or_default();
            let names: Vec<&str> = parts
                .iter()
                .filter_map(|p| state.nodes.get(p.node.0 as usize))
                .map(|n| n.conf.name.as_str())
                .collect();
            nodes = hostlist::compress(&names);
        }
        self.say(cx, &format!("Nodes {nodes} are ready for job"));
        if self.no_shell {
            return Step::Exit(Status::Exited(0));
        }
        let name = self.command.first().cloned().unwrap_or_default();
        let spawned = cx.exec_of(&self.command, Arc::new(env)).and_then(|exec| cx.spawn(exec));
        match spawned {
            Ok(child) => {
                self.child = Some(child);
                for signal in [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT] {
                    cx.kernel.set_disposition(child, signal, Disposition::Default);
                }
                Step::Wait(Wait::Any(vec![Wait::Child, Wait::Wakeup]))
            }
            Err(_) => {
                cx.complain(&format!("salloc: error: _fork_command: Unable to find command \"{name}\""));
                self.relinquish(cx, Status::Exited(1))
            }
        }
    }

    fn relinquish(&mut self, cx: &mut Cx, status: Status) -> Step {
        if !self.revoked {
            self.say(cx, &format!("Relinquishing job allocation {}", self.job));
            let exit = match status {
                Status::Exited(code) => ExitCode { code, signal: 0 },
                Status::Signaled(signal) => ExitCode { code: 0, signal: signal.number() },
            };
            cx.slurm.request(cx.uid(), Request::CompleteJob { job: self.job, exit });
        }
        Step::Exit(Status::Exited(status.shell_code()))
    }

    /// Waits for the command; signals of the terminal are for it, SIGTERM and a hangup end it.
    fn wait_child(&mut self, cx: &mut Cx, child: Pid) -> Step {
        while let Some(signal) = cx.kernel.take_signal(cx.pid) {
            if matches!(signal, Signal::TERM | Signal::HUP) {
                let _ = cx.kernel.kill(cx.uid(), Whom::Process(child), Some(signal));
            }
        }
        if let Ok(Some((_, status))) = cx.kernel.wait(cx.pid, Whom::Process(child)) {
            return self.relinquish(cx, status);
        }
        let job = cx.slurm.state().jobs.get(self.job);
        let over = job.is_none_or(|j| j.state.ended() || j.ending.is_some());
        if over && !self.revoked {
            self.revoked = true;
            let late = job.is_some_and(|j| {
                j.state == JobState::Timeout || j.ending.is_some_and(|e| e.state == JobState::Timeout)
            });
            let id = self.job;
            self.say(
                cx,
                &if late {
                    format!("Job {id} has exceeded its time limit and its allocation has been revoked.")
                } else {
                    format!("Job allocation {id} has been revoked.")
                },
            );
            let _ = cx.kernel.kill(cx.uid(), Whom::Process(child), Some(Signal::HUP));
        }
        Step::Wait(Wait::Any(vec![Wait::Child, Wait::Wakeup]))
    }
}
