//! Lines of Slurm's configuration files: comments, continuation, `Include`, `Key=Value` pairs.
//!
//! Mirrors the opening of slurm.conf(5). `Include` finds a file by its path as the site gives it, else by
//! its last part, since a site has no `/etc/slurm`.

use super::SiteFiles;
use crate::base::diagnostic::{Diagnostic, Severity};
use std::collections::BTreeMap;

/// Most bytes in one file, and in all files that a configuration includes.
const MAX_FILE: usize = 8 << 20;
/// Longest line, with those that it continues on.
const MAX_LINE: usize = 1 << 20;
/// How deep `Include` may go.
const MAX_DEPTH: u32 = 8;
/// Most diagnostics that are kept.
const MAX_DIAGNOSTICS: usize = 1000;

/// The diagnostics of one reading.
#[derive(Default)]
pub(super) struct Report {
    pub(super) list: Vec<Diagnostic>,
}

impl Report {
    pub(super) fn add(&mut self, severity: Severity, file: &str, line: u32, message: impl Into<String>) {
        if self.list.len() < MAX_DIAGNOSTICS {
            let found = Diagnostic { severity, file: file.to_owned(), line, message: message.into() };
            // A bad value of a DEFAULT line is met again with each line that it applies to.
            if !self.list.contains(&found) {
                self.list.push(found);
            }
        }
    }
}

/// A logical line: comments gone, continued lines joined; numbered by its first line.
pub(super) struct Line<'a> {
    pub(super) file: &'a str,
    pub(super) line: u32,
    pub(super) text: String,
}

/// A value and where it stands.
#[derive(Clone)]
pub(super) struct Entry<'a> {
    /// The key as written.
    pub(super) key: String,
    pub(super) value: String,
    pub(super) file: &'a str,
    pub(super) line: u32,
}

/// Values by key in lower case; a later one replaces an earlier one.
#[derive(Clone, Default)]
pub(super) struct Options<'a>(pub(super) BTreeMap<String, Entry<'a>>);

impl<'a> Options<'a> {
    pub(super) fn entry(&self, key: &str) -> Option<&Entry<'a>> {
        self.0.get(&key.to_ascii_lowercase())
    }

    /// The value of `key` as written; an empty one counts as none.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.entry(key).map(|e| e.value.as_str()).filter(|v| !v.is_empty())
    }

    /// The value of `key` as `parse` reads it; a diagnostic and nothing when it does not.
    pub(super) fn get<T>(&self, report: &mut Report, key: &str, parse: fn(&str) -> Option<T>) -> Option<T> {
        let entry = self.entry(key)?;
        let value = parse(&entry.value);
        if value.is_none() {
            let message = format!("Invalid value \"{}\" for {}", entry.value, entry.key);
            report.add(Severity::Error, entry.file, entry.line, message);
        }
        value
    }
}

/// All logical lines of `name` and what it includes. A file that is missing gives none.
pub(super) fn read<'a>(files: &'a SiteFiles, name: &str, report: &mut Report) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    let mut room = MAX_FILE;
    if let Some((name, text)) = files.0.get_key_value(name) {
        read_file(files, name, text, 0, &mut room, report, &mut lines);
    }
    lines
}

fn read_file<'a>(
    files: &'a SiteFiles,
    name: &'a str,
    text: &'a str,
    depth: u32,
    room: &mut usize,
    report: &mut Report,
    lines: &mut Vec<Line<'a>>,
) {
    let mut joined: Option<(u32, String)> = None;
    // Within a line that is too long: the lines that it continues on are no lines of their own.
    let mut skipping = false;
    for (number, raw) in (1u32..).zip(text.lines()) {
        if raw.len() >= *room {
            report.add(
                Severity::Error,
                name,
                number,
                "More than 8 MiB of configuration; the rest is left out",
            );
            return;
        }
        if std::mem::replace(&mut skipping, false) {
            skipping = raw.trim_end().ends_with('\\');
            continue;
        }
        let (start, mut text) = joined.take().unwrap_or((number, String::new()));
        if text.len() + raw.len() > MAX_LINE {
            report.add(Severity::Error, name, start, "A line of more than 1 MiB is left out");
            skipping = raw.trim_end().ends_with('\\');
            continue;
        }
        *room -= raw.len() + 1;
        let part = strip_comment(raw);
        if let Some(head) = part.trim_end().strip_suffix('\\') {
            text.push_str(head);
            joined = Some((start, text));
            continue;
        }
        text.push_str(&part);
        push_line(files, Line { file: name, line: start, text }, depth, room, report, lines);
    }
    if let Some((line, text)) = joined {
        push_line(files, Line { file: name, line, text }, depth, room, report, lines);
    }
}

/// Keeps a line, or reads the file that it includes.
fn push_line<'a>(
    files: &'a SiteFiles,
    line: Line<'a>,
    depth: u32,
    room: &mut usize,
    report: &mut Report,
    lines: &mut Vec<Line<'a>>,
) {
    let trimmed = line.text.trim();
    let target = trimmed
        .split_once(char::is_whitespace)
        .filter(|(word, rest)| word.eq_ignore_ascii_case("include") && !rest.trim_start().starts_with('='))
        .map(|(_, rest)| rest.trim().trim_matches('"'));
    let Some(target) = target else {
        if !trimmed.is_empty() {
            lines.push(line);
        }
        return;
    };
    let last = target.rsplit('/').next().unwrap_or(target);
    match files.0.get_key_value(target).or_else(|| files.0.get_key_value(last)) {
        _ if depth >= MAX_DEPTH => {
            report.add(Severity::Error, line.file, line.line, format!("Include too deep: {target}"));
        }
        Some((name, text)) => read_file(files, name, text, depth + 1, room, report, lines),
        None => {
            let message = format!("could not open file {target} to include");
            report.add(Severity::Error, line.file, line.line, message);
        }
    }
}

/// A line up to its `#`; `\#` is a `#` that belongs to the value.
fn strip_comment(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.peek() == Some(&'#') => {
                out.push('#');
                chars.next();
            }
            '#' => break,
            _ => out.push(c),
        }
    }
    out
}

/// The `Key=Value` pairs of a line, in order. What is no pair ends the line with a diagnostic.
pub(super) fn pairs<'a>(line: &Line<'a>, report: &mut Report) -> Vec<Entry<'a>> {
    let mut all = Vec::new();
    let mut rest = line.text.trim_start();
    while !rest.is_empty() {
        let Some((key, value, tail)) = pair(rest) else {
            let shown: String = rest.trim_end().chars().take(120).collect();
            report.add(Severity::Error, line.file, line.line, format!("Parse error at \"{shown}\""));
            break;
        };
        all.push(Entry { key: key.to_owned(), value: value.to_owned(), file: line.file, line: line.line });
        rest = tail.trim_start();
    }
    all
}

/// One pair at the start of `text`, and what follows: `Key=Value`, `Key="a value"`, `Key = Value`.
fn pair(text: &str) -> Option<(&str, &str, &str)> {
    let (key, rest) = text.split_once('=')?;
    let key = key.trim();
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    if key.is_empty() || !key.chars().all(word) {
        return None;
    }
    let rest = rest.trim_start_matches([' ', '\t']);
    if let Some(quoted) = rest.strip_prefix('"') {
        let (value, tail) = quoted.split_once('"')?;
        return Some((key, value, tail));
    }
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    Some((key, &rest[..end], &rest[end..]))
}
