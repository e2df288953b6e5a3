//! tac(1), paste(1), comm(1), join(1), column(1): reverse, merge and align lines.

use super::getopt::{self, Spec};
use crate::Cx;
use base::width::{pad_right, text_width};
use std::cmp::Ordering;

const TAC: Spec =
    Spec { short: "brs:", long: &[("before", 'b'), ("regex", 'r'), ("separator", 's')], usage: 1 };
const PASTE: Spec = Spec { short: "d:sz", long: &[("delimiters", 'd'), ("serial", 's')], usage: 1 };
const COMM: Spec = Spec { short: "123", long: &[], usage: 1 };
const JOIN: Spec = Spec { short: "t:1:2:j:a:v:ie:o:", long: &[], usage: 1 };
const COLUMN: Spec = Spec {
    short: "ts:o:x",
    long: &[("table", 't'), ("separator", 's'), ("output-separator", 'o')],
    usage: 1,
};

/// Whether these read standard input.
pub fn tac_reads(argv: &[String]) -> bool {
    getopt::reads_stdin(&TAC, argv, 0)
}
/// Whether these read standard input.
pub fn paste_reads(argv: &[String]) -> bool {
    getopt::reads_stdin(&PASTE, argv, 0)
}
/// Whether these read standard input.
pub fn comm_reads(argv: &[String]) -> bool {
    getopt::reads_stdin(&COMM, argv, 0)
}
/// Whether these read standard input.
pub fn join_reads(argv: &[String]) -> bool {
    getopt::reads_stdin(&JOIN, argv, 0)
}
/// Whether these read standard input.
pub fn column_reads(argv: &[String]) -> bool {
    getopt::reads_stdin(&COLUMN, argv, 0)
}

/// The lines of each file. An unreadable file is reported and has no lines.
fn lines(cx: &mut Cx, files: &[String], stdin: &[u8], code: &mut u8) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for (name, content) in getopt::contents(cx, files, stdin) {
        match content {
            Ok(data) => all.push(String::from_utf8_lossy(&data).lines().map(str::to_owned).collect()),
            Err(errno) => {
                cx.error(&format!("{name}: {errno}"));
                *code = 1;
            }
        }
    }
    all
}

/// tac(1)
pub fn tac(cx: &mut Cx, stdin: &[u8]) -> u8 {
    let parsed = match getopt::parse(cx, &TAC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    if parsed.has('r') {
        cx.error("-r: patterns as separators are not simulated in sandbatch");
        return 1;
    }
    let separator = parsed.value('s').unwrap_or("\n").as_bytes();
    let mut code = 0;
    for (name, content) in getopt::contents(cx, &parsed.operands, stdin) {
        match content {
            Ok(data) => {
                for record in records(&data, separator, parsed.has('b')).into_iter().rev() {
                    cx.out.extend_from_slice(record);
                }
            }
            Err(errno) => {
                cx.error(&format!("failed to open '{name}' for reading: {errno}"));
                code = 1;
            }
        }
    }
    code
}

/// The records of a text, each with the separator after it, or before it. An empty separator is a zero byte.
fn records<'a>(data: &'a [u8], separator: &[u8], before: bool) -> Vec<&'a [u8]> {
    let separator = if separator.is_empty() { &b"\0"[..] } else { separator };
    let (mut all, mut start, mut at) = (Vec::new(), 0, 0);
    while at + separator.len() <= data.len() {
        if !data[at..].starts_with(separator) {
            at += 1;
            continue;
        }
        let end = if before { at } else { at + separator.len() };
        if end > start {
            all.push(&data[start..end]);
        }
        start = end;
        at += separator.len();
    }
    all.push(&data[start..]);
    all
}

/// paste(1)
pub fn paste(cx: &mut Cx, stdin: &[u8]) -> u8 {
    let parsed = match getopt::parse(cx, &PASTE) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let given =
        parsed.value('d').unwrap_or("\t").replace("\\n", "\n").replace("\\t", "\t").replace("\\0", "");
    let delimiters: Vec<char> = given.chars().collect();
    let delimiter =
        |i: usize| delimiters.get(i % delimiters.len().max(1)).map(char::to_string).unwrap_or_default();
    let mut code = 0;
    let mut files: Vec<Vec<String>> = Vec::new();
    let dashes = parsed.operands.iter().filter(|o| *o == "-").count();
    if dashes > 1 && !parsed.has('s') {
        // Each `-` takes the next line in turn.
        let text = String::from_utf8_lossy(stdin);
        let all: Vec<&str> = text.lines().collect();
        for i in 0..dashes {
            files.push(all.iter().skip(i).step_by(dashes).map(|l| (*l).to_owned()).collect());
        }
    } else {
        files = lines(cx, &parsed.operands, stdin, &mut code);
    }
    let join = |parts: &[String]| {
        let mut line = String::new();
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                line += &delimiter(i - 1);
            }
            line += part;
        }
        line
    };
    if parsed.has('s') {
        files.iter().for_each(|file| cx.line(&join(file)));
        return code;
    }
    let longest = files.iter().map(Vec::len).max().unwrap_or(0);
    for row in 0..longest {
        let parts: Vec<String> = files.iter().map(|f| f.get(row).cloned().unwrap_or_default()).collect();
        cx.line(&join(&parts));
    }
    code
}

