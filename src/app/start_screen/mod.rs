//! The start screen: what one can do here, and the clusters to do it on. Shown at a first visit, unless the address names a
//! site, a lesson, a moment or a class, and on request.

mod sites;

use crate::fetch::{self, CourseRow};
use crate::i18n::Words;
use crate::modal;
use crate::page::Page;
use crate::workspace::Zone;
use crate::{lesson, location, open_files, results, storage, tour};
use leptos::prelude::*;
use leptos::task::spawn_local;

/// Whether a first visit begins with it.
pub fn is_offered(page: Page) -> bool {
    let resumed = page.started.with_untracked(|s| s.as_ref().is_some_and(|s| s.resumed));
    storage::get("start").is_none() && !resumed && location::here().is_open()
}

/// Closes it for good: the choice is made, or another one.
fn leave(page: Page) {
    page.dialogs.start.set(false);
    // If that cannot be stored, it is offered again.
    let _ = storage::set("start", "seen");
}

/// Skips it, and the tour.
fn skip(page: Page) {
    leave(page);
    let _ = storage::set("tour", "seen");
}

/// A way into the page.
struct Way {
    name: &'static str,
    word: fn(&'static Words) -> &'static str,
    text: fn(&'static Words) -> &'static str,
    /// The path of its icon, 24 wide and high.
    icon: &'static str,
    /// What it offers. The first is the usual one.
    offers: [WayOffer; 2],
}

struct WayOffer {
    name: &'static str,
    word: fn(&'static Words) -> &'static str,
    run: fn(Page, &[CourseRow]),
}

const fn offer(
    name: &'static str,
    word: fn(&'static Words) -> &'static str,
    run: fn(Page, &[CourseRow]),
) -> WayOffer {
    WayOffer { name, word, run }
}

const WAYS: [Way; 4] = [
    Way {
        name: "learn",
        word: |w| w.learn,
        text: |w| w.start_learn,
        icon: "M12 6.5C10 5 7 4.5 3.5 4.5v13c3.5 0 6.5 .5 8.5 2 2-1.5 5-2 8.5-2v-13C17 4.5 14 5 12 6.5zM12 6.5v13",
        offers: [
            offer(
                "start-lesson",
                |w| w.start_lesson,
                |page, course| match course.first() {
                    Some(first) => lesson::go(page, &first.0),
                    None => page.show_panel("learn"),
                },
            ),
            offer(
                "start-lessons",
                |w| w.lesson_all,
                |page, _| {
                    page.workspace.zone.set(Zone::Panels);
                    page.show_panel("learn");
                },
            ),
        ],
    },
    Way {
        name: "explore",
        word: |w| w.start_explore,
        text: |w| w.start_explore_text,
        icon: "M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17M15.5 8.5l-2 5-5 2 2-5z",
        offers: [
            offer("start-tour", |w| w.tour_again, |page, _| tour::begin(page)),
            offer("start-alone", |w| w.start_alone, |page, _| skip(page)),
        ],
    },
    Way {
        name: "teach",
        word: |w| w.start_teach,
        text: |w| w.start_teach_text,
        icon: "M3.5 5h17M5 5v10.5h14V5M12 15.5v2M8 20.5l4-3 4 3M8.5 12l2.5-2.5 2 1.5 2.5-3",
        offers: [
            offer("start-class", |w| w.share_class, |page, _| page.dialogs.class_link.set(true)),
            offer("start-results", |w| w.results, |page, _| results::open(page)),
        ],
    },
    Way {
        name: "administer",
        word: |w| w.start_administer,
        text: |w| w.start_administer_text,
        icon: "M4 7h9M17 7h3M4 12h3M11 12h9M4 17h7M15 17h5M15 5v4M9 10v4M13 15v4",
        offers: [
            offer("start-conf", |w| w.start_conf, |page, _| open_files::ask(page)),
            offer(
                "start-admin",
                |w| w.admin,
                |page, _| {
                    page.workspace.zone.set(Zone::Panels);
                    page.show_panel("admin");
                },
            ),
        ],
    },
];

/// Draws it.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page) -> AnyView {
    let course = RwSignal::new(Vec::<CourseRow>::new());
    Effect::new(move || {
        let language = page.prefs.lang.get().code();
        spawn_local(async move {
            course.try_set(fetch::course(language).await);
        });
    });
    let ways = WAYS.iter().map(|way| draw_way(page, course, way)).collect::<Vec<_>>();
    let inside = view! {
        <div class="start">
            <div class="start-head">
                <h2>{page.say(|w| w.start_title)}</h2>
                <button class="quiet" data-testid="start-skip" on:click=move |_| skip(page)>{page.say(|w| w.start_skip)}" ×"</button>
            </div>
            <p class="start-about">{page.say(|w| w.start_about)}</p>
            <div class="ways">{ways}</div>
            <h3>{page.say(|w| w.start_sites)}</h3>
            {sites::draw(page)}
        </div>
    };
    modal::dialog(page, "start", page.say(|w| w.start_again), skip, inside.into_any())
}

fn draw_way(page: Page, course: RwSignal<Vec<CourseRow>>, way: &'static Way) -> AnyView {
    let button = |(at, offer): (usize, &'static WayOffer)| {
        let run = move |_| {
            let course = course.get_untracked();
            leave(page);
            (offer.run)(page, &course);
        };
        let usual = at == 0;
        view! { <button class:primary=usual data-testid=offer.name on:click=run>{page.say(offer.word)}</button> }
    };
    let buttons = way.offers.iter().enumerate().map(button).collect::<Vec<_>>();
    view! {
        <section class="way" data-way=way.name>
            <h3><svg viewBox="0 0 24 24" aria-hidden="true"><path d=way.icon /></svg>{page.say(way.word)}</h3>
            <p>{page.say(way.text)}</p>
            <div class="way-offers">{buttons}</div>
        </section>
    }
    .into_any()
}
