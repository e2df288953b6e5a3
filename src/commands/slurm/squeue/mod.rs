//! squeue(1): the queue.

mod fields;
pub mod rows;
mod steps;

use super::VERSION;
use super::getopt::{self, Arg, Long, Parsed};
use super::jobtext::{self, View};
use super::opt::Bad;
use crate::base::hostlist;
use crate::base::ids::Uid;
use crate::base::table::{Overflow, Piece, cell, long_format, short_format};
use crate::commands::Cx;

const OPTIONS: &[Long] = &[
    ("account", Some('A'), Arg::Required),
    ("all", Some('a'), Arg::No),
    ("array", Some('r'), Arg::No),
    ("array-unique", None, Arg::No),
    ("clusters", Some('M'), Arg::Required),
    ("expand-patterns", None, Arg::No),
    ("federation", None, Arg::No),
    ("Format", Some('O'), Arg::Required),
    ("format", Some('o'), Arg::Required),
    ("help", None, Arg::No),
    ("hide", None, Arg::No),
    ("iterate", Some('i'), Arg::Required),
    ("job", Some('j'), Arg::Optional),
    ("jobs", None, Arg::Optional),
    ("json", None, Arg::Optional),
    ("licenses", Some('L'), Arg::Required),
    ("local", None, Arg::No),
    ("long", Some('l'), Arg::No),
    ("me", None, Arg::No),
    ("name", Some('n'), Arg::Required),
    ("noconvert", None, Arg::No),
    ("node", None, Arg::Required),
    ("nodelist", Some('w'), Arg::Required),
    ("nodes", None, Arg::Required),
    ("noheader", Some('h'), Arg::No),
    ("only-job-state", None, Arg::No),
    ("partition", Some('p'), Arg::Required),
    ("priority", Some('P'), Arg::No),
    ("qos", Some('q'), Arg::Required),
    ("reservation", Some('R'), Arg::Required),
    ("sibling", None, Arg::No),
    ("sort", Some('S'), Arg::Required),
    ("start", None, Arg::No),
    ("states", Some('t'), Arg::Required),
    ("steps", Some('s'), Arg::Optional),
    ("usage", None, Arg::No),
    ("user", Some('u'), Arg::Required),
    ("users", None, Arg::Required),
    ("verbose", Some('v'), Arg::No),
    ("version", Some('V'), Arg::No),
    ("yaml", None, Arg::Optional),
];

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

/// Which jobs are shown; empty: all.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    jobs: Vec<jobtext::JobSpec>,
    users: Option<Vec<u32>>,
    accounts: Vec<String>,
    partitions: Vec<String>,
    qos: Vec<String>,
    names: Vec<String>,
    states: Vec<String>,
    nodes: Vec<String>,
    licenses: Vec<String>,
    reservation: Option<String>,
    /// Whether `-t all` was given.
    all_states: bool,
    /// Who asks, where that person sees only what [`Slurmctld::partition_shown`] shows.
    shown_to: Option<Uid>,
}

/// The rows of a plain `squeue`, for others who show the queue: everybody's or one user's, with ended jobs that are
/// still in memory if asked for.
#[must_use]
pub fn plain_rows<'a>(view: &View<'a>, user: Option<u32>, ended: bool) -> Vec<rows::Row<'a>> {
    let filter = Filter { users: user.map(|uid| vec![uid]), all_states: ended, ..Filter::default() };
    rows::rows(view, &filter, false, DEFAULT_SORT)
}

/// The last column of a plain `squeue`: nodes, or the reason in parentheses.
#[must_use]
pub fn place(view: &View, row: &rows::Row) -> String {
    fields::reason_list(view, row)
}

