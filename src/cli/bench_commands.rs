//! `sandbatch bench commands`: measures the commands that show a large machine, its queue and its history.
#![allow(clippy::disallowed_methods)] // It measures real time.

use super::out;
use base::time::Time;
use engine::session::replay::{display_commands, long_queue};
use std::time::Instant;

/// Nodes of the machine; each runs one job.
const NODES: u32 = 10_000;
/// Pending jobs.
const PENDING: u32 = 100_000;
/// Users of the queue.
const USERS: u32 = 1000;
/// Finished jobs.
const RECORDS: u64 = 1_000_000;
/// Repetitions for each command; the best time counts.
const TIMES: usize = 5;

/// Commands, with the data that they read.
const COMMANDS: &[(&str, &[&str])] = &[
    ("squeue, 110,000 jobs", &["squeue"]),
    ("squeue -S i, 110,000 jobs", &["squeue", "-S", "i"]),
    ("squeue -u 2007, 110,000 jobs", &["squeue", "-u", "2007"]),
    ("squeue --start, 100,000 waiting jobs", &["squeue", "--start"]),
    ("sinfo, 10,000 nodes", &["sinfo"]),
    ("sinfo -N -l, 10,000 nodes", &["sinfo", "-N", "-l"]),
    ("sinfo -o '%n %t %e', 10,000 nodes", &["sinfo", "-o", "%n %t %e"]),
    (
        "sacct -u 2007 -s F -S now-1days, 1,000,000 records",
        &["sacct", "-X", "-u", "2007", "-s", "F", "-S", "now-1days", "-E", "now"],
    ),
    ("sacct -a -S now-1hours, 1,000,000 records", &["sacct", "-X", "-a", "-S", "now-1hours"]),
    ("sacct -j 1500000, 1,000,000 records", &["sacct", "-j", "1500000"]),
];

/// Runs the benchmark.
///
/// # Errors
/// Standard output cannot be written.
pub fn run(start: Time) -> Result<u8, String> {
    let mut ctld = long_queue::machine(NODES, false, start);
    let now = long_queue::fill(&mut ctld, start);
    for i in 0..PENDING {
        long_queue::submit(&mut ctld, long_queue::job(i, USERS), now);
    }
    display_commands::history(&mut ctld, RECORDS, now);
    out::print("| command | lines | time |\n| --- | ---: | ---: |\n")?;
    for (name, argv) in COMMANDS {
        let (mut best, mut lines) = (f64::MAX, 0);
        for _ in 0..TIMES {
            let began = Instant::now();
            let text = display_commands::run(&mut ctld, argv, now);
            best = best.min(began.elapsed().as_secs_f64() * 1e3);
            lines = text.iter().filter(|b| **b == b'\n').count();
        }
        out::print(&format!("| {name} | {lines} | {best:.1} ms |\n"))?;
    }
    Ok(0)
}
