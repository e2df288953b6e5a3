//! Paints the timeline's shapes on a canvas, at most once per animation frame.

use super::Timeline;
use crate::canvas::{Tokens, context, fill, lines, outline};
use crate::page::{Page, Selection};
use crate::travel::label;
use leptos::html::Canvas;
use leptos::prelude::*;
use std::collections::BTreeMap;
use view::cluster::Rect;
use view::gantt::{AXIS, GanttShape, GanttView, Ink, shapes};
use view::palette::{job_colour, quiet_colour};
use wasm_bindgen::JsValue;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// Text on a job's colour. The colours have the same lightness in both themes.
const ON_JOB: &str = "oklch(0.17 0.02 260)";

/// Caches what is costly to compute.
#[derive(Default)]
struct TimelinePainter {
    dark: Option<bool>,
    tokens: Tokens,
    colours: BTreeMap<(u32, u32, bool), String>,
}

/// The settings of the picture. Reads signals.
pub fn look(page: Page, size: (f64, f64)) -> GanttView {
    let selected = page.selection.with(|s| match s {
        Selection::Job(id) => Some(id.clone()),
        Selection::None | Selection::Node(_) => None,
    });
    GanttView { size, selected, me: page.user.get(), now_word: page.t().present }
}

/// Paints whenever the picture changes.
pub fn follow(chart: Timeline, canvas: NodeRef<Canvas>, brush: RwSignal<Option<(f64, f64)>>) {
    let Timeline { page, picture, size, .. } = chart;
    let painter = StoredValue::new_local(TimelinePainter::default());
    Effect::new(move || {
        let (plan, look, brush, dark) =
            (chart.plan(), look(page, size.get()), brush.get(), page.prefs.dark.get());
        let (Some(picture), Some(canvas)) = (picture.get(), canvas.get()) else { return };
        let words = page.t();
        let shapes = shapes(&picture, &plan, &look, &|at, step| label(words, at, step));
        painter.try_update_value(|p| p.paint(&canvas, &shapes, look.size, brush, dark));
    });
}

impl TimelinePainter {
    fn paint(
        &mut self,
        canvas: &HtmlCanvasElement,
        shapes: &[GanttShape],
        size: (f64, f64),
        brush: Option<(f64, f64)>,
        dark: bool,
    ) {
        let Some(ctx) = context(canvas, size) else { return };
        if self.dark != Some(dark) {
            *self = Self { dark: Some(dark), tokens: Tokens::read(canvas), colours: BTreeMap::new() };
        }
        ctx.clear_rect(0.0, 0.0, size.0, size.1);
        ctx.set_font(&format!("12px {}", self.tokens.font));
        ctx.set_text_baseline("middle");
        for shape in shapes {
            self.shape(&ctx, shape, dark);
        }
        if let Some((a, b)) = brush.filter(|(a, b)| (a - b).abs() > 3.0) {
            ctx.set_global_alpha(0.18);
            fill(
                &ctx,
                &Rect { x: a.min(b), y: AXIS, w: (a - b).abs(), h: size.1 - AXIS },
                &self.tokens.accent,
            );
            ctx.set_global_alpha(1.0);
        }
    }

    fn shape(&mut self, ctx: &CanvasRenderingContext2d, shape: &GanttShape, dark: bool) {
        match shape {
            GanttShape::Fill(r, ink, alpha) => {
                ctx.set_global_alpha(f64::from(*alpha) / 100.0);
                fill(ctx, r, self.colour(*ink, dark));
                ctx.set_global_alpha(1.0);
            }
            GanttShape::Frame(r, ink, width, (on, off)) => {
                dash(ctx, *on, *off);
                ctx.set_line_width(*width);
                outline(
                    ctx,
                    &Rect { x: r.x - 0.5, y: r.y - 0.5, w: r.w + 1.0, h: r.h + 1.0 },
                    self.colour(*ink, dark),
                    *width,
                );
                dash(ctx, 0.0, 0.0);
            }
            GanttShape::Lines(all, ink, width) => {
                ctx.set_stroke_style_str(self.colour(*ink, dark));
                ctx.set_line_width(*width);
                lines(ctx, all);
            }
            GanttShape::Text { x, y, middle, text, ink } => {
                ctx.set_fill_style_str(self.colour(*ink, dark));
                ctx.set_text_align(if *middle { "center" } else { "left" });
                // A text that cannot be drawn is only missing.
                let _ = ctx.fill_text(text, *x, *y);
            }
        }
    }

    fn colour(&mut self, ink: Ink, dark: bool) -> &str {
        let t = &self.tokens;
        match ink {
            Ink::Strong => &t.strong,
            Ink::Faint => &t.faint,
            Ink::Line => &t.line,
            Ink::Accent => &t.accent,
            Ink::Bad => &t.bad,
            Ink::Warn => &t.warn,
            Ink::Run => &t.run,
            Ink::Free => &t.memory,
            Ink::Surface => &t.surface,
            Ink::OnJob => ON_JOB,
            Ink::Job(user, job) => {
                self.colours.entry((user, job % 4, true)).or_insert_with(|| job_colour(user, job, dark))
            }
            Ink::Quiet(user, job) => {
                self.colours.entry((user, job % 4, false)).or_insert_with(|| quiet_colour(user, job, dark))
            }
        }
    }
}

/// Sets the dashes of the next lines; 0: solid lines.
fn dash(ctx: &CanvasRenderingContext2d, on: f64, off: f64) {
    let lengths = js_sys::Array::new();
    if on > 0.0 {
        lengths.push(&JsValue::from_f64(on));
        lengths.push(&JsValue::from_f64(off));
    }
    // Non-negative numbers are always accepted.
    let _ = ctx.set_line_dash(&lengths);
}
