//! Drawing the cluster: geometry comes from `view::cluster`, colours from the style sheet's tokens.

use crate::protocol::{CoreRun, NodeCell, NodeInfo, Started};
use crate::ui::state::{Page, Selection};
use crate::view::cluster::{Density, HEADING, Layout, Rect, Tile, cells, used};
use crate::view::palette::job_colour;
use crate::view::states::{Pattern, job_code, node_pattern};
use leptos::prelude::*;
use std::collections::BTreeMap;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// What is seen of the picture.
pub struct Look {
    pub size: (f64, f64),
    pub scroll: f64,
    /// The node under the pointer or the keyboard's focus.
    pub lit: Option<u32>,
    pub dark: bool,
}

/// The tokens that the canvas needs.
#[derive(Clone, Debug, Default)]
struct Tokens {
    strong: String,
    normal: String,
    faint: String,
    free: String,
    tile: String,
    line: String,
    accent: String,
    bad: String,
    warn: String,
    memory: String,
    font: String,
    mono: String,
}

/// Keeps what is costly to find out.
#[derive(Default)]
pub struct Painter {
    tokens: Tokens,
    dark: Option<bool>,
    colours: BTreeMap<(u32, u32), String>,
    scratch: Scratch,
}

/// What concerns one painting.
#[derive(Default)]
struct Scratch {
    me: Option<u32>,
    job: Option<u32>,
    /// A job is selected: the others step back.
    dim: bool,
}

impl Painter {
    /// Paints what is in sight.
    pub fn paint(
        &mut self,
        page: Page,
        canvas: &HtmlCanvasElement,
        started: &Started,
        layout: &Layout,
        look: &Look,
    ) {
        let Some(ctx) = context(canvas, look.size) else { return };
        if self.dark != Some(look.dark) || self.colours.len() > 5_000 {
            self.tokens = Tokens::read(canvas);
            self.colours.clear();
            self.dark = Some(look.dark);
        }
        self.scratch = Scratch {
            me: Some(untrack(|| page.user_index(&page.user.get_untracked()))),
            job: page.job.with_untracked(|j| j.as_ref().map(|j| j.job)),
            dim: page.selection.with_untracked(|s| matches!(s, Selection::Job(_)))
                && page.job.with_untracked(|j| j.as_ref().is_some_and(|j| job_code(&j.state) == "R")),
        };
        ctx.clear_rect(0.0, 0.0, look.size.0, look.size.1);
        ctx.save();
        // Moving the picture cannot fail for finite numbers.
        let _ = ctx.translate(0.0, -look.scroll);
        let in_sight = |y: f64, h: f64| y + h >= look.scroll && y <= look.scroll + look.size.1;
        page.cells.with_untracked(|all| {
            for group in &layout.groups {
                if in_sight(group.y, HEADING) {
                    self.heading(&ctx, page, started, group.partition, &group.nodes, group.y, all);
                }
            }
            let selected = page.selection.with_untracked(|s| match s {
                Selection::Node(i) => Some(*i),
                Selection::None | Selection::Job(_) => None,
            });
            for (index, (tile, info)) in (0u32..).zip(layout.tiles.iter().zip(&started.nodes)) {
                if in_sight(tile.rect.y, tile.rect.h) {
                    let empty = NodeCell::default();
                    let cell = all.get(index as usize).unwrap_or(&empty);
                    self.tile(&ctx, layout.density, tile, info, cell, look.dark);
                    let ring = if selected == Some(index) {
                        Some(2.0)
                    } else {
                        (look.lit == Some(index)).then_some(1.0)
                    };
                    if let Some(width) = ring {
                        outline(&ctx, &tile.rect, &self.tokens.accent, width);
                    }
                }
            }
        });
        ctx.restore();
    }

    #[expect(clippy::too_many_arguments, reason = "a heading stands for a whole group")]
    fn heading(
        &self,
        ctx: &CanvasRenderingContext2d,
        page: Page,
        started: &Started,
        partition: Option<u32>,
        nodes: &[u32],
        y: f64,
        all: &[NodeCell],
    ) {
        let words = page.lang.get_untracked().words();
        let info = partition.and_then(|p| started.partitions.get(p as usize));
        let name = info.map_or(words.no_partition, |p| p.name.as_str());
        let taken: u32 = nodes.iter().filter_map(|i| all.get(*i as usize)).map(|c| used(&c.cores)).sum();
        let cores: u32 = nodes.iter().filter_map(|i| started.nodes.get(*i as usize)).map(|n| n.cores).sum();
        let base = y + 17.0;
        let t = &self.tokens;
        let end = text(ctx, name, 12.0, base, &format!("600 13px {}", t.font), &t.strong);
        let mark =
            if info.is_some_and(|p| p.is_default) { format!("  {}", words.default) } else { String::new() };
        let rest = format!("{} {}  ·  {taken}/{cores} {}{mark}", nodes.len(), words.nodes, words.cores);
        text(ctx, &rest, end + 10.0, base, &format!("12px {}", t.font), &t.faint);
    }

