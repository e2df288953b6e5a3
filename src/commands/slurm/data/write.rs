//! Writes responses in the layout of json-c and libyaml, which Slurm uses. `serde_json` traverses the rows, and a formatter
//! prints JSON, or YAML with a tag for each value.
//!
//! Only the text is held in memory: each row is built when it is written, and dropped right after.

use super::rows::Meta;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::ser::{CharEscape, Compound, Formatter};
use std::cell::Cell;
use std::io::{self, Write};

/// The output format of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataFormat {
    /// json-c's pretty form: two blanks for each level, empty lists over two lines.
    Json,
    /// JSON on one line, without blanks.
    CompactJson,
    /// YAML 1.1 with a tag for each value.
    Yaml,
}

/// The fields of a response, written one after the other.
pub struct ResponseWriter<'a>(Compound<'a, &'a mut Vec<u8>, SlurmFormatter>);

impl ResponseWriter<'_> {
    /// Writes a field.
    pub fn field<T: Serialize>(&mut self, name: &str, value: &T) {
        // Writing to memory cannot fail, and all keys are texts.
        self.0.serialize_entry(name, value).ok();
    }

    /// Writes a field that is a list. A row is made when it is written.
    pub fn rows<T: Serialize>(&mut self, name: &str, rows: impl Iterator<Item = T>) {
        self.field(name, &RowStream(Cell::new(Some(rows))));
    }
}

/// A list whose rows are made while they are written.
struct RowStream<I>(Cell<Option<I>>);

impl<T: Serialize, I: Iterator<Item = T>> Serialize for RowStream<I> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_seq(self.0.take().into_iter().flatten())
    }
}

/// A response: what `fill` writes, then the fields that every response has.
pub fn response(format: DataFormat, meta: &Meta, fill: impl FnOnce(&mut ResponseWriter)) -> String {
    document(format, |out| {
        fill(out);
        out.field("meta", meta);
        out.rows("errors", std::iter::empty::<String>());
        out.rows("warnings", std::iter::empty::<String>());
    })
}

/// A document whose fields `fill` writes.
pub fn document(format: DataFormat, fill: impl FnOnce(&mut ResponseWriter)) -> String {
    let mut text = Vec::new();
    if format == DataFormat::Yaml {
        text.extend_from_slice(b"%YAML 1.1\n---");
    }
    let formatter = SlurmFormatter { format, depth: 0, empty: false, key: false, text: String::new() };
    let mut json = serde_json::Serializer::with_formatter(&mut text, formatter);
    if let Ok(map) = json.serialize_map(None) {
        let mut out = ResponseWriter(map);
        fill(&mut out);
        out.0.end().ok();
    }
    text.extend_from_slice(if format == DataFormat::Yaml { b"...\n\n" } else { b"\n" });
    String::from_utf8_lossy(&text).into_owned()
}

/// json-c's JSON with its escaped `/`, and libyaml's YAML. Both use the same traversal of the rows, so the code for a
/// row exists once.
struct SlurmFormatter {
    format: DataFormat,
    /// The nesting depth: lists and objects in JSON, only objects in YAML, where lists begin in the column of their
    /// key.
    depth: usize,
    /// In YAML: a list or an object has begun, but none of it is written yet.
    empty: bool,
    /// The current string is a key.
    key: bool,
    /// The current string, buffered for YAML, which quotes some strings.
    text: String,
}

impl SlurmFormatter {
    fn yaml(&self) -> bool {
        self.format == DataFormat::Yaml
    }

    fn indent<W: ?Sized + Write>(out: &mut W, depth: usize) -> io::Result<()> {
        (0..depth).try_for_each(|_| out.write_all(b"  "))
    }

    fn line<W: ?Sized + Write>(&self, out: &mut W) -> io::Result<()> {
        if self.format == DataFormat::CompactJson {
            return Ok(());
        }
        out.write_all(b"\n")?;
        Self::indent(out, self.depth)
    }

