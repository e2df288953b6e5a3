//! A job's resource usage and its earlier runs, from its steps and the accounting database.

use crate::world::World;
use base::ids::{DbIndex, JobId, StepId};
use base::state::JobState;
use base::time::Time;
use protocol::{JobPreemption, JobRun, JobUsage};
use slurmctld::job::Job;
use slurmdbd::JobRecord;

/// Maximum number of database records searched for earlier runs, the newest first.
const LOOKED: usize = 20_000;
/// Maximum number of displayed earlier runs.
const RUNS: usize = 20;

/// Efficiency as `seff` computes it: CPU time of the steps relative to all allocated CPUs, and memory of the
/// largest step relative to the allocated memory.
pub fn usage(world: &World, job: &Job) -> Option<JobUsage> {
    if job.state == JobState::Pending {
        return None;
    }
    let record = job.db.and_then(|db| world.ctld.dbd.jobs.get(db));
    // A job that never had a node used nothing.
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
    // Finished steps are only in the database.
    for (_, step) in record.steps.iter().filter(|(num, _)| !job.steps.contains_key(num)) {
        cpu += step.usage.cpu_time;
        memory = memory.max(step.usage.max_rss.value * u64::from(step.tasks.max(1)));
    }
    Some(reckoned(record, job.run_seconds(world.now).max(0), cpu, memory))
}

/// The same for a job that is only in the database.
pub fn of_record(record: &JobRecord) -> Option<JobUsage> {
    let (start, end) = (record.start?, record.end?);
    let cpu = record.steps.values().map(|step| step.usage.cpu_time).sum();
    let largest = record.steps.values().map(|step| step.usage.max_rss.value * u64::from(step.tasks.max(1)));
    let elapsed = (end.secs() - start.secs() - i64::from(record.suspended)).max(0);
    Some(reckoned(record, elapsed, cpu, largest.max().unwrap_or(0)))
}

fn reckoned(record: &JobRecord, elapsed: i64, cpu: u64, memory: u64) -> JobUsage {
    JobUsage {
        elapsed,
        cpu_seconds: i64::try_from(cpu / 1_000_000).unwrap_or(i64::MAX),
        cpu_most: elapsed.saturating_mul(i64::from(record.cpus.max(1))),
        cpus: record.cpus,
        memory,
        memory_most: record.alloc_tres.mem * 1024,
    }
}

/// The user who cancelled it.
pub fn cancelled_by(world: &World, record: Option<&JobRecord>, cancelled: bool) -> String {
    let by = record.and_then(|r| r.cancelled_by).filter(|_| cancelled);
    by.map(|uid| world.kernel.users.name(uid)).unwrap_or_default()
}

/// The job that preempted it the last time.
pub fn pushed(world: &World, id: JobId, leaving: bool) -> Option<JobPreemption> {
    let preemption = world.ctld.preemptions().rev().find(|p| p.victim == id)?;
    let by =
        world.ctld.job(preemption.by).map_or_else(|| preemption.by.to_string(), slurmctld::job::Job::id_text);
    Some(JobPreemption { by, grace: preemption.grace, leaving })
}

/// Whether its preemption grace time is running.
pub fn leaving(job: &Job) -> bool {
    job.preempt_time.is_some() && job.state == JobState::Running
}

/// The record of the current run. While the nodes are being cleaned up, a finished run still counts as the current one.
pub fn latest(job: &Job) -> Option<DbIndex> {
    job.db.filter(|_| !(job.state == JobState::Pending && job.flags.completing))
}

/// The runs before it was requeued.
pub fn runs(world: &World, job: JobId, restarts: u32, latest: Option<DbIndex>) -> Vec<JobRun> {
    if restarts == 0 {
        return Vec::new();
    }
    let earlier = |r: &&JobRecord| r.job == job && Some(r.index) != latest && r.start.is_some();
    let run = |r: &JobRecord| JobRun {
        submit: r.submit.0,
        start: r.start.map_or(0, |t: Time| t.0),
        end: r.end.map(|t| t.0),
        state: if r.requeued && r.state == JobState::Pending { "REQUEUED" } else { r.state.long() }
            .to_owned(),
        nodes: r.nodes.clone(),
    };
    let records = world.ctld.dbd.jobs.values().rev().take(LOOKED);
    // There is one record for each requeue; the search stops at the first of them.
    let many = RUNS.min(restarts as usize);
    let mut runs: Vec<JobRun> = records.filter(earlier).take(many).map(run).collect();
    runs.reverse();
    runs
}
