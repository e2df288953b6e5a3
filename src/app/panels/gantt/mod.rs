//! The timeline: rows are nodes or jobs, time runs across. It shows past jobs, running jobs up to their time limits, and
//! backfill reservations. The canvas and the saved files are made of the same list of shapes; a table offers the same to
//! screen readers.

mod choices;
mod draw;
mod table;

use crate::follow::{When, flag, string};
use crate::i18n::Words;
use crate::page::{Page, Selection};
use crate::pinch::Pinch;
use choices::TimelineControls;
use leptos::ev::{KeyboardEvent, PointerEvent, WheelEvent};
use leptos::html::{Canvas, Div};
use leptos::prelude::*;
use protocol::{BarKind, GanttBar, GanttPicture, GanttWindow, Micros, PanelAnswer};
use std::sync::Arc;
use view::css::px;
use view::fill::fill;
use view::gantt::{AXIS, GanttLayout, LEAST_ROWS, between, first_window, row_height, zoomed};
use view::times::when;

/// What the components of the panel share.
#[derive(Clone, Copy)]
struct Timeline {
    page: Page,
    picture: Memo<Option<Arc<GanttPicture>>>,
    /// The visible part of the timeline.
    window: RwSignal<GanttWindow>,
    /// The size of the visible part.
    size: RwSignal<(f64, f64)>,
    /// Whether the table is shown instead of the picture.
    as_table: RwSignal<bool>,
}

impl Timeline {
    /// The geometry at this moment. Reads signals.
    fn plan(self) -> GanttLayout {
        let (now, size) = (self.page.clock.get().now, self.size.get());
        let follows = self.window.with(|w| w.until.is_none());
        self.picture.with(|p| {
            p.as_ref().map(|p| GanttLayout::new(p, follows, now.max(p.now), size)).unwrap_or_default()
        })
    }

    /// The bar under a pointer.
    fn under(self, event: &PointerEvent) -> Option<GanttBar> {
        let at = untrack(|| self.plan()).at(f64::from(event.offset_x()), f64::from(event.offset_y()))?;
        self.picture.with_untracked(|p| p.as_ref().and_then(|p| p.bars.get(at).cloned()))
    }

    /// Zooms the window around a position or the present.
    fn zoom(self, x: Option<f64>, factor: f64) {
        let plan = untrack(|| self.plan());
        let around = x.map_or(plan.now.clamp(plan.from, plan.until.max(plan.from)), |x| plan.moment(x));
        self.window.update(|w| *w = zoomed(w, (plan.from, plan.until), around, factor));
    }

    /// Moves the window by a share of its width.
    fn pan(self, share: f64) {
        let plan = untrack(|| self.plan());
        let step = ((plan.until - plan.from) as f64 * share) as Micros;
        self.window.update(|w| w.until = Some(plan.until + step));
    }

    /// Resets the window to one that follows the present.
    fn reset(self) {
        self.window.update(|w| (w.span, w.until) = (first_window().span, None));
    }

    /// Handles keys: arrows move, plus and minus zoom.
    fn key(self, event: &KeyboardEvent) {
        match event.key().as_str() {
            "ArrowLeft" => self.pan(-0.1),
            "ArrowRight" => self.pan(0.1),
            "+" | "=" => self.zoom(None, 0.7),
            "-" => self.zoom(None, 1.4),
            "0" => self.reset(),
            // Escape has another meaning for a timeline that follows the present.
            "Escape" if self.window.with_untracked(|w| w.until.is_some()) => self.reset(),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    }
}

/// Draws the panel.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(
    page: Page,
    answer: RwSignal<Option<Box<PanelAnswer>>>,
    window: RwSignal<GanttWindow>,
) -> AnyView {
    let picture =
        Memo::new(move |_| answer.with(|p| p.as_ref().and_then(|p| p.gantt()).map(|p| Arc::new(p.clone()))));
    let (size, as_table) = (RwSignal::new((0.0, 0.0)), RwSignal::new(false));
    let chart = Timeline { page, picture, window, size, as_table };
    let nothing = move || picture.with(|p| p.as_ref().is_some_and(|p| p.bars.is_empty()));
    let cut = move || picture.with(|p| p.as_ref().is_some_and(|p| p.cut));
    view! {
        <section class="gantt sheet" data-testid="gantt" aria-label=page.say(|w| w.timeline)>
            <TimelineControls chart />
            <When holds=flag(move || !chart.as_table.get())><TimelinePicture chart /></When>
            <When holds=flag(nothing)><p class="empty over">{page.say_later(|w| w.gantt_empty)}</p></When>
            <When holds=flag(cut)><p class="faint note">{page.say_later(|w| w.gantt_cut)}</p></When>
            {table::table(chart)}
        </section>
    }
    .into_any()
}

