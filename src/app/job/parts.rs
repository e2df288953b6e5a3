//! Building blocks of the inspector: a labelled value, and a growing text.

use crate::follow::{When, flag, string};
use leptos::prelude::*;

/// A label and its value; nothing if the value is empty.
#[component]
pub fn LabelledValue(label: Signal<&'static str>, value: Signal<String>) -> impl IntoView {
    view! {
        <When holds=flag(move || !value.with(String::is_empty))>
            <div><dt>{label}</dt><dd>{value}</dd></div>
        </When>
    }
}

/// A text such as a job's output, with its path.
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
