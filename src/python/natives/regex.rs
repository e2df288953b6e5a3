//! The search function that the library's `re` is based on.

use super::NativeTable;
use crate::value::Py;
use regex_lite::Regex;

/// The byte of a character, or the end of the text.
fn byte_index(text: &str, character: usize) -> usize {
    text.char_indices().nth(character).map_or(text.len(), |found| found.0)
}

pub(super) const TABLE: NativeTable = &[
    ("re._search", |vm, a, _| {
        // Arguments: pattern, text and start. Result: the ranges of the groups. Positions count characters.
        let (pattern, text) = (vm.need_text(a, 0, "search")?, vm.need_text(a, 1, "search")?);
        let start = usize::try_from(vm.need_int(a, 2, "search")?).unwrap_or(0);
        let regex = match Regex::new(&pattern) {
            Ok(regex) => regex,
            Err(error) => {
                let message = format!("sandbatch's re does not know this pattern: {error}");
                return Err(vm.error("NotImplementedError", &message));
            }
        };
        let ascii = text.is_ascii();
        vm.fuel -= i64::try_from(text.len() / if ascii { 16 } else { 2 }).unwrap_or(0);
        let offset = if ascii { start.min(text.len()) } else { byte_index(&text, start) };
        let Some(found) = regex.captures_at(&text, offset) else { return Ok(Py::None) };
        let groups: Vec<Option<(usize, usize)>> =
            (0..found.len()).map(|i| found.get(i).map(|m| (m.start(), m.end()))).collect();
        let char_index = |at: usize| {
            let index = if ascii { at } else { text[..at].chars().count() };
            Py::Int(i64::try_from(index).unwrap_or(0))
        };
        let mut spans = Vec::new();
        for found in groups {
            let pair = found
                .map_or(vec![Py::Int(-1), Py::Int(-1)], |(from, to)| vec![char_index(from), char_index(to)]);
            spans.push(vm.tuple(pair));
        }
        Ok(vm.list(spans))
    }),
    ("re._names", |vm, a, _| {
        let pattern = vm.need_text(a, 0, "compile")?;
        let names: Vec<Option<String>> = match Regex::new(&pattern) {
            Ok(regex) => regex.capture_names().map(|n| n.map(str::to_owned)).collect(),
            Err(error) => {
                let message = format!("sandbatch's re does not know this pattern: {error}");
                return Err(vm.error("NotImplementedError", &message));
            }
        };
        let names = names.into_iter().map(|n| n.map_or(Py::None, |n| vm.text(n))).collect();
        Ok(vm.list(names))
    }),
];
