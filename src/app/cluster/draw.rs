//! Paints the cluster on a canvas. The geometry is `view::cluster`'s, the colours are the style sheet's tokens.

use super::{ClusterView, EVERY_NODE, NodeCells, patterns};
use crate::canvas::{Tokens, context, fill, lines, outline, part, rectangle, text};
use crate::page::{Page, Selection};
use leptos::prelude::*;
use protocol::{CoreRun, NodeCell, NodeInfo, Started};
use std::collections::BTreeMap;
use std::sync::Arc;
use view::cluster::{
    CHIP_FONT, ClusterLayout, Density, Heading, Rect, Tile, TileGroup, cells, is_found, shortened, used,
};
use view::number::grouped;
use view::palette::job_colour;
use view::states::{NodePattern, job_code, node_pattern};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// The settings that affect how the picture looks.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterLook {
    pub size: (f64, f64),
    pub scroll: f64,
    /// The node under the pointer or the keyboard's focus.
    pub lit: Option<u32>,
    pub dark: bool,
    /// The search text in lower case. Other nodes are dimmed.
    pub find: String,
    /// The partition whose nodes are outlined.
    pub outlined: Option<u32>,
    /// The only partition whose nodes are shown.
    pub only: Option<u32>,
}

/// Caches what is expensive to compute.
#[derive(Default)]
pub struct ClusterPainter {
    tokens: Tokens,
    dark: Option<bool>,
    colours: BTreeMap<(u32, u32), String>,
    scratch: Scratch,
    last: Option<LastPainting>,
}

/// The last painting. While none of this changes, only nodes that changed are painted again.
#[derive(PartialEq)]
struct LastPainting {
    layout: Arc<ClusterLayout>,
    look: ClusterLook,
    scratch: Scratch,
    selected: Option<u32>,
    words: usize,
}

/// The user and job that one painting emphasises.
#[derive(Clone, Default, PartialEq)]
struct Scratch {
    me: Option<u32>,
    job: Option<u32>,
    /// Whether a job is selected, so that the others are dimmed.
    dim: bool,
}

impl ClusterPainter {
    /// Paints what is visible.
    pub fn paint(
        &mut self,
        sight: ClusterView,
        canvas: &HtmlCanvasElement,
        started: &Started,
        layout: &Arc<ClusterLayout>,
        look: &ClusterLook,
    ) {
        let ClusterView { page, nodes, job: selected_job, .. } = sight;
        let Some(ctx) = context(canvas, look.size) else { return };
        if self.dark != Some(look.dark) || self.colours.len() > 5_000 {
            self.tokens = Tokens::read(canvas);
            self.colours.clear();
            self.last = None;
            self.dark = Some(look.dark);
        }
        self.scratch = Scratch {
            me: Some(untrack(|| page.user_index(&page.user.get_untracked()))),
            job: selected_job.with_untracked(|j| j.as_ref().map(|j| j.job)),
            dim: page.selection.with_untracked(|s| matches!(s, Selection::Job(_)))
                && selected_job.with_untracked(|j| j.as_ref().is_some_and(|j| job_code(&j.state) == "R")),
        };
        let selected = page.selection.with_untracked(|s| match s {
            Selection::Node(i) => Some(*i),
            Selection::None | Selection::Job(_) => None,
        });
        let words = std::ptr::from_ref(page.prefs.lang.get_untracked().words()) as usize;
        let now = LastPainting {
            layout: Arc::clone(layout),
            look: look.clone(),
            scratch: self.scratch.clone(),
            selected,
            words,
        };
        let mut dirty = nodes.dirty.try_update_value(std::mem::take).unwrap_or_default();
        let lit = [look.lit, self.last.as_ref().and_then(|l| l.look.lit)];
        let same = |last: &LastPainting| {
            LastPainting {
                look: ClusterLook { lit: look.lit, ..last.look.clone() },
                layout: Arc::clone(&last.layout),
                scratch: last.scratch.clone(),
                ..*last
            } == now
        };
        let part =
            look.find.is_empty() && !dirty.contains(&EVERY_NODE) && self.last.as_ref().is_some_and(same);
        let painting = ClusterPainting { page, nodes, ctx: &ctx, started, layout, look, selected };
        ctx.save();
        if part {
            transform(&ctx, look.scroll, layout.scale);
            let changed = !dirty.is_empty();
            dirty.extend(lit.into_iter().flatten());
            self.some(&painting, &dirty, changed);
        } else {
            ctx.clear_rect(0.0, 0.0, look.size.0, look.size.1);
            transform(&ctx, look.scroll, layout.scale);
            self.all(&painting);
        }
        ctx.restore();
        self.last = Some(now);
    }

