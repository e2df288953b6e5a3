//! sinfo(1): partitions and nodes.

mod fields;
pub mod groups;
mod verbose;

use super::format::{self, FormatSegment};
use super::getopt::ParsedArguments;
use super::jobtext::JobView;
use super::tool::{self, ArgumentKind, PLAIN, ToolOption, ToolSpec, flag, may, needs};
use super::{clusters, data, nodetext, private, watch};
use crate::{CommandMachine, Cx};
use base::pad;
use base::time::hms;
use fields::{FIELDS, SinfoField};
use groups::States;
use slurmctld::reservation::Reservation;

/// For each field: its letter in `-o`, its names in `-O`, and its heading.
#[must_use]
pub fn field_names() -> Vec<(&'static str, &'static [&'static str], &'static str)> {
    FIELDS.iter().map(|field| (field.letter, field.names, field.title)).collect()
}

const OPTIONS: &[ToolOption] = &[
    flag("all", 'a', "hidden partitions and those of other groups, too").env("SINFO_ALL"),
    needs("clusters", 'M', ArgumentKind::Cluster, "ask these clusters").env("SLURM_CLUSTERS"),
    flag("dead", 'd', "only nodes that do not answer"),
    flag("exact", 'e', "one line only for nodes that are the same in every size"),
    flag("federation", ' ', "all clusters of the federation").env("SINFO_FEDERATION"),
    needs("Format", 'O', ArgumentKind::Fields, "columns by name: name[:[.]width[suffix]],...")
        .env("SINFO_FORMAT2"),
    needs("format", 'o', ArgumentKind::Text("format"), "columns by letter: %[.][width]letter")
        .env("SINFO_FORMAT"),
    flag("future", 'F', "nodes in state FUTURE, too").env("SINFO_FUTURE"),
    flag("help", ' ', "show this text"),
    flag("helpFormat", ' ', "names of fields for --Format"),
    flag("helpformat", ' ', "letters of fields for --format"),
    flag("helpstate", ' ', "names of states for --states"),
    flag("hide", ' ', "leave hidden partitions out, as usual"),
    needs("iterate", 'i', ArgumentKind::Text("seconds"), "show again and again"),
    may("json", ' ', data::PARSERS, "everything as JSON"),
    flag("list-reasons", 'R', "why nodes are down, drained or failing"),
    flag("local", ' ', "only this cluster, not its federation").env("SINFO_LOCAL"),
    flag("long", 'l', "more columns"),
    flag("Node", 'N', "a line for each node"),
    flag("noconvert", ' ', "leave units as they are"),
    needs("nodes", 'n', ArgumentKind::Node, "only these nodes"),
    flag("noheader", 'h', "no headings"),
    needs("partition", 'p', ArgumentKind::Partition, "only these partitions").env("SINFO_PARTITION"),
    flag("reservation", 'T', "reservations instead of nodes"),
    flag("responding", 'r', "only nodes that answer"),
    needs(
        "sort",
        'S',
        ArgumentKind::Text("letters"),
        "sort by these fields, `-` before a letter for descending",
    )
    .env("SINFO_SORT"),
    needs("states", 't', ArgumentKind::NodeState, "only nodes in these states"),
    flag("summarize", 's', "one line for each partition"),
    flag("usage", ' ', "a short summary of the options"),
    flag("verbose", 'v', "say more"),
    flag("version", 'V', "the version"),
    may("yaml", ' ', data::PARSERS, "everything as YAML"),
];

/// The command's table.
pub const TOOL: ToolSpec = ToolSpec {
    name: "sinfo",
    options: OPTIONS,
    usage: "Usage: sinfo [-abdelNRrsTv] [-i seconds] [-t states] [-p partition] [-n nodes]\n             [-S fields] [-o format] [-O Format] \
        [--federation] [--local]\n",
    fields: || format::names(FIELDS),
    about: "Partitions with their limits, and their nodes by state. Nodes that are alike in everything that is printed \
        share a line.",
    ..PLAIN
};

/// Starts sinfo.
pub fn start(cx: &mut Cx) -> CommandMachine {
    watch::start(cx, &TOOL, show)
}

/// Prints partitions and nodes once.
pub fn show(cx: &mut Cx, parsed: &ParsedArguments) -> u8 {
    if let Some(text) = help_list(parsed) {
        cx.print(&text);
        return 0;
    }
    if let Err(code) = clusters::asked(cx, parsed, true) {
        return code;
    }
    if parsed.has("reservation") && !parsed.has("json") && !parsed.has("yaml") {
        reservations(cx, parsed.has("noheader"));
        return 0;
    }
    for (kind, what) in
        [(private::PrivateKind::Partitions, "partitions"), (private::PrivateKind::Nodes, "node")]
    {
        if !JobView::of(cx).sees(kind) {
            cx.complain(&format!("slurm_load_{what}: Access/permission denied"));
            return 1;
        }
    }
    let states = match states(cx, parsed) {
        Ok(states) => states,
        Err(code) => return code,
    };
    if let Some(asked) = data::asked(parsed) {
        let uid = cx.uid();
        return data::print(cx, asked, |view, out| {
            let all: Vec<usize> = (0..FIELDS.len()).filter(|i| fields::groups_json(&FIELDS[*i])).collect();
            data::nodes::sinfo(view, out, &groups::groups(view, uid, parsed, states.as_ref(), &all))
        });
    }
    let (format, long) = format_of(parsed);
    let (parts, mut unknown) = format::read(FIELDS, &format, long);
    // `-O all` is not a field name; it selects all fields.
    let all =
        parsed.last_of(&["format", "Format"]).filter(|(name, text)| *name == "Format" && *text == "all");
    unknown.extend(all.map(|(_, text)| text.to_owned()));
    let long = long || all.is_some();
    for field in unknown {
        let tool = if long {
            "sinfo: error: Invalid job format specification"
        } else {
            "Invalid node format specification"
        };
        cx.complain(&format!("{tool}: {field}"));
    }
    let mut out = Vec::new();
    let view = JobView::of(cx);
    let asked: Vec<usize> = format::fields(&parts).collect();
    let groups = groups::groups(&view, cx.uid(), parsed, states.as_ref(), &asked);
    let widths = Widths::of(&view, &groups);
    if parsed.has("verbose") {
        out.extend_from_slice(verbose::text(parsed, &parts, widths).as_bytes());
    }
    if let Some(date) = watch::date(cx.now, parsed) {
        out.extend_from_slice(date.as_bytes());
    }
    if !parsed.has("noheader") {
        line(&mut out, &parts, widths, &|field| field.title.to_owned());
    }
    for group in &groups {
        line(&mut out, &parts, widths, &|field| (field.get.text)(&view, group));
    }
    cx.out.append(&mut out);
    0
}

/// The output of `--helpformat`, `--helpFormat` and `--helpstate`.
fn help_list(parsed: &ParsedArguments) -> Option<String> {
    let list: Vec<String> = match parsed.last_of(&["helpformat", "helpFormat", "helpstate"])?.0 {
        "helpformat" => format::letters(FIELDS),
        "helpFormat" => format::names(FIELDS).into_iter().map(str::to_owned).collect(),
        _ => nodetext::STATES.iter().map(|s| (*s).to_owned()).collect(),
    };
    Some(tool::help::columns(&list))
}

/// `-T`: reservations.
fn reservations(cx: &mut Cx, bare: bool) {
    let view = JobView::of(cx);
    let all: Vec<&Reservation> =
        view.state.reservations.iter().filter(|r| view.sees_reservation(r)).collect();
    if all.is_empty() {
        return cx.line("No reservations in the system");
    }
    let wide = all.iter().map(|r| r.name.len()).max().unwrap_or(0).max(9);
    let row = |name: &str, state: &str, start: &str, end: &str, length: &str, nodes: &str| {
        let name = pad::left(name, wide);
        format!("{name}  {state:>8}  {start:>19}  {end:>19}  {length:>11}  {nodes}\n")
    };
    let mut out = String::new();
    if !bare {
        out += &row("RESV_NAME", "STATE", "START_TIME", "END_TIME", "DURATION", "NODELIST");
    }
    for r in all {
        let (start, end) = r.window(view.now);
        let state = if r.active(view.now) { "ACTIVE" } else { "INACTIVE" };
        let length = hms(end.secs() - start.secs());
        let hosts = Some(view.hosts(&r.nodes)).filter(|h| !h.is_empty());
        let (start, end) = (view.moment(start), view.moment(end));
        out += &row(&r.name, state, &start, &end, &length, hosts.as_deref().unwrap_or("(null)"));
    }
    cx.print(&out);
}

/// `-t`: each entry is a list of states that a node must be in, or not be in, at once; `None`: all nodes.
fn states(cx: &mut Cx, parsed: &ParsedArguments) -> Result<Option<States>, u8> {
    let Some(text) = parsed.value("states") else { return Ok(None) };
    let mut any = Vec::new();
    for word in text.split(',').filter(|w| !w.is_empty()) {
        if word.eq_ignore_ascii_case("all") {
            return Ok(None);
        }
        let mut and = Vec::new();
        for part in word.split('&') {
            let name = part.strip_prefix(['!', '~']);
            let Some(state) = nodetext::parse_state(name.unwrap_or(part)) else {
                let text = format!("sinfo: error: Bad state string: \"{part}\"");
                cx.complain(&text);
                cx.complain(&format!("sinfo: error: valid states: {}", nodetext::STATES.join(",")));
                return Err(1);
            };
            and.push((state, name.is_none()));
        }
        any.push(and);
    }
    Ok(Some(any))
}

/// The format, and whether it is a long one. Environment variables do not override formats from options.
fn format_of(parsed: &ParsedArguments) -> (String, bool) {
    let long = parsed.has("long");
    let reasons = parsed.has("list-reasons") && !parsed.has("Node");
    let default = match (reasons, parsed.has("summarize"), parsed.has("Node"), long) {
        (true, _, _, true) => Some("%20E %12U %19H %6t %N"),
        (true, _, _, false) => Some("%20E %9u %19H %N"),
        (_, true, _, _) => Some("%#P %.5a %.10l %.16F %N"),
        (_, _, true, true) => Some("%#N %.6D %.9P %.11T %4c %.8z %.6m %.8d %.6w %.8f %20E"),
        (_, _, true, false) => Some("%#N %.6D %.9P %6t"),
        (_, _, _, true) => Some("%#P %.5a %.10l %.10s %.4r %.8h %.10g %.6D %.11T %.11i %N"),
        _ => None,
    };
    let typed = parsed.typed("format") || parsed.typed("Format");
    match (default.filter(|_| !typed), parsed.last_of(&["format", "Format"])) {
        (Some(format), _) => (grown(format), false),
        (None, Some((_, text))) if text.eq_ignore_ascii_case("all") => ("%all".to_owned(), false),
        (None, Some((name, text))) => (text.to_owned(), name == "Format"),
        (None, None) => (grown("%#P %.5a %.10l %.6D %.6t %N"), false),
    }
}

/// A width that marks a column growing with its names.
const GROWS: usize = 4095;

fn grown(format: &str) -> String {
    format.replace("%#", "%4095")
}

/// Widths of growing columns.
#[derive(Clone, Copy)]
struct Widths {
    partition: usize,
    node: usize,
}

impl Widths {
    /// The longest name of a printed partition.
    fn of(view: &JobView, groups: &[groups::Group]) -> Self {
        let partition = groups.iter().map(|g| g.part.name.len() + usize::from(g.part.is_default)).max();
        let node = view.state.nodes.iter().map(|n| n.conf.name.len()).max();
        Self { partition: partition.unwrap_or(0).max(9), node: node.unwrap_or(0).max(9) }
    }
}

fn line(
    out: &mut Vec<u8>,
    parts: &[FormatSegment],
    widths: Widths,
    text: &dyn Fn(&'static SinfoField) -> String,
) {
    format::line(out, parts, &|shown| {
        let Some(field) = FIELDS.get(shown.at) else { return (String::new().into(), 0) };
        let width = match (shown.width, field.title) {
            (GROWS, "PARTITION") => widths.partition,
            (GROWS, _) => widths.node,
            (width, _) => width,
        };
        let mut text = text(field);
        if field.letter == "P" && width > 0 && text.len() > width && text.ends_with('*') {
            // A truncated name keeps the mark of the default partition.
            text = text.chars().take(width - 1).chain(std::iter::once('*')).collect();
        }
        (text.into(), width)
    });
}
