//! The open files, their drafts, and CodeMirror.

use crate::i18n::Lang;
use crate::js::{self, EditorModule, JsEditor};
use crate::notices::NoticeOffer;
use crate::page::Page;
use crate::workspace::Zone;
use crate::{command, files, storage, terminal, worker_link};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::{BatchOption, LintFinding, ToEngine};
use std::cell::RefCell;
use std::time::Duration;
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

/// Time without a change after which the engine checks the script.
const LINT_AFTER: Duration = Duration::from_millis(350);
/// The text of a new script.
const FRESH: &str = "#!/bin/bash\n#SBATCH --job-name=test\n#SBATCH --output=%x_%j.out\n#SBATCH --time=00:10:00\n\necho \"Hello from $(hostname)\"\n";

/// An open file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditorBuffer {
    pub path: String,
    /// The user whose permissions apply.
    pub user: String,
    /// The text in the editor.
    pub text: String,
    /// The text on the simulated disk.
    pub on_disk: Option<String>,
    pub dirty: bool,
}

struct CodeMirror {
    editor: JsEditor,
    _on_change: Closure<dyn FnMut(String, String)>,
    _on_save: Closure<dyn FnMut()>,
}

#[derive(Default)]
struct EditorState {
    code: Option<CodeMirror>,
    options: Vec<BatchOption>,
    /// What the engine found in the front script.
    findings: Vec<LintFinding>,
    token: u32,
    /// The file to submit once it is saved.
    submit: Option<String>,
    /// The file that an editor command in the terminal named. It gets the focus once it is loaded.
    edit: Option<String>,
    /// Files that are being saved, with their texts.
    saving: Vec<(String, String)>,
}

/// Signals without an owner, so that they live as long as the page.
struct Signals {
    buffers: ArcRwSignal<Vec<EditorBuffer>>,
    current: ArcRwSignal<Option<String>>,
}

thread_local! {
    static STATE: RefCell<EditorState> = RefCell::new(EditorState::default());
    static SIGNALS: Signals =
        Signals { buffers: ArcRwSignal::new(Vec::new()), current: ArcRwSignal::new(None) };
}

/// The open files.
pub fn buffers() -> ArcRwSignal<Vec<EditorBuffer>> {
    SIGNALS.with(|s| s.buffers.clone())
}

fn current_signal() -> ArcRwSignal<Option<String>> {
    SIGNALS.with(|s| s.current.clone())
}

/// The path of the front file.
pub fn current(_page: Page) -> Option<String> {
    current_signal().get()
}

fn draft_key(page: Page, path: &str) -> String {
    format!("draft:{}:{path}", page.site.get_untracked())
}

/// Loads CodeMirror into an element.
pub fn mount(page: Page, host: HtmlElement) {
    spawn_local(async move {
        let module: EditorModule = match js::load_bundle("editor").await {
            Ok(module) => module.unchecked_into(),
            Err(error) => {
                page.tell(|w| w.open_failed, js::words_of(&error), NoticeOffer::None);
                return;
            }
        };
        let on_change = Closure::new(move |path: String, text: String| changed(page, &path, text));
        let on_save = Closure::new(move || save(page));
        let Ok(editor) = module.open_editor(&host, &on_change, &on_save) else { return };
        STATE.with_borrow_mut(|s| {
            s.code = Some(CodeMirror { editor, _on_change: on_change, _on_save: on_save });
        });
        push_options();
        let front = current_signal().get_untracked();
        front.iter().for_each(|path| show(path));
        untrack(|| speak(page));
        front.iter().for_each(|path| focus_called(path));
    });
}

/// Sets CodeMirror's own texts to the current language. Reads signals.
pub fn speak(page: Page) {
    let (words, lang) = (page.t(), page.prefs.lang.get());
    let said = [words.editor, words.editor_replace, words.editor_insert, lang.code()];
    with_editor(|e| e.words(&said.iter().map(|word| JsValue::from(*word)).collect()));
    push_findings(lang);
}

