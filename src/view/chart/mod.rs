//! Charts with axes as plain data, drawn by plotters: as SVG for the page, and as SVG or PNG files for reports.
//!
//! On the page, colours are class names of the style sheet (`www/charts.css`), so a chart follows the page's theme. A file
//! ([`ChartFile`]) brings its own style sheet. Every text of a chart is escaped by [`crate::svg`].

mod backend;
mod file;
mod ink;
#[cfg(feature = "png")]
mod raster;
mod scale;
mod series;
mod statistics;
mod theme;

pub use file::ChartFile;
pub use statistics::{cumulative, histogram, quantile};

use crate::svg::Svg;
use backend::SvgBackend;
use ink::ChartInk;
use plotters::chart::{ChartBuilder, LabelAreaPosition};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea as _};
use plotters_backend::DrawingBackend;
use scale::AxisScale;
use std::convert::Infallible;

/// A chart: what its axes and series show, without a size or colours.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// The accessible name.
    pub title: String,
    /// A text alternative, for readers who cannot see the chart.
    pub text: String,
    /// The horizontal axis.
    pub x: ChartAxis,
    /// The vertical axis.
    pub y: ChartAxis,
    /// The series, in the order of the legend. Later ones are drawn over earlier ones.
    pub series: Vec<ChartSeries>,
}

/// An axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChartAxis {
    /// Values at the two ends.
    pub ends: (f64, f64),
    /// Marked values with their labels, which may be empty.
    pub marks: Vec<(f64, String)>,
}

/// A series of values.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartSeries {
    /// The name in the legend.
    pub name: String,
    /// Its colour and dashes.
    pub colour: SeriesColour,
    /// How it is drawn, with its values.
    pub shape: SeriesShape,
}

/// A colour of series in the style sheet, with dashes that distinguish it from the others without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the style sheet says what they look like")]
pub enum SeriesColour {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
    Seventh,
    Eighth,
}

/// How a series is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum SeriesShape {
    /// A line through points.
    Line(Vec<(f64, f64)>),
    /// The area between a line and the horizontal axis.
    Area(Vec<(f64, f64)>),
    /// Bars on the horizontal axis: left end, right end, height.
    Bars(Vec<[f64; 3]>),
    /// Points, each with a line down to the horizontal axis.
    Points(Vec<(f64, f64)>),
    /// A line whose values hold until the next one.
    Steps(Vec<(f64, f64)>),
    /// The area between two lines, such as a confidence band: place, lower end, upper end.
    Band(Vec<[f64; 3]>),
    /// Box plots.
    Boxes(Vec<BoxPlot>),
    /// The cells of a heat map. They have colours of their own.
    Cells(Vec<HeatCell>),
}

/// A box plot of some values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoxPlot {
    /// Its place on the horizontal axis.
    pub at: f64,
    /// Its width on the horizontal axis.
    pub width: f64,
    /// The ends of the whiskers.
    pub whiskers: [f64; 2],
    /// The lower edge, the median and the upper edge.
    pub quartiles: [f64; 3],
    /// The values beyond the whiskers.
    pub outliers: Vec<f64>,
}

/// A cell of a heat map.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeatCell {
    /// Its two ends on the horizontal axis.
    pub x: [f64; 2],
    /// Its two ends on the vertical axis.
    pub y: [f64; 2],
    /// Its heat, from 0 to 1.
    pub share: f64,
}

impl SeriesColour {
    /// All colours, in the order in which series take them.
    pub const ALL: [Self; 8] = [
        Self::First,
        Self::Second,
        Self::Third,
        Self::Fourth,
        Self::Fifth,
        Self::Sixth,
        Self::Seventh,
        Self::Eighth,
    ];

    /// The class of a line, and of the key in the legend.
    #[must_use]
    pub fn class(self) -> &'static str {
        ChartInk::Line(self).class()
    }
}

/// Pixels around the frame: left, right, top and bottom.
const LEFT: i32 = 42;
const RIGHT: i32 = 14;
const TOP: i32 = 10;
const FOOT: i32 = 22;
/// Height of a chart in pixels.
pub const HEIGHT: f64 = 150.0;
/// Least width in pixels, so that there is a frame between the labels.
const LEAST: f64 = 120.0;
/// Backend units in a pixel: plotters counts in whole units.
const UNITS: i32 = 10;
/// Length of the marks on the axes, in pixels.
const MARK: i32 = 4;

/// A plotters backend that writes to memory.
trait ChartBackend: DrawingBackend<ErrorType = Infallible> {}

impl<B: DrawingBackend<ErrorType = Infallible>> ChartBackend for B {}

type Drawn<T = ()> = Result<T, DrawingAreaErrorKind<Infallible>>;

impl Chart {
    /// The chart as an SVG element of this width.
    #[must_use]
    pub fn svg(&self, width: f64) -> String {
        let width = width.max(LEAST);
        let mut svg = Svg::default();
        svg.describe(&self.text);
        // The backend writes to memory and cannot fail, and the areas fit into the least width.
        let _ = self.draw(&SvgBackend::new(&mut svg, width, HEIGHT).into_drawing_area(), LEFT);
        svg.finish(width, HEIGHT, &self.title)
    }

    /// Draws the frame and the series, with `left` pixels for the labels of the vertical axis.
    fn draw<B: ChartBackend>(&self, area: &DrawingArea<B, Shift>, left: i32) -> Drawn {
        let mut plot = ChartBuilder::on(area)
            .margin_top(TOP * UNITS)
            .margin_right(RIGHT * UNITS)
            .x_label_area_size(FOOT * UNITS)
            .y_label_area_size(left * UNITS)
            .build_cartesian_2d(AxisScale::new(&self.x), AxisScale::new(&self.y))?;
        plot.configure_mesh()
            .disable_x_mesh()
            .bold_line_style(ChartInk::Grid.style())
            .axis_style(ChartInk::Axis.style())
            .set_tick_mark_size(LabelAreaPosition::Left, MARK * UNITS)
            .set_tick_mark_size(LabelAreaPosition::Bottom, MARK * UNITS)
            .x_label_formatter(&|value| label(&self.x, *value))
            .y_label_formatter(&|value| label(&self.y, *value))
            .draw()?;
        self.series.iter().try_for_each(|series| series::one(&mut plot, series))
    }
}

/// The label of a marked value.
fn label(axis: &ChartAxis, value: f64) -> String {
    let mark = axis.marks.iter().find(|(at, _)| at.to_bits() == value.to_bits());
    mark.map_or_else(String::new, |(_, text)| text.clone())
}

#[cfg(test)]
mod tests;
