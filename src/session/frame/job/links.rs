//! A job among others: what it waits for, who waits for it, its array.

use crate::base::ids::JobId;
use crate::base::order::Order as _;
use crate::base::state::JobState;
use crate::commands::slurm::jobtext::{dep_kind, id_text};
use crate::protocol::{ArrayPlace, DependsOn};
use crate::session::frame::queue::tasks;
use crate::slurmctld::Slurmctld;
use crate::slurmctld::job::{DepKind, DepState, Dependency, Job};

/// Jobs and tasks that are named.
const MOST: usize = 40;
/// Waiting jobs behind an array's first record that are looked at for its tasks.
const LOOKED: usize = 5_000;

/// What it waits for.
pub fn depends_on(ctld: &Slurmctld, job: &Job) -> Vec<(String, String, DependsOn)> {
    let one = |dep: &Dependency| {
        let id = match (dep.kind, dep.task) {
            (DepKind::Singleton, _) => String::new(),
            (_, Some(task)) => format!("{}_{task}", dep.job),
            (_, None) => ctld.job(dep.job).map_or_else(|| dep.job.to_string(), id_text),
        };
        let state = match dep.state {
            DepState::Unfulfilled => DependsOn::Waits,
            DepState::Fulfilled => DependsOn::Holds,
            DepState::Failed => DependsOn::Never,
        };
        (dep_kind(dep.kind).to_owned(), id, state)
    };
    job.deps.iter().take(MOST).map(one).collect()
}

/// Who waits for it.
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
    jobs.filter(|j| queued(j)).filter(waits).take(MOST).map(id_text).collect()
}

/// Its place in its array.
pub fn array(ctld: &Slurmctld, job: &Job) -> Option<ArrayPlace> {
    let own = job.array.as_ref()?;
    let mut place = ArrayPlace {
        array: own.job.0,
        task: own.task,
        tasks: own.count,
        throttle: own.throttle,
        ..ArrayPlace::default()
    };
    let records = ctld.array_records(own.job).filter_map(|id| ctld.job(id));
    let known = |record: &Job| {
        let task = record.array.as_ref()?.task?;
        Some((task, id_text(record), record.shown_state().0.to_owned()))
    };
    place.known = records.filter_map(known).take(MOST).collect();
    place.running = ctld.running_tasks(own.job);
    let its = |j: &&Job| j.array.as_ref().is_some_and(|array| array.job == own.job);
    place.waiting = ctld.pending_from(own.job).take(LOOKED).filter(its).map(tasks).sum();
    Some(place)
}

const fn queued(job: &Job) -> bool {
    matches!(job.state, JobState::Pending) && !job.flags.completing
}
