//! The tree of shares, as sshare knows it.

use serde::{Deserialize, Serialize};

/// What is supposed of shares and usage: nothing by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharesWish {
    /// This association has so many shares.
    pub shares: Option<(u32, u32)>,
    /// Usage has had this half-life from the beginning, seconds; 0: nothing decays.
    pub half_life: Option<u32>,
}

/// The associations in the tree's order, each behind the one above it; the first is root's.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SharesPicture {
    /// What is supposed and not so.
    pub wish: SharesWish,
    /// Headings of `sshare -la`.
    pub headings: Vec<String>,
    /// The first rows.
    pub rows: Vec<ShareRow>,
    /// How many associations there are in all.
    pub total: u32,
    /// Whether priorities are weighed (`priority/multifactor`) at all.
    pub multifactor: bool,
    /// Fair Tree, or else classic fair share.
    pub fair_tree: bool,
    /// `PriorityWeightFairshare`.
    pub weight: u32,
    /// `PriorityDecayHalfLife`, seconds; 0: nothing decays.
    pub half_life: u32,
    /// `PriorityCalcPeriod`, seconds.
    pub period: u32,
    /// `FairShareDampeningFactor`.
    pub dampening: u32,
}

/// An association.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct ShareRow {
    /// `sshare -o id`.
    pub id: u32,
    /// The row above it in the tree.
    pub parent: Option<u32>,
    pub account: String,
    /// Empty: the account itself.
    pub user: String,
    pub partition: String,
    /// Index into `Started::users`, for the hue.
    pub user_index: u32,
    /// `RawShares`; none: its parent's (`Fairshare=parent`).
    pub shares: Option<u32>,
    /// `NormShares`.
    pub norm: f64,
    /// `EffectvUsage`.
    pub effective: f64,
    /// `LevelFS`; infinite where nothing was used.
    pub level: f64,
    /// `FairShare`; users only.
    pub factor: f64,
    /// The same without anything supposed.
    pub before: f64,
    /// The columns under the headings.
    pub cells: Vec<String>,
}
