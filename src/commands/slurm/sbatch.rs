//! sbatch(1): submits a batch script.

use super::opt::{Bad, JobOptions, SubmitCommand, check, het, script};
use super::pbs;
use super::refusal;
use super::submission;
use crate::{CommandMachine, Cx, STDIN};
use base::ids::{JobId, Uid};
use base::refusal::Refusal;
use base::time::Span;
use host::kernel::own_descriptor;
use host::{Env, Errno, SliceEnd, Status, Wait, path};
use serde::{Deserialize, Serialize};
use slurmctld::job::JobDesc;
use slurmctld::request::{Request, Response};
use std::sync::Arc;

/// A running sbatch: it reads a script from standard input, or waits for its job (`--wait`).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Sbatch {
    /// Reads the script.
    Read(Vec<u8>),
    /// Waits for the job.
    Wait(JobId),
}

/// Maximum size of a script, bytes (`max_script_size`).
const MAX_SCRIPT: usize = 4 << 20;

/// Starts sbatch.
pub fn start(cx: &mut Cx) -> CommandMachine {
    let (first, rest) = match command_line(cx) {
        Ok(found) => found,
        Err(bad) => return refuse(cx, &bad),
    };
    if let Some(instead) = first.run.instead {
        return CommandMachine::End(submission::instead(cx, SubmitCommand::Sbatch, instead));
    }
    if first.run.external {
        let text = match (&first.run.wrap, rest.first()) {
            (Some(_), _) => "--wrap option not permitted with --external option",
            (None, Some(_)) => "Script arguments not permitted with --external option",
            (None, None) => "--external: jobs that something else runs are not simulated",
        };
        return refuse(cx, &Bad::error(text).with_exit(1));
    }
    if first.run.wrap.is_some() && !rest.is_empty() {
        return refuse(
            cx,
            &Bad::error("Script arguments not permitted with --wrap option")
                .with_exit(1)
                .because(Refusal::Contradiction),
        );
    }
    if first.run.wrap.is_some() {
        return submit(cx, Vec::new());
    }
    let Some(name) = rest.first() else { return CommandMachine::Sbatch(Sbatch::Read(Vec::new())) };
    // The caller's own input (`sbatch /dev/stdin`) may still be on its way. Pipes have been read.
    if own_descriptor(name) == Some(STDIN) && !cx.piped.iter().any(|piped| piped.name == *name) {
        return CommandMachine::Sbatch(Sbatch::Read(Vec::new()));
    }
    match read_script(cx, name) {
        Ok(script) => submit(cx, script),
        Err(bad) => refuse(cx, &bad),
    }
}

impl Sbatch {
    /// Runs one slice. `Err` holds the next state of the command.
    ///
    /// # Errors
    /// Not a failure: the script is complete, and this machine replaces the present one.
    pub fn step(&mut self, cx: &mut Cx) -> Result<SliceEnd, Box<CommandMachine>> {
        match self {
            Self::Read(data) => loop {
                match cx.kernel.read(cx.pid, STDIN, 65_536) {
                    Ok(bytes) if bytes.is_empty() => return Err(Box::new(submit(cx, std::mem::take(data)))),
                    Ok(bytes) if data.len() + bytes.len() <= MAX_SCRIPT => data.extend_from_slice(&bytes),
                    Ok(_) => {
                        return Err(Box::new(refuse(
                            cx,
                            &Bad::fatal("Script from STDIN is too big, read more than 4194304 bytes."),
                        )));
                    }
                    Err(Errno::EAGAIN) => return Ok(SliceEnd::Wait(Wait::Readable(STDIN))),
                    Err(_) => return Err(Box::new(submit(cx, std::mem::take(data)))),
                }
            },
            Self::Wait(id) => Ok(wait(cx, *id)),
        }
    }
}

/// `--wait`: waits until the job, or all tasks of the array, have finished; returns the highest exit code.
fn wait(cx: &mut Cx, id: JobId) -> SliceEnd {
    let state = cx.cluster.state();
    let of_it = |job: &&slurmctld::job::Job| job.id == id || job.array.as_ref().is_some_and(|a| a.job == id);
    let jobs: Vec<_> = state.jobs.values().filter(of_it).collect();
    if jobs.is_empty() {
        cx.error(&format!("error: Job {id} no longer found and exit code not found"));
        return SliceEnd::Exit(Status::Exited(1));
    }
    if jobs.iter().all(|job| job.state.ended() && !job.flags.completing) {
        let exited = |job: &slurmctld::job::Job| {
            job.exit.signal == 0 && (job.exit.code > 0 || job.state == slurmctld::job::JobState::Complete)
        };
        // Termination by a signal counts as 1, as documented.
        let code = |job: &&slurmctld::job::Job| if exited(job) { job.exit.code } else { 1 };
        return SliceEnd::Exit(Status::Exited(jobs.iter().map(code).max().unwrap_or(0)));
    }
    SliceEnd::Wait(Wait::Any(vec![Wait::Wakeup, Wait::Until(cx.now + Span::from_secs(2))]))
}

