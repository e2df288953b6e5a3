//! `@csv`, `@sh` and the other formats of strings.

use crate::access::{fail, wrong};
use crate::bound;
use crate::value::Json;
use crate::write::compact;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use jaq_core::ValR;

/// Applies the format of a name.
pub fn format(value: &Json, name: &str) -> ValR<Json> {
    bound::check(usize::try_from(value.size()).unwrap_or(usize::MAX))?;
    let text = || value.str().map_or_else(|| compact(value), str::to_owned);
    Ok(Json::text(match name {
        "text" => text(),
        "json" => compact(value),
        "csv" => row(value, "csv", ",", |text| format!("\"{}\"", text.replace('"', "\"\"")))?,
        "tsv" => row(value, "tsv", "\t", |text| {
            text.replace('\\', "\\\\").replace('\t', "\\t").replace('\r', "\\r").replace('\n', "\\n")
        })?,
        "html" => {
            let mut out = String::new();
            for c in text().chars() {
                match c {
                    '&' => out.push_str("&amp;"),
                    '<' => out.push_str("&lt;"),
                    '>' => out.push_str("&gt;"),
                    '\'' => out.push_str("&#39;"),
                    '"' => out.push_str("&quot;"),
                    c => out.push(c),
                }
            }
            out
        }
        "uri" => {
            let mut out = String::new();
            for byte in text().bytes() {
                if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
                    out.push(char::from(byte));
                } else {
                    out.push_str(&format!("%{byte:02X}"));
                }
            }
            out
        }
        "sh" => {
            let one = std::slice::from_ref(value);
            let mut words = Vec::new();
            for item in value.items().unwrap_or(one) {
                words.push(match item {
                    Json::Text(text) => format!("'{}'", text.replace('\'', "'\\''")),
                    Json::Array(_) | Json::Object(_) => return wrong(item, "can not be escaped for shell"),
                    other => compact(other),
                });
            }
            words.join(" ")
        }
        "base64" => STANDARD.encode(text()),
        "base64d" => {
            let text = text();
            match STANDARD_NO_PAD.decode(text.trim_end_matches('=')) {
                Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                Err(base64::DecodeError::InvalidLength(_)) => {
                    return wrong(&Json::text(text), "trailing base64 byte found");
                }
                Err(_) => return wrong(&Json::text(text), "is not valid base64 data"),
            }
        }
        other => return fail(format_args!("{other} is not a valid format")),
    }))
}

/// The cells of an array, as a row of a table.
fn row(
    value: &Json,
    name: &str,
    separator: &str,
    quoted: fn(&str) -> String,
) -> Result<String, jaq_core::Error<Json>> {
    let Some(items) = value.items() else {
        return wrong(value, &format!("cannot be {name}-formatted, only array"));
    };
    let mut cells = Vec::new();
    for item in items {
        cells.push(match item {
            Json::Null => String::new(),
            item if item.is_nan() => String::new(),
            Json::Bool(_) | Json::Number(_) | Json::Literal(..) => compact(item),
            Json::Text(text) => quoted(text),
            Json::Array(_) | Json::Object(_) => return wrong(item, "is not valid in a csv row"),
        });
    }
    Ok(cells.join(separator))
}
