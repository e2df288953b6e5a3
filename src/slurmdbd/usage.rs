//! What associations and QOS have used: `RawUsage` and the amounts behind `GrpTRESMins` and `GrpWall`.
//!
//! Mirrors "Usage" of fair_tree.shtml and priority_multifactor.shtml: a job's billing units times its seconds times
//! its QOS' `UsageFactor` are added to its association and to all above it, and lose half of their weight in each
//! `PriorityDecayHalfLife`. The times at which that happens are slurmctld's (`slurmctld::priority::decay`).

use super::{QosFlag, Slurmdbd};
use crate::base::ids::{AssocId, QosId};
use crate::base::tres::Tres;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What was used, decayed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Billing units times seconds: `RawUsage`.
    pub raw: f64,
    /// Amount times seconds by TRES, named as in limits (`cpu`, `mem`, `gres/gpu`).
    pub tres: BTreeMap<String, f64>,
    /// Seconds of run time: `GrpWall`.
    pub wall: f64,
}

impl Usage {
    fn add(&mut self, used: &Used<'_>) {
        let Used { seconds, weighed, billing, tres } = *used;
        self.raw += billing * weighed;
        self.wall += seconds;
        self.add_tres("billing", billing * weighed);
        for (name, amount) in [("cpu", tres.cpu), ("mem", tres.mem), ("node", tres.node)] {
            self.add_tres(name, amount as f64 * weighed);
        }
        for (kind, amounts) in [("gres", &tres.gres), ("license", &tres.licenses)] {
            for (name, amount) in amounts {
                self.add_tres(&format!("{kind}/{name}"), *amount as f64 * weighed);
            }
        }
    }

    fn add_tres(&mut self, name: &str, amount: f64) {
        if let Some(used) = self.tres.get_mut(name) {
            *used += amount;
        } else if amount > 0.0 {
            self.tres.insert(name.to_owned(), amount);
        }
    }

    fn scale(&mut self, factor: f64) {
        self.raw *= factor;
        self.wall *= factor;
        self.tres.values_mut().for_each(|used| *used *= factor);
    }
}

/// Where an association stands in the tree of shares. `shares` follows each change at once, everything else is as of
/// the last `PriorityCalcPeriod`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fair {
    /// `NormShares`.
    pub shares: f64,
    /// `NormUsage`: the part of the cluster's usage; none for an association that is newer than the last period.
    pub usage: Option<f64>,
    /// `EffectvUsage`.
    pub effective: f64,
    /// `LevelFS`; infinite where nothing was used. Fair Tree only.
    pub level: f64,
    /// `FairShare`; users' associations only.
    pub factor: f64,
}

/// What a job used: seconds, the same times `UsageFactor`, billing units for each second, and TRES.
struct Used<'a> {
    seconds: f64,
    weighed: f64,
    billing: f64,
    tres: &'a Tres,
}

impl Slurmdbd {
    /// Adds what a job used in `seconds` (decayed already) at `billing` units each to its association, all above that,
    /// its QOS, and that of its partition.
    pub fn charge(
        &mut self,
        assoc: AssocId,
        qos: QosId,
        of_part: Option<QosId>,
        seconds: f64,
        billing: f64,
        tres: &Tres,
    ) {
        let factor = self.qos_by_id(qos).map_or(1.0, |q| q.usage_factor);
        let used = Used { seconds, weighed: seconds * factor, billing, tres };
        let mut next = Some(assoc);
        for _ in 0..super::assoc::MAX_DEPTH {
            let Some(assoc) = next.and_then(|id| self.assoc_mut(id)) else { break };
            assoc.usage.add(&used);
            next = assoc.parent;
        }
        for id in std::iter::once(qos).chain(of_part) {
            if let Some(qos) = self.qos_mut(id) {
                qos.usage.add(&used);
            }
        }
    }

