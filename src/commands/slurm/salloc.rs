//! salloc(1): obtains an allocation and runs a command or a shell in it.

use super::opt::{Bad, JobOptions, SubmitCommand, check, het};
use super::refusal;
use super::sbatch::describe;
use super::submission;
use crate::{CommandMachine, Cx, STDIN};
use base::ids::{JobId, Pid};
use base::refusal::Refusal;
use base::time::{Span, Time};
use host::kernel::ProcessTarget;
use host::signal::Disposition;
use host::{Signal, SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};
use slurmctld::error::SlurmError;
use slurmctld::job::{ExitCode, JobState};
use slurmctld::jobenv;
use slurmctld::request::{Request, Response, SignalScope, Target};
use std::sync::Arc;

/// A running salloc.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Salloc {
    job: JobId,
    command: Vec<String>,
    /// The command is the default shell.
    interactive: bool,
    no_shell: bool,
    quiet: bool,
    announced: bool,
    until: Option<Time>,
    /// The signal that the command gets when the allocation ends.
    kill_command: Option<Signal>,
    child: Option<Pid>,
    /// The job ended before its command.
    revoked: bool,
}

fn refuse(cx: &mut Cx, bad: &Bad) -> CommandMachine {
    cx.complain(bad.lines("salloc").trim_end_matches('\n'));
    refusal::note(cx, bad.refusal);
    CommandMachine::End(submission::error_code(cx, bad.exit))
}

/// A parsed command line.
struct CommandLine {
    /// The components of the allocation, usually one.
    components: Vec<JobOptions>,
    /// The words after the options.
    command: Vec<String>,
    /// Lines for standard error.
    warnings: Vec<String>,
}

fn read(cx: &mut Cx) -> Result<CommandLine, Bad> {
    let (mut components, mut warnings, mut command) = (Vec::<JobOptions>::new(), Vec::new(), Vec::new());
    let types = cx.cluster.state().cluster.global.gres_types.clone();
    // Components are searched only if there are several, because errors follow the order of options.
    let several = cx.argv.iter().any(|word| word == ":");
    let lines =
        if several { het::command_lines(SubmitCommand::Salloc, cx.argv)? } else { vec![cx.argv.to_vec()] };
    for line in lines {
        let mut o = components.first().map_or_else(|| submission::fresh(cx), het::inherited);
        o.environment(SubmitCommand::Salloc, cx.env)?;
        command = o.argv(SubmitCommand::Salloc, &line)?;
        if o.run.instead.is_none() {
            submission::files(cx, &mut o)?;
            warnings.extend(check::check(&mut o)?);
            warnings.extend(check::means_less(&mut o, cx.cluster.state().cluster.global.select)?);
            check::known_gres(&o, &types)?;
            check::of_job(SubmitCommand::Salloc, &mut o)?;
        }
        components.push(o);
    }
    Ok(CommandLine { components, command, warnings })
}

/// Starts salloc.
pub fn start(cx: &mut Cx) -> CommandMachine {
    let CommandLine { mut components, mut command, warnings } = match read(cx) {
        Ok(read) => read,
        Err(bad) => return refuse(cx, &bad),
    };
    let Some(first) = components.first() else { return CommandMachine::End(1) };
    let run = first.run.clone();
    if let Some(instead) = run.instead {
        return CommandMachine::End(submission::instead(cx, SubmitCommand::Salloc, instead));
    }
    let (verbose, immediate) = (first.defined(SubmitCommand::Salloc), first.desc.immediate);
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
    match cx.cluster.request(cx.uid(), request) {
        Response::Job { id, messages } => {
            for line in messages {
                cx.complain(&format!("salloc: {line}"));
            }
            for signal in CAUGHT {
                cx.kernel.set_disposition(cx.pid, *signal, Disposition::Catch);
            }
            CommandMachine::Salloc(Box::new(Salloc {
                job: id,
                command,
                interactive,
                no_shell: run.no_shell,
                quiet: run.quiet > 0,
                announced: false,
                until: immediate.map(|s| cx.now + Span::from_secs(s.into())),
                kill_command: run.kill_command.as_deref().and_then(Signal::parse),
                child: None,
                revoked: false,
            }))
        }
        Response::Err { error, messages } => {
            refusal::note(cx, refusal::of_job(error, &messages));
            for line in messages {
                cx.complain(&format!("salloc: {line}"));
            }
            if immediate == Some(1) {
                revoked(cx, error);
            } else {
                cx.complain(&format!("salloc: error: Job submit/allocate failed: {error}"));
            }
            CommandMachine::End(1)
        }
        Response::Ok
        | Response::WillRun { .. }
        | Response::Step(_)
        | Response::Reservation(_)
        | Response::PerTask(_)
        | Response::Accounting(_) => CommandMachine::End(1),
    }
}

