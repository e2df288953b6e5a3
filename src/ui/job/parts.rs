//! Pieces of the inspector: a labelled fact, a text that grows.

use crate::ui::follow::{When, flag, string};
use leptos::prelude::*;

/// A label and its value; nothing when there is no value.
#[component]
pub fn Fact(label: Signal<&'static str>, value: Signal<String>) -> impl IntoView {
    view! {
        <When holds=flag(move || !value.with(String::is_empty))>
            <div><dt>{label}</dt><dd>{value}</dd></div>
        </When>
    }
}

/// A text such as a job's output, with the path it comes from.
#[component]
pub fn Text(
    title: Signal<&'static str>,
    path: Signal<String>,
    body: Signal<String>,
    empty: Signal<&'static str>,
    open: bool,
) -> impl IntoView {
    let text = move || body.with(|b| if b.is_empty() { empty.get().to_owned() } else { b.clone() });
    view! {
        <details class="text" open=open>
            <summary>{title}" "<code>{path}</code></summary>
            <pre tabindex="0" class:faint=flag(move || body.with(String::is_empty))>{string(text)}</pre>
        </details>
    }
}
