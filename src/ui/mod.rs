//! The page, in Leptos: one folder for each panel. It knows `protocol`, `view` and `base`, nothing else.
//!
//! Signals hold what is drawn ([`state::Page`]); what is not drawn (line editors, the worker, what a restart needs)
//! lives beside them in thread-locals of the module that owns it. There is one page in a tab.

mod account;
mod admin;
mod arrows;
mod bring;
mod canvas;
mod charts;
mod clock;
mod cluster;
mod command;
mod composer;
mod editor;
mod embed;
mod figure;
mod files;
mod finder;
mod fingers;
mod floating;
mod follow;
mod gantt;
mod graph;
mod head;
mod i18n;
mod job;
mod js;
mod layout;
mod lesson;
mod modal;
mod notices;
mod panels;
mod preempt;
mod priority;
mod queue;
mod results;
mod rich;
mod save;
mod session;
mod share;
mod shares;
mod state;
mod steps;
mod storage;
mod terminal;
mod tour;
mod travel;
mod turn;
mod worker_link;
mod zones;

use crate::protocol::ToEngine;
use crate::view::layout::Split;
use follow::string;
use leptos::html::Div;
use leptos::prelude::*;
use state::{Page, Turn, Zone};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use turn::InTurn;
use wasm_bindgen::prelude::*;

/// Puts the page into the document.
pub fn start() {
    std::panic::set_hook(Box::new(|info| web_sys::console::error_1(&info.to_string().into())));
    // www/begin.js saw to it that what stands in index.html was painted.
    turn::soon(|| {
        mount_to_body(App);
        // index.html shows it until now.
        if let Some(dawn) = document().query_selector(".dawn").ok().flatten() {
            dawn.remove();
        }
    });
}

#[component]
fn App() -> impl IntoView {
    let page = Page::new();
    follow_settings(page);
    session::open(page);
    leptos::task::spawn_local(async move {
        if let Ok(names) = js::site_names().await {
            page.sites.set(js_sys::Array::from(&names).iter().filter_map(|n| n.as_string()).collect());
        }
    });
    turn::draw_first(page);
    Effect::new(move || worker_link::send(&page.subscription()));
    // Behind the first prompt, so that nothing there has to wait for it.
    Effect::new(move || {
        if page.prompted.get() {
            crate::later::fetch(move || turn::draw_later(page));
        }
    });
    // Each engine that is started hears it.
    let drawn = page.drawn(Turn::Dialogs);
    Effect::new(move || {
        if drawn.get() && page.started.with(Option::is_some) {
            worker_link::send(&ToEngine::Drawn);
        }
    });
    keep_going(page);
    embed::follow(page);
    let zone = move || match page.zone.get() {
        Zone::Write => "write",
        Zone::Type => "type",
        Zone::See => "see",
        Zone::Queue => "queue",
    };
    view! {
        <div class="page" data-zone=Signal::derive(zone) style=string(move || page.layout.get().style())
            data-past=string(move || page.clock.get().past.to_string())
            data-full=Signal::derive(move || page.maximised.get().map_or("", state::Part::name))
            on:focusin=move |e| layout::entered(page, &e)>
            <head::Head page />
            <notices::Notices page />
            <steps::Steps page />
            <main><InTurn page turn=Turn::Zones place=""><Zones page /></InTurn></main>
            <InTurn page turn=Turn::Time place="travel">{travel::draw(page)}</InTurn>
            <ZoneBar page />
            <InTurn page turn=Turn::Dialogs place=""><floating::Floating page /></InTurn>
        </div>
    }
}

/// Where the zones are, and the lines between them.
#[component]
fn Zones(page: Page) -> impl IntoView {
    command::follow(page);
    lesson::follow(page);
    floating::follow(page);
    bring::follow(page);
    view! {
        <div class="left">
            <InTurn page turn=Turn::Editor place="zone editor">{editor::draw(page)}</InTurn>
            <layout::Splitter page split=Split::Left />
            <InTurn page turn=Turn::Terminal place="zone terminal"><terminal::TerminalZone page /></InTurn>
        </div>
        <layout::Splitter page split=Split::Columns />
        <div class="right">
            <InTurn page turn=Turn::Cluster place="zone cluster"><cluster::ClusterZone page /></InTurn>
            <layout::Splitter page split=Split::Right />
            <div class="lower">
                <InTurn page turn=Turn::Queue place="zone panels"><panels::Panels page /></InTurn>
                <layout::Splitter page split=Split::Lower />
                <job::Inspector page />
            </div>
        </div>
    }
}

