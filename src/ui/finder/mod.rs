//! The finder: every command of the page by a few letters, with its key. `F1` opens it anywhere, `?` wherever nobody types.

mod actions;

use super::i18n::Words;
use super::modal;
use super::panels::{self, Panel};
use super::state::Page;
use crate::base::order::Order as _;
use crate::ui::follow::{flag, string};
use crate::view::finder::fit;
use actions::{ACTIONS, Action};
use leptos::html::Input;
use leptos::prelude::*;
use std::cell::RefCell;
use std::time::Duration;

/// Characters that are held for it at most.
const MAX_HELD: usize = 100;

thread_local! {
    /// What was typed for it before it could be drawn, Enter as a new line.
    static HELD: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Opens it.
pub fn open(page: Page) {
    page.finder.set(true);
}

/// Takes a key that is meant for it while it is asked for and the page is not so far: it begins with what was typed.
pub fn hold(page: Page, key: &str) {
    HELD.with_borrow_mut(|held| match key {
        "Escape" => {
            held.clear();
            page.finder.set(false);
        }
        "Backspace" => drop(held.pop()),
        _ if held.len() >= MAX_HELD => {}
        "Enter" => held.push('\n'),
        // Keys that write nothing have names.
        key if key.chars().count() == 1 => held.push_str(key),
        _ => {}
    });
}

/// Carries out the command of a key that was pressed while nobody types; whether there is one.
pub fn press(page: Page, key: &str) -> bool {
    let found = entries().into_iter().find(|entry| entry.key() == Some(key));
    if let Some(entry) = found {
        entry.run(page);
    }
    found.is_some()
}

/// A line of the finder.
#[derive(Clone, Copy)]
enum Entry {
    Action(&'static Action),
    /// A panel, its name, and its place among the tabs.
    Panel(Panel, fn(&'static Words) -> &'static str, usize),
}

/// Keys of the panels, in the order of their tabs.
const DIGITS: [&str; 10] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];

impl Entry {
    const fn word(self) -> fn(&'static Words) -> &'static str {
        match self {
            Self::Action(action) => action.word,
            Self::Panel(_, word, _) => word,
        }
    }

    fn key(self) -> Option<&'static str> {
        match self {
            Self::Action(action) => action.key,
            Self::Panel(_, _, at) => DIGITS.get(at).copied(),
        }
    }

    fn run(self, page: Page) {
        match self {
            Self::Action(action) => (action.run)(page),
            Self::Panel(panel, _, _) => actions::show(page, panel),
        }
    }
}

/// All lines: the panels behind the commands.
fn entries() -> Vec<Entry> {
    let panels = panels::names().zip(0..).map(|((panel, word), at)| Entry::Panel(panel, word, at));
    ACTIONS.iter().map(Entry::Action).chain(panels).collect()
}

/// The finder, open.
#[inline(never)] // Where the page is cut in two (xtask).
pub fn draw(page: Page) -> AnyView {
    let held = HELD.with_borrow_mut(std::mem::take);
    let (begun, entered) = held.split_once('\n').map_or((held.as_str(), false), |(line, _)| (line, true));
    let typed = RwSignal::new(begun.to_owned());
    let at = RwSignal::new(0_usize);
    let input = NodeRef::<Input>::new();
    let sheet = modal::sheet();
    Effect::new(move || {
        if let Some(input) = input.get() {
            // Where focus cannot be taken the list can still be clicked.
            let _ = input.focus();
        }
    });
    let found = Memo::new(move |_| {
        let (typed, words) = (typed.get(), page.t());
        let all = entries().into_iter().zip(0..);
        let mut found: Vec<(u32, usize)> =
            all.filter_map(|(entry, i)| Some((fit(entry.word()(words), &typed)?, i))).collect();
        found.order();
        found.into_iter().map(|(_, i)| i).collect::<Vec<_>>()
    });
    let close = move || page.finder.set(false);
    let run = move |at: usize| {
        close();
        // Once the rest of the page is within reach again.
        if let Some(entry) = entries().get(at).copied() {
            set_timeout(move || entry.run(page), Duration::ZERO);
        }
    };
    let first = move || found.with(|f| f.get(at.get_untracked()).copied());
    if entered {
        // Once it is drawn: what is drawn now cannot go away.
        set_timeout(
            move || {
                if let Some(i) = untrack(first) {
                    run(i)
                }
            },
            Duration::ZERO,
        );
    }
    let key = move |event: web_sys::KeyboardEvent| {
        let many = found.with(Vec::len).max(1);
        match event.key().as_str() {
            "ArrowDown" => at.update(|at| *at = (*at + 1) % many),
            "ArrowUp" => at.update(|at| *at = (*at + many - 1) % many),
            "Escape" => close(),
            "Enter" => {
                if let Some(i) = first() {
                    run(i);
                }
            }
            _ => return,
        }
        event.prevent_default();
    };
    let row = move |i: usize| {
        let entry = entries().get(i).copied();
        let here = move || found.with(|f| f.get(at.get()) == Some(&i));
        entry.map(|entry| {
            let key = entry.key().map(|key| view! { <kbd>{if key == " " { "␣" } else { key }}</kbd> });
            view! {
                <li id=format!("find-{i}") role="option" aria-selected=string(move || here().to_string()) class:here=flag(here)
                    on:click=move |_| run(i)>
                    <span>{page.say(entry.word())}</span>
                    {key}
                </li>
            }
        })
    };
    view! {
        <div class="finder" data-testid="finder" on:click=move |_| close()>
            <div class="sheet" role="dialog" aria-modal="true" aria-label=page.say(|w| w.finder) node_ref=sheet
                on:click=move |e| e.stop_propagation() on:keydown=key>
                <input type="text" node_ref=input role="combobox" aria-expanded="true" aria-controls="found"
                    aria-autocomplete="list" aria-label=page.say(|w| w.finder) placeholder=page.say(|w| w.finder)
                    prop:value=begun.to_owned() aria-activedescendant=string(move || {
                        found.with(|f| f.get(at.get()).map(|i| format!("find-{i}")).unwrap_or_default())
                    })
                    on:input=move |e| { typed.set(event_target_value(&e)); at.set(0); } />
                <ul id="found" role="listbox" aria-label=page.say(|w| w.finder)>
                    <For each=move || found.get() key=|i| *i children=row />
                </ul>
                <p class="faint">{page.say(|w| w.finder_hint)}</p>
            </div>
        </div>
    }
    .into_any()
}