/// Runs it.
pub fn run(cx: &mut Cx) -> u8 {
    let parsed = match getopt::parse(OPTIONS, cx.argv, true) {
        Ok(parsed) => parsed,
        Err(text) => {
            cx.complain(Bad::getopt("squeue", text, 1).lines("squeue").trim_end());
            return 1;
        }
    };
    if parsed.has("help") {
        let mut text = String::from("Usage: squeue [OPTIONS]\n");
        for (name, short, arg) in OPTIONS {
            let letter = short.map_or_else(String::new, |c| format!("-{c}, "));
            let value = if *arg == Arg::No { "" } else { "=..." };
            text += &format!("  {letter:>4}--{name}{value}\n");
        }
        cx.print(&text);
        return 0;
    }
    if parsed.has("usage") {
        cx.print(USAGE);
        return 0;
    }
    if parsed.has("version") {
        cx.line(VERSION);
        return 0;
    }
    if parsed.has("json") || parsed.has("yaml") {
        cx.complain("squeue: error: JSON and YAML output is not simulated");
        return 1;
    }
    let filter = match filter(cx, &parsed) {
        Ok(filter) => filter,
        Err(code) => return code,
    };
    if parsed.has("long") {
        let date = cx.now.strftime("%a %b %e %H:%M:%S %Y");
        cx.line(&date);
    }
    if parsed.has("steps") {
        return steps::print(cx, &parsed, &filter);
    }
    print_jobs(cx, &parsed, &filter)
}

/// An option's value, or that of the variable behind it.
fn value(cx: &Cx, parsed: &Parsed, names: &[&str], variable: &str) -> Option<String> {
    names
        .iter()
        .find_map(|n| parsed.value(n))
        .map(str::to_owned)
        .or_else(|| cx.env.get(variable).cloned())
        .filter(|v| !v.is_empty())
}

