//! Zoom levels: from squares of a few pixels to cells that can be seen from the back of a room.

use super::Density;

/// The user's choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zoom {
    /// Automatic.
    #[default]
    Fit,
    /// A fixed density; squares as large as fit.
    Density(Density),
    /// A fixed level of [`LEVELS`].
    Level(usize),
}

/// A zoom level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Level of detail.
    pub density: Density,
    /// Edge of a heat-map square in pixels.
    pub edge: f64,
    /// Scale factor.
    pub scale: f64,
}

const fn square(edge: f64) -> Level {
    Level { density: Density::Blocks, edge, scale: 1.0 }
}

const fn tile(density: Density, scale: f64) -> Level {
    Level { density, edge: SMALLEST.edge, scale }
}

const SMALLEST: Level = square(4.0);

/// Levels from far to near.
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

/// A level; the last one for any larger index.
pub(super) fn level(at: usize) -> (usize, Level) {
    let at = at.min(LEVELS.len() - 1);
    (at, LEVELS.get(at).copied().unwrap_or(SMALLEST))
}

/// The first level of a density.
pub(super) fn usual(density: Density) -> usize {
    LEVELS.iter().position(|level| level.density == density).unwrap_or(0)
}

/// The heat-map levels.
pub(super) fn squares() -> std::ops::Range<usize> {
    0..usual(Density::Bars)
}
