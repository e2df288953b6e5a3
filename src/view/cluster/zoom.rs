//! How near one looks: from squares of a few pixels to cells that are seen from the back of a room.

use super::Density;

/// What a person chose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zoom {
    /// Whatever fits.
    #[default]
    Fit,
    /// As much of each node; squares as large as lets all of them be seen.
    Density(Density),
    /// A step of [`LEVELS`].
    Level(usize),
}

/// A step of the zoom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// How much of a node is shown.
    pub density: Density,
    /// Edge of a heat map's square.
    pub edge: f64,
    /// How much larger than usual everything is drawn.
    pub scale: f64,
}

const fn square(edge: f64) -> Level {
    Level { density: Density::Blocks, edge, scale: 1.0 }
}

const fn tile(density: Density, scale: f64) -> Level {
    Level { density, edge: SMALLEST.edge, scale }
}

const SMALLEST: Level = square(4.0);

/// The steps, from afar to near.
pub const LEVELS: [Level; 12] = [
    SMALLEST,
    square(6.0),
    square(8.0),
    square(10.0),
    square(13.0),
    square(16.0),
    square(24.0),
    tile(Density::Bars, 1.0),
    tile(Density::Bars, 1.4),
    tile(Density::Cells, 1.0),
    tile(Density::Cells, 1.5),
    tile(Density::Cells, 2.2),
];

/// A step, the last one for all that lie beyond it.
pub(super) fn level(at: usize) -> (usize, Level) {
    let at = at.min(LEVELS.len() - 1);
    (at, LEVELS.get(at).copied().unwrap_or(SMALLEST))
}

/// The first step of a density.
pub(super) fn usual(density: Density) -> usize {
    LEVELS.iter().position(|level| level.density == density).unwrap_or(0)
}

/// The steps of the heat map.
pub(super) fn squares() -> std::ops::Range<usize> {
    0..usual(Density::Bars)
}
