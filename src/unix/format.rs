//! printf(3)'s conversions and C's escapes, for printf(1), awk and seq.

use base::pad;
use std::fmt::Write;

/// One `%` conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conversion {
    /// `-`
    pub left: bool,
    /// `+`
    pub plus: bool,
    /// space
    pub space: bool,
    /// `0`
    pub zero: bool,
    /// `#`
    pub alternate: bool,
    /// Minimum width; `*` takes an argument.
    pub width: FormatSize,
    /// Digits after the point, maximum characters, or minimum digits.
    pub precision: FormatSize,
    /// The letter.
    pub letter: char,
}

/// A width or precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FormatSize {
    /// Not given.
    #[default]
    None,
    /// A literal number.
    Given(u32),
    /// `*`
    Argument,
}

/// A part of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Literal text.
    Text(String),
    /// A conversion.
    Conversion(Conversion),
}

/// Maximum width.
const MAX_WIDTH: u32 = 1 << 20;

impl FormatSize {
    /// The number, limited to the maximum.
    #[must_use]
    pub fn get(self) -> Option<usize> {
        match self {
            Self::None | Self::Argument => None,
            Self::Given(n) => usize::try_from(n.min(MAX_WIDTH)).ok(),
        }
    }
}

/// Splits a format into parts. A `%` that does not start a valid conversion is an `Err` with the text read.
///
/// # Errors
/// The text of the malformed conversion.
pub fn pieces(format: &str) -> Result<Vec<Piece>, String> {
    let mut all = Vec::new();
    let mut text = String::new();
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '%' {
            text.push(c);
            continue;
        }
        if rest.next_if_eq(&'%').is_some() {
            text.push('%');
            continue;
        }
        if !text.is_empty() {
            all.push(Piece::Text(std::mem::take(&mut text)));
        }
        let mut read = String::from("%");
        let mut conversion = Conversion::default();
        while let Some(flag) = rest.next_if(|c| "-+ 0#'".contains(*c)) {
            read.push(flag);
            match flag {
                '-' => conversion.left = true,
                '+' => conversion.plus = true,
                ' ' => conversion.space = true,
                '0' => conversion.zero = true,
                _ => conversion.alternate |= flag == '#',
            }
        }
        conversion.width = size(&mut rest, &mut read);
        if let Some(dot) = rest.next_if_eq(&'.') {
            read.push(dot);
            conversion.precision = match size(&mut rest, &mut read) {
                FormatSize::None => FormatSize::Given(0),
                given => given,
            };
        }
        while let Some(modifier) = rest.next_if(|c| "hlLqjzt".contains(*c)) {
            read.push(modifier);
        }
        match rest.next() {
            Some(letter) if letter.is_ascii_alphabetic() => conversion.letter = letter,
            other => {
                read.extend(other);
                return Err(read);
            }
        }
        all.push(Piece::Conversion(conversion));
    }
    if !text.is_empty() {
        all.push(Piece::Text(text));
    }
    Ok(all)
}

fn size(rest: &mut std::iter::Peekable<std::str::Chars>, read: &mut String) -> FormatSize {
    if let Some(star) = rest.next_if_eq(&'*') {
        read.push(star);
        return FormatSize::Argument;
    }
    let mut number = None;
    while let Some(digit) = rest.next_if(char::is_ascii_digit) {
        read.push(digit);
        let digit = digit.to_digit(10).unwrap_or(0);
        number = Some(number.unwrap_or(0_u32).saturating_mul(10).saturating_add(digit));
    }
    number.map_or(FormatSize::None, FormatSize::Given)
}

impl Conversion {
    /// Sets a width from an argument. A negative one means left-aligned.
    pub fn set_width(&mut self, width: i64) {
        self.left |= width < 0;
        self.width = FormatSize::Given(u32::try_from(width.unsigned_abs()).unwrap_or(MAX_WIDTH));
    }

    /// Sets a precision from an argument. A negative one counts as not given.
    pub fn set_precision(&mut self, precision: i64) {
        self.precision = u32::try_from(precision).map_or(FormatSize::None, FormatSize::Given);
    }

