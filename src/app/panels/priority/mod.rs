//! Priorities: a bar for each pending job, stacked from its factors, in the order in which passes try them; how many jobs a
//! pass tries; the formula in numbers; and a form for the weights.

mod row;
mod weights;

use crate::figure::for_files;
use crate::follow::{When, flag, string};
use crate::i18n::Words;
use crate::page::{Page, Selection};
use crate::save::{self, SavedPicture};
use leptos::html::Div;
use leptos::prelude::*;
use protocol::{HeldJob, PanelAnswer, PriorityFactor, PriorityPicture, PriorityRow};
use std::sync::Arc;
use view::fill::fill;
use view::priority::{csv, term, with_weights};

/// What the components of the panel share.
#[derive(Clone, Copy)]
struct PriorityPanel {
    page: Page,
    /// The current priorities.
    now: Memo<Option<PriorityPicture>>,
    /// The priorities with the weights that are being typed.
    picture: Memo<Option<PriorityPicture>>,
    /// Lines of slurm.conf with the weights that are being typed.
    proposed: RwSignal<Vec<(String, String)>>,
    /// The number of positions that each job would move up.
    moved: Memo<Vec<i32>>,
    /// The row under the pointer.
    pointed: RwSignal<Option<usize>>,
}

impl PriorityPanel {
    /// Reads the picture, if there is one.
    fn read<T>(self, f: impl FnOnce(&PriorityPicture) -> T, none: T) -> T {
        self.picture.with(|p| p.as_ref().map(f).unwrap_or(none))
    }

    fn holds(self, f: fn(&PriorityPicture) -> bool) -> Signal<bool> {
        flag(move || self.read(f, false))
    }
}

/// Draws the panel.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page, answer: RwSignal<Option<Box<PanelAnswer>>>) -> AnyView {
    let now = Memo::new(move |_| answer.with(|p| p.as_ref().and_then(|p| p.priority()).cloned()));
    let proposed = RwSignal::new(Vec::new());
    let both = Memo::new(move |_| now.with(|p| p.as_ref().map(|p| proposed.with(|w| with_weights(p, w)))));
    let picture = Memo::new(move |_| both.with(|b| b.as_ref().map(|b| b.0.clone())));
    let moved = Memo::new(move |_| both.with(|b| b.as_ref().map(|b| b.1.clone()).unwrap_or_default()));
    let panel = PriorityPanel { page, now, picture, proposed, moved, pointed: RwSignal::new(None) };
    let count = Memo::new(move |_| panel.read(|p| p.rows.len(), 0));
    let root = NodeRef::<Div>::new();
    // The picture for saving is drawn only while the pointer or the focus is near its buttons.
    let near = RwSignal::new(false);
    let data = Arc::new(move || {
        let words = page.prefs.lang.get_untracked().words();
        picture.with_untracked(|p| p.as_ref().map(|p| csv(p, &|part| name(words, part))).unwrap_or_default())
    });
    view! {
        <section class="priorities sheet" data-testid="priority" aria-label=page.say(|w| w.priority)>
            <When holds=panel.holds(|p| !p.rows.is_empty() && p.multifactor)>
                <div class="bar" on:pointerenter=move |_| near.set(true) on:focusin=move |_| near.set(true)
                    on:pointerleave=move |_| near.set(false)>
                    <PriorityLegend panel />
                    <span class="spring"></span>
                    {save::menu(page, "priority", SavedPicture::Svg(root), data.clone())}
                </div>
            </When>
            <div class="scroll" tabindex="0" role="group" aria-label=page.say(|w| w.priority)>
                <PriorityNotes panel />
                <When holds=panel.holds(|p| !p.rows.is_empty())>
                    <When holds=flag(move || proposed.with(|w| !w.is_empty()))>
                        <p class="verdict preview" role="status" data-testid="priority-preview">{page.say_later(|w| w.priority_preview)}</p>
                    </When>
                    <p class="tried" data-testid="priority-tried">{string(move || tried(panel))}</p>
                    <div node_ref=root>{for_files(move || if near.get() { drawn(panel) } else { String::new() })}</div>
                    <ol>
                        <For each=move || 0..count.get() key=|i| *i
                            children=move |index| view! { <row::PriorityLine panel index /> } />
                    </ol>
                    <p class="faint more">{string(move || more(panel))}</p>
                </When>
                <HeldJobs panel />
                <When holds=panel.holds(|p| p.multifactor)><weights::Weights panel /></When>
            </div>
            <When holds=panel.holds(|p| !p.rows.is_empty() && p.multifactor)>
                <p class="formula" data-testid="formula">{string(move || formula(panel))}</p>
            </When>
        </section>
    }
    .into_any()
}

