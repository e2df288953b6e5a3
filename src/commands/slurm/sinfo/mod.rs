//! sinfo(1): partitions and nodes.

mod fields;

use super::VERSION;
use super::getopt::{self, Arg, Long, Parsed};
use super::jobtext::View;
use super::nodetext;
use super::opt::Bad;
use crate::base::hostlist;
use crate::base::ids::Uid;
use crate::base::order::Order as _;
use crate::base::table::{Overflow, Piece, cell, long_format, short_format};
use crate::base::time::Time;
use crate::base::time::hms;
use crate::commands::Cx;
use crate::config::PartConf;
use crate::slurmctld::node::{Node, NodeBase};
use crate::slurmctld::reservation::Reservation;
use fields::{Field, Key};
use std::cmp::Ordering;

const OPTIONS: &[Long] = &[
    ("all", Some('a'), Arg::No),
    ("clusters", Some('M'), Arg::Required),
    ("dead", Some('d'), Arg::No),
    ("exact", Some('e'), Arg::No),
    ("federation", None, Arg::No),
    ("Format", Some('O'), Arg::Required),
    ("format", Some('o'), Arg::Required),
    ("future", Some('F'), Arg::No),
    ("help", None, Arg::No),
    ("hide", None, Arg::No),
    ("iterate", Some('i'), Arg::Required),
    ("json", None, Arg::Optional),
    ("list-reasons", Some('R'), Arg::No),
    ("local", None, Arg::No),
    ("long", Some('l'), Arg::No),
    ("Node", Some('N'), Arg::No),
    ("noconvert", None, Arg::No),
    ("nodes", Some('n'), Arg::Required),
    ("noheader", Some('h'), Arg::No),
    ("partition", Some('p'), Arg::Required),
    ("reservation", Some('T'), Arg::No),
    ("responding", Some('r'), Arg::No),
    ("sort", Some('S'), Arg::Required),
    ("states", Some('t'), Arg::Required),
    ("summarize", Some('s'), Arg::No),
    ("usage", None, Arg::No),
    ("verbose", Some('v'), Arg::No),
    ("version", Some('V'), Arg::No),
    ("yaml", None, Arg::Optional),
];

/// Nodes that are printed in one line.
pub struct Group<'a> {
    /// The partition through which they came.
    pub part: &'a PartConf,
    /// Its place in the configuration.
    pub place: usize,
    /// The nodes; none for a partition of which no node fits.
    pub nodes: Vec<&'a Node>,
}

/// Runs it.
pub fn run(cx: &mut Cx) -> u8 {
    let parsed = match getopt::parse(OPTIONS, cx.argv, true) {
        Ok(parsed) => parsed,
        Err(text) => {
            cx.complain(Bad::getopt("sinfo", text, 1).lines("sinfo").trim_end());
            return 1;
        }
    };
    if parsed.has("help") || parsed.has("usage") {
        let mut text = String::from("Usage: sinfo [OPTIONS]\n");
        for (name, short, arg) in OPTIONS {
            let letter = short.map_or_else(String::new, |c| format!("-{c}, "));
            let value = if *arg == Arg::No { "" } else { "=..." };
            text += &format!("  {letter:>4}--{name}{value}\n");
        }
        cx.print(&text);
        return 0;
    }
    if parsed.has("version") {
        cx.line(VERSION);
        return 0;
    }
    if parsed.has("json") || parsed.has("yaml") {
        cx.complain("sinfo: error: JSON and YAML output is not simulated");
        return 1;
    }
    if parsed.has("reservation") {
        reservations(cx, parsed.has("noheader"));
        return 0;
    }
    let states = match states(cx, &parsed) {
        Ok(states) => states,
        Err(code) => return code,
    };
    let (format, long) = format(cx, &parsed);
    let columns = columns(cx, &format, long);
    if parsed.has("long") {
        let date = cx.now.strftime("%a %b %e %H:%M:%S %Y");
        cx.line(&date);
    }
    let mut out = Vec::new();
    let view = View::of(cx);
    let groups = groups(&view, cx.uid(), &parsed, &states, &columns);
    let widths = Widths::of(&view);
    if !parsed.has("noheader") {
        line(&mut out, &columns, widths, |field| field.title.to_owned());
    }
    for group in &groups {
        line(&mut out, &columns, widths, |field| (field.get)(&view, group));
    }
    cx.out.append(&mut out);
    0
}

/// `-T`: reservations.
fn reservations(cx: &mut Cx, bare: bool) {
    let view = View::of(cx);
    let all: Vec<&Reservation> = view.state.reservations.iter().collect();
    if all.is_empty() {
        return cx.line("No reservations in the system");
    }
    let wide = all.iter().map(|r| r.name.len()).max().unwrap_or(0).max(9);
    let row = |name: &str, state: &str, start: &str, end: &str, length: &str, nodes: &str| {
        format!("{name:<wide$}  {state:>8}  {start:>19}  {end:>19}  {length:>11}  {nodes}\n")
    };
    let mut out = String::new();
    if !bare {
        out += &row("RESV_NAME", "STATE", "START_TIME", "END_TIME", "DURATION", "NODELIST");
    }
    for r in all {
        let (start, end) = r.window(view.now);
        let state = if r.active(view.now) { "ACTIVE" } else { "INACTIVE" };
        let length = hms(end.secs() - start.secs());
        out += &row(&r.name, state, &start.iso(), &end.iso(), &length, &view.hosts(&r.nodes));
    }
    cx.print(&out);
}

