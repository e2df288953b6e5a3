//! Fairness: the CPU time that users and accounts receive, compared with what they are owed.
//!
//! All jobs run sooner or later, so totals are not informative. Each day, the delivered CPU time is divided by shares
//! among the parties with runnable work. No party gets more than it could have used, and the rest is divided again. A
//! party that receives less than that on a day has missed a part of its share.

use std::collections::BTreeMap;

/// Seconds of a window.
const WINDOW: i64 = 86_400;
/// Maximum number of windows; later days are ignored.
const MAX_WINDOWS: usize = 3700;

/// A job's use of the cluster, in seconds since the start.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct DemandOfJob {
    pub party: u32,
    pub submit: i64,
    pub start: i64,
    pub end: i64,
    pub cpus: u64,
}

/// The result, in CPU seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShareBalance {
    /// What was delivered.
    pub delivered: f64,
    /// The entitlement of each party and its shortfall at the end of each day, summed up.
    pub parties: Vec<(f64, f64)>,
}

impl ShareBalance {
    /// The fraction of the delivered time that went to parties other than those to which it was owed.
    #[must_use]
    pub fn missed(&self) -> f64 {
        let missed: f64 = self.parties.iter().map(|p| p.1).sum();
        if self.delivered > 0.0 { missed / self.delivered } else { 0.0 }
    }

    /// The party that received the smallest fraction of its share in time, and that fraction. Parties that were owed
    /// less than one CPU hour do not count.
    #[must_use]
    pub fn worst(&self) -> Option<(usize, f64)> {
        let owed = self.parties.iter().enumerate().filter(|(_, p)| p.0 >= 3600.0);
        owed.map(|(i, (owed, missed))| (i, 1.0 - missed / owed)).min_by(|a, b| a.1.total_cmp(&b.1))
    }
}

/// Balances the demands of parties with these shares.
#[must_use]
pub fn balance(jobs: &[DemandOfJob], shares: &[f64]) -> ShareBalance {
    let mut windows: Vec<BTreeMap<u32, (f64, f64)>> = Vec::new();
    for job in jobs {
        let first = usize::try_from(job.submit.div_euclid(WINDOW)).unwrap_or(0);
        let last = usize::try_from(job.end.div_euclid(WINDOW)).unwrap_or(0).min(MAX_WINDOWS - 1);
        if last >= windows.len() {
            windows.resize_with(last + 1, BTreeMap::new);
        }
        for (window, at) in windows.iter_mut().enumerate().take(last + 1).skip(first) {
            let (from, to) = (window as i64 * WINDOW, (window as i64 + 1) * WINDOW);
            let there = job.end.min(to) - job.submit.max(from);
            let ran = (job.end.min(to) - job.start.max(from)).max(0);
            let left = job.end - job.start.max(from.min(job.end));
            let entry = at.entry(job.party).or_default();
            entry.0 += there.min(left).max(ran) as f64 * job.cpus as f64;
            entry.1 += ran as f64 * job.cpus as f64;
        }
    }
    let mut balance = ShareBalance { delivered: 0.0, parties: vec![(0.0, 0.0); shares.len()] };
    for window in windows {
        let delivered: f64 = window.values().map(|w| w.1).sum();
        balance.delivered += delivered;
        for (party, owed) in divide(&window, shares, delivered) {
            let received = window.get(&party).map_or(0.0, |w| w.1);
            if let Some(sums) = balance.parties.get_mut(party as usize) {
                *sums = (sums.0 + owed, sums.1 + (owed - received).max(0.0));
            }
        }
    }
    balance
}

/// Divides an amount by shares, with each party's demand as its maximum.
fn divide(window: &BTreeMap<u32, (f64, f64)>, shares: &[f64], amount: f64) -> Vec<(u32, f64)> {
    let share = |party: u32| shares.get(party as usize).copied().unwrap_or(0.0).max(1e-9);
    // By demand per share: the parties that are satisfied first come first.
    let mut parties: Vec<(u32, f64)> = window.iter().map(|(party, (demand, _))| (*party, *demand)).collect();
    parties.sort_by(|a, b| (a.1 / share(a.0)).total_cmp(&(b.1 / share(b.0))));
    let (mut left, mut weights) = (amount, parties.iter().map(|p| share(p.0)).sum::<f64>());
    parties.iter_mut().for_each(|(party, demand)| {
        let own = share(*party);
        *demand = demand.min(left * own / weights.max(own));
        (left, weights) = (left - *demand, weights - own);
    });
    parties
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(party: u32, submit: i64, start: i64, hours: i64) -> DemandOfJob {
        DemandOfJob { party, submit, start, end: start + hours * 3600, cpus: 1 }
    }

    #[test]
    fn equal_shares() {
        // One CPU. The first user's two jobs run before the second user's, all of them a day long.
        let day = 86_400;
        let jobs = [job(0, 0, 0, 24), job(0, 0, day, 24), job(1, 0, 2 * day, 24)];
        let found = balance(&jobs, &[0.5, 0.5]);
        // Half of the first two days was owed to the second user.
        assert!((found.missed() - 1.0 / 3.0).abs() < 1e-9, "{found:?}");
        let (who, part) = found.worst().unwrap();
        assert!(who == 1 && part < 0.7, "{found:?}");
        let fair = balance(&[job(0, 0, 0, 24), job(1, day, day, 24)], &[0.5, 0.5]);
        assert_eq!((fair.missed(), fair.worst().map(|w| w.1)), (0.0, Some(1.0)));
    }

    #[test]
    fn unusable_time_is_divided_again() {
        let window = BTreeMap::from([(0, (10.0, 0.0)), (1, (200.0, 0.0)), (2, (200.0, 0.0))]);
        assert_eq!(divide(&window, &[0.5, 0.25, 0.25], 110.0), [(0, 10.0), (1, 50.0), (2, 50.0)]);
    }
}
