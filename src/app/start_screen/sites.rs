//! The clusters, as cards: what each is like and how large it is. A variant is named on the card of its base.

use super::leave;
use crate::fetch::{self, SiteCard};
use crate::follow::{When, flag, string};
use crate::page::{DEFAULT_SITE, Page};
use crate::{session, tour};
use leptos::prelude::*;
use leptos::task::spawn_local;
use view::fill::fill;

/// Draws the cards in the current language.
pub fn draw(page: Page) -> AnyView {
    let cards = RwSignal::new(Vec::<SiteCard>::new());
    Effect::new(move || {
        let language = page.prefs.lang.get().code();
        spawn_local(async move {
            cards.try_set(fetch::site_cards(language).await);
        });
    });
    let drawn = move || {
        let all = cards.get();
        let of =
            |base: &str| variants(&all, base).into_iter().map(|card| variant(page, card)).collect::<Vec<_>>();
        let mains = all.iter().filter(|card| card.1.is_empty());
        // The site of a first visit comes first.
        let (first, rest): (Vec<_>, Vec<_>) = mains.partition(|card| card.0 == DEFAULT_SITE);
        first.into_iter().chain(rest).map(|main| card(page, main.clone(), of(&main.0))).collect::<Vec<_>>()
    };
    view! { <ul class="site-cards" data-testid="site-cards">{drawn}</ul> }.into_any()
}

/// The variants of a site, and their variants.
fn variants(all: &[SiteCard], base: &str) -> Vec<SiteCard> {
    let own = all.iter().filter(|card| card.1 == base);
    own.flat_map(|card| std::iter::once(card.clone()).chain(variants(all, &card.0))).collect()
}

/// Opens a site. If it is open already, its tour begins.
fn choose(page: Page, name: &str) {
    leave(page);
    if page.site.with_untracked(|site| site == name) {
        if tour::is_new() {
            tour::begin(page);
        }
    } else {
        session::open_site(page, name);
    }
}

fn card(
    page: Page,
    (name, _, title, summary, nodes, cores, gpus): SiteCard,
    variants: Vec<AnyView>,
) -> AnyView {
    let facts = string(move || {
        let number = |n: u32| page.number(n.into());
        let gpus = if gpus > 0 { fill(page.t().start_gpus, &[&number(gpus)]) } else { String::new() };
        fill(page.t().start_facts, &[&number(nodes), &number(cores)]) + &gpus
    });
    let open = StoredValue::new(name.clone());
    let current = flag(move || page.site.with(|site| open.with_value(|name| site == name)));
    let variants = (!variants.is_empty()).then(|| {
        view! { <p class="site-variants">{page.say(|w| w.start_variants)}{variants}</p> }
    });
    view! {
        <li class:current=current>
            <button class="site-card" data-testid="site-card" data-site=name.clone() on:click=move |_| open.with_value(|name| choose(page, name))>
                <span class="site-name"><b>{title}</b><code>{name.clone()}</code></span>
                <span>{summary}</span>
                <small>{facts}<When holds=current>" · "{page.say(|w| w.start_current)}</When></small>
            </button>
            {variants}
        </li>
    }
    .into_any()
}

fn variant(page: Page, (name, _, title, summary, ..): SiteCard) -> AnyView {
    let open = name.clone();
    view! {
        <button class="quiet" data-testid="site-variant" data-site=name.clone() title=format!("{title}: {summary}")
            on:click=move |_| choose(page, &open)>{name.clone()}</button>
    }
    .into_any()
}
