//! What a job used, and its earlier runs: from its steps and from the accounting database.

use crate::base::ids::StepId;
use crate::base::state::JobState;
use crate::base::time::Time;
use crate::protocol::{Run, Used};
use crate::slurmctld::job::Job;
use crate::slurmdbd::JobRecord;
use crate::world::World;

/// Records of the database that are looked at for earlier runs, the newest first.
const LOOKED: usize = 20_000;
/// Earlier runs that are shown.
const RUNS: usize = 20;

/// As `seff` reckons: steps' CPU time against that of all its CPUs, the largest step's memory against what was given.
pub fn used(world: &World, job: &Job) -> Option<Used> {
    if job.state == JobState::Pending {
        return None;
    }
    let record = job.db.and_then(|db| world.ctld.dbd.jobs.get(db));
    // Who never had a node used nothing.
    let never = job.allocation.is_none() && job.nodes_text.is_empty();
    let record = record.filter(|_| !never)?;
    let (mut cpu, mut memory) = (0u64, 0u64);
    for (num, step) in job.steps.iter() {
        let usage = match step.end {
            Some(_) => step.usage,
            None => world.usage(StepId { job: job.id, step: *num }),
        };
        cpu += usage.cpu_time;
        memory = memory.max(usage.max_rss.value * u64::from(step.tasks.max(1)));
    }
    // Steps that are over are known to the database alone.
    for (_, step) in record.steps.iter().filter(|(num, _)| !job.steps.contains_key(num)) {
        cpu += step.usage.cpu_time;
        memory = memory.max(step.usage.max_rss.value * u64::from(step.tasks.max(1)));
    }
    let elapsed = job.run_seconds(world.now).max(0);
    let seconds = |micros: u64| i64::try_from(micros / 1_000_000).unwrap_or(i64::MAX);
    Some(Used {
        elapsed,
        cpu_seconds: seconds(cpu),
        cpu_most: elapsed.saturating_mul(i64::from(record.cpus.max(1))),
        cpus: record.cpus,
        memory,
        memory_most: record.alloc_tres.mem * 1024,
    })
}

/// The person who cancelled it.
pub fn cancelled_by(world: &World, job: &Job) -> String {
    let record = job.db.and_then(|db| world.ctld.dbd.jobs.get(db));
    let by = record.and_then(|r| r.cancelled_by).filter(|_| job.state == JobState::Cancelled);
    by.map(|uid| world.kernel.users.name(uid)).unwrap_or_default()
}

/// The runs before it went back to the queue.
pub fn runs(world: &World, job: &Job) -> Vec<Run> {
    if job.restarts == 0 {
        return Vec::new();
    }
    // While its nodes are cleaned up after it, the run that is over has its record still.
    let gone = job.state == JobState::Pending && job.flags.completing;
    let earlier = |r: &&JobRecord| r.job == job.id && (gone || Some(r.index) != job.db) && r.start.is_some();
    let run = |r: &JobRecord| Run {
        start: r.start.map_or(0, |t: Time| t.0),
        end: r.end.map(|t| t.0),
        state: if r.requeued && r.state == JobState::Pending { "REQUEUED" } else { r.state.long() }
            .to_owned(),
        nodes: r.nodes.clone(),
    };
    let records = world.ctld.dbd.jobs.values().rev().take(LOOKED);
    // One for each time that it went back: with the first of them the search ends.
    let many = RUNS.min(job.restarts as usize);
    let mut runs: Vec<Run> = records.filter(earlier).take(many).map(run).collect();
    runs.reverse();
    runs
}