/// Makes one picture of all bars, for saving.
fn drawn(panel: PriorityPanel) -> String {
    let class = |part: &PriorityFactor| class(part);
    panel.read(|p| view::priority::bars(p, &class, panel.page.t().priority), String::new())
}

/// Notes about this cluster, and empty states.
#[component]
fn PriorityNotes(panel: PriorityPanel) -> impl IntoView {
    let page = panel.page;
    view! {
        <When holds=panel.holds(|p| !p.multifactor)>
            <p class="empty">{page.say_later(|w| w.priority_basic)}</p>
            <p class="empty">{page.say_later(|w| w.priority_teach)}</p>
            <pre class="lines">"PriorityType=priority/multifactor\nPriorityWeightAge=1000\nPriorityWeightFairshare=10000"</pre>
        </When>
        <When holds=panel.holds(|p| p.rows.is_empty())>
            <p class="empty">{page.say_later(|w| w.priority_empty)}</p>
        </When>
    }
}

/// How many jobs the passes try.
fn tried(panel: PriorityPanel) -> String {
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

fn more(panel: PriorityPanel) -> String {
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

/// The formula of the row under the pointer, else of the selected job.
fn formula(panel: PriorityPanel) -> String {
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

/// Held jobs.
#[component]
fn HeldJobs(panel: PriorityPanel) -> impl IntoView {
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
            <p class="held">{page.say_later(|w| w.priority_held)}" "
                {move || jobs.get().into_iter().map(job).collect::<Vec<_>>()}
                {string(rest)}</p>
        </When>
    }
}

/// The legend: the factors that any row has.
#[component]
fn PriorityLegend(panel: PriorityPanel) -> impl IntoView {
    let parts = Memo::new(move |_| {
        let mut seen: Vec<PriorityFactor> = Vec::new();
        panel.picture.with(|p| {
            for (part, _) in p.iter().flat_map(|p| &p.rows).flat_map(|r| &r.parts) {
                if !seen.contains(part) {
                    seen.push(part.clone());
                }
            }
        });
        seen
    });
    let item = move |part: PriorityFactor| {
        let class = format!("part {}", class(&part));
        view! { <span><i class=class></i>{name(panel.page.t(), &part)}</span> }
    };
    view! { <p class="legend">{move || parts.get().into_iter().map(item).collect::<Vec<_>>()}</p> }
}

/// The name of a factor.
fn name(words: &'static Words, part: &PriorityFactor) -> String {
    match part {
        PriorityFactor::Age => words.part_age.to_owned(),
        PriorityFactor::Association => words.part_assoc.to_owned(),
        PriorityFactor::FairShare => words.part_fairshare.to_owned(),
        PriorityFactor::JobSize => words.part_size.to_owned(),
        PriorityFactor::Partition => words.partition.to_owned(),
        PriorityFactor::Qos => "QOS".to_owned(),
        PriorityFactor::Tres(name) => name.clone(),
        PriorityFactor::Site => words.part_site.to_owned(),
        PriorityFactor::Nice => "nice".to_owned(),
    }
}

/// A factor's class in the style sheet.
const fn class(part: &PriorityFactor) -> &'static str {
    match part {
        PriorityFactor::Age => "age",
        PriorityFactor::Association => "assoc",
        PriorityFactor::FairShare => "fairshare",
        PriorityFactor::JobSize => "size",
        PriorityFactor::Partition => "partition",
        PriorityFactor::Qos => "qos",
        PriorityFactor::Tres(_) => "tres",
        PriorityFactor::Site => "site",
        PriorityFactor::Nice => "nice",
    }
}
