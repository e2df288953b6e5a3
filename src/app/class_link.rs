//! The dialog that makes a link for a class: everyone who opens it begins with the same cluster.

use crate::fetch::{self, CourseRow};
use crate::follow::{When, flag, string};
use crate::i18n::LaterWords;
use crate::modal::titled;
use crate::page::Page;
use crate::{location, origin, share};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::OWN_SITE;
use view::address::{ClassStart, LessonSource};
use view::qr::{self, QUIET};

/// The largest seed that the field offers, so that it can be read out.
const SEEDS: f64 = 10_000.0;

/// An amount of other users' jobs: its name in addresses, and its word.
pub type LoadChoice = (&'static str, fn(&'static LaterWords) -> &'static str);

/// The amounts of other users' jobs.
pub const LOADS: [LoadChoice; 5] = [
    ("off", |w| w.background_off),
    ("quiet", |w| w.background_quiet),
    ("normal", |w| w.background_normal),
    ("busy", |w| w.background_busy),
    ("overloaded", |w| w.background_overloaded),
];

/// What is open, as the dialog begins.
fn begin(page: Page) -> ClassStart {
    let lesson = match location::here().lesson() {
        LessonSource::Course(name) | LessonSource::Elsewhere(name) => name,
        LessonSource::None | LessonSource::File => String::new(),
    };
    ClassStart {
        site: page.site.get_untracked(),
        lesson,
        lang: String::new(),
        background: origin::background(),
        seed: page.started.with_untracked(|s| s.as_ref().map_or(1, |s| s.seed)).to_string(),
    }
}

