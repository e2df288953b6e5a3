//! The timeline as shapes, from the back to the front: what the canvas paints and what a file holds are the same list.

use super::{AXIS, Plan};
use crate::protocol::{BarKind, GanttBar, GanttFrame, GanttPicture, Micros};
use crate::view::axis::ticks;
use crate::view::cluster::Rect;
use crate::view::css::tenths;
use crate::view::fill::csv_line;
use crate::view::palette::job_colour;
use crate::view::svg::{Svg, fit};
use crate::view::times::civil;

/// A colour: a token of the style sheet, or a job's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
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
    /// Of a user (the index) and their job.
    Job(u32, u32),
}

impl Ink {
    /// The class of its texts in the style sheet.
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
            Self::Job(..) => "job",
        }
    }
}

impl Ink {
    /// Its token in the style sheet; a job's colour is none of them.
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
            Self::Surface | Self::OnJob | Self::Job(..) => "--surface-1",
        }
    }
}

/// Something to draw.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A filled rectangle, so many percent opaque.
    Fill(Rect, Ink, u8),
    /// A frame of some width; dashed with strokes and gaps of these lengths, whole where they are 0.
    Frame(Rect, Ink, f64, (f64, f64)),
    /// Lines of some width.
    Lines(Vec<(f64, f64, f64, f64)>, Ink, f64),
    /// A text at a height's middle: from `x` to the right, or around it.
    #[allow(missing_docs)]
    Text { x: f64, y: f64, middle: bool, text: String, ink: Ink },
}

/// What is seen of a picture.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Look {
    pub size: (f64, f64),
    /// The job that is selected in the page.
    pub selected: Option<String>,
    /// Whose jobs have a frame.
    pub me: String,
    pub now_word: &'static str,
}

/// Everything. `label` writes a moment under which others stand so many seconds apart.
#[must_use]
pub fn shapes(
    picture: &GanttPicture,
    plan: &Plan,
    look: &Look,
    label: &dyn Fn(Micros, i64) -> String,
) -> Vec<Shape> {
    let mut all = Vec::with_capacity(picture.bars.len() * 2 + 100);
    rows(&mut all, picture, plan, look);
    grid(&mut all, picture, plan, look, label);
    for frame in &picture.frames {
        reservation(&mut all, plan, frame);
    }
    let known = look.selected.as_ref().filter(|id| picture.bars.iter().any(|b| b.id == **id));
    for (bar, (rect, ghost)) in picture.bars.iter().zip(&plan.bars) {
        let chosen = known.is_some_and(|id| *id == bar.id);
        let alpha = if known.is_some() && !chosen { 35 } else { 100 };
        job(&mut all, bar, *rect, *ghost, alpha, bar.user == look.me && !look.me.is_empty());
        if chosen {
            all.push(Shape::Frame(around(*rect, *ghost), Ink::Accent, 2.0, (0.0, 0.0)));
        }
    }
    for (bar, (rect, _)) in picture.bars.iter().zip(&plan.bars).filter(|(bar, _)| !bar.by.is_empty()) {
        if known.is_none_or(|id| *id == bar.id || *id == bar.by) {
            pushed(&mut all, picture, plan, bar, *rect);
        }
    }
    now(&mut all, plan, look);
    all
}

/// From who took the place to the run that made way for it, where both are seen.
fn pushed(all: &mut Vec<Shape>, picture: &GanttPicture, plan: &Plan, victim: &GanttBar, at: Rect) {
    let by = picture.bars.iter().zip(&plan.bars).filter(|(b, _)| b.id == victim.by);
    let Some((_, (from, _))) =
        by.min_by_key(|(b, _)| (b.row.abs_diff(victim.row), (b.from - victim.until).abs()))
    else {
        return;
    };
    let (x, y) = (at.x + at.w, at.y + at.h / 2.0);
    let (from_x, from_y) = (from.x, from.y + from.h / 2.0);
    // From the beginning of who came down (or up) to the arrow at the end of who went.
    let turn = x + 10.0;
    let way = vec![(from_x, from_y, turn, from_y), (turn, from_y, turn, y)];
    all.push(Shape::Lines(way, Ink::Warn, 1.5));
    all.push(Shape::Fill(Rect { x: from_x - 2.0, y: from_y - 2.0, w: 4.0, h: 4.0 }, Ink::Warn, 100));
}

