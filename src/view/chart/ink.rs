//! The colours for plotters: an ink is a class of the style sheet.
//!
//! plotters knows colours only as red, green and blue. A style of these charts is a colour whose red is the index of its ink.

use super::SeriesColour;
use plotters::style::{RGBColor, ShapeStyle};
use plotters_backend::BackendColor;

/// Levels of a heat map.
pub(super) const LEVELS: u8 = 9;

/// A style of the charts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChartInk {
    Grid,
    Axis,
    Title,
    Label,
    Line(SeriesColour),
    Area(SeriesColour),
    Bar(SeriesColour),
    Point(SeriesColour),
    Drop(SeriesColour),
    Box(SeriesColour),
    /// A level of a heat map, below [`LEVELS`].
    Heat(u8),
}

/// Index of the first ink of a series.
const SERIES: u8 = 4;
/// Number of colours.
const COLOURS: u8 = SeriesColour::ALL.len() as u8;
/// Index of the first level of heat.
const HEAT: u8 = SERIES + 6 * COLOURS;

/// The classes: four of the frame, those of each shape in the eight colours, and the levels of heat.
const CLASSES: [&str; 61] = [
    "grid", "axis", "heading", "label", //
    "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", //
    "area-s1", "area-s2", "area-s3", "area-s4", "area-s5", "area-s6", "area-s7", "area-s8", //
    "bar-s1", "bar-s2", "bar-s3", "bar-s4", "bar-s5", "bar-s6", "bar-s7", "bar-s8", //
    "point-s1", "point-s2", "point-s3", "point-s4", "point-s5", "point-s6", "point-s7", "point-s8", //
    "drop-s1", "drop-s2", "drop-s3", "drop-s4", "drop-s5", "drop-s6", "drop-s7", "drop-s8", //
    "box-s1", "box-s2", "box-s3", "box-s4", "box-s5", "box-s6", "box-s7", "box-s8", //
    "heat-1", "heat-2", "heat-3", "heat-4", "heat-5", "heat-6", "heat-7", "heat-8", "heat-9",
];

impl ChartInk {
    fn index(self) -> u8 {
        let (shape, colour) = match self {
            Self::Grid => return 0,
            Self::Axis => return 1,
            Self::Title => return 2,
            Self::Label => return 3,
            Self::Heat(level) => return HEAT + level.min(LEVELS - 1),
            Self::Line(colour) => (0, colour),
            Self::Area(colour) => (1, colour),
            Self::Bar(colour) => (2, colour),
            Self::Point(colour) => (3, colour),
            Self::Drop(colour) => (4, colour),
            Self::Box(colour) => (5, colour),
        };
        SERIES + COLOURS * shape + colour as u8
    }

    /// The ink with an index.
    fn at(index: u8) -> Self {
        let colour = SeriesColour::ALL[usize::from(index.saturating_sub(SERIES) % COLOURS)];
        match index {
            0 => Self::Grid,
            1 => Self::Axis,
            2 => Self::Title,
            3 => Self::Label,
            HEAT.. => Self::Heat((index - HEAT).min(LEVELS - 1)),
            _ => match (index - SERIES) / COLOURS {
                0 => Self::Line(colour),
                1 => Self::Area(colour),
                2 => Self::Bar(colour),
                3 => Self::Point(colour),
                4 => Self::Drop(colour),
                _ => Self::Box(colour),
            },
        }
    }

    /// The ink of a drawn shape; `None` if it is transparent.
    pub(super) fn of(colour: BackendColor) -> Option<Self> {
        (colour.alpha > 0.0).then(|| Self::at(colour.rgb.0))
    }

    pub(super) fn class(self) -> &'static str {
        CLASSES.get(usize::from(self.index())).copied().unwrap_or_default()
    }

    pub(super) fn colour(self) -> RGBColor {
        RGBColor(self.index(), 0, 0)
    }

    pub(super) fn style(self) -> ShapeStyle {
        ShapeStyle::from(&self.colour())
    }

    /// All inks.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..HEAT + LEVELS).map(Self::at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ink_has_a_class_of_its_own() {
        let inks: Vec<ChartInk> = ChartInk::all().collect();
        assert_eq!(inks.len(), CLASSES.len());
        for (index, ink) in (0..).zip(&inks) {
            assert_eq!((ink.index(), ink.class()), (index, CLASSES[usize::from(index)]));
        }
        assert_eq!(ChartInk::Box(SeriesColour::Eighth).class(), "box-s8");
        assert_eq!(ChartInk::Heat(200).class(), "heat-9");
    }
}
