//! scontrol(1): shows and changes slurmctld's state.

mod ask;
mod assoc_mgr;
pub mod config;
mod control;
mod dynamic;
mod keywords;
mod misc;
mod node;
mod partition;
mod power;
mod reconfigure;
mod reservation;
mod resize;
mod show;
mod update;
mod update_node;
mod wait;
mod write;

use super::getopt::ParsedArguments;
use super::tool::{self, ArgumentKind, PLAIN, ToolOption, ToolSpec, flag, may, needs};
use super::{clusters, data, dialog, release};
use crate::{CommandMachine, Cx};
use base::hostlist;
use base::order::StableSort as _;
use keywords::KEYWORDS;
use slurmctld::request::{Request, Requeue};

const OPTIONS: &[ToolOption] = &[
    flag("all", 'a', "hidden partitions, too").env("SCONTROL_ALL"),
    needs("clusters", 'M', ArgumentKind::Cluster, "ask this cluster").env("SLURM_CLUSTERS"),
    flag("details", 'd', "more of jobs and steps"),
    flag("federation", ' ', "jobs of the federation").env("SCONTROL_FEDERATION"),
    flag("future", 'F', "nodes in state FUTURE, too").env("SCONTROL_FUTURE"),
    flag("help", 'h', "show this text"),
    flag("hide", ' ', "leave hidden partitions out, as usual"),
    may("json", ' ', data::PARSERS, "what is shown as JSON"),
    flag("local", ' ', "only this cluster, not its federation").env("SCONTROL_LOCAL"),
    flag("oneliner", 'o', "each record in one line"),
    flag("quiet", 'Q', "say nothing but errors"),
    flag("sibling", ' ', "siblings within a federation, too").env("SCONTROL_SIBLING"),
    needs("uid", 'u', ArgumentKind::User, "change a job as this user"),
    flag("usage", ' ', "a short summary of the options"),
    flag("verbose", 'v', "say more"),
    flag("version", 'V', "the version"),
    may("yaml", ' ', data::PARSERS, "what is shown as YAML"),
];

/// The job keys that `scontrol update` accepts.
#[must_use]
pub fn job_keys() -> Vec<&'static str> {
    update::job_keys()
}

/// The keys that `scontrol update` and `create` accept, by what they describe.
#[must_use]
pub fn entity_keys() -> [(&'static str, Vec<&'static str>); 3] {
    [
        ("partitionname", partition::keys()),
        ("nodename", update_node::KEYS.to_vec()),
        ("reservation", reservation::keys()),
    ]
}

/// The command's table.
pub const TOOL: ToolSpec = ToolSpec {
    name: "scontrol",
    options: OPTIONS,
    synopsis: "[<COMMAND>]",
    keywords: KEYWORDS,
    words: keywords::words,
    help_in_columns: true,
    about: "Shows and changes what the controller knows of jobs, nodes, partitions and reservations. Without words it asks \
        for commands, one a line.",
    ..PLAIN
};

/// The level of detail.
#[derive(Clone, Copy, Debug, Default)]
struct DetailLevel {
    details: bool,
    oneliner: bool,
    /// Includes hidden partitions.
    all: bool,
    /// Includes nodes in state FUTURE.
    future: bool,
}

/// Starts scontrol: runs the command in its arguments, or prompts for commands.
pub fn start(cx: &mut Cx) -> CommandMachine {
    dialog::start(cx, &TOOL)
}

/// What `ping` reports about the controller.
const UP: &str = "Slurmctld(primary) at ctl is UP";

pub use wait::WaitJob;
pub use wait::start as waits;

