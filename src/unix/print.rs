//! echo(1), printf(1), yes(1), seq(1), clear(1), true(1), false(1).

use super::format::{Conversion, FormatSize, Piece, pieces, unescape};
use super::getopt::{self, Spec};
use crate::{Cx, UnixMachine};
use base::pad;
use host::SliceEnd;
use serde::{Deserialize, Serialize};

/// echo(1)
pub fn echo(cx: &mut Cx) -> u8 {
    let mut words = cx.args();
    let (mut newline, mut escapes) = (true, false);
    while let [first, rest @ ..] = words {
        let Some(letters) = first.strip_prefix('-') else { break };
        if letters.is_empty() || !letters.chars().all(|c| "neE".contains(c)) {
            break;
        }
        for letter in letters.chars() {
            match letter {
                'n' => newline = false,
                'e' => escapes = true,
                _ => escapes = false,
            }
        }
        words = rest;
    }
    let text = words.join(" ");
    if escapes {
        let unescaped = unescape(&text, true);
        newline &= !unescaped.stop;
        cx.out.extend_from_slice(&unescaped.bytes);
    } else {
        cx.print(&text);
    }
    if newline {
        cx.out.push(b'\n');
    }
    0
}

/// printf(1)
pub fn printf(cx: &mut Cx) -> u8 {
    let args = cx.args().to_vec();
    let args = if args.first().is_some_and(|a| a == "--") { &args[1..] } else { &args[..] };
    let Some((format, operands)) = args.split_first() else { return getopt::missing_operand(cx) };
    let pieces = match pieces(format) {
        Ok(pieces) => pieces,
        Err(text) => {
            cx.error(&format!("{text}: invalid conversion specification"));
            return 1;
        }
    };
    let takes = pieces.iter().any(|p| matches!(p, Piece::Conversion(_)));
    let mut printer = Printer { rest: operands, code: 0 };
    loop {
        if !printer.once(cx, &pieces) || printer.rest.is_empty() || !takes {
            return printer.code;
        }
    }
}

struct Printer<'a> {
    rest: &'a [String],
    code: u8,
}

