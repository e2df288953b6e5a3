//! Painting the timeline's shapes on a canvas, once for each picture that the browser draws.

use super::Chart;
use crate::ui::canvas::{Tokens, context, fill, lines, outline};
use crate::ui::state::{Page, Selection};
use crate::ui::travel::label;
use crate::view::cluster::Rect;
use crate::view::gantt::{AXIS, Ink, Look, Shape, shapes};
use crate::view::palette::job_colour;
use leptos::html::Canvas;
use leptos::prelude::*;
use std::collections::BTreeMap;
use wasm_bindgen::JsValue;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// Text on a job's colour, whatever the theme: the colours' lightness is the same in both.
const ON_JOB: &str = "oklch(0.17 0.02 260)";

/// Keeps what is costly to find out.
#[derive(Default)]
struct Painter {
    dark: Option<bool>,
    tokens: Tokens,
    colours: BTreeMap<(u32, u32), String>,
}

/// What is seen of the picture. Reads signals.
pub fn look(page: Page, size: (f64, f64)) -> Look {
    let selected = page.selection.with(|s| match s {
        Selection::Job(id) => Some(id.clone()),
        Selection::None | Selection::Node(_) => None,
    });
    Look { size, selected, me: page.user.get(), now_word: page.t().present }
}

/// Paints whenever something of the picture has changed.
pub fn follow(chart: Chart, canvas: NodeRef<Canvas>, brush: RwSignal<Option<(f64, f64)>>) {
    let Chart { page, picture, size, .. } = chart;
    let painter = StoredValue::new_local(Painter::default());
    Effect::new(move || {
        let (plan, look, brush, dark) = (chart.plan(), look(page, size.get()), brush.get(), page.dark.get());
        let (Some(picture), Some(canvas)) = (picture.get(), canvas.get()) else { return };
        let words = page.t();
        let shapes = shapes(&picture, &plan, &look, &|at, step| label(words, at, step));
        painter.try_update_value(|p| p.paint(&canvas, &shapes, look.size, brush, dark));
    });
}

impl Painter {
    fn paint(
        &mut self,
        canvas: &HtmlCanvasElement,
        shapes: &[Shape],
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

    fn shape(&mut self, ctx: &CanvasRenderingContext2d, shape: &Shape, dark: bool) {
        match shape {
            Shape::Fill(r, ink, alpha) => {
                ctx.set_global_alpha(f64::from(*alpha) / 100.0);
                fill(ctx, r, self.colour(*ink, dark));
                ctx.set_global_alpha(1.0);
            }
            Shape::Frame(r, ink, width, (on, off)) => {
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
            Shape::Lines(all, ink, width) => {
                ctx.set_stroke_style_str(self.colour(*ink, dark));
                ctx.set_line_width(*width);
                lines(ctx, all);
            }
            Shape::Text { x, y, middle, text, ink } => {
                ctx.set_fill_style_str(self.colour(*ink, dark));
                ctx.set_text_align(if *middle { "center" } else { "left" });
                // Text that cannot be written is only missing.
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
                self.colours.entry((user, job % 4)).or_insert_with(|| job_colour(user, job, dark))
            }
        }
    }
}

/// Dashes of what is drawn next; none: whole lines.
fn dash(ctx: &CanvasRenderingContext2d, on: f64, off: f64) {
    let lengths = js_sys::Array::new();
    if on > 0.0 {
        lengths.push(&JsValue::from_f64(on));
        lengths.push(&JsValue::from_f64(off));
    }
    // Numbers that are not negative cannot be refused.
    let _ = ctx.set_line_dash(&lengths);
}