    fn pad(&self, sign: &str, body: &str, zeros: bool) -> String {
        let width = self.width.get().unwrap_or(0);
        let missing = width.saturating_sub(sign.len() + body.chars().count());
        if self.left {
            format!("{sign}{body}{}", " ".repeat(missing))
        } else if self.zero && zeros {
            format!("{sign}{}{body}", "0".repeat(missing))
        } else {
            format!("{}{sign}{body}", " ".repeat(missing))
        }
    }

    /// `%s`
    #[must_use]
    pub fn string(&self, text: &str) -> String {
        match self.precision.get() {
            Some(most) => self.pad("", &text.chars().take(most).collect::<String>(), false),
            None => self.pad("", text, false),
        }
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            (false, false, false) => "",
        }
    }

    /// `%d`
    #[must_use]
    pub fn integer(&self, value: i64) -> String {
        let digits = self.least_digits(&value.unsigned_abs().to_string());
        self.pad(self.sign(value < 0), &digits, self.precision == FormatSize::None)
    }

    /// `%u %o %x %X`
    #[must_use]
    pub fn unsigned(&self, value: u64) -> String {
        let (prefix, digits) = match self.letter {
            'o' => ("0", format!("{value:o}")),
            'x' => ("0x", format!("{value:x}")),
            'X' => ("0X", format!("{value:X}")),
            _ => ("", value.to_string()),
        };
        let prefix = if self.alternate && value != 0 { prefix } else { "" };
        self.pad(prefix, &self.least_digits(&digits), self.precision == FormatSize::None)
    }

    fn least_digits(&self, digits: &str) -> String {
        match self.precision.get() {
            Some(0) if digits == "0" => String::new(),
            Some(least) => pad::zeros(digits, least),
            None => digits.to_owned(),
        }
    }

    /// `%e %f %g` and their capitals
    #[must_use]
    pub fn float(&self, value: f64) -> String {
        let sign = self.sign(value.is_sign_negative());
        let size = value.abs();
        if !size.is_finite() {
            let body = if size.is_nan() { "nan" } else { "inf" };
            let body = if self.letter.is_ascii_uppercase() { body.to_ascii_uppercase() } else { body.into() };
            return self.pad(sign, &body, false);
        }
        let precision = self.precision.get().unwrap_or(6);
        let mut body = match self.letter {
            'e' | 'E' => exponential(size, precision),
            'g' | 'G' => general(size, precision, self.alternate),
            _ => pad::fixed(size, precision),
        };
        if self.letter.is_ascii_uppercase() {
            body.make_ascii_uppercase();
        }
        self.pad(sign, &body, true)
    }
}

fn exponential(size: f64, precision: usize) -> String {
    let (mantissa, exponent) = pad::scientific(size, precision);
    format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.unsigned_abs())
}

fn general(size: f64, precision: usize, keep_zeros: bool) -> String {
    let precision = precision.max(1);
    let exponent = i64::from(pad::scientific(size, precision - 1).1);
    let digits = i64::try_from(precision).unwrap_or(i64::MAX);
    let (mut body, tail) = if exponent < -4 || exponent >= digits {
        let text = exponential(size, precision - 1);
        let (mantissa, tail) = text.split_once('e').unwrap_or((&text, "+00"));
        (mantissa.to_owned(), format!("e{tail}"))
    } else {
        let places = usize::try_from(digits - 1 - exponent).unwrap_or(0);
        (pad::fixed(size, places), String::new())
    };
    if !keep_zeros && body.contains('.') {
        body.truncate(body.trim_end_matches('0').trim_end_matches('.').len());
    }
    body + &tail
}

/// The result of [`unescape`].
#[derive(Debug, PartialEq, Eq)]
pub struct Unescaped {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// `\c` was found: print nothing more.
    pub stop: bool,
}

