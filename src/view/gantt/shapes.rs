//! The timeline as a list of shapes from back to front. Canvas and SVG file use the same list.

use super::{AXIS, GanttLayout, labels};
use crate::axis::ticks;
use crate::cluster::Rect;
use crate::css::tenths;
use crate::fill::csv_line;
use crate::palette::{job_colour, quiet_colour};
use crate::svg::{Svg, fit};
use crate::times::civil;
use protocol::{BarKind, GanttBar, GanttFrame, GanttPicture, Micros};

/// A colour: a style token or a job's colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum Ink {
    Strong,
    Faint,
    Line,
    Accent,
    Bad,
    Warn,
    Run,
    Free,
    Surface,
    /// Text on a job's colour.
    OnJob,
    /// A job's colour (user index, job).
    Job(u32, u32),
    /// The colour of a job behind the user's own ones.
    Quiet(u32, u32),
}

impl Ink {
    /// The style class of its texts.
    const fn class(self) -> &'static str {
        match self {
            Self::Strong => "strong",
            Self::Faint => "faint",
            Self::Line => "line",
            Self::Accent => "accent",
            Self::Bad => "bad",
            Self::Warn => "warn",
            Self::Run => "run",
            Self::Free => "free",
            Self::Surface => "surface",
            Self::OnJob => "on-job",
            Self::Job(..) | Self::Quiet(..) => "job",
        }
    }
}

impl Ink {
    /// Its style token; a job's colour has none.
    const fn token(self) -> &'static str {
        match self {
            Self::Strong => "--text-strong",
            Self::Faint => "--text-faint",
            Self::Line => "--line",
            Self::Accent => "--accent",
            Self::Bad => "--bad",
            Self::Warn => "--warn",
            Self::Run => "--run",
            Self::Free => "--memory",
            Self::Surface | Self::OnJob | Self::Job(..) | Self::Quiet(..) => "--surface-1",
        }
    }
}

/// A drawing primitive.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum GanttShape {
    /// A filled rectangle with an opacity in percent.
    Fill(Rect, Ink, u8),
    /// A frame with a line width and a dash pattern (stroke, gap); solid if 0.
    Frame(Rect, Ink, f64, (f64, f64)),
    /// Lines with a width.
    Lines(Vec<(f64, f64, f64, f64)>, Ink, f64),
    /// Text vertically centred on a height: from `x` to the right, or centred on it.
    Text { x: f64, y: f64, middle: bool, text: String, ink: Ink },
}

/// Display state of the timeline.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct GanttView {
    /// Width and height in pixels.
    pub size: (f64, f64),
    /// The selected job.
    pub selected: Option<String>,
    /// The user whose jobs are outlined.
    pub me: String,
    pub now_word: &'static str,
}

/// All shapes. `label` formats a time for a tick interval in seconds.
#[must_use]
pub fn shapes(
    picture: &GanttPicture,
    plan: &GanttLayout,
    look: &GanttView,
    label: &dyn Fn(Micros, i64) -> String,
) -> Vec<GanttShape> {
    let mut all = Vec::with_capacity(picture.bars.len() * 2 + 100);
    rows(&mut all, picture, plan, look);
    grid(&mut all, picture, plan, look, label);
    for frame in &picture.frames {
        reservation(&mut all, plan, frame);
    }
    // Beside the user's own jobs, those of others stand back.
    let own = |bar: &GanttBar| bar.user == look.me && !look.me.is_empty();
    let some = picture.bars.iter().any(own);
    let known = look.selected.as_ref().filter(|id| picture.bars.iter().any(|b| b.id == **id));
    for (bar, (rect, ghost)) in picture.bars.iter().zip(&plan.bars) {
        let chosen = known.is_some_and(|id| *id == bar.id);
        let alpha = if known.is_some() && !chosen { 35 } else { 100 };
        job(&mut all, bar, (*rect, *ghost), alpha, (own(bar), some));
        if chosen {
            all.push(GanttShape::Frame(around(*rect, *ghost), Ink::Accent, 2.0, (0.0, 0.0)));
        }
    }
    for (bar, (rect, _)) in picture.bars.iter().zip(&plan.bars).filter(|(bar, _)| !bar.by.is_empty()) {
        if known.is_none_or(|id| *id == bar.id || *id == bar.by) {
            pushed(&mut all, picture, plan, bar, *rect);
        }
    }
    now(&mut all, plan, look);
    labels::beside(&mut all, picture, plan, look, &|bar| known.is_none_or(|id| *id == bar.id));
    all
}

