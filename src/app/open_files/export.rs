//! Imports an export of a real cluster in a worker of its own: an archive of `sandbatch export-script`, or job records.

use crate::dialogs::OwnSite;
use crate::notices::NoticeOffer;
use crate::page::Page;
use crate::panels::ComparisonLink;
use crate::worker_link::send;
use leptos::prelude::*;
use protocol::ToEngine;
use protocol::compare::{FromComparison, ToComparison};
use std::cell::RefCell;

thread_local! {
    /// The worker that imports. It ends when another file is opened.
    static IMPORTS: RefCell<Option<ComparisonLink>> = const { RefCell::new(None) };
}

/// Imports an export. The dialog for a custom site then shows the engine's report on it.
pub fn import(page: Page, name: String, bytes: Vec<u8>) {
    close();
    let message = ToComparison::Import { name, bytes };
    let link = ComparisonLink::open(move |answer| match answer {
        Ok(FromComparison::Ready) => {
            IMPORTS.with_borrow(|link| link.iter().for_each(|link| link.send(&message)));
        }
        Ok(FromComparison::Imported(files)) => {
            close();
            // The dialog may have been closed meanwhile.
            if page.dialogs.own_site.with_untracked(Option::is_some) {
                send(&ToEngine::ReadSite(files));
            }
        }
        Ok(FromComparison::Refused(why)) | Err(why) => fail(page, why),
        Ok(
            FromComparison::Prepared { .. } | FromComparison::Ran { .. } | FromComparison::Reported { .. },
        ) => {}
    });
    match link {
        Ok(link) => IMPORTS.with_borrow_mut(|slot| *slot = Some(link)),
        Err(why) => fail(page, why),
    }
}

fn close() {
    let link = IMPORTS.with_borrow_mut(Option::take);
    link.into_iter().for_each(ComparisonLink::close);
}

fn fail(page: Page, why: String) {
    close();
    page.dialogs.own_site.set(Some(OwnSite::Choose));
    page.tell(|w| w.files_failed, why, NoticeOffer::None);
}