    fn colour(&mut self, run: &CoreRun, dark: bool) -> &str {
        self.colours.entry((run.user, run.job)).or_insert_with(|| job_colour(run.user, run.job, dark))
    }

    fn tile(
        &mut self,
        ctx: &CanvasRenderingContext2d,
        density: Density,
        tile: &Tile,
        info: &NodeInfo,
        cell: &NodeCell,
        dark: bool,
    ) {
        let pattern = node_pattern(&cell.state);
        match density {
            Density::Cells => self.cells(ctx, tile, info, cell, dark),
            Density::Bars => self.bars(ctx, tile, info, cell, dark),
            Density::Blocks => self.block(ctx, tile, info, cell),
        }
        let frame = if density == Density::Blocks { tile.rect } else { Rect { y: tile.rect.y, ..tile.rect } };
        self.pattern(ctx, &frame, pattern);
    }

    fn name(&self, ctx: &CanvasRenderingContext2d, tile: &Tile, info: &NodeInfo, state: &str) {
        let t = &self.tokens;
        let r = &tile.rect;
        let base = r.y + 13.0;
        let end = text(ctx, &info.name, r.x + 7.0, base, &format!("11px {}", t.mono), &t.normal);
        ctx.set_font(&format!("10px {}", t.font));
        let width = ctx.measure_text(state).map_or(0.0, |m| m.width());
        let colour = match node_pattern(state) {
            Pattern::Down => &t.bad,
            Pattern::Draining | Pattern::PoweringUp => &t.warn,
            Pattern::Plain | Pattern::Planned | Pattern::Reserved | Pattern::Off => &t.faint,
        };
        let x = r.x + r.w - 7.0 - width;
        if x > end + 4.0 {
            text(ctx, state, x, base, &format!("10px {}", t.font), colour);
        }
    }

    fn cells(
        &mut self,
        ctx: &CanvasRenderingContext2d,
        tile: &Tile,
        info: &NodeInfo,
        cell: &NodeCell,
        dark: bool,
    ) {
        fill(ctx, &tile.rect, &self.tokens.tile);
        self.name(ctx, tile, info, &cell.state);
        for (i, run) in (0u32..).zip(cells(&cell.cores, tile.cells, tile.cores_per_cell)) {
            self.core(ctx, &tile.core(i), run.as_ref(), dark);
        }
        let memory = tile.memory();
        fill(ctx, &memory, &self.tokens.free);
        let share = part(cell.mem_used_mib as f64, info.memory_mib as f64);
        fill(ctx, &Rect { w: memory.w * share, ..memory }, &self.tokens.memory);
        for i in 0..tile.gpus {
            let job = cell.gpus.get(i as usize).copied().unwrap_or(0);
            let run = cell.cores.iter().find(|r| r.job == job && job != 0);
            let rect = tile.gpu(i);
            self.core(ctx, &rect, run, dark);
            if run.is_none() {
                let t = &self.tokens;
                text(ctx, "g", rect.x + 4.5, rect.y + 11.0, &format!("10px {}", t.mono), &t.faint);
            }
        }
    }

    fn core(&mut self, ctx: &CanvasRenderingContext2d, rect: &Rect, run: Option<&CoreRun>, dark: bool) {
        let Some(run) = run else { return fill(ctx, rect, &self.tokens.free) };
        let stands_back = self.scratch.dim && self.scratch.job != Some(run.job);
        let alpha = if stands_back {
            0.3
        } else if run.completing {
            0.45
        } else {
            1.0
        };
        ctx.set_global_alpha(alpha);
        let colour = self.colour(run, dark);
        ctx.set_fill_style_str(colour);
        ctx.fill_rect(rect.x, rect.y, rect.w, rect.h);
        if run.suspended {
            // Pause bars.
            let bar = rect.w / 5.0;
            ctx.clear_rect(rect.x + bar, rect.y + 2.0, bar, rect.h - 4.0);
            ctx.clear_rect(rect.x + 3.0 * bar, rect.y + 2.0, bar, rect.h - 4.0);
        }
        if self.scratch.me == Some(run.user) || self.scratch.job == Some(run.job) {
            outline(
                ctx,
                &Rect { x: rect.x - 0.5, y: rect.y - 0.5, w: rect.w + 1.0, h: rect.h + 1.0 },
                &self.tokens.strong,
                1.0,
            );
        }
        ctx.set_global_alpha(1.0);
    }

