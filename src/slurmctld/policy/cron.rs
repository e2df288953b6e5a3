//! `[[cron]]`: what a site's cron jobs do to associations. Rules are due at multiples of their period since midnight,
//! but not while nothing has happened that they depend on.

use crate::Slurmctld;
use crate::state::job::JobState;
use base::order::StableSort as _;
use base::time::{SECOND, Time};
use config::policy::{AssocField, Condition, CronRule};
use serde::{Deserialize, Serialize};
use slurmdbd::{AccountingChange, Assoc, ROOT};

/// How long after the start of the daemons cron looks for the first time, in microseconds.
const FIRST_LOOK: i64 = SECOND;

/// When each rule was last evaluated.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Cron {
    last: Vec<Time>,
}

/// Running and pending jobs, by account and user; sorted.
struct Busy<'a>(Vec<(&'a str, &'a str, bool)>);

impl Slurmctld {
    /// When a rule is next due.
    pub(crate) fn cron_due(&self, now: Time) -> Option<Time> {
        (0..self.policy.cron.len()).filter_map(|i| self.rule_due(i, now)).min()
    }

    fn rule_due(&self, rule: usize, now: Time) -> Option<Time> {
        let every = i64::from(self.policy.cron.get(rule)?.every.max(1)) * SECOND;
        // A world that begins at a full hour begins before cron's first look.
        let last = self.cron.last.get(rule).copied().unwrap_or(Time(self.boot.0 + FIRST_LOOK));
        if rule < self.cron.last.len() && self.clock.last_change() <= last {
            return None;
        }
        // A missed point is not made up for.
        let grid = |t: Time| Time((t.0 + every - 1).div_euclid(every) * every);
        Some(if last < now { grid(now) } else { grid(Time(last.0 + 1)) })
    }

    /// Carries out the rules that are due.
    pub(crate) fn cron(&mut self, now: Time) {
        let due: Vec<usize> = (0..self.policy.cron.len())
            .filter(|i| self.rule_due(*i, now).is_some_and(|t| t <= now))
            .collect();
        if due.is_empty() {
            return;
        }
        self.cron.last.resize(self.policy.cron.len(), self.boot);
        let mut changed = false;
        for rule in due {
            let changes = self.policy.cron.get(rule).map(|r| self.cron_changes(r)).unwrap_or_default();
            for change in changes {
                changed |= self.dbd.apply(&change, ROOT).is_ok();
            }
            if let Some(last) = self.cron.last.get_mut(rule) {
                *last = now;
            }
        }
        if changed {
            self.shares_changed();
            self.recount();
            self.caches.forget();
        }
    }

    /// The changes that a rule would make now.
    fn cron_changes(&self, rule: &CronRule) -> Vec<AccountingChange> {
        let mut busy: Vec<(&str, &str, bool)> = Vec::new();
        for job in self.pending_jobs().chain(self.active_jobs()) {
            let user = job.assoc.and_then(|a| self.dbd.assoc(a)).and_then(|a| a.user.as_deref());
            busy.push((&job.account, user.unwrap_or_default(), job.state != JobState::Pending));
        }
        busy.order();
        let busy = Busy(busy);
        let these = self.dbd.live().filter(|a| a.parent.is_some() && a.account != ROOT);
        these
            .filter(|a| a.user.is_some() == rule.users)
            .filter(|a| rule.when.iter().all(|c| self.assoc_holds(a, c, &busy)))
            .filter(|a| !has_all(a, rule))
            .map(|a| match &a.user {
                None => {
                    AccountingChange::ModifyAccount { name: a.account.clone(), settings: rule.set.clone() }
                }
                Some(user) => AccountingChange::ModifyUser {
                    name: user.clone(),
                    account: Some(a.account.clone()),
                    partition: a.partition.clone(),
                    settings: rule.set.clone(),
                },
            })
            .collect()
    }

    fn assoc_holds(&self, a: &Assoc, c: &Condition<AssocField>, busy: &Busy<'_>) -> bool {
        let parent = || a.parent.and_then(|p| self.dbd.assoc(p)).map(|p| p.account.as_str());
        let (running, pending) = busy.of(a);
        match c.field {
            AssocField::Account => c.test.text(Some(&a.account)),
            AssocField::User => c.test.text(a.user.as_deref()),
            AssocField::Parent => c.test.text(parent()),
            AssocField::Jobs => c.test.number(Some(running + pending)),
            AssocField::Running => c.test.number(Some(running)),
            AssocField::Pending => c.test.number(Some(pending)),
            AssocField::Shares => c.test.number(a.shares.map(u64::from)),
            AssocField::RawUsage => c.test.number(Some(a.usage.raw.max(0.0) as u64)),
        }
    }
}

impl Busy<'_> {
    /// Running and pending jobs of an account (without those of its subaccounts) or of one of its users.
    fn of(&self, assoc: &Assoc) -> (u64, u64) {
        let from = self.0.partition_point(|b| b.0 < assoc.account.as_str());
        let mine = self.0.get(from..).unwrap_or_default().iter().take_while(|b| b.0 == assoc.account);
        let mine = mine.filter(|b| assoc.user.as_deref().is_none_or(|user| user == b.1));
        mine.fold((0, 0), |(run, wait), b| if b.2 { (run + 1, wait) } else { (run, wait + 1) })
    }
}

/// Whether a rule would change nothing. Decided for shares only, which such rules are mostly about.
fn has_all(assoc: &Assoc, rule: &CronRule) -> bool {
    let shares = assoc.shares.map_or_else(|| "parent".to_owned(), |n| n.to_string());
    rule.set.iter().all(|(key, value)| key == "fairshare" && value.eq_ignore_ascii_case(&shares))
}