/// The picture. Dragging across it selects the new window.
#[component]
fn TimelinePicture(chart: Timeline) -> impl IntoView {
    let Timeline { page, picture, size, .. } = chart;
    let scroller = NodeRef::<Div>::new();
    let canvas = NodeRef::<Canvas>::new();
    // The selected range: where dragging began, and where the pointer is.
    let brush = RwSignal::new(None::<(f64, f64)>);
    let over = RwSignal::new(None::<GanttBar>);
    crate::resize::on_resize(scroller, move || {
        if let Some(e) = scroller.get_untracked() {
            let (width, height) = (f64::from(e.client_width()), f64::from(e.client_height()));
            size.set((width, height));
            chart.window.update(|w| {
                w.columns = width.max(0.0) as u32;
                w.count = ((height / row_height(u32::MAX, height)) as u32 + 2).max(LEAST_ROWS);
            });
        }
    });
    draw::follow(chart, canvas, brush);
    let total = Memo::new(move |_| picture.with(|p| p.as_ref().map_or(0, |p| p.total)));
    let row = Memo::new(move |_| row_height(total.get(), size.get().1));
    let height = move || px((f64::from(total.get()) * row.get() + AXIS).max(size.get().1));
    let scroll = move |_| {
        if let Some(e) = scroller.get_untracked() {
            let first = (f64::from(e.scroll_top()) / row.get_untracked()).max(0.0) as u32;
            if chart.window.with_untracked(|w| w.first != first) {
                chart.window.update(|w| w.first = first);
            }
        }
    };
    let wheel = move |event: WheelEvent| {
        let fits =
            f64::from(total.get_untracked()) * row.get_untracked() + AXIS <= size.get_untracked().1 + 1.0;
        if event.ctrl_key() || fits {
            event.prevent_default();
            chart.zoom(Some(f64::from(event.offset_x())), if event.delta_y() > 0.0 { 1.25 } else { 0.8 });
        }
    };
    // Two fingers zoom, one selects a range.
    let pinch = StoredValue::new_local(Pinch::default());
    let pinched = move |event: &PointerEvent| {
        let by = pinch.try_update_value(|f| f.take(event)).unwrap_or_default();
        if by != 0 {
            chart.zoom(Some(f64::from(event.offset_x())), if by > 0 { 0.7 } else { 1.4 });
        }
        let several = pinch.try_with_value(Pinch::several).unwrap_or_default();
        if several {
            brush.set(None);
        }
        several
    };
    let press = move |event: PointerEvent| {
        if !pinched(&event) && event.button() == 0 {
            if let Some(canvas) = canvas.get_untracked() {
                // Without capture the brush ends at the inspector, which may lie over the picture.
                let _ = canvas.set_pointer_capture(event.pointer_id());
            }
            let x = f64::from(event.offset_x());
            brush.set(Some((x, x)));
        }
    };
    let moved = move |event: PointerEvent| {
        if pinched(&event) {
            return;
        }
        if let Some((from, _)) = brush.get_untracked() {
            brush.set(Some((from, f64::from(event.offset_x()))));
        }
        let under = chart.under(&event);
        if over.with_untracked(|o| *o != under) {
            over.set(under);
        }
    };
    let released = move |event: PointerEvent| {
        pinched(&event);
        let Some((from, until)) = brush.get_untracked() else { return };
        brush.set(None);
        if (until - from).abs() > 8.0 {
            let plan = untrack(|| chart.plan());
            chart.window.update(|w| *w = between(w, plan.moment(from), plan.moment(until)));
        } else if let Some(bar) = chart.under(&event).filter(|b| !b.id.is_empty()) {
            page.selection.set(Selection::Job(bar.id));
        }
    };
    let left = move |event: PointerEvent| {
        if event.type_() == "pointercancel" {
            pinched(&event);
        }
        brush.set(None);
        over.set(None);
    };
    let title = move || {
        over.with(|o| o.as_ref().map(|bar| bar_text(page.t(), bar, page.clock.get().now))).unwrap_or_default()
    };
    view! {
        <div class="scroll gantt-scroll" node_ref=scroller tabindex="0" role="group" data-testid="gantt-keys"
            aria-label=page.say_later(|w| w.gantt_help) on:scroll=scroll on:keydown=move |e| chart.key(&e)>
            <div class="spacer" style:height=string(height)>
                <canvas node_ref=canvas aria-hidden="true" data-testid="gantt-canvas" title=string(title)
                    class:over=flag(move || over.with(Option::is_some))
                    on:wheel=wheel on:pointerdown=press on:pointermove=moved on:pointerup=released on:pointerleave=left on:pointercancel=left
                    on:dblclick=move |_| chart.reset()></canvas>
            </div>
        </div>
    }
}

/// `12 · alice · name · 14:02:00 – 14:30:00 · completed`.
fn bar_text(words: &'static Words, bar: &GanttBar, now: Micros) -> String {
    let kind = kind(words, bar.kind);
    let end = bar.limit.map_or(bar.until, |limit| limit.max(bar.until));
    let (from, until) = (when(bar.from, now, words.calendar), when(end, now, words.calendar));
    match bar.kind {
        BarKind::Many => format!("{kind}: {from} – {until}"),
        BarKind::Completed
        | BarKind::Failed
        | BarKind::Preempted
        | BarKind::Requeued
        | BarKind::Running
        | BarKind::Suspended
        | BarKind::Planned => {
            let nodes = if bar.nodes.is_empty() { String::new() } else { format!(" · {}", bar.nodes) };
            let how = standing(words, bar);
            format!("{} · {} · {}{nodes} · {from} – {until} · {how}", bar.id, bar.user, bar.name)
        }
    }
}

/// The state of a bar's job, and which job preempted it.
fn standing(words: &'static Words, bar: &GanttBar) -> String {
    match bar.by.as_str() {
        "" => kind(words, bar.kind).to_owned(),
        by => format!("{}, {}", kind(words, bar.kind), fill(words.gantt_by, &[by])),
    }
}

/// The state of a bar's job, in words.
fn kind(words: &'static Words, kind: BarKind) -> &'static str {
    match kind {
        BarKind::Completed => words.completed,
        BarKind::Failed => words.failed,
        BarKind::Preempted => words.preempted,
        BarKind::Requeued => words.sent_back,
        BarKind::Running => words.running,
        BarKind::Suspended => words.suspended,
        BarKind::Planned => words.planned,
        BarKind::Many => words.many_jobs,
    }
}
