//! Queue entries with squeue's order and texts.

mod filter;
mod order;
mod round;
#[cfg(test)]
mod tests;

pub use order::SortedQueue;

use super::People;
use crate::world::World;
use base::ids::Uid;
use base::time::{Limit, Span};
use base::tres::Tres;
use commands::slurm::jobtext::JobView;
use commands::slurm::squeue::{nodes_or_reason, row::SqueueRow};
use protocol::QueueRow;
use slurmctld::job::Job;

/// The source of the texts.
pub fn view(world: &World) -> JobView<'_> {
    JobView { state: &world.ctld, users: &world.kernel.users, now: world.now, asker: Uid(0), times: None }
}

/// One entry.
pub fn row(view: &JobView, row: &SqueueRow, people: &People) -> QueueRow {
    let job = row.job;
    let (state_long, state) = job.shown_state();
    let tres = job.allocation.as_ref().map_or(&job.req_tres, |a| &a.tres);
    QueueRow {
        id: row.id(),
        job: job.id.0,
        partition: view.partitions(job),
        name: job.name.clone(),
        user: view.users.name(job.uid()),
        user_index: index(people, job.uid()),
        state: state.to_owned(),
        state_long: state_long.to_owned(),
        seconds: job.run_seconds(view.now),
        limit: limit_seconds(job.time_limit),
        nodes: view.node_count(job),
        cpus: view.cpus(job),
        gpus: gpus(tres),
        nodelist: nodes_or_reason(view, row),
        priority: job.priority,
        start: view.start(job).map(|t| t.0),
        tasks: None,
    }
}

/// The number of tasks in a record.
pub fn tasks(job: &Job) -> u32 {
    match &job.array {
        Some(array) if array.task.is_none() => array.pending.len().max(1),
        Some(_) | None => 1,
    }
}

/// Seconds of a limit; -1 if unlimited.
pub fn limit_seconds(limit: Limit) -> i64 {
    limit.span().map_or(-1, Span::secs)
}

/// A user's index. Users who are not listed share the index after the last.
pub fn index(people: &People, uid: Uid) -> u32 {
    people.get(&uid).copied().unwrap_or(u32::try_from(people.len()).unwrap_or(u32::MAX))
}

fn gpus(tres: &Tres) -> u32 {
    tres.gres.get("gpu").map_or(0, |n| u32::try_from(*n).unwrap_or(u32::MAX))
}
