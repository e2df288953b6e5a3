//! Findings in files on standard output and error: with the line and a marker, or one line for each.
//!
//! Colour is for terminals. `NO_COLOR`, `CLICOLOR_FORCE` and `--color` decide as usual, for clap's messages too.

use super::out;
use ::findings::FindingForm;
use anstream::{AutoStream, ColorChoice, stream::RawStream};
use base::diagnostic::Diagnostic;
use config::SiteFiles;
use std::io::{self, IsTerminal};

/// Whether a stream gets colours.
fn coloured(stream: &impl RawStream) -> bool {
    AutoStream::choice(stream) != ColorChoice::Never
}

/// Whether standard output gets colours.
pub fn is_coloured() -> bool {
    coloured(&io::stdout())
}

/// Prints findings.
///
/// # Errors
/// Standard output cannot be written.
pub fn print<'d, 't>(
    found: impl IntoIterator<Item = &'d Diagnostic>,
    text_of: impl Fn(&str) -> Option<&'t str>,
    short: bool,
) -> Result<(), String> {
    out::print(&::findings::write(found, text_of, FindingForm { short, colour: is_coloured() }))
}

/// Tells findings on standard error: one line for each if that is no terminal.
pub fn tell<'d, 't>(
    found: impl IntoIterator<Item = &'d Diagnostic>,
    text_of: impl Fn(&str) -> Option<&'t str>,
) {
    let stream = io::stderr();
    let form = FindingForm { short: !stream.is_terminal(), colour: coloured(&stream) };
    out::tell(&::findings::write(found, text_of, form));
}

/// Findings as part of a message on standard error.
pub fn text<'d, 't>(
    found: impl IntoIterator<Item = &'d Diagnostic>,
    text_of: impl Fn(&str) -> Option<&'t str>,
) -> String {
    ::findings::write(found, text_of, FindingForm { short: !io::stderr().is_terminal(), colour: false })
}

/// A text without control characters: names in files come from anywhere.
pub fn plain(text: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| match line.strip_suffix('\n') {
        Some(line) => ::findings::plain(line) + "\n",
        None => ::findings::plain(line),
    });
    lines.collect()
}

/// The text of a site's file.
pub fn of_site<'f>(files: &'f SiteFiles) -> impl Fn(&str) -> Option<&'f str> {
    |name| files.0.get(name).map(String::as_str)
}

/// The text of one file.
pub fn of_file<'t>(name: &str, text: &'t str) -> impl Fn(&str) -> Option<&'t str> {
    move |asked| (asked == name).then_some(text)
}