fn list(cx: &Cx, parsed: &Parsed, names: &[&str], variable: &str) -> Vec<String> {
    let text = value(cx, parsed, names, variable).unwrap_or_default();
    text.split(',').filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

fn filter(cx: &mut Cx, parsed: &Parsed) -> Result<Filter, u8> {
    let mut filter = Filter {
        accounts: list(cx, parsed, &["account"], "SQUEUE_ACCOUNT"),
        partitions: list(cx, parsed, &["partition"], "SQUEUE_PARTITION"),
        qos: list(cx, parsed, &["qos"], "SQUEUE_QOS"),
        names: list(cx, parsed, &["name"], "SQUEUE_NAMES"),
        licenses: list(cx, parsed, &["licenses"], "SQUEUE_LICENSES"),
        reservation: parsed.value("reservation").map(str::to_owned),
        ..Filter::default()
    };
    states(cx, parsed, &mut filter)?;
    job_ids(cx, parsed, &mut filter)?;
    let all = parsed.has("all") || cx.env.contains_key("SQUEUE_ALL");
    if !all && filter.partitions.is_empty() && filter.jobs.is_empty() {
        filter.shown_to = Some(cx.uid());
    }
    let mut users = list(cx, parsed, &["user", "users"], "SQUEUE_USERS");
    if parsed.has("me") {
        users = vec![cx.user()];
    }
    if !users.is_empty() {
        let mut uids = Vec::new();
        for name in users {
            let known = cx.kernel.users.by_name(&name).map(|u| u.uid.0).or_else(|| name.parse().ok());
            match known {
                Some(uid) => uids.push(uid),
                None => cx.complain(&format!("squeue: error: Invalid user: {name}\n")),
            }
        }
        filter.users = Some(uids);
    }
    if let Some(text) = value(cx, parsed, &["nodelist", "node", "nodes"], "") {
        let nodes = hostlist::expand(&text).unwrap_or_else(|_| vec![text.clone()]);
        if let Some(bad) = nodes.iter().find(|n| cx.slurm.state().node_by_name(n).is_none()) {
            let line = format!("squeue: error: Invalid node name {bad}");
            cx.complain(&line);
            return Err(1);
        }
        filter.nodes = nodes;
    }
    Ok(filter)
}

fn states(cx: &mut Cx, parsed: &Parsed, filter: &mut Filter) -> Result<(), u8> {
    let mut states = list(cx, parsed, &["states"], "SQUEUE_STATES");
    filter.all_states = states.iter().any(|s| s.eq_ignore_ascii_case("all"));
    states.retain(|s| !s.eq_ignore_ascii_case("all"));
    if let Some(bad) = states.iter().find(|s| !jobtext::is_state(s)) {
        let known = jobtext::STATES.iter().map(|s| s.0).collect::<Vec<_>>().join(",");
        cx.complain(&format!("squeue: error: Invalid job state specified: {bad}"));
        cx.complain(&format!("squeue: error: Valid job states include: {known}\n"));
        return Err(1);
    }
    if parsed.has("start") && states.is_empty() {
        states = vec!["PD".to_owned()];
    }
    filter.states = states;
    Ok(())
}

fn job_ids(cx: &mut Cx, parsed: &Parsed, filter: &mut Filter) -> Result<(), u8> {
    let mut text = parsed.value("job").or_else(|| parsed.value("jobs")).unwrap_or("").to_owned();
    if (parsed.has("job") || parsed.has("jobs")) && text.is_empty() {
        text = parsed.rest.first().cloned().unwrap_or_default();
    }
    for word in jobtext::split_list(&text) {
        let Some(spec) = jobtext::parse_job(word.split('.').next().unwrap_or(word)) else {
            cx.complain(&format!("squeue: error: Invalid job id: {word}"));
            return Err(1);
        };
        filter.jobs.push(spec);
    }
    if let [only] = filter.jobs.as_slice() {
        let known = |j: &crate::slurmctld::job::Job| {
            j.id.0 == only.job || j.array.as_ref().is_some_and(|a| a.job.0 == only.job)
        };
        if !cx.slurm.state().jobs.values().any(known) {
            cx.complain("slurm_load_jobs error: Invalid job id specified");
            return Err(1);
        }
    }
    Ok(())
}

/// What is printed: literal text and columns, each with its header.
enum Column {
    Text(String),
    Field { right: bool, width: usize, field: &'static fields::Field, suffix: String },
}

/// The columns of a format; unknown fields are complained about.
fn columns(cx: &mut Cx, format: &str, long: bool) -> Vec<Column> {
    let mut columns = Vec::new();
    if long {
        for c in long_format(format) {
            match fields::by_name(&c.field) {
                Some(field) => {
                    columns.push(Column::Field { right: c.right, width: c.width, field, suffix: c.suffix });
                }
                None => cx.complain(&format!("squeue: error: Invalid job format specification: {}", c.field)),
            }
        }
        return columns;
    }
    for piece in short_format(format, |l| fields::by_letter(l).is_some()) {
        match piece {
            Piece::Literal(text) => columns.push(Column::Text(text)),
            Piece::Field(c) => {
                if let Some(field) = fields::by_letter(&c.field) {
                    columns.push(Column::Field { right: c.right, width: c.width, field, suffix: c.suffix });
                }
            }
            Piece::Bad(letter, text) => {
                cx.complain(&format!("squeue: error: Invalid job format specification: {letter}"));
                columns.push(Column::Text(text));
            }
        }
    }
    columns
}

fn print_jobs(cx: &mut Cx, parsed: &Parsed, filter: &Filter) -> u8 {
    let default = match (parsed.has("start"), parsed.has("long")) {
        (true, _) => START,
        (false, true) => LONG,
        (false, false) => DEFAULT,
    };
    let given = parsed.options.iter().rev().find(|(n, _)| *n == "format" || *n == "Format");
    let (format, long) = match given {
        Some((name, value)) => (value.clone().unwrap_or_default(), *name == "Format"),
        None => match (cx.env.get("SQUEUE_FORMAT"), cx.env.get("SQUEUE_FORMAT2")) {
            (Some(format), _) if default == DEFAULT => (format.clone(), false),
            (None, Some(format)) if default == DEFAULT => (format.clone(), true),
            _ => (default.to_owned(), false),
        },
    };
    let columns = columns(cx, &format, long);
    let sort = value(cx, parsed, &["sort"], "SQUEUE_SORT")
        .unwrap_or_else(|| if parsed.has("start") { "S".to_owned() } else { DEFAULT_SORT.to_owned() });
    let each_task = parsed.has("array") || cx.env.contains_key("SQUEUE_ARRAY");
    let mut out = Vec::new();
    let view = View::of(cx);
    if !parsed.has("noheader") {
        line(&mut out, &columns, true, |field| field.title.to_owned());
    }
    for row in rows::rows(&view, filter, each_task, &sort) {
        line(&mut out, &columns, false, |field| (field.get)(&view, &row));
    }
    cx.out.append(&mut out);
    0
}

fn line(
    out: &mut Vec<u8>,
    columns: &[Column],
    header: bool,
    text: impl Fn(&'static fields::Field) -> String,
) {
    for column in columns {
        match column {
            Column::Text(literal) => out.extend_from_slice(literal.as_bytes()),
            Column::Field { right, width, field, suffix } => {
                let text = text(field);
                let whole = *width > 0 && field.overflows(header) && text.len() > *width;
                cell(out, &text, if whole { 0 } else { *width }, *right, Overflow::Cut);
                out.extend_from_slice(suffix.as_bytes());
            }
        }
    }
    out.push(b'\n');
}
