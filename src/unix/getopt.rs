//! Options in the style of GNU programs: letters with long names, `--help` and `--version`, and common error
//! messages.

use crate::Cx;
use base::getopt::{Arg, OptionEntry, OptionWord, OptionWords};

/// The options of a command.
pub struct Spec {
    /// Letters in the format of getopt(3): `ab:c::` (`:` requires an argument, `::` allows one). A leading `+`
    /// stops at the first operand.
    pub short: &'static str,
    /// Long names with their letters. The letter determines whether there is an argument. A letter that is not in
    /// `short` takes none, unless it is upper case and listed in `short`.
    pub long: &'static [(&'static str, char)],
    /// Exit code of a usage error.
    pub usage: u8,
}

/// The parsed arguments.
#[derive(Debug, Default)]
pub struct ParsedFlags {
    /// Options in order, with their arguments.
    pub options: Vec<(char, String)>,
    /// Operands.
    pub operands: Vec<String>,
}

impl ParsedFlags {
    /// Whether an option is present.
    #[must_use]
    pub fn has(&self, letter: char) -> bool {
        self.options.iter().any(|(l, _)| *l == letter)
    }

    /// The last argument of an option.
    #[must_use]
    pub fn value(&self, letter: char) -> Option<&str> {
        self.options.iter().rev().find(|(l, _)| *l == letter).map(|(_, v)| v.as_str())
    }

    /// The last of several options that override each other.
    #[must_use]
    pub fn last_of(&self, letters: &str) -> Option<char> {
        self.options.iter().rev().map(|(l, _)| *l).find(|l| letters.contains(*l))
    }
}

/// Whether a letter of `short` takes an argument. `None` if it is not there.
fn takes(short: &str, letter: char) -> Option<Arg> {
    let rest = &short[short.find(letter).filter(|_| letter != ':')? + letter.len_utf8()..];
    Some(if rest.starts_with("::") {
        Arg::Optional
    } else if rest.starts_with(':') {
        Arg::Required
    } else {
        Arg::No
    })
}

/// Represent `--help` and `--version` of commands that define no options of these names.
const HELP: char = '\u{e000}';
const VERSION: char = '\u{e001}';

/// The options of a command: its long names, then its letters.
fn entries(spec: &Spec) -> Vec<OptionEntry> {
    let long = |name, letter| {
        let arg = takes(spec.short, letter).unwrap_or(Arg::No);
        OptionEntry { name, short: None, group: Some(letter), arg }
    };
    let of_all = [("help", HELP), ("version", VERSION)];
    let of_all = of_all.into_iter().filter(|(name, _)| spec.long.iter().all(|(long, _)| long != name));
    let named = spec.long.iter().copied().chain(of_all).map(|(name, letter)| long(name, letter));
    let letters = spec.short.chars().filter(|c| !matches!(c, ':' | '+')).filter_map(|letter| {
        Some(OptionEntry {
            name: "",
            short: Some(letter),
            group: Some(letter),
            arg: takes(spec.short, letter)?,
        })
    });
    named.chain(letters).collect()
}

/// Why the arguments could not be parsed.
#[derive(Debug)]
pub enum Problem {
    /// `--help` was given.
    Help,
    /// `--version` was given.
    Version,
    /// A usage error, without the command's name.
    Text(String),
}

/// Parses the command's arguments. After printing a usage error or `--help`, returns the exit code.
///
/// # Errors
/// The exit code.
pub fn parse(cx: &mut Cx, spec: &Spec) -> Result<ParsedFlags, u8> {
    parse_words(cx, spec, cx.argv.get(1..).unwrap_or_default())
}

/// [`parse`] of words other than the command's own arguments.
///
/// # Errors
/// The exit code.
pub fn parse_words(cx: &mut Cx, spec: &Spec, args: &[String]) -> Result<ParsedFlags, u8> {
    scan(spec, args).map_err(|problem| match problem {
        Problem::Help => {
            super::help::help(cx, spec);
            0
        }
        Problem::Version => {
            let text = format!("{} (sandbatch) {}", cx.name(), env!("CARGO_PKG_VERSION"));
            cx.line(&text);
            0
        }
        Problem::Text(text) => usage(cx, spec, &text),
    })
}

/// Like [`parse_words`], but prints nothing.
///
/// # Errors
/// The usage error.
pub fn scan(spec: &Spec, args: &[String]) -> Result<ParsedFlags, Problem> {
    let entries = entries(spec);
    let mut parsed = ParsedFlags::default();
    for word in OptionWords::new(&entries, args, !spec.short.starts_with('+')) {
        match word.map_err(Problem::Text)? {
            OptionWord::Operand(word) => parsed.operands.push(word),
            OptionWord::Option(index, value) => match entries[index].group.unwrap_or_default() {
                HELP => return Err(Problem::Help),
                VERSION => return Err(Problem::Version),
                letter => parsed.options.push((letter, value.unwrap_or_default())),
            },
        }
    }
    Ok(parsed)
}

/// Whether standard input is read: there is no file among the operands after the first `skip`, or one is `-`.
#[must_use]
pub fn reads_stdin(spec: &Spec, argv: &[String], skip: usize) -> bool {
    scan(spec, argv.get(1..).unwrap_or_default()).is_ok_and(|parsed| {
        let files = parsed.operands.get(skip..).unwrap_or_default();
        files.is_empty() || files.iter().any(|f| f == "-")
    })
}

/// A file's content, or the error from reading it.
pub type Content = Result<std::sync::Arc<Vec<u8>>, host::Errno>;

/// The content of each file operand (`stdin` for `-` or without operands), or the error from reading it.
pub fn contents(cx: &mut Cx, files: &[String], stdin: &[u8]) -> Vec<(String, Content)> {
    let names = if files.is_empty() { vec!["-".to_owned()] } else { files.to_vec() };
    let read = |name: String| {
        let data = if name == "-" { Ok(std::sync::Arc::new(stdin.to_vec())) } else { cx.read_file(&name) };
        (name, data)
    };
    names.into_iter().map(read).collect()
}

/// Prints a usage error and returns the exit code.
pub fn usage(cx: &mut Cx, spec: &Spec, text: &str) -> u8 {
    cx.error(text);
    try_help(cx);
    spec.usage
}

/// `Try 'NAME --help' for more information.`
pub fn try_help(cx: &mut Cx) {
    let text = format!("Try '{} --help' for more information.", cx.name());
    cx.complain(&text);
}

/// `missing operand` and the like; exit code 1.
pub fn missing_operand(cx: &mut Cx) -> u8 {
    cx.error("missing operand");
    try_help(cx);
    1
}

/// `extra operand 'x'`; exit code 1.
pub fn extra_operand(cx: &mut Cx, operand: &str) -> u8 {
    cx.error(&format!("extra operand '{operand}'"));
    try_help(cx);
    1
}
