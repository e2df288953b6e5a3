//! The terminals that are open, by whose they are: one comes to the front, or all stand side by side.

use crate::protocol::ToEngine;
use crate::ui::follow::{When, choose_none, flag, string};
use crate::ui::state::{Page, Terminal};
use crate::ui::worker_link::send;
use leptos::prelude::*;

/// The strip above them.
#[component]
pub fn Tabs(page: Page) -> impl IntoView {
    let several = Memo::new(move |_| page.terminals.with(|all| all.len() > 1));
    let users =
        Memo::new(move |_| page.started.with(|s| s.as_ref().map(|s| s.users.clone()).unwrap_or_default()));
    let begin = move |event: leptos::ev::Event| {
        let user: String = event_target_value(&event);
        choose_none(&event);
        if !user.is_empty() {
            page.awaited.set(Some(user.clone()));
            send(&ToEngine::Login(user));
        }
    };
    let choices = move || {
        let row = |user: String| view! { <option value=user.clone()>{user.clone()}</option> };
        users.get().into_iter().map(row).collect::<Vec<_>>()
    };
    view! {
        <div class="ttys" role="group" aria-label=page.say(|w| w.terminals)>
            <For each=move || page.terminals.get() key=|t| (t.tty, t.user.clone())
                children=move |t| view! { <Tab page terminal=t several /> } />
            <select data-testid="new-terminal" aria-label=page.say(|w| w.new_terminal) title=page.say(|w| w.new_terminal)
                prop:value="" on:change=begin>
                <option value="" selected>"+"</option>
                {choices}
            </select>
            <span class="spring"></span>
            <When holds=flag(move || several.get())>
                <button class="quiet beside" data-testid="beside" aria-pressed=string(move || page.beside.get().to_string())
                    aria-label=page.say(|w| w.beside) title=page.say(|w| w.beside)
                    on:click=move |_| page.beside.update(|b| *b = !*b)>
                    <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M1.5 2.5h13v11h-13zM8 2.5v11" /></svg>
                </button>
            </When>
        </div>
    }
}

#[component]
fn Tab(page: Page, terminal: Terminal, several: Memo<bool>) -> impl IntoView {
    let Terminal { tty, user } = terminal;
    let front = Memo::new(move |_| page.tty() == Some(tty));
    // The second of one user is told from the first by its number.
    let name = {
        let user = user.clone();
        Memo::new(move |_| {
            page.terminals.with(|all| all.iter().filter(|t| t.user == user && t.tty <= tty).count())
        })
    };
    let name = string(move || if name.get() < 2 { user.clone() } else { format!("{user} {}", name.get()) });
    view! {
        <span class="tty" class:front=flag(move || front.get())>
            <button data-testid="terminal-tab" aria-pressed=string(move || front.get().to_string())
                on:click=move |_| super::bring(page, tty)>{name}</button>
            <When holds=flag(move || several.get())>
                <button class="quiet icon" data-testid="terminal-close"
                    aria-label=string(move || format!("{} {}", page.t().close_terminal, name.get()))
                    on:click=move |_| send(&ToEngine::Logout(tty))>"×"</button>
            </When>
        </span>
    }
}
