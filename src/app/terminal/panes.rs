//! The open terminals: their line editors and their xterm.js, outside of the signals.

use crate::js::{self, JsTerminal, TerminalModule};
use crate::notices::NoticeOffer;
use crate::page::Page;
use crate::terminal_state::OpenTerminal;
use crate::workspace::Zone;
use crate::{storage, worker_link};
use base::line_editor::{Effect, LineEditor, with_control};
use base::width::char_width;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::ToEngine;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;
use view::queue::submitted;
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

/// How long the rest of a paste waits for a prompt before the running program gets it.
const PASTE_TIMEOUT: Duration = Duration::from_millis(700);
/// How often a button that types a command looks for the prompt, and the time between two looks.
const PROMPT_LOOKS: u32 = 20;
const PROMPT_LOOK: Duration = Duration::from_millis(100);
/// Milliseconds without a key after which typing counts as finished; longer with an unfinished line.
const IDLE: f64 = 1_500.0;
const IDLE_IN_LINE: f64 = 8_000.0;

#[derive(Default)]
struct Pane {
    editor: LineEditor,
    user: String,
    js: Option<Handle>,
    /// Output from before xterm.js was loaded.
    early: String,
    /// Incomplete UTF-8 at the end of the last output.
    rest: Vec<u8>,
    /// The completion request that is awaited.
    token: u32,
    /// Columns and rows.
    size: (u16, u16),
    /// Whether the next output is a repetition of earlier output.
    again: bool,
}

struct Handle {
    terminal: JsTerminal,
    _on_data: Closure<dyn FnMut(String)>,
    _on_size: Closure<dyn FnMut(u16, u16)>,
    _width: Closure<dyn FnMut(u32) -> u16>,
}

#[derive(Default)]
struct Panes {
    all: BTreeMap<u32, Pane>,
    tokens: u32,
    typing: bool,
    last_key: f64,
}

thread_local! {
    static PANES: RefCell<Panes> = RefCell::new(Panes::default());
}

fn with_pane<T>(tty: u32, f: impl FnOnce(&mut Pane) -> T) -> Option<T> {
    PANES.with_borrow_mut(|panes| panes.all.get_mut(&tty).map(f))
}

/// Loads xterm.js into an element.
pub fn open(page: Page, tty: u32, host: HtmlElement) {
    spawn_local(async move {
        let module: TerminalModule = match js::load_bundle("terminal").await {
            Ok(module) => module.unchecked_into(),
            Err(error) => {
                page.tell(|w| w.engine_stopped, js::words_of(&error), NoticeOffer::None);
                return;
            }
        };
        // The size is known before xterm.js is loaded.
        PANES.with_borrow_mut(|panes| {
            panes.all.entry(tty).or_default();
        });
        let on_data = Closure::new(move |data: String| typed(page, tty, &data));
        let on_size = Closure::new(move |columns, rows| {
            // Sizes arrive while the pane is being set up.
            leptos::prelude::queue_microtask(move || resized(tty, columns, rows));
        });
        let width = Closure::new(|code| char::from_u32(code).map_or(0, char_width));
        let Ok(terminal) = module.open_terminal(&host, &on_data, &on_size, &width).await else { return };
        let terminal: JsTerminal = terminal.unchecked_into();
        let words = page.prefs.lang.get_untracked().words();
        terminal.label(words.terminal, words.too_much_output);
        terminal.screen_reader(page.prefs.screen_reader.get_untracked());
        let user = page.terminals.open.with_untracked(|all| {
            all.iter().find(|t| t.tty == tty).map_or_else(String::new, |t| t.user.clone())
        });
        let history = storage::get(&history_key(page, &user)).unwrap_or_default();
        PANES.with_borrow_mut(|panes| {
            let pane = panes.all.entry(tty).or_default();
            let mut editor =
                LineEditor::new(pane.size.0.max(2), history.lines().map(str::to_owned).collect());
            editor.single_keys(pane.editor.takes_single_keys());
            terminal.write(&editor.output(&std::mem::take(&mut pane.early), pane.editor.prompt()));
            std::mem::swap(&mut pane.editor, &mut editor);
            pane.user = user;
            pane.js = Some(Handle { terminal, _on_data: on_data, _on_size: on_size, _width: width });
        });
        if page.workspace.zone.get_untracked() == Zone::Terminal && untrack(|| page.tty()) == Some(tty) {
            focus(tty);
        }
        js::expose_terminal(move || front_text(page));
        refresh(page);
    });
}

