//! The options of Slurm's commands, by their long names.

use base::getopt::{OptionEntry, OptionWord, OptionWords};

pub use base::getopt::Arg;

/// An option's name, short letter and argument.
pub type Long = (&'static str, Option<char>, Arg);

/// A parsed command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParsedArguments {
    /// Options in order: long name and argument.
    pub options: Vec<(&'static str, Option<String>)>,
    /// Operands.
    pub rest: Vec<String>,
    /// The number of leading options that come from the environment.
    pub implied: usize,
}

impl ParsedArguments {
    /// Whether an option was given.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.options.iter().any(|(n, _)| *n == name)
    }

    /// How often an option was given.
    #[must_use]
    pub fn count(&self, name: &str) -> usize {
        self.options.iter().filter(|(n, _)| *n == name).count()
    }

    /// Whether an option was typed on the command line.
    #[must_use]
    pub fn typed(&self, name: &str) -> bool {
        self.options.iter().skip(self.implied).any(|(n, _)| *n == name)
    }

    /// The last given of these options, with its argument.
    #[must_use]
    pub fn last_of(&self, names: &[&str]) -> Option<(&'static str, &str)> {
        let last = self.options.iter().rev().find(|(n, _)| names.contains(n))?;
        Some((last.0, last.1.as_deref().unwrap_or("")))
    }

    /// The last argument given to an option.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        self.options.iter().rev().find(|(n, _)| *n == name).and_then(|(_, v)| v.as_deref())
    }
}

/// Parses `argv` (the first element is the command's name). With `permute`, options may follow operands; without
/// it, the first operand ends them.
///
/// # Errors
/// The C library's message without the command's name.
pub fn parse(table: &[Long], argv: &[String], permute: bool) -> Result<ParsedArguments, String> {
    let entry = |(name, short, arg): &Long| OptionEntry { name, short: *short, group: *short, arg: *arg };
    let entries: Vec<OptionEntry> = table.iter().map(entry).collect();
    let mut parsed = ParsedArguments::default();
    for word in OptionWords::new(&entries, argv.get(1..).unwrap_or_default(), permute) {
        match word? {
            OptionWord::Option(index, value) => parsed.options.push((entries[index].name, value)),
            OptionWord::Operand(word) => parsed.rest.push(word),
        }
    }
    Ok(parsed)
}
