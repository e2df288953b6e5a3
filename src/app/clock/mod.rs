//! The clock: the simulated time, its speed, and skipping ahead.

mod skip;

use crate::follow::{When, flag, string};
use crate::page::Page;
use crate::worker_link::{now, send};
use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use protocol::{Pace, Skip, ToEngine};
use skip::SkipMenu;
use view::times::civil;
use wasm_bindgen::JsCast as _;

/// The speeds to choose from.
pub const STOPS: [u32; 5] = [1, 10, 60, 600, 3600];

/// Milliseconds after which the engine's speed counts, even if it is not the one that was chosen.
const ANSWER: f64 = 1000.0;

/// The speed that was chosen last. A paused clock resumes at it.
#[derive(Clone, Copy)]
pub struct ChosenPace {
    times: RwSignal<u32>,
    /// A choice that the engine has not shown yet, and when it was made, in milliseconds of the page.
    awaited: StoredValue<Option<(u32, f64)>>,
}

impl ChosenPace {
    /// Sixty times real time.
    pub fn new() -> Self {
        Self { times: RwSignal::new(60), awaited: StoredValue::new(None) }
    }

    /// The speed.
    pub fn get(self) -> u32 {
        self.times.get()
    }

    /// The speed, without following it.
    pub fn get_untracked(self) -> u32 {
        self.times.get_untracked()
    }

    /// Chooses a speed. A paused clock runs at it once it resumes.
    pub fn choose(self, page: Page, times: u32) {
        self.times.set(times);
        if !page.clock.get_untracked().paused {
            self.awaited.set_value(Some((times, now())));
            send(&ToEngine::Pace(Pace::Times(times)));
        }
    }

    /// Pauses the clock, or resumes it.
    pub fn pause_or_go(self, page: Page) {
        let go = match page.clock.get_untracked().paused {
            true => Pace::Times(self.get_untracked()),
            false => Pace::Paused,
        };
        send(&ToEngine::Pace(go));
    }

    /// Takes the engine's speed. One from before the last choice would undo it, and the next key would go on from there. If it
    /// is still another one when the choice must have been answered, something else has set it.
    fn follow(self, page: Page) {
        let engine = page.clock.with_untracked(|clock| clock.pace);
        let earlier = |(times, since): (u32, f64)| times != engine && now() - since < ANSWER;
        if engine == 0 {
            // The clock is paused.
        } else if self.awaited.get_value().is_some_and(earlier) {
            Timeout::new(ANSWER as u32, move || self.follow(page)).forget();
        } else {
            self.awaited.set_value(None);
            self.times.set(engine);
        }
    }
}

/// The time, the speed and the skips.
#[component]
pub fn ClockBar(page: Page, pace: ChosenPace) -> impl IntoView {
    let clock = page.clock;
    let paused = Memo::new(move |_| clock.get().paused);
    let skipping = Memo::new(move |_| clock.get().skipping);
    let current = Memo::new(move |_| clock.get().pace);
    Effect::new(move || {
        // Only a memo that is read follows the clock.
        let _ = current.get();
        pace.follow(page);
    });
    let toggle_word = Signal::derive(move || if paused.get() { page.t().play } else { page.t().pause });
    view! {
        <div class="clock" role="group" aria-label=page.say(|w| w.clock)>
            <Face page />
            <button class="round" data-testid="pause" aria-pressed=string(move || paused.get().to_string())
                aria-label=toggle_word
                title=toggle_word
                on:click=move |_| pace.pause_or_go(page)>
                <svg viewBox="0 0 16 16" aria-hidden="true">
                    <path d=Signal::derive(move || if paused.get() { "M4 2.5v11l9-5.5z" } else { "M4 2.5h3v11H4zM9 2.5h3v11H9z" }) />
                </svg>
            </button>
            <Paces page pace />
            <button class="round" data-testid="skip-next" aria-label=page.say(|w| w.next_event)
                title=page.say(|w| w.next_event) on:click=move |_| send(&ToEngine::Skip(Skip::NextEvent))>
                <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2.5 2.5v11l7-5.5zM10.5 2.5h2.5v11h-2.5z" /></svg>
            </button>
            <When holds=flag(move || skipping.get()) fallback=move || view! { <SkipMenu page /> }>
                <button class="stop" data-testid="skip-stop" on:click=move |_| send(&ToEngine::Skip(Skip::Stop))>
                    {page.say(|w| w.stop)}
                </button>
            </When>
        </div>
    }
}

/// The speeds side by side. They are one stop for Tab, and the arrow keys choose.
#[component]
fn Paces(page: Page, pace: ChosenPace) -> impl IntoView {
    // A speed from a link or an embedding page may lie between two stops.
    let here = Memo::new(move |_| STOPS.iter().rposition(|s| *s <= pace.get()).unwrap_or(0));
    let key = move |event: web_sys::KeyboardEvent| {
        let to = match event.key().as_str() {
            "ArrowRight" | "ArrowUp" => (here.get_untracked() + 1).min(STOPS.len() - 1),
            "ArrowLeft" | "ArrowDown" => here.get_untracked().saturating_sub(1),
            _ => return,
        };
        event.prevent_default();
        pace.choose(page, STOPS[to]);
        let button = document().get_element_by_id(&format!("pace-{}", STOPS[to]));
        if let Some(button) = button.and_then(|b| b.dyn_into::<web_sys::HtmlElement>().ok()) {
            // Without the focus, the next key has no effect.
            let _ = button.focus();
        }
    };
    let stop = move |at: usize| {
        let times = STOPS[at];
        let name = string(move || {
            let words = page.t();
            let names = [words.pace_1, words.pace_10, words.pace_60, words.pace_600, words.pace_3600];
            format!("{times}×, {}", names[at])
        });
        view! {
            <button role="radio" id=format!("pace-{times}") data-testid=format!("pace-{times}") aria-label=name title=name
                aria-checked=string(move || (here.get() == at).to_string())
                tabindex=string(move || if here.get() == at { "0" } else { "-1" }.to_owned())
                on:click=move |_| pace.choose(page, times)>{times}<i>"×"</i></button>
        }
    };
    view! {
        <div class="choice paces" role="radiogroup" data-testid="pace" aria-label=page.say(|w| w.pace) on:keydown=key>
            {(0..STOPS.len()).map(stop).collect::<Vec<_>>()}
        </div>
    }
}

/// The day and the time, and what slows the clock down.
#[component]
fn Face(page: Page) -> impl IntoView {
    let second = Memo::new(move |_| page.clock.get().now.div_euclid(1_000_000));
    let at = move || civil(second.get() * 1_000_000);
    let day = move || {
        let (c, words) = (at(), page.t());
        let weekday = words.weekdays[usize::from(c.weekday) % 7];
        format!("{weekday} {}", words.calendar.day(c))
    };
    let remark = move || {
        let (c, words) = (page.clock.get(), page.t());
        if c.skipping {
            words.skipping
        } else if c.past {
            words.looking_back
        } else if c.paused {
            words.paused
        } else if c.held {
            words.held
        } else if c.behind {
            words.behind
        } else {
            ""
        }
    };
    view! {
        <div class="face" class:unset=flag(move || second.get() == 0)>
            <span class="day" title=string(move || at().date())>{string(day)}</span>
            <time class="time" data-testid="clock-time">{string(move || at().hms())}</time>
            <span class="remark" data-testid="clock-remark">{Signal::derive(remark)}</span>
        </div>
    }
}
