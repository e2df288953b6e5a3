//! diff(1) (plain, `-u`, `-q`, `-r`, `-N`) and cmp(1).

use super::getopt::{self, ParsedFlags, Spec};
use crate::Cx;
use host::fs::FileKind;
use host::{Errno, path};
use std::collections::BTreeSet;

const DIFF: Spec = Spec {
    short: "uqsU:biwBcNra",
    long: &[
        ("unified", 'u'),
        ("brief", 'q'),
        ("report-identical-files", 's'),
        ("ignore-case", 'i'),
        ("ignore-all-space", 'w'),
        ("recursive", 'r'),
        ("new-file", 'N'),
    ],
    usage: 2,
};
const CMP: Spec = Spec { short: "sl", long: &[("silent", 's'), ("quiet", 's')], usage: 2 };

/// Maximum size of the table for the longest common subsequence. Beyond that, the middle is reported as replaced.
const MAX_CELLS: usize = 16_000_000;

/// Whether standard input is read.
pub fn diff_reads(argv: &[String]) -> bool {
    argv.iter().any(|a| a == "-")
}

/// The contents of both files.
fn both(cx: &mut Cx, operands: &[String], stdin: &[u8], absent_is_empty: bool) -> Result<[Vec<u8>; 2], u8> {
    let mut out = [Vec::new(), Vec::new()];
    let mut failed = false;
    for (content, name) in out.iter_mut().zip(operands) {
        let data = if name == "-" { Ok(stdin.to_vec()) } else { cx.read_file(name).map(|d| d.to_vec()) };
        match data {
            Ok(data) => *content = data,
            Err(Errno::ENOENT) if absent_is_empty => {}
            Err(errno) => {
                cx.error(&format!("{name}: {errno}"));
                failed = true;
            }
        }
    }
    if failed { Err(2) } else { Ok(out) }
}

/// A run of differing lines: from and to in the first file, then in the second.
type Hunk = (usize, usize, usize, usize);

/// diff(1)
pub fn diff(cx: &mut Cx, stdin: &[u8]) -> u8 {
    let parsed = match getopt::parse(cx, &DIFF) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let mut operands = parsed.operands.clone();
    if operands.len() != 2 {
        let name = operands.last().cloned().unwrap_or_else(|| "diff".into());
        cx.error(&format!("missing operand after '{name}'"));
        getopt::try_help(cx);
        return 2;
    }
    let is_dir = |cx: &Cx, n: &str| {
        cx.kernel.fs.stat(cx.uid(), &cx.path(n)).is_ok_and(|s| s.kind == host::fs::FileKind::Dir)
    };
    // A directory means the file in it with the other operand's name.
    for (i, j) in [(0, 1), (1, 0)] {
        if is_dir(cx, &operands[i]) && !is_dir(cx, &operands[j]) {
            operands[i] = format!("{}/{}", operands[i].trim_end_matches('/'), path::base_name(&operands[j]));
        }
    }
    if operands.iter().all(|operand| is_dir(cx, operand)) {
        return directories(cx, &parsed, &operands[0], &operands[1], 0);
    }
    compare(cx, &parsed, &operands, stdin)
}

/// Maximum depth of `-r`.
const MAX_DEPTH: u32 = 256;

