//! getopt_long(3) of the C library, one word at a time: abbreviations, `--opt=value`, `-n4`, `-n 4`, `-vv`, and the
//! same error messages. Slurm's commands and the Unix commands parse their options with it.

use std::slice::Iter;
use std::str::Chars;

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

/// An option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionEntry {
    /// Its long name; empty if it has none.
    pub name: &'static str,
    /// Its letter on the command line, if it has one.
    pub short: Option<char>,
    /// Long names with the same group are one option, so an abbreviation of several of them is not ambiguous.
    pub group: Option<char>,
    /// Whether it takes an argument.
    pub arg: Arg,
}

/// The next element of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionWord {
    /// An option, as its index in the table, and its argument.
    Option(usize, Option<String>),
    /// An operand.
    Operand(String),
}

/// Parses the words of a command line after the command's name. An error is the C library's message without the
/// command's name.
pub struct OptionWords<'a> {
    table: &'a [OptionEntry],
    words: Iter<'a, String>,
    /// The remaining letters of `-abc`.
    letters: Chars<'a>,
    /// Whether options may follow operands.
    permute: bool,
    /// Whether only operands remain.
    operands: bool,
}

impl<'a> OptionWords<'a> {
    /// Reads `words`. With `permute`, options may follow operands; without it, the first operand ends them.
    #[must_use]
    pub fn new(table: &'a [OptionEntry], words: &'a [String], permute: bool) -> Self {
        Self { table, words: words.iter(), letters: "".chars(), permute, operands: false }
    }

    fn letter(&mut self, letter: char) -> Result<OptionWord, String> {
        let index = self.table.iter().position(|option| option.short == Some(letter));
        let index = index.ok_or_else(|| format!("invalid option -- '{letter}'"))?;
        let arg = self.table[index].arg;
        if arg == Arg::No {
            return Ok(OptionWord::Option(index, None));
        }
        let attached: String = self.letters.by_ref().collect();
        let value = match (arg, attached.is_empty()) {
            (_, false) => Some(attached),
            (Arg::Required, true) => {
                let next = self.words.next().cloned();
                Some(next.ok_or_else(|| format!("option requires an argument -- '{letter}'"))?)
            }
            (Arg::No | Arg::Optional, true) => None,
        };
        Ok(OptionWord::Option(index, value))
    }

    /// `--name=VALUE`, without the dashes.
    fn long(&mut self, long: &str) -> Result<OptionWord, String> {
        let (name, attached) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
        let index = self.index(name, long)?;
        let OptionEntry { name: full, arg, .. } = self.table[index];
        let value = match (arg, attached) {
            (Arg::No, Some(_)) => return Err(format!("option '--{full}' doesn't allow an argument")),
            (Arg::Required, None) => {
                let next = self.words.next().cloned();
                Some(next.ok_or_else(|| format!("option '--{full}' requires an argument"))?)
            }
            (_, attached) => attached.map(str::to_owned),
        };
        Ok(OptionWord::Option(index, value))
    }

    /// The index of the option that `name` names or abbreviates.
    fn index(&self, name: &str, long: &str) -> Result<usize, String> {
        let named = || self.table.iter().enumerate().filter(|(_, option)| !option.name.is_empty());
        if let Some((index, _)) = named().find(|(_, option)| option.name == name) {
            return Ok(index);
        }
        let mut fits = named().filter(|(_, option)| option.name.starts_with(name));
        let Some((index, first)) = fits.next() else { return Err(format!("unrecognized option '--{long}'")) };
        if fits.clone().all(|(_, option)| first.group.is_some() && option.group == first.group) {
            return Ok(index);
        }
        let all: String =
            std::iter::once(first).chain(fits.map(|(_, o)| o)).map(|o| format!(" '--{}'", o.name)).collect();
        Err(format!("option '--{long}' is ambiguous; possibilities:{all}"))
    }
}

impl Iterator for OptionWords<'_> {
    type Item = Result<OptionWord, String>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(letter) = self.letters.next() {
            return Some(self.letter(letter));
        }
        let word = self.words.next()?;
        if self.operands {
            return Some(Ok(OptionWord::Operand(word.clone())));
        }
        if word == "--" {
            self.operands = true;
            return self.next();
        }
        if let Some(long) = word.strip_prefix("--") {
            return Some(self.long(long));
        }
        if let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) {
            self.letters = letters.chars();
            return self.next();
        }
        self.operands = !self.permute;
        Some(Ok(OptionWord::Operand(word.clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &'static str, short: Option<char>, arg: Arg) -> OptionEntry {
        OptionEntry { name, short, group: short, arg }
    }

    fn read(line: &str, permute: bool) -> Result<Vec<OptionWord>, String> {
        let table = [
            entry("ntasks", Some('n'), Arg::Required),
            entry("ntasks-per-node", None, Arg::Required),
            entry("nice", None, Arg::Optional),
            entry("verbose", Some('v'), Arg::No),
            entry("", Some('I'), Arg::Optional),
            entry("job", Some('j'), Arg::Required),
            entry("jobs", Some('j'), Arg::Required),
        ];
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        OptionWords::new(&table, &words, permute).collect()
    }

    #[test]
    fn words_are_parsed_like_the_c_library() {
        let option = |index, value: Option<&str>| OptionWord::Option(index, value.map(str::to_owned));
        let operand = |word: &str| OptionWord::Operand(word.to_owned());
        assert_eq!(
            read("-vn4 --ver --ntasks=5 -I2 --nice a -n 6 - -I -- -v", true),
            Ok(vec![
                option(3, None),
                option(0, Some("4")),
                option(3, None),
                option(0, Some("5")),
                option(4, Some("2")),
                option(2, None),
                operand("a"),
                option(0, Some("6")),
                operand("-"),
                option(4, None),
                operand("-v"),
            ])
        );
        assert_eq!(read("--jo 1 --jobs=2", true), Ok(vec![option(5, Some("1")), option(6, Some("2"))]));
        assert_eq!(read("a -n 6", false), Ok(vec![operand("a"), operand("-n"), operand("6")]));
    }

    #[test]
    fn messages_are_those_of_the_c_library() {
        for (line, message) in [
            ("--nosuch=3", "unrecognized option '--nosuch=3'"),
            ("-z", "invalid option -- 'z'"),
            ("--ntasks", "option '--ntasks' requires an argument"),
            ("-n", "option requires an argument -- 'n'"),
            ("--verb=1", "option '--verbose' doesn't allow an argument"),
            ("--nt=1", "option '--nt=1' is ambiguous; possibilities: '--ntasks' '--ntasks-per-node'"),
        ] {
            assert_eq!(read(line, true), Err(message.to_owned()));
        }
    }
}