/// Arrows from preempting jobs to the preempted runs, if both are visible.
fn pushed(
    all: &mut Vec<GanttShape>,
    picture: &GanttPicture,
    plan: &GanttLayout,
    victim: &GanttBar,
    at: Rect,
) {
    let by = picture.bars.iter().zip(&plan.bars).filter(|(b, _)| b.id == victim.by);
    let Some((_, (from, _))) =
        by.min_by_key(|(b, _)| (b.row.abs_diff(victim.row), (b.from - victim.until).abs()))
    else {
        return;
    };
    let (x, y) = (at.x + at.w, at.y + at.h / 2.0);
    let (from_x, from_y) = (from.x, from.y + from.h / 2.0);
    // From the start of the preempting job to an arrow head at the end of the preempted run.
    let turn = x + 10.0;
    let way = vec![(from_x, from_y, turn, from_y), (turn, from_y, turn, y)];
    all.push(GanttShape::Lines(way, Ink::Warn, 1.5));
    all.push(GanttShape::Fill(Rect { x: from_x - 2.0, y: from_y - 2.0, w: 4.0, h: 4.0 }, Ink::Warn, 100));
}

/// A bar with its time-limit ghost, and one pixel around.
#[must_use]
fn around(r: Rect, ghost: f64) -> Rect {
    Rect { x: r.x - 1.0, y: r.y - 1.0, w: r.w + ghost + 2.0, h: r.h + 2.0 }
}

fn rows(all: &mut Vec<GanttShape>, picture: &GanttPicture, plan: &GanttLayout, look: &GanttView) {
    for (name, i) in picture.rows.iter().zip(0u32..) {
        let y = AXIS + f64::from(i) * plan.row;
        all.push(GanttShape::Lines(vec![(0.0, y + 0.5, look.size.0, y + 0.5)], Ink::Line, 1.0));
        let text = fit(name, plan.left - 14.0);
        all.push(GanttShape::Text {
            x: 10.0,
            y: y + plan.row / 2.0 + 0.5,
            middle: false,
            text,
            ink: Ink::Strong,
        });
    }
}

fn grid(
    all: &mut Vec<GanttShape>,
    picture: &GanttPicture,
    plan: &GanttLayout,
    look: &GanttView,
    label: &dyn Fn(Micros, i64) -> String,
) {
    let most = ((look.size.0 - plan.left) / 88.0).max(1.0) as u32;
    let (moments, step) = ticks(plan.from, plan.until, most);
    let bottom = AXIS + picture.rows.len() as f64 * plan.row;
    for at in moments {
        let x = plan.x(at).round() + 0.5;
        all.push(GanttShape::Lines(vec![(x, AXIS - 4.0, x, bottom)], Ink::Line, 1.0));
        // The label of the present takes precedence over ticks.
        let free = (x - plan.x(plan.now)).abs() > now_half(look) + 20.0;
        if free && x > plan.left + 16.0 && x < look.size.0 - 20.0 {
            let text = label(at, step);
            all.push(GanttShape::Text { x, y: AXIS / 2.0 - 1.0, middle: true, text, ink: Ink::Faint });
        }
    }
}

