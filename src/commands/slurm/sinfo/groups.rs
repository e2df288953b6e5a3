//! Groups nodes into sinfo's lines and orders the lines.

use super::fields::{FIELDS, GroupingKey, SinfoField, of_partition};
use crate::slurm::format::by_letter;
use crate::slurm::getopt::ParsedArguments;
use crate::slurm::jobtext::JobView;
use crate::slurm::{nodetext, tool};
use base::hostlist;
use base::ids::Uid;
use base::order::StableSort as _;
use base::time::Time;
use config::PartConf;
use slurmctld::node::{Node, NodeBase};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Nodes that share a line.
pub struct Group<'a> {
    /// The partition of the line.
    pub part: &'a PartConf,
    /// Its index in the configuration.
    pub part_index: usize,
    /// The nodes; empty for a partition without matching nodes.
    pub nodes: Vec<&'a Node>,
}

impl<'a> Group<'a> {
    /// The first node.
    #[must_use]
    pub fn first(&self) -> Option<&'a Node> {
        self.nodes.first().copied()
    }
}

/// The requested states. A node fits if one of the lists fits; each entry is a state and whether the node must be in it.
pub type States = Vec<Vec<(&'static str, bool)>>;

/// Which nodes are shown.
struct SinfoFilter<'s> {
    future: bool,
    reasons: bool,
    dead: bool,
    responding: bool,
    states: Option<&'s States>,
    names: Option<BTreeSet<String>>,
}

impl SinfoFilter<'_> {
    fn fits(&self, view: &JobView, node: &Node) -> bool {
        !nodetext::hidden(view.state, node)
            && (node.base != NodeBase::Future || self.future || self.states.is_some())
            && (!self.reasons || node.reason.is_some())
            && (!self.dead || !node.responding)
            && (!self.responding || node.responding)
            && self.names.as_ref().is_none_or(|names| names.contains(&node.conf.name))
            && self.states.is_none_or(|states| {
                let fits =
                    |(name, wanted): &(&str, bool)| nodetext::in_state(view.state, node, name) == *wanted;
                states.iter().any(|and| and.iter().all(fits))
            })
    }
}

/// The lines: nodes of the requested partitions, grouped by the printed fields (given by their indices in the table).
pub fn groups<'a>(
    view: &JobView<'a>,
    uid: Uid,
    parsed: &ParsedArguments,
    states: Option<&States>,
    fields: &[usize],
) -> Vec<Group<'a>> {
    let names = parsed
        .value("nodes")
        .map(|t| hostlist::expand(t).unwrap_or_else(|_| vec![t.to_owned()]).into_iter().collect());
    let wish = SinfoFilter {
        future: parsed.has("future"),
        reasons: parsed.has("list-reasons"),
        dead: parsed.has("dead"),
        responding: parsed.has("responding"),
        states,
        names,
    };
    let exact = parsed.has("exact");
    let common =
        |f: &&SinfoField| f.get.key == GroupingKey::Same || (f.get.key == GroupingKey::Size && exact);
    let common: Vec<&SinfoField> = fields.iter().filter_map(|at| FIELDS.get(*at)).filter(common).collect();
    // A partition without nodes has a line only if the format shows partitions.
    let by_partition = common.iter().any(|f| of_partition(f));
    let each_node = parsed.has("Node");
    let asked = parsed.value("partition").map(tool::names);
    let mut found: Vec<Group> = Vec::new();
    let mut by_key: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for (part_index, part) in view.state.partitions.iter().enumerate() {
        if !listed(view, uid, parsed, asked.as_deref(), part) {
            continue;
        }
        let nodes = part.nodes.iter().filter_map(|n| view.state.nodes.get(n as usize));
        let mut nodes = nodes.filter(|n| wish.fits(view, n)).peekable();
        if nodes.peek().is_none() && !each_node && !wish.reasons && by_partition {
            found.push(Group { part, part_index, nodes: Vec::new() });
            continue;
        }
        for node in nodes {
            let alone = Group { part, part_index, nodes: vec![node] };
            let mut key: Vec<String> = common.iter().map(|f| (f.get.text)(view, &alone)).collect();
            if each_node {
                // One line per node and partition.
                key.extend([node.conf.name.clone(), part.name.clone()]);
            }
            match by_key.get(&key).and_then(|at| found.get_mut(*at)) {
                Some(group) => group.nodes.push(node),
                None => {
                    by_key.insert(key, found.len());
                    found.push(alone);
                }
            }
        }
    }
    for group in &mut found {
        group.nodes.order_by_key(|n| n.id);
        group.nodes.dedup_by_key(|n| n.id);
    }
    if by_partition && !each_node {
        first_of_each(&mut found);
    }
    let default = if each_node { "#N,#P" } else { "#P,-t" };
    let hosts = fields.iter().any(|at| FIELDS.get(*at).is_some_and(|f| f.letter == "n"));
    sort(view, &mut found, parsed.value("sort").unwrap_or(default), hosts);
    found
}

