//! Compares the output of two transcripts.
//!
//! Compared: exit code, stdout and stderr (separately), every line, every column. Clock times may differ if
//! their distance from the transcript's first clock time is the same within seconds. Durations may differ by
//! [`TOLERANCE`] if the column still starts or ends at the same position. Process ids and ports may differ. Not
//! compared: `--help` texts, and commands on which no two recordings agree.

use base::time::Time;
use regex_lite::{Captures, Regex};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Tolerance for durations in seconds; twice as much for clock times.
const TOLERANCE: i64 = 3;

macro_rules! patterns {
    ($($name:ident = $text:literal;)*) => {
        $(static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($text).expect("a pattern"));)*
    };
}

patterns! {
    STAMP = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}";
    CTIME = r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) ([ 0-9][0-9]) ([0-9]{2}:[0-9]{2}:[0-9]{2}) ([0-9]{4})\b";
    MILLIS = r"([0-9]{2}:[0-9]{2}:[0-9]{2})\.[0-9]{3}\b";
    IDS = r"\b(SLURM_\w*PID|SLURM_\w*PORT|SLURMD_\w*PORT|SLURM_\w*SLUID)=\w+";
    EPOCH = r"=(1[0-9]{9})\b";
    DURATION = r"^(?:([0-9]+)-)?(?:([0-9]+):)?([0-9]+):([0-9]{2})$";
    DIRECTIVE = r"^@(cluster|user|wait|until|t|date|node-\w+)\b";
    EXIT = r"^\[exit ([0-9]+)\]$";
    HELP = r"--help|\s-h \|";
}

/// The output of one command of a transcript.
#[derive(Clone, Debug, Default)]
pub struct Printed {
    /// The line with `$ `.
    pub command: String,
    stdout: Vec<String>,
    stderr: Vec<String>,
    exit: String,
    /// The transcript's first clock time.
    first: Option<i64>,
}

/// The result of comparing a transcript with recordings.
pub struct Verdict {
    /// Number of commands on which recordings agree.
    pub stable: usize,
    /// Those that are equal to no recording.
    pub differences: Vec<Difference>,
}

/// A command with different output.
#[derive(Debug)]
pub struct Difference {
    /// The line with `$ `.
    pub command: String,
    /// Its number among equal commands in the session, from 1.
    pub occurrence: usize,
    /// The expected and the actual output.
    pub text: String,
}

/// The commands of a transcript.
pub fn commands(text: &str) -> Vec<Printed> {
    let mut all: Vec<Printed> = Vec::new();
    let mut first = None;
    let mut lines = text.split('\n');
    while let Some(line) = lines.next() {
        if line.starts_with("@file ") {
            lines.by_ref().find(|l| *l == "@end");
        } else if line.starts_with("$ ") {
            all.push(Printed { command: line.to_owned(), ..Printed::default() });
        } else if DIRECTIVE.is_match(line) || line.starts_with("# ") || line.starts_with("[recorder:") {
            continue;
        } else if let Some(current) = all.last_mut() {
            if let Some(exit) = EXIT.captures(line) {
                current.exit = exit[1].to_owned();
                continue;
            }
            let line = normal(line);
            first = first.or_else(|| STAMP.find(&line).and_then(|m| stamp(m.as_str())));
            match line.strip_prefix("2> ") {
                Some(rest) => current.stderr.push(rest.to_owned()),
                None => current.stdout.push(line),
            }
        }
    }
    for command in &mut all {
        while command.stdout.last().is_some_and(String::is_empty) {
            command.stdout.pop();
        }
        command.first = first;
    }
    all
}

/// Replaces process ids, and writes every clock time in the same form.
fn normal(line: &str) -> String {
    let line = MILLIS.replace_all(line, "$1");
    let line = IDS.replace_all(&line, "$1=<n>");
    let line = CTIME.replace_all(&line, |c: &Captures| {
        const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
        let month = MONTHS.find(&c[1]).unwrap_or(0) / 3 + 1;
        format!("{}-{month:02}-{:0>2}T{}", &c[4], c[2].trim(), &c[3])
    });
    let line = EPOCH
        .replace_all(&line, |c: &Captures| format!("={}", Time::from_secs(c[1].parse().unwrap_or(0)).iso()));
    line.into_owned()
}

