//! head(1)

use super::getopt::{self, Spec};
use super::input::{InputFiles, InputItem};
use crate::{Cx, UnixMachine};
use host::memory::ELEMENT;
use host::{Errno, SliceEnd, Status};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// head(1)
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Head {
    input: InputFiles,
    count: HeadAmount,
    headers: bool,
    printed: bool,
    seen: u64,
    /// The last lines or bytes, for counts that exclude the end.
    kept: VecDeque<Vec<u8>>,
    code: u8,
}

/// What to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum HeadAmount {
    Lines(u64),
    AllButLines(u64),
    Bytes(u64),
    AllButBytes(u64),
}

/// A number with a unit: `10`, `2K`, `1MB`; `None` if it is invalid.
#[must_use]
pub fn number(text: &str) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let factor: u64 = match &text[end..] {
        "" => 1,
        "b" => 512,
        "kB" => 1000,
        "k" | "K" | "KiB" => 1 << 10,
        "MB" => 1_000_000,
        "M" | "MiB" => 1 << 20,
        "GB" => 1_000_000_000,
        "G" | "GiB" => 1 << 30,
        _ => return None,
    };
    text[..end].parse::<u64>().ok()?.checked_mul(factor)
}

/// Replaces the old option `-5` by `-n 5`.
#[must_use]
pub fn old_style(args: &[String]) -> Vec<String> {
    let mut args = args.to_vec();
    if let Some(first) = args.first_mut()
        && let Some(digits) = first.strip_prefix('-')
        && digits.starts_with(|c: char| c.is_ascii_digit())
    {
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let flags: String = digits[end..].chars().map(|f| format!(" -{f}")).collect();
        let number = format!("-n{}", &digits[..end]);
        *first = number;
        let extra: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
        args.splice(1..1, extra);
    }
    args
}

/// Starts head(1).
pub fn start(cx: &mut Cx) -> UnixMachine {
    const SPEC: Spec = Spec {
        short: "n:c:qvz",
        long: &[("lines", 'n'), ("bytes", 'c'), ("quiet", 'q'), ("silent", 'q'), ("verbose", 'v')],
        usage: 1,
    };
    let args = old_style(cx.args());
    let parsed = match getopt::parse_words(cx, &SPEC, &args) {
        Ok(parsed) => parsed,
        Err(code) => return UnixMachine::End(code),
    };
    let mut count = HeadAmount::Lines(10);
    for (letter, value) in parsed.options.iter().filter(|(l, _)| matches!(l, 'n' | 'c')) {
        let (but, digits) = value.strip_prefix('-').map_or((false, value.as_str()), |v| (true, v));
        let Some(n) = number(digits.strip_prefix('+').unwrap_or(digits)) else {
            let what = if *letter == 'n' { "lines" } else { "bytes" };
            cx.error(&format!("invalid number of {what}: '{value}'"));
            return UnixMachine::End(1);
        };
        count = match (*letter, but) {
            ('n', false) => HeadAmount::Lines(n),
            ('n', true) => HeadAmount::AllButLines(n),
            (_, false) => HeadAmount::Bytes(n),
            (_, true) => HeadAmount::AllButBytes(n),
        };
    }
    let headers = match parsed.last_of("qv") {
        Some('q') => false,
        Some(_) => true,
        None => parsed.operands.len() > 1,
    };
    let input = InputFiles::new(&parsed.operands);
    UnixMachine::Head(Box::new(Head {
        input,
        count,
        headers,
        printed: false,
        seen: 0,
        kept: VecDeque::new(),
        code: 0,
    }))
}

/// Prints `==> name <==`, after an empty line unless it is the first.
#[must_use]
pub fn header(name: &str, first: bool) -> String {
    let name = if name == "-" { "standard input" } else { name };
    format!("{}==> {name} <==\n", if first { "" } else { "\n" })
}

