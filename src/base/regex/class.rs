//! The character classes of regex(7) and glob(7), such as `[:alpha:]`, in a UTF-8 locale.

/// Whether a character is in the named class; false for unknown names.
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

/// Whether the class name exists in regex(7).
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

/// The lower-case form if it is a single character, as tolower(3).
#[must_use]
pub fn lower(c: char) -> char {
    let mut letters = c.to_lowercase();
    match (letters.next(), letters.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

/// The upper-case form if it is a single character, as toupper(3).
#[must_use]
pub fn upper(c: char) -> char {
    let mut letters = c.to_uppercase();
    match (letters.next(), letters.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}
