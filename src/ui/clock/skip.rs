//! Where to skip to: until something happens to one's jobs, or to a moment.

use crate::protocol::{Micros, Skip, ToEngine};
use crate::ui::follow::{When, choose_none, flag, string};
use crate::ui::i18n::Words;
use crate::ui::state::Page;
use crate::ui::worker_link::send;
use crate::view::times::{HOUR, civil, moment_of, next_morning};
use leptos::prelude::*;

/// A row of the list.
struct Row {
    /// For the tests.
    name: &'static str,
    word: fn(&'static Words) -> &'static str,
    /// What a person skips to, and at which moment they ask; none: a moment is asked for.
    to: fn(String, Micros) -> Option<Skip>,
}

const ROWS: [Row; 7] = [
    Row { name: "start", word: |w| w.until_start, to: |user, _| Some(Skip::JobStarts(user)) },
    Row { name: "end", word: |w| w.until_end, to: |user, _| Some(Skip::JobEnds(user)) },
    Row { name: "empty", word: |w| w.until_empty, to: |_, _| Some(Skip::QueueEmpty) },
    Row { name: "hour", word: |w| w.until_hour, to: |_, now| Some(Skip::Until(now + HOUR)) },
    Row { name: "day", word: |w| w.until_day, to: |_, now| Some(Skip::Until(now + 24 * HOUR)) },
    Row { name: "morning", word: |w| w.until_morning, to: |_, now| Some(Skip::Until(next_morning(now))) },
    Row { name: "moment", word: |w| w.until_moment, to: |_, _| None },
];

/// The list, or the field for a moment.
#[component]
pub fn SkipMenu(page: Page) -> impl IntoView {
    let asking = RwSignal::new(false);
    let wanted = RwSignal::new(String::new());
    let go = move |event: leptos::ev::Event| {
        let name = event_target_value(&event);
        let now = page.clock.get_untracked().now;
        let Some(row) = ROWS.iter().find(|row| row.name == name) else { return };
        match (row.to)(page.user.get_untracked(), now) {
            Some(skip) => send(&ToEngine::Skip(skip)),
            None => {
                let soon = civil(now + HOUR);
                wanted.set(format!("{}T{}", soon.date(), soon.hm()));
                asking.set(true);
            }
        }
        choose_none(&event);
    };
    let go_there = move || {
        asking.set(false);
        if let Some(at) = moment_of(&wanted.get_untracked()) {
            send(&ToEngine::Skip(Skip::Until(at)));
        }
    };
    let key = move |event: web_sys::KeyboardEvent| match event.key().as_str() {
        "Enter" => go_there(),
        "Escape" => asking.set(false),
        _ => {}
    };
    let row = move |row: Row| view! { <option value=row.name>{page.say(row.word)}</option> };
    view! {
        <When holds=flag(move || asking.get()) fallback=move || view! {
            <select class="skip" data-testid="skip-until" aria-label=page.say(|w| w.skip_until) prop:value="" on:change=go>
                <option value="" selected>{page.say(|w| w.skip_until)}</option>
                {ROWS.map(row)}
            </select>
        }>
            <span class="until">
                <input type="datetime-local" data-testid="skip-moment" aria-label=page.say(|w| w.skip_until)
                    prop:value=string(move || wanted.get())
                    on:input=move |e| wanted.set(event_target_value(&e)) on:keydown=key />
                <button data-testid="skip-go" on:click=move |_| go_there()>{page.say(|w| w.until_go)}</button>
                <button class="quiet icon" aria-label=page.say(|w| w.close) title=page.say(|w| w.close)
                    data-testid="skip-leave" on:click=move |_| asking.set(false)>"×"</button>
            </span>
        </When>
    }
}