/// On a narrow screen: which zone is seen.
#[component]
fn ZoneBar(page: Page) -> impl IntoView {
    let button = move |zone: Zone, id: &'static str, word: fn(&'static i18n::Words) -> &'static str| {
        view! {
            <button data-testid=id aria-pressed=string(move || (page.zone.get() == zone).to_string())
                on:click=move |_| page.zone.set(zone)>{page.say(word)}</button>
        }
    };
    view! {
        <nav class="zones" aria-label=page.say(|w| w.zones)>
            {button(Zone::Write, "zone-write", |w| w.write)}
            {button(Zone::Type, "zone-type", |w| w.type_)}
            {button(Zone::See, "zone-see", |w| w.see)}
            {button(Zone::Queue, "zone-queue", |w| w.tab_queue)}
        </nav>
    }
}

/// Theme and language of the document follow the settings, the theme also the system.
fn follow_settings(page: Page) {
    let Some(window) = web_sys::window() else { return };
    let system = window.match_media("(prefers-color-scheme: dark)").ok().flatten();
    let system_dark = RwSignal::new(system.as_ref().is_some_and(web_sys::MediaQueryList::matches));
    if let Some(query) = system {
        let changed = Closure::<dyn FnMut(web_sys::Event)>::new({
            let query = query.clone();
            move |_| system_dark.set(query.matches())
        });
        // Without this the page follows the system only at the next load.
        let _ = query.add_event_listener_with_callback("change", changed.into_js_value().unchecked_ref());
    }
    let root = move || web_sys::window().and_then(|w| w.document()).and_then(|d| d.document_element());
    Effect::new(move || {
        let theme = page.theme.get();
        let dark = match theme {
            state::Theme::Auto => system_dark.get(),
            state::Theme::Light => false,
            state::Theme::Dark => true,
        };
        if let Some(root) = root() {
            // Setting an attribute of a fixed name cannot fail.
            let _ = root.set_attribute("data-theme", if dark { "dark" } else { "light" });
        }
        page.dark.set(dark);
    });
    Effect::new(move || {
        if let Some(root) = root() {
            let _ = root.toggle_attribute_with_force("data-projector", page.projector.get());
        }
    });
    Effect::new(move || {
        if let Some(root) = root() {
            let _ = root.set_attribute("lang", page.lang.get().code());
        }
    });
    Effect::new(move || {
        page.dark.track();
        page.projector.track();
        page.screen_reader.track();
        page.lang.track();
        // The style sheet's tokens have changed when the browser draws next.
        request_animation_frame(move || terminal::set_themes(page));
    });
    Effect::new(move || {
        page.user.track();
        page.terminals.track();
        page.front.track();
        terminal::refresh(page);
        if let Some(tty) = page.tty() {
            terminal::focus(tty);
        }
    });
    // Who comes from another moment finds its terminals in the size of today's windows.
    let past = Memo::new(move |_| page.clock.get().past);
    Effect::new(move || {
        if !past.get() {
            terminal::tell_sizes();
        }
    });
    Effect::new(move || {
        if page.prompts.get() > 0 {
            editor::reread(page);
        }
    });
}

/// Once for each drawn frame: the worker's ticks. Before the page goes away: what is kept.
fn keep_going(page: Page) {
    fn again(page: Page, last: f64) {
        request_animation_frame(move || {
            let now = worker_link::now();
            // A tab that was hidden does not catch up: at most a tenth of a second at once.
            let elapsed = (now - last).clamp(0.0, 100.0).round();
            worker_link::animation_frame(page, elapsed as u32);
            terminal::typing_stops(page);
            again(page, now);
        });
    }
    again(page, worker_link::now());
    let leaving = window_event_listener(leptos::ev::pagehide, move |_| session::keep(page));
    std::mem::forget(leaving);
}

/// Calls back when an element has another size, and once when it is there; not after its panel is gone.
fn on_resize(element: NodeRef<Div>, changed: impl Fn() + Copy + 'static) {
    let gone = Arc::new(AtomicBool::new(false));
    on_cleanup({
        let gone = Arc::clone(&gone);
        move || gone.store(true, Relaxed)
    });
    Effect::new(move || {
        // The browser calls back once when it lays out the page anyway.
        let Some(target) = element.get() else { return };
        let gone = Arc::clone(&gone);
        let callback = Closure::<dyn FnMut()>::new(move || {
            let gone = Arc::clone(&gone);
            request_animation_frame(move || {
                if !gone.load(Relaxed) {
                    changed();
                }
            });
        });
        if let Ok(observer) = web_sys::ResizeObserver::new(callback.into_js_value().unchecked_ref()) {
            observer.observe(&target);
        }
    });
}