fn states(cx: &mut Cx, parsed: &Parsed) -> Result<Vec<Vec<&'static str>>, u8> {
    let text = parsed.value("states").unwrap_or("").to_owned();
    let mut all = Vec::new();
    for word in text.split(',').filter(|w| !w.is_empty() && !w.eq_ignore_ascii_case("all")) {
        let mut and = Vec::new();
        for part in word.split('&') {
            let Some(state) = nodetext::parse_state(part) else {
                cx.complain(&format!("sinfo: error: Bad state string: \"{part}\""));
                cx.complain(&format!("sinfo: error: valid states: {}", nodetext::STATES.join(",")));
                return Err(1);
            };
            and.push(state);
        }
        all.push(and);
    }
    Ok(all)
}

/// The format, and whether it is a long one.
fn format(cx: &Cx, parsed: &Parsed) -> (String, bool) {
    let given = parsed.options.iter().rev().find(|(n, _)| *n == "format" || *n == "Format");
    if let Some((name, value)) = given {
        return (value.clone().unwrap_or_default(), *name == "Format");
    }
    let long = parsed.has("long");
    let default = match (parsed.has("list-reasons"), parsed.has("summarize"), parsed.has("Node"), long) {
        (true, _, _, true) => "%20E %12U %19H %6t %N",
        (true, _, _, false) => "%20E %9u %19H %N",
        (_, true, _, _) => "%#P %.5a %.10l %.16F %N",
        (_, _, true, true) => "%#N %.6D %.9P %.11T %4c %.8z %.6m %.8d %.6w %.8f %20E",
        (_, _, true, false) => "%#N %.6D %.9P %6t",
        (_, _, _, true) => "%#P %.5a %.10l %.10s %.4r %.8h %.10g %.6D %.11T %.11i %N",
        _ => match (cx.env.get("SINFO_FORMAT"), cx.env.get("SINFO_FORMAT2")) {
            (Some(format), _) => return (format.clone(), false),
            (None, Some(format)) => return (format.clone(), true),
            (None, None) => "%#P %.5a %.10l %.6D %.6t %N",
        },
    };
    (default.to_owned(), false)
}

/// A column, or text as it stands.
enum Column {
    Text(String),
    /// `grow`: as wide as the longest name of its kind.
    Field {
        right: bool,
        width: usize,
        grow: bool,
        field: &'static Field,
        suffix: String,
    },
}

fn columns(cx: &mut Cx, format: &str, long: bool) -> Vec<Column> {
    let mut columns = Vec::new();
    if long {
        for c in long_format(format) {
            match fields::by_name(&c.field) {
                Some(field) => {
                    columns.push(Column::Field {
                        right: c.right,
                        width: c.width,
                        grow: false,
                        field,
                        suffix: c.suffix,
                    });
                }
                None => cx.complain(&format!("sinfo: error: Invalid job format specification: {}", c.field)),
            }
        }
        return columns;
    }
    // `#` stands for a width that grows with the names.
    for piece in short_format(&format.replace("%#", "%4095"), |l| fields::by_letter(l).is_some()) {
        match piece {
            Piece::Literal(text) => columns.push(Column::Text(text)),
            Piece::Field(c) => {
                if let Some(field) = fields::by_letter(&c.field) {
                    let grow = c.width == 4095;
                    columns.push(Column::Field {
                        right: c.right,
                        width: c.width,
                        grow,
                        field,
                        suffix: c.suffix,
                    });
                }
            }
            Piece::Bad(letter, text) => {
                cx.complain(&format!("Invalid node format specification: {letter}"));
                columns.push(Column::Text(text));
            }
        }
    }
    columns
}

/// Widths of columns that grow.
#[derive(Clone, Copy)]
struct Widths {
    partition: usize,
    node: usize,
}

impl Widths {
    fn of(view: &View) -> Self {
        let partition = view.state.partitions.iter().map(|p| p.name.len() + usize::from(p.is_default)).max();
        let node = view.state.nodes.iter().map(|n| n.conf.name.len()).max();
        Self { partition: partition.unwrap_or(0).max(9), node: node.unwrap_or(0).max(9) }
    }
}

