//! Fair share: the tree of associations as a picture and as `sshare -l` prints it, which of two users goes first and why,
//! and the decay of usage.

mod change;
mod ranking;

use crate::figure::{figure, nothing};
use crate::follow::{When, flag, string};
use crate::page::Page;
use crate::panels::linked;
use crate::save::{self, SavedPicture};
use leptos::html::Div;
use leptos::prelude::*;
use protocol::{PanelAnswer, SharesHypothesis, SharesPicture};
use std::sync::Arc;
use view::fill::fill;
use view::panel_link::{SharesLink, SharesView};
use view::shares::{DecayAxis, IcicleView, RankingReason, chain, csv, decay, decide, icicle, name, number};
use view::times::span;

/// What the components of the panel share.
#[derive(Clone, Copy)]
struct SharesPanel {
    page: Page,
    picture: Memo<Option<SharesPicture>>,
    /// Hypothetical shares and half-life.
    hypothesis: RwSignal<SharesHypothesis>,
    /// The associations that are compared, by id.
    chosen: RwSignal<[Option<u32>; 2]>,
}

impl SharesPanel {
    /// Reads the picture, if there is one.
    fn read<T>(self, f: impl FnOnce(&SharesPicture) -> T, none: T) -> T {
        self.picture.with(|p| p.as_ref().map(f).unwrap_or(none))
    }

    /// The hypothetical half-life, otherwise the current one.
    fn half_life(self) -> u32 {
        self.hypothesis.get().half_life.unwrap_or_else(|| self.read(|p| p.half_life, 0))
    }

    /// The rows that are compared.
    fn rows(self, picture: &SharesPicture) -> [Option<usize>; 2] {
        let chosen = self.chosen.get();
        chosen.map(|id| id.and_then(|id| picture.rows.iter().position(|r| r.id == id)))
    }

    /// Chooses a row, to compare it with the one chosen before. Choosing it again removes it.
    fn choose(self, id: u32) {
        self.chosen.update(|chosen| {
            *chosen = match *chosen {
                [Some(a), b] if a == id => [b, None],
                [a, Some(b)] if b == id => [a, None],
                [None, _] => [Some(id), None],
                [a @ Some(_), None] => [a, Some(id)],
                [Some(_), b @ Some(_)] => [b, Some(id)],
            };
        });
    }
}

/// Draws the panel.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(
    page: Page,
    answer: RwSignal<Option<Box<PanelAnswer>>>,
    hypothesis: RwSignal<SharesHypothesis>,
) -> AnyView {
    let picture = Memo::new(move |_| answer.with(|p| p.as_ref().and_then(|p| p.shares()).cloned()));
    let panel = SharesPanel { page, picture, hypothesis, chosen: RwSignal::new([None, None]) };
    let part = RwSignal::new(SharesView::Tree);
    let state =
        move || SharesLink { view: part.get(), chosen: panel.chosen.get(), hypothesis: hypothesis.get() };
    let link = linked::shares(state);
    part.set(link.view);
    panel.chosen.set(link.chosen);
    hypothesis.set(link.hypothesis);
    on_cleanup(move || {
        linked::leave_shares(&untrack(state));
        hypothesis.set(SharesHypothesis::default());
    });
    let root = NodeRef::<Div>::new();
    let tab =
        move |which: SharesView, id: &'static str, word: fn(&'static crate::i18n::Words) -> &'static str| {
            view! {
                <button data-testid=id aria-pressed=string(move || (part.get() == which).to_string())
                    on:click=move |_| part.set(which)>{page.say(word)}</button>
            }
        };
    let data = Arc::new(move || picture.with_untracked(|p| p.as_ref().map(csv).unwrap_or_default()));
    let is = move |which: SharesView| flag(move || part.get() == which);
    view! {
        <section class="shares sheet" data-testid="shares" aria-label=page.say(|w| w.shares)>
            <div class="bar">
                <div class="choice" role="group" aria-label=page.say(|w| w.shares)>
                    {tab(SharesView::Tree, "shares-tree", |w| w.shares_tree)}
                    {tab(SharesView::Table, "shares-table", |w| w.shares_table)}
                    {tab(SharesView::Decay, "shares-decay", |w| w.shares_decay)}
                </div>
                <span class="spring"></span>
                {save::menu(page, "fairshare", SavedPicture::Svg(root), data)}
            </div>
            <div class="scroll" tabindex="0" role="group" aria-label=page.say(|w| w.shares)>
                <SharesNotes panel />
                <SharesPreview panel />
                <When holds=is(SharesView::Tree)><SharesTree panel root /></When>
                <When holds=is(SharesView::Table)><SharesTable panel root /></When>
                <When holds=is(SharesView::Decay)><SharesDecay panel root /></When>
            </div>
        </section>
    }
    .into_any()
}

