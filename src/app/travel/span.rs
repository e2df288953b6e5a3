//! A span of the history: the window of the timeline and of the charts, where it does not follow the present. It is selected by dragging over
//! the history, or with Shift and the keys of the slider, and left with its button or Escape.

use crate::follow::{When, flag, string};
use crate::page::Page;
use leptos::prelude::*;
use protocol::{GanttWindow, Micros};
use view::gantt::{between, first_window};
use view::times::when;

/// Least part of the width that a drag selects. Less is a click.
const LEAST: f64 = 0.004;

/// The span that is selected, and the one that is being dragged.
#[derive(Clone, Copy)]
pub struct HistorySpan {
    page: Page,
    /// The window of the timeline.
    window: RwSignal<GanttWindow>,
    /// Both ends of a drag, as shares of the width.
    dragged: RwSignal<Option<(f64, f64)>>,
    /// Where the keyboard's selection began and where it is.
    ends: StoredValue<Option<(Micros, Micros)>>,
    /// The length of the window that followed the present.
    before: StoredValue<Micros>,
}

impl HistorySpan {
    /// The span of a timeline's window.
    pub fn new(page: Page, window: RwSignal<GanttWindow>) -> Self {
        let before = StoredValue::new(first_window().span);
        Self { page, window, dragged: RwSignal::new(None), ends: StoredValue::new(None), before }
    }

    /// Its first and last moment, if there is one. Reads a signal.
    pub fn selected(self) -> Option<(Micros, Micros)> {
        self.window.with(|w| w.until.map(|until| (until - w.span, until)))
    }

    /// Both ends of the drag, as shares of the width. Reads a signal.
    pub fn dragged(self) -> Option<(f64, f64)> {
        self.dragged.get()
    }

    /// Begins a drag.
    pub fn press(self, position: f64) {
        self.dragged.set(Some((position, position)));
    }

    /// Continues the drag, if there is one.
    pub fn drag(self, position: f64) -> bool {
        let Some((from, _)) = self.dragged.get_untracked() else { return false };
        self.dragged.set(Some((from, position)));
        true
    }

    /// Ends the drag. Returns the position of a click.
    pub fn release(self, moment: impl Fn(f64) -> Micros) -> Option<f64> {
        let (from, to) = self.dragged.get_untracked()?;
        self.dragged.set(None);
        if (from - to).abs() < LEAST {
            return Some(from);
        }
        self.select(moment(from), moment(to));
        None
    }

    /// Gives up the drag.
    pub fn cancel(self) {
        self.dragged.set(None);
    }

    /// Moves the end of the selection to a moment, as Shift does in a text. `to` gets where it is now.
    pub fn extend(self, at: Micros, to: impl FnOnce(Micros) -> Micros) {
        let selected = untrack(|| self.selected());
        let ends = match (self.ends.get_value(), selected) {
            // The timeline may have been moved since.
            (Some((a, b)), Some(_)) if self.window.with_untracked(|w| between(w, a, b) == *w) => (a, b),
            (_, Some(now)) => now,
            (_, None) => (at, at),
        };
        let head = to(ends.1);
        self.select(ends.0, head);
        self.ends.set_value(Some((ends.0, head)));
    }

    /// Selects the span between two moments, and shows it in the timeline.
    fn select(self, a: Micros, b: Micros) {
        if let Some(span) = self.window.with_untracked(|w| w.until.is_none().then_some(w.span)) {
            self.before.set_value(span);
        }
        self.window.update(|w| *w = between(w, a, b));
        // The charts show it, too.
        let open = self.page.workspace.panel.get_untracked();
        self.page.show_panel(if open == "charts" { open } else { "timeline" });
    }

    /// Lets the timeline follow the present again. Returns whether it did not.
    pub fn leave(self) -> bool {
        self.ends.set_value(None);
        let away = self.window.with_untracked(|w| w.until.is_some());
        if away {
            self.window.update(|w| (w.span, w.until) = (self.before.get_value(), None));
        }
        away
    }
}

/// The selected span in words, with the button that leaves it.
#[component]
pub fn SpanChip(span: HistorySpan) -> impl IntoView {
    let page = span.page;
    // Whole minutes of the clock, so that the words change rarely.
    let now = Memo::new(move |_| page.clock.get().now.div_euclid(60_000_000) * 60_000_000);
    let said = move || {
        let say = |at| when(at, now.get(), page.t().calendar);
        span.selected().map(|(from, until)| format!("{} – {}", say(from), say(until))).unwrap_or_default()
    };
    let label = page.say_later(|w| w.span_leave);
    view! {
        <When holds=flag(move || span.selected().is_some())>
            <span class="filter set span" data-testid="span">
                <span role="status">{string(said)}</span>
                <button class="remove" data-testid="span-leave" aria-label=label title=label
                    on:click=move |_| { span.leave(); }>"×"</button>
            </span>
        </When>
    }
}
