//! Paints the time line: the past as a bar, planned time dotted, and a mark for each event of the user's jobs.

use crate::canvas::{Tokens, context, lines};
use crate::i18n::Words;
use protocol::{Micros, TimeLine, TimeMark, TimeMarkKind};
use view::times::civil;
use view::travel::Scale;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// The settings that affect how the timeline looks.
pub struct LineLook {
    pub size: (f64, f64),
    pub dark: bool,
    /// The moment that the page shows, and whether it is in the past.
    pub shown: Micros,
    pub past: bool,
    /// The pointer's position, as a share of the width.
    pub hover: Option<f64>,
}

/// Caches the style sheet's tokens.
#[derive(Default)]
pub struct LinePainter {
    dark: Option<bool>,
    tokens: Tokens,
}

/// The vertical centres of the bar, of the marks above it, and of the labels above those.
const BAR: f64 = 33.0;
const SIGNS: f64 = 21.0;
const LABELS: f64 = 9.0;
/// The width of a label.
const LABEL: f64 = 46.0;
/// The margin at both ends, for half a mark.
const EDGE: f64 = 8.0;

/// A pointer's position on the line, as a share of its width.
pub fn position(x: f64, width: f64) -> f64 {
    (x - EDGE) / (width - 2.0 * EDGE).max(1.0)
}

/// One painting.
struct LinePainting<'a> {
    ctx: CanvasRenderingContext2d,
    tokens: &'a Tokens,
    line: &'a TimeLine,
    words: &'static Words,
    look: &'a LineLook,
    scale: Scale,
}

impl LinePainter {
    /// Paints the line.
    pub fn paint(
        &mut self,
        canvas: &HtmlCanvasElement,
        line: &TimeLine,
        words: &'static Words,
        look: &LineLook,
    ) {
        let Some(ctx) = context(canvas, look.size) else { return };
        if self.dark != Some(look.dark) {
            self.tokens = Tokens::read(canvas);
            self.dark = Some(look.dark);
        }
        let scale = Scale::of(line);
        ctx.clear_rect(0.0, 0.0, look.size.0, look.size.1);
        let painting = LinePainting { ctx, tokens: &self.tokens, line, words, look, scale };
        painting.bar();
        painting.forks();
        painting.labels();
        painting.signs();
        painting.pointer();
        painting.handle();
    }
}