    /// Paints everything that is visible.
    fn all(&mut self, painting: &ClusterPainting) {
        painting.nodes.cells.with_untracked(|cells| {
            self.headings(painting, cells, false);
            if painting.layout.density == Density::Blocks {
                self.heat(painting, cells);
            }
            for index in painting.layout.groups.iter().flat_map(|g| &g.nodes) {
                self.one(painting, cells, *index);
            }
        });
    }

    /// Paints the nodes that changed, and the numbers in the headings.
    fn some(&mut self, painting: &ClusterPainting, nodes: &[u32], changed: bool) {
        // The smallest squares have a gap of one pixel.
        let margin = if painting.layout.density == Density::Blocks { 0.5 } else { 1.0 };
        painting.nodes.cells.with_untracked(|cells| {
            if changed {
                self.headings(painting, cells, true);
            }
            for index in nodes {
                let Some(tile) = painting.tile(*index) else { continue };
                let r = &tile.rect;
                painting.ctx.clear_rect(r.x - margin, r.y - margin, r.w + 2.0 * margin, r.h + 2.0 * margin);
                if painting.layout.density == Density::Blocks {
                    self.square(painting, cells, *index);
                }
                self.one(painting, cells, *index);
            }
        });
    }

    fn headings(&self, painting: &ClusterPainting, cells: &[NodeCell], again: bool) {
        for group in painting.layout.groups.iter().filter(|g| painting.sees(g.y, g.head)) {
            if again {
                painting.ctx.clear_rect(0.0, group.y, painting.look.size.0, group.head - 3.0);
            }
            self.heading(painting, group, cells);
        }
    }

    /// Paints a node, with a ring if it is selected or under the pointer.
    fn one(&mut self, painting: &ClusterPainting, cells: &[NodeCell], index: u32) {
        let (Some(tile), Some(info)) = (painting.tile(index), painting.started.nodes.get(index as usize))
        else {
            return;
        };
        let empty = NodeCell::default();
        let cell = cells.get(index as usize).unwrap_or(&empty);
        let ClusterPainting { ctx, look, .. } = *painting;
        self.tile(ctx, painting.layout.density, tile, info, cell, look.dark);
        if !look.find.is_empty() && !is_found(&look.find, info, cell, &painting.started.users) {
            ctx.set_global_alpha(0.78);
            fill(ctx, &tile.rect, &self.tokens.surface);
            ctx.set_global_alpha(1.0);
        }
        let outlined = look.outlined.is_some_and(|part| info.partitions.contains(&part));
        let ring = if painting.selected == Some(index) || (outlined && tile.rect.w >= FRAMED) {
            Some(2.0)
        } else {
            (outlined || look.lit == Some(index)).then_some(1.0)
        };
        if let Some(width) = ring {
            outline(ctx, &tile.rect, &self.tokens.accent, width);
        }
    }

    /// Paints the heat map: how full each node is, in steps of the accent colour. All squares of a step are painted
    /// together.
    fn heat(&self, painting: &ClusterPainting, cells: &[NodeCell]) {
        let nodes = || {
            painting
                .layout
                .groups
                .iter()
                .flat_map(|g| &g.nodes)
                .filter_map(|i| Some((*i, painting.tile(*i)?)))
        };
        let ctx = painting.ctx;
        ctx.set_fill_style_str(&self.tokens.free);
        nodes().for_each(|(_, tile)| rectangle(ctx, &tile.rect));
        ctx.set_fill_style_str(&self.tokens.accent);
        let steps: Vec<(u32, &Tile)> = nodes().map(|(i, tile)| (painting.heat(cells, i), tile)).collect();
        for step in 1..=HEAT {
            ctx.set_global_alpha(f64::from(step) / f64::from(HEAT));
            steps.iter().filter(|(at, _)| *at == step).for_each(|(_, tile)| rectangle(ctx, &tile.rect));
        }
        ctx.set_global_alpha(1.0);
    }

    /// Paints a square of the heat map.
    fn square(&self, painting: &ClusterPainting, cells: &[NodeCell], index: u32) {
        let Some(tile) = painting.tile(index) else { return };
        let ctx = painting.ctx;
        fill(ctx, &tile.rect, &self.tokens.free);
        ctx.set_global_alpha(f64::from(painting.heat(cells, index)) / f64::from(HEAT));
        fill(ctx, &tile.rect, &self.tokens.accent);
        ctx.set_global_alpha(1.0);
    }

