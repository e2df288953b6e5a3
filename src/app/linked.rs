//! The state of the panels in the page's address: each panel restores what a link names once it is drawn, and keeps its changes. The
//! words are `view::panel_link`'s. A reload, a copied address and a link to a moment open the same view.

use crate::location;
use leptos::prelude::*;

/// Keeps words in the address once they change.
pub fn keep(name: &'static str, words: impl Fn() -> String + 'static) {
    Effect::new(move |before: Option<String>| {
        let words = words();
        if before.is_some_and(|before| before != words) {
            location::keep(name, &words);
        }
        words
    });
}
