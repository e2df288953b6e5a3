//! How well the job uses what it has, as `seff` reckons.

use crate::protocol::{JobDetail, Used};
use crate::ui::follow::{When, flag, string};
use crate::ui::state::Page;
use crate::view::css;
use crate::view::fate::{kib, percent};
use crate::view::number;
use crate::view::times::span;
use leptos::prelude::*;

/// The part of the inspector, for jobs that run or ran.
#[component]
pub fn Efficiency(page: Page, job: Memo<Option<Box<JobDetail>>>) -> impl IntoView {
    let used = Memo::new(move |_| job.with(|j| j.as_ref().and_then(|j| j.used)).filter(|u| u.elapsed > 0));
    let get = move |f: fn(Used) -> u64| move || used.get().map(f).unwrap_or_default();
    let cpu = move || {
        let Some(u) = used.get() else { return String::new() };
        let day = page.t().day;
        format!("{} {} {} ({} CPU)", span(u.cpu_seconds, day), page.t().of, span(u.cpu_most, day), u.cpus)
    };
    let memory = move || {
        let Some(u) = used.get() else { return String::new() };
        let words = page.t();
        let [used, most] = [u.memory, u.memory_most].map(|amount| kib(amount, words.decimal));
        if u.memory_most == 0 { used } else { format!("{used} {} {most}", words.of) }
    };
    view! {
        <When holds=flag(move || used.with(Option::is_some))>
            <section class="used" data-testid="used" aria-label=page.say(|w| w.efficiency)>
                <h3>{page.say(|w| w.efficiency)}</h3>
                {gauge(page, Signal::stored("CPU"), string(cpu), get(cpu_share))}
                {gauge(page, page.say(|w| w.memory_peak), string(memory), get(memory_share))}
            </section>
        </When>
    }
}

fn cpu_share(used: Used) -> u64 {
    percent(used.cpu_seconds.unsigned_abs(), used.cpu_most.unsigned_abs())
}

fn memory_share(used: Used) -> u64 {
    percent(used.memory, used.memory_most)
}

/// A label, a bar with its share, and what that is in numbers.
fn gauge(
    page: Page,
    label: Signal<&'static str>,
    text: Signal<String>,
    share: impl Fn() -> u64 + Copy + Send + Sync + 'static,
) -> AnyView {
    view! {
        <div class="gauge">
            <span>{label}</span>
            <span class="track"><i style:width=string(move || css::percent(share() as f64 / 100.0))></i></span>
            <b>{string(move || number::percent(share(), page.t().percent))}</b>
            <span class="faint">{text}</span>
        </div>
    }
    .into_any()
}
