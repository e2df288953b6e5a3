//! The page, in Leptos. Of the workspace, it uses only `protocol`, `view`, `base` and `deferred`.
//!
//! Its modules form layers. No module uses one of a higher layer:
//!
//! 1. `i18n`, `crash`, `js`, `location`, `database`, `fetch`, `storage`, `workspace`, `preferences`, `notices`, `dialogs`, `terminal_state`, `class_state`: signals, and the browser.
//! 2. `page`: the signals that every component may use ([`page::Page`]).
//! 3. `worker_link`, `origin`, `progress`, `session`: the engine and the stored session.
//! 4. One module for each feature, which gets [`page::Page`] and its own signals.
//! 5. `panels`, `state`, `receive`, `finder`, `floating`, `menu`, `head`, and this file put the features together
//!    ([`state::AppState`]).
//!
//! Signals hold what is drawn. What is not drawn (line editors, the worker, the stored session) is in thread-locals of
//! the module that owns it: there is one page in a tab.

#![cfg(target_arch = "wasm32")]

mod arrows;
mod canvas;
mod class;
mod class_link;
mod class_state;
mod clock;
mod cluster;
mod combobox;
mod command;
mod composer;
mod crash;
mod database;
mod dialogs;
mod download;
mod editor;
mod embed;
mod fetch;
mod figure;
mod file_reader;
mod files;
mod filter;
mod finder;
mod floating;
mod follow;
mod found_jobs;
mod head;
mod i18n;
mod job;
mod js;
mod layout;
mod lesson;
mod linked;
mod location;
mod menu;
mod modal;
mod notice_list;
mod notices;
mod offline;
mod open_files;
mod origin;
mod page;
mod panels;
mod picker;
mod pinch;
mod preferences;
mod progress;
mod projector;
mod receive;
mod resize;
mod results;
mod rich;
mod save;
mod session;
mod share;
mod stages;
mod start_screen;
mod state;
mod steps;
mod storage;
mod tab_lock;
mod terminal;
mod terminal_state;
mod tour;
mod travel;
mod worker_link;
mod workspace;

use follow::string;
use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use page::Page;
use preferences::Theme;
use protocol::ToEngine;
use stages::AtStage;
use state::AppState;
use view::layout::Split;
use workspace::{DrawStage, Zone};

/// Milliseconds until the files for offline use are loaded, after those that the page needs now.
const FILES_LATER: u32 = 5_000;

/// Puts the page into the document.
pub fn start() {
    crash::watch(session::rescue);
    // www/begin.js has waited for index.html to be painted.
    stages::soon(|| {
        mount_to_body(Root);
        // index.html has shown this element until now.
        if let Some(dawn) = document().query_selector(".dawn").ok().flatten() {
            dawn.remove();
        }
    });
}

#[component]
fn Root() -> impl IntoView {
    let app = AppState::new();
    let page = app.page;
    follow_settings(page);
    receive::listen(app);
    session::open(page);
    if origin::class().is_some() {
        // There is no prompt before the class has given its seat, and asking for a name takes a dialog.
        deferred::fetch(move || {
            stages::draw_later(page);
            class::begin(page);
        });
    }
    // Asked before the first prompt, like the name in a class.
    Effect::new(move || {
        if page.dialogs.elsewhere.with(Option::is_some) {
            deferred::fetch(move || stages::draw_later(page));
        }
    });
    leptos::task::spawn_local(async move {
        app.sites.set(fetch::site_names(origin::is_embedded()).await);
    });
    stages::draw_first(page);
    Effect::new(move || worker_link::send(&app.subscription()));
    // After the first prompt, so nothing here delays it.
    Effect::new(move || {
        if page.terminals.prompted.get() {
            deferred::fetch(move || stages::draw_later(page));
        }
    });
    // Sent to every engine that starts.
    let drawn = page.drawn(DrawStage::Dialogs);
    Effect::new(move || {
        if drawn.get() && page.started.with(Option::is_some) {
            worker_link::send(&ToEngine::Drawn);
        }
    });
    keep_going(page);
    embed::follow(app);
    if !origin::is_embedded() {
        Timeout::new(FILES_LATER, move || offline::keep(page)).forget();
    }
    let zone = move || page.workspace.zone.get().narrow_name();
    view! {
        <div class="page" data-zone=Signal::derive(zone) style=string(move || page.workspace.layout.get().style())
            data-past=string(move || page.clock.get().past.to_string())
            data-full=Signal::derive(move || page.workspace.maximised.get().map_or("", Zone::name))
            on:focusin=move |e| layout::entered(page, &e)>
            <head::HeadBar app />
            <notice_list::NoticeList page restart=session::restart />
            <steps::FirstSteps app />
            <main><AtStage page stage=DrawStage::Zones class=""><Zones app /></AtStage></main>
            <AtStage page stage=DrawStage::Time class="travel">{travel::draw(page, app.line, app.panels.gantt)}</AtStage>
            <ZoneBar page />
            <AtStage page stage=DrawStage::Dialogs class=""><floating::Floating app /></AtStage>
        </div>
    }
}