/// Draws the dialog.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page, sites: RwSignal<Vec<String>>) -> AnyView {
    let first = begin(page);
    let opened = first.lesson.clone();
    let begun = opened.clone();
    let wish = RwSignal::new(first);
    let of = move |read: fn(&ClassStart) -> &String| string(move || wish.with(|w| read(w).clone()));
    let change = move |write: fn(&mut ClassStart, String)| {
        move |event: web_sys::Event| {
            let value = event_target_value(&event);
            wish.update(|w| write(w, value));
        }
    };
    let course = RwSignal::new(Vec::<CourseRow>::new());
    Effect::new(move || {
        // The lessons of the chosen language, otherwise of the page's.
        let chosen = wish.with(|w| w.lang.clone());
        let language = if chosen.is_empty() { page.prefs.lang.get().code().to_owned() } else { chosen };
        let opened = begun.clone();
        spawn_local(async move {
            let rows = fetch::course(&language).await;
            // A lesson of another language is not in this list.
            let there =
                |name: &String| name.is_empty() || *name == opened || rows.iter().any(|row| row.0 == *name);
            if wish.try_with_untracked(|w| there(&w.lesson)) == Some(false) {
                wish.update(|w| w.lesson.clear());
            }
            course.try_set(rows);
        });
    });
    let lessons = move || {
        let chosen = wish.with_untracked(|w| w.lesson.clone());
        let row = |(name, title): (String, String)| {
            let selected = name == chosen;
            view! { <option value=name selected=selected>{title}</option> }
        };
        let mut all: Vec<(String, String)> =
            course.with(|rows| rows.iter().map(|row| (row.0.clone(), row.1.clone())).collect());
        if !opened.is_empty() && all.iter().all(|(name, _)| *name != opened) {
            all.insert(0, (opened.clone(), page.later().link_this_lesson.to_owned()));
        }
        all.into_iter().map(row).collect::<Vec<_>>()
    };
    let names = move || {
        let chosen = wish.with_untracked(|w| w.site.clone());
        let shared = |name: &String| !name.starts_with(OWN_SITE);
        let row = |name: String| {
            let (selected, shown) = (name == chosen, name.clone());
            view! { <option value=name selected=selected>{shown}</option> }
        };
        sites.get().into_iter().filter(shared).map(row).collect::<Vec<_>>()
    };
    let load = |(name, word): LoadChoice| {
        let selected = wish.with_untracked(|w| w.background == name);
        view! { <option value=name selected=selected>{page.say_later(word)}</option> }
    };
    let own = flag(move || wish.with(|w| w.lesson.is_empty() && w.site.starts_with(OWN_SITE)));
    let taught = flag(move || wish.with(|w| !w.lesson.is_empty()));
    let link = Memo::new(move |_| wish.with(|w| location::here().start(w).href()));
    let local = location::here().is_local();
    let inside = view! {
        <p>{page.say_later(|w| w.link_about)}</p>
        <div class="fields">
            <label><span>{page.say(|w| w.lesson)}</span>
                <select data-testid="link-lesson" on:change=change(|w, value| w.lesson = value)>
                    <option value="">{page.say_later(|w| w.link_no_lesson)}</option>
                    {lessons}
                </select></label>
            <label><span>{page.say(|w| w.site)}</span>
                <select data-testid="link-site" disabled=taught on:change=change(|w, value| w.site = value)>{names}</select></label>
            <label><span>{page.say_later(|w| w.language)}</span>
                <select data-testid="link-language" on:change=change(|w, value| w.lang = value)>
                    <option value="">{page.say_later(|w| w.link_any_language)}</option>
                    <option value="en">"English"</option>
                    <option value="fr">"Français"</option>
                </select></label>
            <label><span>{page.say_later(|w| w.link_load)}</span>
                <select data-testid="link-load" disabled=taught on:change=change(|w, value| w.background = value)>
                    {LOADS.map(load).into_iter().collect::<Vec<_>>()}
                </select></label>
            <label><span>{page.say_later(|w| w.link_seed)}</span>
                <span class="seed"><input type="text" inputmode="numeric" maxlength="19" data-testid="link-seed" prop:value=of(|w| &w.seed)
                    on:input=change(|w, value| w.seed = value.chars().filter(char::is_ascii_digit).collect()) />
                <button class="icon" data-testid="link-other-seed" aria-label=page.say_later(|w| w.link_other_seed) title=page.say_later(|w| w.link_other_seed)
                    on:click=move |_| wish.update(|w| w.seed = ((js_sys::Math::random() * SEEDS) as u32).to_string())>"↻"</button></span></label>
        </div>
        <When holds=own><p class="refused" role="status">{page.say_later(|w| w.link_own)}</p></When>
        <When holds=flag(move || local)><p class="faint" data-testid="link-local">{page.say_later(|w| w.link_local)}</p></When>
        <div class="class-link">
            {move || picture(page, &link.get())}
            <label><span class="faint">{page.say_later(|w| w.link_link)}</span>
                <textarea readonly rows="3" data-testid="link-address" prop:value=string(move || link.get())></textarea>
                <button class="primary" data-testid="link-copy" disabled=own
                    on:click=move |_| share::copy(page, |w| w.shared_class, link.get_untracked(), String::new())>
                    {page.say_later(|w| w.link_copy)}
                </button>
            </label>
        </div>
    };
    let label = page.say(|w| w.share_class);
    titled(page, "class-link", label, |page| page.dialogs.class_link.set(false), inside.into_any())
}

/// The QR code of a link: black on white in every theme, as readers expect it.
pub fn picture(page: Page, link: &str) -> AnyView {
    let Some(code) = qr::code(link) else {
        return view! { <p class="faint">{page.say_later(|w| w.link_long)}</p> }.into_any();
    };
    let side = code.size + 2 * QUIET;
    view! {
        <svg class="qr" data-testid="link-code" role="img" aria-label=page.say_later(|w| w.link_code) shape-rendering="crispEdges"
            viewBox=format!("{0} {0} {side} {side}", -QUIET)>
            <rect x=(-QUIET).to_string() y=(-QUIET).to_string() width=side.to_string() height=side.to_string() fill="#fff" />
            <path d=code.path fill="#000" />
        </svg>
    }
    .into_any()
}
