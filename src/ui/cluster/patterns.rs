//! What a node's state looks like without its colour: dots, stripes, a cross, a frame, a rising bar.

use crate::ui::canvas::{Tokens, lines, outline};
use crate::view::cluster::Rect;
use crate::view::states::Pattern;
use web_sys::CanvasRenderingContext2d;

/// Draws it over the node's tile or square.
pub fn draw(ctx: &CanvasRenderingContext2d, t: &Tokens, r: &Rect, pattern: Pattern) {
    let colour = match pattern {
        Pattern::Down => &t.bad,
        Pattern::Draining | Pattern::PoweringUp => &t.warn,
        Pattern::Plain => return outline(ctx, r, &t.line, 1.0),
        Pattern::Planned | Pattern::Reserved | Pattern::Off => &t.faint,
    };
    ctx.save();
    ctx.begin_path();
    ctx.rect(r.x, r.y, r.w, r.h);
    ctx.clip();
    ctx.set_stroke_style_str(colour);
    ctx.set_fill_style_str(colour);
    ctx.set_line_width(1.0);
    ctx.set_global_alpha(0.55);
    match pattern {
        Pattern::Down => lines(ctx, &[(r.x, r.y, r.x + r.w, r.y + r.h), (r.x, r.y + r.h, r.x + r.w, r.y)]),
        Pattern::Draining => {
            let count = ((r.w + r.h) / 8.0) as u32;
            let all: Vec<_> = (1..=count)
                .map(|i| f64::from(i) * 8.0)
                .map(|d| (r.x + d, r.y, r.x + d - r.h, r.y + r.h))
                .collect();
            lines(ctx, &all);
        }
        Pattern::Planned => {
            let (across, down) = ((r.w / 6.0) as u32, (r.h / 6.0) as u32);
            for i in 0..across * down {
                let (x, y) = (f64::from(i % across), f64::from(i / across));
                ctx.fill_rect(r.x + 3.0 + x * 6.0, r.y + 3.0 + y * 6.0, 1.0, 1.0);
            }
        }
        Pattern::PoweringUp => ctx.fill_rect(r.x, r.y + r.h / 2.0, 3.0, r.h / 2.0),
        Pattern::Off => {
            ctx.set_fill_style_str(&t.tile);
            ctx.fill_rect(r.x, r.y, r.w, r.h);
        }
        Pattern::Reserved | Pattern::Plain => {}
    }
    ctx.restore();
    let (frame, width) = match pattern {
        Pattern::Reserved => (&t.normal, 2.0),
        // A frame of its own would look like a reservation.
        Pattern::Planned => (&t.line_strong, 1.0),
        Pattern::Down | Pattern::Draining | Pattern::PoweringUp | Pattern::Off | Pattern::Plain => {
            (colour, 1.0)
        }
    };
    outline(ctx, r, frame, width);
}
