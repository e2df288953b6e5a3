//! The layout of `scontrol show node` and `show partition`: items of `Key=Value` words over one or several lines.

/// One node or partition.
#[derive(Debug, PartialEq, Eq)]
pub struct ShownItem<'a> {
    /// The line where it begins, from 1.
    pub line: u32,
    /// Its pairs in order. A value may contain spaces (`OS=Linux 6.1 #1`, `Reason=disk broken`).
    pub pairs: Vec<(&'a str, String)>,
}

impl ShownItem<'_> {
    /// The value of a key. None if it is absent, `(null)`, `N/A` or `NONE`.
    pub fn get(&self, key: &str) -> Option<&str> {
        let pair = self.pairs.iter().find(|pair| pair.0.eq_ignore_ascii_case(key));
        let said = |value: &&str| {
            !value.is_empty()
                && !value.starts_with("(null")
                && *value != "N/A"
                && !value.eq_ignore_ascii_case("NONE")
        };
        pair.map(|pair| pair.1.as_str()).filter(said)
    }
}

/// Splits a text into items. An item begins at a line that starts with `first=`.
pub fn items<'a>(text: &'a str, first: &str) -> Vec<ShownItem<'a>> {
    let mut all: Vec<ShownItem<'a>> = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let begins = line.split_once('=').is_some_and(|(key, _)| key == first);
        if begins {
            all.push(ShownItem { line: number, pairs: Vec::new() });
        }
        let Some(item) = all.last_mut() else { continue };
        if line.trim().is_empty() {
            continue;
        }
        for word in line.split_whitespace() {
            match word.split_once('=').filter(|(key, _)| is_key(key)) {
                Some((key, value)) => item.pairs.push((key, value.to_owned())),
                None => {
                    if let Some((_, value)) = item.pairs.last_mut() {
                        value.push(' ');
                        value.push_str(word);
                    }
                }
            }
        }
    }
    all
}

fn is_key(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == ':')
}
