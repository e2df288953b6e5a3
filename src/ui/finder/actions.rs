//! The commands of the page: one table for the finder, the keys, and the list of keys.

use crate::protocol::{Skip, ToEngine, Travel};
use crate::ui::i18n::{Lang, Words};
use crate::ui::panels::{self, Panel};
use crate::ui::state::{Page, Part, Theme, Zone};
use crate::ui::worker_link::send;
use crate::ui::{clock, composer, editor, storage, terminal, tour};
use leptos::prelude::*;

/// A command of the page.
pub struct Action {
    /// What it does, in the person's language.
    pub word: fn(&'static Words) -> &'static str,
    /// The key that does it while nobody types.
    pub key: Option<&'static str>,
    pub run: fn(Page),
}

const fn a(key: &'static str, word: fn(&'static Words) -> &'static str, run: fn(Page)) -> Action {
    Action { word, key: if key.is_empty() { None } else { Some(key) }, run }
}

/// Shows a panel.
pub fn show(page: Page, panel: Panel) {
    panels::show(page, panel);
    go(page, Part::Panels);
}

/// All of them but the panels, which have the digits. Keys are distinct.
pub const ACTIONS: &[Action] = &[
    a("s", |w| w.submit, editor::submit_front),
    a("n", |w| w.compose, composer::open),
    a(" ", |w| w.play_pause, clock::pause_or_go),
    a(".", |w| w.next_event, |page| skip(page, |_| Skip::NextEvent)),
    a("j", |w| w.until_start_long, |page| skip(page, Skip::JobStarts)),
    a("e", |w| w.until_end_long, |page| skip(page, Skip::JobEnds)),
    a("b", |w| w.travel_now, |_| send(&ToEngine::Travel(Travel::Now))),
    a("u", |w| w.until_empty_long, |page| skip(page, |_| Skip::QueueEmpty)),
    a("+", |w| w.faster, |page| pace(page, 1)),
    a("-", |w| w.slower, |page| pace(page, -1)),
    a("w", |w| w.go_editor, |page| go(page, Part::Editor)),
    a("t", |w| w.go_terminal, |page| go(page, Part::Terminal)),
    a("c", |w| w.go_cluster, |page| go(page, Part::Cluster)),
    a("q", |w| w.go_queue, |page| show(page, Panel::Queue)),
    a("m", |w| w.maximise, maximise),
    a("l", |w| w.change_theme, change_theme),
    a("", |w| w.change_language, change_language),
    a("", |w| w.screen_reader, |page| terminal::speak(page, !page.screen_reader.get_untracked())),
    a("h", |w| w.tour_again, tour::begin),
    a("", |w| w.share, crate::ui::share::begin),
    a("", |w| w.share_file, crate::ui::share::save),
    a("", |w| w.share_class, crate::ui::share::class),
    a("o", |w| w.files_open, crate::ui::bring::ask),
    a("p", |w| w.projector, crate::ui::floating::project),
    a("", |w| w.results, crate::ui::results::open),
    a("?", |w| w.finder_keys, super::open),
];

fn skip(page: Page, to: fn(String) -> Skip) {
    send(&ToEngine::Skip(to(page.user.get_untracked())));
}

/// To the next stop of the pace, up or down.
fn pace(page: Page, by: i32) {
    let stops = clock::STOPS;
    let now = page.paced.get_untracked();
    let at = stops.iter().position(|stop| *stop >= now).unwrap_or(stops.len() - 1);
    let to = at.saturating_add_signed(by as isize).min(stops.len() - 1);
    clock::choose_pace(page, stops[to]);
}

/// Shows a part of the page, and lets a person type there.
fn go(page: Page, part: Part) {
    page.maximised.update(|m| {
        if m.is_some_and(|m| m != part) {
            *m = None;
        }
    });
    page.zone.set(match part {
        Part::Editor => Zone::Write,
        Part::Terminal => Zone::Type,
        Part::Cluster => Zone::See,
        Part::Panels => Zone::Queue,
    });
    page.part.set(part);
    match part {
        Part::Terminal => {
            if let Some(tty) = untrack(|| page.tty()) {
                terminal::focus(tty);
            }
        }
        Part::Editor | Part::Cluster | Part::Panels => crate::ui::layout::focus(part),
    }
}

/// The part that a person was in last has the whole page, or gives it back.
fn maximise(page: Page) {
    crate::ui::layout::maximise(page, page.part.get_untracked());
}

fn change_theme(page: Page) {
    let theme = if page.dark.get_untracked() { Theme::Light } else { Theme::Dark };
    page.theme.set(theme);
    // A setting that cannot be kept lasts for this visit.
    let _ = storage::set("theme", theme.name());
}

fn change_language(page: Page) {
    let lang = match page.lang.get_untracked() {
        Lang::En => Lang::Fr,
        Lang::Fr => Lang::En,
    };
    page.lang.set(lang);
    let _ = storage::set("language", lang.code());
}