fn stamp(text: &str) -> Option<i64> {
    text.parse().ok().and_then(Time::from_civil).map(Time::secs)
}

fn seconds(text: &str) -> Option<i64> {
    let c = DURATION.captures(text)?;
    let part = |i: usize| c.get(i).map_or(Some(0), |m| m.as_str().parse::<i64>().ok());
    Some(((part(1)? * 24 + part(2)?) * 60 + part(3)?) * 60 + part(4)?)
}

fn whole_stamp(text: &str) -> Option<i64> {
    (text.len() == 19 && STAMP.is_match(text)).then(|| stamp(text)).flatten()
}

fn close(p: &str, q: &str, a0: Option<i64>, b0: Option<i64>) -> bool {
    if p == q {
        return true;
    }
    if let (Some(s), Some(t)) = (whole_stamp(p), whole_stamp(q)) {
        return match (a0, b0) {
            (Some(a0), Some(b0)) => ((s - a0) - (t - b0)).abs() <= 2 * TOLERANCE,
            _ => false,
        };
    }
    matches!((seconds(p), seconds(q)), (Some(u), Some(v)) if (u - v).abs() <= TOLERANCE)
}

/// Splits a word at `=`, `,`, `|`, brackets, and at the dash between two years; keeps the separators.
fn split(word: &str) -> Vec<String> {
    let chars: Vec<char> = word.chars().collect();
    let mut parts = vec![String::new()];
    for (i, c) in chars.iter().enumerate() {
        let digit = |j: usize| chars.get(j).is_some_and(char::is_ascii_digit);
        let range = *c == '-' && i > 0 && digit(i - 1) && (i + 1..i + 5).all(digit);
        if "=,|[]".contains(*c) || range {
            parts.push(c.to_string());
            parts.push(String::new());
        } else if let Some(last) = parts.last_mut() {
            last.push(*c);
        }
    }
    parts
}

/// Words with their first and last column.
fn words(line: &str) -> Vec<(i64, i64, String)> {
    let mut all: Vec<(i64, i64, String)> = Vec::new();
    let mut inside = false;
    for (i, c) in (0i64..).zip(line.chars()) {
        if c.is_whitespace() {
            inside = false;
            continue;
        }
        if !inside {
            all.push((i, i, String::new()));
        }
        inside = true;
        if let Some((_, end, word)) = all.last_mut() {
            *end = i + 1;
            word.push(c);
        }
    }
    all
}

fn line_equal(a: &str, b: &str, a0: Option<i64>, b0: Option<i64>) -> bool {
    if a == b {
        return true;
    }
    let (ta, tb) = (words(a), words(b));
    if ta.len() != tb.len() {
        return false;
    }
    let mut shifts = BTreeSet::from([0]);
    for ((from_a, to_a, x), (from_b, to_b, y)) in ta.iter().zip(&tb) {
        let (start, end) = (from_b - from_a, to_b - to_a);
        if x == y {
            if !shifts.contains(&start) {
                return false;
            }
            shifts = BTreeSet::from([start]);
            continue;
        }
        let (sx, sy) = (split(x), split(y));
        if sx.len() != sy.len() || !sx.iter().zip(&sy).all(|(p, q)| close(p, q, a0, b0)) {
            return false;
        }
        if !shifts.contains(&start) && !shifts.contains(&end) {
            return false;
        }
        shifts.extend([start, end]);
    }
    let (body_a, body_b) = (a.trim_end(), b.trim_end());
    a[body_a.len()..] == b[body_b.len()..] || body_a != body_b
}

fn same(expected: &Printed, got: &Printed) -> bool {
    let lines = |x: &[String], y: &[String]| {
        x.len() == y.len() && x.iter().zip(y).all(|(a, b)| line_equal(a, b, expected.first, got.first))
    };
    expected.exit == got.exit && lines(&expected.stdout, &got.stdout) && lines(&expected.stderr, &got.stderr)
}

