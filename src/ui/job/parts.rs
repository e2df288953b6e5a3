//! Pieces of the inspector: a labelled fact, a text that grows.

use leptos::prelude::*;

/// A label and its value; nothing when there is no value.
#[component]
pub fn Fact<L>(label: L, value: Signal<String>) -> impl IntoView
where
    L: Fn() -> &'static str + Copy + Send + Sync + 'static,
{
    view! {
        <Show when=move || !value.with(String::is_empty)>
            <div><dt>{label}</dt><dd>{move || value.get()}</dd></div>
        </Show>
    }
}

/// A text such as a job's output, with the path it comes from.
#[component]
pub fn Text<T, E>(title: T, path: Signal<String>, body: Signal<String>, empty: E, open: bool) -> impl IntoView
where
    T: Fn() -> &'static str + Copy + Send + Sync + 'static,
    E: Fn() -> &'static str + Copy + Send + Sync + 'static,
{
    let text = move || body.with(|b| if b.is_empty() { empty().to_owned() } else { b.clone() });
    view! {
        <details class="text" open=open>
            <summary>{title}" "<code>{move || path.get()}</code></summary>
            <pre tabindex="0" class:faint=move || body.with(String::is_empty)>{text}</pre>
        </details>
    }
}
