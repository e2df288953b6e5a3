//! scancel(1): cancels or signals jobs and steps.

use super::clusters;
use super::dialog::Answers;
use super::getopt::ParsedArguments;
use super::jobtext::{self, JobSpec, JobView};
use super::tool::{self, ArgumentKind, PLAIN, ToolOption, ToolSpec, flag, needs};
use crate::{CommandMachine, Cx};
use base::hostlist;
use base::ids::{JobId, StepNum};
use base::order::StableSort as _;
use host::Signal;
use slurmctld::error::SlurmError;
use slurmctld::job::{Job, JobState};
use slurmctld::request::{Request, Response, SignalScope, Target};

const OPTIONS: &[ToolOption] = &[
    needs("account", 'A', ArgumentKind::Account, "only jobs of this account").env("SCANCEL_ACCOUNT"),
    needs("admin-comment", ' ', ArgumentKind::Text("text"), "what the AdminComment of the jobs says then"),
    flag("batch", 'b', "the signal reaches the batch script only").env("SCANCEL_BATCH"),
    needs("clusters", 'M', ArgumentKind::Cluster, "ask this cluster").env("SLURM_CLUSTERS"),
    flag("cron", 'c', "scrontab jobs, too").env("SCANCEL_CRON"),
    flag("ctld", ' ', "the controller sends the signals, as always here").env("SCANCEL_CTLD"),
    flag("full", 'f', "the signal reaches script and steps").env("SCANCEL_FULL"),
    flag("help", ' ', "show this text"),
    flag("hurry", 'H', "without staging out burst buffers").env("SCANCEL_HURRY"),
    flag("interactive", 'i', "ask before each job").env("SCANCEL_INTERACTIVE"),
    needs("jobname", 'n', ArgumentKind::Text("name"), "only jobs of this name").env("SCANCEL_NAME"),
    flag("me", ' ', "only your own jobs"),
    needs("name", ' ', ArgumentKind::Text("name"), "only jobs of this name"),
    needs("nodelist", 'w', ArgumentKind::Node, "only jobs on these nodes"),
    needs("partition", 'p', ArgumentKind::Partition, "only jobs in this partition").env("SCANCEL_PARTITION"),
    needs("qos", 'q', ArgumentKind::Qos, "only jobs with this QOS").env("SCANCEL_QOS"),
    flag("quiet", 'Q', "no error for finished jobs"),
    needs("reservation", 'R', ArgumentKind::Reservation, "only jobs in this reservation"),
    needs("sibling", ' ', ArgumentKind::Cluster, "the sibling job on this cluster"),
    needs("signal", 's', ArgumentKind::Signal, "send this signal instead of ending jobs"),
    needs("state", 't', ArgumentKind::OneOf(&["PENDING", "RUNNING", "SUSPENDED"]), "only jobs in this state")
        .env("SCANCEL_STATE"),
    flag("usage", ' ', "a short summary of the options"),
    needs("user", 'u', ArgumentKind::User, "only jobs of this user").env("SCANCEL_USER"),
    flag("verbose", 'v', "say what is done").env("SCANCEL_VERBOSE"),
    flag("version", 'V', "the version"),
    needs("wckey", ' ', ArgumentKind::Text("key"), "only jobs with this workload key").env("SCANCEL_WCKEY"),
];

/// The command's table.
pub const TOOL: ToolSpec = ToolSpec {
    name: "scancel",
    options: OPTIONS,
    usage: USAGE,
    synopsis: "[job_id[_array_id][.step_id]...]",
    words: |_| ArgumentKind::Job,
    about: "Ends jobs, tasks of arrays or steps, or sends them a signal. Filters choose among all jobs that you may end.",
    ..PLAIN
};

const USAGE: &str = "\
Usage: scancel [-A account] [--batch] [--ctld] [--full] [--interactive] [-n job_name]
               [-p partition] [-Q] [-q qos] [-R reservation] [-s signal | integer]
               [-t PENDING | RUNNING | SUSPENDED] [--usage] [-u user_name]
               [--hurry] [-V] [-v] [-w hosts...] [--wckey=wckey]
               [job_id[_array_id][.step_id]]
";

/// The action on each job.
#[allow(clippy::struct_excessive_bools, reason = "independent options")]
struct Act {
    signal: Option<Signal>,
    scope: SignalScope,
    verbose: bool,
    many: bool,
    /// Include scrontab jobs.
    cron: bool,
    /// The controller sends the signals, so errors do not affect the exit code.
    ctld: bool,
    /// The number is not a valid signal: only the permission is checked.
    no_signal: bool,
    /// The exit code so far.
    code: u8,
}

