//! The strip of a job's life: submitted, eligible, its runs, ended; and how much of its time is over.

use crate::protocol::JobDetail;
use crate::ui::follow::string;
use crate::ui::state::Page;
use crate::view::css::percent;
use crate::view::life::{self, Step};
use crate::view::times::{span, when};
use leptos::prelude::*;

/// A point of the strip: word, moment, what happened there by Slurm's name.
type Point = (&'static str, i64, String);

/// The strip.
#[component]
pub fn Life(page: Page, job: Memo<Option<Box<JobDetail>>>) -> impl IntoView {
    let now = move || page.clock.get().now;
    let points = Memo::new(move |_| {
        let words = page.t();
        let now = now();
        let word = |step: Step, at: i64| match step {
            Step::Submitted => words.submitted,
            Step::Eligible => words.eligible,
            Step::Started if at > now => words.starts,
            Step::Started => words.started,
            Step::PutBack => words.put_back,
            Step::Ended if at > now => words.ends,
            Step::Ended => words.ended,
        };
        let point = |(step, at, what): (Step, i64, &str)| (word(step, at), at, what.to_owned());
        job.with(|j| j.as_ref().map(|j| life::points(j).into_iter().map(point).collect::<Vec<Point>>()))
            .unwrap_or_default()
    });
    let run = move || {
        job.with(|j| {
            let j = j.as_ref()?;
            let start = j.start?;
            // Of a running job the end is the moment at which its limit is reached.
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
