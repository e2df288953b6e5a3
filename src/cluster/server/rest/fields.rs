//! Values of request bodies. Slurm's parser is lenient: a number may be a string or `{"set": true, "number": 5}`, and a
//! list may be a string.

use base::time::Time;
use serde_json::Value;

/// How a field is converted to an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// A string.
    Text,
    /// A number.
    Number,
    /// Minutes, or infinite.
    Minutes,
    /// Seconds since 1970.
    Moment,
    /// A list of strings, joined by commas.
    List,
    /// A flag that is given if the value is true.
    Flag,
    /// A flag that is given if the value is false.
    NotFlag,
    /// `gres/gpu:a100=2` becomes `gpu:a100:2`.
    Gres,
    /// `gres/gpu:a100=2` becomes `a100:2`.
    Gpus,
    /// Known, but without an equivalent option.
    Ignored,
}

/// A number, if one is set.
pub fn number(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.parse().ok(),
        Value::Object(parts) => {
            let set = parts.get("set").is_none_or(|set| set == &Value::Bool(true));
            number(parts.get("number")?).filter(|_| set)
        }
        Value::Null | Value::Bool(_) | Value::Array(_) => None,
    }
}

fn is_infinite(value: &Value) -> bool {
    value.get("infinite") == Some(&Value::Bool(true))
        || value.as_str().is_some_and(|text| matches!(text, "UNLIMITED" | "INFINITE"))
}

/// A string: strings and numbers.
pub fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A list of strings.
pub fn list(value: &Value) -> Vec<String> {
    match value {
        Value::Array(list) => list.iter().filter_map(text).collect(),
        Value::String(text) => text.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    }
}

impl Field {
    /// The option's value. `None`: the field is not set. An empty string for flags.
    pub fn option(self, value: &Value) -> Option<String> {
        match self {
            Self::Text => text(value),
            Self::Number => {
                // Nice and similar values may be negative.
                number(value).map(|n| n.to_string()).or_else(|| value.as_i64().map(|n| n.to_string()))
            }
            Self::Minutes if is_infinite(value) => Some("UNLIMITED".to_owned()),
            Self::Minutes => {
                // Strings are times, such as `1-00:00:00`.
                number(value).map(|n| n.to_string()).or_else(|| text(value))
            }
            Self::Moment => match number(value) {
                Some(secs) => {
                    u32::try_from(secs).ok().filter(|s| *s > 0).map(|s| Time::from_secs(s.into()).iso())
                }
                None => text(value),
            },
            Self::List => Some(list(value).join(",")).filter(|text| !text.is_empty()),
            Self::Flag => (value == &Value::Bool(true)).then(String::new),
            Self::NotFlag => (value == &Value::Bool(false)).then(String::new),
            Self::Gres => text(value).map(|text| text.replace("gres/", "").replace('=', ":")),
            Self::Gpus => {
                let text = text(value)?.replace('=', ":");
                let gpus = text.strip_prefix("gres/gpu:").or_else(|| text.strip_prefix("gpu:"))?;
                Some(gpus.to_owned())
            }
            Self::Ignored => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_in_all_formats() {
        for (field, value, option) in [
            (Field::Number, json!(5), Some("5")),
            (Field::Number, json!("5"), Some("5")),
            (Field::Number, json!(-5), Some("-5")),
            (Field::Number, json!({ "set": true, "infinite": false, "number": 5 }), Some("5")),
            (Field::Number, json!({ "set": false, "number": 5 }), None),
            (Field::Minutes, json!({ "set": true, "infinite": true, "number": 0 }), Some("UNLIMITED")),
            (Field::Minutes, json!("1-00:00:00"), Some("1-00:00:00")),
            (Field::List, json!(["a", "b"]), Some("a,b")),
            (Field::List, json!([]), None),
            (Field::Flag, json!(false), None),
            (Field::NotFlag, json!(false), Some("")),
            (Field::Gres, json!("gres/gpu:a100=2"), Some("gpu:a100:2")),
            (Field::Gpus, json!("gres/gpu=2"), Some("2")),
            (Field::Moment, json!(0), None),
            // Slurm has no later times.
            (Field::Moment, json!(u64::from(u32::MAX) + 1), None),
            (Field::Moment, json!(i64::MAX), None),
        ] {
            assert_eq!(field.option(&value).as_deref(), option, "{field:?} {value}");
        }
    }
}
