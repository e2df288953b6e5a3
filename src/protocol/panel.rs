//! What the open panel asks for, and what the engine gives it: one variant for each panel that needs more than every
//! frame has. The types of each stand in a file of their own.

use super::priority::PriorityPicture;
use super::shares::SharesPicture;
use serde::{Deserialize, Serialize};

/// What a panel asks for, anew with each frame while it is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ask {
    /// Each pending job's priority and what it is made of.
    Priority,
    /// The tree of shares.
    Shares,
}

/// What it gets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Picture {
    /// For [`Ask::Priority`].
    Priority(PriorityPicture),
    /// For [`Ask::Shares`].
    Shares(SharesPicture),
}

impl Picture {
    /// Priorities, if it is that.
    #[must_use]
    pub const fn priority(&self) -> Option<&PriorityPicture> {
        if let Self::Priority(picture) = self { Some(picture) } else { None }
    }

    /// Shares, if it is that.
    #[must_use]
    pub const fn shares(&self) -> Option<&SharesPicture> {
        if let Self::Shares(picture) = self { Some(picture) } else { None }
    }
}
