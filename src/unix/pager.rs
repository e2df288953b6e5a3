//! less(1), more(1): a page at a time on a terminal; the whole text if output is not a terminal.
//!
//! Space shows the next page, Enter the next line, `b` the previous page, `g` and `G` the start and the end.
//! `/text` and Enter finds the next matching line; `q` quits. A text that fits on the screen is printed
//! directly (`less -F`).

use super::getopt::contents;
use crate::{Cx, STDIN, STDOUT, UnixMachine};
use base::regex::{Flags, Regex, Syntax};
use host::kernel::OpenFlags;
use host::memory::ELEMENT;
use host::{Errno, Fd, SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};

/// Maximum size of the text, in bytes.
const MAX_TEXT: usize = 64 << 20;
/// After this many bytes of a device, other processes run.
const SLICE_BYTES: usize = 1 << 20;

/// A running pager.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pager {
    files: Vec<String>,
    numbered: bool,
    /// The whole text, once it is read.
    lines: Option<Vec<String>>,
    input: Vec<u8>,
    /// The first line that was not shown yet.
    next: u64,
    keys: Option<Fd>,
    /// Incomplete key input: `/text` before Enter, or the first bytes of an arrow key.
    typed: Vec<u8>,
    code: u8,
}

/// Starts less(1) or more(1).
pub fn start(cx: &mut Cx) -> UnixMachine {
    let files: Vec<String> =
        cx.args().iter().filter(|a| !a.starts_with(['-', '+']) || *a == "-").cloned().collect();
    if files.is_empty() && cx.is_tty(STDIN) {
        cx.complain(&format!("Missing filename (\"{} --help\" for help)", cx.name()));
        return UnixMachine::End(1);
    }
    let numbered = cx.args().iter().any(|a| a == "-N");
    let pager = Pager {
        files,
        numbered,
        lines: None,
        input: Vec::new(),
        next: 0,
        keys: None,
        typed: Vec::new(),
        code: 0,
    };
    UnixMachine::Pager(Box::new(pager))
}

