//! Compares documented output with what was printed, word by word, where the words are certain.
//!
//! A word is certain if two runs print it, one of them later and with other job IDs, and it is no name of the site.

use std::collections::BTreeSet;

/// A printed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedLine {
    /// As the first run printed it.
    text: String,
    /// Its words; none where another cluster may print another word.
    words: Vec<Option<String>>,
}

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputComparison {
    /// All documented lines are printed.
    Same,
    /// The documented line of this index is printed in another form.
    Drifted(usize, String),
    /// The documented line of this index is not printed, and resembles no line that is.
    Unlike(usize),
}

/// The lines of two runs; none if the runs print different numbers of lines.
pub fn printed(one: &str, other: &str, names: &BTreeSet<String>) -> Option<Vec<PrintedLine>> {
    let (one, other): (Vec<&str>, Vec<&str>) = (filled(one), filled(other));
    if one.len() != other.len() {
        return None;
    }
    Some(one.iter().zip(&other).map(|(a, b)| PrintedLine::of(a, b, names)).collect())
}

fn filled(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.trim().is_empty()).collect()
}

impl PrintedLine {
    fn of(one: &str, other: &str, names: &BTreeSet<String>) -> Self {
        let (a, b): (Vec<&str>, Vec<&str>) =
            (one.split_whitespace().collect(), other.split_whitespace().collect());
        let same_count = a.len() == b.len();
        let words = a.iter().enumerate().map(|(i, word)| {
            let certain = same_count && b.get(i) == Some(word) && !has_name(word, names);
            certain.then(|| (*word).to_owned())
        });
        Self { text: one.trim().to_owned(), words: words.collect() }
    }

    fn matches(&self, words: &[&str]) -> bool {
        self.words.len() == words.len()
            && self
                .words
                .iter()
                .zip(words)
                .all(|(printed, word)| printed.as_deref().is_none_or(|p| p == *word))
    }

    /// Whether a documented line can only be another form of this one: as many words, and half of the certain ones are the
    /// same but for case and punctuation.
    fn resembles(&self, words: &[&str]) -> bool {
        let plain =
            |word: &str| word.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
        let certain = self.words.iter().flatten().count();
        let pairs = self.words.iter().zip(words);
        let same = pairs
            .filter(|(p, w)| p.as_deref().is_some_and(|p| !plain(p).is_empty() && plain(p) == plain(w)))
            .count();
        self.words.len() == words.len() && same > 0 && same * 2 >= certain
    }
}

/// Whether a word contains a name of the site, or a list of nodes.
fn has_name(word: &str, names: &BTreeSet<String>) -> bool {
    word.contains('[')
        || names.contains(word)
        || word
            .split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_'))
            .any(|part| names.contains(part))
}

/// Compares the lines of documented output with printed lines, in any order: tasks take turns.
pub fn compare(documented: &[&str], printed: &[PrintedLine]) -> OutputComparison {
    let mut unlike = None;
    for (index, line) in documented.iter().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let omitted = line.contains("...") || line.contains('…') || !doc::placeholders(line).is_empty();
        if words.is_empty() || omitted || printed.iter().any(|p| p.matches(&words)) {
            continue;
        }
        match printed.iter().find(|p| p.resembles(&words)) {
            Some(line) => return OutputComparison::Drifted(index, line.text.clone()),
            None => unlike = unlike.or(Some(index)),
        }
    }
    unlike.map_or(OutputComparison::Same, OutputComparison::Unlike)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_certain_and_other_words() {
        let names: BTreeSet<String> = ["c01", "alice"].map(str::to_owned).into();
        let lines = printed(
            "Hello from task 0 of 2 on c01\n\nHello from task 1 of 2 on c01\nJob 17 is done\n",
            "Hello from task 0 of 2 on c01\nHello from task 1 of 2 on c01\nJob 21 is done\n",
            &names,
        )
        .expect("as many lines");
        for (documented, wanted) in [
            (
                "Hello from task 1 of 2 on nid0001\nHello from task 0 of 2 on nid0001\nJob 99 is done",
                OutputComparison::Same,
            ),
            ("...\nJob <id> is done", OutputComparison::Same),
            ("Job 99 is finished", OutputComparison::Drifted(0, "Job 17 is done".into())),
            (
                "hello from task 0 of 2 on x",
                OutputComparison::Drifted(0, "Hello from task 0 of 2 on c01".into()),
            ),
            ("=== prologue ===\nJob 99 is done", OutputComparison::Unlike(0)),
        ] {
            let documented: Vec<&str> = documented.lines().collect();
            assert_eq!(compare(&documented, &lines), wanted, "{documented:?}");
        }
        assert_eq!(printed("a\n", "a\nb\n", &names), None);
    }
}
