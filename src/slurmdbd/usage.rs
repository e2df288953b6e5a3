//! The usage of associations and QOS: `RawUsage`, and the amounts counted for `GrpTRESMins` and `GrpWall`.
//!
//! Mirrors "Usage" of fair_tree.shtml and priority_multifactor.shtml: a job's billing units times its seconds
//! times the `UsageFactor` of its QOS are added to its association and all ancestors. They lose half of their
//! weight in each `PriorityDecayHalfLife`. slurmctld decides when (`slurmctld::priority::decay`).

use super::{QosFlag, Slurmdbd};
use base::ids::{AssocId, QosId};
use base::tres::Tres;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Decayed usage.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DecayedUsage {
    /// Billing units times seconds: `RawUsage`.
    pub raw: f64,
    /// Amount times seconds for each TRES, by its name in limits (`cpu`, `mem`, `gres/gpu`).
    pub tres: BTreeMap<String, f64>,
    /// Seconds of run time, for `GrpWall`.
    pub wall: f64,
}

impl DecayedUsage {
    fn add(&mut self, used: &JobCharge<'_>) {
        let JobCharge { seconds, weighed, billing, tres } = *used;
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

/// The fair-share values of an association. `shares` follows each change immediately; the other fields are from
/// the last `PriorityCalcPeriod`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fair {
    /// `NormShares`.
    pub shares: f64,
    /// `NormUsage`: its fraction of the cluster's usage; none for an association created since the last period.
    pub usage: Option<f64>,
    /// `EffectvUsage`.
    pub effective: f64,
    /// `LevelFS`; infinite without usage. Fair Tree only.
    pub level: f64,
    /// `FairShare`; only for associations of users.
    pub factor: f64,
}

/// The usage of a job: seconds, seconds times `UsageFactor`, billing units per second, and TRES.
struct JobCharge<'a> {
    seconds: f64,
    weighed: f64,
    billing: f64,
    tres: &'a Tres,
}

impl Slurmdbd {
    /// Charges `seconds` (already decayed) at `billing` units each to a job's association and all its
    /// ancestors, its QOS, and the QOS of its partition.
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
        let used = JobCharge { seconds, weighed: seconds * factor, billing, tres };
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

    /// Adds earlier usage to an association and all its ancestors. The part of `raw` that no TRES accounts for
    /// is counted as billing.
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

    /// Mutable access to the fair-share values of an association.
    pub fn fair_mut(&mut self, id: AssocId) -> Option<&mut Fair> {
        self.assoc_mut(id).map(|a| &mut a.fair)
    }

    /// Sets an association's shares without a transaction. For what-if questions on a fork.
    pub fn suppose_shares(&mut self, id: AssocId, shares: u32) {
        if let Some(assoc) = self.assoc_mut(id) {
            assoc.shares = Some(shares);
        }
    }

    /// Sets an association's `RawUsage`. For what-if questions on a fork.
    pub fn suppose_usage(&mut self, id: AssocId, raw: f64) {
        if let Some(assoc) = self.assoc_mut(id) {
            assoc.usage.raw = raw;
        }
    }

    /// Decays all usage, once per period. QOS with the flag `NoDecay` keep theirs.
    pub fn decay(&mut self, factor: f64) {
        self.assocs.iter_mut().for_each(|a| a.usage.scale(factor));
        let fading = self.qos.iter_mut().filter(|q| !q.has(QosFlag::NoDecay));
        fading.for_each(|q| q.usage.scale(factor));
    }

    /// Whether there is usage to decay. The root association holds all usage.
    #[must_use]
    pub fn has_usage(&self) -> bool {
        self.assocs.first().is_some_and(|root| root.usage.raw > 0.0)
    }

    /// Inconsistencies of usage, one sentence each: an account has used at least what its children have (more
    /// if children were deleted), and `raw` equals the usage of the TRES `billing`.
    #[must_use]
    pub fn usage_faults(&self) -> Vec<String> {
        let mut below = vec![0.0; self.assocs.len() + 1];
        for assoc in self.live() {
            let parent = assoc.parent.and_then(|id| below.get_mut(id.0 as usize));
            parent.into_iter().for_each(|sum| *sum += assoc.usage.raw);
        }
        let mut faults = Vec::new();
        for assoc in self.live() {
            let DecayedUsage { raw, ref tres, .. } = assoc.usage;
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

    /// `RawUsage=0`: clears the usage of an association and its descendants, and subtracts it from its ancestors.
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
                assoc.usage = DecayedUsage::default();
            }
        }
    }
}