/// The last of Linux's signals.
const LAST_SIGNAL: u32 = 64;

/// Starts scancel.
pub fn start(cx: &mut Cx) -> CommandMachine {
    super::dialog::start(cx, &TOOL)
}

/// Runs scancel with the answers given so far.
pub fn run(cx: &mut Cx, parsed: &ParsedArguments, answers: &mut Answers) -> u8 {
    if let Err(code) = clusters::asked(cx, parsed, false) {
        return code;
    }
    match act(cx, parsed, answers) {
        Ok(code) => code,
        Err(text) => {
            cx.complain(&text);
            1
        }
    }
}

const FILTERS: &[&str] = &[
    "account",
    "jobname",
    "name",
    "me",
    "nodelist",
    "partition",
    "qos",
    "reservation",
    "state",
    "user",
    "wckey",
];

fn act(cx: &mut Cx, parsed: &ParsedArguments, answers: &mut Answers) -> Result<u8, String> {
    // A number that no signal has is sent all the same: it reaches no process.
    let no_signal =
        parsed.value("signal").and_then(|n| n.parse::<u32>().ok()).is_some_and(|n| n > LAST_SIGNAL);
    let signal = match parsed.value("signal") {
        Some(_) if no_signal => None,
        Some(name) => Some(Signal::parse(name).ok_or_else(|| format!("Unknown job signal: {name}"))?),
        None => None,
    };
    let (batch, full) = (parsed.has("batch"), parsed.has("full"));
    let signal = match (signal, batch) {
        (None, true) => Some(Signal::KILL),
        (Some(Signal::KILL), false) => None,
        (signal, _) => signal,
    };
    let scope = match (batch, full) {
        (_, true) => SignalScope::Full,
        (true, false) => SignalScope::Batch,
        (false, false) => SignalScope::Steps,
    };
    let mut act = Act {
        signal,
        scope,
        verbose: parsed.has("verbose"),
        many: false,
        cron: parsed.has("cron"),
        ctld: parsed.has("ctld"),
        no_signal,
        code: 0,
    };
    let mut specs = Vec::new();
    for word in parsed.rest.iter().flat_map(|w| if w.is_empty() { vec![""] } else { jobtext::split_list(w) })
    {
        let (id, step) = word.split_once('.').map_or((word, None), |(i, s)| (i, Some(s)));
        let invalid = || format!("scancel: error: Invalid job id {word}");
        let spec = jobtext::parse_job(id).filter(|spec| spec.job > 0).ok_or_else(invalid)?;
        let step = match step {
            None => None,
            Some(n) => Some(StepNum::Number(n.parse().map_err(|_| invalid())?)),
        };
        specs.push((word.to_owned(), spec, step));
    }
    let filtered = FILTERS.iter().any(|f| parsed.has(f));
    if specs.is_empty() && !filtered {
        return Err("scancel: error: No job identification provided".to_owned());
    }
    if !filtered && !parsed.has("interactive") {
        act.many = specs.len() > 1;
        for (word, spec, step) in &specs {
            one(cx, &mut act, word, spec, *step);
        }
        return Ok(act.code);
    }
    let jobs = select(cx, parsed, &specs)?;
    if jobs.is_empty() && act.verbose {
        cx.complain("scancel: error: No active jobs match ALL job filters");
    }
    if !parsed.has("interactive") {
        for (text, target, ..) in jobs {
            kill(cx, &mut act, &text, target);
        }
        return Ok(act.code);
    }
    // All questions are answered before any action, because each answer restarts the command.
    let mut chosen = Vec::new();
    for (text, target, name, partition) in jobs {
        let question = format!("Cancel job_id={text} name={name} partition={partition} [y/n]? ");
        match answers.ask(cx, &question) {
            Some(answer) if answer.starts_with(['y', 'Y']) => chosen.push((text, target)),
            Some(_) => {}
            None => return Ok(act.code),
        }
    }
    for (text, target) in chosen {
        kill(cx, &mut act, &text, target);
    }
    Ok(act.code)
}