fn reservation(all: &mut Vec<GanttShape>, plan: &GanttLayout, frame: &GanttFrame) {
    let (x, right) = (plan.x(frame.from).max(plan.left), plan.x(frame.until).min(plan.width + 4.0));
    if right <= plan.left || x >= right {
        return;
    }
    let (y, h) = (AXIS + f64::from(frame.row) * plan.row, f64::from(frame.rows) * plan.row);
    let ink = if frame.maintenance { Ink::Warn } else { Ink::Run };
    all.push(GanttShape::Fill(Rect { x, y, w: right - x, h }, ink, 8));
    let inside = Rect { x: x + 1.0, y: y + 1.0, w: right - x - 2.0, h: h - 2.0 };
    all.push(GanttShape::Frame(inside, ink, 1.5, (6.0, 3.0)));
    let text = fit(&frame.name, right - x - 10.0);
    all.push(GanttShape::Text { x: x + 6.0, y: y + 9.0, middle: false, text, ink });
}

/// A job's bar. `mine` says whether it is the user's own, and `some` whether any bar is.
fn job(
    all: &mut Vec<GanttShape>,
    bar: &GanttBar,
    (r, ghost): (Rect, f64),
    alpha: u8,
    (mine, some): (bool, bool),
) {
    // A hairline of the ground separates successive jobs.
    let line = if r.w > 3.0 { HAIRLINE } else { 0.0 };
    let r = Rect { w: r.w - line, ..r };
    let Rect { x, y, w, h } = r;
    let ink = match bar.kind {
        BarKind::Many => Ink::Free,
        _ if some && !mine => Ink::Quiet(bar.user_index, bar.job),
        _ => Ink::Job(bar.user_index, bar.job),
    };
    if bar.kind == BarKind::Planned {
        // Dotted because it is only planned.
        let inside = Rect { x: x + 1.0, y: y + 1.0, w: (w - 2.0).max(1.0), h: (h - 2.0).max(1.0) };
        all.push(GanttShape::Fill(inside, ink, alpha / 8));
        all.push(GanttShape::Frame(inside, ink, 1.5, (2.0, 2.0)));
    } else {
        all.push(GanttShape::Fill(r, ink, alpha));
        if ghost > 0.0 {
            all.push(GanttShape::Fill(Rect { x: x + w, w: ghost, ..r }, ink, alpha / 4));
        }
        if mine && alpha == 100 && h > 4.0 && bar.kind != BarKind::Many {
            let inside = Rect { x: x + 0.5, y: y + 0.5, w: (w - 1.0).max(0.5), h: h - 1.0 };
            all.push(GanttShape::Frame(inside, Ink::Strong, 1.0, (0.0, 0.0)));
        }
        end(all, bar.kind, r);
    }
    if alpha == 100 {
        all.extend(labels::inside(bar, r));
    }
}

/// A symbol for how a run ended.
fn end(all: &mut Vec<GanttShape>, kind: BarKind, r: Rect) {
    let (x, y, h) = (r.x + r.w, r.y, r.h);
    let half = (h / 2.0 - 1.0).clamp(1.5, 5.0);
    let middle = y + h / 2.0;
    match kind {
        BarKind::Failed => {
            let (a, b) = (x - half, x + half);
            let cross = vec![(a, middle - half, b, middle + half), (a, middle + half, b, middle - half)];
            all.push(GanttShape::Lines(cross, Ink::Bad, 2.0));
        }
        BarKind::Preempted | BarKind::Requeued => {
            let ink = if kind == BarKind::Preempted { Ink::Bad } else { Ink::Warn };
            let tip = x + 2.0;
            let arrow_back = vec![
                (x, y, x, y + h),
                (tip + 8.0, middle, tip, middle),
                (tip, middle, tip + half, middle - half),
                (tip, middle, tip + half, middle + half),
            ];
            all.push(GanttShape::Lines(arrow_back, ink, 2.0));
        }
        BarKind::Suspended => {
            let centre = r.x + r.w / 2.0;
            let bars = [centre - 3.0, centre + 3.0].map(|x| (x, y + 2.0, x, y + h - 2.0));
            all.push(GanttShape::Lines(bars.to_vec(), Ink::Surface, 2.5));
        }
        BarKind::Completed | BarKind::Running | BarKind::Planned | BarKind::Many => {}
    }
}

/// Width of the line between successive jobs.
const HAIRLINE: f64 = 1.0;

/// Half the width of the label for the present.
fn now_half(look: &GanttView) -> f64 {
    look.now_word.chars().count() as f64 * 3.6 + 5.0
}

