//! vi(1), vim(1), view(1): the modal editor. It edits in the terminal, and its file belongs to the user who runs it.
//!
//! It follows vim 9 with `:set nocompatible`: the motions, operators, text objects, visual mode, registers, marks, undo, `.`,
//! and the everyday part of the command line. What is missing says so: macros, windows, blockwise selection, completion,
//! `:!`, scripts. Of `~/.vimrc`, the `set` lines count. There is no swap file.
//!
//! A file that the page's panel saves ends an editor of it that has no changes.

mod command_line;
mod draw;
mod ex;
mod files;
mod input;
mod insert;
mod lines;
mod motion;
mod normal;
mod objects;
mod operator;
mod options;
mod parse;
mod pattern;
mod put;
mod range;
mod substitute;
#[cfg(test)]
pub(crate) mod tests;
mod visual;
mod words;

use crate::edit::{EditorKey, EditorTerminal, EditorText, Place};
use crate::{Cx, UnixMachine};
use base::time::Time;
use host::{SliceEnd, Status};
use insert::Insertion;
use options::ViOptions;
use pattern::ViSearch;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// Keys that one key may replay (`.` with a count), so that repeating ends.
const MAX_REPLAY: usize = 100_000;
/// Maximum count of a command.
const MAX_COUNT: usize = 100_000;

/// What keys do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum ViMode {
    Normal,
    Insert(Box<Insertion>),
    /// From the anchor to the cursor; whole lines if set.
    Visual {
        anchor: Place,
        lines: bool,
    },
}

/// Text that was deleted or yanked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Register {
    text: String,
    lines: bool,
}

/// The editor.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Vi {
    terminal: EditorTerminal,
    text: EditorText,
    /// The file's name as typed, and the other arguments.
    name: Option<String>,
    files: Vec<String>,
    file: u32,
    /// Written files have no newline at the end.
    is_cut: bool,
    /// There was no file when it was read.
    is_new: bool,
    /// Why the file is not shown, so that it is never overwritten.
    hidden: Option<String>,
    cursor: Place,
    /// The column that vertical motions keep; `u32::MAX` after `$`.
    wanted: Option<u32>,
    top: u32,
    mode: ViMode,
    /// The keys of an incomplete command.
    pending: Vec<EditorKey>,
    /// Keys of a command that is repeated.
    queue: VecDeque<EditorKey>,
    /// The keys of the command in progress, and of the last change.
    record: Vec<EditorKey>,
    last_change: Vec<EditorKey>,
    /// The command in progress changes the text, so `.` repeats it.
    repeats: bool,
    registers: BTreeMap<char, Register>,
    marks: BTreeMap<char, Place>,
    /// The last selection.
    selection: Option<(Place, Place, bool)>,
    search: Option<ViSearch>,
    /// The last `f`, `t`, `F` or `T`, and its character.
    found: Option<(char, char)>,
    /// Pattern and replacement of the last `:s`, and its flags.
    substitution: Option<(String, String, String)>,
    history: Vec<String>,
    options: ViOptions,
    message: String,
    is_error: bool,
    now: Time,
    over: Option<u8>,
}

/// Starts vi(1).
pub fn start(cx: &mut Cx) -> UnixMachine {
    let (mut files, mut commands, mut readonly) = (Vec::new(), Vec::new(), cx.name() == "view");
    let args = cx.args().to_vec();
    let mut words = args.iter();
    let mut has_ended = false;
    while let Some(word) = words.next() {
        match word.as_str() {
            _ if has_ended => files.push(word.clone()),
            "--" => has_ended = true,
            "--version" | "-version" => {
                cx.line("VIM - Vi IMproved 9.0 (a model of sandbatch)");
                return UnixMachine::End(0);
            }
            "-R" => readonly = true,
            "-c" => commands.extend(words.next().cloned()),
            "+" => commands.push("$".to_owned()),
            "-n" | "-N" | "-y" | "-Z" | "-X" => {}
            "-u" | "-i" | "-T" => drop(words.next()),
            plus if plus.starts_with('+') => commands.push(plus.trim_start_matches('+').to_owned()),
            option if option.starts_with('-') && option.len() > 1 => {
                cx.error(&format!("not simulated in sandbatch: the option {option}"));
                return UnixMachine::End(1);
            }
            _ => files.push(word.clone()),
        }
    }
    let Some(terminal) = EditorTerminal::take(cx) else {
        cx.error("an editor needs a terminal");
        return UnixMachine::End(1);
    };
    let mut vi = Vi::new(terminal, files, cx.now);
    vi.read_settings(cx);
    vi.options.readonly = readonly;
    let several = vi.files.len();
    vi.open_file(cx, 0);
    vi.options.readonly |= readonly;
    if several > 1 {
        vi.message = format!("{several} files to edit");
    }
    for command in commands {
        vi.run_line(cx, &command);
    }
    UnixMachine::Vi(Box::new(vi))
}

