//! sort(1), in the C locale.

use super::getopt::{self, Spec};
use crate::Cx;
use base::order::StableSort as _;
use std::cmp::Ordering;

const SPEC: Spec = Spec {
    short: "nrufk:t:hVbo:scCmgMdizRS:T:",
    long: &[
        ("numeric-sort", 'n'),
        ("reverse", 'r'),
        ("unique", 'u'),
        ("ignore-case", 'f'),
        ("key", 'k'),
        ("field-separator", 't'),
        ("human-numeric-sort", 'h'),
        ("version-sort", 'V'),
        ("ignore-leading-blanks", 'b'),
        ("output", 'o'),
        ("stable", 's'),
        ("check", 'c'),
        ("merge", 'm'),
        ("general-numeric-sort", 'g'),
        ("month-sort", 'M'),
        ("dictionary-order", 'd'),
        ("ignore-nonprinting", 'i'),
        ("buffer-size", 'S'),
        ("temporary-directory", 'T'),
        ("zero-terminated", 'z'),
    ],
    usage: 2,
};

/// Whether standard input is read.
pub fn reads(argv: &[String]) -> bool {
    getopt::reads_stdin(&SPEC, argv, 0)
}

/// How keys are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct SortOrder {
    how: How,
    reverse: bool,
    fold: bool,
    blanks: bool,
    dictionary: bool,
    printing: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum How {
    #[default]
    Bytes,
    Number,
    General,
    Human,
    Version,
    Month,
}

/// `-k 2,3n`: positions counted from 0. An end of `None` is the end of the line.
#[derive(Clone, Copy, Debug)]
struct SortKey {
    from: (usize, usize),
    to: Option<(usize, usize)>,
    order: SortOrder,
    end_blanks: bool,
}

impl SortOrder {
    fn set(&mut self, letter: char) -> bool {
        match letter {
            'n' => self.how = How::Number,
            'g' => self.how = How::General,
            'h' => self.how = How::Human,
            'V' => self.how = How::Version,
            'M' => self.how = How::Month,
            'r' => self.reverse = true,
            'f' => self.fold = true,
            'b' => self.blanks = true,
            'd' => self.dictionary = true,
            'i' => self.printing = true,
            _ => return false,
        }
        true
    }

    fn compare(&self, a: &[u8], b: &[u8]) -> Ordering {
        let order = match self.how {
            How::Bytes => self.text(a).cmp(&self.text(b)),
            How::Number => decimal(a).cmp(&decimal(b)),
            How::General => general(a).total_cmp(&general(b)),
            How::Human => human(a).cmp(&human(b)).then_with(|| decimal(a).cmp(&decimal(b))),
            How::Version => version_order(a, b),
            How::Month => month(a).cmp(&month(b)),
        };
        if self.reverse { order.reverse() } else { order }
    }

    fn text(&self, text: &[u8]) -> Vec<u8> {
        let kept = text.iter().filter(|b| {
            (!self.dictionary || b.is_ascii_alphanumeric() || b.is_ascii_whitespace())
                && (!self.printing || (32..127).contains(*b))
        });
        if self.fold { kept.map(u8::to_ascii_uppercase).collect() } else { kept.copied().collect() }
    }
}

fn trim(text: &[u8]) -> &[u8] {
    text.trim_ascii_start()
}

/// A decimal number in a form that compares: sign, integer digits, fraction digits.
#[derive(PartialEq, Eq)]
struct SortNumber {
    negative: bool,
    whole: Vec<u8>,
    fraction: Vec<u8>,
}

impl SortNumber {
    fn size(&self, other: &Self) -> Ordering {
        self.whole
            .len()
            .cmp(&other.whole.len())
            .then_with(|| self.whole.cmp(&other.whole))
            .then_with(|| self.fraction.cmp(&other.fraction))
    }
}

