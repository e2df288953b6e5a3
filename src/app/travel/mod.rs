//! The time line at the bottom: the cluster's history from the session's start to now, and what is planned. Dragging the bar back makes the
//! whole page show that moment. A command typed there starts another branch; the branches are listed beside it. Dragging over the
//! history above the bar selects a span, which the timeline shows.

mod branches;
mod paint;
mod span;

use crate::follow::{When, flag, in_next_frame, string};
use crate::i18n::Words;
use crate::page::Page;
use crate::worker_link::send;
use branches::Branches;
use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::html::{Canvas, Div};
use leptos::prelude::*;
use paint::LinePainter;
pub use paint::label;
use protocol::{GanttWindow, Micros, TimeLine, TimeMark, TimeMarkKind, ToEngine, Travel};
use span::{HistorySpan, SpanChip};
use std::time::Duration;
use view::fill::fill;
use view::times::{self, dated, when};
use view::travel::{Scale, arrived, load_at, neighbour};

/// An arrow key moves by the past divided by this, and by at least [`SECOND`].
const FINE: Micros = 200;
const SECOND: Micros = 1_000_000;
/// With Shift, an arrow key moves the end of a span by this many steps.
const COARSE: Micros = 5;
/// How long the handle stays at a moment that is not shown yet.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Draws the footer.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page, line: RwSignal<Option<Box<TimeLine>>>, window: RwSignal<GanttWindow>) -> AnyView {
    let span = HistorySpan::new(page, window);
    let past = Memo::new(move |_| page.clock.get().past);
    let several = flag(move || line.with(|l| l.as_ref().is_some_and(|l| l.branches.len() > 1)));
    view! {
        <footer class="travel" data-testid="time-line" class:past=flag(move || past.get())>
            <Rail page line span />
            <SpanChip span />
            <When holds=flag(move || past.get())>
                <span class="hint" role="status"><b>{page.say_later(|w| w.travel_past)}</b>" "{page.say_later(|w| w.travel_hint)}</span>
                <button class="primary" data-testid="travel-now" on:click=move |_| send(&ToEngine::Travel(Travel::Now))>
                    {page.say(|w| w.travel_now)}
                </button>
            </When>
            <When holds=several><Branches page line /></When>
        </footer>
    }
    .into_any()
}