/// Runs one command.
pub fn run(cx: &mut Cx, parsed: &ParsedArguments) -> u8 {
    if let Err(code) = clusters::asked(cx, parsed, false) {
        return code;
    }
    let style = DetailLevel {
        details: parsed.has("details"),
        oneliner: parsed.has("oneliner"),
        all: parsed.has("all"),
        future: parsed.has("future"),
    };
    let words: Vec<&str> = parsed.rest.iter().map(String::as_str).collect();
    let Some((keyword, args)) = words.split_first() else { return 0 };
    if let Some(asked) = data::asked(parsed) {
        return as_data(cx, asked, keyword, args);
    }
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

fn dispatch(cx: &mut Cx, style: DetailLevel, keyword: &str, args: &[&str]) -> Result<(), String> {
    let Some(known) = tool::keyword(KEYWORDS, keyword) else {
        return Err(format!("invalid keyword: {keyword}"));
    };
    let full = known.name;
    match full {
        "help" => cx.print(&tool::help::help(&TOOL)),
        "version" => cx.line(release::of(cx).version),
        "ping" | "exit" | "quit" if !args.is_empty() => {
            return Err(format!("too many arguments for keyword:{full}"));
        }
        "ping" => cx.line(UP),
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
        "write" => return write::run(cx, args),
        "wait_job" => return wait::run(cx, args),
        "getaddrs" => return misc::addresses(cx, args),
        "getent" => return misc::people(cx, args),
        "pidinfo" => return misc::job_of_process(args),
        "fsdampeningfactor" => return misc::dampening(cx, args),
        "reconfigure" => return reconfigure::run(cx),
        "exit" | "quit" | "all" | "details" | "oneliner" | "quiet" | "verbose" | "hide" => {}
        "create" => return create(cx, args),
        "delete" => return delete(cx, args),
        "reboot" => return power::reboot(cx, args),
        "cancel_reboot" => return power::cancel_reboot(cx, args),
        "power" => return power::power(cx, args),
        "completing" if !args.is_empty() => {
            return Err("too many arguments for keyword:completing".to_owned());
        }
        "completing" => misc::completing(cx),
        "errnumstr" => return misc::error_text(cx, args),
        "listpids" => return misc::processes(cx, args),
        "listjobs" | "liststeps" => return misc::on_node(cx, full, args),
        "notify" => return misc::notify(cx, args),
        "setdebug" | "setdebugflags" | "schedloglevel" => return misc::log_level(cx, full, args),
        "shutdown" | "takeover" => return misc::daemons(cx, full, args),
        "token" => return misc::token(args),
        "cluster" => {
            let own = &cx.cluster.state().cluster.global.cluster_name;
            if let Some(name) = args.first().filter(|name| **name != own) {
                return Err(clusters::unknown("scontrol", name, "--cluster"));
            }
        }
        other => return Err(format!("scontrol: error: {other} is not simulated")),
    }
    Ok(())
}

/// `show` with `--json` or `--yaml`.
fn as_data(cx: &mut Cx, form: data::Form, keyword: &str, args: &[&str]) -> u8 {
    let show = tool::keyword(KEYWORDS, keyword).is_some_and(|k| k.name == "show");
    let (entity, id) = match args {
        [first, ..] if first.contains('=') => first.split_once('=').map_or(("", ""), |p| p),
        [first, id, ..] => (*first, *id),
        [first] => (*first, ""),
        [] => ("", ""),
    };
    let ids: Vec<String> = hostlist::expand(id).unwrap_or_else(|_| vec![id.to_owned()]);
    let named = |name: &str| id.is_empty() || ids.iter().any(|n| n == name);
    let lower = entity.to_ascii_lowercase();
    let is = |full: &str, least: usize| lower.len() >= least && full.starts_with(&lower);
    match () {
        () if !show => {}
        () if is("jobs", 1) || is("jobid", 1) => {
            let spec = super::jobtext::parse_job(id);
            return data::print(cx, form, |view, out| {
                let wanted = |j: &&slurmctld::job::Job| {
                    (id.is_empty() || spec.as_ref().is_some_and(|s| super::squeue::row::names(s, j)))
                        && view.sees_job(j)
                };
                data::jobs::queue(view, out, view.state.jobs.values().filter(wanted));
            });
        }
        () if is("nodes", 1) || lower == "nodename" => {
            return data::print(cx, form, |view, out| {
                data::nodes::nodes(view, out, view.state.nodes.iter().filter(|n| named(&n.conf.name)));
            });
        }
        () if is("partitions", 2) || lower == "partitionname" => {
            return data::print(cx, form, |view, out| {
                data::nodes::partitions(view, out, view.state.partitions.iter().filter(|p| named(&p.name)));
            });
        }
        () if is("reservations", 1) => return data::print(cx, form, data::nodes::reservations),
        () if is("licenses", 2) => return data::print(cx, form, data::nodes::licenses),
        () => {}
    }
    cx.complain(
        "scontrol: error: JSON and YAML output is for show job, node, partition, reservation and licenses",
    );
    1
}

/// `create`: the first word that names an entity determines its kind.
fn create(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    if args.is_empty() {
        return Err("too few arguments for create keyword".to_owned());
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
            return dynamic::create(cx, args);
        }
    }
    Err(format!("scontrol: error: Invalid creation entity: {}", args[0]))
}

