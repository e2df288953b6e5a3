//! Findings in files as text for people: the line, with a marker under the place that the message is about. Or one line for each,
//! for programs and `grep`.
//!
//! A control character of a file is shown as a symbol, never written as it is. Native only.

mod location;

use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet, normalize_untrusted_str};
use base::diagnostic::{Diagnostic, Severity};
use location::locate;
use std::collections::{BTreeMap, BTreeSet};

/// Longest line that is shown, in bytes.
const MAX_LINE: usize = 4096;
/// Most lines of a statement that is continued over several.
const MAX_CONTINUED: usize = 10;

/// The form of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FindingForm {
    /// One line for each: `file:line: word: message`.
    pub short: bool,
    /// With terminal colours, unless it is short.
    pub colour: bool,
}

/// A finding.
#[derive(Clone, Copy, Debug)]
pub struct FileFinding<'a> {
    /// How severe it is.
    pub severity: Severity,
    /// The word before the message.
    pub word: &'a str,
    /// The file's name.
    pub file: &'a str,
    /// The line number from 1; 0 means the whole file.
    pub line: u32,
    /// What is wrong, in a sentence without a full stop.
    pub message: &'a str,
    /// The line, if it is known; several if it is continued.
    pub source: Option<&'a str>,
    /// The part of the line that it is about; without one, it is looked up by the message.
    pub part: Option<&'a str>,
    /// What to write instead: the old text and the new one.
    pub fix: Option<(&'a str, &'a str)>,
}

impl FileFinding<'_> {
    /// The finding as text that ends with a newline.
    #[must_use]
    pub fn write(&self, form: FindingForm) -> String {
        let source = self.source.filter(|text| !text.trim().is_empty() && text.len() <= MAX_LINE);
        match source {
            Some(source) if !form.short && self.line > 0 => self.full(source, form.colour),
            _ if !form.short => self.without_source(form.colour),
            _ => self.short(),
        }
    }

    fn short(&self) -> String {
        let line = if self.line == 0 { String::new() } else { format!(":{}", self.line) };
        let text = format!("{}{line}: {}: {}", self.file, self.word, self.message);
        format!("{}\n", normalize_untrusted_str(&text.replace('\n', " ")))
    }

    fn level(&self) -> Level<'_> {
        let level = match self.severity {
            Severity::Note => Level::NOTE,
            Severity::Warning => Level::WARNING,
            Severity::Error => Level::ERROR,
        };
        level.with_name(self.word)
    }

    fn full(&self, source: &str, colour: bool) -> String {
        let part = self.part.filter(|part| !part.is_empty());
        let known = part.and_then(|part| source.find(part).map(|at| at..at + part.len()));
        let span = known.unwrap_or_else(|| locate(source, self.message));
        let shown = Snippet::source(source)
            .line_start(self.line as usize)
            .path(self.file)
            .annotation(AnnotationKind::Primary.span(span));
        let mut group = self.level().primary_title(self.message).element(shown);
        if let Some((old, new)) = self.fix {
            group = group.element(Level::HELP.with_name("fix").message(format!("{old} -> {new}")));
        }
        render(&[group], colour)
    }

    fn without_source(&self, colour: bool) -> String {
        let mut origin = Origin::path(self.file);
        if self.line > 0 {
            origin = origin.line(self.line as usize);
        }
        render(&[self.level().primary_title(self.message).element(origin)], colour)
    }
}

