//! Preemption: a job that finds no free resources may take those of less important jobs. Mirrors preempt.html and
//! gang_scheduling.html.
//!
//! [`plan`] decides which jobs to preempt so that a job fits (`rules`: which jobs may be preempted and in which order;
//! `victims`: which of them are needed). [`Slurmctld::preempt`] carries it out (`grace`). Suspended jobs keep their
//! cores and take turns with the jobs that share them (`gang`).

mod gang;
mod grace;
mod log;
mod rules;
#[cfg(test)]
mod tests;
mod victims;

use crate::Slurmctld;
use crate::acct_policy;
use crate::select::FreeResources;
use crate::state::edit;
use crate::state::job::{Allocation, Job};
use base::bitset::BitSet;
use base::ids::{JobId, PartId};
use base::time::{Span, Time};
use config::preempt::{PreemptMode, PreemptType};
pub(crate) use gang::Gang;
pub use log::Preemption;
pub(crate) use rules::preempted;

/// `MessageTimeout`, seconds. A job that has preempted others waits KillWait plus this time before it preempts more.
const MESSAGE_TIMEOUT: i64 = 10;

/// The jobs to preempt so that a job fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PreemptionPlan {
    /// The preemptor.
    pub job: JobId,
    /// The victims, and what happens to each.
    pub victims: Vec<(JobId, PreemptMode)>,
    /// The allocation that the job will get.
    pub allocation: Allocation,
    /// Whether it gets that at once, because its victims are only suspended.
    pub at_once: bool,
}

/// Whether preemption is configured.
pub(crate) fn configured(ctld: &Slurmctld) -> bool {
    ctld.cluster.global.preempt.kind != PreemptType::None
}

/// Whether a job could preempt any other at all. A cheap check.
pub(crate) fn possible(ctld: &Slurmctld, job: &Job, part: PartId) -> bool {
    configured(ctld) && rules::preempts(ctld, job, part)
}

/// The fewest and least important jobs whose resources would let a job start in a partition now, without the `closed`
/// nodes. None if preemption does not help, if a limit forbids the allocation, or if jobs that it has already preempted
/// may still be ending.
pub(crate) fn plan(
    ctld: &Slurmctld,
    job: &Job,
    part: PartId,
    resources: &FreeResources,
    closed: &BitSet,
    now: Time,
) -> Option<PreemptionPlan> {
    if !possible(ctld, job, part) {
        return None;
    }
    if job.preempting.is_some_and(|since| since + wait_for_ends(ctld) > now) {
        return None;
    }
    let mut nodes = crate::select::candidates(ctld, job, part, true);
    nodes.subtract(closed);
    let candidates = rules::candidates(ctld, job, part, &nodes, now);
    let plan = victims::choose(ctld, job, part, resources, &nodes, candidates)?;
    acct_policy::after_selection(ctld, job, part, &plan.allocation, now).is_ok().then_some(plan)
}

fn wait_for_ends(ctld: &Slurmctld) -> Span {
    Span::from_secs(i64::from(ctld.cluster.global.kill_wait) + MESSAGE_TIMEOUT)
}

impl Slurmctld {
    /// Notes when a started job becomes preemptable.
    pub(crate) fn note_exempt(&mut self, id: JobId, now: Time) {
        let Some(job) = self.jobs.get(id) else { return };
        let exempt = rules::exempt_time(self, job);
        if exempt.0 > 0 && rules::mode_of(self, job) != PreemptMode::Off {
            self.recheck_at.insert(now + exempt);
        }
    }

    /// Preempts the victims. Returns the job's allocation if it can start at once because no victim has to end.
    pub(crate) fn preempt(&mut self, plan: PreemptionPlan, now: Time) -> Option<Allocation> {
        for (id, mode) in plan.victims {
            self.note_preemption(id, plan.job, mode, now);
            match mode {
                PreemptMode::Off => {}
                PreemptMode::Cancel | PreemptMode::Requeue => self.preempt_one(id, now),
                PreemptMode::Suspend => self.suspend_for(id, plan.job, now),
            }
        }
        if !plan.at_once {
            self.recheck_at.insert(now + wait_for_ends(self));
            self.edit_job(plan.job, edit::life::await_preempted(now));
        }
        plan.at_once.then_some(plan.allocation)
    }
}
