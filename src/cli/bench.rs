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

/// What was measured of a size.
struct Measured {
    /// Microseconds.
    submission: f64,
    /// Milliseconds of the longest pass after all were submitted: the first, as a rule, which has nothing to remember yet.
    pass: f64,
    /// Jobs that have an expected start in the end.
    planned: usize,
}

/// The best of some measurements, each number by itself.
fn best(nodes: u32, pending: u32, backfill: bool, start: Time) -> Measured {
    let worst = Measured { submission: f64::MAX, pass: f64::MAX, planned: 0 };
    (0..TIMES).map(|_| measure(nodes, pending, backfill, start)).fold(worst, |best, new| Measured {
        submission: best.submission.min(new.submission),
        pass: best.pass.min(new.pass),
        planned: new.planned,
    })
}

fn measure(nodes: u32, pending: u32, backfill: bool, start: Time) -> Measured {
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
    let planned = ctld.pending_jobs().filter(|job| job.planned.is_some()).count();
    Measured { submission, pass: longest, planned }
}
