//! Preemptions: the preempted job, the preemptor, when and how it happened, and the current state of both.

use crate::follow::{When, flag, string};
use crate::page::{Page, Selection};
use crate::save::{self, SavedPicture};
use leptos::prelude::*;
use protocol::{AdminSubject, PanelAnswer, PreemptJob, PreemptPicture, PreemptRow};
use std::sync::Arc;
use view::fill::{csv_line, fill};
use view::palette::job_colour;
use view::times::{civil, span, when};

/// Draws the panel.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(
    page: Page,
    answer: RwSignal<Option<Box<PanelAnswer>>>,
    administered: RwSignal<AdminSubject>,
) -> AnyView {
    let picture = Memo::new(move |_| answer.with(|p| p.as_ref().and_then(|p| p.preempt()).cloned()));
    let holds =
        move |f: fn(&PreemptPicture) -> bool| flag(move || picture.with(|p| p.as_ref().is_some_and(f)));
    let rows = Memo::new(move |_| picture.with(|p| p.as_ref().map(|p| p.rows.clone()).unwrap_or_default()));
    let rules = move || {
        let [kind, mode, exempt] = picture.with(|p| p.as_ref().map(|p| p.rules.clone()).unwrap_or_default());
        let words = page.t();
        let safe = match exempt.parse::<i64>() {
            Ok(seconds) if seconds > 0 => fill(words.preempt_safe, &[&span(seconds, words.day)]),
            Ok(_) | Err(_) => String::new(),
        };
        format!("PreemptType={kind}, PreemptMode={mode}. {safe}")
    };
    let data = Arc::new(move || picture.with_untracked(|p| p.as_ref().map(csv).unwrap_or_default()));
    view! {
        <section class="preempts sheet" data-testid="preempt" aria-label=page.say(|w| w.preempt)>
            <div class="bar">
                <p class="rules">{string(rules)}</p>
                <span class="spring"></span>
                {save::menu(page, "preemptions", SavedPicture::None, data)}
            </div>
            <div class="scroll" tabindex="0" role="group" aria-label=page.say(|w| w.preempt)>
                <When holds=holds(|p| !p.on)>
                    <p class="empty">{page.say_later(|w| w.preempt_off)}</p>
                    <pre class="lines">"PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\nPartitionName=urgent PriorityTier=10 ...\nPartitionName=spare PriorityTier=1 ..."</pre>
                    <p><button data-testid="preempt-change" on:click=move |_| {
                        administered.set(AdminSubject::Settings);
                        page.show_panel("admin");
                    }>{page.say_later(|w| w.preempt_change)}</button></p>
                </When>
                <When holds=holds(|p| p.on && p.rows.is_empty())>
                    <p class="empty">{page.say_later(|w| w.preempt_none)}</p>
                </When>
                <ol class="events">
                    {move || rows.get().into_iter().map(|row| event(page, row)).collect::<Vec<_>>()}
                </ol>
            </div>
        </section>
    }
    .into_any()
}

/// The preemptions as CSV.
fn csv(picture: &PreemptPicture) -> String {
    let mut out = csv_line(["time", "preempted", "user", "by", "by_user", "mode", "grace"]);
    for row in &picture.rows {
        let at = civil(row.at);
        let (victim, by) = (&row.victim, &row.by);
        let (time, grace) = (format!("{}T{}", at.date(), at.hms()), row.grace.to_string());
        out.push_str(&csv_line(
            [&time, &victim.id, &victim.user, &by.id, &by.user, &row.mode, &grace].map(String::as_str),
        ));
    }
    out
}

/// A preempted job.
fn event(page: Page, row: PreemptRow) -> AnyView {
    let words = page.t();
    let now = page.clock.with_untracked(|c| c.now);
    // It is still in its grace time.
    let here = matches!(row.victim.state.as_str(), "R" | "CF" | "S");
    let leaving = here && row.mode != "SUSPEND" && row.victim.start.is_some_and(|at| at <= row.at);
    let how = match row.mode.as_str() {
        _ if leaving => words.preempt_ends,
        "REQUEUE" => words.preempt_requeue,
        "SUSPEND" => words.preempt_suspend,
        _ => words.preempt_cancel,
    };
    let grace = match row.grace {
        0 => String::new(),
        seconds => fill(words.preempt_grace, &[&span(i64::from(seconds), words.day)]),
    };
    let since = match (row.victim.state.as_str(), row.victim.start) {
        ("", _) => words.preempt_forgotten.to_owned(),
        ("PD", _) => words.preempt_waits.to_owned(),
        ("S", _) if !leaving => words.preempt_paused.to_owned(),
        ("R" | "CF", Some(start)) if start > row.at => {
            fill(words.preempt_again, &[&when(start, now, words.calendar)])
        }
        ("R" | "CF" | "S", _) if leaving => fill(
            words.preempt_until,
            &[&when(row.at + i64::from(row.grace) * 1_000_000, now, words.calendar)],
        ),
        ("R" | "CF", _) => words.preempt_runs.to_owned(),
        (state, _) => fill(words.preempt_ended, &[state]),
    };
    view! {
        <li data-testid="preempt-row">
            <time>{when(row.at, now, words.calendar)}</time>
            <span class="pair-of">{job(page, &row.by)}<span class="faint">{words.preempt_pushed}</span>{job(page, &row.victim)}</span>
            <span>{how}" "<code>{row.mode}</code>" "{grace}</span>
            <span class="faint">{since}</span>
        </li>
    }
    .into_any()
}

fn job(page: Page, job: &PreemptJob) -> AnyView {
    let colour = job_colour(job.user_index, job.job, page.prefs.dark.get_untracked());
    let id = job.id.clone();
    view! {
        <button class="quiet" on:click=move |_| page.selection.set(Selection::Job(id.clone()))>
            <i class="dot" style:background=colour></i>" "{job.id.clone()}" "<span class="faint">{job.user.clone()}</span>
        </button>
    }
    .into_any()
}