    /// Paints a group's name, its cores in use, and its partitions as chips.
    fn heading(&self, painting: &ClusterPainting, group: &TileGroup, all: &[NodeCell]) {
        let ClusterPainting { page, ctx, started, look, .. } = *painting;
        let words = page.prefs.lang.get_untracked().words();
        let hardware = match &group.heading {
            Heading::Hardware(hardware) => &hardware.text(words.cores),
            Heading::Switch(i) => started.switches.get(*i as usize).map_or("", |s| s.name.as_str()),
            Heading::Rest => words.other_nodes,
        };
        let nodes = &group.nodes;
        let taken: u32 = nodes.iter().filter_map(|i| all.get(*i as usize)).map(|c| used(&c.cores)).sum();
        let cores: u32 = nodes.iter().filter_map(|i| started.nodes.get(*i as usize)).map(|n| n.cores).sum();
        let base = group.y + 17.0;
        let t = &self.tokens;
        let end = text(ctx, hardware, 12.0, base, &format!("600 13px {}", t.font), &t.strong);
        let font = format!("12px {}", t.font);
        ctx.set_font(&font);
        let width = |text: &str| ctx.measure_text(text).map_or(0.0, |m| m.width());
        let number = |n: u64| grouped(n, words.thousands);
        let count = format!("{} {}", number(nodes.len() as u64), words.nodes);
        let all = format!("{count}  ·  {}/{}", number(taken.into()), number(cores.into()));
        // Chips in the same row begin where the text must end.
        let beside = group.chips.first().filter(|chip| chip.rect.y < 10.0);
        let room = beside.map_or(look.size.0 / painting.layout.scale, |chip| chip.rect.x - 6.0);
        let rest = if end + 10.0 + width(&all) <= room { &all } else { &count };
        text(ctx, rest, end + 10.0, base, &font, &t.faint);
        for chip in &group.chips {
            let r = Rect { y: chip.rect.y + group.y, ..chip.rect };
            let lit = chip.partition.is_some_and(|p| look.only == Some(p) || look.outlined == Some(p));
            outline(ctx, &r, if lit { &t.accent } else { &t.line_strong }, 1.0);
            let font = format!("{CHIP_FONT}px {}", t.mono);
            text(ctx, &chip.text(&started.partitions), r.x + 6.0, r.y + 14.0, &font, &t.normal);
        }
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
        if density != Density::Blocks {
            fill(ctx, &tile.rect, &self.tokens.tile);
            self.name(ctx, tile, info, &cell.state);
        }
        match density {
            Density::Cells => self.cells(ctx, tile, info, cell, dark),
            Density::Bars => self.bars(ctx, tile, info, cell, dark),
            // `heat` has painted the squares.
            Density::Blocks if pattern == NodePattern::Plain => return self.mine(ctx, tile, cell),
            Density::Blocks => self.mine(ctx, tile, cell),
        }
        patterns::draw(ctx, &self.tokens, &tile.rect, pattern);
    }

