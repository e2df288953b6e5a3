//! The files that are open, their drafts, and CodeMirror behind them.

use crate::protocol::{Finding, OptionHelp, ToEngine};
use crate::ui::i18n::Lang;
use crate::ui::js::{self, EditorModule, JsEditor};
use crate::ui::state::{Offer, Page, Zone};
use crate::ui::{files, session, storage, terminal, worker_link};
use js_sys::{Array, Object, Reflect};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::cell::RefCell;
use std::time::Duration;
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

/// After so much quiet the engine is asked what is wrong with the script.
const LINT_AFTER: Duration = Duration::from_millis(350);
/// What a new script starts with.
const FRESH: &str = "#!/bin/bash\n#SBATCH --job-name=test\n#SBATCH --output=%x_%j.out\n#SBATCH --time=00:10:00\n\necho \"Hello from $(hostname)\"\n";

/// An open file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    pub path: String,
    /// Whose permissions.
    pub user: String,
    /// As it stands in the editor.
    pub text: String,
    /// As it stands on the simulated disk.
    pub on_disk: Option<String>,
    pub dirty: bool,
}

struct Code {
    editor: JsEditor,
    _on_change: Closure<dyn FnMut(String, String)>,
    _on_save: Closure<dyn FnMut()>,
}

#[derive(Default)]
struct State {
    code: Option<Code>,
    options: Vec<OptionHelp>,
    /// What is wrong with the script in front, as far as the engine has said.
    findings: Vec<Finding>,
    token: u32,
    /// To be submitted once it is saved.
    submit: Option<String>,
    /// An editor was called for in the terminal: this file gets the keyboard once it is there.
    edit: Option<String>,
    /// What is being saved: path and text.
    saving: Vec<(String, String)>,
}

/// Owned here and not by a component: they live as long as the page.
struct Signals {
    buffers: ArcRwSignal<Vec<Buffer>>,
    current: ArcRwSignal<Option<String>>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::new(State::default());
    static SIGNALS: Signals =
        Signals { buffers: ArcRwSignal::new(Vec::new()), current: ArcRwSignal::new(None) };
}

/// The open files.
pub fn buffers() -> ArcRwSignal<Vec<Buffer>> {
    SIGNALS.with(|s| s.buffers.clone())
}

fn current_signal() -> ArcRwSignal<Option<String>> {
    SIGNALS.with(|s| s.current.clone())
}

/// Path of the file in front.
pub fn current(_page: Page) -> Option<String> {
    current_signal().get()
}

fn draft_key(page: Page, path: &str) -> String {
    format!("draft:{}:{path}", page.site.get_untracked())
}

/// Loads CodeMirror into its place.
pub fn mount(page: Page, host: HtmlElement) {
    spawn_local(async move {
        let module: EditorModule = match js::load_bundle("editor").await {
            Ok(module) => module.unchecked_into(),
            Err(error) => {
                page.tell(|w| w.open_failed, session::words_of(&error), Offer::None);
                return;
            }
        };
        let on_change = Closure::new(move |path: String, text: String| changed(page, &path, text));
        let on_save = Closure::new(move || save(page));
        let Ok(editor) = module.open_editor(&host, &on_change, &on_save) else { return };
        STATE.with_borrow_mut(|s| {
            s.code = Some(Code { editor, _on_change: on_change, _on_save: on_save });
        });
        push_options();
        let front = current_signal().get_untracked();
        front.iter().for_each(|path| show(path));
        untrack(|| speak(page));
        front.iter().for_each(|path| focus_called(path));
    });
}

/// What the editor says itself, in the page's language. Reads signals.
pub fn speak(page: Page) {
    let (words, lang) = (page.t(), page.lang.get());
    let said = [words.editor, words.editor_replace, words.editor_insert, lang.code()].map(JsValue::from);
    with_editor(|e| e.words(&Array::from_iter(said)));
    push_findings(lang);
}

