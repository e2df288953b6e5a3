//! Compares policies on this site: two to four side by side, each replayed in a worker of its own, while the report grows.
//! `docs/compare.md` describes the method; the plan that is saved runs with `sandbatch compare`.

mod link;
mod run;

use crate::file_reader::{self, ReadFiles};
use crate::follow::{When, flag, string};
use crate::i18n::LaterWords;
use crate::page::Page;
use crate::{download, save, session};
use leptos::prelude::*;
pub use link::ComparisonLink;
use protocol::compare::ComparisonInput;
use run::CompareRun;
use view::compare::{
    CompareForm, CompareWorkload, HISTORY, MAX_CHANGES, MAX_DAYS, MAX_RESAMPLES, PolicyChange, plan,
};
use view::fill::fill;
use view::opened_files::is_archive;

/// Largest plan in bytes, as for `sandbatch compare`.
const MAX_PLAN: usize = 1 << 20;

/// The form, the files that were chosen for it, and the run.
#[derive(Clone, Copy)]
pub struct CompareState {
    form: RwSignal<CompareForm>,
    /// A plan that was opened, instead of the form's.
    own: RwSignal<Option<String>>,
    /// Name and text of the trace that was chosen.
    trace: RwSignal<Option<(String, String)>>,
    run: CompareRun,
}

impl CompareState {
    /// The state at a first visit.
    pub fn new() -> Self {
        Self {
            form: RwSignal::new(CompareForm::default()),
            own: RwSignal::new(None),
            trace: RwSignal::new(None),
            run: CompareRun::new(),
        }
    }

    /// The plan. Reads signals.
    fn plan(self, page: Page) -> String {
        let own = page.later().compare_as_is;
        self.own.get().unwrap_or_else(|| self.form.with(|form| plan(form, &page.site.get(), own)))
    }
}

/// An amount of background jobs, and its word.
type CompareLoad = (&'static str, fn(&'static LaterWords) -> &'static str);

const LOADS: [CompareLoad; 4] = [
    ("quiet", |w| w.background_quiet),
    ("normal", |w| w.background_normal),
    ("busy", |w| w.background_busy),
    ("overloaded", |w| w.background_overloaded),
];