/// CodeMirror calls back synchronously when its text changes, so nothing may be borrowed meanwhile.
fn with_editor(f: impl FnOnce(&JsEditor)) {
    if let Some(editor) = STATE.with_borrow(|s| s.code.as_ref().map(|code| code.editor.clone())) {
        f(&editor);
    }
}

fn with_buffer<T>(path: &str, f: impl FnOnce(&mut EditorBuffer) -> T) -> Option<T> {
    let mut result = None;
    buffers().update(|all| result = all.iter_mut().find(|b| b.path == path).map(f));
    result
}

fn buffer(path: &str) -> Option<EditorBuffer> {
    buffers().with_untracked(|all| all.iter().find(|b| b.path == path).cloned())
}

/// A session started: opens its file, and reads the open files again.
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
        // Drafts of an earlier visit come first, so that the site's own file ends up in front.
        let drafts =
            storage::names(&draft_key(page, "")).into_iter().filter(|p| Some(p) != started.open.as_ref());
        // A participant's home directory is not there before the class's first entries are.
        let own = started.open.clone().filter(|_| page.class.joined.with_untracked(Option::is_none));
        for path in drafts.chain(own) {
            open(page, path);
        }
    }
}

/// Opens the file that an editor command in the terminal named, and focuses it. A file that does not exist starts empty.
pub fn edit(page: Page, path: String) {
    STATE.with_borrow_mut(|s| s.edit = Some(path.clone()));
    page.workspace.zone.set(Zone::Editor);
    open(page, path);
}

/// Brings a file to the front, and reads it first if it is not open.
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

/// Focuses a file that an editor command in the terminal named, once CodeMirror is loaded.
fn focus_called(path: &str) {
    let called = |s: &mut EditorState| s.code.is_some() && s.edit.take_if(|edit| edit == path).is_some();
    if STATE.with_borrow_mut(called) {
        with_editor(JsEditor::focus);
    }
}

fn show(path: &str) {
    let text = buffer(path).map(|b| b.text).unwrap_or_default();
    with_editor(|e| e.show(path, &text));
}

/// The engine has read a file.
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
                return page.tell(|w| w.open_failed, format!("{path}: {why}"), NoticeOffer::None);
            };
            let user = page.user.get_untracked();
            let new = EditorBuffer { path: path.to_owned(), user, text: shown, on_disk: text, dirty };
            buffers().update(|all| all.push(new));
            open(page, path.to_owned());
        }
        (Ok(text), Some(b)) if b.on_disk.as_ref() != Some(&text) => {
            // The shell changed it: show that, unless there are unsaved changes.
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
        // In the past, a file that did not exist yet is empty.
        (Err(_), Some(b)) if page.clock.with_untracked(|c| c.past) => {
            if !b.dirty {
                file(page, path, Ok(String::new()));
            }
        }
        // A removed file stays open. Saving restores it.
        (Err(_), Some(_)) => {
            with_buffer(path, |b| b.dirty = true);
        }
    }
}

/// Reads the open files again, because the shell may have changed them.
pub fn reread(page: Page) {
    for b in buffers().get_untracked().into_iter().filter(|b| b.on_disk.is_some()) {
        worker_link::send(&ToEngine::ReadFile { user: b.user, path: b.path });
    }
    files::refresh(page);
}

/// Opens a new file, which exists on disk only once it is saved.
pub fn create(page: Page, name: &str) {
    let name = name.trim();
    if name.is_empty() {
        return;
    }
    let path = if name.starts_with('/') { name.to_owned() } else { format!("{}/{name}", files::home(page)) };
    if buffer(&path).is_none() {
        let known = page
            .directory
            .with_untracked(|l| l.entries.iter().any(|e| path == format!("{}/{}", l.path, e.name)));
        if known {
            return open(page, path);
        }
        let user = page.user.get_untracked();
        let new =
            EditorBuffer { path: path.clone(), user, text: FRESH.to_owned(), on_disk: None, dirty: true };
        buffers().update(|all| all.push(new));
    }
    open(page, path);
}

