//! Tables as sacct, sacctmgr, sshare, sstat and sreport print them: `name%width` picks columns, headings are underlined
//! unless the output is for programs (`--parsable`).

use super::getopt::Parsed;
use crate::base::table::{MAX_WIDTH, Overflow, cell};

/// How rows are written.
#[derive(Clone, Debug)]
pub struct Style {
    /// Whether there are headings.
    pub header: bool,
    /// Without blanks, between delimiters.
    pub parsable: bool,
    /// A delimiter at the end, too.
    ends: bool,
    delimiter: String,
}

impl Style {
    /// What the options say.
    #[must_use]
    pub fn of(parsed: &Parsed) -> Self {
        let last = parsed.last_of(&["parsable", "parsable2"]).map(|(name, _)| name);
        Self {
            header: !parsed.has("noheader"),
            parsable: last.is_some(),
            ends: last == Some("parsable"),
            delimiter: parsed.value("delimiter").unwrap_or("|").to_owned(),
        }
    }
}

/// A column that is printed.
#[derive(Clone, Debug)]
pub struct Column {
    /// Which field of the command's table.
    pub at: usize,
    title: String,
    width: usize,
    right: bool,
}

/// Columns and how they are written.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The columns, in order.
    pub columns: Vec<Column>,
    /// How they are written.
    pub style: Style,
}

/// `name%20` and `name%-20` taken apart; a width that is no number counts for nothing.
#[must_use]
pub fn name_and_width(word: &str) -> (&str, Option<i32>) {
    word.split_once('%').map_or((word, None), |(name, width)| (name, width.parse().ok()))
}

impl Listing {
    /// Without columns yet.
    #[must_use]
    pub const fn new(style: Style) -> Self {
        Self { columns: Vec::new(), style }
    }

    /// Adds a column; a negative width is left-justified.
    pub fn add(&mut self, at: usize, title: &str, width: i32) {
        let size = usize::try_from(width.unsigned_abs()).unwrap_or(MAX_WIDTH).clamp(1, MAX_WIDTH);
        self.columns.push(Column { at, title: title.to_owned(), width: size, right: width >= 0 });
    }

    /// The headings, cut without a mark, and the line below them.
    pub fn head(&self, out: &mut Vec<u8>) {
        if !self.style.header {
            return;
        }
        self.line(out, Overflow::Cut, &|c| c.title.clone());
        if !self.style.parsable {
            self.line(out, Overflow::Cut, &|c| "-".repeat(c.width));
        }
    }

    /// A row; what is too long is marked with `+`.
    pub fn row(&self, out: &mut Vec<u8>, text: &dyn Fn(usize) -> String) {
        self.line(out, Overflow::Mark, &|c| text(c.at));
    }

    fn line(&self, out: &mut Vec<u8>, overflow: Overflow, text: &dyn Fn(&Column) -> String) {
        let delimiter = self.style.delimiter.as_bytes();
        for (i, column) in self.columns.iter().enumerate() {
            if self.style.parsable {
                if i > 0 {
                    out.extend_from_slice(delimiter);
                }
                out.extend_from_slice(text(column).as_bytes());
            } else {
                cell(out, &text(column), column.width, column.right, overflow);
                out.push(b' ');
            }
        }
        if self.style.ends {
            out.extend_from_slice(delimiter);
        }
        out.push(b'\n');
    }
}
