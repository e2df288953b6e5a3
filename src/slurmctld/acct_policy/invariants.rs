//! Checks after the fact that starts respected the limits. It collects all limits that apply to a job that has just
//! started and compares them with the usage, independently of the code that decided the start.
//!
//! A limit may be lowered below the current usage, and administrators exempt single jobs. So a limit is checked only at
//! the moment of a start, and only if it applies to all jobs that started at that moment and count towards it.

use super::LimitKind;
use super::counters::UsageOwner;
use crate::Slurmctld;
use crate::state::job::{Job, planned_seconds};
use base::ids::AssocId;
use base::time::Time;
use slurmdbd::{Assoc, CountLimit, Qos, QosFlag, TresLimit};

/// Limits on amounts, and whether a group's limit applies on every level of the account tree.
const AMOUNTS: [(TresLimit, bool); 9] = [
    (TresLimit::GrpTres, true),
    (TresLimit::GrpTresRunMins, true),
    (TresLimit::MaxTresPerUser, false),
    (TresLimit::MaxTresPerAccount, false),
    (TresLimit::MaxTresRunMinsPerUser, false),
    (TresLimit::MaxTresRunMinsPerAccount, false),
    (TresLimit::MaxTres, false),
    (TresLimit::MaxTresMins, false),
    (TresLimit::MinTres, false),
];
/// Limits on jobs that hold resources, in the same form.
const JOBS: [(CountLimit, bool); 3] =
    [(CountLimit::GrpJobs, true), (CountLimit::MaxJobs, false), (CountLimit::MaxJobsPerAccount, false)];

/// A limit that applies to a job.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    which: LimitKind,
    owner: UsageOwner,
    at: u64,
}

impl Slurmctld {
    /// Limits that jobs broke by starting at `now`, one sentence for each.
    #[must_use]
    pub fn check_started_limits(&self, now: Time) -> Vec<String> {
        if !self.limited() {
            return Vec::new();
        }
        let fresh = |j: &&Job| j.runs() && j.start == Some(now) && j.resized.is_none();
        let started: Vec<(&Job, Vec<Rule>)> =
            self.active_jobs().filter(fresh).map(|job| (job, self.rules(job))).collect();
        let mut faults = Vec::new();
        for (job, rules) in &started {
            for rule in rules {
                let same = |other: &Rule| other.which == rule.which && other.owner == rule.owner;
                let all = started.iter().all(|(j, rules)| {
                    rules.iter().any(same) || !self.limits.counts_in(&self.dbd, j, rule.owner)
                });
                let value = self.value(rule, job, now);
                let broken = if least(&rule.which) { value < rule.at } else { value > rule.at && all };
                if broken {
                    faults.push(format!("job {} started against {rule:?}: {value} now", job.id));
                }
            }
        }
        faults
    }

    /// The limits that apply to a job. A QOS that sets a limit takes precedence; otherwise it is the nearest
    /// association's limit, or every level's for group limits.
    fn rules(&self, job: &Job) -> Vec<Rule> {
        let qos = self.deciding_qos(job);
        let chain: Vec<&Assoc> = job.assoc.map(|id| self.dbd.chain(id).collect()).unwrap_or_default();
        let factor = qos.iter().find_map(|q| q.limit_factor);
        let mut rules = Vec::new();
        for (limit, group) in AMOUNTS {
            let mut names: Vec<&String> = qos.iter().flat_map(|q| q.limits.of_tres(limit).keys()).collect();
            names.extend(chain.iter().flat_map(|a| a.limits.of_tres(limit).keys()));
            names.dedup();
            for name in names.into_iter().filter(|name| !exempted(job, name)) {
                let which = LimitKind::Tres(limit, name.clone());
                let scale = |at: u64| match factor {
                    Some(factor) if matches!(limit, TresLimit::GrpTres | TresLimit::MaxTres) => {
                        (at as f64 * factor) as u64
                    }
                    Some(_) | None => at,
                };
                let of_qos = qos.iter().find_map(|q| Some((*q, *q.limits.of_tres(limit).get(name)?)));
                let of_assoc = |a: &&Assoc| Some((a.id, scale(*a.limits.of_tres(limit).get(name)?)));
                rules.extend(self.rule(job, which, group, of_qos, chain.iter().filter_map(of_assoc)));
            }
        }
        for (limit, group) in JOBS {
            let of_qos = qos.iter().find_map(|q| Some((*q, q.limits.of_count(limit)?.into())));
            let of_assoc = |a: &&Assoc| Some((a.id, a.limits.of_count(limit)?.into()));
            // A QOS limit for each account also replaces the associations' limit.
            let instead = limit == CountLimit::MaxJobs
                && qos.iter().any(|q| q.limits.of_count(CountLimit::MaxJobsPerAccount).is_some());
            let assocs = chain.iter().filter_map(of_assoc).filter(|_| !instead);
            rules.extend(self.rule(job, LimitKind::Count(limit), group, of_qos, assocs));
        }
        rules
    }

