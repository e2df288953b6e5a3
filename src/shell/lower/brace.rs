//! Brace expansion, bounded: `{a,b}`, `{1..9..2}`, `{a..f}`.

use super::word::{Word, WordPiece};
use super::{ErrorKind, LowerResult, SourceParser};
use crate::op::Op;
use base::pad;

/// Maximum number of words from one word.
const MAX_WORDS: usize = 100_000;
/// Maximum length of a sequence that is a whole word.
const MAX_NUMBERS: u32 = 2_000_000;
/// Shorter sequences are expanded like other words.
const SHORT: u32 = 64;
/// Maximum number of opening braces considered.
const MAX_BRACES: usize = 1000;
/// Maximum nesting of braces.
const MAX_DEPTH: u32 = 50;

/// A unit of a word for brace expansion.
#[derive(Clone, Debug)]
enum BraceUnit {
    Char(char),
    Piece(WordPiece),
}

impl SourceParser<'_> {
    /// Expands the braces of a word.
    pub(super) fn braces(&self, word: Word) -> LowerResult<Vec<Word>> {
        let braces = |p: &WordPiece| matches!(p, WordPiece::Lit(text, false) if text.contains('{'));
        if !self.options.braces || !word.iter().any(braces) {
            return Ok(vec![word]);
        }
        let units: Vec<BraceUnit> = word.into_iter().flat_map(apart).collect();
        let opening = units.iter().filter(|u| matches!(u, BraceUnit::Char('{'))).count();
        if opening > MAX_BRACES {
            return Ok(vec![together(&units)]);
        }
        match expand(&units, 0) {
            Some(words) => Ok(words.iter().map(|w| together(w)).filter(|w| !w.is_empty()).collect()),
            None => self.fail(ErrorKind::Message("brace expansion: too many words".into())),
        }
    }
}

/// The op for a word that is only a long numeric sequence: it is expanded at run time.
pub(super) fn long_sequence(word: &Word) -> Option<Op> {
    let [WordPiece::Lit(text, false)] = word.as_slice() else { return None };
    let (first, last, step, width) = numbers(text.strip_prefix('{')?.strip_suffix('}')?)?;
    let count = first.abs_diff(last) / step.unsigned_abs() + 1;
    let count = u32::try_from(count).ok().filter(|count| (SHORT..=MAX_NUMBERS).contains(count))?;
    let step = if first <= last { step } else { -step };
    Some(Op::ArgSequence { first, step, count, width: u32::try_from(width).ok()? })
}

/// Parses `1..9..2`: both ends, the step, and the minimum number of digits.
fn numbers(text: &str) -> Option<(i64, i64, i64, usize)> {
    let parts: Vec<&str> = text.split("..").collect();
    let (first, last, step) = match parts.as_slice() {
        [first, last] => (*first, *last, 1),
        [first, last, step] => (*first, *last, step.parse::<i64>().ok()?),
        _ => return None,
    };
    let step = step.checked_abs()?.max(1);
    let padded = |t: &str| t.trim_start_matches('-').starts_with('0') && t.trim_start_matches('-').len() > 1;
    let width = if padded(first) || padded(last) { first.len().max(last.len()) } else { 0 };
    Some((first.parse().ok()?, last.parse().ok()?, step, width))
}

fn apart(piece: WordPiece) -> Vec<BraceUnit> {
    match piece {
        WordPiece::Lit(text, false) => text.chars().map(BraceUnit::Char).collect(),
        other => vec![BraceUnit::Piece(other)],
    }
}

fn together(units: &[BraceUnit]) -> Word {
    let mut word = Word::new();
    for unit in units {
        match unit {
            BraceUnit::Piece(piece) => word.push(piece.clone()),
            BraceUnit::Char(c) => {
                if let Some(WordPiece::Lit(text, false)) = word.last_mut() {
                    text.push(*c);
                } else {
                    word.push(WordPiece::Lit((*c).into(), false));
                }
            }
        }
    }
    word
}

