//! The finder: finds any command of the page by a few letters, and shows its key; finds sites and jobs, too. `F1` opens it
//! anywhere, `?` outside of text fields.

mod commands;
mod jobs;

use crate::combobox::{self, Combobox};
use crate::fetch::{self, SiteCard};
use crate::i18n::Words;
use crate::modal::dialog;
use crate::page::Page;
use crate::panels::{PANELS, PanelKind};
use crate::picker;
use crate::state::AppState;
use base::order::StableSort as _;
use commands::{COMMANDS, PageCommand};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;
use view::finder::{contains, fit};

/// Maximum number of held characters.
const MAX_HELD: usize = 100;

thread_local! {
    /// Text typed for the finder before it was drawn, with Enter as a newline.
    static HELD: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Opens it.
pub fn open(page: Page) {
    page.dialogs.finder.set(true);
}

/// Holds a key that was typed after the finder was opened and before it is drawn. The finder starts with these keys.
pub fn hold(page: Page, key: &str) {
    HELD.with_borrow_mut(|held| match key {
        "Escape" => {
            held.clear();
            page.dialogs.finder.set(false);
        }
        "Backspace" => drop(held.pop()),
        _ if held.len() >= MAX_HELD => {}
        "Enter" => held.push('\n'),
        // Keys that type no character have longer names.
        key if key.chars().count() == 1 => held.push_str(key),
        _ => {}
    });
}

/// Runs the command of a key that was pressed outside of text fields. Returns whether there is one.
pub fn press(app: AppState, key: &str) -> bool {
    let found = entries().into_iter().find(|entry| entry.key() == Some(key));
    if let Some(entry) = found {
        entry.run(app);
    }
    found.is_some()
}

/// An entry of the finder.
#[derive(Clone, Copy)]
enum FinderEntry {
    Command(&'static PageCommand),
    /// A panel and its position among the tabs.
    Panel(&'static PanelKind, usize),
}

/// The keys of the panels, in the order of their tabs.
const DIGITS: [&str; 10] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];

impl FinderEntry {
    const fn word(self) -> fn(&'static Words) -> &'static str {
        match self {
            Self::Command(command) => command.word,
            Self::Panel(kind, _) => kind.word,
        }
    }

    fn key(self) -> Option<&'static str> {
        match self {
            Self::Command(command) => command.key,
            Self::Panel(_, at) => DIGITS.get(at).copied(),
        }
    }

    fn run(self, app: AppState) {
        match self {
            Self::Command(command) => (command.run)(app),
            Self::Panel(kind, _) => commands::show_panel(app.page, kind.name),
        }
    }
}

/// All entries: the commands, then the panels.
fn entries() -> Vec<FinderEntry> {
    let panels = PANELS.iter().zip(0..).map(|(kind, at)| FinderEntry::Panel(kind, at));
    COMMANDS.iter().map(FinderEntry::Command).chain(panels).collect()
}

/// Numbers of the list's entries: the commands and panels from 0, the sites and the jobs from these.
const FIRST_SITE: usize = 1_000;
const FIRST_JOB: usize = 1_000_000;

/// The commands and panels that fit a text, each with its cost. Reads signals.
fn fitting(page: Page, typed: &str) -> Vec<(u32, usize)> {
    let words = page.t();
    let all = entries().into_iter().zip(0..);
    all.filter_map(|(entry, i)| Some((fit(entry.word()(words), typed)?, i))).collect()
}

/// What is searched.
#[derive(Clone, Copy)]
struct Finder {
    app: AppState,
    cards: RwSignal<Vec<SiteCard>>,
}

impl Finder {
    /// The name and the title of a site. Reads a signal.
    fn site(self, name: &str) -> (String, String) {
        let title =
            |cards: &Vec<SiteCard>| cards.iter().find(|card| card.0 == name).map(|card| card.2.clone());
        (name.to_owned(), self.cards.with(title).unwrap_or_default())
    }

    /// The entries that fit a text, best first. Without a text, the commands and panels. Reads signals.
    fn found(self, typed: &str) -> Vec<usize> {
        let mut found = fitting(self.app.page, typed);
        if !typed.trim().is_empty() {
            let sites = self.app.sites.get();
            let site = |name: &String| {
                let (name, title) = self.site(name);
                contains(&format!("{name} {title}"), typed).then(|| fit(&name, typed).unwrap_or(1))
            };
            found.extend(sites.iter().zip(FIRST_SITE..).filter_map(|(name, i)| Some((site(name)?, i))));
            found.extend(self.app.found.costs(typed).into_iter().zip(FIRST_JOB..));
        }
        found.order();
        found.into_iter().map(|(_, i)| i).collect()
    }

    fn entry(self, i: usize) -> AnyView {
        let page = self.app.page;
        if let Some(at) = i.checked_sub(FIRST_JOB) {
            return jobs::entry(self.app.found, page, at);
        }
        if let Some(at) = i.checked_sub(FIRST_SITE) {
            let (name, title) =
                self.site(&self.app.sites.with(|sites| sites.get(at).cloned()).unwrap_or_default());
            return view! { <span>{page.say(|w| w.site)}" "<b>{name}</b></span><small>{title}</small> }
                .into_any();
        }
        let drawn = entries().get(i).copied().map(|entry| {
            let key = entry.key().map(|key| view! { <kbd>{if key == " " { "␣" } else { key }}</kbd> });
            view! { <span>{page.say(entry.word())}</span>{key} }
        });
        drawn.into_any()
    }

    fn run(self, i: usize) {
        let (app, page) = (self.app, self.app.page);
        let job = i.checked_sub(FIRST_JOB).map(|at| app.found.id(at));
        page.dialogs.finder.set(false);
        // The rest of the page must be reachable again first.
        let run = move || match job {
            Some(Some(id)) => jobs::open(page, id),
            Some(None) => {}
            None => match i.checked_sub(FIRST_SITE) {
                Some(at) => {
                    if let Some(name) = app.sites.with_untracked(|sites| sites.get(at).cloned()) {
                        picker::open_site(page, &name);
                    }
                }
                None => {
                    if let Some(entry) = entries().get(i) {
                        entry.run(app);
                    }
                }
            },
        };
        set_timeout(run, Duration::ZERO);
    }
}

/// Draws the finder.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(app: AppState) -> AnyView {
    let page = app.page;
    let finder = Finder { app, cards: RwSignal::new(Vec::new()) };
    let held = HELD.with_borrow_mut(std::mem::take);
    let (begun, entered) = held.split_once('\n').map_or((held.as_str(), false), |(line, _)| (line, true));
    if let Some((_, first)) = untrack(|| fitting(page, begun)).into_iter().min().filter(|_| entered) {
        // After the finder is drawn: it cannot be closed while it is being drawn.
        set_timeout(move || finder.run(first), Duration::ZERO);
    }
    let typed = RwSignal::new(begun.to_owned());
    Effect::new(move || typed.with(|typed| app.found.ask(typed)));
    Effect::new(move || {
        let language = page.prefs.lang.get().code();
        spawn_local(async move {
            finder.cards.try_set(fetch::site_cards(language).await);
        });
    });
    let list = combobox::draw(Combobox {
        label: page.say_later(|w| w.finder_label),
        typed,
        waits: Signal::derive(move || app.found.waits.get() && may_be_job(page, typed)),
        marked: 0,
        found: Arc::new(move |typed| finder.found(typed)),
        entry: Arc::new(move |i| finder.entry(i)),
        choose: Arc::new(move |i| finder.run(i)),
    });
    let inside = view! {
        {list}
        <p class="faint">{page.say(|w| w.finder_hint)}</p>
    };
    let close = |page: Page| page.dialogs.finder.set(false);
    dialog(page, "finder", page.say_later(|w| w.finder_label), close, inside.into_any())
}

/// Whether no command begins with the text, so that a job may fit better. Reads signals.
fn may_be_job(page: Page, typed: RwSignal<String>) -> bool {
    typed.with(|typed| fitting(page, typed).iter().all(|(cost, _)| *cost > 1))
}
