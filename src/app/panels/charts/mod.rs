//! The cluster over time: utilisation, running and pending jobs, starts and ends, waits by partition, and usage by user and
//! account.

use crate::figure::{figure, nothing};
use crate::follow::{When, flag, string};
use crate::i18n::Words;
use crate::page::Page;
use crate::panels::PanelState;
use crate::save::{self, SavedPicture};
use crate::travel::label;
use leptos::html::Div;
use leptos::prelude::*;
use protocol::{ChartsPicture, ChartsWindow, UseRow, WaitRow};
use std::sync::Arc;
use view::chart::SeriesColour;
use view::charts::{ChartKind, ChartLabels, chart, csv};
use view::css::{percent, tenths};
use view::gantt::first_window;
use view::palette::user_colour;
use view::times::span;

/// The spans to choose from, in seconds; 0: all.
pub const SPANS: [u32; 6] = [3600, 6 * 3600, 86_400, 7 * 86_400, 30 * 86_400, 0];

/// The span at a first visit.
pub const FIRST_SPAN: u32 = 6 * 3600;

type ChartsAnswer = Memo<Option<ChartsPicture>>;

/// The time range to ask for: the span of the history that is selected, otherwise the newest. Reads signals.
pub fn window(state: PanelState) -> ChartsWindow {
    state.gantt.with(|w| match w.until {
        Some(_) => ChartsWindow { seconds: u32::try_from(w.span / 1_000_000).unwrap_or(0), until: w.until },
        None => ChartsWindow { seconds: state.charts.get(), until: None },
    })
}

/// Draws the panel.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page, state: PanelState) -> AnyView {
    let (answer, seconds, which) = (state.picture, state.charts, state.chart);
    let selected = Memo::new(move |_| state.gantt.with(|w| w.until.is_some()));
    let picture = Memo::new(move |_| answer.with(|p| p.as_ref().and_then(|p| p.charts()).cloned()));
    let root = NodeRef::<Div>::new();
    let data = Arc::new(move || picture.with_untracked(|p| p.as_ref().map(csv).unwrap_or_default()));
    let tab = move |chart: ChartKind, id: &'static str, word: fn(&'static Words) -> &'static str| {
        view! {
            <button data-testid=id aria-pressed=string(move || (which.get() == chart).to_string())
                on:click=move |_| which.set(chart)>{page.say(word)}</button>
        }
    };
    let options = move || {
        let (words, now, selected) = (page.t(), seconds.get(), selected.get());
        let option = |seconds: u32| {
            let text = match seconds {
                0 => words.charts_all.to_owned(),
                _ => span(i64::from(seconds), words.day),
            };
            view! { <option value=seconds.to_string() selected=seconds == now && !selected>{text}</option> }
        };
        let here =
            selected.then(|| view! { <option value="" selected>{page.later().charts_selected}</option> });
        (here, SPANS.into_iter().map(option).collect::<Vec<_>>())
    };
    // Another span follows the present again, and so does the timeline.
    let choose = move |event| {
        if let Ok(span) = event_target_value(&event).parse() {
            seconds.set(span);
            if selected.get_untracked() {
                state.gantt.update(|w| (w.span, w.until) = (first_window().span, None));
            }
        }
    };
    let title = move |chart: ChartKind| {
        let words = page.t();
        match chart {
            ChartKind::Use => words.chart_use,
            ChartKind::Jobs => words.chart_jobs,
            ChartKind::Turnover => words.chart_turnover,
        }
    };
    let draw = Arc::new(move |width: f64| {
        let (which, words) = (which.get(), page.t());
        let moment = |at, step| label(words, at, step);
        let said = ChartLabels {
            label: title(which),
            names: &names(which, words),
            mean: words.chart_mean,
            total: words.chart_total,
            moment: &moment,
            decimal: words.decimal,
            percent: words.percent,
        };
        picture.with(|p| p.as_ref().map(|p| chart(p, which, width, &said).svg(width)).unwrap_or_default())
    });
    let cut = flag(move || picture.with(|p| p.as_ref().is_some_and(|p| p.cut)));
    let ran = flag(move || {
        picture.with(|p| p.as_ref().is_some_and(|p| !p.users.is_empty() || !p.waits.is_empty()))
    });
    view! {
        <section class="charts sheet" data-testid="charts" aria-label=page.say(|w| w.charts)>
            <div class="bar">
                <div class="choice" role="group" aria-label=page.say(|w| w.charts)>
                    {tab(ChartKind::Use, "chart-use", |w| w.chart_use)}
                    {tab(ChartKind::Jobs, "chart-jobs", |w| w.chart_jobs)}
                    {tab(ChartKind::Turnover, "chart-turnover", |w| w.chart_turnover)}
                </div>
                <select data-testid="chart-span" aria-label=page.say_later(|w| w.charts_span)
                    on:change=choose>{options}</select>
                <span class="spring"></span>
                {save::menu(page, "charts", SavedPicture::Svg(root), data)}
            </div>
            <div class="scroll" tabindex="0" role="group" aria-label=page.say(|w| w.charts)>
                <ChartLegend page which />
                {figure(root, draw, nothing())}
                <When holds=cut><p class="faint">{page.say_later(|w| w.charts_cut)}</p></When>
                <When holds=ran fallback=move || view! { <p class="empty">{page.say_later(|w| w.charts_empty)}</p> }>
                    <div class="pair">
                        <WaitTable page picture />
                        <UsageTable page picture word=|w| w.used_by_user rows=|p| &p.users />
                        <UsageTable page picture word=|w| w.used_by_account rows=|p| &p.accounts />
                    </div>
                </When>
            </div>
        </section>
    }
    .into_any()
}

