//! Reads the code blocks of the host's text. Only visitors who try one need this code.

use super::messages::HostExample;
use crate::page::Page;
use js_sys::{Array, JsString, Reflect};
use leptos::prelude::*;
use view::example::{self, HostBlock, KnownNames, MAX_ALL, MAX_BLOCKS, MAX_NOTE, MAX_TEXT};
use wasm_bindgen::{JsCast as _, JsValue};

/// What the blocks are, with values of this site.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn read(page: Page, value: &JsValue) -> Result<Vec<HostExample>, String> {
    let array = value.dyn_ref::<Array>().ok_or_else(|| "not a list of blocks".to_owned())?;
    let count = usize::try_from(array.length()).unwrap_or(usize::MAX);
    if count > MAX_BLOCKS {
        return Err(format!("more than {MAX_BLOCKS} blocks"));
    }
    let mut blocks = Vec::with_capacity(count);
    let mut all = 0;
    for block in array.iter() {
        let text = field(&block, "text", MAX_TEXT)?;
        all += u32::try_from(text.len()).unwrap_or(u32::MAX);
        if all > MAX_ALL {
            return Err(format!("blocks with more than {MAX_ALL} characters"));
        }
        blocks.push(HostBlock {
            text,
            language: field(&block, "language", MAX_NOTE)?,
            caption: field(&block, "caption", MAX_NOTE)?,
            before: field(&block, "before", MAX_NOTE)?,
        });
    }
    Ok(example::examples(&blocks, &known(page)).into_iter().map(HostExample::from).collect())
}

/// A text of a block, empty if there is none. Its length is known before it is copied.
fn field(block: &JsValue, name: &str, most: u32) -> Result<String, String> {
    let value = Reflect::get(block, &name.into()).unwrap_or(JsValue::UNDEFINED);
    let Some(text) = value.dyn_ref::<JsString>() else { return Ok(String::new()) };
    if text.length() > most {
        return Err(format!("{name}: more than {most} characters"));
    }
    Ok(String::from(text))
}

fn known(page: Page) -> KnownNames {
    let user = page.user.get_untracked();
    let job = page.terminals.last_job.get_untracked();
    page.started.with_untracked(|started| {
        let Some(started) = started else {
            return KnownNames { user: user.clone(), ..KnownNames::default() };
        };
        let default = started.partitions.iter().find(|p| p.is_default);
        KnownNames {
            account: started
                .accounts
                .iter()
                .find(|(name, _)| *name == user)
                .map(|(_, account)| account.clone()),
            accounts: started.accounts.iter().map(|(_, account)| account.clone()).collect(),
            partitions: started.partitions.iter().map(|p| p.name.clone()).collect(),
            partition: default.map(|p| p.name.clone()),
            job: job.as_deref().and_then(|job| job.split('_').next()?.parse().ok()),
            user: user.clone(),
        }
    })
}
