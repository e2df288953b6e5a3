//! sacct(1): jobs and steps of the accounting database.

mod fields;
mod select;

use super::getopt::ParsedArguments;
use super::jobtext::JobView;
use super::listing::{Listing, ListingStyle, name_and_width};
use super::tool::{self, ArgumentKind, PLAIN, ToolOption, ToolSpec, flag, may, needs};
use super::{clusters, data, jobtext};
use crate::Cx;
use base::time::Time;
use fields::FIELDS;
pub use fields::sampled;
pub use fields::sluid;
pub use select::SacctLine;
use select::{Between, SacctSelection};
use slurmdbd::JobRecord;

const UNITS: ArgumentKind = ArgumentKind::OneOf(&["K", "M", "G", "T", "P"]);

const OPTIONS: &[ToolOption] = &[
    needs("accounts", 'A', ArgumentKind::Account, "only jobs of these accounts"),
    flag("allocations", 'X', "jobs without their steps"),
    flag("allclusters", 'L', "jobs of all clusters"),
    flag("allusers", 'a', "everybody's jobs"),
    flag("array", ' ', "a line for each task of an array"),
    needs("associations", 'x', ArgumentKind::Text("ids"), "only jobs of these associations"),
    flag("batch-script", 'B', "the script of a job, where the database keeps it"),
    flag("brief", 'b', "number, state and exit code only"),
    needs("cluster", 'M', ArgumentKind::Cluster, "jobs of these clusters"),
    needs("clusters", 'M', ArgumentKind::Cluster, "jobs of these clusters"),
    flag("completion", 'c', "ask the job completion log instead of the database"),
    needs("constraints", 'C', ArgumentKind::Constraint, "only jobs with these constraints"),
    needs("delimiter", ' ', ArgumentKind::Text("text"), "separator of the columns of -p and -P"),
    flag("duplicates", 'D', "all runs of jobs that were requeued"),
    needs("endtime", 'E', ArgumentKind::Text("time"), "jobs in a state before this moment"),
    flag("env-vars", ' ', "the environment of a job, where the database keeps it"),
    flag("expand-patterns", ' ', "names of files with %j and the like filled in"),
    flag("federation", ' ', "jobs of the federation").env("SACCT_FEDERATION"),
    needs("file", 'f', ArgumentKind::File, "the file of the job completion log, with -c"),
    needs("flags", 'F', ArgumentKind::OneOf(FLAGS), "only jobs with these flags"),
    needs("format", 'o', ArgumentKind::Fields, "columns: name[%[-]width],...").env("SACCT_FORMAT"),
    needs("group", 'g', ArgumentKind::Text("groups"), "only jobs of these groups"),
    needs("gid", ' ', ArgumentKind::Text("groups"), "only jobs of these groups"),
    flag("help", 'h', "show this text"),
    flag("helpformat", 'e', "names of fields"),
    needs("jobs", 'j', ArgumentKind::Job, "only these jobs or steps"),
    may("json", ' ', data::PARSERS, "everything as JSON"),
    flag("local", ' ', "only this cluster, not its federation").env("SACCT_LOCAL"),
    flag("long", 'l', "many columns"),
    flag("me", ' ', "only your own jobs"),
    needs("name", ' ', ArgumentKind::Text("names"), "only jobs of these names"),
    needs("ncpus", 'I', ArgumentKind::Text("range"), "only jobs with so many CPUs"),
    needs("nnodes", 'i', ArgumentKind::Text("range"), "only jobs with so many nodes"),
    flag("noconvert", ' ', "leave units as they are"),
    needs("nodelist", 'N', ArgumentKind::Node, "only jobs that ran on these nodes"),
    flag("noheader", 'n', "no headings"),
    flag("parsable", 'p', "columns between delimiters, one at the end"),
    flag("parsable2", 'P', "columns between delimiters"),
    needs("partition", 'r', ArgumentKind::Partition, "only these partitions"),
    needs("qos", 'q', ArgumentKind::Qos, "only these QOS"),
    needs("reason", 'R', ArgumentKind::Text("reasons"), "only jobs that waited for these reasons"),
    needs("starttime", 'S', ArgumentKind::Text("time"), "jobs in a state after this moment"),
    needs("state", 's', ArgumentKind::JobState, "only jobs that were in these states then"),
    needs("timelimit-max", 'K', ArgumentKind::Text("time"), "only jobs with at most this limit, with -k"),
    needs(
        "timelimit-min",
        'k',
        ArgumentKind::Text("time"),
        "only jobs with this limit, or at least this with -K",
    ),
    flag("t", 't', "accepted, without effect"),
    flag("truncate", 'T', "cut times to the window"),
    needs("uid", ' ', ArgumentKind::User, "only jobs of these users"),
    needs("units", ' ', UNITS, "memory in this unit"),
    flag("usage", ' ', "a short summary of the options"),
    flag("use-local-uid", ' ', "look user ids up here instead of in the database"),
    needs("user", 'u', ArgumentKind::User, "only jobs of these users"),
    flag("verbose", 'v', "say which window is asked for"),
    flag("version", 'V', "the version"),
    needs("wckeys", 'W', ArgumentKind::Text("keys"), "only jobs with these workload keys"),
    may("whole-hetjob", ' ', ArgumentKind::OneOf(&["yes", "no"]), "all components of a heterogeneous job"),
    may("yaml", ' ', data::PARSERS, "everything as YAML"),
];

