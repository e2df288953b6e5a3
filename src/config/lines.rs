//! The line syntax of Slurm's configuration files: comments, continuation lines, `Include`, `Key=Value`
//! pairs.
//!
//! Mirrors the DESCRIPTION of slurm.conf(5). Difference: `Include` finds a file by its path within the site,
//! else by its base name, because a site has no `/etc/slurm`. `%c` in its path is the cluster's name.

use super::SiteFiles;
use base::diagnostic::{Diagnostic, Severity};
use std::collections::BTreeMap;

/// Maximum size of a file, and of all included files together, in bytes.
const MAX_FILE: usize = 8 << 20;
/// Maximum length of a logical line in bytes.
const MAX_LINE: usize = 1 << 20;
/// Maximum `Include` depth.
const MAX_DEPTH: u32 = 8;
/// Maximum number of diagnostics kept.
const MAX_DIAGNOSTICS: usize = 1000;

/// Collects the diagnostics of one run.
#[derive(Default)]
pub(super) struct DiagnosticLog {
    pub(super) list: Vec<Diagnostic>,
}

impl DiagnosticLog {
    pub(super) fn add(&mut self, severity: Severity, file: &str, line: u32, message: impl Into<String>) {
        if self.list.len() < MAX_DIAGNOSTICS {
            let found = Diagnostic { severity, file: file.to_owned(), line, message: message.into() };
            // Report an invalid value of a DEFAULT line once, not for each line it applies to.
            if !self.list.contains(&found) {
                self.list.push(found);
            }
        }
    }
}

/// A logical line: without comments, continuation lines joined, numbered by its first line.
pub(super) struct ConfigLine<'a> {
    pub(super) file: &'a str,
    pub(super) line: u32,
    pub(super) text: String,
}

/// A key-value pair with its position.
#[derive(Clone)]
pub(super) struct ConfigEntry<'a> {
    /// The key as written.
    pub(super) key: String,
    pub(super) value: String,
    pub(super) file: &'a str,
    pub(super) line: u32,
}

/// Values by lower-case key; a later one replaces an earlier one.
#[derive(Clone, Default)]
pub(super) struct LineOptions<'a>(pub(super) BTreeMap<String, ConfigEntry<'a>>);

impl<'a> LineOptions<'a> {
    pub(super) fn entry(&self, key: &str) -> Option<&ConfigEntry<'a>> {
        self.0.get(&key.to_ascii_lowercase())
    }

    /// The value of `key` as written; an empty one counts as absent.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.entry(key).map(|e| e.value.as_str()).filter(|v| !v.is_empty())
    }

    /// The value of `key` parsed by `parse`; reports an invalid value and returns `None`.
    pub(super) fn get<T>(
        &self,
        report: &mut DiagnosticLog,
        key: &str,
        parse: fn(&str) -> Option<T>,
    ) -> Option<T> {
        let entry = self.entry(key)?;
        let value = parse(&entry.value);
        if value.is_none() {
            let message = format!("Invalid value \"{}\" for {}", entry.value, entry.key);
            report.add(Severity::Error, entry.file, entry.line, message);
        }
        value
    }
}

/// All logical lines of file `name` and its includes. A missing file has none.
pub(super) fn read<'a>(files: &'a SiteFiles, name: &str, report: &mut DiagnosticLog) -> Vec<ConfigLine<'a>> {
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
    report: &mut DiagnosticLog,
    lines: &mut Vec<ConfigLine<'a>>,
) {
    let mut joined: Option<(u32, String)> = None;
    // Skip the continuation lines of a line that is too long.
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
        push_line(files, ConfigLine { file: name, line: start, text }, depth, room, report, lines);
    }
    if let Some((line, text)) = joined {
        push_line(files, ConfigLine { file: name, line, text }, depth, room, report, lines);
    }
}

/// Stores a line, or reads the file that it includes.
fn push_line<'a>(
    files: &'a SiteFiles,
    line: ConfigLine<'a>,
    depth: u32,
    room: &mut usize,
    report: &mut DiagnosticLog,
    lines: &mut Vec<ConfigLine<'a>>,
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
    // `%c` is the name of the cluster, as far as it is known at this line.
    let named = target.contains("%c").then(|| target.replace("%c", &cluster_name(lines)));
    let target = named.as_deref().unwrap_or(target);
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

/// `ClusterName` in the lines read so far.
fn cluster_name(lines: &[ConfigLine<'_>]) -> String {
    let values = lines.iter().rev().filter_map(|line| {
        let (key, value) = line.text.trim().split_once('=')?;
        key.trim()
            .eq_ignore_ascii_case("ClusterName")
            .then(|| value.trim().trim_matches('"').to_ascii_lowercase())
    });
    values.into_iter().next().unwrap_or_default()
}

/// Strips the comment of a line; `\#` is a literal `#`.
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

/// The `Key=Value` pairs of a line in order. An invalid pair ends the line with a diagnostic.
pub(super) fn pairs<'a>(line: &ConfigLine<'a>, report: &mut DiagnosticLog) -> Vec<ConfigEntry<'a>> {
    let mut all = Vec::new();
    let mut rest = line.text.trim_start();
    while !rest.is_empty() {
        let Some((key, value, tail)) = pair(rest) else {
            let shown: String = rest.trim_end().chars().take(120).collect();
            report.add(Severity::Error, line.file, line.line, format!("Parse error at \"{shown}\""));
            break;
        };
        all.push(ConfigEntry {
            key: key.to_owned(),
            value: value.to_owned(),
            file: line.file,
            line: line.line,
        });
        rest = tail.trim_start();
    }
    all
}

/// Parses a pair at the start of `text`: `Key=Value`, `Key="a value"`, `Key = Value`; returns it with the
/// rest.
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
