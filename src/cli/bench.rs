//! `sandbatch bench`: how long the scheduler takes for machines and queues of several sizes, as rows of a table.
#![allow(clippy::disallowed_methods)] // It measures real time.

use super::out;
use sandbatch::base::time::{Span, Time};
use sandbatch::session::replay::crowd;
use std::time::Instant;

/// Users of the queue.
const USERS: u32 = 1000;
/// The longest virtual time that passes are looked at.
const LOOKED: Span = Span::from_secs(100);

/// Nodes and pending jobs: along each curve one of them is doubled from row to row.
const CURVES: [[(u32, u32); 4]; 2] = [
    [(1250, 100_000), (2500, 100_000), (5000, 100_000), (10_000, 100_000)],
    [(10_000, 12_500), (10_000, 25_000), (10_000, 50_000), (10_000, 100_000)],
];
/// How often each size is measured; the best counts.
const TIMES: u32 = 3;

/// Runs it.
///
/// # Errors
/// Standard output that cannot be written.
pub fn run(start: Time) -> Result<u8, String> {
    out::print(
        "| nodes | pending jobs | a submission | a main pass | the first backfill pass | doubling costs |\n",
    )?;
    out::print("| ---: | ---: | ---: | ---: | ---: | ---: |\n")?;
    for curve in CURVES {
        let mut before = None;
        for (nodes, pending) in curve {
            let (submission, main) = best(nodes, pending, false, start);
            let (_, backfill) = best(nodes, pending, true, start);
            let factor = before.map_or_else(String::new, |before: f64| format!("{:.1}", backfill / before));
            before = Some(backfill);
            out::print(&format!(
                "| {nodes} | {pending} | {submission:.1} µs | {main:.2} ms | {backfill:.1} ms | {factor} |\n"
            ))?;
        }
    }
    Ok(0)
}

/// The best of some measurements, each number by itself.
fn best(nodes: u32, pending: u32, backfill: bool, start: Time) -> (f64, f64) {
    let measured = (0..TIMES).map(|_| measure(nodes, pending, backfill, start));
    measured.fold((f64::MAX, f64::MAX), |best, new| (best.0.min(new.0), best.1.min(new.1)))
}

/// Microseconds of a submission, and milliseconds of the longest pass after all were submitted: the first, as a rule,
/// which has nothing to remember yet.
fn measure(nodes: u32, pending: u32, backfill: bool, start: Time) -> (f64, f64) {
    let mut ctld = crowd::machine(nodes, backfill, start);
    let now = crowd::fill(&mut ctld, start);
    let began = Instant::now();
    for i in 0..pending {
        crowd::submit(&mut ctld, crowd::job(i, USERS), now);
    }
    let submission = began.elapsed().as_secs_f64() * 1e6 / f64::from(pending);
    let mut longest = 0.0_f64;
    let mut at = now;
    while let Some(due) = ctld.next_due(at).filter(|due| *due < now + LOOKED) {
        at = due;
        let began = Instant::now();
        ctld.timer(at);
        longest = longest.max(began.elapsed().as_secs_f64() * 1e3);
        ctld.take_orders();
        // Somebody comes, so that the loops have a reason to run.
        crowd::submit(&mut ctld, crowd::job(7, USERS), at);
    }
    (submission, longest)
}
