//! Priorities: a bar for each pending job, stacked from what adds to it, in the order in which passes try them.

use super::i18n::Words;
use super::state::{Page, Selection};
use crate::protocol::{Part, PriorityPicture, PriorityRow};
use crate::ui::follow::{When, flag, string};
use crate::view::css::percent;
use crate::view::palette::job_colour;
use leptos::prelude::*;

/// The panel.
pub fn draw(page: Page) -> AnyView {
    let picture = Memo::new(move |_| page.picture.with(|p| p.as_ref().and_then(|p| p.priority()).cloned()));
    let read =
        move |f: fn(&PriorityPicture) -> bool| flag(move || picture.with(|p| p.as_ref().is_some_and(f)));
    let count = Memo::new(move |_| picture.with(|p| p.as_ref().map_or(0, |p| p.rows.len())));
    view! {
        <section class="priorities" data-testid="priority" aria-label=page.say(|w| w.priority)>
            <When holds=read(|p| !p.multifactor)>
                <p class="empty">{page.say(|w| w.priority_basic)}</p>
            </When>
            <When holds=read(|p| p.rows.is_empty())>
                <p class="empty">{page.say(|w| w.priority_empty)}</p>
            </When>
            <When holds=read(|p| !p.rows.is_empty())>
                <Legend page picture />
                <ol class="scroll" tabindex="0" aria-label=page.say(|w| w.priority)>
                    <For each=move || 0..count.get() key=|i| *i
                        children=move |index| view! { <Row page picture index /> } />
                </ol>
            </When>
        </section>
    }
    .into_any()
}

/// What the colours mean: the parts that any row has.
#[component]
fn Legend(page: Page, picture: Memo<Option<PriorityPicture>>) -> impl IntoView {
    let parts = Memo::new(move |_| {
        let mut seen: Vec<Part> = Vec::new();
        picture.with(|p| {
            for (part, _) in p.iter().flat_map(|p| &p.rows).flat_map(|r| &r.parts) {
                if !seen.contains(part) {
                    seen.push(part.clone());
                }
            }
        });
        seen
    });
    view! {
        <p class="legend">
            {move || parts.get().into_iter().map(|part| {
                let class = format!("part {}", class(&part));
                view! { <span><i class=class></i>{name(page.t(), &part)}</span> }
            }).collect::<Vec<_>>()}
        </p>
    }
}

/// One job.
#[component]
fn Row(page: Page, picture: Memo<Option<PriorityPicture>>, index: usize) -> impl IntoView {
    let row = Memo::new(move |_| picture.with(|p| p.as_ref().and_then(|p| p.rows.get(index).cloned())));
    let text = move |f: fn(&PriorityRow) -> String| {
        string(move || row.with(|r| r.as_ref().map(f).unwrap_or_default()))
    };
    // Bars are as long as the highest priority allows.
    let most = move || {
        picture.with(|p| p.iter().flat_map(|p| &p.rows).map(|r| added(&r.parts)).fold(1.0_f64, f64::max))
    };
    let colour = move || {
        let dark = page.dark.get();
        row.with(|r| r.as_ref().map(|r| job_colour(r.user_index, r.job, dark)).unwrap_or_default())
    };
    let bar = move || {
        let most = most();
        let parts = row.with(|r| r.as_ref().map(|r| r.parts.clone()).unwrap_or_default());
        let gives = parts.into_iter().filter(|(_, adds)| *adds > 0.0);
        gives
            .map(|(part, adds)| {
                let class = format!("part {}", class(&part));
                view! { <i class=class style:width=percent(adds / most) title=said(page.t(), &part, adds)></i> }
            })
            .collect::<Vec<_>>()
    };
    let spoken = move || {
        let words = page.t();
        let parts = row.with(|r| r.as_ref().map(|r| r.parts.clone()).unwrap_or_default());
        parts.iter().map(|(part, adds)| said(words, part, *adds)).collect::<Vec<_>>().join(", ")
    };
    let selected = move || {
        row.with(|r| r.as_ref().is_some_and(|r| page.selection.with(|s| *s == Selection::Job(r.id.clone()))))
    };
    let select = move |_| {
        if let Some(id) = row.with_untracked(|r| r.as_ref().map(|r| r.id.clone())) {
            page.selection.set(Selection::Job(id));
        }
    };
    view! {
        <li class:selected=flag(selected) data-testid="priority-row">
            <button on:click=select>
                <span class="who"><i class="dot" style:background=string(colour)></i>{text(|r| r.id.clone())}</span>
                <span class="faint">{text(|r| r.user.clone())}</span>
                <span class="faint">{text(|r| r.partition.clone())}</span>
                <b>{text(|r| r.priority.to_string())}</b>
                <span class="stack" role="img" aria-label=string(spoken)>{bar}</span>
            </button>
        </li>
    }
}

/// All that adds to a priority.
fn added(parts: &[(Part, f64)]) -> f64 {
    parts.iter().map(|(_, adds)| adds.max(0.0)).sum()
}

/// `Age 120`.
fn said(words: &'static Words, part: &Part, adds: f64) -> String {
    format!("{} {}", name(words, part), adds as i64)
}

/// A part by name.
fn name(words: &'static Words, part: &Part) -> String {
    match part {
        Part::Age => words.part_age.to_owned(),
        Part::Association => words.part_assoc.to_owned(),
        Part::FairShare => words.part_fairshare.to_owned(),
        Part::JobSize => words.part_size.to_owned(),
        Part::Partition => words.partition.to_owned(),
        Part::Qos => "QOS".to_owned(),
        Part::Tres(name) => name.clone(),
        Part::Site => words.part_site.to_owned(),
        Part::Nice => "nice".to_owned(),
    }
}

/// A part's class in the style sheet.
const fn class(part: &Part) -> &'static str {
    match part {
        Part::Age => "age",
        Part::Association => "assoc",
        Part::FairShare => "fairshare",
        Part::JobSize => "size",
        Part::Partition => "partition",
        Part::Qos => "qos",
        Part::Tres(_) => "tres",
        Part::Site => "site",
        Part::Nice => "nice",
    }
}
