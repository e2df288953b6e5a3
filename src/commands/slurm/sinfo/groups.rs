//! Which nodes sinfo puts into one line, and the order of lines.

use super::fields::{FIELDS, Field, Key, of_partition};
use crate::base::hostlist;
use crate::base::ids::Uid;
use crate::base::order::Order as _;
use crate::base::time::Time;
use crate::commands::slurm::format::by_letter;
use crate::commands::slurm::getopt::Parsed;
use crate::commands::slurm::jobtext::View;
use crate::commands::slurm::{nodetext, tool};
use crate::config::PartConf;
use crate::slurmctld::node::{Node, NodeBase};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Nodes that are printed in one line.
pub struct Group<'a> {
    /// The partition through which they came.
    pub part: &'a PartConf,
    /// Its place in the configuration.
    pub place: usize,
    /// The nodes; none for a partition of which no node fits.
    pub nodes: Vec<&'a Node>,
}

impl<'a> Group<'a> {
    /// The first node.
    #[must_use]
    pub fn first(&self) -> Option<&'a Node> {
        self.nodes.first().copied()
    }
}

/// Which nodes are shown.
struct Wish<'s> {
    future: bool,
    reasons: bool,
    dead: bool,
    responding: bool,
    states: &'s [Vec<&'static str>],
    names: Option<BTreeSet<String>>,
}

impl Wish<'_> {
    fn fits(&self, view: &View, node: &Node) -> bool {
        !nodetext::hidden(view.state, node)
            && (node.base != NodeBase::Future || self.future || !self.states.is_empty())
            && (!self.reasons || node.reason.is_some())
            && (!self.dead || !node.responding)
            && (!self.responding || node.responding)
            && self.names.as_ref().is_none_or(|names| names.contains(&node.conf.name))
            && (self.states.is_empty()
                || self.states.iter().any(|and| and.iter().all(|s| nodetext::in_state(view.state, node, s))))
    }
}

/// The lines: nodes of the partitions asked for, alike in the fields (by their places in the table) that are printed.
pub fn groups<'a>(
    view: &View<'a>,
    uid: Uid,
    parsed: &Parsed,
    states: &[Vec<&'static str>],
    fields: &[usize],
) -> Vec<Group<'a>> {
    let names = parsed
        .value("nodes")
        .map(|t| hostlist::expand(t).unwrap_or_else(|_| vec![t.to_owned()]).into_iter().collect());
    let wish = Wish {
        future: parsed.has("future"),
        reasons: parsed.has("list-reasons"),
        dead: parsed.has("dead"),
        responding: parsed.has("responding"),
        states,
        names,
    };
    let exact = parsed.has("exact");
    let common = |f: &&Field| f.get.key == Key::Same || (f.get.key == Key::Size && exact);
    let common: Vec<&Field> = fields.iter().filter_map(|at| FIELDS.get(*at)).filter(common).collect();
    // Only what shows partitions has a line for one without nodes.
    let by_partition = common.iter().any(|f| of_partition(f));
    let each_node = parsed.has("Node");
    let asked = parsed.value("partition").map(tool::names);
    let mut found: Vec<Group> = Vec::new();
    let mut places: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for (place, part) in view.state.partitions.iter().enumerate() {
        if !listed(view, uid, parsed, asked.as_deref(), part) {
            continue;
        }
        let nodes = part.nodes.iter().filter_map(|n| view.state.nodes.get(n as usize));
        let mut nodes = nodes.filter(|n| wish.fits(view, n)).peekable();
        if nodes.peek().is_none() && !each_node && !wish.reasons && by_partition {
            found.push(Group { part, place, nodes: Vec::new() });
            continue;
        }
        for node in nodes {
            let alone = Group { part, place, nodes: vec![node] };
            let mut key: Vec<String> = common.iter().map(|f| (f.get.text)(view, &alone)).collect();
            if each_node {
                // A line for each node in each of its partitions.
                key.extend([node.conf.name.clone(), part.name.clone()]);
            }
            match places.get(&key).and_then(|at| found.get_mut(*at)) {
                Some(group) => group.nodes.push(node),
                None => {
                    places.insert(key, found.len());
                    found.push(alone);
                }
            }
        }
    }
    for group in &mut found {
        group.nodes.order_by_key(|n| n.id);
        group.nodes.dedup_by_key(|n| n.id);
    }
    let default = if each_node { "#N,#P" } else { "#P,-t" };
    sort(view, &mut found, parsed.value("sort").unwrap_or(default));
    found
}

fn listed(view: &View, uid: Uid, parsed: &Parsed, asked: Option<&[String]>, part: &PartConf) -> bool {
    match asked {
        Some(names) => names.contains(&part.name),
        None => parsed.has("all") || view.state.partition_shown(part, uid),
    }
}

fn sort(view: &View, groups: &mut [Group], keys: &str) {
    let state = |g: &Group| g.first().map_or(0, |n| nodetext::shown(view.state, n).number);
    groups.order_by(|a, b| {
        keys.split(',').fold(Ordering::Equal, |order, key| {
            let (down, key) = key.strip_prefix('-').map_or((false, key), |k| (true, k));
            let next = match key.trim_start_matches('+') {
                "#P" | "#R" => a.place.cmp(&b.place),
                "P" | "R" => a.part.name.cmp(&b.part.name),
                "t" | "T" => state(a).cmp(&state(b)),
                "#N" => a.first().map(|n| n.id).cmp(&b.first().map(|n| n.id)),
                "N" | "n" => a.first().map(|n| &n.conf.name).cmp(&b.first().map(|n| &n.conf.name)),
                "D" => a.nodes.len().cmp(&b.nodes.len()),
                "H" => {
                    // slurmctld keeps whole seconds.
                    let when = |g: &Group| g.first().and_then(nodetext::reason_time).map(Time::secs);
                    when(a).cmp(&when(b))
                }
                "l" => a.part.max_time.cmp(&b.part.max_time),
                other => by_text(view, other.trim_start_matches('#'), a, b),
            };
            order.then(if down { next.reverse() } else { next })
        })
    });
}

/// By what is printed: numbers by their size, other texts by their letters.
fn by_text(view: &View, letter: &str, a: &Group, b: &Group) -> Ordering {
    let Some(field) = by_letter(FIELDS, letter).and_then(|at| FIELDS.get(at)) else { return Ordering::Equal };
    let (a, b) = ((field.get.text)(view, a), (field.get.text)(view, b));
    let number = |text: &str| text.trim_end_matches('+').parse::<u64>().ok();
    match (number(&a), number(&b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => a.cmp(&b),
    }
}
