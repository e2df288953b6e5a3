//! The inspector: everything about the job or node that is selected.

mod node;
mod parts;

use super::state::{Page, Selection};
use super::terminal::type_line;
use crate::protocol::JobDetail;
use crate::ui::follow::{When, flag, string};
use crate::view::css::percent;
use crate::view::palette::job_colour;
use crate::view::states::{Tone, job_code, job_tone};
use crate::view::times::{moment, span};
use leptos::prelude::*;
use node::NodePanel;
use parts::{Fact, Text};

/// The inspector, when something is selected.
#[component]
pub fn Inspector(page: Page) -> impl IntoView {
    let none = Memo::new(move |_| page.selection.with(|s| *s == Selection::None));
    let is_job = Memo::new(move |_| page.selection.with(|s| matches!(s, Selection::Job(_))));
    view! {
        <When holds=flag(move || !none.get())>
            <section class="inspector" aria-label=page.say(|w| w.details) on:keydown=move |e| if e.key() == "Escape" { page.selection.set(Selection::None) }>
                <When holds=flag(move || is_job.get()) fallback=move || view! { <NodePanel page /> }>
                    <JobPanel page />
                </When>
            </section>
        </When>
    }
}

/// The button that closes the inspector.
#[component]
fn CloseButton(page: Page) -> impl IntoView {
    view! {
        <button class="quiet icon" aria-label=page.say(|w| w.close) title=page.say(|w| w.close)
            data-testid="inspector-close" on:click=move |_| page.selection.set(Selection::None)>"×"</button>
    }
}

#[component]
fn JobPanel(page: Page) -> impl IntoView {
    let id = Memo::new(move |_| match page.selection.get() {
        Selection::Job(id) => id,
        Selection::None | Selection::Node(_) => String::new(),
    });
    let job = Memo::new(move |_| page.job.get());
    // Until the engine answers there is nothing to say; a moment later there is.
    let known = Memo::new(move |_| job.with(Option::is_some));
    let text = move |f: fn(&JobDetail) -> String| {
        Signal::derive(move || job.with(|j| j.as_ref().map(|j| f(j)).unwrap_or_default()))
    };
    let state = text(|j| j.state.clone());
    let tone = move || format!("state {}", job_tone(job_code(&state.get())).class());
    let colour = move || {
        let dark = page.dark.get();
        job.with(|j| {
            j.as_ref().map(|j| job_colour(page.user_index(&j.user), j.job, dark)).unwrap_or_default()
        })
    };
    view! {
        <div class="panel" data-testid="job-detail" data-job=string(move || id.get())>
            <header>
                <i class="dot" style:background=string(colour)></i>
                <h2>{page.say(|w| w.id)}" "{string(move || id.get())}</h2>
                <span class=string(tone) data-testid="job-state">{state}</span>
                <span class="spring"></span>
                <Actions page id job />
                <CloseButton page />
            </header>
            <When holds=flag(move || known.get()) fallback=move || view! { <p class="empty">{page.say(|w| w.gone)}</p> }>
                <div class="scroll" tabindex="0">
                    <p class="title">{text(|j| j.name.clone())}</p>
                    <When holds=flag(move || !text(reason).get().is_empty())>
                        <p class="reason">{page.say(|w| w.reason)}": "<code>{text(reason)}</code></p>
                    </When>
                    <Life page job />
                    <Text title=page.say(|w| w.output) path=text(|j| j.stdout_path.clone())
                        body=text(|j| j.stdout_tail.clone()) empty=page.say(|w| w.nothing_yet) open=true />
                    <When holds=flag(move || text(own_stderr).get() == "yes")>
                        <Text title=page.say(|w| w.errors) path=text(|j| j.stderr_path.clone())
                            body=text(|j| j.stderr_tail.clone()) empty=page.say(|w| w.nothing_yet) open=true />
                    </When>
                    <dl>
                        <Fact label=page.say(|w| w.owner) value=text(|j| j.user.clone()) />
                        <Fact label=page.say(|w| w.account) value=text(|j| j.account.clone()) />
                        <Fact label=page.say(|w| w.partition) value=text(|j| j.partition.clone()) />
                        <Fact label=Signal::stored("QOS") value=text(|j| j.qos.clone()) />
                        <Fact label=page.say(|w| w.on_nodes) value=text(|j| j.nodes.clone()) />
                        <Fact label=page.say(|w| w.requested) value=text(|j| j.requested.clone()) />
                        <Fact label=page.say(|w| w.allocated) value=text(|j| j.allocated.clone()) />
                        <Fact label=page.say(|w| w.exit) value=text(|j| j.exit.clone()) />
                        <Fact label=page.say(|w| w.work_dir) value=text(|j| j.work_dir.clone()) />
                        <Fact label=page.say(|w| w.comment) value=text(|j| j.comment.clone()) />
                    </dl>
                    <Text title=page.say(|w| w.script) path=text(|_| String::new())
                        body=text(|j| j.script.clone()) empty=page.say(|w| w.nothing_yet) open=false />
                </div>
            </When>
        </div>
    }
}

