//! Commands that a panel suggests: shown as text, and typed into the terminal of a user who may run them.

mod waiting;

pub use waiting::{add as type_lines, begin as type_solution, follow};

use crate::follow::string;
use crate::page::Page;
use crate::terminal::type_line;
use crate::workspace::Zone;
use leptos::prelude::*;

/// A command for root: its text, and a button that types it.
pub fn of_root(page: Page, line: Signal<String>) -> AnyView {
    view! {
        <div class="command">
            <code>{string(move || line.get())}</code>
            <button data-testid="as-root" on:click=move |_| type_as(page, "root", &line.get_untracked())>
                {page.say_later(|w| w.type_as_root)}
            </button>
        </div>
    }
    .into_any()
}

/// Types a line in the front terminal.
pub fn type_here(page: Page, line: &str) {
    page.workspace.zone.set(Zone::Terminal);
    type_line(page, line);
}

/// Types a line in a user's terminal, and logs the user in first if needed.
pub fn type_as(page: Page, user: &str, line: &str) {
    if page.workspace.zone.get_untracked() == Zone::Panels {
        page.workspace.zone.set(Zone::Terminal);
    }
    if page.user.get_untracked() == user && untrack(|| page.tty()).is_some() {
        type_line(page, line);
    } else {
        waiting::push(page, user, &[line.to_owned()]);
    }
}
