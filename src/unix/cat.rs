//! cat(1), tee(1): copy bytes as they arrive.

use super::getopt::{self, Spec};
use super::input::{InputFiles, InputItem};
use crate::{Cx, UnixMachine};
use host::kernel::OpenFlags;
use host::{Errno, Fd, SliceEnd, Status};
use serde::{Deserialize, Serialize};

/// Bytes handled in a slice.
const SLICE: usize = 1 << 18;

/// cat(1)
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cat {
    input: InputFiles,
    number: Numbering,
    squeeze: bool,
    ends: bool,
    tabs: bool,
    nonprinting: bool,
    line: u64,
    blank: bool,
    /// The next line continues one without a newline.
    joined: bool,
    code: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Numbering {
    None,
    All,
    NonBlank,
}

/// Starts cat(1).
pub fn cat(cx: &mut Cx) -> UnixMachine {
    const SPEC: Spec = Spec {
        short: "nbsAEvTtue",
        long: &[
            ("number", 'n'),
            ("number-nonblank", 'b'),
            ("squeeze-blank", 's'),
            ("show-all", 'A'),
            ("show-ends", 'E'),
            ("show-nonprinting", 'v'),
            ("show-tabs", 'T'),
        ],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return UnixMachine::End(code),
    };
    let number = if parsed.has('b') {
        Numbering::NonBlank
    } else if parsed.has('n') {
        Numbering::All
    } else {
        Numbering::None
    };
    let all = parsed.has('A');
    UnixMachine::Cat(Box::new(Cat {
        input: InputFiles::new(&parsed.operands),
        number,
        squeeze: parsed.has('s'),
        ends: all || parsed.has('E') || parsed.has('e'),
        tabs: all || parsed.has('T') || parsed.has('t'),
        nonprinting: all || parsed.has('v') || parsed.has('e') || parsed.has('t'),
        line: 0,
        blank: false,
        joined: false,
        code: 0,
    }))
}

impl Cat {
    /// Bytes of memory that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.input.memory()
    }

    fn plain(&self) -> bool {
        self.number == Numbering::None && !(self.squeeze || self.ends || self.tabs || self.nonprinting)
    }

    /// Copies the available input.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        while cx.out.len() < SLICE {
            let item = if self.plain() { self.input.next_chunk(cx) } else { self.input.next_line(cx) };
            match item {
                InputItem::Open(_) | InputItem::Close => {}
                InputItem::Chunk(data) => cx.out.extend_from_slice(&data),
                InputItem::Line(line, newline) => self.show(cx, &line, newline),
                InputItem::Failed(name, errno) => {
                    cx.error(&format!("{name}: {errno}"));
                    self.code = 1;
                }
                InputItem::Wait(wait) => return SliceEnd::Wait(wait),
                InputItem::End => return SliceEnd::Exit(Status::Exited(self.code)),
            }
        }
        SliceEnd::Again
    }

    fn show(&mut self, cx: &mut Cx, line: &[u8], newline: bool) {
        let blank = line.is_empty() && newline && !self.joined;
        if self.squeeze && blank && self.blank {
            return;
        }
        self.blank = blank;
        let counted = match self.number {
            Numbering::None => false,
            Numbering::All => true,
            Numbering::NonBlank => !blank,
        };
        if counted && !self.joined {
            self.line += 1;
            cx.print(&format!("{:6}\t", self.line));
        }
        self.joined = !newline;
        for &byte in line {
            self.byte(cx.out, byte);
        }
        if newline {
            cx.out.extend_from_slice(if self.ends { b"$\n" } else { b"\n" });
        }
    }

    fn byte(&self, out: &mut Vec<u8>, byte: u8) {
        match byte {
            b'\t' if self.tabs => out.extend_from_slice(b"^I"),
            b'\t' => out.push(b'\t'),
            _ if !self.nonprinting => out.push(byte),
            _ => {
                let low = if byte >= 128 {
                    out.extend_from_slice(b"M-");
                    byte - 128
                } else {
                    byte
                };
                match low {
                    0..32 => out.extend_from_slice(&[b'^', low + 64]),
                    127 => out.extend_from_slice(b"^?"),
                    _ => out.push(low),
                }
            }
        }
    }
}