fn now(all: &mut Vec<GanttShape>, plan: &GanttLayout, look: &GanttView) {
    let x = plan.x(plan.now);
    if x < plan.left || x > look.size.0 {
        return;
    }
    all.push(GanttShape::Lines(vec![(x, AXIS - 6.0, x, look.size.1)], Ink::Accent, 1.5));
    let half = now_half(look);
    all.push(GanttShape::Fill(Rect { x: x - half, y: 0.0, w: 2.0 * half, h: AXIS - 6.0 }, Ink::Surface, 100));
    let text = look.now_word.to_owned();
    all.push(GanttShape::Text { x, y: AXIS / 2.0 - 1.0, middle: true, text, ink: Ink::Accent });
}

/// The shapes as an SVG file.
#[must_use]
pub fn svg(shapes: &[GanttShape], (width, height): (f64, f64), label: &str, dark: bool) -> String {
    let mut out = Svg::default();
    let colour = |ink: Ink| match ink {
        Ink::Job(user, job) => job_colour(user, job, dark),
        Ink::Quiet(user, job) => quiet_colour(user, job, dark),
        Ink::Strong
        | Ink::Faint
        | Ink::Line
        | Ink::Accent
        | Ink::Bad
        | Ink::Warn
        | Ink::Run
        | Ink::Free
        | Ink::Surface
        | Ink::OnJob => format!("var({})", ink.token()),
    };
    for shape in shapes {
        match shape {
            GanttShape::Fill(r, ink, alpha) => {
                let style = format!("fill:{};fill-opacity:{alpha}%", colour(*ink));
                out.rect("", *r, &style);
            }
            GanttShape::Frame(r, ink, width, (on, off)) => {
                let dash = if *on > 0.0 {
                    format!(";stroke-dasharray:{} {}", tenths(*on), tenths(*off))
                } else {
                    String::new()
                };
                let style =
                    format!("fill:none;stroke:{};stroke-width:{}{dash}", colour(*ink), tenths(*width));
                out.rect("", *r, &style);
            }
            GanttShape::Lines(lines, ink, width) => {
                let path: String = lines.iter().map(|(a, b, c, d)| line_path((*a, *b), (*c, *d))).collect();
                let style = format!("fill:none;stroke:{};stroke-width:{}", colour(*ink), tenths(*width));
                out.path("", &path, &style);
            }
            GanttShape::Text { x, y, middle, text, ink } => {
                let class = format!("{} {}", ink.class(), if *middle { "middle" } else { "" });
                out.text(&class, *x, *y + 4.0, text);
            }
        }
    }
    out.finish(width, height, label)
}

fn line_path(from: (f64, f64), to: (f64, f64)) -> String {
    crate::svg::path_of([from, to])
}

/// The bars as CSV.
#[must_use]
pub fn csv(picture: &GanttPicture, plan: &GanttLayout) -> String {
    let mut out = csv_line(["job", "user", "name", "row", "state", "from", "until", "limit", "preempted_by"]);
    let stamp = |at: Micros| {
        let c = civil(at);
        format!("{}T{}", c.date(), c.hms())
    };
    for bar in picture.bars.iter().filter(|b| !b.id.is_empty()) {
        let row = picture.rows.get(bar.row as usize).map_or("", String::as_str);
        let limit = bar.limit.map(stamp).unwrap_or_default();
        let (from, until) = (stamp(bar.from), stamp(plan.end(bar)));
        out.push_str(&csv_line([
            &bar.id,
            &bar.user,
            &bar.name,
            row,
            state(bar.kind),
            &from,
            &until,
            &limit,
            &bar.by,
        ]));
    }
    out
}

/// State names for files, in English in every language.
const fn state(kind: BarKind) -> &'static str {
    match kind {
        BarKind::Completed => "completed",
        BarKind::Failed => "failed",
        BarKind::Preempted => "preempted",
        BarKind::Requeued => "requeued",
        BarKind::Running => "running",
        BarKind::Suspended => "suspended",
        BarKind::Planned => "planned",
        BarKind::Many => "many",
    }
}
