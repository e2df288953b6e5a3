//! sreport(1): usage reports from the jobs of the accounting database.
//!
//! Like slurmdbd's roll-up they count only completed hours. Deliberate differences: down time is not
//! recorded, so down nodes count as idle; energy is always zero.

mod print;
mod reports;
mod sizes;
mod usage;
mod window;

use super::getopt::ParsedArguments;
use super::jobtext::JobView;
use super::listing::{Listing, ListingStyle};
use super::tool::{self, ArgumentKind, Keyword, PLAIN, ToolOption, ToolSpec, flag, needs};
use super::{clusters, dialog, release};
use crate::{CommandMachine, Cx};
use reports::{Report, ReportKind};
use window::Period;

const TIMES: ArgumentKind =
    ArgumentKind::OneOf(&["Seconds", "Minutes", "Hours", "Percent", "SecPer", "MinPer", "HourPer"]);

const OPTIONS: &[ToolOption] = &[
    flag("all_clusters", 'a', "reports of all clusters"),
    needs("autocomplete", ' ', ArgumentKind::Text("text"), "options that begin so"),
    needs("cluster", 'M', ArgumentKind::Cluster, "reports of these clusters").env("SREPORT_CLUSTER"),
    flag("federation", ' ', "reports of the federation").env("SREPORT_FEDERATION"),
    flag("help", 'h', "show this text"),
    flag("immediate", 'i', "accepted"),
    flag("local", ' ', "only this cluster, not its federation").env("SREPORT_LOCAL"),
    flag("noheader", 'n', "no headings"),
    flag("parsable", 'p', "columns between |, one at the end"),
    flag("parsable2", 'P', "columns between |"),
    flag("quiet", 'Q', "say nothing but the report"),
    needs("time", 't', TIMES, "how amounts of time are written"),
    needs("tres", 'T', ArgumentKind::Text("tres"), "reports of these TRES, or ALL").env("SREPORT_TRES"),
    flag("usage", ' ', "a short summary of the options"),
    flag("verbose", 'v', "say more"),
    flag("version", 'V', "the version"),
];

/// The kinds of reports.
const KEYWORDS: &[Keyword] = &[
    word(
        "cluster",
        "<REPORT> [<SPECS>]",
        "AccountUtilizationByUser, UserUtilizationByAccount, Utilization ...",
    ),
    word("job", "<REPORT> [<SPECS>]", "SizesByAccount, SizesByAccountAndWckey, SizesByWckey"),
    word("reservation", "<REPORT> [<SPECS>]", "Utilization"),
    word("user", "<REPORT> [<SPECS>]", "TopUsage"),
    word("exit", "", "end the interactive mode"),
    word("help", "", "show this text"),
    word("quit", "", "end the interactive mode"),
    word("version", "", "the version"),
];

const fn word(name: &'static str, args: &'static str, help: &'static str) -> Keyword {
    Keyword { name, least: 1, args, help }
}

/// The command's table.
pub const TOOL: ToolSpec = ToolSpec {
    name: "sreport",
    options: OPTIONS,
    synopsis: "[<COMMAND>]",
    keywords: KEYWORDS,
    words: |before| match before {
        ["cluster"] => ArgumentKind::OneOf(&[
            "AccountUtilizationByUser",
            "UserUtilizationByAccount",
            "UserUtilizationByWckey",
            "Utilization",
            "WCKeyUtilizationByUser",
        ]),
        ["job"] => ArgumentKind::OneOf(&["SizesByAccount", "SizesByAccountAndWckey", "SizesByWckey"]),
        ["reservation"] => ArgumentKind::OneOf(&["Utilization"]),
        ["user"] => ArgumentKind::OneOf(&["TopUsage"]),
        _ => ArgumentKind::OneOf(&["start=", "end=", "format=", "accounts=", "users=", "clusters=", "tree"]),
    },
    about: "Reports of usage over whole hours that are over; without times those of yesterday. Without words it asks for \
        commands, one a line.",
    ..PLAIN
};

/// The unit and format of times.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Seconds,
    Minutes,
    Hours,
}

