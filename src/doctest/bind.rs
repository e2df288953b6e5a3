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
