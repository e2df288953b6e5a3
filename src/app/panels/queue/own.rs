//! The section with the current user's own jobs, above everyone's: the newest first, in at most four rows.

use super::QueueTable;
use super::line::{QueueLine, QueueLinePart};
use crate::follow::{When, flag, string};
use crate::page::{Page, Selection};
use leptos::html::Div;
use leptos::prelude::*;
use protocol::QueueRows;
use view::fill::fill;
use view::queue::{OWN_SHOWN, own, submission};

/// Draws the section, unless the user has no jobs or the table shows only theirs.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub(super) fn draw(page: Page, rows: RwSignal<QueueRows>, table: QueueTable) -> AnyView {
    let shown = Memo::new(move |_| rows.with(|q| own(&q.rows)));
    let total = Memo::new(move |_| rows.with(|q| q.total));
    let holds = flag(move || !shown.with(Vec::is_empty) && table.list.with(|l| l.user.is_none()));
    let list = NodeRef::<Div>::new();
    // A job that was just submitted is the first.
    Effect::new(move || {
        if table.fresh.with(Option::is_some)
            && let Some(list) = list.get_untracked()
        {
            list.set_scroll_top(0);
        }
    });
    let ids =
        move || shown.with(|rows| rows.iter().map(|row| submission(row).to_owned()).collect::<Vec<_>>());
    let selected = Memo::new(move |_| {
        let among = |id: &String| shown.with(|rows| rows.iter().any(|row| row.id == *id));
        page.selection.with(|s| matches!(s, Selection::Job(id) if among(id)))
    });
    let line = move |id: String| {
        let first = id.clone();
        let stop = flag(move || {
            !selected.get() && shown.with(|rows| rows.first().is_some_and(|row| submission(row) == first))
        });
        let row =
            Memo::new(move |_| shown.with(|rows| rows.iter().find(|row| submission(row) == id).cloned()));
        view! { <QueueLine page table part=QueueLinePart { row, stop, name: "own-row", top: None } /> }
    };
    let all = move |_| table.list.update(|list| list.user = Some(page.user.get_untracked()));
    view! {
        <When holds>
            <div class="yours" role="rowgroup" aria-label=page.say(|w| w.own_jobs) data-testid="own-jobs">
                <div class="row-group" role="row">
                    <span role="rowheader">{page.say(|w| w.own_jobs)}</span>
                    <span role="cell">
                        <When holds=flag(move || total.get() as usize > OWN_SHOWN)>
                            <button class="quiet" data-testid="own-all" on:click=all>
                                {string(move || fill(page.t().own_all, &[&page.number(total.get().into())]))}
                            </button>
                        </When>
                    </span>
                </div>
                <div class="yours-rows" role="presentation" node_ref=list>
                    <For each=ids key=Clone::clone children=line />
                </div>
                <div class="row-group" role="row"><span role="rowheader">{page.say(|w| w.other_jobs)}</span></div>
            </div>
        </When>
    }
    .into_any()
}