/// All words; `None` if there are too many.
fn expand(units: &[BraceUnit], depth: u32) -> Option<Vec<Vec<BraceUnit>>> {
    let mut words: Vec<Vec<BraceUnit>> = vec![Vec::new()];
    let mut at = 0;
    while at < units.len() {
        let group = if depth < MAX_DEPTH { alternatives(units, at, depth) } else { BraceGroup::None };
        match group {
            BraceGroup::TooMany => return None,
            BraceGroup::None => {
                words.iter_mut().for_each(|w| w.push(units[at].clone()));
                at += 1;
            }
            BraceGroup::Found(choices, end) => {
                if words.len().saturating_mul(choices.len()) > MAX_WORDS {
                    return None;
                }
                words = words
                    .iter()
                    .flat_map(|w| choices.iter().map(move |c| w.iter().chain(c).cloned().collect()))
                    .collect();
                at = end;
            }
        }
    }
    Some(words)
}

enum BraceGroup {
    None,
    TooMany,
    Found(Vec<Vec<BraceUnit>>, usize),
}

/// The alternatives of the brace expression at `start`, and its end.
fn alternatives(units: &[BraceUnit], start: usize, depth: u32) -> BraceGroup {
    if !matches!(units[start], BraceUnit::Char('{')) {
        return BraceGroup::None;
    }
    let (mut level, mut cuts, mut end) = (0_u32, vec![start], None);
    for (i, unit) in units.iter().enumerate().skip(start) {
        match unit {
            BraceUnit::Char('{') => level += 1,
            BraceUnit::Char('}') => {
                level -= 1;
                if level == 0 {
                    end = Some(i);
                    break;
                }
            }
            BraceUnit::Char(',') if level == 1 => cuts.push(i),
            BraceUnit::Char(_) | BraceUnit::Piece(_) => {}
        }
    }
    let Some(end) = end else { return BraceGroup::None };
    if cuts.len() == 1 {
        return match sequence(&units[start + 1..end]) {
            Some(Some(words)) => BraceGroup::Found(words, end + 1),
            Some(None) => BraceGroup::TooMany,
            None => BraceGroup::None,
        };
    }
    cuts.push(end);
    let mut choices = Vec::new();
    for pair in cuts.windows(2) {
        let [from, to] = pair else { continue };
        match expand(&units[from + 1..*to], depth + 1) {
            Some(words) => choices.extend(words),
            None => return BraceGroup::TooMany,
        }
    }
    BraceGroup::Found(choices, end + 1)
}

/// Parses `1..9..2` or `a..f`; `Some(None)` if it has too many elements.
fn sequence(units: &[BraceUnit]) -> Option<Option<Vec<Vec<BraceUnit>>>> {
    let text: String = units
        .iter()
        .map(|u| match u {
            BraceUnit::Char(c) => Some(*c),
            BraceUnit::Piece(_) => None,
        })
        .collect::<Option<_>>()?;
    let word = |text: String| text.chars().map(BraceUnit::Char).collect::<Vec<_>>();
    if let Some((a, b, step, width)) = numbers(&text) {
        let list = steps(a, b, step)?;
        return Some(list.map(|l| l.into_iter().map(|n| word(pad::zeros(n, width))).collect()));
    }
    let parts: Vec<&str> = text.split("..").collect();
    let (first, last, step) = match parts.as_slice() {
        [first, last] => (*first, *last, 1),
        [first, last, step] => (*first, *last, step.parse::<i64>().ok()?),
        _ => return None,
    };
    let step = step.checked_abs()?.max(1);
    let single = |t: &str| t.chars().next().filter(|c| t.len() == 1 && c.is_ascii_alphabetic());
    let (a, b) = (single(first)?, single(last)?);
    let list = steps(i64::from(u32::from(a)), i64::from(u32::from(b)), step)?;
    let text = |n: i64| u8::try_from(n).map(char::from).map(String::from).unwrap_or_default();
    Some(list.map(|l| l.into_iter().map(|n| word(text(n))).collect()))
}

/// The numbers from `a` to `b`; `Some(None)` if there are too many.
fn steps(a: i64, b: i64, step: i64) -> Option<Option<Vec<i64>>> {
    let count = a.abs_diff(b) / step.unsigned_abs() + 1;
    let count = usize::try_from(count).ok().filter(|c| *c <= MAX_WORDS);
    let Some(count) = count else { return Some(None) };
    let signed = if a <= b { step } else { -step };
    let mut numbers = Vec::with_capacity(count);
    let mut n = a;
    for _ in 0..count {
        numbers.push(n);
        n = n.saturating_add(signed);
    }
    Some(Some(numbers))
}
