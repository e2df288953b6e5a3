//! The administrator's panel: how nodes, partitions, reservations, QOS, accounts and settings stand, and forms that change
//! them. A form writes the lines and commands that an administrator would, shows them, and types them as root.

mod form;
mod forms;

use super::i18n::Words;
use super::state::Page;
use crate::protocol::{AdminPicture, Subject};
use crate::ui::follow::{When, flag, string};
use crate::view::fill::fill;
use forms::FORMS;
use leptos::prelude::*;

/// What the pieces of the panel share.
#[derive(Clone, Copy)]
struct Panel {
    page: Page,
    picture: Memo<Option<AdminPicture>>,
}

impl Panel {
    /// Something of the picture.
    fn read<T>(self, f: impl FnOnce(&AdminPicture) -> T, none: T) -> T {
        self.picture.with(|p| p.as_ref().map(f).unwrap_or(none))
    }
}

/// A subject, its name in test ids, and its word.
type Tab = (Subject, &'static str, fn(&'static Words) -> &'static str);

const SUBJECTS: [Tab; 6] = [
    (Subject::Nodes, "admin-nodes", |w| w.on_nodes),
    (Subject::Partitions, "admin-partitions", |w| w.admin_partitions),
    (Subject::Reservations, "admin-reservations", |w| w.admin_reservations),
    (Subject::Qos, "admin-qos", |_| "QOS"),
    (Subject::Accounts, "admin-accounts", |w| w.admin_accounts),
    (Subject::Settings, "admin-settings", |w| w.admin_settings),
];

/// The panel.
pub fn draw(page: Page) -> AnyView {
    let picture = Memo::new(move |_| page.picture.with(|p| p.as_ref().and_then(|p| p.admin()).cloned()));
    let panel = Panel { page, picture };
    let tab = move |(subject, name, word): Tab| {
        view! {
            <button data-testid=name aria-pressed=string(move || (page.administered.get() == subject).to_string())
                on:click=move |_| page.administered.set(subject)>{page.say(word)}</button>
        }
    };
    let nodes = Memo::new(move |_| panel.read(|p| p.names.nodes.clone(), Vec::new()));
    let forms = move || {
        let subject = page.administered.get();
        let some = FORMS.iter().filter(|form| form.subject == subject);
        some.enumerate().map(|(at, form)| form::draw(panel, form, at == 0)).collect::<Vec<_>>()
    };
    view! {
        <section class="admin sheet" data-testid="admin" aria-label=page.say(|w| w.admin)>
            <div class="bar">
                <div class="choice" role="group" aria-label=page.say(|w| w.admin)>
                    {SUBJECTS.into_iter().map(tab).collect::<Vec<_>>()}
                </div>
            </div>
            <div class="scroll" tabindex="0" role="group" aria-label=page.say(|w| w.admin)>
                <Standing panel />
                {forms}
                <datalist id="admin-nodes-list">
                    {move || nodes.get().into_iter().map(|name| view! { <option value=name></option> }).collect::<Vec<_>>()}
                </datalist>
            </div>
        </section>
    }
    .into_any()
}

/// How things stand, as Slurm's commands show it.
#[component]
fn Standing(panel: Panel) -> impl IntoView {
    let page = panel.page;
    // A picture of what was looked at before is not shown under another heading.
    let fits = move |p: &AdminPicture| p.subject == page.administered.get();
    let headings = Memo::new(move |_| panel.read(|p| p.headings.clone(), Vec::new()));
    let rows =
        Memo::new(move |_| panel.read(|p| if fits(p) { p.rows.clone() } else { Vec::new() }, Vec::new()));
    let known = flag(move || panel.read(fits, false));
    // A column without a name has no heading that could be read out.
    let heading = |h: String| match h.is_empty() {
        true => view! { <td></td> }.into_any(),
        false => view! { <th scope="col">{h}</th> }.into_any(),
    };
    let heads = move || headings.get().into_iter().map(heading).collect::<Vec<_>>();
    let row = move |cells: Vec<String>| {
        let cells = cells.into_iter().map(|cell| view! { <td>{cell}</td> }).collect::<Vec<_>>();
        view! { <tr>{cells}</tr> }
    };
    let cut = move || {
        panel.read(
            |p| match p.rows.len() < p.total as usize {
                true => fill(page.t().priority_more, &[&p.rows.len().to_string(), &p.total.to_string()]),
                false => String::new(),
            },
            String::new(),
        )
    };
    view! {
        <When holds=known>
            <When holds=flag(move || !rows.with(Vec::is_empty)) fallback=move || view! {
                <p class="empty">{page.say(|w| w.admin_none)}</p>
            }>
                <div class="wide" tabindex="0" role="group" aria-label=page.say(|w| w.admin_standing)>
                    <table class="numbers texts" data-testid="admin-table">
                        <thead><tr>{heads}</tr></thead>
                        <tbody>{move || rows.get().into_iter().map(row).collect::<Vec<_>>()}</tbody>
                    </table>
                </div>
            </When>
            <p class="faint more">{string(cut)}</p>
        </When>
    }
}
