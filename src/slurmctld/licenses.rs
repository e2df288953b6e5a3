//! Counts the licences in use. Mirrors `Licenses` of slurm.conf(5) and `scontrol show licenses`: local licences, and
//! the cluster's share of those in the database.

use crate::Slurmctld;
use crate::state::error::SlurmError;
use crate::state::job::{Job, JobState, Needs};
use base::ids::ResvId;
use base::time::{Span, Time};
use config::Cluster;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Licences in use, by name. Unused ones may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Licenses {
    used: BTreeMap<String, u32>,
}

impl Licenses {
    /// Counts the licences of a job that starts, or that ended and returns them.
    pub(crate) fn take(&mut self, job: &Job, taken: bool) {
        for (name, count) in job.licenses_given() {
            let used = self.used.entry(name.to_owned()).or_default();
            *used = if taken { *used + count } else { used.saturating_sub(count) };
        }
    }
}

/// One licence, as `scontrol show licenses` shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct LicenseCount {
    pub total: u32,
    pub used: u32,
    /// Held by active reservations.
    pub reserved: u32,
}

impl LicenseCount {
    /// How many any job may take.
    #[must_use]
    pub const fn free(self) -> u32 {
        self.total.saturating_sub(self.used).saturating_sub(self.reserved)
    }
}

/// Parses `matlab:2,ansys` against the cluster's licences. For `a|b`, also returns the names in order.
pub(crate) fn parse(
    cluster: &Cluster,
    list: &str,
) -> Result<(BTreeMap<String, u32>, Vec<String>), SlurmError> {
    let (any, all) = (list.contains('|'), list.contains([',', ';']));
    if any && all {
        return Err(SlurmError::InvalidLicenses);
    }
    let (mut wanted, mut order): (BTreeMap<String, u32>, Vec<String>) = Default::default();
    for part in list.split([',', ';', '|']).filter(|p| !p.is_empty()) {
        let (name, count) = part.split_once([':', '=']).unwrap_or((part, "1"));
        let count: u32 = count.parse().map_err(|_| SlurmError::InvalidLicenses)?;
        let total = cluster.global.licenses.get(name).copied().ok_or(SlurmError::InvalidLicenses)?;
        let sum = wanted.entry(name.to_owned()).or_default();
        *sum = sum.saturating_add(count);
        let none_refused = cluster.global.scheduler_parameters.contains_key("allow_zero_lic");
        if *sum > total && !none_refused {
            return Err(SlurmError::InvalidLicenses);
        }
        if any {
            order.push(name.to_owned());
        }
    }
    Ok((wanted, order))
}

impl Job {
    /// The licences that the job was given.
    fn licenses_given(&self) -> impl Iterator<Item = (&str, u32)> {
        let given = self.allocation.iter().flat_map(|a| &a.tres.licenses);
        given.map(|(name, count)| (name.as_str(), u32::try_from(*count).unwrap_or(u32::MAX)))
    }

    /// The same as TRES.
    pub(crate) fn licenses_held(&self) -> BTreeMap<String, u64> {
        self.allocation.as_ref().map(|a| a.tres.licenses.clone()).unwrap_or_default()
    }

    /// `LicensesAlloc`: the request, or the one that was allocated of several.
    #[must_use]
    pub fn licenses_text(&self) -> Option<String> {
        if self.needs.any_license.is_empty() {
            return self.desc.licenses.clone();
        }
        self.licenses_given().map(|(name, count)| format!("{name}:{count}")).next()
    }
}

impl Slurmctld {
    /// Adds this cluster's shares of the database's resources to its licences.
    pub(crate) fn share_resources(&mut self) {
        let licenses = &mut Arc::make_mut(&mut self.cluster).global.licenses;
        licenses.retain(|name, _| !name.contains('@'));
        licenses.extend(
            self.dbd.resources.iter().filter(|r| r.allowed.is_some()).map(|r| (r.full_name(), r.share())),
        );
    }

    /// The counts of a licence. An unknown name gives zeros.
    #[must_use]
    pub fn license(&self, name: &str, now: Time) -> LicenseCount {
        LicenseCount {
            total: self.cluster.global.licenses.get(name).copied().unwrap_or(0),
            used: self.licenses.used.get(name).copied().unwrap_or(0),
            reserved: self.licenses_reserved(name, &[], now, now + Span(1)),
        }
    }

