//! The bar at the top: the site, the user, the clock and the settings.

use crate::clock::ClockBar;
use crate::dialogs::Picker;
use crate::follow::string;
use crate::i18n::Words;
use crate::page::Page;
use crate::stages::AtStage;
use crate::state::AppState;
use crate::workspace::DrawStage;
use crate::{embed, menu, origin, projector};
use leptos::prelude::*;
use protocol::OWN_SITE;
use view::fill::fill;

/// The bar at the top.
#[component]
pub fn HeadBar(app: AppState) -> impl IntoView {
    let page = app.page;
    let (embedded, there) = (origin::is_embedded(), page.drawn(DrawStage::Controls));
    view! {
        <header class="head-bar">
            <h1><svg viewBox="0 0 32 32" aria-hidden="true" class="logo">
                <rect x="2" y="2" width="12" height="12" rx="3" /><rect x="2" y="18" width="12" height="12" rx="3" />
                <rect x="18" y="2" width="12" height="12" rx="3" class="hot" /><rect x="19" y="19" width="10" height="10" rx="2" class="free" />
            </svg>"sandbatch"</h1>
            <AtStage page stage=DrawStage::Clock class="clock"><SiteButton page /><UserButton page /><ClockBar page pace=app.pace /></AtStage>
            <AtStage page stage=DrawStage::Settings class="settings"><SettingsBar app /></AtStage>
            {move || (embedded && there.get()).then(|| embed::draw_head(page))}
        </header>
    }
}

/// The button that opens the list of sites.
#[component]
fn SiteButton(page: Page) -> impl IntoView {
    let title = move || {
        let code = page.prefs.lang.get().code();
        page.started.with(|s| {
            let titles = s.as_ref().map(|s| s.title.clone()).unwrap_or_default();
            let own = titles.iter().find(|(lang, _)| lang == code).or_else(|| titles.first());
            own.map(|(_, title)| title.clone()).unwrap_or_default()
        })
    };
    let shown = string(move || {
        page.site.with(|site| match site.strip_prefix(OWN_SITE) {
            Some(own) => fill(page.t().own_yours, &[own]),
            None => site.clone(),
        })
    });
    picker(page, Picker::Site, "site", |w| w.site, shown, string(title))
}

/// The button that opens the list of users.
#[component]
fn UserButton(page: Page) -> impl IntoView {
    let user = string(move || page.user.get());
    picker(page, Picker::User, "user-picker", |w| w.user, user, string(move || page.t().user.to_owned()))
}

/// A button that shows what is chosen and opens the picker, once it is loaded.
fn picker(
    page: Page,
    which: Picker,
    name: &'static str,
    word: fn(&'static Words) -> &'static str,
    shown: Signal<String>,
    title: Signal<String>,
) -> AnyView {
    let label = string(move || format!("{}: {}", word(page.t()), shown.get()));
    view! {
        <button class=format!("picker {name}") data-testid=name aria-haspopup="dialog" aria-label=label title=title
            on:click=move |_| page.dialogs.picker.set(Some(which))><span>{shown}</span></button>
    }
    .into_any()
}

#[component]
fn SettingsBar(app: AppState) -> impl IntoView {
    let page = app.page;
    let there = page.drawn(DrawStage::Controls);
    view! {
        <div class="settings">
            {move || (there.get() && page.prefs.projector.get()).then(|| projector::draw(page))}
            <button class="search" data-testid="find" aria-label=page.say(|w| w.finder) on:click=move |_| page.dialogs.finder.set(true)>
                <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9M10.5 10.5l3.5 3.5" /></svg>
                <span>{page.say(|w| w.finder)}</span><kbd>"F1"</kbd>
            </button>
            <details class="menu">
                <summary aria-label=page.say(|w| w.more) title=page.say(|w| w.more)>"⋯"</summary>
                {move || there.get().then(|| menu::draw(app))}
            </details>
        </div>
    }
}
