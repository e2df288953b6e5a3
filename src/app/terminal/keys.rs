//! The keys that a phone's keyboard lacks, below the terminal of a touch screen.

use super::panes;
use crate::follow::string;
use crate::i18n::Words;
use crate::page::Page;
use leptos::prelude::*;

/// A key: its label, its name for screen readers if the label is a picture, and what it sends.
struct TerminalKey {
    name: &'static str,
    label: &'static str,
    word: Option<fn(&'static Words) -> &'static str>,
    sends: &'static str,
}

const fn key(name: &'static str, label: &'static str, sends: &'static str) -> TerminalKey {
    TerminalKey { name, label, word: None, sends }
}

const fn arrow(
    name: &'static str,
    label: &'static str,
    word: fn(&'static Words) -> &'static str,
    sends: &'static str,
) -> TerminalKey {
    TerminalKey { name, label, word: Some(word), sends }
}

/// The keys after Ctrl.
const KEYS: [TerminalKey; 9] = [
    key("tab", "Tab", "\t"),
    key("esc", "Esc", "\u{1b}"),
    arrow("up", "↑", |w| w.key_up, "\u{1b}[A"),
    arrow("down", "↓", |w| w.key_down, "\u{1b}[B"),
    arrow("left", "←", |w| w.key_left, "\u{1b}[D"),
    arrow("right", "→", |w| w.key_right, "\u{1b}[C"),
    key("bar", "|", "|"),
    key("slash", "/", "/"),
    key("dash", "-", "-"),
];

/// Draws the bar. Its buttons leave the focus where it is, so that the keyboard of the phone stays.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page) -> AnyView {
    let control = page.terminals.control;
    let button = |key: &'static TerminalKey| {
        let label = string(move || key.word.map_or(key.label, |word| word(page.t())).to_owned());
        view! {
            <button data-testid=format!("key-{}", key.name) aria-label=label on:click=move |_| panes::press(page, key.sends)>{key.label}</button>
        }
    };
    view! {
        <div class="key-bar" role="group" aria-label=page.say(|w| w.key_bar)
            on:pointerdown=|e| e.prevent_default() on:mousedown=|e| e.prevent_default()>
            <button data-testid="key-ctrl" aria-pressed=string(move || control.get().to_string())
                on:click=move |_| control.update(|on| *on = !*on)>"Ctrl"</button>
            {KEYS.iter().map(button).collect::<Vec<_>>()}
        </div>
    }
    .into_any()
}
