//! sprio(1): what the priorities of waiting jobs are made of.

mod fields;

use super::VERSION;
use super::getopt::{self, Arg, Long, Parsed};
use super::jobtext::{self, View};
use super::opt::Bad;
use crate::base::order::Order as _;
use crate::base::table::{Overflow, Piece, cell, short_format};
use crate::commands::Cx;
use crate::config::Priority;
use crate::slurmctld::job::Job;
use fields::{Field, Row};
use std::cmp::Ordering;

const OPTIONS: &[Long] = &[
    ("clusters", Some('M'), Arg::Required),
    ("federation", None, Arg::No),
    ("format", Some('o'), Arg::Required),
    ("help", None, Arg::No),
    ("jobs", Some('j'), Arg::Required),
    ("local", None, Arg::No),
    ("long", Some('l'), Arg::No),
    ("noheader", Some('h'), Arg::No),
    ("norm", Some('n'), Arg::No),
    ("partition", Some('p'), Arg::Required),
    ("sibling", None, Arg::No),
    ("sort", Some('S'), Arg::Required),
    ("usage", None, Arg::No),
    ("user", Some('u'), Arg::Required),
    ("verbose", Some('v'), Arg::No),
    ("version", Some('V'), Arg::No),
    ("weights", Some('w'), Arg::No),
];

const USAGE: &str = "\
Usage: sprio [-j jid[s]] [-u user_name[s]] [-o format] [-p partitions]
   [--federation] [--local] [--sibling] [--usage] [-hlnvVw]
";

/// Runs it.
pub fn run(cx: &mut Cx) -> u8 {
    let parsed = match getopt::parse(OPTIONS, cx.argv, true) {
        Ok(parsed) => parsed,
        Err(text) => {
            cx.complain(Bad::getopt("sprio", text, 1).lines("sprio").trim_end());
            return 1;
        }
    };
    if parsed.has("version") {
        cx.line(VERSION);
        return 0;
    }
    if parsed.has("help") || parsed.has("usage") {
        cx.print(USAGE);
        return 0;
    }
    if let Some(extra) = parsed.rest.first() {
        cx.complain(&format!("sprio: error: Unrecognized option: {extra}"));
        cx.print(USAGE);
        return 1;
    }
    if !cx.slurm.state().cluster.global.priority.multifactor {
        cx.complain(
            "You are not running a supported priority plugin\n(priority/basic).\nOnly 'priority/multifactor' is supported.",
        );
        return 1;
    }
    match wanted(cx, &parsed) {
        Ok(wanted) => {
            let columns = columns(cx, &parsed);
            print(cx, &parsed, &columns, &wanted);
            0
        }
        Err(text) => {
            cx.complain(&text);
            1
        }
    }
}

/// Which rows. Empty lists: all.
struct Wanted {
    jobs: Vec<u32>,
    partitions: Vec<String>,
    /// None: everybody's.
    users: Option<Vec<u32>>,
}

