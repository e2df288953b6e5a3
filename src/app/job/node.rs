//! The inspector of a node.

use super::CloseButton;
use super::parts::LabelledValue;
use crate::follow::{When, flag, string};
use crate::page::{Page, Selection};
use leptos::prelude::*;
use protocol::{NodeDetail, QueueRow};
use view::palette::job_colour;

/// The selected node.
#[component]
pub fn NodePanel(page: Page, node: RwSignal<Option<Box<NodeDetail>>>) -> impl IntoView {
    let text = move |f: fn(&NodeDetail) -> String| {
        Signal::derive(move || node.with(|n| n.as_ref().map(|n| f(n)).unwrap_or_default()))
    };
    let name = Memo::new(move |_| match page.selection.get() {
        Selection::Node(i) => page.started.with(|s| {
            s.as_ref().and_then(|s| s.nodes.get(i as usize)).map(|n| n.name.clone()).unwrap_or_default()
        }),
        Selection::None | Selection::Job(_) => String::new(),
    });
    let jobs = move || node.with(|n| n.as_ref().map(|n| n.jobs.clone()).unwrap_or_default());
    view! {
        <div class="panel" data-testid="node-detail" on:keydown=move |e| super::escape(page, &e)>
            <header>
                <h2>{page.say_later(|w| w.node)}" "{string(move || name.get())}</h2>
                <span class="state">{text(|n| n.state.clone())}</span>
                <span class="spring"></span>
                <CloseButton page />
            </header>
            <div class="scroll" tabindex="0">
                <dl>
                    <LabelledValue label=Signal::stored("CPU") value=text(|n| format!("{} / {}", n.cpus_used, n.cpus)) />
                    <LabelledValue label=page.say(|w| w.memory) value=text(|n| format!("{} / {} MiB", n.mem_used_mib, n.mem_mib)) />
                    <LabelledValue label=Signal::stored("GRES") value=text(|n| n.gres.clone()) />
                    <LabelledValue label=page.say(|w| w.partition) value=text(|n| n.partitions.join(", ")) />
                    <LabelledValue label=page.say_later(|w| w.features) value=text(|n| n.features.clone()) />
                    <LabelledValue label=page.say(|w| w.reason) value=text(|n| n.reason.clone()) />
                </dl>
                <h3>{page.say_later(|w| w.jobs_here)}</h3>
                <When holds=flag(move || node.with(|n| n.as_ref().is_none_or(|n| n.jobs.is_empty())))>
                    <p class="empty">{page.say_later(|w| w.no_jobs_here)}</p>
                </When>
                <ul class="jobs">
                    <For each=jobs key=|r| (r.id.clone(), r.cpus) children=move |row| view! { <JobLine page row /> } />
                </ul>
            </div>
        </div>
    }
}

#[component]
fn JobLine(page: Page, row: QueueRow) -> impl IntoView {
    let id = row.id.clone();
    let (user, job) = (row.user_index, row.job);
    view! {
        <li>
            <button class="quiet" on:click=move |_| page.selection.set(Selection::Job(id.clone()))>
                <i class="dot" style:background=string(move || job_colour(user, job, page.prefs.dark.get()))></i>
                {row.id}" "{row.name}" "<span class="faint">{row.user}" "{row.cpus}" CPU"</span>
            </button>
        </li>
    }
}
