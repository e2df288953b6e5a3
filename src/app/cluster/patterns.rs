//! The pattern of each node state, for readers who cannot tell the colours: dots, stripes, a cross, a frame, a rising bar.

use crate::canvas::{Tokens, lines, outline};
use view::cluster::Rect;
use view::states::NodePattern;
use web_sys::CanvasRenderingContext2d;

/// Draws a pattern over a node's tile or square.
pub fn draw(ctx: &CanvasRenderingContext2d, t: &Tokens, r: &Rect, pattern: NodePattern) {
    let colour = match pattern {
        NodePattern::Down => &t.bad,
        NodePattern::Draining | NodePattern::PoweringUp => &t.warn,
        NodePattern::Plain => return outline(ctx, r, &t.line, 1.0),
        NodePattern::Planned | NodePattern::Reserved | NodePattern::Off => &t.faint,
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
        NodePattern::Down => {
            lines(ctx, &[(r.x, r.y, r.x + r.w, r.y + r.h), (r.x, r.y + r.h, r.x + r.w, r.y)])
        }
        NodePattern::Draining => {
            let count = ((r.w + r.h) / 8.0) as u32;
            let all: Vec<_> = (1..=count)
                .map(|i| f64::from(i) * 8.0)
                .map(|d| (r.x + d, r.y, r.x + d - r.h, r.y + r.h))
                .collect();
            lines(ctx, &all);
        }
        NodePattern::Planned => {
            let (across, down) = ((r.w / 6.0) as u32, (r.h / 6.0) as u32);
            for i in 0..across * down {
                let (x, y) = (f64::from(i % across), f64::from(i / across));
                ctx.fill_rect(r.x + 3.0 + x * 6.0, r.y + 3.0 + y * 6.0, 1.0, 1.0);
            }
        }
        NodePattern::PoweringUp => ctx.fill_rect(r.x, r.y + r.h / 2.0, 3.0, r.h / 2.0),
        NodePattern::Off => {
            ctx.set_fill_style_str(&t.tile);
            ctx.fill_rect(r.x, r.y, r.w, r.h);
        }
        NodePattern::Reserved | NodePattern::Plain => {}
    }
    ctx.restore();
    let (frame, width) = match pattern {
        NodePattern::Reserved => (&t.normal, 2.0),
        // A frame in its own colour would look like a reservation.
        NodePattern::Planned => (&t.line_strong, 1.0),
        NodePattern::Down
        | NodePattern::Draining
        | NodePattern::PoweringUp
        | NodePattern::Off
        | NodePattern::Plain => (colour, 1.0),
    };
    outline(ctx, r, frame, width);
}
