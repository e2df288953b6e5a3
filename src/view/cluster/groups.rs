//! Groups of nodes with equal hardware, or below the same switch, and the partitions of each group as chips.
//!
//! Invariant: a node counts in each of its partitions, so the chips of a partition add up to the nodes that `sinfo` prints for
//! it. A filter hides tiles, not counts.

use super::{ClusterNodes, Rect, ViewOptions};
use base::order::StableSort as _;
use protocol::{NodeInfo, PartitionInfo};

/// What a group of nodes has in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heading {
    /// Equal nodes.
    Hardware(NodeHardware),
    /// Index into the switches.
    Switch(u32),
    /// All others.
    Rest,
}

/// What makes two nodes equal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct NodeHardware {
    pub cores: u32,
    pub memory_gib: u64,
    pub gpus: u32,
    pub gpu_kind: String,
}

impl NodeHardware {
    fn of(node: &NodeInfo) -> Self {
        let memory_gib = (node.memory_mib + 512) / 1024;
        Self { cores: node.cores, memory_gib, gpus: node.gpus, gpu_kind: node.gpu_kind.clone() }
    }

    fn matches(&self, node: &NodeInfo) -> bool {
        self.cores == node.cores
            && self.gpus == node.gpus
            && self.memory_gib == (node.memory_mib + 512) / 1024
            && self.gpu_kind == node.gpu_kind
    }

    /// `64 cores · 250 GiB · 4 × a100`; `cores` is the word.
    #[must_use]
    pub fn text(&self, cores: &str) -> String {
        let Self { cores: n, memory_gib, gpus, gpu_kind } = self;
        let base = format!("{n} {cores} · {memory_gib} GiB");
        match (*gpus, gpu_kind.as_str()) {
            (0, _) => base,
            (gpus, "") => format!("{base} · {gpus} × GPU"),
            (gpus, kind) => format!("{base} · {gpus} × {}", super::shortened(kind, 14)),
        }
    }
}

/// A group: its heading and nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct TileGroup {
    /// The heading.
    pub heading: Heading,
    /// Top of the heading.
    pub y: f64,
    /// Height of the heading.
    pub head: f64,
    /// Its visible nodes.
    pub nodes: Vec<u32>,
    /// Its partitions, in configuration order.
    pub chips: Vec<PartitionChip>,
}

/// A partition in the heading of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PartitionChip {
    /// Index into the partitions. `None`: partitions that don't fit.
    pub partition: Option<u32>,
    /// Number of the group's nodes in it, or of the partitions that don't fit.
    pub count: u32,
    /// Where it is, in layout units.
    pub rect: Rect,
}

impl PartitionChip {
    /// Its text as far as it fits, with the default partition marked as in `sinfo`.
    #[must_use]
    pub fn text(&self, partitions: &[PartitionInfo]) -> String {
        let letters = ((self.rect.w - 2.0 * CHIP_PAD) / LETTER).round().max(0.0);
        super::shortened(&self.full(partitions), letters as usize)
    }

    fn full(&self, partitions: &[PartitionInfo]) -> String {
        match self.partition {
            Some(index) => format!("{} {}", name_of(partitions, index), self.count),
            None => format!("+{}", self.count),
        }
    }
}

fn name_of(partitions: &[PartitionInfo], index: u32) -> String {
    partitions.get(index as usize).map_or_else(String::new, |p| {
        format!("{}{}", super::shortened(&p.name, LONGEST), if p.is_default { "*" } else { "" })
    })
}

/// Most groups of equal hardware; a site with more kinds of nodes gets one group for all others.
const MOST: usize = 40;
/// Height of a heading with one row.
pub const HEADING: f64 = 26.0;
/// Height of a chip.
const CHIP: f64 = 20.0;
/// Rows are as far apart as targets for fingers must be.
const CHIP_ROW: f64 = 24.0;
const CHIP_GAP: f64 = 5.0;
const CHIP_PAD: f64 = 6.0;
/// Width of a letter of a chip, in monospaced letters of [`CHIP_FONT`] pixels.
const LETTER: f64 = 6.7;
/// Size of a chip's monospaced letters.
pub const CHIP_FONT: u32 = 11;
const LONGEST: usize = 18;
/// Space for the text of a heading. Chips stand beside it if that leaves nearly as much for them.
const TEXT: f64 = 380.0;
/// Rows of chips in a heading.
const ROWS: usize = 2;

