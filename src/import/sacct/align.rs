//! Assigns the fields of a record to its columns when there are more fields than columns.

use super::columns::SacctColumn;

/// Maximum number of attempts for a record.
const MAX_STEPS: u32 = 20_000;
/// Maximum number of surplus delimiters in a record.
const MAX_SURPLUS: usize = 200;

/// The text of each column. None if no assignment gives every column a valid text.
pub fn align<'t>(columns: &[Option<SacctColumn>], delimiter: &str, text: &'t str) -> Option<Vec<&'t str>> {
    // Starts and ends of the pieces.
    let mut pieces: Vec<(usize, usize)> = Vec::with_capacity(columns.len());
    let mut from = 0;
    for (at, _) in text.match_indices(delimiter) {
        pieces.push((from, at));
        from = at + delimiter.len();
    }
    pieces.push((from, text.len()));
    let surplus = pieces.len().checked_sub(columns.len())?;
    if surplus > MAX_SURPLUS {
        return None;
    }
    let mut found = Vec::with_capacity(columns.len());
    let mut search = AlignSearch { columns, pieces: &pieces, text, strict: surplus > 0, steps: 0 };
    if search.run(0, surplus, &mut found) {
        return Some(found);
    }
    (search.strict, search.steps) = (false, 0);
    found.clear();
    search.run(0, surplus, &mut found).then_some(found)
}

struct AlignSearch<'a, 't> {
    columns: &'a [Option<SacctColumn>],
    pieces: &'a [(usize, usize)],
    text: &'t str,
    /// A command line begins with a command.
    strict: bool,
    steps: u32,
}

impl<'t> AlignSearch<'_, 't> {
    /// Assigns the columns from `found.len()` on, beginning with piece `piece`, with `surplus` pieces to give away.
    fn run(&mut self, piece: usize, surplus: usize, found: &mut Vec<&'t str>) -> bool {
        let Some(column) = self.columns.get(found.len()) else { return surplus == 0 };
        // Unknown columns may also be free text.
        let most = if column.is_none_or(SacctColumn::free) { surplus } else { 0 };
        for extra in 0..=most {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return false;
            }
            let (Some(first), Some(last)) = (self.pieces.get(piece), self.pieces.get(piece + extra)) else {
                return false;
            };
            let text = &self.text[first.0..last.1];
            if column.is_none_or(|column| column.fits(text) && (!self.strict || column.likely(text))) {
                found.push(text);
                if self.run(piece + extra + 1, surplus - extra, found) {
                    return true;
                }
                found.pop();
            }
        }
        false
    }
}
