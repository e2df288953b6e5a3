//! Draws charts into an image with `tiny-skia`, for PNG files.
//!
//! Letters come from a font of bitmaps (Noto Sans Mono), so the same chart is the same file on every machine.

use super::ink::ChartInk;
use super::theme::{self, InkLook, Rgb};
use super::{Drawn, UNITS};
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use std::convert::Infallible;
use tiny_skia::{
    Color, FillRule, LineJoin, Paint, Path, PathBuilder, Pixmap, PremultipliedColorU8, Stroke, StrokeDash,
    Transform,
};

/// Image pixels in a pixel of the chart.
const SCALE: f32 = 2.0;
/// Image pixels in a unit of the backend.
const UNIT: f32 = SCALE / UNITS as f32;

/// Draws into an image.
pub(super) struct RasterBackend<'a> {
    image: &'a mut Pixmap,
    size: (u32, u32),
}

type RasterResult = Result<(), DrawingErrorKind<Infallible>>;

/// A PNG file of what `draw` draws; empty if there is no memory for the image.
pub(super) fn png(width: f64, height: f64, draw: impl FnOnce(RasterBackend<'_>) -> Drawn) -> Vec<u8> {
    let pixels = |length: f64| (length * f64::from(SCALE)) as u32;
    let Some(mut image) = Pixmap::new(pixels(width), pixels(height)) else { return Vec::new() };
    let [r, g, b] = theme::GROUND;
    image.fill(Color::from_rgba8(r, g, b, 255));
    let units = |length: f64| (length * f64::from(UNITS)) as u32;
    // The backend draws into memory and cannot fail.
    let _ = draw(RasterBackend { image: &mut image, size: (units(width), units(height)) });
    image.encode_png().unwrap_or_default()
}

fn point((x, y): BackendCoord) -> (f32, f32) {
    (x as f32 * UNIT, y as f32 * UNIT)
}

fn path_of(points: impl IntoIterator<Item = BackendCoord>) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (x, y) in points.into_iter().map(point) {
        if path.is_empty() { path.move_to(x, y) } else { path.line_to(x, y) }
    }
    path.finish()
}

fn paint([r, g, b]: Rgb, opacity: f32) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(r, g, b, (opacity * 255.0).round() as u8);
    paint
}

impl RasterBackend<'_> {
    fn fill(&mut self, path: &Path, look: InkLook) {
        if let Some((colour, opacity)) = look.fill {
            self.image.fill_path(
                path,
                &paint(colour, opacity),
                FillRule::Winding,
                Transform::identity(),
                None,
            );
        }
    }

    fn stroke(&mut self, path: &Path, look: InkLook) {
        if let Some((colour, width)) = look.stroke {
            let dashes: Vec<f32> = look.dashes.iter().map(|length| length * SCALE).collect();
            let dash = StrokeDash::new(dashes, 0.0);
            let stroke =
                Stroke { width: width * SCALE, line_join: LineJoin::Round, dash, ..Stroke::default() };
            self.image.stroke_path(path, &paint(colour, 1.0), &stroke, Transform::identity(), None);
        }
    }

    fn shape(&mut self, path: Option<Path>, colour: BackendColor) {
        if let (Some(path), Some(ink)) = (path, ChartInk::of(colour)) {
            let look = theme::look(ink);
            self.fill(&path, look);
            self.stroke(&path, look);
        }
    }

    fn line(&mut self, points: impl IntoIterator<Item = BackendCoord>, colour: BackendColor) {
        if let (Some(path), Some(ink)) = (path_of(points), ChartInk::of(colour)) {
            self.stroke(&path, theme::look(ink));
        }
    }

    /// Mixes a colour into a pixel. The ground is opaque, so the result is.
    fn mix(&mut self, x: i32, y: i32, [r, g, b]: Rgb, share: u8) {
        let (width, height) = (self.image.width(), self.image.height());
        let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else { return };
        if x >= width || y >= height || share == 0 {
            return;
        }
        let Some(pixel) = self.image.pixels_mut().get_mut((y * width + x) as usize) else { return };
        let mixed = |old: u8, new: u8| {
            let share = u32::from(share);
            ((u32::from(old) * (255 - share) + u32::from(new) * share) / 255) as u8
        };
        let (red, green, blue) = (mixed(pixel.red(), r), mixed(pixel.green(), g), mixed(pixel.blue(), b));
        if let Some(mixed) = PremultipliedColorU8::from_rgba(red, green, blue, 255) {
            *pixel = mixed;
        }
    }
}

impl DrawingBackend for RasterBackend<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> RasterResult {
        Ok(())
    }

    fn present(&mut self) -> RasterResult {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, colour: BackendColor) -> RasterResult {
        self.shape(path_of([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]), colour);
        Ok(())
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> RasterResult {
        self.line([from, to], style.color());
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (x, y): BackendCoord,
        (right, foot): BackendCoord,
        style: &S,
        _: bool,
    ) -> RasterResult {
        self.shape(path_of([(x, y), (right, y), (right, foot), (x, foot), (x, y)]), style.color());
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> RasterResult {
        self.line(path, style.color());
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        _: bool,
    ) -> RasterResult {
        let (x, y) = point(centre);
        self.shape(PathBuilder::from_circle(x, y, radius as f32 * UNIT), style.color());
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> RasterResult {
        if let (Some(path), Some(ink)) = (path_of(path), ChartInk::of(style.color())) {
            self.fill(&path, theme::look(ink));
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> RasterResult {
        let heading = ChartInk::of(style.color()) == Some(ChartInk::Title);
        let (weight, height) = if heading {
            (FontWeight::Bold, RasterHeight::Size24)
        } else {
            (FontWeight::Regular, RasterHeight::Size20)
        };
        let colour = if heading { theme::TEXT } else { theme::FAINT };
        let letter = get_raster_width(weight, height) as i32;
        let wide = letter * i32::try_from(text.chars().count()).unwrap_or(0);
        let (x, y) = point(at);
        let anchor = style.anchor();
        let left = x as i32
            - match anchor.h_pos {
                HPos::Left => 0,
                HPos::Center => wide / 2,
                HPos::Right => wide,
            };
        let top = y as i32
            - match anchor.v_pos {
                VPos::Top => 0,
                VPos::Center => height as i32 / 2,
                VPos::Bottom => height as i32,
            };
        for (column, c) in (0..).zip(text.chars()) {
            let glyph = get_raster(c, weight, height).or_else(|| get_raster('?', weight, height));
            for (down, row) in (0..).zip(glyph.iter().flat_map(|glyph| glyph.raster())) {
                for (across, share) in (0..).zip(row.iter()) {
                    self.mix(left + column * letter + across, top + down, colour, *share);
                }
            }
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
