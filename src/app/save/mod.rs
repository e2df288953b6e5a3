//! The menu of a panel that saves it: its picture as SVG or PNG, its data as CSV, and a link to it.

mod picture;
mod poster;

pub use poster::{copy as copy_poster, copy_card};

use crate::follow::string;
use crate::notices::NoticeOffer;
use crate::page::Page;
use crate::{download, js, share};
use leptos::html::Div;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::sync::Arc;
use view::times::{civil, dated};

/// Makes the CSV of a panel.
pub type Csv = Arc<dyn Fn() -> String + Send + Sync>;

/// Saves something.
pub type SaveAction = Arc<dyn Fn() + Send + Sync>;

/// What the menu of a panel saves as a picture.
#[derive(Clone, Copy)]
pub enum SavedPicture {
    /// Nothing: the panel is a table.
    None,
    /// The `svg.picture` in an element.
    Svg(NodeRef<Div>),
    /// The cluster on a poster, for the clipboard.
    Poster,
}

/// Downloads the CSV of a panel. `name` is a part of the file's name.
pub fn csv_file(page: Page, name: &str, text: &str) {
    download::bytes(&file_name(page, name, "csv"), text.as_bytes());
}

/// The menu of a panel with a CSV that is known at once.
pub fn menu(page: Page, name: &'static str, picture: SavedPicture, csv: Csv) -> AnyView {
    let save = Arc::new(move || csv_file(page, name, &csv()));
    let word = string(move || page.later().save_csv.to_owned());
    menu_of(page, name, picture, (word, save))
}

/// The menu of a panel: pictures, CSV with its words, and the link to what is shown. `name` is a part of the file names.
pub fn menu_of(
    page: Page,
    name: &'static str,
    picture: SavedPicture,
    csv: (Signal<String>, SaveAction),
) -> AnyView {
    let draw = move |root: NodeRef<Div>, format: &'static str| {
        let file = file_name(page, name, format);
        let Some(root) = root.get_untracked() else { return };
        let under = untrack(|| {
            let now = page.clock.get().now;
            format!("{} · {}", page.site.get(), dated(now, page.t().calendar))
        });
        spawn_local(async move {
            if let Err(error) = picture::save((*root).clone(), file, format, under).await {
                page.tell(|w| w.save_failed, js::words_of(&error), NoticeOffer::None);
            }
        });
    };
    let pictures = match picture {
        SavedPicture::None => ().into_any(),
        SavedPicture::Svg(root) => view! {
            <button class="quiet" data-testid="save-svg" on:click=move |_| draw(root, "svg")>{page.say_later(|w| w.save_svg)}</button>
            <button class="quiet" data-testid="save-png" on:click=move |_| draw(root, "png")>{page.say_later(|w| w.save_png)}</button>
        }
        .into_any(),
        SavedPicture::Poster => view! {
            <button class="quiet" data-testid="save-poster" on:click=move |_| copy_poster(page)>{page.say_later(|w| w.poster)}</button>
        }
        .into_any(),
    };
    let (word, save) = csv;
    let inside = view! {
        {pictures}
        <button class="quiet" data-testid="save-csv" on:click=move |_| save()>{word}</button>
        <button class="quiet" data-testid="copy-link" on:click=move |_| share::this_view()>{page.say_later(|w| w.copy_link)}</button>
    };
    menu_around(page, inside.into_any())
}

/// The menu of a panel, around its buttons.
pub fn menu_around(page: Page, inside: AnyView) -> AnyView {
    view! {
        <details class="menu save">
            <summary data-testid="export" title=page.say_later(|w| w.export)>
                <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M8 2v8M4.5 6.5L8 10l3.5-3.5M2.5 10.5V14h11v-3.5" /></svg>
                <span>{page.say_later(|w| w.export)}</span>
            </summary>
            <div class="popup">{inside}</div>
        </details>
    }
    .into_any()
}

/// A file name such as `inserm-fairshare-2026-03-02-0907.svg`: site, panel, and simulated time.
fn file_name(page: Page, name: &str, format: &str) -> String {
    let now = civil(page.clock.get_untracked().now);
    let site = page.site.get_untracked();
    format!("{site}-{name}-{}-{}.{format}", now.date(), now.hm().replace(':', ""))
}
