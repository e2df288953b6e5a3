//! What the open panel asks for, and what the engine gives it: one variant for each panel that needs more than every
//! frame has. The types of each stand in a file of their own.

use super::priority::PriorityPicture;
use serde::{Deserialize, Serialize};

/// What a panel asks for, anew with each frame while it is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ask {
    /// Each pending job's priority and what it is made of.
    Priority,
}

/// What it gets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Picture {
    /// For [`Ask::Priority`].
    Priority(PriorityPicture),
}

impl Picture {
    /// Priorities, if it is that.
    #[must_use]
    pub const fn priority(&self) -> Option<&PriorityPicture> {
        match self {
            Self::Priority(picture) => Some(picture),
        }
    }
}
