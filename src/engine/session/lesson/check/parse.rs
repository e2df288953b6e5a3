//! Parses the lines of a check into claims. Error messages list the accepted words.

use super::table::{CheckField, fields};
use super::{Claim, Comparison, FieldValueKind, Operand, RequiredCount, Subject, Term};
use base::time::Time;
use config::parse_seconds;

/// Maximum number of claims in one check.
const MAX_CLAIMS: usize = 50;
/// Maximum number of terms in one claim.
const MAX_TERMS: usize = 30;

/// The claims in these lines, each with its line number. `start` is the lesson's first moment, to which times
/// of day refer.
///
/// # Errors
/// The line that cannot be parsed, and the reason.
pub fn parse(lines: &[(u32, &str)], start: Time) -> Result<Vec<Claim>, (u32, String)> {
    let mut claims = Vec::new();
    for (line, text) in joined(lines) {
        if claims.len() >= MAX_CLAIMS {
            return Err((line, format!("a check has at most {MAX_CLAIMS} lines")));
        }
        claims.push(claim(&text, start).map_err(|why| (line, why))?);
    }
    Ok(claims)
}

/// Lines without comments and empty lines. A line that begins with blanks continues the previous one.
pub(super) fn joined(lines: &[(u32, &str)]) -> Vec<(u32, String)> {
    let mut all: Vec<(u32, String)> = Vec::new();
    for (number, line) in lines {
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        match all.last_mut() {
            Some((_, before)) if line.starts_with(' ') => {
                before.push(' ');
                before.push_str(text);
            }
            _ => all.push((*number, text.to_owned())),
        }
    }
    all
}

/// One line of a check.
pub(super) fn claim(text: &str, start: Time) -> Result<Claim, String> {
    let (head, terms) = split_head(text);
    let (count, rest) = count(head)?;
    let subject = subject(rest)?;
    let terms = match terms {
        Some(terms) => split(terms, ',').into_iter().map(|t| term(t.trim(), &subject, start)).collect(),
        None => Ok(Vec::new()),
    }?;
    if terms.len() > MAX_TERMS {
        return Err(format!("a line has at most {MAX_TERMS} conditions"));
    }
    Ok(Claim { count, subject, terms })
}

/// The text before and after the colon. A file path cannot contain a colon followed by a blank.
fn split_head(text: &str) -> (&str, Option<&str>) {
    match text.split_once(": ") {
        Some((head, terms)) => (head.trim(), Some(terms.trim()).filter(|t| !t.is_empty())),
        None => (text.strip_suffix(':').unwrap_or(text).trim(), None),
    }
}

fn count(head: &str) -> Result<(RequiredCount, &str), String> {
    let (first, rest) = head.split_once(' ').unwrap_or((head, ""));
    let number =
        |text: &str| -> Result<u32, String> { text.parse().map_err(|_| format!("`{text}` is no number")) };
    Ok(match first {
        "a" | "an" | "some" => (RequiredCount::AtLeast(1), rest),
        "no" => (RequiredCount::AtMost(0), rest),
        "every" => (RequiredCount::Every, rest),
        "at" => match rest.split(' ').collect::<Vec<_>>().as_slice() {
            ["least", n, ..] => (RequiredCount::AtLeast(number(n)?), after_words(rest, 2)),
            ["most", n, ..] => (RequiredCount::AtMost(number(n)?), after_words(rest, 2)),
            _ => return Err("`at` must be followed by `least` or `most` and a number".to_owned()),
        },
        n if n.starts_with(|c: char| c.is_ascii_digit()) => (RequiredCount::Exactly(number(n)?), rest),
        other => {
            return Err(format!(
                "a check starts with a, no, every, a number, at least or at most, not with `{other}`"
            ));
        }
    })
}

fn after_words(text: &str, words: usize) -> &str {
    let cut = |rest: &str| rest.find(' ').map(|at| at + 1);
    (0..words).fold(text, |rest, _| cut(rest).and_then(|at| rest.get(at..)).unwrap_or(""))
}

fn subject(text: &str) -> Result<Subject, String> {
    let (word, path) = text.split_once(' ').unwrap_or((text, ""));
    match (word, path.trim()) {
        ("job" | "jobs", "") => Ok(Subject::Job),
        ("array" | "arrays", "") => Ok(Subject::Array),
        ("node" | "nodes", "") => Ok(Subject::Node),
        ("file" | "files", path) if path.starts_with('/') || path.starts_with("~/") => {
            Ok(Subject::File(path.to_owned()))
        }
        ("file" | "files", _) => Err("a file needs a path that starts with / or ~/".to_owned()),
        _ => Err(format!("claims can be about job, array, node and file, not about `{text}`")),
    }
}

/// Splits at a character outside quotes.
fn split(text: &str, mark: char) -> Vec<&str> {
    let (mut parts, mut from, mut quoted) = (Vec::new(), 0, false);
    for (at, c) in text.char_indices() {
        quoted ^= c == '"';
        if c == mark && !quoted {
            parts.extend(text.get(from..at));
            from = at + c.len_utf8();
        }
    }
    parts.extend(text.get(from..));
    parts
}

const OPS: [(&str, Comparison); 8] = [
    (" contains ", Comparison::Contains),
    ("!=", Comparison::Unequal),
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("==", Comparison::Equal),
    ("=", Comparison::Equal),
    ("<", Comparison::Less),
    (">", Comparison::More),
];

