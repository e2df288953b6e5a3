//! The search function that the library's `re` is based on.

use super::NativeTable;
use crate::value::Py;
use regex_lite::Regex;

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
        vm.fuel -= i64::try_from(text.len() / 16).unwrap_or(0);
        let offset = text.char_indices().nth(start).map_or(text.len(), |c| c.0);
        let Some(found) = regex.captures_at(&text, offset) else { return Ok(Py::None) };
        let groups: Vec<Option<(usize, usize)>> =
            (0..found.len()).map(|i| found.get(i).map(|m| (m.start(), m.end()))).collect();
        let char_index = |at: usize| Py::Int(i64::try_from(text[..at].chars().count()).unwrap_or(0));
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
