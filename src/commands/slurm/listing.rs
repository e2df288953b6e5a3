//! Tables of sacct, sacctmgr, sshare, sstat and sreport: `name%width` selects columns; headings are
//! underlined unless the output is parsable (`--parsable`).

use super::getopt::ParsedArguments;
use base::table::{MAX_WIDTH, Overflow, cell};

/// The output style of a table.
#[derive(Clone, Debug)]
pub struct ListingStyle {
    /// Whether headings are printed.
    pub header: bool,
    /// Parsable: delimiters instead of padding.
    pub parsable: bool,
    /// A delimiter at the end, too.
    ends: bool,
    delimiter: String,
}

impl ListingStyle {
    /// Padded columns below headings.
    #[must_use]
    pub fn plain() -> Self {
        Self { header: true, parsable: false, ends: false, delimiter: String::new() }
    }

    /// Reads the style from the options.
    #[must_use]
    pub fn of(parsed: &ParsedArguments) -> Self {
        let last = parsed.last_of(&["parsable", "parsable2"]).map(|(name, _)| name);
        Self {
            header: !parsed.has("noheader"),
            parsable: last.is_some(),
            ends: last == Some("parsable"),
            delimiter: parsed.value("delimiter").unwrap_or("|").to_owned(),
        }
    }
}

/// A printed column.
#[derive(Clone, Debug)]
pub struct ListingColumn {
    /// The field's index in the command's table.
    pub at: usize,
    title: String,
    width: usize,
    right: bool,
}

/// Columns and their style.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The columns, in order.
    pub columns: Vec<ListingColumn>,
    /// The style.
    pub style: ListingStyle,
}

/// Splits `name%20` and `name%-20`; an invalid width or 0 is ignored.
#[must_use]
pub fn name_and_width(word: &str) -> (&str, Option<i32>) {
    word.split_once('%')
        .map_or((word, None), |(name, width)| (name, width.parse().ok().filter(|width| *width != 0)))
}

fn size(width: i32) -> usize {
    usize::try_from(width.unsigned_abs()).unwrap_or(MAX_WIDTH).clamp(1, MAX_WIDTH)
}

impl Listing {
    /// A listing without columns.
    #[must_use]
    pub const fn new(style: ListingStyle) -> Self {
        Self { columns: Vec::new(), style }
    }

    /// Adds a column; a negative width is left-justified.
    pub fn add(&mut self, at: usize, title: &str, width: i32) {
        self.columns.push(ListingColumn {
            at,
            title: title.to_owned(),
            width: size(width),
            right: width >= 0,
        });
    }

    /// Gives all columns of a field another width.
    pub fn widen(&mut self, at: usize, width: i32) {
        for column in self.columns.iter_mut().filter(|column| column.at == at) {
            (column.width, column.right) = (size(width), width >= 0);
        }
    }

    /// Writes the headings, truncated without a mark, and the line below them.
    pub fn head(&self, out: &mut Vec<u8>) {
        if !self.style.header {
            return;
        }
        self.line(out, Overflow::Cut, &|c| c.title.clone());
        if !self.style.parsable {
            self.line(out, Overflow::Cut, &|c| "-".repeat(c.width));
        }
    }

    /// Writes a line; truncated texts end in `+`.
    pub fn row(&self, out: &mut Vec<u8>, text: &dyn Fn(usize) -> String) {
        self.line(out, Overflow::Mark, &|c| text(c.at));
    }

    fn line(&self, out: &mut Vec<u8>, overflow: Overflow, text: &dyn Fn(&ListingColumn) -> String) {
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
