//! Saves a picture as SVG or PNG, and its data as CSV.

mod picture;
mod poster;

pub use poster::{copy as copy_poster, copy_card};

use crate::notices::NoticeOffer;
use crate::page::Page;
use crate::{download, js};
use leptos::html::Div;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::sync::Arc;
use view::times::{civil, dated};

/// Makes the CSV of a picture.
pub type Csv = Arc<dyn Fn() -> String + Send + Sync>;

/// The buttons. `picture` contains the `svg.picture`, and `name` is a part of the file names.
pub fn buttons(page: Page, name: &'static str, picture: NodeRef<Div>, csv: Csv) -> AnyView {
    let draw = move |format: &'static str| {
        let file = file_name(page, name, format);
        let Some(root) = picture.get_untracked() else { return };
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
    view! {
        <div class="choice save" role="group" aria-label=page.say_later(|w| w.save_picture)>
            <button data-testid="save-svg" title=page.say_later(|w| w.save_svg) on:click=move |_| draw("svg")>"SVG"</button>
            <button data-testid="save-png" title=page.say_later(|w| w.save_png) on:click=move |_| draw("png")>"PNG"</button>
            <button data-testid="save-csv" title=page.say_later(|w| w.save_csv)
                on:click=move |_| download::bytes(&file_name(page, name, "csv"), csv().as_bytes())>"CSV"</button>
        </div>
    }
    .into_any()
}

/// The button of a panel that is only a table.
pub fn table(page: Page, name: &'static str, csv: Csv) -> AnyView {
    view! {
        <div class="choice save">
            <button data-testid="save-csv" title=page.say_later(|w| w.save_csv)
                on:click=move |_| download::bytes(&file_name(page, name, "csv"), csv().as_bytes())>"CSV"</button>
        </div>
    }
    .into_any()
}

/// A file name such as `inserm-fairshare-2026-03-02-0907.svg`: site, panel, and simulated time.
fn file_name(page: Page, name: &str, format: &str) -> String {
    let now = civil(page.clock.get_untracked().now);
    let site = page.site.get_untracked();
    format!("{site}-{name}-{}-{}.{format}", now.date(), now.hm().replace(':', ""))
}