/// The reason, where there is one to tell.
fn reason(job: &JobDetail) -> String {
    if job.reason == "None" { String::new() } else { job.reason.clone() }
}

/// Whether errors go to a file of their own.
fn own_stderr(job: &JobDetail) -> String {
    let own = !job.stderr_path.is_empty() && job.stderr_path != job.stdout_path;
    if own { "yes".to_owned() } else { String::new() }
}

/// What can be done to the job: each button types its command.
#[component]
fn Actions(page: Page, id: Memo<String>, job: Memo<Option<Box<JobDetail>>>) -> impl IntoView {
    let mine = move || job.with(|j| j.as_ref().is_some_and(|j| page.user.with(|u| *u == j.user)));
    let code = move || job.with(|j| j.as_ref().map_or("", |j| job_code(&j.state)));
    let live = move || mine() && matches!(job_tone(code()), Tone::Waiting | Tone::Running);
    let held = move || job.with(|j| j.as_ref().is_some_and(|j| j.reason.contains("Held")));
    let run = move |command: &str| type_line(page, &format!("{command} {}", id.get_untracked()));
    view! {
        <When holds=flag(move || live() && code() == "PD")>
            <When holds=flag(held) fallback=move || view! {
                <button on:click=move |_| run("scontrol hold")>{page.say(|w| w.hold)}</button>
            }>
                <button on:click=move |_| run("scontrol release")>{page.say(|w| w.release)}</button>
            </When>
        </When>
        <When holds=flag(live)>
            <button data-testid="cancel" on:click=move |_| run("scancel")>{page.say(|w| w.cancel)}</button>
        </When>
    }
}

/// The strip of a job's life: submitted, eligible, started, ended.
#[component]
fn Life(page: Page, job: Memo<Option<Box<JobDetail>>>) -> impl IntoView {
    let now = move || page.clock.get().now;
    let points = move || {
        let words = page.t();
        job.with(|j| {
            let Some(j) = j else { return Vec::new() };
            let eligible = j.eligible.filter(|at| *at != j.submit);
            [
                (words.submitted, Some(j.submit)),
                (words.eligible, eligible),
                (if j.start.is_some_and(|at| at > now()) { words.starts } else { words.started }, j.start),
                (if j.end.is_some_and(|at| at > now()) { words.ends } else { words.ended }, j.end),
            ]
            .into_iter()
            .filter_map(|(word, at)| at.map(|at| (word, at)))
            .collect::<Vec<_>>()
        })
    };
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
        <ol class="life">
            {move || points().into_iter().map(|(word, at)| {
                let later = at > now();
                view! { <li class:later=later><span>{word}</span><b>{moment(at, now())}</b></li> }
            }).collect::<Vec<_>>()}
        </ol>
        <div class="ran">
            <div class="track"><i style:width=string(width)></i></div>
            <span>{string(move || run().map(|(ran, _)| span(ran, page.t().day)).unwrap_or_default())}</span>
            <span class="faint">{page.say(|w| w.limit)}" "{string(limit)}</span>
        </div>
    }
}