fn history_key(page: Page, user: &str) -> String {
    format!("history:{}:{user}", page.site.get_untracked())
}

/// The front terminal's text.
pub fn front_text(page: Page) -> String {
    let tty = untrack(|| page.tty()).unwrap_or(u32::MAX);
    with_pane(tty, |p| p.js.as_ref().map(|h| h.terminal.text())).flatten().unwrap_or_default()
}

/// Updates whether the front terminal is at a prompt.
pub fn refresh(page: Page) {
    let tty = untrack(|| page.tty()).unwrap_or(u32::MAX);
    let at_prompt = with_pane(tty, |p| p.js.is_some() && p.editor.at_prompt()).unwrap_or(false);
    if page.terminals.prompted.get_untracked() != at_prompt {
        page.terminals.prompted.set(at_prompt);
    }
}

/// Focuses a terminal.
pub fn focus(tty: u32) {
    PANES.with_borrow(|panes| {
        if let Some(handle) = panes.all.get(&tty).and_then(|p| p.js.as_ref()) {
            handle.terminal.focus();
        }
    });
}

/// Applies colours, language and screen reader mode to all terminals.
pub fn set_themes(page: Page) {
    let (reader, words) = (page.prefs.screen_reader.get_untracked(), page.prefs.lang.get_untracked().words());
    PANES.with_borrow(|panes| {
        for handle in panes.all.values().filter_map(|p| p.js.as_ref()) {
            handle.terminal.theme();
            handle.terminal.label(words.terminal, words.too_much_output);
            handle.terminal.screen_reader(reader);
        }
    });
}

/// Takes output, and the prompt if the shell waits for a line.
pub fn output(page: Page, tty: u32, bytes: &[u8], prompt: Option<String>) {
    let prompted = prompt.is_some();
    let again = with_pane(tty, |p| {
        let again = p.again;
        p.again &= !prompted;
        again
    });
    let again = again.unwrap_or(false);
    if let Some(job) = submitted(bytes).filter(|_| !again) {
        page.terminals.last_job.set(Some(job));
    }
    let effects = PANES.with_borrow_mut(|panes| {
        let pane = panes.all.entry(tty).or_default();
        let text = pane.decode(bytes);
        if let Some(handle) = pane.js.as_ref().filter(|_| !again) {
            handle.terminal.printed(&text);
            // A prompt announces that a command has finished.
            handle.terminal.printed(prompt.as_deref().unwrap_or_default());
        }
        if pane.js.is_none() {
            pane.early.push_str(&text);
            pane.editor.output("", prompt);
            return Vec::new();
        }
        let out = pane.editor.output(&text, prompt);
        let mut effects = vec![Effect::Write(out)];
        effects.extend(pane.editor.go_on());
        effects
    });
    carry_out(page, tty, effects);
    if prompted {
        page.terminals.prompts.update(|n| *n += 1);
    }
}

impl Pane {
    /// Clears the screen. The line editor keeps its history and the unfinished line.
    fn clear(&mut self) {
        let history = self.editor.history().to_vec();
        self.editor = LineEditor::new(self.size.0.max(2), history).with_line(self.editor.text());
        self.rest.clear();
        self.early.clear();
        self.again = true;
        if let Some(handle) = &self.js {
            // RIS: resets the terminal.
            handle.terminal.write("\u{1b}c");
        }
    }

    /// Decodes bytes. A character cut in two waits for its rest.
    fn decode(&mut self, bytes: &[u8]) -> String {
        self.rest.extend_from_slice(bytes);
        let cut = match std::str::from_utf8(&self.rest) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Ok(_) | Err(_) => self.rest.len(),
        };
        let tail = self.rest.split_off(cut);
        String::from_utf8_lossy(&std::mem::replace(&mut self.rest, tail)).into_owned()
    }
}

