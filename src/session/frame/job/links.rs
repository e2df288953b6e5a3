//! A job among others: what it waits for, who waits for it, its array.

use crate::base::ids::JobId;
use crate::commands::slurm::jobtext::{dep_kind, id_text};
use crate::protocol::{ArrayPlace, DependsOn};
use crate::slurmctld::Slurmctld;
use crate::slurmctld::job::{DepKind, DepState, Dependency, Job};

/// Jobs and tasks that are named.
const MOST: usize = 40;
/// Waiting jobs that are looked at for who waits for this one.
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
    ctld.pending_jobs().take(LOOKED).filter(waits).take(MOST).map(id_text).collect()
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
    for record in ctld.array_records(own.job).filter_map(|id| ctld.job(id)) {
        let Some(array) = &record.array else { continue };
        let (state, code) = record.shown_state();
        match array.task {
            None => place.waiting += array.pending.len(),
            Some(task) => {
                place.waiting += u32::from(code == "PD");
                place.running += u32::from(matches!(code, "R" | "CF" | "S"));
                if place.known.len() < MOST {
                    place.known.push((task, id_text(record), state.to_owned()));
                }
            }
        }
    }
    Some(place)
}
