//! Charts as files: the drawing of the page with its title, the names of its axes and its legend, as SVG or PNG.
//!
//! An SVG file has its own style sheet, so it can stand alone or in a page. Nothing in a file depends on the fonts of the machine
//! that makes it: the width of texts is estimated.

use super::ink::ChartInk;
use super::{Chart, ChartBackend, ChartSeries, Drawn, SeriesShape, SvgBackend, UNITS, theme};
use crate::svg::{Svg, escape};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea as _};
use plotters::element::{Circle, PathElement, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{IntoFont as _, TextStyle};

/// Least size in pixels.
const LEAST: (f64, f64) = (240.0, 160.0);
/// Largest size in pixels.
const MOST: (f64, f64) = (4000.0, 4000.0);
/// Height of the title, and of the name of an axis.
const TITLE: i32 = 22;
const NAME: i32 = 16;
/// Height of a row of the legend.
const ROW: i32 = 18;
/// Width of a symbol in the legend, with the gap behind it, and the gap between entries.
const SYMBOL: i32 = 22;
const GAP: i32 = 6;
const BETWEEN: i32 = 18;
/// Pixels around everything.
const EDGE: i32 = 12;
/// Pixels for the labels of the vertical axis.
const LEFT: i32 = 58;
/// Estimated width of a letter of 11 pixels.
const LETTER: i32 = 7;

/// A chart as a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChartFile<'a> {
    /// The chart.
    pub chart: &'a Chart,
    /// Width and height in pixels.
    pub size: (f64, f64),
    /// The name of the horizontal axis; may be empty.
    pub x_name: &'a str,
    /// The name of the vertical axis; may be empty.
    pub y_name: &'a str,
}

/// An entry of the legend with its place, in pixels from the top left of the legend.
struct LegendPlace<'a> {
    series: &'a ChartSeries,
    x: i32,
    y: i32,
}

impl ChartFile<'_> {
    /// The whole picture as an SVG document, which can also be embedded in an HTML page.
    #[must_use]
    pub fn svg(&self) -> String {
        let (width, height) = self.size();
        let mut svg = Svg::default();
        // The backend writes to memory and cannot fail, and the areas fit into the least size.
        let _ = self.draw(SvgBackend::new(&mut svg, width, height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" aria-label=\"{}\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\"><desc>{}</desc><style>{}</style>\
             <rect width=\"100%\" height=\"100%\" fill=\"{}\"/>{}</svg>\n",
            escape(&self.chart.title),
            escape(&self.chart.text),
            theme::style_sheet(),
            theme::hex(theme::GROUND),
            svg.into_body()
        )
    }

    /// The whole picture as PNG, at twice its size for dense screens.
    #[cfg(feature = "png")]
    #[must_use]
    pub fn png(&self) -> Vec<u8> {
        let (width, height) = self.size();
        super::raster::png(width, height, |backend| self.draw(backend))
    }

    pub(super) fn size(&self) -> (f64, f64) {
        let bounded = |value: f64, least: f64, most: f64| value.max(least).min(most).round();
        (bounded(self.size.0, LEAST.0, MOST.0), bounded(self.size.1, LEAST.1, MOST.1))
    }

    /// The legend's entries with their positions, and the height of the legend.
    fn legend(&self) -> (Vec<LegendPlace<'_>>, i32) {
        let width = self.size().0 as i32 - 2 * EDGE;
        let (mut x, mut y) = (0, 0);
        let mut entries = Vec::new();
        for series in self.chart.series.iter().filter(|series| !series.name.is_empty()) {
            let wide = SYMBOL + GAP + LETTER * i32::try_from(series.name.chars().count()).unwrap_or(0);
            if x > 0 && x + wide > width {
                (x, y) = (0, y + ROW);
            }
            entries.push(LegendPlace { series, x, y });
            x += wide + BETWEEN;
        }
        let height = if entries.is_empty() { 0 } else { y + ROW };
        (entries, height)
    }

    fn draw<B: ChartBackend>(&self, backend: B) -> Drawn {
        let area = backend.into_drawing_area();
        let (legend, legend_height) = self.legend();
        let title = if self.chart.title.is_empty() { 0 } else { TITLE };
        let y_name = if self.y_name.is_empty() { 0 } else { NAME };
        let x_name = if self.x_name.is_empty() { 0 } else { NAME };
        let (width, height) = self.size();
        let foot = x_name + legend_height;
        let frame =
            area.margin((EDGE / 2 + title + y_name) * UNITS, (EDGE / 2 + foot) * UNITS, 0, EDGE / 2 * UNITS);
        write(&area, ChartInk::Title, HPos::Left, (EDGE, EDGE / 2), &self.chart.title)?;
        write(&area, ChartInk::Label, HPos::Left, (EDGE, EDGE / 2 + title), self.y_name)?;
        let below = height as i32 - EDGE / 2 - foot;
        write(&area, ChartInk::Label, HPos::Right, (width as i32 - EDGE, below), self.x_name)?;
        for LegendPlace { series, x, y } in legend {
            let (x, y) = (EDGE + x, below + x_name + y);
            symbol(&area, series, (x, y))?;
            write(&area, ChartInk::Label, HPos::Left, (x + SYMBOL + GAP, y + 2), &series.name)?;
        }
        self.chart.draw(&frame, LEFT)
    }
}

/// Writes a text with its top at a place in pixels.
fn write<B: ChartBackend>(
    area: &DrawingArea<B, Shift>,
    ink: ChartInk,
    side: HPos,
    (x, y): (i32, i32),
    text: &str,
) -> Drawn {
    if text.is_empty() {
        return Ok(());
    }
    let colour = ink.colour();
    let style = TextStyle::from(("sans-serif", 11).into_font()).pos(Pos::new(side, VPos::Top)).color(&colour);
    area.draw(&Text::new(text.to_owned(), (x * UNITS, y * UNITS), style))
}

/// Draws what a series looks like, at a place in pixels.
fn symbol<B: ChartBackend>(area: &DrawingArea<B, Shift>, series: &ChartSeries, (x, y): (i32, i32)) -> Drawn {
    let at = |across: i32, down: i32| ((x + across) * UNITS, (y + down) * UNITS);
    let rectangle = |ink: ChartInk, left: i32, right: i32| {
        area.draw(&Rectangle::new([at(left, 4), at(right, 14)], ink.style().filled()))
    };
    let colour = series.colour;
    match series.shape {
        SeriesShape::Line(_) | SeriesShape::Steps(_) => {
            area.draw(&PathElement::new(vec![at(0, 9), at(SYMBOL, 9)], ChartInk::Line(colour).style()))
        }
        SeriesShape::Area(_) | SeriesShape::Band(_) => rectangle(ChartInk::Area(colour), 0, SYMBOL),
        SeriesShape::Bars(_) => rectangle(ChartInk::Bar(colour), 0, SYMBOL),
        SeriesShape::Boxes(_) => rectangle(ChartInk::Box(colour), 2, SYMBOL - 2),
        SeriesShape::Points(_) => {
            area.draw(&Circle::new(at(SYMBOL / 2, 9), 3 * UNITS, ChartInk::Point(colour).style().filled()))
        }
        // The scale from cold to hot.
        SeriesShape::Cells(_) => (0..SYMBOL / 2).try_for_each(|step| {
            rectangle(ChartInk::Heat((step * 9 / (SYMBOL / 2)) as u8), 2 * step, 2 * step + 2)
        }),
    }
}
