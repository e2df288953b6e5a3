//! `scontrol wait_job`: waits until the nodes of a job are ready.

use crate::base::ids::JobId;
use crate::base::time::{Span, Time};
use crate::commands::slurm::getopt::Parsed;
use crate::commands::slurm::{jobtext, tool};
use crate::commands::{Cx, Machine};
use crate::host::{Status, Step, Wait};
use crate::slurmctld::job::JobState;
use serde::{Deserialize, Serialize};

/// The controller is asked this often.
const PERIOD: Span = Span::from_secs(1);

/// scontrol while it waits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WaitJob {
    job: JobId,
    next: Time,
}

/// The machine that waits, if that is what the words ask for and the job is on its way to its nodes.
pub fn start(cx: &Cx, parsed: &Parsed) -> Option<Machine> {
    let [keyword, word] = parsed.rest.as_slice() else { return None };
    tool::keyword(super::KEYWORDS, keyword).filter(|k| k.name == "wait_job")?;
    let job = job_of(word).ok()?;
    let waits = matches!(answer(cx, job), Ok(false));
    waits.then_some(Machine::WaitJob(WaitJob { job, next: cx.now }))
}

impl WaitJob {
    /// Asks again when it is time to.
    pub fn step(&mut self, cx: &mut Cx) -> Step {
        if cx.now < self.next {
            return Step::Wait(Wait::Until(self.next));
        }
        self.next = cx.now + PERIOD;
        match answer(cx, self.job) {
            Ok(false) => Step::Wait(Wait::Until(self.next)),
            Ok(true) => {
                cx.complain(&ready(self.job));
                Step::Exit(Status::Exited(0))
            }
            Err(text) => {
                cx.complain(&text);
                Step::Exit(Status::Exited(1))
            }
        }
    }
}

fn ready(job: JobId) -> String {
    format!("scontrol: Nodes are ready for job {job}")
}

/// `12`, `12.0`.
fn job_of(word: &str) -> Result<JobId, String> {
    let id = word.split('.').next().unwrap_or(word);
    jobtext::parse_job(id).map(|spec| JobId(spec.job)).ok_or_else(|| format!("Invalid job_id {word}"))
}

/// Whether the nodes are ready; not as long as they boot or their prologs run.
fn answer(cx: &Cx, id: JobId) -> Result<bool, String> {
    let job = cx.slurm.state().job(id).ok_or_else(|| format!("scontrol: Problem running job {id}"))?;
    match job.state {
        JobState::Running | JobState::Suspended => Ok(!job.flags.configuring && !job.flags.preparing),
        _ => Err(format!("scontrol: Job {id} no longer running")),
    }
}

/// `wait_job` of a job whose state is settled, and at the prompt.
pub fn run(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    let Some(word) = args.first() else { return Err("too few arguments for keyword:wait_job".to_owned()) };
    let job = job_of(word)?;
    if answer(cx, job)? {
        cx.complain(&ready(job));
        return Ok(());
    }
    Err(format!("scontrol: Nodes are not ready for job {job}: only 'scontrol wait_job {job}' waits for them"))
}
