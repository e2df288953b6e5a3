//! Sentences with jobs in them that can be opened.

use super::state::{Page, Selection};
use crate::view::rich::{Span, spans, unbroken};
use leptos::prelude::*;

/// A sentence as `view::rich` marks it; drawn anew only when it says something else.
pub fn rich(page: Page, text: impl Fn() -> String + Send + Sync + 'static) -> AnyView {
    let text = Memo::new(move |_| text());
    (move || text.with(|t| spans(t)).into_iter().map(|span| piece(page, span)).collect::<Vec<_>>()).into_any()
}

fn piece(page: Page, span: Span) -> AnyView {
    match span {
        Span::Text(text) => unbroken(&text).into_any(),
        Span::Code(text) => view! { <code>{text}</code> }.into_any(),
        Span::Job(id) => {
            let shown = id.clone();
            view! {
                <button class="link" on:click=move |_| page.selection.set(Selection::Job(id.clone()))>{shown}</button>
            }
            .into_any()
        }
    }
}
