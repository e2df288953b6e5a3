//! What starts when: the main loop in strict order, and backfill around it.

mod admitted;
mod ascent;
pub(super) mod backfill;
mod complete;
mod floor;
mod held;
mod hope;
mod kept;
pub(super) mod knobs;
mod licenses;
pub(super) mod main;
pub(super) mod memo;
pub(super) mod now;
pub(super) mod plan;
pub(super) mod queue;
pub(super) mod quiet;
mod space;

use super::Slurmctld;
use super::job::Job;
use super::limits;
use super::reason::Reason;
use super::select::{Infeasible, Shapes};
pub(super) use super::waiting::{refresh, refresh_dependencies};
use crate::base::ids::PartId;
use crate::base::time::Time;
use crate::config::PartState;
use crate::slurmdbd::QosFlag;

/// Reasons that a pass may change although it does not come to the job.
pub(super) const fn restless(reason: Reason) -> bool {
    matches!(reason, Reason::None | Reason::Resources)
}

/// What the partition itself has against a job.
pub(super) fn barred_by_partition(ctld: &Slurmctld, job: &Job, part: PartId) -> Option<Reason> {
    let conf = ctld.partition(part);
    match conf.state {
        // What is queued in a draining partition still runs.
        PartState::Up | PartState::Drain => {}
        PartState::Down => return Some(Reason::PartDown),
        PartState::Inactive => return Some(Reason::PartInactive),
    }
    let lifted = |flag| limits::flagged(ctld, job, part, flag);
    if job.time_limit > conf.max_time && !job.exempt.time && !lifted(QosFlag::PartitionTimeLimit) {
        return Some(Reason::PartTimeLimit);
    }
    if super::needs::too_much_memory(ctld, &job.needs, part) && !job.exempt.mem {
        return Some(Reason::PnMemLimit);
    }
    let too_many = conf.max_nodes.is_some_and(|most| job.needs.min_nodes > most);
    let too_few = job.needs.max_nodes > 0 && job.needs.max_nodes < conf.min_nodes;
    let out_of_bounds = (too_many && !job.exempt.node && !lifted(QosFlag::PartitionMaxNodes))
        || (too_few && !lifted(QosFlag::PartitionMinNodes))
        || job.desc.min_nodes.is_some_and(|asked| asked > conf.nodes.len());
    out_of_bounds.then_some(Reason::PartNodeLimit)
}

/// What keeps a job from being tried at all, without blocking others.
pub(super) fn barred(ctld: &Slurmctld, job: &Job, part: PartId, now: Time) -> Option<Reason> {
    barred_or(ctld, job, part, |job| ctld.licenses_free(job, now))
}

/// The same with another answer to whether there are licences.
fn barred_or(
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
    if !ctld.expansion_lives(job) {
        return Some(Reason::DepInvalid);
    }
    if let Some(reason) = limits::barred(ctld, job, part) {
        return Some(reason);
    }
    if super::select::too_small(ctld, &job.needs, part) {
        return Some(Reason::PartConfig);
    }
    if !licensed(job) {
        return Some(Reason::Licenses);
    }
    let array = job.array.as_ref().filter(|a| a.throttle > 0)?;
    (ctld.running_tasks(array.job) >= array.throttle).then_some(Reason::ArrayTaskLimit)
}

/// Whether nothing is kept for a job: its priority is too low, or it has not waited for long enough.
fn passed_over(ctld: &Slurmctld, job: &Job, now: Time) -> bool {
    let knobs = &ctld.live.knobs;
    let young = || job.eligible.is_none_or(|since| now < since + knobs.bf_min_age_reserve);
    job.priority < knobs.bf_min_prio_reserve || (knobs.bf_min_age_reserve.0 > 0 && young())
}

impl Slurmctld {
    /// Whether a partition could ever run a job, and with how many nodes.
    pub(super) fn feasible_like(&mut self, job: &Job, part: PartId) -> Result<u32, Infeasible> {
        self.with_shapes(|ctld, shapes| shapes.feasible(ctld, job, part))
    }

    /// Lends the shapes out together with the state that they describe.
    fn with_shapes<T>(&mut self, look: impl FnOnce(&Self, &mut Shapes) -> T) -> T {
        let mut shapes = self.live.shapes.take().unwrap_or_default();
        let found = look(self, &mut shapes);
        self.live.shapes = Some(shapes);
        found
    }
}
