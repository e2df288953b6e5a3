//! Priorities: a bar for each pending job, stacked from what adds to it, in the order in which passes try them; how far a
//! pass comes; the formula in numbers; and the weights, to be changed.

mod row;
mod weights;

use super::figure::for_files;
use super::i18n::Words;
use super::save;
use super::state::{Page, Selection};
use crate::protocol::{HeldJob, Part, PriorityPicture, PriorityRow};
use crate::ui::follow::{When, flag, string};
use crate::view::fill::fill;
use crate::view::priority::{csv, term, with_weights};
use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;

/// What the pieces of the panel share.
#[derive(Clone, Copy)]
struct Panel {
    page: Page,
    /// As things stand ...
    now: Memo<Option<PriorityPicture>>,
    /// ... or as they would be with the weights that are being typed.
    picture: Memo<Option<PriorityPicture>>,
    /// Lines of slurm.conf that are typed and not written yet.
    wished: RwSignal<Vec<(String, String)>>,
    /// How many places each row would move up.
    moved: Memo<Vec<i32>>,
    /// The row that is pointed at.
    pointed: RwSignal<Option<usize>>,
}

impl Panel {
    /// Something of the picture.
    fn read<T>(self, f: impl FnOnce(&PriorityPicture) -> T, none: T) -> T {
        self.picture.with(|p| p.as_ref().map(f).unwrap_or(none))
    }

    fn holds(self, f: fn(&PriorityPicture) -> bool) -> Signal<bool> {
        flag(move || self.read(f, false))
    }
}

/// The panel.
pub fn draw(page: Page) -> AnyView {
    let now = Memo::new(move |_| page.picture.with(|p| p.as_ref().and_then(|p| p.priority()).cloned()));
    let wished = RwSignal::new(Vec::new());
    let both = Memo::new(move |_| now.with(|p| p.as_ref().map(|p| wished.with(|w| with_weights(p, w)))));
    let picture = Memo::new(move |_| both.with(|b| b.as_ref().map(|b| b.0.clone())));
    let moved = Memo::new(move |_| both.with(|b| b.as_ref().map(|b| b.1.clone()).unwrap_or_default()));
    let panel = Panel { page, now, picture, wished, moved, pointed: RwSignal::new(None) };
    let count = Memo::new(move |_| panel.read(|p| p.rows.len(), 0));
    let root = NodeRef::<Div>::new();
    // The picture that files get is drawn only for whoever comes near its buttons.
    let near = RwSignal::new(false);
    let data = Arc::new(move || {
        let words = page.lang.get_untracked().words();
        picture.with_untracked(|p| p.as_ref().map(|p| csv(p, &|part| name(words, part))).unwrap_or_default())
    });
    view! {
        <section class="priorities sheet" data-testid="priority" aria-label=page.say(|w| w.priority)>
            <When holds=panel.holds(|p| !p.rows.is_empty() && p.multifactor)>
                <div class="bar" on:pointerenter=move |_| near.set(true) on:focusin=move |_| near.set(true)
                    on:pointerleave=move |_| near.set(false)>
                    <Legend panel />
                    <span class="spring"></span>
                    {save::buttons(page, "priority", root, data.clone())}
                </div>
            </When>
            <div class="scroll" tabindex="0" role="group" aria-label=page.say(|w| w.priority)>
                <Notes panel />
                <When holds=panel.holds(|p| !p.rows.is_empty())>
                    <When holds=flag(move || wished.with(|w| !w.is_empty()))>
                        <p class="verdict preview" role="status" data-testid="priority-preview">{page.say(|w| w.priority_preview)}</p>
                    </When>
                    <p class="tried" data-testid="priority-tried">{string(move || tried(panel))}</p>
                    <div node_ref=root>{for_files(move || if near.get() { drawn(panel) } else { String::new() })}</div>
                    <ol>
                        <For each=move || 0..count.get() key=|i| *i
                            children=move |index| view! { <row::Row panel index /> } />
                    </ol>
                    <p class="faint more">{string(move || more(panel))}</p>
                </When>
                <Held panel />
                <When holds=panel.holds(|p| p.multifactor)><weights::Weights panel /></When>
            </div>
            <When holds=panel.holds(|p| !p.rows.is_empty() && p.multifactor)>
                <p class="formula" data-testid="formula">{string(move || formula(panel))}</p>
            </When>
        </section>
    }
    .into_any()
}

