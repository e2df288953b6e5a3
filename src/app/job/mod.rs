//! The inspector: everything about the selected job or node.

mod efficiency;
mod life;
mod links;
mod node;
mod outcome;
mod parts;
mod why;

use crate::follow::{When, flag, string};
use crate::page::{Page, Selection};
use crate::terminal::type_line;
use crate::worker_link::send;
use crate::workspace::{DrawStage, Zone};
use leptos::prelude::*;
use life::Life;
use node::NodePanel;
use parts::{LabelledValue, Text};
use protocol::{JobDetail, NodeDetail, Remedies, ToEngine, Travel, Why};
use std::sync::Arc;
use view::outcome::{Exit, JobOutcome, outcome};
use view::palette::job_colour;
use view::states::{Tone, job_code, job_tone};
use wasm_bindgen::JsCast as _;

/// The selected job or node, as signals.
#[derive(Clone, Copy)]
pub struct Inspected {
    pub job: RwSignal<Option<Box<JobDetail>>>,
    /// The selected job is not submitted yet at the moment that is shown.
    pub unsubmitted: RwSignal<bool>,
    pub node: RwSignal<Option<Box<NodeDetail>>>,
    /// Why the selected job waits.
    pub why: RwSignal<Option<Arc<Why>>>,
}

impl Inspected {
    /// Nothing.
    pub fn new() -> Self {
        Self {
            job: RwSignal::new(None),
            unsubmitted: RwSignal::new(false),
            node: RwSignal::new(None),
            why: RwSignal::new(None),
        }
    }

    /// Takes an answer to why a job waits. While the engine tries what would help, the changes of the last answer stay.
    pub fn explain(self, mut why: Why) {
        if why.changes == Remedies::Trying
            && let Some(known) = self.why.with_untracked(|old| {
                old.as_ref().filter(|old| old.id == why.id).map(|old| old.changes.clone())
            })
        {
            why.changes = known;
        }
        self.why.set(Some(Arc::new(why)));
    }
}

/// The inspector, when something is selected.
#[component]
pub fn Inspector(page: Page, inspected: Inspected) -> impl IntoView {
    let none = Memo::new(move |_| page.selection.with(|s| *s == Selection::None));
    let is_job = Memo::new(move |_| page.selection.with(|s| matches!(s, Selection::Job(_))));
    let there = page.drawn(DrawStage::Panels);
    view! {
        <When holds=flag(move || there.get() && !none.get())>
            <section class="inspector" aria-label=page.say(|w| w.details)>
                <When holds=flag(move || is_job.get()) fallback=move || draw_node(page, inspected.node)>
                    {draw_job(page, inspected)}
                </When>
            </section>
        </When>
    }
}

/// Everything about the job.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
fn draw_job(page: Page, inspected: Inspected) -> AnyView {
    view! { <JobPanel page inspected /> }.into_any()
}

/// Everything about the node.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
fn draw_node(page: Page, node: RwSignal<Option<Box<NodeDetail>>>) -> AnyView {
    view! { <NodePanel page node /> }.into_any()
}

/// The button that closes the inspector.
#[component]
fn CloseButton(page: Page) -> impl IntoView {
    view! {
        <button class="quiet icon" aria-label=page.say(|w| w.close) title=page.say(|w| w.close)
            data-testid="inspector-close" on:click=move |_| leave(page)>"×"</button>
    }
}

/// Characters of a name that fit in two lines.
const LONG_NAME: usize = 60;

/// Closes the inspector, and moves the focus to the selected row.
fn leave(page: Page) {
    let selectors = [".row.selected", ".strip [role=tab][tabindex=\"0\"]"];
    let row = selectors.iter().find_map(|selector| document().query_selector(selector).ok().flatten());
    page.selection.set(Selection::None);
    if let Some(row) = row.and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok()) {
        // Without the focus, Tab starts at the top of the page.
        let _ = row.focus();
    }
}

fn escape(page: Page, event: &leptos::ev::KeyboardEvent) {
    if event.key() == "Escape" {
        leave(page);
    }
}

