//! Commands that show or change state: checks their options and fields with the commands' own tables.

use super::bind::bind;
use super::check::Checker;
use super::finding::BlockVerdict;
use super::requests::RowFinding;
use super::slips;
use commands::slurm::tool;
use doc::words::{ShellWord, quoted};

/// Commands whose output depends only on their options and the site.
const SHOWS: &[&str] = &["sacct", "sinfo", "sprio", "squeue", "sreport", "sshare", "sstat"];

/// Fragments of messages about an invalid command line. Other messages concern jobs and names that only the real site
/// has.
const WRONG: &[&str] = &[
    "unrecognized option",
    "invalid option",
    "requires an argument",
    "is ambiguous",
    "doesn't allow an argument",
    "Invalid field requested",
    "Invalid field",
    "Invalid job format specification",
    "Invalid node format",
    "Unrecognized option",
    "Invalid format",
    "Unknown field",
];

impl Checker<'_> {
    /// Checks a command that submits nothing.
    pub(super) fn tool(
        &mut self,
        name: &str,
        words: &[ShellWord],
        row: &dyn Fn(usize) -> usize,
    ) -> Option<RowFinding> {
        let head = row(words.first().map_or(0, |w| w.from));
        let spec = tool::find(name)?;
        let mut argv = vec![name.to_owned()];
        let mut open = Vec::new();
        for word in words.iter().skip(1) {
            // `[options]` and `...` can represent anything.
            if word.text.starts_with(['[', '<', '('])
                || word.text.contains('…')
                || word.text.starts_with("...")
            {
                return Some(RowFinding::new(
                    head,
                    BlockVerdict::Unchecked,
                    "a synopsis".to_owned(),
                    &word.text,
                ));
            }
            let bound =
                bind(&word.text, self.config, &|name| (name == "$USER").then(|| self.sites[0].user.clone()));
            open.extend(bound.open);
            argv.push(bound.text);
        }
        if let Some(found) = slips::dash(name, words, row) {
            return Some(found);
        }
        let longs = spec.longs();
        let wrong = |message: &str| {
            let named = words.iter().skip(1).find(|w| {
                let option = w.text.split('=').next().unwrap_or_default();
                w.text.len() > 1
                    && message.contains(option.trim_start_matches('-'))
                    && message.contains(&w.text)
                    || w.text.starts_with("--") && message.contains(option)
            });
            let row = named.map_or(head, |w| row(w.from));
            RowFinding::new(
                row,
                BlockVerdict::Refused,
                format!("{name}: {message}"),
                named.map_or("", |w| w.text.as_str()),
            )
        };
        if let Err(message) = commands::slurm::getopt::parse(&longs, &argv, true) {
            return Some(wrong(&message));
        }
        if !open.is_empty() || !SHOWS.contains(&name) {
            return None;
        }
        let line: String = argv.iter().map(|word| format!("{} ", quoted(word))).collect();
        let result = self.tool_output(&line);
        let bad = result.1.lines().find(|text| WRONG.iter().any(|part| text.contains(part)))?;
        let message = bad.strip_prefix(&format!("{name}: ")).unwrap_or(bad);
        Some(wrong(message.strip_prefix("error: ").unwrap_or(message)))
    }

    /// Standard output and error of a command at the first site.
    pub(super) fn tool_output(&mut self, line: &str) -> (String, String) {
        if let Some(known) = self.outputs.get(line) {
            return known.clone();
        }
        let result = self.sites[0].run(&format!("timeout 30 {line}"));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let both = (text(&result.stdout), text(&result.stderr));
        self.outputs.insert(line.to_owned(), both.clone());
        both
    }
}
