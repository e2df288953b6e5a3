//! awk's `printf`.

use super::value::AwkValue;
use crate::format::{FormatSize, Piece, pieces};

/// gawk's message if a format needs more than this many values.
#[must_use]
pub fn runs_out(format: &str, values: usize) -> Option<String> {
    let mut left = values;
    let mut inside = false;
    for (at, c) in format.chars().enumerate() {
        match (c, inside) {
            ('%', _) => inside = !inside,
            (
                '*' | 'a' | 'A' | 'c' | 'd' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'i' | 'o' | 's' | 'u' | 'x'
                | 'X',
                true,
            ) => {
                let Some(one_less) = left.checked_sub(1) else {
                    let before = " ".repeat(at);
                    return Some(format!(
                        "not enough arguments to satisfy format string\n\t`{format}'\n\t{before}^ ran out for this one"
                    ));
                };
                left = one_less;
                inside = c == '*';
            }
            // The format numbers its values.
            ('$', true) => return None,
            (' ' | '+' | '-' | '#' | '\'' | '.' | '0'..='9' | 'h' | 'l' | 'L' | 'q', true) | (_, false) => {}
            (_, true) => inside = false,
        }
    }
    None
}

/// `sprintf(format, values...)`; missing values are empty.
#[must_use]
pub fn sprintf(format: &str, values: &[AwkValue], convfmt: &str) -> String {
    let pieces = match pieces(format) {
        Ok(pieces) => pieces,
        // A malformed conversion is printed literally, as in real awks.
        Err(broken) => {
            let (before, after) = format.split_once(&broken).unwrap_or((format, ""));
            return sprintf(before, values, convfmt) + &broken + after;
        }
    };
    let mut rest = values.iter();
    let mut next = || rest.next().cloned().unwrap_or_default();
    let mut out = String::new();
    for piece in pieces {
        let mut conversion = match piece {
            Piece::Text(text) => {
                out += &text;
                continue;
            }
            Piece::Conversion(conversion) => conversion,
        };
        if conversion.width == FormatSize::Argument {
            conversion.set_width(next().number() as i64);
        }
        if conversion.precision == FormatSize::Argument {
            conversion.set_precision(next().number() as i64);
        }
        let value = next();
        out += &match conversion.letter {
            'd' | 'i' => {
                let number = value.number().trunc();
                if number.abs() < 9e18 {
                    conversion.integer(number as i64)
                } else {
                    conversion.precision = FormatSize::Given(0);
                    conversion.letter = 'f';
                    conversion.float(number)
                }
            }
            'o' | 'x' | 'X' | 'u' => conversion.unsigned((value.number().trunc() as i64).cast_unsigned()),
            'e' | 'E' | 'f' | 'F' | 'g' | 'G' => conversion.float(value.number()),
            'c' => {
                let text: String = match &value {
                    AwkValue::Number(n) => char::from_u32(*n as u32).into_iter().collect(),
                    other => other.text(convfmt).chars().take(1).collect(),
                };
                conversion.precision = FormatSize::None;
                conversion.string(&text)
            }
            's' => conversion.string(&value.text(convfmt)),
            letter => format!("%{letter}"),
        };
    }
    out
}