    fn bars(
        &mut self,
        ctx: &CanvasRenderingContext2d,
        tile: &Tile,
        info: &NodeInfo,
        cell: &NodeCell,
        dark: bool,
    ) {
        fill(ctx, &tile.rect, &self.tokens.tile);
        self.name(ctx, tile, info, &cell.state);
        let bar = tile.bar(0);
        fill(ctx, &bar, &self.tokens.free);
        let mut x = bar.x;
        for run in &cell.cores {
            let w = bar.w * part(f64::from(run.count), f64::from(info.cores));
            if run.job != 0 {
                let colour = self.colour(run, dark);
                ctx.set_fill_style_str(colour);
                ctx.fill_rect(x, bar.y, w, bar.h);
            }
            x += w;
        }
        let memory = tile.bar(1);
        fill(ctx, &memory, &self.tokens.free);
        let share = part(cell.mem_used_mib as f64, info.memory_mib as f64);
        fill(ctx, &Rect { w: memory.w * share, ..memory }, &self.tokens.memory);
        if tile.gpus > 0 {
            let row = tile.bar(2);
            let step = row.w / f64::from(tile.gpus);
            for i in 0..tile.gpus {
                let job = cell.gpus.get(i as usize).copied().unwrap_or(0);
                let run = cell.cores.iter().find(|r| r.job == job && job != 0).copied();
                let rect = Rect { x: row.x + f64::from(i) * step, w: (step - 1.0).max(1.0), ..row };
                self.core(ctx, &rect, run.as_ref(), dark);
            }
        }
    }

    /// A heat map: how full the node is, in the accent's colour.
    fn block(&self, ctx: &CanvasRenderingContext2d, tile: &Tile, info: &NodeInfo, cell: &NodeCell) {
        let share = part(f64::from(used(&cell.cores)), f64::from(info.cores));
        fill(ctx, &tile.rect, &self.tokens.free);
        ctx.set_global_alpha(share);
        fill(ctx, &tile.rect, &self.tokens.accent);
        ctx.set_global_alpha(1.0);
        let mine = cell.cores.iter().any(|r| r.job != 0 && Some(r.user) == self.scratch.me);
        if mine {
            outline(ctx, &tile.rect, &self.tokens.strong, 1.0);
        }
    }

    fn pattern(&self, ctx: &CanvasRenderingContext2d, r: &Rect, pattern: Pattern) {
        let t = &self.tokens;
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
            Pattern::Down => {
                lines(ctx, &[(r.x, r.y, r.x + r.w, r.y + r.h), (r.x, r.y + r.h, r.x + r.w, r.y)])
            }
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
        let width = if pattern == Pattern::Reserved { 2.0 } else { 1.0 };
        outline(ctx, r, if pattern == Pattern::Reserved { &t.normal } else { colour }, width);
    }
}

impl Tokens {
    fn read(canvas: &HtmlCanvasElement) -> Self {
        let style = web_sys::window().and_then(|w| w.get_computed_style(canvas).ok().flatten());
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
            line: get("--line"),
            accent: get("--accent"),
            bad: get("--bad"),
            warn: get("--warn"),
            memory: get("--memory"),
            font: get("--sans"),
            mono: get("--mono"),
        }
    }
}

/// The canvas in the screen's own resolution.
fn context(canvas: &HtmlCanvasElement, (width, height): (f64, f64)) -> Option<CanvasRenderingContext2d> {
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

fn part(of: f64, whole: f64) -> f64 {
    if whole > 0.0 { (of / whole).clamp(0.0, 1.0) } else { 0.0 }
}

fn fill(ctx: &CanvasRenderingContext2d, r: &Rect, colour: &str) {
    ctx.set_fill_style_str(colour);
    ctx.fill_rect(r.x, r.y, r.w, r.h);
}

fn outline(ctx: &CanvasRenderingContext2d, r: &Rect, colour: &str, width: f64) {
    ctx.set_stroke_style_str(colour);
    ctx.set_line_width(width);
    ctx.stroke_rect(r.x + 0.5, r.y + 0.5, r.w - 1.0, r.h - 1.0);
}

fn lines(ctx: &CanvasRenderingContext2d, all: &[(f64, f64, f64, f64)]) {
    ctx.begin_path();
    for (x0, y0, x1, y1) in all {
        ctx.move_to(*x0, *y0);
        ctx.line_to(*x1, *y1);
    }
    ctx.stroke();
}

/// Writes and gives where the text ends.
fn text(ctx: &CanvasRenderingContext2d, text: &str, x: f64, y: f64, font: &str, colour: &str) -> f64 {
    ctx.set_font(font);
    ctx.set_fill_style_str(colour);
    // Text at finite places is always drawn.
    let _ = ctx.fill_text(text, x, y);
    x + ctx.measure_text(text).map_or(0.0, |m| m.width())
}
