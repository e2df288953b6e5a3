//! The requests of the open panel and the engine's answers. Each panel that needs more than every frame contains has a
//! variant of [`PanelRequest`] and of [`PanelAnswer`], and a module for its types.

mod account;
mod admin;
mod charts;
mod gantt;
mod graph;
mod preempt;
mod priority;
mod shares;

pub use account::{AccountPicture, AccountRow};
pub use admin::{AdminNames, AdminPicture, AdminSubject, NodeKind};
pub use charts::{ChartsPicture, ChartsWindow, UseRow, WaitRow};
pub use gantt::{BarKind, GanttBar, GanttFrame, GanttPicture, GanttWindow};
pub use graph::{ArrayRow, EdgeState, GraphEdge, GraphJob, GraphPicture};
pub use preempt::{PreemptJob, PreemptPicture, PreemptRow};
pub use priority::{HeldJob, PriorityFactor, PriorityPicture, PriorityRow, Weight};
pub use shares::{ShareRow, SharesHypothesis, SharesPicture};

use serde::{Deserialize, Serialize};

/// What a panel asks for with each frame while it is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PanelRequest {
    /// Pending jobs with their priority factors.
    Priority,
    /// The fair-share tree, as it is or under a hypothesis.
    Shares(SharesHypothesis),
    /// Dependencies and arrays, with the tasks of this array.
    Graph(Option<u32>),
    /// The cluster over time.
    Charts(ChartsWindow),
    /// Which jobs preempted which.
    Preempt,
    /// Jobs that have ended and match this text.
    Account(String),
    /// The current state of a subject, for administration.
    Admin(AdminSubject),
    /// Jobs over time.
    Gantt(GanttWindow),
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PanelAnswer {
    /// For [`PanelRequest::Priority`].
    Priority(PriorityPicture),
    /// For [`PanelRequest::Shares`].
    Shares(SharesPicture),
    /// For [`PanelRequest::Graph`].
    Graph(GraphPicture),
    /// For [`PanelRequest::Charts`].
    Charts(ChartsPicture),
    /// For [`PanelRequest::Preempt`].
    Preempt(PreemptPicture),
    /// For [`PanelRequest::Account`].
    Account(AccountPicture),
    /// For [`PanelRequest::Admin`].
    Admin(AdminPicture),
    /// For [`PanelRequest::Gantt`].
    Gantt(GanttPicture),
}

impl PanelAnswer {
    /// The priorities, if the answer has them.
    #[must_use]
    pub const fn priority(&self) -> Option<&PriorityPicture> {
        if let Self::Priority(picture) = self { Some(picture) } else { None }
    }

    /// The shares, if the answer has them.
    #[must_use]
    pub const fn shares(&self) -> Option<&SharesPicture> {
        if let Self::Shares(picture) = self { Some(picture) } else { None }
    }

    /// The timeline, if the answer has it.
    #[must_use]
    pub const fn gantt(&self) -> Option<&GanttPicture> {
        if let Self::Gantt(picture) = self { Some(picture) } else { None }
    }

    /// The dependencies, if the answer has them.
    #[must_use]
    pub const fn graph(&self) -> Option<&GraphPicture> {
        if let Self::Graph(picture) = self { Some(picture) } else { None }
    }

    /// The time series, if the answer has them.
    #[must_use]
    pub const fn charts(&self) -> Option<&ChartsPicture> {
        if let Self::Charts(picture) = self { Some(picture) } else { None }
    }

    /// The preemptions, if the answer has them.
    #[must_use]
    pub const fn preempt(&self) -> Option<&PreemptPicture> {
        if let Self::Preempt(picture) = self { Some(picture) } else { None }
    }

    /// The finished jobs, if the answer has them.
    #[must_use]
    pub const fn account(&self) -> Option<&AccountPicture> {
        if let Self::Account(picture) = self { Some(picture) } else { None }
    }

    /// The state of an administration subject, if the answer has it.
    #[must_use]
    pub const fn admin(&self) -> Option<&AdminPicture> {
        if let Self::Admin(picture) = self { Some(picture) } else { None }
    }
}
