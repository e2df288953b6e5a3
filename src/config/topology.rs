//! topology.conf(5): which switches or blocks the nodes hang on. Without `TopologyPlugin`, and with plugins that are
//! not simulated (`topology/ring`, `torus3d`), all nodes are alike.

use super::lines::{self, Report};
use super::nodes::{Nodes, checked};
use super::value::number;
use super::{SiteFiles, keys};
use crate::base::bitset::BitSet;
use crate::base::diagnostic::Severity;
use crate::base::hostlist;
use serde::{Deserialize, Serialize};

/// Most switches or blocks.
const MAX_SWITCHES: usize = 10_000;
/// Most levels of switches.
const MAX_LEVELS: u32 = 16;

/// How the nodes hang together (`TopologyPlugin`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Topology {
    /// All alike.
    #[default]
    Flat,
    /// `topology/tree`: switches in the order of the file.
    Tree(Vec<Switch>),
    /// `topology/block`.
    Block {
        /// `BlockSizes`: the base size first.
        sizes: Vec<u32>,
        /// In the order of the file.
        blocks: Vec<Block>,
    },
}

/// A switch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switch {
    /// `leaf1`.
    pub name: String,
    /// 0: nodes hang on it.
    pub level: u32,
    /// The nodes below it, however deep.
    pub nodes: BitSet,
    /// The switch above it.
    pub parent: Option<u32>,
    /// The names of the switches below it, as written.
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

/// Reads `topology.conf` as `plugin` says.
pub(super) fn read(
    files: &SiteFiles,
    plugin: Option<&str>,
    nodes: &Nodes<'_>,
    report: &mut Report,
) -> Topology {
    let plugin = plugin.unwrap_or_default().to_ascii_lowercase();
    match plugin.strip_prefix("topology/").unwrap_or(&plugin) {
        "tree" => Topology::Tree(tree(files, nodes, report)),
        "block" => block(files, nodes, report),
        "" | "flat" | "default" | "none" => Topology::Flat,
        other => {
            let message = format!("topology/{other} is not simulated; all nodes are alike");
            report.add(Severity::Note, "slurm.conf", 0, message);
            Topology::Flat
        }
    }
}

/// The nodes that a `Nodes=` names; others are told of.
fn members(text: &str, nodes: &Nodes<'_>, line: &lines::Line<'_>, report: &mut Report) -> BitSet {
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

fn tree(files: &SiteFiles, nodes: &Nodes<'_>, report: &mut Report) -> Vec<Switch> {
    let mut switches: Vec<Switch> = Vec::new();
    for line in lines::read(files, "topology.conf", report) {
        let entries = lines::pairs(&line, report);
        let options = checked(&line, entries, keys::topology, "topology.conf", report);
        let Some(name) = options.text("SwitchName") else { continue };
        if switches.len() >= MAX_SWITCHES || switches.iter().any(|s| s.name == name) {
            let message = format!("Switch ({name}) has already been defined, or there are too many");
            report.add(Severity::Error, line.file, line.line, message);
            continue;
        }
        let below = options.text("Switches").unwrap_or_default();
        switches.push(Switch {
            name: name.to_owned(),
            nodes: options.text("Nodes").map(|n| members(n, nodes, &line, report)).unwrap_or_default(),
            switches: hostlist::expand(below).unwrap_or_default(),
            ..Switch::default()
        });
    }
    if switches.is_empty() {
        report.add(Severity::Error, "topology.conf", 0, "No switches configured");
    }
    raise(&mut switches, report);
    switches
}

/// Gives every switch its level, its nodes and the switch above it.
fn raise(switches: &mut [Switch], report: &mut Report) {
    for level in 1..=MAX_LEVELS {
        let mut any = false;
        for i in 0..switches.len() {
            let Some(this) = switches.get(i).filter(|s| !s.switches.is_empty() && s.level == 0) else {
                continue;
            };
            let below: Vec<usize> = (0..switches.len())
                .filter(|j| switches.get(*j).is_some_and(|s| *j != i && this.switches.contains(&s.name)))
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
    if let Some(lost) = switches.iter().find(|s| !s.switches.is_empty() && s.level == 0) {
        let message = format!("Switch configuration has cycles at {}", lost.name);
        report.add(Severity::Error, "topology.conf", 0, message);
    }
}

fn block(files: &SiteFiles, nodes: &Nodes<'_>, report: &mut Report) -> Topology {
    let (mut sizes, mut blocks) = (Vec::new(), Vec::<Block>::new());
    for line in lines::read(files, "topology.conf", report) {
        let entries = lines::pairs(&line, report);
        let options = checked(&line, entries, keys::topology, "topology.conf", report);
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
        report.add(Severity::Error, "topology.conf", 0, "No blocks configured");
    }
    if sizes.is_empty() {
        // The smallest block is the base block.
        sizes = blocks.iter().map(|b| b.nodes.len()).filter(|n| *n > 0).min().into_iter().collect();
    }
    Topology::Block { sizes, blocks }
}
