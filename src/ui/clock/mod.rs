//! The clock: the time, large; how fast it goes; where to skip to.

mod skip;

use super::state::Page;
use super::worker_link::send;
use crate::protocol::{Pace, Skip, ToEngine};
use crate::ui::follow::{When, flag, string};
use crate::view::times::civil;
use leptos::prelude::*;
use skip::SkipMenu;

/// The stops of the pace.
pub const STOPS: [u32; 5] = [1, 10, 60, 600, 3600];

/// Stops the clock, or lets it go on at the pace that it had.
pub fn pause_or_go(page: Page) {
    let go = match page.clock.get_untracked().paused {
        true => Pace::Times(page.paced.get_untracked()),
        false => Pace::Paused,
    };
    send(&ToEngine::Pace(go));
}

/// Chooses a pace; while the clock stands still, the one that it will have.
pub fn choose_pace(page: Page, times: u32) {
    page.paced.set(times);
    if !page.clock.get_untracked().paused {
        send(&ToEngine::Pace(Pace::Times(times)));
    }
}

/// Time, pace and skips.
#[component]
pub fn ClockBar(page: Page) -> impl IntoView {
    let clock = page.clock;
    let paused = Memo::new(move |_| clock.get().paused);
    let skipping = Memo::new(move |_| clock.get().skipping);
    let pace = Memo::new(move |_| clock.get().pace);
    Effect::new(move || {
        if pace.get() > 0 {
            page.paced.set(pace.get());
        }
    });
    let toggle_word = Signal::derive(move || if paused.get() { page.t().play } else { page.t().pause });
    view! {
        <div class="clock" role="group" aria-label=page.say(|w| w.clock)>
            <Face page />
            <button class="round" data-testid="pause" aria-pressed=string(move || paused.get().to_string())
                aria-label=toggle_word
                title=toggle_word
                on:click=move |_| pause_or_go(page)>
                <svg viewBox="0 0 16 16" aria-hidden="true">
                    <path d=Signal::derive(move || if paused.get() { "M4 2.5v11l9-5.5z" } else { "M4 2.5h3v11H4zM9 2.5h3v11H9z" }) />
                </svg>
            </button>
            <PaceSlider page />
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

/// How fast: a slider with named stops.
#[component]
fn PaceSlider(page: Page) -> impl IntoView {
    let stop = page.paced;
    let place = move || STOPS.iter().rposition(|s| *s <= stop.get()).unwrap_or(0);
    let choose = move |event| {
        let wanted: Option<usize> = event_target_value(&event).parse().ok();
        if let Some(times) = wanted.and_then(|i| STOPS.get(i)) {
            choose_pace(page, *times);
        }
    };
    let named = move || {
        let words = page.t();
        let names = [words.pace_1, words.pace_10, words.pace_60, words.pace_600, words.pace_3600];
        format!("{}×, {}", stop.get(), names.get(place()).copied().unwrap_or_default())
    };
    view! {
        <label class="paces" title=string(named)>
            <input type="range" min="0" max=(STOPS.len() - 1).to_string() step="1" data-testid="pace" data-stops="1 10 60 600 3600"
                aria-label=page.say(|w| w.pace) aria-valuetext=string(named)
                prop:value=string(move || place().to_string()) on:input=choose />
            <output>{string(move || format!("{}×", stop.get()))}</output>
        </label>
    }
}

/// Day and time, and what slows it down.
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