/// The signals that salloc handles.
const CAUGHT: &[Signal] = &[Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT, Signal::USR1, Signal::USR2];

/// The message about a job that had to start at once (`--immediate`). A job that was rejected at submission has
/// no ID.
fn revoked(cx: &mut Cx, error: SlurmError) {
    let failed = |job: &&slurmctld::job::Job| job.uid() == cx.uid() && job.end == Some(cx.now);
    let job = cx.cluster.state().jobs.values().filter(failed).map(|job| job.id).max();
    let revoked = job.map(|id| format!("salloc: Job allocation {id} has been revoked."));
    let what = match error {
        SlurmError::NodesBusy => "Unable to allocate resources",
        _ => "Job submit/allocate failed",
    };
    let said = [Some(format!("salloc: error: {what}: {error}")), revoked];
    said.iter().flatten().for_each(|line| cx.complain(line));
}

/// The user's shell, here or, with `LaunchParameters=use_interactive_step`, on the first node.
fn shell(cx: &Cx) -> Vec<String> {
    let shell = cx.env.get("SHELL").cloned().unwrap_or_else(|| "/bin/bash".to_owned());
    if cx.cluster.state().cluster.global.use_interactive_step {
        return ["srun", "--interactive", "--preserve-env", "--pty", "-n1", "-N1", &shell]
            .map(str::to_owned)
            .to_vec();
    }
    vec![shell]
}

/// Whether a job waits for booting nodes.
fn booting(cx: &Cx, id: JobId) -> bool {
    cx.cluster.state().jobs.get(id).is_some_and(|j| j.flags.configuring)
}

impl Salloc {
    /// Runs one slice.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
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

    fn wait_job(&mut self, cx: &mut Cx) -> SliceEnd {
        let id = self.job;
        if cx.kernel.take_signal(cx.pid).is_some() {
            self.cancel(cx);
            self.say(cx, "Job aborted due to signal");
            self.say(cx, &format!("Job allocation {id} has been revoked."));
            return SliceEnd::Exit(Status::Exited(1));
        }
        match cx.cluster.state().jobs.get(id).map(|j| j.state) {
            Some(JobState::Running) if booting(cx, id) => SliceEnd::Wait(Wait::Wakeup),
            Some(JobState::Running) => self.granted(cx),
            Some(JobState::Pending) => {
                if !self.announced {
                    self.announced = true;
                    if cx.cluster.state().jobs.get(id).is_some_and(|j| j.priority == 0) {
                        self.say(cx, "Job is in held state, pending scheduler release");
                    }
                    self.say(cx, &format!("Pending job allocation {id}"));
                    self.say(cx, &format!("job {id} queued and waiting for resources"));
                }
                if self.until.is_some_and(|t| cx.now >= t) {
                    self.cancel(cx);
                    cx.complain("salloc: error: Unable to allocate resources: Connection timed out");
                    self.say(cx, &format!("Job allocation {id} has been revoked."));
                    return SliceEnd::Exit(Status::Exited(1));
                }
                let mut waits = vec![Wait::Wakeup, Wait::Until(cx.now + Span::from_secs(5))];
                waits.extend(self.until.map(Wait::Until));
                SliceEnd::Wait(Wait::Any(waits))
            }
            Some(_) | None => {
                self.say(cx, &format!("Job allocation {id} has been revoked."));
                self.say(cx, "Job has been cancelled");
                let why = SlurmError::AlreadyDone;
                cx.complain(&format!("salloc: error: Job submit/allocate failed: {why}"));
                refusal::note(cx, refusal::of_error(why));
                SliceEnd::Exit(Status::Exited(1))
            }
        }
    }

    fn cancel(&self, cx: &mut Cx) {
        let target = Target { job: self.job, task: None };
        cx.cluster.request(
            cx.uid(),
            Request::Kill { target, signal: None, scope: SignalScope::Steps, many: false },
        );
    }