/// A bar with its ghost, and a pixel around.
#[must_use]
fn around(r: Rect, ghost: f64) -> Rect {
    Rect { x: r.x - 1.0, y: r.y - 1.0, w: r.w + ghost + 2.0, h: r.h + 2.0 }
}

fn rows(all: &mut Vec<Shape>, picture: &GanttPicture, plan: &Plan, look: &Look) {
    for (name, i) in picture.rows.iter().zip(0u32..) {
        let y = AXIS + f64::from(i) * plan.row;
        all.push(Shape::Lines(vec![(0.0, y + 0.5, look.size.0, y + 0.5)], Ink::Line, 1.0));
        let text = fit(name, plan.left - 14.0);
        all.push(Shape::Text { x: 10.0, y: y + plan.row / 2.0 + 0.5, middle: false, text, ink: Ink::Strong });
    }
}

fn grid(
    all: &mut Vec<Shape>,
    picture: &GanttPicture,
    plan: &Plan,
    look: &Look,
    label: &dyn Fn(Micros, i64) -> String,
) {
    let most = ((look.size.0 - plan.left) / 88.0).max(1.0) as u32;
    let (moments, step) = ticks(plan.from, plan.until, most);
    let bottom = AXIS + picture.rows.len() as f64 * plan.row;
    for at in moments {
        let x = plan.x(at).round() + 0.5;
        all.push(Shape::Lines(vec![(x, AXIS - 4.0, x, bottom)], Ink::Line, 1.0));
        // Where the present is written stands nothing else.
        let free = (x - plan.x(plan.now)).abs() > now_half(look) + 20.0;
        if free && x > plan.left + 16.0 && x < look.size.0 - 20.0 {
            let text = label(at, step);
            all.push(Shape::Text { x, y: AXIS / 2.0 - 1.0, middle: true, text, ink: Ink::Faint });
        }
    }
}

fn reservation(all: &mut Vec<Shape>, plan: &Plan, frame: &GanttFrame) {
    let (x, right) = (plan.x(frame.from).max(plan.left), plan.x(frame.until).min(plan.width + 4.0));
    if right <= plan.left || x >= right {
        return;
    }
    let (y, h) = (AXIS + f64::from(frame.row) * plan.row, f64::from(frame.rows) * plan.row);
    let ink = if frame.maintenance { Ink::Warn } else { Ink::Run };
    all.push(Shape::Fill(Rect { x, y, w: right - x, h }, ink, 8));
    let inside = Rect { x: x + 1.0, y: y + 1.0, w: right - x - 2.0, h: h - 2.0 };
    all.push(Shape::Frame(inside, ink, 1.5, (6.0, 3.0)));
    let text = fit(&frame.name, right - x - 10.0);
    all.push(Shape::Text { x: x + 6.0, y: y + 9.0, middle: false, text, ink });
}

fn job(all: &mut Vec<Shape>, bar: &GanttBar, r: Rect, ghost: f64, alpha: u8, mine: bool) {
    let Rect { x, y, w, h } = r;
    let ink = if bar.kind == BarKind::Many { Ink::Free } else { Ink::Job(bar.user_index, bar.job) };
    if bar.kind == BarKind::Planned {
        // Dotted: it has not happened.
        let inside = Rect { x: x + 1.0, y: y + 1.0, w: (w - 2.0).max(1.0), h: (h - 2.0).max(1.0) };
        all.push(Shape::Fill(inside, ink, alpha / 8));
        all.push(Shape::Frame(inside, ink, 1.5, (2.0, 2.0)));
    } else {
        all.push(Shape::Fill(r, ink, alpha));
        if ghost > 0.0 {
            all.push(Shape::Fill(Rect { x: x + w, w: ghost, ..r }, ink, alpha / 4));
        }
        if mine && alpha == 100 && h > 4.0 && bar.kind != BarKind::Many {
            let inside = Rect { x: x + 0.5, y: y + 0.5, w: (w - 1.0).max(0.5), h: h - 1.0 };
            all.push(Shape::Frame(inside, Ink::Strong, 1.0, (0.0, 0.0)));
        }
        end(all, bar.kind, r);
    }
    if w > 34.0 && h > 10.0 && alpha == 100 {
        let ink = if bar.kind == BarKind::Planned { Ink::Strong } else { Ink::OnJob };
        let text = fit(&bar.id, w - 14.0);
        all.push(Shape::Text { x: x + 5.0, y: y + h / 2.0 + 0.5, middle: false, text, ink });
    }
}