    fn open<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        if self.yaml() {
            self.empty = true;
            return Ok(());
        }
        self.depth += 1;
        out.write_all(bracket)
    }

    /// Ends a list or an object. `none` is YAML's text for an empty one.
    fn close<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8], none: &[u8]) -> io::Result<()> {
        if self.yaml() {
            let empty = std::mem::take(&mut self.empty);
            return out.write_all(if empty { none } else { b"" });
        }
        self.depth = self.depth.saturating_sub(1);
        self.line(out)?;
        out.write_all(bracket)
    }

    /// Writes what precedes a list item or a key. In YAML, the first one also writes the delayed start.
    fn next<W: ?Sized + Write>(&mut self, out: &mut W, first: bool, begun: &[u8]) -> io::Result<()> {
        if self.yaml() {
            self.empty = false;
            return out.write_all(if first { begun } else { b"" });
        }
        out.write_all(if first { b"" } else { b"," })?;
        self.line(out)
    }

    /// A value that is not a string.
    fn scalar<W: ?Sized + Write>(&self, out: &mut W, tag: &str, value: &str) -> io::Result<()> {
        if self.yaml() { writeln!(out, " !!{tag} {value}") } else { out.write_all(value.as_bytes()) }
    }
}

macro_rules! integers {
    ($($name:ident: $type:ty),*) => {$(
        fn $name<W: ?Sized + Write>(&mut self, out: &mut W, value: $type) -> io::Result<()> {
            self.scalar(out, "int", &value.to_string())
        }
    )*};
}

impl Formatter for SlurmFormatter {
    integers!(write_i8: i8, write_i16: i16, write_i32: i32, write_i64: i64, write_u8: u8, write_u16: u16, write_u32: u32, write_u64: u64);

    fn write_null<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.scalar(out, "null", "null")
    }

    fn write_bool<W: ?Sized + Write>(&mut self, out: &mut W, value: bool) -> io::Result<()> {
        self.scalar(out, "bool", if value { "true" } else { "false" })
    }

    fn write_f64<W: ?Sized + Write>(&mut self, out: &mut W, value: f64) -> io::Result<()> {
        self.scalar(out, "float", &float(value))
    }

    fn begin_string<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.text.clear();
        out.write_all(if self.yaml() { b"" } else { b"\"" })
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        if self.yaml() {
            self.text.push_str(text);
            return Ok(());
        }
        out.write_all(text.replace('/', "\\/").as_bytes())
    }

    fn write_char_escape<W: ?Sized + Write>(&mut self, out: &mut W, escape: CharEscape) -> io::Result<()> {
        let code = match escape {
            CharEscape::Quote => b'"',
            CharEscape::ReverseSolidus => b'\\',
            CharEscape::Solidus => b'/',
            CharEscape::Backspace => 8,
            CharEscape::FormFeed => 12,
            CharEscape::LineFeed => b'\n',
            CharEscape::CarriageReturn => b'\r',
            CharEscape::Tab => b'\t',
            CharEscape::AsciiControl(code) => code,
        };
        if self.yaml() {
            self.text.push(char::from(code));
            return Ok(());
        }
        match code {
            8 => out.write_all(b"\\b"),
            12 => out.write_all(b"\\f"),
            b'\n' => out.write_all(b"\\n"),
            b'\r' => out.write_all(b"\\r"),
            b'\t' => out.write_all(b"\\t"),
            0..=31 => write!(out, "\\u{code:04x}"),
            _ => out.write_all(&[b'\\', code]),
        }
    }

    fn end_string<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        if !self.yaml() {
            out.write_all(b"\"")
        } else if self.key {
            write!(out, "!!str {}", self.text)
        } else if self.text.is_empty() {
            out.write_all(b" !!str\n")
        } else {
            writeln!(out, " !!str {}", scalar(&self.text))
        }
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"]", b" !!seq []\n")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first, b" !!seq\n")?;
        if self.yaml() {
            Self::indent(out, self.depth.saturating_sub(1))?;
            out.write_all(b"-")?;
        }
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"}", b" !!map {}\n")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.key = true;
        self.next(out, first, b" !!map\n")?;
        if self.yaml() { Self::indent(out, self.depth) } else { Ok(()) }
    }

    fn end_object_key<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.key = false;
        Ok(())
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth += usize::from(self.yaml());
        out.write_all(if self.format == DataFormat::Json { b": " } else { b":" })
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.depth -= usize::from(self.yaml());
        Ok(())
    }
}

