//! awk's values: numbers, strings, and numeric strings from input.

use crate::format::{Piece, pieces};
use crate::number::leading;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// A value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum AwkValue {
    /// Never set: `""` and 0.
    #[default]
    Unset,
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// A text from input (a field, `getline`, `-v`): compares as a number if it looks like one.
    Input(String),
    /// A pattern's source.
    Regex(String),
    /// An array passed to a function, by its number.
    Array(u32),
}

/// The number that a text represents as a whole.
fn whole(text: &str) -> Option<f64> {
    let (value, length) = leading(text)?;
    text.get(length..)?.trim_matches([' ', '\t', '\n', '\r']).is_empty().then_some(value)
}

/// A number as text: integers as such, others formatted with `CONVFMT` or `OFMT`.
#[must_use]
pub fn text_of(value: f64, format: &str) -> String {
    if value.is_nan() {
        return if value.is_sign_negative() { "-nan" } else { "nan" }.to_owned();
    }
    if value.is_infinite() {
        return if value < 0.0 { "-inf" } else { "inf" }.to_owned();
    }
    if value == value.trunc() && value.abs() < 1e16 {
        return format!("{}", value as i64);
    }
    if value == value.trunc() && value.abs() < 1e30 && format == "%.6g" {
        return format!("{value:.0}");
    }
    match pieces(format).as_deref() {
        Ok([Piece::Conversion(conversion)]) => conversion.float(value),
        Ok(_) | Err(_) => super::print::sprintf(format, &[AwkValue::Number(value)], "%.6g"),
    }
}

impl AwkValue {
    /// Bytes of its text.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Text(text) | Self::Input(text) | Self::Regex(text) => text.len(),
            Self::Unset | Self::Number(_) | Self::Array(_) => 0,
        }
    }

    /// As a number.
    #[must_use]
    pub fn number(&self) -> f64 {
        match self {
            Self::Number(n) => *n,
            Self::Text(text) | Self::Input(text) => leading(text).map_or(0.0, |(n, _)| n),
            Self::Unset | Self::Regex(_) | Self::Array(_) => 0.0,
        }
    }

    /// As a text; numbers are formatted with `format`.
    #[must_use]
    pub fn text(&self, format: &str) -> String {
        match self {
            Self::Number(n) => text_of(*n, format),
            Self::Text(text) | Self::Input(text) | Self::Regex(text) => text.clone(),
            Self::Unset | Self::Array(_) => String::new(),
        }
    }

    /// As a condition.
    #[must_use]
    pub fn truth(&self) -> bool {
        match self {
            Self::Number(n) => *n != 0.0,
            Self::Text(text) => !text.is_empty(),
            Self::Input(text) => whole(text).map_or(!text.is_empty(), |n| n != 0.0),
            Self::Unset | Self::Regex(_) | Self::Array(_) => false,
        }
    }

    /// The number, if the value is one or looks like one.
    #[must_use]
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Unset => None,
            Self::Number(_) | Self::Input(_) | Self::Text(_) | Self::Regex(_) | Self::Array(_) => {
                self.numeric()
            }
        }
    }

    /// The number, if the value compares as one.
    fn numeric(&self) -> Option<f64> {
        match self {
            Self::Number(n) => Some(*n),
            Self::Input(text) => whole(text),
            Self::Unset => Some(0.0),
            Self::Text(_) | Self::Regex(_) | Self::Array(_) => None,
        }
    }

    /// The ordering of two values; `None` if they are not comparable (NaN).
    #[must_use]
    pub fn compare(&self, other: &Self, format: &str) -> Option<Ordering> {
        match (self.numeric(), other.numeric()) {
            (Some(a), Some(b)) => a.partial_cmp(&b),
            (None, _) | (_, None) => Some(self.text(format).cmp(&other.text(format))),
        }
    }
}
