//! The lines before a command: `%`, `3,$`, `.,+2`, `'<,'>`, `/start/,/end/`.

use super::Vi;

/// The lines of a command, from 1; 0 is before the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineRange {
    /// The first line.
    pub from: usize,
    /// The last line.
    pub to: usize,
    /// How many addresses there were.
    pub given: usize,
}

impl Vi {
    /// Reads the range, and returns the rest.
    pub(super) fn range<'t>(&mut self, text: &'t str) -> Result<(LineRange, &'t str), String> {
        let here = self.cursor.row() + 1;
        let mut rest = text.trim_start_matches([' ', ':']);
        if let Some(rest) = rest.strip_prefix('%') {
            return Ok((LineRange { from: 1, to: self.text.count(), given: 2 }, rest.trim_start()));
        }
        let mut lines = Vec::new();
        let mut base = here;
        loop {
            let (line, after) = self.address(rest, base)?;
            let had = line.is_some();
            rest = after.trim_start();
            let separator = rest.chars().next().filter(|c| matches!(c, ',' | ';'));
            if had || separator.is_some() || !lines.is_empty() {
                lines.push(line.unwrap_or(base));
            }
            let Some(separator) = separator else { break };
            if separator == ';' {
                base = line.unwrap_or(base);
            }
            rest = rest.get(1..).unwrap_or_default().trim_start();
        }
        let to = lines.last().copied().unwrap_or(here);
        let from = if lines.len() > 1 { lines.get(lines.len() - 2).copied().unwrap_or(to) } else { to };
        if from.max(to) > self.text.count() {
            return Err("E16: Invalid range".to_owned());
        }
        let range = LineRange { from: from.min(to), to: from.max(to), given: lines.len() };
        Ok((range, rest))
    }

    /// One address, from 1. `text` may have none.
    pub(super) fn address<'t>(
        &mut self,
        text: &'t str,
        here: usize,
    ) -> Result<(Option<usize>, &'t str), String> {
        let mut rest = text;
        let mut line = match text.chars().next() {
            Some('.') => {
                rest = text.get(1..).unwrap_or_default();
                Some(here)
            }
            Some('$') => {
                rest = text.get(1..).unwrap_or_default();
                Some(self.text.count())
            }
            Some('0'..='9') => {
                let (number, after) = digits(text);
                rest = after;
                Some(number)
            }
            Some('\'') => {
                let name = text.chars().nth(1).ok_or("E20: Mark not set")?;
                rest = text.get(1 + name.len_utf8()..).unwrap_or_default();
                Some(self.mark(name).ok_or("E20: Mark not set")?.row() + 1)
            }
            Some(delimiter @ ('/' | '?')) => {
                let (pattern, after) = super::pattern::split(text.get(1..).unwrap_or_default(), delimiter);
                rest = after;
                let pattern = match &self.search {
                    Some(search) if pattern.is_empty() => search.pattern.clone(),
                    _ => pattern,
                };
                let regex = self.regex(&pattern, None)?;
                let count = self.text.count();
                let found = (1..=count).find_map(|step| {
                    let row = if delimiter == '/' {
                        (here - 1 + step) % count
                    } else {
                        (here - 1 + 2 * count - step) % count
                    };
                    regex.is_match(self.text.line(row)).then_some(row + 1)
                });
                Some(found.ok_or_else(|| format!("E486: Pattern not found: {pattern}"))?)
            }
            Some(_) | None => None,
        };
        while let Some(sign @ ('+' | '-')) = rest.chars().next() {
            let after = rest.get(1..).unwrap_or_default();
            let has_number = after.starts_with(|c: char| c.is_ascii_digit());
            let (step, after) = if has_number { digits(after) } else { (1, after) };
            let base = line.unwrap_or(here);
            line = Some(if sign == '+' {
                base.saturating_add(step)
            } else {
                base.checked_sub(step).ok_or("E16: Invalid range")?
            });
            rest = after;
        }
        Ok((line, rest))
    }
}

/// The number at the start of a text, at most 2^30, on every machine.
pub fn digits(text: &str) -> (usize, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    let most = 1 << 30;
    (number.parse::<u64>().ok().and_then(|n| usize::try_from(n).ok()).unwrap_or(most).min(most), rest)
}