/// Cancels a job, tasks of an array, or a step.
fn one(cx: &mut Cx, act: &mut Act, word: &str, spec: &JobSpec, step: Option<StepNum>) {
    let job = JobId(spec.job);
    if let Some(step) = step {
        let scope = SignalScope::Step(step);
        let request =
            Request::Kill { target: Target { job, task: None }, signal: act.signal, scope, many: false };
        if act.verbose {
            cx.complain(&format!("scancel: Terminating step {word}"));
        }
        let target = Target { job, task: None };
        let response =
            if act.no_signal { without_effect(cx, target) } else { cx.cluster.request(cx.uid(), request) };
        if let Response::Err { error, .. } = response {
            // The owner of steps is checked twice, so the error appears twice.
            let lines = if error == SlurmError::AccessDenied {
                format!("scancel: error: Kill job error on job step id {job}: {error}\n").repeat(2)
            } else {
                format!("scancel: error: Kill job error on job step id {word}: {error}")
            };
            cx.complain(lines.trim_end());
            act.code = match error {
                SlurmError::AccessDenied => u8::try_from(error.number() % 256).unwrap_or(1),
                _ => 1,
            };
        }
        return;
    }
    match &spec.tasks {
        None => kill(cx, act, word, Target { job, task: None }),
        Some(tasks) => {
            let denied = tasks.len() > 1
                && cx.cluster.state().jobs.values().any(|j| {
                    let of_it = j.array.as_ref().is_some_and(|a| a.job == job) && !j.state.ended();
                    of_it
                        && cx.uid().0 != 0
                        && j.uid() != cx.uid()
                        && !cx.cluster.state().is_operator(cx.uid())
                });
            if denied {
                // One request for the whole expression, and one answer.
                let first = tasks.first();
                return kill(cx, act, word, Target { job, task: first });
            }
            for task in tasks.iter() {
                kill(cx, act, &format!("{job}_{task}"), Target { job, task: Some(task) });
            }
        }
    }
}

fn kill(cx: &mut Cx, act: &mut Act, text: &str, target: Target) {
    if act.verbose {
        cx.complain(&match act.signal {
            None => format!("scancel: Terminating job {text}"),
            Some(signal) => format!("scancel: Signal {} to job {text}", signal.number()),
        });
    }
    let by_clock = cx.cluster.state().job(target.job).is_some_and(|j| j.desc.cron.is_some());
    if by_clock && !act.cron && act.signal.is_none() {
        let error = SlurmError::CannotCancelCronJob;
        cx.complain(&format!("scancel: error: Kill job error on job id {text}: {error}"));
        act.code = u8::try_from(error.number() % 256).unwrap_or(1);
        return;
    }
    let request = Request::Kill { target, signal: act.signal, scope: act.scope, many: act.many };
    let response =
        if act.no_signal { without_effect(cx, target) } else { cx.cluster.request(cx.uid(), request) };
    let errors = match response {
        Response::Err { error, .. } => vec![(text.to_owned(), error)],
        Response::PerTask(list) => list,
        Response::Ok
        | Response::Job { .. }
        | Response::WillRun { .. }
        | Response::Step(_)
        | Response::Reservation(_)
        | Response::Accounting(_) => Vec::new(),
    };
    for (text, mut error) in errors {
        let signals = act.signal.is_some() || act.no_signal;
        // A signal finds no processes of a finished job.
        if error == SlurmError::AlreadyDone && signals {
            error = SlurmError::InvalidJobId;
        }
        // A plain scancel of a finished job is not an error.
        let gone = matches!(error, SlurmError::InvalidJobId | SlurmError::AlreadyDone) && !signals;
        if gone && !act.verbose {
            continue;
        }
        cx.complain(&format!("scancel: error: Kill job error on job id {text}: {error}"));
        if !gone && !act.ctld {
            act.code = match error {
                SlurmError::InvalidJobId => 1,
                _ => u8::try_from(error.number() % 256).unwrap_or(1),
            };
        }
    }
}

/// The answer to a signal that reaches no process.
fn without_effect(cx: &Cx, target: Target) -> Response {
    let state = cx.cluster.state();
    let own = |job: &Job| job.id == target.job || job.array.as_ref().is_some_and(|a| a.job == target.job);
    let error = match state.jobs.values().find(|job| own(job)) {
        None => SlurmError::InvalidJobId,
        Some(job) if job.uid() != cx.uid() && !state.is_operator(cx.uid()) => SlurmError::AccessDenied,
        Some(_) => return Response::Ok,
    };
    Response::Err { error, messages: Vec::new() }
}

