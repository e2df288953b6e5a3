//! Why the job waits: a sentence, what the nodes say, what the expected start rests on, and what would change it.

use crate::protocol::why::{Ask, Change, Changes, Plan, Standing, Tried};
use crate::protocol::{JobDetail, Why};
use crate::ui::command::of_root;
use crate::ui::follow::{When, flag, string};
use crate::ui::rich::rich;
use crate::ui::state::{Page, Selection, Zone};
use crate::ui::terminal::type_line;
use crate::view::css::percent;
use crate::view::fill::fill;
use crate::view::states::job_code;
use crate::view::why::{Voice, helps, share};
use leptos::prelude::*;
use std::sync::Arc;

/// The answer for the job that is looked at.
type Answer = Memo<Option<Arc<Why>>>;

/// The part of the inspector, for jobs that wait.
#[component]
pub fn Waits(page: Page, id: Memo<String>, job: Memo<Option<Box<JobDetail>>>) -> impl IntoView {
    let waits = move || job.with(|j| j.as_ref().is_some_and(|j| job_code(&j.state) == "PD"));
    let answer = Memo::new(move |_| page.why.get().filter(|why| id.with(|id| *id == why.id)));
    let known = flag(move || answer.with(Option::is_some));
    view! {
        <When holds=flag(waits)>
            <section class="why" data-testid="why" aria-label=page.say(|w| w.why)>
                <h3>{page.say(|w| w.why)}</h3>
                <When holds=known fallback=move || view! { <p class="faint">{page.say(|w| w.why_asking)}</p> }>
                    <p class="lead" data-testid="why-sentence">{said(page, answer, |v, why, reader| (v.sentence)(why, reader).0)}</p>
                    <p>{said(page, answer, |v, why, reader| (v.sentence)(why, reader).1)}</p>
                    {tables(page, answer)}
                    {plans(page, answer)}
                    {changes(page, answer)}
                </When>
            </section>
        </When>
    }
}

fn said(page: Page, answer: Answer, words: fn(&Voice, &Why, &str) -> String) -> AnyView {
    rich(page, move || {
        let (voice, reader) = (page.lang.get().why(), page.user.get());
        answer.with(|a| a.as_ref().map(|why| words(voice, why, &reader)).unwrap_or_default())
    })
}

/// A button that types a command.
pub fn command(page: Page, line: String) -> AnyView {
    let shown = line.clone();
    view! {
        <button class="typed" title=page.say(|w| w.type_it) data-testid="why-command" on:click=move |_| {
            page.zone.set(Zone::Type);
            type_line(page, &line);
        }><code>{shown}</code></button>
    }
    .into_any()
}

