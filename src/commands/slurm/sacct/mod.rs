//! sacct(1): the accounting database's jobs and steps.

mod fields;
mod select;

use super::getopt::{self, Arg, Long, Parsed};
use super::jobtext::View;
use super::{VERSION, jobtext};
use crate::base::table::{Overflow, cell};
use crate::base::time::Time;
use crate::commands::Cx;
use fields::Field;
use select::Wanted;

const OPTIONS: &[Long] = &[
    ("accounts", Some('A'), Arg::Required),
    ("allocations", Some('X'), Arg::No),
    ("allclusters", Some('L'), Arg::No),
    ("allusers", Some('a'), Arg::No),
    ("array", None, Arg::No),
    ("associations", Some('x'), Arg::Required),
    ("batch-script", Some('B'), Arg::No),
    ("brief", Some('b'), Arg::No),
    ("cluster", Some('M'), Arg::Required),
    ("completion", Some('c'), Arg::No),
    ("constraints", Some('C'), Arg::Required),
    ("delimiter", None, Arg::Required),
    ("duplicates", Some('D'), Arg::No),
    ("endtime", Some('E'), Arg::Required),
    ("env-vars", None, Arg::No),
    ("expand-patterns", None, Arg::No),
    ("federation", None, Arg::No),
    ("flags", Some('F'), Arg::Required),
    ("format", Some('o'), Arg::Required),
    ("group", Some('g'), Arg::Required),
    ("help", Some('h'), Arg::No),
    ("helpformat", Some('e'), Arg::No),
    ("jobs", Some('j'), Arg::Required),
    ("json", None, Arg::Optional),
    ("local", None, Arg::No),
    ("long", Some('l'), Arg::No),
    ("me", None, Arg::No),
    ("name", None, Arg::Required),
    ("ncpus", Some('I'), Arg::Required),
    ("nnodes", Some('i'), Arg::Required),
    ("noconvert", None, Arg::No),
    ("nodelist", Some('N'), Arg::Required),
    ("noheader", Some('n'), Arg::No),
    ("parsable", Some('p'), Arg::No),
    ("parsable2", Some('P'), Arg::No),
    ("partition", Some('r'), Arg::Required),
    ("qos", Some('q'), Arg::Required),
    ("reason", Some('R'), Arg::Required),
    ("starttime", Some('S'), Arg::Required),
    ("state", Some('s'), Arg::Required),
    ("timelimit-max", Some('K'), Arg::Required),
    ("timelimit-min", Some('k'), Arg::Required),
    ("truncate", Some('T'), Arg::No),
    ("t", Some('t'), Arg::No),
    ("uid", None, Arg::Required),
    ("units", None, Arg::Required),
    ("usage", None, Arg::No),
    ("user", Some('u'), Arg::Required),
    ("verbose", Some('v'), Arg::No),
    ("version", Some('V'), Arg::No),
    ("wckeys", Some('W'), Arg::Required),
    ("whole-hetjob", None, Arg::Optional),
    ("yaml", None, Arg::Optional),
];

const DEFAULT: &str = "jobid,jobname,partition,account,alloccpus,state,exitcode";
const BRIEF: &str = "jobid,state,exitcode";
const LONG: &str = "jobid,jobidraw,jobname,partition,maxvmsize,maxvmsizenode,maxvmsizetask,avevmsize,maxrss,maxrssnode,\
    maxrsstask,averss,maxpages,maxpagesnode,maxpagestask,avepages,mincpu,mincpunode,mincputask,avecpu,ntasks,alloccpus,\
    elapsed,state,exitcode,avecpufreq,reqcpufreqmin,reqcpufreqmax,reqcpufreqgov,reqmem,consumedenergy,maxdiskread,\
    maxdiskreadnode,maxdiskreadtask,avediskread,maxdiskwrite,maxdiskwritenode,maxdiskwritetask,avediskwrite,reqtres,\
    alloctres,tresusageinave,tresusageinmax,tresusageinmaxnode,tresusageinmaxtask,tresusageinmin,tresusageinminnode,\
    tresusageinmintask,tresusageintot,tresusageoutmax,tresusageoutmaxnode,tresusageoutmaxtask,tresusageoutave,\
    tresusageouttot";

