//! getopt_long(3) as GNU programs use it: one parser, one set of messages for all commands.

use crate::commands::Cx;

/// The options of a command.
pub struct Spec {
    /// Letters as getopt(3) takes them: `ab:c::` (`:` takes an argument, `::` may); a leading `+` stops at the
    /// first operand.
    pub short: &'static str,
    /// Long names with the letter that they stand for; the letter says whether there is an argument. A letter
    /// that is no option of `short` takes none, unless it is upper case and listed in `short`.
    pub long: &'static [(&'static str, char)],
    /// Exit code of a usage error.
    pub usage: u8,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Parsed {
    /// Options in order, with their arguments.
    pub options: Vec<(char, String)>,
    /// Operands.
    pub operands: Vec<String>,
}

impl Parsed {
    /// Whether an option was given.
    #[must_use]
    pub fn has(&self, letter: char) -> bool {
        self.options.iter().any(|(l, _)| *l == letter)
    }

    /// The last argument given to an option.
    #[must_use]
    pub fn value(&self, letter: char) -> Option<&str> {
        self.options.iter().rev().find(|(l, _)| *l == letter).map(|(_, v)| v.as_str())
    }

    /// The last one given of several that override each other.
    #[must_use]
    pub fn last_of(&self, letters: &str) -> Option<char> {
        self.options.iter().rev().map(|(l, _)| *l).find(|l| letters.contains(*l))
    }
}

/// Does an option take an argument.
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

/// Why arguments could not be taken.
#[derive(Debug)]
pub enum Problem {
    /// `--help` was asked for.
    Help,
    /// `--version` was asked for.
    Version,
    /// A usage error, without the command's name.
    Text(String),
}

/// Parses the command's arguments. A usage error, or `--help`, was printed already; then its exit code comes back.
///
/// # Errors
/// The exit code to end with.
pub fn parse(cx: &mut Cx, spec: &Spec) -> Result<Parsed, u8> {
    parse_words(cx, spec, cx.argv.get(1..).unwrap_or_default())
}

/// [`parse`] of words other than the command's own arguments.
///
/// # Errors
/// The exit code to end with.
pub fn parse_words(cx: &mut Cx, spec: &Spec, args: &[String]) -> Result<Parsed, u8> {
    scan(spec, args).map_err(|problem| match problem {
        Problem::Help => {
            super::man::help(cx, spec);
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

/// [`parse_words`] without saying anything.
///
/// # Errors
/// What is wrong.
pub fn scan(spec: &Spec, args: &[String]) -> Result<Parsed, Problem> {
    let mut parsed = Parsed::default();
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
    parsed: &mut Parsed,
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

/// The letter of a long name or of an unambiguous beginning of one.
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

/// Whether standard input is read: no file among the operands after the first `skip` ones, or `-`.
#[must_use]
pub fn reads_stdin(spec: &Spec, argv: &[String], skip: usize) -> bool {
    scan(spec, argv.get(1..).unwrap_or_default()).is_ok_and(|parsed| {
        let files = parsed.operands.get(skip..).unwrap_or_default();
        files.is_empty() || files.iter().any(|f| f == "-")
    })
}

/// A file's content, or why it can't be read.
pub type Content = Result<std::sync::Arc<Vec<u8>>, crate::host::Errno>;

/// The content of each file operand (none, `-`: `stdin`), or why it can't be read.
pub fn contents(cx: &mut Cx, files: &[String], stdin: &[u8]) -> Vec<(String, Content)> {
    let names = if files.is_empty() { vec!["-".to_owned()] } else { files.to_vec() };
    let read = |name: String| {
        let data = if name == "-" { Ok(std::sync::Arc::new(stdin.to_vec())) } else { cx.read_file(&name) };
        (name, data)
    };
    names.into_iter().map(read).collect()
}

/// Prints a usage error and gives its exit code.
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