/// comm(1)
pub fn comm(cx: &mut Cx, stdin: &[u8]) -> u8 {
    let parsed = match getopt::parse(cx, &COMM) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    if parsed.operands.len() != 2 {
        return match parsed.operands.get(2) {
            Some(extra) => getopt::extra_operand(cx, extra),
            None => getopt::missing_operand(cx),
        };
    }
    let mut code = 0;
    let files = lines(cx, &parsed.operands, stdin, &mut code);
    let [a, b] = files.as_slice() else { return code };
    let (mut i, mut j) = (0, 0);
    loop {
        let order = match (a.get(i), b.get(j)) {
            (None, None) => return code,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(x), Some(y)) => x.cmp(y),
        };
        let (column, text) = match order {
            Ordering::Less => ('1', a.get(i)),
            Ordering::Greater => ('2', b.get(j)),
            Ordering::Equal => ('3', a.get(i)),
        };
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
        if !parsed.has(column) {
            let tabs = "123".chars().filter(|c| *c < column && !parsed.has(*c)).count();
            cx.line(&format!("{}{}", "\t".repeat(tabs), text.map_or("", String::as_str)));
        }
    }
}

/// join(1) of two sorted files.
pub fn join(cx: &mut Cx, stdin: &[u8]) -> u8 {
    let parsed = match getopt::parse(cx, &JOIN) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    if parsed.operands.len() != 2 {
        return getopt::missing_operand(cx);
    }
    let mut code = 0;
    let files = lines(cx, &parsed.operands, stdin, &mut code);
    let [a, b] = files.as_slice() else { return code };
    let field = |letter| {
        let text = parsed.value(letter).or(parsed.value('j')).unwrap_or("1");
        text.parse::<usize>().unwrap_or(1).max(1) - 1
    };
    let (first, second) = (field('1'), field('2'));
    let separator = parsed.value('t').and_then(|t| t.chars().next());
    let cut = |line: &String| -> Vec<String> {
        match separator {
            Some(c) => line.split(c).map(str::to_owned).collect(),
            None => line.split_whitespace().map(str::to_owned).collect(),
        }
    };
    let glue = separator.unwrap_or(' ').to_string();
    let key = |row: &[String], at: usize| row.get(at).cloned().unwrap_or_default();
    let rest = |row: &[String], at: usize| -> Vec<String> {
        row.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, v)| v.clone()).collect()
    };
    let filler = parsed.value('e').unwrap_or("").to_owned();
    let width = |rows: &[String]| rows.first().map_or(0, |line| cut(line).len());
    let widths = [width(a), width(b)];
    let list = match parsed.value('o').map(|o| output_list(o, first, second, widths)).transpose() {
        Ok(list) => list,
        Err(word) => {
            cx.error(&format!("invalid field specifier: '{word}'"));
            return 1;
        }
    };
    let line = |k: &str, one: Option<&[String]>, two: Option<&[String]>| -> String {
        let fill = |field: &String| if field.is_empty() { filler.clone() } else { field.clone() };
        let fields: Vec<String> = match &list {
            Some(list) => list
                .iter()
                .map(|(file, at)| match (file, one, two) {
                    (0, ..) => k.to_owned(),
                    (1, Some(row), _) | (2, _, Some(row)) => {
                        row.get(*at).map_or_else(|| filler.clone(), fill)
                    }
                    _ => filler.clone(),
                })
                .collect(),
            None => {
                let one = one.map(|row| rest(row, first)).unwrap_or_default();
                let two = two.map(|row| rest(row, second)).unwrap_or_default();
                std::iter::once(k.to_owned()).chain(one.iter().chain(&two).map(fill)).collect()
            }
        };
        fields.join(&glue)
    };
    let wants = |letter: char, n: &str| parsed.options.iter().any(|(l, v)| *l == letter && v == n);
    let rows = |lines: &[String]| -> Vec<Vec<String>> { lines.iter().map(cut).collect() };
    let (a, b) = (rows(a), rows(b));
    // Runs of lines with the same key, in the order of the keys.
    let same = |rows: &[Vec<String>], from: usize, at: usize| {
        rows[from..].iter().take_while(|row| key(row, at) == key(&rows[from], at)).count()
    };
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let order = match (a.get(i), b.get(j)) {
            (Some(x), Some(y)) => key(x, first).cmp(&key(y, second)),
            (Some(_), None) => Ordering::Less,
            (None, _) => Ordering::Greater,
        };
        let one = if order.is_le() { &a[i..i + same(&a, i, first)] } else { &[] };
        let two = if order.is_ge() { &b[j..j + same(&b, j, second)] } else { &[] };
        i += one.len();
        j += two.len();
        for x in one {
            let k = key(x, first);
            if two.is_empty() && (wants('a', "1") || wants('v', "1")) {
                cx.line(&line(&k, Some(x), None));
            }
            if !parsed.has('v') {
                two.iter().for_each(|y| cx.line(&line(&k, Some(x), Some(y))));
            }
        }
        if one.is_empty() && (wants('a', "2") || wants('v', "2")) {
            two.iter().for_each(|y| cx.line(&line(&key(y, second), None, Some(y))));
        }
    }
    code
}

