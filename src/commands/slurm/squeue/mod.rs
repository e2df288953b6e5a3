//! squeue(1): jobs in the queue.

mod fields;
mod filter;
mod order;
pub mod row;
mod rows;
mod steps;

use super::format::{self, FormatSegment};
use super::getopt::ParsedArguments;
use super::jobtext::JobView;
use super::tool::{self, ArgumentKind, PLAIN, ToolOption, ToolSpec, flag, may, needs};
use super::{clusters, data, private, watch};
use crate::{CommandMachine, Cx};
use base::order::StableSort as _;
use fields::FIELDS;
use filter::Filter;
pub use order::Keys;
use order::OVER_LAST;
pub use rows::RecordWalk;
use std::borrow::Cow;

/// For each field: its letter in `-o`, its names in `-O`, and its heading.
#[must_use]
pub fn field_names() -> Vec<(&'static str, &'static [&'static str], &'static str)> {
    FIELDS.iter().map(|field| (field.letter, field.names, field.title)).collect()
}

const OPTIONS: &[ToolOption] = &[
    needs("account", 'A', ArgumentKind::Account, "only jobs of these accounts").env("SQUEUE_ACCOUNT"),
    flag("all", 'a', "jobs of hidden partitions and of other groups' partitions, too").env("SQUEUE_ALL"),
    flag("array", 'r', "a line for each task of an array").env("SQUEUE_ARRAY"),
    flag("array-unique", ' ', "waiting tasks of an array as usual").env("SQUEUE_ARRAY_UNIQUE"),
    needs("clusters", 'M', ArgumentKind::Cluster, "ask these clusters").env("SLURM_CLUSTERS"),
    flag("expand-patterns", ' ', "names of files with %j and the like filled in")
        .env("SQUEUE_EXPAND_PATTERNS"),
    flag("federation", ' ', "all clusters of the federation").env("SQUEUE_FEDERATION"),
    needs("Format", 'O', ArgumentKind::Fields, "columns by name: name[:[.]width[suffix]],...")
        .env("SQUEUE_FORMAT2"),
    needs("format", 'o', ArgumentKind::Text("format"), "columns by letter: %[.][width]letter")
        .env("SQUEUE_FORMAT"),
    flag("help", ' ', "show this text"),
    flag("helpFormat", ' ', "names of fields for --Format"),
    flag("helpformat", ' ', "letters of fields for --format"),
    flag("helpstate", ' ', "names of states for --states"),
    flag("hide", ' ', "leave hidden partitions out, as usual"),
    needs("iterate", 'i', ArgumentKind::Text("seconds"), "show the queue again and again"),
    may("job", 'j', ArgumentKind::Job, "only these jobs"),
    may("jobs", 'j', ArgumentKind::Job, "only these jobs"),
    may("json", ' ', data::PARSERS, "everything as JSON"),
    needs("licenses", 'L', ArgumentKind::License, "only jobs with these licenses").env("SQUEUE_LICENSES"),
    flag("local", ' ', "only this cluster, not its federation").env("SQUEUE_LOCAL"),
    flag("long", 'l', "more columns"),
    flag("me", ' ', "only your own jobs"),
    needs("name", 'n', ArgumentKind::Text("names"), "only jobs of these names").env("SQUEUE_NAMES"),
    flag("noconvert", ' ', "leave units as they are"),
    needs("node", 'w', ArgumentKind::Node, "only jobs on these nodes"),
    needs("nodelist", 'w', ArgumentKind::Node, "only jobs on these nodes"),
    needs("nodes", 'w', ArgumentKind::Node, "only jobs on these nodes"),
    flag("noheader", 'h', "no headings"),
    flag("notme", ' ', "only other people's jobs"),
    flag("only-job-state", ' ', "ask for jobs' states only"),
    needs("partition", 'p', ArgumentKind::Partition, "only these partitions").env("SQUEUE_PARTITION"),
    flag("priority", 'P', "waiting jobs once for each of their partitions").env("SQUEUE_PRIORITY"),
    needs("qos", 'q', ArgumentKind::Qos, "only these QOS").env("SQUEUE_QOS"),
    needs("reservation", 'R', ArgumentKind::Reservation, "only jobs in these reservations"),
    needs("running-over", ' ', ArgumentKind::Text("time"), "only jobs that have run longer"),
    needs("running-under", ' ', ArgumentKind::Text("time"), "only jobs that have run less"),
    flag("sibling", ' ', "siblings within a federation, too").env("SQUEUE_SIBLING"),
    needs(
        "sort",
        'S',
        ArgumentKind::Text("letters"),
        "sort by these fields, `-` before a letter for descending",
    )
    .env("SQUEUE_SORT"),
    flag("start", ' ', "expected starts of waiting jobs"),
    needs("states", 't', ArgumentKind::JobState, "only these states, or all").env("SQUEUE_STATES"),
    may("steps", 's', ArgumentKind::Step, "steps instead of jobs"),
    flag("usage", ' ', "a short summary of the options"),
    needs("user", 'u', ArgumentKind::User, "only jobs of these users").env("SQUEUE_USERS"),
    needs("users", ' ', ArgumentKind::User, "only jobs of these users"),
    flag("verbose", 'v', "say more"),
    flag("version", 'V', "the version"),
    may("yaml", ' ', data::PARSERS, "everything as YAML"),
];

/// The command's table.
pub const TOOL: ToolSpec = ToolSpec {
    name: "squeue",
    options: OPTIONS,
    usage: USAGE,
    fields: || format::names(FIELDS),
    words: |_| ArgumentKind::Job,
    about: "Jobs that wait, run or are completing, with the reason why they wait. Lines are sorted by partition, state \
        and priority unless --sort says otherwise.",
    ..PLAIN
};

const DEFAULT: &str = "%.18i %.9P %.8j %.8u %.2t %.10M %.6D %R";
const DEFAULT_SORT: &str = "P,t,-p";
const LONG: &str = "%.18i %.9P %.8j %.8u %.8T %.10M %.9l %.6D %R";
const START: &str = "%.18i %.9P %.8j %.8u %.2t %.19S %.6D %20Y %R";
const STEPS: &str = "%.15i %.8j %.9P %.8u %.9M %N";

const USAGE: &str = "\
Usage: squeue [-A account] [--clusters names] [-i seconds] [--job jobid]
              [-n name] [-o format] [--only-job-state] [-p partitions]
              [--qos qos] [--reservation reservation] [--sort fields] [--start]
              [--step step_id] [-t states] [-u user_name] [--usage]
              [-L licenses] [-w nodes] [--federation] [--local] [--sibling]
              [--expand-patterns] [--json=data_parser] [--yaml=data_parser]
              [--running-over=time] [--running-under=time] [-ahjlrsv]
";

/// An iterator over the records of a plain `squeue`, for other views of the queue: all jobs or one user's, with
/// finished jobs in memory if requested. Also returns the sort keys: these letters precede the default ones. With
/// letters, finished jobs precede pending ones, because state names sort that way; without letters they come
/// last.
#[must_use]
pub fn plain(user: Option<u32>, ended: bool, sort: &str) -> (RecordWalk, Keys) {
    let sort = match sort {
        "" if ended => format!("{OVER_LAST},{DEFAULT_SORT}"),
        "" => DEFAULT_SORT.to_owned(),
        sort => format!("{sort},{DEFAULT_SORT}"),
    };
    (RecordWalk::new(Filter::plain(user, ended), rows::Each::Record), Keys::of(&sort))
}

/// The last column of a plain `squeue`: nodes, or the reason in parentheses.
#[must_use]
pub fn nodes_or_reason(view: &JobView, row: &row::SqueueRow) -> String {
    fields::reason_list(view, row)
}

/// Starts squeue.
pub fn start(cx: &mut Cx) -> CommandMachine {
    watch::start(cx, &TOOL, show)
}

/// Prints the queue once.
pub fn show(cx: &mut Cx, parsed: &ParsedArguments) -> u8 {
    if let Some(text) = help_list(parsed) {
        cx.print(&text);
        return 0;
    }
    if let Err(code) = clusters::asked(cx, parsed, true) {
        return code;
    }
    // `-j` and `-s` take the next word as their value.
    let taken =
        ["job", "jobs", "steps"].iter().filter(|o| parsed.last_of(&[**o]).is_some_and(|(_, t)| t.is_empty()));
    if let Some(word) = parsed.rest.get(taken.count().min(1)) {
        filter::known_users(cx, parsed);
        let usage = tool::help::usage(&TOOL);
        cx.print(&usage);
        cx.complain(&format!("squeue: error: Unrecognized option: {word}"));
        return 1;
    }
    if let Some(other) = only_state_with(parsed) {
        cx.complain(&format!("squeue: fatal: --only-job-state cannot be used with --{other}"));
        return 1;
    }
    let filter = match Filter::read(cx, parsed) {
        Ok(filter) => filter,
        Err(code) => return code,
    };
    let each = rows::Each::of(parsed);
    if let Some(asked) = data::asked(parsed) {
        return data::print(cx, asked, |view, out| {
            // In slurmctld's order, regardless of the order of the listing.
            let mut found = Vec::new();
            rows::visit(view, &filter, each, |row, position| found.push((position, row.job)));
            found.order_by_key(|(position, job)| (*position, job.id));
            data::jobs::queue(view, out, found.into_iter().map(|(_, job)| job));
        });
    }
    if let Some(date) = watch::date(cx.now, parsed) {
        cx.print(&date);
    }
    if parsed.has("steps") {
        return steps::print(cx, parsed, &filter);
    }
    print_jobs(cx, parsed, &filter, each)
}

/// Fields that `--only-job-state` provides.
const STATE_FIELDS: &[&str] = &[
    "jobid",
    "jobarrayid",
    "arrayjobid",
    "arraytaskid",
    "hetjobid",
    "hetjoboffset",
    "state",
    "statecompact",
];

/// An option that conflicts with `--only-job-state`, which requests only states from the controller.
fn only_state_with(parsed: &ParsedArguments) -> Option<&'static str> {
    const OTHERS: &[&str] = &[
        "account",
        "json",
        "licenses",
        "me",
        "name",
        "nodelist",
        "nodes",
        "partition",
        "qos",
        "reservation",
        "start",
        "steps",
        "user",
        "users",
        "yaml",
    ];
    parsed.last_of(OTHERS).map(|(name, _)| name).filter(|_| parsed.has("only-job-state"))
}

