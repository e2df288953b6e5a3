//! Fault injection: failing nodes, a slow or unreachable controller, late accounting, and what happens to jobs.

use super::Server;
use super::connection::ConnectionId;
use super::rest::{RestReply, RestRequest};
use crate::real_now;
use crate::wire::RunRequest;
use base::cow::CowMap;
use base::ids::{DbIndex, JobId};
use base::time::{Span, Time};
use engine::world::fault::JobFault;
use slurmctld::request::{NodeUpdate, Request, Requeue, Target};
use slurmdbd::JobRecord;
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// The most seconds that the controller or the accounting may be late.
const MAX_LATE: u32 = 600;
/// The most commands, and the most requests of slurmrestd, that wait for a slow controller.
const MAX_DELAYED: usize = 1_000;

/// A request of slurmrestd that waits for a slow controller: when it may go on, and where its answer goes.
type DelayedRest = (Instant, RestRequest, oneshot::Sender<RestReply>);

/// Faults in effect.
#[derive(Default)]
pub struct Faults {
    /// The number of commands that will still fail to reach the controller.
    unreachable: u32,
    /// How long each command waits for the controller, in real time.
    slow: Duration,
    /// Commands that wait, each with the time at which it may run.
    delayed: VecDeque<(Instant, ConnectionId, RunRequest)>,
    delayed_rest: VecDeque<DelayedRest>,
    /// How late job records reach the database, in virtual time.
    late: Span,
    /// Job records of the last seconds, the oldest first. A copy shares what did not change.
    records: VecDeque<(Time, CowMap<DbIndex, JobRecord>)>,
}

impl Faults {
    /// Whether a request cannot reach the controller. Counts it.
    pub fn times_out(&mut self) -> bool {
        let left = self.unreachable.checked_sub(1);
        self.unreachable = left.unwrap_or(0);
        left.is_some()
    }

    /// The error message of a command that cannot reach the controller.
    pub fn refusal(&mut self, argv: &[String]) -> Option<String> {
        if !self.times_out() {
            return None;
        }
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

    /// Keeps a command back if the controller is slow; otherwise returns it.
    pub fn delay(&mut self, client: ConnectionId, request: RunRequest) -> Option<RunRequest> {
        if self.slow.is_zero() || self.delayed.len() >= MAX_DELAYED {
            return Some(request);
        }
        self.delayed.push_back((real_now() + self.slow, client, request));
        None
    }

    /// The next command whose wait is over.
    pub fn take_delayed(&mut self) -> Option<(ConnectionId, RunRequest)> {
        let now = real_now();
        let (_, client, request) = self.delayed.pop_front_if(|(until, ..)| *until <= now)?;
        Some((client, request))
    }

    /// Keeps a request of slurmrestd back if the controller is slow; otherwise returns it.
    pub fn delay_rest(
        &mut self,
        request: RestRequest,
        reply: oneshot::Sender<RestReply>,
    ) -> Option<(RestRequest, oneshot::Sender<RestReply>)> {
        if self.slow.is_zero() || self.delayed_rest.len() >= MAX_DELAYED {
            return Some((request, reply));
        }
        self.delayed_rest.push_back((real_now() + self.slow, request, reply));
        None
    }

    /// The next request of slurmrestd whose wait is over.
    pub fn take_delayed_rest(&mut self) -> Option<(RestRequest, oneshot::Sender<RestReply>)> {
        let now = real_now();
        let (_, request, reply) = self.delayed_rest.pop_front_if(|(until, ..)| *until <= now)?;
        Some((request, reply))
    }

    /// Drops the command of a client that waits. False if there is none.
    pub fn forget(&mut self, client: ConnectionId) -> bool {
        let before = self.delayed.len();
        self.delayed.retain(|(_, of, _)| *of != client);
        self.delayed.len() < before
    }

    /// The time at which the first command or request may go on.
    pub fn next_delayed(&self) -> Option<Instant> {
        let command = self.delayed.front().map(|(until, ..)| *until);
        command.into_iter().chain(self.delayed_rest.front().map(|(until, ..)| *until)).min()
    }
}

impl Server {
    /// Carries out `sandbatch cluster inject`.
    pub(super) fn inject(&mut self, words: &[String]) -> Result<String, String> {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let request = match words.as_slice() {
            ["node-fail", nodes] => update(nodes, "down", "Not responding"),
            ["drain", nodes] => update(nodes, "drain", "sandbatch cluster inject"),
            ["resume", nodes] => update(nodes, "resume", ""),
            ["requeue", text] => {
                Request::Requeue { target: Target { job: self.job(text)?, task: None }, how: Requeue::Plain }
            }
            ["preempt", text] => return self.strike(JobFault::Preempt, text),
            ["oom", text] => return self.strike(JobFault::OutOfMemory, text),
            ["timeout", text] => return self.strike(JobFault::TimeOut, text),
            ["purge"] => {
                return self.world.ctld.purge_now(None).map(|()| String::new()).map_err(|e| e.to_string());
            }
            ["purge", text] => return self.strike(JobFault::Purge, text),
            ["socket-timeout"] => return self.refuse_next(1),
            ["socket-timeout", count] => {
                let count = count.parse().map_err(|_| format!("'{count}' is no number"))?;
                return self.refuse_next(count);
            }
            ["slow-controller", text] => {
                self.faults.slow = Duration::from_secs(seconds(text)?.into());
                return Ok(String::new());
            }
            ["late-accounting", text] => {
                self.faults.late = Span::from_secs(seconds(text)?.into());
                self.faults.records.clear();
                self.world.ctld.dbd.arrived = None;
                self.note_records();
                return Ok(String::new());
            }
            _ => {
                return Err(
                    "faults: node-fail NODES, drain NODES, resume NODES, requeue JOB, preempt JOB, oom JOB, \
                            timeout JOB, purge [JOB], socket-timeout [COUNT], slow-controller TIME, \
                            late-accounting TIME"
                        .to_owned(),
                );
            }
        };
        let response = self.world.request_as_root(request);
        response.done().map(|()| String::new()).map_err(|(error, _)| error.to_string())
    }

