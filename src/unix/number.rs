//! Parses the number at the beginning of a string, like strtod(3) in the C locale.

/// The number at the beginning of a text (after blanks), and its length in bytes. No hexadecimal numbers, `inf`
/// or `nan`.
#[must_use]
pub fn leading(text: &str) -> Option<(f64, usize)> {
    let start = text.len() - text.trim_start_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c']).len();
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let sign = start + usize::from(matches!(bytes.get(start), Some(b'+' | b'-')));
    let mut end = digits(sign);
    let mut any = end > sign;
    if bytes.get(end) == Some(&b'.') {
        let after = digits(end + 1);
        any |= after > end + 1;
        if any {
            end = after;
        }
    }
    if !any {
        return None;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let exponent = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let after = digits(exponent);
        if after > exponent {
            end = after;
        }
    }
    let value = text.get(start..end)?.parse().ok()?;
    Some((value, end))
}

/// The number of [`leading`].
#[must_use]
pub fn prefix(text: &str) -> Option<f64> {
    leading(text).map(|(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::leading;

    #[test]
    fn prefixes() {
        for (text, expected) in [
            ("12abc", Some((12.0, 2))),
            (" -1.5e3x", Some((-1500.0, 7))),
            (".5", Some((0.5, 2))),
            ("1e", Some((1.0, 1))),
            ("+", None),
            (".", None),
            ("0x10", Some((0.0, 1))),
            ("nan", None),
            ("1.", Some((1.0, 2))),
        ] {
            assert_eq!(leading(text), expected, "{text}");
        }
    }
}
