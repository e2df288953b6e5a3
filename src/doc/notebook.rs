//! Jupyter notebooks: Markdown cells, and code cells of bash (`%%bash`, or a bash kernel).
//!
//! Line numbers are those of the notebook's file: each string of a cell's source is looked up in it in order.

use super::block::{DocBlock, DocLine, DocPage, PageSource};
use super::{include, markdown};
use serde_json::Value;
use std::sync::Arc;

/// Adds the code blocks of a notebook.
pub fn read(text: &str, source: &mut dyn PageSource, page: &mut DocPage) {
    let file: Arc<str> = page.path.clone();
    let notebook: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => {
            let line = u32::try_from(error.line()).unwrap_or(0);
            page.note(&file, line, format!("not a notebook: {error}"));
            return;
        }
    };
    let kernel =
        notebook.pointer("/metadata/kernelspec/language").and_then(Value::as_str).unwrap_or_default();
    let mut finder = LineFinder { lines: text.lines().enumerate().collect(), next: 0 };
    for cell in notebook.get("cells").and_then(Value::as_array).into_iter().flatten() {
        let mut lines = Vec::new();
        let parts: Vec<&str> = match cell.get("source") {
            Some(Value::Array(parts)) => parts.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(whole)) => vec![whole],
            _ => Vec::new(),
        };
        for part in parts {
            let number = finder.find(part);
            lines.extend(part.lines().map(|l| DocLine { file: file.clone(), number, text: l.to_owned() }));
        }
        match cell.get("cell_type").and_then(Value::as_str) {
            Some("markdown") => {
                let lines = include::markdown(lines, source, page);
                markdown::read(&lines, page, 0);
            }
            Some("code") => {
                let magic =
                    lines.first().is_some_and(|l| l.text.starts_with("%%bash") || l.text.starts_with("%%sh"));
                if magic {
                    lines.remove(0);
                }
                if (magic || matches!(kernel, "bash" | "sh")) && !lines.is_empty() {
                    let language = "bash".to_owned();
                    page.blocks.push(DocBlock { lines, language, ..DocBlock::default() });
                }
            }
            _ => {}
        }
    }
}

/// Finds the lines of a JSON text that hold given strings, in order.
struct LineFinder<'a> {
    lines: Vec<(usize, &'a str)>,
    next: usize,
}

impl LineFinder<'_> {
    /// The line number of the string; the last one found if the JSON is not written line by line.
    fn find(&mut self, wanted: &str) -> u32 {
        let rest = self.lines.get(self.next..).unwrap_or_default();
        let found = rest.iter().position(|(_, line)| {
            let bare = line.trim().trim_end_matches(',');
            bare.starts_with('"') && serde_json::from_str::<String>(bare).is_ok_and(|text| text == wanted)
        });
        if let Some(offset) = found {
            self.next += offset + 1;
        }
        u32::try_from(self.next.max(1)).unwrap_or(u32::MAX)
    }
}
