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

/// Runs it.
///
/// # Errors
/// Standard output that cannot be written.
pub fn run(start: Time) -> Result<u8, String> {
    out::print("| nodes | pending jobs | a submission | a main pass | a backfill pass |\n")?;
    out::print("| ---: | ---: | ---: | ---: | ---: |\n")?;
    for (nodes, pending) in
        [(1250, 12_500), (2500, 25_000), (5000, 50_000), (10_000, 50_000), (10_000, 100_000)]
    {
        let (submission, main) = measure(nodes, pending, false, start);
        let (_, backfill) = measure(nodes, pending, true, start);
        let row = format!("| {nodes} | {pending} | {submission:.1} µs | {main:.2} ms | {backfill:.1} ms |\n");
        out::print(&row)?;
    }
    Ok(0)
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