/// Opens a text as an unsaved file, replacing an open file of that path.
pub fn write(page: Page, path: String, text: String) {
    if with_buffer(&path, |b| b.text.clone_from(&text)).is_none() {
        let user = page.user.get_untracked();
        let new = EditorBuffer { path: path.clone(), user, text: text.clone(), on_disk: None, dirty: true };
        buffers().update(|all| all.push(new));
    }
    with_editor(|e| e.replace(&path, &text));
    open(page, path.clone());
    changed(page, &path, text);
}

/// Closes a tab. The file's draft stays.
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

/// The user has changed the text.
fn changed(page: Page, path: &str, text: String) {
    let dirty = buffer(path).is_some_and(|b| b.on_disk.as_ref() != Some(&text));
    if dirty {
        if !storage::set(&draft_key(page, path), &text) {
            page.notices.storage_works.set(false);
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

/// Saves the front file.
pub fn save(page: Page) {
    let path = current_signal().get_untracked();
    if let Some(b) = path.and_then(|p| buffer(&p)) {
        let user = if b.user.is_empty() { page.user.get_untracked() } else { b.user };
        STATE.with_borrow_mut(|s| s.saving.push((b.path.clone(), b.text.clone())));
        worker_link::send(&ToEngine::SaveFile { user, path: b.path, text: b.text });
    }
}

/// Saves the front file, then types `sbatch` and its name.
pub fn submit(page: Page) {
    STATE.with_borrow_mut(|s| s.submit = current_signal().get_untracked());
    save(page);
}

/// The engine has saved a file, or failed to.
pub fn saved(page: Page, path: &str, error: Option<String>) {
    let (submit, text) = STATE.with_borrow_mut(|s| {
        let text = s.saving.iter().position(|(p, _)| p == path).map(|i| s.saving.remove(i).1);
        (s.submit.take_if(|p| p == path), text)
    });
    if let Some(error) = error {
        page.tell(|w| w.save_failed, format!("{path}: {error}"), NoticeOffer::None);
        return;
    }
    // Changes made since are not saved.
    let dirty = with_buffer(path, |b| {
        b.dirty = text.as_ref().is_some_and(|t| *t != b.text);
        b.on_disk = text;
        b.dirty
    });
    if dirty == Some(false) {
        storage::remove(&draft_key(page, path));
    }
    if let Some(path) = submit {
        // Another user may not even read the file.
        let owner = buffer(&path).map(|b| b.user).filter(|user| !user.is_empty());
        let owner = owner.unwrap_or_else(|| page.user.get_untracked());
        let home = format!("{}/", files::home_of(&owner));
        let name = path.strip_prefix(&home).unwrap_or(&path);
        // The shell may be in another directory.
        let name = if name == path { path.clone() } else { format!("~/{name}") };
        page.workspace.zone.set(Zone::Terminal);
        command::type_as(page, &owner, &format!("sbatch {}", quoted(&name)));
    }
}

/// Quotes a path for the shell if it has special characters, without a leading `~/`.
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

/// Takes what the engine found in the script.
pub fn lint(lang: Lang, token: u32, findings: Vec<LintFinding>) {
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

/// Needs CodeMirror, and therefore the deferred module.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
fn push_findings(lang: Lang) {
    let list: Vec<_> =
        STATE.with_borrow(|s| s.findings.iter().map(|f| (lang.lint(&f.message), f.clone())).collect());
    let list: Vec<_> =
        list.iter().map(|(said, f)| (f.line, f.from, f.to, f.error, said, &f.suggestion)).collect();
    if let Ok(list) = serde_wasm_bindgen::to_value(&list) {
        with_editor(|e| e.set_findings(&list));
    }
}

/// Takes the options that completion offers.
pub fn options(list: Vec<BatchOption>) {
    let seen = STATE.with_borrow_mut(|s| {
        s.options = list;
        s.code.is_some()
    });
    if seen {
        push_options();
    }
}

/// Needs CodeMirror, and therefore the deferred module.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
fn push_options() {
    if let Ok(list) = STATE.with_borrow(|s| serde_wasm_bindgen::to_value(&s.options)) {
        with_editor(|e| e.set_options(&list));
    }
}