    /// The QOS of the job's partition and of the job, in order of precedence.
    fn deciding_qos(&self, job: &Job) -> Vec<&Qos> {
        let own = self.dbd.qos_by_id(job.qos);
        let part = job.partitions.first().and_then(|p| self.limits.part_qos(*p)).filter(|q| *q != job.qos);
        let mut all: Vec<&Qos> = part.and_then(|id| self.dbd.qos_by_id(id)).into_iter().chain(own).collect();
        if own.is_some_and(|q| q.has(QosFlag::OverPartQos)) {
            all.reverse();
        }
        // This check does not compute the limits of a `Relative` QOS.
        if all.iter().any(|q| q.has(QosFlag::Relative)) { Vec::new() } else { all }
    }

    fn rule(
        &self,
        job: &Job,
        which: LimitKind,
        group: bool,
        of_qos: Option<(&Qos, u64)>,
        mut of_assocs: impl Iterator<Item = (AssocId, u64)>,
    ) -> Vec<Rule> {
        let account = || job.assoc.and_then(|id| self.dbd.assoc(id)).and_then(|a| a.parent);
        if let Some((qos, at)) = of_qos {
            let owner = match &which {
                LimitKind::Tres(TresLimit::MaxTresPerUser | TresLimit::MaxTresRunMinsPerUser, _)
                | LimitKind::Count(CountLimit::MaxJobs) => Some(UsageOwner::User(qos.id, job.uid())),
                LimitKind::Tres(TresLimit::MaxTresPerAccount | TresLimit::MaxTresRunMinsPerAccount, _)
                | LimitKind::Count(CountLimit::MaxJobsPerAccount) => {
                    account().map(|a| UsageOwner::Account(qos.id, a))
                }
                LimitKind::Tres(..) | LimitKind::Count(_) | LimitKind::GrpWall | LimitKind::MaxWall => {
                    Some(UsageOwner::Qos(qos.id))
                }
            };
            return owner.map(|owner| Rule { which, owner, at }).into_iter().collect();
        }
        if group {
            return of_assocs
                .map(|(id, at)| Rule { which: which.clone(), owner: UsageOwner::Assoc(id), at })
                .collect();
        }
        // `MaxJobs` counts the user's jobs, on whichever level of the account tree it is set.
        let nearest = of_assocs.next().zip(job.assoc);
        nearest.map(|((_, at), own)| Rule { which, owner: UsageOwner::Assoc(own), at }).into_iter().collect()
    }

    /// The usage that a rule limits, or the job's own amount.
    fn value(&self, rule: &Rule, job: &Job, now: Time) -> u64 {
        let used = self.limits.of(rule.owner);
        let own = |name: &str| job.allocation.as_ref().map_or(0, |a| a.tres.get(name));
        let minutes = u64::try_from(planned_seconds(job.time_limit) / 60).unwrap_or(0);
        match &rule.which {
            LimitKind::Tres(limit, name) => match limit {
                TresLimit::GrpTres | TresLimit::MaxTresPerUser | TresLimit::MaxTresPerAccount => {
                    used.map_or(0, |u| u.held(name))
                }
                TresLimit::GrpTresRunMins
                | TresLimit::MaxTresRunMinsPerUser
                | TresLimit::MaxTresRunMinsPerAccount => {
                    used.map_or(0, |u| self.limits.run_seconds(u, name, now) / 60)
                }
                TresLimit::MaxTres | TresLimit::MinTres => own(name),
                TresLimit::MaxTresMins => own(name).saturating_mul(minutes),
                TresLimit::MaxTresPerNode | TresLimit::GrpTresMins => 0,
            },
            LimitKind::Count(_) => used.map_or(0, |u| u.jobs.into()),
            LimitKind::GrpWall | LimitKind::MaxWall => 0,
        }
    }
}

/// Whether it is a minimum.
const fn least(which: &LimitKind) -> bool {
    matches!(which, LimitKind::Tres(TresLimit::MinTres, _))
}

/// Whether an administrator has set how much of a TRES the job gets.
fn exempted(job: &Job, name: &str) -> bool {
    let set = job.exempt;
    match name {
        "cpu" => set.cpu,
        "mem" => set.mem,
        "node" => set.node,
        _ => set.gres && name.starts_with("gres/"),
    }
}