#[component]
fn JobPanel(page: Page, inspected: Inspected) -> impl IntoView {
    let id = Memo::new(move |_| match page.selection.get() {
        Selection::Job(id) => id,
        Selection::None | Selection::Node(_) => String::new(),
    });
    let job = Memo::new(move |_| inspected.job.get());
    // Unknown until the engine answers.
    let known = Memo::new(move |_| job.with(Option::is_some));
    let text = move |f: fn(&JobDetail) -> String| {
        Signal::derive(move || job.with(|j| j.as_ref().map(|j| f(j)).unwrap_or_default()))
    };
    let past = Memo::new(move |_| job.with(|j| j.as_ref().is_some_and(|j| j.forgotten)));
    let state = text(|j| j.state.clone());
    let over = Memo::new(move |_| {
        let outcome = job.with(|j| j.as_ref().and_then(|j| outcome(j)));
        outcome.is_some_and(|outcome| !matches!(outcome, JobOutcome::Requeued | JobOutcome::Leaving))
    });
    let nothing =
        Signal::derive(move || if over.get() { page.t().wrote_nothing } else { page.t().nothing_yet });
    // A long name is cut, and unfolds on request.
    let long =
        Memo::new(move |_| job.with(|j| j.as_ref().is_some_and(|j| j.name.chars().count() > LONG_NAME)));
    let tone = move || format!("state {}", job_tone(job_code(&state.get())).class());
    let colour = move || {
        let dark = page.prefs.dark.get();
        job.with(|j| {
            j.as_ref().map(|j| job_colour(page.user_index(&j.user), j.job, dark)).unwrap_or_default()
        })
    };
    view! {
        <div class="panel" data-testid="job-detail" data-job=string(move || id.get()) on:keydown=move |e| escape(page, &e)>
            <header>
                <i class="dot" style:background=string(colour)></i>
                <h2>{page.say(|w| w.id)}" "{string(move || id.get())}</h2>
                <span class=string(tone) data-testid="job-state">{state}</span>
                <span class="spring"></span>
                <Actions page id job />
                <CloseButton page />
            </header>
            <When holds=flag(move || known.get()) fallback=move || absent(page, inspected, id)>
                <div class="scroll" tabindex="0">
                    <When holds=flag(move || past.get())>{sacct(page, id, page.say(|w| w.gone_kept))}</When>
                    <When holds=flag(move || long.get())
                        fallback=move || view! { <p class="title">{text(|j| j.name.clone())}</p> }>
                        <details class="title"><summary>{text(|j| j.name.clone())}</summary></details>
                    </When>
                    <outcome::Outcome page job />
                    <why::WhyPending page id job why=inspected.why />
                    <Life page job />
                    <Text title=page.say(|w| w.output) path=text(|j| j.stdout_path.clone())
                        body=text(|j| j.stdout_tail.clone()) empty=nothing open=true />
                    <When holds=flag(move || text(own_stderr).get() == "yes")>
                        <Text title=page.say(|w| w.errors) path=text(|j| j.stderr_path.clone())
                            body=text(|j| j.stderr_tail.clone()) empty=nothing open=true />
                    </When>
                    <efficiency::Efficiency page job />
                    <links::Links page job />
                    <dl>
                        <LabelledValue label=page.say(|w| w.owner) value=text(|j| j.user.clone()) />
                        <LabelledValue label=page.say(|w| w.account) value=text(|j| j.account.clone()) />
                        <LabelledValue label=page.say(|w| w.partition) value=text(|j| j.partition.clone()) />
                        <LabelledValue label=Signal::stored("QOS") value=text(|j| j.qos.clone()) />
                        <LabelledValue label=page.say(|w| w.on_nodes) value=text(|j| j.nodes.clone()) />
                        <LabelledValue label=page.say(|w| w.requested) value=text(|j| j.requested.clone()) />
                        <LabelledValue label=page.say(|w| w.allocated) value=text(|j| j.allocated.clone()) />
                        <LabelledValue label=page.say(|w| w.exit) value=string(move || exit(page, job)) />
                        <LabelledValue label=page.say(|w| w.priority) value=text(priority) />
                        <LabelledValue label=page.say(|w| w.work_dir) value=text(|j| j.work_dir.clone()) />
                        <LabelledValue label=page.say(|w| w.comment) value=text(|j| j.comment.clone()) />
                    </dl>
                    <When holds=flag(move || past.get()) fallback=move || view! {
                        <Text title=page.say(|w| w.script) path=text(|j| j.submit_line.clone())
                            body=text(|j| j.script.clone()) empty=page.say(|w| w.nothing_yet) open=false />
                    }>
                        <p class="faint"><code>{text(|j| j.submit_line.clone())}</code></p>
                    </When>
                </div>
            </When>
        </div>
    }
}