/// The time line: a slider over time.
#[component]
fn Rail(page: Page, line: RwSignal<Option<Box<TimeLine>>>, span: HistorySpan) -> impl IntoView {
    let rail = NodeRef::<Div>::new();
    let canvas = NodeRef::<Canvas>::new();
    let size = RwSignal::new((0.0_f64, 0.0_f64));
    // Where the handle is held or was released, as a share of the width; and where the pointer hovers.
    let held = RwSignal::new(None::<f64>);
    let dragged = StoredValue::new(false);
    let hover = RwSignal::new(None::<f64>);
    // Whether the pointer is over the history, where dragging selects a span.
    let over = RwSignal::new(false);
    let sent = StoredValue::new(None::<Micros>);
    // The handle stays where it was released until that moment is shown. Frames on the way show other moments.
    let stop_waiting = move || {
        if !dragged.get_value() && held.get_untracked().is_some() {
            held.set(None);
        }
    };
    Effect::new(move || {
        let (now, past) = page.clock.with(|c| (c.now, c.past));
        let seen = |at| line.with(|l| l.as_ref().is_some_and(|l| arrived(l, at, now, past)));
        if sent.get_value().is_some_and(seen) {
            stop_waiting();
        }
    });
    crate::resize::on_resize(rail, move || {
        if let Some(e) = rail.get_untracked() {
            size.set((f64::from(e.client_width()), f64::from(e.client_height())));
        }
    });
    let scale = move || line.with(|l| l.as_ref().map(|l| Scale::of(l)).unwrap_or_default());
    let shown = Memo::new(move |_| shown(page, line, held.get()));
    let painter = StoredValue::new_local(LinePainter::default());
    Effect::new(move || {
        line.track();
        size.track();
        page.prefs.lang.track();
        let (selected, brush) = (span.selected(), span.dragged());
        let (shown, hover, past) =
            (shown.get(), hover.get(), page.clock.with(|c| c.past) || held.get().is_some());
        let dark = page.prefs.dark.get();
        in_next_frame(move || {
            let (Some(canvas), Some(line)) = (canvas.get_untracked(), line.get_untracked()) else {
                return;
            };
            let look =
                paint::LineLook { size: size.get_untracked(), dark, shown, past, hover, selected, brush };
            let words = page.prefs.lang.get_untracked().words();
            painter.update_value(|p| p.paint(&canvas, &line, words, &look));
        });
    });
    let go = move |at: Micros| {
        let present = scale().present;
        let to = if at >= present { Travel::Now } else { Travel::To(at) };
        send(&ToEngine::Travel(to));
    };
    let position =
        move |event: &PointerEvent| paint::position(f64::from(event.offset_x()), size.get_untracked().0);
    let drag = move |event: &PointerEvent| {
        let position = position(event).clamp(0.0, 1.0);
        hover.set(Some(position));
        over.set(paint::is_history(f64::from(event.offset_y()), size.get_untracked().1));
        if span.drag(position) || !dragged.get_value() {
            return;
        }
        held.set(Some(position));
        let at = untrack(scale).moment(position);
        // One request per moment is enough.
        if sent.get_value() != Some(at) {
            sent.set_value(Some(at));
            untrack(|| go(at));
        }
    };
    let press = move |event: PointerEvent| {
        if event.button() != 0 {
            return;
        }
        if let Some(rail) = rail.get_untracked() {
            // Without capture a drag ends at the edge of the time line.
            let _ = rail.set_pointer_capture(event.pointer_id());
        }
        sent.set_value(None);
        if paint::is_history(f64::from(event.offset_y()), size.get_untracked().1) {
            return span.press(position(&event).clamp(0.0, 1.0));
        }
        dragged.set_value(true);
        drag(&event);
    };
    let release = move |event: PointerEvent| {
        if event.type_() == "pointercancel" {
            span.cancel();
        }
        // A click travels, wherever it is.
        if let Some(position) = span.release(|position| untrack(scale).moment(position)) {
            held.set(Some(position));
            let at = untrack(scale).moment(position);
            sent.set_value(Some(at));
            untrack(|| go(at));
        }
        dragged.set_value(false);
        // The handle gives up on a moment that cannot be reached.
        set_timeout(stop_waiting, TIMEOUT);
    };
    let keys = move |event: KeyboardEvent| {
        untrack(|| {
            // Keys may be quicker than the engine: the next one starts where the last one goes.
            let at = held.get().and(sent.get_value()).unwrap_or_else(|| shown.get());
            let scale = scale();
            let fine = ((scale.present - scale.start) / FINE).max(SECOND);
            let along = |key: &str, from: Micros, fine: Micros| {
                let to_mark =
                    |forwards| line.with(|l| l.as_ref().and_then(|l| neighbour(&l.marks, from, forwards)));
                Some(match key {
                    "ArrowLeft" | "ArrowDown" => from - fine,
                    "ArrowRight" | "ArrowUp" => from + fine,
                    "PageUp" => to_mark(false).unwrap_or(scale.start),
                    "PageDown" => to_mark(true).unwrap_or(scale.present),
                    "Home" => scale.start,
                    "End" => scale.present,
                    _ => return None,
                })
            };
            let key = event.key();
            if event.shift_key() && along(&key, at, fine).is_some() {
                event.prevent_default();
                let to =
                    |from| along(&key, from, COARSE * fine).unwrap_or(from).clamp(scale.start, scale.present);
                return span.extend(at, to);
            }
            if key == "Escape" && span.leave() {
                return event.prevent_default();
            }
            let to = if key == "Escape" { Some(scale.present) } else { along(&key, at, fine) };
            let Some(to) = to else { return };
            let to = to.clamp(scale.start, scale.present.max(scale.start));
            event.prevent_default();
            // The present moves on, so the handle is not held there.
            held.set((to < scale.present).then(|| scale.position(to)));
            sent.set_value(Some(to));
            go(to);
            set_timeout(stop_waiting, TIMEOUT);
        })
    };
    // Whole seconds, so that the announced text changes rarely.
    let second = Memo::new(move |_| shown.get().div_euclid(SECOND));
    let present = Memo::new(move |_| line.with(|l| l.as_ref().map_or(0, |l| l.present.div_euclid(SECOND))));
    let start = Memo::new(move |_| scale().start.div_euclid(SECOND));
    let said = move || {
        let (at, present) = (second.get() * SECOND, present.get() * SECOND);
        let when = dated(at, page.t().calendar);
        if at < present {
            let words = page.t();
            let ago = format!("{when}, {} {}", times::span((present - at) / SECOND, words.day), words.ago);
            let load = line.with(|l| l.as_ref().and_then(|l| load_text(page, l, at)));
            load.map_or(ago.clone(), |load| format!("{ago}: {load}"))
        } else {
            format!("{when}, {}", page.t().present)
        }
    };
    let title = move || {
        let position = hover.get()?;
        let words = page.t();
        line.with(|l| {
            let line = l.as_ref()?;
            let scale = Scale::of(line);
            let marks = scale.marks(&line.marks, position, size.get().0);
            if !marks.is_empty() {
                let lines: Vec<_> = marks.iter().map(|mark| mark_text(words, mark, line.present)).collect();
                return Some(lines.join("\n"));
            }
            if position > scale.now() { None } else { load_text(page, line, scale.moment(position)) }
        })
    };
    view! {
        <p class="hidden" id="span-help">{page.say_later(|w| w.span_help)}</p>
        <div class="rail" node_ref=rail role="slider" tabindex="0" data-testid="time-rail" class:select=flag(move || over.get())
            aria-label=page.say_later(|w| w.time_line) aria-describedby="span-help"
            aria-valuemin=string(move || start.get().to_string())
            aria-valuemax=string(move || present.get().to_string())
            aria-valuenow=string(move || second.get().to_string())
            aria-valuetext=string(said)
            title=string(move || title().unwrap_or_default())
            on:pointerdown=press on:pointermove=move |e| drag(&e) on:pointerup=release on:pointercancel=release
            on:pointerleave=move |_| hover.set(None)
            on:keydown=keys>
            <canvas node_ref=canvas aria-hidden="true"></canvas>
        </div>
    }
}

