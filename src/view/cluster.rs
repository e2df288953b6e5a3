//! Layout of the cluster picture: tiles, cells and bars.
//!
//! Three densities: cells (every core), bars (usage) and blocks (one square per node, a heat map that fits all nodes),
//! with zoom levels in between. Nodes are grouped by hardware or by switch.

mod groups;
mod table;
mod zoom;

pub use groups::{CHIP_FONT, HEADING, Heading, NodeHardware, PartitionChip, TileGroup, usage};
pub use table::csv;
pub use zoom::{LEVELS, Zoom};

use groups::{groups_of, place};
use protocol::{CoreRun, NodeCell, NodeInfo, PartitionInfo, Started, SwitchInfo};

/// Level of detail of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Density {
    /// One cell per core.
    #[default]
    Cells,
    /// Bars for cores and memory.
    Bars,
    /// One square per node.
    Blocks,
}

impl Density {
    /// Name in the style sheet and in tests.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cells => "cells",
            Self::Bars => "bars",
            Self::Blocks => "blocks",
        }
    }
}

/// A rectangle in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub w: f64,
    pub h: f64,
}

impl Rect {
    /// Whether a point is inside.
    #[must_use]
    pub fn contains(&self, x: f64, y: f64) -> bool {
        x >= self.x && x < self.x + self.w && y >= self.y && y < self.y + self.h
    }
}

/// View settings chosen by the user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ViewOptions {
    /// Zoom.
    pub zoom: Zoom,
    /// Only the nodes of this partition.
    pub only: Option<u32>,
    /// Group by switch instead of hardware.
    pub switches: bool,
}

/// Input of the layout.
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct ClusterNodes<'a> {
    pub nodes: &'a [NodeInfo],
    pub partitions: &'a [PartitionInfo],
    pub switches: &'a [SwitchInfo],
}

impl<'a> From<&'a Started> for ClusterNodes<'a> {
    fn from(s: &'a Started) -> Self {
        Self { nodes: &s.nodes, partitions: &s.partitions, switches: &s.switches }
    }
}

/// A node's tile.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tile {
    /// Its rectangle.
    pub rect: Rect,
    /// Cells per row.
    pub across: u32,
    /// Number of core cells.
    pub cells: u32,
    /// Cores per cell (more than 1 only on very large nodes).
    pub cores_per_cell: u32,
    /// Number of GPU cells.
    pub gpus: u32,
}

/// The computed layout.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClusterLayout {
    /// Level of detail.
    pub density: Density,
    /// Index into [`LEVELS`].
    pub level: usize,
    /// Pixels per layout unit of tiles and groups.
    pub scale: f64,
    /// Groups from top to bottom.
    pub groups: Vec<TileGroup>,
    /// Tiles by node index.
    pub tiles: Vec<Tile>,
    /// Total height in pixels.
    pub height: f64,
}

const GAP: f64 = 8.0;
const MARGIN: f64 = 12.0;
const PAD: f64 = 7.0;
/// Size of a core cell including its gap.
pub const CELL: f64 = 9.0;
const CELL_GAP: f64 = 2.0;
/// Size of a GPU cell.
pub const GPU: f64 = 15.0;
const NAME: f64 = 17.0;
/// Height of the memory bar.
pub const MEMORY: f64 = 4.0;
const MOST_CELLS: u32 = 128;
/// With more nodes than this, only blocks are used.
const MOST_TILES: usize = 2_000;
/// Screens of scrolling that a more detailed picture may cost.
const ROOMY: f64 = 2.4;
/// If headings alone overflow the height, tiles may exceed the minimum height by this factor.
const CROWDED: f64 = 1.25;

/// Lays out the nodes for a width. Unless a zoom is chosen, it picks the most detailed level that fits roughly into
/// `height`.
#[must_use]
pub fn layout(machine: ClusterNodes, width: f64, height: f64, wish: ViewOptions) -> ClusterLayout {
    let with = |level| lay_out(machine, width.max(160.0), level, wish);
    // If the headings alone overflow, the picture scrolls anyway, so tiles need not be tiny.
    let least = with(0).height;
    let height = if least > height { least * CROWDED } else { height };
    let blocks = || {
        let fits = zoom::squares().rev().map(with).find(|l| l.height <= height);
        fits.unwrap_or_else(|| with(0))
    };
    match wish.zoom {
        Zoom::Fit => {}
        Zoom::Density(Density::Blocks) => return blocks(),
        Zoom::Density(density) => return with(zoom::usual(density)),
        Zoom::Level(level) => return with(level),
    }
    // Detail is not worth a picture that is far too high.
    if machine.nodes.len() > MOST_TILES {
        return blocks();
    }
    let cells = with(zoom::usual(Density::Cells));
    if cells.height <= height * ROOMY {
        // A small cluster grows to fill the available room.
        let nearer = (cells.level + 1..LEVELS.len()).rev().map(with).find(|l| l.height <= height);
        return nearer.unwrap_or(cells);
    }
    let bars = with(zoom::usual(Density::Bars));
    if bars.height <= height * ROOMY { bars } else { blocks() }
}