/// The bars as one picture, for saving.
fn drawn(panel: Panel) -> String {
    let class = |part: &Part| class(part);
    panel.read(|p| crate::view::priority::bars(p, &class, panel.page.t().priority), String::new())
}

/// What is to be known first, and empty states.
#[component]
fn Notes(panel: Panel) -> impl IntoView {
    let page = panel.page;
    view! {
        <When holds=panel.holds(|p| !p.multifactor)>
            <p class="empty">{page.say(|w| w.priority_basic)}</p>
            <p class="empty">{page.say(|w| w.priority_teach)}</p>
            <pre class="lines">"PriorityType=priority/multifactor\nPriorityWeightAge=1000\nPriorityWeightFairshare=10000"</pre>
        </When>
        <When holds=panel.holds(|p| p.rows.is_empty())>
            <p class="empty">{page.say(|w| w.priority_empty)}</p>
        </When>
    }
}

/// How far passes come.
fn tried(panel: Panel) -> String {
    let words = panel.page.t();
    panel.read(
        |p| {
            let [total, main, back] = [p.total, p.main_depth, p.backfill_depth].map(|n| n.to_string());
            let all = p.total <= p.main_depth && p.total <= p.backfill_depth;
            fill(
                if all { words.priority_all_tried } else { words.priority_some_tried },
                &[&total, &main, &back],
            )
        },
        String::new(),
    )
}

fn more(panel: Panel) -> String {
    let words = panel.page.t();
    let text = |p: &PriorityPicture| {
        let (shown, total) = (p.rows.len(), p.total as usize);
        if total > shown {
            fill(words.priority_more, &[&shown.to_string(), &total.to_string()])
        } else {
            String::new()
        }
    };
    panel.read(text, String::new())
}

/// The formula of the row that is pointed at, else of the job that is selected.
fn formula(panel: Panel) -> String {
    let words = panel.page.t();
    let pointed = panel.pointed.get();
    let selected = |r: &PriorityRow| panel.page.selection.with(|s| *s == Selection::Job(r.id.clone()));
    panel.read(
        |p| {
            let row = pointed.and_then(|i| p.rows.get(i)).or_else(|| p.rows.iter().find(|r| selected(r)));
            let Some(row) = row else { return words.priority_point.to_owned() };
            if row.fixed {
                return format!("{}: {} ({})", row.id, row.priority, words.priority_fixed);
            }
            let terms = row.parts.iter().map(|(part, adds)| {
                format!("{} {}", name(words, part), term(&p.weights, part, *adds, words.decimal))
            });
            format!(
                "{}: {} = {}",
                row.id,
                terms.collect::<Vec<_>>().join(" + ").replace("+ nice −", "− nice "),
                row.priority
            )
        },
        String::new(),
    )
}

/// Jobs that no pass tries.
#[component]
fn Held(panel: Panel) -> impl IntoView {
    let page = panel.page;
    let jobs = Memo::new(move |_| panel.read(|p| p.held.clone(), Vec::new()));
    let rest = move || {
        let more = panel.read(|p| (p.held_total as usize).saturating_sub(p.held.len()), 0);
        if more > 0 { format!("+ {more}") } else { String::new() }
    };
    let job = move |held: HeldJob| {
        let by = if held.by_admin { page.t().held_admin } else { "" };
        let id = held.id.clone();
        view! {
            <button class="quiet" data-testid="held"
                on:click=move |_| page.selection.set(Selection::Job(id.clone()))>
                {held.id.clone()}" "<span class="faint">{by}</span></button>
        }
    };
    view! {
        <When holds=flag(move || jobs.with(|j| !j.is_empty()))>
            <p class="held">{page.say(|w| w.priority_held)}" "
                {move || jobs.get().into_iter().map(job).collect::<Vec<_>>()}
                {string(rest)}</p>
        </When>
    }
}

/// What the colours mean: the parts that any row has.
#[component]
fn Legend(panel: Panel) -> impl IntoView {
    let parts = Memo::new(move |_| {
        let mut seen: Vec<Part> = Vec::new();
        panel.picture.with(|p| {
            for (part, _) in p.iter().flat_map(|p| &p.rows).flat_map(|r| &r.parts) {
                if !seen.contains(part) {
                    seen.push(part.clone());
                }
            }
        });
        seen
    });
    let item = move |part: Part| {
        let class = format!("part {}", class(&part));
        view! { <span><i class=class></i>{name(panel.page.t(), &part)}</span> }
    };
    view! { <p class="legend">{move || parts.get().into_iter().map(item).collect::<Vec<_>>()}</p> }
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
