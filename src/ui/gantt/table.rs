//! The timeline as a table: hidden where the picture is seen, for screen readers; else with buttons that select a job.
//! Written as markup in one go: rows of a view each would be larger.

use super::{Chart, standing};
use crate::protocol::{BarKind, GanttBar, GanttPicture};
use crate::ui::figure::key_of;
use crate::ui::follow::{flag, string};
use crate::ui::i18n::Words;
use crate::ui::state::Selection;
use crate::view::svg::escape;
use crate::view::times::moment;
use leptos::prelude::*;

/// Rows of the table.
const MAX_ROWS: usize = 60;

/// Job, user, row, from, until, state. Made anew only when a bar begins or ends.
pub fn table(chart: Chart) -> AnyView {
    let Chart { page, picture, as_table, .. } = chart;
    let markup = Memo::new(move |_| {
        picture.with(|p| p.as_ref().map(|p| markup(page.t(), p, as_table.get())).unwrap_or_default())
    });
    let pick = move |event: web_sys::MouseEvent| {
        if let Some(job) = key_of(&event) {
            page.selection.set(Selection::Job(job));
        }
    };
    view! {
        <div class="gantt-table" class:hidden=flag(move || !as_table.get()) class:scroll=flag(move || as_table.get())
            inner_html=string(move || markup.get()) on:click=pick></div>
    }
    .into_any()
}

fn markup(words: &'static Words, picture: &GanttPicture, seen: bool) -> String {
    let head = [words.id, words.owner, words.gantt_row, words.started, words.ended, words.state];
    let head: String = head.iter().map(|word| format!("<th scope=\"col\">{word}</th>")).collect();
    let rows = picture.bars.iter().filter(|b| !b.id.is_empty()).take(MAX_ROWS);
    let body: String = rows.map(|bar| row(words, picture, bar, seen)).collect();
    format!(
        "<table class=\"numbers\" data-testid=\"gantt-table\"><caption>{}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>",
        words.timeline
    )
}

fn row(words: &'static Words, picture: &GanttPicture, bar: &GanttBar, seen: bool) -> String {
    let place = picture.rows.get(bar.row as usize).map_or("", String::as_str);
    // What runs ends at its limit, as far as anybody knows: the present would change with each picture.
    let until = if bar.kind == BarKind::Running { bar.limit.unwrap_or(bar.from) } else { bar.until };
    // Always with the date: the table does not follow the clock.
    let (from, until) = (moment(bar.from, 0), moment(until, 0));
    let id = escape(&bar.id);
    let name = if seen { format!("<button class=\"quiet\" data-key=\"{id}\">{id}</button>") } else { id };
    let how = standing(words, bar);
    let cells = [bar.user.as_str(), place, &from, &until, &how];
    let cells: String = cells.iter().map(|text| format!("<td>{}</td>", escape(text))).collect();
    format!("<tr><th scope=\"row\">{name}</th>{cells}</tr>")
}
