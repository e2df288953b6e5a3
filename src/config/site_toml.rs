//! `site.toml` as values with line numbers, parsed by the crate `toml`, in document order.
//!
//! The parser continues after an error, so one invalid line loses only that line and every error is reported. It
//! also limits how deeply values may be nested.

use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Maximum number of syntax errors reported for one document.
const MAX_ERRORS: usize = 20;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TomlValue {
    Text(String),
    Number(i64),
    Float(f64),
    Bool(bool),
    /// A date, a time or both, as written.
    Date(String),
    List(Vec<TomlValue>),
    Table(TomlTable),
}

/// A key with its value and line number.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TomlKey {
    pub(super) name: String,
    pub(super) line: u32,
    pub(super) value: TomlValue,
}

/// Keys and values in document order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TomlTable {
    /// The line where it begins.
    pub(super) line: u32,
    pub(super) keys: Vec<TomlKey>,
}

impl TomlTable {
    pub(super) fn get(&self, name: &str) -> Option<&TomlValue> {
        self.keys.iter().find(|k| k.name == name).map(|k| &k.value)
    }
}

/// A syntax error and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TomlError {
    pub(super) line: u32,
    pub(super) message: String,
}

/// Parses a document: everything that is valid, and the first errors in order of their lines.
pub(super) fn parse(text: &str) -> (TomlTable, Vec<TomlError>) {
    let (root, errors) = DeTable::parse_recoverable(text);
    let mut document = Document { lines: LineStarts::new(text), errors: Vec::new() };
    for error in errors.iter().take(MAX_ERRORS) {
        let line = document.lines.of(error.span().unwrap_or_default());
        document.errors.push(TomlError { line, message: error.message().to_owned() });
    }
    let mut table = document.table(root.get_ref(), root.span());
    table.line = 1;
    document.errors.sort_by_key(|e| e.line);
    // Further errors on a line usually follow from the first.
    document.errors.dedup_by_key(|e| e.line);
    (table, document.errors)
}

/// Converts parsed values.
struct Document {
    lines: LineStarts,
    errors: Vec<TomlError>,
}

impl Document {
    fn table(&mut self, table: &DeTable<'_>, span: Range<usize>) -> TomlTable {
        let mut keys: Vec<_> = table.iter().collect();
        keys.sort_by_key(|(name, _)| name.span().start);
        let keys = keys.into_iter().filter_map(|(name, value)| {
            let line = self.lines.of(name.span());
            let value = self.value(value)?;
            Some(TomlKey { name: name.get_ref().to_string(), line, value })
        });
        let keys = keys.collect();
        TomlTable { line: self.lines.of(span), keys }
    }

    /// Converts a value; reports a number that is too large and returns `None`.
    fn value(&mut self, value: &Spanned<DeValue<'_>>) -> Option<TomlValue> {
        Some(match value.get_ref() {
            DeValue::String(text) => TomlValue::Text(text.to_string()),
            DeValue::Integer(number) => {
                let parsed = i64::from_str_radix(number.as_str(), number.radix());
                TomlValue::Number(self.in_range(parsed.ok(), number.as_str(), value.span())?)
            }
            DeValue::Float(number) => {
                let parsed = number.as_str().parse().ok();
                TomlValue::Float(self.in_range(parsed, number.as_str(), value.span())?)
            }
            DeValue::Boolean(yes) => TomlValue::Bool(*yes),
            DeValue::Datetime(date) => TomlValue::Date(date.to_string()),
            DeValue::Array(list) => TomlValue::List(list.iter().filter_map(|v| self.value(v)).collect()),
            DeValue::Table(table) => TomlValue::Table(self.table(table, value.span())),
        })
    }

    fn in_range<T>(&mut self, number: Option<T>, written: &str, span: Range<usize>) -> Option<T> {
        if number.is_none() && self.errors.len() < MAX_ERRORS {
            self.errors.push(TomlError {
                line: self.lines.of(span),
                message: format!("`{written}` is out of range"),
            });
        }
        number
    }
}

/// The offsets at which lines begin.
struct LineStarts(Vec<usize>);

impl LineStarts {
    fn new(text: &str) -> Self {
        Self(std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect())
    }

    /// The line of a span's start, from 1.
    fn of(&self, span: Range<usize>) -> u32 {
        u32::try_from(self.0.partition_point(|start| *start <= span.start)).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_and_dates_are_values() {
        let (table, errors) = parse("a = 1.5\nb = 1979-05-27T07:32:00Z\nc = -0x1F\nd = 1e3\n");
        assert_eq!(table.get("a"), Some(&TomlValue::Float(1.5)));
        assert_eq!(table.get("b"), Some(&TomlValue::Date("1979-05-27T07:32:00Z".to_owned())));
        assert_eq!(table.get("d"), Some(&TomlValue::Float(1000.0)));
        assert_eq!(errors.iter().map(|e| e.line).collect::<Vec<_>>(), [3]);
    }

    #[test]
    fn every_error_is_reported_and_the_rest_is_read() {
        let (table, errors) = parse("a = 1\nb = = 2\nc = \"x\nd = 4\n[t]\nx = 1\n[t]\ny = 2\n");
        assert_eq!(errors.iter().map(|e| e.line).collect::<Vec<_>>(), [2, 3, 7], "{errors:?}");
        assert_eq!(table.get("a"), Some(&TomlValue::Number(1)));
        assert_eq!(table.get("d"), Some(&TomlValue::Number(4)));
    }

    #[test]
    fn keys_keep_their_order_and_lines() {
        let (table, errors) =
            parse("z = 1\n[[user]]\nname = 'a'\n\n[[user]]\nname = 'b'\n[b]\nc.d = { e = [\n1, 2] }\n");
        assert_eq!(errors, []);
        let names: Vec<_> = table.keys.iter().map(|k| (k.name.as_str(), k.line)).collect();
        assert_eq!(names, [("z", 1), ("user", 2), ("b", 7)]);
        let Some(TomlValue::List(users)) = table.get("user") else { panic!("{table:?}") };
        let lines: Vec<_> =
            users.iter().map(|u| if let TomlValue::Table(t) = u { t.line } else { 0 }).collect();
        assert_eq!(lines, [2, 5]);
    }

    #[test]
    fn too_large_or_too_deep_values_are_errors() {
        assert_eq!(parse("a = 99999999999999999999\n").1.len(), 1);
        let deep = format!("a = {}{}", "[".repeat(5_000), "]".repeat(5_000));
        assert!(!parse(&deep).1.is_empty());
        let deep = format!("{}a = 1", "a.".repeat(5_000));
        assert!(!parse(&deep).1.is_empty());
    }
}