    fn granted(&mut self, cx: &mut Cx) -> SliceEnd {
        let id = self.job;
        if self.announced {
            self.say(cx, &format!("job {id} has been allocated resources"));
        }
        self.say(cx, &format!("Granted job allocation {id}"));
        let state = cx.cluster.state();
        let mut env = cx.env.clone();
        let mut nodes = Vec::new();
        let mut dir = None;
        if let Some(job) = state.jobs.get(id) {
            // `--chdir` is the command's directory, too.
            dir = Some(job.desc.work_dir.clone()).filter(|dir| !dir.is_empty());
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
            return SliceEnd::Exit(Status::Exited(0));
        }
        let name = self.command.first().cloned().unwrap_or_default();
        let spawned = cx.exec_of(&self.command, Arc::new(env)).and_then(|exec| cx.spawn(exec));
        match spawned {
            Ok(child) => {
                self.child = Some(child);
                if let Some(dir) = dir {
                    // A directory that does not exist leaves the command where it is.
                    let _ = cx.kernel.chdir(child, &dir);
                }
                for signal in CAUGHT {
                    cx.kernel.set_disposition(child, *signal, Disposition::Default);
                }
                SliceEnd::Wait(Wait::Any(vec![Wait::Child, Wait::Wakeup]))
            }
            Err(_) => {
                cx.complain(&format!("salloc: error: _fork_command: Unable to find command \"{name}\""));
                refusal::note(cx, Refusal::Program);
                self.relinquish(cx, Status::Exited(1))
            }
        }
    }

    fn relinquish(&mut self, cx: &mut Cx, status: Status) -> SliceEnd {
        if !self.revoked {
            self.say(cx, &format!("Relinquishing job allocation {}", self.job));
            self.complete(cx, status);
        }
        // Signals that users commonly end a command with do not make salloc fail.
        let code = match status {
            Status::Signaled(Signal::HUP | Signal::INT | Signal::QUIT | Signal::KILL) => 0,
            Status::Signaled(_) | Status::Exited(_) => status.shell_code(),
        };
        SliceEnd::Exit(Status::Exited(code))
    }

    fn complete(&self, cx: &mut Cx, status: Status) {
        let exit = match status {
            Status::Exited(code) => ExitCode { code, signal: 0 },
            Status::Signaled(signal) => ExitCode { code: 0, signal: signal.number() },
        };
        cx.cluster.request(cx.uid(), Request::CompleteJob { job: self.job, exit });
    }

    /// Waits for the command. Terminal signals are meant for the command. Other signals release the allocation at
    /// once; the command continues without it.
    fn wait_child(&mut self, cx: &mut Cx, child: Pid) -> SliceEnd {
        let terminal = cx.is_tty(STDIN);
        while let Some(signal) = cx.kernel.take_signal(cx.pid) {
            let keyboard = matches!(signal, Signal::INT | Signal::QUIT) && terminal;
            let ends = matches!(signal, Signal::INT | Signal::QUIT | Signal::TERM | Signal::HUP);
            if ends && !keyboard && !self.revoked {
                self.revoked = true;
                self.complete(cx, Status::Signaled(signal));
                self.report_revoked(cx, child, false);
            }
        }
        if let Ok(Some((_, status))) = cx.kernel.wait(cx.pid, ProcessTarget::Process(child)) {
            return self.relinquish(cx, status);
        }
        let job = cx.cluster.state().jobs.get(self.job);
        // If another job took over the nodes, the command continues.
        let merged = job.is_some_and(|j| j.expands.is_some() && j.allocation.is_none());
        let over = job.is_none_or(|j| (j.state.ended() && !merged) || j.ending.is_some());
        if over && !self.revoked {
            self.revoked = true;
            let late = job.is_some_and(|j| {
                j.state == JobState::Timeout || j.ending.is_some_and(|e| e.state == JobState::Timeout)
            });
            self.report_revoked(cx, child, late);
        }
        SliceEnd::Wait(Wait::Any(vec![Wait::Child, Wait::Wakeup]))
    }

    /// The allocation ended: a shell at the terminal gets a hangup, a command the signal of `--kill-command`.
    fn report_revoked(&self, cx: &mut Cx, child: Pid, late: bool) {
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
            let _ = cx.kernel.kill(cx.uid(), ProcessTarget::Process(child), Some(signal));
        }
    }
}
