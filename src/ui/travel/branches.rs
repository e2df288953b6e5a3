//! The branches: every future that was lived in, from where it began to how far it has come. One is chosen to be lived in.

use crate::protocol::{FutureInfo, TimeLine, ToEngine, Travel};
use crate::ui::follow::string;
use crate::ui::state::Page;
use crate::ui::worker_link::send;
use crate::view::css::percent;
use crate::view::times::{civil, moment};
use crate::view::travel::{future_name, lane};
use leptos::html::Details;
use leptos::prelude::*;

/// A row of the list.
#[derive(Clone, PartialEq)]
struct Row {
    future: FutureInfo,
    /// Its place among the others.
    lane: (f64, f64),
    /// The moment that is lived in.
    now: i64,
}

/// The button that opens the list, and the list.
#[component]
pub fn Branches(page: Page) -> impl IntoView {
    let root = NodeRef::<Details>::new();
    let rows = Memo::new(move |_| page.line.with(|line| line.as_ref().map(|l| rows(l)).unwrap_or_default()));
    let lived = move || {
        let name = rows.with(|all| all.iter().find(|r| r.future.lived).map(|r| future_name(r.future.id)));
        format!("{} {}", page.t().branch, name.unwrap_or_default())
    };
    let choose = move |id: u32| {
        send(&ToEngine::Travel(Travel::Future(id)));
        if let Some(list) = root.get_untracked() {
            list.set_open(false);
        }
    };
    view! {
        <details class="menu branches" node_ref=root>
            <summary data-testid="branches" title=page.say(|w| w.branches_help)>
                <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2 4h12M5 4c3 0 2 8 5 8h4" /></svg>
                {string(lived)}
            </summary>
            <div class="popup" role="group" aria-label=page.say(|w| w.branches)>
                <p class="faint">{page.say(|w| w.branches_help)}</p>
                {move || rows.get().into_iter().map(|row| view! { <Branch page row choose /> }).collect::<Vec<_>>()}
            </div>
        </details>
    }
}

#[component]
fn Branch(page: Page, row: Row, choose: impl Fn(u32) + Copy + 'static) -> impl IntoView {
    let Row { future, lane: (left, width), now } = row;
    let FutureInfo { id, from, until, done, lived } = future;
    let what = string(move || match (id, done.is_empty()) {
        (1, _) => page.t().branch_first.to_owned(),
        (_, true) => moment(from, now),
        (_, false) => done.clone(),
    });
    let when = format!("{} – {}", minute(from, now), minute(until, now));
    view! {
        <button class="branch" data-testid=format!("branch-{id}") aria-pressed=lived.to_string() on:click=move |_| choose(id)>
            <b>{future_name(id)}</b>
            <span class="what">{what}</span>
            <span class="here">{lived.then(|| view! { {page.say(|w| w.branch_here)} })}</span>
            <span class="when">{when}</span>
            <span class="lane" aria-hidden="true">
                <span style=format!("left:{};width:{}", percent(left), percent(width))></span>
            </span>
        </button>
    }
}

/// A moment without its seconds.
fn minute(at: i64, now: i64) -> String {
    let (text, c) = (moment(at, now), civil(at));
    if text == c.hms() { c.hm() } else { text }
}

/// The rows. What is lived in goes on, but the list says so only once a minute.
fn rows(line: &TimeLine) -> Vec<Row> {
    const MINUTE: i64 = 60_000_000;
    let mut line = line.clone();
    line.present -= line.present.rem_euclid(MINUTE);
    for future in &mut line.futures {
        if future.lived {
            future.until = (future.until.div_euclid(MINUTE) * MINUTE).max(future.from);
        }
    }
    let row =
        |future: &FutureInfo| Row { future: future.clone(), lane: lane(&line, future), now: line.present };
    line.futures.iter().map(row).collect()
}