/// CodeMirror calls back at once when its text changes, so nothing may be borrowed meanwhile.
fn with_editor(f: impl FnOnce(&JsEditor)) {
    if let Some(editor) = STATE.with_borrow(|s| s.code.as_ref().map(|code| code.editor.clone())) {
        f(&editor);
    }
}

fn with_buffer<T>(path: &str, f: impl FnOnce(&mut Buffer) -> T) -> Option<T> {
    let mut result = None;
    buffers().update(|all| result = all.iter_mut().find(|b| b.path == path).map(f));
    result
}

fn buffer(path: &str) -> Option<Buffer> {
    buffers().with_untracked(|all| all.iter().find(|b| b.path == path).cloned())
}

/// A session began: its file is opened, and what was open is read again.
pub fn session_started(page: Page) {
    let started = page.started.get_untracked();
    for b in buffers().get_untracked() {
        worker_link::send(&ToEngine::ReadFile { user: b.user, path: b.path });
    }
    let Some(started) = started else { return };
    if page.user.with_untracked(String::is_empty)
        && let Some(first) = started.users.first()
    {
        page.user.set(first.clone());
    }
    if buffers().with_untracked(Vec::is_empty) {
        // Drafts of an earlier visit first, so that the site's own file comes to the front.
        let drafts =
            storage::names(&draft_key(page, "")).into_iter().filter(|p| Some(p) != started.open.as_ref());
        for path in drafts.chain(started.open.clone()) {
            open(page, path);
        }
    }
}

/// An editor was called for in the terminal: the file comes to the front and gets the keyboard. One that does not exist
/// begins empty.
pub fn edit(page: Page, path: String) {
    STATE.with_borrow_mut(|s| s.edit = Some(path.clone()));
    page.zone.set(Zone::Write);
    open(page, path);
}

/// Brings a file to the front, reading it first if it is not open.
pub fn open(page: Page, path: String) {
    let user = page.user.get_untracked();
    if buffer(&path).is_none() {
        worker_link::send(&ToEngine::ReadFile { user, path });
    } else {
        current_signal().set(Some(path.clone()));
        show(&path);
        lint_soon();
        focus_called(&path);
    }
}

/// Whoever called for this file in the terminal has the keyboard in it, once CodeMirror is there.
fn focus_called(path: &str) {
    let called = |s: &mut State| s.code.is_some() && s.edit.take_if(|edit| edit == path).is_some();
    if STATE.with_borrow_mut(called) {
        with_editor(JsEditor::focus);
    }
}

fn show(path: &str) {
    let text = buffer(path).map(|b| b.text).unwrap_or_default();
    with_editor(|e| e.show(path, &text));
}

/// A file was read.
pub fn file(page: Page, path: &str, text: Result<String, String>) {
    match (text, buffer(path)) {
        (text, None) => {
            let (text, why) = match text {
                Ok(text) => (Some(text), String::new()),
                Err(why) => (None, why),
            };
            let draft = storage::get(&draft_key(page, path)).filter(|d| Some(d) != text.as_ref());
            let dirty = draft.is_some();
            let fresh = STATE.with_borrow(|s| s.edit.as_deref() == Some(path)).then(String::new);
            let Some(shown) = draft.or_else(|| text.clone()).or(fresh) else {
                return page.tell(|w| w.open_failed, format!("{path}: {why}"), Offer::None);
            };
            let user = page.user.get_untracked();
            let new = Buffer { path: path.to_owned(), user, text: shown, on_disk: text, dirty };
            buffers().update(|all| all.push(new));
            open(page, path.to_owned());
        }
        (Ok(text), Some(b)) if b.on_disk.as_ref() != Some(&text) => {
            // Changed by the shell: shown, unless the person is changing it too.
            with_buffer(path, |b| {
                b.on_disk = Some(text.clone());
                if !b.dirty {
                    b.text.clone_from(&text);
                }
            });
            if !b.dirty {
                with_editor(|e| e.replace(path, &text));
            }
        }
        (Ok(_), Some(_)) => {}
        // In the past a file that is to come is empty.
        (Err(_), Some(b)) if page.clock.with_untracked(|c| c.past) => {
            if !b.dirty {
                file(page, path, Ok(String::new()));
            }
        }
        // A file that is open and was removed stays open; saving brings it back.
        (Err(_), Some(_)) => {
            with_buffer(path, |b| b.dirty = true);
        }
    }
}

