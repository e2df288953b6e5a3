//! The menu of the header, in groups: display, this cluster, sharing, teaching, help.

use crate::class_link::{LOADS, LoadChoice};
use crate::follow::flag;
use crate::i18n::{Lang, LaterWords, Words};
use crate::page::Page;
use crate::preferences::Theme;
use crate::state::AppState;
use crate::{finder, location, open_files, origin, results, save, session, share, storage, tour};
use leptos::prelude::*;

/// An entry of the menu.
struct MenuEntry {
    /// Its name in the page's tests.
    name: &'static str,
    word: MenuWord,
    /// The path of its icon, 16 wide and high.
    icon: &'static str,
    /// The key that does the same anywhere, or outside of text fields.
    key: &'static str,
    run: fn(AppState),
}

/// A word of either table.
enum MenuWord {
    First(fn(&'static Words) -> &'static str),
    Later(fn(&'static LaterWords) -> &'static str),
}

const fn entry(
    name: &'static str,
    key: &'static str,
    icon: &'static str,
    word: MenuWord,
    run: fn(AppState),
) -> MenuEntry {
    MenuEntry { name, word, icon, key, run }
}

use MenuWord::{First, Later};

const CLUSTER: [MenuEntry; 2] = [
    entry("files-open", "O", "M1.5 13V3.5h4l1.5 2h7V13zM1.5 8h13", First(|w| w.files_open), |app| {
        open_files::ask(app.page)
    }),
    entry("reset", "", "M3 6a5.5 5.5 0 1 1-.5 3M3 2.5V6h3.5", Later(|w| w.reset), |app| reset(app.page)),
];

const SHARE: [MenuEntry; 3] = [
    entry(
        "share",
        "",
        "M6.5 9.5l3-3M7.5 5l1.5-1.5a2.5 2.5 0 0 1 3.5 3.5L11 8.5M8.5 11L7 12.5A2.5 2.5 0 0 1 3.5 9L5 7.5",
        First(|w| w.share),
        |app| share::begin(app.lesson()),
    ),
    entry("share-file", "", "M8 2v8M4.5 7L8 10.5 11.5 7M2.5 13.5h11", First(|w| w.share_file), |app| {
        share::save(app.lesson())
    }),
    entry(
        "poster",
        "",
        "M1.5 3h13v10h-13zM2 11.5l3.5-4 3 3 2-2 3.5 3.5M11 5.5v1",
        Later(|w| w.poster),
        |app| save::copy_poster(app.page),
    ),
];

const TEACH: [MenuEntry; 3] = [
    entry(
        "share-class",
        "",
        "M1.5 3h13M2.5 3v7.5h11V3M8 10.5V13M5 14l3-2 3 2",
        First(|w| w.share_class),
        |app| app.page.dialogs.class_link.set(true),
    ),
    entry("results-open", "", "M2.5 13.5h11M4 13V9M8 13V3.5M12 13V6.5", First(|w| w.results), |app| {
        results::open(app.page)
    }),
    entry(
        "projector",
        "F2",
        "M2 4.5h12v7H2zM11 8a1.5 1.5 0 1 0-3 0a1.5 1.5 0 1 0 3 0M4 11.5V13M12 11.5V13",
        First(|w| w.projector),
        |app| app.page.prefs.toggle_projector(),
    ),
];

const HELP: [MenuEntry; 3] = [
    entry("start-again", "", "M2 7.5L8 2.5l6 5M3.5 6.5v7h9v-7", First(|w| w.start_again), |app| {
        app.page.dialogs.start.set(true)
    }),
    entry(
        "tour-again",
        "H",
        "M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M10.5 5.5L9 9l-3.5 1.5L7 7z",
        First(|w| w.tour_again),
        |app| tour::begin(app.page),
    ),
    entry(
        "keys",
        "F1",
        "M1.5 4h13v8h-13zM4 6.5h1M7.5 6.5h1M11 6.5h1M5 9.5h6",
        First(|w| w.finder_keys),
        |app| finder::open(app.page),
    ),
];

/// Draws it.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(app: AppState) -> AnyView {
    let page = app.page;
    let set_theme = move |event| page.prefs.set_theme(Theme::from_name(&event_target_value(&event)));
    let set_lang = move |event| page.prefs.set_lang(Lang::from_code(&event_target_value(&event)));
    let set_background = move |event| {
        let _ = storage::set("background", &event_target_value(&event));
        location::forget("background");
        session::reset(page);
    };
    let load = |(name, word): LoadChoice| view! { <option value=name>{page.say_later(word)}</option> };
    let look = view! {
        <label><span>{page.say_later(|w| w.theme)}</span>
            <select data-testid="theme" prop:value=Signal::derive(move || page.prefs.theme.get().name()) on:change=set_theme>
                <option value="auto">{page.say_later(|w| w.theme_auto)}</option>
                <option value="light">{page.say_later(|w| w.theme_light)}</option>
                <option value="dark">{page.say_later(|w| w.theme_dark)}</option>
            </select></label>
        <label><span>{page.say_later(|w| w.language)}</span>
            <select data-testid="language" prop:value=Signal::derive(move || page.prefs.lang.get().code()) on:change=set_lang>
                <option value="en">"English"</option>
                <option value="fr">"Français"</option>
            </select></label>
        <label class="check"><input type="checkbox" prop:checked=flag(move || page.prefs.screen_reader.get())
            on:change=move |e| page.prefs.set_screen_reader(event_target_checked(&e)) />{page.say(|w| w.screen_reader)}</label>
    };
    let background = view! {
        <label><span>{page.say_later(|w| w.background)}</span>
            <select data-testid="background" prop:value=origin::background() on:change=set_background>
                {LOADS.map(load).into_iter().collect::<Vec<_>>()}
            </select></label>
    };
    let about = view! {
        <p class="faint"><a href=page.say_later(|w| w.book_address) target="_blank" data-testid="book">{page.say_later(|w| w.book)}</a>" · "
            <a href="licences.txt" target="_blank">{page.say_later(|w| w.licences)}</a><br />{page.say_later(|w| w.about)}</p>
    };
    view! {
        <div class="popup">
            {group(app, page.say_later(|w| w.menu_look), look.into_any(), &[])}
            {group(app, page.say_later(|w| w.menu_cluster), background.into_any(), &CLUSTER)}
            {group(app, page.say_later(|w| w.menu_share), ().into_any(), &SHARE)}
            {group(app, page.say(|w| w.start_teach), ().into_any(), &TEACH)}
            {group(app, page.say_later(|w| w.menu_help), ().into_any(), &HELP)}
            {about}
        </div>
    }
    .into_any()
}

/// A heading, fields, and entries.
fn group(
    app: AppState,
    title: Signal<&'static str>,
    fields: AnyView,
    entries: &'static [MenuEntry],
) -> AnyView {
    let entry = |entry: &'static MenuEntry| {
        let word = match entry.word {
            First(word) => app.page.say(word),
            Later(word) => app.page.say_later(word),
        };
        let pressed = move || (entry.name == "projector").then(|| app.page.prefs.projector.get().to_string());
        let key = (!entry.key.is_empty()).then(|| view! { <kbd>{entry.key}</kbd> });
        view! {
            <button data-testid=entry.name aria-pressed=pressed on:click=move |_| (entry.run)(app)>
                <svg viewBox="0 0 16 16" aria-hidden="true"><path d=entry.icon /></svg>
                <span>{word}</span>{key}
            </button>
        }
    };
    view! {
        <section role="group" aria-label=title>
            <h3 aria-hidden="true">{title}</h3>
            {fields}
            {entries.iter().map(entry).collect::<Vec<_>>()}
        </section>
    }
    .into_any()
}

/// Asks, and starts the session over.
fn reset(page: Page) {
    let question = page.prefs.lang.get_untracked().later().reset_ask;
    let sure = web_sys::window().and_then(|w| w.confirm_with_message(question).ok());
    if sure == Some(true) {
        session::reset(page);
    }
}