/// tee(1)
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tee {
    input: InputFiles,
    files: Vec<(String, Fd)>,
    code: u8,
}

/// Starts tee(1).
pub fn tee(cx: &mut Cx) -> UnixMachine {
    const SPEC: Spec = Spec { short: "aip", long: &[("append", 'a'), ("ignore-interrupts", 'i')], usage: 1 };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return UnixMachine::End(code),
    };
    let append = parsed.has('a');
    let mut tee = Tee { input: InputFiles::new(&[]), files: Vec::new(), code: 0 };
    for name in parsed.operands {
        let flags =
            OpenFlags { write: true, create: true, append, truncate: !append, ..OpenFlags::default() };
        match cx.open(&name, flags) {
            Ok(fd) => tee.files.push((name, fd)),
            Err(errno) => {
                cx.error(&format!("{name}: {errno}"));
                tee.code = 1;
            }
        }
    }
    UnixMachine::Tee(Box::new(tee))
}

impl Tee {
    /// Bytes of memory that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.input.memory()
    }

    /// Copies the available input.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        while cx.out.len() < SLICE {
            match self.input.next_chunk(cx) {
                InputItem::Open(_) | InputItem::Close | InputItem::Line(..) => {}
                InputItem::Chunk(data) => {
                    cx.out.extend_from_slice(&data);
                    self.copy(cx, &data);
                }
                InputItem::Failed(name, errno) => {
                    cx.error(&format!("{name}: {errno}"));
                    self.code = 1;
                }
                InputItem::Wait(wait) => return SliceEnd::Wait(wait),
                InputItem::End => return SliceEnd::Exit(Status::Exited(self.code)),
            }
        }
        SliceEnd::Again
    }

    fn copy(&mut self, cx: &mut Cx, data: &[u8]) {
        let mut failed = Vec::new();
        for (name, fd) in &self.files {
            let mut rest = data;
            while !rest.is_empty() {
                match cx.kernel.write(cx.pid, *fd, rest, cx.now) {
                    Ok(n) => rest = rest.get(n..).unwrap_or_default(),
                    // Does not wait for a full pipe that was given as a file name (`>(...)`).
                    Err(errno) => {
                        failed.push((name.clone(), *fd, errno));
                        break;
                    }
                }
            }
        }
        for (name, fd, errno) in failed {
            if errno != Errno::EPIPE {
                cx.error(&format!("{name}: {errno}"));
            }
            self.code = 1;
            self.files.retain(|(_, f)| *f != fd);
            let _ = cx.kernel.close(cx.pid, fd);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn cat_and_tee() {
        let mut host = Host::with(&[("a", "one\n\n\n\ttwo\u{1}"), ("b", "three\n")]);
        assert_eq!(host.out(&["cat", "a", "b"]), "one\n\n\n\ttwo\u{1}three\n");
        assert_eq!(
            host.out(&["cat", "-n", "a", "b"]),
            "     1\tone\n     2\t\n     3\t\n     4\t\ttwo\u{1}three\n"
        );
        assert_eq!(host.out(&["cat", "-As", "a"]), "one$\n$\n^Itwo^A");
        assert_eq!(host.out(&["cat", "-b", "b", "-"]), "     1\tthree\n");
        let ran = host.run(&["cat", "a", "nope", "."]);
        assert_eq!(ran.err, "cat: nope: No such file or directory\ncat: .: Is a directory\n");
        assert_eq!(ran.code, 1);
        assert_eq!(host.run_in(&["tee", "-a", "b", "c"], "four\n").out, "four\n");
        assert_eq!((host.cat("b"), host.cat("c")), ("three\nfour\n".into(), "four\n".into()));
        assert_eq!(
            host.run(&["cat", "-z"]).err,
            "cat: invalid option -- 'z'\nTry 'cat --help' for more information.\n"
        );
    }
}
