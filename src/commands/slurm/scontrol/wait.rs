//! `scontrol wait_job`: waits until a job's nodes are ready.

use crate::slurm::getopt::ParsedArguments;
use crate::slurm::tool;
use crate::{CommandMachine, Cx};
use base::ids::JobId;
use base::time::{Span, Time};
use host::{SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};
use slurmctld::job::JobState;

/// The polling interval.
const PERIOD: Span = Span::from_secs(1);

/// A waiting scontrol.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WaitJob {
    job: JobId,
    next: Time,
}

/// The machine that waits, if the command is `wait_job` and the job's nodes are not ready.
pub fn start(cx: &Cx, parsed: &ParsedArguments) -> Option<CommandMachine> {
    let [keyword, word] = parsed.rest.as_slice() else { return None };
    tool::keyword(super::KEYWORDS, keyword).filter(|k| k.name == "wait_job")?;
    let job = job_of(word).ok()?;
    let waits = matches!(answer(cx, job), Ok(false));
    waits.then_some(CommandMachine::WaitJob(WaitJob { job, next: cx.now }))
}

impl WaitJob {
    /// Polls when the interval has passed.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        if cx.now < self.next {
            return SliceEnd::Wait(Wait::Until(self.next));
        }
        self.next = cx.now + PERIOD;
        match answer(cx, self.job) {
            Ok(false) => SliceEnd::Wait(Wait::Until(self.next)),
            Ok(true) => {
                cx.complain(&ready(self.job));
                SliceEnd::Exit(Status::Exited(0))
            }
            Err(text) => {
                cx.complain(&text);
                SliceEnd::Exit(Status::Exited(1))
            }
        }
    }
}

fn ready(job: JobId) -> String {
    format!("scontrol: Nodes are ready for job {job}")
}

/// `12`, `12.0`.
fn job_of(word: &str) -> Result<JobId, String> {
    // The text after the number is ignored.
    let end = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
    let id = word.get(..end).and_then(|digits| digits.parse().ok()).filter(|id| *id > 0);
    id.map(JobId).ok_or_else(|| format!("Invalid job_id {word}"))
}

/// Whether the nodes are ready: booted, with finished prologs.
fn answer(cx: &Cx, id: JobId) -> Result<bool, String> {
    let job = cx.cluster.state().job(id).ok_or_else(|| format!("scontrol: Problem running job {id}"))?;
    match job.state {
        JobState::Running | JobState::Suspended => Ok(!job.flags.configuring && !job.flags.preparing),
        _ => Err(format!("scontrol: Job {id} no longer running")),
    }
}

/// `wait_job` if the job's state is final, and at the prompt.
pub fn run(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    let Some(word) = args.first() else { return Err("too few arguments for keyword:wait_job".to_owned()) };
    let job = job_of(word)?;
    if answer(cx, job)? {
        cx.complain(&ready(job));
        return Ok(());
    }
    Err(format!("scontrol: Nodes are not ready for job {job}: only 'scontrol wait_job {job}' waits for them"))
}