    /// Adds usage of before to an association and all above it; the rest of `raw` that no TRES is named for is billing.
    pub fn add_usage(&mut self, id: AssocId, raw: f64, wall: f64, tres: &[(String, u64)]) {
        let mut next = Some(id);
        for _ in 0..super::assoc::MAX_DEPTH {
            let Some(assoc) = next.and_then(|id| self.assoc_mut(id)) else { break };
            assoc.usage.raw += raw;
            assoc.usage.wall += wall;
            assoc.usage.add_tres("billing", raw);
            for (name, amount) in tres {
                assoc.usage.add_tres(name, *amount as f64);
            }
            next = assoc.parent;
        }
    }

    /// Where an association stands, to be changed.
    pub fn fair_mut(&mut self, id: AssocId) -> Option<&mut Fair> {
        self.assoc_mut(id).map(|a| &mut a.fair)
    }

    /// Gives an association other shares, without a transaction: on a copy, to see what would come of it.
    pub fn suppose_shares(&mut self, id: AssocId, shares: u32) {
        if let Some(assoc) = self.assoc_mut(id) {
            assoc.shares = Some(shares);
        }
    }

    /// Gives an association another `RawUsage`: on a copy, to see what would come of it.
    pub fn suppose_usage(&mut self, id: AssocId, raw: f64) {
        if let Some(assoc) = self.assoc_mut(id) {
            assoc.usage.raw = raw;
        }
    }

    /// Scales all usage, as once a period; QOS with the flag `NoDecay` keep theirs.
    pub fn decay(&mut self, factor: f64) {
        self.assocs.iter_mut().for_each(|a| a.usage.scale(factor));
        let fading = self.qos.iter_mut().filter(|q| !q.has(QosFlag::NoDecay));
        fading.for_each(|q| q.usage.scale(factor));
    }

    /// Whether anything is there to decay: the top of the tree has all usage.
    #[must_use]
    pub fn has_usage(&self) -> bool {
        self.assocs.first().is_some_and(|root| root.usage.raw > 0.0)
    }

    /// Where usage does not add up, one sentence each: an account has used what those below it have (with those who were
    /// deleted, more), and billing is what shares are reckoned with.
    #[must_use]
    pub fn usage_faults(&self) -> Vec<String> {
        let mut below = vec![0.0; self.assocs.len() + 1];
        for assoc in self.live() {
            let parent = assoc.parent.and_then(|id| below.get_mut(id.0 as usize));
            parent.into_iter().for_each(|sum| *sum += assoc.usage.raw);
        }
        let mut faults = Vec::new();
        for assoc in self.live() {
            let Usage { raw, ref tres, .. } = assoc.usage;
            let most = raw * (1.0 + 1e-9) + 1e-6;
            let sum = below.get(assoc.id.0 as usize).copied().unwrap_or(0.0);
            if sum > most {
                faults.push(format!("{} has used {raw}, those below it {sum}", assoc.account));
            }
            let billing = tres.get("billing").copied().unwrap_or(0.0);
            if (billing - raw).abs() > most - raw {
                faults.push(format!("{} has used {raw}, and billing {billing}", assoc.account));
            }
        }
        faults
    }

    /// `RawUsage=0`: an association forgets what it used, those above forget it with it, and those below all of theirs.
    pub(super) fn forget_usage(&mut self, id: AssocId) {
        let Some(old) = self.assoc(id).map(|a| a.usage.clone()) else { return };
        let above: Vec<AssocId> = self.chain(id).skip(1).map(|a| a.id).collect();
        for up in above {
            let Some(assoc) = self.assoc_mut(up) else { continue };
            assoc.usage.raw = (assoc.usage.raw - old.raw).max(0.0);
            assoc.usage.wall = (assoc.usage.wall - old.wall).max(0.0);
            for (name, used) in &mut assoc.usage.tres {
                *used = (*used - old.tres.get(name).copied().unwrap_or(0.0)).max(0.0);
            }
        }
        let below: Vec<AssocId> =
            self.live().filter(|a| self.chain(a.id).any(|up| up.id == id)).map(|a| a.id).collect();
        for id in below {
            if let Some(assoc) = self.assoc_mut(id) {
                assoc.usage = Usage::default();
            }
        }
    }
}