/// Compares two directories by the names in them.
fn directories(cx: &mut Cx, parsed: &ParsedFlags, a: &str, b: &str, depth: u32) -> u8 {
    let list = |cx: &mut Cx, dir: &str| match cx.kernel.fs.list(cx.uid(), &cx.path(dir)) {
        Ok(names) => Some(names),
        Err(errno) => {
            cx.error(&format!("{dir}: {errno}"));
            None
        }
    };
    let (Some(in_a), Some(in_b)) = (list(cx, a), list(cx, b)) else { return 2 };
    let inner = |dir: &str, name: &str| format!("{}/{name}", dir.trim_end_matches('/'));
    let kind = |cx: &Cx, file: &str| cx.kernel.fs.stat(cx.uid(), &cx.path(file)).ok().map(|stat| stat.kind);
    let mut code = 0;
    for name in in_a.iter().chain(&in_b).collect::<BTreeSet<_>>() {
        let pair = [inner(a, name), inner(b, name)];
        let kinds = [kind(cx, &pair[0]), kind(cx, &pair[1])];
        code = code.max(match kinds {
            [Some(FileKind::Dir), Some(FileKind::Dir)] if parsed.has('r') && depth < MAX_DEPTH => {
                directories(cx, parsed, &pair[0], &pair[1], depth + 1)
            }
            [Some(FileKind::Dir), Some(FileKind::Dir)] => {
                cx.line(&format!("Common subdirectories: {} and {}", pair[0], pair[1]));
                0
            }
            [Some(x), Some(y)] if (x == FileKind::Dir) != (y == FileKind::Dir) => {
                let word = |kind| if kind == FileKind::Dir { "directory" } else { "regular file" };
                cx.line(&format!(
                    "File {} is a {} while file {} is a {}",
                    pair[0],
                    word(x),
                    pair[1],
                    word(y)
                ));
                1
            }
            [None, Some(FileKind::File)] | [Some(FileKind::File), None] if parsed.has('N') => {
                compared(cx, parsed, &pair)
            }
            [Some(_), Some(_)] => compared(cx, parsed, &pair),
            [only_a, _] => {
                cx.line(&format!("Only in {}: {name}", if only_a.is_some() { a } else { b }));
                1
            }
        });
    }
    code
}

/// Compares two files of a directory, below a line with the command that would compare them.
fn compared(cx: &mut Cx, parsed: &ParsedFlags, pair: &[String; 2]) -> u8 {
    let before = cx.printed();
    let code = compare(cx, parsed, pair, &[]);
    if code == 1
        && !parsed.has('q')
        && cx.out.get(before.0..).is_some_and(|new| !new.starts_with(b"Binary files"))
    {
        let shown = cx.args().iter().filter(|arg| arg.starts_with('-') && arg.len() > 1);
        let options: String = shown.map(|arg| format!(" {arg}")).collect();
        let head = format!("diff{options} {} {}\n", pair[0], pair[1]);
        cx.out.splice(before.0..before.0, head.into_bytes());
    }
    code
}

/// Compares two files.
fn compare(cx: &mut Cx, parsed: &ParsedFlags, operands: &[String], stdin: &[u8]) -> u8 {
    let [a, b] = match both(cx, operands, stdin, parsed.has('N')) {
        Ok(both) => both,
        Err(code) => return code,
    };
    if a == b {
        if parsed.has('s') {
            cx.line(&format!("Files {} and {} are identical", operands[0], operands[1]));
        }
        return 0;
    }
    if parsed.has('q') {
        cx.line(&format!("Files {} and {} differ", operands[0], operands[1]));
        return 1;
    }
    if a.contains(&0) || b.contains(&0) {
        cx.line(&format!("Binary files {} and {} differ", operands[0], operands[1]));
        return 1;
    }
    let (text_a, text_b) = (String::from_utf8_lossy(&a), String::from_utf8_lossy(&b));
    let (lines_a, lines_b) = (split(&text_a), split(&text_b));
    let plain = |line: &str| {
        let line = if parsed.has('i') { line.to_lowercase() } else { line.to_owned() };
        match (parsed.has('w'), parsed.has('b')) {
            (true, _) => line.split_whitespace().collect::<String>(),
            (false, true) => line.split_whitespace().collect::<Vec<_>>().join(" "),
            (false, false) => line,
        }
    };
    let (keys_a, keys_b): (Vec<_>, Vec<_>) =
        (lines_a.iter().map(|l| plain(l)).collect(), lines_b.iter().map(|l| plain(l)).collect());
    let hunks = hunks(&keys_a, &keys_b);
    if hunks.is_empty() {
        return 0;
    }
    let text = if parsed.has('u') || parsed.has('U') {
        let context = parsed.value('U').and_then(|n| n.parse().ok()).unwrap_or(3);
        let stamp = |cx: &Cx, name: &str| {
            let time = cx.kernel.fs.stat(cx.uid(), &cx.path(name)).map_or(cx.now, |s| s.mtime);
            base::strftime::strftime(time, "%F %T.%N +0000")
        };
        let head = format!(
            "--- {}\t{}\n+++ {}\t{}\n",
            operands[0],
            stamp(cx, &operands[0]),
            operands[1],
            stamp(cx, &operands[1])
        );
        head + &unified(&lines_a, &lines_b, &hunks, context)
    } else {
        normal(&lines_a, &lines_b, &hunks)
    };
    cx.print(&text);
    1
}

