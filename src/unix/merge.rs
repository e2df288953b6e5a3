//! tac(1), paste(1), comm(1), join(1), column(1): reverse, merge and align lines.

use super::getopt::{self, Spec};
use crate::Cx;
use base::width::{pad_right, text_width};
use std::cmp::Ordering;

const TAC: Spec = Spec { short: "brs:", long: &[], usage: 1 };
const PASTE: Spec = Spec { short: "d:sz", long: &[("delimiters", 'd'), ("serial", 's')], usage: 1 };
const COMM: Spec = Spec { short: "123", long: &[], usage: 1 };
const JOIN: Spec = Spec { short: "t:1:2:j:a:v:i", long: &[], usage: 1 };
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
    let mut code = 0;
    for file in lines(cx, &parsed.operands, stdin, &mut code) {
        file.iter().rev().for_each(|line| cx.line(line));
    }
    code
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
    let wants = |letter: char, n: &str| parsed.options.iter().any(|(l, v)| *l == letter && v == n);
    let rows_b: Vec<Vec<String>> = b.iter().map(cut).collect();
    let mut used = vec![false; rows_b.len()];
    for row in a.iter().map(cut) {
        let k = key(&row, first);
        let mut any = false;
        for (other, used) in rows_b.iter().zip(&mut used).filter(|(o, _)| key(o, second) == k) {
            (any, *used) = (true, true);
            if !parsed.has('v') {
                cx.line(&[vec![k.clone()], rest(&row, first), rest(other, second)].concat().join(&glue));
            }
        }
        if !any && (wants('a', "1") || wants('v', "1")) {
            cx.line(&[vec![k], rest(&row, first)].concat().join(&glue));
        }
    }
    for (row, used) in rows_b.iter().zip(used) {
        if !used && (wants('a', "2") || wants('v', "2")) {
            cx.line(&[vec![key(row, second)], rest(row, second)].concat().join(&glue));
        }
    }
    code
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
        let last = row.len().saturating_sub(1);
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(i, (cell, width))| if i == last { (*cell).to_owned() } else { pad_right(cell, *width) })
            .collect();
        cx.line(&cells.join(glue));
    }
    code
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn as_the_real_ones() {
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
