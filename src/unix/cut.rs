//! cut(1)

use super::getopt::{self, Spec};
use super::stream::{What, machine};
use crate::{Cx, UnixMachine};
use base::order::StableSort as _;
use serde::{Deserialize, Serialize};

/// cut(1)
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cut {
    /// First and last position, counted from 1. Sorted and disjoint.
    ranges: Vec<(u64, u64)>,
    fields: bool,
    delimiter: Vec<u8>,
    output: Vec<u8>,
    only_delimited: bool,
}

/// The position of `cut -b` in a line.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CutPosition {
    /// Bytes of the line so far.
    bytes: u64,
    /// The first range that does not end before them.
    range: u32,
    /// The range of the last byte that was printed.
    printed: Option<u32>,
}

fn fail(cx: &mut Cx, text: &str) -> UnixMachine {
    cx.error(text);
    getopt::try_help(cx);
    UnixMachine::End(1)
}

/// Starts cut(1).
pub fn start(cx: &mut Cx) -> UnixMachine {
    const SPEC: Spec = Spec {
        short: "b:c:d:f:snO:C",
        long: &[
            ("bytes", 'b'),
            ("characters", 'c'),
            ("delimiter", 'd'),
            ("fields", 'f'),
            ("only-delimited", 's'),
            ("output-delimiter", 'O'),
            ("complement", 'C'),
        ],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return UnixMachine::End(code),
    };
    let lists: Vec<_> = parsed.options.iter().filter(|(l, _)| "bcf".contains(*l)).collect();
    let (letter, list) = match lists.as_slice() {
        [] => return fail(cx, "you must specify a list of bytes, characters, or fields"),
        [(letter, list)] => (*letter, list.as_str()),
        [_, _, ..] => return fail(cx, "only one list may be specified"),
    };
    let fields = letter == 'f';
    if parsed.has('d') && !fields {
        return fail(cx, "an input delimiter may be specified only when operating on fields");
    }
    if parsed.has('s') && !fields {
        return fail(cx, "suppressing non-delimited lines makes sense\n\tonly when operating on fields");
    }
    let delimiter = parsed.value('d').unwrap_or("\t");
    if delimiter.chars().count() > 1 {
        return fail(cx, "the delimiter must be a single character");
    }
    let mut ranges = match ranges(list, fields) {
        Ok(ranges) => ranges,
        Err(text) => return fail(cx, &text),
    };
    if parsed.has('C') {
        ranges = complement(&ranges);
    }
    let delimiter = if delimiter.is_empty() { vec![0] } else { delimiter.as_bytes().to_vec() };
    let output = match parsed.value('O') {
        Some(text) => text.as_bytes().to_vec(),
        None if fields => delimiter.clone(),
        None => Vec::new(),
    };
    let cut = Cut { ranges, fields, delimiter, output, only_delimited: parsed.has('s') };
    let what = if fields { What::Cut(cut) } else { What::CutBytes(cut, CutPosition::default()) };
    machine(&parsed.operands, what)
}

/// Parses `1,3-5,7-` into sorted and merged ranges.
fn ranges(list: &str, fields: bool) -> Result<Vec<(u64, u64)>, String> {
    let what = if fields { "field" } else { "byte/character position" };
    let mut ranges = Vec::new();
    for part in list.split([',', ' ']) {
        let number = |text: &str| -> Result<u64, String> {
            match text.parse::<u64>() {
                Ok(0) if fields => Err("fields are numbered from 1".to_owned()),
                Ok(0) => Err("byte/character positions are numbered from 1".to_owned()),
                Ok(n) => Ok(n),
                Err(_) => Err(format!("invalid {what} value '{text}'")),
            }
        };
        let range = match part.split_once('-') {
            Some(("", "")) => return Err("invalid range with no endpoint: -".into()),
            Some(("", to)) => (1, number(to)?),
            Some((from, "")) => (number(from)?, u64::MAX),
            Some((from, to)) => (number(from)?, number(to)?),
            None => (number(part)?, number(part)?),
        };
        if range.0 > range.1 {
            return Err("invalid decreasing range".into());
        }
        ranges.push(range);
    }
    ranges.order();
    let mut merged: Vec<(u64, u64)> = Vec::new();
    for (from, to) in ranges {
        match merged.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            Some(_) | None => merged.push((from, to)),
        }
    }
    Ok(merged)
}

