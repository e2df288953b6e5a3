//! tail(1). `-f` checks the file every second, like the real program without inotify; `-F` also reopens files
//! by name.

use super::getopt::{self, Spec};
use super::head::{header, number, old_style};
use crate::{Cx, STDIN, UnixMachine};
use base::time::{SECOND, Span};
use host::fs::FileKind;
use host::kernel::OpenFlags;
use host::{Errno, Fd, SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};

/// tail(1)
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tail {
    files: Vec<File>,
    /// The index of the file that is being read for the first time.
    at: u32,
    count: TailAmount,
    headers: bool,
    follow: bool,
    retry: bool,
    interval: Span,
    /// The file that was printed last.
    last: Option<u32>,
    code: u8,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct File {
    name: String,
    fd: Option<Fd>,
    /// Data that is read but not yet printed; unused once the file is followed.
    held: Vec<u8>,
    /// Number of bytes read from it.
    read: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum TailAmount {
    LastLines(u64),
    FromLine(u64),
    LastBytes(u64),
    FromByte(u64),
}

/// Maximum number of bytes kept while searching for the last lines.
const MAX_HELD: usize = 64 << 20;
/// Reads of a slice: a device has no end.
const SLICE_READS: u32 = 4;
/// Bytes whose search is worth a slice.
const SLICE_SEARCH: usize = 1 << 18;
/// After at least this many new bytes, those that can no longer be printed are dropped.
const SLACK: usize = 2 << 20;

/// Starts tail(1).
pub fn start(cx: &mut Cx) -> UnixMachine {
    const SPEC: Spec = Spec {
        short: "n:c:fFqvs:G::",
        long: &[
            ("lines", 'n'),
            ("bytes", 'c'),
            ("follow", 'G'),
            ("quiet", 'q'),
            ("silent", 'q'),
            ("verbose", 'v'),
            ("sleep-interval", 's'),
            ("retry", 'F'),
        ],
        usage: 1,
    };
    let args = old_style(cx.args());
    if args != cx.args()
        && let Some((first, rest)) = cx.args().split_first()
        && rest.len() > 1
    {
        let text = format!("option used in invalid context -- {}", first.trim_start_matches('-'));
        cx.error(&text);
        return UnixMachine::End(1);
    }
    let parsed = match getopt::parse_words(cx, &SPEC, &args) {
        Ok(parsed) => parsed,
        Err(code) => return UnixMachine::End(code),
    };
    let mut count = TailAmount::LastLines(10);
    for (letter, value) in parsed.options.iter().filter(|(l, _)| matches!(l, 'n' | 'c')) {
        let from = value.starts_with('+');
        let Some(n) = number(value.trim_start_matches(['+', '-'])) else {
            let what = if *letter == 'n' { "lines" } else { "bytes" };
            cx.error(&format!("invalid number of {what}: '{value}'"));
            return UnixMachine::End(1);
        };
        count = match (*letter, from) {
            ('n', false) => TailAmount::LastLines(n),
            ('n', true) => TailAmount::FromLine(n),
            (_, false) => TailAmount::LastBytes(n),
            (_, true) => TailAmount::FromByte(n),
        };
    }
    let interval = parsed.value('s').map_or(Some(Span(SECOND)), super::sleep::interval);
    let Some(interval) = interval else {
        cx.error(&format!("invalid number of seconds: '{}'", parsed.value('s').unwrap_or("")));
        return UnixMachine::End(1);
    };
    let headers = match parsed.last_of("qv") {
        Some('q') => false,
        Some(_) => true,
        None => parsed.operands.len() > 1,
    };
    let names = if parsed.operands.is_empty() { vec!["-".to_owned()] } else { parsed.operands.clone() };
    let by_name = parsed.has('F') || parsed.value('G') == Some("name");
    // Nothing is wanted of files that are not even opened.
    let follows = parsed.has('f') || parsed.has('F') || parsed.has('G');
    if !follows && matches!(count, TailAmount::LastLines(0) | TailAmount::LastBytes(0)) {
        return UnixMachine::End(0);
    }
    UnixMachine::Tail(Box::new(Tail {
        files: names.into_iter().map(|name| File { name, fd: None, held: Vec::new(), read: 0 }).collect(),
        at: 0,
        count,
        headers,
        follow: parsed.has('f') || parsed.has('F') || parsed.has('G'),
        retry: by_name,
        interval: Span(interval.0.max(SECOND / 10)),
        last: None,
        code: 0,
    }))
}

impl Tail {
    /// Bytes of memory that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.files.iter().map(|file| file.held.len()).sum()
    }

    /// Reads and prints; waits for more with `-f`.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        while let Ok(at) = usize::try_from(self.at)
            && at < self.files.len()
        {
            if let Some(step) = self.first_read(cx, at) {
                return step;
            }
            self.at += 1;
        }
        if !self.follow || (!self.retry && self.files.iter().all(|f| f.fd.is_none())) {
            if self.follow {
                cx.error("no files remaining");
            }
            return SliceEnd::Exit(Status::Exited(self.code));
        }
        for at in 0..self.files.len() {
            self.more(cx, at);
        }
        if self.files.iter().all(|f| f.fd == Some(STDIN)) && !self.files.is_empty() {
            return SliceEnd::Exit(Status::Exited(self.code));
        }
        SliceEnd::Wait(Wait::Until(cx.now + self.interval))
    }

    /// Opens a file, reads it to the end and prints the requested part.
    fn first_read(&mut self, cx: &mut Cx, at: usize) -> Option<SliceEnd> {
        let file = self.files.get_mut(at)?;
        if file.fd.is_none() {
            match open(cx, &file.name) {
                Ok(fd) => file.fd = Some(fd),
                Err(errno) => {
                    let name = if file.name == "-" { "standard input" } else { &file.name };
                    if errno == Errno::EISDIR {
                        cx.error(&format!("error reading '{name}': {errno}"));
                    } else {
                        cx.error(&format!("cannot open '{name}' for reading: {errno}"));
                    }
                    self.code = 1;
                    return None;
                }
            }
        }
        let fd = file.fd?;
        let id = u32::try_from(at).ok();
        // The part from a line or byte on has begun.
        let printing = self.last == id && id.is_some();
        let mut left = SLICE_READS;
        loop {
            if left == 0 {
                return Some(SliceEnd::Again);
            }
            left -= 1;
            let before = file.read;
            match cx.kernel.read(cx.pid, fd, 1 << 20) {
                Ok(data) if data.is_empty() => break,
                Ok(data) => {
                    file.read += u64::try_from(data.len()).unwrap_or(0);
                    file.held.extend_from_slice(&data);
                }
                Err(Errno::EAGAIN) => return Some(SliceEnd::Wait(Wait::Readable(fd))),
                Err(errno) => {
                    cx.error(&format!("error reading '{}': {errno}", file.name));
                    self.code = 1;
                    break;
                }
            }
            // A search when as much was read as is held: each byte is searched about twice.
            let held = file.held.len();
            let step = u64::try_from(SLACK.max(1 << held.checked_ilog2().unwrap_or(0))).unwrap_or(1);
            if file.read / step > before / step || held > MAX_HELD || printing {
                let searched = u32::try_from(held / SLICE_SEARCH).unwrap_or(u32::MAX);
                *cx.work = cx.work.saturating_add(searched);
                let kept = wanted(self.count, &file.held).len();
                match self.count {
                    // Drops bytes that can no longer be printed, so endless input takes little memory.
                    TailAmount::LastLines(_) | TailAmount::LastBytes(_) => {
                        file.held.drain(..file.held.len() - kept);
                    }
                    // What follows the first byte that is printed needs no search.
                    TailAmount::FromLine(_) | TailAmount::FromByte(_) if printing => {
                        let data = std::mem::take(&mut file.held);
                        cx.out.extend_from_slice(&data);
                    }
                    TailAmount::FromLine(_) | TailAmount::FromByte(_) if kept > 0 => {
                        let mut data = std::mem::take(&mut file.held);
                        data.drain(..data.len() - kept);
                        let name = file.name.clone();
                        self.print(cx, at, &name, &data, true);
                        self.last = id;
                        return Some(SliceEnd::Again);
                    }
                    TailAmount::FromLine(_) | TailAmount::FromByte(_) => {}
                }
            }
            if file.held.len() > MAX_HELD {
                cx.error("memory exhausted");
                return Some(SliceEnd::Exit(Status::Exited(1)));
            }
        }
        let held = std::mem::take(&mut file.held);
        let name = file.name.clone();
        if !self.follow {
            if fd != STDIN {
                let _ = cx.kernel.close(cx.pid, fd);
            }
            file.fd = None;
        }
        if printing {
            cx.out.extend_from_slice(&held);
        } else {
            let wanted = wanted(self.count, &held);
            self.print(cx, at, &name, wanted, true);
        }
        None
    }

    fn print(&mut self, cx: &mut Cx, at: usize, name: &str, data: &[u8], first: bool) {
        let id = u32::try_from(at).ok();
        if self.headers && self.last != id && (first || !data.is_empty()) {
            cx.print(&header(name, self.last.is_none()));
            self.last = id;
        }
        cx.out.extend_from_slice(data);
    }

    /// Prints what was appended to a followed file.
    fn more(&mut self, cx: &mut Cx, at: usize) {
        let retry = self.retry;
        let Some(file) = self.files.get_mut(at) else { return };
        let name = file.name.clone();
        if retry && file.fd.is_none() {
            let Ok(fd) = open(cx, &name) else { return };
            cx.error(&format!("'{name}' has appeared;  following new file"));
            file.fd = Some(fd);
            file.read = 0;
        }
        let Some(fd) = file.fd.filter(|fd| *fd != STDIN) else { return };
        let path = cx.path(&name);
        let size = cx.kernel.fs.stat(cx.uid(), &path).map(|s| s.size);
        if size.is_ok_and(|size| size < file.read) {
            cx.error(&format!("{name}: file truncated"));
            let _ = cx.kernel.close(cx.pid, fd);
            file.fd = open(cx, &name).ok();
            file.read = 0;
        } else if retry && size.is_err() {
            cx.error(&format!("'{name}' has become inaccessible: {}", Errno::ENOENT));
            let _ = cx.kernel.close(cx.pid, fd);
            file.fd = None;
        }
        let Some(fd) = file.fd else { return };
        let mut added = Vec::new();
        while let Ok(data) = cx.kernel.read(cx.pid, fd, 1 << 20) {
            if data.is_empty() || added.len() > MAX_HELD {
                break;
            }
            added.extend_from_slice(&data);
        }
        file.read += u64::try_from(added.len()).unwrap_or(0);
        self.print(cx, at, &name, &added, false);
    }
}