/// sinfo creates a line for each partition before it visits nodes, so the first line of each partition precedes all
/// others.
fn first_of_each(found: &mut Vec<Group>) {
    let mut seen = BTreeSet::new();
    let (mut first, rest): (Vec<Group>, Vec<Group>) =
        found.drain(..).partition(|g| seen.insert(g.part_index));
    first.extend(rest);
    *found = first;
}

fn listed(
    view: &JobView,
    uid: Uid,
    parsed: &ParsedArguments,
    asked: Option<&[String]>,
    part: &PartConf,
) -> bool {
    match asked {
        Some(names) => names.contains(&part.name),
        None => parsed.has("all") || view.state.partition_shown(part, uid),
    }
}

fn sort(view: &JobView, groups: &mut [Group], keys: &str, hosts: bool) {
    let state = |g: &Group| g.first().map_or(0, |n| nodetext::shown(view.state, n).number);
    let keys = keys_of(keys);
    // Without host names in the lines, the comparison puts the later line first.
    if !hosts && keys.iter().any(|key| *key == (false, "n".to_owned())) {
        groups.reverse();
    }
    groups.order_by(|a, b| {
        keys.iter().fold(Ordering::Equal, |order, (down, key)| {
            let next = match key.as_str() {
                "#P" | "#R" => a.part_index.cmp(&b.part_index),
                "P" | "R" => a.part.name.cmp(&b.part.name),
                "t" | "T" => state(a).cmp(&state(b)),
                "#N" => a.first().map(|n| n.id).cmp(&b.first().map(|n| n.id)),
                "n" if !hosts => Ordering::Equal,
                "N" | "n" => a.first().map(|n| &n.conf.name).cmp(&b.first().map(|n| &n.conf.name)),
                "D" => a.nodes.len().cmp(&b.nodes.len()),
                "H" => {
                    // slurmctld stores whole seconds.
                    let when = |g: &Group| g.first().and_then(nodetext::reason_time).map(Time::secs);
                    when(a).cmp(&when(b))
                }
                "l" => a.part.max_time.cmp(&b.part.max_time),
                "E" => {
                    let why = |g: &Group| Some(g.first()?.reason.as_ref()?.text.clone());
                    why(a).cmp(&why(b))
                }
                other => by_text(view, other.trim_start_matches('#'), a, b),
            };
            order.then(if *down { next.reverse() } else { next })
        })
    });
}

/// The keys of `--sort`: whether descending, and the letter, with `#` if that precedes it.
fn keys_of(text: &str) -> Vec<(bool, String)> {
    let (mut keys, mut down, mut key) = (Vec::new(), false, String::new());
    for c in text.chars() {
        match c {
            '-' => down = true,
            '+' | ',' => {}
            '#' => key.push(c),
            letter => {
                key.push(letter);
                keys.push((std::mem::take(&mut down), std::mem::take(&mut key)));
            }
        }
    }
    keys
}

/// Compares printed texts: numbers by value, others alphabetically.
fn by_text(view: &JobView, letter: &str, a: &Group, b: &Group) -> Ordering {
    let Some(field) = by_letter(FIELDS, letter).and_then(|at| FIELDS.get(at)) else { return Ordering::Equal };
    let (a, b) = ((field.get.text)(view, a), (field.get.text)(view, b));
    let number = |text: &str| text.trim_end_matches('+').parse::<u64>().ok();
    match (number(&a), number(&b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => a.cmp(&b),
    }
}
