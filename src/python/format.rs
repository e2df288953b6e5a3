//! `format` and f-strings.

use super::convert::float_text;
use super::value::{Py, PyType};
use super::vm::{PyResult, PyVm, Stop};
use base::pad;

/// A parsed format specification.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FormatSpec {
    pub fill: Option<char>,
    pub align: Option<char>,
    pub sign: Option<char>,
    pub alternate: bool,
    pub zero: bool,
    pub width: usize,
    pub comma: Option<char>,
    pub precision: Option<usize>,
    pub kind: Option<char>,
}

impl FormatSpec {
    fn read(text: &str) -> Option<Self> {
        let chars: Vec<char> = text.chars().collect();
        let mut spec = Self::default();
        let mut i = 0;
        if chars.len() > 1 && "<>=^".contains(chars[1]) {
            (spec.fill, spec.align) = (Some(chars[0]), Some(chars[1]));
            i = 2;
        } else if chars.first().is_some_and(|c| "<>=^".contains(*c)) {
            spec.align = Some(chars[0]);
            i = 1;
        }
        let take = |set: &str, i: &mut usize| {
            chars.get(*i).copied().filter(|c| set.contains(*c)).inspect(|_| *i += 1)
        };
        spec.sign = take("+- ", &mut i);
        spec.alternate = take("#", &mut i).is_some();
        spec.zero = take("0", &mut i).is_some();
        let number = |i: &mut usize| {
            let from = *i;
            while chars.get(*i).is_some_and(char::is_ascii_digit) {
                *i += 1;
            }
            let digits: String = chars[from..*i].iter().collect();
            (!digits.is_empty()).then(|| digits.parse().unwrap_or(usize::MAX))
        };
        spec.width = number(&mut i).unwrap_or(0);
        if let Some(c) = chars.get(i).filter(|c| ",_".contains(**c)) {
            spec.comma = Some(*c);
            i += 1;
        }
        if chars.get(i) == Some(&'.') {
            i += 1;
            spec.precision = Some(number(&mut i)?);
        }
        if i < chars.len() {
            spec.kind = Some(chars[i]);
            i += 1;
        }
        (i == chars.len()).then_some(spec)
    }

    pub fn pad(&self, sign: &str, body: &str, default: char) -> String {
        let len = sign.chars().count() + body.chars().count();
        let missing = self.width.saturating_sub(len);
        let fill = self.fill.unwrap_or(if self.zero { '0' } else { ' ' });
        let fill = |n: usize| fill.to_string().repeat(n);
        match self.align.unwrap_or(if self.zero && default == '>' { '=' } else { default }) {
            '<' => format!("{sign}{body}{}", fill(missing)),
            '^' => format!("{}{sign}{body}{}", fill(missing / 2), fill(missing - missing / 2)),
            '=' => format!("{sign}{}{body}", fill(missing)),
            _ => format!("{}{sign}{body}", fill(missing)),
        }
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.sign) {
            (true, _) => "-",
            (false, Some('+')) => "+",
            (false, Some(' ')) => " ",
            _ => "",
        }
    }
}

/// Groups digits in threes.
fn grouped(digits: &str, by: char, size: usize) -> String {
    let (whole, rest) = digits.split_at(digits.find(['.', 'e']).unwrap_or(digits.len()));
    let mut out = String::new();
    for (i, c) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % size == 0 {
            out.push(by);
        }
        out.push(c);
    }
    out + rest
}

