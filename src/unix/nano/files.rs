//! The file: reading and writing.

use super::Nano;
use crate::Cx;
use crate::edit::file::{bytes_of, load, save};
use crate::edit::{EditorText, FileLoad, SaveError};

fn lines(count: usize) -> String {
    format!("{count} line{}", if count == 1 { "" } else { "s" })
}

impl Nano {
    /// Opens a file at the start.
    pub(super) fn open(&mut self, cx: &mut Cx, name: &str) {
        name.clone_into(&mut self.name);
        self.register_file(cx);
        if name.is_empty() {
            return self.tell("Welcome to nano.  For basic help, type Ctrl+G.");
        }
        match load(cx, name) {
            FileLoad::Text { text, is_readonly, is_cut, .. } => {
                let count = if text.has_none() { 0 } else { text.count() };
                let mut all = text.lines().to_vec();
                // The empty line after the last newline.
                if !is_cut && count > 0 {
                    all.push(String::new());
                }
                if is_cut && count > 0 {
                    all.push(String::new());
                }
                self.text = EditorText::new(all);
                self.tell(&format!("Read {}", lines(count)));
                if is_readonly {
                    self.tell(&format!("File '{name}' is unwritable"));
                }
            }
            FileLoad::New { has_directory: false, .. } => {
                let directory = name.rsplit_once('/').map_or(".", |(directory, _)| directory);
                self.tell(&format!("Directory '{directory}' does not exist"));
            }
            FileLoad::New { may_create: false, .. } => {
                let directory = name.rsplit_once('/').map_or(".", |(directory, _)| directory);
                self.tell(&format!("Directory '{directory}' is not writable"));
            }
            FileLoad::New { .. } => self.tell("New File"),
            FileLoad::Directory => {
                self.name.clear();
                self.tell(&format!("\"{name}\" is a directory"));
            }
            FileLoad::NoText(why) => {
                self.tell(&format!("\"{name}\" is {why}"));
                self.hidden = Some(why);
            }
            FileLoad::Failed(errno) => {
                self.tell(&format!("Error reading {name}: {errno}"));
                self.name.clear();
            }
        }
    }

    /// Tells the kernel which file is edited, for the page and the command line.
    pub(super) fn register_file(&self, cx: &mut Cx) {
        let path = if self.name.is_empty() { String::new() } else { cx.path(&self.name) };
        cx.kernel.edit_here(cx.pid, self.terminal.tty(), &path);
    }

    /// Writes, and ends the editor if `leaves`.
    pub(super) fn write_and(&mut self, cx: &mut Cx, name: &str, leaves: bool) {
        if self.write(cx, name) && leaves {
            self.over = Some(0);
        }
    }

    /// Writes the text. False if that failed.
    pub(super) fn write(&mut self, cx: &mut Cx, name: &str) -> bool {
        if let Some(why) = self.hidden.clone().filter(|_| name == self.name) {
            self.tell(&format!("Error writing {name}: {why}"));
            return false;
        }
        let all = self.text.lines();
        let count = if all.last().is_some_and(String::is_empty) { all.len() - 1 } else { all.len() };
        let body = all.get(..count).unwrap_or_default();
        let data = if body.is_empty() { Vec::new() } else { bytes_of(body, false) };
        match save(cx, name, &data, false) {
            Ok(()) => {
                self.tell(&format!("Wrote {}", lines(count)));
                name.clone_into(&mut self.name);
                self.register_file(cx);
                self.text.end();
                self.text.set_saved();
                true
            }
            Err(SaveError::IsDirectory) => {
                self.tell(&format!("Error writing {name}: Is a directory"));
                false
            }
            Err(SaveError::Failed(errno)) => {
                self.tell(&format!("Error writing {name}: {errno}"));
                false
            }
        }
    }

    /// ^R: inserts a file.
    pub(super) fn read_in(&mut self, cx: &mut Cx, name: &str) {
        if name.is_empty() {
            return self.tell("Cancelled");
        }
        match load(cx, name) {
            FileLoad::Text { text, .. } => {
                let count = if text.has_none() { 0 } else { text.count() };
                if count > 0 {
                    self.text.begin(self.cursor, self.now);
                    let body = format!("{}\n", text.lines().join("\n"));
                    let end = self.text.insert(self.cursor, &body);
                    self.go(end);
                    self.text.end();
                }
                self.tell(&format!("Read {}", lines(count)));
            }
            FileLoad::New { .. } => self.tell(&format!("File \"{name}\" not found")),
            FileLoad::Directory => self.tell(&format!("\"{name}\" is a directory")),
            FileLoad::NoText(why) => self.tell(&format!("\"{name}\" is {why}")),
            FileLoad::Failed(errno) => self.tell(&format!("Error reading {name}: {errno}")),
        }
    }
}
