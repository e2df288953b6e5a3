//! The file: reading, writing, leaving.

use super::Vi;
use super::range::LineRange;
use crate::Cx;
use crate::edit::file::{bytes_of, exists, load, save};
use crate::edit::{EditorText, FileLoad, Place, SaveError};
use base::ids::Uid;
use host::Errno;

const UNSAVED: &str = "E37: No write since last change (add ! to override)";

impl Vi {
    /// Opens the file of an argument, or none.
    pub(super) fn open_file(&mut self, cx: &mut Cx, number: usize) {
        let name = self.files.get(number).cloned();
        self.file = u32::try_from(number).unwrap_or(0);
        match name {
            Some(name) => self.edit(cx, &name),
            None => self.register_file(cx),
        }
    }

    /// Tells the kernel which file is edited, for the page and the command line.
    pub(super) fn register_file(&self, cx: &mut Cx) {
        let path = self.name.as_ref().map_or_else(String::new, |name| cx.path(name));
        cx.kernel.edit_here(cx.pid, self.terminal.tty(), &path);
    }

    /// Reads a file in place of the present one.
    fn edit(&mut self, cx: &mut Cx, name: &str) {
        let row = if self.name.as_deref() == Some(name) { self.cursor.row() } else { 0 };
        self.name = Some(name.to_owned());
        (self.is_cut, self.is_new, self.hidden) = (false, false, None);
        self.options.readonly = false;
        self.text = EditorText::new(Vec::new());
        self.marks.clear();
        match load(cx, name) {
            FileLoad::Text { text, bytes, is_cut, is_readonly } => {
                let lines = if text.has_none() { 0 } else { text.count() };
                self.text = text;
                (self.is_cut, self.options.readonly) = (is_cut, is_readonly);
                let notes = [(is_cut, "[noeol] "), (is_readonly, "[readonly] ")];
                let notes: String = notes.iter().filter(|(holds, _)| *holds).map(|(_, note)| *note).collect();
                self.tell(&format!("\"{name}\" {notes}{lines}L, {bytes}B"));
            }
            FileLoad::New { has_directory, .. } => {
                self.is_new = true;
                let note = if has_directory { "[New]" } else { "[New DIRECTORY]" };
                self.tell(&format!("\"{name}\" {note}"));
            }
            FileLoad::Directory => {
                self.hidden = Some("is a directory".to_owned());
                self.complain(&format!("\"{name}\" is a directory"));
            }
            FileLoad::NoText(why) => {
                self.complain(&format!("\"{name}\" [{why}]"));
                self.hidden = Some(why);
            }
            FileLoad::Failed(Errno::EACCES | Errno::EPERM) => {
                self.complain(&format!("\"{name}\" [Permission Denied]"));
                self.hidden = Some("cannot be read".to_owned());
            }
            FileLoad::Failed(errno) => {
                self.complain(&format!("\"{name}\" [{errno}]"));
                self.hidden = Some(errno.to_string());
            }
        }
        self.go(self.first_in(row.min(self.text.last())));
        self.register_file(cx);
    }

    /// The commands on files.
    pub(super) fn file_command(
        &mut self,
        cx: &mut Cx,
        name: &str,
        range: LineRange,
        forced: bool,
        arguments: &str,
    ) -> Result<(), String> {
        match name {
            "quit" | "qall" | "quitall" => {
                if self.text.is_modified() && !forced {
                    return Err(UNSAVED.to_owned());
                }
                self.over = Some(0);
                Ok(())
            }
            "cquit" => {
                self.over = Some(1);
                Ok(())
            }
            "write" | "wall" => self.write(cx, range, forced, arguments),
            "update" if !self.text.is_modified() => Ok(()),
            "update" => self.write(cx, range, forced, arguments),
            "wq" | "wqall" => {
                self.write(cx, range, forced, arguments)?;
                self.over = Some(0);
                Ok(())
            }
            "xit" | "exit" | "xall" => {
                if self.text.is_modified() || !arguments.is_empty() {
                    self.write(cx, range, forced, arguments)?;
                }
                self.over = Some(0);
                Ok(())
            }
            "edit" => {
                if self.text.is_modified() && !forced {
                    return Err(UNSAVED.to_owned());
                }
                let name = match (arguments, &self.name) {
                    ("", Some(name)) => name.clone(),
                    ("", None) => return Err("E32: No file name".to_owned()),
                    (name, _) => name.to_owned(),
                };
                self.edit(cx, &name);
                Ok(())
            }
            "read" => self.read_in(cx, range, arguments),
            "file" => {
                if !arguments.is_empty() {
                    self.name = Some(arguments.to_owned());
                    self.is_new = !exists(cx, arguments);
                    self.register_file(cx);
                }
                self.tell_file();
                Ok(())
            }
            _ => self.other_file(cx, name, range, forced),
        }
    }

    /// `:next` and `:previous`
    fn other_file(&mut self, cx: &mut Cx, name: &str, range: LineRange, forced: bool) -> Result<(), String> {
        if name == "wnext" {
            self.write(cx, range, forced, "")?;
        } else if self.text.is_modified() && !forced {
            return Err(UNSAVED.to_owned());
        }
        let at = self.file as usize;
        let next = if name == "previous" {
            at.checked_sub(1).ok_or("E164: Cannot go before first file")?
        } else {
            at + 1
        };
        if next >= self.files.len() {
            return Err("E165: Cannot go beyond last file".to_owned());
        }
        self.open_file(cx, next);
        Ok(())
    }

