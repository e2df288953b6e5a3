//! scancel(1): ends or signals jobs and steps.

use super::VERSION;
use super::getopt::{self, Arg, Long, Parsed};
use super::jobtext::{self, JobSpec, View};
use super::opt::Bad;
use crate::base::hostlist;
use crate::base::ids::{JobId, StepNum};
use crate::commands::Cx;
use crate::host::Signal;
use crate::slurmctld::error::SlurmError;
use crate::slurmctld::job::Job;
use crate::slurmctld::request::{Request, Response, SignalScope, Target};

const OPTIONS: &[Long] = &[
    ("account", Some('A'), Arg::Required),
    ("admin-comment", None, Arg::Required),
    ("batch", Some('b'), Arg::No),
    ("clusters", Some('M'), Arg::Required),
    ("cron", Some('c'), Arg::No),
    ("ctld", None, Arg::No),
    ("full", Some('f'), Arg::No),
    ("help", None, Arg::No),
    ("hurry", Some('H'), Arg::No),
    ("interactive", Some('i'), Arg::No),
    ("jobname", Some('n'), Arg::Required),
    ("me", None, Arg::No),
    ("name", None, Arg::Required),
    ("nodelist", Some('w'), Arg::Required),
    ("partition", Some('p'), Arg::Required),
    ("qos", Some('q'), Arg::Required),
    ("quiet", Some('Q'), Arg::No),
    ("reservation", Some('R'), Arg::Required),
    ("sibling", None, Arg::Required),
    ("signal", Some('s'), Arg::Required),
    ("state", Some('t'), Arg::Required),
    ("usage", None, Arg::No),
    ("user", Some('u'), Arg::Required),
    ("verbose", Some('v'), Arg::No),
    ("version", Some('V'), Arg::No),
    ("wckey", None, Arg::Required),
];

const USAGE: &str = "\
Usage: scancel [-A account] [--batch] [--ctld] [--full] [--interactive] [-n job_name]
               [-p partition] [-Q] [-q qos] [-R reservation] [-s signal | integer]
               [-t PENDING | RUNNING | SUSPENDED] [--usage] [-u user_name]
               [--hurry] [-V] [-v] [-w hosts...] [--wckey=wckey]
               [job_id[_array_id][.step_id]]
";

/// What is done to each job.
struct Act {
    signal: Option<Signal>,
    scope: SignalScope,
    verbose: bool,
    many: bool,
    /// Exit code so far.
    code: u8,
}

/// Runs it.
pub fn run(cx: &mut Cx, answers: &[u8]) -> u8 {
    let parsed = match getopt::parse(OPTIONS, cx.argv, true) {
        Ok(parsed) => parsed,
        Err(text) => {
            cx.complain(Bad::getopt("scancel", text, 1).lines("scancel").trim_end());
            return 1;
        }
    };
    if parsed.has("help") || parsed.has("usage") {
        cx.print(USAGE);
        return 0;
    }
    if parsed.has("version") {
        cx.line(VERSION);
        return 0;
    }
    match act(cx, &parsed, answers) {
        Ok(code) => code,
        Err(text) => {
            cx.complain(&text);
            1
        }
    }
}

