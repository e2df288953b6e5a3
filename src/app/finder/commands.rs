//! The page's commands: one table for the finder, the keyboard shortcuts, and the list of shortcuts.

use crate::i18n::{Lang, Words};
use crate::page::Page;
use crate::preferences::Theme;
use crate::state::AppState;
use crate::worker_link::send;
use crate::workspace::Zone;
use crate::{clock, composer, editor, layout, open_files, results, share, terminal, tour};
use leptos::prelude::*;
use protocol::{Skip, ToEngine, Travel};

/// A command of the page.
pub struct PageCommand {
    /// Its description, in the current language.
    pub word: fn(&'static Words) -> &'static str,
    /// The key that runs it while no text field has the focus.
    pub key: Option<&'static str>,
    pub run: fn(AppState),
}

const fn a(key: &'static str, word: fn(&'static Words) -> &'static str, run: fn(AppState)) -> PageCommand {
    PageCommand { word, key: if key.is_empty() { None } else { Some(key) }, run }
}

/// Opens a panel and puts the keyboard there.
pub fn show_panel(page: Page, name: &'static str) {
    page.show_panel(name);
    go(page, Zone::Panels);
}

/// Shows the zone of the inspector.
pub fn show_inspector(page: Page) {
    go(page, Zone::Panels);
}

/// The commands, without those that open panels, which have the digits. Keys are distinct.
pub const COMMANDS: &[PageCommand] = &[
    a("s", |w| w.submit, |app| editor::submit_front(app.page)),
    a("n", |w| w.compose, |app| composer::open(app.page)),
    a(" ", |w| w.play_pause, |app| app.pace.pause_or_go(app.page)),
    a(".", |w| w.next_event, |app| skip(app.page, |_| Skip::NextEvent)),
    a("j", |w| w.until_start_long, |app| skip(app.page, Skip::JobStarts)),
    a("e", |w| w.until_end_long, |app| skip(app.page, Skip::JobEnds)),
    a("b", |w| w.travel_now, |_| send(&ToEngine::Travel(Travel::Now))),
    a("u", |w| w.until_empty_long, |app| skip(app.page, |_| Skip::QueueEmpty)),
    a("+", |w| w.faster, |app| pace(app, 1)),
    a("-", |w| w.slower, |app| pace(app, -1)),
    a("w", |w| w.go_editor, |app| go(app.page, Zone::Editor)),
    a("t", |w| w.go_terminal, |app| go(app.page, Zone::Terminal)),
    a("c", |w| w.go_cluster, |app| go(app.page, Zone::Cluster)),
    a("q", |w| w.go_queue, |app| show_panel(app.page, "queue")),
    a("m", |w| w.maximise, |app| maximise(app.page)),
    a("l", |w| w.change_theme, |app| change_theme(app.page)),
    a("", |w| w.change_language, |app| change_language(app.page)),
    a("", |w| w.screen_reader, |app| toggle_screen_reader(app.page)),
    a("", |w| w.start_again, |app| app.page.dialogs.start.set(true)),
    a("h", |w| w.tour_again, |app| tour::begin(app.page)),
    a("", |w| w.share, |app| share::begin(app.lesson())),
    a("", |w| w.share_file, |app| share::save(app.lesson())),
    a("", |w| w.share_class, |app| app.page.dialogs.class_link.set(true)),
    a("o", |w| w.files_open, |app| open_files::ask(app.page)),
    a("p", |w| w.projector, |app| app.page.prefs.toggle_projector()),
    a("", |w| w.results, |app| results::open(app.page)),
    a("?", |w| w.finder_keys, |app| super::open(app.page)),
];

fn skip(page: Page, to: fn(String) -> Skip) {
    send(&ToEngine::Skip(to(page.user.get_untracked())));
}

/// Goes to the next speed, up or down.
fn pace(app: AppState, by: i32) {
    let stops = clock::STOPS;
    let now = app.pace.get_untracked();
    let at = stops.iter().position(|stop| *stop >= now).unwrap_or(stops.len() - 1);
    let to = at.saturating_add_signed(by as isize).min(stops.len() - 1);
    app.pace.choose(app.page, stops[to]);
}

/// Shows a zone and puts the keyboard there.
fn go(page: Page, zone: Zone) {
    page.workspace.maximised.update(|m| {
        if m.is_some_and(|m| m != zone) {
            *m = None;
        }
    });
    page.workspace.zone.set(zone);
    page.workspace.focused.set(zone);
    match zone {
        Zone::Terminal => {
            if let Some(tty) = untrack(|| page.tty()) {
                terminal::focus(tty);
            }
        }
        Zone::Editor | Zone::Cluster | Zone::Panels => layout::focus(zone),
    }
}

/// Maximises the zone that had the focus last, or restores the page.
fn maximise(page: Page) {
    layout::maximise(page, page.workspace.focused.get_untracked());
}

fn change_theme(page: Page) {
    let theme = if page.prefs.dark.get_untracked() { Theme::Light } else { Theme::Dark };
    page.prefs.set_theme(theme);
}

fn change_language(page: Page) {
    let lang = match page.prefs.lang.get_untracked() {
        Lang::En => Lang::Fr,
        Lang::Fr => Lang::En,
    };
    page.prefs.set_lang(lang);
}

fn toggle_screen_reader(page: Page) {
    page.prefs.set_screen_reader(!page.prefs.screen_reader.get_untracked());
}
