//! Placeholders: parts of an example that the reader replaces.

/// A placeholder in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// Its first byte.
    pub from: usize,
    /// The byte after its last.
    pub to: usize,
}

/// Longest placeholder in brackets, bytes.
const LONGEST: usize = 60;
/// Words that mark a name as the reader's own.
const OWN: &[&str] = &["your", "my", "some", "example", "username", "myaccount", "myproject"];

/// The placeholders of a text, in order: `<project>`, `{{ var }}`, `[account]`, `$JOBID`, `...`, `project_200xxxx`,
/// `YOUR_ACCOUNT`.
#[must_use]
pub fn placeholders(text: &str) -> Vec<Placeholder> {
    let mut found: Vec<Placeholder> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let Some(rest) = text.get(at..) else {
            at += 1;
            continue;
        };
        let length = bracketed(rest, text.get(..at).and_then(|t| t.chars().next_back()))
            .or_else(|| variable(rest))
            .or_else(|| dots(rest))
            .or_else(|| if starts_word(text, at) { name(rest) } else { None });
        match length {
            Some(length) => {
                found.push(Placeholder { from: at, to: at + length });
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

/// The text with `_` for every space inside a placeholder, so that a placeholder is one word. Columns stay.
#[must_use]
pub fn joined_placeholders(text: &str) -> String {
    let mut out = text.to_owned();
    for span in placeholders(text).iter().filter(|p| text.get(p.from..p.to).is_some_and(|t| t.contains(' ')))
    {
        let word = text.get(span.from..span.to).unwrap_or_default().replace(' ', "_");
        out.replace_range(span.from..span.to, &word.replace('#', "_"));
    }
    out
}

/// Whether a value can only be a stand-in: `ACCOUNT`, `NAME`, `X`, `N`, `hh:mm:ss`, `acc-name`.
#[must_use]
pub fn is_placeholder_value(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let upper = value.len() > 1
        && value.chars().any(|c| c.is_ascii_uppercase())
        && value.chars().all(|c| c.is_ascii_uppercase() || "_-".contains(c));
    let clock = !value.is_empty() && lower.chars().all(|c| "dhms:-".contains(c)) && value.contains(':');
    let letter = |part: &str| {
        let part = part.strip_suffix(['G', 'M', 'K']).filter(|rest| !rest.is_empty()).unwrap_or(part);
        !part.is_empty() && part.chars().all(|c| "XNYxny".contains(c)) || part == "M"
    };
    upper
        || clock
        || value.split([':', '=', ',', '-', '/']).any(letter)
        || value.is_empty()
        || value.contains(['[', ']', '|']) && !value.contains(',')
}

fn starts_word(text: &str, at: usize) -> bool {
    at == 0 || text.get(..at).and_then(|t| t.chars().next_back()).is_none_or(|c| !is_name(c))
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// `<...>`, `<<...>>`, `{{...}}`, `{...}`, `=[...]`, `«...»`.
fn bracketed(rest: &str, before: Option<char>) -> Option<usize> {
    let after_same = before == Some('<');
    let before_bracket = before == Some('=');
    let pairs = [
        ("{{", "}}"),
        ("<<", ">>"),
        ("<", ">"),
        ("[", "]"),
        ("{", "}"),
        ("«", "»"),
        ("‹", "›"),
        ("&lt;", "&gt;"),
        ("%%", "%%"),
    ];
    let (open, close) = pairs.into_iter().find(|(open, _)| rest.starts_with(open))?;
    let inner = window(rest.get(open.len()..)?);
    let end = inner.find(close).filter(|end| *end > 0 && *end <= LONGEST)?;
    let inside = inner.get(..end)?;
    let good = match open {
        "<" => {
            !after_same
                && inside.starts_with(|c: char| c.is_alphanumeric() || "_$#".contains(c))
                && !inside.contains(['<', '|', ';'])
        }
        // Array tasks or a node list contain numbers in brackets.
        "[" => {
            before_bracket && inside.starts_with(|c: char| c.is_alphabetic()) && !inside.contains(['=', '|'])
        }
        // A shell brace list has no spaces around its bars.
        "{" => inside.contains(" | ") || !inside.contains([',', ' ', '$']) && !inside.contains(".."),
        _ => true,
    };
    good.then_some(open.len() + end + close.len())
}

/// The prefix of a text in which a placeholder may end.
fn window(text: &str) -> &str {
    text.get(..text.floor_char_boundary(4 * LONGEST)).unwrap_or(text)
}

/// `$NAME`, `${NAME}`, `$(command)`.
fn variable(rest: &str) -> Option<usize> {
    let inner = window(rest.strip_prefix('$')?);
    if inner.starts_with('{') {
        return inner.find('}').map(|end| end + 2);
    }
    if inner.starts_with('(') {
        let mut depth = 0;
        for (i, c) in inner.char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(i + 2);
            }
        }
        return None;
    }
    let length = inner.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(inner.len());
    (length > 0).then_some(length + 1)
}

fn dots(rest: &str) -> Option<usize> {
    ["....", "...", "…"].iter().find(|dots| rest.starts_with(**dots)).map(|dots| dots.len())
}

/// A word that looks like a placeholder.
fn name(rest: &str) -> Option<usize> {
    let end = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
    let word = rest.get(..end)?;
    let lower = word.to_ascii_lowercase();
    let digits = |mark: &str| {
        lower
            .find(mark)
            .is_some_and(|at| at > 0 && lower.as_bytes().get(at - 1).is_some_and(u8::is_ascii_digit))
    };
    let crossed = lower.contains("xxx")
        || lower.contains("nnnn")
        || digits("xx")
        || lower == "xx"
        || word.contains("option_name");
    let own = OWN.iter().any(|start| {
        lower == *start || lower.strip_prefix(start).is_some_and(|rest| rest.starts_with(['_', '-']))
    });
    (crossed || own).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_of_a_text() {
        let table: &[(&str, &[&str])] = &[
            ("--account=<project>", &["<project>"]),
            ("--account=project_200xxxx", &["project_200xxxx"]),
            ("--account=[budget code] --nodelist=node0xx", &["[budget code]", "node0xx"]),
            ("--account=<<account>> -n <#sockets * s>", &["<<account>>", "<#sockets * s>"]),
            ("--array=[1-3] -w node[1-3]", &[]),
            ("-A {{ account }} -p small", &["{{ account }}"]),
            ("-A YOUR_ACCOUNT", &["YOUR_ACCOUNT"]),
            ("-A my-account -n 4", &["my-account"]),
            ("scancel $JOBID ${X} $(squeue -h)", &["$JOBID", "${X}", "$(squeue -h)"]),
            ("sbatch [options] ...", &["..."]),
            ("prog < input > output", &[]),
            ("cat <<EOF > x", &[]),
            ("n{1,2} a..b --mem=4G -t 1:00:00", &[]),
            ("--output=slurm-%j.out myprog", &[]),
        ];
        for (text, wanted) in table {
            let found: Vec<&str> = placeholders(text).iter().map(|p| &text[p.from..p.to]).collect();
            assert_eq!(found, *wanted, "{text}");
        }
    }
}