/// A policy to begin with: its name, and its lines.
type ExamplePolicy = (fn(&'static LaterWords) -> &'static str, &'static str);

const EXAMPLES: [ExamplePolicy; 4] = [
    (|w| w.compare_no_preemption, "PreemptType=preempt/none\nPreemptMode=OFF"),
    (|w| w.compare_window, "SchedulerParameters+=bf_window=10080"),
    (|w| w.compare_no_backfill, "SchedulerType=sched/builtin"),
    (|w| w.compare_fifo, "PriorityType=priority/basic"),
];

/// Draws the panel.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page, state: CompareState) -> AnyView {
    let runs = flag(move || state.run.progress.with(Option::is_some));
    let has_report = flag(move || state.run.report.with(Option::is_some));
    let own = flag(move || state.own.with(Option::is_some));
    let error = move || {
        let why = state.run.error.get().unwrap_or_default();
        if why.is_empty() { page.later().compare_died.to_owned() } else { why }
    };
    view! {
        <section class="compare sheet" data-testid="compare" aria-label=page.say(|w| w.compare)>
            <div class="bar">
                <button class="primary" data-testid="compare-start" disabled=runs on:click=move |_| start(page, state)>
                    {page.say_later(|w| w.compare_start)}</button>
                <When holds=runs>{move || progress(page, state)}</When>
                <span class="spring"></span>
                {export_menu(page, state)}
            </div>
            <div class="scroll" tabindex="0" role="group" aria-label=page.say(|w| w.compare)>
                <When holds=flag(move || state.run.error.with(Option::is_some))>
                    <p class="refused" role="alert" data-testid="compare-error">{string(error)}</p>
                </When>
                <details class="setup" open=move || !has_report.get()>
                    <summary>{page.say_later(|w| w.compare_setup)}</summary>
                    <p class="faint">{page.say_later(|w| w.compare_about)}</p>
                    <When holds=own fallback=move || form(page, state)>{move || plan_text(page, state)}</When>
                </details>
                <When holds=has_report>{move || report(page, state)}</When>
            </div>
        </section>
    }
    .into_any()
}

fn start(page: Page, state: CompareState) {
    let plan = untrack(|| state.plan(page));
    // The plan's text is read by the worker, so all that may be its trace goes along.
    let history = || session::history().map(|text| (HISTORY.to_owned(), text));
    let trace = state.trace.get_untracked().or_else(history);
    let site = page.site.get_untracked();
    let input = ComparisonInput { plan, site, files: session::files(), trace };
    run::start(state.run, input, page.prefs.lang.get_untracked());
}

/// How far the run is, and the button that ends it.
fn progress(page: Page, state: CompareState) -> AnyView {
    let done = move || state.run.progress.get().unwrap_or_default();
    let said = move || match done() {
        (_, 0) => page.later().compare_loads.to_owned(),
        (done, all) => fill(page.later().compare_done, &[&done.to_string(), &all.to_string()]),
    };
    view! {
        <progress max=move || done().1.max(1).to_string() value=move || done().0.to_string() aria-label=string(said)></progress>
        <span class="faint" role="status" data-testid="compare-progress">{string(said)}</span>
        <button data-testid="compare-stop" on:click=move |_| run::stop(state.run)>{page.say_later(|w| w.compare_stop)}</button>
    }
    .into_any()
}

/// What can be saved: the report once there is one, and the plan.
fn export_menu(page: Page, state: CompareState) -> AnyView {
    let has_report = flag(move || state.run.report.with(Option::is_some));
    let saver = move |name: &'static str, text: fn(&protocol::compare::ComparisonFiles) -> &str| {
        move |_| {
            let report = state.run.report.get_untracked();
            if let Some(report) = report {
                download::bytes(name, text(&report).as_bytes());
            }
        }
    };
    let inside = view! {
        <When holds=has_report>
            <button class="quiet" data-testid="compare-save-report" on:click=saver("report.html", |f| &f.html)>"report.html"</button>
            <button class="quiet" on:click=saver("metrics.csv", |f| &f.metrics)>"metrics.csv"</button>
            <button class="quiet" on:click=saver("differences.csv", |f| &f.differences)>"differences.csv"</button>
        </When>
        <button class="quiet" data-testid="compare-save-plan"
            on:click=move |_| download::bytes("plan.toml", untrack(|| state.plan(page)).as_bytes())>"plan.toml"</button>
    };
    save::menu_around(page, inside.into_any())
}

/// Changes that show the forms which a policy may have.
const LINES: &str = "SchedulerParameters+=bf_window=2880\nPartitionName=cpu MaxTime=1-0\nsacctmgr modify qos normal set MaxTRESPerUser=cpu=64";

/// The file input for a plan.
fn plan_choice(page: Page, state: CompareState) -> AnyView {
    let open = move |read: ReadFiles| match read {
        Ok(files) => {
            let Some((_, text)) = files.into_iter().next() else { return };
            if text.len() > MAX_PLAN {
                return state.run.error.set(Some(format!("> {MAX_PLAN} bytes")));
            }
            state.own.set(Some(text));
        }
        Err(why) => state.run.error.set(Some(why)),
    };
    view! {
        <label class="button">{page.say_later(|w| w.compare_open)}
            <input type="file" accept=".toml" data-testid="compare-open-plan" on:change=move |e| file_reader::chosen(&e, open) /></label>
    }
    .into_any()
}

/// A plan as text.
fn plan_text(page: Page, state: CompareState) -> AnyView {
    view! {
        <textarea class="mono" rows="16" spellcheck="false" data-testid="compare-plan" aria-label="plan.toml"
            prop:value=string(move || state.own.get().unwrap_or_default())
            on:input=move |e| state.own.set(Some(event_target_value(&e).chars().take(MAX_PLAN).collect()))></textarea>
        <div class="under">
            <button data-testid="compare-form" on:click=move |_| state.own.set(None)>{page.say_later(|w| w.compare_to_form)}</button>
            {plan_choice(page, state)}
            {trace_choice(page, state)}
        </div>
    }
    .into_any()
}

