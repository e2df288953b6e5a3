//! The outcome of a job: what happened, what to change, and the command that tries again.

use super::why::command;
use crate::follow::{When, flag, string};
use crate::page::Page;
use crate::rich::rich;
use leptos::prelude::*;
use protocol::JobDetail;
use view::outcome::{outcome, tone};

/// The section of the inspector for jobs that are finished or were requeued.
#[component]
pub fn Outcome(page: Page, job: Memo<Option<Box<JobDetail>>>) -> impl IntoView {
    let known = flag(move || job.with(|j| j.as_ref().is_some_and(|j| outcome(j).is_some())));
    let words = Memo::new(move |_| {
        let texts = page.prefs.lang.get().outcome();
        job.with(|j| j.as_ref().and_then(|j| Some((texts.outcome)(&outcome(j)?, j)))).unwrap_or_default()
    });
    let again = Memo::new(move |_| job.with(|j| j.as_ref().and_then(|j| j.again.clone())));
    let class = move || {
        let tone = job.with(|j| j.as_ref().map(|j| tone(j).class()).unwrap_or_default());
        format!("outcome {tone}")
    };
    view! {
        <When holds=known>
            <section class=string(class) data-testid="outcome" aria-label=page.say(|w| w.outcome)>
                <p class="lead">{rich(page, move || words.with(|w| w.0.clone()))}</p>
                <p>{rich(page, move || words.with(|w| w.1.clone()))}</p>
                {move || again.get().map(|line| view! { <p>{page.say_later(|w| w.again)}" "{command(page, line)}</p> })}
            </section>
        </When>
    }
}
