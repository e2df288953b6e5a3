//! The shared command-line definition of commands that show and change state: one entry per option ([`ToolOption`]),
//! one table per command ([`ToolSpec`]).
//!
//! Parsing, `--help`, `--usage`, the manual pages ([`manual`]) and completion ([`complete`]) derive from it.
//! sbatch, srun and salloc have their own table, [`super::opt`].

pub mod complete;
pub mod help;
pub mod manual;
mod table;

pub use table::{ArgumentKind, Keyword, TABLE, find, flag, keyword, may, needs};

use super::getopt::{self, Arg, Long, ParsedArguments};
use super::opt::Bad;
use super::release;
use crate::Cx;

/// An option.
#[derive(Clone, Copy)]
pub struct ToolOption {
    /// Long name without dashes.
    pub name: &'static str,
    /// Short letter.
    pub short: Option<char>,
    /// Whether it takes an argument.
    pub arg: Arg,
    /// The kind of argument.
    pub word: ArgumentKind,
    /// The environment variable that sets it; empty if there is none.
    pub env: &'static str,
    /// A one-line description.
    pub help: &'static str,
}

impl ToolOption {
    /// The same option, also set by an environment variable.
    #[must_use]
    pub const fn env(self, env: &'static str) -> Self {
        Self { env, ..self }
    }
}

/// The definition of a command.
pub struct ToolSpec {
    /// Its name.
    pub name: &'static str,
    /// Its options.
    pub options: &'static [ToolOption],
    /// Slurm's own `--usage` if known; empty to generate it from the table.
    pub usage: &'static str,
    /// The operands in `--help`; empty if there are none.
    pub synopsis: &'static str,
    /// Its keywords. The first operand is one of them.
    pub keywords: &'static [Keyword],
    /// The kind of operand that follows these operands (the keyword first).
    pub words: fn(&[&str]) -> ArgumentKind,
    /// Field names for an option, for `--helpformat` and the manual.
    pub fields: fn() -> Vec<&'static str>,
    /// Whether getopt's error message is followed by a line that refers to `--help`.
    pub hint: bool,
    /// How `help` lists options: `-a, --all`, as scontrol does, instead of `-h or --help:`.
    pub help_in_columns: bool,
    /// A few sentences for the manual.
    pub about: &'static str,
}

/// A definition without operands and fields, as a base for tables.
pub const PLAIN: ToolSpec = ToolSpec {
    name: "",
    options: &[],
    usage: "",
    synopsis: "",
    keywords: &[],
    words: |_| ArgumentKind::Nothing,
    fields: Vec::new,
    hint: true,
    help_in_columns: false,
    about: "",
};

impl ToolSpec {
    /// The options in getopt's format.
    #[must_use]
    pub fn longs(&self) -> Vec<Long> {
        self.options.iter().map(|o| (o.name, o.short, o.arg)).collect()
    }

    /// The entry of an option.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&'static ToolOption> {
        self.options.iter().find(|o| o.name == name)
    }
}

/// Parses a command's arguments and environment variables. Variables come first, so that the command line takes
/// precedence. Handles `--help`, `--usage` and `--version`.
///
/// # Errors
/// The exit code if there is nothing more to do.
pub fn read(cx: &mut Cx, tool: &ToolSpec) -> Result<ParsedArguments, u8> {
    let mut parsed = match getopt::parse(&tool.longs(), cx.argv, true) {
        Ok(parsed) => parsed,
        Err(text) => {
            let lines = if tool.hint {
                Bad::getopt(tool.name, text, 1).lines(tool.name)
            } else {
                format!("{}: {text}", tool.name)
            };
            cx.complain(lines.trim_end());
            return Err(1);
        }
    };
    if parsed.has("help") {
        cx.print(&help::help(tool));
        return Err(0);
    }
    if parsed.has("usage") {
        cx.print(&help::usage(tool));
        return Err(0);
    }
    if parsed.has("version") {
        cx.line(release::of(cx).version);
        return Err(0);
    }
    let set = tool.options.iter().filter(|o| !o.env.is_empty());
    let implied: Vec<_> = set
        .filter_map(|o| {
            let value = cx.env.get(o.env).filter(|v| !v.is_empty())?;
            Some((o.name, (o.arg != Arg::No).then(|| value.clone())))
        })
        .collect();
    parsed.implied = implied.len();
    parsed.options.splice(0..0, implied);
    Ok(parsed)
}

/// The comma-separated names in an option's argument.
#[must_use]
pub fn list(parsed: &ParsedArguments, name: &str) -> Vec<String> {
    names(parsed.value(name).unwrap_or(""))
}

/// Comma-separated words.
#[must_use]
pub fn names(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

/// The uids of listed users. Unknown ones are returned separately.
#[must_use]
pub fn users(cx: &Cx, names: &[String]) -> (Vec<u32>, Vec<String>) {
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for name in names {
        let numbered =
            || name.parse().ok().filter(|uid| cx.kernel.users.by_uid(base::ids::Uid(*uid)).is_some());
        match cx.kernel.users.by_name(name).map(|u| u.uid.0).or_else(numbered) {
            Some(uid) => known.push(uid),
            None => unknown.push(name.clone()),
        }
    }
    (known, unknown)
}
