//! The character classes of regex(7) and glob(7), `[:alpha:]` and so on, as in a locale of UTF-8.

/// Whether a character is in the class of this name; there is none of other names.
#[must_use]
pub fn in_class(c: char, class: &str) -> bool {
    match class {
        "alpha" => c.is_alphabetic(),
        "digit" => c.is_ascii_digit(),
        "alnum" => c.is_alphanumeric(),
        "upper" => c.is_uppercase(),
        "lower" => c.is_lowercase(),
        "space" => c.is_whitespace(),
        "blank" => c == ' ' || c == '\t',
        "punct" => c.is_ascii_punctuation(),
        "cntrl" => c.is_control(),
        "xdigit" => c.is_ascii_hexdigit(),
        "print" => !c.is_control(),
        "graph" => !c.is_control() && !c.is_whitespace(),
        "word" => c.is_alphanumeric() || c == '_',
        _ => false,
    }
}

/// Whether regex(7) knows a class of this name.
#[must_use]
pub fn is_class(name: &str) -> bool {
    matches!(
        name,
        "alpha"
            | "digit"
            | "alnum"
            | "upper"
            | "lower"
            | "space"
            | "blank"
            | "punct"
            | "cntrl"
            | "xdigit"
            | "print"
            | "graph"
    )
}

/// A letter's small form, if that is one letter too (`tolower(3)`).
#[must_use]
pub fn lower(c: char) -> char {
    let mut letters = c.to_lowercase();
    match (letters.next(), letters.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

/// A letter's capital form, if that is one letter too (`toupper(3)`).
#[must_use]
pub fn upper(c: char) -> char {
    let mut letters = c.to_uppercase();
    match (letters.next(), letters.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}