fn refuse(cx: &mut Cx, bad: &Bad) -> CommandMachine {
    cx.complain(bad.lines("sbatch").trim_end_matches('\n'));
    refusal::note(cx, bad.refusal);
    CommandMachine::End(submission::error_code(cx, bad.exit))
}

/// A script's bytes. A directory reads as empty.
fn read_script(cx: &mut Cx, name: &str) -> Result<Vec<u8>, Bad> {
    let file = find_script(cx, name);
    match cx.read_file(&file) {
        Ok(data) if data.len() > MAX_SCRIPT => {
            Err(Bad::error(format!("Script {name} is too big")).with_exit(1))
        }
        Ok(data) => Ok(data.to_vec()),
        Err(Errno::EISDIR) => Ok(Vec::new()),
        Err(_) => {
            Err(Bad::error(format!("Unable to open file {name}")).with_exit(1).because(Refusal::NoFile))
        }
    }
}

/// The script in the current directory or along `$PATH`, as an absolute path.
fn find_script(cx: &Cx, name: &str) -> String {
    let here = cx.path(name);
    if name.contains('/') || cx.kernel.fs.stat(cx.uid(), &here).is_ok() {
        return here;
    }
    cx.which(name).unwrap_or(here)
}

/// The error in a script, if any.
fn script_error(script: &[u8]) -> Option<(&'static [&'static str], Option<Refusal>)> {
    if script.is_empty() {
        Some((&["Batch script is empty!"], Some(Refusal::Script)))
    } else if script.iter().all(u8::is_ascii_whitespace) {
        Some((&["Batch script contains only whitespace!"], Some(Refusal::Script)))
    } else if !script.starts_with(b"#!") {
        let lines = &[
            "This does not look like a batch script.  The first",
            "line must start with #! followed by the path to an interpreter.",
            "For instance: #!/bin/sh",
        ];
        Some((lines, Some(Refusal::Script)))
    } else if script.contains(&0) {
        Some((&["The Slurm controller does not allow scripts that", "contain a NULL character '\\0'."], None))
    } else if script.windows(2).any(|w| w == b"\r\n") {
        let lines = &[
            "Batch script contains DOS line breaks (\\r\\n)",
            "instead of expected UNIX line breaks (\\n).",
        ];
        Some((lines, Some(Refusal::LineEnds)))
    } else {
        None
    }
}

/// Parses the whole command line; returns the words after the options, too.
fn command_line(cx: &Cx) -> Result<(JobOptions, Vec<String>), Bad> {
    let mut all = submission::fresh(cx);
    let mut rest = Vec::new();
    for line in het::command_lines(SubmitCommand::Sbatch, cx.argv)? {
        rest = all.argv(SubmitCommand::Sbatch, &line)?;
    }
    Ok((all, rest))
}

fn submit(cx: &mut Cx, script: Vec<u8>) -> CommandMachine {
    if let Some((lines, refusal)) = script_error(&script).filter(|_| !has_wrap(cx)) {
        for line in lines {
            cx.complain(&format!("sbatch: error: {line}"));
        }
        refusal::note(cx, refusal);
        return CommandMachine::End(1);
    }
    match prepare(cx, &script) {
        Err(bad) => refuse(cx, &bad),
        Ok((components, warnings)) => {
            let Some(o) = components.first() else { return CommandMachine::End(1) };
            for line in warnings.iter().filter(|_| o.run.quiet == 0) {
                cx.complain(&format!("sbatch: {line}"));
            }
            if o.run.verbose > 0 {
                cx.complain(o.defined(SubmitCommand::Sbatch).trim_end_matches('\n'));
            }
            send(cx, components)
        }
    }
}

fn has_wrap(cx: &Cx) -> bool {
    command_line(cx).is_ok_and(|(all, _)| all.run.wrap.is_some())
}