/// Notes about this cluster.
#[component]
fn SharesNotes(panel: SharesPanel) -> impl IntoView {
    let page = panel.page;
    let holds = move |f: fn(&SharesPicture) -> bool| flag(move || panel.read(f, false));
    view! {
        <When holds=holds(|p| !p.multifactor)>
            <p class="empty">{page.say_later(|w| w.shares_basic)}</p>
            <pre class="lines">"PriorityType=priority/multifactor\nPriorityWeightFairshare=10000"</pre>
        </When>
        <When holds=holds(|p| p.multifactor && p.weight == 0)>
            <p class="empty">{page.say_later(|w| w.shares_weightless)}</p>
        </When>
        <When holds=holds(|p| p.total as usize > p.rows.len())>
            <p class="empty">{string(move || panel.read(|p| {
                fill(page.t().shares_cut, &[&p.rows.len().to_string(), &p.total.to_string()])
            }, String::new()))}</p>
        </When>
    }
}

/// Says that this is a preview, and offers to leave it.
#[component]
fn SharesPreview(panel: SharesPanel) -> impl IntoView {
    let page = panel.page;
    let said = move || {
        let words = page.t();
        match panel.read(|p| p.hypothesis.half_life, None) {
            Some(_) => words.shares_preview_decay.to_owned(),
            None => words.shares_preview.to_owned(),
        }
    };
    view! {
        <When holds=flag(move || panel.read(|p| p.hypothesis != SharesHypothesis::default(), false))>
            <p class="verdict preview" role="status" data-testid="shares-preview">{string(said)}" "
                <button data-testid="shares-as-is" on:click=move |_| panel.hypothesis.set(SharesHypothesis::default())>
                    {page.say_later(|w| w.shares_as_is)}</button></p>
        </When>
    }
}

#[component]
fn SharesTree(panel: SharesPanel, root: NodeRef<Div>) -> impl IntoView {
    let page = panel.page;
    let draw = Arc::new(move |width: f64| {
        let dark = page.prefs.dark.get();
        let words = page.t();
        let look = |p: &SharesPicture| IcicleView { chosen: panel.rows(p), dark, point: words.decimal };
        panel.read(|p| icicle(p, width, look(p), words.shares), String::new())
    });
    let pick = Arc::new(move |key: &str| {
        let row = key.parse::<usize>().ok();
        let id = panel.picture.with_untracked(|p| Some(p.as_ref()?.rows.get(row?)?.id));
        if let Some(id) = id {
            panel.choose(id);
        }
    });
    view! {
        <p class="verdict" role="status" data-testid="shares-verdict">{string(move || verdict(panel))}</p>
        <div class="side">
            {figure(root, draw, pick)}
            <ranking::Ranking panel />
        </div>
        <change::Shares panel />
    }
}

/// Which of the two goes first, and why; how to read the picture until two are chosen.
fn verdict(panel: SharesPanel) -> String {
    let words = panel.page.t();
    panel.read(
        |p| {
            if let [Some(a), Some(b)] = panel.rows(p)
                && let Some(text) = compared(words, p, a, b)
            {
                return text;
            }
            let unused = p.rows.iter().all(|r| r.parent.is_none() || r.effective <= 0.0);
            match (unused, p.fair_tree) {
                (true, _) => fill(words.shares_unused, &[&span(i64::from(p.period), words.day)]),
                (false, true) => words.shares_how.to_owned(),
                (false, false) => words.shares_how_classic.to_owned(),
            }
        },
        String::new(),
    )
}