impl Vi {
    fn new(terminal: EditorTerminal, files: Vec<String>, now: Time) -> Self {
        Self {
            terminal,
            text: EditorText::new(Vec::new()),
            name: None,
            files,
            file: 0,
            is_cut: false,
            is_new: true,
            hidden: None,
            cursor: Place::default(),
            wanted: None,
            top: 0,
            mode: ViMode::Normal,
            pending: Vec::new(),
            queue: VecDeque::new(),
            record: Vec::new(),
            last_change: Vec::new(),
            repeats: false,
            registers: BTreeMap::new(),
            marks: BTreeMap::new(),
            selection: None,
            search: None,
            found: None,
            substitution: None,
            history: Vec::new(),
            options: ViOptions::default(),
            message: String::new(),
            is_error: false,
            now,
            over: None,
        }
    }

    /// Bytes of memory that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        let registers: usize = self.registers.values().map(|register| register.text.len()).sum();
        self.text.memory() + registers + self.terminal.memory()
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
            let name = self.name.clone().unwrap_or_default();
            self.complain(&format!("W11: Warning: File \"{name}\" has changed since editing started"));
        }
        while self.over.is_none()
            && let Some(key) = self.terminal.next_key(false)
        {
            if self.typed(cx, key) {
                self.terminal.suspend(cx);
                return SliceEnd::Again;
            }
            let mut replayed = 0;
            while let Some(key) = self.queue.pop_front() {
                self.typed(cx, key);
                replayed += 1;
                if replayed > MAX_REPLAY {
                    self.queue.clear();
                }
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

    /// Shows a message in the last row.
    fn tell(&mut self, text: &str) {
        text.clone_into(&mut self.message);
        self.is_error = false;
    }

    /// Shows an error, and forgets what was to be repeated.
    fn complain(&mut self, text: &str) {
        text.clone_into(&mut self.message);
        self.is_error = true;
        self.queue.clear();
    }

    /// A command that does nothing here: what was to be repeated ends.
    fn fail(&mut self) {
        self.queue.clear();
        self.pending.clear();
    }

    /// Keeps the cursor on a character. In insert mode it may be after the last.
    fn clamp(&mut self) {
        let row = self.cursor.row().min(self.text.last());
        let length = self.text.length(row);
        let most = if matches!(self.mode, ViMode::Normal) { length.saturating_sub(1) } else { length };
        self.cursor = Place::new(row, self.cursor.col().min(most));
    }

    fn go(&mut self, place: Place) {
        self.cursor = place;
        self.wanted = None;
    }

    /// The first character of a line that is no blank.
    fn first_in(&self, row: usize) -> Place {
        let line = self.text.line(row);
        let blanks = line.chars().take_while(|c| matches!(c, ' ' | '\t')).count();
        let length = line.chars().count();
        Place::new(row, blanks.min(length.saturating_sub(1)))
    }

    /// Begins a change, which one `u` takes back.
    fn change(&mut self) {
        if self.options.readonly && !self.text.is_modified() {
            self.tell("W10: Warning: Changing a readonly file");
        }
        self.repeats = true;
        self.text.begin(self.cursor, self.now);
    }
}
