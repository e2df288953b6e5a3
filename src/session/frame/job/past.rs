//! A job that slurmctld has forgotten (`MinJobAge`): what slurmdbd kept of it. Its script is not among that, nor what it
//! depended on; its output is in its file still.

use super::{queue, tail_of, used};
use crate::base::state::JobState;
use crate::base::tres::TresOrder;
use crate::protocol::JobDetail;
use crate::slurmd::pattern::{self, Value};
use crate::slurmdbd::JobRecord;
use crate::world::World;
use std::cell::Cell;

/// Records that are looked at, the newest first.
const LOOKED: usize = 20_000;

/// What is known of it.
pub fn detail(world: &World, id: &str) -> Option<JobDetail> {
    let dbd = &world.ctld.dbd;
    let (number, task) = number_of(id)?;
    let is = |r: &&JobRecord| r.end.is_some() && id_of(r) == (number, task);
    let record = dbd.jobs.values().rev().take(LOOKED).find(is)?;
    let tracked = &world.ctld.cluster.global.tracked_gres;
    let stdout_path = output(record);
    Some(JobDetail {
        id: id.to_owned(),
        forgotten: true,
        job: record.job.0,
        name: record.name.clone(),
        user: record.user.clone(),
        account: record.account.clone(),
        partition: record.partition.clone(),
        qos: record.qos.clone(),
        state: record.state.long().to_owned(),
        exit: record.exit.to_string(),
        exit_code: record.exit.code,
        exit_signal: record.exit.signal,
        cancelled_by: used::cancelled_by(world, Some(record), record.state == JobState::Cancelled),
        restarts: record.restarts,
        runs: used::runs(world, record.job, record.restarts, Some(record.index)),
        pushed: used::pushed(world, record.job, false),
        used: used::of_record(record),
        submit_line: record.submit_line.clone(),
        submit: record.submit.0,
        eligible: Some(record.eligible.0),
        start: record.start.map(|t| t.0),
        end: record.end.map(|t| t.0),
        limit_seconds: queue::limit_seconds(record.time_limit),
        requested: record.req_tres.text(TresOrder::Id, tracked),
        allocated: record.alloc_tres.text(TresOrder::Id, tracked),
        nodes: record.nodes.clone(),
        work_dir: record.work_dir.clone(),
        comment: record.comment.clone(),
        stdout_tail: tail_of(world, &stdout_path),
        stdout_path,
        ..JobDetail::default()
    })
}

/// `12`, `12_3`.
fn number_of(id: &str) -> Option<(u32, Option<u32>)> {
    let (number, task) = id.split_once('_').map_or((id, None), |(number, task)| (number, Some(task)));
    Some((number.parse().ok()?, task.map(str::parse).transpose().ok()?))
}

fn id_of(record: &JobRecord) -> (u32, Option<u32>) {
    match record.array {
        Some((array, Some(task))) => (array.0, Some(task)),
        Some((_, None)) | None => (record.job.0, None),
    }
}

/// Where a batch job's output is; empty where that depends on what nobody kept.
fn output(record: &JobRecord) -> String {
    if !record.submit_line.starts_with("sbatch") {
        return String::new();
    }
    let usual = pattern::usual(record.array.is_some());
    let given = if record.stdout.is_empty() { usual } else { &record.stdout };
    let (array, task) = record.array.unwrap_or((record.job, None));
    let unknown = Cell::new(false);
    let path = pattern::filled(given, &record.work_dir, &|letter| {
        let value = match letter {
            'j' => Some(Value::Number(record.job.0)),
            'A' => Some(Value::Number(array.0)),
            'a' => task.map(Value::Number),
            'x' => Some(Value::Text(record.name.clone())),
            'u' => Some(Value::Text(record.user.clone())),
            '%' => Some(Value::Text("%".to_owned())),
            _ => None,
        };
        unknown.set(unknown.get() || value.is_none());
        value
    });
    if unknown.get() { String::new() } else { path }
}