    /// `:write`
    fn write(&mut self, cx: &mut Cx, range: LineRange, forced: bool, arguments: &str) -> Result<(), String> {
        if arguments.starts_with('!') {
            return Err("not simulated in sandbatch: :w !command".to_owned());
        }
        let (append, other) = match arguments.strip_prefix(">>") {
            Some(name) => (true, name.trim()),
            None => (false, arguments),
        };
        let own = self.name.clone();
        let is_own = other.is_empty() || own.as_deref() == Some(other);
        let name = if other.is_empty() { own.ok_or("E32: No file name")? } else { other.to_owned() };
        if is_own && !append {
            if let Some(why) = &self.hidden {
                return Err(format!("\"{name}\" {why}"));
            }
            if self.options.readonly && !forced {
                return Err("E45: 'readonly' option is set (add ! to override)".to_owned());
            }
        } else if !append && !forced && exists(cx, &name) {
            return Err("E13: File exists (add ! to override)".to_owned());
        }
        let is_whole = range.given == 0;
        let rows: &[String] = if is_whole {
            self.text.lines()
        } else {
            self.text.lines().get(range.from.max(1) - 1..range.to).unwrap_or_default()
        };
        let is_none = is_whole && self.text.has_none();
        let data = if is_none { Vec::new() } else { bytes_of(rows, is_whole && self.is_cut) };
        let (lines, bytes) = (if is_none { 0 } else { rows.len() }, data.len());
        let is_new = !exists(cx, &name);
        let mut written = save(cx, &name, &data, append);
        if forced && written == Err(SaveError::Failed(Errno::EACCES)) {
            written = self.write_protected(cx, &name, &data).unwrap_or(written);
        }
        match written {
            Ok(()) => {}
            Err(SaveError::IsDirectory) => return Err(format!("E502: \"{name}\" is a directory")),
            Err(SaveError::Failed(Errno::ENOSPC | Errno::EDQUOT | Errno::EFBIG)) => {
                return Err(format!("\"{name}\" E514: Write error (file system full?)"));
            }
            Err(SaveError::Failed(_)) => {
                return Err(format!("\"{name}\" E212: Can't open file for writing"));
            }
        }
        let new = if is_new { "[New] " } else { "" };
        let how = if append { "appended" } else { "written" };
        let cut = if is_whole && self.is_cut && !is_none { "[noeol] " } else { "" };
        self.tell(&format!("\"{name}\" {new}{cut}{lines}L, {bytes}B {how}"));
        if is_own && is_whole && !append || self.name.is_none() {
            self.text.set_saved();
            self.is_new = false;
            if self.name.is_none() {
                self.name = Some(name);
                self.register_file(cx);
            }
        }
        Ok(())
    }

    /// `:w!` of a file that its owner protects: the mode is set aside while it is written. None for other files.
    fn write_protected(&self, cx: &mut Cx, name: &str, data: &[u8]) -> Option<Result<(), SaveError>> {
        let (uid, path) = (cx.uid(), cx.path(name));
        let stat = cx.kernel.fs.stat(uid, &path).ok()?;
        if stat.uid != uid && uid != Uid(0) {
            return None;
        }
        cx.kernel.fs.chmod(uid, &path, stat.mode | 0o200).ok()?;
        let written = save(cx, name, data, false);
        cx.kernel.fs.chmod(uid, &path, stat.mode).ok()?;
        Some(written)
    }

    /// `:read`
    fn read_in(&mut self, cx: &mut Cx, range: LineRange, arguments: &str) -> Result<(), String> {
        if arguments.starts_with('!') {
            return Err("not simulated in sandbatch: :r !command".to_owned());
        }
        let name = if arguments.is_empty() {
            self.name.clone().ok_or("E32: No file name")?
        } else {
            arguments.to_owned()
        };
        match load(cx, &name) {
            FileLoad::Text { text, bytes, .. } => {
                let lines = if text.has_none() { Vec::new() } else { text.lines().to_vec() };
                let row = range.to.min(self.text.count());
                self.change();
                self.tell(&format!("\"{name}\" {}L, {bytes}B", lines.len()));
                if !lines.is_empty() {
                    self.text.replace(row, 0, lines);
                    self.go(Place::new(row, 0));
                }
                Ok(())
            }
            FileLoad::New { .. } | FileLoad::Failed(_) => Err(format!("E484: Can't open file {name}")),
            FileLoad::Directory => Err(format!("\"{name}\" is a directory")),
            FileLoad::NoText(why) => Err(format!("\"{name}\" [{why}]")),
        }
    }

    /// Ctrl-G and `:f`
    pub(super) fn tell_file(&mut self) {
        let name = self.name.clone().map_or_else(|| "[No Name]".to_owned(), |name| format!("\"{name}\""));
        let modified = if self.text.is_modified() { " [Modified]" } else { "" };
        let new = if self.is_new && self.name.is_some() { " [New]" } else { "" };
        let readonly = if self.options.readonly { " [readonly]" } else { "" };
        if self.text.has_none() {
            return self.tell(&format!("{name}{modified}{new}{readonly} --No lines in buffer--"));
        }
        let (row, count) = (self.cursor.row() + 1, self.text.count());
        let s = if count == 1 { "" } else { "s" };
        self.tell(&format!("{name}{modified}{new}{readonly} {count} line{s} --{}%--", row * 100 / count));
    }
}
