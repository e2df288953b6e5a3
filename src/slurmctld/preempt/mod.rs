//! Preemption: a job that finds no free resources may take those of less important jobs. Mirrors preempt.html and gang_scheduling.html.
//!
//! [`plan`] decides who must go for a job to fit (`rules`: who may be preempted and in which order, `victims`: which of
//! them it takes); [`Slurmctld::preempt`] tells them (`grace`). Suspended jobs keep their cores and take turns with whom
//! they share them (`gang`).

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

/// `MessageTimeout`, seconds: so much longer than KillWait a job that has preempted others waits before it preempts more.
const MESSAGE_TIMEOUT: i64 = 10;

/// Who must go so that a job fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PreemptionPlan {
    /// For whom.
    pub job: JobId,
    /// Who, and how.
    pub victims: Vec<(JobId, PreemptMode)>,
    /// What the job will get.
    pub allocation: Allocation,
    /// Whether it gets that at once: its victims only make way (SUSPEND).
    pub at_once: bool,
}

/// Whether anybody preempts anybody.
pub(crate) fn configured(ctld: &Slurmctld) -> bool {
    ctld.cluster.global.preempt.kind != PreemptType::None
}

/// Whether a job could preempt anybody at all: a quick answer.
pub(crate) fn possible(ctld: &Slurmctld, job: &Job, part: PartId) -> bool {
    configured(ctld) && rules::preempts(ctld, job, part)
}

/// The fewest and least important jobs whose resources would let a job start in a partition now, `closed` nodes left out. None
/// where no preemption helps, where a limit forbids what the job would get, or where what it has preempted before may
/// still be on its way out.
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
    if job.preempting.is_some_and(|since| since + patience(ctld) > now) {
        return None;
    }
    let mut nodes = crate::select::candidates(ctld, job, part, true);
    nodes.subtract(closed);
    let candidates = rules::candidates(ctld, job, part, &nodes, now);
    let plan = victims::choose(ctld, job, part, resources, &nodes, candidates)?;
    acct_policy::after_selection(ctld, job, part, &plan.allocation, now).is_ok().then_some(plan)
}

fn patience(ctld: &Slurmctld) -> Span {
    Span::from_secs(i64::from(ctld.cluster.global.kill_wait) + MESSAGE_TIMEOUT)
}

impl Slurmctld {
    /// Notes when a job that starts may be preempted.
    pub(crate) fn note_exempt(&mut self, id: JobId, now: Time) {
        let Some(job) = self.jobs.get(id) else { return };
        let exempt = rules::exempt_time(self, job);
        if exempt.0 > 0 && rules::mode_of(self, job) != PreemptMode::Off {
            self.recheck_at.insert(now + exempt);
        }
    }

    /// Tells the victims. Gives what the job may start with at once, if nobody has to end for it.
    pub(crate) fn preempt(&mut self, plan: PreemptionPlan, now: Time) -> Option<Allocation> {
        for (id, mode) in plan.victims {
            self.note_preemption(id, plan.job, mode, now);
            match mode {
                PreemptMode::Off => {}
                PreemptMode::Cancel | PreemptMode::Requeue => self.preempt_one(id, now),
                PreemptMode::Suspend => self.make_way(id, plan.job, now),
            }
        }
        if !plan.at_once {
            self.recheck_at.insert(now + patience(self));
            self.edit_job(plan.job, edit::life::await_preempted(now));
        }
        plan.at_once.then_some(plan.allocation)
    }
}
