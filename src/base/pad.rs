//! Padding and precision that are known only at run time.
//!
//! Rust's formatting panics above a width or precision of 65,535, and scripts, file names and configuration files may ask for any
//! number. Invariant: no width or precision of a format string is computed outside this module (`tests/tidy.rs` checks it), and
//! nothing here returns more than [`MAX_CELLS`] characters of padding.

use std::fmt::Display;

/// Maximum number of characters that padding adds.
pub const MAX_CELLS: usize = 1 << 20;
/// More digits than any `f64` has; the digits after them are zeros.
const MAX_DIGITS: usize = 1_100;

fn missing(text: &str, width: usize) -> usize {
    width.saturating_sub(text.chars().count()).min(MAX_CELLS)
}

/// Aligns to the left: `{:<width$}`.
#[must_use]
pub fn left(value: impl Display, width: usize) -> String {
    let mut text = value.to_string();
    text.extend(std::iter::repeat_n(' ', missing(&text, width)));
    text
}

/// Aligns to the right: `{:>width$}`.
#[must_use]
pub fn right(value: impl Display, width: usize) -> String {
    let text = value.to_string();
    " ".repeat(missing(&text, width)) + &text
}

/// A number with leading zeros after its sign: `{:0width$}`.
#[must_use]
pub fn zeros(value: impl Display, width: usize) -> String {
    let text = value.to_string();
    let fill = "0".repeat(missing(&text, width));
    match text.strip_prefix('-') {
        Some(digits) => format!("-{fill}{digits}"),
        None => fill + &text,
    }
}

/// A finite number with this many digits after the point: `{:.places$}`.
#[must_use]
pub fn fixed(value: f64, places: usize) -> String {
    let exact = places.min(MAX_DIGITS);
    let mut text = format!("{value:.exact$}");
    text.extend(std::iter::repeat_n('0', (places - exact).min(MAX_CELLS)));
    text
}

/// The mantissa with this many digits after the point, and the exponent: `{:.places$e}`.
#[must_use]
pub fn scientific(value: f64, places: usize) -> (String, i32) {
    let exact = places.min(MAX_DIGITS);
    let text = format!("{value:.exact$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let fill = "0".repeat((places - exact).min(MAX_CELLS));
    (format!("{mantissa}{fill}"), exponent.parse().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pads_like_format_strings() {
        for width in [0, 1, 3, 7, 40] {
            for text in ["", "é", "abc", "abcdefgh"] {
                assert_eq!(left(text, width), format!("{text:<width$}"));
                assert_eq!(right(text, width), format!("{text:>width$}"));
            }
            for number in [0_i64, 7, -42, i64::MIN] {
                assert_eq!(zeros(number, width), format!("{number:0width$}"));
            }
            for number in [0.0, -0.0, 1.5, 2.0 / 3.0, 5e-324, f64::MAX] {
                assert_eq!(fixed(number, width), format!("{number:.width$}"));
                let (mantissa, exponent) = scientific(number, width);
                assert_eq!(format!("{mantissa}e{exponent}"), format!("{number:.width$e}"));
            }
        }
    }

    #[test]
    fn any_width_is_accepted() {
        for width in [65_535, 65_536, MAX_CELLS, usize::MAX] {
            let most = width.min(MAX_CELLS + MAX_DIGITS + 3);
            assert!(left("a", width).len() <= most && right("a", width).len() <= most);
            assert!(zeros(-1, width).len() <= most && zeros("12", width).starts_with("00"));
            assert!(
                fixed(0.1, width).starts_with("0.1000000000000000055") && fixed(0.1, width).len() <= most + 2
            );
            assert!(scientific(1e300, width).1 == 300);
        }
        assert_eq!(fixed(5e-324, 70_000).trim_end_matches('0').len(), 2 + 1074);
    }
}
