//! Why a job is pending: a sentence, the nodes' verdicts, what the expected start assumes, and what would let it start.

use crate::command::of_root;
use crate::follow::{When, flag, string};
use crate::page::{Page, Selection};
use crate::rich::rich;
use crate::terminal::type_line;
use crate::workspace::Zone;
use leptos::prelude::*;
use protocol::why::{
    BackfillVerdict, Eligibility, ExpectedStart, PartitionVerdict, Remedies, Remedy, RequestChange, Verdict,
};
use protocol::{JobDetail, Why};
use std::sync::Arc;
use view::css::percent;
use view::fill::fill;
use view::states::job_code;
use view::why::{Voice, helps, share};

/// The answer for the selected job.
type Answer = Memo<Option<Arc<Why>>>;

/// The section of the inspector for pending jobs.
#[component]
pub fn WhyPending(
    page: Page,
    id: Memo<String>,
    job: Memo<Option<Box<JobDetail>>>,
    why: RwSignal<Option<Arc<Why>>>,
) -> impl IntoView {
    let waits = move || job.with(|j| j.as_ref().is_some_and(|j| job_code(&j.state) == "PD"));
    let answer = Memo::new(move |_| why.get().filter(|why| id.with(|id| *id == why.id)));
    let known = flag(move || answer.with(Option::is_some));
    view! {
        <When holds=flag(waits)>
            <section class="why" data-testid="why" aria-label=page.say(|w| w.why)>
                <h3>{page.say(|w| w.why)}</h3>
                <When holds=known fallback=move || view! { <p class="faint">{page.say_later(|w| w.why_asking)}</p> }>
                    <p class="lead" data-testid="why-sentence">{said(page, answer, |v, verdict, reader| (v.sentence)(verdict, reader).0)}</p>
                    <p>{said(page, answer, |v, verdict, reader| (v.sentence)(verdict, reader).1)}</p>
                    {tables(page, answer)}
                    {plans(page, answer)}
                    {changes(page, answer)}
                </When>
            </section>
        </When>
    }
}

fn said(page: Page, answer: Answer, words: fn(&Voice, &Verdict, &str) -> String) -> AnyView {
    rich(page, move || {
        let (voice, reader) = (page.prefs.lang.get().why(), page.user.get());
        answer.with(|a| a.as_ref().map(|why| words(voice, &why.verdict, &reader)).unwrap_or_default())
    })
}

/// A button that types a command.
pub fn command(page: Page, line: String) -> AnyView {
    let shown = line.clone();
    view! {
        <button class="typed" title=page.say(|w| w.type_it) data-testid="why-command" on:click=move |_| {
            page.workspace.zone.set(Zone::Terminal);
            type_line(page, &line);
        }><code>{shown}</code></button>
    }
    .into_any()
}

/// The verdicts of each partition's nodes.
fn tables(page: Page, answer: Answer) -> AnyView {
    let tried = Memo::new(move |_| {
        answer.with(|a| a.as_ref().map(|a| a.verdict.partitions.clone()).unwrap_or_default())
    });
    let needs =
        Memo::new(move |_| answer.with(|a| a.as_ref().map(|a| a.verdict.needs.clone()).unwrap_or_default()));
    let table = move |tried: PartitionVerdict| {
        let rows = tried.nodes.iter().map(|group| {
            let (count, all) = share(group, &tried.nodes);
            let (first, cause) = (group.first, group.cause.clone());
            let words = rich(page, move || needs.with(|n| (page.prefs.lang.get().why().cause)(&cause, n)));
            let more = if group.is_cut() { ",…" } else { "" };
            let names = format!("{}{more}", group.names);
            view! {
                <tr class:helps=helps(&group.cause)>
                    <td class="count"><b>{count}</b>" "{page.say(|w| w.of)}" "{all}</td>
                    <td class="bar"><i style:width=percent(f64::from(count) / f64::from(all.max(1)))></i></td>
                    <td>{words}</td>
                    <td><button class="link" title=page.say_later(|w| w.show_nodes)
                        on:click=move |_| page.selection.set(Selection::Node(first))>{names}</button></td>
                </tr>
            }
        });
        view! {
            <table data-testid="why-nodes">
                <caption>{page.say_later(|w| w.why_nodes)}" ("<code>{tried.partition.clone()}</code>")"</caption>
                <tbody>{rows.collect::<Vec<_>>()}</tbody>
            </table>
        }
    };
    (move || {
        let all = tried.get().into_iter().filter(|t| !t.nodes.is_empty());
        all.map(table).collect::<Vec<_>>()
    })
    .into_any()
}

