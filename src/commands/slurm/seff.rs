//! seff: how efficiently a job used its allocation, in the format of Slurm's contributed script.
//!
//! CPU time and memory are those of `sacct`. A step that finished before the first accounting sample counts
//! as zero.

use super::getopt;
use super::jobtext::{JobSpec, parse_job};
use super::tool::{ArgumentKind, PLAIN, ToolOption, ToolSpec, flag};
use crate::Cx;
use base::state::JobState;
use base::time::{Time, hms};
use slurmdbd::JobRecord;

const OPTIONS: &[ToolOption] = &[
    flag("debug", 'd', "also the numbers that it is computed from"),
    flag("help", 'h', "show this text"),
    flag("version", 'v', "the version of seff"),
];
const USAGE: &str = "Usage: seff [Options] <JobID>\n       Options:\n       -h    Help\n       -v    Version\n       -d    Debug\n";

/// The command's table.
pub const TOOL: ToolSpec = ToolSpec {
    name: "seff",
    options: OPTIONS,
    usage: USAGE,
    synopsis: "<JOB>",
    words: |_| ArgumentKind::Job,
    hint: false,
    about: "How well a job that is over used the CPUs and the memory that it had.",
    ..PLAIN
};

/// Runs seff.
pub fn run(cx: &mut Cx) -> u8 {
    let parsed = match getopt::parse(&TOOL.longs(), cx.argv, true) {
        Ok(parsed) => parsed,
        Err(text) => {
            cx.complain(&format!("seff: {text}"));
            return 1;
        }
    };
    if parsed.has("version") {
        cx.line("seff Version 2.1");
        return 0;
    }
    let id = parsed.rest.first().cloned();
    let (Some(id), false) = (id, parsed.has("help")) else {
        cx.print(USAGE);
        return u8::from(!parsed.has("help"));
    };
    let spec = parse_job(&id);
    let found = spec.and_then(|spec| {
        cx.cluster.state().dbd.arrived_jobs().values().rev().find(|job| names(&spec, job)).cloned()
    });
    match found {
        Some(job) => report(cx, &job),
        None => {
            cx.complain("Job not found.");
            2
        }
    }
}

/// The job record; for an array the named task's (or the record that represents it).
fn names(spec: &JobSpec, job: &JobRecord) -> bool {
    match (&spec.tasks, job.array) {
        (Some(tasks), Some((array, task))) => array.0 == spec.job && task.is_some_and(|t| tasks.contains(t)),
        (Some(_), None) => false,
        (None, _) => job.job.0 == spec.job,
    }
}

fn report(cx: &mut Cx, job: &JobRecord) -> u8 {
    let cluster = cx.cluster.state().cluster.global.cluster_name.clone();
    cx.line(&format!("Job ID: {}", job.job));
    if let Some((array, Some(task))) = job.array {
        cx.line(&format!("Array Job ID: {array}_{task}"));
    }
    cx.line(&format!("Cluster: {cluster}"));
    cx.line(&format!("User/Group: {0}/{0}", job.user));
    if job.state.ended() {
        cx.line(&format!("State: {} (exit code {})", job.state.long(), job.exit.code));
    } else {
        cx.line(&format!("State: {}", job.state.long()));
    }
    if job.state == JobState::Pending {
        cx.line("Efficiency not available for jobs in the PENDING state.");
        return 0;
    }
    let nodes = job.node_count.max(1);
    if job.cpus <= 1 {
        cx.line("Cores: 1");
    } else {
        cx.line(&format!("Nodes: {nodes}"));
        cx.line(&format!("Cores per node: {}", job.cpus / nodes));
    }
    let elapsed = elapsed(job, cx.now);
    cpu(cx, job, elapsed);
    memory(cx, job, nodes);
    if !job.state.ended() {
        cx.line(&format!("WARNING: Efficiency statistics can be misleading for {} jobs.", job.state.long()));
    }
    0
}

/// The elapsed seconds.
fn elapsed(job: &JobRecord, now: Time) -> i64 {
    let still = i64::from(job.suspended) + job.suspended_since.map_or(0, |since| (now - since).secs());
    job.start.map_or(0, |start| (job.end.unwrap_or(now).secs() - start.secs() - still).max(0))
}

fn cpu(cx: &mut Cx, job: &JobRecord, elapsed: i64) {
    let micros: u64 = job.steps.values().map(|s| s.usage.cpu_time).sum();
    let used = i64::try_from(micros / 1_000_000).unwrap_or(i64::MAX);
    let walltime = elapsed * i64::from(job.cpus.max(1));
    let share = percent(u128::from(used.unsigned_abs()), u128::from(walltime.unsigned_abs()));
    cx.line(&format!("CPU Utilized: {}", hms(used)));
    cx.line(&format!("CPU Efficiency: {share} of {} core-walltime", hms(walltime)));
    cx.line(&format!("Job Wall-clock time: {}", hms(elapsed)));
}

/// The maximum memory of a step: the maximum per task, times the number of tasks.
fn memory(cx: &mut Cx, job: &JobRecord, nodes: u32) {
    let of = |s: &slurmdbd::StepDbRecord| (s.usage.max_rss.value * u64::from(s.tasks.max(1)), s.tasks);
    let (used, tasks) = job.steps.values().map(of).max().unwrap_or_default();
    let estimated = if tasks > 1 { " (estimated maximum)" } else { "" };
    let granted = job.alloc_tres.mem * 1024;
    cx.line(&format!("Memory Utilized: {}{estimated}", size(used)));
    let share = percent(u128::from(used), u128::from(granted));
    let per_node = size(granted / u64::from(nodes));
    cx.line(&format!("Memory Efficiency: {share} of {} ({per_node}/node)", size(granted)));
}

/// `12.50%`.
fn percent(part: u128, whole: u128) -> String {
    let hundredths = (part * 10_000 + whole / 2).checked_div(whole).unwrap_or(0);
    format!("{}.{:02}%", hundredths / 100, hundredths % 100)
}

/// KiB in the largest unit with a value of at least one.
fn size(kib: u64) -> String {
    const UNITS: [&str; 5] = ["KB", "MB", "GB", "TB", "PB"];
    let (mut unit, mut scale) = (0, 1u128);
    // The original script starts at megabytes.
    while unit < 1 || unit + 1 < UNITS.len() && u128::from(kib) >= scale * 1024 {
        unit += 1;
        scale *= 1024;
    }
    let hundredths = (u128::from(kib) * 100 + scale / 2) / scale;
    format!("{}.{:02} {}", hundredths / 100, hundredths % 100, UNITS.get(unit).copied().unwrap_or("PB"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(
            (size(0), size(1536), size(2 << 20)),
            ("0.00 MB".into(), "1.50 MB".into(), "2.00 GB".into())
        );
        assert_eq!((percent(1, 3), percent(1, 0)), ("33.33%".into(), "0.00%".into()));
    }
}