impl Ord for SortNumber {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.size(other),
            (true, true) => other.size(self),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

impl PartialOrd for SortNumber {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn decimal(text: &[u8]) -> SortNumber {
    let text = trim(text);
    let (negative, digits) = match text.strip_prefix(b"-") {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let count = |t: &[u8]| t.iter().take_while(|b| b.is_ascii_digit()).count();
    let (whole, rest) = digits.split_at(count(digits));
    let rest = rest.strip_prefix(b".").unwrap_or_default();
    let (fraction, _) = rest.split_at(count(rest));
    let zeros = whole.iter().take_while(|b| **b == b'0').count();
    let end = fraction.iter().rposition(|b| *b != b'0').map_or(0, |i| i + 1);
    let (whole, fraction) = (whole[zeros..].to_vec(), fraction[..end].to_vec());
    let zero = whole.is_empty() && fraction.is_empty();
    SortNumber { negative: negative && !zero, whole, fraction }
}

fn general(text: &[u8]) -> f64 {
    let text = String::from_utf8_lossy(trim(text)).into_owned();
    super::number::prefix(&text).unwrap_or(f64::NEG_INFINITY)
}

/// Sign and magnitude of the unit: `-2K` is -1, `3G` is 3.
fn human(text: &[u8]) -> i32 {
    let text = trim(text);
    let number = text.iter().take_while(|b| b.is_ascii_digit() || matches!(b, b'-' | b'.')).count();
    let unit = text.get(number).map_or(0, |b| {
        let unit = b"KMGTPEZY".iter().position(|u| *u == b.to_ascii_uppercase());
        unit.map_or(0, |i| i32::try_from(i).unwrap_or(0) + 1)
    });
    if text.starts_with(b"-") { -unit } else { unit }
}

fn month(text: &[u8]) -> usize {
    let start: Vec<u8> = trim(text).iter().take(3).map(u8::to_ascii_uppercase).collect();
    let months =
        [b"JAN", b"FEB", b"MAR", b"APR", b"MAY", b"JUN", b"JUL", b"AUG", b"SEP", b"OCT", b"NOV", b"DEC"];
    months.iter().position(|m| m.as_slice() == start).map_or(0, |i| i + 1)
}

/// The order of `sort -V` and `ls -v`, as coreutils' manual describes it ("Version sort ordering"): numbers within names by value
/// (`file9` before `file10`), hidden names first, and endings such as `.tar.gz` only between names that are equal without.
#[must_use]
pub fn version_order(a: &[u8], b: &[u8]) -> Ordering {
    let rank = |name: &[u8]| match name {
        b"" => 0,
        b"." => 1,
        b".." => 2,
        [b'.', ..] => 3,
        _ => 4,
    };
    rank(a)
        .cmp(&rank(b))
        .then_with(|| part_order(without_endings(a), without_endings(b)))
        .then_with(|| part_order(a, b))
}

/// A name without its endings: dots with a letter or `~` after each, then letters, digits and `~`.
fn without_endings(name: &[u8]) -> &[u8] {
    let mut stem = name;
    while let Some(dot) = stem.iter().rposition(|byte| *byte == b'.') {
        let (rest, ending) = stem.split_at(dot);
        let letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'~';
        let is_ending = ending.get(1).is_some_and(letter)
            && ending.iter().skip(1).all(|byte| letter(byte) || byte.is_ascii_digit());
        if !is_ending {
            break;
        }
        stem = rest;
    }
    stem
}

/// Compares text and numbers in turn. Letters come before other characters, and `~` before the end, as in Debian versions.
fn part_order(mut a: &[u8], mut b: &[u8]) -> Ordering {
    let rank = |byte: Option<&u8>| match byte {
        None => 0,
        Some(b'~') => -1,
        Some(b) if b.is_ascii_digit() => 0,
        Some(b) if b.is_ascii_alphabetic() => i32::from(*b),
        Some(b) => i32::from(*b) + 256,
    };
    while !a.is_empty() || !b.is_empty() {
        let text = |t: &[u8]| t.first().is_some_and(|b| !b.is_ascii_digit());
        while text(a) || text(b) {
            let order = rank(a.first()).cmp(&rank(b.first()));
            if order != Ordering::Equal {
                return order;
            }
            a = a.get(1..).unwrap_or_default();
            b = b.get(1..).unwrap_or_default();
        }
        let digits = |t: &[u8]| t.iter().take_while(|b| b.is_ascii_digit()).count();
        let (n, rest_a) = a.split_at(digits(a));
        let (m, rest_b) = b.split_at(digits(b));
        let order = decimal(n).cmp(&decimal(m));
        if order != Ordering::Equal {
            return order;
        }
        (a, b) = (rest_a, rest_b);
    }
    Ordering::Equal
}

fn parse_key(text: &str, global: SortOrder) -> Result<SortKey, String> {
    let bad = |why: &str| format!("{why}: invalid field specification '{text}'");
    let mut own = SortOrder::default();
    let mut any = false;
    let mut end_blanks = false;
    let mut position = |part: &str, is_end: bool| -> Result<(usize, usize), String> {
        let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let field: usize = part[..digits]
            .parse()
            .map_err(|_| format!("invalid number at field start: invalid count at start of '{part}'"))?;
        let mut rest = &part[digits..];
        let mut character = 0;
        if let Some(more) = rest.strip_prefix('.') {
            let digits = more.find(|c: char| !c.is_ascii_digit()).unwrap_or(more.len());
            character = more[..digits].parse().map_err(|_| bad("invalid number after '.'"))?;
            rest = &more[digits..];
            if character == 0 && !is_end {
                return Err(bad("character offset is zero"));
            }
        }
        if field == 0 {
            return Err(bad("field number is zero"));
        }
        for letter in rest.chars() {
            any = true;
            if letter == 'b' && is_end {
                end_blanks = true;
            } else if !own.set(letter) {
                return Err(bad("stray character in field spec"));
            }
        }
        Ok((field, character))
    };
    let (start, end) = text.split_once(',').map_or((text, None), |(s, e)| (s, Some(e)));
    let from = position(start, false)?;
    let to = end.map(|e| position(e, true)).transpose()?;
    Ok(SortKey {
        from: (from.0 - 1, from.1.max(1) - 1),
        to: to.map(|(f, c)| (f - 1, c)),
        order: if any { own } else { global },
        end_blanks: end_blanks || (!any && global.blanks),
    })
}

impl SortKey {
    /// The part of a line that the key compares.
    fn part<'a>(&self, line: &'a [u8], separator: Option<u8>) -> &'a [u8] {
        let fields = fields(line, separator);
        let start_of = |n: usize| fields.get(n).map_or(line.len(), |f| f.0);
        let blank = |mut at: usize, skip: bool| {
            while skip && line.get(at).is_some_and(u8::is_ascii_whitespace) {
                at += 1;
            }
            at
        };
        let begin = blank(start_of(self.from.0), self.order.blanks) + self.from.1;
        let end = match self.to {
            None => line.len(),
            Some((field, 0)) => fields.get(field).map_or(line.len(), |f| f.1),
            Some((field, chars)) => {
                let limit = fields.get(field).map_or(line.len(), |_| line.len());
                (blank(start_of(field), self.end_blanks) + chars).min(limit)
            }
        };
        line.get(begin.min(line.len())..end.min(line.len())).unwrap_or_default()
    }
}

/// Start and end of each field. Without a separator, a field includes the blanks before it.
fn fields(line: &[u8], separator: Option<u8>) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    let mut start = 0;
    if let Some(separator) = separator {
        for (i, _) in line.iter().enumerate().filter(|(_, b)| **b == separator) {
            all.push((start, i));
            start = i + 1;
        }
        all.push((start, line.len()));
        return all;
    }
    let blank = |i: usize| line.get(i).is_some_and(|b| matches!(b, b' ' | b'\t'));
    for i in 1..line.len() {
        if blank(i) && !blank(i - 1) {
            all.push((start, i));
            start = i;
        }
    }
    all.push((start, line.len()));
    all
}

