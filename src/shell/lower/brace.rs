//! Brace expansion, bounded: `{a,b}`, `{1..9..2}`, `{a..f}`.

use super::word::{Piece, Word};
use super::{ErrorKind, Reader, Result};
use crate::shell::op::Op;

/// Most words that one word can become.
const MAX_WORDS: usize = 100_000;
/// Most numbers of a sequence that is a word of its own.
const MAX_NUMBERS: u32 = 2_000_000;
/// Shorter ones are words like others.
const SHORT: u32 = 64;
/// Most opening braces that are looked at.
const MAX_BRACES: usize = 1000;
/// Deepest nesting of braces.
const MAX_DEPTH: u32 = 50;

/// A word taken apart for looking at braces.
#[derive(Clone, Debug)]
enum Unit {
    Char(char),
    Piece(Piece),
}

impl Reader<'_> {
    /// What a word becomes by brace expansion.
    pub(super) fn braces(&self, word: Word) -> Result<Vec<Word>> {
        let braces = |p: &Piece| matches!(p, Piece::Lit(text, false) if text.contains('{'));
        if !self.options.braces || !word.iter().any(braces) {
            return Ok(vec![word]);
        }
        let units: Vec<Unit> = word.into_iter().flat_map(apart).collect();
        let opening = units.iter().filter(|u| matches!(u, Unit::Char('{'))).count();
        if opening > MAX_BRACES {
            return Ok(vec![together(&units)]);
        }
        match expand(&units, 0) {
            Some(words) => Ok(words.iter().map(|w| together(w)).filter(|w| !w.is_empty()).collect()),
            None => self.fail(ErrorKind::Message("brace expansion: too many words".into())),
        }
    }
}

/// The op of a word that is nothing but a long sequence of numbers: it is not taken apart into words before it runs.
pub(super) fn long_sequence(word: &Word) -> Option<Op> {
    let [Piece::Lit(text, false)] = word.as_slice() else { return None };
    let (first, last, step, width) = numbers(text.strip_prefix('{')?.strip_suffix('}')?)?;
    let count = first.abs_diff(last) / step.unsigned_abs() + 1;
    let count = u32::try_from(count).ok().filter(|count| (SHORT..=MAX_NUMBERS).contains(count))?;
    let step = if first <= last { step } else { -step };
    Some(Op::ArgSequence { first, step, count, width: u32::try_from(width).ok()? })
}

/// `1..9..2`: both ends, the step, and how many digits at least.
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

fn apart(piece: Piece) -> Vec<Unit> {
    match piece {
        Piece::Lit(text, false) => text.chars().map(Unit::Char).collect(),
        other => vec![Unit::Piece(other)],
    }
}

fn together(units: &[Unit]) -> Word {
    let mut word = Word::new();
    for unit in units {
        match unit {
            Unit::Piece(piece) => word.push(piece.clone()),
            Unit::Char(c) => {
                if let Some(Piece::Lit(text, false)) = word.last_mut() {
                    text.push(*c);
                } else {
                    word.push(Piece::Lit((*c).into(), false));
                }
            }
        }
    }
    word
}

/// All words; `None`: too many.
fn expand(units: &[Unit], depth: u32) -> Option<Vec<Vec<Unit>>> {
    let mut words: Vec<Vec<Unit>> = vec![Vec::new()];
    let mut at = 0;
    while at < units.len() {
        let group = if depth < MAX_DEPTH { alternatives(units, at, depth) } else { Group::None };
        match group {
            Group::TooMany => return None,
            Group::None => {
                words.iter_mut().for_each(|w| w.push(units[at].clone()));
                at += 1;
            }
            Group::Found(choices, end) => {
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

enum Group {
    None,
    TooMany,
    Found(Vec<Vec<Unit>>, usize),
}

/// The choices of the brace expression at `start` and where it ends.
fn alternatives(units: &[Unit], start: usize, depth: u32) -> Group {
    if !matches!(units[start], Unit::Char('{')) {
        return Group::None;
    }
    let (mut level, mut cuts, mut end) = (0_u32, vec![start], None);
    for (i, unit) in units.iter().enumerate().skip(start) {
        match unit {
            Unit::Char('{') => level += 1,
            Unit::Char('}') => {
                level -= 1;
                if level == 0 {
                    end = Some(i);
                    break;
                }
            }
            Unit::Char(',') if level == 1 => cuts.push(i),
            Unit::Char(_) | Unit::Piece(_) => {}
        }
    }
    let Some(end) = end else { return Group::None };
    if cuts.len() == 1 {
        return match sequence(&units[start + 1..end]) {
            Some(Some(words)) => Group::Found(words, end + 1),
            Some(None) => Group::TooMany,
            None => Group::None,
        };
    }
    cuts.push(end);
    let mut choices = Vec::new();
    for pair in cuts.windows(2) {
        let [from, to] = pair else { continue };
        match expand(&units[from + 1..*to], depth + 1) {
            Some(words) => choices.extend(words),
            None => return Group::TooMany,
        }
    }
    Group::Found(choices, end + 1)
}

/// `1..9..2` or `a..f`; `Some(None)`: too many.
fn sequence(units: &[Unit]) -> Option<Option<Vec<Vec<Unit>>>> {
    let text: String = units
        .iter()
        .map(|u| match u {
            Unit::Char(c) => Some(*c),
            Unit::Piece(_) => None,
        })
        .collect::<Option<_>>()?;
    let word = |text: String| text.chars().map(Unit::Char).collect::<Vec<_>>();
    if let Some((a, b, step, width)) = numbers(&text) {
        let list = steps(a, b, step)?;
        return Some(list.map(|l| l.into_iter().map(|n| word(format!("{n:0width$}"))).collect()));
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

/// The numbers from `a` to `b`; `Some(None)`: too many.
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
