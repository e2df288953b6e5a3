//! A tree as JSON, indented by two, and as YAML.

use super::Data;

/// Deepest nesting that is written.
const MAX_DEPTH: usize = 64;

/// As JSON, with a newline at the end; on one line without blanks unless it is to be pretty.
pub fn json(out: &mut String, data: &Data, pretty: bool) {
    json_at(out, data, 0, pretty);
    out.push('\n');
}

fn json_at(out: &mut String, data: &Data, depth: usize, pretty: bool) {
    let lines = |out: &mut String, depth: usize| {
        if !pretty {
            return;
        }
        out.push('\n');
        (0..depth).for_each(|_| *out += "  ");
    };
    match data {
        Data::Bool(b) => *out += if *b { "true" } else { "false" },
        Data::Int(n) => *out += &n.to_string(),
        Data::Float(n) => *out += &float(*n),
        Data::Text(text) => quoted(out, text, '/'),
        Data::List(list) if list.is_empty() || depth > MAX_DEPTH => *out += "[]",
        Data::Dict(dict) if dict.is_empty() || depth > MAX_DEPTH => *out += "{}",
        Data::List(list) => {
            out.push('[');
            for (i, item) in list.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                lines(out, depth + 1);
                json_at(out, item, depth + 1, pretty);
            }
            lines(out, depth);
            out.push(']');
        }
        Data::Dict(dict) => {
            out.push('{');
            for (i, (key, value)) in dict.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                lines(out, depth + 1);
                quoted(out, key, '/');
                *out += if pretty { ": " } else { ":" };
                json_at(out, value, depth + 1, pretty);
            }
            lines(out, depth);
            out.push('}');
        }
    }
}

/// A text between quotes; `slash` is escaped as json-c does, `"` never twice.
fn quoted(out: &mut String, text: &str, slash: char) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => *out += "\\\"",
            '\\' => *out += "\\\\",
            '\n' => *out += "\\n",
            '\t' => *out += "\\t",
            '\r' => *out += "\\r",
            c if c == slash => {
                out.push('\\');
                out.push(c);
            }
            c if c < ' ' => *out += &format!("\\u{:04x}", u32::from(c)),
            c => out.push(c),
        }
    }
    out.push('"');
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
pub fn yaml(out: &mut String, data: &Data) {
    *out += "---\n";
    yaml_at(out, data, 0, false);
    *out += "...\n";
}

/// `inline`: the line was begun by a dash.
fn yaml_at(out: &mut String, data: &Data, depth: usize, inline: bool) {
    let indent = |out: &mut String| (0..depth).for_each(|_| *out += "  ");
    match data {
        Data::List(list) => {
            for item in list {
                indent(out);
                *out += "- ";
                yaml_item(out, item, depth + 1);
            }
        }
        Data::Dict(dict) => {
            for (i, (key, value)) in dict.iter().enumerate() {
                if !(inline && i == 0) {
                    indent(out);
                }
                *out += key;
                out.push(':');
                yaml_value(out, value, depth + 1);
            }
        }
        scalar => {
            yaml_scalar(out, scalar);
            out.push('\n');
        }
    }
}

fn yaml_item(out: &mut String, data: &Data, depth: usize) {
    match data {
        Data::Dict(dict) if !dict.is_empty() && depth < MAX_DEPTH => yaml_at(out, data, depth, true),
        other => {
            yaml_scalar(out, other);
            out.push('\n');
        }
    }
}

fn yaml_value(out: &mut String, data: &Data, depth: usize) {
    let nested = match data {
        Data::List(list) => !list.is_empty(),
        Data::Dict(dict) => !dict.is_empty(),
        Data::Bool(_) | Data::Int(_) | Data::Float(_) | Data::Text(_) => false,
    };
    if nested && depth < MAX_DEPTH {
        out.push('\n');
        yaml_at(out, data, depth, false);
    } else {
        out.push(' ');
        yaml_scalar(out, data);
        out.push('\n');
    }
}

fn yaml_scalar(out: &mut String, data: &Data) {
    match data {
        Data::Bool(b) => *out += if *b { "true" } else { "false" },
        Data::Int(n) => *out += &n.to_string(),
        Data::Float(n) => *out += &float(*n),
        Data::Text(text) => quoted(out, text, '\0'),
        Data::List(_) => *out += "[]",
        Data::Dict(_) => *out += "{}",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::slurm::data::dict;

    #[test]
    fn trees() {
        let tree = dict! { "a": 1u32, "list": Data::List(vec![dict! { "b": "x/\"y\"" }, Data::Bool(true)]), "none": Data::List(Vec::new()) };
        let mut text = String::new();
        json(&mut text, &tree, true);
        assert_eq!(
            text,
            "{\n  \"a\": 1,\n  \"list\": [\n    {\n      \"b\": \"x\\/\\\"y\\\"\"\n    },\n    true\n  ],\n  \"none\": []\n}\n"
        );
        text.clear();
        yaml(&mut text, &tree);
        assert_eq!(text, "---\na: 1\nlist:\n  - b: \"x/\\\"y\\\"\"\n  - true\nnone: []\n...\n");
        assert_eq!(
            (float(0.25), float(2.0), float(f64::INFINITY)),
            ("0.25".into(), "2.0".into(), "0.0".into())
        );
    }
}