fn render(groups: &[annotate_snippets::Group<'_>], colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    format!("{}\n", renderer.render(groups).trim_end_matches('\n'))
}

/// A line with symbols in place of control characters.
#[must_use]
pub fn plain(line: &str) -> String {
    normalize_untrusted_str(line)
}

/// Diagnostics as text. `text_of` gives the text of a file, if there is one.
#[must_use]
pub fn write<'d, 't>(
    found: impl IntoIterator<Item = &'d Diagnostic>,
    text_of: impl Fn(&str) -> Option<&'t str>,
    form: FindingForm,
) -> String {
    let found: Vec<&Diagnostic> = found.into_iter().collect();
    let mut wanted: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    if !form.short {
        found.iter().filter(|d| d.line > 0).for_each(|d| {
            wanted.entry(&d.file).or_default().insert(d.line);
        });
    }
    let lines: BTreeMap<&str, BTreeMap<u32, &str>> = wanted
        .into_iter()
        .filter_map(|(file, numbers)| text_of(file).map(|text| (file, excerpts(text, &numbers))))
        .collect();
    let one = |d: &&Diagnostic| {
        let source = lines.get(d.file.as_str()).and_then(|lines| lines.get(&d.line)).copied();
        let finding = FileFinding {
            severity: d.severity,
            word: d.severity.name(),
            file: &d.file,
            line: d.line,
            message: &d.message,
            source,
            part: None,
            fix: None,
        };
        finding.write(form)
    };
    found.iter().map(one).collect()
}

/// These lines of a text. A line that ends in a backslash comes with those that continue it.
fn excerpts<'t>(text: &'t str, numbers: &BTreeSet<u32>) -> BTreeMap<u32, &'t str> {
    let (mut found, mut at) = (BTreeMap::new(), 0);
    let last = numbers.last().copied().unwrap_or(0);
    for (number, line) in (1..=last).zip(text.split_inclusive('\n')) {
        if numbers.contains(&number) {
            let mut end = at;
            for line in text[at..].split_inclusive('\n').take(MAX_CONTINUED) {
                end += line.len();
                if !line.trim_end().ends_with('\\') {
                    break;
                }
            }
            found.insert(number, text[at..end].trim_end_matches(['\r', '\n']));
        }
        at += line.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagnostic(line: u32, message: &str) -> Diagnostic {
        let severity = Severity::Error;
        Diagnostic { severity, file: "slurm.conf".to_owned(), line, message: message.to_owned() }
    }

    fn full(text: &str, line: u32, message: &str) -> String {
        let form = FindingForm { short: false, colour: false };
        write(&[diagnostic(line, message)], |_| Some(text), form)
    }

    #[test]
    fn the_line_with_a_marker() {
        let text = "ClusterName=x\nNodeName=cn1 CPUs=4x Boards=1\n";
        assert_eq!(
            full(text, 2, "Invalid value \"4x\" for CPUs"),
            "error: Invalid value \"4x\" for CPUs\n --> slurm.conf:2:19\n  |\n2 | NodeName=cn1 CPUs=4x Boards=1\n  |                   ^^\n"
        );
        assert_eq!(full(text, 0, "no partition"), "error: no partition\n--> slurm.conf\n");
        assert_eq!(full(text, 9, "after the end"), "error: after the end\n--> slurm.conf:9\n");
    }

    #[test]
    fn a_continued_line_is_marked_where_the_place_is() {
        let text = "NodeName=cn1 \\\n  CPUs=2 \\\n  Bards=1\nNodeName=cn2\n";
        let shown = full(text, 1, "Unknown option Bards in a NodeName line (did you mean Boards?)");
        assert!(shown.contains(" --> slurm.conf:3:3\n"), "{shown}");
        assert!(shown.ends_with("3 |   Bards=1\n  |   ^^^^^^^\n"), "{shown}");
    }

    #[test]
    fn control_characters_are_shown_as_symbols() {
        let bad = "NodeName=\u{1b}[31mx\u{7}";
        for short in [false, true] {
            let form = FindingForm { short, colour: false };
            let text = write(&[diagnostic(1, &format!("Invalid {bad}\nx"))], |_| Some(bad), form);
            assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
        }
    }

    #[test]
    fn one_line_for_each() {
        let form = FindingForm { short: true, colour: true };
        let found = [diagnostic(4, "Parse error at \"x\""), diagnostic(0, "no partition")];
        let text = write(&found, |_| Some("a\nb\nc\nx\n"), form);
        assert_eq!(text, "slurm.conf:4: error: Parse error at \"x\"\nslurm.conf: error: no partition\n");
        assert_eq!(text, found.iter().map(|d| format!("{d}\n")).collect::<String>());
    }

    #[test]
    fn colours_only_if_asked() {
        let coloured = FindingForm { short: false, colour: true };
        let text = write(&[diagnostic(1, "Parse error at \"x\"")], |_| Some("x"), coloured);
        assert!(text.contains("\u{1b}[") && text.contains("error"), "{text:?}");
        assert!(!full("x", 1, "Parse error at \"x\"").contains('\u{1b}'));
    }

    #[test]
    fn a_very_long_line_is_not_shown() {
        let long = "x".repeat(MAX_LINE + 1);
        assert_eq!(full(&long, 1, "too long"), "error: too long\n--> slurm.conf:1\n");
    }
}