/// The components of the job, usually one, and lines for standard error.
fn prepare(cx: &mut Cx, script: &[u8]) -> Result<(Vec<JobOptions>, Vec<String>), Bad> {
    let lines = het::command_lines(SubmitCommand::Sbatch, cx.argv)?;
    let (all, rest) = command_line(cx)?;
    let in_script = if all.run.wrap.is_some() { Vec::new() } else { script::directives(script) };
    let ignored = all.given.contains_key("ignore-pbs") || cx.env.contains_key("SBATCH_IGNORE_PBS");
    // Lines of other systems are for the first component.
    let mut others = (!ignored && all.run.wrap.is_none()).then(|| pbs::argv(script)).transpose()?;
    let mut parts = het::scripts(in_script).into_iter();
    let mut command = lines.into_iter();
    let mut components: Vec<JobOptions> = Vec::new();
    let mut warnings = Vec::new();
    loop {
        let (part, line) = (parts.next(), command.next());
        if part.is_none() && line.is_none() {
            return Ok((components, warnings));
        }
        let mut o = components.first().map_or_else(|| submission::fresh(cx), het::inherited);
        o.run.wrap.clone_from(&all.run.wrap);
        let (part, line) = (part.unwrap_or_default(), line.unwrap_or_else(|| vec!["sbatch".to_owned()]));
        let words =
            ComponentWords { directives: part, others: others.take().unwrap_or_default(), line: &line };
        warnings.extend(component(cx, &mut o, words, &rest, script.to_vec())?);
        components.push(o);
    }
}

/// Where a component's options come from.
struct ComponentWords<'a> {
    directives: Vec<script::Directive>,
    /// The words for `#PBS` and `#BSUB` lines.
    others: Vec<String>,
    line: &'a [String],
}

/// Applies all options of a component in order of precedence, then completes its description.
fn component(
    cx: &mut Cx,
    o: &mut JobOptions,
    words: ComponentWords<'_>,
    rest: &[String],
    script: Vec<u8>,
) -> Result<Vec<String>, Bad> {
    let name = rest.first().cloned().unwrap_or_default();
    o.directives(words.directives, path::base_name(&name))?;
    o.argv(SubmitCommand::Sbatch, &words.others)?;
    o.environment(SubmitCommand::Sbatch, cx.env)?;
    o.argv(SubmitCommand::Sbatch, words.line)?;
    submission::files(cx, o)?;
    let mut warnings = check::check(o)?;
    let global = &cx.cluster.state().cluster.global;
    warnings.extend(check::means_less(o, global.select)?);
    check::known_gres(o, &global.gres_types)?;
    check::of_job(SubmitCommand::Sbatch, o)?;
    let default_name = match (&o.run.wrap, rest.first()) {
        (Some(_), _) => "wrap",
        (None, Some(name)) => path::base_name(name),
        (None, None) => "sbatch",
    };
    if o.desc.name.is_empty() && !o.given.contains_key("job-name") {
        o.desc.name = default_name.to_owned();
    }
    let script = match &o.run.wrap {
        Some(line) => {
            format!("#!/bin/sh\n# This script was created by sbatch --wrap.\n\n{line}\n").into_bytes()
        }
        None => {
            o.desc.command = rest.first().map(|name| find_script(cx, name));
            o.desc.args = rest.get(1..).unwrap_or(&[]).to_vec();
            script
        }
    };
    o.desc.script = Some(Arc::new(script));
    describe(cx, o);
    let more = submission::exported(cx, o)?;
    if !more.is_empty() {
        Arc::make_mut(&mut o.desc.env).extend(more);
    }
    if let Some(name) = &o.run.as_group {
        let known = name.parse::<u32>().is_ok() || cx.kernel.users.groups().iter().any(|(n, _)| n == name);
        if !known {
            return Err(Bad::error("Invalid --gid specification"));
        }
    }
    if let Some(name) = &o.run.as_user {
        let user = cx.kernel.users.by_name(name).map(|u| u.uid).or_else(|| name.parse().ok().map(Uid));
        o.desc.uid = user.ok_or_else(|| Bad::error("Invalid --uid specification"))?;
    }
    Ok(warnings)
}

/// The submission data that all submitting commands share.
pub fn describe(cx: &Cx, o: &mut JobOptions) {
    o.desc.uid = cx.uid();
    o.desc.submit_line = cx.argv.join(" ");
    o.desc.submit_host = cx.host().to_string();
    o.desc.work_dir = o.run.chdir.as_ref().map_or_else(|| cx.cwd(), |dir| cx.path(dir));
    o.desc.umask = cx.kernel.process(cx.pid).map_or(0o022, |p| p.umask);
    o.desc.env = Arc::new(exported(cx, o));
}

