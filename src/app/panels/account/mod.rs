//! Accounting: the jobs that have ended in the columns of `sacct`, with a filter.

use crate::follow::{When, flag, string};
use crate::page::{Page, Selection};
use crate::save::{self, SavedPicture};
use leptos::prelude::*;
use protocol::{AccountPicture, AccountRow, PanelAnswer};
use std::sync::Arc;
use view::fill::{csv_line, fill};
use view::palette::job_colour;
use view::states::job_tone;

/// Draws the panel.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page, answer: RwSignal<Option<Box<PanelAnswer>>>, filter: RwSignal<String>) -> AnyView {
    let picture = Memo::new(move |_| answer.with(|p| p.as_ref().and_then(|p| p.account()).cloned()));
    let read = move |f: fn(&AccountPicture) -> usize| picture.with(|p| p.as_ref().map_or(0, f));
    let count = Memo::new(move |_| read(|p| p.rows.len()));
    let headings = move || {
        let all = picture.with(|p| p.as_ref().map(|p| p.headings.clone()).unwrap_or_default());
        all.into_iter().map(|h| view! { <th scope="col">{h}</th> }).collect::<Vec<_>>()
    };
    let found = move || {
        let (shown, matched) =
            (page.number(count.get() as u64), page.number(read(|p| p.matched as usize) as u64));
        fill(page.t().account_found, &[&shown, &matched])
    };
    let data = Arc::new(move || picture.with_untracked(|p| p.as_ref().map(csv).unwrap_or_default()));
    let cut = flag(move || picture.with(|p| p.as_ref().is_some_and(|p| p.cut)));
    view! {
        <section class="accounts sheet" data-testid="account" aria-label=page.say(|w| w.accounting)>
            <div class="bar">
                <input type="text" data-testid="account-filter" placeholder=page.say_later(|w| w.account_filter)
                    aria-label=page.say_later(|w| w.account_filter) prop:value=string(move || filter.get())
                    on:input=move |e| filter.set(event_target_value(&e)) />
                <span class="faint" role="status">{string(found)}</span>
                <span class="spring"></span>
                {save::menu(page, "sacct", SavedPicture::None, data)}
            </div>
            <div class="scroll" tabindex="0" role="group" aria-label=page.say(|w| w.accounting)>
                <When holds=cut><p class="faint">{page.say_later(|w| w.charts_cut)}</p></When>
                <When holds=flag(move || count.get() == 0)>
                    <p class="empty">{string(move || {
                        let words = page.t();
                        let none = filter.with(String::is_empty);
                        if none { words.account_none } else { words.account_empty }.to_owned()
                    })}</p>
                </When>
                <table class="numbers texts" data-testid="sacct">
                    <thead><tr>{headings}</tr></thead>
                    <tbody>
                        <For each=move || 0..count.get() key=|i| *i children=move |i| {
                            let row = Memo::new(move |_| picture.with(|p| p.as_ref().and_then(|p| p.rows.get(i).cloned())));
                            view! { <tr>{move || row.get().map(|r| cells(page, r))}</tr> }
                        } />
                    </tbody>
                </table>
            </div>
        </section>
    }
    .into_any()
}

/// The cells of a record. The first one selects the job.
fn cells(page: Page, row: AccountRow) -> AnyView {
    let colour = job_colour(row.user_index, row.job, page.prefs.dark.get());
    let tone = job_tone(&row.code).class();
    let mut cells = row.cells.into_iter();
    let id = cells.next().unwrap_or_default();
    let select = {
        let id = id.clone();
        move |_| page.selection.set(Selection::Job(id.clone()))
    };
    // The state is the fifth of the remaining cells.
    let cell = |(i, text): (usize, String)| {
        let class = if i == 4 { format!("tone {tone}") } else { String::new() };
        view! { <td class=class>{text}</td> }
    };
    view! {
        <td><button class="quiet" on:click=select><i class="dot" style:background=colour></i>" "{id}</button></td>
        {cells.enumerate().map(cell).collect::<Vec<_>>()}
    }
    .into_any()
}

fn csv(picture: &AccountPicture) -> String {
    let mut out = csv_line(picture.headings.iter().map(String::as_str));
    for row in &picture.rows {
        out += &csv_line(row.cells.iter().map(String::as_str));
    }
    out
}
