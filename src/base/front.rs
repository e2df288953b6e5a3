//! Front matter of a Markdown file: `key: value` lines between two `---` lines at its start.

/// A line of front matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrontMatterLine<'a> {
    /// The line number, from 1.
    pub line: u32,
    /// The text before the colon; empty if there is no colon.
    pub key: &'a str,
    /// The text after the colon, unquoted.
    pub value: &'a str,
}

/// Maximum number of lines to search for the closing `---`.
const MAX_LINES: usize = 200;

/// The entries of the front matter and the number of lines it occupies with its fences; `None` without a
/// closing fence.
#[must_use]
pub fn front(text: &str) -> Option<(Vec<FrontMatterLine<'_>>, u32)> {
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
                entries.push(FrontMatterLine {
                    line: number,
                    key: key.trim(),
                    value: unquoted(value.trim()),
                });
            }
        }
    }
    None
}

/// The value of a key in a file's front matter.
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
        let entry = |line, key, value| FrontMatterLine { line, key, value };
        let all = [entry(2, "title", "Why: a lesson"), entry(5, "site", "lab"), entry(6, "", "nonsense")];
        assert_eq!((entries.as_slice(), lines), (&all[..], 7));
        assert_eq!(value(text, "site"), Some("lab"));
        assert_eq!(value(text, "seed"), None);
    }

    #[test]
    fn both_fences_are_required() {
        for text in ["", "# Title\n", "---\ntitle: x\n", " ---\na: b\n---\n"] {
            assert_eq!(front(text), None, "{text:?}");
        }
    }
}
