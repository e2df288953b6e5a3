//! sreport(1): reports of usage, made of the accounting database's jobs.
//!
//! As with slurmdbd's roll-up only whole hours count that are over. Down time is not kept, so that nodes count as idle
//! while they are down; wckeys and energy are none.

mod print;
mod reports;
mod usage;
mod window;

use super::VERSION;
use super::getopt::{self, Arg, Long, Parsed};
use super::jobtext::View;
use super::opt::Bad;
use crate::commands::Cx;
use reports::{Kind, Report};
use window::Window;

const OPTIONS: &[Long] = &[
    ("all_clusters", Some('a'), Arg::No),
    ("autocomplete", None, Arg::Required),
    ("cluster", Some('M'), Arg::Required),
    ("federation", None, Arg::No),
    ("help", Some('h'), Arg::No),
    ("immediate", Some('i'), Arg::No),
    ("local", None, Arg::No),
    ("noheader", Some('n'), Arg::No),
    ("parsable", Some('p'), Arg::No),
    ("parsable2", Some('P'), Arg::No),
    ("quiet", Some('Q'), Arg::No),
    ("time", Some('t'), Arg::Required),
    ("tres", Some('T'), Arg::Required),
    ("usage", None, Arg::No),
    ("verbose", Some('v'), Arg::No),
    ("version", Some('V'), Arg::No),
];

/// How amounts of time are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Seconds,
    Minutes,
    Hours,
}

/// `-t`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct TimeFormat {
    unit: Unit,
    /// The part of the whole, instead of the amount or beside it.
    percent: bool,
    amount: bool,
}

/// What was asked for besides the report.
struct Ask {
    time: TimeFormat,
    /// `-T`; none: CPUs, without a column for the name.
    tres: Option<Vec<String>>,
    /// `key=value` and bare words after the report's name, keys in lower case.
    words: Vec<(String, String)>,
}

impl Ask {
    /// The value of the last word whose key begins with what was written.
    fn value(&self, key: &str) -> Option<&str> {
        self.words.iter().rev().find(|(k, _)| key.starts_with(k.as_str())).map(|(_, v)| v.as_str())
    }

    fn has(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    /// A list of names; empty: all.
    fn list(&self, key: &str) -> Vec<String> {
        let words = self.value(key).unwrap_or("").split(',');
        words.filter(|w| !w.is_empty()).map(str::to_ascii_lowercase).collect()
    }
}

/// Runs it.
pub fn run(cx: &mut Cx) -> u8 {
    let parsed = match getopt::parse(OPTIONS, cx.argv, true) {
        Ok(parsed) => parsed,
        Err(text) => {
            cx.complain(Bad::getopt("sreport", text, 1).lines("sreport").trim_end());
            return 1;
        }
    };
    let words: Vec<&str> = parsed.rest.iter().map(String::as_str).collect();
    if parsed.has("version") || matches!(words.first(), Some(word) if word.eq_ignore_ascii_case("version")) {
        cx.line(VERSION);
        return 0;
    }
    let help = parsed.has("help") || parsed.has("usage");
    if help || matches!(words.first(), Some(word) if word.eq_ignore_ascii_case("help")) {
        cx.print(&help_text());
        return 0;
    }
    let [keyword, rest @ ..] = words.as_slice() else {
        cx.line("sreport: ");
        return 0;
    };
    let Some(kind) = Kind::named(keyword) else {
        cx.complain(&format!("invalid keyword: {keyword}"));
        return 1;
    };
    let [name, rest @ ..] = rest else {
        cx.complain(&format!("too few arguments for keyword:{}", kind.name()));
        return 1;
    };
    let Some(report) = Report::named(kind, name) else {
        cx.complain(&format!("Not valid report {name}"));
        cx.complain(&format!("Valid {} reports are, {}", kind.name(), kind.reports()));
        return 1;
    };
    show(cx, &parsed, report, rest)
}

fn show(cx: &mut Cx, parsed: &Parsed, report: Report, words: &[&str]) -> u8 {
    let mut code = 0;
    let mut ask = Ask {
        time: TimeFormat { unit: Unit::Minutes, percent: false, amount: true },
        tres: parsed.value("tres").map(|list| tres_list(cx, list)),
        words: Vec::new(),
    };
    let bad_format = match parsed.value("time").map(|text| (text, time_format(text))) {
        Some((_, Some(format))) => {
            ask.time = format;
            None
        }
        Some((text, None)) => Some(format!("unknown time format {text}")),
        None => None,
    };
    for word in words {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let lower = key.to_ascii_lowercase();
        if report.knows(&lower) {
            ask.words.push((lower, value.to_owned()));
        } else {
            cx.complain(&format!(" Unknown condition: {word}\nUse keyword set to modify value"));
            code = 1;
        }
    }
    let window = Window::asked(cx, ask.value("start"), ask.value("end"));
    let columns = match print::columns(&report.columns(&ask), ask.value("format")) {
        Ok(columns) => columns,
        Err(field) => {
            cx.complain(&format!(" Unknown field '{field}'"));
            code = 1;
            Vec::new()
        }
    };
    let view = View::of(cx);
    let mut out = Vec::new();
    let style = print::Style::of(parsed);
    if style.header {
        let title = report.title(&ask, &window);
        print::head(&mut out, &title, &columns, style);
    }
    for row in report.rows(&view, &ask, &window) {
        print::row(&mut out, &columns, &row, style);
    }
    cx.out.append(&mut out);
    if let Some(line) = bad_format {
        cx.complain(&line);
    }
    code
}

fn tres_list(cx: &Cx, list: &str) -> Vec<String> {
    if list.eq_ignore_ascii_case("all") {
        let gres = &cx.slurm.state().cluster.global.tracked_gres;
        let built_in = crate::base::tres::BUILT_IN.iter().map(|n| (*n).to_owned());
        return built_in.chain(gres.iter().map(|g| format!("gres/{g}"))).collect();
    }
    list.split(',').filter(|w| !w.is_empty()).map(str::to_ascii_lowercase).collect()
}

fn time_format(text: &str) -> Option<TimeFormat> {
    const NAMES: [(&str, Unit, bool, bool); 7] = [
        ("secper", Unit::Seconds, true, true),
        ("minper", Unit::Minutes, true, true),
        ("hourper", Unit::Hours, true, true),
        ("seconds", Unit::Seconds, false, true),
        ("minutes", Unit::Minutes, false, true),
        ("hours", Unit::Hours, false, true),
        ("percent", Unit::Minutes, true, false),
    ];
    let lower = text.to_ascii_lowercase();
    let found = NAMES
        .iter()
        .find(|n| n.0 == lower)
        .or_else(|| NAMES.iter().skip(3).find(|n| !lower.is_empty() && n.0.starts_with(&lower)));
    found.map(|(_, unit, percent, amount)| TimeFormat { unit: *unit, percent: *percent, amount: *amount })
}

fn help_text() -> String {
    let mut text = String::from("sreport [<OPTION>] [<COMMAND>]\n    Valid <OPTION> values are:\n");
    for (name, short, arg) in OPTIONS {
        let letter = short.map_or_else(String::new, |c| format!("-{c}, "));
        let value = if *arg == Arg::No { "" } else { "=..." };
        text += &format!("     {letter:>4}--{name}{value}\n");
    }
    for kind in Kind::ALL {
        text += &format!("    {} reports: {}\n", kind.name(), kind.reports());
    }
    text
}