/// The differences as text.
pub fn in_words(differences: &[Difference]) -> String {
    differences.iter().map(|d| format!("\n--- {}\n{}", d.command, d.text)).collect()
}

/// Compares a transcript with the recordings of its session.
pub fn compare(recordings: &[String], produced: &str) -> Verdict {
    let recorded: Vec<Vec<Printed>> = recordings.iter().map(|r| commands(r)).collect();
    let produced = commands(produced);
    let mut verdict = Verdict { stable: 0, differences: Vec::new() };
    let mut occurrences: BTreeMap<&str, usize> = BTreeMap::new();
    let Some(first) = recorded.first() else { return verdict };
    for (i, expected) in first.iter().enumerate() {
        let occurrence = occurrences.entry(&expected.command).or_default();
        *occurrence += 1;
        let all: Vec<&Printed> = recorded.iter().filter_map(|r| r.get(i)).collect();
        let pairs = || (0..all.len()).flat_map(|j| (0..j).map(move |k| (j, k)));
        let stable = recorded.len() < 2 || pairs().any(|(j, k)| same(all[j], all[k]));
        if HELP.is_match(&expected.command) || !stable {
            continue;
        }
        verdict.stable += 1;
        let nothing = Printed { stdout: vec!["<nothing>".to_owned()], ..Printed::default() };
        let got = produced.get(i).unwrap_or(&nothing);
        if !all.iter().any(|e| same(e, got)) {
            let show = |mark: &str, p: &Printed| {
                let out: String = p.stdout.iter().map(|l| format!("  {mark}  {l}\n")).collect();
                let err: String = p.stderr.iter().map(|l| format!("  {mark}! {l}\n")).collect();
                let exit =
                    if p.exit.is_empty() { String::new() } else { format!("  {mark}  [exit {}]\n", p.exit) };
                out + &err + &exit
            };
            let text = show("E", expected) + &show("P", got);
            let command = expected.command.clone();
            verdict.differences.push(Difference { command, occurrence: *occurrence, text });
        }
    }
    verdict
}

#[test]
fn equal_output() {
    let t = |s: &str| whole_stamp(s);
    let (a0, b0) = (t("2026-11-21T05:00:00"), t("2026-11-21T06:00:00"));
    for (a, b, equal) in [
        ("a  b", "a  b", true),
        ("a  b", "a b", false),
        ("x 2026-11-21T05:00:10 y", "x 2026-11-21T06:00:12 y", true),
        ("x 2026-11-21T05:00:10 y", "x 2026-11-21T06:00:30 y", false),
        ("  0:09 n", "  0:11 n", true),
        ("  0:09 n", "  0:13 n", false),
        ("      59:59 n", "    1:00:01 n", true),
        ("RunTime=00:00:09 TimeLimit=1", "RunTime=00:00:10 TimeLimit=1", true),
        ("1 alice", "1 bob", false),
        ("a ", "a", false),
        ("0:09  n ", "0:10  n", true),
    ] {
        assert_eq!(line_equal(a, b, a0, b0), equal, "{a:?} {b:?}");
    }
}

#[test]
fn a_transcript_is_parsed() {
    let text = "@t 0\n$ date\nSat Nov 21 05:54:20 2026\n2> oops\n[exit 3]\n\n@t 4\n@file x\n$ no\n@end\n# c\n$ env\n\
                SLURM_TASK_PID=77 T=1795240460\n";
    let all = commands(text);
    assert_eq!(all.iter().map(|c| c.command.as_str()).collect::<Vec<_>>(), ["$ date", "$ env"]);
    assert_eq!(all[0].stdout, ["2026-11-21T05:54:20"]);
    assert_eq!((all[0].stderr.join("|"), all[0].exit.as_str()), ("oops".to_owned(), "3"));
    assert_eq!(all[1].stdout, ["SLURM_TASK_PID=<n> T=2026-11-21T05:54:20"]);
}
