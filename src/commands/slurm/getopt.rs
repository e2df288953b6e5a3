//! getopt_long(3) as in the C library: abbreviations, `--opt=value`, `-n4`, `-n 4`, `-vv`, and its messages.

/// Whether an option takes an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arg {
    /// No argument.
    No,
    /// A required argument.
    Required,
    /// An optional argument, attached (`--nice=5`, `-I2`).
    Optional,
}

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
    let mut parsed = ParsedArguments::default();
    let mut words = argv.iter().skip(1);
    while let Some(word) = words.next() {
        if word == "--" {
            parsed.rest.extend(words.cloned());
            break;
        }
        if let Some(long) = word.strip_prefix("--") {
            let (name, attached) = match long.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (long, None),
            };
            let (full, arg) = find_long(table, name, word)?;
            let value = match (arg, attached) {
                (Arg::No, Some(_)) => return Err(format!("option '--{full}' doesn't allow an argument")),
                (Arg::Required, None) => match words.next() {
                    Some(next) => Some(next.clone()),
                    None => return Err(format!("option '--{full}' requires an argument")),
                },
                (_, attached) => attached,
            };
            parsed.options.push((full, value));
        } else if word.len() > 1 && word.starts_with('-') {
            short_options(table, &word[1..], &mut words, &mut parsed)?;
        } else {
            parsed.rest.push(word.clone());
            if !permute {
                parsed.rest.extend(words.cloned());
                break;
            }
        }
    }
    Ok(parsed)
}

fn short_options<'a>(
    table: &[Long],
    letters: &str,
    words: &mut impl Iterator<Item = &'a String>,
    parsed: &mut ParsedArguments,
) -> Result<(), String> {
    let mut chars = letters.chars();
    while let Some(c) = chars.next() {
        let Some((name, _, arg)) = table.iter().find(|(_, short, _)| *short == Some(c)) else {
            return Err(format!("invalid option -- '{c}'"));
        };
        if *arg == Arg::No {
            parsed.options.push((name, None));
            continue;
        }
        let attached = Some(chars.as_str()).filter(|s| !s.is_empty()).map(str::to_owned);
        let value = match (arg, attached) {
            (Arg::Required, None) => match words.next() {
                Some(next) => Some(next.clone()),
                None => return Err(format!("option requires an argument -- '{c}'")),
            },
            (_, attached) => attached,
        };
        parsed.options.push((name, value));
        break;
    }
    Ok(())
}

/// The option that `name` names or abbreviates.
fn find_long(table: &[Long], name: &str, word: &str) -> Result<(&'static str, Arg), String> {
    if let Some((full, _, arg)) = table.iter().find(|(full, _, _)| *full == name) {
        return Ok((full, *arg));
    }
    let fits: Vec<&Long> = table.iter().filter(|(full, _, _)| full.starts_with(name)).collect();
    match fits.as_slice() {
        [] => Err(format!("unrecognized option '{word}'")),
        [(full, _, arg)] => Ok((full, *arg)),
        // Several names of one option share a letter and are not ambiguous.
        [(full, Some(letter), arg), rest @ ..] if rest.iter().all(|o| o.1 == Some(*letter)) => {
            Ok((full, *arg))
        }
        _ => {
            let all: String = fits.iter().map(|(full, _, _)| format!(" '--{full}'")).collect();
            Err(format!("option '{word}' is ambiguous; possibilities:{all}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[Long] = &[
        ("ntasks", Some('n'), Arg::Required),
        ("ntasks-per-node", None, Arg::Required),
        ("nice", None, Arg::Optional),
        ("verbose", Some('v'), Arg::No),
        ("immediate", Some('I'), Arg::Optional),
        ("job", Some('j'), Arg::Required),
        ("jobs", Some('j'), Arg::Required),
    ];

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn as_the_c_library() {
        let parsed = parse(TABLE, &words("x -vn4 --ver --ntasks=5 -I2 --nice a -n 6 b"), true).unwrap();
        let options: Vec<_> = parsed.options.iter().map(|(n, v)| (*n, v.as_deref())).collect();
        assert_eq!(
            options,
            [
                ("verbose", None),
                ("ntasks", Some("4")),
                ("verbose", None),
                ("ntasks", Some("5")),
                ("immediate", Some("2")),
                ("nice", None),
                ("ntasks", Some("6")),
            ]
        );
        assert_eq!(parsed.rest, ["a", "b"]);
        let jobs = parse(TABLE, &words("x --jo 1 --jobs=2"), true).unwrap().options;
        assert_eq!(jobs.iter().map(|o| o.0).collect::<Vec<_>>(), ["job", "jobs"]);
        assert_eq!(parse(TABLE, &words("x a -n 6"), false).unwrap().rest, ["a", "-n", "6"]);
    }

    #[test]
    fn messages() {
        for (line, message) in [
            ("x --nosuch=3", "unrecognized option '--nosuch=3'"),
            ("x -z", "invalid option -- 'z'"),
            ("x --ntasks", "option '--ntasks' requires an argument"),
            ("x -n", "option requires an argument -- 'n'"),
            ("x --verbose=1", "option '--verbose' doesn't allow an argument"),
            ("x --nt=1", "option '--nt=1' is ambiguous; possibilities: '--ntasks' '--ntasks-per-node'"),
        ] {
            assert_eq!(parse(TABLE, &words(line), true), Err(message.to_owned()));
        }
    }
}