/// The unit of `-t`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct TimeFormat {
    unit: Unit,
    /// Print percentages, instead of or next to the amounts.
    percent: bool,
    amount: bool,
}

/// The requested options of a report.
struct Query {
    time: TimeFormat,
    /// `-T`; none means CPUs without a name column.
    tres: Option<Vec<String>>,
    /// `key=value` and single words after the report's name, with keys in lower case.
    words: Vec<(String, String)>,
}

impl Query {
    /// The value of the last word whose key starts with the given text.
    fn value(&self, key: &str) -> Option<&str> {
        self.words.iter().rev().find(|(k, _)| key.starts_with(k.as_str())).map(|(_, v)| v.as_str())
    }

    fn has(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    /// A list of names; empty for all.
    fn list(&self, key: &str) -> Vec<String> {
        let words = self.value(key).unwrap_or("").split(',');
        words.filter(|w| !w.is_empty()).map(str::to_ascii_lowercase).collect()
    }
}

/// Starts sreport: runs the command in its arguments, or prompts for commands.
pub fn start(cx: &mut Cx) -> CommandMachine {
    dialog::start(cx, &TOOL)
}

/// Runs one command.
pub fn run(cx: &mut Cx, parsed: &ParsedArguments) -> u8 {
    let words: Vec<&str> = parsed.rest.iter().map(String::as_str).collect();
    match words.first().and_then(|w| tool::keyword(KEYWORDS, w)).map(|k| k.name) {
        Some("version") => {
            cx.line(release::of(cx).version);
            return 0;
        }
        Some("help") => {
            // Slurm fills the lines of this text up with blanks.
            let text: String = tool::help::help(&TOOL).lines().map(|line| format!("{line:<75}\n")).collect();
            cx.print(&text);
            return 0;
        }
        Some("exit" | "quit") => return 0,
        _ => {}
    }
    let [keyword, rest @ ..] = words.as_slice() else { return 0 };
    let Some(kind) = ReportKind::named(keyword) else {
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
    show(cx, parsed, report, rest)
}

fn show(cx: &mut Cx, parsed: &ParsedArguments, report: Report, words: &[&str]) -> u8 {
    let mut code = 0;
    let mut ask = Query {
        time: TimeFormat { unit: Unit::Minutes, percent: false, amount: true },
        tres: parsed.value("tres").map(|list| tres_list(cx, list)),
        words: Vec::new(),
    };
    if ask.tres.as_ref().is_some_and(|asked| !asked.iter().any(|name| tres_list(cx, "all").contains(name))) {
        cx.complain("sreport: fatal: No valid TRES given");
        return 1;
    }
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
    if let Some(count) = ask.value("topcount").filter(|count| count.parse::<u32>().is_err()) {
        cx.complain(&format!("sreport: error: Invalid value for TopCount ({count})"));
        code = 1;
    }
    let window = Period::asked(cx, ask.value("start"), ask.value("end"));
    let mut listing = Listing::new(ListingStyle::of(parsed));
    if let Err(field) = print::choose(&mut listing, &report.columns(&ask), ask.value("format")) {
        cx.complain(&format!(" Unknown field '{field}'"));
        code = 1;
        listing.columns.clear();
    }
    let own = clusters::names_own(cx, parsed);
    let view = JobView::of(cx);
    let mut out = Vec::new();
    if listing.style.header {
        print::title(&mut out, &report.title(&ask, &window));
    }
    listing.head(&mut out);
    // The database has no records of other clusters.
    let rows = if own { report.rows(&view, &ask, &window) } else { Vec::new() };
    for row in rows {
        listing.row(&mut out, &|at| row.get(at).cloned().unwrap_or_default());
    }
    cx.out.append(&mut out);
    if let Some(line) = bad_format {
        cx.complain(&line);
    }
    code
}

fn tres_list(cx: &Cx, list: &str) -> Vec<String> {
    if list.eq_ignore_ascii_case("all") {
        let gres = &cx.cluster.state().cluster.global.tracked_gres;
        let built_in = base::tres::BUILT_IN.iter().map(|n| (*n).to_owned());
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
