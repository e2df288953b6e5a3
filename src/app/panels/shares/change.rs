//! Forms for shares and the half-life. Each change is the command that an administrator would type.

use super::SharesPanel;
use crate::command::of_root;
use crate::follow::string;
use leptos::prelude::*;
use protocol::ShareRow;
use view::commands::{conf, share};
use view::fill::fill;
use view::shares::name;
use view::times::span;

/// The half-lives to choose from, in hours; 0: no decay.
const HALF_LIVES: [u32; 8] = [1, 12, 24, 72, 168, 336, 720, 0];

/// A form for the shares of an account or a user.
#[component]
pub fn Shares(panel: SharesPanel) -> impl IntoView {
    let page = panel.page;
    let whose = RwSignal::new(None::<u32>);
    let many = RwSignal::new(String::from("2"));
    // The association that was chosen last in the picture is the default.
    Effect::new(move || {
        if let Some(id) = panel.chosen.get().into_iter().flatten().last() {
            whose.set(Some(id));
        }
    });
    // The preview starts with the first change.
    let touched = RwSignal::new(false);
    let all = Memo::new(move |_| {
        let below = |r: &&ShareRow| r.parent.is_some();
        let called = |r: &ShareRow| match r.user.is_empty() {
            true => r.account.clone(),
            false => format!("{} ({})", name(r), r.account),
        };
        panel.read(|p| p.rows.iter().filter(below).map(|r| (r.id, called(r))).collect(), Vec::new())
    });
    let current = move || whose.get().or_else(|| all.with(|a| a.first().map(|(id, _)| *id)));
    let proposed = move || many.get().trim().parse::<u32>().ok();
    Effect::new(move || {
        let hypothesis = current().zip(proposed()).filter(|_| touched.get());
        if panel.hypothesis.with_untracked(|s| s.shares != hypothesis) {
            panel.hypothesis.update(|s| s.shares = hypothesis);
        }
    });
    Effect::new(move || {
        if panel.hypothesis.with(|s| s.shares.is_none()) && touched.get_untracked() {
            touched.set(false);
        }
    });
    let line = Signal::derive(move || {
        let id = current();
        let shares = proposed().unwrap_or(1);
        panel
            .read(|p| p.rows.iter().find(|r| Some(r.id) == id).map(|r| share(r, shares)), None)
            .unwrap_or_default()
    });
    let options = move || {
        let now = current();
        let option = |(id, text): (u32, String)| {
            let chosen = Some(id) == now;
            view! { <option value=id.to_string() selected=chosen>{text}</option> }
        };
        all.get().into_iter().map(option).collect::<Vec<_>>()
    };
    let soon = move || {
        let words = page.t();
        fill(words.shares_soon, &[&span(i64::from(panel.read(|p| p.period, 0)), words.day)])
    };
    view! {
        <div class="change">
            <label>{page.say_later(|w| w.shares_change)}" "
                <select data-testid="share-whose" on:change=move |e| {
                    whose.set(event_target_value(&e).parse().ok());
                    touched.set(true);
                }>
                    {options}
                </select></label>
            <label><input type="number" min="0" max="100000" data-testid="share-count"
                prop:value=string(move || many.get()) on:input=move |e| {
                    many.set(event_target_value(&e));
                    touched.set(true);
                } />
                " "{page.say_later(|w| w.shares_to)}</label>
            {of_root(page, line)}
            <p class="faint">{string(soon)}</p>
        </div>
    }
}

/// A form for the half-life.
#[component]
pub fn HalfLife(panel: SharesPanel) -> impl IntoView {
    let page = panel.page;
    let hours = move || panel.half_life() / 3600;
    let line = Signal::derive(move || {
        let hours = hours();
        conf(&[("PriorityDecayHalfLife", &format!("{}-{}", hours / 24, hours % 24))])
    });
    let options = move || {
        let (words, now) = (page.t(), hours());
        let option = |hours: u32| {
            let text = match hours {
                0 => words.decay_never.to_owned(),
                _ => span(i64::from(hours) * 3600, words.day),
            };
            view! { <option value=hours.to_string() selected=hours == now>{text}</option> }
        };
        HALF_LIVES.into_iter().map(option).collect::<Vec<_>>()
    };
    view! {
        <div class="change">
            <label>{page.say(|w| w.decay_half)}" "
                <select data-testid="half-life" on:change=move |e| {
                    let hours: Option<u32> = event_target_value(&e).parse().ok();
                    panel.hypothesis.update(|s| s.half_life = hours.map(|h| h * 3600));
                }>
                    {options}
                </select></label>
            {of_root(page, line)}
        </div>
    }
}
