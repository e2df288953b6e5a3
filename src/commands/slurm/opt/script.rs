//! `#SBATCH` lines, parsed as sbatch does: only before the first command, with quotes and trailing comments.

use super::{Bad, JobOptions, SubmitCommand};

/// A directive: its line, its first column and its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// Line number, from 1.
    pub line: u32,
    /// The words, each with its start and end byte columns.
    pub words: Vec<(String, u32, u32)>,
}

/// The directives of a script.
#[must_use]
pub fn directives(script: &[u8]) -> Vec<Directive> {
    let text = String::from_utf8_lossy(script);
    let mut found = Vec::new();
    for (number, line) in (1u32..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        if !line.starts_with('#') {
            break;
        }
        let Some(rest) = line.strip_prefix("#SBATCH").filter(|r| r.starts_with([' ', '\t'])) else {
            continue;
        };
        let words = split(rest, line.len() - rest.len());
        if !words.is_empty() {
            found.push(Directive { line: number, words });
        }
    }
    found
}

/// The words of a line without quotes and comments.
#[must_use]
pub fn words(line: &str) -> Vec<String> {
    split(line, 0).into_iter().map(|w| w.0).collect()
}

/// Words of a directive: quotes and backslashes as in a shell, `#` begins a comment.
fn split(text: &str, offset: usize) -> Vec<(String, u32, u32)> {
    let mut words = Vec::new();
    let mut word: Option<(String, usize)> = None;
    let mut quote = None;
    let mut chars = text.char_indices();
    let column = |i: usize| u32::try_from(offset + i).unwrap_or(u32::MAX);
    while let Some((i, c)) = chars.next() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some('\''), c) => append(&mut word, i, c),
            (_, '\\') => {
                if let Some((_, next)) = chars.next() {
                    append(&mut word, i, next);
                }
            }
            (Some(_), c) => append(&mut word, i, c),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_with(|| (String::new(), i));
            }
            (None, '#') => break,
            (None, c) if c.is_whitespace() => {
                if let Some((text, start)) = word.take() {
                    words.push((text, column(start), column(i)));
                }
            }
            (None, c) => append(&mut word, i, c),
        }
    }
    if let Some((last, start)) = word {
        let end =
            text[start..].find([' ', '\t']).filter(|_| !last.contains(' ')).map_or(text.len(), |n| start + n);
        words.push((last, column(start), column(end)));
    }
    words
}

fn append(word: &mut Option<(String, usize)>, at: usize, c: char) {
    word.get_or_insert_with(|| (String::new(), at)).0.push(c);
}

impl JobOptions {
    /// Applies the directives of a script.
    ///
    /// # Errors
    /// The first error.
    pub fn script(&mut self, script: &[u8], name: &str) -> Result<(), Bad> {
        self.directives(directives(script), name)
    }

    /// Applies directives.
    ///
    /// # Errors
    /// The first error.
    pub fn directives(&mut self, directives: Vec<Directive>, name: &str) -> Result<(), Bad> {
        for directive in directives {
            let mut argv = vec![SubmitCommand::Sbatch.name().to_owned()];
            argv.extend(directive.words.into_iter().map(|w| w.0));
            let rest = self.argv(SubmitCommand::Sbatch, &argv)?;
            if let Some(word) = rest.first() {
                return Err(Bad {
                    before: Some(format!("sbatch: error: {name}: line {}", directive.line)),
                    ..Bad::error(format!("Invalid directive found in batch script: {word}"))
                });
            }
        }
        Ok(())
    }
}
