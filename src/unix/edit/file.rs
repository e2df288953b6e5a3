//! The file of an editor. It is read and written as the user who runs the editor.

use super::text::EditorText;
use crate::Cx;
use host::fs::{Access, FileKind};
use host::{Errno, path};

/// Maximum size of a file that is edited, in bytes.
pub const MAX_EDITED: usize = 4 << 20;

/// What was found under a name.
#[derive(Clone, Debug)]
pub enum FileLoad {
    /// A text.
    Text {
        /// Its lines.
        text: EditorText,
        /// Its size in bytes.
        bytes: usize,
        /// Whether the last line has no end.
        is_cut: bool,
        /// Whether the user may not write it.
        is_readonly: bool,
    },
    /// There is no file yet.
    New {
        /// Whether its directory exists.
        has_directory: bool,
        /// Whether the user may create it there.
        may_create: bool,
    },
    /// It is a directory.
    Directory,
    /// It is too large, or no text in UTF-8.
    NoText(String),
    /// It cannot be read.
    Failed(Errno),
}

/// Why a text was not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveError {
    /// The name is that of a directory.
    IsDirectory,
    /// The call failed.
    Failed(Errno),
}

/// Reads a file.
pub fn load(cx: &mut Cx, name: &str) -> FileLoad {
    let (uid, full) = (cx.uid(), cx.path(name));
    let stat = match cx.kernel.fs.stat(uid, &full) {
        Ok(stat) => stat,
        Err(Errno::ENOENT) => {
            let directory = path::resolve(&full, "..");
            let found = cx.kernel.fs.stat(uid, &directory);
            let has_directory = found.is_ok_and(|stat| stat.kind == FileKind::Dir);
            let may_create = has_directory && cx.kernel.fs.access(uid, &directory, Access::Write).is_ok();
            return FileLoad::New { has_directory, may_create };
        }
        Err(errno) => return FileLoad::Failed(errno),
    };
    match stat.kind {
        FileKind::Dir => return FileLoad::Directory,
        FileKind::File => {}
        FileKind::Link | FileKind::Program | FileKind::Device => {
            return FileLoad::NoText("not a text file".to_owned());
        }
    }
    if usize::try_from(stat.size).unwrap_or(usize::MAX) > MAX_EDITED {
        return FileLoad::NoText(format!("too large: sandbatch edits up to {} MiB", MAX_EDITED >> 20));
    }
    let data = match cx.read_file(name) {
        Ok(data) => data,
        Err(errno) => return FileLoad::Failed(errno),
    };
    let Ok(all) = std::str::from_utf8(&data) else {
        return FileLoad::NoText("not UTF-8: sandbatch edits text only".to_owned());
    };
    let is_readonly = cx.kernel.fs.access(uid, &full, Access::Write).is_err();
    let is_cut = !all.is_empty() && !all.ends_with('\n');
    let body = all.strip_suffix('\n').unwrap_or(all);
    let lines = if all.is_empty() { Vec::new() } else { body.split('\n').map(str::to_owned).collect() };
    FileLoad::Text { text: EditorText::new(lines), bytes: all.len(), is_cut, is_readonly }
}

/// The bytes of these lines; without the last newline if `is_cut`.
#[must_use]
pub fn bytes_of(lines: &[String], is_cut: bool) -> Vec<u8> {
    let mut all = lines.join("\n").into_bytes();
    if !is_cut {
        all.push(b'\n');
    }
    all
}

/// Writes a file, or appends to it.
///
/// # Errors
/// It cannot be written.
pub fn save(cx: &mut Cx, name: &str, data: &[u8], append: bool) -> Result<(), SaveError> {
    let full = cx.path(name);
    let stat = cx.kernel.fs.stat(cx.uid(), &full);
    if stat.is_ok_and(|stat| stat.kind == FileKind::Dir) {
        return Err(SaveError::IsDirectory);
    }
    let written = if append { cx.append_file(name, data) } else { cx.write_file(name, data) };
    written.map_err(SaveError::Failed)
}

/// Whether a name is that of something that exists.
#[must_use]
pub fn exists(cx: &Cx, name: &str) -> bool {
    cx.kernel.fs.stat(cx.uid(), &cx.path(name)).is_ok()
}
