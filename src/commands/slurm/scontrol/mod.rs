//! scontrol(1): shows and changes what slurmctld knows.

mod assoc_mgr;
mod config;
mod control;
mod node;
mod partition;
mod power;
mod reconfigure;
mod reservation;
mod show;
mod update;

use super::VERSION;
use super::getopt::{self, Arg, Long};
use super::opt::Bad;
use crate::base::hostlist;
use crate::base::order::Order as _;
use crate::commands::Cx;
use crate::slurmctld::request::{Request, Requeue};

const OPTIONS: &[Long] = &[
    ("all", Some('a'), Arg::No),
    ("clusters", Some('M'), Arg::Required),
    ("details", Some('d'), Arg::No),
    ("federation", None, Arg::No),
    ("future", Some('F'), Arg::No),
    ("help", Some('h'), Arg::No),
    ("hide", None, Arg::No),
    ("json", None, Arg::Optional),
    ("local", None, Arg::No),
    ("oneliner", Some('o'), Arg::No),
    ("quiet", Some('Q'), Arg::No),
    ("sibling", None, Arg::No),
    ("uid", Some('u'), Arg::Required),
    ("verbose", Some('v'), Arg::No),
    ("version", Some('V'), Arg::No),
    ("yaml", None, Arg::Optional),
];

/// How much is shown.
#[derive(Clone, Copy, Debug, Default)]
struct Style {
    details: bool,
    oneliner: bool,
    /// Also partitions that are not shown by themselves.
    all: bool,
}

/// Runs it.
pub fn run(cx: &mut Cx) -> u8 {
    let parsed = match getopt::parse(OPTIONS, cx.argv, true) {
        Ok(parsed) => parsed,
        Err(text) => {
            cx.complain(Bad::getopt("scontrol", text, 1).lines("scontrol").trim_end());
            return 1;
        }
    };
    if parsed.has("version") {
        cx.line(VERSION);
        return 0;
    }
    if parsed.has("help") {
        cx.print(HELP);
        return 0;
    }
    if parsed.has("json") || parsed.has("yaml") {
        cx.complain("scontrol: error: JSON and YAML output is not simulated");
        return 1;
    }
    let style =
        Style { details: parsed.has("details"), oneliner: parsed.has("oneliner"), all: parsed.has("all") };
    let words: Vec<&str> = parsed.rest.iter().map(String::as_str).collect();
    let Some((keyword, args)) = words.split_first() else {
        cx.complain("scontrol: error: the interactive mode is not simulated; give a command");
        return 1;
    };
    match dispatch(cx, style, keyword, args) {
        Ok(()) => 0,
        Err(text) => {
            if !text.is_empty() {
                cx.complain(&text);
            }
            1
        }
    }
}

const HELP: &str = "\
scontrol [<OPTION>] [<COMMAND>]
    Simulated <COMMAND> values are:
     help, hold <job_list>, uhold <job_list>, release <job_list>, ping, reconfigure,
     requeue <job_list>, requeuehold <job_list>, suspend <job_list>, resume <job_list>,
     show <ENTITY> [<ID>], update <SPECIFICATIONS>, version, write batch_script <job_id> [<file>|-]
    <ENTITY> may be config, hostlist, hostlistsorted, hostnames, job, licenses, node,
     partition, reservation, step, topology.
    <SPECIFICATIONS> are pairs like JobId=12 TimeLimit=30 or NodeName=cn01 State=DRAIN Reason=\"...\".
";

