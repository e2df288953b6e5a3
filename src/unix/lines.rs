//! nl(1), fold(1), expand(1): number lines, wrap lines, replace tabs.

use super::getopt::{self, Spec};
use super::stream::{What, machine};
use crate::running::MAX_BUFFER;
use crate::{Cx, UnixMachine};
use base::pad;
use host::Errno;
use serde::{Deserialize, Serialize};

/// nl(1), without sections.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Nl {
    body: NlBody,
    format: NlFormat,
    next: i64,
    increment: i64,
    width: u64,
    separator: String,
}

/// Which lines are numbered (`-b`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum NlBody {
    All,
    NotEmpty,
    None,
}

/// How numbers are aligned (`-n`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum NlFormat {
    Left,
    Right,
    Zeros,
}

/// Starts nl(1).
pub fn nl(cx: &mut Cx) -> UnixMachine {
    const SPEC: Spec = Spec {
        short: "b:v:i:w:s:n:",
        long: &[
            ("body-numbering", 'b'),
            ("starting-line-number", 'v'),
            ("line-increment", 'i'),
            ("number-width", 'w'),
            ("number-separator", 's'),
        ],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return UnixMachine::End(code),
    };
    let body = match parsed.value('b').unwrap_or("t") {
        "a" => NlBody::All,
        "t" => NlBody::NotEmpty,
        "n" => NlBody::None,
        style if style.starts_with('p') => {
            cx.error(&format!("-b {style}: not simulated in sandbatch"));
            return UnixMachine::End(1);
        }
        style => {
            cx.error(&format!("invalid body numbering style: '{style}'"));
            getopt::try_help(cx);
            return UnixMachine::End(1);
        }
    };
    let format = match parsed.value('n').unwrap_or("rn") {
        "ln" => NlFormat::Left,
        "rn" => NlFormat::Right,
        "rz" => NlFormat::Zeros,
        format => {
            cx.error(&format!("invalid line numbering format: '{format}'"));
            getopt::try_help(cx);
            return UnixMachine::End(1);
        }
    };
    let mut numbers = [1, 1, 6];
    for (slot, (letter, what)) in numbers.iter_mut().zip([
        ('v', "starting line number"),
        ('i', "line number increment"),
        ('w', "line number field width"),
    ]) {
        let Some(text) = parsed.value(letter) else { continue };
        match text.parse::<i64>().ok().filter(|n| letter != 'w' || *n > 0) {
            Some(number) => *slot = number,
            None => {
                let numerical =
                    if text.parse::<i64>().is_ok() { ": Numerical result out of range" } else { "" };
                cx.error(&format!("invalid {what}: '{text}'{numerical}"));
                return UnixMachine::End(1);
            }
        }
    }
    let [next, increment, width] = numbers;
    let nl = Nl {
        body,
        format,
        next,
        increment,
        width: u64::try_from(width).unwrap_or(6).min(100),
        separator: parsed.value('s').unwrap_or("\t").to_owned(),
    };
    machine(&parsed.operands, What::Nl(nl))
}

impl Nl {
    /// Prints a line with its number.
    pub fn line(&mut self, out: &mut Vec<u8>, line: &[u8]) {
        let width = usize::try_from(self.width).unwrap_or(6);
        let numbered = match self.body {
            NlBody::All => true,
            NlBody::NotEmpty => !line.is_empty(),
            NlBody::None => false,
        };
        let head = if numbered {
            let number = match self.format {
                NlFormat::Left => pad::left(self.next, width),
                NlFormat::Right => pad::right(self.next, width),
                NlFormat::Zeros => pad::zeros(self.next, width),
            };
            self.next = self.next.saturating_add(self.increment);
            number + &self.separator
        } else {
            " ".repeat(width + self.separator.chars().count())
        };
        out.extend_from_slice(head.as_bytes());
        out.extend_from_slice(line);
        out.push(b'\n');
    }
}

/// rev(1)
pub fn rev(cx: &mut Cx) -> UnixMachine {
    let files = cx.args().to_vec();
    machine(&files, What::Rev)
}

/// fold(1)
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fold {
    width: u64,
    spaces: bool,
    /// `-b`: bytes, not columns.
    bytes: bool,
}

