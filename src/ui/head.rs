//! The head of the page: whose cluster, who types, the clock, theme and language.

use super::clock::ClockBar;
use super::follow::{flag, string};
use super::i18n::Lang;
use super::state::{Page, Theme, Turn};
use super::turn::InTurn;
use super::{bring, files, floating, js, results, session, share, storage, terminal};
use crate::protocol::OWN_SITE;
use crate::view::fill::fill;
use leptos::prelude::*;

/// The bar at the top.
#[component]
pub fn Head(page: Page) -> impl IntoView {
    view! {
        <header class="head-bar">
            <h1><svg viewBox="0 0 32 32" aria-hidden="true" class="logo">
                <rect x="2" y="2" width="12" height="12" rx="3" /><rect x="2" y="18" width="12" height="12" rx="3" />
                <rect x="18" y="2" width="12" height="12" rx="3" class="hot" /><rect x="19" y="19" width="10" height="10" rx="2" class="free" />
            </svg>"sandbatch"</h1>
            <InTurn page turn=Turn::Clock place="clock"><SitePicker page /><UserPicker page /><ClockBar page /></InTurn>
            <InTurn page turn=Turn::Settings place="settings"><Settings page /></InTurn>
        </header>
    }
}

#[component]
fn SitePicker(page: Page) -> impl IntoView {
    let title = move || {
        let code = page.lang.get().code();
        page.started.with(|s| {
            let titles = s.as_ref().map(|s| s.title.clone()).unwrap_or_default();
            let own = titles.iter().find(|(lang, _)| lang == code).or_else(|| titles.first());
            own.map(|(_, title)| title.clone())
        })
    };
    let choose = move |event| {
        let site = event_target_value(&event);
        if site.is_empty() {
            // The list says again which site is open.
            page.sites.update(|_| {});
            return bring::ask(page);
        }
        let _ = storage::set("site", &site);
        session::keep(page);
        js::go_to_lesson("");
    };
    // A site that came with a link is in no list, and until the list has come there is none.
    let names = move || {
        let (mut all, own) = (page.sites.get(), page.site.get());
        if !all.contains(&own) {
            all.push(own);
        }
        all
    };
    view! {
        <select class="site" data-testid="site" aria-label=page.say(|w| w.site) title=title on:change=choose>
            {move || names().into_iter().map(|name| {
                // A lesson says its site when it has come, maybe after the list.
                let selected = name == page.site.get();
                let shown = match name.strip_prefix(OWN_SITE) {
                    Some(own) => fill(page.t().own_yours, &[own]),
                    None => name.clone(),
                };
                view! { <option value=name selected=selected>{shown}</option> }
            }).collect::<Vec<_>>()}
            <option value="">{page.say(|w| w.own_choose)}</option>
        </select>
    }
}

#[component]
fn UserPicker(page: Page) -> impl IntoView {
    let users =
        Memo::new(move |_| page.started.with(|s| s.as_ref().map(|s| s.users.clone()).unwrap_or_default()));
    let choose = move |event| {
        terminal::of(page, &event_target_value(&event));
        files::refresh(page);
    };
    view! {
        <select data-testid="user-picker" aria-label=page.say(|w| w.user) title=page.say(|w| w.user)
            prop:value=string(move || page.user.get()) on:change=choose>
            {move || users.get().into_iter().map(|name| {
                let selected = name == page.user.get_untracked();
                view! { <option value=name.clone() selected=selected>{name.clone()}</option> }
            }).collect::<Vec<_>>()}
        </select>
    }
}

/// Theme and language.
#[component]
fn Choices(page: Page) -> impl IntoView {
    let set_theme = move |event| {
        let theme = Theme::from_name(&event_target_value(&event));
        page.theme.set(theme);
        let _ = storage::set("theme", theme.name());
    };
    let set_lang = move |event| {
        let lang = Lang::from_code(&event_target_value(&event));
        page.lang.set(lang);
        let _ = storage::set("language", lang.code());
    };
    view! {
        <select data-testid="theme" aria-label=page.say(|w| w.theme) title=page.say(|w| w.theme)
            prop:value=Signal::derive(move || page.theme.get().name()) on:change=set_theme>
            <option value="auto">{page.say(|w| w.theme_auto)}</option>
            <option value="light">{page.say(|w| w.theme_light)}</option>
            <option value="dark">{page.say(|w| w.theme_dark)}</option>
        </select>
        <select data-testid="language" aria-label=page.say(|w| w.language) title=page.say(|w| w.language)
            prop:value=Signal::derive(move || page.lang.get().code()) on:change=set_lang>
            <option value="en">"English"</option>
            <option value="fr">"Français"</option>
        </select>
    }
}

#[component]
fn Settings(page: Page) -> impl IntoView {
    let there = page.drawn(Turn::Controls);
    view! {
        <div class="settings">
            <div class="choices when-wide"><Choices page /></div>
            <button class="quiet" data-testid="find" title="F1" on:click=move |_| page.finder.set(true)>{page.say(|w| w.finder)}</button>
            <details class="menu">
                <summary aria-label=page.say(|w| w.more) title=page.say(|w| w.more)>"⋯"</summary>
                {move || there.get().then(|| menu(page))}
            </details>
        </div>
    }
}

/// What the settings have in their list.
#[inline(never)] // Where the page is cut in two (xtask).
pub fn menu(page: Page) -> AnyView {
    let reset = move |_| {
        let question = page.lang.get_untracked().words().reset_ask;
        let sure = web_sys::window().and_then(|w| w.confirm_with_message(question).ok());
        if sure == Some(true) {
            session::reset(page);
        }
    };
    let set_background = move |event| {
        let _ = storage::set("background", &event_target_value(&event));
        js::forget_address("background");
        session::reset(page);
    };
    view! {
        <div class="popup">
            <div class="choices when-narrow"><Choices page /></div>
            <label class="check"><input type="checkbox" prop:checked=flag(move || page.screen_reader.get())
                on:change=move |e| terminal::speak(page, event_target_checked(&e)) />{page.say(|w| w.screen_reader)}</label>
            <label>{page.say(|w| w.background)}" "
                <select data-testid="background" prop:value=session::background() on:change=set_background>
                    <option value="off">{page.say(|w| w.background_off)}</option>
                    <option value="quiet">{page.say(|w| w.background_quiet)}</option>
                    <option value="normal">{page.say(|w| w.background_normal)}</option>
                    <option value="busy">{page.say(|w| w.background_busy)}</option>
                    <option value="overloaded">{page.say(|w| w.background_overloaded)}</option>
                </select>
            </label>
            <button data-testid="share" on:click=move |_| share::begin(page)>{page.say(|w| w.share)}</button>
            <button data-testid="share-file" on:click=move |_| share::save(page)>{page.say(|w| w.share_file)}</button>
            <button data-testid="share-class" on:click=move |_| share::class(page)>{page.say(|w| w.share_class)}</button>
            <button data-testid="files-open" on:click=move |_| bring::ask(page)>{page.say(|w| w.files_open)}</button>
            <button data-testid="results-open" on:click=move |_| results::open(page)>{page.say(|w| w.results)}</button>
            <button data-testid="projector" title="F2" aria-pressed=string(move || page.projector.get().to_string())
                on:click=move |_| floating::project(page)>{page.say(|w| w.projector)}</button>
            <button data-testid="reset" on:click=reset>{page.say(|w| w.reset)}</button>
            <p class="faint">{page.say(|w| w.about)}" "<a href="licences.txt" target="_blank">{page.say(|w| w.licences)}</a></p>
        </div>
    }
    .into_any()
}
