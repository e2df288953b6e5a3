//! Drawing the time line: the past as a bar, what is planned dotted, a sign for each event of the person's jobs.

use crate::protocol::{Mark, MarkKind, Micros, TimeLine};
use crate::ui::canvas::{Tokens, context, lines};
use crate::ui::i18n::Words;
use crate::view::times::civil;
use crate::view::travel::Scale;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// What is seen.
pub struct Look {
    pub size: (f64, f64),
    pub dark: bool,
    /// The moment that the page shows, which is of the past or not.
    pub shown: Micros,
    pub past: bool,
    /// The pointer's place, as a share of the width.
    pub hover: Option<f64>,
}

/// Keeps the tokens.
#[derive(Default)]
pub struct Painter {
    dark: Option<bool>,
    tokens: Tokens,
}

/// The bar's middle, that of the signs above it, and that of the texts above those.
const BAR: f64 = 33.0;
const SIGNS: f64 = 21.0;
const LABELS: f64 = 9.0;
/// Room that a label needs.
const LABEL: f64 = 46.0;
/// Room for half a sign at both ends.
const EDGE: f64 = 8.0;

/// The place on the line of a pointer, as a share of its width.
pub fn place(x: f64, width: f64) -> f64 {
    (x - EDGE) / (width - 2.0 * EDGE).max(1.0)
}

/// One painting.
struct Painting<'a> {
    ctx: CanvasRenderingContext2d,
    tokens: &'a Tokens,
    line: &'a TimeLine,
    words: &'static Words,
    look: &'a Look,
    scale: Scale,
}

impl Painter {
    /// Paints the line.
    pub fn paint(&mut self, canvas: &HtmlCanvasElement, line: &TimeLine, words: &'static Words, look: &Look) {
        let Some(ctx) = context(canvas, look.size) else { return };
        if self.dark != Some(look.dark) {
            self.tokens = Tokens::read(canvas);
            self.dark = Some(look.dark);
        }
        let scale = Scale::of(line);
        ctx.clear_rect(0.0, 0.0, look.size.0, look.size.1);
        let painting = Painting { ctx, tokens: &self.tokens, line, words, look, scale };
        painting.bar();
        painting.forks();
        painting.labels();
        painting.signs();
        painting.pointer();
        painting.handle();
    }
}

impl Painting<'_> {
    fn across(&self, place: f64) -> f64 {
        EDGE + place * (self.look.size.0 - 2.0 * EDGE).max(1.0)
    }

    fn x(&self, at: Micros) -> f64 {
        self.across(self.scale.place(at))
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
        // What led to the moment that is seen is the accent's; what follows it lies ahead.
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

    /// Where other futures begin the line forks.
    fn forks(&self) {
        self.colour(&self.tokens.accent, 1.5);
        for future in self.line.futures.iter().filter(|f| f.id > 1) {
            let at = self.x(future.from);
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
                let place = self.x(at);
                lines(&self.ctx, &[(place, BAR - 5.0, place, BAR - 2.0)]);
                // The past and what is planned have scales of their own: their labels may come too close.
                if place > 30.0 && place < width - 30.0 && place - last > LABEL {
                    last = place;
                    // Text that cannot be written is only missing.
                    let _ = self.ctx.fill_text(&label(self.words, at, step), place, LABELS);
                }
            }
        }
    }

    fn signs(&self) {
        let mut last: Option<(MarkKind, f64)> = None;
        for mark in &self.line.marks {
            let at = self.x(mark.at);
            // Where many things happen one sign stands for those of its kind.
            if last.is_none_or(|(kind, place)| kind != mark.kind || at - place >= 4.0) {
                self.sign(mark, at);
                last = Some((mark.kind, at));
            }
        }
    }

    /// Shapes carry the news, colours repeat it.
    fn sign(&self, mark: &Mark, x: f64) {
        let y = SIGNS;
        let arrow = [(x - 3.0, y - 4.0), (x + 4.0, y), (x - 3.0, y + 4.0)];
        let square = [(x - 3.0, y - 3.0), (x + 3.0, y - 3.0), (x + 3.0, y + 3.0), (x - 3.0, y + 3.0)];
        let Tokens { faint, run, good, bad, warn, .. } = self.tokens;
        match mark.kind {
            MarkKind::Submitted => {
                self.colour(faint, 1.5);
                lines(&self.ctx, &[(x, y - 4.0, x, y + 4.0)]);
            }
            MarkKind::Started => {
                self.colour(run, 1.5);
                self.shape(&arrow);
                self.ctx.fill();
            }
            MarkKind::Ended => {
                self.colour(good, 1.5);
                self.shape(&square);
                self.ctx.fill();
            }
            MarkKind::Failed => {
                self.colour(bad, 2.0);
                let (a, b) = (3.5, y);
                lines(&self.ctx, &[(x - a, b - a, x + a, b + a), (x - a, b + a, x + a, b - a)]);
            }
            MarkKind::Planned => {
                self.colour(run, 1.2);
                self.shape(&arrow);
                self.ctx.stroke();
            }
            MarkKind::Limit => {
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

    /// The moment under the pointer.
    fn pointer(&self) {
        let Some(place) = self.look.hover.filter(|place| *place <= self.scale.now()) else { return };
        let x = self.across(place);
        self.colour(&self.tokens.strong, 1.0);
        lines(&self.ctx, &[(x, LABELS + 7.0, x, BAR + 6.0)]);
        self.tag(&civil(self.scale.moment(place)).hms(), x);
    }

    /// A text among the labels, in the place of what stands there.
    fn tag(&self, text: &str, x: f64) {
        let half = self.ctx.measure_text(text).map_or(24.0, |m| m.width()) / 2.0 + 5.0;
        let x = x.clamp(half, (self.look.size.0 - half).max(half));
        self.ctx.set_fill_style_str(&self.tokens.strong);
        self.ctx.fill_rect(x - half, LABELS - 8.0, 2.0 * half, 16.0);
        self.ctx.set_fill_style_str(&self.tokens.surface);
        let _ = self.ctx.fill_text(text, x, LABELS + 0.5);
    }

    fn handle(&self) {
        let Look { past, shown, .. } = *self.look;
        self.colour(&self.tokens.accent, 2.0);
        self.ctx.begin_path();
        // A circle of a fixed size cannot be refused.
        let _ = self.ctx.arc(self.x(shown), BAR, if past { 7.0 } else { 6.0 }, 0.0, std::f64::consts::TAU);
        self.ctx.fill();
        self.ctx.set_stroke_style_str(&self.tokens.surface);
        self.ctx.stroke();
    }
}

/// A moment as it is written under a picture whose labels are so many seconds apart.
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
