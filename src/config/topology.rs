//! topology.conf(5): the switches or blocks of the network. Without `TopologyPlugin`, and with plugins that
//! are not simulated (`topology/ring`, `torus3d`), the network is flat.

use super::lines::{self, DiagnosticLog};
use super::nodes::{Nodes, checked};
use super::value::number;
use super::{SiteFiles, keys, topology_yaml};
use base::bitset::BitSet;
use base::diagnostic::Severity;
use base::hostlist;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The file's name.
const FILE: &str = "topology.conf";
/// Maximum number of switches or blocks.
const MAX_SWITCHES: usize = 10_000;
/// Maximum number of switch levels.
const MAX_LEVELS: u32 = 16;

/// The network topology (`TopologyPlugin`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Topology {
    /// No structure.
    #[default]
    Flat,
    /// `topology/tree`: switches in the order of the file.
    Tree(Vec<NetworkSwitch>),
    /// `topology/block`.
    Block {
        /// `BlockSizes`, the base block size first.
        sizes: Vec<u32>,
        /// The blocks in file order.
        blocks: Vec<Block>,
    },
}

/// A network switch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkSwitch {
    /// `leaf1`.
    pub name: String,
    /// Level; 0 is a leaf switch with nodes.
    pub level: u32,
    /// All descendant nodes.
    pub nodes: BitSet,
    /// The parent switch.
    pub parent: Option<u32>,
    /// The names of the child switches, as written.
    pub switches: Vec<String>,
}

/// A block of nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// `block1`.
    pub name: String,
    /// Its nodes.
    pub nodes: BitSet,
}

impl Topology {
    /// The switches of a tree topology, else empty.
    #[must_use]
    pub fn switches(&self) -> &[NetworkSwitch] {
        if let Self::Tree(switches) = self { switches } else { &[] }
    }

    /// The blocks of a block topology, else empty.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        if let Self::Block { blocks, .. } = self { blocks } else { &[] }
    }

    /// `SLURM_TOPOLOGY_ADDR` and `SLURM_TOPOLOGY_ADDR_PATTERN` of a node: `spine.leaf1.cn01`, `switch.switch.node`.
    #[must_use]
    pub fn address(&self, node: u32, name: &str) -> (String, String) {
        let flat = || (name.to_owned(), "node".to_owned());
        match self {
            Self::Flat => flat(),
            Self::Block { blocks, .. } => match blocks.iter().find(|b| b.nodes.contains(node)) {
                Some(block) => (format!("{}.{name}", block.name), "block.node".to_owned()),
                None => flat(),
            },
            Self::Tree(switches) => {
                let (mut address, mut pattern) = flat();
                let mut at = switches.iter().find(|s| s.level == 0 && s.nodes.contains(node));
                for _ in 0..MAX_LEVELS {
                    let Some(switch) = at else { break };
                    address = format!("{}.{address}", switch.name);
                    pattern = format!("switch.{pattern}");
                    at = switch.parent.and_then(|p| switches.get(p as usize));
                }
                (address, pattern)
            }
        }
    }
}

/// Parses `topology.conf` for `plugin`.
pub(super) fn read(
    files: &SiteFiles,
    plugin: Option<&str>,
    nodes: &Nodes<'_>,
    report: &mut DiagnosticLog,
) -> Topology {
    if let Some(text) = files.0.get(topology_yaml::FILE) {
        let Some((plugin, text)) = topology_yaml::convert(text, report) else { return Topology::Flat };
        let files = SiteFiles([(topology_yaml::FILE.to_owned(), text)].into());
        return build(&files, topology_yaml::FILE, &plugin, nodes, report);
    }
    let plugin = plugin.unwrap_or_default().to_ascii_lowercase();
    build(files, FILE, plugin.strip_prefix("topology/").unwrap_or(&plugin), nodes, report)
}

/// Builds the topology that a plugin reads from a file.
fn build(
    files: &SiteFiles,
    file: &'static str,
    plugin: &str,
    nodes: &Nodes<'_>,
    report: &mut DiagnosticLog,
) -> Topology {
    match plugin {
        "tree" => Topology::Tree(tree((files, file), nodes, report)),
        "block" => block((files, file), nodes, report),
        "" | "flat" | "default" | "none" => Topology::Flat,
        other => {
            let message = format!("topology/{other} is not simulated; all nodes are alike");
            report.add(Severity::Note, "slurm.conf", 0, message);
            Topology::Flat
        }
    }
}

/// The nodes that `Nodes=` names; unknown ones are reported.
fn members(
    text: &str,
    nodes: &Nodes<'_>,
    line: &lines::ConfigLine<'_>,
    report: &mut DiagnosticLog,
) -> BitSet {
    if text.eq_ignore_ascii_case("ALL") {
        return BitSet::full(u32::try_from(nodes.list.len()).unwrap_or(0));
    }
    let names = hostlist::expand(text).unwrap_or_default();
    let found: BitSet = names.iter().filter_map(|n| nodes.index.get(n).copied()).collect();
    if names.is_empty() || (found.len() as usize) < names.len() {
        report.add(Severity::Warning, line.file, line.line, format!("Invalid node names in Nodes={text}"));
    }
    found
}

