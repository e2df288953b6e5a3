//! A form: its fields, the command that they make, and the button that types it.

use super::AdminPanel;
use super::forms::{AdminForm, FieldKind};
use crate::command::of_root;
use crate::follow::{When, flag, string};
use crate::page::{Page, Selection};
use leptos::prelude::*;
use protocol::AdminPicture;

/// The text typed into each field; none: its default.
type Typed = RwSignal<Vec<Option<String>>>;

/// Draws a form, unfolded if `open`.
pub fn draw(panel: AdminPanel, form: &'static AdminForm, open: bool) -> AnyView {
    let page = panel.page;
    let typed: Typed = RwSignal::new(vec![None; form.fields.len()]);
    let line = Memo::new(move |_| {
        let fields: Vec<String> = (0..form.fields.len()).map(|at| value(panel, form, typed, at)).collect();
        panel.read(|p| (form.line)(&fields, p), None)
    });
    let shown = Signal::derive(move || line.get().unwrap_or_default());
    let fields = (0..form.fields.len()).map(|at| field(panel, form, typed, at)).collect::<Vec<_>>();
    view! {
        <details class="listed" name="admin-form" open=open>
            <summary data-testid=format!("form-{}", form.name)>{page.say(form.title)}</summary>
            <div class="change" data-testid=format!("in-{}", form.name)>
                {fields}
                <When holds=flag(move || line.with(Option::is_some)) fallback=move || view! {
                    <p class="faint">{page.say_later(|w| w.admin_incomplete)}</p>
                }>
                    {of_root(page, shown)}
                </When>
            </div>
        </details>
    }
    .into_any()
}

/// Draws a field with its label.
fn field(panel: AdminPanel, form: &'static AdminForm, typed: Typed, at: usize) -> AnyView {
    let Some(field) = form.fields.get(at) else { return ().into_any() };
    let page = panel.page;
    let id = format!("{}-{at}", form.name);
    let now = string(move || value(panel, form, typed, at));
    let set = move |text: String| {
        typed.update(|typed| {
            // Another key has another default value.
            if let Some(behind) = typed.get_mut(at + 1).filter(|_| follows(form, at)) {
                *behind = None;
            }
            if let Some(slot) = typed.get_mut(at) {
                *slot = Some(text);
            }
        });
    };
    let input = match field.value {
        FieldKind::Number(_) => view! {
            <input type="number" min="0" max="1000000" data-testid=id prop:value=now
                on:input=move |e| set(event_target_value(&e)) />
        }
        .into_any(),
        FieldKind::Text(_) | FieldKind::Of => view! {
            <input type="text" size="14" data-testid=id prop:value=now on:input=move |e| set(event_target_value(&e)) />
        }
        .into_any(),
        FieldKind::Nodes => view! {
            <input type="text" size="14" list="admin-nodes-list" data-testid=id prop:value=now
                on:input=move |e| set(event_target_value(&e)) />
        }
        .into_any(),
        FieldKind::One(_) | FieldKind::Key(_) | FieldKind::Setting | FieldKind::Name(_) | FieldKind::Maybe(_) => {
            let all = Memo::new(move |_| panel.read(|p| offered(field.value, p), Vec::new()));
            let option = move |text: String| {
                let (chosen, shown) = (text.clone(), if text.is_empty() { "–".to_owned() } else { text.clone() });
                view! { <option value=text selected=flag(move || now.get() == chosen)>{shown}</option> }
            };
            view! {
                <select data-testid=id on:change=move |e| set(event_target_value(&e))>
                    {move || all.get().into_iter().map(option).collect::<Vec<_>>()}
                </select>
            }
            .into_any()
        }
    };
    view! { <label>{page.say(field.word)}" "{input}</label> }.into_any()
}

/// Whether the next field is the value of this field's key.
fn follows(form: &AdminForm, at: usize) -> bool {
    form.fields.get(at + 1).is_some_and(|next| matches!(next.value, FieldKind::Of))
}

/// The options of a list.
fn offered(value: FieldKind, picture: &AdminPicture) -> Vec<String> {
    let own = |all: &[&str]| all.iter().map(|text| (*text).to_owned()).collect();
    match value {
        FieldKind::One(all) => own(all),
        FieldKind::Key(all) => all.iter().map(|(key, _)| (*key).to_owned()).collect(),
        FieldKind::Setting => picture.settings.iter().map(|(key, _)| key.clone()).collect(),
        FieldKind::Name(names) => names.of(picture),
        FieldKind::Maybe(names) => [String::new()].into_iter().chain(names.of(picture)).collect(),
        FieldKind::Text(_) | FieldKind::Number(_) | FieldKind::Of | FieldKind::Nodes => Vec::new(),
    }
}

/// The text of a field: the typed text, or its default.
fn value(panel: AdminPanel, form: &'static AdminForm, typed: Typed, at: usize) -> String {
    if let Some(text) = typed.with(|typed| typed.get(at).cloned().flatten()) {
        return text;
    }
    let Some(field) = form.fields.get(at) else { return String::new() };
    match field.value {
        FieldKind::Text(text) | FieldKind::Number(text) => text.to_owned(),
        FieldKind::Nodes => node(panel),
        FieldKind::Of => match at.checked_sub(1) {
            Some(key) => of_key(panel, form, key, &value(panel, form, typed, key)),
            None => String::new(),
        },
        FieldKind::One(_)
        | FieldKind::Key(_)
        | FieldKind::Setting
        | FieldKind::Name(_)
        | FieldKind::Maybe(_) => {
            panel.read(|p| offered(field.value, p).into_iter().next(), None).unwrap_or_default()
        }
    }
}

/// The default value of a key; of a setting, its current value.
fn of_key(panel: AdminPanel, form: &'static AdminForm, at: usize, key: &str) -> String {
    match form.fields.get(at).map(|field| field.value) {
        Some(FieldKind::Key(all)) => all
            .iter()
            .find(|(name, _)| *name == key)
            .map(|(_, value)| (*value).to_owned())
            .unwrap_or_default(),
        Some(FieldKind::Setting) => panel
            .read(|p| p.settings.iter().find(|(name, _)| name == key).map(|s| s.1.clone()), None)
            .unwrap_or_default(),
        Some(
            FieldKind::Text(_)
            | FieldKind::Number(_)
            | FieldKind::One(_)
            | FieldKind::Of
            | FieldKind::Nodes
            | FieldKind::Name(_)
            | FieldKind::Maybe(_),
        )
        | None => String::new(),
    }
}

/// The selected node, else the first.
fn node(panel: AdminPanel) -> String {
    let selected = selected_node(panel.page);
    selected.or_else(|| panel.read(|p| p.names.nodes.first().cloned(), None)).unwrap_or_default()
}

fn selected_node(page: Page) -> Option<String> {
    let Selection::Node(index) = page.selection.get() else { return None };
    page.started.with(|s| s.as_ref()?.nodes.get(index as usize).map(|n| n.name.clone()))
}
