//! Where every node's tile, cells and bars stand. Three densities: cells (each core is seen), bars (how full), blocks
//! (one square a node, a heat map). Nodes stand under their narrowest partition, in the configuration's order.

use crate::protocol::{CoreRun, NodeInfo, PartitionInfo};

/// How much of a node is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Density {
    /// Every core a cell.
    #[default]
    Cells,
    /// Cores and memory as bars.
    Bars,
    /// A square a node.
    Blocks,
}

impl Density {
    /// Its name for style sheet and tests.
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
#[allow(missing_docs)]
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

/// A partition's heading and the room below it.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Index into the partitions; none: nodes of no partition.
    pub partition: Option<u32>,
    /// Top of the heading.
    pub y: f64,
    /// Nodes below it.
    pub nodes: Vec<u32>,
}

/// A node's tile.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tile {
    /// Where it stands.
    pub rect: Rect,
    /// Cells next to each other.
    pub across: u32,
    /// Cells of cores.
    pub cells: u32,
    /// Cores that share a cell (1 but for very large nodes).
    pub cores_per_cell: u32,
    /// GPU cells.
    pub gpus: u32,
}

/// The whole picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// How much of a node is shown.
    pub density: Density,
    /// Headings from top to bottom.
    pub groups: Vec<Group>,
    /// A tile for each node, by its index.
    pub tiles: Vec<Tile>,
    /// Height of it all.
    pub height: f64,
}

/// Height of a partition's heading.
pub const HEADING: f64 = 26.0;
const GAP: f64 = 8.0;
const MARGIN: f64 = 12.0;
const PAD: f64 = 7.0;
/// A core's cell and the gap beside it.
pub const CELL: f64 = 9.0;
const CELL_GAP: f64 = 2.0;
/// A GPU's cell.
pub const GPU: f64 = 15.0;
const NAME: f64 = 17.0;
/// Height of the memory bar.
pub const MEMORY: f64 = 4.0;
const MOST_CELLS: u32 = 128;
/// So many screens of scrolling are worth a richer picture.
const ROOMY: f64 = 2.0;

/// Lays the nodes out for a width. Without a wish the densest picture that needs not much more than `height` is taken.
#[must_use]
pub fn layout(
    nodes: &[NodeInfo],
    partitions: &[PartitionInfo],
    width: f64,
    height: f64,
    wish: Option<Density>,
) -> Layout {
    let with = |density| lay_out(nodes, partitions, width.max(160.0), density);
    if let Some(density) = wish {
        return with(density);
    }
    let cells = with(Density::Cells);
    if cells.height <= height * ROOMY {
        return cells;
    }
    let bars = with(Density::Bars);
    if bars.height <= height * ROOMY { bars } else { with(Density::Blocks) }
}

/// Each node's heading: the partition with the fewest nodes among its own, so that one of all nodes hides none.
fn groups_of(nodes: &[NodeInfo], partitions: &[PartitionInfo]) -> Vec<Group> {
    let home = |node: &NodeInfo| {
        let size = |p: &u32| partitions.get(*p as usize).map_or(usize::MAX, |p| p.nodes.len());
        node.partitions.iter().copied().min_by_key(|p| (size(p), *p))
    };
    let mut groups: Vec<Group> = Vec::new();
    for partition in (0u32..).take(partitions.len()).map(Some).chain([None]) {
        let nodes: Vec<u32> =
            (0u32..).zip(nodes).filter(|(_, node)| home(node) == partition).map(|(i, _)| i).collect();
        if !nodes.is_empty() {
            groups.push(Group { partition, y: 0.0, nodes });
        }
    }
    groups
}