/// The fields of `join -o`: file and position, or file 0 for the key. `auto` takes as many as the first lines have.
fn output_list(
    text: &str,
    first: usize,
    second: usize,
    widths: [usize; 2],
) -> Result<Vec<(usize, usize)>, String> {
    if text == "auto" {
        let others = |file: usize, key: usize| {
            (0..widths[file - 1]).filter(move |at| *at != key).map(move |at| (file, at))
        };
        return Ok(std::iter::once((0, 0)).chain(others(1, first)).chain(others(2, second)).collect());
    }
    let words = text.split([',', ' ']).filter(|word| !word.is_empty());
    words
        .map(|word| match word.split_once('.').map(|(file, at)| (file, at.parse::<usize>())) {
            None if word == "0" => Ok((0, 0)),
            Some((file @ ("1" | "2"), Ok(at))) if at > 0 => Ok((usize::from(file == "2") + 1, at - 1)),
            _ => Err(word.to_owned()),
        })
        .collect()
}

/// column(1)
pub fn column(cx: &mut Cx, stdin: &[u8]) -> u8 {
    let parsed = match getopt::parse(cx, &COLUMN) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let mut code = 0;
    let all: Vec<String> = lines(cx, &parsed.operands, stdin, &mut code).concat();
    let all: Vec<String> = all.into_iter().filter(|l| !l.trim().is_empty()).collect();
    if !parsed.has('t') {
        let width = cx.env.get("COLUMNS").and_then(|c| c.parse().ok()).unwrap_or(80);
        let text = super::ls::in_columns(&all, width, parsed.has('x'));
        cx.print(&text);
        return code;
    }
    let rows: Vec<Vec<&str>> = all
        .iter()
        .map(|line| match parsed.value('s') {
            Some(set) => line.split(|c| set.contains(c)).collect(),
            None => line.split_whitespace().collect(),
        })
        .collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |i: usize| rows.iter().filter_map(|r| r.get(i)).map(|c| text_width(c)).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let glue = parsed.value('o').unwrap_or("  ");
    for row in &rows {
        // A row with fewer cells is filled up. The last column is as wide as its text.
        let cells = widths.iter().enumerate().map(|(i, width)| {
            let cell = row.get(i).copied().unwrap_or_default();
            if i + 1 == columns { cell.to_owned() } else { pad_right(cell, *width) }
        });
        let cells: Vec<String> = cells.collect();
        cx.line(&cells.join(glue));
    }
    code
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn same_as_the_real_programs() {
        let files = [("a", "a 1\nb 2\nd 4\n"), ("b", "a x\nc y\nd z\n"), ("c", "a 1\nc\nd 4\n")];
        let mut host = Host::with(&files);
        for argv in [
            &["tac", "a"][..],
            &["paste", "a", "b"],
            &["paste", "-s", "-d,", "a", "b"],
            &["paste", "-d:", "-", "-"],
            &["comm", "a", "c"],
            &["comm", "-12", "a", "c"],
            &["comm", "-3", "a", "c"],
            &["join", "a", "b"],
            &["join", "-a1", "a", "b"],
            &["join", "-v2", "a", "b"],
            &["join", "-a1", "-a2", "-e", "-", "-o", "0,1.2,2.2", "a", "b"],
            &["join", "-a1", "-e", "NULL", "-o", "auto", "a", "b"],
            &["join", "-o", "1.1 2.2", "a", "b"],
            &["join", "-o", "3.1", "a", "b"],
            &["tac", "nope"],
        ] {
            host.same(argv, "one\ntwo\nthree\n", &files);
        }
        assert_eq!(host.run_in(&["column", "-t"], "a bb c\naaa b c\n").out, "a    bb  c\naaa  b   c\n");
        // Cells of the terminal count, not characters.
        assert_eq!(
            host.run_in(&["column", "-t"], "🚀 b\nab b\n日本語 b\ne\u{301} b\n").out,
            "🚀      b\nab      b\n日本語  b\ne\u{301}       b\n"
        );
        assert_eq!(host.run_in(&["column", "-t", "-s", ":"], "x:y\nlong:z\n").out, "x     y\nlong  z\n");
    }
}
