//! `:s`: replaces matches.

use super::Vi;
use super::normal::{lower, upper};
use super::pattern::{ViSearch, split};
use super::range::{LineRange, digits};
use base::regex::{Groups, Regex};

/// Maximum bytes of a line after a replacement.
const MAX_LINE: usize = 1 << 20;

impl Vi {
    /// `:s/pattern/replacement/flags`; without arguments the last one again.
    pub(super) fn substitute(&mut self, range: LineRange, arguments: &str) -> Result<(), String> {
        let again =
            !arguments.starts_with(|c: char| !c.is_alphanumeric() && !matches!(c, ' ' | '"' | '|' | '&'));
        let (pattern, replacement, flags) = if again {
            let (pattern, replacement, _) =
                self.substitution.clone().ok_or("E33: No previous substitute regular expression")?;
            (pattern, replacement, arguments.trim_start_matches('&').trim().to_owned())
        } else {
            let delimiter = arguments.chars().next().unwrap_or('/');
            let (pattern, rest) = split(arguments.get(delimiter.len_utf8()..).unwrap_or_default(), delimiter);
            let (replacement, flags) = split(rest, delimiter);
            let pattern = if pattern.is_empty() {
                let search = self.search.as_ref().ok_or("E35: No previous regular expression")?;
                search.pattern.clone()
            } else {
                pattern
            };
            (pattern, replacement, flags.trim().to_owned())
        };
        let letters: String = flags.chars().take_while(char::is_ascii_alphabetic).collect();
        let count = flags.get(letters.len()..).unwrap_or_default().trim();
        if letters.contains('c') {
            return Err("not simulated in sandbatch: the flag c of :s".to_owned());
        }
        if let Some(unknown) = letters.chars().find(|c| !"giIne".contains(*c)) {
            return Err(format!("E488: Trailing characters: {unknown}"));
        }
        let range = match count {
            "" => range,
            count if count.chars().all(|c| c.is_ascii_digit()) => {
                let to = (range.to + digits(count).0 - 1).min(self.text.count());
                LineRange { from: range.to, to, given: 2 }
            }
            _ => return Err(format!("E488: Trailing characters: {count}")),
        };
        let case = letters.chars().rev().find(|c| matches!(c, 'i' | 'I')).map(|c| c == 'i');
        let regex = self.regex(&pattern, case)?;
        let forward = self.search.as_ref().is_none_or(|search| search.forward);
        self.search = Some(ViSearch { pattern: pattern.clone(), forward });
        self.substitution = Some((pattern.clone(), replacement.clone(), letters.clone()));
        let counts_only = letters.contains('n');
        let (mut matches, mut lines, mut last) = (0, 0, 0);
        let mut row = range.from.saturating_sub(1);
        let mut end = range.to.min(self.text.count());
        if !counts_only {
            self.change();
        }
        while row < end {
            let line = self.text.line(row).to_owned();
            let Some((new, found)) = replaced(&regex, &line, &replacement, letters.contains('g')) else {
                row += 1;
                continue;
            };
            (matches, lines) = (matches + found, lines + 1);
            if counts_only {
                row += 1;
                continue;
            }
            let rows: Vec<String> = new.split('\r').map(str::to_owned).collect();
            let added = rows.len() - 1;
            self.text.replace(row, 1, rows);
            last = row + added;
            (row, end) = (row + added + 1, end + added);
        }
        if matches == 0 {
            return if letters.contains('e') {
                Ok(())
            } else {
                Err(format!("E486: Pattern not found: {pattern}"))
            };
        }
        if !counts_only {
            self.go(self.first_in(last));
        }
        let of_lines = if lines == 1 { "1 line".to_owned() } else { format!("{lines} lines") };
        if counts_only {
            self.tell(&format!("{matches} match{} on {of_lines}", if matches == 1 { "" } else { "es" }));
        } else if matches > 2 {
            self.tell(&format!("{matches} substitutions on {of_lines}"));
        }
        Ok(())
    }
}

/// A line with its matches replaced, and their number. Line breaks are `\r`.
fn replaced(regex: &Regex, line: &str, replacement: &str, all: bool) -> Option<(String, usize)> {
    let mut out = String::new();
    let (mut at, mut copied, mut count) = (0, 0, 0);
    while let Some(groups) = regex.groups_at(line, at) {
        let (start, end) = groups.first().copied().flatten()?;
        out.push_str(line.get(copied..start)?);
        expand(&mut out, replacement, line, &groups);
        (copied, count) = (end, count + 1);
        let next = if end > start { end } else { end + 1 };
        at = (next..=line.len()).find(|at| line.is_char_boundary(*at)).unwrap_or(line.len() + 1);
        // An empty match at the end of the line, after others, is none.
        if !all
            || at > line.len()
            || at == line.len() && count > 0 && !line.is_empty()
            || out.len() > MAX_LINE
        {
            break;
        }
    }
    if count == 0 {
        return None;
    }
    out.push_str(line.get(copied..).unwrap_or_default());
    Some((out, count))
}

fn expand(out: &mut String, replacement: &str, line: &str, groups: &Groups) {
    let group = |n: usize| {
        groups.get(n).copied().flatten().and_then(|(from, to)| line.get(from..to)).unwrap_or_default()
    };
    // The case of the next character, and of all that follow.
    let (mut once, mut lasting) = (None, None);
    let mut chars = replacement.chars();
    while let Some(c) = chars.next() {
        let piece = match c {
            '&' => group(0).to_owned(),
            '\\' => match chars.next() {
                Some(c @ '0'..='9') => group((c as usize).saturating_sub('0' as usize)).to_owned(),
                Some('r') => "\r".to_owned(),
                Some('n') => "\0".to_owned(),
                Some('t') => "\t".to_owned(),
                Some(c @ ('u' | 'l')) => {
                    once = Some(c);
                    continue;
                }
                Some(c @ ('U' | 'L')) => {
                    lasting = Some(c);
                    continue;
                }
                Some('e' | 'E') => {
                    (once, lasting) = (None, None);
                    continue;
                }
                Some(c) => c.to_string(),
                None => "\\".to_owned(),
            },
            c => c.to_string(),
        };
        for c in piece.chars() {
            out.push(match (once.take(), lasting) {
                (Some('u'), _) | (None, Some('U')) => upper(c),
                (Some(_), _) | (None, Some('L')) => lower(c),
                (None, _) => c,
            });
        }
    }
}
