//! The bar at the top: the site, the user, the clock and the settings.

use crate::clock::ClockBar;
use crate::follow::{flag, string};
use crate::i18n::Lang;
use crate::page::Page;
use crate::preferences::Theme;
use crate::stages::AtStage;
use crate::state::AppState;
use crate::workspace::DrawStage;
use crate::{embed, files, location, open_files, origin, results, save, session, share, storage, terminal};
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
            <AtStage page stage=DrawStage::Clock class="clock"><SitePicker page sites=app.sites /><UserPicker page /><ClockBar page pace=app.pace /></AtStage>
            <AtStage page stage=DrawStage::Settings class="settings"><SettingsBar app /></AtStage>
            {move || (embedded && there.get()).then(|| embed::draw_head(page))}
        </header>
    }
}

#[component]
fn SitePicker(page: Page, sites: RwSignal<Vec<String>>) -> impl IntoView {
    let title = move || {
        let code = page.prefs.lang.get().code();
        page.started.with(|s| {
            let titles = s.as_ref().map(|s| s.title.clone()).unwrap_or_default();
            let own = titles.iter().find(|(lang, _)| lang == code).or_else(|| titles.first());
            own.map(|(_, title)| title.clone())
        })
    };
    let choose = move |event| {
        let site = event_target_value(&event);
        if site.is_empty() {
            // Redraw the list, so that it shows the open site again.
            sites.update(|_| {});
            return open_files::ask(page);
        }
        session::open_site(page, &site);
    };
    // A link's site is in no list, and the list may not be loaded yet.
    let names = move || {
        let (mut all, own) = (sites.get(), page.site.get());
        if !all.contains(&own) {
            all.push(own);
        }
        all
    };
    view! {
        <select class="site" data-testid="site" aria-label=page.say(|w| w.site) title=title on:change=choose>
            {move || names().into_iter().map(|name| {
                // A lesson may set the site after the list is drawn.
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

/// The lists of themes and languages.
#[component]
fn ThemeAndLanguage(page: Page) -> impl IntoView {
    let set_theme = move |event| {
        let theme = Theme::from_name(&event_target_value(&event));
        page.prefs.set_theme(theme);
    };
    let set_lang = move |event| {
        let lang = Lang::from_code(&event_target_value(&event));
        page.prefs.set_lang(lang);
    };
    view! {
        <select data-testid="theme" aria-label=page.say(|w| w.theme) title=page.say(|w| w.theme)
            prop:value=Signal::derive(move || page.prefs.theme.get().name()) on:change=set_theme>
            <option value="auto">{page.say(|w| w.theme_auto)}</option>
            <option value="light">{page.say(|w| w.theme_light)}</option>
            <option value="dark">{page.say(|w| w.theme_dark)}</option>
        </select>
        <select data-testid="language" aria-label=page.say(|w| w.language) title=page.say(|w| w.language)
            prop:value=Signal::derive(move || page.prefs.lang.get().code()) on:change=set_lang>
            <option value="en">"English"</option>
            <option value="fr">"Français"</option>
        </select>
    }
}

#[component]
fn SettingsBar(app: AppState) -> impl IntoView {
    let page = app.page;
    let there = page.drawn(DrawStage::Controls);
    view! {
        <div class="settings">
            <div class="choices when-wide"><ThemeAndLanguage page /></div>
            <button class="quiet" data-testid="find" title="F1" on:click=move |_| page.dialogs.finder.set(true)>{page.say(|w| w.finder)}</button>
            <details class="menu">
                <summary aria-label=page.say(|w| w.more) title=page.say(|w| w.more)>"⋯"</summary>
                {move || there.get().then(|| menu(app))}
            </details>
        </div>
    }
}

/// Draws the menu of the settings.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn menu(app: AppState) -> AnyView {
    let page = app.page;
    let reset = move |_| {
        let question = page.prefs.lang.get_untracked().words().reset_ask;
        let sure = web_sys::window().and_then(|w| w.confirm_with_message(question).ok());
        if sure == Some(true) {
            session::reset(page);
        }
    };
    let set_background = move |event| {
        let _ = storage::set("background", &event_target_value(&event));
        location::forget("background");
        session::reset(page);
    };
    view! {
        <div class="popup">
            <div class="choices when-narrow"><ThemeAndLanguage page /></div>
            <label class="check"><input type="checkbox" prop:checked=flag(move || page.prefs.screen_reader.get())
                on:change=move |e| page.prefs.set_screen_reader(event_target_checked(&e)) />{page.say(|w| w.screen_reader)}</label>
            <label>{page.say(|w| w.background)}" "
                <select data-testid="background" prop:value=origin::background() on:change=set_background>
                    <option value="off">{page.say(|w| w.background_off)}</option>
                    <option value="quiet">{page.say(|w| w.background_quiet)}</option>
                    <option value="normal">{page.say(|w| w.background_normal)}</option>
                    <option value="busy">{page.say(|w| w.background_busy)}</option>
                    <option value="overloaded">{page.say(|w| w.background_overloaded)}</option>
                </select>
            </label>
            <button data-testid="share" on:click=move |_| share::begin(app.lesson())>{page.say(|w| w.share)}</button>
            <button data-testid="share-file" on:click=move |_| share::save(app.lesson())>{page.say(|w| w.share_file)}</button>
            <button data-testid="poster" on:click=move |_| save::copy_poster(page)>{page.say_later(|w| w.poster)}</button>
            <button data-testid="share-class" on:click=move |_| page.dialogs.class_link.set(true)>{page.say(|w| w.share_class)}</button>
            <button data-testid="files-open" on:click=move |_| open_files::ask(page)>{page.say(|w| w.files_open)}</button>
            <button data-testid="results-open" on:click=move |_| results::open(page)>{page.say(|w| w.results)}</button>
            <button data-testid="projector" title="F2" aria-pressed=string(move || page.prefs.projector.get().to_string())
                on:click=move |_| page.prefs.toggle_projector()>{page.say(|w| w.projector)}</button>
            <button data-testid="start-again" on:click=move |_| page.dialogs.start.set(true)>{page.say(|w| w.start_again)}</button>
            <button data-testid="reset" on:click=reset>{page.say(|w| w.reset)}</button>
            <p class="faint">{page.say(|w| w.about)}" "<a href="licences.txt" target="_blank">{page.say(|w| w.licences)}</a>" "
                <a href=page.say(|w| w.book_address) target="_blank" data-testid="book">{page.say(|w| w.book)}</a></p>
        </div>
    }
    .into_any()
}
