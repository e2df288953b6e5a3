//! The panels at the lower right, as tabs. [`PANELS`] is their table. `CONTRIBUTING.md` lists the files that a
//! new panel needs.

mod account;
mod admin;
mod charts;
mod compare;
mod gantt;
mod graph;
mod linked;
mod preempt;
mod priority;
mod queue;
mod shares;

use crate::follow::{flag, string};
use crate::i18n::Words;
use crate::page::Page;
use crate::progress::LessonState;
use crate::resize::on_resize;
use crate::workspace::{DrawStage, Zone};
use crate::{layout, lesson};
pub use compare::ComparisonLink;
use leptos::html::Div;
use leptos::prelude::*;
use protocol::{AdminSubject, GanttWindow, PanelAnswer, PanelRequest, QueueWindow, SharesHypothesis};
pub use queue::{QueueSignals, state_word};
use view::charts::ChartKind;

/// The signals of the panels: what the engine answered, and what each panel asks for.
#[derive(Clone, Copy)]
pub struct PanelState {
    /// The engine's answer for the open panel.
    pub picture: RwSignal<Option<Box<PanelAnswer>>>,
    pub queue: QueueSignals,
    pub lesson: LessonState,
    /// The visible part of the timeline, which the time line selects, too.
    pub gantt: RwSignal<GanttWindow>,
    /// Shares and half-life that are tried out.
    shares: RwSignal<SharesHypothesis>,
    /// The array whose tasks are shown; none: the newest.
    graph: RwSignal<Option<u32>>,
    /// The chart that is shown.
    chart: RwSignal<ChartKind>,
    /// Seconds that the charts show; 0: all.
    charts: RwSignal<u32>,
    /// The filter of the accounting panel.
    account: RwSignal<String>,
    /// What the administrator looks at.
    admin: RwSignal<AdminSubject>,
    /// The comparison of policies.
    compare: compare::CompareState,
}

impl PanelState {
    /// The state at a first visit.
    pub fn new() -> Self {
        Self {
            picture: RwSignal::new(None),
            queue: QueueSignals::new(),
            lesson: LessonState::new(),
            gantt: RwSignal::new(view::gantt::first_window()),
            shares: RwSignal::new(SharesHypothesis::default()),
            graph: RwSignal::new(None),
            chart: RwSignal::new(ChartKind::Use),
            charts: RwSignal::new(charts::FIRST_SPAN),
            account: RwSignal::new(String::new()),
            admin: RwSignal::new(AdminSubject::Nodes),
            compare: compare::CompareState::new(),
        }
    }
}

