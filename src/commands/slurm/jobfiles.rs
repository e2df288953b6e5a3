//! The files that a batch job reads and writes, as commands show them. Mirrors "FILENAME PATTERN" of sbatch(1), as far
//! as slurmctld fills patterns in (what differs from node to node stays as it is).

use super::jobtext::View;
use crate::host::path;
use crate::slurmctld::job::Job;

/// Standard input, output or error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Stream {
    In,
    Out,
    Err,
}

/// The name as it was given, or the usual one.
#[must_use]
pub fn pattern(job: &Job, stream: Stream) -> String {
    let d = &job.desc;
    match stream {
        Stream::In => d.stdin.clone().unwrap_or_else(|| "/dev/null".to_owned()),
        Stream::Err => d.stderr.clone().unwrap_or_default(),
        Stream::Out => d.stdout.clone().unwrap_or_else(|| {
            if job.array.is_some() { "slurm-%A_%a.out" } else { "slurm-%j.out" }.to_owned()
        }),
    }
}

/// The whole path with its patterns filled in, for a task of an array if one is named; empty: there is none.
#[must_use]
pub fn path(v: &View, job: &Job, task: Option<u32>, stream: Stream) -> String {
    let pattern = pattern(job, stream);
    if pattern.is_empty() {
        return pattern;
    }
    path::resolve(&job.desc.work_dir, &expand(v, job, task, &pattern))
}

/// `%j` and the like in a file's name.
fn expand(v: &View, job: &Job, task: Option<u32>, pattern: &str) -> String {
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
