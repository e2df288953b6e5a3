//! What the page is made of: its zones, the parts that can have all of it, and the pieces in which it is drawn.

/// The zone that a narrow screen shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zone {
    /// The editor.
    Write,
    /// The terminal.
    #[default]
    Type,
    /// The cluster.
    See,
    /// The queue.
    Queue,
}

/// A part of the page that a person can be in, and that can have all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The editor.
    Editor,
    /// The terminal.
    Terminal,
    /// The cluster.
    Cluster,
    /// The panels of the lower right.
    Panels,
}

impl Part {
    /// Its class in the style sheet.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Editor => "editor",
            Self::Terminal => "terminal",
            Self::Cluster => "cluster",
            Self::Panels => "panels",
        }
    }
}

/// The pieces in which the page is drawn, in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Turn {
    /// Where everything will be.
    #[default]
    Frame,
    /// Where the zones will be, and the lines between them.
    Zones,
    /// The settings: what stands before them goes as far as they leave room.
    Settings,
    /// Whose cluster it is, who types, and the clock.
    Clock,
    /// The nodes.
    Cluster,
    /// The terminal without its library.
    Terminal,
    /// The queue and the tabs beside it.
    Queue,
    /// The files, and the editor without its library: the first piece of the page's later half.
    Editor,
    /// The time line.
    Time,
    /// How the cluster is shown.
    Controls,
    /// The other panels, and the inspector.
    Panels,
    /// What floats over the page.
    Dialogs,
}
