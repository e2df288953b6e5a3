//! nl(1), fold(1): number lines, wrap lines.

use super::getopt::{self, Spec};
use super::stream::{What, machine};
use crate::{Cx, UnixMachine};
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
            let text = format!("{:>width$}{}", self.next, self.separator);
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
        let mut rest: Vec<char> = line.chars().collect();
        while rest.len() > width {
            let mut at = width;
            if self.spaces
                && let Some(space) = rest[..width].iter().rposition(|c| *c == ' ')
            {
                at = space + 1;
            }
            let piece: String = rest.drain(..at).collect();
            out.extend_from_slice(piece.as_bytes());
            out.push(b'\n');
        }
        out.extend_from_slice(rest.into_iter().collect::<String>().as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn as_the_real_ones() {
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