/// The shell may have changed files: those that are open are read again.
pub fn reread(page: Page) {
    for b in buffers().get_untracked().into_iter().filter(|b| b.on_disk.is_some()) {
        worker_link::send(&ToEngine::ReadFile { user: b.user, path: b.path });
    }
    files::refresh(page);
}

/// A new file, on disk only once it is saved.
pub fn create(page: Page, name: &str) {
    let name = name.trim();
    if name.is_empty() {
        return;
    }
    let path = if name.starts_with('/') { name.to_owned() } else { format!("{}/{name}", files::home(page)) };
    if buffer(&path).is_none() {
        let known = page
            .listing
            .with_untracked(|l| l.entries.iter().any(|e| path == format!("{}/{}", l.path, e.name)));
        if known {
            return open(page, path);
        }
        let user = page.user.get_untracked();
        let new = Buffer { path: path.clone(), user, text: FRESH.to_owned(), on_disk: None, dirty: true };
        buffers().update(|all| all.push(new));
    }
    open(page, path);
}

/// Brings a text to the front as a file that is not saved yet; in the place of what is open under that name.
pub fn write(page: Page, path: String, text: String) {
    if with_buffer(&path, |b| b.text.clone_from(&text)).is_none() {
        let user = page.user.get_untracked();
        let new = Buffer { path: path.clone(), user, text: text.clone(), on_disk: None, dirty: true };
        buffers().update(|all| all.push(new));
    }
    with_editor(|e| e.replace(&path, &text));
    open(page, path.clone());
    changed(page, &path, text);
}

/// Takes a file from the tabs. Its draft stays.
pub fn close(page: Page, path: &str) {
    buffers().update(|all| all.retain(|b| b.path != path));
    with_editor(|e| e.forget(path));
    if current_signal().get_untracked().as_deref() == Some(path) {
        let next = buffers().with_untracked(|all| all.last().map(|b| b.path.clone()));
        current_signal().set(None);
        match next {
            Some(next) => open(page, next),
            None => with_editor(|e| e.show("", "")),
        }
    }
}

/// The person changed the text.
fn changed(page: Page, path: &str, text: String) {
    let dirty = buffer(path).is_some_and(|b| b.on_disk.as_ref() != Some(&text));
    if dirty {
        if !storage::set(&draft_key(page, path), &text) {
            page.storage_works.set(false);
        }
        terminal::set_typing(true);
    } else {
        storage::remove(&draft_key(page, path));
    }
    with_buffer(path, |b| {
        b.text = text;
        b.dirty = dirty;
    });
    lint_soon();
}

/// Saves the file in front.
pub fn save(page: Page) {
    let path = current_signal().get_untracked();
    if let Some(b) = path.and_then(|p| buffer(&p)) {
        let user = if b.user.is_empty() { page.user.get_untracked() } else { b.user };
        STATE.with_borrow_mut(|s| s.saving.push((b.path.clone(), b.text.clone())));
        worker_link::send(&ToEngine::SaveFile { user, path: b.path, text: b.text });
    }
}

/// Saves the file in front, then types `sbatch` and its name.
pub fn submit(page: Page) {
    STATE.with_borrow_mut(|s| s.submit = current_signal().get_untracked());
    save(page);
}

