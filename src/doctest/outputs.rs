//! Documented output: whether this Slurm still prints these columns and texts.
//!
//! Only output that does not depend on the site's jobs is compared: the heading of a list, and the messages of `sbatch`
//! and `salloc`.

use super::check::Checker;
use super::finding::BlockVerdict;
use super::requests::RowFinding;
use doc::words::{ShellWord, quoted};

/// Commands with a heading.
const LISTS: &[&str] = &["squeue", "sinfo", "sacct", "sshare"];

/// Options that change the columns or omit the heading. With other options, a command prints its usual heading.
const NO_HEADING: &[&str] =
    &["-h", "--noheader", "-n", "--json", "--yaml", "-p", "-P", "--parsable", "--parsable2"];

impl Checker<'_> {
    /// Compares the heading of the output with what the command prints. `first` is the index of the output's first line.
    pub(super) fn output(
        &mut self,
        name: &str,
        words: &[ShellWord],
        lines: &[(usize, &str)],
    ) -> Option<RowFinding> {
        let (row, heading) = lines.iter().find(|(_, line)| !line.trim().is_empty()).copied()?;
        if !LISTS.contains(&name) || words.iter().any(|w| NO_HEADING.contains(&w.text.as_str())) {
            return None;
        }
        // A heading: at least three words, mostly in capitals for squeue and sinfo.
        let columns: Vec<&str> = heading.split_whitespace().collect();
        let capital =
            |word: &&str| word.chars().all(|c| c.is_uppercase() || !c.is_alphabetic()) && word.len() > 1;
        let known = ["JOBID", "PARTITION", "JobID", "NODELIST", "Account", "CLUSTER:", "NODES"];
        if columns.len() < 3 || !known.contains(columns.first()?) || columns.contains(&"...") {
            return None;
        }
        if matches!(name, "squeue" | "sinfo")
            && columns.iter().filter(|w| capital(w)).count() + 1 < columns.len()
        {
            return None;
        }
        // Options that select jobs do not affect the heading, and options specific to the site would be refused.
        let argv: Vec<String> = format_options(name, words);
        let line: String = argv.iter().map(|word| format!("{} ", quoted(word))).collect();
        let (printed, _) = self.tool_output(&line);
        let expected: Vec<&str> =
            printed.lines().find(|l| !l.trim().is_empty())?.split_whitespace().collect();
        if expected == columns || columns.len() < expected.len() && shortened(&columns, &expected) {
            return None;
        }
        // A custom format (SQUEUE_FORMAT, an alias) has other columns, so only the default's own names count.
        let same = columns.iter().filter(|c| expected.contains(c)).count();
        if same + 2 < expected.len().min(columns.len()) || same + 1 < columns.len() {
            return None;
        }
        let message = format!("{name} prints these columns: {}", expected.join(" "));
        Some(RowFinding::new(row, BlockVerdict::Drifted, message, heading.trim()))
    }
}

/// Whether a heading was cut at the right edge, or its columns were shortened.
fn shortened(columns: &[&str], expected: &[&str]) -> bool {
    columns.iter().zip(expected).all(|(documented, printed)| printed.starts_with(documented))
}

/// The command with only the options that affect columns.
fn format_options(name: &str, words: &[ShellWord]) -> Vec<String> {
    let mut kept = vec![name.to_owned()];
    let mut iter = words.iter().skip(1).peekable();
    while let Some(word) = iter.next() {
        let text = word.text.as_str();
        let long = [
            "--format",
            "--Format",
            "--long",
            "--start",
            "--steps",
            "--Node",
            "--list-reasons",
            "--summarize",
            "--brief",
        ];
        if long.iter().any(|option| text == *option || text.starts_with(&format!("{option}="))) {
            kept.push(text.to_owned());
            if matches!(text, "--format" | "--Format")
                && let Some(next) = iter.next()
            {
                kept.push(next.text.clone());
            }
        } else if text.starts_with("-o") || text.starts_with("-O") {
            kept.push(text.to_owned());
            if text.len() == 2
                && let Some(next) = iter.next()
            {
                kept.push(next.text.clone());
            }
        } else if text.starts_with('-')
            && !text.starts_with("--")
            && text.chars().skip(1).all(|c| "lsNRab".contains(c))
        {
            kept.push(text.to_owned());
        }
    }
    kept
}