/// One column as asked for.
struct Column {
    field: &'static Field,
    width: usize,
    right: bool,
}

/// Runs it.
pub fn run(cx: &mut Cx) -> u8 {
    let parsed = match getopt::parse(OPTIONS, cx.argv, true) {
        Ok(parsed) => parsed,
        Err(text) => {
            cx.complain(&format!("sacct: {text}"));
            return 1;
        }
    };
    if parsed.has("version") {
        cx.line(VERSION);
        return 0;
    }
    if parsed.has("usage") {
        cx.print("Usage: sacct [options]\n\tUse --help for help\n");
        return 0;
    }
    if parsed.has("help") {
        let mut text = String::from("sacct [<OPTION>]\n    Valid <OPTION> values are:\n");
        for (name, short, arg) in OPTIONS {
            let letter = short.map_or_else(String::new, |c| format!("-{c}, "));
            let value = if *arg == Arg::No { "" } else { "=..." };
            text += &format!("     {letter:>4}--{name}{value}\n");
        }
        cx.print(&text);
        return 0;
    }
    if parsed.has("helpformat") {
        cx.print(&fields::listing());
        return 0;
    }
    if parsed.has("json") || parsed.has("yaml") {
        cx.complain("sacct: error: JSON and YAML output is not simulated");
        return 1;
    }
    if parsed.has("completion") {
        cx.complain("Slurm job completion is disabled");
        return 1;
    }
    match prepare(cx, &parsed) {
        Ok((columns, wanted)) => {
            if parsed.has("verbose") {
                cx.complain(&format!("sacct: {}", wanted.window_text()));
            }
            print(cx, &parsed, &columns, &wanted)
        }
        Err(text) => {
            cx.complain(&text);
            1
        }
    }
}

fn prepare(cx: &Cx, parsed: &Parsed) -> Result<(Vec<Column>, Wanted), String> {
    let default = match (parsed.has("brief"), parsed.has("long")) {
        (true, _) => BRIEF.to_owned(),
        (false, true) => LONG.to_owned(),
        (false, false) => cx.env.get("SACCT_FORMAT").cloned().unwrap_or_else(|| DEFAULT.to_owned()),
    };
    let formats: Vec<&str> =
        parsed.options.iter().filter(|o| o.0 == "format").filter_map(|o| o.1.as_deref()).collect();
    let format = if formats.is_empty() { default } else { formats.join(",") };
    Ok((columns(&format)?, wanted(cx, parsed)?))
}

/// `jobid,jobname%20,state%-10`.
fn columns(format: &str) -> Result<Vec<Column>, String> {
    let mut columns = Vec::new();
    for word in format.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        let (name, width) = word.split_once('%').map_or((word, None), |(n, w)| (n, Some(w)));
        let all = name.eq_ignore_ascii_case("all");
        let found: Vec<&Field> =
            if all { fields::FIELDS.iter().collect() } else { fields::find(name).into_iter().collect() };
        if found.is_empty() {
            return Err(format!("sacct: error: Invalid field requested: \"{name}\""));
        }
        for field in found {
            let width = width.and_then(|w| w.parse::<i32>().ok()).unwrap_or(field.width);
            let size = usize::try_from(width.unsigned_abs()).unwrap_or(10).min(crate::base::table::MAX_WIDTH);
            columns.push(Column { field, width: size.max(1), right: width >= 0 });
        }
    }
    Ok(columns)
}