/// Starts fold(1).
pub fn fold(cx: &mut Cx) -> UnixMachine {
    const SPEC: Spec =
        Spec { short: "w:sb", long: &[("width", 'w'), ("spaces", 's'), ("bytes", 'b')], usage: 1 };
    let args: Vec<String> = cx
        .args()
        .iter()
        .map(|a| match a.strip_prefix('-') {
            Some(n) if !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()) => format!("-w{n}"),
            Some(_) | None => a.clone(),
        })
        .collect();
    let parsed = match getopt::parse_words(cx, &SPEC, &args) {
        Ok(parsed) => parsed,
        Err(code) => return UnixMachine::End(code),
    };
    let width = parsed.value('w').unwrap_or("80");
    match width.parse() {
        Ok(width) if width > 0 => {
            let fold = Fold { width, spaces: parsed.has('s'), bytes: parsed.has('b') };
            machine(&parsed.operands, What::Fold(fold))
        }
        Ok(_) | Err(_) => {
            cx.error(&format!("invalid number of columns: '{width}'"));
            UnixMachine::End(1)
        }
    }
}

impl Fold {
    /// The column after a byte.
    const fn column(&self, at: u64, byte: u8) -> u64 {
        match byte {
            _ if self.bytes => at + 1,
            8 => at.saturating_sub(1),
            b'\r' => 0,
            b'\t' => (at / 8 + 1) * 8,
            _ => at + 1,
        }
    }

    /// Prints a line in pieces, without a newline after the last one.
    pub fn line(&self, out: &mut Vec<u8>, line: &[u8]) {
        let rest = self.pieces(out, line);
        out.extend_from_slice(rest);
    }

    /// Prints the pieces of a line that are complete, and returns what follows them. A piece does not depend on those
    /// before it.
    pub fn pieces<'a>(&self, out: &mut Vec<u8>, line: &'a [u8]) -> &'a [u8] {
        // The piece so far, the byte after its last blank, and its column.
        let (mut start, mut blank, mut column) = (0, 0, 0);
        for (at, byte) in line.iter().enumerate() {
            while self.column(column, *byte) > self.width && at > start {
                let end = if self.spaces && blank > start { blank } else { at };
                out.extend_from_slice(line.get(start..end).unwrap_or_default());
                out.push(b'\n');
                start = end;
                let rest = line.get(start..at).unwrap_or_default();
                column = rest.iter().fold(0, |column, byte| self.column(column, *byte));
            }
            column = self.column(column, *byte);
            if matches!(byte, b' ' | b'\t') {
                blank = at + 1;
            }
        }
        line.get(start..).unwrap_or_default()
    }
}

/// expand(1): tab stops.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Expand {
    /// A single number is a distance; a list has positions.
    stops: Vec<u64>,
    /// The distance of the stops after these: from the last one (`+N`), or at the multiples (`/N`).
    then: Option<(u64, bool)>,
    initial: bool,
}

/// Starts expand(1).
pub fn expand(cx: &mut Cx) -> UnixMachine {
    const SPEC: Spec = Spec { short: "it:", long: &[("initial", 'i'), ("tabs", 't')], usage: 1 };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return UnixMachine::End(code),
    };
    let mut stops = Vec::new();
    let mut then = None;
    for word in parsed.value('t').unwrap_or("8").split([',', ' ']) {
        let rest = match (word.strip_prefix('+'), word.strip_prefix('/')) {
            (Some(rest), _) => Some((rest, true)),
            (None, Some(rest)) => Some((rest, false)),
            (None, None) => None,
        };
        if let Some((rest, from_last)) = rest
            && let Some(distance) = rest.parse::<u64>().ok().filter(|n| *n > 0)
        {
            then = Some((distance, from_last));
            continue;
        }
        let stop = word.parse::<u64>();
        match (stop, stops.last()) {
            (Ok(0), _) => {
                cx.error("tab size cannot be 0");
                return UnixMachine::End(1);
            }
            (Ok(stop), Some(last)) if stop <= *last => {
                cx.error("tab sizes must be ascending");
                return UnixMachine::End(1);
            }
            (Ok(stop), _) => stops.push(stop),
            (Err(_), _) => {
                let digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
                cx.error(&if digits {
                    format!("tab stop is too large '{word}'")
                } else {
                    format!("tab size contains invalid character(s): '{word}'")
                });
                return UnixMachine::End(1);
            }
        }
    }
    machine(&parsed.operands, What::Expand(Expand { stops, then, initial: parsed.has('i') }))
}

