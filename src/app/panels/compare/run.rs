//! Runs a comparison: a worker for each policy. The first worker also makes the reports, between its replays.

use super::link::ComparisonLink;
use crate::i18n::Lang;
use leptos::prelude::*;
use protocol::compare::{ComparisonFiles, ComparisonInput, FromComparison, ReportLanguage, ToComparison};
use std::cell::RefCell;
use std::sync::Arc;
use view::compare::{CompareResults, explained};

/// What the panel shows of a run.
#[derive(Clone, Copy)]
pub struct CompareRun {
    /// Replays that are done, and all; none while nothing runs.
    pub progress: RwSignal<Option<(usize, usize)>>,
    /// The newest report.
    pub report: RwSignal<Option<Arc<ComparisonFiles>>>,
    /// Why the last run ended early. The text is empty if the browser does not say.
    pub error: RwSignal<Option<String>>,
}

impl CompareRun {
    /// Nothing has run.
    pub fn new() -> Self {
        Self { progress: RwSignal::new(None), report: RwSignal::new(None), error: RwSignal::new(None) }
    }
}

/// The comparison that runs.
struct RunningComparison {
    input: ComparisonInput,
    /// The language of its reports.
    lang: Lang,
    /// A worker for each policy, in their order.
    workers: Vec<ComparisonLink>,
    results: CompareResults,
    /// Number of results in the last report that was asked for.
    reported: usize,
    /// Whether a report is being made.
    reporting: bool,
}

thread_local! {
    static RUNNING: RefCell<Option<RunningComparison>> = const { RefCell::new(None) };
}

/// Starts a comparison instead of the one that runs.
pub fn start(run: CompareRun, input: ComparisonInput, lang: Lang) {
    stop(run);
    run.error.set(None);
    run.report.set(None);
    run.progress.set(Some((0, 0)));
    // The first worker says how many policies there are.
    let first = match spawn(run, 0) {
        Ok(first) => first,
        Err(why) => return fail(run, &why),
    };
    let running = RunningComparison {
        input,
        lang,
        workers: vec![first],
        results: CompareResults::default(),
        reported: 0,
        reporting: false,
    };
    RUNNING.with_borrow_mut(|slot| *slot = Some(running));
}

/// Ends the comparison that runs. The newest report stays.
pub fn stop(run: CompareRun) {
    run.progress.set(None);
    let Some(running) = RUNNING.with_borrow_mut(Option::take) else { return };
    running.workers.into_iter().for_each(ComparisonLink::close);
}

fn fail(run: CompareRun, why: &str) {
    stop(run);
    run.error.set(Some(why.to_owned()));
}

/// Starts the worker of a policy.
fn spawn(run: CompareRun, policy: usize) -> Result<ComparisonLink, String> {
    ComparisonLink::open(move |answer| match answer {
        Ok(answer) => receive(run, policy, answer),
        Err(why) => fail(run, &why),
    })
}

fn receive(run: CompareRun, policy: usize, answer: FromComparison) {
    match answer {
        FromComparison::Ready => {
            let input = RUNNING.with_borrow(|slot| slot.as_ref().map(|running| running.input.clone()));
            if let Some(input) = input {
                send(policy, &ToComparison::Prepare(Box::new(input)));
            }
        }
        FromComparison::Prepared { cells, policies } => {
            if policy == 0 {
                let others: Result<Vec<_>, String> =
                    (1..policies as usize).map(|policy| spawn(run, policy)).collect();
                let others = match others {
                    Ok(others) => others,
                    Err(why) => return fail(run, &why),
                };
                with(|running| {
                    running.results = CompareResults::new(cells, policies);
                    running.workers.extend(others);
                });
                run.progress.set(Some((0, cells as usize)));
            }
            go_on(policy);
        }
        FromComparison::Ran { cell, result } => {
            let done = with(|running| {
                running.results.put(cell, result);
                (running.results.done(), running.results.total())
            });
            run.progress.set(done);
            go_on(policy);
            report();
        }
        FromComparison::Reported { mut files, reasons } => {
            let lang = with(|running| running.lang).unwrap_or_default();
            files.html = explained(&files.html, &reasons, lang.why());
            let complete = files.complete;
            run.report.set(Some(Arc::from(files)));
            if complete {
                return stop(run);
            }
            with(|running| running.reporting = false);
            report();
        }
        FromComparison::Refused(why) => fail(run, &why),
        FromComparison::Imported(_) => {}
    }
}

fn with<T>(change: impl FnOnce(&mut RunningComparison) -> T) -> Option<T> {
    RUNNING.with_borrow_mut(|slot| slot.as_mut().map(change))
}

/// Asks a policy's worker for its next replay.
fn go_on(policy: usize) {
    if let Some(Some(cell)) = with(|running| running.results.next(policy)) {
        send(policy, &ToComparison::Run(cell));
    }
}

/// Asks for a report once all policies have another result.
fn report() {
    let asked = with(|running| {
        let results = running.results.so_far();
        if running.reporting || results.len() <= running.reported {
            return None;
        }
        running.reporting = true;
        running.reported = results.len();
        let complete = results.len() == running.results.total();
        let language = match running.lang {
            Lang::En => ReportLanguage::En,
            Lang::Fr => ReportLanguage::Fr,
        };
        Some(ToComparison::Report { results, complete, language })
    });
    if let Some(Some(message)) = asked {
        send(0, &message);
    }
}

fn send(policy: usize, message: &ToComparison) {
    with(|running| running.workers.get(policy).into_iter().for_each(|worker| worker.send(message)));
}
