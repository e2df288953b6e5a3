//! Fair-share panel: the association tree as sshare prints it.

use serde::{Deserialize, Serialize};

/// A hypothesis about shares and usage; empty by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharesHypothesis {
    /// Association and its hypothetical shares.
    pub shares: Option<(u32, u32)>,
    /// Hypothetical half-life since the start, in seconds; 0: no decay.
    pub half_life: Option<u32>,
}

/// Associations in depth-first order; the first is root's.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SharesPicture {
    /// The hypothesis behind these numbers.
    pub hypothesis: SharesHypothesis,
    /// Headings of `sshare -la`.
    pub headings: Vec<String>,
    /// The first rows.
    pub rows: Vec<ShareRow>,
    /// Total number of associations.
    pub total: u32,
    /// Whether `priority/multifactor` is in use.
    pub multifactor: bool,
    /// Fair Tree or classic fair share.
    pub fair_tree: bool,
    /// `PriorityWeightFairshare`.
    pub weight: u32,
    /// `PriorityDecayHalfLife`, seconds; 0: no decay.
    pub half_life: u32,
    /// `PriorityCalcPeriod`, seconds.
    pub period: u32,
    /// `FairShareDampeningFactor`.
    pub dampening: u32,
}

/// An association.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct ShareRow {
    /// `sshare -o id`.
    pub id: u32,
    /// Its parent's row.
    pub parent: Option<u32>,
    pub account: String,
    /// Empty for the account itself.
    pub user: String,
    pub partition: String,
    /// Index into `Started::users`, for the hue.
    pub user_index: u32,
    /// `RawShares`; `None`: its parent's (`Fairshare=parent`).
    pub shares: Option<u32>,
    /// `NormShares`.
    pub norm: f64,
    /// `EffectvUsage`.
    pub effective: f64,
    /// `LevelFS`; infinite without usage.
    pub level: f64,
    /// `FairShare` (users only).
    pub factor: f64,
    /// `FairShare` without the hypothesis.
    pub before: f64,
    /// Cells under the headings.
    pub cells: Vec<String>,
}
