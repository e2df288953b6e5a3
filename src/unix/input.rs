//! Lines from several files or standard input, one after another, as they arrive. Streaming filters read from
//! it.

use crate::{Cx, STDIN};
use host::fs::FileKind;
use host::kernel::OpenFlags;
use host::{Errno, Fd, Wait};
use serde::{Deserialize, Serialize};

/// Longest line kept in memory.
const MAX_LINE: usize = 64 << 20;
/// Bytes read at a time.
const CHUNK: usize = 65_536;
/// Reads for one line within a slice. A line without end, as in `/dev/zero`, takes several slices.
const LINE_READS: u32 = 16;

/// The files to read, and the position in them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct InputFiles {
    files: Vec<String>,
    next: u32,
    fd: Option<Fd>,
    name: String,
    /// Data that is read but not yet returned, from `start` on.
    buffer: Vec<u8>,
    start: u64,
    /// Number of bytes after `start` known to contain no newline, so that a long line that arrives in pieces is
    /// searched once.
    seen: u64,
    eof: bool,
}

/// The next item of the input.
#[derive(Debug, PartialEq, Eq)]
pub enum InputItem {
    /// A file was opened (its name as given, `-` for standard input).
    Open(String),
    /// A line without its newline, and whether it had one.
    Line(Vec<u8>, bool),
    /// Bytes (only from [`InputFiles::next_chunk`]).
    Chunk(Vec<u8>),
    /// The file's end.
    Close,
    /// A file could not be opened or read; the next one follows.
    Failed(String, Errno),
    /// Nothing available yet.
    Wait(Wait),
    /// No more files.
    End,
}

impl InputFiles {
    /// Reads these files, or standard input if there are none.
    #[must_use]
    pub fn new(files: &[String]) -> Self {
        let files = if files.is_empty() { vec!["-".to_owned()] } else { files.to_vec() };
        Self { files, ..Self::default() }
    }