/// The zones and the splitters between them.
#[component]
fn Zones(app: AppState) -> impl IntoView {
    let page = app.page;
    command::follow(page);
    floating::follow(app);
    open_files::follow(page);
    view! {
        <div class="left">
            <AtStage page stage=DrawStage::Editor class="zone editor">{editor::draw(page)}</AtStage>
            <layout::Splitter page split=Split::Left />
            <AtStage page stage=DrawStage::Terminal class="zone terminal"><terminal::TerminalZone page /></AtStage>
        </div>
        <layout::Splitter page split=Split::Columns />
        <div class="right">
            <AtStage page stage=DrawStage::Cluster class="zone cluster"><cluster::ClusterZone page nodes=app.nodes job=app.inspected.job load=app.load /></AtStage>
            <layout::Splitter page split=Split::Right />
            <div class="lower">
                <AtStage page stage=DrawStage::Queue class="zone panels"><panels::PanelZone page state=app.panels /></AtStage>
                <layout::Splitter page split=Split::Lower />
                <job::Inspector page inspected=app.inspected />
            </div>
        </div>
    }
}

/// On a narrow screen: the buttons that choose the zone.
#[component]
fn ZoneBar(page: Page) -> impl IntoView {
    let button = move |zone: Zone, id: &'static str, word: fn(&'static i18n::Words) -> &'static str| {
        view! {
            <button data-testid=id aria-pressed=string(move || (page.workspace.zone.get() == zone).to_string())
                on:click=move |_| page.workspace.zone.set(zone)>{page.say(word)}</button>
        }
    };
    view! {
        <nav class="zones" aria-label=page.say(|w| w.zones)>
            {button(Zone::Editor, "zone-write", |w| w.write)}
            {button(Zone::Terminal, "zone-type", |w| w.type_)}
            {button(Zone::Cluster, "zone-see", |w| w.see)}
            {button(Zone::Panels, "zone-queue", |w| w.tab_queue)}
        </nav>
    }
}

/// Makes the document follow the settings, and the theme also the operating system.
fn follow_settings(page: Page) {
    let Some(window) = web_sys::window() else { return };
    let system = window.match_media("(prefers-color-scheme: dark)").ok().flatten();
    let system_dark = RwSignal::new(system.as_ref().is_some_and(web_sys::MediaQueryList::matches));
    if let Some(query) = system {
        let changed = query.clone();
        EventListener::new(&query, "change", move |_| system_dark.set(changed.matches())).forget();
    }
    let root = move || web_sys::window().and_then(|w| w.document()).and_then(|d| d.document_element());
    Effect::new(move || {
        let theme = page.prefs.theme.get();
        let dark = match theme {
            Theme::Auto => system_dark.get(),
            Theme::Light => false,
            Theme::Dark => true,
        };
        if let Some(root) = root() {
            // Setting an attribute of a fixed name cannot fail.
            let _ = root.set_attribute("data-theme", if dark { "dark" } else { "light" });
        }
        page.prefs.dark.set(dark);
    });
    Effect::new(move || {
        if let Some(root) = root() {
            let _ = root.toggle_attribute_with_force("data-projector", page.prefs.projector.get());
        }
    });
    Effect::new(move || {
        if let Some(root) = root() {
            let _ = root.set_attribute("lang", page.prefs.lang.get().code());
        }
    });
    Effect::new(move || {
        page.prefs.dark.track();
        page.prefs.projector.track();
        page.prefs.screen_reader.track();
        page.prefs.lang.track();
        // The style sheet's tokens change with the next animation frame.
        request_animation_frame(move || terminal::set_themes(page));
    });
    Effect::new(move || {
        page.user.track();
        page.terminals.open.track();
        page.terminals.front.track();
        terminal::refresh(page);
        if let Some(tty) = page.tty() {
            terminal::focus(tty);
        }
    });
    // The terminals of another moment get the size of today's panes.
    let past = Memo::new(move |_| page.clock.get().past);
    Effect::new(move || {
        if !past.get() {
            terminal::send_sizes();
        }
    });
    Effect::new(move || {
        if page.terminals.prompts.get() > 0 {
            editor::reread(page);
        }
    });
}

/// Ticks the worker once per animation frame, and stores the session before the page goes away.
fn keep_going(page: Page) {
    fn tick(page: Page, last: f64) {
        request_animation_frame(move || {
            let now = worker_link::now();
            // A tab that was hidden does not catch up: a tick is at most 100 ms.
            let elapsed = (now - last).clamp(0.0, 100.0).round();
            if crash::happened() {
                return;
            }
            worker_link::animation_frame(page, elapsed as u32);
            terminal::typing_stops(page);
            tick(page, now);
        });
    }
    tick(page, worker_link::now());
    let leaving = window_event_listener(leptos::ev::pagehide, move |_| session::keep(page));
    std::mem::forget(leaving);
}
