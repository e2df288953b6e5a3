//! The composer: a form that becomes a batch script in the editor.

use crate::follow::{When, flag, string};
use crate::i18n::Words;
use crate::modal::dialog;
use crate::page::Page;
use crate::workspace::Zone;
use crate::{editor, files};
use leptos::prelude::*;
use view::compose::{KINDS, ScriptForm, ScriptKind, safe_name, script};

/// Opens it.
pub fn open(page: Page) {
    page.dialogs.composer.set(true);
}

fn kind_word(words: &'static Words, kind: ScriptKind) -> &'static str {
    match kind {
        ScriptKind::Command => words.kind_command,
        ScriptKind::Threads => words.kind_threads,
        ScriptKind::Mpi => words.kind_mpi,
        ScriptKind::Array => words.kind_array,
        ScriptKind::Desktop => words.kind_desktop,
    }
}

/// Draws the form.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page) -> AnyView {
    let form = RwSignal::new(ScriptForm::default());
    let text = move || form.with(script);
    let write = move |_| {
        let name = form.with_untracked(|f| safe_name(&f.name));
        let path = format!("{}/{name}.slurm", files::work_dir(page));
        editor::write(page, path, text());
        page.dialogs.composer.set(false);
        page.workspace.zone.set(Zone::Editor);
    };
    let number = move |name: &'static str,
                       word: fn(&'static Words) -> &'static str,
                       (least, most): (u32, u32),
                       get: fn(&ScriptForm) -> u32,
                       set: fn(&mut ScriptForm, u32)| {
        view! {
            <label><span>{page.say(word)}</span>
                <input type="number" data-testid=format!("compose-{name}") min=least.to_string() max=most.to_string()
                    prop:value=string(move || form.with(get).to_string())
                    on:change=move |e| {
                        let value = event_target_value(&e).parse().unwrap_or(least);
                        form.update(|f| set(f, value.clamp(least, most)));
                    } />
            </label>
        }
    };
    let words_of = move |name: &'static str,
                         word: fn(&'static Words) -> &'static str,
                         get: fn(&ScriptForm) -> String,
                         set: fn(&mut ScriptForm, String)| {
        view! {
            <label><span>{page.say(word)}</span>
                <input type="text" data-testid=format!("compose-{name}") prop:value=string(move || form.with(get))
                    on:input=move |e| form.update(|f| set(f, event_target_value(&e))) />
            </label>
        }
    };
    let several = flag(move || form.with(|f| matches!(f.kind, ScriptKind::Mpi | ScriptKind::Array)));
    let partitions = move || {
        page.started
            .with(|s| s.iter().flat_map(|s| s.partitions.iter().map(|p| p.name.clone())).collect::<Vec<_>>())
    };
    let inside = view! {
        <form class="composer" on:submit=move |e| { e.prevent_default(); write(()); }>
        <h2>{page.say(|w| w.compose)}</h2>
        <div class="fields">
            <label><span>{page.say_later(|w| w.kind)}</span>
                <select data-testid="compose-kind" on:change=move |e| {
                    let at = event_target_value(&e).parse::<usize>().ok();
                    if let Some(kind) = at.and_then(|at| KINDS.get(at).copied()) {
                        form.update(|f| f.kind = kind);
                    }
                }>
                    {(0..KINDS.len()).map(|i| view! {
                        <option value=i.to_string()>{Signal::derive(move || kind_word(page.t(), KINDS[i]))}</option>
                    }).collect::<Vec<_>>()}
                </select>
            </label>
            {words_of("name", |w| w.name, |f| f.name.clone(), |f, v| f.name = v)}
            <When holds=flag(move || form.with(|f| f.kind != ScriptKind::Desktop))>
                {words_of("command", |w| w.command, |f| f.command.clone(), |f, v| f.command = v)}
            </When>
            <label><span>{page.say(|w| w.partition)}</span>
                <select data-testid="compose-partition" on:change=move |e| {
                    form.update(|f| f.partition = event_target_value(&e));
                }>
                    <option value="">{page.say(|w| w.default)}</option>
                    {move || partitions().into_iter().map(|name| {
                        view! { <option value=name.clone()>{name.clone()}</option> }
                    }).collect::<Vec<_>>()}
                </select>
            </label>
            <When holds=several>
                {number("tasks", |w| w.tasks, (1, 10_000), |f| f.tasks, |f, v| f.tasks = v)}
            </When>
            {number("cpus", |w| w.cpus_each, (1, 1024), |f| f.cpus, |f, v| f.cpus = v)}
            {number("memory", |w| w.gigabytes, (1, 100_000), |f| f.gigabytes, |f, v| f.gigabytes = v)}
            {number("gpus", |w| w.gpus, (0, 64), |f| f.gpus, |f, v| f.gpus = v)}
            {number("hours", |w| w.hours, (0, 9999), |f| f.hours, |f, v| f.hours = v)}
            {number("minutes", |w| w.minutes, (0, 59), |f| f.minutes, |f, v| f.minutes = v)}
        </div>
        <pre tabindex="0" data-testid="compose-script" aria-label=page.say(|w| w.script)>{string(text)}</pre>
        <div class="row-of-buttons">
            <button type="button" class="quiet" on:click=move |_| page.dialogs.composer.set(false)>{page.say(|w| w.close)}</button>
            <span class="spring"></span>
            <button type="submit" class="primary" data-testid="compose-write">{page.say_later(|w| w.compose_write)}</button>
        </div>
        </form>
    };
    dialog(
        page,
        "composer",
        page.say(|w| w.compose),
        |page| page.dialogs.composer.set(false),
        inside.into_any(),
    )
}
