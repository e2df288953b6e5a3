//! Headings, columns and rows of reports.

use super::super::getopt::Parsed;
use crate::base::table::{MAX_WIDTH, Overflow, cell};

const RULE: &str = "--------------------------------------------------------------------------------";

/// A column of a report: heading, width (negative: left-justified).
pub struct Col {
    pub title: String,
    pub width: i32,
}

/// The column of this heading.
pub fn col(title: &str, width: i32) -> Col {
    Col { title: title.to_owned(), width }
}

/// A column that is printed: which of the report's, and how.
pub struct Picked {
    at: usize,
    title: String,
    width: usize,
    right: bool,
}

/// How rows are written.
#[derive(Clone, Copy)]
pub struct Style {
    pub header: bool,
    parsable: bool,
    /// A `|` at the end, too.
    ends: bool,
}

impl Style {
    /// What the options say.
    pub fn of(parsed: &Parsed) -> Self {
        let ends = parsed.has("parsable") && !parsed.has("parsable2");
        Self { header: !parsed.has("noheader"), parsable: ends || parsed.has("parsable2"), ends }
    }
}

/// All columns, or those that `format=` names. An unknown name comes back.
pub fn columns(all: &[Col], format: Option<&str>) -> Result<Vec<Picked>, String> {
    let pick = |at: usize, width: i32| Picked {
        at,
        title: all[at].title.clone(),
        width: usize::try_from(width.unsigned_abs()).unwrap_or(10).clamp(1, MAX_WIDTH),
        right: width >= 0,
    };
    let Some(format) = format else { return Ok((0..all.len()).map(|i| pick(i, all[i].width)).collect()) };
    let mut picked = Vec::new();
    for word in format.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        let (name, width) = word.split_once('%').map_or((word, None), |(n, w)| (n, w.parse().ok()));
        let lower = name.to_ascii_lowercase();
        let bare = |c: &Col| c.title.to_ascii_lowercase().replace(' ', "");
        let at = all.iter().position(|c| bare(c).starts_with(&lower) || aliases(&bare(c), &lower));
        let at = at.ok_or_else(|| name.to_owned())?;
        picked.push(pick(at, width.unwrap_or(all[at].width)));
    }
    Ok(picked)
}

/// `plannedDown` and `tresname` beside their headings.
fn aliases(title: &str, asked: &str) -> bool {
    matches!((title, asked), ("plnddown", "planneddown" | "plannedd") | ("planned", "reserved"))
}

/// The heading between rules, and the columns' titles.
pub fn head(out: &mut Vec<u8>, title: &[String], columns: &[Picked], style: Style) {
    let rule = format!("{RULE}\n");
    out.extend_from_slice(rule.as_bytes());
    for line in title {
        out.extend_from_slice(line.as_bytes());
        out.push(b'\n');
    }
    out.extend_from_slice(rule.as_bytes());
    line(out, columns, style, |c| c.title.clone(), Overflow::Cut);
    if !style.parsable {
        line(out, columns, style, |c| "-".repeat(c.width), Overflow::Cut);
    }
}

/// A row: one text for each of the report's columns.
pub fn row(out: &mut Vec<u8>, columns: &[Picked], texts: &[String], style: Style) {
    line(out, columns, style, |c| texts.get(c.at).cloned().unwrap_or_default(), Overflow::Mark);
}

fn line(
    out: &mut Vec<u8>,
    columns: &[Picked],
    style: Style,
    text: impl Fn(&Picked) -> String,
    overflow: Overflow,
) {
    for (i, column) in columns.iter().enumerate() {
        if style.parsable {
            if i > 0 {
                out.push(b'|');
            }
            out.extend_from_slice(text(column).as_bytes());
        } else {
            cell(out, &text(column), column.width, column.right, overflow);
            out.push(b' ');
        }
    }
    if style.ends {
        out.push(b'|');
    }
    out.push(b'\n');
}
