//! Values as text, formatted as jq formats them.

use crate::bound::{self, JqBound};
use crate::value::{Json, sorted_keys};

/// How values are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct JsonFormat {
    /// Spaces for each level; everything on one line if 0.
    pub indent: u8,
    /// Tabs instead of spaces.
    pub tab: bool,
    /// Keys are sorted.
    pub sorted: bool,
    /// Colours.
    pub color: bool,
    /// Characters beyond ASCII as `\u` escapes.
    pub ascii: bool,
    /// A short form for messages, which may end anywhere after 14 bytes.
    pub short: bool,
}

/// Maximum length of a text.
const MAX_TEXT: usize = 64 << 20;

/// jq's colours: null, false, true, numbers, strings, arrays, objects, keys.
const COLORS: [&str; 8] = ["0;90", "0;39", "0;39", "0;39", "0;32", "1;39", "1;39", "1;34"];
const RESET: &str = "\x1b[0m";

/// The value on one line.
pub fn compact(value: &Json) -> String {
    let mut out = String::new();
    write(&mut out, value, JsonFormat::default(), 0);
    out
}

/// The beginning of a value, for messages.
pub fn brief(value: &Json) -> String {
    let mut text = String::new();
    write(&mut text, value, JsonFormat { short: true, ..JsonFormat::default() }, 0);
    if text.len() <= 14 {
        return text;
    }
    let end = (0..=11).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    format!("{}...", &text[..end])
}

/// Whether the output is complete, or too long, which stops the program.
fn full(out: &str, format: JsonFormat) -> bool {
    if out.len() > MAX_TEXT {
        bound::stop(JqBound::Size);
    }
    out.len() > if format.short { 14 } else { MAX_TEXT }
}

/// Appends a value.
pub fn write(out: &mut String, value: &Json, format: JsonFormat, level: usize) {
    if full(out, format) {
        return;
    }
    let color = |out: &mut String| {
        if format.color {
            out.push_str("\x1b[");
            out.push_str(COLORS[kind(value)]);
            out.push('m');
        }
    };
    color(out);
    match value {
        Json::Null => out.push_str("null"),
        Json::Bool(true) => out.push_str("true"),
        Json::Bool(false) => out.push_str("false"),
        Json::Number(n) => out.push_str(&number(*n)),
        Json::Literal(n, _) if n.is_nan() => out.push_str("null"),
        Json::Literal(_, text) => out.push_str(text),
        Json::Text(text) => quote(out, text, format.ascii),
        Json::Array(items) if items.is_empty() => out.push_str("[]"),
        Json::Object(fields) if fields.is_empty() => out.push_str("{}"),
        Json::Array(items) => {
            out.push('[');
            line(out, format, level + 1);
            for (at, item) in items.iter().enumerate() {
                if full(out, format) {
                    return;
                }
                if at > 0 {
                    out.push(',');
                    line(out, format, level + 1);
                }
                write(out, item, format, level + 1);
                color(out);
            }
            line(out, format, level);
            color(out);
            out.push(']');
        }
        Json::Object(fields) => {
            out.push('{');
            line(out, format, level + 1);
            let reset = |out: &mut String| out.push_str(if format.color { RESET } else { "" });
            let field = |out: &mut String, at: usize, key: &str, value: &Json| {
                if full(out, format) {
                    return;
                }
                if at > 0 {
                    out.push(',');
                    line(out, format, level + 1);
                }
                reset(out);
                if format.color {
                    out.push_str("\x1b[");
                    out.push_str(COLORS[7]);
                    out.push('m');
                }
                quote(out, key, format.ascii);
                reset(out);
                color(out);
                out.push_str(if format.indent > 0 || format.tab { ": " } else { ":" });
                reset(out);
                write(out, value, format, level + 1);
                color(out);
            };
            if format.sorted {
                let keys = sorted_keys(fields);
                keys.iter().enumerate().for_each(|(at, key)| field(out, at, key, &fields[&***key]));
            } else {
                fields.iter().enumerate().for_each(|(at, (key, value))| field(out, at, key, value));
            }
            line(out, format, level);
            color(out);
            out.push('}');
        }
    }
    if format.color {
        out.push_str(RESET);
    }
}

const fn kind(value: &Json) -> usize {
    match value {
        Json::Null => 0,
        Json::Bool(false) => 1,
        Json::Bool(true) => 2,
        Json::Number(_) | Json::Literal(..) => 3,
        Json::Text(_) => 4,
        Json::Array(_) => 5,
        Json::Object(_) => 6,
    }
}

/// Starts a new line, unless the output is on one line.
fn line(out: &mut String, format: JsonFormat, level: usize) {
    if format.tab || format.indent > 0 {
        out.push('\n');
        let (with, width) = if format.tab { ('\t', 1) } else { (' ', usize::from(format.indent)) };
        out.extend(std::iter::repeat_n(with, width * level));
    }
}

fn quote(out: &mut String, text: &str, ascii: bool) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\x08' => out.push_str("\\b"),
            '\x0c' => out.push_str("\\f"),
            c if c < ' ' || c == '\x7f' || (ascii && !c.is_ascii()) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// A double with as few digits as identify it: `1e-05`, `1e+17`, and infinity as the largest one.
pub fn number(n: f64) -> String {
    if n.is_nan() {
        return "null".to_owned();
    }
    let n = n.clamp(f64::MIN, f64::MAX);
    let text = format!("{n:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let digits: String = mantissa.chars().filter(|c| *c != '.').collect();
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let length = i32::try_from(digits.len()).unwrap_or(17);
    let point = if n == 0.0 { 1 } else { exponent + 1 };
    let zeros = |n: i32| "0".repeat(usize::try_from(n).unwrap_or(0));
    if point <= -4 || point > length + 15 {
        let rest = if length > 1 { format!(".{}", &digits[1..]) } else { String::new() };
        let mark = if point < 1 { '-' } else { '+' };
        format!("{sign}{}{rest}e{mark}{:02}", &digits[..1], (point - 1).abs())
    } else if point <= 0 {
        format!("{sign}0.{}{digits}", zeros(-point))
    } else if point >= length {
        format!("{sign}{digits}{}", zeros(point - length))
    } else {
        let (whole, rest) = digits.split_at(usize::try_from(point).unwrap_or(0));
        format!("{sign}{whole}.{rest}")
    }
}

/// A number as it was written, in the form that decimal arithmetic prints: `1.000`, `1E+2`, `0.00001`.
pub fn literal(text: &str) -> String {
    let (sign, text) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let text = text.strip_prefix('+').unwrap_or(text);
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent: i64 = exponent.parse::<i64>().unwrap_or(0).clamp(-999_999_999, 999_999_999)
        - i64::try_from(fraction.len()).unwrap_or(0);
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    let digits = if digits.is_empty() { "0" } else { digits };
    let length = i64::try_from(digits.len()).unwrap_or(1);
    let adjusted = exponent + length - 1;
    if exponent <= 0 && adjusted >= -6 {
        let point = length + exponent;
        if exponent == 0 {
            return format!("{sign}{digits}");
        }
        if point > 0 {
            let (whole, rest) = digits.split_at(usize::try_from(point).unwrap_or(0));
            return format!("{sign}{whole}.{rest}");
        }
        return format!("{sign}0.{}{digits}", "0".repeat(usize::try_from(-point).unwrap_or(0)));
    }
    let rest = if length > 1 { format!(".{}", &digits[1..]) } else { String::new() };
    format!("{sign}{}{rest}E{adjusted:+}", &digits[..1])
}