/// At most six digits; whole numbers keep a `.0`.
fn float(n: f64) -> String {
    let text = format!("{n:.6}");
    let short = text.trim_end_matches('0');
    if short.ends_with('.') { format!("{short}0") } else { short.to_owned() }
}

/// A text, quoted if YAML would not read it as a string.
fn scalar(text: &str) -> String {
    if text.contains(char::is_control) {
        return serde_json::to_string(text).unwrap_or_default();
    }
    let marks =
        [' ', '?', ':', ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`'];
    let dash = text == "-" || text.starts_with("- ");
    let special = text.starts_with(marks) || dash || text.ends_with([' ', ':']);
    if special || text.contains(": ") || text.contains(" #") {
        return format!("'{}'", text.replace('\'', "''"));
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slurm::data::rows::NoFields;
    use serde::Serialize;

    #[derive(Serialize)]
    struct Inner {
        b: &'static str,
    }

    fn tree(out: &mut ResponseWriter) {
        out.field("a", &1u32);
        out.rows("list", [Inner { b: "x/\"y\"" }].into_iter());
        out.rows("none", std::iter::empty::<Inner>());
        out.field("half", &0.5);
        out.field("null", &None::<u32>);
        out.field("flags", &["A", ""]);
    }

    #[test]
    fn trees() {
        assert_eq!(
            document(DataFormat::Json, tree),
            "{\n  \"a\": 1,\n  \"list\": [\n    {\n      \"b\": \"x\\/\\\"y\\\"\"\n    }\n  ],\n  \"none\": [\n  ],\n  \
             \"half\": 0.5,\n  \"null\": null,\n  \"flags\": [\n    \"A\",\n    \"\"\n  ]\n}\n"
        );
        let small = document(DataFormat::CompactJson, |out| {
            out.field("a", &["/\t\u{1}"]);
            out.field("b", &NoFields {});
        });
        assert_eq!(small, "{\"a\":[\"\\/\\t\\u0001\"],\"b\":{}}\n");
        assert_eq!(
            document(DataFormat::Yaml, tree),
            "%YAML 1.1\n--- !!map\n!!str a: !!int 1\n!!str list: !!seq\n- !!map\n  !!str b: !!str x/\"y\"\n\
             !!str none: !!seq []\n!!str half: !!float 0.5\n!!str null: !!null null\n\
             !!str flags: !!seq\n- !!str A\n- !!str\n...\n\n"
        );
        assert_eq!((float(0.25), float(2.0)), ("0.25".into(), "2.0".into()));
    }

    /// Rows are built one by one: when a row is built, the previous ones have been written and dropped.
    #[test]
    fn rows_are_streamed() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        static ALIVE: AtomicUsize = AtomicUsize::new(0);
        struct CountedRow;
        impl Drop for CountedRow {
            fn drop(&mut self) {
                ALIVE.fetch_sub(1, Ordering::Relaxed);
            }
        }
        impl Serialize for CountedRow {
            fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
                out.serialize_u32(7)
            }
        }
        let mut most = 0;
        let text = document(DataFormat::CompactJson, |out| {
            let rows = (0..50).map(|_| {
                let alive = ALIVE.fetch_add(1, Ordering::Relaxed) + 1;
                most = most.max(alive);
                CountedRow
            });
            out.rows("jobs", rows);
        });
        assert_eq!((text.matches('7').count(), most), (50, 1));
    }

    #[test]
    fn quotes_of_yaml() {
        for (text, want) in [("--yaml", "--yaml"), ("- x", "'- x'"), ("a: b", "'a: b'"), ("it's", "it's")] {
            assert_eq!(scalar(text), want);
        }
    }
}
