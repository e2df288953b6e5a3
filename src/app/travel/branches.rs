//! The list of branches: each starts where the user went back in time and did something different. It is one
//! piece of markup: a view for each row would be larger code.

use crate::figure::key_of;
use crate::follow::string;
use crate::i18n::Words;
use crate::page::Page;
use crate::worker_link::send;
use leptos::html::Details;
use leptos::prelude::*;
use protocol::{BranchInfo, TimeLine, ToEngine, Travel};
use view::css::percent;
use view::svg::escape;
use view::times::{Calendar, civil, when};
use view::travel::{branch_name, lane};

/// The button, and the list that it opens.
#[component]
pub fn Branches(page: Page, line: RwSignal<Option<Box<TimeLine>>>) -> impl IntoView {
    let root = NodeRef::<Details>::new();
    let rows = Memo::new(move |_| line.with(|l| l.as_ref().map(|l| rows(page.t(), l)).unwrap_or_default()));
    let current = move || {
        let letter = |line: &TimeLine| line.branches.iter().find(|f| f.current).map(|f| branch_name(f.id));
        let name = line.with(|l| l.as_ref().and_then(|l| letter(l)));
        format!("{} {}", page.t().branch, name.unwrap_or_default())
    };
    let choose = move |event: web_sys::MouseEvent| {
        let Some(id) = key_of(&event).and_then(|key| key.parse().ok()) else { return };
        send(&ToEngine::Travel(Travel::Branch(id)));
        if let Some(list) = root.get_untracked() {
            list.set_open(false);
        }
    };
    view! {
        <details class="menu branches" node_ref=root>
            <summary data-testid="branches" title=page.say_later(|w| w.branches_help)>
                <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2 4h12M5 4c3 0 2 8 5 8h4" /></svg>
                {string(current)}
            </summary>
            <div class="popup">
                <p class="faint">{page.say_later(|w| w.branches_help)}</p>
                <div class="rows" role="group" aria-label=page.say_later(|w| w.branches)
                    inner_html=string(move || rows.get()) on:click=choose></div>
            </div>
        </details>
    }
}

/// The rows. The end of the current branch is rounded to minutes, so that the list changes rarely.
fn rows(words: &'static Words, line: &TimeLine) -> String {
    const MINUTE: i64 = 60_000_000;
    let mut line = line.clone();
    let now = line.present - line.present.rem_euclid(MINUTE);
    for branch in line.branches.iter_mut().filter(|f| f.current) {
        branch.until = now.max(branch.from);
    }
    line.branches.iter().map(|branch| row(words, &line, branch, now)).collect()
}

fn row(words: &'static Words, line: &TimeLine, branch: &BranchInfo, now: i64) -> String {
    let (left, width) = lane(line, branch);
    let when = format!(
        "{} – {}",
        minute(branch.from, now, words.calendar),
        minute(branch.until, now, words.calendar)
    );
    let what = match (branch.id, branch.done.is_empty()) {
        (1, _) => words.branch_first.to_owned(),
        (_, true) => minute(branch.from, now, words.calendar),
        (_, false) => escape(&branch.done),
    };
    let here = if branch.current { words.branch_here } else { "" };
    format!(
        "<button class=\"branch\" data-testid=\"branch-{0}\" data-key=\"{0}\" aria-pressed=\"{1}\"><b>{2}</b><span \
         class=\"what\">{what}</span><span class=\"here\">{here}</span><span class=\"when\">{when}</span><span \
         class=\"lane\" aria-hidden=\"true\"><span style=\"left:{3};width:{4}\"></span></span></button>",
        branch.id,
        branch.current,
        branch_name(branch.id),
        percent(left),
        percent(width),
    )
}

/// A moment without seconds.
fn minute(at: i64, now: i64, words: &Calendar) -> String {
    let (text, c) = (when(at, now, words), civil(at));
    if text == c.hms() { c.hm() } else { text }
}
