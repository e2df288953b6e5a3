//! Sentence templates with placeholders: `{0}` waits for `{1}`. Each language orders them freely.

/// Replaces the placeholders.
#[must_use]
pub fn fill(sentence: &str, parts: &[&str]) -> String {
    let mut out = String::new();
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let number = after.split_once('}').and_then(|(n, tail)| Some((n.parse::<usize>().ok()?, tail)));
        match number {
            Some((n, tail)) => {
                out.push_str(parts.get(n).copied().unwrap_or_default());
                rest = tail;
            }
            None => {
                out.push('{');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// A cell of a CSV file (RFC 4180).
#[must_use]
pub fn csv_cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// A line of a CSV file.
#[must_use]
pub fn csv_line<'a>(cells: impl IntoIterator<Item = &'a str>) -> String {
    let mut line: String = cells.into_iter().map(csv_cell).collect::<Vec<_>>().join(",");
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_in_any_order() {
        assert_eq!(fill("{1} before {0}, {7}{x} {", &["a", "b"]), "b before a, {x} {");
        assert_eq!(fill("", &[]), "");
    }

    #[test]
    fn csv() {
        assert_eq!(csv_line(["a", "b,c", "say \"no\""]), "a,\"b,c\",\"say \"\"no\"\"\"\n");
    }
}
