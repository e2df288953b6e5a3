//! Reviews pending jobs: dependencies, begin times, arrays that must be split. Only jobs for which something may have
//! changed are reviewed (see `state::waiting`).

use super::depend::DependencyOutcome;
use super::mail::MailEvent;
use crate::Slurmctld;
use crate::state::edit;
use crate::state::job::{DepKind, Job, JobState};
use crate::state::reason::Reason;
use crate::state::waiting::{JobStage, latest_start};
use base::cow_set::CowSet;
use base::ids::{JobId, Uid};
use base::time::{Span, Time};
use std::collections::BTreeMap;

impl Slurmctld {
    /// Notes when a job stops waiting for its switches, or is old enough for a backfill reservation. Passes look again
    /// at that time.
    pub(crate) fn note_waits(&mut self, id: JobId) {
        let Some(job) = self.jobs.get(id) else { return };
        let Some(since) = job.eligible else { return };
        if let Some((_, wait)) = job.needs.switches {
            self.recheck_at.insert(since + Span::from_secs(wait.into()));
        }
        let patience = self.caches.parameters.bf_min_age_reserve;
        if patience.0 > 0 {
            self.recheck_at.insert(since + patience);
        }
    }

    /// All records of an array: its tasks with a record of their own, and the record of the other tasks.
    pub fn array_records(&self, array: JobId) -> impl Iterator<Item = JobId> + '_ {
        self.jobs.array_records(array)
    }

    /// A job's position in slurmctld's list; see [`crate::state::jobs::JobTable::list_position`].
    #[must_use]
    pub fn list_position(&self, job: &Job) -> u32 {
        self.jobs.list_position(job)
    }

    /// Jobs that depend on a job or an array. May include others.
    pub fn dependents(&self, id: JobId) -> impl Iterator<Item = JobId> + '_ {
        self.jobs.dependents(id)
    }

    /// Running tasks of an array. Completing tasks do not count towards its throttle.
    #[must_use]
    pub fn running_tasks(&self, array: JobId) -> u32 {
        self.jobs.running_tasks(array)
    }

    /// The job that a `singleton` waits for: same owner and name, submitted earlier or running.
    #[must_use]
    pub fn singleton_blocker(&self, job: &Job) -> Option<JobId> {
        self.jobs.singleton_blocker(job)
    }
}

impl Slurmctld {
    /// Differences between the indices and the jobs: counts, or a dependent that would never be reviewed.
    #[must_use]
    pub fn waiting_faults(&self, now: Time) -> Vec<String> {
        let mut running: BTreeMap<JobId, u32> = BTreeMap::new();
        let mut faults = Vec::new();
        for job in self.jobs.values() {
            if let Some(array) = &job.array {
                if JobStage::of(job).active {
                    *running.entry(array.job).or_default() += 1;
                }
                if !self.jobs.is_record(array.job, job.id) {
                    faults.push(format!("job {} is missing among its array's records", job.id));
                }
            }
            let unreviewed =
                job.state == JobState::Pending && !job.held() && !self.jobs.is_reviewed(job.id, now);
            if unreviewed && !job.deps.is_empty() && self.review(job, now).0 != job.deps {
                faults.push(format!("job {}: its dependencies changed and nobody looks", job.id));
            }
        }
        if running != *self.jobs.all_running_tasks() {
            faults.push("the count of arrays' running tasks is not true".to_owned());
        }
        faults
    }
}

impl Slurmctld {
    /// Updates pending jobs for a pass: dependencies, begin times, arrays that must be split.
    pub(crate) fn refresh_waiting(&mut self, now: Time) {
        self.jobs.review_due(now);
        let mut again = CowSet::default();
        while let Some(id) = self.jobs.take_review() {
            if !split_corresponding(self, id) && refresh_job(self, id, now) {
                again.insert(id);
            }
        }
        self.jobs.set_review(again);
    }

