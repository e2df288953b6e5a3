//! The users in the order of their fair share. Choosing two compares them.

use super::SharesPanel;
use crate::follow::{flag, string};
use leptos::prelude::*;
use protocol::ShareRow;
use view::css::percent;
use view::palette::user_colour;
use view::shares::{moved, name, number, rank, ranking};

/// The list.
#[component]
pub fn Ranking(panel: SharesPanel) -> impl IntoView {
    let page = panel.page;
    let order = Memo::new(move |_| {
        panel.read(
            |p| ranking(p).into_iter().filter_map(|i| p.rows.get(i)).map(|r| r.id).collect(),
            Vec::new(),
        )
    });
    view! {
        <div class="ranking">
            <h3>{page.say_later(|w| w.shares_ranking)}</h3>
            <ol>
                <For each=move || order.get() key=|id| *id children=move |id| view! { <RankedUser panel id /> } />
            </ol>
        </div>
    }
}

/// A user in the list.
#[component]
fn RankedUser(panel: SharesPanel, id: u32) -> impl IntoView {
    let page = panel.page;
    let row = Memo::new(move |_| {
        panel.read(|p| p.rows.iter().find(|r| r.id == id).map(|r| (rank(p, r), moved(p, r), r.clone())), None)
    });
    let read = move |f: fn(usize, &ShareRow) -> String| {
        string(move || row.with(|r| r.as_ref().map(|(rank, _, r)| f(*rank, r)).unwrap_or_default()))
    };
    let moves = move || match row.with(|r| r.as_ref().map_or(0, |r| r.1)) {
        0 => String::new(),
        up @ 1.. => format!("▲{up} "),
        down => format!("▼{} ", -down),
    };
    let factor = move || {
        let point = page.t().decimal;
        row.with(|r| r.as_ref().map(|(.., r)| number(r.factor, point)).unwrap_or_default())
    };
    let colour = move || {
        let dark = page.prefs.dark.get();
        row.with(|r| r.as_ref().map(|(.., r)| user_colour(r.user_index, dark)).unwrap_or_default())
    };
    let chosen = move || panel.chosen.get().contains(&Some(id));
    view! {
        <li class:selected=flag(chosen)>
            <button data-testid="share-rank" aria-pressed=string(move || chosen().to_string())
                on:click=move |_| panel.choose(id)>
                <span class="rank">{read(|rank, _| format!("{rank}."))}</span>
                <span class="who" title=read(|_, r| name(r))><i class="dot" style:background=string(colour)></i>{read(|_, r| name(r))}</span>
                <span class="faint" title=read(|_, r| r.account.clone())>{read(|_, r| r.account.clone())}</span>
                <b><span class="moved">{string(moves)}</span>{string(factor)}</b>
                <i class="meter"><i style:width=read(|_, r| percent(r.factor))></i></i>
            </button>
        </li>
    }
}