fn complement(ranges: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let mut all = Vec::new();
    let mut next = 1;
    for &(from, to) in ranges {
        if from > next {
            all.push((next, from - 1));
        }
        next = to.saturating_add(1);
    }
    if next < u64::MAX {
        all.push((next, u64::MAX));
    }
    all
}

impl Cut {
    fn wanted(&self, position: u64) -> bool {
        self.ranges.iter().any(|(from, to)| (*from..=*to).contains(&position))
    }

    /// Prints the selected parts of a line.
    pub fn line(&self, out: &mut Vec<u8>, line: &[u8]) {
        if self.fields {
            self.cut_fields(out, line);
        } else {
            self.bytes(out, line, &mut CutPosition::default());
            out.push(b'\n');
        }
    }

    /// Prints the selected bytes of lines that arrive in pieces.
    pub fn bytes(&self, out: &mut Vec<u8>, bytes: &[u8], at: &mut CutPosition) {
        let range = |number: u32| usize::try_from(number).ok().and_then(|number| self.ranges.get(number));
        for byte in bytes {
            if *byte == b'\n' {
                out.push(b'\n');
                *at = CutPosition::default();
                continue;
            }
            at.bytes += 1;
            while range(at.range).is_some_and(|(_, to)| *to < at.bytes) {
                at.range += 1;
            }
            if range(at.range).is_some_and(|(from, _)| *from <= at.bytes) {
                if at.printed.is_some_and(|printed| printed != at.range) {
                    out.extend_from_slice(&self.output);
                }
                at.printed = Some(at.range);
                out.push(*byte);
            }
        }
    }

    /// A file ends. Its last line may lack a newline.
    pub fn end_of_file(out: &mut Vec<u8>, at: &mut CutPosition) {
        if std::mem::take(at).bytes > 0 {
            out.push(b'\n');
        }
    }

    fn cut_fields(&self, out: &mut Vec<u8>, line: &[u8]) {
        let parts = split(line, &self.delimiter);
        if parts.len() == 1 {
            if !self.only_delimited {
                out.extend_from_slice(line);
                out.push(b'\n');
            }
            return;
        }
        let chosen: Vec<&[u8]> = (1..).zip(parts).filter(|(i, _)| self.wanted(*i)).map(|(_, p)| p).collect();
        out.extend_from_slice(&chosen.join(&self.output[..]));
        out.push(b'\n');
    }
}

/// The parts of a line between separators of one or more bytes.
#[must_use]
pub fn split<'a>(line: &'a [u8], separator: &[u8]) -> Vec<&'a [u8]> {
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at + separator.len() <= line.len() {
        if line.get(at..at + separator.len()) == Some(separator) {
            parts.push(line.get(start..at).unwrap_or_default());
            at += separator.len();
            start = at;
        } else {
            at += 1;
        }
    }
    parts.push(line.get(start..).unwrap_or_default());
    parts
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn a_long_line_is_cut_in_bounded_memory() {
        let mut host = Host::default();
        let long = "0123456789".repeat(200_000);
        host.same(&["cut", "-b", "2-4,9,70000-70100,1999999-", "--output-delimiter=:"], &long, &[]);
        assert!(host.memory < 600_000, "{}", host.memory);
        let files = [("a", "abc"), ("b", "def\n\ngh"), ("c", "")];
        Host::with(&files).same(&["cut", "-c2", "a", "b", "c", "-"], "\n", &files);
    }

    #[test]
    fn same_as_the_real_program() {
        let mut host = Host::default();
        let input = "a:b:c:d\none\nx:y\n\n";
        for args in [
            &["-d:", "-f2"][..],
            &["-d", ":", "-f", "2-"],
            &["-d:", "-f1,3", "--output-delimiter= "],
            &["-d:", "-f3,1", "-s"],
            &["-c2-3"],
            &["-b", "1,3"],
            &["-d:", "--complement", "-f2"],
            &["-f0"],
            &["-c", "3-1"],
            &["-d", "ab", "-f1"],
            &[],
            &["-d:"],
            &["-s", "-c1"],
            &["-s", "-b2-"],
            &["-s", "-d:", "-f9"],
            &["-c1,3", "--output-delimiter=-"],
            &["-c1-2,2-3,4", "--output-delimiter=-"],
            &["-f1", "nope"],
        ] {
            host.same(&[&["cut"], args].concat(), input, &[]);
        }
    }
}