/// A key of the bar below the terminal.
pub fn press(page: Page, data: &str) {
    if let Some(tty) = untrack(|| page.tty()) {
        typed(page, tty, data);
    }
}

/// The user typed or pasted.
fn typed(page: Page, tty: u32, data: &str) {
    let control = page.terminals.control.get_untracked().then(|| {
        page.terminals.control.set(false);
        with_control(data)
    });
    let data = control.as_deref().unwrap_or(data);
    let effects = with_pane(tty, |p| p.editor.keys(data)).unwrap_or_default();
    carry_out(page, tty, effects);
    set_typing(true);
    let waits = with_pane(tty, |p| p.editor.is_waiting()).unwrap_or(false);
    if waits {
        let prompts = page.terminals.prompts.get_untracked();
        set_timeout(move || give_up_waiting(page, tty, prompts), PASTE_TIMEOUT);
    }
}

/// A paste has waited since `prompts` were counted. If no prompt came since, the running program gets the rest.
fn give_up_waiting(page: Page, tty: u32, prompts: u32) {
    if page.terminals.prompts.get_untracked() == prompts {
        let effects =
            with_pane(tty, |p| if p.editor.at_prompt() { Vec::new() } else { p.editor.give_up_waiting() });
        carry_out(page, tty, effects.unwrap_or_default());
    } else if with_pane(tty, |p| p.editor.is_waiting()).unwrap_or(false) {
        let prompts = page.terminals.prompts.get_untracked();
        set_timeout(move || give_up_waiting(page, tty, prompts), PASTE_TIMEOUT);
    }
}

/// Types a command in the front terminal once it has a prompt. If it does not get one soon, a program is running that would
/// take the command as its input: a notice says that the terminal is busy.
pub fn type_line(page: Page, line: &str) {
    if let Some(tty) = untrack(|| page.tty()) {
        type_at_prompt(page, tty, line.to_owned(), PROMPT_LOOKS);
    }
}

fn type_at_prompt(page: Page, tty: u32, line: String, looks: u32) {
    let free = with_pane(tty, |p| p.editor.at_prompt() && !p.editor.is_waiting());
    match free {
        Some(true) => {
            let effects = with_pane(tty, |p| p.editor.type_line(&line)).unwrap_or_default();
            carry_out(page, tty, effects);
        }
        Some(false) if looks > 0 => {
            set_timeout(move || type_at_prompt(page, tty, line, looks - 1), PROMPT_LOOK);
        }
        Some(false) => page.tell(|w| w.busy_terminal, line, NoticeOffer::None),
        None => {}
    }
}

fn carry_out(page: Page, tty: u32, effects: Vec<Effect>) {
    for effect in effects {
        match effect {
            Effect::Write(text) => {
                with_pane(tty, |p| {
                    if let Some(handle) = &p.js {
                        handle.terminal.write(&text);
                    }
                });
            }
            Effect::Send(bytes) => {
                with_pane(tty, |p| p.again = false);
                if page.terminals.refused.get_untracked().is_some() {
                    page.terminals.refused.set(None);
                }
                worker_link::send(&ToEngine::Type { tty, bytes });
                keep_history(page, tty);
            }
            Effect::Complete { line, cursor } => {
                let token = PANES.with_borrow_mut(|panes| {
                    panes.tokens += 1;
                    panes.tokens
                });
                with_pane(tty, |p| p.token = token);
                let cursor = u32::try_from(cursor).unwrap_or(u32::MAX);
                worker_link::send(&ToEngine::Complete { tty, line, cursor, token });
            }
        }
    }
    with_pane(tty, |p| {
        if let Some(handle) = &p.js {
            let (before, after) = p.editor.halves();
            handle.terminal.line(before, after);
        }
    });
    refresh(page);
}

fn keep_history(page: Page, tty: u32) {
    let kept = with_pane(tty, |p| {
        let lines = p.editor.history();
        (p.user.clone(), lines[lines.len().saturating_sub(200)..].join("\n"))
    });
    if let Some((user, lines)) = kept {
        // Failures are reported when the session is stored.
        let _ = storage::set(&history_key(page, &user), &lines);
    }
}