/// The file input for a trace.
fn trace_choice(page: Page, state: CompareState) -> AnyView {
    let take = move |read: ReadFiles| match read {
        Ok(files) => {
            let Some((name, text)) = files.into_iter().next() else { return };
            if is_archive(&name) {
                let words = untrack(|| page.later());
                return state.run.error.set(Some(fill(words.compare_unpack, &[&name])));
            }
            if state.own.with_untracked(Option::is_none) {
                state.form.update(|form| form.workload = CompareWorkload::Trace(name.clone()));
            }
            state.trace.set(Some((name, text)));
        }
        Err(why) => state.run.error.set(Some(why)),
    };
    let name = string(move || state.trace.with(|t| t.as_ref().map(|t| t.0.clone()).unwrap_or_default()));
    view! {
        <label class="button">{page.say_later(|w| w.compare_trace)}
            <input type="file" accept=".swf,.events" data-testid="compare-trace" on:change=move |e| file_reader::chosen(&e, take) /></label>
        <b>{name}</b>
    }
    .into_any()
}

/// The form: what is replayed, and under which policies.
fn form(page: Page, state: CompareState) -> AnyView {
    let form = state.form;
    let chosen = move || {
        form.with(|f| match &f.workload {
            CompareWorkload::Background(amount) => (*amount).to_owned(),
            CompareWorkload::Trace(name) => name.clone(),
        })
    };
    let has_history = session::history().is_some();
    let choose = move |event| {
        let value = event_target_value(&event);
        let known = LOADS.iter().find(|load| load.0 == value);
        if value == HISTORY {
            state.trace.set(None);
        }
        form.update(|f| {
            f.workload = match known {
                Some((amount, _)) => CompareWorkload::Background(amount),
                None => CompareWorkload::Trace(value),
            };
        });
    };
    let workloads = move || {
        let now = chosen();
        let mut all: Vec<(String, String)> = LOADS
            .iter()
            .map(|(name, word)| {
                ((*name).to_owned(), fill(page.later().compare_background, &[word(page.later())]))
            })
            .collect();
        if has_history {
            all.push((HISTORY.to_owned(), page.later().compare_history.to_owned()));
        }
        if all.iter().all(|(name, _)| *name != now) {
            all.push((now.clone(), now.clone()));
        }
        let option = |(value, text): (String, String)| {
            let selected = value == now;
            view! { <option value=value selected=selected>{text}</option> }
        };
        all.into_iter().map(option).collect::<Vec<_>>()
    };
    let generated = flag(move || form.with(|f| matches!(f.workload, CompareWorkload::Background(_))));
    let count = Memo::new(move |_| form.with(|f| f.changes.len()));
    let full = flag(move || count.get() >= MAX_CHANGES);
    view! {
        <div class="fields">
            <label><span>{page.say_later(|w| w.compare_jobs)}</span>
                <select data-testid="compare-workload" on:change=choose>{workloads}</select></label>
            <When holds=generated>
                {number(page, form, "compare-days", (|w| w.compare_days, 1, MAX_DAYS), |f| &mut f.days)}
            </When>
            {number(page, form, "compare-resamples", (|w| w.compare_resamples, 0, MAX_RESAMPLES), |f| &mut f.resamples)}
            {trace_choice(page, state)}
        </div>
        <div class="policies">
            <fieldset><legend>{page.say_later(|w| w.compare_as_is)}</legend>
                <p class="faint">{page.say_later(|w| w.compare_baseline)}</p></fieldset>
            {move || (0..count.get()).map(|at| policy(page, form, at)).collect::<Vec<_>>()}
        </div>
        <div class="under">
            <button data-testid="compare-add" disabled=full on:click=move |_| form.update(|f| f.changes.push(PolicyChange::default()))>
            {page.say_later(|w| w.compare_add)}</button>
        {plan_choice(page, state)}
        </div>
    }
    .into_any()
}