fn wanted(cx: &mut Cx, parsed: &Parsed) -> Result<Wanted, String> {
    let list = |name: &str| {
        let words = parsed.value(name).unwrap_or("").split(',');
        words.filter(|w| !w.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    let mut jobs = Vec::new();
    for word in list("jobs") {
        let spec =
            jobtext::parse_job(&word).ok_or_else(|| format!("sprio: error: Invalid job id: {word}"))?;
        jobs.push(spec.job);
    }
    let mut users = Vec::new();
    for name in list("user") {
        match cx.kernel.users.by_name(&name).map(|u| u.uid.0).or_else(|| name.parse().ok()) {
            Some(uid) => users.push(uid),
            None => cx.complain(&format!("sprio: error: Invalid user: {name}\n")),
        }
    }
    let users = parsed.has("user").then_some(users);
    Ok(Wanted { jobs, partitions: list("partition"), users })
}

fn format(conf: &Priority, parsed: &Parsed) -> String {
    if let Some(format) = parsed.value("format") {
        return format.to_owned();
    }
    let (norm, long) = (parsed.has("norm"), parsed.has("long"));
    let who = match (long, parsed.has("clusters"), parsed.has("user")) {
        (true, _, _) => " %.8u %.8o",
        (_, false, true) => " %.8u",
        (_, true, true) => " %.8c %.8u",
        (_, true, false) => " %.8c",
        (false, false, false) => "",
    };
    let mut format = format!("%.15i %9r{who} {}", if norm { "%10y" } else { "%.10Y" });
    let mut factor = |shown: bool, normal: &str, weighted: &str| {
        if shown && !(if norm { normal } else { weighted }).is_empty() {
            format += " ";
            format += if norm { normal } else { weighted };
        }
    };
    factor(true, "", "%.10S");
    factor(long || conf.weight_age > 0, "%10a", "%.10A");
    factor(long || conf.weight_assoc > 0, "%10b", "%.10B");
    factor(long || conf.weight_fairshare > 0, "%10f", "%.10F");
    factor(long || conf.weight_job_size > 0, "%10j", "%.10J");
    factor(long || conf.weight_partition > 0, "%10p", "%.10P");
    factor(long, "%.10n", "%.10n");
    factor(long || conf.weight_qos > 0, "%10q", "%.10Q");
    factor(long, "", "%.11N");
    factor(long || !conf.weight_tres.is_empty(), "%20t", "%.20T");
    format
}

/// A column, or text as it stands.
enum Column {
    Text(String),
    Field { right: bool, width: usize, field: &'static Field, suffix: String },
}

fn columns(cx: &mut Cx, parsed: &Parsed) -> Vec<Column> {
    let format = format(&cx.slurm.state().cluster.global.priority, parsed);
    let mut columns = Vec::new();
    for piece in short_format(&format, |l| fields::by_letter(l).is_some()) {
        match piece {
            Piece::Literal(text) => columns.push(Column::Text(text)),
            Piece::Field(c) => {
                if let Some(field) = fields::by_letter(&c.field) {
                    columns.push(Column::Field { right: c.right, width: c.width, field, suffix: c.suffix });
                }
            }
            Piece::Bad(letter, _) => {
                cx.complain(&format!("sprio: error: Invalid job format specification: {letter}"));
            }
        }
    }
    columns
}

fn print(cx: &mut Cx, parsed: &Parsed, columns: &[Column], wanted: &Wanted) {
    let mut out = Vec::new();
    let view = View::of(cx);
    let mut line = |text: &dyn Fn(&Field) -> String| {
        for column in columns {
            match column {
                Column::Text(text) => out.extend_from_slice(text.as_bytes()),
                Column::Field { right, width, field, suffix } => {
                    cell(&mut out, &text(field), *width, *right, Overflow::Cut);
                    out.extend_from_slice(suffix.as_bytes());
                }
            }
        }
        out.push(b'\n');
    };
    if !parsed.has("noheader") {
        line(&|field| field.title.to_owned());
    }
    if parsed.has("weights") {
        line(&|field| (field.weight)(&view.state.cluster.global));
    } else {
        let mut rows = rows(&view, wanted);
        sort(&mut rows, parsed.value("sort").unwrap_or(""));
        for row in &rows {
            line(&|field| (field.get)(row));
        }
    }
    cx.out.append(&mut out);
}

/// Jobs that could run, once for each of their partitions.
fn rows<'a>(view: &View<'a>, wanted: &Wanted) -> Vec<Row<'a>> {
    let state = view.state;
    let running = state.cluster.global.priority.flags.calculate_running;
    let running = state.active_jobs().filter(|j| running && !j.state.ended());
    let begun =
        |j: &&Job| j.eligible.is_some() || j.begin.is_some_and(|b| b <= view.now && j.deps.is_empty());
    let jobs = state.pending_jobs().filter(begun).chain(running).filter(|j| {
        j.priority > 0
            && (wanted.jobs.is_empty() || wanted.jobs.contains(&j.id.0))
            && wanted.users.as_ref().is_none_or(|users| users.contains(&j.uid().0))
    });
    let mut rows = Vec::new();
    for job in jobs {
        for part in &job.partitions {
            let row = Row::of(*view, job, *part);
            if wanted.partitions.is_empty() || wanted.partitions.iter().any(|p| p == row.partition) {
                rows.push(row);
            }
        }
    }
    rows
}

/// `-S -Y,i`: letters of fields, each with its direction.
fn sort(rows: &mut [Row], keys: &str) {
    let mut parsed = Vec::new();
    let mut down = false;
    for c in keys.chars() {
        match c {
            '-' => down = true,
            '+' => down = false,
            ',' => {}
            letter => {
                parsed.push((letter, down));
                down = false;
            }
        }
    }
    rows.order_by(|a, b| {
        parsed.iter().fold(Ordering::Equal, |done, (letter, down)| {
            done.then_with(|| {
                let way = fields::compare(*letter, a, b);
                if *down { way.reverse() } else { way }
            })
        })
    });
}
