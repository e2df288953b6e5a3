//! What the open panel asks for, and what the engine gives it: one variant for each panel that needs more than every
//! frame has. The types of each stand in a file of their own.

use super::account::AccountPicture;
use super::admin::{AdminPicture, Subject};
use super::charts::ChartsPicture;
use super::gantt::{GanttPicture, GanttWindow};
use super::graph::GraphPicture;
use super::preempt::PreemptPicture;
use super::priority::PriorityPicture;
use super::shares::{SharesPicture, SharesWish};
use serde::{Deserialize, Serialize};

/// What a panel asks for, anew with each frame while it is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ask {
    /// Each pending job's priority and what it is made of.
    Priority,
    /// The tree of shares, as it is or would be.
    Shares(SharesWish),
    /// Dependencies, and arrays: the tasks of this one.
    Graph(Option<u32>),
    /// The last so many seconds of the cluster; 0: all.
    Charts(u32),
    /// Who pushed whom out.
    Preempt,
    /// Jobs that have ended and have these words.
    Account(String),
    /// What an administrator sees of this.
    Admin(Subject),
    /// Jobs against time.
    Gantt(GanttWindow),
}

/// What it gets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Picture {
    /// For [`Ask::Priority`].
    Priority(PriorityPicture),
    /// For [`Ask::Shares`].
    Shares(SharesPicture),
    /// For [`Ask::Graph`].
    Graph(GraphPicture),
    /// For [`Ask::Charts`].
    Charts(ChartsPicture),
    /// For [`Ask::Preempt`].
    Preempt(PreemptPicture),
    /// For [`Ask::Account`].
    Account(AccountPicture),
    /// For [`Ask::Admin`].
    Admin(AdminPicture),
    /// For [`Ask::Gantt`].
    Gantt(GanttPicture),
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

    /// The timeline, if it is that.
    #[must_use]
    pub const fn gantt(&self) -> Option<&GanttPicture> {
        if let Self::Gantt(picture) = self { Some(picture) } else { None }
    }

    /// Dependencies, if it is that.
    #[must_use]
    pub const fn graph(&self) -> Option<&GraphPicture> {
        if let Self::Graph(picture) = self { Some(picture) } else { None }
    }

    /// Series, if it is that.
    #[must_use]
    pub const fn charts(&self) -> Option<&ChartsPicture> {
        if let Self::Charts(picture) = self { Some(picture) } else { None }
    }

    /// Preemptions, if it is that.
    #[must_use]
    pub const fn preempt(&self) -> Option<&PreemptPicture> {
        if let Self::Preempt(picture) = self { Some(picture) } else { None }
    }

    /// Ended jobs, if it is that.
    #[must_use]
    pub const fn account(&self) -> Option<&AccountPicture> {
        if let Self::Account(picture) = self { Some(picture) } else { None }
    }

    /// How things stand for an administrator, if it is that.
    #[must_use]
    pub const fn admin(&self) -> Option<&AdminPicture> {
        if let Self::Admin(picture) = self { Some(picture) } else { None }
    }
}
