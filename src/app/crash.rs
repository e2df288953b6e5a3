//! Tells the user that the page itself has crashed: what happened, what becomes of the session, a button that reloads,
//! and a report to copy. Crashes of the engine are handled elsewhere (`session::died` restarts it).
//!
//! It runs in the panic hook, when signals and components can no longer be used. It therefore draws with plain DOM
//! calls, takes its texts from the table of words and the language from the document, and never assumes that a borrow
//! succeeds. It draws before it does anything else that may fail.

use crate::i18n::{Lang, Words};
use crate::{location, storage};
use gloo_events::{EventListener, EventListenerOptions};
use js_sys::{Error, Function, Reflect};
use leptos::task::spawn_local;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{Document, Element, ErrorEvent, HtmlDialogElement, HtmlElement, HtmlTextAreaElement, Window};

/// How many inputs the report contains.
const MAX_INPUTS: usize = 12;
/// Characters of an input in the report.
const MAX_INPUT: usize = 200;

/// Stores the session after a crash, and tells later whether it is stored.
pub type Rescue = fn(Rc<dyn Fn(bool)>) -> SessionRescue;

/// What becomes of the session after a crash of the page.
pub enum SessionRescue {
    /// It is being written to the browser's storage.
    Storing,
    /// It cannot be read: the last stored version stays.
    AsStored,
    /// This browser does not store it.
    NotStored,
}

/// The context of an error in the report.
#[derive(Default)]
struct CrashContext {
    site: String,
    /// The last inputs of the session and clicks on the page, oldest first.
    inputs: VecDeque<String>,
}

thread_local! {
    static CRASHED: Cell<bool> = const { Cell::new(false) };
    static CONTEXT: RefCell<CrashContext> = RefCell::new(CrashContext::default());
    static RESCUE: Cell<Option<Rescue>> = const { Cell::new(None) };
}

/// Installs the panic hook. `rescue` stores the session after a crash.
pub fn watch(rescue: Rescue) {
    RESCUE.set(Some(rescue));
    std::panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        crashed(&info.to_string(), &stack(&Error::new("")));
    }));
    let Some(window) = web_sys::window() else { return };
    // Traps without a panic: memory that is used up, for example.
    EventListener::new(&window, "error", |event| {
        let error = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::error);
        if let Some(trap) = error.as_ref().and_then(JsCast::dyn_ref::<js_sys::WebAssembly::RuntimeError>) {
            crashed(&String::from(trap.message()), &stack(trap));
        }
    })
    .forget();
    let capture = EventListenerOptions::run_in_capture_phase();
    EventListener::new_with_options(&window, "click", capture, |event| {
        let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
        let named = target.and_then(|t| t.closest("[data-testid]").ok().flatten());
        if let Some(name) = named.and_then(|element| element.get_attribute("data-testid")) {
            note_input(&format!("(click) {name}"));
        }
    })
    .forget();
}

/// Whether the page has crashed. Nothing may be stored then, because the state in memory may be inconsistent.
pub fn happened() -> bool {
    CRASHED.get()
}

/// Notes the site for the report.
pub fn note_site(site: &str) {
    CONTEXT.with_borrow_mut(|context| site.clone_into(&mut context.site));
}

/// Notes an input for the report.
pub fn note_input(what: &str) {
    CONTEXT.with_borrow_mut(|context| {
        if context.inputs.len() >= MAX_INPUTS {
            context.inputs.pop_front();
        }
        context.inputs.push_back(what.trim().chars().take(MAX_INPUT).collect());
    });
}

/// The browser's description of the calls that led to an error.
fn stack(error: &JsValue) -> String {
    Reflect::get(error, &"stack".into()).ok().and_then(|stack| stack.as_string()).unwrap_or_default()
}

/// Handles the first crash. Others follow from it.
fn crashed(what: &str, stack: &str) {
    if CRASHED.replace(true) {
        return;
    }
    let Some(window) = web_sys::window() else { return };
    let Some(document) = window.document() else { return };
    let language = document.document_element().and_then(|root| root.get_attribute("lang"));
    let words = Lang::from_code(&language.unwrap_or_default()).words();
    let report = report(&window, what, stack);
    if let Some(kept) = draw(&window, &document, words, &report) {
        tell_rescue(words, &kept);
    }
}

