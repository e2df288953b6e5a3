//! The state of the whole page: what every component may use, and the signals of each feature. Only modules that put
//! features together use it; a feature gets its own signals.

use crate::clock::ChosenPace;
use crate::cluster::NodeCells;
use crate::found_jobs::FoundJobs;
use crate::job::Inspected;
use crate::page::{Page, Selection};
use crate::panels::{self, PanelState};
use crate::progress::LessonState;
use crate::workspace::DrawStage;
use leptos::prelude::*;
use protocol::{ClusterLoad, QueueRows, Subscription, TimeLine, ToEngine};

/// The signals of the whole page. Copying it is cheap.
#[derive(Clone, Copy)]
pub struct AppState {
    pub page: Page,
    /// The jobs that the finder found.
    pub found: FoundJobs,
    /// The sites to choose from.
    pub sites: RwSignal<Vec<String>>,
    pub pace: ChosenPace,
    pub nodes: NodeCells,
    pub inspected: Inspected,
    pub panels: PanelState,
    /// The timeline, from the session's start to the last planned event.
    pub line: RwSignal<Option<Box<TimeLine>>>,
    /// The cluster's load over the last day.
    pub load: RwSignal<Option<Box<ClusterLoad>>>,
}

impl AppState {
    /// The state before the engine has started.
    pub fn new() -> Self {
        Self {
            page: Page::new(),
            found: FoundJobs::new(),
            sites: RwSignal::new(Vec::new()),
            pace: ChosenPace::new(),
            nodes: NodeCells::new(),
            inspected: Inspected::new(),
            panels: PanelState::new(),
            line: RwSignal::new(None),
            load: RwSignal::new(None),
        }
    }

    /// The visible queue entries.
    pub fn queue(self) -> RwSignal<QueueRows> {
        self.panels.queue.rows
    }

    /// The open lesson.
    pub fn lesson(self) -> LessonState {
        self.panels.lesson
    }

    /// What is visible, for the engine. Reads signals: run it in an effect.
    pub fn subscription(self) -> ToEngine {
        let (job, node) = match self.page.selection.get() {
            Selection::None => (None, None),
            Selection::Job(id) => (Some(id), None),
            Selection::Node(index) => (None, Some(index)),
        };
        ToEngine::Subscribe(Subscription {
            cluster: true,
            queue: panels::queue_window(self.page, self.panels),
            own: panels::own_window(self.page),
            job,
            node,
            panel: panels::ask(self.page, self.panels),
            line: Some(self.page.user.get()),
            // It needs the engine's deferred module, so it waits for the page's.
            load: self.page.workspace.stage.get() >= DrawStage::Controls,
        })
    }
}
