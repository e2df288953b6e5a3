//! Text columns as Slurm's commands print them. Widths count bytes, as in C's `printf`, so a column may cut a
//! multi-byte character.

/// What to do with a text that is wider than its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// Truncate (`squeue`, `sinfo`).
    Cut,
    /// Truncate one byte earlier and append `+` (`sacct`, `sacctmgr`).
    Mark,
}

/// Appends `text` in a column of `width` bytes; width 0 means as wide as the text.
pub fn cell(out: &mut Vec<u8>, text: &str, width: usize, right: bool, overflow: Overflow) {
    let bytes = text.as_bytes();
    if width == 0 {
        out.extend_from_slice(bytes);
        return;
    }
    if bytes.len() > width {
        match overflow {
            Overflow::Cut => out.extend_from_slice(&bytes[..width]),
            Overflow::Mark => {
                out.extend_from_slice(&bytes[..width - 1]);
                out.push(b'+');
            }
        }
        return;
    }
    let blanks = std::iter::repeat_n(b' ', width - bytes.len());
    if right {
        out.extend(blanks);
        out.extend_from_slice(bytes);
    } else {
        out.extend_from_slice(bytes);
        out.extend(blanks);
    }
}

/// A field specification, `%[.][width]type`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldSpec {
    /// Right-justified: a dot precedes the width.
    pub right: bool,
    /// Width in bytes; 0 means as wide as the text.
    pub width: usize,
    /// The field: a letter, or a name in the long form.
    pub field: String,
    /// Literal text after the field.
    pub suffix: String,
}

/// A part of a format string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatPart {
    /// Literal text.
    Literal(String),
    /// A field.
    Field(FieldSpec),
    /// `%` with an unknown letter: the letter, and the whole specification, which is printed verbatim.
    Bad(String, String),
}

/// Maximum column width of a format.
pub const MAX_WIDTH: usize = 4096;

/// Parses the short form, `%.18i %.9P`. `known` tells which letters are fields.
#[must_use]
pub fn short_format(format: &str, known: impl Fn(&str) -> bool) -> Vec<FormatPart> {
    let mut parts = format.split('%');
    let mut pieces = Vec::new();
    if let Some(first) = parts.next().filter(|p| !p.is_empty()) {
        pieces.push(FormatPart::Literal(first.to_owned()));
    }
    for part in parts.filter(|p| !p.is_empty()) {
        let rest = part.strip_prefix('.');
        let (right, rest) = (rest.is_some(), rest.unwrap_or(part));
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let width = rest[..digits].parse().unwrap_or(0).min(MAX_WIDTH);
        let mut chars = rest[digits..].chars();
        let letter = chars.next().map_or_else(String::new, String::from);
        if known(&letter) {
            let suffix = chars.as_str().to_owned();
            pieces.push(FormatPart::Field(FieldSpec { right, width, field: letter, suffix }));
        } else {
            pieces.push(FormatPart::Bad(letter, format!("%{part}")));
        }
    }
    pieces
}

/// Parses the long form, `name:.30,jobid:8|`; the default width is 20.
#[must_use]
pub fn long_format(format: &str) -> Vec<FieldSpec> {
    let one = |part: &str| {
        let (field, spec) = part.split_once(':').unwrap_or((part, ""));
        let rest = spec.strip_prefix('.');
        let (right, rest) = (rest.is_some(), rest.unwrap_or(spec));
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        // Text in place of a width is a suffix; the column is then as wide as its content.
        let width = if digits == 0 && rest.is_empty() {
            20
        } else {
            rest[..digits].parse().unwrap_or(0).min(MAX_WIDTH)
        };
        FieldSpec { right, width, field: field.to_owned(), suffix: rest[digits..].to_owned() }
    };
    format.split(',').filter(|p| !p.is_empty()).map(|p| one(p.trim_start())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_as_recorded() {
        for (text, width, right, overflow, want) in [
            ("TestCalcul", 8, true, Overflow::Cut, &b"TestCalc"[..]),
            ("CANCELLED by 1001", 10, true, Overflow::Mark, b"CANCELLED+"),
            ("1.batch", 12, false, Overflow::Mark, b"1.batch     "),
            ("R", 2, true, Overflow::Cut, b" R"),
            ("cn01", 0, true, Overflow::Cut, b"cn01"),
            ("\u{fc}n\u{ef} c\u{f6}d\u{e9}", 8, true, Overflow::Cut, b"\xc3\xbcn\xc3\xaf c\xc3"),
        ] {
            let mut out = Vec::new();
            cell(&mut out, text, width, right, overflow);
            assert_eq!(out, want, "{text}");
        }
    }

    #[test]
    fn formats() {
        let known = |l: &str| "ijuC".contains(l);
        let field = |right, width, field: &str, suffix: &str| {
            FormatPart::Field(FieldSpec { right, width, field: field.into(), suffix: suffix.into() })
        };
        assert_eq!(
            short_format("a%8i %-10j|%5u|%.3C|%%", known),
            [
                FormatPart::Literal("a".into()),
                field(false, 8, "i", " "),
                FormatPart::Bad("-".into(), "%-10j|".into()),
                field(false, 5, "u", "|"),
                field(true, 3, "C", "|"),
            ]
        );
        let long = long_format("name:4,name:.30,jobid");
        assert_eq!(
            long.iter().map(|c| (c.width, c.right)).collect::<Vec<_>>(),
            [(4, false), (30, true), (20, false)]
        );
    }
}