fn report(window: &Window, what: &str, stack: &str) -> String {
    let (site, inputs) = CONTEXT.with(|context| match context.try_borrow() {
        Ok(context) => (context.site.clone(), context.inputs.iter().cloned().collect::<Vec<_>>()),
        Err(_) => Default::default(),
    });
    let query = window.location().search().unwrap_or_default();
    let browser = window.navigator().user_agent().unwrap_or_default();
    let list = inputs.iter().map(|input| format!("  {input}\n")).collect::<String>();
    format!(
        "sandbatch {}\nsite: {site}\naddress: {query}\nbrowser: {browser}\nlast inputs:\n{list}\n{what}\n\n{stack}\n",
        env!("CARGO_PKG_VERSION"),
    )
}

/// Draws the notice over the page. Returns the paragraph about the session.
fn draw(window: &Window, document: &Document, words: &'static Words, report: &str) -> Option<HtmlElement> {
    let element = |name: &str, text: &str| -> Option<HtmlElement> {
        let element = document.create_element(name).ok()?.dyn_into::<HtmlElement>().ok()?;
        element.set_text_content(Some(text));
        Some(element)
    };
    let dialog = element("dialog", "")?.dyn_into::<HtmlDialogElement>().ok()?;
    dialog.set_class_name("crash");
    let title = element("h2", words.crash_title)?;
    let kept = element("p", "")?;
    let text = element("textarea", "")?.dyn_into::<HtmlTextAreaElement>().ok()?;
    text.set_read_only(true);
    text.set_rows(8);
    text.set_value(report);
    let buttons = element("div", "")?;
    buttons.set_class_name("row-of-buttons");
    let (reload, copy) = (element("button", words.crash_reload)?, element("button", words.crash_copy)?);
    reload.set_class_name("primary");
    let said = element("span", "")?;
    // Setting attributes of fixed names and adding elements to new ones cannot fail.
    let attributes: [(&Element, &str, &str); 9] = [
        (&dialog, "closedby", "none"),
        (&dialog, "role", "alertdialog"),
        (&dialog, "aria-label", words.crash_title),
        (&dialog, "data-testid", "crash"),
        (&kept, "role", "status"),
        (&said, "role", "status"),
        (&text, "aria-label", words.crash_report),
        (&reload, "data-testid", "crash-reload"),
        (&copy, "data-testid", "crash-copy"),
    ];
    for (element, name, value) in attributes {
        let _ = element.set_attribute(name, value);
    }
    let _ = buttons.append_with_node_3(&reload, &copy, &said);
    let parts: [&HtmlElement; 6] =
        [&title, &element("p", words.crash_what)?, &kept, &buttons, &element("p", words.crash_about)?, &text];
    for part in parts {
        let _ = dialog.append_child(part);
    }
    // The browser's own function, which does not depend on this program.
    let location = window.location();
    let again = Reflect::get(&location, &"reload".into()).ok()?.dyn_into::<Function>().ok()?;
    reload.set_onclick(Some(&again.bind0(&location)));
    let report = report.to_owned();
    EventListener::new(&copy, "click", move |_| copied(report.clone(), words, said.clone())).forget();
    // Closed with Escape, it would leave a page that does not respond. Older browsers do not know `closedby`.
    let open = Reflect::get(&dialog, &"showModal".into()).ok()?.dyn_into::<Function>().ok()?;
    let _ = dialog.add_event_listener_with_callback("close", &open.bind0(&dialog));
    document.body()?.append_child(&dialog).ok()?;
    // If it cannot be modal, the style sheet shows it all the same.
    let _ = dialog.show_modal();
    let _ = reload.focus();
    Some(kept)
}

/// Copies the report and says whether that worked.
fn copied(report: String, words: &'static Words, said: HtmlElement) {
    spawn_local(async move {
        let text = if location::copy(&report).await { words.crash_copied } else { words.crash_not_copied };
        said.set_text_content(Some(text));
    });
}

/// Stores the session and says what becomes of it.
fn tell_rescue(words: &'static Words, element: &HtmlElement) {
    let before =
        if storage::holds_session() == Some(false) { words.crash_not_stored } else { words.crash_as_stored };
    element.set_text_content(Some(words.crash_storing));
    let done = {
        let element = element.clone();
        move |stored| element.set_text_content(Some(if stored { words.crash_stored } else { before }))
    };
    match RESCUE.get().map_or(SessionRescue::AsStored, |rescue| rescue(Rc::new(done))) {
        SessionRescue::Storing => {}
        SessionRescue::AsStored => element.set_text_content(Some(before)),
        SessionRescue::NotStored => element.set_text_content(Some(words.crash_not_stored)),
    }
}
