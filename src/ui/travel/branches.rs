//! The branches: every future that was lived in, from where it began to how far it has come. One is chosen to be lived in.
//! Written as markup in one go: rows of a view each would be larger.

use crate::protocol::{FutureInfo, TimeLine, ToEngine, Travel};
use crate::ui::figure::key_of;
use crate::ui::follow::string;
use crate::ui::i18n::Words;
use crate::ui::state::Page;
use crate::ui::worker_link::send;
use crate::view::css::percent;
use crate::view::svg::escape;
use crate::view::times::{Calendar, civil, when};
use crate::view::travel::{future_name, lane};
use leptos::html::Details;
use leptos::prelude::*;

/// The button that opens the list, and the list.
#[component]
pub fn Branches(page: Page) -> impl IntoView {
    let root = NodeRef::<Details>::new();
    let rows =
        Memo::new(move |_| page.line.with(|l| l.as_ref().map(|l| rows(page.t(), l)).unwrap_or_default()));
    let lived = move || {
        let letter = |line: &TimeLine| line.futures.iter().find(|f| f.lived).map(|f| future_name(f.id));
        let name = page.line.with(|l| l.as_ref().and_then(|l| letter(l)));
        format!("{} {}", page.t().branch, name.unwrap_or_default())
    };
    let choose = move |event: web_sys::MouseEvent| {
        let Some(id) = key_of(&event).and_then(|key| key.parse().ok()) else { return };
        send(&ToEngine::Travel(Travel::Future(id)));
        if let Some(list) = root.get_untracked() {
            list.set_open(false);
        }
    };
    view! {
        <details class="menu branches" node_ref=root>
            <summary data-testid="branches" title=page.say(|w| w.branches_help)>
                <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2 4h12M5 4c3 0 2 8 5 8h4" /></svg>
                {string(lived)}
            </summary>
            <div class="popup">
                <p class="faint">{page.say(|w| w.branches_help)}</p>
                <div class="rows" role="group" aria-label=page.say(|w| w.branches)
                    inner_html=string(move || rows.get()) on:click=choose></div>
            </div>
        </details>
    }
}

/// The rows. What is lived in goes on, but the list says so only once a minute.
fn rows(words: &'static Words, line: &TimeLine) -> String {
    const MINUTE: i64 = 60_000_000;
    let mut line = line.clone();
    let now = line.present - line.present.rem_euclid(MINUTE);
    for future in line.futures.iter_mut().filter(|f| f.lived) {
        future.until = now.max(future.from);
    }
    line.futures.iter().map(|future| row(words, &line, future, now)).collect()
}

fn row(words: &'static Words, line: &TimeLine, future: &FutureInfo, now: i64) -> String {
    let (left, width) = lane(line, future);
    let when = format!(
        "{} – {}",
        minute(future.from, now, words.calendar),
        minute(future.until, now, words.calendar)
    );
    let what = match (future.id, future.done.is_empty()) {
        (1, _) => words.branch_first.to_owned(),
        (_, true) => minute(future.from, now, words.calendar),
        (_, false) => escape(&future.done),
    };
    let here = if future.lived { words.branch_here } else { "" };
    format!(
        "<button class=\"branch\" data-testid=\"branch-{0}\" data-key=\"{0}\" aria-pressed=\"{1}\"><b>{2}</b><span \
         class=\"what\">{what}</span><span class=\"here\">{here}</span><span class=\"when\">{when}</span><span \
         class=\"lane\" aria-hidden=\"true\"><span style=\"left:{3};width:{4}\"></span></span></button>",
        future.id,
        future.lived,
        future_name(future.id),
        percent(left),
        percent(width),
    )
}

/// A moment without its seconds.
fn minute(at: i64, now: i64, words: &Calendar) -> String {
    let (text, c) = (when(at, now, words), civil(at));
    if text == c.hms() { c.hm() } else { text }
}