fn list(parsed: &Parsed, name: &str) -> Vec<String> {
    let text = parsed.value(name).unwrap_or("");
    text.split(',').filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

fn wanted(cx: &Cx, parsed: &Parsed) -> Result<Wanted, String> {
    let moment = |name: &str| -> Result<Option<Time>, String> {
        let Some(text) = parsed.value(name) else { return Ok(None) };
        let bad = |pos: usize| format!("Invalid time specification (pos={pos}): {text}");
        super::opt::values::moment(text, cx.now, true).map(Some).map_err(bad)
    };
    let (start, end) = (moment("starttime")?, moment("endtime")?);
    let mut states = list(parsed, "state");
    states.retain(|s| !s.eq_ignore_ascii_case("all"));
    if let Some(bad) = states.iter().find(|s| !jobtext::is_state(s)) {
        return Err(format!("sacct: fatal: unrecognized job state value '{bad}'"));
    }
    let mut jobs = Vec::new();
    let ids = parsed.value("jobs").unwrap_or("").to_owned();
    for word in jobtext::split_list(&ids) {
        let (id, step) = word.split_once('.').map_or((word, None), |(i, s)| (i, Some(s.to_owned())));
        let bad = |why: &str| format!("sacct: fatal: Bad job/step specified: {word}{why}");
        if id.contains('[') {
            return Err(bad(": JobID includes unexpected non-numeric characters"));
        }
        let spec = jobtext::parse_job(id).ok_or_else(|| bad(""))?;
        jobs.push((spec, step));
    }
    let midnight = Time::from_secs(cx.now.secs() - cx.now.secs().rem_euclid(86_400));
    // With states and no start, the window is this very moment; with jobs it is all of time.
    let from = match start {
        Some(start) => start,
        None if !jobs.is_empty() => Time::default(),
        None if !states.is_empty() => end.unwrap_or(cx.now),
        None => midnight,
    };
    let until = end.unwrap_or(cx.now);
    if from > until {
        return Err(format!("sacct: error: Start time ({from}) requested is after end time ({until})."));
    }
    let users = match (parsed.has("allusers"), parsed.value("user").or_else(|| parsed.value("uid"))) {
        (true, None) => None,
        (_, Some(names)) => Some(user_list(cx, names)?),
        (false, None) if cx.uid().0 == 0 && !parsed.has("me") => None,
        (false, None) if !jobs.is_empty() => None,
        (false, None) => Some(vec![cx.uid().0]),
    };
    Ok(Wanted {
        from,
        until,
        // `-s` without an end asks who is in that state now.
        window_is_now: !states.is_empty() && end.is_none() && jobs.is_empty(),
        states,
        jobs,
        users,
        accounts: list(parsed, "accounts"),
        partitions: list(parsed, "partition"),
        names: list(parsed, "name"),
        qos: list(parsed, "qos"),
        nodes: parsed
            .value("nodelist")
            .map(|t| crate::base::hostlist::expand(t).unwrap_or_default())
            .unwrap_or_default(),
        steps: !parsed.has("allocations"),
        duplicates: parsed.has("duplicates"),
        unit: parsed.value("units").and_then(|u| u.chars().next()).filter(|u| "KMGTP".contains(*u)),
    })
}

fn user_list(cx: &Cx, names: &str) -> Result<Vec<u32>, String> {
    let one = |name: &str| {
        let known = cx.kernel.users.by_name(name).map(|u| u.uid.0).or_else(|| name.parse().ok());
        known.ok_or_else(|| format!("sacct: error: Invalid user id: {name}"))
    };
    names.split(',').filter(|n| !n.is_empty()).map(one).collect()
}

fn print(cx: &mut Cx, parsed: &Parsed, columns: &[Column], wanted: &Wanted) -> u8 {
    let delimiter = parsed.value("delimiter").unwrap_or("|").to_owned();
    let ends = parsed.has("parsable") && !parsed.has("parsable2");
    let parsable = ends || parsed.has("parsable2");
    let mut out = Vec::new();
    let view = View::of(cx);
    let mut line = |text: &dyn Fn(&Field) -> String, separator: bool, overflow: Overflow| {
        for (i, column) in columns.iter().enumerate() {
            if parsable {
                if i > 0 {
                    out.extend_from_slice(delimiter.as_bytes());
                }
                out.extend_from_slice(text(column.field).as_bytes());
            } else {
                let text = if separator { "-".repeat(column.width) } else { text(column.field) };
                cell(&mut out, &text, column.width, column.right, overflow);
                out.push(b' ');
            }
        }
        if ends {
            out.extend_from_slice(delimiter.as_bytes());
        }
        out.push(b'\n');
    };
    if !parsed.has("noheader") {
        // Headings are cut without a mark.
        line(&|field| field.name.to_owned(), false, Overflow::Cut);
        if !parsable {
            line(&|_| String::new(), true, Overflow::Cut);
        }
    }
    for entry in &select::lines(&view, wanted) {
        line(&|field| (field.get)(&view, entry), false, Overflow::Mark);
    }
    cx.out.append(&mut out);
    0
}
