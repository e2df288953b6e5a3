//! Where in a line a message points. The readers of configuration files know lines only; their messages name what they mean.

use std::ops::Range;

/// Words of messages that are no names.
const COMMON: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "been", "but", "by", "for", "from", "has", "have", "in", "is",
    "it", "its", "more", "no", "not", "of", "on", "only", "option", "or", "than", "that", "the", "there",
    "this", "to", "unknown", "used", "value", "with",
];

/// The place: the value that the message quotes, otherwise the first name of the message that the line contains, with its
/// value; otherwise the whole first line.
pub fn locate(source: &str, message: &str) -> Range<usize> {
    value_of_key(source, message)
        .or_else(|| quoted(message).find_map(|text| token(source, text)))
        .or_else(|| {
            names(message).find_map(|name| token(source, name)).map(|found| with_value(source, found))
        })
        .filter(|found| !found.is_empty())
        .unwrap_or_else(|| first_line(source))
}

/// `Invalid value "V" for K`: `V` in `K=V`.
fn value_of_key(source: &str, message: &str) -> Option<Range<usize>> {
    let (value, rest) = message.strip_prefix("Invalid value \"")?.split_once("\" for ")?;
    let key = rest.split(|c| !is_word(c)).next().filter(|key| !key.is_empty())?;
    source.match_indices(key).find_map(|(at, _)| {
        let value_part = source[at + key.len()..].trim_start().strip_prefix('=')?;
        let value_part = value_part.trim_start_matches([' ', '\t', '"']);
        let start = source.len() - value_part.len();
        value_part.starts_with(value).then(|| start..start + value.len())
    })
}

/// The texts between quotation marks.
fn quoted(message: &str) -> impl Iterator<Item = &str> {
    let between = |mark| message.split(mark).skip(1).step_by(2);
    // An apostrophe is no quotation mark.
    between('"').chain(between('`')).chain(between('\'').filter(|text| !text.contains(' ')))
}

/// The words that may be names or values.
fn names(message: &str) -> impl Iterator<Item = &str> {
    let marks = [',', ';', ':', '.', '(', ')', '"', '\'', '`'];
    let words = message.split_whitespace().map(move |word| word.trim_matches(marks));
    words.filter(|word| word.contains(char::is_alphabetic) && !COMMON.contains(&word.to_lowercase().as_str()))
}

const fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The first occurrence of a text that is no part of a longer word.
fn token(source: &str, text: &str) -> Option<Range<usize>> {
    let (first, last) = (text.chars().next()?, text.chars().next_back()?);
    source.match_indices(text).map(|(at, _)| at..at + text.len()).find(|found| {
        let before = source[..found.start].chars().next_back().is_some_and(is_word);
        let after = source[found.end..].chars().next().is_some_and(is_word);
        !(before && is_word(first) || after && is_word(last))
    })
}

/// `KEY=VALUE` for the place of `KEY`.
fn with_value(source: &str, key: Range<usize>) -> Range<usize> {
    let Some(value) = source[key.end..].strip_prefix('=') else { return key };
    let end = match value.strip_prefix('"') {
        Some(inner) => inner.find('"').map(|end| end + 2),
        None => value.find(|c: char| c.is_whitespace() || c == '\\'),
    };
    key.start..key.end + 1 + end.unwrap_or_else(|| value.find('\n').unwrap_or(value.len()))
}

/// The first line without the spaces around it.
fn first_line(source: &str) -> Range<usize> {
    let line = source.lines().next().unwrap_or_default();
    let start = line.len() - line.trim_start().len();
    start..line.trim_end().len().max(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_the_readers_are_located() {
        let node = "NodeName=cn[1-4] CPUs=1 Boards=1 Gres=gpu:a100:4,nic:1  # 4 nodes";
        let part = "PartitionName=main Nodes=cn[1-9] State=UP PreemptMode=CANCL";
        let conf = "SchedulerParameters=bf_window=abc,defer";
        for (source, message, column, marked) in [
            (node, "Invalid value \"1\" for Boards", 31, "1"),
            (node, "Unknown option CPUs in a NodeName line", 17, "CPUs=1"),
            (node, "Duplicated NodeName cn1 in the config file", 0, "NodeName=cn[1-4]"),
            (node, "Gres=gpu:a100:4: gres/gpu is not among GresTypes", 33, "Gres=gpu:a100:4"),
            (part, "Invalid node names in partition: cn[5-9]", 0, part),
            (part, "partition main has no nodes", 14, "main"),
            (part, "Invalid PreemptMode: CANCL; no job is preempted", 42, "PreemptMode=CANCL"),
            (conf, "bf_window=abc is no number from 1 to 43200", 20, "bf_window=abc"),
            ("colour = 3", "unknown key `colour` (did you mean `color`?)", 0, "colour"),
            ("  name = 3", "invalid type: integer `3`, expected a string", 9, "3"),
            ("7 300 0 50", "4 fields instead of 18", 0, "7 300 0 50"),
            ("  sacctmgr -i add user x  ", "Nothing new added.", 2, "sacctmgr -i add user x"),
            ("Key=\"a b\" Other=1", "Key has no effect", 0, "Key=\"a b\""),
        ] {
            let found = locate(source, message);
            assert_eq!((found.start, &source[found]), (column, marked), "{message}");
        }
    }

    #[test]
    fn any_text_has_a_place_inside() {
        odd_texts().for_each(|(source, message)| {
            let found = locate(source, message);
            assert!(source.get(found.clone()).is_some(), "{source:?} {message:?} {found:?}");
        });
    }

    fn odd_texts() -> impl Iterator<Item = (&'static str, &'static str)> {
        let texts = [
            "",
            " ",
            "é=\"",
            "a=",
            "a=\"b",
            "\u{1f600}=x \\\n y",
            "Invalid value \"\" for ",
            "Invalid value \"é\" for é",
        ];
        texts.into_iter().flat_map(move |source| texts.into_iter().map(move |message| (source, message)))
    }
}
