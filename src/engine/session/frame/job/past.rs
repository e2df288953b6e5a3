//! A job that slurmctld has dropped (`MinJobAge`), from slurmdbd's record. The record does not contain the
//! script or dependencies. The output file still exists.

use super::{queue, tail_of, usage};
use crate::world::World;
use base::state::JobState;
use base::tres::TresOrder;
use protocol::JobDetail;
use slurmd::pattern::{self, PatternValue};
use slurmdbd::JobRecord;
use std::cell::Cell;

/// Maximum number of searched records, the newest first.
const LOOKED: usize = 20_000;

/// The newest record of a job that has ended.
pub fn record<'a>(world: &'a World, id: &str) -> Option<&'a JobRecord> {
    let wanted = number_of(id)?;
    let is = |r: &&JobRecord| r.end.is_some() && id_of(r) == wanted;
    world.ctld.dbd.jobs.values().rev().take(LOOKED).find(is)
}

/// The details from its record.
pub fn detail(world: &World, id: &str) -> Option<JobDetail> {
    let record = record(world, id)?;
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
        cancelled_by: usage::cancelled_by(world, Some(record), record.state == JobState::Cancelled),
        restarts: record.restarts,
        runs: usage::runs(world, record.job, record.restarts, Some(record.index)),
        pushed: usage::pushed(world, record.job, false),
        used: usage::of_record(record),
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

pub fn id_of(record: &JobRecord) -> (u32, Option<u32>) {
    match record.array {
        Some((array, Some(task))) => (array.0, Some(task)),
        Some((_, None)) | None => (record.job.0, None),
    }
}

/// The path of a batch job's output; empty if that depends on something that is not recorded.
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
            'j' => Some(PatternValue::Number(record.job.0)),
            'A' => Some(PatternValue::Number(array.0)),
            'a' => task.map(PatternValue::Number),
            'x' => Some(PatternValue::Text(record.name.clone())),
            'u' => Some(PatternValue::Text(record.user.clone())),
            '%' => Some(PatternValue::Text("%".to_owned())),
            _ => None,
        };
        unknown.set(unknown.get() || value.is_none());
        value
    });
    if unknown.get() { String::new() } else { path }
}
