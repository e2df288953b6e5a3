//! The dialog for a custom site: choose its files, check the engine's report, open it.

use crate::dialogs::OwnSite;
use crate::follow::{When, flag};
use crate::i18n::Words;
use crate::modal::titled;
use crate::notices::NoticeOffer;
use crate::page::Page;
use crate::{database, fetch, location, storage};
use leptos::html::Input;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::{FindingSeverity, SiteFinding, SiteReport};
use std::sync::Arc;
use view::fill::fill;
use view::opened_files::free_name;

/// The dialog.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page, sites: RwSignal<Vec<String>>) -> AnyView {
    let inside = move || match page.dialogs.own_site.get() {
        None | Some(OwnSite::Choose) => choose(page, sites),
        Some(OwnSite::Reading) => {
            view! { <p role="status">{page.say_later(|w| w.own_reading)}</p> }.into_any()
        }
        Some(OwnSite::Read(report)) => read(page, report),
    };
    titled(
        page,
        "own-site",
        page.say_later(|w| w.own_title),
        |page| page.dialogs.own_site.set(None),
        inside.into_any(),
    )
}

/// Before files are chosen.
fn choose(page: Page, sites: RwSignal<Vec<String>>) -> AnyView {
    let own = move || {
        sites
            .with(|all| all.iter().filter(|s| s.starts_with(protocol::OWN_SITE)).cloned().collect::<Vec<_>>())
    };
    let forget = move |name: String| {
        spawn_local(async move {
            // A site that cannot be removed stays in the list.
            if database::delete(&fetch::own_site_key(&name)).await.is_ok() {
                storage::forget_session(&name).await;
                sites.update(|all| all.retain(|site| *site != name));
            }
        });
    };
    let row = move |name: String| {
        let shown = shown_name(&name);
        view! {
            <li><span>{shown}</span>
                <button class="quiet" data-testid="own-forget" on:click=move |_| forget(name.clone())>{page.say_later(|w| w.own_forget)}</button>
            </li>
        }
    };
    // Leptos has no attribute for inputs that take a folder.
    let folder = NodeRef::<Input>::new();
    Effect::new(move || {
        if let Some(input) = folder.get() {
            let _ = input.set_attribute("webkitdirectory", "");
        }
    });
    view! {
        <p>{page.say_later(|w| w.own_about)}</p>
        <p class="drop">{page.say_later(|w| w.own_drop)}</p>
        <div class="row-of-buttons">
            <label class="button">{page.say_later(|w| w.own_files)}
                <input type="file" multiple data-testid="own-files" on:change=move |e| page.dialogs.choose_files(e) />
            </label>
            <label class="button">{page.say_later(|w| w.own_folder)}
                <input type="file" node_ref=folder data-testid="own-folder" on:change=move |e| page.dialogs.choose_files(e) />
            </label>
            <span class="spring"></span>
            <button class="quiet" on:click=move |_| page.dialogs.own_site.set(None)>{page.say(|w| w.close)}</button>
        </div>
        <ul class="mine">{move || own().into_iter().map(row).collect::<Vec<_>>()}</ul>
    }
    .into_any()
}

/// The engine's report on the files.
fn read(page: Page, report: Arc<SiteReport>) -> AnyView {
    let refused = report.findings.iter().any(|f| f.weight == FindingSeverity::Error);
    let usable = report.nodes > 0 && report.partitions > 0;
    let counts = {
        let report = Arc::clone(&report);
        move || {
            let numbers = [report.nodes, report.partitions, report.users].map(|n| n.to_string());
            fill(page.t().own_counts, &[&report.name, &numbers[0], &numbers[1], &numbers[2]])
        }
    };
    let read: Vec<String> = report
        .files
        .iter()
        .map(|(name, _)| name)
        .filter(|name| !report.made_up.contains(name))
        .cloned()
        .collect();
    let (read, made_up) = (read.join(", "), report.made_up.join(", "));
    let made = !made_up.is_empty();
    let groups = [
        (FindingSeverity::Error, (|w| w.own_errors) as fn(&'static Words) -> &'static str),
        (FindingSeverity::Warning, |w| w.own_warnings),
        (FindingSeverity::Note, |w| w.own_notes),
    ];
    let lists = groups.map(|(weight, word)| findings(page, &report.findings, weight, word));
    let open = {
        let report = Arc::clone(&report);
        move |_| begin(page, Arc::clone(&report))
    };
    let word: fn(&'static Words) -> &'static str =
        if refused { |w| w.own_open_anyway } else { |w| w.own_open };
    view! {
        <p><b>{move || counts()}</b></p>
        <p class="faint">{page.say_later(|w| w.own_read)}" "{read}</p>
        <When holds=flag(move || made)><p class="faint">{page.say_later(|w| w.own_made_up)}" "{made_up.clone()}</p></When>
        <When holds=flag(move || refused)><p class="refused" role="status" data-testid="own-refused">{page.say_later(|w| w.own_refused)}</p></When>
        <div class="found" tabindex="0" role="group" aria-label=page.say_later(|w| w.own_findings) data-testid="own-findings">{lists}</div>
        <div class="row-of-buttons">
            <button class="quiet" on:click=move |_| page.dialogs.own_site.set(Some(OwnSite::Choose))>{page.say_later(|w| w.own_other)}</button>
            <span class="spring"></span>
            <button class="quiet" on:click=move |_| page.dialogs.own_site.set(None)>{page.say(|w| w.close)}</button>
            <button class:primary=!refused disabled=!usable data-testid="own-open" on:click=open>{page.say(word)}</button>
        </div>
    }
    .into_any()
}

/// The findings of one severity.
fn findings(
    page: Page,
    all: &[SiteFinding],
    weight: FindingSeverity,
    word: fn(&'static Words) -> &'static str,
) -> Option<AnyView> {
    let rows: Vec<_> = all.iter().filter(|f| f.weight == weight).cloned().collect();
    if rows.is_empty() {
        return None;
    }
    let count = rows.len();
    let row = |f: SiteFinding| view! { <li><code>{f.location}</code><span>{f.message}</span></li> };
    let list = rows.into_iter().map(row).collect::<Vec<_>>();
    let class = match weight {
        FindingSeverity::Error => "bad",
        FindingSeverity::Warning => "warn",
        FindingSeverity::Note => "note",
    };
    Some(
        view! {
            <details open=weight == FindingSeverity::Error><summary class=class>{page.say(word)}" ("{count}")"</summary><ul>{list}</ul></details>
        }
        .into_any(),
    )
}

/// Stores the site under a free name and loads the page with it. The current session stays stored separately.
fn begin(page: Page, report: Arc<SiteReport>) {
    crate::session::keep(page);
    spawn_local(async move {
        let name = free_name(&report.name, &fetch::own_sites().await);
        let stored = match serde_wasm_bindgen::to_value(&report.files) {
            Ok(files) => database::put(&fetch::own_site_key(&name), &files).await,
            Err(error) => Err(error.to_string()),
        };
        match stored {
            Ok(()) => location::go(&location::here().at_site(&name)),
            Err(why) => page.tell(|w| w.own_not_kept, why, NoticeOffer::None),
        }
    });
}

/// A site's displayed name.
pub fn shown_name(name: &str) -> String {
    name.strip_prefix(protocol::OWN_SITE).unwrap_or(name).to_owned()
}
