//! The bar of a job.

use super::{PriorityPanel, class, name};
use crate::follow::{When, flag, string};
use crate::i18n::Words;
use crate::page::Selection;
use leptos::prelude::*;
use protocol::{PriorityFactor, PriorityRow};
use view::css::percent;
use view::fill::fill;
use view::palette::job_colour;
use view::priority::{begins_tier, lengths};

/// A row, with the separators in front of it.
#[component]
pub fn PriorityLine(panel: PriorityPanel, index: usize) -> impl IntoView {
    let page = panel.page;
    let row = Memo::new(move |_| panel.read(|p| p.rows.get(index).cloned(), None));
    let text = move |f: fn(&PriorityRow) -> String| {
        string(move || row.with(|r| r.as_ref().map(f).unwrap_or_default()))
    };
    // Bars are scaled to the highest priority.
    let most = move || {
        panel
            .picture
            .with(|p| p.iter().flat_map(|p| &p.rows).map(|r| lengths(&r.parts).0).fold(1.0_f64, f64::max))
    };
    let colour = move || {
        let dark = page.prefs.dark.get();
        row.with(|r| r.as_ref().map(|r| job_colour(r.user_index, r.job, dark)).unwrap_or_default())
    };
    let bar = move || {
        let (most, words) = (most(), page.t());
        let parts = row.with(|r| r.as_ref().map(|r| r.parts.clone()).unwrap_or_default());
        let takes = lengths(&parts).1;
        let piece = |class: String, size: f64, title: String| {
            let width = percent(size.abs() / most);
            // The bar of nice overlaps the end of the others.
            let back = if size < 0.0 { format!(";margin-left:-{width}") } else { String::new() };
            view! { <i class=class style=format!("width:{width}{back}") title=title></i> }
        };
        let gives = parts.iter().filter(|(_, adds)| *adds > 0.0);
        let mut all: Vec<_> = gives
            .map(|(part, adds)| {
                piece(format!("part {}", class(part)), *adds, factor_text(words, part, *adds))
            })
            .collect();
        if takes > 0.0 {
            let less = parts
                .iter()
                .filter(|(_, adds)| *adds < 0.0)
                .map(|(part, adds)| factor_text(words, part, *adds));
            let title = less.collect::<Vec<_>>().join(", ");
            all.push(piece("part minus".to_owned(), -takes, title));
        }
        all
    };
    let spoken = move || {
        let words = page.t();
        row.with(|r| {
            let Some(r) = r else { return String::new() };
            if r.fixed {
                return words.priority_fixed.to_owned();
            }
            r.parts.iter().map(|(part, adds)| factor_text(words, part, *adds)).collect::<Vec<_>>().join(", ")
        })
    };
    let selected = move || {
        row.with(|r| r.as_ref().is_some_and(|r| page.selection.with(|s| *s == Selection::Job(r.id.clone()))))
    };
    let select = move |_| {
        if let Some(id) = row.with_untracked(|r| r.as_ref().map(|r| r.id.clone())) {
            page.selection.set(Selection::Job(id));
        }
    };
    let tier = move || {
        let words = page.t();
        row.with(|r| {
            r.as_ref().map(|r| fill(words.priority_tier, &[&r.tier.to_string()])).unwrap_or_default()
        })
    };
    let moves = move || match panel.moved.with(|m| m.get(index).copied().unwrap_or(0)) {
        0 => String::new(),
        up @ 1.. => format!("▲{up} "),
        down => format!("▼{} ", -down),
    };
    let line = flag(move || panel.read(|p| index > 0 && index == p.main_depth as usize, false));
    let fixed = flag(move || row.with(|r| r.as_ref().is_some_and(|r| r.fixed)));
    view! {
        <li class:selected=flag(selected) data-testid="priority-row">
            <When holds=flag(move || panel.read(|p| begins_tier(&p.rows, index), false))>
                <p class="across tier">{string(tier)}</p>
            </When>
            <When holds=line><p class="across line">{page.say_later(|w| w.priority_line)}</p></When>
            <button on:click=select on:mouseenter=move |_| panel.pointed.set(Some(index))
                on:mouseleave=move |_| panel.pointed.set(None) on:focus=move |_| panel.pointed.set(Some(index))>
                <span class="who"><i class="dot" style:background=string(colour)></i>{text(|r| r.id.clone())}</span>
                <span class="faint">{text(|r| r.user.clone())}</span>
                <span class="faint">{text(|r| r.partition.clone())}</span>
                <b><span class="moved">{string(moves)}</span>{text(|r| r.priority.to_string())}</b>
                <When holds=fixed fallback=move || view! {
                    <span class="stack" role="img" aria-label=string(spoken)>{bar}</span>
                }><span class="faint">{page.say(|w| w.priority_fixed)}</span></When>
            </button>
        </li>
    }
}

/// `age 120`.
fn factor_text(words: &'static Words, part: &PriorityFactor, adds: f64) -> String {
    format!("{} {}", name(words, part), adds as i64)
}