/// What the nodes of each partition say.
fn tables(page: Page, answer: Answer) -> AnyView {
    let tried = Memo::new(move |_| answer.with(|a| a.as_ref().map(|a| a.tried.clone()).unwrap_or_default()));
    let needs = Memo::new(move |_| answer.with(|a| a.as_ref().map(|a| a.needs.clone()).unwrap_or_default()));
    let table = move |tried: Tried| {
        let rows = tried.nodes.iter().map(|group| {
            let (count, all) = share(group, &tried.nodes);
            let (first, cause) = (group.first, group.cause.clone());
            let words = rich(page, move || needs.with(|n| (page.lang.get().why().cause)(&cause, n)));
            let more = if count > 4 { ",…" } else { "" };
            let names = format!("{}{more}", group.names);
            view! {
                <tr class:helps=helps(&group.cause)>
                    <td class="count"><b>{count}</b>" "{page.say(|w| w.of)}" "{all}</td>
                    <td class="bar"><i style:width=percent(f64::from(count) / f64::from(all.max(1)))></i></td>
                    <td>{words}</td>
                    <td><button class="link" title=page.say(|w| w.show_nodes)
                        on:click=move |_| page.selection.set(Selection::Node(first))>{names}</button></td>
                </tr>
            }
        });
        view! {
            <table data-testid="why-nodes">
                <caption>{page.say(|w| w.why_nodes)}" ("<code>{tried.partition.clone()}</code>")"</caption>
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

/// What the expected start rests on, and whose plans are in front.
fn plans(page: Page, answer: Answer) -> AnyView {
    let lines = move |words: fn(&Voice, &Why) -> Vec<String>| {
        Memo::new(move |_| {
            let voice = page.lang.get().why();
            answer.with(|a| a.as_ref().map(|why| words(voice, why)).unwrap_or_default())
        })
    };
    let rests = lines(|voice, why| match &why.plan {
        Plan::Expects(e) => e.rests_on.first.iter().map(|r| (voice.rest)(r, why.at)).collect(),
        Plan::None | Plan::Limited(_) | Plan::TooFar(_) | Plan::NoPlace(_) => Vec::new(),
    });
    let front = lines(|voice, why| match &why.plan {
        Plan::Expects(e) => e.in_front.first.iter().map(|f| (voice.in_front)(f, why.at)).collect(),
        Plan::None | Plan::Limited(_) | Plan::TooFar(_) | Plan::NoPlace(_) => Vec::new(),
    });
    let list = move |lines: Memo<Vec<String>>| {
        move || {
            let item = |line: String| view! { <li>{rich(page, move || line.clone())}</li> };
            lines.get().into_iter().map(item).collect::<Vec<_>>()
        }
    };
    view! {
        <When holds=flag(move || !rests.with(Vec::is_empty))>
            <h4>{page.say(|w| w.why_rests)}</h4>
            <ul>{list(rests)}</ul>
        </When>
        <When holds=flag(move || !front.with(Vec::is_empty))>
            <h4>{page.say(|w| w.why_front)}</h4>
            <ul>{list(front)}</ul>
        </When>
    }
    .into_any()
}

/// What would let it start now, or join the queue at least.
fn changes(page: Page, answer: Answer) -> AnyView {
    // None: it is not in question.
    let found: Memo<Option<Changes>> = Memo::new(move |_| {
        answer.with(|a| {
            let asked = |a: &&Arc<Why>| match (&a.standing, &a.changes) {
                (Standing::Queued { .. }, _) => true,
                (_, Changes::Found(all)) => !all.is_empty(),
                (_, Changes::Trying | Changes::NotTried { .. }) => false,
            };
            a.as_ref().filter(asked).map(|a| a.changes.clone())
        })
    });
    let line = move |change: Change| {
        // What only an administrator may is typed as root, whoever looks.
        let admin = matches!(change.ask, Ask::Release { by_admin: true });
        let button = change.command.clone().map(|line| match admin {
            true => of_root(page, string(move || line.clone())),
            false => command(page, line),
        });
        let words = rich(page, move || (page.lang.get().why().change)(&change));
        view! { <li data-testid="why-change">{words}" "{button}</li> }
    };
    let faint =
        |text: Signal<String>| view! { <p class="faint" data-testid="why-tried">{text}</p> }.into_any();
    (move || match found.get()? {
        Changes::Trying => Some(faint(string(move || page.t().why_trying.to_owned()))),
        Changes::Found(all) if all.is_empty() => {
            Some(faint(string(move || page.t().why_no_change.to_owned())))
        }
        Changes::NotTried { jobs, most } => {
            Some(faint(string(move || fill(page.t().why_not_tried, &[&jobs.to_string(), &most.to_string()]))))
        }
        // All of them start it, or the only one lets it join the queue.
        Changes::Found(all) => {
            let starts = all.iter().any(|c| c.starts);
            let title = page.say(if starts { |w| w.why_change } else { |w| w.why_joins });
            Some(
                view! {
                    <h4>{title}</h4>
                    <ul class="changes">{all.into_iter().map(line).collect::<Vec<_>>()}</ul>
                }
                .into_any(),
            )
        }
    })
    .into_any()
}
