//! A job's details, including its script and the end of its output.

mod links;
mod past;
mod resubmit;
mod search;
#[cfg(test)]
mod tests;
mod usage;

pub use resubmit::resubmit;
pub use search::search;

use super::queue;
use crate::world::World;
use base::ids::{JobId, Uid};
use base::state::JobState;
use base::tres::TresOrder;
use commands::slurm::jobtext;
use protocol::JobDetail;
use slurmctld::job::Job;
use slurmd::pattern;

/// Maximum number of displayed bytes of a script.
const MAX_SCRIPT: usize = 64 << 10;
/// Maximum number of displayed bytes of an output file.
const MAX_TAIL: usize = 16 << 10;
/// Maximum number of displayed lines of an output file.
const MAX_LINES: usize = 100;

/// The job with this id (`12`, `12_3`) from slurmctld's memory, otherwise from slurmdbd.
#[inline(never)]
pub fn detail(world: &World, id: &str) -> Option<JobDetail> {
    find(world, id).map(|job| present(world, job)).or_else(|| past::detail(world, id))
}

/// Whether slurmctld has not given this number to a job yet.
pub fn is_unsubmitted(world: &World, id: &str) -> bool {
    let number = id.split('_').next().and_then(|number| number.parse::<u32>().ok());
    number.is_some_and(|number| number >= world.ctld.next_job)
}

fn present(world: &World, job: &Job) -> JobDetail {
    let ctld = &world.ctld;
    let (state, _) = job.shown_state();
    let tracked = &ctld.cluster.global.tracked_gres;
    let script = job.desc.script.as_ref().map(|s| s.as_slice()).unwrap_or_default();
    let view = queue::view(world);
    let (stdout_path, stderr_path) = output_paths(world, job);
    let record = job.db.and_then(|db| ctld.dbd.jobs.get(db));
    let used = usage::usage(world, job);
    JobDetail {
        id: job.id_text(),
        forgotten: false,
        job: job.id.0,
        name: job.name.clone(),
        user: world.kernel.users.name(job.uid()),
        account: job.account.clone(),
        partition: view.partitions(job),
        qos: view.qos(job.qos),
        state: state.to_owned(),
        reason: jobtext::reason(job).to_owned(),
        exit: job.exit.to_string(),
        exit_code: job.exit.code,
        exit_signal: job.exit.signal,
        cancelled_by: usage::cancelled_by(world, record, job.state == JobState::Cancelled),
        restarts: job.restarts,
        runs: usage::runs(world, job.id, job.restarts, usage::latest(job)),
        pushed: usage::pushed(world, job.id, usage::leaving(job)),
        used,
        priority: job.priority,
        depends_on: links::depends_on(ctld, job),
        needed_by: links::needed_by(ctld, job),
        array: links::array(ctld, job),
        again: resubmit::command(job),
        submit_line: job.desc.submit_line.clone(),
        submit: job.submit.0,
        eligible: job.eligible.map(|t| t.0),
        start: job.start.map(|t| t.0),
        end: job.end.map(|t| t.0),
        limit_seconds: queue::limit_seconds(job.time_limit),
        requested: job.req_tres.text(TresOrder::Id, tracked),
        allocated: job.allocation.as_ref().map(|a| a.tres.text(TresOrder::Id, tracked)).unwrap_or_default(),
        nodes: view.nodelist(job),
        work_dir: job.desc.work_dir.clone(),
        comment: job.comment.clone().unwrap_or_default(),
        script: String::from_utf8_lossy(&script[..script.len().min(MAX_SCRIPT)]).into_owned(),
        stdout_tail: tail_of(world, &stdout_path),
        stderr_tail: if stderr_path == stdout_path { String::new() } else { tail_of(world, &stderr_path) },
        stdout_path,
        stderr_path,
    }
}

/// The paths of its output; empty without a script, or while they are unknown.
fn output_paths(world: &World, job: &Job) -> (String, String) {
    let many = job.array.as_ref().is_some_and(|a| a.task.is_none());
    if !job.is_batch() || many {
        return (String::new(), String::new());
    }
    let stdout = pattern::stdout(job, &world.ctld);
    let stderr = pattern::stderr(job, &world.ctld).unwrap_or_else(|| stdout.clone());
    (stdout, stderr)
}

/// The record with this id.
pub fn find<'a>(world: &'a World, id: &str) -> Option<&'a Job> {
    let (job, task) = match id.split_once('_') {
        Some((job, task)) => (job.parse().ok()?, task.parse::<u32>().ok()),
        None => (id.parse().ok()?, None),
    };
    let of_array = |j: &&Job| {
        let array = j.array.as_ref();
        array.is_some_and(|a| {
            a.job == JobId(job) && (a.task == task || task.is_some_and(|t| a.pending.contains(t)))
        })
    };
    let direct = || world.ctld.job(JobId(job)).filter(|_| task.is_none());
    let records = world.ctld.array_records(JobId(job)).filter_map(|id| world.ctld.job(id));
    records.into_iter().find(of_array).or_else(direct)
}

/// The end of a file, read as root.
fn tail_of(world: &World, path: &str) -> String {
    if path.is_empty() {
        return String::new();
    }
    world.kernel.fs.read(Uid(0), path).map(|data| tail(&data)).unwrap_or_default()
}

/// The last lines of a text.
fn tail(data: &[u8]) -> String {
    let cut = data.len().saturating_sub(MAX_TAIL);
    let mut bytes = &data[cut..];
    if cut > 0 {
        // Start with a whole line if possible.
        let line = bytes.iter().position(|b| *b == b'\n').map_or(0, |i| i + 1);
        bytes = &bytes[line.min(bytes.len() - 1)..];
    }
    let body = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let mut ends = body.iter().enumerate().rev().filter(|(_, b)| **b == b'\n').map(|(i, _)| i);
    let from = ends.nth(MAX_LINES - 1).map_or(0, |i| i + 1);
    String::from_utf8_lossy(&bytes[from..]).into_owned()
}
