//! `scontrol hold`, `release`, `requeue`, `suspend`, `resume`.

use crate::Cx;
use crate::slurm::jobtext::{self, JobSpec};
use base::ids::{JobId, Uid};
use slurmctld::error::SlurmError;
use slurmctld::request::{Request, Requeue, Response, Target};

/// The jobs that a specification names.
pub fn targets(spec: &JobSpec) -> Vec<Target> {
    let job = JobId(spec.job);
    match &spec.tasks {
        None => vec![Target { job, task: None }],
        Some(tasks) => tasks.iter().map(|task| Target { job, task: Some(task) }).collect(),
    }
}

/// Sends a request for each job that a word names. `Err`: the lines to print, and the last error.
pub fn ask(
    cx: &mut Cx,
    word: &str,
    request: impl Fn(Target) -> Request,
) -> Result<(), (Vec<String>, SlurmError)> {
    let invalid = || (vec![format!("{} for job {word}", SlurmError::InvalidJobId)], SlurmError::InvalidJobId);
    let spec = jobtext::parse_job(word).ok_or_else(invalid)?;
    let (mut lines, mut last) = (Vec::new(), None);
    for target in targets(&spec) {
        match cx.cluster.request(cx.uid(), request(target)) {
            Response::Err { error, messages } => {
                lines.extend(messages.iter().map(|m| format!("scontrol: {m}")));
                // Each task gets its own answer, as recorded from 22.05.
                lines.push(match target.task {
                    Some(task) => format!("{}_{task}: {error}", target.job),
                    None => format!("{error} for job {word}"),
                });
                last = Some(error);
            }
            Response::PerTask(list) => {
                lines.extend(list.iter().map(|(task, error)| format!("{task}: {error}")));
                last = list.last().map(|(_, error)| *error);
            }
            Response::Ok
            | Response::Job { .. }
            | Response::WillRun { .. }
            | Response::Step(_)
            | Response::Reservation(_)
            | Response::Accounting(_) => {}
        }
    }
    match last {
        Some(error) => Err((lines, error)),
        None => Ok(()),
    }
}

/// The job IDs of a command line: `1,3_[2-4]`, `5`, `jobname=x`.
fn words(cx: &Cx, args: &[&str]) -> Vec<String> {
    let mut words = Vec::new();
    for arg in args {
        let lower = arg.to_ascii_lowercase();
        match lower.strip_prefix("jobname=").or_else(|| lower.strip_prefix("name=")) {
            Some(name) => words.extend(by_name(cx, &arg[arg.len() - name.len()..], None)),
            None => {
                let ids = arg.strip_prefix("jobid=").unwrap_or(arg);
                words.extend(jobtext::split_list(ids).into_iter().map(str::to_owned));
            }
        }
    }
    words
}

/// IDs of the user's unfinished jobs with this name, or of those of an owner.
pub fn by_name(cx: &Cx, name: &str, owner: Option<Uid>) -> Vec<String> {
    let uid = cx.uid();
    let jobs = cx.cluster.state().jobs.values().filter(|j| j.name == name && !j.state.ended());
    let mut ids: Vec<String> = jobs
        .filter(|j| owner.map_or_else(|| uid.0 == 0 || j.uid() == uid, |owner| j.uid() == owner))
        .map(|j| j.array.as_ref().map_or(j.id, |a| a.job).to_string())
        .collect();
    ids.dedup();
    ids
}

/// `hold` and `uhold`.
pub fn hold(cx: &mut Cx, args: &[&str], user: bool) -> Result<(), String> {
    suspend_like(cx, if user { "uhold" } else { "hold" }, args, |target, root| Request::Hold {
        target,
        user: user || !root,
    })
}

/// `release`.
pub fn release(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    suspend_like(cx, "release", args, |target, _| Request::Release(target))
}

fn suspend_like(
    cx: &mut Cx,
    keyword: &str,
    args: &[&str],
    request: impl Fn(Target, bool) -> Request,
) -> Result<(), String> {
    if args.is_empty() {
        return Err(format!("too few arguments for keyword:{keyword}"));
    }
    let root = cx.uid().0 == 0;
    let mut all = Vec::new();
    for word in words(cx, args) {
        if let Err((lines, error)) = ask(cx, &word, |target| request(target, root)) {
            let whole = format!("{error} for job {word}");
            let failed = lines.contains(&whole).then(|| format!("slurm_suspend error:{error}"));
            all.extend(lines.into_iter().chain(failed));
        }
    }
    if all.is_empty() { Ok(()) } else { Err(all.join("\n")) }
}

/// `requeue [State=SpecialExit] ID` and `requeuehold`.
pub fn requeue(cx: &mut Cx, keyword: &str, args: &[&str], how: Requeue) -> Result<(), String> {
    let (how, args) = match args.split_first() {
        Some((state, rest)) if state.to_ascii_lowercase().starts_with("state=") => {
            let (_, name) = state.split_once('=').unwrap_or_default();
            if !name.eq_ignore_ascii_case("SpecialExit") && !name.eq_ignore_ascii_case("SE") {
                return Err(format!("scontrol: error: Invalid job state: {name}"));
            }
            (Requeue::SpecialExit, rest)
        }
        _ => (how, args),
    };
    each(cx, keyword, args, |target| Request::Requeue { target, how })
}

/// `requeue`, `suspend` and similar commands: one request per job.
pub fn each(
    cx: &mut Cx,
    keyword: &str,
    args: &[&str],
    request: impl Fn(Target) -> Request,
) -> Result<(), String> {
    if args.is_empty() {
        return Err(format!("too few arguments for keyword:{keyword}"));
    }
    let mut all = Vec::new();
    for word in words(cx, args) {
        let known = jobtext::parse_job(&word).is_none_or(|spec| {
            let named = |job: &slurmctld::job::Job| {
                job.id.0 == spec.job || job.array.as_ref().is_some_and(|array| array.job.0 == spec.job)
            };
            cx.cluster.state().jobs.values().any(named)
        });
        if !known && matches!(keyword, "suspend" | "resume") {
            all.push(format!("Unexpected message received for job {word}"));
        } else if let Err((lines, _)) = ask(cx, &word, &request) {
            all.extend(lines);
        }
    }
    if all.is_empty() { Ok(()) } else { Err(all.join("\n")) }
}
