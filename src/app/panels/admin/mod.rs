//! The administrator's panel: the state of nodes, partitions, reservations, QOS, accounts and settings, and forms that change
//! them. A form makes the command that an administrator would type, shows it, and types it as root.

mod form;
mod forms;

use crate::follow::{When, flag, string};
use crate::i18n::Words;
use crate::page::Page;
use crate::save::{self, SavedPicture};
use forms::FORMS;
use leptos::prelude::*;
use protocol::{AdminPicture, AdminSubject, PanelAnswer};
use std::sync::Arc;
use view::fill::{csv_line, fill};

/// What the components of the panel share.
#[derive(Clone, Copy)]
struct AdminPanel {
    page: Page,
    picture: Memo<Option<AdminPicture>>,
    /// What the administrator looks at.
    shown: RwSignal<AdminSubject>,
}

impl AdminPanel {
    /// Reads the picture, if there is one.
    fn read<T>(self, f: impl FnOnce(&AdminPicture) -> T, none: T) -> T {
        self.picture.with(|p| p.as_ref().map(f).unwrap_or(none))
    }
}

/// A subject, its name in test ids, and its word.
type SubjectTab = (AdminSubject, &'static str, fn(&'static Words) -> &'static str);

const SUBJECTS: [SubjectTab; 6] = [
    (AdminSubject::Nodes, "admin-nodes", |w| w.on_nodes),
    (AdminSubject::Partitions, "admin-partitions", |w| w.admin_partitions),
    (AdminSubject::Reservations, "admin-reservations", |w| w.admin_reservations),
    (AdminSubject::Qos, "admin-qos", |_| "QOS"),
    (AdminSubject::Accounts, "admin-accounts", |w| w.admin_accounts),
    (AdminSubject::Settings, "admin-settings", |w| w.admin_settings),
];

/// Draws the panel.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(
    page: Page,
    answer: RwSignal<Option<Box<PanelAnswer>>>,
    subject: RwSignal<AdminSubject>,
) -> AnyView {
    let picture = Memo::new(move |_| answer.with(|p| p.as_ref().and_then(|p| p.admin()).cloned()));
    let panel = AdminPanel { page, picture, shown: subject };
    let tab = move |(subject, name, word): SubjectTab| {
        view! {
            <button data-testid=name aria-pressed=string(move || (panel.shown.get() == subject).to_string())
                on:click=move |_| panel.shown.set(subject)>{page.say(word)}</button>
        }
    };
    let nodes = Memo::new(move |_| panel.read(|p| p.names.nodes.clone(), Vec::new()));
    let forms = move || {
        let subject = panel.shown.get();
        let some = FORMS.iter().filter(|form| form.subject == subject);
        some.enumerate().map(|(at, form)| form::draw(panel, form, at == 0)).collect::<Vec<_>>()
    };
    let data = Arc::new(move || {
        let lines = |p: &AdminPicture| {
            let all = std::iter::once(&p.headings).chain(&p.rows);
            all.map(|cells| csv_line(cells.iter().map(String::as_str))).collect()
        };
        untrack(|| panel.read(lines, String::new()))
    });
    view! {
        <section class="admin sheet" data-testid="admin" aria-label=page.say(|w| w.admin)>
            <div class="bar">
                <div class="choice" role="group" aria-label=page.say(|w| w.admin)>
                    {SUBJECTS.into_iter().map(tab).collect::<Vec<_>>()}
                </div>
                <span class="spring"></span>
                {save::menu(page, "administration", SavedPicture::None, data)}
            </div>
            <div class="scroll" tabindex="0" role="group" aria-label=page.say(|w| w.admin)>
                <CurrentState panel />
                {forms}
                <datalist id="admin-nodes-list">
                    {move || nodes.get().into_iter().map(|name| view! { <option value=name></option> }).collect::<Vec<_>>()}
                </datalist>
            </div>
        </section>
    }
    .into_any()
}

/// The current state, as Slurm's commands show it.
#[component]
fn CurrentState(panel: AdminPanel) -> impl IntoView {
    let page = panel.page;
    // A picture of the previous subject is not shown under this one's heading.
    let fits = move |p: &AdminPicture| p.subject == panel.shown.get();
    let headings = Memo::new(move |_| panel.read(|p| p.headings.clone(), Vec::new()));
    let rows =
        Memo::new(move |_| panel.read(|p| if fits(p) { p.rows.clone() } else { Vec::new() }, Vec::new()));
    let known = flag(move || panel.read(fits, false));
    // A column without a name gets no heading cell, for screen readers.
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
                <p class="empty">{page.say_later(|w| w.admin_none)}</p>
            }>
                <div class="wide" tabindex="0" role="group" aria-label=page.say_later(|w| w.admin_standing)>
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