    fn job(&self, text: &str) -> Result<JobId, String> {
        let id = text.parse().map(JobId).map_err(|_| format!("'{text}' is no job ID"))?;
        self.world.ctld.job(id).map(|job| job.id).ok_or_else(|| format!("there is no job {text}"))
    }

    fn strike(&mut self, fault: JobFault, text: &str) -> Result<String, String> {
        let job = self.job(text)?;
        self.world.inject(fault, job).map(|()| String::new()).map_err(|error| format!("job {text}: {error}"))
    }

    fn refuse_next(&mut self, count: u32) -> Result<String, String> {
        self.faults.unreachable = count;
        Ok(String::new())
    }

    /// Keeps the job records of each second, and shows those that have arrived, while they are late.
    pub(super) fn note_records(&mut self) {
        let faults = &mut self.faults;
        if faults.late.0 == 0 {
            return;
        }
        let now = self.world.now;
        if faults.records.back().is_none_or(|(at, _)| *at + Span::from_secs(1) <= now) {
            faults.records.push_back((now, self.world.ctld.dbd.jobs.clone()));
        }
        // The newest of those that have arrived stays.
        while faults.records.get(1).is_some_and(|(at, _)| *at + faults.late <= now) {
            faults.records.pop_front();
        }
        self.world.ctld.dbd.arrived = faults.records.front().map(|(_, records)| records.clone());
    }
}

/// `10s`, `2m` or `10`, in seconds.
fn seconds(text: &str) -> Result<u32, String> {
    let (number, unit) = match text.strip_suffix('m') {
        Some(minutes) => (minutes, 60),
        None => (text.strip_suffix('s').unwrap_or(text), 1),
    };
    let number: Option<u32> = number.parse().ok();
    let seconds = number.and_then(|number| number.checked_mul(unit)).filter(|seconds| *seconds <= MAX_LATE);
    seconds.ok_or_else(|| format!("'{text}' is no time of at most {MAX_LATE} seconds (10s, 2m)"))
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
