//! Writes what plotters draws as SVG whose colours are classes of the style sheet.

use super::UNITS;
use super::ink::ChartInk;
use crate::cluster::Rect;
use crate::svg::{Svg, path_of};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use std::convert::Infallible;

/// The class of a drawn shape; `None` if it is transparent.
fn class(colour: BackendColor) -> Option<&'static str> {
    ChartInk::of(colour).map(ChartInk::class)
}

/// Writes into a picture of a given size.
pub(super) struct SvgBackend<'a> {
    svg: &'a mut Svg,
    size: (u32, u32),
}

type DrawResult = Result<(), DrawingErrorKind<Infallible>>;

impl<'a> SvgBackend<'a> {
    pub(super) fn new(svg: &'a mut Svg, width: f64, height: f64) -> Self {
        let units = |length: f64| (length * f64::from(UNITS)) as u32;
        Self { svg, size: (units(width), units(height)) }
    }
}

fn pixels((x, y): BackendCoord) -> (f64, f64) {
    (f64::from(x) / f64::from(UNITS), f64::from(y) / f64::from(UNITS))
}

impl DrawingBackend for SvgBackend<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> DrawResult {
        Ok(())
    }

    fn present(&mut self) -> DrawResult {
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, colour: BackendColor) -> DrawResult {
        let (x, y) = pixels(point);
        class(colour).into_iter().for_each(|class| self.svg.rect(class, Rect { x, y, w: 0.1, h: 0.1 }, ""));
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> DrawResult {
        class(style.color()).into_iter().for_each(|class| self.svg.line(class, pixels(from), pixels(to)));
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        _: bool,
    ) -> DrawResult {
        let ((x, y), (right, foot)) = (pixels(from), pixels(to));
        let rect = Rect { x, y, w: right - x, h: foot - y };
        class(style.color()).into_iter().for_each(|class| self.svg.rect(class, rect, ""));
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> DrawResult {
        let Some(class) = class(style.color()) else { return Ok(()) };
        self.svg.path(class, &path_of(path.into_iter().map(pixels)), "");
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        _: bool,
    ) -> DrawResult {
        let radius = f64::from(radius) / f64::from(UNITS);
        class(style.color()).into_iter().for_each(|class| self.svg.circle(class, pixels(centre), radius));
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> DrawResult {
        self.draw_path(path, style)
    }

    /// Labels of the axes, and the texts of a file. The style sheet has their font and colour.
    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> DrawResult {
        let anchor = style.anchor();
        let class = match (ChartInk::of(style.color()), anchor.h_pos) {
            (Some(ChartInk::Title), _) => "heading",
            (Some(ChartInk::Label), HPos::Left) => "label",
            (Some(ChartInk::Label), HPos::Center) => "label middle",
            (Some(ChartInk::Label), HPos::Right) => "label end",
            (_, HPos::Left) => "tick start",
            (_, HPos::Center) => "tick middle",
            (_, HPos::Right) => "tick end",
        };
        // From the anchor to the base line of 11 px type.
        let down = match anchor.v_pos {
            VPos::Top => 9.0,
            VPos::Center => 4.0,
            VPos::Bottom => -2.0,
        };
        let (x, y) = pixels(at);
        if !text.is_empty() {
            self.svg.text(class, x, y + down, text);
        }
        Ok(())
    }

    /// No layout depends on it: the areas of the labels have fixed sizes.
    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        _: &str,
        _: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        Ok((0, 0))
    }
}