/// The environment after `--export`.
fn exported(cx: &Cx, o: &JobOptions) -> Env {
    let mut env: Env = match o.run.export.as_deref() {
        None => cx.env.clone(),
        Some(word) if word.eq_ignore_ascii_case("ALL") => cx.env.clone(),
        Some(list) => {
            // Without ALL the node loads the user's environment.
            let all = submission::exports_all(list);
            let mut env: Env = if all { cx.env.clone() } else { fresh(cx) };
            for word in submission::exported_names(list) {
                match word.split_once('=') {
                    Some((name, value)) => env.insert(name.to_owned(), value.to_owned()),
                    None => cx.env.get(word).and_then(|value| env.insert(word.to_owned(), value.clone())),
                };
            }
            env.insert("SLURM_EXPORT_ENV".to_owned(), list.to_owned());
            env.insert("SLURM_GET_USER_ENV".to_owned(), "1".to_owned());
            env
        }
    };
    if o.run.get_user_env {
        env.insert("SLURM_GET_USER_ENV".to_owned(), "1".to_owned());
    }
    env.insert("SLURM_SUBMIT_DIR".into(), cx.cwd());
    env.insert("SLURM_SUBMIT_HOST".into(), cx.host().to_string());
    env
}

/// The variables of a login without a terminal, and Slurm's own.
fn fresh(cx: &Cx) -> Env {
    let mut env = cx.kernel.login_env(cx.uid(), &cx.host());
    for name in ["LANG", "TERM"] {
        env.remove(name);
    }
    env.extend(slurm_only(cx.env));
    env
}

fn slurm_only(env: &Env) -> impl Iterator<Item = (String, String)> {
    env.iter()
        .filter(|(name, _)| name.starts_with("SLURM_"))
        .map(|(name, value)| (name.clone(), value.clone()))
}

fn send(cx: &mut Cx, components: Vec<JobOptions>) -> CommandMachine {
    let uid = cx.uid();
    let Some(run) = components.first().map(|o| o.run.clone()) else { return CommandMachine::End(1) };
    let mut descs: Vec<JobDesc> = components.into_iter().map(|o| o.desc).collect();
    let request = if run.test_only {
        Request::WillRun(Box::new(descs.swap_remove(0)))
    } else if descs.len() > 1 {
        Request::SubmitHet(descs)
    } else {
        Request::SubmitBatch(Box::new(descs.swap_remove(0)))
    };
    match cx.cluster.request(uid, request) {
        Response::Job { id, messages } => {
            for line in messages {
                cx.complain(&format!("sbatch: {line}"));
            }
            match (run.quiet, run.parsable) {
                (0, true) if run.tell_cluster => {
                    let cluster = cx.cluster.state().cluster.global.cluster_name.clone();
                    cx.line(&format!("{id};{cluster}"));
                }
                (0, true) => cx.line(&id.to_string()),
                (0, false) if run.tell_cluster => {
                    let cluster = cx.cluster.state().cluster.global.cluster_name.clone();
                    cx.line(&format!("Submitted batch job {id} on cluster {cluster}"));
                }
                (0, false) => cx.line(&format!("Submitted batch job {id}")),
                _ => {}
            }
            if run.wait { CommandMachine::Sbatch(Sbatch::Wait(id)) } else { CommandMachine::End(0) }
        }
        Response::WillRun { id, start, cpus, nodes, partition } => {
            cx.complain(&format!(
                "sbatch: Job {id} to start at {start} a using {cpus} processors on nodes {nodes} in partition {partition}"
            ));
            CommandMachine::End(0)
        }
        Response::Err { error, messages } => {
            refusal::note(cx, refusal::of_job(error, &messages));
            for line in messages {
                cx.complain(&format!("sbatch: {line}"));
            }
            if run.test_only {
                cx.complain(&format!("allocation failure: {error}"));
            } else {
                cx.complain(&format!("sbatch: error: Batch job submission failed: {error}"));
            }
            CommandMachine::End(submission::error_code(cx, 1))
        }
        Response::Ok
        | Response::Step(_)
        | Response::Reservation(_)
        | Response::PerTask(_)
        | Response::Accounting(_) => CommandMachine::End(1),
    }
}