/// Splits into lines, keeping their newlines.
fn split(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// A line of output. Reports a missing newline at the end of the file.
fn put(out: &mut String, mark: &str, line: &str) {
    out.push_str(mark);
    out.push_str(line);
    if !line.ends_with('\n') {
        out.push_str("\n\\ No newline at end of file\n");
    }
}

/// The differences, by the longest common subsequence.
fn hunks(a: &[String], b: &[String]) -> Vec<Hunk> {
    let start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let rest = (a.len() - start).min(b.len() - start);
    let end = a.iter().rev().zip(b.iter().rev()).take(rest).take_while(|(x, y)| x == y).count();
    let (mid_a, mid_b) = (&a[start..a.len() - end], &b[start..b.len() - end]);
    let (n, m) = (mid_a.len(), mid_b.len());
    if n == 0 && m == 0 {
        return Vec::new();
    }
    if n.saturating_mul(m) > MAX_CELLS {
        return vec![(start, start + n, start, start + m)];
    }
    let mut table = vec![0_u32; (n + 1) * (m + 1)];
    for i in (0..n).rev() {
        for j in (0..m).rev() {
            table[i * (m + 1) + j] = if mid_a[i] == mid_b[j] {
                table[(i + 1) * (m + 1) + j + 1] + 1
            } else {
                table[(i + 1) * (m + 1) + j].max(table[i * (m + 1) + j + 1])
            };
        }
    }
    let mut all: Vec<Hunk> = Vec::new();
    let (mut i, mut j) = (0, 0);
    let mut open: Option<(usize, usize)> = None;
    while i < n || j < m {
        if i < n && j < m && mid_a[i] == mid_b[j] {
            if let Some((x, y)) = open.take() {
                all.push((start + x, start + i, start + y, start + j));
            }
            i += 1;
            j += 1;
            continue;
        }
        open.get_or_insert((i, j));
        let down = i < n && (j >= m || table[(i + 1) * (m + 1) + j] >= table[i * (m + 1) + j + 1]);
        if down { i += 1 } else { j += 1 }
    }
    if let Some((x, y)) = open {
        all.push((start + x, start + n, start + y, start + m));
    }
    all
}

fn range(from: usize, to: usize) -> String {
    match to - from {
        0 => from.to_string(),
        1 => to.to_string(),
        _ => format!("{},{to}", from + 1),
    }
}

fn normal(a: &[&str], b: &[&str], hunks: &[Hunk]) -> String {
    let mut out = String::new();
    for &(a0, a1, b0, b1) in hunks {
        let letter = match (a1 > a0, b1 > b0) {
            (true, true) => 'c',
            (true, false) => 'd',
            (false, _) => 'a',
        };
        out += &format!("{}{letter}{}\n", range(a0, a1), range(b0, b1));
        a[a0..a1].iter().for_each(|line| put(&mut out, "< ", line));
        if letter == 'c' {
            out += "---\n";
        }
        b[b0..b1].iter().for_each(|line| put(&mut out, "> ", line));
    }
    out
}

fn unified(a: &[&str], b: &[&str], hunks: &[Hunk], context: usize) -> String {
    let mut out = String::new();
    let mut i = 0;
    while i < hunks.len() {
        // Hunks with touching contexts are merged.
        let mut last = i;
        while last + 1 < hunks.len() && hunks[last + 1].0 - hunks[last].1 <= 2 * context {
            last += 1;
        }
        let (from_a, from_b) = (
            hunks[i].0.saturating_sub(context),
            hunks[i].2 - (hunks[i].0 - hunks[i].0.saturating_sub(context)),
        );
        let after = context.min(a.len() - hunks[last].1);
        let (to_a, to_b) = (hunks[last].1 + after, hunks[last].3 + after);
        let span = |from: usize, to: usize| match to - from {
            0 => format!("{from},0"),
            1 => (from + 1).to_string(),
            n => format!("{},{n}", from + 1),
        };
        out += &format!("@@ -{} +{} @@\n", span(from_a, to_a), span(from_b, to_b));
        let mut at = from_a;
        for &(a0, a1, b0, b1) in &hunks[i..=last] {
            a[at..a0].iter().for_each(|line| put(&mut out, " ", line));
            a[a0..a1].iter().for_each(|line| put(&mut out, "-", line));
            b[b0..b1].iter().for_each(|line| put(&mut out, "+", line));
            at = a1;
        }
        a[at..to_a].iter().for_each(|line| put(&mut out, " ", line));
        i = last + 1;
    }
    out
}

/// cmp(1)
pub fn cmp(cx: &mut Cx, stdin: &[u8]) -> u8 {
    let parsed = match getopt::parse(cx, &CMP) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    if parsed.operands.len() != 2 {
        getopt::missing_operand(cx);
        return 2;
    }
    let [a, b] = match both(cx, &parsed.operands, stdin, false) {
        Ok(both) => both,
        Err(code) => return code,
    };
    if a == b {
        return 0;
    }
    if !parsed.has('s') {
        let (x, y) = (&parsed.operands[0], &parsed.operands[1]);
        match a.iter().zip(&b).position(|(p, q)| p != q) {
            Some(at) => {
                let line = a[..at].iter().filter(|c| **c == b'\n').count() + 1;
                cx.line(&format!("{x} {y} differ: byte {}, line {line}", at + 1));
            }
            None => {
                let short = if a.len() < b.len() { x } else { y };
                let (length, data) = if a.len() < b.len() { (a.len(), &a) } else { (b.len(), &b) };
                let lines = data.iter().filter(|c| **c == b'\n').count();
                let whole = if data.ends_with(b"\n") {
                    format!("line {lines}")
                } else {
                    format!("in line {}", lines + 1)
                };
                cx.error(&format!("EOF on {short} after byte {length}, {whole}"));
            }
        }
    }
    1
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn same_as_the_real_programs() {
        let long: String = (1..30).map(|n| format!("line {n}\n")).collect();
        let other = long.replace("line 3\n", "").replace("line 20\n", "LINE 20\nmore\n");
        let files = [
            ("a", "one\ntwo\nthree\n"),
            ("b", "one\n2\nthree\nfour\n"),
            ("c", "one\ntwo\nthree"),
            ("l", long.as_str()),
            ("o", other.as_str()),
            ("e", ""),
        ];
        let mut host = Host::with(&files);
        for argv in [
            &["diff", "a", "b"][..],
            &["diff", "a", "a"],
            &["diff", "a", "c"],
            &["diff", "-q", "a", "b"],
            &["diff", "l", "o"],
            &["diff", "e", "a"],
            &["diff", "a", "e"],
            &["diff", "a", "nope"],
            &["cmp", "a", "c"],
            &["cmp", "-s", "a", "b"],
            &["diff", "-"],
        ] {
            host.same(argv, "", &files);
        }
        // The real program would get files without directories here, so the expected output is written out.
        host.out(&["mkdir", "-p", "p/sub", "q/sub", "p/only"]);
        for (name, text) in
            [("p/same", "x\n"), ("q/same", "x\n"), ("p/sub/f", "1\n"), ("q/sub/f", "2\n"), ("q/new", "n\n")]
        {
            host.file(name, text);
        }
        let all = host.run(&["diff", "-r", "p", "q"]);
        let expected = "Only in q: new\nOnly in p: only\ndiff -r p/sub/f q/sub/f\n1c1\n< 1\n---\n> 2\n";
        assert_eq!((all.out.as_str(), all.code), (expected, 1));
        assert_eq!(
            host.run(&["diff", "-rq", "p", "q"]).out,
            "Only in q: new\nOnly in p: only\nFiles p/sub/f and q/sub/f differ\n"
        );
        assert_eq!(
            host.run(&["diff", "p", "q"]).out,
            "Only in q: new\nOnly in p: only\nCommon subdirectories: p/sub and q/sub\n"
        );
        assert!(host.run(&["diff", "-rN", "p", "q"]).out.starts_with("diff -rN p/new q/new\n0a1\n> n\n"));
        // In the C locale the real cmp writes `char`, in others `byte`.
        assert_eq!(host.run(&["cmp", "a", "b"]).out, "a b differ: byte 5, line 2\n");
        let unified = host.run(&["diff", "-u", "l", "o"]).out;
        let real = crate::testing::real(&["diff", "-u", "l", "o"], "", &files).out;
        let body = |text: &str| text.lines().skip(2).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(body(&unified), body(&real));
    }
}
