//! Edits of a job's request: `scontrol update jobid=`, and consequences of changes of the cluster.

use super::JobEdit;
use crate::state::factors::Assessment;
use crate::state::job::{Constraint, Dependency, Exempt, Job, JobDesc, Needs};
use crate::state::reason::Reason;
use base::ids::AssocId;
use base::time::Limit;
use base::tres::Tres;
use std::sync::Arc;

/// Applies an update: takes over the fields that an update may change from a revised draft of the job. State,
/// allocation and steps stay. The name changes through [`crate::state::jobs::JobTable::rename`].
pub(crate) fn revise(draft: Job) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.desc = draft.desc;
        job.needs = draft.needs;
        job.req_tres = draft.req_tres;
        job.partitions = draft.partitions;
        job.reservations = draft.reservations;
        (job.account, job.assoc, job.qos) = (draft.account, draft.assoc, draft.qos);
        (job.deps, job.deps_any) = (draft.deps, draft.deps_any);
        (job.priority, job.nice) = (draft.priority, draft.nice);
        (job.fixed_priority, job.site_factor) = (draft.fixed_priority, draft.site_factor);
        job.requeue = draft.requeue;
        (job.comment, job.admin_comment) = (draft.comment, draft.admin_comment);
        if let (Some(array), Some(new)) = (&mut job.array, draft.array) {
            array.throttle = new.throttle;
        }
        (job.time_limit, job.end) = (draft.time_limit, draft.end);
        (job.begin, job.accrue) = (draft.begin, draft.accrue);
    })
}

/// Exempts from limits what an administrator has set.
pub(crate) fn exempt(exempt: Exempt) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| job.exempt = exempt)
}

/// Replaces the description, as if the job had been submitted with another one.
pub(crate) fn resubmit(desc: JobDesc, needs: Needs, tres: Tres) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.desc = Arc::new(desc);
        job.needs = Arc::new(needs);
        job.req_tres = tres;
    })
}

/// Sets what the request costs (`TRESBillingWeights`).
pub(crate) fn bill(billing: u64) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| job.req_tres.billing = billing)
}

/// Updates a pending job after an update. `priority`: None if it is held.
pub(crate) fn settle(
    deps: Vec<Dependency>,
    priority: Option<Assessment>,
    reason: Reason,
    restarts_wait: bool,
) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.deps = deps;
        match priority {
            None => job.priority = 0,
            Some(priority) => {
                priority.give(job);
                job.held_by_admin = false;
                (job.reason, job.state_desc) = (reason, None);
            }
        }
        if restarts_wait {
            (job.eligible, job.accrue) = (None, None);
        }
    })
}

/// A refused update still changes the node counts.
pub(crate) fn keep_node_counts(min: Option<u32>, max: Option<u32>) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        let needs = Arc::make_mut(&mut job.needs);
        needs.min_nodes = min.unwrap_or(needs.min_nodes);
        needs.max_nodes = max.unwrap_or(needs.max_nodes);
        if job.priority > 0 {
            job.reason = Reason::PartConfig;
        }
    })
}

/// A refused update still changes the CPUs for the requested tasks.
pub(crate) fn keep_tasks(tasks: u32) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        let needs = Arc::make_mut(&mut job.needs);
        needs.min_cpus = tasks.saturating_mul(needs.cpus_per_task.max(1));
    })
}

/// A refused update still changes the number of tasks, derived from the tasks per node.
pub(crate) fn keep_tasks_per_node(tasks: u32) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        let needs = Arc::make_mut(&mut job.needs);
        needs.ntasks = tasks.saturating_mul(needs.min_nodes.max(1));
    })
}

/// A refused update still changes the priority. priority/multifactor recomputes it at once.
pub(crate) fn keep_priority(priority: Option<u32>) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.nice = 0;
        job.priority = priority.unwrap_or(job.priority);
    })
}

/// The time limit with which a pass starts the job (`--time-min`).
pub(crate) fn set_time_limit(limit: Limit) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| job.time_limit = limit)
}

/// The user now has an association.
pub(crate) fn set_association(account: String, assoc: AssocId) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| (job.account, job.assoc) = (account, Some(assoc)))
}

/// Resolves `--constraint` and `--prefer` against the current nodes.
pub(crate) fn set_constraints(
    constraint: Option<Arc<Constraint>>,
    prefer: Option<Arc<Constraint>>,
) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        let needs = Arc::make_mut(&mut job.needs);
        (needs.constraint, needs.prefer) = (constraint, prefer);
    })
}

/// The job is no longer part of its owner's crontab.
pub(crate) fn leave_crontab() -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(|job| Arc::make_mut(&mut job.desc).cron = None)
}

/// Sets `Comment`.
pub(crate) fn set_comment(text: String) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| job.comment = Some(text))
}
