//! Binds placeholders of an example to values of a site.

use super::config_file::DoctestConfig;
use super::options::UsedOption;
use doc::placeholders;

/// A text with its placeholders replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundText {
    /// The text.
    pub text: String,
    /// Placeholders without a value.
    pub open: Vec<String>,
}

/// Replaces the placeholders that the dictionary or `known` has a value for.
pub fn bind(text: &str, config: &DoctestConfig, known: &dyn Fn(&str) -> Option<String>) -> BoundText {
    let mut replaced = text.to_owned();
    // Whole entries first: `project_200xxxx` may contain a smaller placeholder.
    for (name, value) in &config.placeholders {
        replaced = replaced.replace(name, value);
    }
    let mut out = String::new();
    let mut open = Vec::new();
    let mut at = 0;
    for span in placeholders(&replaced) {
        let name = replaced.get(span.from..span.to).unwrap_or_default();
        out.push_str(replaced.get(at..span.from).unwrap_or_default());
        match known(name) {
            Some(value) => out.push_str(&value),
            None => {
                out.push_str(name);
                open.push(name.to_owned());
            }
        }
        at = span.to;
    }
    out.push_str(replaced.get(at..).unwrap_or_default());
    BoundText { text: out, open }
}

/// Whether a number or a time is given as a word: `--time=t0`, `-n procs`.
pub fn is_word_for_number(option: &UsedOption) -> bool {
    const NUMBERS: &[&str] = &[
        "cpus-per-gpu",
        "cpus-per-task",
        "mem",
        "mem-per-cpu",
        "mem-per-gpu",
        "nodes",
        "ntasks",
        "ntasks-per-node",
        "ntasks-per-socket",
        "time",
    ];
    let value = option.value.as_deref().unwrap_or_default();
    let limit = ["unlimited", "infinite", "partition_limit"].contains(&value.to_ascii_lowercase().as_str());
    // `-trace` is a mistake for `-t race`, not a placeholder.
    let attached = !option.written.starts_with("--") && !option.written.contains(' ');
    NUMBERS.contains(&option.name)
        && value.starts_with(|c: char| c.is_ascii_alphabetic())
        && !limit
        && !attached
}

/// Whether a value can only be a stand-in: `ACCOUNT`, `NAME`, `X`, `N`, `hh:mm:ss`, `acc-name`.
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
