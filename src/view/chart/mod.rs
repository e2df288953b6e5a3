//! Charts with axes as plain data, drawn by plotters as SVG.
//!
//! Colours are class names of the style sheet (`www/charts.css`), so a chart follows the page's theme. Every text of a chart is escaped by
//! [`crate::svg`].

mod backend;
mod scale;

use crate::svg::Svg;
use backend::{ChartInk, SvgBackend};
use plotters::chart::{ChartBuilder, ChartContext, LabelAreaPosition};
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::{DrawingAreaErrorKind, IntoDrawingArea as _};
use plotters::element::{Circle, PathElement, Rectangle};
use plotters::series::{AreaSeries, LineSeries};
use scale::AxisScale;
use std::convert::Infallible;

/// A chart: what its axes and series show, without a size or colours.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// The accessible name.
    pub title: String,
    /// What the chart shows in words, for those who do not see it.
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

/// A colour of series in the style sheet, with dashes that tell it from the others without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the style sheet says what they look like")]
pub enum SeriesColour {
    First,
    Second,
    Third,
    Fourth,
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
}

impl SeriesColour {
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

type Plot<'a, 'b> = ChartContext<'a, SvgBackend<'b>, Cartesian2d<AxisScale, AxisScale>>;
type Drawn<T = ()> = Result<T, DrawingAreaErrorKind<Infallible>>;

impl Chart {
    /// The chart as an SVG element of this width.
    #[must_use]
    pub fn svg(&self, width: f64) -> String {
        let width = width.max(LEAST);
        let mut svg = Svg::default();
        svg.describe(&self.text);
        // The backend writes to memory and cannot fail, and the areas fit into the least width.
        let _ = self.draw(&mut svg, width);
        svg.finish(width, HEIGHT, &self.title)
    }

    fn draw(&self, svg: &mut Svg, width: f64) -> Drawn {
        let area = SvgBackend::new(svg, width, HEIGHT).into_drawing_area();
        let mut plot = ChartBuilder::on(&area)
            .margin_top(TOP * UNITS)
            .margin_right(RIGHT * UNITS)
            .x_label_area_size(FOOT * UNITS)
            .y_label_area_size(LEFT * UNITS)
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
        self.series.iter().try_for_each(|series| one(&mut plot, series))
    }
}

/// The label of a marked value.
fn label(axis: &ChartAxis, value: f64) -> String {
    let mark = axis.marks.iter().find(|(at, _)| at.to_bits() == value.to_bits());
    mark.map_or_else(String::new, |(_, text)| text.clone())
}

fn one(plot: &mut Plot<'_, '_>, series: &ChartSeries) -> Drawn {
    let colour = series.colour;
    match &series.shape {
        SeriesShape::Line(points) => {
            plot.draw_series(LineSeries::new(points.iter().copied(), ChartInk::Line(colour).style()))?;
        }
        SeriesShape::Area(points) => {
            plot.draw_series(AreaSeries::new(points.iter().copied(), 0.0, ChartInk::Area(colour).style()))?;
        }
        SeriesShape::Bars(bars) => {
            let style = ChartInk::Bar(colour).style().filled();
            let bar =
                |[from, until, height]: &[f64; 3]| Rectangle::new([(*from, *height), (*until, 0.0)], style);
            plot.draw_series(bars.iter().map(bar))?;
        }
        SeriesShape::Points(points) => {
            let drop =
                |at: &(f64, f64)| PathElement::new(vec![*at, (at.0, 0.0)], ChartInk::Drop(colour).style());
            plot.draw_series(points.iter().map(drop))?;
            let style = ChartInk::Point(colour).style().filled();
            plot.draw_series(points.iter().map(|at| Circle::new(*at, 3 * UNITS, style)))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