fn lay_out(nodes: &[NodeInfo], partitions: &[PartitionInfo], width: f64, density: Density) -> Layout {
    let mut groups = groups_of(nodes, partitions);
    let mut tiles = vec![Tile::default(); nodes.len()];
    let mut y = 4.0;
    for group in &mut groups {
        group.y = y;
        y += HEADING;
        let members = || group.nodes.iter().filter_map(|i| nodes.get(*i as usize));
        let most_cores = members().map(|n| n.cores).max().unwrap_or(1).max(1);
        let most_gpus = members().map(|n| n.gpus).max().unwrap_or(0);
        let shape = Shape::of(density, most_cores, most_gpus, width - 2.0 * MARGIN);
        let gap = if density == Density::Blocks { 3.0 } else { GAP };
        let across = (((width - 2.0 * MARGIN + gap) / (shape.w + gap)).floor()).max(1.0) as u32;
        for (place, index) in (0u32..).zip(&group.nodes) {
            let (Some(node), Some(tile)) = (nodes.get(*index as usize), tiles.get_mut(*index as usize))
            else {
                continue;
            };
            let (column, row) = (f64::from(place % across), f64::from(place / across));
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
    Layout { density, groups, tiles, height: y + 4.0 }
}

/// The tiles of a group have one shape, that of its largest node.
struct Shape {
    w: f64,
    h: f64,
    across: u32,
    cores_per_cell: u32,
}

impl Shape {
    fn of(density: Density, cores: u32, gpus: u32, room: f64) -> Self {
        let cores_per_cell = cores.div_ceil(MOST_CELLS);
        match density {
            Density::Blocks => Self { w: 16.0, h: 16.0, across: 1, cores_per_cell },
            Density::Bars => Self { w: 92.0_f64.min(room), h: 38.0, across: 1, cores_per_cell },
            Density::Cells => {
                let cells = cores.div_ceil(cores_per_cell);
                // As wide as about four rows of cells need, never narrower than a name.
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
    /// The `i`th core cell (density `Cells`).
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

    /// The memory bar.
    #[must_use]
    pub fn memory(&self) -> Rect {
        let rows = f64::from(self.cells.div_ceil(self.across.max(1)));
        let y = self.rect.y + NAME + 2.0 + rows * (CELL + CELL_GAP) + 1.0;
        Rect { x: self.rect.x + PAD, y, w: self.rect.w - 2.0 * PAD, h: MEMORY }
    }

    /// The `i`th GPU cell.
    #[must_use]
    pub fn gpu(&self, i: u32) -> Rect {
        let across = gpus_across(self.rect.w);
        let (column, row) = (f64::from(i % across), f64::from(i / across));
        let pitch = GPU + CELL_GAP;
        let top = self.memory().y + MEMORY + 4.0;
        Rect { x: self.rect.x + PAD + column * pitch, y: top + row * pitch, w: GPU, h: GPU }
    }

    /// A bar of density `Bars`: 0 is the cores', 1 the memory's, 2 the GPUs'.
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

impl Layout {
    /// The node at a point.
    #[must_use]
    pub fn at(&self, x: f64, y: f64) -> Option<u32> {
        (0u32..).zip(&self.tiles).find(|(_, tile)| tile.rect.contains(x, y)).map(|(i, _)| i)
    }
}

/// Which run each cell shows: the first of its cores that is taken, else none.
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

/// Cores in use.
#[must_use]
pub fn used(runs: &[CoreRun]) -> u32 {
    runs.iter().filter(|r| r.job != 0).map(|r| r.count).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(sizes: &[(u32, u32, u32)]) -> (Vec<NodeInfo>, Vec<PartitionInfo>) {
        let mut nodes = Vec::new();
        let mut partitions = Vec::new();
        for (p, (count, cores, gpus)) in (0u32..).zip(sizes) {
            let first = nodes.len() as u32;
            for n in 0..*count {
                nodes.push(NodeInfo {
                    name: format!("p{p}-{n}"),
                    cpus: *cores,
                    cores: *cores,
                    memory_mib: 1024,
                    gpus: *gpus,
                    gpu_kind: String::new(),
                    partitions: vec![p, sizes.len() as u32],
                });
            }
            let nodes = (first..first + count).collect();
            partitions.push(PartitionInfo {
                name: format!("p{p}"),
                is_default: p == 0,
                time_limit: String::new(),
                nodes,
            });
        }
        let nodes_of_all = (0..nodes.len() as u32).collect();
        partitions.push(PartitionInfo {
            name: "all".into(),
            is_default: false,
            time_limit: String::new(),
            nodes: nodes_of_all,
        });
        (nodes, partitions)
    }

    #[test]
    fn tiles_stand_apart_and_inside() {
        let (nodes, partitions) = site(&[(10, 4, 0), (9, 16, 0), (6, 64, 4), (1, 256, 16)]);
        for width in [320.0, 700.0, 1200.0] {
            for density in [Density::Cells, Density::Bars, Density::Blocks] {
                let l = layout(&nodes, &partitions, width, 400.0, Some(density));
                assert_eq!(l.groups.len(), 4, "the partition of all nodes hides none");
                for (i, a) in l.tiles.iter().enumerate() {
                    assert!(
                        a.rect.x + a.rect.w <= width && a.rect.y + a.rect.h <= l.height,
                        "{width} {density:?}"
                    );
                    assert_eq!(l.at(a.rect.x + 1.0, a.rect.y + 1.0), Some(i as u32));
                    for b in &l.tiles[i + 1..] {
                        let apart = a.rect.x + a.rect.w <= b.rect.x
                            || b.rect.x + b.rect.w <= a.rect.x
                            || a.rect.y + a.rect.h <= b.rect.y
                            || b.rect.y + b.rect.h <= a.rect.y;
                        assert!(apart, "{a:?} {b:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn cells_stay_in_their_tile() {
        let (nodes, partitions) = site(&[(3, 4, 0), (3, 64, 4), (1, 256, 16)]);
        let l = layout(&nodes, &partitions, 900.0, 4000.0, None);
        assert_eq!(l.density, Density::Cells);
        for (tile, node) in l.tiles.iter().zip(&nodes) {
            let bottom = tile.rect.y + tile.rect.h;
            let last = if node.gpus > 0 { tile.gpu(node.gpus - 1) } else { tile.memory() };
            assert!(last.y + last.h <= bottom, "{tile:?}");
            let core = tile.core(tile.cells - 1);
            assert!(core.y + core.h <= tile.memory().y && core.x + core.w <= tile.rect.x + tile.rect.w);
        }
    }

    #[test]
    fn many_nodes_get_a_denser_picture() {
        let (nodes, partitions) = site(&[(200, 64, 0)]);
        assert_eq!(layout(&nodes, &partitions, 800.0, 400.0, None).density, Density::Blocks);
        assert_eq!(layout(&nodes, &partitions, 800.0, 700.0, None).density, Density::Bars);
    }

    #[test]
    fn runs_to_cells() {
        let run = |count, job| CoreRun { count, job, ..CoreRun::default() };
        let jobs = |runs: &[CoreRun], n, per| -> Vec<u32> {
            cells(runs, n, per).iter().map(|c| c.map_or(0, |c| c.job)).collect()
        };
        assert_eq!(jobs(&[run(2, 7), run(1, 0), run(1, 8)], 4, 1), [7, 7, 0, 8]);
        assert_eq!(jobs(&[run(3, 7), run(5, 0)], 4, 2), [7, 7, 0, 0]);
        assert_eq!(jobs(&[run(9, 7)], 4, 1), [7, 7, 7, 7]);
        assert_eq!(used(&[run(2, 7), run(1, 0)]), 2);
    }
}
