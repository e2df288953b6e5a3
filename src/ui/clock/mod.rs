//! The clock: the time, large; how fast it goes; where to skip to.

use super::state::Page;
use super::worker_link::send;
use crate::protocol::{Pace, Skip, ToEngine};
use crate::ui::follow::{When, flag, string};
use crate::view::times::civil;
use leptos::prelude::*;

/// The stops of the pace.
pub const STOPS: [u32; 5] = [1, 10, 60, 600, 3600];

/// Time, pace and skips.
#[component]
pub fn ClockBar(page: Page) -> impl IntoView {
    let clock = page.clock;
    let paused = Memo::new(move |_| clock.get().paused);
    let skipping = Memo::new(move |_| clock.get().skipping);
    let pace = Memo::new(move |_| clock.get().pace);
    // The pace that Pause interrupted.
    let before = StoredValue::new(60_u32);
    Effect::new(move || {
        if pace.get() > 0 {
            before.set_value(pace.get());
        }
    });
    let toggle = move |_| {
        let go = if paused.get_untracked() { Pace::Times(before.get_value()) } else { Pace::Paused };
        send(&ToEngine::Pace(go));
    };
    let toggle_word = Signal::derive(move || if paused.get() { page.t().play } else { page.t().pause });
    let choose = move |event| {
        if let Ok(times) = event_target_value(&event).parse() {
            send(&ToEngine::Pace(Pace::Times(times)));
        }
    };
    let options = move || {
        STOPS.map(|stop| {
            view! { <option value=stop.to_string() selected=flag(move || shown(pace.get(), before.get_value()) == stop)>
                {stop}"×"
            </option> }
        })
    };
    view! {
        <div class="clock" role="group" aria-label=page.say(|w| w.clock)>
            <Face page />
            <button class="round" data-testid="pause" aria-pressed=string(move || paused.get().to_string())
                aria-label=toggle_word
                title=toggle_word
                on:click=toggle>
                <svg viewBox="0 0 16 16" aria-hidden="true">
                    <path d=Signal::derive(move || if paused.get() { "M4 2.5v11l9-5.5z" } else { "M4 2.5h3v11H4zM9 2.5h3v11H9z" }) />
                </svg>
            </button>
            <select data-testid="pace" aria-label=page.say(|w| w.pace) title=page.say(|w| w.pace) on:change=choose>
                {options}
            </select>
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

const fn shown(pace: u32, before: u32) -> u32 {
    if pace == 0 { before } else { pace }
}

/// Day and time, and what slows it down.
#[component]
fn Face(page: Page) -> impl IntoView {
    let second = Memo::new(move |_| page.clock.get().now.div_euclid(1_000_000));
    let at = move || civil(second.get() * 1_000_000);
    let day = move || {
        let (c, words) = (at(), page.t());
        let weekday = words.weekdays[usize::from(c.weekday) % 7];
        let month = words.months[usize::from(c.month.saturating_sub(1)) % 12];
        format!("{weekday} {} {month}", c.day)
    };
    let remark = move || {
        let (c, words) = (page.clock.get(), page.t());
        if c.skipping {
            words.skipping
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
        <div class="face">
            <span class="day" title=string(move || at().date())>{string(day)}</span>
            <time class="time" data-testid="clock-time">{string(move || at().hms())}</time>
            <span class="remark" data-testid="clock-remark">{Signal::derive(remark)}</span>
        </div>
    }
}

#[component]
fn SkipMenu(page: Page) -> impl IntoView {
    let go = move |event: leptos::ev::Event| {
        let user = page.user.get_untracked();
        let skip = match event_target_value(&event).as_str() {
            "start" => Skip::JobStarts(user),
            "end" => Skip::JobEnds(user),
            "empty" => Skip::QueueEmpty,
            _ => return,
        };
        send(&ToEngine::Skip(skip));
    };
    view! {
        <select class="skip" data-testid="skip-until" aria-label=page.say(|w| w.skip_until) prop:value="" on:change=go>
            <option value="" selected>{page.say(|w| w.skip_until)}</option>
            <option value="start">{page.say(|w| w.until_start)}</option>
            <option value="end">{page.say(|w| w.until_end)}</option>
            <option value="empty">{page.say(|w| w.until_empty)}</option>
        </select>
    }
}