/// The jobs that pass all filters.
fn select(
    cx: &mut Cx,
    parsed: &ParsedArguments,
    specs: &[(String, JobSpec, Option<StepNum>)],
) -> Result<Vec<(String, Target, String, String)>, String> {
    let list = |names: &[&str]| tool::names(parsed.last_of(names).map_or("", |(_, text)| text));
    // A single state, not a list.
    let states: Vec<String> = parsed.value("state").map(str::to_owned).into_iter().collect();
    if let Some(bad) = states.iter().find(|s| {
        !["PENDING", "PD", "RUNNING", "R", "SUSPENDED", "S"].iter().any(|k| k.eq_ignore_ascii_case(s))
    }) {
        return Err(format!(
            "Invalid job state specified: {bad}\nValid job states are PENDING, RUNNING, and SUSPENDED"
        ));
    }
    let (mut uids, unknown) = tool::users(cx, &list(&["user"]));
    if let Some(name) = unknown.first() {
        return Err(format!("scancel: error: Invalid user name: {name}"));
    }
    if parsed.has("me") {
        uids = vec![cx.uid().0];
    }
    let view = JobView::of(cx);
    let one_of = |list: &[String], text: &str| list.is_empty() || list.iter().any(|w| w == text);
    let nodes = parsed.value("nodelist").map(|t| hostlist::expand(t).unwrap_or_default());
    let passes = |job: &Job| {
        !job.state.ended()
            && (specs.is_empty() || specs.iter().any(|(_, spec, _)| named(spec, job)))
            && (uids.is_empty() || uids.contains(&job.uid().0))
            && (states.is_empty() || states.iter().any(|s| jobtext::in_state(job, s)))
            && one_of(&list(&["jobname", "name"]), &job.name)
            && one_of(&list(&["account"]), &job.account)
            && one_of(&list(&["qos"]), &view.qos(job.qos))
            && (!parsed.has("partition")
                || view.partitions(job).split(',').any(|p| one_of(&list(&["partition"]), p)))
            && one_of(&list(&["wckey"]), job.desc.wckey.as_deref().unwrap_or(""))
            && one_of(&list(&["reservation"]), &view.state.reservation_names(job))
            && nodes.as_ref().is_none_or(|nodes| {
                hostlist::expand(&view.nodelist(job)).is_ok_and(|mine| mine.iter().any(|n| nodes.contains(n)))
            })
    };
    let target = |job: &Job| match &job.array {
        Some(array) => Target { job: array.job, task: array.task },
        None => Target { job: job.id, task: None },
    };
    let mine = |job: &Job| cx.uid().0 == 0 || job.uid() == cx.uid();
    let mut found = Vec::new();
    let mut whole = Vec::new();
    // Pending jobs before the others.
    let mut all: Vec<&Job> = view.state.jobs.values().filter(|job| passes(job)).collect();
    all.order_by_key(|job| job.state != JobState::Pending);
    for job in all {
        let (name, partition, text) = (job.name.clone(), view.partitions(job), job.id_text());
        let Some(array) = &job.array else {
            found.push((text, Target { job: job.id, task: None }, name, partition));
            continue;
        };
        let of_array = |j: &&Job| j.array.as_ref().is_some_and(|a| a.job == array.job) && !j.state.ended();
        if mine(job) && view.state.jobs.values().filter(of_array).all(&passes) {
            // The whole rest of the array: one request, so pending tasks get no records of their own.
            if !whole.contains(&array.job) {
                whole.push(array.job);
                found.push((text, Target { job: array.job, task: None }, name, partition));
            }
            continue;
        }
        match array.task {
            Some(_) => found.push((text, target(job), name, partition)),
            None if !mine(job) => {
                let task = array.pending.first();
                found.push((text, Target { job: array.job, task }, name, partition));
            }
            None => {
                for task in array.pending.iter() {
                    let text = format!("{}_{task}", array.job);
                    found.push((
                        text,
                        Target { job: array.job, task: Some(task) },
                        name.clone(),
                        partition.clone(),
                    ));
                }
            }
        }
    }
    Ok(found)
}

fn named(spec: &JobSpec, job: &Job) -> bool {
    match (&job.array, &spec.tasks) {
        (None, None) => job.id.0 == spec.job,
        (None, Some(_)) => false,
        (Some(array), None) => array.job.0 == spec.job || job.id.0 == spec.job,
        (Some(array), Some(tasks)) => {
            array.job.0 == spec.job
                && array.task.map_or_else(|| tasks.intersects(&array.pending), |t| tasks.contains(t))
        }
    }
}
