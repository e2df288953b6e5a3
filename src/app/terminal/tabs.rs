//! The tabs of the open terminals: one comes to the front, or all are shown side by side.

use crate::follow::{When, choose_none, flag, string};
use crate::layout;
use crate::page::Page;
use crate::terminal_state::OpenTerminal;
use crate::worker_link::send;
use crate::workspace::{DrawStage, Zone};
use leptos::prelude::*;
use protocol::ToEngine;

/// The strip of tabs.
#[component]
pub fn TerminalTabs(page: Page) -> impl IntoView {
    let begin = move |event: leptos::ev::Event| {
        let user: String = event_target_value(&event);
        choose_none(&event);
        if !user.is_empty() {
            page.terminals.awaited.set(Some(user.clone()));
            send(&ToEngine::Login(user));
        }
    };
    let tabs = move || {
        let names = page.terminals.open.with(|all| names(all));
        let several = names.len() > 1;
        names.into_iter().map(|(tty, name)| tab(page, tty, name, several)).collect::<Vec<_>>()
    };
    let choices = move || {
        let row = |user: String| view! { <option value=user.clone()>{user.clone()}</option> };
        let users = page.started.with(|s| s.as_ref().map(|s| s.users.clone()).unwrap_or_default());
        users.into_iter().map(row).collect::<Vec<_>>()
    };
    let there = page.drawn(DrawStage::Panels);
    view! {
        <div class="ttys" role="group" aria-label=page.say(|w| w.terminals)>
            {tabs}
            <select data-testid="new-terminal" aria-label=page.say(|w| w.new_terminal) title=page.say(|w| w.new_terminal)
                prop:value="" on:change=begin>
                <option value="" selected>"+"</option>
                {choices}
            </select>
            <span class="spring"></span>
            <When holds=flag(move || page.terminals.open.with(|all| all.len() > 1))>
                <button class="quiet beside" data-testid="beside" aria-pressed=string(move || page.terminals.beside.get().to_string())
                    aria-label=page.say(|w| w.beside) title=page.say(|w| w.beside)
                    on:click=move |_| page.terminals.beside.update(|b| *b = !*b)>
                    <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M1.5 2.5h13v11h-13zM8 2.5v11" /></svg>
                </button>
            </When>
            {move || there.get().then(|| layout::full(page, Zone::Terminal))}
        </div>
    }
}

/// A tab, with a button that closes it unless it is the only one.
fn tab(page: Page, tty: u32, name: String, several: bool) -> AnyView {
    let front = move || page.tty() == Some(tty);
    let label = string({
        let name = name.clone();
        move || format!("{} {name}", page.t().close_terminal)
    });
    let close = move |_| send(&ToEngine::Logout(tty));
    view! {
        <span class="tty" class:front=flag(front)>
            <button data-testid="terminal-tab" aria-pressed=string(move || front().to_string())
                on:click=move |_| super::show(page, tty)>{name}</button>
            {several.then(|| view! {
                <button class="quiet icon" data-testid="terminal-close" aria-label=label on:click=close>"×"</button>
            })}
        </span>
    }
    .into_any()
}

/// The names of the terminals. A user's second terminal has a number.
fn names(all: &[OpenTerminal]) -> Vec<(u32, String)> {
    let name = |(at, t): (usize, &OpenTerminal)| {
        let before = all.iter().take(at).filter(|other| other.user == t.user).count();
        (t.tty, if before == 0 { t.user.clone() } else { format!("{} {}", t.user, before + 1) })
    };
    all.iter().enumerate().map(name).collect()
}