    /// The current file's name as given.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether a file is being read.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.fd.is_some()
    }

    /// Bytes of memory that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.buffer.len()
    }

    /// Adds a file after the others, or standard input if there are none.
    pub fn push(&mut self, file: &str) {
        self.files.push(file.to_owned());
    }

    /// The next line, end of file or new file.
    ///
    /// A line longer than [`LINE_READS`] reads is continued in the next slice: the item is then a wait that is over.
    pub fn next_line(&mut self, cx: &mut Cx) -> InputItem {
        self.line(cx, false)
    }

    /// The same, but a long line may come in parts: chunks without a newline. The caller gives back with
    /// [`InputFiles::give_back`] what it cannot process yet. A part is offered whenever the length of the buffer passes a
    /// power of two, so giving back everything costs no more than twice the line.
    pub fn next_part(&mut self, cx: &mut Cx) -> InputItem {
        self.line(cx, true)
    }

    /// Puts the end of the last part back.
    pub fn give_back(&mut self, part: &[u8]) {
        self.seen = u64::try_from(part.len()).unwrap_or(0);
        self.buffer.splice(..0, part.iter().copied());
    }

    fn line(&mut self, cx: &mut Cx, parts: bool) -> InputItem {
        let mut left = LINE_READS;
        loop {
            let Some(fd) = self.fd else { return self.open(cx) };
            let start = usize::try_from(self.start).unwrap_or(0);
            let rest = self.buffer.get(start..).unwrap_or_default();
            let seen = usize::try_from(self.seen).unwrap_or(0).min(rest.len());
            let found = rest.get(seen..).unwrap_or_default().iter().position(|b| *b == b'\n');
            self.seen = if found.is_some() { 0 } else { u64::try_from(rest.len()).unwrap_or(0) };
            if let Some(length) = found.map(|at| seen + at) {
                let line = rest.get(..length).unwrap_or_default().to_vec();
                self.start += u64::try_from(length).unwrap_or(0) + 1;
                return InputItem::Line(line, true);
            }
            if self.eof {
                if rest.is_empty() {
                    return self.close(cx, fd);
                }
                let line = rest.to_vec();
                self.forget();
                return InputItem::Line(line, false);
            }
            self.buffer.drain(..start.min(self.buffer.len()));
            self.start = 0;
            if self.buffer.len() > MAX_LINE {
                return self.give_up(cx, fd, Errno::ENOMEM);
            }
            if left == 0 {
                return InputItem::Wait(Wait::Until(cx.now));
            }
            left -= 1;
            let before = self.buffer.len();
            if let Some(item) = self.fill(cx, fd) {
                return item;
            }
            let after = self.buffer.len();
            let longer = after >= CHUNK && after.ilog2() > before.max(1).ilog2();
            if parts && longer && !self.buffer.contains(&b'\n') {
                self.seen = 0;
                return InputItem::Chunk(std::mem::take(&mut self.buffer));
            }
        }
    }

    /// The next bytes, end of file or new file.
    pub fn next_chunk(&mut self, cx: &mut Cx) -> InputItem {
        loop {
            let Some(fd) = self.fd else { return self.open(cx) };
            if !self.buffer.is_empty() {
                let start = usize::try_from(self.start).unwrap_or(0);
                (self.start, self.seen) = (0, 0);
                let mut data = std::mem::take(&mut self.buffer);
                data.drain(..start.min(data.len()));
                return InputItem::Chunk(data);
            }
            if self.eof {
                return self.close(cx, fd);
            }
            if let Some(item) = self.fill(cx, fd) {
                return item;
            }
        }
    }

    /// Skips the rest of the current file.
    pub fn skip(&mut self, cx: &mut Cx) {
        if let Some(fd) = self.fd {
            let _ = self.close(cx, fd);
        }
    }

    fn open(&mut self, cx: &mut Cx) -> InputItem {
        let at = usize::try_from(self.next).unwrap_or(usize::MAX);
        let Some(name) = self.files.get(at).cloned() else { return InputItem::End };
        self.next += 1;
        self.eof = false;
        self.forget();
        self.name.clone_from(&name);
        if name == "-" {
            self.fd = Some(STDIN);
            return InputItem::Open(name);
        }
        let path = cx.path(&name);
        if cx.kernel.fs.stat(cx.uid(), &path).is_ok_and(|s| s.kind == FileKind::Dir) {
            return InputItem::Failed(name, Errno::EISDIR);
        }
        match cx.open(&name, OpenFlags { read: true, ..OpenFlags::default() }) {
            Ok(fd) => {
                self.fd = Some(fd);
                InputItem::Open(name)
            }
            Err(errno) => InputItem::Failed(name, errno),
        }
    }

    /// Reads more data. Returns an item if that was not possible.
    fn fill(&mut self, cx: &mut Cx, fd: Fd) -> Option<InputItem> {
        match cx.kernel.read(cx.pid, fd, CHUNK) {
            Ok(data) if data.is_empty() => self.eof = true,
            Ok(data) => self.buffer.extend_from_slice(&data),
            Err(Errno::EAGAIN) => return Some(InputItem::Wait(Wait::Readable(fd))),
            Err(errno) => return Some(self.give_up(cx, fd, errno)),
        }
        None
    }

    fn give_up(&mut self, cx: &mut Cx, fd: Fd, why: Errno) -> InputItem {
        let name = self.name.clone();
        let _ = self.close(cx, fd);
        InputItem::Failed(name, why)
    }

    fn close(&mut self, cx: &mut Cx, fd: Fd) -> InputItem {
        if fd != STDIN {
            let _ = cx.kernel.close(cx.pid, fd);
        }
        self.fd = None;
        self.forget();
        InputItem::Close
    }

    fn forget(&mut self) {
        self.buffer.clear();
        (self.start, self.seen) = (0, 0);
    }
}
