//! Scheduling: the main loop in strict order of priority, and backfill around it.
//!
//! Passes read the controller and yield decisions ([`decision`]). They do not change the controller. The request classes and the
//! backfill cache, which they fill, are lent to them.

mod admitted;
pub(crate) mod backfill;
pub(crate) mod backfill_cache;
pub(crate) mod caches;
mod complete;
pub(crate) mod decision;
pub(crate) mod immediate;
mod invariants;
mod licenses;
pub(crate) mod main;
pub(crate) mod now;
pub(crate) mod parameters;
pub(crate) mod queue;
mod start_candidates;

use crate::Slurmctld;
use crate::acct_policy;
use crate::state::job::Job;
use crate::state::reason::Reason;
use base::ids::PartId;
use base::time::Time;
use config::PartState;
use slurmdbd::QosFlag;

/// The reason why the partition itself does not accept a job.
pub(crate) fn barred_by_partition(ctld: &Slurmctld, job: &Job, part: PartId) -> Option<Reason> {
    let conf = ctld.partition(part);
    match conf.state {
        // Jobs that are already queued in a draining partition still run.
        PartState::Up | PartState::Drain => {}
        PartState::Down => return Some(Reason::PartDown),
        PartState::Inactive => return Some(Reason::PartInactive),
    }
    let lifted = |flag| acct_policy::flagged(ctld, job, part, flag);
    if job.time_limit > conf.max_time && !job.exempt.time && !lifted(QosFlag::PartitionTimeLimit) {
        return Some(Reason::PartTimeLimit);
    }
    if crate::select::needs::too_much_memory(ctld, &job.needs, part) && !job.exempt.mem {
        return Some(Reason::PnMemLimit);
    }
    let too_many = conf.max_nodes.is_some_and(|most| job.needs.min_nodes > most);
    let too_few = job.needs.max_nodes > 0 && job.needs.max_nodes < conf.min_nodes;
    let out_of_bounds = (too_many && !job.exempt.node && !lifted(QosFlag::PartitionMaxNodes))
        || (too_few && !lifted(QosFlag::PartitionMinNodes))
        || job.desc.min_nodes.is_some_and(|asked| asked > conf.nodes.len());
    out_of_bounds.then_some(Reason::PartNodeLimit)
}

/// The reason why a job is not tried in a partition. Such a job blocks no other job.
pub(crate) fn barred(ctld: &Slurmctld, job: &Job, part: PartId, now: Time) -> Option<Reason> {
    barred_with(ctld, job, part, |job| ctld.licenses_free(job, now))
}

/// [`barred`] with the caller's own check for licences.
fn barred_with(
    ctld: &Slurmctld,
    job: &Job,
    part: PartId,
    licensed: impl FnOnce(&Job) -> bool,
) -> Option<Reason> {
    if let Some(reason) = barred_by_partition(ctld, job, part) {
        return Some(reason);
    }
    if job.needs.min_nodes > ctld.partition(part).nodes.len() {
        return Some(Reason::PartConfig);
    }
    if !ctld.expanded_job_runs(job) {
        return Some(Reason::DepInvalid);
    }
    if let Some(reason) = acct_policy::barred(ctld, job, part) {
        return Some(reason);
    }
    if crate::select::too_small(ctld, &job.needs, part) {
        return Some(Reason::PartConfig);
    }
    if !licensed(job) {
        return Some(Reason::Licenses);
    }
    is_throttled(ctld, job).then_some(Reason::ArrayTaskLimit)
}

/// Whether the throttle of the job's array is reached (`--array=0-9%2`).
pub(crate) fn is_throttled(ctld: &Slurmctld, job: &Job) -> bool {
    let array = job.array.as_ref().filter(|a| a.throttle > 0);
    array.is_some_and(|a| ctld.running_tasks(a.job) >= a.throttle)
}

/// Whether a job gets no reservation: its priority is too low, or it has not waited long enough.
fn gets_no_reservation(ctld: &Slurmctld, job: &Job, now: Time) -> bool {
    let parameters = &ctld.caches.parameters;
    let young = || job.eligible.is_none_or(|since| now < since + parameters.bf_min_age_reserve);
    job.priority < parameters.bf_min_prio_reserve || (parameters.bf_min_age_reserve.0 > 0 && young())
}
