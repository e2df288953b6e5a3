//! Licences in a backfill plan (`bf_licenses`): how many are in use or reserved, and when. A job that waits for licences also
//! gets a reservation, so that no job behind it can take them. As in Slurm, a job that accepts one of several licences waits
//! for the first one that is released.

use crate::Slurmctld;
use crate::state::job::Job;
use base::order::StableSort as _;
use base::time::{Span, Time};
use std::collections::BTreeMap;

/// A number of a licence's units, in use for some time.
#[derive(Debug)]
struct Use {
    name: String,
    count: u32,
    from: Time,
    to: Time,
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct PlannedLicenses {
    uses: Vec<Use>,
}

impl PlannedLicenses {
    /// The licences of running jobs, until their time limits. An overdue job counts as ending at `soon`.
    pub(super) fn of_running(ctld: &Slurmctld, now: Time, soon: Time) -> Self {
        let mut licenses = Self::default();
        for job in ctld.active_jobs().filter(|job| job.holds_licenses()) {
            licenses.add(&job.licenses_held(), now, job.planned_end().max(soon));
        }
        licenses
    }

    fn add(&mut self, held: &BTreeMap<String, u64>, from: Time, to: Time) {
        let each = |(name, count): (&String, &u64)| Use {
            name: name.clone(),
            count: u32::try_from(*count).unwrap_or(u32::MAX),
            from,
            to,
        };
        self.uses.extend(held.iter().map(each));
    }

    /// Reserves a job's licences for a time.
    pub(super) fn reserve(&mut self, ctld: &Slurmctld, job: &Job, (from, span): (Time, Span)) {
        if let Some(wanted) = self.choice(ctld, job, (from, span)) {
            self.add(&wanted, from, from + span);
        }
    }

    /// The first moment, not before `from`, at which the job could have its licences; none: never.
    pub(super) fn earliest(&self, ctld: &Slurmctld, job: &Job, (from, span): (Time, Span)) -> Option<Time> {
        if job.needs.licenses.is_empty() {
            return Some(from);
        }
        let mut moments: Vec<Time> = self.uses.iter().map(|u| u.to).filter(|to| *to > from).collect();
        moments.push(from);
        moments.order();
        moments.into_iter().find(|at| self.choice(ctld, job, (*at, span)).is_some())
    }

    /// The licences that the job would get for a time.
    fn choice(&self, ctld: &Slurmctld, job: &Job, time: (Time, Span)) -> Option<BTreeMap<String, u64>> {
        let needs = &job.needs;
        let count = |name: &str| needs.licenses.get(name).copied().unwrap_or(0);
        let fits = |name: &String| self.free(ctld, job, name, time) >= count(name);
        if needs.any_license.is_empty() {
            return needs.licenses.keys().all(fits).then(|| crate::licenses::licenses_tres(needs));
        }
        let one = needs.any_license.iter().find(|name| fits(name))?;
        Some([(one.clone(), count(one).into())].into())
    }

    /// The number of units of a licence that are free for the whole time.
    fn free(&self, ctld: &Slurmctld, job: &Job, name: &str, (from, span): (Time, Span)) -> u32 {
        let total = ctld.license_share(job, name, from, from + span);
        let overlaps = |u: &&Use| u.name == name && u.from < from + span && u.to > from;
        let starts = self.uses.iter().filter(overlaps).map(|u| u.from.max(from));
        let at = |moment: Time| {
            let then = self.uses.iter().filter(overlaps).filter(|u| u.from <= moment && u.to > moment);
            then.fold(0u32, |sum, u| sum.saturating_add(u.count))
        };
        total.saturating_sub(starts.map(at).max().unwrap_or(0))
    }
}