fn lay_out(machine: ClusterNodes, width: f64, level: usize, wish: ViewOptions) -> ClusterLayout {
    let (level, zoom::Level { density, edge, scale }) = zoom::level(level);
    let width = width / scale;
    let nodes = machine.nodes;
    let mut groups = groups_of(machine, wish);
    let mut tiles = vec![Tile::default(); nodes.len()];
    let mut y = 4.0;
    for group in &mut groups {
        group.y = y;
        group.head = place(group, machine.partitions, width);
        y += group.head;
        let members = || group.nodes.iter().filter_map(|i| nodes.get(*i as usize));
        let most_cores = members().map(|n| n.cores).max().unwrap_or(1).max(1);
        let most_gpus = members().map(|n| n.gpus).max().unwrap_or(0);
        let shape = TileShape::of(density, edge, most_cores, most_gpus, width - 2.0 * MARGIN);
        let gap = match density {
            Density::Blocks if edge < 10.0 => 1.0,
            Density::Blocks => 3.0,
            Density::Bars | Density::Cells => GAP,
        };
        let across = (((width - 2.0 * MARGIN + gap) / (shape.w + gap)).floor()).max(1.0) as u32;
        for (position, index) in (0u32..).zip(&group.nodes) {
            let (Some(node), Some(tile)) = (nodes.get(*index as usize), tiles.get_mut(*index as usize))
            else {
                continue;
            };
            let (column, row) = (f64::from(position % across), f64::from(position / across));
            let rect = Rect {
                x: MARGIN + column * (shape.w + gap),
                y: y + row * (shape.h + gap),
                w: shape.w,
                h: shape.h,
            };
            let cells = node.cores.div_ceil(shape.cores_per_cell);
            *tile = Tile {
                rect,
                across: shape.across,
                cells,
                cores_per_cell: shape.cores_per_cell,
                gpus: node.gpus,
            };
        }
        let rows = u32::try_from(group.nodes.len()).unwrap_or(u32::MAX).div_ceil(across);
        y += f64::from(rows) * (shape.h + gap) - gap + GAP;
    }
    ClusterLayout { density, level, scale, groups, tiles, height: (y + 4.0) * scale }
}

/// Common tile shape of a group: that of its largest node.
struct TileShape {
    w: f64,
    h: f64,
    across: u32,
    cores_per_cell: u32,
}

impl TileShape {
    fn of(density: Density, edge: f64, cores: u32, gpus: u32, room: f64) -> Self {
        let cores_per_cell = cores.div_ceil(MOST_CELLS);
        match density {
            Density::Blocks => Self { w: edge, h: edge, across: 1, cores_per_cell },
            Density::Bars => Self { w: 92.0_f64.min(room), h: 38.0, across: 1, cores_per_cell },
            Density::Cells => {
                let cells = cores.div_ceil(cores_per_cell);
                // Wide enough for about four rows of cells, and at least as wide as a name.
                let across = cells.div_ceil(4).clamp(8, 16).max(cells.div_ceil(10));
                let inner = f64::from(across) * (CELL + CELL_GAP) - CELL_GAP;
                let w = (inner + 2.0 * PAD).max(100.0).min(room.max(100.0));
                let across = ((w - 2.0 * PAD + CELL_GAP) / (CELL + CELL_GAP)).floor().max(1.0) as u32;
                let rows = f64::from(cells.div_ceil(across));
                let gpu_across = gpus_across(w);
                let gpu_rows = f64::from(gpus.div_ceil(gpu_across));
                let gpu_height = if gpus > 0 { 3.0 + gpu_rows * (GPU + CELL_GAP) } else { 0.0 };
                let h = NAME + rows * (CELL + CELL_GAP) + 3.0 + MEMORY + gpu_height + PAD;
                Self { w, h, across, cores_per_cell }
            }
        }
    }
}

fn gpus_across(width: f64) -> u32 {
    (((width - 2.0 * PAD + CELL_GAP) / (GPU + CELL_GAP)).floor()).max(1.0) as u32
}

impl Tile {
    /// Rectangle of the `i`th core cell (density `Cells`).
    #[must_use]
    pub fn core(&self, i: u32) -> Rect {
        let (column, row) = (f64::from(i % self.across.max(1)), f64::from(i / self.across.max(1)));
        let pitch = CELL + CELL_GAP;
        Rect {
            x: self.rect.x + PAD + column * pitch,
            y: self.rect.y + NAME + 2.0 + row * pitch,
            w: CELL,
            h: CELL,
        }
    }

