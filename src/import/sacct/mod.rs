//! Reads the output of `sacct -P` (and `-p`): records by column name, in any order, of any Slurm since 20.11.
//!
//! `|` and line breaks inside JobName, SubmitLine and other free text are not escaped. A record is therefore the
//! shortest run of lines with enough delimiters, and surplus delimiters are assigned to free-text columns so that every
//! other column is valid. Costs one pass; at most one record is in memory.

mod align;
pub mod columns;
pub mod json;
mod lines;
pub mod values;

use columns::SacctColumn;
pub use lines::BoundedLines;
use std::io::BufRead;

/// Maximum length of a record, in bytes.
const MAX_RECORD: usize = 1 << 20;
/// Maximum number of columns.
const MAX_COLUMNS: usize = 300;

/// One record: the texts of the known columns.
#[derive(Clone, Debug, Default)]
pub struct SacctRow {
    /// The line where it begins, from 1.
    pub line: u32,
    texts: Vec<String>,
}

impl SacctRow {
    /// A record from pairs.
    pub fn from_pairs(line: u32, pairs: impl IntoIterator<Item = (SacctColumn, String)>) -> Self {
        let mut row = Self { line, texts: vec![String::new(); SacctColumn::COUNT] };
        for (column, text) in pairs {
            row.texts[column as usize] = text;
        }
        row
    }

    /// The text of a column; empty if the table does not have it.
    #[must_use]
    pub fn get(&self, column: SacctColumn) -> &str {
        self.texts.get(column as usize).map_or("", |text| text.trim())
    }
}

/// An item of the input.
#[derive(Debug)]
pub enum SacctItem {
    /// A record.
    Row(SacctRow),
    /// A line that is not a record, the reason, and its text.
    Broken(u32, &'static str, String),
}

/// Reads the records of a text.
pub struct SacctReader<R> {
    lines: BoundedLines<R>,
    delimiter: String,
    /// The column for each field. None: the import does not use it.
    columns: Vec<Option<SacctColumn>>,
    /// The next line, if it was read ahead.
    ahead: Option<(u32, String)>,
}

impl<R: BufRead> SacctReader<R> {
    /// Reads up to the heading. None if the text has none.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn new(input: R) -> std::io::Result<Option<Self>> {
        let mut lines = BoundedLines::new(input);
        for _ in 0..100 {
            let Some((_, line)) = lines.next_line()? else { return Ok(None) };
            let Some((delimiter, columns)) = heading(&line) else { continue };
            return Ok(Some(Self { lines, delimiter, columns, ahead: None }));
        }
        Ok(None)
    }

    /// Whether the table has a column.
    #[must_use]
    pub fn has(&self, column: SacctColumn) -> bool {
        self.columns.contains(&Some(column))
    }

    /// The next record or broken line; none at the end.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn next_item(&mut self) -> std::io::Result<Option<SacctItem>> {
        let (number, mut text) = loop {
            let next = match self.ahead.take() {
                Some(next) => Some(next),
                None => self.lines.next_line()?,
            };
            match next {
                None => return Ok(None),
                Some((_, line)) if line.trim().is_empty() => {}
                Some(next) => break next,
            }
        };
        let wanted = self.columns.len() - 1;
        while text.matches(self.delimiter.as_str()).count() < wanted {
            let Some((at, line)) = self.lines.next_line()? else {
                return Ok(Some(SacctItem::Broken(number, "the text ends within a record", text)));
            };
            // A line that is a record by itself does not continue the previous one.
            if align::align(&self.columns, &self.delimiter, &line).is_some() {
                self.ahead = Some((at, line));
                return Ok(Some(SacctItem::Broken(number, "too few columns", text)));
            }
            if text.len() + line.len() > MAX_RECORD {
                return Ok(Some(SacctItem::Broken(number, "too long for a record", text)));
            }
            text.push('\n');
            text.push_str(&line);
        }
        let Some(texts) = align::align(&self.columns, &self.delimiter, &text) else {
            return Ok(Some(SacctItem::Broken(number, "its columns do not hold what their names say", text)));
        };
        let pairs =
            self.columns.iter().zip(texts).filter_map(|(column, text)| Some(((*column)?, text.to_owned())));
        Ok(Some(SacctItem::Row(SacctRow::from_pairs(number, pairs))))
    }
}

/// The delimiter and columns, if this is a heading.
fn heading(line: &str) -> Option<(String, Vec<Option<SacctColumn>>)> {
    let name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '%';
    let first = line.find(|c| !name(c))?;
    let after = &line[first..];
    let delimiter = &after[..after.find(name).unwrap_or(after.len())];
    if delimiter.trim_matches(' ').is_empty() {
        return None;
    }
    let words: Vec<&str> = line.split(delimiter).collect();
    let columns: Vec<Option<SacctColumn>> = words.iter().map(|word| SacctColumn::named(word)).collect();
    let known = columns.iter().flatten().count();
    (columns.len() <= MAX_COLUMNS && known >= 3 && columns.contains(&Some(SacctColumn::JobId)))
        .then(|| (delimiter.to_owned(), columns))
}
