//! salloc(1): an allocation, and a command or a shell in it.

use super::opt::{Bad, Options, Tool, check, het};
use super::sbatch::describe;
use super::submission;
use crate::base::ids::{JobId, Pid};
use crate::base::time::{Span, Time};
use crate::commands::{Cx, Machine, STDIN};
use crate::host::kernel::Whom;
use crate::host::signal::Disposition;
use crate::host::{Signal, Status, Step, Wait};
use crate::slurmctld::error::SlurmError;
use crate::slurmctld::job::{ExitCode, JobState};
use crate::slurmctld::jobenv;
use crate::slurmctld::request::{Request, Response, SignalScope, Target};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// salloc while it runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Salloc {
    job: JobId,
    command: Vec<String>,
    /// The command is a shell that nobody asked for by name.
    interactive: bool,
    no_shell: bool,
    quiet: bool,
    told: bool,
    until: Option<Time>,
    /// What the command gets when the allocation is gone.
    kill_command: Option<Signal>,
    child: Option<Pid>,
    /// The job ended before its command.
    revoked: bool,
}

fn refuse(cx: &mut Cx, bad: &Bad) -> Machine {
    cx.complain(bad.lines("salloc").trim_end_matches('\n'));
    Machine::End(bad.exit)
}

/// What the command line says.
struct CommandLine {
    /// The components of the allocation, most often one.
    components: Vec<Options>,
    /// What follows the options.
    command: Vec<String>,
    /// Lines for standard error.
    warnings: Vec<String>,
}

fn read(cx: &mut Cx) -> Result<CommandLine, Bad> {
    let (mut components, mut warnings, mut command) = (Vec::<Options>::new(), Vec::new(), Vec::new());
    let types = cx.slurm.state().cluster.global.gres_types.clone();
    // Components are looked for only where there are some: options are complained of in their order.
    let several = cx.argv.iter().any(|word| word == ":");
    let lines = if several { het::command_lines(Tool::Salloc, cx.argv)? } else { vec![cx.argv.to_vec()] };
    for line in lines {
        let mut o = components.first().map_or_else(|| submission::fresh(cx), het::inherited);
        o.environment(Tool::Salloc, cx.env)?;
        command = o.argv(Tool::Salloc, &line)?;
        if o.run.instead.is_none() {
            submission::files(cx, &mut o)?;
            warnings.extend(check::check(&mut o)?);
            warnings.extend(check::means_less(&o, cx.slurm.state().cluster.global.select));
            check::known_gres(&o, &types)?;
        }
        components.push(o);
    }
    Ok(CommandLine { components, command, warnings })
}

/// Starts it.
pub fn start(cx: &mut Cx) -> Machine {
    let CommandLine { mut components, mut command, warnings } = match read(cx) {
        Ok(read) => read,
        Err(bad) => return refuse(cx, &bad),
    };
    let Some(first) = components.first() else { return Machine::End(1) };
    let run = first.run.clone();
    if let Some(instead) = run.instead {
        submission::instead(cx, Tool::Salloc, instead);
        return Machine::End(0);
    }
    let (verbose, immediate) = (first.defined(Tool::Salloc), first.desc.immediate);
    warnings.iter().for_each(|line| cx.complain(&format!("salloc: {line}")));
    if run.verbose > 0 {
        cx.complain(verbose.trim_end_matches('\n'));
    }
    let interactive = command.is_empty() && !run.no_shell;
    if interactive {
        if !cx.is_tty(STDIN) {
            return refuse(cx, &Bad::error("no controlling terminal: please set --no-shell").with_exit(1));
        }
        command = shell(cx);
    }
    for o in &mut components {
        if o.desc.name.is_empty() {
            o.desc.name = if run.no_shell { "no-shell" } else { "interactive" }.to_owned();
        }
        describe(cx, o);
    }
    let mut descs: Vec<_> = components.into_iter().map(|o| o.desc).collect();
    let request = match descs.len() {
        1 => Request::Allocate(Box::new(descs.swap_remove(0))),
        _ => Request::SubmitHet(descs),
    };
    match cx.slurm.request(cx.uid(), request) {
        Response::Job { id, messages } => {
            for line in messages {
                cx.complain(&format!("salloc: {line}"));
            }
            for signal in CAUGHT {
                cx.kernel.set_disposition(cx.pid, *signal, Disposition::Catch);
            }
            Machine::Salloc(Box::new(Salloc {
                job: id,
                command,
                interactive,
                no_shell: run.no_shell,
                quiet: run.quiet > 0,
                told: false,
                until: immediate.map(|s| cx.now + Span::from_secs(s.into())),
                kill_command: run.kill_command.as_deref().and_then(Signal::parse),
                child: None,
                revoked: false,
            }))
        }
        Response::Err { error, messages } => {
            for line in messages {
                cx.complain(&format!("salloc: {line}"));
            }
            if immediate == Some(1) {
                revoked(cx, error);
            } else {
                cx.complain(&format!("salloc: error: Job submit/allocate failed: {error}"));
            }
            Machine::End(1)
        }
        Response::Ok
        | Response::WillRun { .. }
        | Response::Step(_)
        | Response::Reservation(_)
        | Response::PerTask(_) => Machine::End(1),
    }
}

/// The signals that salloc handles itself.
const CAUGHT: &[Signal] = &[Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT, Signal::USR1, Signal::USR2];

