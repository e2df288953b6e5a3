//! The panels of the lower right: tabs, of which one is open. A new panel is a variant of [`Panel`], a row of [`PANELS`],
//! and, when it shows what not every frame has, an [`Ask`].

use super::i18n::Words;
use super::state::{Page, Part, Selection, Turn};
use super::{account, admin, charts, gantt, graph, layout, lesson, preempt, priority, queue, shares};
use crate::protocol::Ask;
use crate::ui::follow::{flag, string};
use leptos::html::Div;
use leptos::prelude::*;

/// A panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Panel {
    /// The queue's table.
    #[default]
    Queue,
    /// Jobs against time.
    Timeline,
    /// What priorities are made of.
    Priority,
    /// Who has used what of their share.
    Shares,
    /// What waits for what, and arrays.
    Graph,
    /// The cluster over time.
    Charts,
    /// Who pushed whom out.
    Preempt,
    /// Jobs that have ended.
    Account,
    /// What an administrator changes.
    Admin,
    /// The course, or the lesson that is open.
    Learn,
}

/// A row of the table of panels.
struct Kind {
    panel: Panel,
    /// In test ids and styles.
    name: &'static str,
    word: fn(&'static Words) -> &'static str,
    /// As short as a tab has to be for all of them to stand in one row.
    tab: fn(&'static Words) -> &'static str,
    draw: fn(Page) -> AnyView,
    /// What it asks the engine for while it is open. Reads signals.
    ask: fn(Page) -> Option<Ask>,
}

/// In the order of the tabs.
const PANELS: [Kind; 10] = [
    Kind {
        panel: Panel::Queue,
        name: "queue",
        word: |w| w.queue,
        tab: |w| w.tab_queue,
        draw: |page| queue::QueueZone(queue::QueueZoneProps { page }).into_any(),
        ask: |_| None,
    },
    Kind {
        panel: Panel::Timeline,
        name: "timeline",
        word: |w| w.timeline,
        tab: |w| w.timeline,
        draw: gantt::draw,
        ask: |page| Some(Ask::Gantt(page.gantt.get())),
    },
    Kind {
        panel: Panel::Priority,
        name: "priority",
        word: |w| w.priority,
        tab: |w| w.priority,
        draw: priority::draw,
        ask: |_| Some(Ask::Priority),
    },
    Kind {
        panel: Panel::Shares,
        name: "shares",
        word: |w| w.shares,
        tab: |w| w.shares,
        draw: shares::draw,
        ask: |page| Some(Ask::Shares(page.supposed.get())),
    },
    Kind {
        panel: Panel::Graph,
        name: "graph",
        word: |w| w.graph,
        tab: |w| w.graph,
        draw: graph::draw,
        ask: |page| Some(Ask::Graph(page.array.get())),
    },
    Kind {
        panel: Panel::Charts,
        name: "charts",
        word: |w| w.charts,
        tab: |w| w.charts,
        draw: charts::draw,
        ask: |page| Some(Ask::Charts(page.charted.get())),
    },
    Kind {
        panel: Panel::Preempt,
        name: "preempt",
        word: |w| w.preempt,
        tab: |w| w.preempt,
        draw: preempt::draw,
        ask: |_| Some(Ask::Preempt),
    },
    Kind {
        panel: Panel::Account,
        name: "account",
        word: |w| w.accounting,
        tab: |w| w.accounting,
        draw: account::draw,
        ask: |page| Some(Ask::Account(page.looked_up.get())),
    },
    Kind {
        panel: Panel::Admin,
        name: "admin",
        word: |w| w.admin,
        tab: |w| w.tab_admin,
        draw: admin::draw,
        ask: |page| Some(Ask::Admin(page.administered.get())),
    },
    Kind {
        panel: Panel::Learn,
        name: "learn",
        word: |w| w.learn,
        tab: |w| w.learn,
        draw: lesson::draw,
        ask: |_| None,
    },
];

/// The panels by name, in the order of their tabs.
pub fn names() -> impl Iterator<Item = (Panel, fn(&'static Words) -> &'static str)> {
    PANELS.iter().map(|kind| (kind.panel, kind.word))
}

/// Brings a panel to the front: what lies over it on a narrow screen goes.
pub fn show(page: Page, panel: Panel) {
    page.panel.set(panel);
    let narrow = web_sys::window().and_then(|w| w.match_media("(max-width: 1180px)").ok().flatten());
    if narrow.is_some_and(|query| query.matches()) {
        page.selection.set(Selection::None);
    }
}

/// What the open panel asks for. Reads signals.
pub fn ask(page: Page) -> Option<Ask> {
    let open = page.panel.get();
    PANELS.iter().find(|kind| kind.panel == open).and_then(|kind| (kind.ask)(page))
}

/// The tabs, and the panel that is open.
#[component]
pub fn Panels(page: Page) -> impl IntoView {
    let open = Memo::new(move |_| page.panel.get());
    let tab = move |at: usize| {
        let Kind { panel, name, tab, .. } = PANELS[at];
        view! {
            <button role="tab" id=format!("tab-{name}") data-testid=format!("tab-{name}") aria-controls="open-panel"
                aria-selected=string(move || (open.get() == panel).to_string())
                tabindex=string(move || if open.get() == panel { "0" } else { "-1" }.to_owned())
                on:click=move |_| show(page, panel)
                on:keydown=move |e| move_focus(&e, at)>
                {page.say(tab)}
            </button>
        }
    };
    let others = page.drawn(Turn::Panels);
    let drawn = move || {
        let open = open.get();
        // The queue is there at once, the others are in the page's later half.
        let there = open == Panel::Queue || others.get();
        PANELS.iter().find(|kind| there && kind.panel == open).map(|kind| (kind.draw)(page))
    };
    let named = string(move || {
        let open = open.get();
        PANELS.iter().find(|k| k.panel == open).map(|k| format!("tab-{}", k.name)).unwrap_or_default()
    });
    // The open one is in sight, however it was opened and however narrow the strip becomes.
    let strip = NodeRef::<Div>::new();
    let in_sight = move |open: Panel| {
        if let Some(kind) = PANELS.iter().find(|kind| kind.panel == open) {
            reveal(&format!("tab-{}", kind.name));
        }
    };
    Effect::new(move |before: Option<()>| {
        let open = open.get();
        // At first it is, once the strip has its size.
        if before.is_some() {
            in_sight(open);
        }
    });
    super::on_resize(strip, move || in_sight(open.get_untracked()));
    let row = move |kind: &'static Kind| {
        view! { <option value=kind.name selected=flag(move || open.get() == kind.panel)>{page.say(kind.word)}</option> }
    };
    let choose = move |event| {
        let name = event_target_value(&event);
        if let Some(kind) = PANELS.iter().find(|kind| kind.name == name) {
            show(page, kind.panel);
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
                {move || others.get().then(|| layout::full(page, Part::Panels))}
            </div>
            <div class="open" id="open-panel" role="tabpanel" aria-labelledby=named>{drawn}</div>
        </section>
    }
}

/// Moves the strip of tabs until this one is in its middle.
fn reveal(id: &str) {
    use wasm_bindgen::JsCast as _;
    let tab = document().get_element_by_id(id).and_then(|tab| tab.dyn_into::<web_sys::HtmlElement>().ok());
    if let Some(tab) = tab
        && let Some(strip) = tab.parent_element()
    {
        strip.set_scroll_left(tab.offset_left() + tab.offset_width() / 2 - strip.client_width() / 2);
    }
}

/// Arrow keys go from tab to tab, round the ends, as people with a keyboard expect of a list of tabs.
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
            // Focus that cannot be moved stays where it is.
            let _ = button.focus();
            button.click();
        }
    }
}