    /// Evaluates the dependencies that may have changed, without splitting arrays.
    pub(crate) fn refresh_dependencies(&mut self, now: Time) {
        self.jobs.review_due(now);
        for id in self.jobs.to_review() {
            let Some(job) = self.jobs.get(id) else { continue };
            if !job.deps.is_empty() && !corresponds(job) {
                self.jobs.reviewed(id);
                refresh_job(self, id, now);
            }
        }
    }
}

/// Whether it is an array whose tasks each depend on a corresponding task.
fn corresponds(job: &Job) -> bool {
    job.array.as_ref().is_some_and(|a| a.task.is_none())
        && job.deps.iter().any(|d| d.kind == DepKind::AfterCorr)
}

/// Splits an array with `aftercorr` into its tasks, since each has its own predecessor.
fn split_corresponding(ctld: &mut Slurmctld, id: JobId) -> bool {
    let Some(job) = ctld.jobs.get(id).filter(|j| corresponds(j)) else { return false };
    let tasks: Vec<u32> = job.array.iter().flat_map(|a| a.pending.iter()).collect();
    for task in tasks {
        let record = ctld.split_task(id, task);
        ctld.jobs.review(record);
    }
    true
}

/// Updates one job. Returns true if the next pass must review it again.
fn refresh_job(ctld: &mut Slurmctld, id: JobId, now: Time) -> bool {
    let waits = |job: &&Job| job.state == JobState::Pending && !job.flags.completing;
    let Some(job) = ctld.jobs.get(id).filter(waits) else { return false };
    if latest_start(job).is_some_and(|latest| now > latest) {
        ctld.miss_deadline(id, now);
        return false;
    }
    if job.priority == 0 && job.desc.priority != Some(0) && job.held() {
        return false;
    }
    if !job.deps.is_empty() {
        let (deps, outcome) = ctld.review(job, now);
        if outcome == DependencyOutcome::Never && job.reason != Reason::DepInvalid {
            ctld.mail(id, MailEvent::NeverSatisfied, now);
        }
        let Some(job) = ctld.jobs.get(id) else { return false };
        let kill = outcome == DependencyOutcome::Never
            && job.desc.kill_on_invalid_dep.unwrap_or(ctld.cluster.global.kill_on_invalid_depend);
        let reason = match outcome {
            DependencyOutcome::Free => {
                matches!(job.reason, Reason::Dependency | Reason::DepInvalid).then_some(Reason::None)
            }
            DependencyOutcome::Waiting => Some(Reason::Dependency),
            DependencyOutcome::Never => Some(Reason::DepInvalid),
        };
        ctld.edit_job(id, edit::pending::set_dependencies(deps, reason));
        if kill {
            ctld.cancel_pending(id, Uid(0), now);
            return false;
        }
        if outcome != DependencyOutcome::Free {
            watch(ctld, id);
            return false;
        }
    }
    let Some(job) = ctld.jobs.get(id) else { return false };
    if let Some(begin) = job.begin.filter(|begin| *begin > now) {
        // An array's throttle is checked first, and changes with the other tasks.
        let throttled = crate::sched::is_throttled(ctld, job);
        let reason = if throttled { Reason::ArrayTaskLimit } else { Reason::Time };
        let again = job.array.as_ref().is_some_and(|a| a.throttle > 0);
        ctld.jobs.review_at(begin, id);
        ctld.edit_job(id, edit::pending::set_reason(reason));
        return again;
    }
    if job.eligible.is_none() {
        ctld.make_eligible(id, now);
    }
    false
}

/// Schedules the next review of a job that keeps waiting, apart from the ends of the jobs it names.
fn watch(ctld: &mut Slurmctld, id: JobId) {
    let Some(job) = ctld.jobs.get(id) else { return };
    if job.deps.iter().any(|d| d.kind == DepKind::Singleton)
        && let Some(blocker) = ctld.singleton_blocker(job)
    {
        ctld.jobs.add_dependent(blocker, id);
    }
    let Some(job) = ctld.jobs.get(id) else { return };
    let moments: Vec<Time> = job.deps.iter().filter_map(|dep| ctld.after_due(dep)).collect();
    for at in moments {
        ctld.jobs.review_at(at, id);
    }
}