/// `1.5e3` as C prints it: `1.5e+03`.
fn scientific(x: f64, precision: usize) -> String {
    let (digits, exponent) = pad::scientific(x, precision);
    format!("{digits}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

/// `%g`
fn general(x: f64, precision: usize, keep: bool) -> String {
    let precision = precision.max(1);
    let (_, exponent) = pad::scientific(x, precision - 1);
    let trim = |text: String| {
        if keep || !text.contains('.') {
            text
        } else {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    };
    if exponent < -4 || exponent >= i32::try_from(precision).unwrap_or(i32::MAX) {
        let text = scientific(x, precision - 1);
        let (digits, rest) = text.split_once('e').unwrap_or((&text, ""));
        return format!("{}e{rest}", trim(digits.to_owned()));
    }
    let decimals =
        usize::try_from(i64::try_from(precision).unwrap_or(0) - 1 - i64::from(exponent)).unwrap_or(0);
    trim(pad::fixed(x, decimals))
}

impl PyVm<'_> {
    pub(super) fn format_value(&mut self, value: Py, letter: u32, spec: Py) -> PyResult {
        let value = match char::from_u32(letter) {
            Some('r') => {
                let text = self.repr(value)?;
                self.text(text)
            }
            Some('s') => {
                let text = self.str(value)?;
                self.text(text)
            }
            Some('a') => {
                let text = self.repr(value)?;
                self.text(text)
            }
            _ => value,
        };
        let spec = self.str_ref(spec).unwrap_or("").to_owned();
        let text = self.format(value, &spec)?;
        Ok(self.text(text))
    }

    /// `format(value, spec)`
    pub fn format(&mut self, value: Py, spec: &str) -> PyResult<String> {
        if let Some(f) = self.class_attr(value, "__format__").filter(|f| !matches!(f, Py::Native(_))) {
            let spec = self.text(spec);
            let result = self.call_nested(f, vec![value, spec], Vec::new())?;
            return self.str(result);
        }
        if spec.is_empty() {
            return self.str(value);
        }
        let Some(parsed) = FormatSpec::read(spec) else {
            let message =
                format!("Invalid format specifier '{spec}' for object of type '{}'", self.type_name(value));
            return self.value_error(&message);
        };
        self.field_fits(parsed.width, parsed.precision)?;
        let kind = self.type_of(value);
        match kind {
            PyType::Int | PyType::Bool => self.format_int(value, &parsed),
            PyType::Float => {
                let x = self.as_float(value).unwrap_or(0.0);
                self.format_float(x, &parsed, "float")
            }
            PyType::Str => {
                if let Some(c) = parsed.kind.filter(|c| *c != 's') {
                    return self.value_error(&format!("Unknown format code '{c}' for object of type 'str'"));
                }
                if parsed.sign.is_some() {
                    return self.value_error("Sign not allowed in string format specifier");
                }
                let text = self.str(value)?;
                let text: String = match parsed.precision {
                    Some(n) => text.chars().take(n).collect(),
                    None => text,
                };
                Ok(parsed.pad("", &text, '<'))
            }
            _ => {
                let message =
                    format!("unsupported format string passed to {}.__format__", self.type_name(value));
                self.type_error(&message)
            }
        }
    }

    pub(super) fn format_int(&mut self, value: Py, spec: &FormatSpec) -> PyResult<String> {
        let Some(n) = self.as_big(value) else { return Ok(String::new()) };
        if spec.precision.is_some()
            && matches!(spec.kind, None | Some('d' | 'n' | 'x' | 'X' | 'o' | 'b' | 'c'))
        {
            return self.value_error("Precision not allowed in integer format specifier");
        }
        let negative = n.sign() == num_bigint::Sign::Minus;
        let size = n.magnitude();
        let (prefix, digits) = match spec.kind {
            None | Some('d' | 'n') => ("", size.to_string()),
            Some('x') => ("0x", size.to_str_radix(16)),
            Some('X') => ("0X", size.to_str_radix(16).to_uppercase()),
            Some('o') => ("0o", size.to_str_radix(8)),
            Some('b') => ("0b", size.to_str_radix(2)),
            Some('c') => {
                let c = self
                    .as_int(value)
                    .and_then(|n| u32::try_from(n).ok())
                    .and_then(char::from_u32)
                    .unwrap_or('?');
                return Ok(spec.pad("", &c.to_string(), '<'));
            }
            Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%') => {
                let x = self.as_float(value).unwrap_or(0.0);
                return self.format_float(x, spec, "int");
            }
            Some(c) => {
                return self.value_error(&format!("Unknown format code '{c}' for object of type 'int'"));
            }
        };
        let digits = match spec.comma {
            Some(by) => grouped(&digits, by, if prefix.is_empty() { 3 } else { 4 }),
            None => digits,
        };
        let sign = format!("{}{}", spec.sign(negative), if spec.alternate { prefix } else { "" });
        Ok(spec.pad(&sign, &digits, '>'))
    }

    pub(super) fn format_float(&mut self, x: f64, spec: &FormatSpec, kind: &str) -> PyResult<String> {
        let negative = x.is_sign_negative() && !x.is_nan();
        let size = x.abs();
        let body = if !size.is_finite() {
            if x.is_nan() { "nan".to_owned() } else { "inf".to_owned() }
        } else {
            match spec.kind {
                Some('f' | 'F') => pad::fixed(size, spec.precision.unwrap_or(6)),
                Some('%') => pad::fixed(size * 100.0, spec.precision.unwrap_or(6)) + "%",
                Some('e') => scientific(size, spec.precision.unwrap_or(6)),
                Some('E') => scientific(size, spec.precision.unwrap_or(6)).to_uppercase(),
                Some('g' | 'n') => general(size, spec.precision.unwrap_or(6), spec.alternate),
                Some('G') => general(size, spec.precision.unwrap_or(6), spec.alternate).to_uppercase(),
                None => match spec.precision {
                    Some(p) => {
                        let text = general(size, p, false);
                        if text.contains(['.', 'e']) { text } else { format!("{text}.0") }
                    }
                    None => float_text(size),
                },
                Some(c) => {
                    return self
                        .value_error(&format!("Unknown format code '{c}' for object of type '{kind}'"));
                }
            }
        };
        let body = match spec.comma {
            Some(by) => grouped(&body, by, 3),
            None => body,
        };
        Ok(spec.pad(spec.sign(negative), &body, '>'))
    }

    /// `"{} {name}".format(...)`
    pub fn format_method(
        &mut self,
        text: &str,
        args: &[Py],
        named: &[(super::ast::PyName, Py)],
    ) -> PyResult<String> {
        let mut out = String::new();
        let (mut next, mut manual) = (0, false);
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            out += &rest[..at];
            let brace = &rest[at..=at];
            if rest[at + 1..].starts_with(brace) {
                out += brace;
                rest = &rest[at + 2..];
                continue;
            }
            if brace == "}" {
                return self.value_error("Single '}' encountered in format string");
            }
            let mut depth = 0;
            let end = rest[at..].char_indices().find(|(_, c)| {
                depth += match c {
                    '{' => 1,
                    '}' => -1,
                    _ => 0,
                };
                depth == 0
            });
            let Some((len, _)) = end else {
                return self.value_error("Single '{' encountered in format string");
            };
            let field = &rest[at + 1..at + len];
            rest = &rest[at + len + 1..];
            let (field, spec) = field.split_once(':').unwrap_or((field, ""));
            let (field, conversion) = field.split_once('!').unwrap_or((field, ""));
            let base = field.find(['.', '[']).unwrap_or(field.len());
            let (name, trail) = field.split_at(base);
            if manual && name.is_empty() || next > 0 && name.parse::<usize>().is_ok() {
                let (from, to) = if manual {
                    ("manual field specification", "automatic field numbering")
                } else {
                    ("automatic field numbering", "manual field specification")
                };
                return self.value_error(&format!("cannot switch from {from} to {to}"));
            }
            let mut value = if let Ok(n) = name.parse::<usize>() {
                manual = true;
                args.get(n).copied()
            } else if name.is_empty() {
                next += 1;
                args.get(next - 1).copied()
            } else {
                match named.iter().find(|n| &*n.0 == name) {
                    Some(found) => Some(found.1),
                    None => {
                        let key = self.text(name);
                        let class = self.builtin("KeyError");
                        return Err(Stop::Raise(self.exception_with(class, vec![key])));
                    }
                }
            };
            if value.is_none() {
                return Err(
                    self.error("IndexError", "Replacement index 0 out of range for positional args tuple")
                );
            }
            if trail.rfind('[').is_some_and(|at| !trail[at..].contains(']')) {
                return self.value_error("expected '}' before end of string");
            }
            let mut trail = trail;
            while let (Some(object), false) = (value, trail.is_empty()) {
                if let Some(attr) = trail.strip_prefix('.') {
                    let end = attr.find(['.', '[']).unwrap_or(attr.len());
                    value = Some(self.attr_now(object, &attr[..end])?);
                    trail = &attr[end..];
                } else {
                    let Some(end) = trail.find(']').filter(|_| trail.starts_with('[')) else {
                        return self.value_error("Only '.' or '[' may follow ']' in format field specifier");
                    };
                    let key = &trail[1..end];
                    if key.is_empty() {
                        return self.value_error("Empty attribute in format string");
                    }
                    let key = key.parse::<i64>().map_or_else(|_| self.text(key), Py::Int);
                    value = Some(self.index(object, key)?);
                    trail = &trail[end + 1..];
                }
            }
            let value = value.unwrap_or(Py::None);
            let spec = if spec.contains('{') {
                self.format_method(spec, &args[next.min(args.len())..], named)?
            } else {
                spec.to_owned()
            };
            out += &match conversion {
                "r" => {
                    let text = self.repr(value)?;
                    let text = self.text(text);
                    self.format(text, &spec)?
                }
                _ => self.format(value, &spec)?,
            };
            self.fits(out.len())?;
        }
        out += rest;
        Ok(out)
    }
}
