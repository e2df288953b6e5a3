//! sprio(1): the factors of pending jobs' priorities.

mod fields;

use super::clusters;
use super::format::{self, FormatSegment};
use super::getopt::ParsedArguments;
use super::jobtext::{self, JobView};
use super::tool::{self, ArgumentKind, PLAIN, ToolOption, ToolSpec, flag, needs};
use crate::Cx;
use base::order::StableSort as _;
use config::Priority;
use fields::{FIELDS, SprioField, SprioRow};
use slurmctld::job::Job;
use std::cmp::Ordering;

/// For each field: its letter in `-o`, its names in `-O`, and its heading.
#[must_use]
pub fn field_names() -> Vec<(&'static str, &'static [&'static str], &'static str)> {
    FIELDS.iter().map(|field| (field.letter, field.names, field.title)).collect()
}

const OPTIONS: &[ToolOption] = &[
    needs("clusters", 'M', ArgumentKind::Cluster, "ask these clusters").env("SLURM_CLUSTERS"),
    flag("federation", ' ', "all clusters of the federation").env("SPRIO_FEDERATION"),
    needs("format", 'o', ArgumentKind::Text("format"), "columns by letter: %[.][width]letter")
        .env("SPRIO_FORMAT"),
    flag("help", ' ', "show this text"),
    needs("jobs", 'j', ArgumentKind::Job, "only these jobs").env("SPRIO_JOBS"),
    flag("local", ' ', "only this cluster, not its federation").env("SPRIO_LOCAL"),
    flag("long", 'l', "all factors"),
    flag("noheader", 'h', "no headings"),
    flag("norm", 'n', "factors before they are weighed"),
    needs("partition", 'p', ArgumentKind::Partition, "only these partitions").env("SPRIO_PARTITION"),
    flag("sibling", ' ', "siblings within a federation, too").env("SPRIO_SIBLING"),
    needs(
        "sort",
        'S',
        ArgumentKind::Text("letters"),
        "sort by these fields, `-` before a letter for descending",
    ),
    flag("usage", ' ', "a short summary of the options"),
    needs("user", 'u', ArgumentKind::User, "only jobs of these users").env("SPRIO_USERS"),
    flag("verbose", 'v', "say more"),
    flag("version", 'V', "the version"),
    flag("weights", 'w', "the weights that are set"),
];

/// The command's table.
pub const TOOL: ToolSpec = ToolSpec {
    name: "sprio",
    options: OPTIONS,
    usage: USAGE,
    fields: || FIELDS.iter().map(|f| f.letter).collect(),
    about: "What the priorities of waiting jobs are made of: each factor with its weight. Capital letters of --format show \
        what a factor adds, small ones the factor itself.",
    ..PLAIN
};

const USAGE: &str = "\
Usage: sprio [-j jid[s]] [-u user_name[s]] [-o format] [-p partitions]
   [--federation] [--local] [--sibling] [--usage] [-hlnvVw]
";

/// Runs sprio.
pub fn run(cx: &mut Cx) -> u8 {
    let parsed = match tool::read(cx, &TOOL) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    if let Err(code) = clusters::asked(cx, &parsed, false) {
        return code;
    }
    if let Some(extra) = parsed.rest.first() {
        cx.complain(&format!("sprio: error: Unrecognized option: {extra}"));
        cx.print(USAGE);
        return 1;
    }
    if !cx.cluster.state().cluster.global.priority.multifactor {
        cx.complain(
            "You are not running a supported priority plugin\n(priority/basic).\nOnly 'priority/multifactor' is supported.",
        );
        return 1;
    }
    if parsed.has("verbose") {
        let text = verbose_options(&parsed);
        cx.print(&text);
    }
    match wanted(cx, &parsed) {
        Ok(wanted) => {
            let columns = columns(cx, &parsed);
            print(cx, &parsed, &columns, &wanted)
        }
        Err(text) => {
            cx.complain(&text);
            1
        }
    }
}

/// The output of `-v` about the options.
fn verbose_options(parsed: &ParsedArguments) -> String {
    let or_null = |name: &str| parsed.value(name).unwrap_or("(null)").to_owned();
    let rule = "-----------------------------";
    format!(
        "{rule}\nformat     = {}\njob_flag   = {}\njobs       = {}\npartition  = {}\nusers      = {}\nverbose    = {}\n{rule}\n\n\n",
        or_null("format"),
        u8::from(parsed.has("jobs")),
        or_null("jobs"),
        or_null("partition"),
        or_null("user"),
        parsed.count("verbose"),
    )
}

/// The selected rows. Empty lists: all.
struct SprioSelection {
    jobs: Vec<u32>,
    partitions: Vec<String>,
    /// None selects all users.
    users: Option<Vec<u32>>,
}

fn wanted(cx: &mut Cx, parsed: &ParsedArguments) -> Result<SprioSelection, String> {
    let mut jobs = Vec::new();
    for word in tool::list(parsed, "jobs") {
        let spec =
            jobtext::parse_job(&word).ok_or_else(|| format!("sprio: error: Invalid job id: {word}"))?;
        jobs.push(spec.job);
    }
    let (users, unknown) = tool::users(cx, &tool::list(parsed, "user"));
    for name in unknown {
        cx.complain(&format!("sprio: error: Invalid user: {name}\n"));
    }
    let users = parsed.has("user").then_some(users);
    Ok(SprioSelection { jobs, partitions: tool::list(parsed, "partition"), users })
}

fn format_of(conf: &Priority, parsed: &ParsedArguments) -> String {
    if let Some(format) = parsed.value("format") {
        return format.to_owned();
    }
    let (norm, long) = (parsed.has("norm"), parsed.has("long"));
    let who = match (long, parsed.has("sibling"), parsed.has("user")) {
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
    factor(long, "%10n", "%.10n");
    factor(long || conf.weight_qos > 0, "%10q", "%.10Q");
    factor(long, "", "%.11N");
    factor(long || !conf.weight_tres.is_empty(), "%20t", "%.20T");
    format
}

fn columns(cx: &mut Cx, parsed: &ParsedArguments) -> Vec<FormatSegment> {
    let format = format_of(&cx.cluster.state().cluster.global.priority, parsed);
    let (mut parts, unknown) = format::read(FIELDS, &format, false);
    for letter in &unknown {
        cx.complain(&format!("sprio: error: Invalid job format specification: {letter}"));
    }
    // Unknown fields are omitted.
    parts.retain(|part| !matches!(part, FormatSegment::Text(text) if text.starts_with('%')));
    parts
}

fn print(cx: &mut Cx, parsed: &ParsedArguments, columns: &[FormatSegment], wanted: &SprioSelection) -> u8 {
    let keys = parsed.value("sort").unwrap_or("");
    let known = |c: char| {
        matches!(c, '-' | '+' | ',') || format::by_letter(FIELDS, c.encode_utf8(&mut [0; 4])).is_some()
    };
    let bad = keys.split(',').find(|key| !key.chars().all(known));
    if let Some(bad) = bad {
        cx.complain(&format!("sprio: error: Invalid sort specification: {bad}"));
    }
    let mut out = Vec::new();
    let view = JobView::of(cx);
    let mut line = |text: &dyn Fn(&SprioField) -> String| {
        format::line(&mut out, columns, &|shown| {
            (FIELDS.get(shown.at).map_or_else(String::new, text).into(), shown.width)
        });
    };
    if !parsed.has("noheader") {
        line(&|field| field.title.to_owned());
    }
    if bad.is_some() {
        // The heading precedes the error message.
    } else if parsed.has("weights") {
        line(&|field| (field.get.weight)(&view.state.cluster.global));
    } else {
        let mut rows = rows(&view, wanted);
        sort(&mut rows, parsed.value("sort").unwrap_or(""));
        for row in &rows {
            line(&|field| (field.get.text)(row));
        }
    }
    cx.out.append(&mut out);
    u8::from(bad.is_some())
}

/// Jobs that could run, with one row per partition.
fn rows<'a>(view: &JobView<'a>, wanted: &SprioSelection) -> Vec<SprioRow<'a>> {
    let state = view.state;
    let running = state.cluster.global.priority.flags.calculate_running;
    let running = state.active_jobs().filter(|j| running && !j.state.ended());
    let begun = |j: &&Job| {
        j.eligible_since().is_some() || j.begin.is_some_and(|b| b <= view.now && j.deps.is_empty())
    };
    let jobs = state.pending_jobs().filter(begun).chain(running).filter(|j| {
        j.priority > 0
            && view.sees_job(j)
            && (wanted.jobs.is_empty() || wanted.jobs.contains(&j.id.0))
            && wanted.users.as_ref().is_none_or(|users| users.contains(&j.uid().0))
    });
    let mut rows = Vec::new();
    for job in jobs {
        for part in &job.partitions {
            let row = SprioRow::of(*view, job, *part);
            if wanted.partitions.is_empty() || wanted.partitions.iter().any(|p| p == row.partition) {
                rows.push(row);
            }
        }
    }
    rows
}

/// Parses `-S -Y,i`: letters of fields with their directions.
fn sort(rows: &mut [SprioRow], keys: &str) {
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
