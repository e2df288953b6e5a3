//! Paths of the files that a batch job reads and writes, as commands show them.
//!
//! Mirrors "FILENAME PATTERN" of sbatch(1), as far as slurmctld expands patterns. Patterns that differ from
//! node to node stay unexpanded.

use super::jobtext::JobView;
use slurmctld::job::Job;

/// Standard input, output or error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum StdStream {
    In,
    Out,
    Err,
}

/// The name as given, or the default name.
#[must_use]
pub fn pattern(job: &Job, stream: StdStream) -> String {
    let d = &job.desc;
    match stream {
        StdStream::In => d.stdin.clone().unwrap_or_else(|| "/dev/null".to_owned()),
        StdStream::Err => d.stderr.clone().unwrap_or_default(),
        StdStream::Out => d.stdout.clone().unwrap_or_else(|| {
            if job.array.is_some() { "slurm-%A_%a.out" } else { "slurm-%j.out" }.to_owned()
        }),
    }
}

/// The full path with expanded patterns, for one array task if named; empty if there is no file.
#[must_use]
pub fn path(v: &JobView, job: &Job, task: Option<u32>, stream: StdStream) -> String {
    let pattern = pattern(job, stream);
    if pattern.is_empty() {
        return pattern;
    }
    // A backslash disables all replacements; the path is shown as typed.
    let name =
        if pattern.contains('\\') { pattern.replace('\\', "") } else { expand(v, job, task, &pattern) };
    if name.starts_with('/') { name } else { format!("{}/{name}", job.desc.work_dir) }
}

/// Expands `%j` and similar patterns in a file name.
fn expand(v: &JobView, job: &Job, task: Option<u32>, pattern: &str) -> String {
    let array = job.array.as_ref();
    let task = task.or(array.and_then(|a| a.task)).unwrap_or(u32::MAX - 1);
    let mut out = String::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('j') => out += &job.id.to_string(),
            Some('A') => out += &array.map_or(job.id, |a| a.job).to_string(),
            Some('a') => out += &task.to_string(),
            Some('b') => out += &(task % 10).to_string(),
            Some('u') => out += &v.users.name(job.uid()),
            Some('x') => out += &job.name,
            Some('%') => out.push('%'),
            Some(other) => out.extend(['%', other]),
            None => out.push('%'),
        }
    }
    out
}
