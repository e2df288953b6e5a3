//! The `%` operator of strings.

use super::format::FormatSpec;
use super::value::{Py, PyType};
use super::vm::{PyResult, PyVm, Stop};
use std::iter::Peekable;
use std::str::Chars;
use std::vec::IntoIter;

impl PyVm<'_> {
    /// `text % values`
    pub(super) fn percent(&mut self, format: Py, values: Py) -> PyResult {
        let text = self.str_ref(format).unwrap_or("").to_owned();
        let is_tuple = self.type_of(values) == PyType::Tuple;
        let mapping = self.type_of(values) == PyType::Dict;
        let items = if is_tuple { self.items(values) } else { vec![values] };
        let mut items = items.into_iter();
        let mut out = String::new();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            if c != '%' {
                out.push(c);
                continue;
            }
            if chars.peek() == Some(&'%') {
                chars.next();
                out.push('%');
                continue;
            }
            let mut value = None;
            if chars.peek() == Some(&'(') {
                chars.next();
                let name: String = chars.by_ref().take_while(|c| *c != ')').collect();
                let key = self.text(name);
                value = match self.dict_get(values, key)? {
                    Some(value) => Some(value),
                    None => {
                        let class = self.builtin("KeyError");
                        return Err(Stop::Raise(self.exception_with(class, vec![key])));
                    }
                };
            }
            let mut spec = FormatSpec::default();
            while let Some(flag) = chars.peek().copied().filter(|c| "-+ #0".contains(*c)) {
                chars.next();
                match flag {
                    '-' => spec.align = Some('<'),
                    '0' => spec.zero = true,
                    '#' => spec.alternate = true,
                    sign => spec.sign = Some(sign),
                }
            }
            let width = self.percent_number(&mut chars, &mut items);
            if width < 0 {
                spec.align = Some('<');
            }
            spec.width = usize::try_from(width.unsigned_abs()).unwrap_or(usize::MAX);
            if chars.next_if_eq(&'.').is_some() {
                let precision = self.percent_number(&mut chars, &mut items).max(0);
                spec.precision = Some(usize::try_from(precision).unwrap_or(usize::MAX));
            }
            self.field_fits(spec.width, spec.precision)?;
            let Some(kind) = chars.next() else { return self.value_error("incomplete format") };
            let value = match value.or_else(|| items.next()) {
                Some(value) => value,
                None => return self.type_error("not enough arguments for format string"),
            };
            out += &self.percent_one(value, kind, spec)?;
            self.fits(out.len())?;
        }
        if items.next().is_some() && !mapping {
            return self.type_error("not all arguments converted during string formatting");
        }
        Ok(self.text(out))
    }

    /// The width or precision of a `%` conversion: digits, or `*` for the next value.
    fn percent_number(&self, chars: &mut Peekable<Chars<'_>>, items: &mut IntoIter<Py>) -> i64 {
        if chars.next_if_eq(&'*').is_some() {
            return items.next().and_then(|v| self.as_int(v)).unwrap_or(0);
        }
        let digits = std::iter::from_fn(|| chars.next_if(char::is_ascii_digit)?.to_digit(10));
        digits.fold(0, |n: i64, digit| n.saturating_mul(10).saturating_add(digit.into()))
    }

    fn percent_one(&mut self, value: Py, kind: char, mut spec: FormatSpec) -> PyResult<String> {
        if spec.align == Some('<') {
            spec.zero = false;
        }
        let default = if spec.align == Some('<') { '<' } else { '>' };
        match kind {
            's' | 'r' | 'a' => {
                let text = if kind == 's' { self.str(value)? } else { self.repr(value)? };
                let text: String = text.chars().take(spec.precision.unwrap_or(usize::MAX)).collect();
                spec.zero = false;
                Ok(spec.pad("", &text, default))
            }
            'c' => {
                let text = match self.as_int(value) {
                    Some(n) => u32::try_from(n).ok().and_then(char::from_u32).unwrap_or('?').to_string(),
                    None => self.str(value)?,
                };
                if text.chars().count() != 1 {
                    return self.type_error("%c requires int or char");
                }
                Ok(spec.pad("", &text, default))
            }
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' => {
                let value = match self.payload(value) {
                    Py::Float(x) if "diu".contains(kind) => Py::Int(x as i64),
                    other => other,
                };
                if self.as_big(value).is_none() {
                    let (what, name) =
                        if "diu".contains(kind) { ("a real number", kind) } else { ("an integer", kind) };
                    let message =
                        format!("%{name} format: {what} is required, not {}", self.type_name(value));
                    return self.type_error(&message);
                }
                spec.kind = Some(if "iu".contains(kind) { 'd' } else { kind });
                spec.precision = None;
                self.format_int(value, &spec)
            }
            'f' | 'F' | 'e' | 'E' | 'g' | 'G' => match self.as_float(value) {
                Some(x) => {
                    spec.kind = Some(kind);
                    self.format_float(x, &spec, "float")
                }
                None => {
                    let message = format!("must be real number, not {}", self.type_name(value));
                    self.type_error(&message)
                }
            },
            _ => {
                let message = format!("unsupported format character '{kind}' (0x{:x})", u32::from(kind));
                self.value_error(&message)
            }
        }
    }
}
