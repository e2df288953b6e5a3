//! The end of an embedded page's head: the site's name, and the way to the page itself.

use crate::follow::string;
use crate::location;
use crate::page::Page;
use leptos::prelude::*;

/// Draws it.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page) -> AnyView {
    let title = move || {
        let code = page.prefs.lang.get().code();
        page.started.with(|s| {
            let titles = s.as_ref().map_or(&[][..], |s| &s.title);
            let own = titles.iter().find(|(lang, _)| lang == code).or_else(|| titles.first());
            own.map(|(_, title)| title.clone())
        })
    };
    let name = string(move || title().unwrap_or_else(|| page.site.get()));
    let there = location::here().unframed().href();
    view! {
        <div class="embed-head">
            <span data-testid="embed-site" title=name>{name}</span>
            <a data-testid="full-page" href=there target="_blank" rel="noopener">{page.say_later(|w| w.full_page)}</a>
        </div>
    }
    .into_any()
}