impl Printer<'_> {
    fn next(&mut self) -> &str {
        match self.rest {
            [first, rest @ ..] => {
                self.rest = rest;
                first
            }
            [] => "",
        }
    }

    /// Applies the format once. False after `\c`.
    fn once(&mut self, cx: &mut Cx, pieces: &[Piece]) -> bool {
        for piece in pieces {
            match piece {
                Piece::Text(text) => {
                    let unescaped = unescape(text, false);
                    cx.out.extend_from_slice(&unescaped.bytes);
                    if unescaped.stop {
                        return false;
                    }
                }
                Piece::Conversion(conversion) => {
                    if !self.convert(cx, conversion.clone()) {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn convert(&mut self, cx: &mut Cx, mut conversion: Conversion) -> bool {
        if conversion.width == FormatSize::Argument {
            let width = self.integer(cx);
            conversion.set_width(width);
        }
        if conversion.precision == FormatSize::Argument {
            let precision = self.integer(cx);
            conversion.set_precision(precision);
        }
        match conversion.letter {
            's' => {
                let text = self.next().to_owned();
                cx.print(&conversion.string(&text));
            }
            'b' => {
                let unescaped = unescape(self.next(), true);
                let text = String::from_utf8_lossy(&unescaped.bytes).into_owned();
                cx.print(&conversion.string(&text));
                return !unescaped.stop;
            }
            'q' => {
                let text = quote(self.next());
                cx.print(&conversion.string(&text));
            }
            'c' => {
                let text: String = self.next().chars().take(1).collect();
                cx.print(&conversion.string(&text));
            }
            'd' | 'i' => {
                let value = self.integer(cx);
                cx.print(&conversion.integer(value));
            }
            'u' | 'o' | 'x' | 'X' => {
                let value = self.integer(cx).cast_unsigned();
                cx.print(&conversion.unsigned(value));
            }
            'e' | 'E' | 'f' | 'F' | 'g' | 'G' => {
                let text = self.next().to_owned();
                let value = if text.is_empty() { Some(0.0) } else { text.trim_start().parse().ok() };
                let value = value.or_else(|| whole_number(&text).map(|n| n as f64));
                if value.is_none() {
                    self.not_numeric(cx, &text);
                }
                cx.print(&conversion.float(value.unwrap_or(0.0)));
            }
            letter => {
                cx.error(&format!("%{letter}: invalid conversion specification"));
                self.code = 1;
                return false;
            }
        }
        true
    }

    fn not_numeric(&mut self, cx: &mut Cx, text: &str) {
        cx.error(&format!("'{text}': expected a numeric value"));
        self.code = 1;
    }

    fn integer(&mut self, cx: &mut Cx) -> i64 {
        let text = self.next().to_owned();
        if text.is_empty() {
            return 0;
        }
        if let Some(value) = whole_number(&text) {
            return value;
        }
        let trimmed = text.trim_start();
        let end = trimmed.char_indices().find(|(i, c)| !(c.is_ascii_digit() || *i == 0 && "+-".contains(*c)));
        let digits = &trimmed[..end.map_or(trimmed.len(), |(i, _)| i)];
        match digits.parse() {
            Ok(value) => {
                cx.error(&format!("'{text}': value not completely converted"));
                self.code = 1;
                value
            }
            Err(_) => {
                self.not_numeric(cx, &text);
                0
            }
        }
    }
}

/// A C integer constant, or a quote and a character.
fn whole_number(text: &str) -> Option<i64> {
    if let Some(quoted) = text.strip_prefix(['"', '\'']) {
        return quoted.chars().next().map(|c| i64::from(u32::from(c)));
    }
    let text = text.trim_start();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = digits.to_ascii_lowercase();
    let value = match lower.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        None if lower.len() > 1 && lower.starts_with('0') => u64::from_str_radix(&lower[1..], 8).ok()?,
        None if lower.starts_with(['+', '-']) => return None,
        None => lower.parse().ok()?,
    };
    let value = value.cast_signed();
    Some(if negative { value.wrapping_neg() } else { value })
}

/// `text` quoted for a shell.
#[must_use]
pub fn quote(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else if text.contains('\'') && !text.contains(['"', '$', '`', '\\', '!']) {
        format!("\"{text}\"")
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

/// yes(1), in slices.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Yes {
    line: String,
}

/// Starts yes(1).
pub fn yes(cx: &mut Cx) -> UnixMachine {
    let words = cx.args().join(" ");
    UnixMachine::Yes(Yes { line: if words.is_empty() { "y".into() } else { words } })
}

impl Yes {
    /// Prints some more lines.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        while cx.out.len() < 8192 {
            cx.line(&self.line);
        }
        SliceEnd::Again
    }
}

/// Maximum number of lines of seq(1).
const MAX_SEQ: i64 = 5_000_000;

/// seq(1)
pub fn seq(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "+s:wf:",
        long: &[("separator", 's'), ("equal-width", 'w'), ("format", 'f')],
        usage: 1,
    };
    // Negative numbers look like options.
    let args = cx.args().to_vec();
    let at = args.iter().position(|a| a.parse::<f64>().is_ok()).unwrap_or(args.len());
    let (options, mut numbers) = args.split_at(at);
    if options.last().is_some_and(|o| o == "-s" || o == "-f") {
        numbers = numbers.get(1..).unwrap_or_default();
    }
    let taken = args.len() - numbers.len();
    let parsed = match getopt::parse_words(cx, &SPEC, args.get(..taken).unwrap_or_default()) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    if let Some(bad) = parsed.operands.iter().chain(numbers).find(|n| n.parse::<f64>().is_err()) {
        cx.error(&format!("invalid floating point argument: '{bad}'"));
        getopt::try_help(cx);
        return 1;
    }
    let one = "1".to_owned();
    let (first, step, last) = match numbers {
        [] => return getopt::missing_operand(cx),
        [last] => (&one, &one, last),
        [first, last] => (first, &one, last),
        [first, step, last] => (first, step, last),
        [_, _, _, extra, ..] => return getopt::extra_operand(cx, extra),
    };
    let Some(lines) = sequence(first, step, last, parsed.value('f'), parsed.has('w')) else {
        let text =
            if step.parse() == Ok(0.0) { "invalid Zero increment value: '0'" } else { "too many numbers" };
        cx.error(text);
        return 1;
    };
    if !lines.is_empty() {
        let separator = parsed.value('s').unwrap_or("\n");
        cx.line(&lines.join(separator));
    }
    0
}

fn sequence(first: &str, step: &str, last: &str, format: Option<&str>, wide: bool) -> Option<Vec<String>> {
    let places =
        [first, step].map(|t| t.split_once('.').map_or(0, |(_, f)| f.len())).into_iter().max()?.min(15);
    let (from, by, to): (f64, f64, f64) = (first.parse().ok()?, step.parse().ok()?, last.parse().ok()?);
    let count = (to - from) / by + 1e-10;
    if by == 0.0 || !count.is_finite() || count > MAX_SEQ as f64 {
        return None;
    }
    if count < 0.0 {
        return Some(Vec::new());
    }
    let conversion = format.and_then(|f| pieces(f).ok());
    let count = count as i64;
    let number = |i: i64| from + i as f64 * by;
    let mut lines: Vec<String> = (0..=count)
        .map(|i| match &conversion {
            None => pad::fixed(number(i), places),
            Some(pieces) => pieces
                .iter()
                .map(|piece| match piece {
                    Piece::Text(text) => text.clone(),
                    Piece::Conversion(conversion) => conversion.float(number(i)),
                })
                .collect(),
        })
        .collect();
    if wide {
        let width = lines.iter().map(String::len).max()?;
        for line in &mut lines {
            *line = pad::zeros(&line, width);
        }
    }
    Some(lines)
}

/// clear(1)
pub fn clear(cx: &mut Cx) -> u8 {
    cx.print("\x1b[H\x1b[2J\x1b[3J");
    0
}

/// true(1)
pub fn yes_exit(_cx: &mut Cx) -> u8 {
    0
}

/// false(1)
pub fn no_exit(_cx: &mut Cx) -> u8 {
    1
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;
    use std::process::Command;

    #[test]
    fn same_as_the_real_programs() {
        let mut host = Host::default();
        for line in [
            &["printf", "%s-%5d|%-5s|%05.1f\\n", "a", "42", "x", "3.14159"][..],
            &["printf", "%d %x %o %X\\n", "255", "255", "8", "0xff"],
            &["printf", "%s\\n", "a", "b", "c"],
            &["printf", "%d\\n", "abc"],
            &["printf", "%d\\n", "12abc"],
            &["printf", "a\\tb\\101\\n"],
            &["printf", "%b|%c|%5.2s|\\n", "x\\ty", "hello", "abcdef"],
            &["printf", "%*d %%\\n", "6", "42"],
            &["seq", "5"],
            &["seq", "-w", "8", "11"],
            &["seq", "0", "0.5", "2"],
            &["seq", "-s,", "3", "-1", "1"],
            &["seq", "-s", " ", "1", "3"],
            &["seq", "-2", "1"],
            &["seq", "-f", "%03g", "1", "3"],
            &["seq", "3", "1"],
            &["seq", "a"],
        ] {
            let real = Command::new(format!("/usr/bin/{}", line[0]))
                .args(&line[1..])
                .env("LC_ALL", "C")
                .output()
                .unwrap();
            let ran = host.run(line);
            assert_eq!(ran.out, String::from_utf8_lossy(&real.stdout), "{line:?}");
            assert_eq!(Some(i32::from(ran.code)), real.status.code(), "{line:?}");
            if real.stderr.is_empty() {
                assert_eq!(ran.err, "", "{line:?}");
            }
        }
        assert_eq!(host.out(&["echo", "-e", "a\\tb\\0101\\c", "z"]), "a\tbA");
        assert_eq!(host.out(&["echo", "-n", "-x", "b"]), "-x b");
    }
}
