//! less(1), more(1): a page at a time on a terminal, everything at once elsewhere.
//!
//! Keys reach programs with Enter: Enter shows the next page, `q` leaves, `b` goes a page back, `g` and `G` to the start
//! and the end, `/text` to the next line with it. What fits on the screen is shown without asking (`less -F`).

use super::getopt::contents;
use super::regex::{Flags, Regex, Syntax};
use crate::commands::{Cx, Machine, STDIN, STDOUT};
use crate::host::kernel::OpenFlags;
use crate::host::{Errno, Fd, Status, Step, Wait};
use serde::{Deserialize, Serialize};

/// Most bytes that are kept.
const MAX_TEXT: usize = 64 << 20;

/// A pager, running.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pager {
    files: Vec<String>,
    numbered: bool,
    /// All of it, once it was read.
    lines: Option<Vec<String>>,
    input: Vec<u8>,
    /// The first line that was not shown yet.
    next: u64,
    keys: Option<Fd>,
    code: u8,
}

/// Starts less(1) or more(1).
pub fn start(cx: &mut Cx) -> Machine {
    let files: Vec<String> =
        cx.args().iter().filter(|a| !a.starts_with(['-', '+']) || *a == "-").cloned().collect();
    if files.is_empty() && cx.is_tty(STDIN) {
        cx.complain(&format!("Missing filename (\"{} --help\" for help)", cx.name()));
        return Machine::End(1);
    }
    let numbered = cx.args().iter().any(|a| a == "-N");
    let pager = Pager { files, numbered, lines: None, input: Vec::new(), next: 0, keys: None, code: 0 };
    Machine::Pager(Box::new(pager))
}

impl Pager {
    /// One slice.
    pub fn step(&mut self, cx: &mut Cx) -> Step {
        if self.lines.is_none()
            && let Some(wait) = self.read(cx)
        {
            return Step::Wait(wait);
        }
        let total = self.lines.as_ref().map_or(0, Vec::len);
        let size = cx.kernel.fd_tty(cx.pid, STDOUT).and_then(|tty| cx.kernel.tty(tty));
        let Some(rows) = size.map(|tty| usize::from(tty.rows).max(3) - 1) else {
            self.show(cx, total);
            return Step::Exit(Status::Exited(self.code));
        };
        if self.keys.is_none() {
            let flags = OpenFlags { read: true, ..OpenFlags::default() };
            self.keys = cx.open("/dev/tty", flags).ok();
            self.show(cx, rows);
        }
        loop {
            let Some(keys) = self.keys.filter(|_| self.next() < total) else {
                self.show(cx, total);
                return Step::Exit(Status::Exited(self.code));
            };
            match cx.kernel.read(cx.pid, keys, 256) {
                Ok(line) if line.is_empty() || !self.obey(cx, &line, rows) => {
                    return Step::Exit(Status::Exited(self.code));
                }
                Ok(_) => {}
                Err(Errno::EAGAIN) => return Step::Wait(Wait::Readable(keys)),
                Err(_) => return Step::Exit(Status::Exited(1)),
            }
        }
    }

    fn next(&self) -> usize {
        usize::try_from(self.next).unwrap_or(usize::MAX)
    }

    fn go(&mut self, to: usize) {
        self.next = u64::try_from(to).unwrap_or(0);
    }

    /// Reads everything; what to wait for, until it is there.
    fn read(&mut self, cx: &mut Cx) -> Option<Wait> {
        let piped = self.files.is_empty() || self.files.iter().any(|file| file == "-");
        while piped && self.input.len() < MAX_TEXT {
            match cx.kernel.read(cx.pid, STDIN, 65_536) {
                Ok(data) if data.is_empty() => break,
                Ok(data) => self.input.extend(data),
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
            cx.print(&format!("\x1b[7m--More-- {}% (Enter, q)\x1b[m", end * 100 / lines.len()));
        }
    }

    /// What was typed; false to leave.
    fn obey(&mut self, cx: &mut Cx, line: &[u8], rows: usize) -> bool {
        cx.print("\r\x1b[K");
        let typed = String::from_utf8_lossy(line).trim_end_matches('\n').to_owned();
        let total = self.lines.as_ref().map_or(0, Vec::len);
        match typed.trim_start().chars().next() {
            Some('q' | 'Q') => return false,
            Some('b') => self.go(self.next().saturating_sub(2 * rows)),
            Some('g' | '<') => self.go(0),
            Some('G' | '>') => self.go(total.saturating_sub(rows)),
            Some('/') => {
                let pattern = typed.trim_start().get(1..).unwrap_or_default();
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
            Some(_) | None => {}
        }
        self.show(cx, rows);
        true
    }
}