/// The groups, without places.
pub(super) fn groups_of(machine: ClusterNodes, wish: ViewOptions) -> Vec<TileGroup> {
    let ClusterNodes { nodes, partitions, switches } = machine;
    let group = |heading| TileGroup { heading, y: 0.0, head: HEADING, nodes: Vec::new(), chips: Vec::new() };
    let mut groups: Vec<TileGroup> = Vec::new();
    let mut under: Vec<usize> = vec![usize::MAX; nodes.len()];
    if wish.switches {
        for (at, switch) in (0u32..).zip(switches) {
            groups.push(group(Heading::Switch(at)));
            for node in &switch.nodes {
                if let Some(slot) = under.get_mut(*node as usize) {
                    *slot = at as usize;
                }
            }
        }
    } else {
        for (slot, node) in under.iter_mut().zip(nodes).filter(|(_, node)| !node.gone) {
            let equal = |g: &TileGroup| matches!(&g.heading, Heading::Hardware(h) if h.matches(node));
            *slot = groups.iter().rposition(equal).unwrap_or_else(|| {
                if groups.len() < MOST {
                    groups.push(group(Heading::Hardware(NodeHardware::of(node))));
                    groups.len() - 1
                } else {
                    usize::MAX
                }
            });
        }
    }
    groups.push(group(Heading::Rest));
    let rest = groups.len() - 1;
    let mut counts = vec![vec![0u32; partitions.len()]; groups.len()];
    for ((index, node), at) in (0u32..).zip(nodes).zip(under).filter(|((_, node), _)| !node.gone) {
        let at = at.min(rest);
        for part in &node.partitions {
            if let Some(count) = counts.get_mut(at).and_then(|c| c.get_mut(*part as usize)) {
                *count += 1;
            }
        }
        let seen = wish.only.is_none_or(|only| node.partitions.contains(&only));
        if let Some(group) = groups.get_mut(at).filter(|_| seen) {
            group.nodes.push(index);
        }
    }
    for (group, counts) in groups.iter_mut().zip(counts) {
        let all = (0u32..).zip(counts).filter(|(_, count)| *count > 0);
        group.chips = all
            .map(|(part, count)| PartitionChip { partition: Some(part), count, ..PartitionChip::default() })
            .collect();
    }
    groups.retain(|group| !group.nodes.is_empty());
    if !wish.switches {
        // In the order of slurm.conf: a partition of all nodes puts no group before others.
        let size = |p: u32| partitions.get(p as usize).map_or(usize::MAX, |p| p.nodes.len());
        let narrowest =
            |g: &TileGroup| g.chips.iter().filter_map(|c| c.partition).min_by_key(|p| (size(*p), *p));
        groups.order_by_key(|g| (g.heading == Heading::Rest, narrowest(g).unwrap_or(u32::MAX)));
    }
    groups
}

/// Places a group's chips in a heading of this width, beside its text or below it, and returns the heading's height.
pub(super) fn place(group: &mut TileGroup, partitions: &[PartitionInfo], width: f64) -> f64 {
    let beside = width >= 1.8 * TEXT;
    let (left, top) = if beside { (TEXT, (HEADING - CHIP) / 2.0) } else { (super::MARGIN, HEADING - 2.0) };
    let end = width - super::MARGIN;
    let wide = |letters: usize| letters as f64 * LETTER + 2.0 * CHIP_PAD;
    let chips = std::mem::take(&mut group.chips);
    let (mut x, mut row) = (left, 0);
    for (at, chip) in chips.iter().enumerate() {
        // The last row keeps space for the number of those that don't fit.
        let more = |row| if row + 1 == ROWS && at + 1 < chips.len() { wide(4) + CHIP_GAP } else { 0.0 };
        let full = wide(chip.full(partitions).chars().count());
        if x > left && x + full + more(row) > end {
            if row + 1 == ROWS {
                let rect = Rect { x, y: top + CHIP_ROW * row as f64, w: wide(4), h: CHIP };
                let count = (chips.len() - at) as u32;
                group.chips.push(PartitionChip { partition: None, count, rect });
                break;
            }
            (x, row) = (left, row + 1);
        }
        let w = full.min(end - left - more(row));
        let rect = Rect { x, y: top + CHIP_ROW * row as f64, w, h: CHIP };
        group.chips.push(PartitionChip { rect, ..*chip });
        x += w + CHIP_GAP;
    }
    let rows = if group.chips.is_empty() { 0.0 } else { (row + 1) as f64 };
    (top + rows * CHIP_ROW + 1.0).max(HEADING)
}

/// Nodes of a partition as `sinfo -s` counts them: allocated, idle, other.
#[must_use]
pub fn usage<'a>(states: impl Iterator<Item = &'a str>) -> (u32, u32, u32) {
    states.fold((0, 0, 0), |(used, idle, other), state| {
        match state.trim_end_matches(|c: char| !c.is_ascii_alphabetic()) {
            "alloc" | "mix" | "comp" | "drng" | "failg" => (used + 1, idle, other),
            "idle" | "plnd" | "resv" | "maint" | "boot" | "fail" => (used, idle + 1, other),
            _ => (used, idle, other + 1),
        }
    })
}