/// The engine saved a file, or not.
pub fn saved(page: Page, path: &str, error: Option<String>) {
    let (submit, text) = STATE.with_borrow_mut(|s| {
        let text = s.saving.iter().position(|(p, _)| p == path).map(|i| s.saving.remove(i).1);
        (s.submit.take_if(|p| p == path), text)
    });
    if let Some(error) = error {
        page.tell(|w| w.save_failed, format!("{path}: {error}"), Offer::None);
        return;
    }
    // What was typed since is not saved.
    let dirty = with_buffer(path, |b| {
        b.dirty = text.as_ref().is_some_and(|t| *t != b.text);
        b.on_disk = text;
        b.dirty
    });
    if dirty == Some(false) {
        storage::remove(&draft_key(page, path));
    }
    if let Some(path) = submit {
        let home = format!("{}/", files::home(page));
        let name = path.strip_prefix(&home).unwrap_or(&path);
        // The shell may be in another directory.
        let name = if name == path { path.clone() } else { format!("~/{name}") };
        page.zone.set(Zone::Type);
        terminal::type_line(page, &format!("sbatch {}", quoted(&name)));
    }
}

/// For the shell: names with other than plain characters in quotes, a leading `~/` outside of them.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+~=,".contains(c);
    if name.chars().all(plain) {
        return name.to_owned();
    }
    let (tilde, rest) = name.strip_prefix("~/").map_or(("", name), |rest| ("~/", rest));
    format!("{tilde}'{}'", rest.replace('\'', r"'\''"))
}

fn lint_soon() {
    let token = STATE.with_borrow_mut(|s| {
        s.token += 1;
        s.findings.clear();
        s.token
    });
    set_timeout(
        move || {
            let still = STATE.with_borrow(|s| s.token == token);
            let text = current_signal().get_untracked().and_then(|p| buffer(&p)).map(|b| b.text);
            if let (true, Some(text)) = (still, text) {
                worker_link::send(&ToEngine::Lint { text, token });
            }
        },
        LINT_AFTER,
    );
}

/// What is wrong with the script.
pub fn lint(lang: Lang, token: u32, findings: Vec<Finding>) {
    let awaited = STATE.with_borrow_mut(|s| {
        let awaited = s.token == token;
        if awaited {
            s.findings = findings;
        }
        awaited && s.code.is_some()
    });
    if awaited {
        push_findings(lang);
    }
}

/// Not before CodeMirror is there, and so the page's later half.
#[inline(never)] // Where the page is cut in two (xtask).
fn push_findings(lang: Lang) {
    let list: Array = STATE.with_borrow(|s| s.findings.iter().map(|f| finding_array(lang, f)).collect());
    with_editor(|e| e.set_findings(&list));
}

fn finding_array(lang: Lang, f: &Finding) -> Array {
    let said = lang.slip(&f.slip);
    let list = Array::of5(&f.line.into(), &f.from.into(), &f.to.into(), &f.error.into(), &said.into());
    if let Some(better) = &f.suggestion {
        list.push(&better.as_str().into());
    }
    list
}

/// The options for completion.
pub fn options(list: Vec<OptionHelp>) {
    let seen = STATE.with_borrow_mut(|s| {
        s.options = list;
        s.code.is_some()
    });
    if seen {
        push_options();
    }
}

/// Not before CodeMirror is there, and so the page's later half.
#[inline(never)] // Where the page is cut in two (xtask).
fn push_options() {
    let list: Array = STATE.with_borrow(|s| s.options.iter().map(option_object).collect());
    with_editor(|e| e.set_options(&list));
}

fn option_object(option: &OptionHelp) -> Object {
    let object = Object::new();
    let set = |name: &str, value: JsValue| {
        // Setting a property of a fresh object cannot fail.
        let _ = Reflect::set(&object, &name.into(), &value);
    };
    set("name", option.name.as_str().into());
    set("short", option.short.as_deref().map_or(JsValue::UNDEFINED, JsValue::from));
    set("argument", option.argument.as_deref().map_or(JsValue::UNDEFINED, JsValue::from));
    set("help", option.help.as_str().into());
    set("values", option.values.iter().map(|v| JsValue::from(v.as_str())).collect::<Array>().into());
    object
}