fn compared(words: &crate::i18n::Words, p: &SharesPicture, a: usize, b: usize) -> Option<String> {
    let row = |i: usize| p.rows.get(i);
    let called = |i: usize| row(i).map(name).unwrap_or_default();
    Some(match decide(p, a, b)? {
        RankingReason::Numbers => {
            let (fa, fb) = (row(a)?.factor, row(b)?.factor);
            let ((a, fa), (b, fb)) = if fb > fa { ((b, fb), (a, fa)) } else { ((a, fa), (b, fb)) };
            let sentence = if fa > fb { words.shares_numbers } else { words.shares_even };
            fill(sentence, &[&called(a), &called(b), &number(fa, words.decimal), &number(fb, words.decimal)])
        }
        RankingReason::Fork { common, a: at_a, b: at_b } => {
            let swap = row(at_b)?.level > row(at_a)?.level;
            let ((a, at_a), (b, at_b)) = if swap { ((b, at_b), (a, at_a)) } else { ((a, at_a), (b, at_b)) };
            let (la, lb) = (row(at_a)?.level, row(at_b)?.level);
            let sentence = if la > lb { words.shares_verdict } else { words.shares_tied };
            let parts = [a, b, common, at_a].map(called);
            let [one, two, top, branch] = &parts;
            let [of_a, of_b] = [la, lb].map(|level| number(level, words.decimal));
            let text = fill(sentence, &[one, two, top, branch, &of_a, &called(at_b), &of_b]);
            let whole = la > lb && (at_a != a || at_b != b);
            let more = if whole { fill(words.shares_whole, &[branch, &called(at_b)]) } else { String::new() };
            format!("{text} {more}").trim().to_owned()
        }
    })
}

#[component]
fn SharesTable(panel: SharesPanel, root: NodeRef<Div>) -> impl IntoView {
    let headings = move || {
        let all = panel.read(|p| p.headings.clone(), Vec::new());
        all.into_iter().map(|h| view! { <th scope="col">{h}</th> }).collect::<Vec<_>>()
    };
    let count = Memo::new(move |_| panel.read(|p| p.rows.len(), 0));
    let cells = move |row: usize| {
        move || {
            let cells = panel.read(|p| p.rows.get(row).map(|r| r.cells.clone()), None).unwrap_or_default();
            cells.into_iter().map(|c| view! { <td>{c}</td> }).collect::<Vec<_>>()
        }
    };
    let lit = move |row: usize| {
        flag(move || {
            panel.read(|p| panel.rows(p).into_iter().flatten().any(|r| chain(p, r).contains(&row)), false)
        })
    };
    view! {
        <div class="wide" node_ref=root>
            <table class="numbers" data-testid="sshare">
                <thead><tr>{headings}</tr></thead>
                <tbody>
                    <For each=move || 0..count.get() key=|i| *i children=move |i| view! {
                        <tr class:lit=lit(i)>{cells(i)}</tr>
                    } />
                </tbody>
            </table>
        </div>
    }
}

#[component]
fn SharesDecay(panel: SharesPanel, root: NodeRef<Div>) -> impl IntoView {
    let page = panel.page;
    let half = Memo::new(move |_| i64::from(panel.half_life()));
    let said = move || {
        let (words, half) = (page.t(), half.get());
        let after = |n: i64| span(half * n, words.day);
        if half > 0 { fill(words.decay_says, &[&after(1), &after(2)]) } else { words.decay_none.to_owned() }
    };
    let draw = Arc::new(move |width: f64| {
        let (words, half) = (page.t(), half.get());
        let after = |n: u32| span(half * i64::from(n), words.day);
        let (now, percent, label) = (words.decay_now, words.percent, words.decay_half);
        let axis = DecayAxis { now, after: &after, percent, label, text: &said() };
        let width = width.min(720.0);
        decay(width, half > 0, &axis).svg(width)
    });
    view! {
        <p class="verdict" data-testid="decay-says">{string(said)}</p>
        <div class="side">
            {figure(root, draw, nothing())}
            <ranking::Ranking panel />
        </div>
        <change::HalfLife panel />
    }
}