/// The expected start, if backfill plans one.
const fn expected(verdict: &Verdict) -> Option<&ExpectedStart> {
    match &verdict.backfill {
        BackfillVerdict::Expects(expected) => Some(expected),
        BackfillVerdict::None
        | BackfillVerdict::Starts
        | BackfillVerdict::Limited(_)
        | BackfillVerdict::TooFar(_)
        | BackfillVerdict::NoStart(_) => None,
    }
}

/// What the expected start assumes, and which reservations are in front.
fn plans(page: Page, answer: Answer) -> AnyView {
    let lines = move |words: fn(&Voice, &Verdict) -> Vec<String>| {
        Memo::new(move |_| {
            let voice = page.prefs.lang.get().why();
            answer.with(|a| a.as_ref().map(|why| words(voice, &why.verdict)).unwrap_or_default())
        })
    };
    let rests = lines(|voice, verdict| {
        expected(verdict).map_or_else(Vec::new, |e| {
            e.assumes.first.iter().map(|a| (voice.assumption)(a, verdict.at)).collect()
        })
    });
    let front = lines(|voice, verdict| {
        expected(verdict).map_or_else(Vec::new, |e| {
            e.in_front.first.iter().map(|f| (voice.in_front)(f, verdict.at)).collect()
        })
    });
    let list = move |lines: Memo<Vec<String>>| {
        move || {
            let item = |line: String| view! { <li>{rich(page, move || line.clone())}</li> };
            lines.get().into_iter().map(item).collect::<Vec<_>>()
        }
    };
    view! {
        <When holds=flag(move || !rests.with(Vec::is_empty))>
            <h4>{page.say_later(|w| w.why_rests)}</h4>
            <ul>{list(rests)}</ul>
        </When>
        <When holds=flag(move || !front.with(Vec::is_empty))>
            <h4>{page.say_later(|w| w.why_front)}</h4>
            <ul>{list(front)}</ul>
        </When>
    }
    .into_any()
}

/// Changes that would let it start now, or at least be considered.
fn changes(page: Page, answer: Answer) -> AnyView {
    // None: no change is shown.
    let found: Memo<Option<Remedies>> = Memo::new(move |_| {
        answer.with(|a| {
            let asked = |a: &&Arc<Why>| match (&a.verdict.eligibility, &a.changes) {
                (Eligibility::Queued { .. }, _) => a.verdict.starts().is_none(),
                (_, Remedies::Found(all)) => !all.is_empty(),
                (_, Remedies::Trying | Remedies::NotTried { .. }) => false,
            };
            a.as_ref().filter(asked).map(|a| a.changes.clone())
        })
    });
    let line = move |remedy: Remedy| {
        // A change that needs an administrator is typed as root.
        let admin = matches!(remedy.change, RequestChange::Release { by_admin: true });
        let button = remedy.command.clone().map(|line| match admin {
            true => of_root(page, string(move || line.clone())),
            false => command(page, line),
        });
        let words = rich(page, move || (page.prefs.lang.get().why().change)(&remedy));
        view! { <li data-testid="why-change">{words}" "{button}</li> }
    };
    let faint =
        |text: Signal<String>| view! { <p class="faint" data-testid="why-tried">{text}</p> }.into_any();
    let list = Memo::new(move |_| {
        found.with(|found| match found {
            Some(Remedies::Found(all)) => all.clone(),
            Some(Remedies::Trying | Remedies::NotTried { .. }) | None => Vec::new(),
        })
    });
    // Either all of them start the job, or the only one lets it be considered.
    let starts = Memo::new(move |_| list.with(|all| all.iter().any(|c| c.starts)));
    let title =
        string(move || if starts.get() { page.t().why_change } else { page.t().why_joins }.to_owned());
    let none = move || match found.get()? {
        Remedies::Trying => Some(faint(string(move || page.t().why_trying.to_owned()))),
        Remedies::Found(all) if all.is_empty() => {
            Some(faint(string(move || page.t().why_no_change.to_owned())))
        }
        Remedies::NotTried { jobs, most } => {
            Some(faint(string(move || fill(page.t().why_not_tried, &[&jobs.to_string(), &most.to_string()]))))
        }
        Remedies::Found(_) => None,
    };
    view! {
        <When holds=flag(move || !list.with(Vec::is_empty)) fallback=none>
            <h4>{title}</h4>
            // A line stays while its change does, and with it the focus.
            <ul class="changes"><For each=move || list.get() key=|remedy| (remedy.option.clone(), remedy.command.clone(), remedy.starts) children=line /></ul>
        </When>
    }
    .into_any()
}
