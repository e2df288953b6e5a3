//! The pickers of the header: the site, each with its sentence, and the user.

use crate::combobox::{self, Combobox};
use crate::dialogs::Picker;
use crate::fetch::{self, SiteCard};
use crate::follow::string;
use crate::modal::dialog;
use crate::page::Page;
use crate::{files, open_files, session, terminal};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::OWN_SITE;
use std::sync::Arc;
use std::time::Duration;
use view::fill::fill;
use view::finder::contains;
use view::palette::user_colour;

/// Draws the open picker.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page, sites: RwSignal<Vec<String>>) -> AnyView {
    let close = |page: Page| page.dialogs.picker.set(None);
    match page.dialogs.picker.get_untracked() {
        None => ().into_any(),
        Some(Picker::Site) => {
            dialog(page, "pick-site", page.say_later(|w| w.pick_site), close, draw_sites(page, sites))
        }
        Some(Picker::User) => {
            dialog(page, "pick-user", page.say_later(|w| w.pick_user), close, draw_users(page))
        }
    }
}

/// Closes the picker, then does something: the rest of the page must be reachable again first.
fn leave(page: Page, then: impl FnOnce() + 'static) {
    page.dialogs.picker.set(None);
    set_timeout(then, Duration::ZERO);
}

/// Opens a site, unless it is the open one. Its own session resumes, and that of the open site is kept.
pub fn open_site(page: Page, name: &str) {
    if page.site.with_untracked(|site| site != name) {
        session::open_site(page, name);
    }
}

/// The sites, and the way to bring your own.
fn draw_sites(page: Page, sites: RwSignal<Vec<String>>) -> AnyView {
    let cards = RwSignal::new(Vec::<SiteCard>::new());
    Effect::new(move || {
        let language = page.prefs.lang.get().code();
        spawn_local(async move {
            cards.try_set(fetch::site_cards(language).await);
        });
    });
    // The open site comes first. A link's site is in no list.
    let names = Memo::new(move |_| {
        let (all, open) = (sites.get(), page.site.get());
        let others = all.into_iter().filter(|name| *name != open).collect::<Vec<_>>();
        std::iter::once(open).chain(others).collect::<Vec<_>>()
    });
    // The name, the title and the sentence. After the last site comes the way to another.
    let texts = move |i: usize| {
        let Some(name) = names.with(|all| all.get(i).cloned()) else {
            return [
                page.later().own_choose.to_owned(),
                String::new(),
                page.later().own_choose_about.to_owned(),
            ];
        };
        if let Some(own) = name.strip_prefix(OWN_SITE) {
            return [fill(page.t().own_yours, &[own]), String::new(), String::new()];
        }
        let card = cards.with(|all| all.iter().find(|card| card.0 == name).cloned());
        let (title, summary) = card.map_or_else(Default::default, |card| (card.2, card.3));
        [name, title, summary]
    };
    let found = move |typed: &str| {
        let fits = |i: &usize| contains(&texts(*i).join(" "), typed);
        (0..=names.with(Vec::len)).filter(fits).collect::<Vec<_>>()
    };
    let part = move |i: usize, part: usize| string(move || texts(i)[part].clone());
    let entry = move |i: usize| {
        view! { <span class="pick"><span><b>{part(i, 0)}</b>" "<span>{part(i, 1)}</span></span><small>{part(i, 2)}</small></span> }
            .into_any()
    };
    let choose = move |i: usize| {
        let name = names.with_untracked(|all| all.get(i).cloned());
        leave(page, move || match name {
            Some(name) => open_site(page, &name),
            None => open_files::ask(page),
        });
    };
    combobox::draw(Combobox {
        label: page.say_later(|w| w.pick_site),
        typed: RwSignal::new(String::new()),
        waits: Signal::stored(false),
        marked: 0,
        found: Arc::new(found),
        entry: Arc::new(entry),
        choose: Arc::new(choose),
    })
}

/// The users of the site, each in their colour.
fn draw_users(page: Page) -> AnyView {
    let users =
        Memo::new(move |_| page.started.with(|s| s.as_ref().map(|s| s.users.clone()).unwrap_or_default()));
    let name = move |i: usize| users.with(|all| all.get(i).cloned().unwrap_or_default());
    let found = move |typed: &str| {
        (0..users.with(Vec::len)).filter(|i| contains(&name(*i), typed)).collect::<Vec<_>>()
    };
    let entry = move |i: usize| {
        let colour = string(move || user_colour(page.user_index(&name(i)), page.prefs.dark.get()));
        view! { <span class="pick user"><i class="dot" style:background=colour></i><b>{string(move || name(i))}</b></span> }
            .into_any()
    };
    let choose = move |i: usize| {
        let name = untrack(|| name(i));
        leave(page, move || {
            terminal::of(page, &name);
            files::refresh(page);
        });
    };
    let marked =
        users.with_untracked(|all| page.user.with_untracked(|user| all.iter().position(|name| name == user)));
    combobox::draw(Combobox {
        label: page.say_later(|w| w.pick_user),
        typed: RwSignal::new(String::new()),
        waits: Signal::stored(false),
        marked: marked.unwrap_or(0),
        found: Arc::new(found),
        entry: Arc::new(entry),
        choose: Arc::new(choose),
    })
}
