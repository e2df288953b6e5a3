//! Writes answers as json-c and libyaml write Slurm's: JSON through `serde_json`, YAML with a tag for each value.

use super::Data;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::ser::{Formatter, Serializer as Json};
use std::io::{self, Write};

/// Deepest nesting that is written.
const MAX_DEPTH: usize = 64;

impl Serialize for Data {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => out.serialize_unit(),
            Self::Bool(b) => out.serialize_bool(*b),
            Self::Int(n) => out.serialize_i64(*n),
            Self::Float(n) => out.serialize_f64(*n),
            Self::Text(text) => out.serialize_str(text),
            Self::List(list) => {
                let mut seq = out.serialize_seq(Some(list.len()))?;
                list.iter().try_for_each(|item| seq.serialize_element(item))?;
                seq.end()
            }
            Self::Dict(dict) => {
                let mut map = out.serialize_map(Some(dict.len()))?;
                dict.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
                map.end()
            }
        }
    }
}

/// json-c's format: two blanks for each level, empty lists over two lines, `/` escaped; or all on one line.
struct JsonC {
    depth: usize,
    pretty: bool,
}

impl JsonC {
    fn line<W: ?Sized + Write>(&self, out: &mut W) -> io::Result<()> {
        if !self.pretty {
            return Ok(());
        }
        out.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| out.write_all(b"  "))
    }

    fn open<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        out.write_all(bracket)
    }

    fn close<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth = self.depth.saturating_sub(1);
        self.line(out)?;
        out.write_all(bracket)
    }

    fn next<W: ?Sized + Write>(&self, out: &mut W, first: bool) -> io::Result<()> {
        out.write_all(if first { b"" } else { b"," })?;
        self.line(out)
    }
}

impl Formatter for JsonC {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(if self.pretty { b": " } else { b":" })
    }

    fn write_f64<W: ?Sized + Write>(&mut self, out: &mut W, value: f64) -> io::Result<()> {
        out.write_all(float(value).as_bytes())
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        out.write_all(text.replace('/', "\\/").as_bytes())
    }
}

/// As JSON, with a newline at the end; on one line without blanks unless it is to be pretty.
pub fn json(data: &Data, pretty: bool) -> String {
    let mut out = Vec::new();
    let mut json = Json::with_formatter(&mut out, JsonC { depth: 0, pretty });
    // Writing to memory cannot fail, and all keys are texts.
    data.serialize(&mut json).ok();
    out.push(b'\n');
    String::from_utf8_lossy(&out).into_owned()
}

/// Six digits are enough for what is shown; whole numbers keep a `.0`.
fn float(n: f64) -> String {
    if !n.is_finite() {
        return "0.0".to_owned();
    }
    let text = format!("{n:.6}");
    let short = text.trim_end_matches('0');
    if short.ends_with('.') { format!("{short}0") } else { short.to_owned() }
}

/// As YAML.
pub fn yaml(data: &Data) -> String {
    let mut out = String::from("%YAML 1.1\n---");
    yaml_value(&mut out, data, 0);
    out + "...\n\n"
}

/// A value behind its key or dash, up to the end of its last line. Lists begin in the column of their key.
fn yaml_value(out: &mut String, data: &Data, depth: usize) {
    match data {
        Data::Null => *out += " !!null null\n",
        Data::Bool(b) => *out += &format!(" !!bool {b}\n"),
        Data::Int(n) => *out += &format!(" !!int {n}\n"),
        Data::Float(n) => *out += &format!(" !!float {}\n", float(*n)),
        Data::Text(text) if text.is_empty() => *out += " !!str\n",
        Data::Text(text) => *out += &format!(" !!str {}\n", scalar(text)),
        Data::List(list) if list.is_empty() || depth > MAX_DEPTH => *out += " !!seq []\n",
        Data::Dict(dict) if dict.is_empty() || depth > MAX_DEPTH => *out += " !!map {}\n",
        Data::List(list) => {
            *out += " !!seq\n";
            for item in list {
                *out += &"  ".repeat(depth.saturating_sub(1));
                out.push('-');
                yaml_value(out, item, depth);
            }
        }
        Data::Dict(dict) => {
            *out += " !!map\n";
            for (key, value) in dict {
                *out += &"  ".repeat(depth);
                *out += &format!("!!str {key}:");
                yaml_value(out, value, depth + 1);
            }
        }
    }
}

/// A text as it is, between quotes where YAML would take it for something else.
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
    use crate::slurm::data::{dict, texts};

    #[test]
    fn trees() {
        let tree = dict! {
            "a": 1u32,
            "list": Data::List(vec![dict! { "b": "x/\"y\"" }, Data::Bool(true)]),
            "none": Data::List(Vec::new()),
            "half": 0.5,
            "null": Data::Null,
        };
        assert_eq!(
            json(&tree, true),
            "{\n  \"a\": 1,\n  \"list\": [\n    {\n      \"b\": \"x\\/\\\"y\\\"\"\n    },\n    true\n  ],\n  \"none\": [\n  ],\n  \
             \"half\": 0.5,\n  \"null\": null\n}\n"
        );
        let small = dict! { "a": texts(["/"]), "b": Data::Dict(Vec::new()) };
        assert_eq!(json(&small, false), "{\"a\":[\"\\/\"],\"b\":{}}\n");
        assert_eq!(
            yaml(&tree),
            "%YAML 1.1\n--- !!map\n!!str a: !!int 1\n!!str list: !!seq\n- !!map\n  !!str b: !!str x/\"y\"\n- !!bool true\n\
             !!str none: !!seq []\n!!str half: !!float 0.5\n!!str null: !!null null\n...\n\n"
        );
        assert_eq!(
            (float(0.25), float(2.0), float(f64::INFINITY)),
            ("0.25".into(), "2.0".into(), "0.0".into())
        );
    }

    #[test]
    fn quotes_of_yaml() {
        for (text, want) in [("--yaml", "--yaml"), ("- x", "'- x'"), ("a: b", "'a: b'"), ("it's", "it's")] {
            assert_eq!(scalar(text), want);
        }
    }
}