fn line(out: &mut Vec<u8>, columns: &[Column], widths: Widths, text: impl Fn(&'static Field) -> String) {
    for column in columns {
        match column {
            Column::Text(literal) => out.extend_from_slice(literal.as_bytes()),
            Column::Field { right, width, grow, field, suffix } => {
                let width = match (grow, field.title) {
                    (false, _) => *width,
                    (true, "PARTITION") => widths.partition,
                    (true, _) => widths.node,
                };
                cell(out, &text(field), width, *right, Overflow::Cut);
                out.extend_from_slice(suffix.as_bytes());
            }
        }
    }
    out.push(b'\n');
}

fn groups<'a>(
    view: &View<'a>,
    uid: Uid,
    parsed: &Parsed,
    states: &[Vec<&str>],
    columns: &[Column],
) -> Vec<Group<'a>> {
    let fields: Vec<&Field> = columns
        .iter()
        .filter_map(|c| match c {
            Column::Field { field, .. } => Some(*field),
            Column::Text(_) => None,
        })
        .collect();
    let wanted = parsed.value("nodes").map(|t| hostlist::expand(t).unwrap_or_else(|_| vec![t.to_owned()]));
    let partitions: Option<Vec<&str>> = parsed.value("partition").map(|p| p.split(',').collect());
    let fits = |node: &Node| {
        let future = node.base != NodeBase::Future || parsed.has("future") || !states.is_empty();
        let reasons = !parsed.has("list-reasons") || node.reason.is_some();
        let dead = !parsed.has("dead") || !node.responding;
        let responding = !parsed.has("responding") || node.responding;
        let in_states = states.is_empty()
            || states.iter().any(|and| and.iter().all(|s| nodetext::in_state(view.state, node, s)));
        let named = wanted.as_ref().is_none_or(|list| list.contains(&node.conf.name));
        future && reasons && dead && responding && in_states && named
    };
    let each_node = parsed.has("Node");
    let mut keyed: Vec<(Vec<String>, Group)> = Vec::new();
    for (place, part) in view.state.partitions.iter().enumerate() {
        let listed =
            partitions.as_ref().map_or(parsed.has("all") || view.state.partition_shown(part, uid), |l| {
                l.contains(&part.name.as_str())
            });
        if !listed {
            continue;
        }
        let nodes: Vec<&Node> =
            part.nodes.iter().filter_map(|n| view.state.nodes.get(n as usize)).filter(|n| fits(n)).collect();
        if nodes.is_empty() && !each_node && !parsed.has("list-reasons") {
            keyed.push((vec![format!("empty {place}")], Group { part, place, nodes }));
            continue;
        }
        for node in nodes {
            let alone = Group { part, place, nodes: vec![node] };
            let mut key: Vec<String> = fields
                .iter()
                .filter(|f| f.key == Key::Same || (f.key == Key::Size && parsed.has("exact")))
                .map(|f| (f.get)(view, &alone))
                .collect();
            if each_node {
                // A line for each node in each of its partitions.
                key.extend([node.conf.name.clone(), part.name.clone()]);
            }
            match keyed.iter_mut().find(|(k, _)| *k == key) {
                Some((_, group)) if group.nodes.iter().any(|n| n.id == node.id) => {}
                Some((_, group)) => group.nodes.push(node),
                None => keyed.push((key, alone)),
            }
        }
    }
    let mut groups: Vec<Group> = keyed.into_iter().map(|(_, group)| group).collect();
    for group in &mut groups {
        group.nodes.order_by_key(|n| n.id);
    }
    let default = match (parsed.has("list-reasons"), each_node) {
        (true, _) => "-H,#P,-t",
        (false, true) => "#N,#P",
        (false, false) => "#P,-t",
    };
    sort(view, &mut groups, parsed.value("sort").unwrap_or(default));
    groups
}

fn first<'a>(group: &Group<'a>) -> Option<&'a Node> {
    group.nodes.first().copied()
}

/// slurmctld keeps whole seconds.
fn reason_second(group: &Group) -> Option<i64> {
    first(group).and_then(nodetext::reason_time).map(Time::secs)
}

fn sort(view: &View, groups: &mut [Group], keys: &str) {
    let state = |g: &Group| first(g).map_or(0, |n| nodetext::shown(view.state, n).number);
    groups.order_by(|a, b| {
        keys.split(',').fold(Ordering::Equal, |order, key| {
            let (down, key) = key.strip_prefix('-').map_or((false, key), |k| (true, k));
            let next = match key {
                "#P" | "#R" => a.place.cmp(&b.place),
                "P" | "R" => a.part.name.cmp(&b.part.name),
                "t" | "T" => state(a).cmp(&state(b)),
                "#N" => first(a).map(|n| n.id).cmp(&first(b).map(|n| n.id)),
                "N" | "n" => first(a).map(|n| &n.conf.name).cmp(&first(b).map(|n| &n.conf.name)),
                "D" => a.nodes.len().cmp(&b.nodes.len()),
                "H" => reason_second(a).cmp(&reason_second(b)),
                "c" => first(a).map(|n| n.conf.cpus).cmp(&first(b).map(|n| n.conf.cpus)),
                "m" => first(a).map(|n| n.conf.real_memory).cmp(&first(b).map(|n| n.conf.real_memory)),
                "l" => a.part.max_time.cmp(&b.part.max_time),
                _ => Ordering::Equal,
            };
            order.then(if down { next.reverse() } else { next })
        })
    });
}
