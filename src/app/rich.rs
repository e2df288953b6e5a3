//! Sentences in which jobs are links.

use crate::page::{Page, Selection};
use leptos::prelude::*;
use view::rich::{TextSpan, spans, unbroken};

/// Draws a sentence with the markup of `view::rich`, again only when it changes.
pub fn rich(page: Page, text: impl Fn() -> String + Send + Sync + 'static) -> AnyView {
    let text = Memo::new(move |_| text());
    (move || text.with(|t| spans(t)).into_iter().map(|span| piece(page, span)).collect::<Vec<_>>()).into_any()
}

fn piece(page: Page, span: TextSpan) -> AnyView {
    match span {
        TextSpan::Text(text) => unbroken(&text).into_any(),
        TextSpan::Code(text) => view! { <code>{text}</code> }.into_any(),
        TextSpan::Job(id) => {
            let shown = id.clone();
            view! {
                <button class="link" on:click=move |_| page.selection.set(Selection::Job(id.clone()))>{shown}</button>
            }
            .into_any()
        }
    }
}
