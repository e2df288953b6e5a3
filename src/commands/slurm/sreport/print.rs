//! Headings and columns of reports.

use crate::slurm::listing::{Listing, name_and_width};

const RULE: &str = "--------------------------------------------------------------------------------\n";

/// A column of a report: heading, width (negative: left-justified).
pub struct Col {
    pub title: String,
    pub width: i32,
}

/// The column with this heading.
pub fn col(title: &str, width: i32) -> Col {
    Col { title: title.to_owned(), width }
}

/// Adds all columns, or those named by `format=`. Returns an unknown name.
pub fn choose(listing: &mut Listing, all: &[Col], format: Option<&str>) -> Result<(), String> {
    let Some(format) = format else {
        all.iter().enumerate().for_each(|(at, c)| listing.add(at, &c.title, c.width));
        return Ok(());
    };
    for word in format.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        let (name, width) = name_and_width(word);
        let lower = name.to_ascii_lowercase();
        let bare = |c: &Col| c.title.to_ascii_lowercase().replace(' ', "");
        let fits = |c: &&Col| bare(c).starts_with(&lower) || aliases(&bare(c), &lower);
        let Some((at, column)) = all.iter().enumerate().find(|(_, c)| fits(c)) else {
            return Err(name.to_owned());
        };
        listing.add(at, &column.title, width.unwrap_or(column.width));
    }
    Ok(())
}

/// Keywords that differ from their headings, such as `plannedDown` and `tresname`.
fn aliases(title: &str, asked: &str) -> bool {
    matches!((title, asked), ("plnddown", "planneddown" | "plannedd") | ("planned", "reserved"))
}

/// The title between rules.
pub fn title(out: &mut Vec<u8>, lines: &[String]) {
    out.extend_from_slice(RULE.as_bytes());
    for line in lines {
        out.extend_from_slice(line.as_bytes());
        out.push(b'\n');
    }
    out.extend_from_slice(RULE.as_bytes());
}