/// The moment that is shown or asked for.
fn shown(page: Page, line: RwSignal<Option<Box<TimeLine>>>, held: Option<f64>) -> Micros {
    let clock = page.clock.get();
    line.with(|l| {
        let Some(line) = l else { return clock.now };
        match held {
            Some(position) => Scale::of(line).moment(position),
            None if clock.past => line.goal.unwrap_or(clock.now),
            None => line.present,
        }
    })
}

/// `87% of the cores in use, pending jobs: 4`.
fn load_text(page: Page, line: &TimeLine, at: Micros) -> Option<String> {
    let (cores, pending) = load_at(&line.load, at)?;
    let percent = format!("{}{}", (cores + 5) / 10, page.t().percent);
    Some(fill(page.later().line_load, &[&percent, &page.number(pending.into())]))
}

/// `12 started, 14:07:03`.
fn mark_text(words: &'static Words, mark: &TimeMark, now: Micros) -> String {
    let what = match mark.kind {
        TimeMarkKind::Submitted => words.submitted,
        TimeMarkKind::Started => words.started,
        TimeMarkKind::Ended => words.ended,
        TimeMarkKind::Failed => words.failed,
        TimeMarkKind::Preempted => words.preempted,
        TimeMarkKind::Planned => words.starts,
        TimeMarkKind::Limit => words.ends,
    };
    format!("{} {}: {} {}", words.id, mark.job, what, when(mark.at, now, words.calendar))
}
