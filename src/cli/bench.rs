//! `sandbatch bench`: measures the scheduler on machines and queues of several sizes and prints a table.
#![allow(clippy::disallowed_methods)] // It measures real time.

use super::out;
use base::time::{Span, Time};
use engine::session::replay::long_queue;
use std::time::Instant;

/// Users of the queue.
const USERS: u32 = 1000;
/// The longest virtual time during which passes are measured.
const LOOKED: Span = Span::from_secs(100);

/// Nodes and pending jobs. Along each curve, one of the two doubles from row to row.
const CURVES: [[(u32, u32); 4]; 2] = [
    [(1250, 100_000), (2500, 100_000), (5000, 100_000), (10_000, 100_000)],
    [(10_000, 12_500), (10_000, 25_000), (10_000, 50_000), (10_000, 100_000)],
];
/// Repetitions for each size; the best one counts.
const TIMES: u32 = 3;

/// Runs the benchmark.
///
/// # Errors
/// Standard output cannot be written.
pub fn run(start: Time) -> Result<u8, String> {
    out::print(
        "| nodes | pending jobs | a submission | a main pass | the first backfill pass | doubling costs | jobs it plans |\n",
    )?;
    out::print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")?;
    for curve in CURVES {
        let mut before = None;
        for (nodes, pending) in curve {
            let Measured { submission, pass: main, .. } = best(nodes, pending, false, start);
            let Measured { pass: backfill, planned, .. } = best(nodes, pending, true, start);
            let factor = before.map_or_else(String::new, |before: f64| format!("{:.1}", backfill / before));
            before = Some(backfill);
            out::print(&format!(
                "| {nodes} | {pending} | {submission:.1} µs | {main:.2} ms | {backfill:.1} ms | {factor} | \
                 {planned} |\n"
            ))?;
        }
    }
    Ok(0)
}

/// Measurements of one size.
struct Measured {
    /// Microseconds per submission.
    submission: f64,
    /// Milliseconds of the longest pass after all submissions. This is usually the first one, whose caches are empty.
    pass: f64,
    /// Jobs with an expected start at the end.
    planned: usize,
}

/// The best of several measurements, for each number separately.
fn best(nodes: u32, pending: u32, backfill: bool, start: Time) -> Measured {
    let worst = Measured { submission: f64::MAX, pass: f64::MAX, planned: 0 };
    (0..TIMES).map(|_| measure(nodes, pending, backfill, start)).fold(worst, |best, new| Measured {
        submission: best.submission.min(new.submission),
        pass: best.pass.min(new.pass),
        planned: new.planned,
    })
}

fn measure(nodes: u32, pending: u32, backfill: bool, start: Time) -> Measured {
    let mut ctld = long_queue::machine(nodes, backfill, start);
    let now = long_queue::fill(&mut ctld, start);
    let began = Instant::now();
    for i in 0..pending {
        long_queue::submit(&mut ctld, long_queue::job(i, USERS), now);
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
        // A new submission gives the scheduler a reason to run.
        long_queue::submit(&mut ctld, long_queue::job(7, USERS), at);
    }
    let planned = ctld.pending_jobs().filter(|job| job.planned.is_some()).count();
    Measured { submission, pass: longest, planned }
}