/// How a job was started.
const FLAGS: &[&str] = &["SchedSubmit", "SchedMain", "SchedBackfill", "StartReceived"];

/// The command's table.
pub const TOOL: ToolSpec = ToolSpec {
    name: "sacct",
    options: OPTIONS,
    usage: "Usage: sacct [options]\n\tUse --help for help\n",
    fields: || FIELDS.iter().map(|f| f.name).collect(),
    hint: false,
    about: "Jobs and their steps from the accounting database. Without options your own jobs since midnight. With a \
        state and no window the question is who is in that state now; with job numbers there is no window.",
    ..PLAIN
};

const DEFAULT: &str = "jobid,jobname,partition,account,alloccpus,state,exitcode";
const BRIEF: &str = "jobid,state,exitcode";
const LONG: &str = "jobid,jobidraw,jobname,partition,maxvmsize,maxvmsizenode,maxvmsizetask,avevmsize,maxrss,maxrssnode,\
    maxrsstask,averss,maxpages,maxpagesnode,maxpagestask,avepages,mincpu,mincpunode,mincputask,avecpu,ntasks,alloccpus,\
    elapsed,state,exitcode,avecpufreq,reqcpufreqmin,reqcpufreqmax,reqcpufreqgov,reqmem,consumedenergy,maxdiskread,\
    maxdiskreadnode,maxdiskreadtask,avediskread,maxdiskwrite,maxdiskwritenode,maxdiskwritetask,avediskwrite,reqtres,\
    alloctres,tresusageinave,tresusageinmax,tresusageinmaxnode,tresusageinmaxtask,tresusageinmin,tresusageinminnode,\
    tresusageinmintask,tresusageintot,tresusageoutmax,tresusageoutmaxnode,tresusageoutmaxtask,tresusageoutave,\
    tresusageouttot";

/// Some columns of a job's record, for the page.
pub fn cells(view: &JobView, record: &JobRecord, columns: &[&str]) -> Vec<String> {
    let line = SacctLine { job: record, step: None, task: None, unit: None, window: None };
    let field = |name: &&str| fields::find(name).and_then(|at| FIELDS.get(at));
    columns.iter().filter_map(field).map(|f| (f.get)(view, &line)).collect()
}

/// Runs sacct.
pub fn run(cx: &mut Cx) -> u8 {
    let parsed = match tool::read(cx, &TOOL) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    if parsed.has("helpformat") {
        cx.print(&fields::listing());
        return 0;
    }
    if !parsed.rest.is_empty() {
        cx.complain("sacct: error: Unknown arguments:");
        parsed.rest.iter().for_each(|word| cx.complain(&format!("sacct: error:  {word}")));
        return 1;
    }
    if let Some(file) = parsed.value("file").filter(|file| cx.read_file(file).is_err()) {
        cx.complain(&format!("{file} is not a valid file"));
        return 1;
    }
    if parsed.has("completion") || parsed.has("file") {
        cx.complain("Slurm job completion is disabled");
        return 1;
    }
    match show(cx, &parsed) {
        Ok(code) => code,
        Err(text) => {
            cx.complain(&text);
            1
        }
    }
}

fn show(cx: &mut Cx, parsed: &ParsedArguments) -> Result<u8, String> {
    let listing = listing(parsed)?;
    let wanted = wanted(cx, parsed)?;
    if parsed.has("verbose") {
        cx.complain(&format!("sacct: {}", wanted.window_text()));
    }
    if let Some(asked) = data::asked(parsed) {
        return Ok(data::print(cx, asked, |view, out| {
            data::history::jobs(view, out, &select::lines(view, &wanted))
        }));
    }
    if parsed.has("batch-script") || parsed.has("env-vars") {
        return Ok(stored_texts(cx, parsed, &wanted));
    }
    let mut out = Vec::new();
    let view = JobView::of(cx);
    listing.head(&mut out);
    for entry in &select::lines(&view, &wanted) {
        listing.row(&mut out, &|at| FIELDS.get(at).map_or_else(String::new, |f| (f.get)(&view, entry)));
    }
    cx.out.append(&mut out);
    Ok(0)
}