impl Head {
    /// Bytes of memory that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        let kept: usize = self.kept.iter().map(|line| line.len() + ELEMENT).sum();
        self.input.memory() + kept
    }

    /// Copies the available input.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        while cx.out.len() < 1 << 18 {
            let lines = matches!(self.count, HeadAmount::Lines(_) | HeadAmount::AllButLines(_));
            let item = match self.count {
                HeadAmount::Lines(n) | HeadAmount::Bytes(n) if self.seen >= n && self.input.is_open() => {
                    self.input.skip(cx);
                    self.seen = 0;
                    continue;
                }
                _ if lines => self.input.next_line(cx),
                _ => self.input.next_chunk(cx),
            };
            match item {
                InputItem::Open(name) => self.open(cx, &name),
                InputItem::Close => self.kept.clear(),
                InputItem::Line(mut line, newline) => {
                    if newline {
                        line.push(b'\n');
                    }
                    self.take(cx, line);
                }
                InputItem::Chunk(data) => self.take(cx, data),
                InputItem::Failed(name, Errno::EISDIR) => {
                    self.open(cx, &name);
                    self.fail(cx, &format!("error reading '{name}': {}", Errno::EISDIR));
                }
                InputItem::Failed(name, errno @ Errno::ENOMEM) => {
                    self.fail(cx, &format!("error reading '{name}': {errno}"));
                }
                InputItem::Failed(name, errno) => {
                    self.fail(cx, &format!("cannot open '{name}' for reading: {errno}"));
                }
                InputItem::Wait(wait) => return SliceEnd::Wait(wait),
                InputItem::End => return SliceEnd::Exit(Status::Exited(self.code)),
            }
        }
        SliceEnd::Again
    }

    fn fail(&mut self, cx: &mut Cx, text: &str) {
        cx.error(text);
        self.code = 1;
    }

    fn open(&mut self, cx: &mut Cx, name: &str) {
        self.seen = 0;
        if self.headers {
            cx.print(&header(name, !self.printed));
        }
        self.printed = true;
    }

    fn take(&mut self, cx: &mut Cx, data: Vec<u8>) {
        match self.count {
            HeadAmount::Lines(_) => {
                self.seen += 1;
                cx.out.extend_from_slice(&data);
            }
            HeadAmount::AllButLines(n) => {
                self.kept.push_back(data);
                while u64::try_from(self.kept.len()).unwrap_or(0) > n {
                    cx.out.extend(self.kept.pop_front().unwrap_or_default());
                }
            }
            HeadAmount::Bytes(n) => {
                let room = usize::try_from(n - self.seen).unwrap_or(usize::MAX);
                let part = data.get(..room.min(data.len())).unwrap_or_default();
                self.seen += u64::try_from(part.len()).unwrap_or(0);
                cx.out.extend_from_slice(part);
            }
            HeadAmount::AllButBytes(n) => {
                let keep = usize::try_from(n).unwrap_or(usize::MAX);
                let mut all: Vec<u8> = self.kept.pop_front().unwrap_or_default();
                all.extend_from_slice(&data);
                let out = all.len().saturating_sub(keep);
                cx.out.extend(all.drain(..out));
                self.kept.push_back(all);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn first_parts() {
        let ten: String = (1..=12).map(|n| format!("{n}\n")).collect();
        let mut host = Host::with(&[("n", &ten), ("m", "x\ny")]);
        assert_eq!(host.out(&["head", "n"]).lines().count(), 10);
        assert_eq!(host.out(&["head", "-2", "n"]), "1\n2\n");
        assert_eq!(host.out(&["head", "-n", "-10", "n"]), "1\n2\n");
        assert_eq!(host.out(&["head", "-c", "3", "n"]), "1\n2");
        assert_eq!(host.out(&["head", "-n1", "n", "m"]), "==> n <==\n1\n\n==> m <==\nx\n");
        assert_eq!(host.out(&["head", "-n", "0", "n", "m"]), "==> n <==\n\n==> m <==\n");
        let ran = host.run(&["head", "nope"]);
        assert_eq!(
            (ran.err.as_str(), ran.code),
            ("head: cannot open 'nope' for reading: No such file or directory\n", 1)
        );
        assert_eq!(host.run_in(&["head", "-1"], "a\nb\n").out, "a\n");
    }
}