/// A row of the table of panels.
pub struct PanelKind {
    /// Its name in test ids, styles and modules.
    pub name: &'static str,
    pub word: fn(&'static Words) -> &'static str,
    /// A shorter word for the tab, so that all tabs fit in one line.
    tab: fn(&'static Words) -> &'static str,
    /// Whether the first download draws it. The others are in the deferred module: their `draw` is listed in
    /// `xtask/src/halves`.
    at_once: bool,
    draw: fn(Page, PanelState) -> AnyView,
    /// The request to the engine while it is open. Reads signals.
    ask: fn(PanelState) -> Option<PanelRequest>,
}

/// The panels, in the order of their tabs.
pub const PANELS: [PanelKind; 11] = [
    PanelKind {
        name: "queue",
        word: |w| w.queue,
        tab: |w| w.tab_queue,
        at_once: true,
        draw: |page, state| queue::draw(page, state.queue),
        ask: |_| None,
    },
    PanelKind {
        name: "timeline",
        word: |w| w.timeline,
        tab: |w| w.timeline,
        at_once: false,
        draw: |page, state| gantt::draw(page, state.picture, state.gantt),
        ask: |state| Some(PanelRequest::Gantt(state.gantt.get())),
    },
    PanelKind {
        name: "priority",
        word: |w| w.priority,
        tab: |w| w.priority,
        at_once: false,
        draw: |page, state| priority::draw(page, state.picture),
        ask: |_| Some(PanelRequest::Priority),
    },
    PanelKind {
        name: "shares",
        word: |w| w.shares,
        tab: |w| w.shares,
        at_once: false,
        draw: |page, state| shares::draw(page, state.picture, state.shares),
        ask: |state| Some(PanelRequest::Shares(state.shares.get())),
    },
    PanelKind {
        name: "graph",
        word: |w| w.graph,
        tab: |w| w.tab_graph,
        at_once: false,
        draw: |page, state| graph::draw(page, state.picture, state.graph),
        ask: |state| Some(PanelRequest::Graph(state.graph.get())),
    },
    PanelKind {
        name: "charts",
        word: |w| w.charts,
        tab: |w| w.charts,
        at_once: false,
        draw: |page, state| charts::draw(page, state),
        ask: |state| Some(PanelRequest::Charts(charts::window(state))),
    },
    PanelKind {
        name: "preempt",
        word: |w| w.preempt,
        tab: |w| w.preempt,
        at_once: false,
        draw: |page, state| preempt::draw(page, state.picture, state.admin),
        ask: |_| Some(PanelRequest::Preempt),
    },
    PanelKind {
        name: "account",
        word: |w| w.accounting,
        tab: |w| w.accounting,
        at_once: false,
        draw: |page, state| account::draw(page, state.picture, state.account),
        ask: |state| Some(PanelRequest::Account(state.account.get())),
    },
    PanelKind {
        name: "admin",
        word: |w| w.admin,
        tab: |w| w.tab_admin,
        at_once: false,
        draw: |page, state| admin::draw(page, state.picture, state.admin),
        ask: |state| Some(PanelRequest::Admin(state.admin.get())),
    },
    PanelKind {
        name: "learn",
        word: |w| w.learn,
        tab: |w| w.learn,
        at_once: false,
        draw: |page, state| lesson::draw(page, state.lesson),
        ask: |_| None,
    },
    PanelKind {
        name: "compare",
        word: |w| w.compare,
        tab: |w| w.tab_compare,
        at_once: false,
        draw: |page, state| compare::draw(page, state.compare),
        ask: |_| None,
    },
];

/// The entry of a panel.
fn kind(name: &str) -> Option<&'static PanelKind> {
    PANELS.iter().find(|kind| kind.name == name)
}

/// The open panel's request. Reads signals.
pub fn ask(page: Page, state: PanelState) -> Option<PanelRequest> {
    kind(page.workspace.panel.get()).and_then(|kind| (kind.ask)(state))
}

/// The visible queue entries, while the queue is the open panel. Reads signals.
pub fn queue_window(page: Page, state: PanelState) -> Option<QueueWindow> {
    (page.workspace.panel.get() == "queue").then(|| state.queue.window.get())
}

/// The current user's own jobs, while the queue is the open panel. Reads signals.
pub fn own_window(page: Page) -> Option<QueueWindow> {
    let user = page.user.get();
    (page.workspace.panel.get() == "queue" && !user.is_empty()).then(|| view::queue::own_window(user))
}

/// The tabs and the open panel.
#[component]
pub fn PanelZone(page: Page, state: PanelState) -> impl IntoView {
    let open = Memo::new(move |_| page.workspace.panel.get());
    let tab = move |at: usize| {
        let PanelKind { name, tab, .. } = PANELS[at];
        view! {
            <button role="tab" id=format!("tab-{name}") data-testid=format!("tab-{name}") aria-controls="open-panel"
                aria-selected=string(move || (open.get() == name).to_string())
                tabindex=string(move || if open.get() == name { "0" } else { "-1" }.to_owned())
                on:click=move |_| page.show_panel(name)
                on:keydown=move |e| move_focus(&e, at)>
                {page.say(tab)}
            </button>
        }
    };
    let others = page.drawn(DrawStage::Panels);
    let drawn = move || {
        let open = open.get();
        kind(open).filter(|kind| kind.at_once || others.get()).map(|kind| (kind.draw)(page, state))
    };
    let labelled_by = string(move || format!("tab-{}", open.get()));
    // Keeps the open tab visible, no matter how it was opened or how narrow the strip becomes.
    let strip = NodeRef::<Div>::new();
    let in_sight = move |open: &str| reveal(&format!("tab-{open}"));
    Effect::new(move |before: Option<()>| {
        let open = open.get();
        // The first time, only the strip's size matters; see below.
        if before.is_some() {
            in_sight(open);
        }
    });
    on_resize(strip, move || in_sight(open.get_untracked()));
    let row = move |kind: &'static PanelKind| {
        view! { <option value=kind.name selected=flag(move || open.get() == kind.name)>{page.say(kind.word)}</option> }
    };
    let choose = move |event| {
        let name = event_target_value(&event);
        if let Some(kind) = kind(&name) {
            page.show_panel(kind.name);
        }
    };
    view! {
        <section class="zone panels">
            <div class="strips">
                <div class="tabs strip" node_ref=strip role="tablist" aria-label=page.say(|w| w.panels)>
                    {(0..PANELS.len()).map(tab).collect::<Vec<_>>()}
                </div>
                <select class="all" data-testid="all-panels" aria-label=page.say(|w| w.panels) title=page.say(|w| w.panels)
                    on:change=choose>{PANELS.iter().map(row).collect::<Vec<_>>()}</select>
                {move || others.get().then(|| {
                    linked::follow(page, state);
                    layout::full(page, Zone::Panels)
                })}
            </div>
            <div class="open" id="open-panel" role="tabpanel" aria-labelledby=labelled_by>{drawn}</div>
        </section>
    }
}

/// Scrolls the strip of tabs until this one is in its middle.
fn reveal(id: &str) {
    use wasm_bindgen::JsCast as _;
    let tab = document().get_element_by_id(id).and_then(|tab| tab.dyn_into::<web_sys::HtmlElement>().ok());
    if let Some(tab) = tab
        && let Some(strip) = tab.parent_element()
    {
        strip.set_scroll_left(tab.offset_left() + tab.offset_width() / 2 - strip.client_width() / 2);
    }
}

/// Arrow keys move from tab to tab and wrap around, as in the tab pattern of the ARIA practices.
fn move_focus(event: &web_sys::KeyboardEvent, at: usize) {
    let last = PANELS.len() - 1;
    let to = match event.key().as_str() {
        "ArrowRight" => (at + 1) % PANELS.len(),
        "ArrowLeft" => at.checked_sub(1).unwrap_or(last),
        "Home" => 0,
        "End" => last,
        _ => return,
    };
    event.prevent_default();
    let id = format!("tab-{}", PANELS[to].name);
    if let Some(element) = document().get_element_by_id(&id) {
        use wasm_bindgen::JsCast as _;
        if let Some(button) = element.dyn_ref::<web_sys::HtmlElement>() {
            // If that fails, the focus stays where it is.
            let _ = button.focus();
            button.click();
        }
    }
}