/// `delete reservation=NAME`, `delete partitionname=NAME`.
fn delete(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    let Some(first) = args.first() else { return Err("too few arguments for delete keyword".to_owned()) };
    if args.len() == 1 && !first.contains('=') {
        return Err(
            "scontrol: error: Proper format is 'delete <ENTITY>=<ID>' or 'delete <ENTITY> <ID>'".to_owned()
        );
    }
    let (key, value) = first.split_once('=').unwrap_or((first, args.get(1).copied().unwrap_or("")));
    let lower = key.to_ascii_lowercase();
    if lower.len() >= 3 && "reservationname".starts_with(&lower) {
        return reservation::delete(cx, first, value);
    }
    if partition::names(key) {
        return partition::delete(cx, first, value);
    }
    if lower == "nodename" {
        return dynamic::delete(cx, first, value);
    }
    Err(format!("Invalid deletion entity: {first}"))
}

fn show(cx: &mut Cx, mut style: DetailLevel, args: &[&str]) -> Result<(), String> {
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
    if words.len() > 2 && !is("assoc_mgr", 1) {
        return Err("too many arguments for keyword:show".to_owned());
    }
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
            names.order_by_key(|name| by_number(name));
            names.dedup();
            hostlist::compress(&names) + "\n"
        })
    } else if is("hostlist", 5) {
        hosts(cx, id, |names| hostlist::compress(&names) + "\n")
    } else if is("licenses", 2) {
        licenses(cx, style, id)
    } else if is("reservations", 1) || lower == "reservationname" {
        reservation::show(cx, style, id)
    } else if is("assoc_mgr", 1) {
        assoc_mgr::show(cx, words.get(1..).unwrap_or(&[]))
    } else if is("topoconf", 5) {
        misc::topology_file(cx);
        Ok(())
    } else if is("topology", 1) {
        misc::topology(cx, id)
    } else if is("daemons", 1) {
        misc::daemons_here(cx);
        Ok(())
    } else if is("aliases", 1) {
        misc::alias(cx, id)
    } else if is("burstbuffer", 2) || is("bbstat", 2) || is("dwstat", 2) {
        // There are none, so nothing is printed.
        Ok(())
    } else if is("federation", 1) {
        Ok(())
    } else if is("slurmd", 2) {
        misc::slurmd(cx, id)
    } else {
        Err(format!("invalid entity:{entity} for keyword:show"))
    }
}

fn hosts(cx: &mut Cx, id: Option<&str>, print: impl FnOnce(Vec<String>) -> String) -> Result<(), String> {
    let text = id
        .map(str::to_owned)
        .or_else(|| cx.env.get("SLURM_JOB_NODELIST").or_else(|| cx.env.get("SLURM_NODELIST")).cloned());
    let Some(text) = text else {
        cx.complain("scontrol: error: host list is empty");
        return Ok(());
    };
    if text.is_empty() {
        return Ok(());
    }
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

/// The sort key of a host name: hostlists compare the number at its end by value.
fn by_number(name: &str) -> (String, u64, usize) {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = name.get(stem.len()..).unwrap_or_default();
    (stem.to_owned(), digits.parse().unwrap_or(0), digits.len())
}

fn licenses(cx: &mut Cx, style: DetailLevel, id: Option<&str>) -> Result<(), String> {
    let between = if style.oneliner { " " } else { "\n    " };
    let state = cx.cluster.state();
    let mut out = String::new();
    for name in state.cluster.global.licenses.keys() {
        if id.is_some_and(|id| id != name) {
            continue;
        }
        let count = state.license(name, cx.now);
        out += &format!(
            "LicenseName={name}{between}Total={} Used={} Free={} Reserved={} Remote={}\n",
            count.total,
            count.used,
            count.total.saturating_sub(count.used),
            count.reserved,
            if name.contains('@') { "yes" } else { "no" }
        );
    }
    if state.cluster.global.licenses.is_empty() {
        out = "No licenses configured in Slurm.\n".to_owned();
    } else if let Some(id) = id.filter(|_| out.is_empty()) {
        return Err(format!("scontrol: error: query \"{id}\" matched zero licenses."));
    }
    cx.print(&out);
    Ok(())
}

/// Formats a record: one line per group of fields, or a single line.
fn record(style: DetailLevel, lines: &[String]) -> String {
    if style.oneliner { lines.join(" ") + "\n" } else { lines.join("\n   ") + "\n\n" }
}