fn tree(
    (files, file): (&SiteFiles, &'static str),
    known: &Nodes<'_>,
    report: &mut DiagnosticLog,
) -> Vec<NetworkSwitch> {
    let mut switches: Vec<NetworkSwitch> = Vec::new();
    let mut locations: Vec<(&str, u32)> = Vec::new();
    for line in lines::read(files, file, report) {
        let entries = lines::pairs(&line, report);
        let options = checked(&line, entries, keys::topology, FILE, report);
        let Some(name) = options.text("SwitchName") else { continue };
        if switches.len() >= MAX_SWITCHES || switches.iter().any(|s| s.name == name) {
            let message = format!("Switch ({name}) has already been defined, or there are too many");
            report.add(Severity::Error, line.file, line.line, message);
            continue;
        }
        let below = options.text("Switches").unwrap_or_default();
        if !below.is_empty() && options.text("Nodes").is_some() {
            let message = format!("Switch {name} has both child switches and nodes; its nodes are left out");
            report.add(Severity::Error, line.file, line.line, message);
        }
        let below = hostlist::expand(below).unwrap_or_else(|e| {
            report.add(Severity::Error, line.file, line.line, format!("Invalid Switches={below}: {e}"));
            Vec::new()
        });
        let nodes = options.text("Nodes").filter(|_| below.is_empty());
        locations.push((line.file, line.line));
        switches.push(NetworkSwitch {
            name: name.to_owned(),
            nodes: nodes.map(|n| members(n, known, &line, report)).unwrap_or_default(),
            switches: below,
            ..NetworkSwitch::default()
        });
    }
    if switches.is_empty() {
        report.add(Severity::Error, file, 0, "No switches configured");
    }
    if let Some(cyclic) = link_switches(&mut switches) {
        let (file, line) = locations.get(cyclic).copied().unwrap_or((file, 0));
        let name = switches.get(cyclic).map(|s| s.name.clone()).unwrap_or_default();
        report.add(Severity::Error, file, line, format!("Switch configuration has cycles at {name}"));
    }
    check_tree((&switches, file), &locations, known, report);
    switches
}

/// Reports unconnected switches, nodes on several switches and nodes on none.
fn check_tree(
    (switches, whole): (&[NetworkSwitch], &str),
    locations: &[(&str, u32)],
    known: &Nodes<'_>,
    report: &mut DiagnosticLog,
) {
    let names: BTreeSet<&str> = switches.iter().map(|s| s.name.as_str()).collect();
    let mut seen = BitSet::new();
    for (switch, (file, line)) in switches.iter().zip(locations) {
        if let Some(unknown) = switch.switches.iter().find(|s| !names.contains(s.as_str())) {
            report.add(
                Severity::Error,
                file,
                *line,
                format!("Switch {}: {unknown} is no switch", switch.name),
            );
        }
        if switch.level == 0 {
            if seen.intersects(&switch.nodes) {
                let message = format!("Switch {} has nodes that are on another switch as well", switch.name);
                report.add(Severity::Warning, file, *line, message);
            }
            seen.union_with(&switch.nodes);
        }
    }
    let unconnected =
        known.list.iter().zip(0..).filter(|(_, i)| !seen.contains(*i)).map(|(n, _)| n.name.clone());
    let unconnected: Vec<String> = unconnected.collect();
    if !unconnected.is_empty() && !switches.is_empty() {
        let message = format!("switches lack access to {} nodes: {}", unconnected.len(), short(&unconnected));
        report.add(Severity::Warning, whole, 0, message);
    }
}

/// A host list, shortened for a message.
fn short(names: &[String]) -> String {
    let list = hostlist::compress(names);
    if list.len() > 200 { format!("{} and others", names.first().map_or("", String::as_str)) } else { list }
}

/// Computes the level, nodes and parent of each switch; returns a switch that is part of a cycle.
fn link_switches(switches: &mut [NetworkSwitch]) -> Option<usize> {
    for level in 1..=MAX_LEVELS {
        let mut any = false;
        for i in 0..switches.len() {
            let Some(this) = switches.get(i).filter(|s| !s.switches.is_empty() && s.level == 0) else {
                continue;
            };
            let below: Vec<usize> = (0..switches.len())
                .filter(|j| switches.get(*j).is_some_and(|s| this.switches.contains(&s.name)))
                .collect();
            let ready = |j: &usize| {
                switches.get(*j).is_some_and(|s| s.level < level && (s.level > 0 || s.switches.is_empty()))
            };
            if !below.iter().all(ready) {
                continue;
            }
            let mut all = BitSet::new();
            for j in below {
                if let Some(child) = switches.get_mut(j) {
                    child.parent = u32::try_from(i).ok();
                    all.union_with(&child.nodes);
                }
            }
            if let Some(this) = switches.get_mut(i) {
                this.level = level;
                this.nodes.union_with(&all);
                any = true;
            }
        }
        if !any {
            break;
        }
    }
    switches.iter().position(|s| !s.switches.is_empty() && s.level == 0)
}

fn block(
    (files, file): (&SiteFiles, &'static str),
    nodes: &Nodes<'_>,
    report: &mut DiagnosticLog,
) -> Topology {
    let (mut sizes, mut blocks) = (Vec::new(), Vec::<Block>::new());
    for line in lines::read(files, file, report) {
        let entries = lines::pairs(&line, report);
        let options = checked(&line, entries, keys::topology, FILE, report);
        if let Some(text) = options.text("BlockSizes") {
            sizes = text.split(',').filter_map(number).filter(|n| *n > 0).collect();
        }
        let Some(name) = options.text("BlockName") else { continue };
        let nodes = options.text("Nodes").map(|n| members(n, nodes, &line, report)).unwrap_or_default();
        if blocks.len() < MAX_SWITCHES {
            blocks.push(Block { name: name.to_owned(), nodes });
        }
    }
    if blocks.is_empty() {
        report.add(Severity::Error, file, 0, "No blocks configured");
    }
    if sizes.is_empty() {
        // The smallest block is the base block.
        sizes = blocks.iter().map(|b| b.nodes.len()).filter(|n| *n > 0).min().into_iter().collect();
    }
    Topology::Block { sizes, blocks }
}
