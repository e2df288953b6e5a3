//! A form for the weights of slurm.conf. The changes become a command.

use super::PriorityPanel;
use crate::command::of_root;
use crate::follow::{When, flag, string};
use leptos::prelude::*;
use view::commands::conf;
use view::priority::changed;

/// Draws the form.
#[component]
pub fn Weights(panel: PriorityPanel) -> impl IntoView {
    let page = panel.page;
    let weights =
        Memo::new(move |_| panel.now.with(|p| p.as_ref().map(|p| p.weights.clone()).unwrap_or_default()));
    // The text typed into each field; none: unchanged.
    let typed = RwSignal::new(Vec::<Option<String>>::new());
    let lines = Memo::new(move |_| {
        let proposed =
            |(i, value): (usize, String)| typed.with(|t| t.get(i).cloned().flatten()).unwrap_or(value);
        weights.with(|w| {
            let proposed: Vec<String> = w.iter().map(|w| w.value.clone()).enumerate().map(proposed).collect();
            changed(w, &proposed)
        })
    });
    // The bars show the effect at once.
    Effect::new(move || panel.proposed.set(lines.get().unwrap_or_default()));
    let line = Signal::derive(move || {
        let lines = lines.get().unwrap_or_default();
        let pairs: Vec<(&str, &str)> = lines.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        conf(&pairs)
    });
    let type_in = move |i: usize, text: String| {
        typed.update(|t| {
            t.resize(t.len().max(i + 1), None);
            t[i] = Some(text);
        });
    };
    let field = move |i: usize| {
        let key = move || weights.with(|w| w.get(i).map(|w| w.key.clone()).unwrap_or_default());
        let value = move || weights.with(|w| w.get(i).map(|w| w.value.clone()).unwrap_or_default());
        view! {
            <label>{string(move || key().replace("PriorityWeight", ""))}
                <input type="text" inputmode="numeric" size="7" data-testid=string(move || key().replace("PriorityWeight", "weight-"))
                    prop:value=string(value) on:input=move |e| type_in(i, event_target_value(&e)) /></label>
        }
    };
    let count = Memo::new(move |_| weights.with(Vec::len));
    let any = flag(move || lines.with(|l| l.as_ref().is_some_and(|l| !l.is_empty())));
    view! {
        <details class="listed">
            <summary>{page.say_later(|w| w.weights)}</summary>
            <div class="change weights">
                <For each=move || 0..count.get() key=|i| *i children=field />
                <When holds=any fallback=move || view! { <p class="faint">{page.say_later(|w| w.weights_hint)}</p> }>
                    {of_root(page, line)}
                </When>
            </div>
        </details>
    }
}