/// Keywords, by their least abbreviation.
const KEYWORDS: &[(&str, usize)] = &[
    ("abort", 5),
    ("all", 3),
    ("cancel_reboot", 3),
    ("cluster", 2),
    ("completing", 3),
    ("create", 1),
    ("delete", 1),
    ("details", 3),
    ("errnumstr", 2),
    ("exit", 1),
    ("fsdampeningfactor", 3),
    ("help", 2),
    ("hide", 2),
    ("hold", 3),
    ("holdu", 5),
    ("listjobs", 5),
    ("listpids", 5),
    ("liststeps", 5),
    ("notify", 1),
    ("oneliner", 1),
    ("pidinfo", 3),
    ("ping", 3),
    ("power", 2),
    ("quiet", 4),
    ("quit", 4),
    ("reboot", 3),
    ("reconfigure", 3),
    ("release", 3),
    ("requeue", 3),
    ("requeuehold", 8),
    ("resume", 3),
    ("schedloglevel", 3),
    ("setdebug", 4),
    ("setdebugflags", 9),
    ("show", 2),
    ("shutdown", 8),
    ("suspend", 2),
    ("takeover", 8),
    ("token", 1),
    ("top", 3),
    ("uhold", 5),
    ("update", 2),
    ("verbose", 4),
    ("version", 4),
    ("wait_job", 2),
    ("write", 2),
];

fn dispatch(cx: &mut Cx, style: Style, keyword: &str, args: &[&str]) -> Result<(), String> {
    let lower = keyword.to_ascii_lowercase();
    let known = KEYWORDS
        .iter()
        .find(|(full, _)| *full == lower)
        .or_else(|| KEYWORDS.iter().find(|(full, least)| lower.len() >= *least && full.starts_with(&lower)));
    let Some((full, _)) = known else { return Err(format!("invalid keyword: {keyword}")) };
    match *full {
        "help" => cx.print(HELP),
        "version" => cx.line(VERSION),
        "ping" => cx.line("Slurmctld(primary) at ctl is UP"),
        "show" => return show(cx, style, args),
        "update" => return update::run(cx, args),
        "hold" => return control::hold(cx, args, false),
        "uhold" | "holdu" => return control::hold(cx, args, true),
        "release" => return control::release(cx, args),
        "requeue" => return control::requeue(cx, full, args, Requeue::Plain),
        "requeuehold" => return control::requeue(cx, full, args, Requeue::Held),
        "top" => return control::each(cx, full, args, Request::Top),
        "suspend" => return control::each(cx, full, args, Request::Suspend),
        "resume" => return control::each(cx, full, args, Request::Resume),
        "write" => return control::write_script(cx, args),
        "reconfigure" => return reconfigure::run(cx),
        "exit" | "quit" | "all" | "details" | "oneliner" | "quiet" | "verbose" | "hide" => {}
        "create" => return create(cx, args),
        "delete" => return delete(cx, args),
        "reboot" => return power::reboot(cx, args),
        "cancel_reboot" => return power::cancel_reboot(cx, args),
        "power" => return power::power(cx, args),
        _ => return Err(format!("scontrol: error: {full} is not simulated")),
    }
    Ok(())
}

/// `create`: the first word that names an entity tells which.
fn create(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    if args.is_empty() {
        return Err("too few arguments for keyword:create".to_owned());
    }
    for (i, arg) in args.iter().enumerate() {
        let (key, value) = arg.split_once('=').unwrap_or((arg, ""));
        let lower = key.to_ascii_lowercase();
        if lower.len() >= 3 && "reservationname".starts_with(&lower) {
            let mut rest = args.to_vec();
            if value.is_empty() {
                rest.remove(i);
            }
            return reservation::create(cx, &rest);
        }
        if partition::names(key) {
            return partition::create(cx, args);
        }
        if lower == "nodename" {
            return Err("scontrol: error: dynamic nodes are not simulated; add the node to slurm.conf and reconfigure".to_owned());
        }
    }
    Err(format!("Invalid creation entity: {}", args[0]))
}

/// `delete reservation=NAME`, `delete partitionname=NAME`.
fn delete(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    let Some(first) = args.first() else { return Err("too few arguments for keyword:delete".to_owned()) };
    let (key, value) = first.split_once('=').unwrap_or((first, args.get(1).copied().unwrap_or("")));
    let lower = key.to_ascii_lowercase();
    if lower.len() >= 3 && "reservationname".starts_with(&lower) {
        return reservation::delete(cx, first, value);
    }
    if partition::names(key) {
        return partition::delete(cx, first, value);
    }
    Err(format!("Invalid deletion entity: {first}"))
}

