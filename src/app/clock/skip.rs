//! The list of skips: until something happens to the user's jobs, or to a given time.

use crate::follow::{When, choose_none, flag, string};
use crate::i18n::Words;
use crate::page::Page;
use crate::worker_link::send;
use leptos::prelude::*;
use protocol::{Micros, Skip, ToEngine};
use view::times::{HOUR, civil, moment_of, next_morning};

/// An entry of the list of skips.
struct SkipEntry {
    /// Its name in the page's tests.
    name: &'static str,
    word: fn(&'static Words) -> &'static str,
    /// The skip for a user at a moment; none if the user enters a moment.
    to: fn(String, Micros) -> Option<Skip>,
}

const ENTRIES: [SkipEntry; 7] = [
    SkipEntry { name: "start", word: |w| w.until_start, to: |user, _| Some(Skip::JobStarts(user)) },
    SkipEntry { name: "end", word: |w| w.until_end, to: |user, _| Some(Skip::JobEnds(user)) },
    SkipEntry { name: "empty", word: |w| w.until_empty, to: |_, _| Some(Skip::QueueEmpty) },
    SkipEntry { name: "hour", word: |w| w.until_hour, to: |_, now| Some(Skip::Until(now + HOUR)) },
    SkipEntry { name: "day", word: |w| w.until_day, to: |_, now| Some(Skip::Until(now + 24 * HOUR)) },
    SkipEntry {
        name: "morning",
        word: |w| w.until_morning,
        to: |_, now| Some(Skip::Until(next_morning(now))),
    },
    SkipEntry { name: "moment", word: |w| w.until_moment, to: |_, _| None },
];

/// The list of skips, or the field for a moment.
#[component]
pub fn SkipMenu(page: Page) -> impl IntoView {
    let asking = RwSignal::new(false);
    let wanted = RwSignal::new(String::new());
    let go = move |event: leptos::ev::Event| {
        let name = event_target_value(&event);
        let now = page.clock.get_untracked().now;
        let Some(entry) = ENTRIES.iter().find(|entry| entry.name == name) else { return };
        match (entry.to)(page.user.get_untracked(), now) {
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
    let option = move |entry: SkipEntry| view! { <option value=entry.name>{page.say(entry.word)}</option> };
    view! {
        <When holds=flag(move || asking.get()) fallback=move || view! {
            <select class="skip" data-testid="skip-until" aria-label=page.say(|w| w.skip_until) prop:value="" on:change=go>
                <option value="" selected>{page.say(|w| w.skip_until)}</option>
                {ENTRIES.map(option)}
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