impl LinePainting<'_> {
    fn across(&self, position: f64) -> f64 {
        EDGE + position * (self.look.size.0 - 2.0 * EDGE).max(1.0)
    }

    fn x(&self, at: Micros) -> f64 {
        self.across(self.scale.position(at))
    }

    fn colour(&self, colour: &str, width: f64) {
        self.ctx.set_fill_style_str(colour);
        self.ctx.set_stroke_style_str(colour);
        self.ctx.set_line_width(width);
    }

    fn bar(&self) {
        let Tokens { line_strong, accent, strong, .. } = self.tokens;
        let (reach, present) = (self.x(self.line.reach), self.x(self.line.present));
        self.ctx.set_line_cap("round");
        self.colour(line_strong, 1.0);
        lines(&self.ctx, &[(self.x(self.scale.start), BAR, reach, BAR)]);
        self.ctx.set_line_width(4.0);
        lines(&self.ctx, &[(reach, BAR, present, BAR)]);
        // The past of the shown moment has the accent colour.
        self.colour(accent, 4.0);
        lines(&self.ctx, &[(reach, BAR, self.x(self.look.shown), BAR)]);
        self.colour(line_strong, 2.0);
        let end = self.across(1.0);
        let dots: Vec<_> = (0..)
            .map(|i| present + 8.0 + f64::from(i) * 6.0)
            .take_while(|at| *at < end)
            .map(|at| (at, BAR, at + 2.0, BAR))
            .collect();
        lines(&self.ctx, &dots);
        self.colour(strong, 1.5);
        lines(&self.ctx, &[(present, SIGNS - 5.0, present, BAR + 6.0)]);
    }

    /// Forks where other branches begin.
    fn forks(&self) {
        self.colour(&self.tokens.accent, 1.5);
        for branch in self.line.branches.iter().filter(|f| f.id > 1) {
            let at = self.x(branch.from);
            lines(&self.ctx, &[(at, BAR, at + 6.0, BAR + 7.0), (at + 6.0, BAR + 7.0, at + 14.0, BAR + 7.0)]);
        }
    }

    fn labels(&self) {
        self.ctx.set_font(&format!("11px {}", self.tokens.font));
        self.ctx.set_text_align("center");
        self.ctx.set_text_baseline("middle");
        self.colour(&self.tokens.faint, 1.0);
        let width = self.look.size.0;
        let mut last = 0.0;
        for (moments, step) in self.scale.ticks(width) {
            for at in moments {
                let x = self.x(at);
                lines(&self.ctx, &[(x, BAR - 5.0, x, BAR - 2.0)]);
                // The past and the plan have separate scales, so their labels may overlap.
                if x > 30.0 && x < width - 30.0 && x - last > LABEL {
                    last = x;
                    // A text that cannot be drawn is only missing.
                    let _ = self.ctx.fill_text(&label(self.words, at, step), x, LABELS);
                }
            }
        }
    }

    fn signs(&self) {
        let mut last: Option<(TimeMarkKind, f64)> = None;
        for mark in &self.line.marks {
            let at = self.x(mark.at);
            // Overlapping marks of a kind are drawn as one.
            if last.is_none_or(|(kind, x)| kind != mark.kind || at - x >= 4.0) {
                self.sign(mark, at);
                last = Some((mark.kind, at));
            }
        }
    }

    /// The shape shows the kind of event; the colour repeats it.
    fn sign(&self, mark: &TimeMark, x: f64) {
        let y = SIGNS;
        let arrow = [(x - 3.0, y - 4.0), (x + 4.0, y), (x - 3.0, y + 4.0)];
        let square = [(x - 3.0, y - 3.0), (x + 3.0, y - 3.0), (x + 3.0, y + 3.0), (x - 3.0, y + 3.0)];
        let Tokens { faint, run, good, bad, warn, .. } = self.tokens;
        match mark.kind {
            TimeMarkKind::Submitted => {
                self.colour(faint, 1.5);
                lines(&self.ctx, &[(x, y - 4.0, x, y + 4.0)]);
            }
            TimeMarkKind::Started => {
                self.colour(run, 1.5);
                self.shape(&arrow);
                self.ctx.fill();
            }
            TimeMarkKind::Ended => {
                self.colour(good, 1.5);
                self.shape(&square);
                self.ctx.fill();
            }
            TimeMarkKind::Failed => {
                self.colour(bad, 2.0);
                let (a, b) = (3.5, y);
                lines(&self.ctx, &[(x - a, b - a, x + a, b + a), (x - a, b + a, x + a, b - a)]);
            }
            TimeMarkKind::Planned => {
                self.colour(run, 1.2);
                self.shape(&arrow);
                self.ctx.stroke();
            }
            TimeMarkKind::Limit => {
                self.colour(warn, 1.2);
                self.shape(&square);
                self.ctx.stroke();
            }
        }
    }

    fn shape(&self, corners: &[(f64, f64)]) {
        self.ctx.begin_path();
        for (x, y) in corners {
            self.ctx.line_to(*x, *y);
        }
        self.ctx.close_path();
    }

    /// The label of the moment under the pointer.
    fn pointer(&self) {
        let Some(position) = self.look.hover.filter(|position| *position <= self.scale.now()) else { return };
        let x = self.across(position);
        self.colour(&self.tokens.strong, 1.0);
        lines(&self.ctx, &[(x, LABELS + 7.0, x, BAR + 6.0)]);
        self.tag(&civil(self.scale.moment(position)).hms(), x);
    }

    /// Draws a text over the labels.
    fn tag(&self, text: &str, x: f64) {
        let half = self.ctx.measure_text(text).map_or(24.0, |m| m.width()) / 2.0 + 5.0;
        let x = x.clamp(half, (self.look.size.0 - half).max(half));
        self.ctx.set_fill_style_str(&self.tokens.strong);
        self.ctx.fill_rect(x - half, LABELS - 8.0, 2.0 * half, 16.0);
        self.ctx.set_fill_style_str(&self.tokens.surface);
        let _ = self.ctx.fill_text(text, x, LABELS + 0.5);
    }

    fn handle(&self) {
        let LineLook { past, shown, .. } = *self.look;
        self.colour(&self.tokens.accent, 2.0);
        self.ctx.begin_path();
        // A circle of a fixed size is always accepted.
        let _ = self.ctx.arc(self.x(shown), BAR, if past { 7.0 } else { 6.0 }, 0.0, std::f64::consts::TAU);
        self.ctx.fill();
        self.ctx.set_stroke_style_str(&self.tokens.surface);
        self.ctx.stroke();
    }
}

/// The label of a moment on an axis with this many seconds between labels.
pub fn label(words: &'static Words, at: Micros, step: i64) -> String {
    let c = civil(at);
    if step < 60 {
        c.hms()
    } else if step < 86_400 && c.second > 0 {
        c.hm()
    } else {
        words.calendar.day(c)
    }
}