fn open(cx: &mut Cx, name: &str) -> Result<Fd, Errno> {
    if name == "-" {
        return Ok(STDIN);
    }
    let path = cx.path(name);
    if cx.kernel.fs.stat(cx.uid(), &path)?.kind == FileKind::Dir {
        return Err(Errno::EISDIR);
    }
    cx.open(name, OpenFlags { read: true, ..OpenFlags::default() })
}

/// The start of the line after `n` lines.
fn nth_line(data: &[u8], n: usize) -> usize {
    if n == 0 {
        return 0;
    }
    data.iter().enumerate().filter(|(_, b)| **b == b'\n').nth(n - 1).map_or(data.len(), |(i, _)| i + 1)
}

/// The part of the input that is printed.
fn wanted(count: TailAmount, data: &[u8]) -> &[u8] {
    let size = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let start = match count {
        TailAmount::LastBytes(n) => data.len().saturating_sub(size(n)),
        TailAmount::FromByte(n) => size(n.saturating_sub(1)).min(data.len()),
        TailAmount::FromLine(n) => nth_line(data, size(n.saturating_sub(1))),
        TailAmount::LastLines(n) => {
            let unfinished = usize::from(!data.is_empty() && !data.ends_with(b"\n"));
            let lines = data.iter().filter(|b| **b == b'\n').count() + unfinished;
            nth_line(data, lines.saturating_sub(size(n)))
        }
    };
    data.get(start..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn a_long_input_takes_little_memory() {
        let mut host = Host::default();
        let long: String = (0..1_000_000).map(|n| format!("{n}\n")).collect();
        for argv in [
            &["tail", "-n3"][..],
            &["tail", "-c", "20"],
            &["tail", "-n", "600000"],
            &["tail", "-n", "+999999"],
        ] {
            host.same(argv, &long, &[]);
        }
    }

    #[test]
    fn first_and_last_parts() {
        let twelve: String = (1..=12).map(|n| format!("{n}\n")).collect();
        let mut host = Host::with(&[("n", &twelve), ("m", "x\ny")]);
        assert_eq!(host.out(&["tail", "-n", "2", "n"]), "11\n12\n");
        assert_eq!(host.out(&["tail", "-3", "n"]), "10\n11\n12\n");
        assert_eq!(host.out(&["tail", "-n", "+11", "n"]), "11\n12\n");
        assert_eq!(host.out(&["tail", "-1", "m"]), "y");
        assert_eq!(host.out(&["tail", "-c", "3", "m"]), "x\ny");
        assert_eq!(host.out(&["tail", "-n", "+1", "m", "m"]), "==> m <==\nx\ny\n==> m <==\nx\ny");
        assert_eq!(host.run_in(&["tail", "-1"], "a\nb\n").out, "b\n");
        let ran = host.run(&["tail", "nope"]);
        assert_eq!(
            (ran.err.as_str(), ran.code),
            ("tail: cannot open 'nope' for reading: No such file or directory\n", 1)
        );
    }
}