impl Expand {
    /// The stop after a column behind the last one of the list.
    fn further(&self, last: u64, column: u64) -> u64 {
        let (distance, start) = match self.then {
            None => return column + 1,
            Some((distance, true)) => (distance, last),
            Some((distance, false)) => (distance, 0),
        };
        let passed = (column.saturating_sub(start) / distance).saturating_add(1);
        passed.saturating_mul(distance).saturating_add(start)
    }

    /// Prints a line with blanks in place of tabs.
    ///
    /// # Errors
    /// `ENOMEM` if the line would become longer than a buffer may be.
    pub fn line(&self, out: &mut Vec<u8>, line: &[u8]) -> Result<(), Errno> {
        let (mut column, mut leading) = (0_u64, true);
        let text = String::from_utf8_lossy(line);
        for c in text.chars() {
            leading &= matches!(c, ' ' | '\t');
            if c != '\t' || self.initial && !leading {
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                column = if c == '\x08' { column.saturating_sub(1) } else { column + 1 };
                continue;
            }
            let next = match self.stops.as_slice() {
                [distance] if self.then.is_none() => {
                    (column / distance).saturating_add(1).saturating_mul(*distance)
                }
                list => {
                    let listed = list.iter().copied().find(|stop| *stop > column);
                    listed.unwrap_or_else(|| self.further(list.last().copied().unwrap_or(0), column))
                }
            };
            let blanks = usize::try_from(next - column).ok().filter(|n| out.len() + n <= MAX_BUFFER);
            out.extend(std::iter::repeat_n(b' ', blanks.ok_or(Errno::ENOMEM)?));
            column = next;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn tab_stops() {
        let mut host = Host::default();
        let input = "a\tb\n\t\tx\ty\n12345678\tz\n";
        for argv in [
            &["expand"][..],
            &["expand", "-t4"],
            &["expand", "-t", "3,7,20"],
            &["expand", "-i", "-t2"],
            &["expand", "-t0"],
            &["expand", "-t5,3"],
            &["expand", "-t3,+4"],
            &["expand", "-t3,/5"],
            &["expand", "-t/6"],
            &["expand", "-t+6"],
            &["expand", "-tx"],
        ] {
            host.same(argv, input, &[]);
        }
        let far = host.run_in(&["expand", "-t", "99999999999"], input);
        assert_eq!(
            (far.code, far.err.as_str()),
            (1, "expand: Cannot allocate memory\n"),
            "{}",
            far.out.len()
        );
    }

    #[test]
    fn a_long_line_is_folded_in_linear_time() {
        let mut host = Host::default();
        let long = "ab".repeat(2_000_000);
        let folded = host.run_in(&["fold", "-w", "3"], &long).out;
        assert_eq!(folded.lines().count(), 1_333_334);
    }

    #[test]
    fn a_long_line_is_folded_in_bounded_memory() {
        let long = "abcd ef".repeat(300_000);
        for options in ["-w5", "-sw5", "-bw70000"] {
            let mut host = Host::default();
            host.same(&["fold", options], &long, &[]);
            assert!(host.memory < 600_000, "{options}: {}", host.memory);
        }
        // A piece that never ends is kept, and searched a bounded number of times.
        let mut host = Host::default();
        host.same(&["fold", "-w2"], &"a\u{8}".repeat(1_000_000), &[]);
    }

    #[test]
    fn fold_counts_columns() {
        let mut host = Host::default();
        let input = "a\tb c\td e\n\t\t\t\n12\u{8}\u{8}3456 7\rabc def ghi\nlongword and\tmore words\n\n  x";
        for width in ["1", "2", "3", "5", "8", "9", "16", "17", "80"] {
            for options in ["-w", "-sw", "-bw", "-sbw"] {
                host.same(&["fold", &format!("{options}{width}")], input, &[]);
            }
        }
    }

    #[test]
    fn same_as_the_real_programs() {
        let mut host = Host::default();
        let input = "the quick brown fox jumps\n\nover it\n";
        for argv in [
            &["nl"][..],
            &["nl", "-ba", "-w3", "-s: "],
            &["nl", "-nln", "-ba"],
            &["nl", "-nrz", "-w4", "-v-2", "-ba"],
            &["nl", "-bn"],
            &["nl", "-bx"],
            &["nl", "-nx"],
            &["nl", "-w0"],
            &["nl", "-vx"],
            &["nl", "-i-3"],
            &["rev"],
            &["fold", "-w", "10"],
            &["fold", "-sw10"],
            &["fold", "-5"],
            &["fold", "-b", "-w4"],
        ] {
            host.same(argv, input, &[]);
        }
    }
}
