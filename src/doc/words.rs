//! The words of a shell command line with their positions, as far as documentation needs them: quotes, pipes, lists,
//! redirections and comments. Placeholders such as `<project>` are ordinary characters, not redirections.

use super::placeholder::placeholders;

/// A word of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellWord {
    /// The word without quotes.
    pub text: String,
    /// Its first byte in the line.
    pub from: usize,
    /// The byte after its last.
    pub to: usize,
}

/// The simple commands of a line, separated by `|`, `;`, `&` and their doubles. Redirections are left out.
#[must_use]
pub fn commands(line: &str) -> Vec<Vec<ShellWord>> {
    let kept = placeholders(line);
    // Asked for with rising positions.
    let mut passed = 0;
    let mut inside = |at: usize| {
        while kept.get(passed).is_some_and(|p| p.to <= at) {
            passed += 1;
        }
        kept.get(passed).is_some_and(|p| p.from <= at)
    };
    let mut all = vec![Vec::new()];
    let mut word: Option<ShellWord> = None;
    let mut quote: Option<char> = None;
    // The next word is the target of a redirection.
    let mut target = false;
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let end = at + c.len_utf8();
        let plain = quote.is_none() && !inside(at);
        match c {
            '\\' if quote != Some('\'') => {
                // A line that goes on: not even an empty word.
                if chars.next_if(|(_, next)| *next == '\n').is_some() {
                    continue;
                }
                if let Some((next, escaped)) = chars.next() {
                    let word =
                        word.get_or_insert_with(|| ShellWord { text: String::new(), from: at, to: end });
                    word.text.push(escaped);
                    word.to = next + escaped.len_utf8();
                }
                continue;
            }
            '"' | '\'' if quote.is_none() && !inside(at) => {
                quote = Some(c);
                word.get_or_insert_with(|| ShellWord { text: String::new(), from: at, to: end }).to = end;
                continue;
            }
            _ if quote == Some(c) => {
                quote = None;
                if let Some(word) = &mut word {
                    word.to = end;
                }
                continue;
            }
            _ if plain && (c.is_whitespace() || "|;&<>()".contains(c)) => {
                if let Some(done) = word.take() {
                    let number = done.text.bytes().all(|b| b.is_ascii_digit());
                    if !(target || number && "<>".contains(c)) {
                        all.last_mut().map(|w: &mut Vec<ShellWord>| w.push(done)).unwrap_or_default();
                    }
                    target = false;
                }
                match c {
                    '<' | '>' => {
                        while chars.next_if(|(_, next)| "<>&-".contains(*next)).is_some() {}
                        target = true;
                    }
                    '|' | ';' | '&' | '(' | ')' => {
                        target = false;
                        all.push(Vec::new());
                    }
                    _ => {}
                }
                continue;
            }
            '#' if plain && word.is_none() => break,
            _ => {}
        }
        let word = word.get_or_insert_with(|| ShellWord { text: String::new(), from: at, to: end });
        word.text.push(c);
        word.to = end;
    }
    if let Some(done) = word.filter(|_| !target) {
        all.last_mut().map(|w: &mut Vec<ShellWord>| w.push(done)).unwrap_or_default();
    }
    all.retain(|words| !words.is_empty());
    all
}

/// A word, quoted so that a shell reads it as one.
#[must_use]
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./=:,%@+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_commands_of_a_line() {
        let table: &[(&str, &[&[&str]])] = &[
            ("sbatch -p gpu job.sh", &[&["sbatch", "-p", "gpu", "job.sh"]]),
            ("squeue -u $USER | grep x > out 2>&1", &[&["squeue", "-u", "$USER"], &["grep", "x"]]),
            ("srun --comment='a b' x # why", &[&["srun", "--comment=a b", "x"]]),
            (
                "sbatch -A <project> job.sh && squeue",
                &[&["sbatch", "-A", "<project>", "job.sh"], &["squeue"]],
            ),
            ("cd x; sinfo -o \"%P %a\"", &[&["cd", "x"], &["sinfo", "-o", "%P %a"]]),
            ("sbatch -n 2 \\\n  -p gpu job\\\n.sh", &[&["sbatch", "-n", "2", "-p", "gpu", "job.sh"]]),
            ("", &[]),
        ];
        for (line, wanted) in table {
            let found = commands(line);
            let found: Vec<Vec<&str>> =
                found.iter().map(|words| words.iter().map(|w| w.text.as_str()).collect()).collect();
            assert_eq!(found, *wanted, "{line}");
        }
        let words = commands("srun  --mem=4G x").remove(0);
        assert_eq!((words[1].from, words[1].to), (6, 14));
        assert_eq!(quoted("a b"), "'a b'");
    }
}
