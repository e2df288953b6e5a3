//! getopt_long(3) as GNU programs use it: one parser and one set of messages for all commands.

use crate::Cx;

/// The options of a command.
pub struct Spec {
    /// Letters in the format of getopt(3): `ab:c::` (`:` requires an argument, `::` allows one). A leading `+`
    /// stops at the first operand.
    pub short: &'static str,
    /// Long names with their letters. The letter tells whether there is an argument. A letter that is not in
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

/// Whether an option takes an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    Something,
    Perhaps,
}

fn takes(short: &str, letter: char) -> Option<Takes> {
    let rest = &short[short.find(letter).filter(|_| letter != ':')? + letter.len_utf8()..];
    Some(if rest.starts_with("::") {
        Takes::Perhaps
    } else if rest.starts_with(':') {
        Takes::Something
    } else {
        Takes::Nothing
    })
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
    let mut parsed = ParsedFlags::default();
    let mut words = args.iter();
    while let Some(word) = words.next() {
        if word == "--" {
            parsed.operands.extend(words.by_ref().cloned());
        } else if let Some(long) = word.strip_prefix("--") {
            let option = long_word(spec, long, &mut words)?;
            parsed.options.push(option);
        } else if word.len() > 1 && word.starts_with('-') {
            letters(spec, word.get(1..).unwrap_or_default(), &mut words, &mut parsed)?;
        } else {
            parsed.operands.push(word.clone());
            if spec.short.starts_with('+') {
                parsed.operands.extend(words.by_ref().cloned());
            }
        }
    }
    Ok(parsed)
}

/// `-abc VALUE`
fn letters(
    spec: &Spec,
    word: &str,
    words: &mut std::slice::Iter<String>,
    parsed: &mut ParsedFlags,
) -> Result<(), Problem> {
    let mut letters = word.chars();
    while let Some(letter) = letters.next() {
        let value = match takes(spec.short, letter) {
            None => return Err(Problem::Text(format!("invalid option -- '{letter}'"))),
            Some(Takes::Nothing) => String::new(),
            Some(Takes::Perhaps) => letters.by_ref().collect(),
            Some(Takes::Something) if !letters.as_str().is_empty() => letters.by_ref().collect(),
            Some(Takes::Something) => {
                let missing = || Problem::Text(format!("option requires an argument -- '{letter}'"));
                words.next().ok_or_else(missing)?.clone()
            }
        };
        parsed.options.push((letter, value));
    }
    Ok(())
}

/// `--name=VALUE`
fn long_word(
    spec: &Spec,
    long: &str,
    words: &mut std::slice::Iter<String>,
) -> Result<(char, String), Problem> {
    let (name, value) = long.split_once('=').map_or((long, None), |(n, v)| (n, Some(v)));
    let letter = long_option(spec, name)?;
    let value = match (takes(spec.short, letter).unwrap_or(Takes::Nothing), value) {
        (Takes::Nothing, Some(_)) => {
            return Err(Problem::Text(format!("option '--{name}' doesn't allow an argument")));
        }
        (Takes::Nothing | Takes::Perhaps, None) => String::new(),
        (Takes::Something | Takes::Perhaps, Some(value)) => value.to_owned(),
        (Takes::Something, None) => {
            let missing = || Problem::Text(format!("option '--{name}' requires an argument"));
            words.next().ok_or_else(missing)?.clone()
        }
    };
    Ok((letter, value))
}

/// The letter of a long name or of an unambiguous prefix of one.
fn long_option(spec: &Spec, name: &str) -> Result<char, Problem> {
    if let Some((_, letter)) = spec.long.iter().find(|(long, _)| *long == name) {
        return Ok(*letter);
    }
    let found: Vec<_> = spec.long.iter().filter(|(long, _)| long.starts_with(name)).collect();
    match found.as_slice() {
        [] if name == "help" => Err(Problem::Help),
        [] if name == "version" => Err(Problem::Version),
        [] => Err(Problem::Text(format!("unrecognized option '--{name}'"))),
        [first, rest @ ..] if rest.iter().all(|(_, letter)| *letter == first.1) => Ok(first.1),
        many => {
            let names: Vec<_> = many.iter().map(|(long, _)| format!("'--{long}'")).collect();
            let names = names.join(" ");
            Err(Problem::Text(format!("option '--{name}' is ambiguous; possibilities: {names}")))
        }
    }
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