/// The output of `--helpformat`, `--helpFormat` and `--helpstate`.
fn help_list(parsed: &ParsedArguments) -> Option<String> {
    let list: Vec<String> = match parsed.last_of(&["helpformat", "helpFormat", "helpstate"])?.0 {
        "helpformat" => format::letters(FIELDS),
        "helpFormat" => format::names(FIELDS).into_iter().map(str::to_owned).collect(),
        _ => super::jobtext::STATES.iter().map(|s| s.0.to_owned()).collect(),
    };
    Some(tool::help::columns(&list))
}

/// The format, and whether it is a long one. Environment variables do not override the formats of `-l` and `--start`.
fn format_of(parsed: &ParsedArguments) -> (String, bool) {
    let default = match (parsed.has("start"), parsed.has("long")) {
        (true, _) => Some(START),
        (false, true) => Some(LONG),
        (false, false) => None,
    };
    let typed = parsed.typed("format") || parsed.typed("Format");
    let default = default.filter(|_| !typed);
    match (default, parsed.last_of(&["format", "Format"])) {
        (Some(format), _) => (format.to_owned(), false),
        (None, Some((name, text))) => (text.to_owned(), name == "Format"),
        (None, None) => (DEFAULT.to_owned(), false),
    }
}

fn print_jobs(cx: &mut Cx, parsed: &ParsedArguments, filter: &Filter, each: rows::Each) -> u8 {
    if !JobView::of(cx).sees(private::PrivateKind::Partitions) {
        cx.complain("slurm_load_partitions: Access/permission denied");
    }
    let (format, long) = format_of(parsed);
    let (parts, unknown) = format::read(FIELDS, &format, long);
    for field in unknown {
        cx.complain(&format!("squeue: error: Invalid job format specification: {field}"));
    }
    let default = if parsed.has("start") && !parsed.typed("sort") { "S" } else { DEFAULT_SORT };
    let sort = parsed.value("sort").filter(|_| default != "S").unwrap_or(default);
    if let Some(bad) = sort.chars().rev().find(|c| !order::LETTERS.contains(*c) && !",-+#".contains(*c)) {
        cx.complain(&format!("squeue: error: Invalid sort specification: {bad}"));
        return 1;
    }
    let mut out = Vec::new();
    let view = JobView::of(cx);
    if !parsed.has("noheader") {
        line(&mut out, &parts, true, &|field| Cow::Borrowed(field.title));
    }
    let (expand, states_only) = (parsed.has("expand-patterns"), parsed.has("only-job-state"));
    // Lines are formatted while their record is at hand, and sorted afterwards.
    let (mut keys, mut text, mut ends) = (Keys::of(sort), Vec::new(), vec![0]);
    rows::visit(&view, filter, each, |row, position| {
        let row = row::SqueueRow { expand, ..row };
        keys.push(&view, &row, position);
        line(&mut text, &parts, false, &|field| {
            if states_only && !field.names.iter().any(|name| STATE_FIELDS.contains(name)) {
                return Cow::Borrowed("");
            }
            field.get.text(&view, &row)
        });
        ends.push(text.len());
    });
    out.reserve(text.len());
    for i in keys.order() {
        let (from, to) = (ends.get(i).copied(), ends.get(i + 1).copied());
        out.extend_from_slice(from.zip(to).and_then(|(from, to)| text.get(from..to)).unwrap_or_default());
    }
    cx.out.append(&mut out);
    0
}

fn line<'t>(
    out: &mut Vec<u8>,
    parts: &[FormatSegment],
    header: bool,
    text: &dyn Fn(&'static fields::SqueueField) -> Cow<'t, str>,
) {
    format::line(out, parts, &|shown| {
        let Some(field) = FIELDS.get(shown.at) else { return (Cow::Borrowed(""), 0) };
        let text = text(field);
        let whole = text.len() > shown.width && fields::overflows(field, header, &text);
        (text, if whole { 0 } else { shown.width })
    });
}
