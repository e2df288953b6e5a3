//! What-if fair share: with other shares, or with another half-life of usage. The page applies these to a fork of the
//! controller.

use super::{Slurmctld, classic, fair_tree};
use crate::state::billing;
use base::ids::AssocId;
use base::math::pow;
use base::time::Time;
use slurmdbd::JobRecord;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum number of job records used; the newest ones.
const MAX_RECORDS: usize = 20_000;

impl Slurmctld {
    /// Sets other shares for an association, and ranks all users by their current usage.
    pub fn suppose_shares(&mut self, id: AssocId, shares: u32) {
        self.dbd.suppose_shares(id, shares);
        self.shares_changed();
        self.rank_again();
    }

    /// Recomputes usage as if it had always decayed with this half-life in seconds (0: no decay). It is computed from
    /// job records; usage without a record is treated as old as the cluster.
    pub fn suppose_half_life(&mut self, half_life: u32, now: Time) {
        let (old, new) = (left(self.cluster.global.priority.half_life), left(half_life));
        let known = [self.used_as_recorded(old, now), self.used_as_recorded(new, now)];
        let age = (now.secs() - self.boot.secs()).max(0) as f64;
        let rest = pow(old, age);
        let of = |used: &BTreeMap<AssocId, f64>, id| used.get(&id).copied().unwrap_or(0.0);
        let all: Vec<(AssocId, f64)> = self.dbd.live().map(|a| (a.id, a.usage.raw)).collect();
        for (id, raw) in all {
            let unknown = (raw - of(&known[0], id)).max(0.0);
            let unknown = if rest > 1e-9 { unknown / rest * pow(new, age) } else { 0.0 };
            self.dbd.suppose_usage(id, of(&known[1], id) + unknown);
        }
        Arc::make_mut(&mut self.cluster).global.priority.half_life = half_life;
        self.rank_again();
    }

    /// The usage of each association and those below it. After a second, the fraction `left` of it is left.
    fn used_as_recorded(&self, left: f64, now: Time) -> BTreeMap<AssocId, f64> {
        let mut used = BTreeMap::new();
        for record in self.dbd.jobs.values().rev().take(MAX_RECORDS) {
            let Some(assoc) = record.assoc else { continue };
            let amount = self.used_by(record, left, now);
            for above in self.dbd.chain(assoc).filter(|_| amount > 0.0) {
                *used.entry(above.id).or_insert(0.0) += amount;
            }
        }
        used
    }

    fn used_by(&self, record: &JobRecord, left: f64, now: Time) -> f64 {
        let Some(start) = record.start.filter(|start| *start < now) else { return 0.0 };
        let Some(part) = self.partitions.iter().find(|p| p.name == record.partition) else { return 0.0 };
        let ago = |at: Time| (now.secs() - at.secs()).max(0) as f64;
        let (first, last) = (ago(start), ago(record.end.unwrap_or(now)));
        // The sum of a geometric series.
        let seconds =
            if left < 1.0 { (pow(left, last) - pow(left, first)) / (1.0 - left) } else { first - last };
        let flags = self.cluster.global.priority.flags;
        let qos = self.dbd.qos.iter().find(|q| q.name == record.qos).map_or(1.0, |q| q.usage_factor);
        billing::billable(part, &record.alloc_tres, flags) * seconds.max(0.0) * qos
    }

    fn rank_again(&mut self) {
        let usage = self.raw_usage();
        let found = if self.cluster.global.priority.flags.no_fair_tree {
            let mut found = self.fair_shares();
            classic::accounts(&self.priority.tree, &usage, &self.cluster.global.priority, &mut found);
            classic::users(&self.priority.tree, &usage, &self.cluster.global.priority, &mut found);
            found
        } else {
            fair_tree::rank(&self.priority.tree, &usage)
        };
        self.keep_fair_shares(&found);
    }
}

/// The fraction of usage that is left after a second.
fn left(half_life: u32) -> f64 {
    if half_life == 0 { 1.0 } else { (1.0 - 0.693 / f64::from(half_life)).max(0.0) }
}
