//! The parts of the page for a class: the dialog that asks for a name, and the mark with the state of the connection, which
//! opens the way to the dashboard for a teacher, and raises the hand of a participant.

use super::{board, join, look, raise_hand, show};
use crate::class_state::{ClassLine, JoinedClass};
use crate::follow::{When, flag, string};
use crate::modal::titled;
use crate::page::Page;
use crate::progress::LessonState;
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
pub fn draw(page: Page, lesson: LessonState) -> AnyView {
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
    let press = move |_| raise_hand(page, !state.hand.get_untracked());
    let hand = move || if state.hand.get() { page.later().class_lower } else { page.later().class_raise };
    let hands = move || {
        let up = state.people.with(|people| classroom::board::counts(people).2);
        if up == 0 {
            String::new()
        } else {
            format!(" · {}", fill(page.later().class_hands, &[&up.to_string()]))
        }
    };
    view! {
        <div class="class-mark" class:lost=lost data-testid="class-mark">
            <details>
                <summary>{page.say_later(|w| w.class_word)}" "{string(head)}<span role="status" data-testid="class-hands">{string(hands)}</span>
                    <span role="status" data-testid="class-line">{string(lines)}</span></summary>
                <div class="class-more"><When holds=teacher fallback=move || learner(page)>{teacher_part(page)}</When></div>
            </details>
            <When holds=flag(move || !teacher.get())>
                <button class="quiet" data-testid="class-hand" aria-pressed=string(move || state.hand.get().to_string()) on:click=press>
                    {string(move || hand().to_owned())}</button>
                {look::notice(page)}
            </When>
        </div>
        <When holds=flag(move || state.board.get())>{board::draw(page, lesson)}</When>
        {look::draw(page)}
        {show::draw(page, teacher)}
    }
    .into_any()
}

/// The participant's rules, and the button that raises the hand.
fn learner(page: Page) -> AnyView {
    view! { <p>{page.say_later(|w| w.class_clock)}</p> }.into_any()
}

/// Who is here, the way to the dashboard, and a line to all.
fn teacher_part(page: Page) -> AnyView {
    view! {
        <p data-testid="class-count">{string(move || board::count_text(page))}</p>
        <div class="row-of-buttons"><button data-testid="class-board-open" on:click=move |_| page.class.board.set(true)>
            {page.say_later(|w| w.class_board)}</button>{show::job_button(page)}</div>
        {board::announcing(page)}
    }
    .into_any()
}