fn show(cx: &mut Cx, mut style: Style, args: &[&str]) -> Result<(), String> {
    let mut words: Vec<&str> = Vec::new();
    for arg in args {
        match *arg {
            "-d" | "-dd" | "-ddd" => style.details = true,
            "-o" => style.oneliner = true,
            other => words.push(other),
        }
    }
    let Some(first) = words.first().copied() else {
        return Err("too few arguments for keyword:show".to_owned());
    };
    let (entity, id) = match first.split_once('=') {
        Some((entity, id)) => (entity, Some(id)),
        None => (first, words.get(1).copied()),
    };
    let lower = entity.to_ascii_lowercase();
    let is = |full: &str, least: usize| lower.len() >= least && full.starts_with(&lower);
    if is("jobs", 1) || is("jobid", 1) {
        show::jobs(cx, style, id)
    } else if is("nodes", 1) {
        node::nodes(cx, style, id)
    } else if is("partitions", 2) || lower == "partitionname" {
        node::partitions(cx, style, id)
    } else if is("steps", 2) {
        show::steps(cx, style, id)
    } else if is("config", 2) {
        config::print(cx);
        Ok(())
    } else if is("hostnames", 5) {
        hosts(cx, id, |names| names.iter().map(|n| format!("{n}\n")).collect())
    } else if lower == "hostlistsorted" {
        hosts(cx, id, |mut names| {
            names.order();
            names.dedup();
            hostlist::compress(&names) + "\n"
        })
    } else if is("hostlist", 5) {
        hosts(cx, id, |names| hostlist::compress(&names) + "\n")
    } else if is("licenses", 2) {
        licenses(cx, id);
        Ok(())
    } else if is("reservations", 1) || lower == "reservationname" {
        reservation::show(cx, style, id)
    } else if is("assoc_mgr", 1) {
        assoc_mgr::show(cx, words.get(1..).unwrap_or(&[]))
    } else if is("topology", 1) {
        Ok(())
    } else if is("daemons", 1) {
        cx.line("(null)");
        Ok(())
    } else {
        Err(format!("invalid entity:{entity} for keyword:show"))
    }
}

fn hosts(cx: &mut Cx, id: Option<&str>, print: impl FnOnce(Vec<String>) -> String) -> Result<(), String> {
    let text = id
        .map(str::to_owned)
        .or_else(|| cx.env.get("SLURM_JOB_NODELIST").or_else(|| cx.env.get("SLURM_NODELIST")).cloned());
    let Some(text) = text.filter(|t| !t.is_empty()) else {
        cx.complain("scontrol: error: host list is empty");
        return Ok(());
    };
    match hostlist::expand(text.trim_end_matches(',')) {
        Ok(names) => {
            let text = print(names);
            cx.print(&text);
        }
        Err(why) => {
            let range = text.split_once('[').and_then(|(_, r)| r.split([']', ',']).next());
            let line = range.map_or(why, |r| format!("_parse_single_range: Invalid range: `{r}'"));
            cx.complain(&format!("scontrol: error: {line}\nInvalid hostlist: {text}"));
        }
    }
    Ok(())
}

fn licenses(cx: &mut Cx, id: Option<&str>) {
    let state = cx.slurm.state();
    let mut out = String::new();
    for name in state.cluster.global.licenses.keys() {
        if id.is_some_and(|id| id != name) {
            continue;
        }
        let count = state.license(name, cx.now);
        out += &format!(
            "LicenseName={name}\n    Total={} Used={} Free={} Reserved={} Remote=no\n",
            count.total,
            count.used,
            count.free(),
            count.reserved
        );
    }
    if out.is_empty() {
        out = "No licenses configured in Slurm.\n".to_owned();
    }
    cx.print(&out);
}

/// Lines of a record: one below the other, or all in one line.
fn record(style: Style, lines: &[String]) -> String {
    if style.oneliner { lines.join(" ") + "\n" } else { lines.join("\n   ") + "\n\n" }
}
