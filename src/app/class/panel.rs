//! The parts of the page for a class: the dialog that asks for a name, and the mark with the state of the connection, which
//! opens the list of participants for a teacher.

use super::{announce, join};
use crate::class_state::{ClassLine, JoinedClass};
use crate::follow::{When, flag, string};
use crate::modal::titled;
use crate::page::Page;
use classroom::wire::Person;
use leptos::prelude::*;
use view::fill::fill;

/// Draws the dialog that asks for a name.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw_join(page: Page) -> AnyView {
    let name = RwSignal::new(String::new());
    let why = move || page.class.ask.get().unwrap_or_default();
    let inside = view! {
        <form on:submit=move |e| { e.prevent_default(); join(page, name.get_untracked().trim()); }>
            <p>{page.say_later(|w| w.class_rules)}</p>
            <p role="alert" data-testid="class-refused">{string(why)}</p>
            <label><span>{page.say_later(|w| w.class_name)}</span>" "
                <input type="text" data-testid="class-name" maxlength="16" autofocus autocomplete="off" autocapitalize="none"
                    spellcheck="false" on:input=move |e| name.set(event_target_value(&e)) /></label>
            <div class="row-of-buttons"><span class="spring"></span>
                <button type="submit" class="primary" data-testid="class-join">{page.say_later(|w| w.class_join)}</button></div>
        </form>
    };
    // There is nothing behind this dialog to return to.
    titled(page, "class-ask", page.say_later(|w| w.class_title), |_| {}, inside.into_any())
}

/// Draws the mark of the class.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page) -> AnyView {
    let state = page.class;
    let lines = move || match (state.line.get(), state.waiting.get()) {
        (ClassLine::Open, _) => String::new(),
        (ClassLine::Lost, 0) => page.t().class_away.to_owned(),
        (ClassLine::Lost, waiting) => {
            format!("{} {}", page.t().class_away, fill(page.t().class_waiting, &[&waiting.to_string()]))
        }
        (ClassLine::Ended, _) => page.t().class_over.to_owned(),
    };
    let head = move || {
        let joined = state.joined.get();
        joined.map_or_else(String::new, |JoinedClass { name, person, .. }| format!("{name} · {person}"))
    };
    let lost = flag(move || state.line.get() != ClassLine::Open);
    let teacher = flag(move || state.joined.with(|joined| joined.as_ref().is_some_and(|j| j.teacher)));
    view! {
        <details class="class-mark" class:lost=lost data-testid="class-mark">
            <summary>{page.say_later(|w| w.class_word)}" "{string(head)}<span role="status" data-testid="class-line">{string(lines)}</span></summary>
            <When holds=teacher fallback=move || view! { <p>{page.say_later(|w| w.class_clock)}</p> }>{people(page)}</When>
        </details>
    }
    .into_any()
}

/// The teacher's list, and a line to all.
fn people(page: Page) -> AnyView {
    let text = RwSignal::new(String::new());
    let speak = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let words = text.get_untracked().trim().to_owned();
        if !words.is_empty() {
            announce(words);
            text.set(String::new());
        }
    };
    let count = move || {
        page.class.people.with(|all| {
            let here = all.iter().filter(|p| p.here && !p.teacher).count();
            let every = all.iter().filter(|p| !p.teacher).count();
            fill(page.t().class_here, &[&here.to_string(), &every.to_string()])
        })
    };
    let row = move |person: Person| {
        let state = match (person.here, person.idle) {
            (false, _) => page.t().class_gone.to_owned(),
            (true, None) => "–".to_owned(),
            (true, Some(seconds)) => format!("{}:{:02}", seconds / 60, seconds % 60),
        };
        view! { <tr><td>{person.name}</td><td>{state}</td></tr> }
    };
    view! {
        <p data-testid="class-count">{string(count)}</p>
        <div class="scroll"><table data-testid="class-people">
            <thead><tr><th>{page.say_later(|w| w.class_person)}</th><th>{page.say_later(|w| w.class_idle)}</th></tr></thead>
            <tbody>{move || page.class.people.get().into_iter().map(row).collect::<Vec<_>>()}</tbody>
        </table></div>
        <form on:submit=speak>
            <label><span>{page.say_later(|w| w.class_announce)}</span>" "
                <input type="text" maxlength="400" data-testid="class-announce" prop:value=string(move || text.get())
                    on:input=move |e| text.set(event_target_value(&e)) /></label>
            <button type="submit" data-testid="class-speak">{page.say_later(|w| w.class_send)}</button>
        </form>
    }
    .into_any()
}