/// A program switches between single keys and lines. After a reload, that is known before the pane is drawn.
pub fn single_keys(tty: u32, single: bool) {
    PANES.with_borrow_mut(|panes| panes.all.entry(tty).or_default().editor.single_keys(single));
}

/// Takes the candidates of a completion.
pub fn completions(page: Page, token: u32, start: usize, words: &[String]) {
    let asked =
        PANES.with_borrow(|panes| panes.all.iter().find(|(_, p)| p.token == token).map(|(tty, _)| *tty));
    if let Some(tty) = asked {
        let effects = with_pane(tty, |p| p.editor.complete(start, words)).unwrap_or_default();
        carry_out(page, tty, effects);
    }
}

/// A shell has ended. If it was in front, another terminal takes its place: the user's, someone else's, or a new one.
pub fn closed(page: Page, tty: u32) {
    let front = untrack(|| page.tty()) == Some(tty);
    remove(tty);
    page.terminals.open.update(|all| all.retain(|t| t.tty != tty));
    if front && untrack(|| page.tty()).is_none() && !page.clock.with_untracked(|c| c.past) {
        match page.terminals.open.with_untracked(|all| all.last().map(|t| t.tty)) {
            Some(other) => super::show(page, other),
            None => worker_link::send(&ToEngine::Login(page.user.get_untracked())),
        }
    }
    refresh(page);
}

/// Another moment is shown: clears the terminals that are open in it, and removes the others.
pub fn other_moment(page: Page, open: &[OpenTerminal]) {
    let gone: Vec<u32> = PANES.with_borrow(|panes| {
        let stays = |tty: &u32, pane: &Pane| {
            open.iter().any(|t| t.tty == *tty && (t.user == pane.user || pane.js.is_none()))
        };
        panes.all.iter().filter(|(tty, pane)| !stays(tty, pane)).map(|(tty, _)| *tty).collect()
    });
    gone.into_iter().for_each(remove);
    PANES.with_borrow_mut(|panes| panes.all.values_mut().for_each(Pane::clear));
    refresh(page);
}

/// Tells the engine the sizes of the terminals.
pub fn send_sizes() {
    let sizes: Vec<(u32, (u16, u16))> =
        PANES.with_borrow(|panes| panes.all.iter().map(|(tty, pane)| (*tty, pane.size)).collect());
    for (tty, (columns, rows)) in sizes.into_iter().filter(|(_, size)| size.0 > 0) {
        worker_link::send(&ToEngine::Resize { tty, columns, rows });
    }
}

/// Removes all terminals: a new engine has its own.
pub fn forget_all(page: Page) {
    let all: Vec<u32> = PANES.with_borrow(|panes| panes.all.keys().copied().collect());
    all.into_iter().for_each(remove);
    page.terminals.open.set(Vec::new());
    refresh(page);
}

fn remove(tty: u32) {
    let pane = PANES.with_borrow_mut(|panes| panes.all.remove(&tty));
    if let Some(handle) = pane.and_then(|p| p.js) {
        handle.terminal.dispose();
    }
}

fn resized(tty: u32, columns: u16, rows: u16) {
    with_pane(tty, |p| {
        p.editor.resize(columns);
        p.size = (columns, rows);
    });
    worker_link::send(&ToEngine::Resize { tty, columns, rows });
}

/// Tells the engine whether someone is typing, here or in the editor.
pub fn set_typing(now_typing: bool) {
    let added = PANES.with_borrow_mut(|panes| {
        if now_typing {
            panes.last_key = worker_link::now();
        }
        std::mem::replace(&mut panes.typing, now_typing) != now_typing
    });
    if added {
        worker_link::send(&ToEngine::Typing(now_typing));
    }
}

/// Checks whether typing has stopped. Called once per animation frame.
pub fn typing_stops(page: Page) {
    let tty = untrack(|| page.tty()).unwrap_or(u32::MAX);
    let unfinished = with_pane(tty, |p| !p.editor.text().is_empty()).unwrap_or(false);
    let patience = if unfinished { IDLE_IN_LINE } else { IDLE };
    let (typing, last) = PANES.with_borrow(|panes| (panes.typing, panes.last_key));
    if typing && worker_link::now() - last > patience {
        set_typing(false);
    }
}