/// Resolves C escapes. `zero`: octal numbers are written `\0NNN`, as in `echo -e` and `%b`; otherwise `\NNN`.
#[must_use]
pub fn unescape(text: &str, zero: bool) -> Unescaped {
    let mut bytes = Vec::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\\' {
            push_char(&mut bytes, c);
            continue;
        }
        let Some(c) = rest.next() else {
            bytes.push(b'\\');
            break;
        };
        match c {
            'a' => bytes.push(7),
            'b' => bytes.push(8),
            'c' => return Unescaped { bytes, stop: true },
            'e' | 'E' => bytes.push(27),
            'f' => bytes.push(12),
            'n' => bytes.push(b'\n'),
            'r' => bytes.push(b'\r'),
            't' => bytes.push(b'\t'),
            'v' => bytes.push(11),
            '\\' => bytes.push(b'\\'),
            '"' if !zero => bytes.push(b'"'),
            'x' => match number(&mut rest, 16, 2) {
                Some(n) => bytes.push(n),
                None => bytes.extend_from_slice(b"\\x"),
            },
            '0' if zero => bytes.push(number(&mut rest, 8, 3).unwrap_or(0)),
            '0'..='7' => {
                let first = c.to_digit(8).unwrap_or(0);
                let mut value = first;
                for _ in 0..2 {
                    if let Some(d) = rest.peek().and_then(|c| c.to_digit(8)) {
                        value = value * 8 + d;
                        rest.next();
                    }
                }
                bytes.push(u8::try_from(value & 255).unwrap_or(0));
            }
            c => {
                bytes.push(b'\\');
                push_char(&mut bytes, c);
            }
        }
    }
    Unescaped { bytes, stop: false }
}

fn push_char(bytes: &mut Vec<u8>, c: char) {
    bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

fn number(rest: &mut std::iter::Peekable<std::str::Chars>, base: u32, most: u32) -> Option<u8> {
    let mut value = None;
    for _ in 0..most {
        let Some(digit) = rest.peek().and_then(|c| c.to_digit(base)) else { break };
        rest.next();
        value = Some(value.unwrap_or(0) * base + digit);
    }
    value.map(|v| u8::try_from(v & 255).unwrap_or(0))
}

/// `1234` with a unit as `ls -h` and `du -h` print sizes: 1024-based, rounded up, one decimal below 10.
#[must_use]
pub fn human(bytes: u64) -> String {
    let mut unit = 1_u64;
    let mut letters = "KMGTPE".chars();
    let mut letter = None;
    while bytes / unit >= 1024 {
        unit <<= 10;
        letter = letters.next();
    }
    let Some(mut suffix) = letter else { return bytes.to_string() };
    let tenths = (bytes / unit) * 10 + ((bytes % unit) * 10).div_ceil(unit);
    let mut text = String::new();
    if tenths < 100 {
        let _ = write!(text, "{}.{}{suffix}", tenths / 10, tenths % 10);
    } else {
        let mut whole = tenths.div_ceil(10);
        if whole >= 1024 {
            suffix = letters.next().unwrap_or(suffix);
            whole = 1;
            return format!("{whole}.0{suffix}");
        }
        let _ = write!(text, "{whole}{suffix}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(format: &str) -> Conversion {
        match pieces(format).unwrap().remove(0) {
            Piece::Conversion(conversion) => conversion,
            Piece::Text(text) => panic!("{text}"),
        }
    }

    #[test]
    fn conversions() {
        assert_eq!(one("%5d").integer(-42), "  -42");
        assert_eq!(one("%-5d").integer(42), "42   ");
        assert_eq!(one("%05d").integer(-42), "-0042");
        assert_eq!(one("%+.3d").integer(7), "+007");
        assert_eq!(one("%#x").unsigned(255), "0xff");
        assert_eq!(one("%.2f").float(2.345_678), "2.35");
        assert_eq!(one("%e").float(12_345.678), "1.234568e+04");
        assert_eq!(one("%g").float(0.0001), "0.0001");
        assert_eq!(one("%g").float(1e10), "1e+10");
        assert_eq!(one("%.3g").float(2.71728), "2.72");
        assert_eq!(one("%10.2s").string("abc"), "        ab");
        assert_eq!(pieces("a%%b"), Ok(vec![Piece::Text("a%b".into())]));
        assert_eq!(pieces("%5!"), Err("%5!".into()));
    }

    #[test]
    fn sizes() {
        let texts: Vec<_> = [0, 1023, 1024, 1025, 10_240, 1_048_575, 5_000_000].map(human).to_vec();
        assert_eq!(texts, ["0", "1023", "1.0K", "1.1K", "10K", "1.0M", "4.8M"]);
    }
}
