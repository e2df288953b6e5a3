//! The first steps: submit a job, watch it, read its output. Three buttons type the commands that a newcomer does not
//! know yet.

use crate::follow::{When, flag};
use crate::page::Selection;
use crate::state::AppState;
use crate::terminal::type_line;
use crate::workspace::Zone;
use crate::{editor, origin, storage};
use leptos::prelude::*;
use view::queue::is_over;

/// The step that comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FirstStep {
    Submit,
    Watch,
    Read,
    Done,
}

impl FirstStep {
    /// Its name in the style sheet and in tests.
    const fn name(self) -> &'static str {
        match self {
            Self::Submit => "submit",
            Self::Watch => "watch",
            Self::Read => "read",
            Self::Done => "done",
        }
    }
}

/// The strip of first steps, until it is hidden.
#[component]
pub fn FirstSteps(app: AppState) -> impl IntoView {
    let page = app.page;
    let hidden = RwSignal::new(storage::get("steps").is_some());
    let read = RwSignal::new(false);
    // The job submitted last, else the user's newest in the queue; and whether it is finished.
    let newest = Memo::new(move |_| {
        let me = page.user.get();
        let last = page.terminals.last_job.get();
        app.queue().with(|q| {
            let row = match &last {
                // Any task of an array will do.
                Some(id) => q.rows.iter().find(|r| r.id.split('_').next() == Some(id)),
                None => q.rows.iter().filter(|r| r.user == me).max_by_key(|r| r.job),
            };
            let gone = app.inspected.job.with(|j| {
                j.as_ref().is_some_and(|j| {
                    Some(&j.id) == last.as_ref() && j.state != "PENDING" && j.state != "RUNNING"
                })
            });
            row.map(|r| (r.id.clone(), is_over(r))).or(last.map(|id| (id, gone)))
        })
    });
    let step = Memo::new(move |_| match newest.get() {
        _ if read.get() => FirstStep::Done,
        None => FirstStep::Submit,
        Some((_, false)) => FirstStep::Watch,
        Some((_, true)) => FirstStep::Read,
    });
    let hide = move |_| {
        hidden.set(true);
        let _ = storage::set("steps", "hidden");
    };
    let submit = move |_| {
        page.workspace.zone.set(Zone::Terminal);
        editor::submit_front(page);
    };
    let watch = move |_| {
        if let Some((id, _)) = newest.get_untracked() {
            page.selection.set(Selection::Job(id));
        }
        page.workspace.zone.set(Zone::Terminal);
        type_line(page, "squeue -u $USER");
    };
    let read_output = move |_| {
        let id = newest.get_untracked().map(|newest| newest.0).unwrap_or_default();
        // Another job may be selected.
        let shown = app
            .inspected
            .job
            .with_untracked(|j| j.as_ref().filter(|j| j.id == id).map(|j| j.stdout_path.clone()));
        let path = shown.unwrap_or_default();
        page.selection.set(Selection::Job(id));
        page.workspace.zone.set(Zone::Terminal);
        type_line(page, &if path.is_empty() { "ls -t | head".to_owned() } else { format!("cat {path}") });
        read.set(true);
    };
    // The inspector shows the submitted job, so that a newcomer sees it start and print.
    Effect::new(move || {
        if let Some(id) = page.terminals.last_job.get()
            && !hidden.get_untracked()
            && page.selection.with_untracked(|s| !matches!(s, Selection::Node(_)))
        {
            page.selection.set(Selection::Job(id));
        }
    });
    // www/early.js has reserved its place, so that nothing moves when it appears.
    let has_space = document().document_element().is_some_and(|root| root.has_attribute("data-steps"));
    let reserved = move || {
        let waits = has_space && page.started.with_untracked(Option::is_none);
        waits.then(|| view! { <div class="steps"></div> })
    };
    // A teacher watches the class, and needs no guide to a first job.
    let teaches = move || page.class.joined.with(|class| class.as_ref().is_some_and(|class| class.teacher));
    view! {
        <When fallback=reserved holds=flag(move || !hidden.get() && page.started.with(Option::is_some) && app.lesson().info.with(Option::is_none) && !origin::is_embedded() && !teaches())>
            <section class="steps" aria-label=page.say(|w| w.steps) data-testid="steps"
                data-step=Signal::derive(move || step.get().name())>
                <b class="steps-title">{page.say(|w| w.steps)}</b>
                <button class:now=flag(move || step.get() == FirstStep::Submit) on:click=submit>"1 "{page.say(|w| w.step_submit)}</button>
                <button class:now=flag(move || step.get() == FirstStep::Watch) disabled=flag(move || newest.get().is_none())
                    on:click=watch>"2 "{page.say(|w| w.step_watch)}</button>
                <button class:now=flag(move || step.get() == FirstStep::Read)
                    disabled=flag(move || newest.get().is_none_or(|newest| !newest.1))
                    on:click=read_output>"3 "{page.say(|w| w.step_read)}</button>
                <When holds=flag(move || step.get() == FirstStep::Done)><span class="faint">{page.say(|w| w.step_done)}</span></When>
                <span class="spring"></span>
                <button class="quiet" on:click=hide>{page.say(|w| w.dismiss)}</button>
            </section>
        </When>
    }
}
