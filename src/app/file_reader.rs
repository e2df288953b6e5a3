//! Files that the user chooses or drops on the page, read as text within bounds.

use futures_channel::oneshot;
use gloo_events::{EventListener, EventListenerOptions};
use gloo_file::Blob;
use gloo_file::futures::{read_as_bytes, read_as_text};
use leptos::prelude::{document, window};
use leptos::task::spawn_local;
use std::cell::Cell;
use std::rc::Rc;
use view::opened_files::{SessionFile, is_archive, text_of_archive};
use wasm_bindgen::prelude::*;
use web_sys::{
    DataTransfer, DragEvent, FileSystemDirectoryEntry, FileSystemEntry, FileSystemFileEntry, HtmlInputElement,
};

const MAX_FILES: usize = 500;
/// Largest file, in bytes: sessions are the largest.
const MAX_FILE: u64 = 64 * 1024 * 1024;
const MAX_ALL: u64 = 64 * 1024 * 1024;
const MAX_DEPTH: usize = 4;

/// Names and texts of files, or why they could not be read.
pub type ReadFiles = Result<Vec<(String, String)>, String>;

/// A file, or a folder that was dropped.
enum FileSource {
    File(web_sys::File),
    Entry(FileSystemEntry),
}

/// Reads the files of a file input and clears it.
pub fn chosen(event: &web_sys::Event, take: impl FnOnce(ReadFiles) + 'static) {
    let Some(input) = event.target().and_then(|t| t.dyn_into::<HtmlInputElement>().ok()) else { return };
    let files = input.files();
    let files = files.iter().flat_map(|list| (0..list.length()).filter_map(|i| list.get(i)));
    let files: Vec<FileSource> = files.map(FileSource::File).collect();
    input.set_value("");
    spawn_local(async move { take(read(files).await) });
}

/// Takes files and folders that are dropped anywhere on the page.
pub fn follow_drops(take: impl Fn(ReadFiles) + Copy + 'static) {
    /// The files that a drag event brings.
    fn dropped(event: &web_sys::Event) -> Option<DataTransfer> {
        let transfer = event.dyn_ref::<DragEvent>()?.data_transfer()?;
        transfer.types().includes(&"Files".into(), 0).then_some(transfer)
    }
    fn mark(on: bool) {
        if let Some(root) = document().document_element() {
            // Setting an attribute of a fixed name cannot fail.
            let _ = root.toggle_attribute_with_force("data-dropping", on);
        }
    }
    let inside = Rc::new(Cell::new(0_i32));
    for (name, by) in [("dragenter", 1), ("dragleave", -1), ("dragover", 0)] {
        let inside = Rc::clone(&inside);
        listen(name, move |event| {
            if dropped(event).is_some() {
                event.prevent_default();
                inside.set((inside.get() + by).max(0));
                mark(inside.get() > 0);
            }
        });
    }
    listen("drop", move |event| {
        let Some(transfer) = dropped(event) else { return };
        event.prevent_default();
        inside.set(0);
        mark(false);
        // The entries exist only until this returns.
        let items = transfer.items();
        let items = (0..items.length()).filter_map(|i| items.get(i)).filter(|item| item.kind() == "file");
        let sources: Vec<FileSource> = items
            .filter_map(|item| match item.webkit_get_as_entry() {
                Ok(Some(entry)) => Some(FileSource::Entry(entry)),
                Ok(None) | Err(_) => item.get_as_file().ok().flatten().map(FileSource::File),
            })
            .collect();
        spawn_local(async move { take(read(sources).await) });
    });
}

/// Adds a listener for the life of the page.
fn listen(name: &'static str, heard: impl FnMut(&web_sys::Event) + 'static) {
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(&window(), name, options, heard).forget();
}

