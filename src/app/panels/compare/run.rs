//! Runs a comparison: a worker for each policy. The first worker also makes the reports, between its replays.

use crate::js;
use gloo_events::{EventListener, EventListenerOptions};
use gloo_timers::callback::Timeout;
use js_sys::{Array, Uint8Array};
use leptos::prelude::*;
use protocol::compare::{COMPARISON_WORKER, ComparisonFiles, ComparisonInput, FromComparison, ToComparison};
use std::cell::RefCell;
use std::sync::Arc;
use view::compare::CompareResults;
use wasm_bindgen::JsCast as _;
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};

/// What the panel shows of a run.
#[derive(Clone, Copy)]
pub struct CompareRun {
    /// Replays that are done, and all; none while nothing runs.
    pub progress: RwSignal<Option<(usize, usize)>>,
    /// The newest report.
    pub report: RwSignal<Option<Arc<ComparisonFiles>>>,
    /// Why the last run ended early.
    pub error: RwSignal<String>,
}

impl CompareRun {
    /// Nothing has run.
    pub fn new() -> Self {
        Self {
            progress: RwSignal::new(None),
            report: RwSignal::new(None),
            error: RwSignal::new(String::new()),
        }
    }
}

/// A worker with its listeners.
struct CompareWorker {
    worker: Worker,
    listeners: [EventListener; 2],
}

/// The comparison that runs.
struct RunningComparison {
    input: ComparisonInput,
    /// A worker for each policy, in their order.
    workers: Vec<CompareWorker>,
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
pub fn start(run: CompareRun, input: ComparisonInput) {
    stop(run);
    run.error.set(String::new());
    run.report.set(None);
    run.progress.set(Some((0, 0)));
    // The first worker says how many policies there are.
    let Some(first) = spawn(run, 0) else { return fail(run, "") };
    let running = RunningComparison {
        input,
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
    for CompareWorker { worker, listeners } in running.workers {
        worker.terminate();
        // This may run in one of the listeners, which must outlive the call.
        Timeout::new(0, move || drop(listeners)).forget();
    }
}

fn fail(run: CompareRun, why: &str) {
    stop(run);
    run.error.set(why.to_owned());
}

/// Starts the worker of a policy.
fn spawn(run: CompareRun, policy: usize) -> Option<CompareWorker> {
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    options.set_name(COMPARISON_WORKER);
    let loader = js::named_by_build("worker")?;
    let worker = Worker::new_with_options(&loader, &options).ok()?;
    let on_message = EventListener::new(&worker, "message", move |event| {
        let bytes = event.dyn_ref::<MessageEvent>().and_then(|e| e.data().dyn_into::<Uint8Array>().ok());
        let Some(bytes) = bytes else { return };
        match postcard::from_bytes::<FromComparison>(&bytes.to_vec()) {
            Ok(answer) => receive(run, policy, answer),
            Err(error) => fail(run, &error.to_string()),
        }
    });
    let prevent = EventListenerOptions::enable_prevent_default();
    let on_error = EventListener::new_with_options(&worker, "error", prevent, move |event| {
        event.prevent_default();
        let why = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message).unwrap_or_default();
        fail(run, &why);
    });
    Some(CompareWorker { worker, listeners: [on_message, on_error] })
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
                let others: Vec<_> = (1..policies as usize).map(|policy| spawn(run, policy)).collect();
                let Some(others) = others.into_iter().collect::<Option<Vec<_>>>() else {
                    return fail(run, "");
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
        FromComparison::Reported(files) => {
            let complete = files.complete;
            run.report.set(Some(Arc::from(files)));
            if complete {
                return stop(run);
            }
            with(|running| running.reporting = false);
            report();
        }
        FromComparison::Refused(why) => fail(run, &why),
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
        Some(ToComparison::Report { results, complete })
    });
    if let Some(Some(message)) = asked {
        send(0, &message);
    }
}

fn send(policy: usize, message: &ToComparison) {
    let Ok(bytes) = postcard::to_allocvec(message) else { return };
    with(|running| {
        if let Some(worker) = running.workers.get(policy) {
            let array = Uint8Array::from(bytes.as_slice());
            // A worker that is gone has told so by its error event.
            let _ = worker.worker.post_message_with_transfer(&array, &Array::of1(&array.buffer()));
        }
    });
}
