//! nano(1), pico(1): the editor that shows its keys. It edits in the terminal, and its file belongs to the user who runs it.
//!
//! It follows GNU nano 7.2 with its default keys: moving, cutting and pasting, the mark, search and replace, undo, reading and
//! writing. What is missing says so: justifying, the spell checker, commands, several buffers, macros. Of `~/.nanorc`, the
//! `set` lines of the options below count.
//!
//! A file that the page's panel saves ends an editor of it that has no changes.

mod draw;
mod edit;
mod files;
mod find;
mod keys;
mod prompt;
#[cfg(test)]
mod tests;

use crate::edit::{EditorTerminal, EditorText, Place};
use crate::{Cx, UnixMachine};
use base::time::Time;
use host::{SliceEnd, Status};
use prompt::NanoPrompt;
use serde::{Deserialize, Serialize};

/// The options.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct NanoOptions {
    numbers: bool,
    auto_indent: bool,
    spaces: bool,
    view: bool,
    help: bool,
    tab_size: u32,
}

/// What the last key did. Typing in one place is undone at once, and lines that are cut one after the other are pasted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum LastKey {
    Other,
    Typed(Place),
    Cut,
    Copied,
}

/// The editor.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Nano {
    terminal: EditorTerminal,
    /// The text with the empty line after the last newline.
    text: EditorText,
    name: String,
    /// Why the file is not shown, so that it is never overwritten.
    hidden: Option<String>,
    cursor: Place,
    wanted: Option<u32>,
    top: u32,
    mark: Option<Place>,
    cut: String,
    last: LastKey,
    prompt: Option<NanoPrompt>,
    search: String,
    replacement: String,
    case_sensitive: bool,
    regex: bool,
    /// ^T was typed.
    executes: bool,
    /// The first line of the help text, while that is shown.
    help: Option<u32>,
    status: String,
    options: NanoOptions,
    rows: u32,
    now: Time,
    over: Option<u8>,
}

/// Starts nano(1).
pub fn start(cx: &mut Cx) -> UnixMachine {
    let mut options = NanoOptions {
        numbers: false,
        auto_indent: false,
        spaces: false,
        view: false,
        help: true,
        tab_size: 8,
    };
    read_settings(cx, &mut options);
    let (mut file, mut place) = (None, None);
    let args = cx.args().to_vec();
    let mut words = args.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-V" | "--version" => {
                cx.line(" GNU nano, version 7.2 (a model of sandbatch)");
                return UnixMachine::End(0);
            }
            "-l" | "--linenumbers" => options.numbers = true,
            "-i" | "--autoindent" => options.auto_indent = true,
            "-E" | "--tabstospaces" => options.spaces = true,
            "-v" | "--view" => options.view = true,
            "-x" | "--nohelp" => options.help = false,
            "-T" => options.tab_size = words.next().and_then(|n| n.parse().ok()).unwrap_or(8).clamp(1, 64),
            "-r" | "-o" | "-s" | "-Y" | "-C" | "-J" => drop(words.next()),
            plus if plus.starts_with('+') => {
                let (line, column) = plus
                    .get(1..)
                    .unwrap_or_default()
                    .split_once(',')
                    .unwrap_or((plus.get(1..).unwrap_or_default(), "1"));
                place = Some((line.parse().unwrap_or(1_usize), column.parse().unwrap_or(1_usize)));
            }
            // The other options change what is not simulated.
            option if option.starts_with('-') && option.len() > 1 => {}
            name => file = file.or(Some(name.to_owned())),
        }
    }
    let Some(terminal) = EditorTerminal::take(cx) else {
        cx.complain("Standard input is not a terminal");
        return UnixMachine::End(1);
    };
    let mut nano = Nano {
        terminal,
        text: EditorText::new(Vec::new()),
        name: String::new(),
        hidden: None,
        cursor: Place::default(),
        wanted: None,
        top: 0,
        mark: None,
        cut: String::new(),
        last: LastKey::Other,
        prompt: None,
        search: String::new(),
        replacement: String::new(),
        case_sensitive: false,
        regex: false,
        executes: false,
        help: None,
        status: String::new(),
        options,
        rows: 20,
        now: cx.now,
        over: None,
    };
    nano.open(cx, file.as_deref().unwrap_or_default());
    if let Some((line, column)) = place {
        nano.go_to(line, column);
    }
    UnixMachine::Nano(Box::new(nano))
}

/// The options of `~/.nanorc`.
fn read_settings(cx: &mut Cx, options: &mut NanoOptions) {
    let home = cx.env.get("HOME").cloned().unwrap_or_default();
    let Ok(data) = cx.read_file(&format!("{home}/.nanorc")) else { return };
    for line in String::from_utf8_lossy(&data).lines() {
        match line.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["set", "linenumbers"] => options.numbers = true,
            ["set", "autoindent"] => options.auto_indent = true,
            ["set", "tabstospaces"] => options.spaces = true,
            ["set", "nohelp"] => options.help = false,
            ["set", "tabsize", size] => options.tab_size = size.parse().unwrap_or(8).clamp(1, 64),
            _ => {}
        }
    }
}

impl Nano {
    /// Bytes of memory that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.text.memory() + self.cut.len() + self.terminal.memory()
    }

    /// Runs a slice: all keys that were typed, then a picture.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        self.now = cx.now;
        if self.terminal.is_in_background(cx) {
            return SliceEnd::Again;
        }
        self.measure(cx);
        if !self.terminal.read(cx) {
            return SliceEnd::Exit(Status::Exited(1));
        }
        if cx.kernel.is_saved(cx.pid) {
            if !self.text.is_modified() {
                self.over = Some(0);
            }
            self.register_file(cx);
            self.tell("File on disk has changed");
        }
        while self.over.is_none()
            && let Some(key) = self.terminal.next_key(true)
        {
            if self.typed(cx, key) {
                self.terminal.suspend(cx);
                return SliceEnd::Again;
            }
        }
        if let Some(code) = self.over {
            self.terminal.leave(cx);
            return SliceEnd::Exit(Status::Exited(code));
        }
        let picture = self.picture(cx);
        self.terminal.draw(cx, picture);
        SliceEnd::Wait(self.terminal.wait())
    }

    fn tell(&mut self, text: &str) {
        text.clone_into(&mut self.status);
    }

    const fn tab(&self) -> usize {
        self.options.tab_size as usize
    }

    fn go(&mut self, place: Place) {
        let row = place.row().min(self.text.last());
        self.cursor = Place::new(row, place.col().min(self.text.length(row)));
        self.wanted = None;
    }

    /// Goes to a line and column, which count from 1.
    fn go_to(&mut self, line: usize, column: usize) {
        self.go(Place::new(line.max(1) - 1, column.max(1) - 1));
    }
}