    /// How many of a licence other reservations than `own` hold between two times, beyond what their jobs use.
    fn licenses_reserved(&self, name: &str, own: &[ResvId], from: Time, to: Time) -> u32 {
        let mut sum = 0u32;
        for resv in self.reservations.iter().filter(|r| !r.licenses.is_empty() && !own.contains(&r.id)) {
            let (start, end) = resv.window(from);
            let count = resv.licenses.get(name).copied().unwrap_or(0);
            if count > 0 && start < to && from < end {
                sum += count.saturating_sub(self.licenses_used_in(resv.id, name));
            }
        }
        sum
    }

    fn licenses_used_in(&self, id: ResvId, name: &str) -> u32 {
        let held = |job: &Job| job.licenses_given().find(|l| l.0 == name).map_or(0, |l| l.1);
        let inside = |job: &&Job| job.reservations.contains(&id) && !job.state.ended();
        self.active_jobs().filter(inside).map(held).sum()
    }

    /// Whether this number of a licence is free for a job that starts at `now`.
    fn license_free(&self, job: &Job, (name, count): (&str, u32), now: Time) -> bool {
        let total = self.cluster.global.licenses.get(name).copied().unwrap_or(0);
        let used = self.licenses.used.get(name).copied().unwrap_or(0);
        let end = job.time_limit.span().map_or(Time(i64::MAX), |s| now + s);
        let reserved = self.licenses_reserved(name, &job.reservations, now, end);
        used.saturating_add(reserved).saturating_add(count) <= total
    }

    /// How many of a licence a job can use between two times: all that other reservations do not hold.
    pub(crate) fn license_share(&self, job: &Job, name: &str, from: Time, to: Time) -> u32 {
        let total = self.cluster.global.licenses.get(name).copied().unwrap_or(0);
        total.saturating_sub(self.licenses_reserved(name, &job.reservations, from, to))
    }

    /// Whether the licences that a job requests are free if it starts at `now`.
    pub(crate) fn licenses_free(&self, job: &Job, now: Time) -> bool {
        let mut wanted = job.needs.licenses.iter();
        let free = |(name, count): (&String, &u32)| self.license_free(job, (name, *count), now);
        if job.needs.any_license.is_empty() { wanted.all(free) } else { wanted.any(free) }
    }

    /// The licences that a job gets if it starts at `now`: all of them, or the first alternative that is free.
    pub(crate) fn licenses_for(&self, job: &Job, now: Time) -> BTreeMap<String, u64> {
        let needs = &job.needs;
        let count = |name: &str| needs.licenses.get(name).copied().unwrap_or(0);
        let free = |name: &&String| self.license_free(job, (name, count(name)), now);
        match needs.any_license.iter().find(free).or(needs.any_license.first()) {
            Some(one) => [(one.clone(), count(one).into())].into(),
            None => licenses_tres(needs),
        }
    }

    /// Checks the counters and indices of licences and nodes against the jobs and nodes. Returns a sentence for each
    /// difference.
    #[must_use]
    pub fn check_counters(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for name in self.cluster.global.licenses.keys() {
            let of = |job: &Job| job.licenses_given().find(|l| l.0 == name).map_or(0, |l| l.1);
            let held: u32 = self.active_jobs().filter(|j| j.holds_licenses()).map(of).sum();
            let used = self.licenses.used.get(name).copied().unwrap_or(0);
            if held != used {
                faults.push(format!("licence {name}: {used} counted, {held} held"));
            }
            if used > self.cluster.global.licenses.get(name).copied().unwrap_or(0) {
                faults.push(format!("licence {name}: oversubscribed"));
            }
        }
        for node in &self.nodes {
            let name = &node.conf.name;
            if node.available() != self.nodes.index().available.contains(node.id.0) {
                faults.push(format!("{name}: whether jobs may start there is not what the index says"));
            }
            if node.due.is_some_and(|due| !self.nodes.index().due.contains(&(due, node.id))) {
                faults.push(format!("{name}: its next moment is not in the index"));
            }
        }
        for id in &self.jobs.index().configuring {
            if self.jobs.get(*id).is_none_or(|j| j.state != JobState::Running || !j.flags.configuring) {
                faults.push(format!("job {id} waits for no nodes to boot"));
            }
        }
        faults
    }
}

/// The requested licences as TRES.
pub(crate) fn licenses_tres(needs: &Needs) -> BTreeMap<String, u64> {
    needs.licenses.iter().map(|(name, count)| (name.clone(), u64::from(*count))).collect()
}