    /// Rectangle of the memory bar.
    #[must_use]
    pub fn memory(&self) -> Rect {
        let rows = f64::from(self.cells.div_ceil(self.across.max(1)));
        let y = self.rect.y + NAME + 2.0 + rows * (CELL + CELL_GAP) + 1.0;
        Rect { x: self.rect.x + PAD, y, w: self.rect.w - 2.0 * PAD, h: MEMORY }
    }

    /// Rectangle of the `i`th GPU cell.
    #[must_use]
    pub fn gpu(&self, i: u32) -> Rect {
        let across = gpus_across(self.rect.w);
        let (column, row) = (f64::from(i % across), f64::from(i / across));
        let pitch = GPU + CELL_GAP;
        let top = self.memory().y + MEMORY + 4.0;
        Rect { x: self.rect.x + PAD + column * pitch, y: top + row * pitch, w: GPU, h: GPU }
    }

    /// Rectangle of a bar of density `Bars`: 0 cores, 1 memory, 2 GPUs.
    #[must_use]
    pub fn bar(&self, i: u32) -> Rect {
        let (offset, h) = match i {
            0 => (18.0, 7.0),
            1 => (27.0, 3.0),
            _ => (32.0, 3.0),
        };
        Rect { x: self.rect.x + 5.0, y: self.rect.y + offset, w: self.rect.w - 10.0, h }
    }
}

impl ClusterLayout {
    /// The node at a point.
    #[must_use]
    pub fn at(&self, x: f64, y: f64) -> Option<u32> {
        let (x, y) = (x / self.scale, y / self.scale);
        (0u32..).zip(&self.tiles).find(|(_, tile)| tile.rect.contains(x, y)).map(|(i, _)| i)
    }

    /// The node at a point, or the first one below it.
    #[must_use]
    pub fn near(&self, x: f64, y: f64) -> Option<u32> {
        let ends =
            |i: &u32| self.tiles.get(*i as usize).is_some_and(|t| t.rect.y + t.rect.h >= y / self.scale);
        self.at(x, y).or_else(|| self.groups.iter().flat_map(|g| &g.nodes).copied().find(ends))
    }

    /// Top of a node's tile.
    #[must_use]
    pub fn top(&self, node: u32) -> Option<f64> {
        self.tiles.get(node as usize).map(|tile| tile.rect.y * self.scale)
    }
}

/// Whether a node matches a search by name, state, job or user. `text` is in lower case.
#[must_use]
pub fn is_found(text: &str, info: &NodeInfo, cell: &NodeCell, users: &[String]) -> bool {
    let user = |run: &CoreRun| users.get(run.user as usize).is_some_and(|name| name == text);
    let job = |run: &CoreRun| run.job != 0 && run.job.to_string() == text;
    info.name.contains(text)
        || cell.state.contains(text)
        || cell.cores.iter().any(|run| run.job != 0 && (user(run) || job(run)))
}

/// The core run shown in each cell: the first allocated one of its cores.
#[must_use]
pub fn cells(runs: &[CoreRun], cells: u32, cores_per_cell: u32) -> Vec<Option<CoreRun>> {
    let mut out = vec![None; cells as usize];
    let mut core = 0u32;
    for run in runs {
        let end = core.saturating_add(run.count);
        if run.job != 0 && run.count > 0 {
            let (first, last) = (core / cores_per_cell.max(1), (end - 1) / cores_per_cell.max(1));
            for cell in out.iter_mut().take(last as usize + 1).skip(first as usize) {
                cell.get_or_insert(*run);
            }
        }
        core = end;
    }
    out
}

/// Number of cores in use.
#[must_use]
pub fn used(runs: &[CoreRun]) -> u32 {
    runs.iter().filter(|r| r.job != 0).map(|r| r.count).sum()
}

/// Distance of a tooltip from the pointer.
const BESIDE: f64 = 14.0;
/// Its smallest distance from the edge.
const INSIDE: f64 = 4.0;

/// The corner of a tooltip of a size beside the pointer, inside a zone: below and to the right, otherwise on the other side.
#[must_use]
pub fn beside(pointer: (f64, f64), size: (f64, f64), zone: (f64, f64)) -> (f64, f64) {
    let along = |pointer: f64, size: f64, zone: f64| {
        let (after, before) = (pointer + BESIDE, pointer - BESIDE - size);
        let at = if after + size + INSIDE <= zone { after } else { before };
        at.min(zone - size - INSIDE).max(INSIDE)
    };
    (along(pointer.0, size.0, zone.0), along(pointer.1, size.1, zone.1))
}

/// A name in at most so many characters, shortened in the middle: names of nodes differ at their ends.
#[must_use]
pub fn shortened(name: &str, most: usize) -> String {
    let count = name.chars().count();
    if count <= most {
        return name.to_owned();
    }
    let kept = most.saturating_sub(1);
    let end = kept.div_ceil(2);
    let start: String = name.chars().take(kept - end).collect();
    let rest: String = name.chars().skip(count - end).collect();
    format!("{start}…{rest}")
}

#[cfg(test)]
mod tests;