/// How a run ended, as a sign at its end.
fn end(all: &mut Vec<Shape>, kind: BarKind, r: Rect) {
    let (x, y, h) = (r.x + r.w, r.y, r.h);
    let half = (h / 2.0 - 1.0).clamp(1.5, 5.0);
    let middle = y + h / 2.0;
    match kind {
        BarKind::Failed => {
            let (a, b) = (x - half, x + half);
            let cross = vec![(a, middle - half, b, middle + half), (a, middle + half, b, middle - half)];
            all.push(Shape::Lines(cross, Ink::Bad, 2.0));
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
            all.push(Shape::Lines(arrow_back, ink, 2.0));
        }
        BarKind::Suspended => {
            let centre = r.x + r.w / 2.0;
            let bars = [centre - 3.0, centre + 3.0].map(|x| (x, y + 2.0, x, y + h - 2.0));
            all.push(Shape::Lines(bars.to_vec(), Ink::Surface, 2.5));
        }
        BarKind::Completed | BarKind::Running | BarKind::Planned | BarKind::Many => {}
    }
}

/// Half the width of the word for the present.
fn now_half(look: &Look) -> f64 {
    look.now_word.chars().count() as f64 * 3.6 + 5.0
}

fn now(all: &mut Vec<Shape>, plan: &Plan, look: &Look) {
    let x = plan.x(plan.now);
    if x < plan.left || x > look.size.0 {
        return;
    }
    all.push(Shape::Lines(vec![(x, AXIS - 6.0, x, look.size.1)], Ink::Accent, 1.5));
    let half = now_half(look);
    all.push(Shape::Fill(Rect { x: x - half, y: 0.0, w: 2.0 * half, h: AXIS - 6.0 }, Ink::Surface, 100));
    let text = look.now_word.to_owned();
    all.push(Shape::Text { x, y: AXIS / 2.0 - 1.0, middle: true, text, ink: Ink::Accent });
}

/// The shapes as a file.
#[must_use]
pub fn svg(shapes: &[Shape], (width, height): (f64, f64), label: &str, dark: bool) -> String {
    let mut out = Svg::default();
    let colour = |ink: Ink| match ink {
        Ink::Job(user, job) => job_colour(user, job, dark),
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
            Shape::Fill(r, ink, alpha) => {
                let style = format!("fill:{};fill-opacity:{alpha}%", colour(*ink));
                out.rect("", *r, &style);
            }
            Shape::Frame(r, ink, width, (on, off)) => {
                let dash = if *on > 0.0 {
                    format!(";stroke-dasharray:{} {}", tenths(*on), tenths(*off))
                } else {
                    String::new()
                };
                let style =
                    format!("fill:none;stroke:{};stroke-width:{}{dash}", colour(*ink), tenths(*width));
                out.rect("", *r, &style);
            }
            Shape::Lines(lines, ink, width) => {
                let path: String = lines.iter().map(|(a, b, c, d)| line_path((*a, *b), (*c, *d))).collect();
                let style = format!("fill:none;stroke:{};stroke-width:{}", colour(*ink), tenths(*width));
                out.path("", &path, &style);
            }
            Shape::Text { x, y, middle, text, ink } => {
                let class = format!("{} {}", ink.class(), if *middle { "middle" } else { "" });
                out.text(&class, *x, *y + 4.0, text);
            }
        }
    }
    out.finish(width, height, label)
}

fn line_path(from: (f64, f64), to: (f64, f64)) -> String {
    crate::view::svg::path_of([from, to])
}

/// The bars as a table.
#[must_use]
pub fn csv(picture: &GanttPicture, plan: &Plan) -> String {
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

/// For files: the same in every language.
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