/// A number of the form: its word, least and greatest value, and its field.
fn number(
    page: Page,
    form: RwSignal<CompareForm>,
    id: &'static str,
    (word, least, most): (fn(&'static LaterWords) -> &'static str, u32, u32),
    field: fn(&mut CompareForm) -> &mut u32,
) -> AnyView {
    let now = string(move || form.with(|f| field(&mut f.clone()).to_string()));
    // What is typed counts once it is within bounds; what is left otherwise is corrected.
    let typed = move |event: web_sys::Event| {
        let value = event_target_value(&event).parse::<u32>().ok().filter(|n| (least..=most).contains(n));
        value.into_iter().for_each(|n| form.update(|f| *field(f) = n));
    };
    let left = move |event: web_sys::Event| {
        let value = event_target_value(&event).parse::<u32>().unwrap_or(least).clamp(least, most);
        form.update(|f| *field(f) = value);
    };
    view! {
        <label><span>{page.say_later(word)}</span>
            <input type="number" min=least.to_string() max=most.to_string() data-testid=id prop:value=now on:input=typed on:change=left /></label>
    }
    .into_any()
}

/// A policy of the form.
fn policy(page: Page, form: RwSignal<CompareForm>, at: usize) -> AnyView {
    let read = move |part: fn(&PolicyChange) -> &String| {
        string(move || form.with(|f| f.changes.get(at).map(|c| part(c).clone()).unwrap_or_default()))
    };
    let write = move |change: fn(&mut PolicyChange, String)| {
        move |event: web_sys::Event| {
            let value = event_target_value(&event);
            form.update(|f| f.changes.get_mut(at).into_iter().for_each(|c| change(c, value.clone())));
        }
    };
    let example = move |event: web_sys::Event| {
        let chosen = event_target_value(&event).parse::<usize>().ok().and_then(|n| EXAMPLES.get(n));
        crate::follow::choose_none(&event);
        let Some((word, lines)) = chosen else { return };
        let name = untrack(|| word(page.later())).to_owned();
        let change = PolicyChange { name, lines: (*lines).to_owned() };
        form.update(|f| f.changes.get_mut(at).into_iter().for_each(|c| *c = change.clone()));
    };
    let examples = EXAMPLES.iter().enumerate().map(|(number, (word, _))| {
        view! { <option value=number.to_string()>{page.say_later(*word)}</option> }
    });
    let legend = string(move || fill(page.later().compare_policy, &[&(at + 2).to_string()]));
    let alone = flag(move || form.with(|f| f.changes.len() < 2));
    view! {
        <fieldset>
            <legend>{legend}</legend>
            <label><span>{page.say_later(|w| w.compare_name)}</span>
                <input type="text" maxlength="60" data-testid=format!("compare-name-{at}") prop:value=read(|c| &c.name) on:input=write(|c, value| c.name = value) /></label>
            <select data-testid=format!("compare-example-{at}") aria-label=page.say_later(|w| w.compare_example) on:change=example>
                <option value="">{page.say_later(|w| w.compare_example)}</option>
                {examples.collect::<Vec<_>>()}
            </select>
            <label><span>{page.say_later(|w| w.compare_lines)}</span>
                <textarea class="mono" rows="4" spellcheck="false" maxlength="20000" data-testid=format!("compare-lines-{at}")
                    placeholder=LINES
                    prop:value=read(|c| &c.lines) on:input=write(|c, value| c.lines = value)></textarea></label>
            <button class="quiet" disabled=alone on:click=move |_| form.update(|f| { f.changes.remove(at); })>
                {page.say_later(|w| w.compare_remove)}</button>
        </fieldset>
    }
    .into_any()
}

/// The report, in a frame that runs no scripts.
fn report(page: Page, state: CompareState) -> AnyView {
    let html =
        string(move || state.run.report.with(|r| r.as_ref().map(|r| r.html.clone()).unwrap_or_default()));
    let partial = flag(move || state.run.report.with(|r| r.as_ref().is_some_and(|r| !r.complete)));
    view! {
        <When holds=partial><p class="faint">{page.say_later(|w| w.compare_partial)}</p></When>
        <iframe sandbox="" data-testid="compare-report" title=page.say_later(|w| w.compare_report) srcdoc=html></iframe>
    }
    .into_any()
}
