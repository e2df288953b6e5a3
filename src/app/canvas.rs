//! Shared by all canvases: the style sheet's tokens, the screen's resolution, and a few drawing functions.

use view::cluster::Rect;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, Element, HtmlCanvasElement};

/// The style sheet's tokens, as computed for the canvas.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    pub strong: String,
    pub normal: String,
    pub faint: String,
    pub free: String,
    pub tile: String,
    pub surface: String,
    pub line: String,
    pub line_strong: String,
    pub accent: String,
    pub good: String,
    pub bad: String,
    pub run: String,
    pub warn: String,
    pub memory: String,
    pub font: String,
    pub mono: String,
}

impl Tokens {
    /// Those of an element.
    pub fn read(element: &Element) -> Self {
        let style = web_sys::window().and_then(|w| w.get_computed_style(element).ok().flatten());
        let get = |name: &str| {
            let value = style.as_ref().and_then(|s| s.get_property_value(name).ok()).unwrap_or_default();
            value.trim().to_owned()
        };
        Self {
            strong: get("--text-strong"),
            normal: get("--text-normal"),
            faint: get("--text-faint"),
            free: get("--cell-free"),
            tile: get("--tile"),
            surface: get("--surface-1"),
            line: get("--line"),
            line_strong: get("--line-strong"),
            accent: get("--accent"),
            good: get("--good"),
            bad: get("--bad"),
            run: get("--run"),
            warn: get("--warn"),
            memory: get("--memory"),
            font: get("--sans"),
            mono: get("--mono"),
        }
    }
}

/// The drawing context, at the screen's resolution.
pub fn context(canvas: &HtmlCanvasElement, (width, height): (f64, f64)) -> Option<CanvasRenderingContext2d> {
    let ratio = web_sys::window()?.device_pixel_ratio().clamp(1.0, 3.0);
    let (w, h) = ((width * ratio).round() as u32, (height * ratio).round() as u32);
    if canvas.width() != w || canvas.height() != h {
        canvas.set_width(w);
        canvas.set_height(h);
    }
    let ctx: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    ctx.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0).ok()?;
    Some(ctx)
}

pub fn part(of: f64, whole: f64) -> f64 {
    if whole > 0.0 { (of / whole).clamp(0.0, 1.0) } else { 0.0 }
}

pub fn fill(ctx: &CanvasRenderingContext2d, r: &Rect, colour: &str) {
    ctx.set_fill_style_str(colour);
    rectangle(ctx, r);
}

pub fn rectangle(ctx: &CanvasRenderingContext2d, r: &Rect) {
    ctx.fill_rect(r.x, r.y, r.w, r.h);
}

pub fn outline(ctx: &CanvasRenderingContext2d, r: &Rect, colour: &str, width: f64) {
    ctx.set_stroke_style_str(colour);
    ctx.set_line_width(width);
    ctx.stroke_rect(r.x + 0.5, r.y + 0.5, r.w - 1.0, r.h - 1.0);
}

/// Draws lines, each `(x0, y0, x1, y1)`.
pub fn lines(ctx: &CanvasRenderingContext2d, all: &[(f64, f64, f64, f64)]) {
    ctx.begin_path();
    for (x0, y0, x1, y1) in all {
        ctx.move_to(*x0, *y0);
        ctx.line_to(*x1, *y1);
    }
    ctx.stroke();
}

/// Draws a text and returns where it ends.
pub fn text(ctx: &CanvasRenderingContext2d, text: &str, x: f64, y: f64, font: &str, colour: &str) -> f64 {
    ctx.set_font(font);
    ctx.set_fill_style_str(colour);
    // Text at finite coordinates is always drawn.
    let _ = ctx.fill_text(text, x, y);
    x + ctx.measure_text(text).map_or(0.0, |m| m.width())
}
