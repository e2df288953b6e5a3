//! swait(1): waits until a job has no running steps.
//!
//! Difference: steps of `srun --async` run like others, so none is pending.

use super::jobtext::{self, JobView};
use super::tool::{self, ArgumentKind, PLAIN, ToolOption, ToolSpec, flag, needs};
use crate::{CommandMachine, Cx};
use base::ids::{JobId, StepNum};
use base::time::{Span, Time};
use host::{SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};
use slurmctld::error::SlurmError;
use slurmctld::job::Job;

/// The polling interval.
const PERIOD: Span = Span::from_secs(1);
/// The exit code when the time limit has passed.
const TIMED_OUT: u8 = 1;
/// The exit code of a refused request, as recorded (85).
const REFUSED: u8 = 2;

/// A waiting swait.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Swait {
    job: JobId,
    next: Time,
    /// When `--timeout` has passed.
    end: Option<Time>,
}

const OPTIONS: &[ToolOption] = &[
    flag("help", 'h', "show this text"),
    flag("quiet", 'Q', "say nothing but errors"),
    needs("timeout", ' ', ArgumentKind::Text("seconds"), "wait at most so long, then end with exit code 1"),
    flag("usage", ' ', "a short summary of the options"),
    flag("verbose", 'v', "say more"),
    flag("version", 'V', "the version"),
];

/// The command's table.
pub const TOOL: ToolSpec = ToolSpec {
    name: "swait",
    options: OPTIONS,
    usage: "Usage: swait [OPTIONS] [jobid[_task]]\n",
    synopsis: "[JOB]",
    words: |_| ArgumentKind::Job,
    about: "Waits until a job has no running steps. The job must have been submitted with --stepmgr. Inside a job, it waits \
        for the steps of that job.",
    ..PLAIN
};

fn refused(cx: &mut Cx, why: &str) -> CommandMachine {
    cx.error(&format!("error: {why}"));
    CommandMachine::End(REFUSED)
}

/// Starts swait.
pub fn start(cx: &mut Cx) -> CommandMachine {
    let parsed = match tool::read(cx, &TOOL) {
        Ok(parsed) => parsed,
        Err(code) => return CommandMachine::End(code),
    };
    let seconds = match parsed.value("timeout").map(str::parse::<u32>) {
        None => 0,
        Some(Ok(seconds)) => seconds,
        Some(Err(_)) => {
            let text = parsed.value("timeout").unwrap_or_default();
            return refused(cx, &format!("Invalid --timeout value: {text}"));
        }
    };
    let name = match parsed.rest.as_slice() {
        [] => cx.env.get("SLURM_JOB_ID").cloned(),
        [name] => Some(name.clone()),
        [_, ..] => return refused(cx, "too many arguments"),
    };
    let Some(name) = name else { return refused(cx, "No job id specified") };
    let job = match job_of(cx, &name) {
        Ok(job) => job,
        Err(why) => return refused(cx, &why),
    };
    let end = (seconds > 0).then(|| cx.now + Span::from_secs(seconds.into()));
    CommandMachine::Swait(Swait { job, next: cx.now, end })
}

/// The job of `12` or `12_3`, if its steps may be waited for.
fn job_of(cx: &Cx, name: &str) -> Result<JobId, String> {
    let view = JobView::of(cx);
    let spec = jobtext::parse_job(name).ok_or_else(|| format!("Invalid job id: {name}"))?;
    // Of a heterogeneous job, only its leader can be named.
    let one = |job: &&Job| job.array.is_some() || job.id.0 == spec.job;
    let mut found = view.state.jobs.values().filter(one).filter(|job| super::squeue::row::names(&spec, job));
    let job =
        found.next().filter(|job| view.sees_job(job)).ok_or_else(|| SlurmError::InvalidJobId.to_string())?;
    if found.next().is_some() {
        return Err(format!("{name} is an array with several tasks"));
    }
    if !has_step_manager(&view, job) {
        return Err(format!("JobId={} does not have stepmgr enabled", job.id));
    }
    Ok(job.id)
}

/// `--stepmgr`, or `SlurmctldParameters=enable_stepmgr`.
fn has_step_manager(view: &JobView, job: &Job) -> bool {
    let words = view.state.cluster.global.raw.get("SlurmctldParameters").map_or("", String::as_str);
    job.desc.extras.step_manager || words.split(',').any(|word| word.eq_ignore_ascii_case("enable_stepmgr"))
}

impl Swait {
    /// Runs one slice.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        if cx.now < self.next {
            return SliceEnd::Wait(Wait::Until(self.next));
        }
        let job = cx.cluster.state().jobs.get(self.job);
        let runs = job.is_some_and(|job| {
            job.steps.values().any(|step| matches!(step.num, StepNum::Number(_)) && step.end.is_none())
        });
        if !runs {
            return SliceEnd::Exit(Status::Exited(0));
        }
        if self.end.is_some_and(|end| end <= cx.now) {
            return SliceEnd::Exit(Status::Exited(TIMED_OUT));
        }
        self.next = self.end.map_or(cx.now + PERIOD, |end| end.min(cx.now + PERIOD));
        SliceEnd::Wait(Wait::Until(self.next))
    }
}
