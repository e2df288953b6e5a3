//! How well a job uses its allocation, as `seff` computes it.

use crate::follow::{When, flag, string};
use crate::page::Page;
use leptos::prelude::*;
use protocol::{JobDetail, JobUsage};
use view::css;
use view::number;
use view::outcome::{kib, percent};
use view::times::span;

/// The section of the inspector for jobs that run or have run.
#[component]
pub fn Efficiency(page: Page, job: Memo<Option<Box<JobDetail>>>) -> impl IntoView {
    let used = Memo::new(move |_| job.with(|j| j.as_ref().and_then(|j| j.used)).filter(|u| u.elapsed > 0));
    let get = move |f: fn(JobUsage) -> u64| move || used.get().map(f).unwrap_or_default();
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
            <section class="used" data-testid="used" aria-label=page.say_later(|w| w.efficiency)>
                <h3>{page.say_later(|w| w.efficiency)}</h3>
                {gauge(page, Signal::stored("CPU"), string(cpu), get(cpu_share))}
                {gauge(page, page.say_later(|w| w.memory_peak), string(memory), get(memory_share))}
            </section>
        </When>
    }
}

fn cpu_share(used: JobUsage) -> u64 {
    percent(used.cpu_seconds.unsigned_abs(), used.cpu_most.unsigned_abs())
}

fn memory_share(used: JobUsage) -> u64 {
    percent(used.memory, used.memory_most)
}

/// A label, a bar, and the numbers behind it.
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