/// `--batch-script` and `--env-vars`: stored by `AccountingStoreFlags`, available while slurmctld knows the job.
fn stored_texts(cx: &mut Cx, parsed: &ParsedArguments, wanted: &SacctSelection) -> u8 {
    if wanted.jobs.is_empty() {
        cx.complain("sacct: error: --batch-script and --env-vars require -j");
        return 1;
    }
    let view = JobView::of(cx);
    let flags = &view.state.cluster.global.accounting_store_flags;
    let keeps = |flag: &str| flags.iter().any(|f| f.eq_ignore_ascii_case(flag));
    let mut out = String::new();
    for line in select::lines(&view, wanted).iter().filter(|l| l.step.is_none()) {
        let job = view.state.job(line.job.job);
        let (title, text) = if parsed.has("batch-script") {
            let script = job.and_then(|j| j.desc.script.as_ref()).filter(|_| keeps("job_script"));
            ("Batch Script for", script.map(|s| String::from_utf8_lossy(s).into_owned()))
        } else {
            let env = job.filter(|_| keeps("job_env")).map(|j| {
                j.desc.env.iter().map(|(name, value)| format!("{name}={value}\n")).collect::<String>()
            });
            ("Environment used for", env)
        };
        let note = if parsed.has("batch-script") { "" } else { " (must be batch to display)" };
        let text = text.unwrap_or_else(|| "NONE".to_owned());
        out += &format!("{title} {}{note}\n{}\n{text}\n", fields::id(line), "-".repeat(80));
    }
    cx.print(&out);
    0
}

/// `jobid,jobname%20,state%-10`: repeated `--format` options add up.
fn listing(parsed: &ParsedArguments) -> Result<Listing, String> {
    let typed = || {
        parsed.options.iter().skip(parsed.implied).filter(|o| o.0 == "format").filter_map(|o| o.1.as_deref())
    };
    let format = match (parsed.has("brief"), parsed.has("long")) {
        _ if parsed.typed("format") => typed().collect::<Vec<_>>().join(","),
        (true, _) => BRIEF.to_owned(),
        (false, true) => LONG.to_owned(),
        (false, false) => parsed.value("format").unwrap_or(DEFAULT).to_owned(),
    };
    let mut listing = Listing::new(ListingStyle::of(parsed));
    for word in format.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        let (name, width) = name_and_width(word);
        let found: Vec<usize> = if name.eq_ignore_ascii_case("all") {
            (0..FIELDS.len()).collect()
        } else {
            fields::find(name).into_iter().collect()
        };
        if found.is_empty() {
            return Err(format!("sacct: error: Invalid field requested: \"{name}\""));
        }
        for at in found {
            if let Some(field) = FIELDS.get(at) {
                listing.add(at, field.name, width.unwrap_or(field.width));
                // A given width applies to the field everywhere in the list.
                if let Some(width) = width {
                    listing.widen(at, width);
                }
            }
        }
    }
    Ok(listing)
}