/// For a job without details: it is not submitted yet, or forgotten.
fn absent(page: Page, inspected: Inspected, id: Memo<String>) -> AnyView {
    view! {
        <When holds=flag(move || inspected.unsubmitted.get()) fallback=move || sacct(page, id, page.say(|w| w.gone))>
            <div class="empty" data-testid="unsubmitted">
                <p>{page.say_later(|w| w.job_unsubmitted)}</p>
                <When holds=flag(move || page.clock.get().past)>
                    <button on:click=move |_| send(&ToEngine::Travel(Travel::Now))>{page.say(|w| w.travel_now)}</button>
                </When>
            </div>
        </When>
    }
    .into_any()
}

/// For a job that slurmctld has forgotten: says so, and offers `sacct`.
fn sacct(page: Page, id: Memo<String>, says: Signal<&'static str>) -> AnyView {
    let line = move || format!("sacct -j {}", id.get());
    view! {
        <div class="empty">
            <p>{says}</p>
            <button class="typed" title=page.say(|w| w.type_it) data-testid="sacct" on:click=move |_| {
                page.workspace.zone.set(Zone::Terminal);
                type_line(page, &untrack(line));
            }><code>{string(line)}</code></button>
        </div>
    }
    .into_any()
}

/// Its priority, if it is pending.
fn priority(job: &JobDetail) -> String {
    if job_code(&job.state) == "PD" { job.priority.to_string() } else { String::new() }
}

/// `127:0` and its meaning; empty before the job's end.
fn exit(page: Page, job: Memo<Option<Box<JobDetail>>>) -> String {
    let texts = page.prefs.lang.get().outcome();
    job.with(|j| {
        let Some(j) = j.as_ref().filter(|j| !matches!(job_code(&j.state), "PD" | "R" | "S" | "CF")) else {
            return String::new();
        };
        let means = (texts.exit)(Exit::of(j.exit_code, j.exit_signal));
        if means.is_empty() { j.exit.clone() } else { format!("{}: {means}", j.exit) }
    })
}

/// Whether standard error goes to a file of its own.
fn own_stderr(job: &JobDetail) -> String {
    let own = !job.stderr_path.is_empty() && job.stderr_path != job.stdout_path;
    if own { "yes".to_owned() } else { String::new() }
}

/// Reasons of holds that only an administrator can release.
const HELD_BY_ADMIN: [&str; 2] = ["JobHeldAdmin", "BadConstraints"];

/// What the current user may do to the job. Each button types its command.
#[component]
fn Actions(page: Page, id: Memo<String>, job: Memo<Option<Box<JobDetail>>>) -> impl IntoView {
    let root = move || page.user.with(|u| u == "root");
    let mine = move || root() || job.with(|j| j.as_ref().is_some_and(|j| page.user.with(|u| *u == j.user)));
    let code = move || job.with(|j| j.as_ref().map_or("", |j| job_code(&j.state)));
    let live = move || mine() && matches!(job_tone(code()), Tone::Waiting | Tone::Running);
    let held = move || job.with(|j| j.as_ref().is_some_and(|j| j.priority == 0));
    // A user cannot release a hold by an administrator or by slurmctld.
    let by_admin =
        move || job.with(|j| j.as_ref().is_some_and(|j| HELD_BY_ADMIN.contains(&j.reason.as_str())));
    let releases = move || held() && (root() || !by_admin());
    let batch = move || job.with(|j| j.as_ref().is_some_and(|j| !j.script.is_empty()));
    let run = move |command: &str| type_line(page, &format!("{command} {}", id.get_untracked()));
    view! {
        <When holds=flag(move || live() && code() == "PD" && releases())>
            <button title="scontrol release" on:click=move |_| run("scontrol release")>{page.say(|w| w.release)}</button>
        </When>
        <When holds=flag(move || live() && code() == "PD" && !held())>
            <button title="scontrol hold" on:click=move |_| run("scontrol hold")>{page.say(|w| w.hold)}</button>
            <button title="scontrol top" on:click=move |_| run("scontrol top")>{page.say(|w| w.top)}</button>
        </When>
        <When holds=flag(move || mine() && batch() && matches!(code(), "R" | "S" | "CD" | "F" | "TO" | "OOM" | "NF" | "CA"))>
            <button title="scontrol requeue" on:click=move |_| run("scontrol requeue")>{page.say(|w| w.requeue)}</button>
        </When>
        <When holds=flag(move || mine() && !root() && code() == "R")>
            <button title="srun --overlap --pty bash" data-testid="shell" on:click=move |_| {
                type_line(page, &format!("srun --jobid={} --overlap --pty bash", id.get_untracked()));
            }>{page.say(|w| w.shell)}</button>
        </When>
        <When holds=flag(live)>
            <button title="scancel" data-testid="cancel" on:click=move |_| run("scancel")>{page.say(|w| w.cancel)}</button>
        </When>
    }
}
