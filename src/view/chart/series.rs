//! Draws the series of a chart: each shape from elements of plotters.

use super::ink::{ChartInk, LEVELS};
use super::scale::AxisScale;
use super::{BoxPlot, ChartBackend, ChartSeries, Drawn, HeatCell, SeriesColour, SeriesShape, UNITS};
use plotters::chart::ChartContext;
use plotters::coord::cartesian::Cartesian2d;
use plotters::element::{Circle, PathElement, Polygon, Rectangle};
use plotters::series::{AreaSeries, LineSeries};

/// The frame of a chart on some backend.
type Plot<'a, B> = ChartContext<'a, B, Cartesian2d<AxisScale, AxisScale>>;

/// The corners of a step line: a value holds until the next one.
fn steps(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut corners = Vec::with_capacity(points.len() * 2);
    let mut height = None;
    for (x, y) in points {
        corners.extend(height.map(|before| (*x, before)));
        corners.push((*x, *y));
        height = Some(*y);
    }
    corners
}

/// The outline of a band: along its lower edge and back along the upper one.
fn outline(band: &[[f64; 3]]) -> Vec<(f64, f64)> {
    let lower = band.iter().map(|[x, low, _]| (*x, *low));
    lower.chain(band.iter().rev().map(|[x, _, high]| (*x, *high))).collect()
}

/// The level of a share between 0 and 1.
fn level(share: f64) -> u8 {
    (share.clamp(0.0, 1.0) * f64::from(LEVELS - 1)).round() as u8
}

/// Draws a series.
pub(super) fn one<B: ChartBackend>(plot: &mut Plot<'_, B>, series: &ChartSeries) -> Drawn {
    let colour = series.colour;
    let line = ChartInk::Line(colour).style();
    match &series.shape {
        SeriesShape::Line(points) => {
            plot.draw_series(LineSeries::new(points.iter().copied(), line))?;
        }
        SeriesShape::Steps(points) => {
            plot.draw_series(LineSeries::new(steps(points), line))?;
        }
        SeriesShape::Area(points) => {
            plot.draw_series(AreaSeries::new(points.iter().copied(), 0.0, ChartInk::Area(colour).style()))?;
        }
        SeriesShape::Band(band) => {
            plot.draw_series([Polygon::new(outline(band), ChartInk::Area(colour).style().filled())])?;
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
        SeriesShape::Boxes(boxes) => boxes.iter().try_for_each(|values| one_box(plot, values, colour))?,
        SeriesShape::Cells(cells) => {
            let cell = |HeatCell { x, y, share }: &HeatCell| {
                let style = ChartInk::Heat(level(*share)).style().filled();
                Rectangle::new([(x[0], y[1]), (x[1], y[0])], style)
            };
            plot.draw_series(cells.iter().map(cell))?;
        }
    }
    Ok(())
}

/// A box with its median, its whiskers and the values beyond them.
fn one_box<B: ChartBackend>(plot: &mut Plot<'_, B>, values: &BoxPlot, colour: SeriesColour) -> Drawn {
    let style = ChartInk::Box(colour).style();
    let BoxPlot { at, width, whiskers: [low, high], quartiles: [first, median, third], outliers } = values;
    let (left, right) = (at - width / 2.0, at + width / 2.0);
    plot.draw_series([Rectangle::new([(left, *third), (right, *first)], style.filled())])?;
    let lines = [
        vec![(left, *median), (right, *median)],
        vec![(*at, *low), (*at, *first)],
        vec![(*at, *third), (*at, *high)],
        vec![(at - width / 4.0, *low), (at + width / 4.0, *low)],
        vec![(at - width / 4.0, *high), (at + width / 4.0, *high)],
    ];
    plot.draw_series(lines.map(|line| PathElement::new(line, style)))?;
    let point = ChartInk::Point(colour).style().filled();
    plot.draw_series(outliers.iter().map(|value| Circle::new((*at, *value), 2 * UNITS, point)))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_of_a_step_line_holds_until_the_next() {
        assert_eq!(steps(&[(0.0, 1.0), (2.0, 3.0)]), [(0.0, 1.0), (2.0, 1.0), (2.0, 3.0)]);
        assert_eq!(steps(&[]), []);
    }

    #[test]
    fn a_band_goes_along_one_edge_and_back_along_the_other() {
        let corners = outline(&[[0.0, 1.0, 2.0], [1.0, 3.0, 5.0]]);
        assert_eq!(corners, [(0.0, 1.0), (1.0, 3.0), (1.0, 5.0), (0.0, 2.0)]);
    }

    #[test]
    fn levels_of_heat() {
        for (share, wanted) in [(-1.0, 0), (0.0, 0), (0.5, 4), (1.0, 8), (7.0, 8), (f64::NAN, 0)] {
            assert_eq!(level(share), wanted, "{share}");
        }
    }
}