fn wanted(cx: &Cx, parsed: &ParsedArguments) -> Result<SacctSelection, String> {
    let moment = |name: &str| -> Result<Option<Time>, String> {
        let Some(text) = parsed.value(name) else { return Ok(None) };
        let bad = |pos: i64| format!("Invalid time specification (pos={pos}): {text}");
        super::opt::values::moment(text, cx.now, true).map(Some).map_err(bad)
    };
    let (start, end) = (moment("starttime")?, moment("endtime")?);
    let mut states = tool::list(parsed, "state");
    states.retain(|s| !s.eq_ignore_ascii_case("all"));
    if let Some(bad) = states.iter().find(|s| !jobtext::is_state(s)) {
        return Err(format!("sacct: fatal: unrecognized job state value '{bad}'"));
    }
    let mut jobs = Vec::new();
    // `-j 12 -j 13` names both.
    let ids = parsed.options.iter().filter(|(name, _)| *name == "jobs").filter_map(|(_, ids)| ids.as_deref());
    let ids = ids.collect::<Vec<_>>().join(",");
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
    // With states and no start, the window is the current moment. With job IDs it is unbounded.
    let from = match start {
        Some(start) => start,
        None if !jobs.is_empty() => Time::default(),
        None if !states.is_empty() => end.unwrap_or(cx.now),
        None => midnight,
    };
    // With states and a start, but no end, the window is the start (sacct(1), "Default time window").
    let moment = !states.is_empty() && start.is_some() && jobs.is_empty();
    let until = end.unwrap_or(if moment { from } else { cx.now });
    if from > until {
        return Err(format!("sacct: error: Start time ({from}) requested is after end time ({until})."));
    }
    let users = match parsed.last_of(&["allusers", "user", "uid"]) {
        Some(("allusers", _)) => None,
        Some((_, names)) => Some(user_list(cx, names)?),
        None if cx.uid().0 == 0 && !parsed.has("me") => None,
        None if !jobs.is_empty() => None,
        None => Some(vec![cx.uid().0]),
    };
    let flag = |word: &&String| !FLAGS.iter().any(|f| f.eq_ignore_ascii_case(word));
    if let Some(bad) = tool::list(parsed, "flags").iter().find(flag) {
        return Err(format!("sacct: error: str_2_job_flags: Invalid job flag {bad}"));
    }
    if let Some(bad) = parsed.value("whole-hetjob").filter(|w| !matches!(*w, "" | "yes" | "no")) {
        return Err(format!("sacct: error: Invalid --whole-hetjob value \"{bad}\". Valid values: [yes|no]."));
    }
    let known: Vec<&str> = cx.cluster.state().dbd.qos.iter().map(|q| q.name.as_str()).collect();
    if let Some(bad) =
        tool::list(parsed, "qos").iter().find(|q| !known.contains(&q.as_str()) && q.parse::<u32>().is_err())
    {
        return Err(format!(
            "sacct: error: You gave a bad qos '{bad}'. Valid QOS's are {}\nsacct: fatal: problem processing qos list",
            known.join(",")
        ));
    }
    if let Some(unit) = parsed.value("units").filter(|u| u.len() != 1 || !"KMGTP".contains(*u)) {
        return Err(format!(
            "sacct: error: Invalid unit type '{unit}'. Possible options are 'KMGTP'\nsacct: fatal: Invalid unit type"
        ));
    }
    let group = parsed.last_of(&["group", "gid"]).map(|(_, names)| user_list(cx, names)).transpose()?;
    let limits = (minutes(parsed, "timelimit-min")?, minutes(parsed, "timelimit-max")?);
    Ok(SacctSelection {
        from,
        until,
        // `-s` without an end selects jobs that are in that state now.
        any_time: !jobs.is_empty() && end.is_none(),
        window_is_now: !states.is_empty() && end.is_none() && jobs.is_empty(),
        states,
        jobs,
        users,
        elsewhere: !clusters::names_own(cx, parsed),
        asker: cx.uid(),
        accounts: tool::list(parsed, "accounts"),
        associations: tool::list(parsed, "associations"),
        constraints: tool::list(parsed, "constraints"),
        flags: tool::list(parsed, "flags"),
        groups: group,
        partitions: tool::list(parsed, "partition"),
        names: tool::list(parsed, "name"),
        qos: tool::list(parsed, "qos"),
        reasons: tool::list(parsed, "reason"),
        wckeys: tool::list(parsed, "wckeys"),
        cpus: range(parsed, "ncpus")?,
        node_count: range(parsed, "nnodes")?,
        limits: match limits {
            (None, _) => None,
            (Some(low), None) => Some(Between { low, high: low }),
            (Some(low), Some(high)) => Some(Between { low, high }),
        },
        nodes: parsed
            .value("nodelist")
            .map(|t| base::hostlist::expand(t).unwrap_or_default())
            .unwrap_or_default(),
        steps: !parsed.has("allocations"),
        duplicates: parsed.has("duplicates"),
        truncate: parsed.has("truncate"),
        each_task: parsed.has("array"),
        unit: parsed.value("units").and_then(|u| u.chars().next()).filter(|u| "KMGTP".contains(*u)),
    })
}

/// `4` or `2-8`.
fn range(parsed: &ParsedArguments, name: &str) -> Result<Option<Between>, String> {
    let Some(text) = parsed.value(name) else { return Ok(None) };
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    match (low.parse(), high.parse()) {
        (Ok(low), Ok(high)) if low <= high => Ok(Some(Between { low, high })),
        _ => Err(format!("sacct: error: Invalid range specification --{name}={text}")),
    }
}

/// A time limit in minutes.
fn minutes(parsed: &ParsedArguments, name: &str) -> Result<Option<u32>, String> {
    let Some(text) = parsed.value(name) else { return Ok(None) };
    match super::opt::values::time_limit(text) {
        Some(base::time::Limit::Minutes(minutes)) => Ok(Some(minutes)),
        Some(base::time::Limit::Unlimited) => Ok(Some(u32::MAX)),
        None => Err(format!("sacct: error: Invalid time limit specification: {text}")),
    }
}

fn user_list(cx: &Cx, list: &str) -> Result<Vec<u32>, String> {
    let (known, unknown) = tool::users(cx, &tool::names(list));
    match unknown.first() {
        Some(name) => Err(format!("sacct: error: Invalid user id: {name}")),
        None => Ok(known),
    }
}