fn term(text: &str, subject: &Subject, start: Time) -> Result<Term, String> {
    let name: String = text.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    let field = find(&name, subject)?;
    let rest = text.get(name.len()..).unwrap_or_default();
    let found = OPS.iter().find_map(|(mark, op)| {
        let rest = if mark.starts_with(' ') { rest } else { rest.trim_start() };
        rest.strip_prefix(mark).map(|values| (*op, values))
    });
    let Some((op, values)) = found else {
        return Err(format!("`{text}`: expected =, !=, <, <=, >, >= or contains after `{name}`"));
    };
    let words = matches!(field.kind, FieldValueKind::Word | FieldValueKind::Flag);
    match op {
        Comparison::Contains if field.kind != FieldValueKind::Word => {
            return Err(format!("`{name}` is not text, so `contains` does not apply"));
        }
        Comparison::Less | Comparison::AtMost | Comparison::More | Comparison::AtLeast if words => {
            return Err(format!("`{name}` can only be compared with = and !="));
        }
        Comparison::Contains
        | Comparison::Less
        | Comparison::AtMost
        | Comparison::More
        | Comparison::AtLeast
        | Comparison::Equal
        | Comparison::Unequal => {}
    }
    let values = split(values, '|').into_iter().map(|v| operand(v.trim(), field, subject, start));
    Ok(Term { field, op, values: values.collect::<Result<_, _>>()? })
}

pub(super) fn find(name: &str, subject: &Subject) -> Result<&'static CheckField, String> {
    let all = fields(subject);
    all.iter().find(|f| f.name == name).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|f| f.name).collect();
        format!("there is no `{name}` here; there are {}", names.join(", "))
    })
}

fn operand(
    text: &str,
    field: &'static CheckField,
    subject: &Subject,
    start: Time,
) -> Result<Operand, String> {
    if let Some(quoted) = text.strip_prefix('"') {
        let inner = quoted.strip_suffix('"').ok_or_else(|| format!("{text} lacks the closing quote"))?;
        return Ok(Operand::Word(inner.to_owned()));
    }
    if text == "none" {
        return Ok(Operand::Absent);
    }
    if let Some((name, of)) = text.strip_suffix(')').and_then(|t| t.split_once('(')) {
        if *subject != Subject::Job {
            return Err(format!("`{text}`: only jobs are compared with other jobs"));
        }
        return Ok(Operand::Of(same_kind(find(name, subject)?, field)?, of.trim().to_owned()));
    }
    if !matches!(field.kind, FieldValueKind::Word | FieldValueKind::Flag)
        && let Ok(other) = find(text, subject)
    {
        return same_kind(other, field).map(Operand::Field);
    }
    literal(text, field.kind, start).ok_or_else(|| format!("`{text}`: {}", wanted(field)))
}

fn same_kind(other: &'static CheckField, field: &CheckField) -> Result<&'static CheckField, String> {
    if other.kind == field.kind {
        Ok(other)
    } else {
        Err(format!("`{}` and `{}` cannot be compared", field.name, other.name))
    }
}

pub(super) fn literal(text: &str, kind: FieldValueKind, start: Time) -> Option<Operand> {
    Some(match kind {
        FieldValueKind::Word if text.is_empty() => return None,
        FieldValueKind::Word => Operand::Word(text.to_owned()),
        FieldValueKind::Flag if ["yes", "no"].contains(&text) => Operand::Word(text.to_owned()),
        FieldValueKind::Flag => return None,
        FieldValueKind::Count => Operand::Number(text.parse().ok()?),
        FieldValueKind::Percent => Operand::Number(text.strip_suffix('%')?.trim().parse().ok()?),
        FieldValueKind::Duration => Operand::Number(duration(text)?),
        FieldValueKind::Moment => Operand::Number(moment(text, start)?.secs()),
        FieldValueKind::Memory => Operand::Number(memory(text)?),
    })
}

pub(super) fn wanted(field: &CheckField) -> String {
    let example = match field.kind {
        FieldValueKind::Word => "a word",
        FieldValueKind::Flag => "yes or no",
        FieldValueKind::Count => "a whole number",
        FieldValueKind::Percent => "per cent, such as 80%",
        FieldValueKind::Duration => "a time, such as 90s, 20m, 2h or 1:30:00",
        FieldValueKind::Moment => "a moment, such as 18:00 or 2026-03-02T18:00:00",
        FieldValueKind::Memory => "a size, such as 500M or 4G",
    };
    format!("`{}` wants {example}", field.name)
}

/// `90s`, `20m`, `2h`, `3d`, `1:30:00`, `1-12`
#[must_use]
pub fn duration(text: &str) -> Option<i64> {
    let unit = match text.chars().last()? {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        'd' => 86_400,
        _ if text.contains([':', '-']) => return parse_seconds(text).map(i64::from),
        _ => return None,
    };
    let number: u32 = text.get(..text.len() - 1)?.parse().ok()?;
    Some(i64::from(number) * unit)
}

/// `18:00` on the date of `day`, or a date and time.
#[must_use]
pub fn moment(text: &str, day: Time) -> Option<Time> {
    if let Ok(civil) = text.parse() {
        return Time::from_civil(civil);
    }
    let (hours, minutes) = text.split_once(':')?;
    let (hours, minutes): (i64, i64) = (hours.parse().ok()?, minutes.parse().ok()?);
    let midnight = day.secs().div_euclid(86_400) * 86_400;
    let valid = (0..48).contains(&hours) && (0..60).contains(&minutes);
    valid.then(|| Time::from_secs(midnight + hours * 3600 + minutes * 60))
}

/// `500M` and the like, in KiB.
fn memory(text: &str) -> Option<i64> {
    let unit: i64 = match text.chars().last()? {
        'K' => 1,
        'M' => 1 << 10,
        'G' => 1 << 20,
        'T' => 1 << 30,
        _ => return None,
    };
    let number: u32 = text.get(..text.len() - 1)?.parse().ok()?;
    Some(i64::from(number) * unit)
}
