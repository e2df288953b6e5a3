//! The timeline as a table: for screen readers while the picture is shown, else with buttons that select a job.
//! It is one piece of markup: a view for each row would be larger code.

use super::{Timeline, standing};
use crate::figure::key_of;
use crate::follow::{flag, string};
use crate::i18n::Words;
use crate::page::Selection;
use leptos::prelude::*;
use protocol::{BarKind, GanttBar, GanttPicture};
use view::svg::escape;
use view::times::moment;

/// Most rows of the table.
const MAX_ROWS: usize = 60;

/// Draws the table: job, user, row, from, until, state. It changes only when a bar begins or ends.
pub fn table(chart: Timeline) -> AnyView {
    let Timeline { page, picture, as_table, .. } = chart;
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
    let node = picture.rows.get(bar.row as usize).map_or("", String::as_str);
    // A running job's end is its time limit: the present would change the table with every picture.
    let until = if bar.kind == BarKind::Running { bar.limit.unwrap_or(bar.from) } else { bar.until };
    // Always with the date, because the table does not follow the clock.
    let (from, until) = (moment(bar.from, 0), moment(until, 0));
    let id = escape(&bar.id);
    let name = if seen { format!("<button class=\"quiet\" data-key=\"{id}\">{id}</button>") } else { id };
    let how = standing(words, bar);
    let cells = [bar.user.as_str(), node, &from, &until, &how];
    let cells: String = cells.iter().map(|text| format!("<td>{}</td>", escape(text))).collect();
    format!("<tr><th scope=\"row\">{name}</th>{cells}</tr>")
}
