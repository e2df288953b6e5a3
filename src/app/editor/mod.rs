//! The editor: files as tabs, Save and Submit. CodeMirror is loaded when the zone is first visible; nothing else waits for it.

mod buffers;
mod file_list;

pub use buffers::{
    current, edit, file, lint, open, options, reread, saved, session_started, submit as submit_front, write,
};

use crate::follow::{When, flag, string};
use crate::layout;
use crate::page::Page;
use crate::workspace::Zone;
use buffers::{EditorBuffer, buffers, close, create, mount, save, speak, submit};
use file_list::FileList;
use leptos::html::Div;
use leptos::prelude::*;

/// The zone of the editor.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page) -> AnyView {
    let host = NodeRef::<Div>::new();
    Effect::new(move || speak(page));
    // CodeMirror is loaded when the zone is visible: a narrow screen shows one zone at a time, and an embedded page may
    // have no editor.
    let begun = StoredValue::new(false);
    crate::resize::on_resize(host, move || {
        let seen = host.get_untracked().filter(|host| host.client_width() > 0 && !begun.get_value());
        if let Some(element) = seen {
            begun.set_value(true);
            mount(page, (*element).clone());
        }
    });
    let naming = RwSignal::new(false);
    let none = move || current(page).is_none();
    view! {
        <section class="zone editor" aria-label=page.say(|w| w.editor) data-testid="editor">
            <div class="bar">
                <div class="tabs" role="group" aria-label=page.say(|w| w.files)>
                    <For each=move || buffers().get() key=|b| b.path.clone() children=move |buffer| {
                        view! { <EditorTab page buffer /> }
                    } />
                    <button class="quiet icon" title=page.say(|w| w.new_file) aria-label=page.say(|w| w.new_file)
                        data-testid="new-file" on:click=move |_| naming.update(|n| *n = !*n)>"+"</button>
                </div>
                <button data-testid="compose" title=page.say(|w| w.compose) on:click=move |_| page.dialogs.composer.set(true)>
                    {page.say(|w| w.compose_short)}
                </button>
                <button data-testid="save" disabled=flag(none) title="Ctrl-S" on:click=move |_| save(page)>
                    {page.say(|w| w.save)}
                </button>
                <button class="primary" data-testid="submit" disabled=flag(none) title=page.say(|w| w.submit_title)
                    on:click=move |_| submit(page)>{page.say(|w| w.submit)}</button>
                {layout::full(page, Zone::Editor)}
            </div>
            <When holds=flag(move || naming.get())>
                <NewFile page naming />
            </When>
            <div class="editor-body">
                <FileList page />
                <div class="code">
                    <div class="code-host" node_ref=host></div>
                    <When holds=flag(none)>
                        <p class="empty over">{page.say(|w| w.pick_file)}</p>
                    </When>
                    {layout::way_out(page, Zone::Editor)}
                </div>
            </div>
        </section>
    }
    .into_any()
}

#[component]
fn EditorTab(page: Page, buffer: EditorBuffer) -> impl IntoView {
    let path = StoredValue::new(buffer.path.clone());
    let name = buffer.path.rsplit('/').next().unwrap_or_default().to_owned();
    let is_current = move || current(page).is_some_and(|c| path.with_value(|p| *p == c));
    let dirty =
        move || buffers().with(|all| all.iter().any(|b| b.dirty && path.with_value(|p| *p == b.path)));
    let label = name.clone();
    view! {
        <span class="tab" class:current=flag(is_current)>
            <button class="quiet" aria-pressed=string(move || is_current().to_string())
                on:click=move |_| open(page, path.get_value())>
                {name}
                <When holds=flag(dirty)><span class="dirty" role="img" aria-label=page.say(|w| w.unsaved)>"•"</span></When>
            </button>
            <button class="quiet close" aria-label=string(move || format!("{} {label}", page.t().close_file))
                on:click=move |_| close(page, &path.get_value())>"×"</button>
        </span>
    }
}

#[component]
fn NewFile(page: Page, naming: RwSignal<bool>) -> impl IntoView {
    let name = RwSignal::new("job.slurm".to_owned());
    let make = move || {
        create(page, &name.get_untracked());
        naming.set(false);
    };
    view! {
        <div class="bar naming">
            <label>{page.say(|w| w.new_name)}" "
                <input type="text" prop:value=move || name.get() maxlength="100" autofocus
                    on:input=move |e| name.set(event_target_value(&e))
                    on:keydown=move |e| match e.key().as_str() {
                        "Enter" => make(),
                        "Escape" => naming.set(false),
                        _ => {}
                    } />
            </label>
            <button on:click=move |_| make()>{page.say(|w| w.new_file)}</button>
        </div>
    }
}
