//! The layout of the page: its four zones, the visible one, and the progress of drawing.

use crate::storage;
use leptos::prelude::*;
use view::layout::PageLayout;

/// A zone of the page. A narrow screen shows one at a time, and each can fill the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zone {
    /// Files and the editor.
    Editor,
    /// The terminals.
    #[default]
    Terminal,
    /// The nodes.
    Cluster,
    /// The panels of the lower right: the queue and the tabs beside it.
    Panels,
}

/// All zones.
pub const ZONES: [Zone; 4] = [Zone::Editor, Zone::Terminal, Zone::Cluster, Zone::Panels];

impl Zone {
    /// Its class in the style sheet.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Editor => "editor",
            Self::Terminal => "terminal",
            Self::Cluster => "cluster",
            Self::Panels => "panels",
        }
    }

    /// Its name in the page's `data-zone`, which the style sheet of narrow screens reads.
    pub const fn narrow_name(self) -> &'static str {
        match self {
            Self::Editor => "write",
            Self::Terminal => "type",
            Self::Cluster => "see",
            Self::Panels => "queue",
        }
    }
}

/// The progress of drawing the page. Each stage is a task of its own; the variants are in drawing order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum DrawStage {
    /// The page's outline.
    #[default]
    Frame,
    /// The positions of the zones and the splitters between them.
    Zones,
    /// The settings. The clock is left of them and uses the remaining width.
    Settings,
    /// The site, the user and the clock.
    Clock,
    /// The nodes.
    Cluster,
    /// The terminal, without xterm.js.
    Terminal,
    /// The queue and the tabs beside it.
    Queue,
    /// The files and the editor without CodeMirror: the first stage in the deferred module.
    Editor,
    /// The time line.
    Time,
    /// The controls of the cluster.
    Controls,
    /// The other panels and the inspector.
    Panels,
    /// The dialogs.
    Dialogs,
}

/// The layout of the page, as signals.
#[derive(Clone, Copy)]
pub struct Workspace {
    /// The zone that a narrow screen shows.
    pub zone: RwSignal<Zone>,
    /// The zone that had the focus last.
    pub focused: RwSignal<Zone>,
    /// The zone that fills the page.
    pub maximised: RwSignal<Option<Zone>>,
    /// The positions of the splitters.
    pub layout: RwSignal<PageLayout>,
    /// The panel that is open, by its name in the table of panels.
    pub panel: RwSignal<&'static str>,
    /// The stage that was drawn last.
    pub stage: RwSignal<DrawStage>,
}

impl Workspace {
    /// A layout with the splitters of the last visit.
    pub fn new() -> Self {
        let layout = storage::get("layout").map(|text| PageLayout::from_text(&text)).unwrap_or_default();
        Self {
            zone: RwSignal::new(Zone::default()),
            focused: RwSignal::new(Zone::default()),
            maximised: RwSignal::new(None),
            layout: RwSignal::new(layout),
            panel: RwSignal::new("queue"),
            stage: RwSignal::new(DrawStage::default()),
        }
    }

    /// Whether a stage is drawn, or may be.
    pub fn drawn(self, stage: DrawStage) -> Memo<bool> {
        Memo::new(move |_| self.stage.get() >= stage)
    }
}