/// Whether standard input is asked (`--interactive`).
#[must_use]
pub fn reads(args: &[String]) -> bool {
    let short = |a: &String| {
        a.starts_with('-')
            && !a.starts_with("--")
            && a.contains('i')
            && !a.contains(['u', 'n', 's', 'p', 't'])
    };
    args.iter().any(|a| a == "--interactive" || short(a))
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

fn act(cx: &mut Cx, parsed: &Parsed, answers: &[u8]) -> Result<u8, String> {
    let signal = match parsed.value("signal") {
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
    let mut act = Act { signal, scope, verbose: parsed.has("verbose"), many: false, code: 0 };
    let mut specs = Vec::new();
    for word in parsed.rest.iter().flat_map(|w| if w.is_empty() { vec![""] } else { jobtext::split_list(w) })
    {
        let (id, step) = word.split_once('.').map_or((word, None), |(i, s)| (i, Some(s)));
        let invalid = || format!("scancel: error: Invalid job id {word}");
        let spec = jobtext::parse_job(id).ok_or_else(invalid)?;
        let step = match step {
            None => None,
            Some("batch") => Some(StepNum::Batch),
            Some("extern") => Some(StepNum::Extern),
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
    let answers = String::from_utf8_lossy(answers).into_owned();
    let mut answers = answers.lines();
    for (text, target, name, partition) in jobs {
        if parsed.has("interactive") {
            cx.print(&format!("Cancel job_id={text} name={name} partition={partition} [y/n]? "));
            if !answers.next().is_some_and(|a| a.starts_with(['y', 'Y'])) {
                continue;
            }
        }
        kill(cx, &mut act, &text, target);
    }
    Ok(act.code)
}

/// One job, tasks of an array, or a step, as named.
fn one(cx: &mut Cx, act: &mut Act, word: &str, spec: &JobSpec, step: Option<StepNum>) {
    let job = JobId(spec.job);
    if let Some(step) = step {
        let scope = SignalScope::Step(step);
        let request =
            Request::Kill { target: Target { job, task: None }, signal: act.signal, scope, many: false };
        if act.verbose {
            cx.complain(&format!("scancel: Terminating step {word}"));
        }
        if let Response::Err { error, .. } = cx.slurm.request(cx.uid(), request) {
            cx.complain(&format!("scancel: error: Kill job error on job step id {word}: {error}"));
            act.code = 1;
        }
        return;
    }
    match &spec.tasks {
        None => kill(cx, act, word, Target { job, task: None }),
        Some(tasks) => {
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
    let request = Request::Kill { target, signal: act.signal, scope: act.scope, many: act.many };
    let errors = match cx.slurm.request(cx.uid(), request) {
        Response::Err { error, .. } => vec![(text.to_owned(), error)],
        Response::PerTask(list) => list,
        Response::Ok
        | Response::Job { .. }
        | Response::WillRun { .. }
        | Response::Step(_)
        | Response::Reservation(_) => Vec::new(),
    };
    for (text, error) in errors {
        // A plain scancel of what is gone already is no error.
        let gone =
            matches!(error, SlurmError::InvalidJobId | SlurmError::AlreadyDone) && act.signal.is_none();
        if gone && !act.verbose {
            continue;
        }
        cx.complain(&format!("scancel: error: Kill job error on job id {text}: {error}"));
        if !gone {
            act.code = match error {
                SlurmError::InvalidJobId => 1,
                _ => u8::try_from(error.number() % 256).unwrap_or(1),
            };
        }
    }
}

/// The jobs that all filters let through.
fn select(
    cx: &mut Cx,
    parsed: &Parsed,
    specs: &[(String, JobSpec, Option<StepNum>)],
) -> Result<Vec<(String, Target, String, String)>, String> {
    let list = |names: &[&str]| -> Vec<String> {
        let text = names.iter().find_map(|n| parsed.value(n)).unwrap_or("");
        text.split(',').filter(|w| !w.is_empty()).map(str::to_owned).collect()
    };
    let states = list(&["state"]);
    if let Some(bad) = states.iter().find(|s| {
        !["PENDING", "PD", "RUNNING", "R", "SUSPENDED", "S"].iter().any(|k| k.eq_ignore_ascii_case(s))
    }) {
        return Err(format!(
            "Invalid job state specified: {bad}\nValid job states are PENDING, RUNNING, and SUSPENDED"
        ));
    }
    let mut uids = Vec::new();
    for name in list(&["user"]) {
        let uid = cx.kernel.users.by_name(&name).map(|u| u.uid.0).or_else(|| name.parse().ok());
        uids.push(uid.ok_or_else(|| format!("scancel: error: Invalid user name: {name}"))?);
    }
    if parsed.has("me") {
        uids = vec![cx.uid().0];
    }
    let view = View::of(cx);
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
    for job in view.state.jobs.values().filter(|job| passes(job)) {
        let (name, partition, text) = (job.name.clone(), view.partitions(job), jobtext::id_text(job));
        let Some(array) = &job.array else {
            found.push((text, Target { job: job.id, task: None }, name, partition));
            continue;
        };
        let of_array = |j: &&Job| j.array.as_ref().is_some_and(|a| a.job == array.job) && !j.state.ended();
        if mine(job) && view.state.jobs.values().filter(of_array).all(&passes) {
            // All that is left of the array: one request, so that waiting tasks get no records of their own.
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
