//! Paints the time line: the past as a bar in front of the cluster's load, planned time dotted behind a break, and a pin for
//! each event of the user's jobs.

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
    /// The first and last moment of the span that the timeline shows.
    pub selected: Option<(Micros, Micros)>,
    /// Both ends of the span that is being dragged, as shares of the width.
    pub brush: Option<(f64, f64)>,
}

/// Caches the style sheet's tokens.
#[derive(Default)]
pub struct LinePainter {
    dark: Option<bool>,
    tokens: Tokens,
}

/// The vertical centre of the labels, and the top of the load below them.
const LABELS: f64 = 9.0;
const TOP: f64 = 18.0;
/// Heights of the bar, and of the heads of the pins, over the lower edge.
const BAR: f64 = 11.0;
const SIGNS: f64 = 23.0;
/// The handle's height over the bar.
const HANDLE: f64 = 8.0;
/// The width of a label.
const LABEL: f64 = 46.0;
/// The margin at both ends, for half a mark.
const EDGE: f64 = 8.0;

/// A pointer's position on the line, as a share of its width.
pub fn position(x: f64, width: f64) -> f64 {
    (x - EDGE) / (width - 2.0 * EDGE).max(1.0)
}

/// Whether a height is over the history: above the bar, which is dragged to travel.
pub fn is_history(y: f64, height: f64) -> bool {
    y < height - BAR - HANDLE
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
        painting.history();
        painting.span();
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

    fn bar_y(&self) -> f64 {
        self.look.size.1 - BAR
    }

    fn signs_y(&self) -> f64 {
        self.look.size.1 - SIGNS
    }

    /// The cores in use as an area, and the queue's length as a line.
    fn history(&self) {
        let Tokens { run, warn, .. } = self.tokens;
        let (bottom, load) = (self.bar_y(), &self.line.load);
        let place = |(position, share): &(f64, f64)| {
            (self.across(*position), bottom - share.clamp(0.0, 1.0) * (bottom - TOP))
        };
        let cores: Vec<_> = self.scale.utilisation(load).iter().map(place).collect();
        let (Some(first), Some(last)) = (cores.first(), cores.last()) else { return };
        self.colour(run, 1.0);
        self.ctx.set_global_alpha(0.2);
        self.shape(&[&[(first.0, bottom)], cores.as_slice(), &[(last.0, bottom)]].concat());
        self.ctx.fill();
        self.ctx.set_global_alpha(0.6);
        self.path(&cores);
        self.colour(warn, 1.2);
        self.ctx.set_global_alpha(0.9);
        self.path(&self.scale.queue(load).iter().map(place).collect::<Vec<_>>());
        self.ctx.set_global_alpha(1.0);
    }

    /// The selected span, between two edges.
    fn span(&self) {
        let moments = self.look.selected.map(|(from, until)| (self.x(from), self.x(until)));
        let held = self.look.brush.map(|(a, b)| (self.across(a.min(b)), self.across(a.max(b))));
        let Some((from, until)) = held.or(moments) else { return };
        let (bottom, width) = (self.bar_y(), (until - from).max(2.0));
        self.colour(&self.tokens.accent, 1.5);
        self.ctx.set_global_alpha(0.2);
        self.ctx.fill_rect(from, TOP, width, bottom - TOP);
        self.ctx.set_global_alpha(1.0);
        lines(&self.ctx, &[(from, TOP, from, bottom), (from + width, TOP, from + width, bottom)]);
    }

    /// A line through points.
    fn path(&self, points: &[(f64, f64)]) {
        self.ctx.begin_path();
        for (x, y) in points {
            self.ctx.line_to(*x, *y);
        }
        self.ctx.stroke();
    }

    fn colour(&self, colour: &str, width: f64) {
        self.ctx.set_fill_style_str(colour);
        self.ctx.set_stroke_style_str(colour);
        self.ctx.set_line_width(width);
    }

    fn bar(&self) {
        let Tokens { line_strong, accent, strong, free, .. } = self.tokens;
        let (bar, signs) = (self.bar_y(), self.signs_y());
        let (reach, present) = (self.x(self.line.reach), self.x(self.line.present));
        self.ctx.set_line_cap("round");
        self.colour(line_strong, 1.0);
        lines(&self.ctx, &[(self.x(self.scale.start), bar, reach, bar)]);
        self.ctx.set_line_width(4.0);
        lines(&self.ctx, &[(reach, bar, present, bar)]);
        // The past of the shown moment has the accent colour.
        self.colour(accent, 4.0);
        lines(&self.ctx, &[(reach, bar, self.x(self.look.shown), bar)]);
        if let Some((from, to)) = self.scale.cut() {
            let (from, to, end) = (self.across(from), self.across(to), self.across(1.0));
            // The planned range has another scale: it lies on a ground of its own, behind two strokes.
            self.ctx.set_global_alpha(0.5);
            self.ctx.set_fill_style_str(free);
            self.ctx.fill_rect(to, TOP, end - to + EDGE, bar - TOP);
            self.ctx.set_global_alpha(1.0);
            let middle = f64::midpoint(from, to) + 2.0;
            let stroke = |x: f64| (x - 2.0, bar + 6.0, x + 2.0, bar - 6.0);
            self.colour(strong, 1.5);
            lines(&self.ctx, &[stroke(middle - 1.0), stroke(middle + 3.0)]);
            self.colour(line_strong, 2.0);
            let dots: Vec<_> = (0..)
                .map(|i| to + f64::from(i) * 6.0)
                .take_while(|at| *at < end)
                .map(|at| (at, bar, at + 2.0, bar))
                .collect();
            lines(&self.ctx, &dots);
        }
        self.colour(strong, 1.5);
        lines(&self.ctx, &[(present, signs - 5.0, present, bar + 6.0)]);
    }

    /// Forks where other branches begin.
    fn forks(&self) {
        self.colour(&self.tokens.accent, 1.5);
        let bar = self.bar_y();
        for branch in self.line.branches.iter().filter(|f| f.id > 1) {
            let at = self.x(branch.from);
            lines(&self.ctx, &[(at, bar, at + 6.0, bar + 7.0), (at + 6.0, bar + 7.0, at + 14.0, bar + 7.0)]);
        }
    }

    fn labels(&self) {
        self.ctx.set_font(&format!("11px {}", self.tokens.font));
        self.ctx.set_text_align("center");
        self.ctx.set_text_baseline("middle");
        self.colour(&self.tokens.faint, 1.0);
        let (width, bar) = (self.look.size.0, self.bar_y());
        let mut last = 0.0;
        for (moments, step) in self.scale.ticks(width) {
            for at in moments {
                let x = self.x(at);
                lines(&self.ctx, &[(x, bar - 5.0, x, bar - 2.0)]);
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

    /// A pin: the shape of its head shows the kind of event, and the colour repeats it.
    fn sign(&self, mark: &TimeMark, x: f64) {
        let y = self.signs_y();
        let arrow = [(x - 3.0, y - 4.0), (x + 4.0, y), (x - 3.0, y + 4.0)];
        let square = [(x - 3.0, y - 3.0), (x + 3.0, y - 3.0), (x + 3.0, y + 3.0), (x - 3.0, y + 3.0)];
        let Tokens { faint, run, good, bad, warn, .. } = self.tokens;
        self.colour(faint, 1.0);
        lines(&self.ctx, &[(x, y + 3.0, x, self.bar_y())]);
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
            TimeMarkKind::Preempted => {
                self.colour(warn, 1.5);
                self.shape(&[(x - 4.5, y - 4.0), (x + 4.5, y - 4.0), (x, y + 4.5)]);
                self.ctx.fill();
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
        lines(&self.ctx, &[(x, LABELS + 7.0, x, self.bar_y() + 6.0)]);
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
        let _ = self.ctx.arc(
            self.x(shown),
            self.bar_y(),
            if past { 7.0 } else { 6.0 },
            0.0,
            std::f64::consts::TAU,
        );
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
