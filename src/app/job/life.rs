//! The life of a job: submitted, eligible, its runs, ended; and how much of its time limit is used.

use crate::follow::string;
use crate::page::Page;
use leptos::prelude::*;
use protocol::JobDetail;
use view::css::percent;
use view::life::{self, LifeEvent};
use view::times::{span, when};

/// A point in it: a word, the moment, and Slurm's name for what happened.
type Point = (&'static str, i64, String);

/// The section of the inspector.
#[component]
pub fn Life(page: Page, job: Memo<Option<Box<JobDetail>>>) -> impl IntoView {
    let now = move || page.clock.get().now;
    let points = Memo::new(move |_| {
        let words = page.t();
        let now = now();
        let word = |step: LifeEvent, at: i64| match step {
            LifeEvent::Submitted => words.submitted,
            LifeEvent::Eligible => words.eligible,
            LifeEvent::Started if at > now => words.starts,
            LifeEvent::Started => words.started,
            LifeEvent::PutBack => words.put_back,
            LifeEvent::Ended if at > now => words.ends,
            LifeEvent::Ended => words.ended,
        };
        let point = |(step, at, what): (LifeEvent, i64, &str)| (word(step, at), at, what.to_owned());
        job.with(|j| j.as_ref().map(|j| life::points(j).into_iter().map(point).collect::<Vec<Point>>()))
            .unwrap_or_default()
    });
    let run = move || {
        job.with(|j| {
            let j = j.as_ref()?;
            let start = j.start?;
            // A running job's end is when it reaches its time limit.
            let to = j.end.filter(|end| *end < now()).unwrap_or_else(now);
            Some(((to - start).div_euclid(1_000_000).max(0), j.limit_seconds))
        })
    };
    let limit = move || {
        let seconds = job.with(|j| j.as_ref().map_or(-1, |j| j.limit_seconds));
        if seconds < 0 { page.t().no_limit.to_owned() } else { span(seconds, page.t().day) }
    };
    let width = move || {
        let share =
            run().filter(|(_, limit)| *limit > 0).map_or(0.0, |(ran, limit)| ran as f64 / limit as f64);
        percent(share)
    };
    view! {
        <ol class="life" data-testid="life">
            {move || points.get().into_iter().map(|(word, at, what)| {
                let (later, back) = (at > now(), !what.is_empty());
                view! { <li class:later=later class:back=back>
                    <span>{word}" "<code>{what}</code></span><b>{when(at, now(), page.t().calendar)}</b></li> }
            }).collect::<Vec<_>>()}
        </ol>
        <div class="ran">
            <div class="track"><i style:width=string(width)></i></div>
            <span>{string(move || run().map(|(ran, _)| span(ran, page.t().day)).unwrap_or_default())}</span>
            <span class="faint">{page.say(|w| w.limit)}" "{string(limit)}</span>
        </div>
    }
}
