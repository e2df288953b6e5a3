//! Number formatting by language.

/// A number with thousands separators from five digits on: `1234`, `12,345`.
#[must_use]
pub fn grouped(n: u64, between: &str) -> String {
    let digits = n.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push_str(between);
        }
        text.push(digit);
    }
    text
}

/// A percentage with the language's sign: `40%`, `40 %`.
#[must_use]
pub fn percent(hundredths: u64, sign: &str) -> String {
    format!("{hundredths}{sign}")
}

#[cfg(test)]
mod tests {
    use super::{grouped, percent};

    #[test]
    fn percent_signs_follow_the_language() {
        assert_eq!([percent(40, "%"), percent(100, "\u{202f}%")], ["40%", "100\u{202f}%"]);
    }

    #[test]
    fn thousands_are_grouped() {
        let cases = [
            (0, "0"),
            (999, "999"),
            (2848, "2848"),
            (10_000, "10,000"),
            (123_456, "123,456"),
            (1_000_000, "1,000,000"),
        ];
        for (n, text) in cases {
            assert_eq!(grouped(n, ","), text);
        }
        assert_eq!(grouped(110_000, "\u{202f}"), "110\u{202f}000");
    }
}