impl Pager {
    /// Bytes of memory that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        let lines: usize = self.lines.iter().flatten().map(|line| line.len() + ELEMENT).sum();
        self.input.len() + lines
    }

    /// Runs a slice.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        if self.lines.is_none()
            && let Some(wait) = self.read(cx)
        {
            return SliceEnd::Wait(wait);
        }
        let total = self.lines.as_ref().map_or(0, Vec::len);
        let size = cx.kernel.fd_tty(cx.pid, STDOUT).and_then(|tty| cx.kernel.tty(tty));
        let Some(rows) = size.map(|tty| usize::from(tty.rows).max(3) - 1) else {
            self.show(cx, total);
            return SliceEnd::Exit(Status::Exited(self.code));
        };
        if self.keys.is_none() {
            let flags = OpenFlags { read: true, ..OpenFlags::default() };
            self.keys = cx.open("/dev/tty", flags).ok();
            if total > rows {
                cx.kernel.take_keys(cx.pid);
            }
            self.show(cx, rows);
        }
        loop {
            let Some(keys) = self.keys.filter(|_| self.next() < total) else {
                self.show(cx, total);
                return SliceEnd::Exit(Status::Exited(self.code));
            };
            cx.kernel.retake_keys(cx.pid);
            match cx.kernel.read(cx.pid, keys, 256) {
                Ok(keys) if keys.is_empty() => return SliceEnd::Exit(Status::Exited(self.code)),
                Ok(keys) => {
                    self.typed.extend(keys);
                    while let Some(key) = self.next_key() {
                        if !self.handle_key(cx, &key, rows) {
                            return SliceEnd::Exit(Status::Exited(self.code));
                        }
                    }
                }
                Err(Errno::EAGAIN) => return SliceEnd::Wait(Wait::Readable(keys)),
                Err(_) => return SliceEnd::Exit(Status::Exited(1)),
            }
        }
    }

    fn next(&self) -> usize {
        usize::try_from(self.next).unwrap_or(usize::MAX)
    }

    fn go(&mut self, to: usize) {
        self.next = u64::try_from(to).unwrap_or(0);
    }

    /// Reads the input. Returns what to wait for until it is complete.
    fn read(&mut self, cx: &mut Cx) -> Option<Wait> {
        let piped = self.files.is_empty() || self.files.iter().any(|file| file == "-");
        while piped && self.input.len() < MAX_TEXT {
            match cx.kernel.read(cx.pid, STDIN, 65_536) {
                Ok(data) if data.is_empty() => break,
                Ok(data) => {
                    self.input.extend(data);
                    // The next slice goes on, so that a device without end stops nobody.
                    if self.input.len().is_multiple_of(SLICE_BYTES) {
                        return Some(Wait::Until(cx.now));
                    }
                }
                Err(Errno::EAGAIN) => return Some(Wait::Readable(STDIN)),
                Err(_) => break,
            }
        }
        let mut lines = Vec::new();
        for (file, data) in contents(cx, &self.files, &std::mem::take(&mut self.input)) {
            match data {
                Ok(data) => lines.extend(String::from_utf8_lossy(&data).lines().map(str::to_owned)),
                Err(errno) => {
                    cx.complain(&format!("{file}: {errno}"));
                    self.code = 1;
                }
            }
        }
        self.lines = Some(lines);
        None
    }

    /// Shows the next lines, and the prompt if there are more.
    fn show(&mut self, cx: &mut Cx, count: usize) {
        let lines = self.lines.as_deref().unwrap_or_default();
        let (start, end) = (self.next(), self.next().saturating_add(count).min(lines.len()));
        for (at, line) in lines.iter().enumerate().take(end).skip(start) {
            let text = if self.numbered { format!("{:>7} {line}", at + 1) } else { line.clone() };
            cx.line(&text);
        }
        self.next = u64::try_from(end).unwrap_or(0);
        if end < lines.len() && self.keys.is_some() {
            cx.print(&format!("\x1b[7m--More-- {}% (space, q)\x1b[m", end * 100 / lines.len()));
        }
    }

    /// The next complete key: a letter, an arrow's sequence, or `/text` without Enter.
    fn next_key(&mut self) -> Option<String> {
        let end = match self.typed.as_slice() {
            [] => return None,
            [b'/', ..] => self.typed.iter().position(|byte| matches!(byte, b'\n' | b'\r'))? + 1,
            [27, b'[' | b'O', rest @ ..] => rest.iter().position(|byte| matches!(byte, 64..=126))? + 3,
            [27] => return None,
            [..] => 1,
        };
        let key: Vec<u8> = self.typed.drain(..end).collect();
        Some(String::from_utf8_lossy(&key).into_owned())
    }

    /// Handles a key. False to quit.
    fn handle_key(&mut self, cx: &mut Cx, key: &str, rows: usize) -> bool {
        cx.print("\r\x1b[K");
        let total = self.lines.as_ref().map_or(0, Vec::len);
        let mut count = rows;
        match key.strip_prefix("\x1b[").or_else(|| key.strip_prefix("\x1bO")).unwrap_or(key) {
            "q" | "Q" => return false,
            "b" | "5~" | "\x02" => self.go(self.next().saturating_sub(2 * rows)),
            "g" | "<" | "H" => self.go(0),
            "G" | ">" | "F" => self.go(total.saturating_sub(rows)),
            "\n" | "\r" | "j" | "B" => count = 1,
            "k" | "A" => self.go(self.next().saturating_sub(rows + 1)),
            "d" | "\x04" => count = rows / 2,
            search if search.starts_with('/') => {
                let pattern = search.get(1..).unwrap_or_default().trim_end_matches(['\n', '\r']);
                let regex = Regex::new(pattern, Syntax::Extended, Flags::default());
                let lines = self.lines.as_deref().unwrap_or_default();
                let from = self.next().saturating_sub(rows.saturating_sub(1));
                let found = regex.ok().and_then(|regex| {
                    lines.iter().enumerate().skip(from).find(|(_, line)| regex.is_match(line))
                });
                match found {
                    Some((at, _)) => self.go(at),
                    None => {
                        cx.line("Pattern not found");
                        return true;
                    }
                }
            }
            _ => {}
        }
        self.show(cx, count);
        true
    }
}
