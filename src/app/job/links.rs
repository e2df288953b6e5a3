//! A job's relations: its dependencies, the jobs that depend on it, and its array.

use crate::follow::{When, flag};
use crate::page::{Page, Selection};
use crate::rich::rich;
use leptos::prelude::*;
use protocol::{ArrayMembership, DependencyState, JobDetail};
use view::rich::{code, job as link};
use view::states::{job_code, job_tone};

/// The section of the inspector.
#[component]
pub fn Links(page: Page, job: Memo<Option<Box<JobDetail>>>) -> impl IntoView {
    let before = Memo::new(move |_| {
        let words = page.t();
        let one = |(kind, id, state): &(String, String, DependencyState)| {
            let whom = if id.is_empty() { String::new() } else { format!(" {}", link(id)) };
            let stands = match state {
                DependencyState::Waits => words.dep_waits,
                DependencyState::Holds => words.dep_holds,
                DependencyState::Never => words.dep_never,
            };
            format!("{}{whom} ({stands})", code(kind))
        };
        job.with(|j| j.iter().flat_map(|j| &j.depends_on).map(one).collect::<Vec<_>>().join(", "))
    });
    let after = Memo::new(move |_| {
        job.with(|j| j.iter().flat_map(|j| &j.needed_by).map(|id| link(id)).collect::<Vec<_>>().join(", "))
    });
    let array = Memo::new(move |_| job.with(|j| j.as_ref().and_then(|j| j.array.clone())));
    view! {
        <When holds=flag(move || !before.with(String::is_empty))>
            <p class="links">{page.say_later(|w| w.depends_on)}": "{rich(page, move || before.get())}</p>
        </When>
        <When holds=flag(move || !after.with(String::is_empty))>
            <p class="links">{page.say_later(|w| w.needed_by)}": "{rich(page, move || after.get())}</p>
        </When>
        <When holds=flag(move || array.with(Option::is_some))>
            {move || array.get().map(|array| tasks(page, array))}
        </When>
    }
}

/// A summary of the array, and its tasks as buttons.
fn tasks(page: Page, array: ArrayMembership) -> AnyView {
    let words = page.t();
    let over = array.tasks.saturating_sub(array.waiting + array.running);
    let throttle = if array.throttle > 0 { format!(", %{}", array.throttle) } else { String::new() };
    let line = format!(
        "{} {}: {} {}, {} {}, {over} {}{throttle}",
        words.array, array.array, array.running, words.running, array.waiting, words.waiting, words.over
    );
    let one = |(task, id, state): (u32, String, String)| {
        let class = format!("task {}", job_tone(job_code(&state)).class());
        let here = array.task == Some(task);
        let title = format!("{task}: {state}");
        view! {
            <button class=class class:here=here title=title
                on:click=move |_| page.selection.set(Selection::Job(id.clone()))>{task}" "<small>{job_code(&state)}</small></button>
        }
    };
    view! {
        <p class="links">{line}</p>
        <p class="tasks">{array.known.into_iter().map(one).collect::<Vec<_>>()}</p>
    }
    .into_any()
}
