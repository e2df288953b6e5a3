//! The front matter of a Markdown file: lines `key: value` between two lines `---` at its beginning.

/// One line of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The line's number, from 1.
    pub line: u32,
    /// What stands before the colon; empty where there is none.
    pub key: &'a str,
    /// What stands after it, without quotes around it.
    pub value: &'a str,
}

/// Most lines that are looked at.
const MAX_LINES: usize = 200;

/// The front matter, and how many lines of the file it takes with its fences; none without one that ends.
#[must_use]
pub fn front(text: &str) -> Option<(Vec<Entry<'_>>, u32)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut entries = Vec::new();
    for (line, number) in text.lines().zip(1_u32..).take(MAX_LINES) {
        match (number, line.trim_end()) {
            (1, "---") => {}
            (1, _) => return None,
            (_, "---") => return Some((entries, number)),
            (_, line) if line.trim().is_empty() || line.starts_with('#') => {}
            (_, line) => {
                let (key, value) = line.split_once(':').unwrap_or(("", line));
                entries.push(Entry { line: number, key: key.trim(), value: unquoted(value.trim()) });
            }
        }
    }
    None
}

/// The value of a key of a file's front matter.
#[must_use]
pub fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let (entries, _) = front(text)?;
    entries.into_iter().find(|e| e.key == key).map(|e| e.value)
}

fn unquoted(value: &str) -> &str {
    let inner = |quote| value.strip_prefix(quote).and_then(|v: &str| v.strip_suffix(quote));
    inner('"').or_else(|| inner('\'')).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_values() {
        let text = "---\ntitle: \"Why: a lesson\"\n\n# a remark\nsite: lab\nnonsense\n---\n# Body\n";
        let (entries, lines) = front(text).unwrap_or_default();
        let entry = |line, key, value| Entry { line, key, value };
        let all = [entry(2, "title", "Why: a lesson"), entry(5, "site", "lab"), entry(6, "", "nonsense")];
        assert_eq!((entries.as_slice(), lines), (&all[..], 7));
        assert_eq!(value(text, "site"), Some("lab"));
        assert_eq!(value(text, "seed"), None);
    }

    #[test]
    fn none_without_both_fences() {
        for text in ["", "# Title\n", "---\ntitle: x\n", " ---\na: b\n---\n"] {
            assert_eq!(front(text), None, "{text:?}");
        }
    }
}