    fn name(&self, ctx: &CanvasRenderingContext2d, tile: &Tile, info: &NodeInfo, state: &str) {
        let t = &self.tokens;
        let r = &tile.rect;
        let base = r.y + 13.0;
        let font = format!("11px {}", t.mono);
        ctx.set_font(&font);
        let letter = ctx.measure_text("0").map_or(7.0, |m| m.width()).max(1.0);
        let name = shortened(&info.name, ((r.w - 12.0) / letter).max(3.0) as usize);
        let end = text(ctx, &name, r.x + 7.0, base, &font, &t.normal);
        ctx.set_font(&format!("10px {}", t.font));
        let width = ctx.measure_text(state).map_or(0.0, |m| m.width());
        let colour = match node_pattern(state) {
            NodePattern::Down => &t.bad,
            NodePattern::Draining | NodePattern::PoweringUp => &t.warn,
            NodePattern::Plain | NodePattern::Planned | NodePattern::Reserved | NodePattern::Off => &t.faint,
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
        for (i, run) in (0u32..).zip(cells(&cell.cores, tile.cells, tile.cores_per_cell)) {
            self.core(ctx, &tile.core(i), run.as_ref(), dark);
        }
        self.memory(ctx, &tile.memory(), info, cell);
        for i in 0..tile.gpus {
            let run = gpu_job(cell, i);
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
        if run.completing {
            self.stroke(ctx, rect);
        }
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
        let bar = tile.bar(0);
        fill(ctx, &bar, &self.tokens.free);
        let mut x = bar.x;
        for run in &cell.cores {
            let w = bar.w * part(f64::from(run.count), f64::from(info.cores));
            if run.job != 0 {
                ctx.set_global_alpha(if run.completing { 0.45 } else { 1.0 });
                let colour = self.colour(run, dark);
                ctx.set_fill_style_str(colour);
                ctx.fill_rect(x, bar.y, w, bar.h);
                ctx.set_global_alpha(1.0);
                if run.completing {
                    self.stroke(ctx, &Rect { x, w, ..bar });
                }
                if run.suspended {
                    // A pause in the middle.
                    ctx.clear_rect(x + w / 2.0 - 2.0, bar.y, 1.5, bar.h);
                    ctx.clear_rect(x + w / 2.0 + 1.0, bar.y, 1.5, bar.h);
                }
            }
            x += w;
        }
        self.memory(ctx, &tile.bar(1), info, cell);
        if tile.gpus > 0 {
            let row = tile.bar(2);
            let step = row.w / f64::from(tile.gpus);
            for i in 0..tile.gpus {
                let run = gpu_job(cell, i);
                let rect = Rect { x: row.x + f64::from(i) * step, w: (step - 1.0).max(1.0), ..row };
                self.core(ctx, &rect, run, dark);
            }
        }
    }

    /// The bar of allocated memory.
    fn memory(&self, ctx: &CanvasRenderingContext2d, bar: &Rect, info: &NodeInfo, cell: &NodeCell) {
        fill(ctx, bar, &self.tokens.free);
        let share = part(cell.mem_used_mib as f64, info.memory_mib as f64);
        fill(ctx, &Rect { w: bar.w * share, ..*bar }, &self.tokens.memory);
    }

    /// A diagonal line for jobs that are completing.
    fn stroke(&self, ctx: &CanvasRenderingContext2d, r: &Rect) {
        ctx.set_global_alpha(1.0);
        ctx.set_stroke_style_str(&self.tokens.strong);
        ctx.set_line_width(1.0);
        lines(ctx, &[(r.x, r.y + r.h, r.x + r.w, r.y)]);
    }

    /// A frame around squares with jobs of the current user.
    fn mine(&self, ctx: &CanvasRenderingContext2d, tile: &Tile, cell: &NodeCell) {
        let runs = || cell.cores.iter().filter(|r| r.job != 0);
        // Squares of a few pixels would be all frame.
        let mine = tile.rect.w >= FRAMED && runs().any(|r| Some(r.user) == self.scratch.me);
        if mine || runs().any(|r| Some(r.job) == self.scratch.job) {
            outline(ctx, &tile.rect, &self.tokens.strong, 1.0);
        }
    }
}

/// Applies scrolling and scale to the context, which accepts any finite number.
fn transform(ctx: &CanvasRenderingContext2d, scroll: f64, scale: f64) {
    let _ = ctx.translate(0.0, -scroll);
    let _ = ctx.scale(scale, scale);
}

/// Minimum edge in pixels of a square that gets a frame if it has jobs of the current user.
const FRAMED: f64 = 8.0;
/// Steps of the heat map.
const HEAT: u32 = 8;

/// One painting.
#[derive(Clone, Copy)]
struct ClusterPainting<'a> {
    page: Page,
    nodes: NodeCells,
    ctx: &'a CanvasRenderingContext2d,
    started: &'a Started,
    layout: &'a ClusterLayout,
    look: &'a ClusterLook,
    selected: Option<u32>,
}

impl<'a> ClusterPainting<'a> {
    fn sees(&self, y: f64, h: f64) -> bool {
        let (top, scale) = (self.look.scroll, self.layout.scale);
        (y + h) * scale >= top && y * scale <= top + self.look.size.1
    }

    /// A node's tile, if it is visible.
    fn tile(&self, index: u32) -> Option<&'a Tile> {
        let tile = self.layout.tiles.get(index as usize)?;
        (tile.rect.w > 0.0 && self.sees(tile.rect.y, tile.rect.h)).then_some(tile)
    }

    /// How full a node is, in steps: 0 only if it is empty.
    fn heat(&self, cells: &[NodeCell], index: u32) -> u32 {
        let taken = cells.get(index as usize).map_or(0, |c| used(&c.cores));
        let cores = self.started.nodes.get(index as usize).map_or(0, |n| n.cores).max(1);
        (taken * HEAT).div_ceil(cores).min(HEAT)
    }
}

/// The cores of the job on a GPU, whose owner gives the GPU its colour.
fn gpu_job(cell: &NodeCell, gpu: u32) -> Option<&CoreRun> {
    let job = cell.gpus.get(gpu as usize).copied().filter(|job| *job != 0)?;
    cell.cores.iter().find(|run| run.job == job)
}
