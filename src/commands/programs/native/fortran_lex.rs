//! The statements of a Fortran source, as tokens.

use super::fortran::{is_sign, word};
use super::lex::Token;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Signs as they are written, and what they mean.
const SIGNS: &[(&str, &str)] = &[
    (".true.", "true"),
    (".false.", "false"),
    (".and.", "&&"),
    (".not.", "!"),
    (".or.", "||"),
    (".eq.", "=="),
    (".ne.", "!="),
    (".lt.", "<"),
    (".le.", "<="),
    (".gt.", ">"),
    (".ge.", ">="),
    ("**", "**"),
    ("//", "//"),
    ("==", "=="),
    ("/=", "!="),
    ("<=", "<="),
    (">=", ">="),
    ("::", "::"),
    ("=>", "=>"),
    ("<", "<"),
    (">", ">"),
    ("=", "="),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("/", "/"),
    ("(", "("),
    (")", ")"),
    (",", ","),
    (":", ":"),
    ("%", "%"),
];

/// Words that begin with the letters of whole numbers, but are no variables.
const NO_VARIABLES: &[&str] = &[
    "if",
    "implicit",
    "include",
    "int",
    "integer",
    "iso_fortran_env",
    "kind",
    "len",
    "mod",
    "mpi",
    "none",
    "omp_lib",
];

/// Without `implicit none`, names that begin with `i` to `n` are whole numbers.
pub(super) fn implicit_names(lines: &VecDeque<Vec<Token>>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in lines {
        if word(line, 0) == "implicit" {
            return BTreeSet::new();
        }
        if matches!(word(line, 0), "program" | "use" | "include" | "call" | "end") && line.len() <= 2 {
            continue;
        }
        for (at, token) in line.iter().enumerate() {
            if let Token::Name(name) = token
                && name.starts_with(|c: char| ('i'..='n').contains(&c))
                && !is_sign(line, at + 1, "(")
                && !NO_VARIABLES.contains(&name.as_str())
                && !name.starts_with("mpi_")
            {
                names.insert(name.clone());
            }
        }
    }
    names
}

/// The parts of a line between semicolons.
fn parts(line: &str) -> Vec<&str> {
    let (mut parts, mut from, mut quote) = (Vec::new(), 0, None);
    for (at, c) in line.char_indices() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(c),
            (';', None) => {
                parts.extend(line.get(from..at));
                from = at + 1;
            }
            (_, None) => {}
        }
    }
    parts.extend(line.get(from..));
    parts
}

/// The statements of a source: lines without comments, joined where they continue. Names are in small letters, and
/// those of OpenMP begin with `!$omp`. Formats are collected by their labels.
pub(super) fn statements(
    source: &str,
    openmp: bool,
    formats: &mut BTreeMap<i64, String>,
) -> Option<VecDeque<Vec<Token>>> {
    let mut all = VecDeque::new();
    let mut open = String::new();
    for line in source.lines() {
        let line = line.trim();
        let omp = line.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("!$omp"));
        if omp {
            all.push_back(vec![Token::Pragma(line.get(5..).unwrap_or("").trim().to_ascii_lowercase())]);
            continue;
        }
        // `!$ use omp_lib` counts with OpenMP.
        let line = line.strip_prefix("!$ ").filter(|_| openmp).unwrap_or(line);
        let line = without_comment(line);
        let line = if open.is_empty() { line } else { line.trim_start_matches('&') };
        open.push_str(line);
        if let Some(more) = open.trim_end().strip_suffix('&') {
            open = more.to_owned();
            continue;
        }
        let whole = std::mem::take(&mut open);
        for part in parts(&whole) {
            let part = part.trim();
            let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
            let (label, code) = part.split_at_checked(digits).unwrap_or(("", part));
            let code = code.trim_start();
            let format = code.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("format"));
            match label.parse() {
                Ok(label) if format => {
                    formats.insert(label, code.get(6..).unwrap_or("").trim().to_owned());
                }
                _ if code.is_empty() => {}
                _ => all.push_back(tokens(code)?),
            }
        }
    }
    Some(all)
}

/// A line without the comment at its end.
pub(super) fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => quote = Some(c),
            ('!', None) => return line.get(..at).unwrap_or("").trim_end(),
            _ => {}
        }
    }
    line
}

fn tokens(line: &str) -> Option<Vec<Token>> {
    let mut found = Vec::new();
    let mut rest = line.trim_start();
    while let Some(c) = rest.chars().next() {
        let end;
        if c.is_ascii_alphabetic() || c == '_' {
            end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
            found.push(Token::Name(rest.get(..end)?.to_ascii_lowercase()));
        } else if matches!(c, '"' | '\'') {
            let text = rest.get(1..)?;
            let close = text.find(c)?;
            found.push(Token::Text(text.get(..close)?.to_owned()));
            end = close + 2;
        } else if c.is_ascii_digit()
            || c == '.' && rest.get(1..).is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()))
        {
            end = number(rest, &mut found)?;
        } else {
            let lower = rest.get(..7.min(rest.len())).unwrap_or(rest).to_ascii_lowercase();
            let (written, sign) = SIGNS.iter().find(|(written, _)| lower.starts_with(written))?;
            found.push(match *sign {
                "true" => Token::Int(1),
                "false" => Token::Int(0),
                sign => Token::Sign(sign),
            });
            end = written.len();
        }
        rest = rest.get(end..)?.trim_start();
    }
    Some(found)
}

fn number(text: &str, found: &mut Vec<Token>) -> Option<usize> {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut end = 0;
    let mut fraction = false;
    while let Some(b) = bytes.get(end) {
        match b {
            b'0'..=b'9' => {}
            // `1.eq.2` is no fraction.
            b'.' if !fraction && !bytes.get(end + 1).is_some_and(u8::is_ascii_alphabetic) => fraction = true,
            b'e' | b'E' | b'd' | b'D'
                if digit(end + 1) || matches!(bytes.get(end + 1), Some(b'+' | b'-')) && digit(end + 2) =>
            {
                fraction = true;
                end += 1;
            }
            _ => break,
        }
        end += 1;
    }
    let written = text.get(..end)?;
    // `1.0_8`
    let kind = text.get(end..)?;
    let behind = match kind.strip_prefix('_') {
        Some(name) => 1 + name.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(name.len()),
        None => 0,
    };
    found.push(if fraction {
        Token::Float(written.to_ascii_lowercase().replace('d', "e").parse().ok()?)
    } else {
        Token::Int(written.parse().ok()?)
    });
    Some(end + behind)
}
