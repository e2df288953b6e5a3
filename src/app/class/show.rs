//! A terminal or a job that a teacher shows to all: a pane on every page, which draws the terminal from this tab's own world. The
//! teacher's pane has the button that ends it.

use super::look::{self, picture};
use super::{tell, to_engine};
use crate::follow::{When, flag, string};
use crate::page::{Page, Selection};
use classroom::wire::{ClassLook, ClassShow, ShownToAll, ToClassServer};
use leptos::prelude::*;
use protocol::class::{ClassScreen, ToClass};
use std::time::Duration;
use view::fill::fill;

/// How often the terminal is drawn.
const EVERY: Duration = Duration::from_millis(800);

/// What is shown, as signals.
#[derive(Clone, Copy)]
pub struct ShowState {
    /// What all see.
    pub shown: RwSignal<Option<ShownToAll>>,
    /// Its terminal, from the engine.
    screen: RwSignal<Vec<ClassScreen>>,
}

thread_local! {
    // The owner keeps the signals for the life of the page.
    static STATE: (Owner, ShowState) = {
        let owner = Owner::new();
        let state =
            owner.with(|| ShowState { shown: RwSignal::new(None), screen: RwSignal::new(Vec::new()) });
        (owner, state)
    };
}

/// The state of this tab.
pub fn state() -> ShowState {
    STATE.with(|(_, state)| *state)
}

/// The seat whose terminal is shown. Reads a signal.
pub fn seat() -> Option<u32> {
    state().shown.with(|shown| match shown.as_ref().map(|shown| &shown.what) {
        Some(ClassShow::Terminal(seat)) => Some(*seat),
        Some(ClassShow::Job(_)) | None => None,
    })
}

/// The teacher shows something to all, or ends that.
pub fn show(what: Option<ClassShow>) {
    if what.is_some() {
        look::look(ClassLook::Nobody);
    }
    tell(&ToClassServer::Show(what));
}

/// The server says what all see. A job is selected on every page.
pub fn shown(page: Page, shown: Option<ShownToAll>) {
    if let Some(ClassShow::Job(id)) = shown.as_ref().map(|shown| &shown.what) {
        page.selection.set(Selection::Job(id.clone()));
    }
    state().screen.set(Vec::new());
    state().shown.set(shown);
    to_engine(ToClass::Shown(untrack(seat)));
}

/// The engine reports terminals.
pub fn screens(screens: &[ClassScreen]) {
    if let Some(screen) = screens.iter().find(|screen| Some(screen.seat) == untrack(seat)) {
        state().screen.set(vec![screen.clone()]);
    }
}

/// The teacher's button that shows the selected job to all.
pub fn job_button(page: Page) -> AnyView {
    let job = Memo::new(move |_| match page.selection.get() {
        Selection::Job(id) => Some(id),
        Selection::None | Selection::Node(_) => None,
    });
    let text = string(move || fill(page.later().class_show_job, &[&job.get().unwrap_or_default()]));
    view! {
        <When holds=flag(move || job.with(Option::is_some))>
            <button data-testid="class-show-job" on:click=move |_| show(job.get_untracked().map(ClassShow::Job))>{text}</button>
        </When>
    }
    .into_any()
}

/// The pane.
pub fn draw(page: Page, teacher: Signal<bool>) -> AnyView {
    let state = state();
    let title = string(move || {
        state.shown.with(|shown| match shown {
            Some(ShownToAll { by, owner, what: ClassShow::Terminal(_) }) => {
                fill(page.later().class_shows_terminal, &[by, owner])
            }
            Some(ShownToAll { by, what: ClassShow::Job(id), .. }) => {
                fill(page.later().class_shows_job, &[by, id])
            }
            None => String::new(),
        })
    });
    let terminal = flag(move || seat().is_some());
    view! {
        <When holds=flag(move || state.shown.with(Option::is_some))>
            <section class="class-shown" data-testid="class-shown" aria-label=page.say_later(|w| w.class_shown)>
                <p role="status"><b data-testid="class-shown-title">{title}</b>" "{page.say_later(|w| w.class_frozen)}</p>
                <When holds=terminal>{screen(page)}</When>
                <When holds=teacher>
                    <div class="row-of-buttons"><span class="spring"></span>
                        <button class="primary" data-testid="class-show-end" on:click=move |_| show(None)>
                            {page.say_later(|w| w.class_show_end)}</button></div>
                </When>
            </section>
        </When>
    }
    .into_any()
}

/// The terminal. A teacher who looks at another one meanwhile asks for that.
fn screen(page: Page) -> AnyView {
    let ask = move || {
        if look::state().at.get_untracked() == ClassLook::Nobody {
            to_engine(ToClass::Screens(untrack(seat)));
        }
    };
    ask();
    if let Ok(timer) = set_interval_with_handle(ask, EVERY) {
        on_cleanup(move || timer.clear());
    }
    let text = string(move || {
        let seat = seat().unwrap_or_default();
        state().screen.with(|screens| picture(screens, seat, usize::MAX))
    });
    view! { <pre class="class-screen" tabindex="0" data-testid="class-shown-screen" aria-label=page.say_later(|w| w.class_shown)>{text}</pre> }
        .into_any()
}