/// The names of a chart's series, in the order of the legend.
fn names(which: ChartKind, words: &Words) -> Vec<&'static str> {
    match which {
        ChartKind::Use => vec![words.cores, words.memory, "GPU"],
        ChartKind::Jobs => vec![words.running, words.waiting],
        ChartKind::Turnover => vec![words.chart_starts, words.chart_ends],
    }
}

/// The legend of the curves.
#[component]
fn ChartLegend(page: Page, which: RwSignal<ChartKind>) -> impl IntoView {
    let items = move || {
        let which = which.get();
        let item = |(colour, text): (&SeriesColour, &'static str)| {
            view! { <span><i class=format!("key {}", colour.class())></i>{text}</span> }
        };
        which.colours().iter().zip(names(which, page.t())).map(item).collect::<Vec<_>>()
    };
    view! { <p class="legend">{items}</p> }
}

#[component]
fn WaitTable(page: Page, picture: ChartsAnswer) -> impl IntoView {
    let rows = Memo::new(move |_| picture.with(|p| p.as_ref().map(|p| p.waits.clone()).unwrap_or_default()));
    let line = move |row: WaitRow| {
        let day = page.t().day;
        view! {
            <tr><th scope="row">{row.partition}</th><td>{page.number(row.jobs.into())}</td>
                <td>{span(row.median, day)}</td><td>{span(row.ninth, day)}</td><td>{span(row.longest, day)}</td></tr>
        }
    };
    view! {
        <table class="numbers" data-testid="chart-waits">
            <caption>{page.say_later(|w| w.chart_waits)}</caption>
            <thead><tr>
                <th scope="col">{page.say(|w| w.partition)}</th><th scope="col">{page.say_later(|w| w.jobs_count)}</th>
                <th scope="col">{page.say_later(|w| w.wait_median)}</th><th scope="col">{page.say_later(|w| w.wait_ninth)}</th>
                <th scope="col">{page.say_later(|w| w.wait_longest)}</th>
            </tr></thead>
            <tbody>{move || rows.get().into_iter().map(line).collect::<Vec<_>>()}</tbody>
        </table>
    }
}

#[component]
fn UsageTable(
    page: Page,
    picture: ChartsAnswer,
    word: fn(&'static Words) -> &'static str,
    rows: fn(&ChartsPicture) -> &Vec<UseRow>,
) -> impl IntoView {
    let all = Memo::new(move |_| picture.with(|p| p.as_ref().map(|p| rows(p).clone()).unwrap_or_default()));
    let hours = move |seconds: f64| tenths(seconds / 3600.0).replace('.', page.t().decimal);
    let line = move |most: f64, dark: bool, row: UseRow| {
        let colour = row.user_index.map_or_else(|| "var(--memory)".to_owned(), |i| user_colour(i, dark));
        view! {
            <tr><th scope="row">{row.name}</th><td>{hours(row.cpu_seconds)}</td>
                <td>{hours(row.gpu_seconds)}</td><td>{row.jobs.to_string()}</td>
                <td class="bar-cell"><i style:width=percent(row.cpu_seconds / most) style:background=colour></i></td></tr>
        }
    };
    let lines = move || {
        let (dark, rows) = (page.prefs.dark.get(), all.get());
        let most = rows.iter().map(|r| r.cpu_seconds).fold(1.0, f64::max);
        rows.into_iter().map(|row| line(most, dark, row)).collect::<Vec<_>>()
    };
    view! {
        <table class="numbers">
            <caption>{page.say(word)}</caption>
            <thead><tr>
                <th scope="col">{page.say(|w| w.name)}</th><th scope="col">{page.say_later(|w| w.cpu_hours)}</th>
                <th scope="col">{page.say_later(|w| w.gpu_hours)}</th><th scope="col">{page.say_later(|w| w.jobs_count)}</th>
                <th><span class="hidden">{page.say_later(|w| w.cpu_hours)}</span></th>
            </tr></thead>
            <tbody>{lines}</tbody>
        </table>
    }
}
