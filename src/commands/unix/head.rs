//! head(1)

use super::getopt::{self, Spec};
use super::input::{Input, Item};
use crate::commands::{Cx, Machine};
use crate::host::{Errno, Status, Step};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// head(1)
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Head {
    input: Input,
    count: Count,
    headers: bool,
    printed: bool,
    seen: u64,
    /// The last ones, while all but those are wanted.
    kept: VecDeque<Vec<u8>>,
    code: u8,
}

/// How much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Count {
    Lines(u64),
    AllButLines(u64),
    Bytes(u64),
    AllButBytes(u64),
}

/// A number with a unit: `10`, `2K`, `1MB`; `None` if it is none.
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

/// `-5` written as an option of its own becomes `-n 5`.
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
pub fn start(cx: &mut Cx) -> Machine {
    const SPEC: Spec = Spec {
        short: "n:c:qvz",
        long: &[("lines", 'n'), ("bytes", 'c'), ("quiet", 'q'), ("silent", 'q'), ("verbose", 'v')],
        usage: 1,
    };
    let args = old_style(cx.args());
    let parsed = match getopt::parse_words(cx, &SPEC, &args) {
        Ok(parsed) => parsed,
        Err(code) => return Machine::End(code),
    };
    let mut count = Count::Lines(10);
    for (letter, value) in parsed.options.iter().filter(|(l, _)| matches!(l, 'n' | 'c')) {
        let (but, digits) = value.strip_prefix('-').map_or((false, value.as_str()), |v| (true, v));
        let Some(n) = number(digits.strip_prefix('+').unwrap_or(digits)) else {
            let what = if *letter == 'n' { "lines" } else { "bytes" };
            cx.error(&format!("invalid number of {what}: '{value}'"));
            return Machine::End(1);
        };
        count = match (*letter, but) {
            ('n', false) => Count::Lines(n),
            ('n', true) => Count::AllButLines(n),
            (_, false) => Count::Bytes(n),
            (_, true) => Count::AllButBytes(n),
        };
    }
    let headers = match parsed.last_of("qv") {
        Some('q') => false,
        Some(_) => true,
        None => parsed.operands.len() > 1,
    };
    let input = Input::new(&parsed.operands);
    Machine::Head(Box::new(Head {
        input,
        count,
        headers,
        printed: false,
        seen: 0,
        kept: VecDeque::new(),
        code: 0,
    }))
}

/// `==> name <==`, after an empty line if something was printed before.
#[must_use]
pub fn header(name: &str, first: bool) -> String {
    let name = if name == "-" { "standard input" } else { name };
    format!("{}==> {name} <==\n", if first { "" } else { "\n" })
}

impl Head {
    /// Copies what is there.
    pub fn step(&mut self, cx: &mut Cx) -> Step {
        while cx.out.len() < 1 << 18 {
            let lines = matches!(self.count, Count::Lines(_) | Count::AllButLines(_));
            let item = match self.count {
                Count::Lines(n) | Count::Bytes(n) if self.seen >= n && self.input.is_open() => {
                    self.input.skip(cx);
                    self.seen = 0;
                    continue;
                }
                _ if lines => self.input.next_line(cx),
                _ => self.input.next_chunk(cx),
            };
            match item {
                Item::Open(name) => self.open(cx, &name),
                Item::Close => self.kept.clear(),
                Item::Line(mut line, newline) => {
                    if newline {
                        line.push(b'\n');
                    }
                    self.take(cx, line);
                }
                Item::Chunk(data) => self.take(cx, data),
                Item::Failed(name, Errno::EISDIR) => {
                    self.open(cx, &name);
                    self.fail(cx, &format!("error reading '{name}': {}", Errno::EISDIR));
                }
                Item::Failed(name, errno) => {
                    self.fail(cx, &format!("cannot open '{name}' for reading: {errno}"));
                }
                Item::Wait(wait) => return Step::Wait(wait),
                Item::End => return Step::Exit(Status::Exited(self.code)),
            }
        }
        Step::Again
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
            Count::Lines(_) => {
                self.seen += 1;
                cx.out.extend_from_slice(&data);
            }
            Count::AllButLines(n) => {
                self.kept.push_back(data);
                while u64::try_from(self.kept.len()).unwrap_or(0) > n {
                    cx.out.extend(self.kept.pop_front().unwrap_or_default());
                }
            }
            Count::Bytes(n) => {
                let room = usize::try_from(n - self.seen).unwrap_or(usize::MAX);
                let part = data.get(..room.min(data.len())).unwrap_or_default();
                self.seen += u64::try_from(part.len()).unwrap_or(0);
                cx.out.extend_from_slice(part);
            }
            Count::AllButBytes(n) => {
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
    use crate::commands::testing::Host;

    #[test]
    fn heads() {
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