/// sort(1)
pub fn run(cx: &mut Cx, stdin: &[u8]) -> u8 {
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let mut global = SortOrder::default();
    for (letter, _) in parsed.options.iter().filter(|(l, _)| "nghVMrfbdi".contains(*l)) {
        global.set(*letter);
    }
    let separator = match parsed.value('t') {
        None => None,
        Some("\\0") => Some(0),
        Some(text) if text.len() == 1 => text.bytes().next(),
        Some("") => {
            cx.error("empty tab");
            return 2;
        }
        Some(text) => {
            cx.error(&format!("multi-character tab '{text}'"));
            return 2;
        }
    };
    let keys: Result<Vec<SortKey>, String> =
        parsed.options.iter().filter(|(l, _)| *l == 'k').map(|(_, t)| parse_key(t, global)).collect();
    let mut keys = match keys {
        Ok(keys) => keys,
        Err(text) => {
            cx.error(&text);
            return 2;
        }
    };
    let whole = keys.is_empty();
    if whole {
        keys.push(SortKey { from: (0, 0), to: None, order: global, end_blanks: false });
    }
    let checks = ['c', 'C'].into_iter().find(|letter| parsed.has(*letter));
    if let (Some(letter), Some(extra)) = (checks, parsed.operands.get(1)) {
        cx.error(&format!("extra operand '{extra}' not allowed with -{letter}"));
        return 2;
    }
    let end = if parsed.has('z') { 0 } else { b'\n' };
    let mut data = Vec::new();
    for (name, content) in getopt::contents(cx, &parsed.operands, stdin) {
        match content {
            Ok(content) => {
                data.extend_from_slice(&content);
                if !content.is_empty() && content.last() != Some(&end) {
                    data.push(end);
                }
            }
            Err(errno) => {
                cx.error(&format!("cannot read: {name}: {errno}"));
                return 2;
            }
        }
    }
    let by_keys = |a: &[u8], b: &[u8]| {
        let parts = keys.iter().map(|k| k.order.compare(k.part(a, separator), k.part(b, separator)));
        parts.fold(Ordering::Equal, Ordering::then)
    };
    let last_resort = |a: &[u8], b: &[u8]| if global.reverse { b.cmp(a) } else { a.cmp(b) };
    let stable = parsed.has('s') || parsed.has('u');
    let full = |a: &&[u8], b: &&[u8]| match by_keys(a, b) {
        Ordering::Equal if !stable => last_resort(a, b),
        order => order,
    };
    let mut lines: Vec<&[u8]> = data.split(|b| *b == end).collect();
    lines.pop();
    if checks.is_some() {
        let name = parsed.operands.first().map_or("-", String::as_str);
        let strict = parsed.has('u');
        let disorder = (1..lines.len()).find(|i| {
            let order = full(&lines[i - 1], &lines[*i]);
            order == Ordering::Greater || strict && order == Ordering::Equal
        });
        return match disorder {
            None => 0,
            Some(i) => {
                if parsed.has('c') {
                    cx.error(&format!("{name}:{}: disorder: {}", i + 1, String::from_utf8_lossy(lines[i])));
                }
                1
            }
        };
    }
    lines.order_by(full);
    if parsed.has('u') {
        lines.dedup_by(|b, a| by_keys(a, b) == Ordering::Equal);
    }
    let mut sorted = lines.join(&end);
    if !lines.is_empty() {
        sorted.push(end);
    }
    match parsed.value('o') {
        None => cx.out.extend_from_slice(&sorted),
        Some(name) => {
            if let Err(errno) = cx.write_file(name, &sorted) {
                cx.error(&format!("open failed: {name}: {errno}"));
                return 2;
            }
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn same_as_the_real_program() {
        let mut host = Host::default();
        let input = "b 10 x\na 9 y\nB 10 a\n\nc -3 z\na 9 b\nfile10 1K 0\nfile9 2M 1\nd 1.50 w\nd 1.5 v\n";
        for args in [
            &[][..],
            &["-r"],
            &["-f"],
            &["-k2n"],
            &["-k2,2n", "-k1,1r"],
            &["-k", "3"],
            &["-nk2", "-s"],
            &["-k2,2nr"],
            &["-u"],
            &["-uk1,1"],
            &["-h", "-k2"],
            &["-V"],
            &["-k1.2,1.3"],
            &["-t", " ", "-k3,3"],
            &["-b", "-k2"],
            &["-g", "-k2"],
            &["-c"],
            &["-c", "a", "b"],
            &["-C", "a", "b"],
            &["-n", "nope"],
            &["-k0"],
            &["-t", "ab"],
        ] {
            host.same(&[&["sort"], args].concat(), input, &[]);
        }
        let names =
            ".\na\n..\n.b\n\n.0\n.~\na~\na.b\nab\na.1.tar.gz\na.10.tar.gz\na.9.tar\na-1.tar\na01\na1\n";
        for args in [&["-V"][..], &["-rV"], &["-V", "-u"], &["-t-", "-k2V"]] {
            host.same(&[&["sort"], args].concat(), names, &[]);
        }
        for args in [&["-z"][..], &["-zu"], &["-zr", "--zero-terminated"]] {
            host.same(&[&["sort"], args].concat(), "b\nx\0a\0b\nx\0c", &[]);
        }
        assert_eq!(host.run(&["sort", "nope"]).err, "sort: cannot read: nope: No such file or directory\n");
    }
}
