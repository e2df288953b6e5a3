//! The finder: finds any command of the page by a few letters, and shows its key. `F1` opens it anywhere, `?` outside of
//! text fields.

mod commands;

use crate::combobox::{self, Combobox};
use crate::i18n::Words;
use crate::modal::dialog;
use crate::page::Page;
use crate::panels::{PANELS, PanelKind};
use crate::state::AppState;
use base::order::StableSort as _;
use commands::{COMMANDS, PageCommand};
use leptos::prelude::*;
use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;
use view::finder::fit;

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

/// The entries that fit a text, best first. Reads signals.
fn found(page: Page, typed: &str) -> Vec<usize> {
    let words = page.t();
    let all = entries().into_iter().zip(0..);
    let mut found: Vec<(u32, usize)> =
        all.filter_map(|(entry, i)| Some((fit(entry.word()(words), typed)?, i))).collect();
    found.order();
    found.into_iter().map(|(_, i)| i).collect()
}

/// Draws the finder.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(app: AppState) -> AnyView {
    let page = app.page;
    let held = HELD.with_borrow_mut(std::mem::take);
    let (begun, entered) = held.split_once('\n').map_or((held.as_str(), false), |(line, _)| (line, true));
    let run = move |at: usize| {
        page.dialogs.finder.set(false);
        // The rest of the page must be reachable again first.
        if let Some(entry) = entries().get(at).copied() {
            set_timeout(move || entry.run(app), Duration::ZERO);
        }
    };
    if let Some(first) = untrack(|| found(page, begun).first().copied()).filter(|_| entered) {
        // After the finder is drawn: it cannot be closed while it is being drawn.
        set_timeout(move || run(first), Duration::ZERO);
    }
    let entry = move |i: usize| {
        let entry = entries().get(i).copied();
        let drawn = entry.map(|entry| {
            let key = entry.key().map(|key| view! { <kbd>{if key == " " { "␣" } else { key }}</kbd> });
            view! { <span>{page.say(entry.word())}</span>{key} }
        });
        drawn.into_any()
    };
    let list = combobox::draw(Combobox {
        label: page.say(|w| w.finder),
        begun: begun.to_owned(),
        marked: 0,
        found: Arc::new(move |typed| found(page, typed)),
        entry: Arc::new(entry),
        choose: Arc::new(run),
    });
    let inside = view! {
        {list}
        <p class="faint">{page.say(|w| w.finder_hint)}</p>
    };
    dialog(page, "finder", page.say(|w| w.finder), |page| page.dialogs.finder.set(false), inside.into_any())
}
