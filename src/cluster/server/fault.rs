//! Fault injection: failing nodes, an unreachable controller, requeued jobs.

use super::Server;
use base::ids::JobId;
use slurmctld::request::{NodeUpdate, Request, Requeue, Target};

/// Faults in effect.
#[derive(Debug, Default)]
pub struct Faults {
    /// The number of commands that will still fail to reach the controller.
    unreachable: u32,
}

impl Faults {
    /// The error message of a command that cannot reach the controller.
    pub fn refusal(&mut self, argv: &[String]) -> Option<String> {
        self.unreachable = self.unreachable.checked_sub(1)?;
        let why = "Socket timed out on send/recv operation";
        Some(match argv.first().map_or("", String::as_str) {
            "sbatch" => format!("sbatch: error: Batch job submission failed: {why}\n"),
            "srun" => format!("srun: error: Unable to allocate resources: {why}\n"),
            "salloc" => format!("salloc: error: Job submit/allocate failed: {why}\n"),
            "squeue" => format!("slurm_load_jobs error: {why}\n"),
            "sinfo" => format!("slurm_load_partitions: {why}\n"),
            name => format!("{name}: error: {why}\n"),
        })
    }
}

impl Server {
    /// Carries out `sandbatch cluster inject`.
    pub(super) fn inject(&mut self, words: &[String]) -> Result<String, String> {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let job = |text: &str| {
            let id = text.parse().map(JobId).map_err(|_| format!("'{text}' is no job ID"))?;
            self.world.ctld.job(id).map(|job| job.id).ok_or_else(|| format!("there is no job {text}"))
        };
        let target = |id: JobId| Target { job: id, task: None };
        let request = match words.as_slice() {
            ["node-fail", nodes] => update(nodes, "down", "Not responding"),
            ["drain", nodes] => update(nodes, "drain", "sandbatch cluster inject"),
            ["resume", nodes] => update(nodes, "resume", ""),
            ["requeue", text] => Request::Requeue { target: target(job(text)?), how: Requeue::Plain },
            ["socket-timeout"] => return self.refuse_next(1),
            ["socket-timeout", count] => {
                let count = count.parse().map_err(|_| format!("'{count}' is no number"))?;
                return self.refuse_next(count);
            }
            _ => {
                return Err(
                    "faults: node-fail NODES, drain NODES, resume NODES, requeue JOB, socket-timeout [COUNT]"
                        .to_owned(),
                );
            }
        };
        let response = self.world.request_as_root(request);
        response.done().map(|()| String::new()).map_err(|(error, _)| error.to_string())
    }

    fn refuse_next(&mut self, count: u32) -> Result<String, String> {
        self.faults.unreachable = count;
        Ok(String::new())
    }
}

fn update(nodes: &str, state: &str, reason: &str) -> Request {
    let reason = Some(reason.to_owned()).filter(|reason| !reason.is_empty());
    let state = Some(state.to_owned());
    Request::UpdateNode(Box::new(NodeUpdate {
        nodes: nodes.to_owned(),
        state,
        reason,
        ..NodeUpdate::default()
    }))
}