async fn read(sources: Vec<FileSource>) -> ReadFiles {
    let mut room = MAX_ALL;
    let mut texts = Vec::new();
    for (name, file) in listed(sources).await? {
        let blob = Blob::from(file);
        if blob.size() > MAX_FILE {
            return Err(format!("{name}: {} > {MAX_FILE} bytes", blob.size()));
        }
        room = room.checked_sub(blob.size()).ok_or_else(|| format!("> {MAX_ALL} bytes"))?;
        // Earlier versions offered sessions as bytes.
        let text = if name.ends_with(".bin") {
            read_as_bytes(&blob).await.map(SessionFile::text_of)
        } else if is_archive(&name) {
            read_as_bytes(&blob).await.map(|bytes| text_of_archive(&bytes))
        } else {
            read_as_text(&blob).await
        };
        let text = text.map_err(|e| format!("{name}: {e}"))?;
        texts.push((name, text));
    }
    Ok(texts)
}

/// Lists the files, including those in folders but not in hidden folders.
async fn listed(sources: Vec<FileSource>) -> Result<Vec<(String, web_sys::File)>, String> {
    let mut list = Vec::new();
    // The last one is visited next.
    let mut left: Vec<(String, usize, FileSource)> =
        sources.into_iter().rev().map(|source| (String::new(), 0, source)).collect();
    while let Some((prefix, depth, source)) = left.pop() {
        if list.len() >= MAX_FILES {
            return Err(format!("> {MAX_FILES} files"));
        }
        match source {
            FileSource::File(file) => {
                // A chosen folder gives its path.
                let path = js_sys::Reflect::get(&file, &"webkitRelativePath".into()).ok();
                let path = path.and_then(|path| path.as_string()).filter(|path| !path.is_empty());
                list.push((path.unwrap_or_else(|| prefix + &file.name()), file));
            }
            FileSource::Entry(entry) if entry.is_file() => {
                list.push((prefix + &entry.name(), file_of(entry.unchecked_ref()).await?));
            }
            FileSource::Entry(entry) => {
                if depth < MAX_DEPTH && !entry.name().starts_with('.') {
                    let below = format!("{prefix}{}/", entry.name());
                    let inside = entries_of(entry.unchecked_ref()).await?;
                    let inside = inside.into_iter().rev().map(FileSource::Entry);
                    left.extend(inside.map(|source| (below.clone(), depth + 1, source)));
                }
            }
        }
    }
    Ok(list)
}

/// Waits for one of two callbacks.
async fn answer(ask: impl FnOnce(&js_sys::Function, &js_sys::Function)) -> Result<JsValue, String> {
    let (sender, result) = oneshot::channel();
    let sender = Rc::new(Cell::new(Some(sender)));
    let failed = Rc::clone(&sender);
    let done = Closure::once(move |value: JsValue| {
        let _ = sender.take().map(|sender| sender.send(Ok(value)));
    });
    let fail = Closure::once(move |error: JsValue| {
        let _ = failed.take().map(|sender| sender.send(Err(crate::js::words_of(&error))));
    });
    ask(done.as_ref().unchecked_ref(), fail.as_ref().unchecked_ref());
    result.await.unwrap_or_else(|_| Err(String::new()))
}

async fn file_of(entry: &FileSystemFileEntry) -> Result<web_sys::File, String> {
    let file = answer(|done, fail| entry.file_with_callback_and_callback(done, fail)).await?;
    file.dyn_into().map_err(|_| entry.name())
}

/// Reads the entries of a folder. A browser returns them in batches.
async fn entries_of(folder: &FileSystemDirectoryEntry) -> Result<Vec<FileSystemEntry>, String> {
    let reader = folder.create_reader();
    let mut all = Vec::new();
    while all.len() <= MAX_FILES {
        let some = answer(|done, fail| {
            // A reader that fails calls back.
            let _ = reader.read_entries_with_callback_and_callback(done, fail);
        });
        let some = js_sys::Array::from(&some.await?);
        if some.length() == 0 {
            break;
        }
        all.extend(some.iter().map(JsCast::unchecked_into::<FileSystemEntry>));
    }
    Ok(all)
}
