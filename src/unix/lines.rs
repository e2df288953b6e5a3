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
    all: bool,
    next: u64,
    increment: u64,
    width: u64,
    separator: String,
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
    if let Some(style) = parsed.value('b').filter(|style| !matches!(*style, "a" | "t"))
        && (style == "n" || style.starts_with('p'))
    {
        cx.error(&format!("-b {style}: not simulated in sandbatch"));
        return UnixMachine::End(1);
    }
    if let Some(format) = parsed.value('n').filter(|format| *format != "rn") {
        cx.error(&format!("-n {format}: not simulated in sandbatch"));
        return UnixMachine::End(1);
    }
    let number = |letter, default: u64| parsed.value(letter).and_then(|t| t.parse().ok()).unwrap_or(default);
    let nl = Nl {
        all: parsed.value('b') == Some("a"),
        next: number('v', 1),
        increment: number('i', 1),
        width: number('w', 6).min(100),
        separator: parsed.value('s').unwrap_or("\t").to_owned(),
    };
    machine(&parsed.operands, What::Nl(nl))
}

impl Nl {
    /// Prints a line with its number.
    pub fn line(&mut self, out: &mut Vec<u8>, line: &[u8]) {
        let width = usize::try_from(self.width).unwrap_or(6);
        let head = if self.all || !line.is_empty() {
            let text = pad::right(self.next, width) + &self.separator;
            self.next += self.increment;
            text
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
        Ok(n) if n > 0 => machine(&parsed.operands, What::Fold(Fold { width: n, spaces: parsed.has('s') })),
        Ok(_) | Err(_) => {
            cx.error(&format!("invalid number of columns: '{width}'"));
            UnixMachine::End(1)
        }
    }
}

impl Fold {
    /// Prints a line in pieces, without a newline after the last one.
    pub fn line(&self, out: &mut Vec<u8>, line: &str) {
        let width = usize::try_from(self.width).unwrap_or(80);
        let mut rest = line;
        // The byte at which the rest has to be cut.
        while let Some((mut at, _)) = rest.char_indices().nth(width) {
            if self.spaces
                && let Some(space) = rest[..at].rfind(' ')
            {
                at = space + 1;
            }
            let (piece, after) = rest.split_at(at);
            out.extend_from_slice(piece.as_bytes());
            out.push(b'\n');
            rest = after;
        }
        out.extend_from_slice(rest.as_bytes());
    }
}

/// expand(1): tab stops.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Expand {
    /// A single number is a distance; a list has positions.
    stops: Vec<u64>,
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
    for word in parsed.value('t').unwrap_or("8").split([',', ' ']) {
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
    machine(&parsed.operands, What::Expand(Expand { stops, initial: parsed.has('i') }))
}

impl Expand {
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
                [distance] => (column / distance).saturating_add(1).saturating_mul(*distance),
                list => list.iter().copied().find(|stop| *stop > column).unwrap_or(column + 1),
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
    fn same_as_the_real_programs() {
        let mut host = Host::default();
        let input = "the quick brown fox jumps\n\nover it\n";
        for argv in [
            &["nl"][..],
            &["nl", "-ba", "-w3", "-s: "],
            &["rev"],
            &["fold", "-w", "10"],
            &["fold", "-sw10"],
            &["fold", "-5"],
        ] {
            host.same(argv, input, &[]);
        }
    }
}
