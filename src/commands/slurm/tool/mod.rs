//! What the commands that show and change things have in common on their command lines: one row for each option
//! ([`Opt`]), one table for each command ([`Tool`]). Reading, `--help`, `--usage`, the manual pages ([`manual`]) and
//! completion ([`complete`]) come from it. sbatch, srun and salloc have a table of their own, [`super::opt`].

pub mod complete;
pub mod help;
pub mod manual;
mod table;

pub use table::{Keyword, TABLE, Word, find, flag, keyword, may, needs};

use super::VERSION;
use super::getopt::{self, Arg, Long, Parsed};
use super::opt::Bad;
use crate::commands::Cx;

/// One option.
#[derive(Clone, Copy)]
pub struct Opt {
    /// Long name without dashes.
    pub name: &'static str,
    /// Short letter.
    pub short: Option<char>,
    /// Whether it takes an argument.
    pub arg: Arg,
    /// What the argument is.
    pub word: Word,
    /// The environment variable that gives it; empty: none.
    pub env: &'static str,
    /// What it does, in a line.
    pub help: &'static str,
}

impl Opt {
    /// The same option, also given by an environment variable.
    #[must_use]
    pub const fn env(self, env: &'static str) -> Self {
        Self { env, ..self }
    }
}

/// One command.
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// Its options.
    pub options: &'static [Opt],
    /// `--usage` where Slurm's is known; empty: made from the table.
    pub usage: &'static str,
    /// What `--help` says of words that are no options; empty: there are none.
    pub synopsis: &'static str,
    /// Its keywords; the first word is one of them.
    pub keywords: &'static [Keyword],
    /// What a word may be that is no option and follows these (the keyword first).
    pub words: fn(&[&str]) -> Word,
    /// Names of fields by option, for `--helpformat` and the manual.
    pub fields: fn() -> Vec<&'static str>,
    /// Whether getopt's complaint is followed by a line that points to `--help`.
    pub hint: bool,
    /// A few sentences for the manual.
    pub about: &'static str,
}

/// A tool without words and fields, for tables to start from.
pub const PLAIN: Tool = Tool {
    name: "",
    options: &[],
    usage: "",
    synopsis: "",
    keywords: &[],
    words: |_| Word::Nothing,
    fields: Vec::new,
    hint: true,
    about: "",
};

impl Tool {
    /// The rows as getopt reads them.
    #[must_use]
    pub fn longs(&self) -> Vec<Long> {
        self.options.iter().map(|o| (o.name, o.short, o.arg)).collect()
    }

    /// The row of an option.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&'static Opt> {
        self.options.iter().find(|o| o.name == name)
    }
}

/// Reads a command's arguments and variables. What the environment says stands before what was typed, so that the
/// last word is the command line's. `--help`, `--usage` and `--version` are answered here.
///
/// # Errors
/// The exit code when there is nothing more to do.
pub fn read(cx: &mut Cx, tool: &Tool) -> Result<Parsed, u8> {
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
        cx.line(VERSION);
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

/// A list of names given to an option: words between commas.
#[must_use]
pub fn list(parsed: &Parsed, name: &str) -> Vec<String> {
    names(parsed.value(name).unwrap_or(""))
}

/// Words between commas.
#[must_use]
pub fn names(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

/// Uids of a list of users; those that nobody has are returned apart.
#[must_use]
pub fn users(cx: &Cx, names: &[String]) -> (Vec<u32>, Vec<String>) {
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for name in names {
        match cx.kernel.users.by_name(name).map(|u| u.uid.0).or_else(|| name.parse().ok()) {
            Some(uid) => known.push(uid),
            None => unknown.push(name.clone()),
        }
    }
    (known, unknown)
}
