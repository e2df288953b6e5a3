//! A job's relations: its dependencies, the jobs that depend on it, its array.

use crate::session::frame::queue::tasks;
use base::ids::JobId;
use base::order::StableSort as _;
use base::state::JobState;
use protocol::{ArrayMembership, DependencyState};
use slurmctld::Slurmctld;
use slurmctld::job::{DepKind, DepState, Dependency, Job};

/// Maximum number of named jobs and tasks.
const MOST: usize = 40;
/// Pending jobs after an array's first record that are searched for its tasks.
const LOOKED: usize = 5_000;

/// The jobs that it depends on.
pub fn depends_on(ctld: &Slurmctld, job: &Job) -> Vec<(String, String, DependencyState)> {
    let one = |dep: &Dependency| {
        let id = match (dep.kind, dep.task) {
            (DepKind::Singleton, _) => String::new(),
            (_, Some(task)) => format!("{}_{task}", dep.job),
            (_, None) => ctld.job(dep.job).map_or_else(|| dep.job.to_string(), Job::id_text),
        };
        let state = match dep.state {
            DepState::Unfulfilled => DependencyState::Waits,
            DepState::Fulfilled => DependencyState::Holds,
            DepState::Failed => DependencyState::Never,
        };
        (dep.kind.name().to_owned(), id, state)
    };
    job.deps.iter().take(MOST).map(one).collect()
}

/// The jobs that depend on it.
pub fn needed_by(ctld: &Slurmctld, job: &Job) -> Vec<String> {
    let ids = [Some(job.id), job.array.as_ref().map(|a| a.job)];
    let waits = |j: &&Job| {
        let open = |d: &Dependency| {
            d.state == DepState::Unfulfilled && ids.contains(&Some(d.job)) && d.job != JobId(0)
        };
        j.id != job.id && j.deps.iter().any(open)
    };
    let mut dependents: Vec<JobId> = ids.into_iter().flatten().flat_map(|id| ctld.dependents(id)).collect();
    dependents.order();
    dependents.dedup();
    let jobs = dependents.into_iter().filter_map(|id| ctld.job(id));
    jobs.filter(|j| queued(j)).filter(waits).take(MOST).map(Job::id_text).collect()
}

/// Its position in its array.
pub fn array(ctld: &Slurmctld, job: &Job) -> Option<ArrayMembership> {
    let own = job.array.as_ref()?;
    let mut membership = ArrayMembership {
        array: own.job.0,
        task: own.task,
        tasks: own.count,
        throttle: own.throttle,
        ..ArrayMembership::default()
    };
    let records = ctld.array_records(own.job).filter_map(|id| ctld.job(id));
    let known = |record: &Job| {
        let task = record.array.as_ref()?.task?;
        Some((task, record.id_text(), record.shown_state().0.to_owned()))
    };
    membership.known = records.filter_map(known).take(MOST).collect();
    membership.running = ctld.running_tasks(own.job);
    let its = |j: &&Job| j.array.as_ref().is_some_and(|array| array.job == own.job);
    membership.waiting = ctld.pending_from(own.job).take(LOOKED).filter(its).map(tasks).sum();
    Some(membership)
}

const fn queued(job: &Job) -> bool {
    matches!(job.state, JobState::Pending) && !job.flags.completing
}