/// What is said of a job that had to start at once (`--immediate`); whoever was refused earlier has no number.
fn revoked(cx: &mut Cx, error: SlurmError) {
    let failed = |job: &&crate::slurmctld::job::Job| job.uid() == cx.uid() && job.end == Some(cx.now);
    let job = cx.slurm.state().jobs.values().filter(failed).map(|job| job.id).max();
    let revoked = job.map(|id| format!("salloc: Job allocation {id} has been revoked."));
    let what = match error {
        SlurmError::NodesBusy => "Unable to allocate resources",
        _ => "Job submit/allocate failed",
    };
    let said = [Some(format!("salloc: error: {what}: {error}")), revoked];
    said.iter().flatten().for_each(|line| cx.complain(line));
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
                    if cx.slurm.state().jobs.get(id).is_some_and(|j| j.priority == 0) {
                        self.say(cx, "Job is in held state, pending scheduler release");
                    }
                    self.say(cx, &format!("Pending job allocation {id}"));
                    self.say(cx, &format!("job {id} queued and waiting for resources"));
                }
                if self.until.is_some_and(|t| cx.now >= t) {
                    self.cancel(cx);
                    cx.complain("salloc: error: Unable to allocate resources: Connection timed out");
                    self.say(cx, &format!("Job allocation {id} has been revoked."));
                    return Step::Exit(Status::Exited(1));
                }
                let mut waits = vec![Wait::Wakeup, Wait::Until(cx.now + Span::from_secs(5))];
                waits.extend(self.until.map(Wait::Until));
                Step::Wait(Wait::Any(waits))
            }
            Some(_) | None => {
                self.say(cx, &format!("Job allocation {id} has been revoked."));
                self.say(cx, "Job has been cancelled");
                let why = SlurmError::AlreadyDone;
                cx.complain(&format!("salloc: error: Job submit/allocate failed: {why}"));
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
        let mut nodes = Vec::new();
        if let Some(job) = state.jobs.get(id) {
            jobenv::allocation(&mut env, job, state);
            nodes = match job.het {
                Some(_) => state.het_components(id).map(|j| j.nodes_text.clone()).collect(),
                None => vec![job.nodes_text.clone()],
            };
        }
        for nodes in nodes {
            self.say(cx, &format!("Nodes {nodes} are ready for job"));
        }
        if self.no_shell {
            return Step::Exit(Status::Exited(0));
        }
        let name = self.command.first().cloned().unwrap_or_default();
        let spawned = cx.exec_of(&self.command, Arc::new(env)).and_then(|exec| cx.spawn(exec));
        match spawned {
            Ok(child) => {
                self.child = Some(child);
                for signal in CAUGHT {
                    cx.kernel.set_disposition(child, *signal, Disposition::Default);
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
            self.complete(cx, status);
        }
        // What a person ends a command with is no failure of salloc.
        let code = match status {
            Status::Signaled(Signal::HUP | Signal::INT | Signal::QUIT | Signal::KILL) => 0,
            Status::Signaled(_) | Status::Exited(_) => status.shell_code(),
        };
        Step::Exit(Status::Exited(code))
    }

    fn complete(&self, cx: &mut Cx, status: Status) {
        let exit = match status {
            Status::Exited(code) => ExitCode { code, signal: 0 },
            Status::Signaled(signal) => ExitCode { code: 0, signal: signal.number() },
        };
        cx.slurm.request(cx.uid(), Request::CompleteJob { job: self.job, exit });
    }

    /// Waits for the command. Signals of the terminal are for it; others give the allocation back at once, and the
    /// command goes on without it.
    fn wait_child(&mut self, cx: &mut Cx, child: Pid) -> Step {
        let terminal = cx.is_tty(STDIN);
        while let Some(signal) = cx.kernel.take_signal(cx.pid) {
            let keyboard = matches!(signal, Signal::INT | Signal::QUIT) && terminal;
            let ends = matches!(signal, Signal::INT | Signal::QUIT | Signal::TERM | Signal::HUP);
            if ends && !keyboard && !self.revoked {
                self.revoked = true;
                self.complete(cx, Status::Signaled(signal));
                self.tell_revoked(cx, child, false);
            }
        }
        if let Ok(Some((_, status))) = cx.kernel.wait(cx.pid, Whom::Process(child)) {
            return self.relinquish(cx, status);
        }
        let job = cx.slurm.state().jobs.get(self.job);
        // One whose nodes went to another job keeps its command.
        let merged = job.is_some_and(|j| j.expands.is_some() && j.allocation.is_none());
        let over = job.is_none_or(|j| (j.state.ended() && !merged) || j.ending.is_some());
        if over && !self.revoked {
            self.revoked = true;
            let late = job.is_some_and(|j| {
                j.state == JobState::Timeout || j.ending.is_some_and(|e| e.state == JobState::Timeout)
            });
            self.tell_revoked(cx, child, late);
        }
        Step::Wait(Wait::Any(vec![Wait::Child, Wait::Wakeup]))
    }

    /// The allocation is gone: a shell at the terminal is hung up, a command gets what `--kill-command` says.
    fn tell_revoked(&self, cx: &mut Cx, child: Pid, late: bool) {
        let id = self.job;
        self.say(
            cx,
            &if late {
                format!("Job {id} has exceeded its time limit and its allocation has been revoked.")
            } else {
                format!("Job allocation {id} has been revoked.")
            },
        );
        if let Some(signal) = self.kill_command.or_else(|| self.interactive.then_some(Signal::HUP)) {
            let _ = cx.kernel.kill(cx.uid(), Whom::Process(child), Some(signal));
        }
    }
}
