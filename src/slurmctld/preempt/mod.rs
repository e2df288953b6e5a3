//! Preemption: a job that finds no room may take that of jobs that matter less. Mirrors preempt.html and gang_scheduling.html.
//!
//! [`plan`] decides who must go for a job to fit (`rules`: who may be preempted and in which order, `victims`: which of
//! them it takes); [`Slurmctld::preempt`] tells them (`grace`). Suspended jobs keep their cores and take turns with whom
//! they share them (`gang`).

mod gang;
mod grace;
mod log;
mod rules;
mod suspend;
#[cfg(test)]
mod tests;
mod victims;

use super::Slurmctld;
use super::job::{Allocation, Job};
use super::limits;
use super::select::Board;
use crate::base::bitset::BitSet;
use crate::base::ids::{JobId, PartId};
use crate::base::time::{Span, Time};
use crate::config::preempt::{PreemptMode, PreemptType};
pub(super) use gang::Gang;
pub use log::Preemption;
pub(super) use rules::preempted;

/// `MessageTimeout`, seconds: so much longer than KillWait a job that has preempted others waits before it preempts more.
const MESSAGE_TIMEOUT: i64 = 10;

/// Who must go so that a job fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
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
pub(super) fn configured(ctld: &Slurmctld) -> bool {
    ctld.cluster.global.preempt.kind != PreemptType::None
}

/// Whether a job could preempt anybody at all: a quick answer.
pub(super) fn possible(ctld: &Slurmctld, job: &Job, part: PartId) -> bool {
    configured(ctld) && rules::preempts(ctld, job, part)
}

/// The fewest and least important jobs whose room would let a job start in a partition now, `closed` nodes left out. None
/// where no preemption helps, where a limit forbids what the job would get, or where what it has preempted before may
/// still be on its way out.
pub(super) fn plan(
    ctld: &Slurmctld,
    job: &Job,
    part: PartId,
    board: &Board,
    closed: &BitSet,
    now: Time,
) -> Option<Plan> {
    if !possible(ctld, job, part) {
        return None;
    }
    if job.preempting.is_some_and(|since| since + patience(ctld) > now) {
        return None;
    }
    let mut nodes = super::select::candidates(ctld, job, part, true);
    nodes.subtract(closed);
    let candidates = rules::candidates(ctld, job, part, &nodes, now);
    let plan = victims::choose(ctld, job, part, board, &nodes, candidates)?;
    limits::after_selection(ctld, job, part, &plan.allocation, now).is_ok().then_some(plan)
}

fn patience(ctld: &Slurmctld) -> Span {
    Span::from_secs(i64::from(ctld.cluster.global.kill_wait) + MESSAGE_TIMEOUT)
}

impl Slurmctld {
    /// Notes when a job that starts may be preempted.
    pub(super) fn note_exempt(&mut self, id: JobId, now: Time) {
        let Some(job) = self.jobs.get(id) else { return };
        let exempt = rules::exempt_time(self, job);
        if exempt.0 > 0 && rules::mode_of(self, job) != PreemptMode::Off {
            self.index.ripe.insert(now + exempt);
        }
    }

    /// Tells the victims. Gives what the job may start with at once, if nobody has to end for it.
    pub(super) fn preempt(&mut self, plan: Plan, now: Time) -> Option<Allocation> {
        for (id, mode) in plan.victims {
            self.note_preemption(id, plan.job, mode, now);
            match mode {
                PreemptMode::Off => {}
                PreemptMode::Cancel | PreemptMode::Requeue => self.preempt_one(id, now),
                PreemptMode::Suspend => self.make_way(id, plan.job, now),
            }
        }
        if !plan.at_once {
            self.index.ripe.insert(now + patience(self));
            self.change_job(plan.job, |job| {
                job.preempting.get_or_insert(now);
            });
        }
        plan.at_once.then_some(plan.allocation)
    }
}
