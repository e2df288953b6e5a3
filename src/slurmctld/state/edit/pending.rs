//! Edits of pending jobs: reasons, holds, eligibility, priorities, expected starts.

use super::JobEdit;
use crate::state::factors::Assessment;
use crate::state::job::{Dependency, Job, Scheduler};
use crate::state::reason::Reason;
use base::bitset::BitSet;
use base::ids::ResvId;
use base::time::Time;

/// The job has a different reason. A sentence that replaces the reason's name stays.
pub(crate) fn set_reason(reason: Reason) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| job.reason = reason)
}

/// Clears the reason until the next pass.
pub(crate) fn clear_reason() -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(|job| (job.reason, job.state_desc) = (Reason::None, None))
}

/// A pass could not start the job. `by` is the loop that tried it; None: unchanged.
pub(crate) fn refuse(
    reason: Reason,
    sentence: Option<String>,
    by: Option<Scheduler>,
    now: Time,
) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.reason = reason;
        job.state_desc = sentence;
        job.last_sched = Some(now);
        job.scheduler = by.unwrap_or(job.scheduler);
    })
}

/// Backfill has a reservation for the job.
pub(crate) fn plan_start(at: Time, nodes: BitSet, now: Time) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.planned = Some((at, nodes));
        job.last_sched = Some(now);
        job.scheduler = Scheduler::Backfill;
        // A limit that stopped it earlier no longer does.
        if job.reason == Reason::None || job.reason.is_limit() {
            job.reason = if job.het.is_some() { Reason::Resources } else { Reason::Priority };
        }
    })
}

/// The job has no expected start any more.
pub(crate) fn clear_planned_start() -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(|job| job.planned = None)
}

/// `scontrol hold` and `uhold`. A running job goes on; it is held when it comes back to the queue.
pub(crate) fn hold(by_admin: bool) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.priority = 0;
        job.held_by_admin = by_admin;
        job.reason = if by_admin { Reason::Held } else { Reason::HeldUser };
        job.state_desc = None;
    })
}

/// slurmctld holds the job. The reason stays.
pub(crate) fn hold_by_controller() -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(|job| (job.priority, job.held_by_admin) = (0, true))
}

/// `scontrol release`: clears a priority set by an administrator, and the nice value.
pub(crate) fn release(priority: Assessment) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        if job.fixed_priority.take().is_some() {
            job.nice = 0;
        }
        priority.give(job);
        job.flags.special_exit = false;
        job.held_by_admin = false;
        job.reason = Reason::None;
        job.flags.resv_del_hold = false;
        job.state_desc = None;
    })
}

/// A job that was held because no nodes could hold it is tried again.
pub(crate) fn retry(priority: Assessment) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        priority.give(job);
        (job.reason, job.held_by_admin) = (Reason::None, false);
    })
}

/// Sets the job's priority.
pub(crate) fn prioritize(priority: Assessment) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| priority.give(job))
}

/// `scontrol top`: changes the priority, and the nice value by the opposite amount.
pub(crate) fn reorder(priority: u32) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.nice += i64::from(job.priority) - i64::from(priority);
        job.priority = priority;
        job.fixed_priority = job.fixed_priority.map(|_| priority);
    })
}

/// The job may be scheduled. `accrue`: when it started to accrue age; `priority`: None while it is held.
pub(crate) fn make_eligible(
    since: Time,
    accrue: Option<Time>,
    priority: Option<Assessment>,
) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.eligible = Some(since);
        job.accrue = accrue;
        if let Some(priority) = priority {
            priority.give(job);
        }
        if job.reason == Reason::Time {
            job.reason = Reason::None;
        }
    })
}

/// Sets only the eligible time.
pub(crate) fn set_eligible(since: Time) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| job.eligible = Some(since))
}

/// The job is no longer eligible until a pass makes it eligible again.
pub(crate) fn clear_eligible() -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(|job| (job.eligible, job.accrue) = (None, None))
}

/// The job accrues age since this time.
pub(crate) fn accrue(since: Time) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| job.accrue = Some(since))
}

/// The job's dependencies were evaluated. `reason`: None if it does not change.
pub(crate) fn set_dependencies(
    deps: Vec<Dependency>,
    reason: Option<Reason>,
) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.deps = deps;
        job.reason = reason.unwrap_or(job.reason);
    })
}

/// A reservation was deleted. If `hold`, a job with no other reservation is held.
pub(crate) fn lose_reservation(id: ResvId, hold: bool) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.reservations.retain(|r| *r != id);
        if job.reservations.is_empty() && hold {
            job.priority = 0;
            job.held_by_admin = true;
            job.reason = Reason::ResvDeleted;
            job.state_desc = None;
            job.flags.resv_del_hold = true;
        }
    })
}
