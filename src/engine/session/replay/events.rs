//! Traces of sbatch command lines, in the format of the Slurm simulators:
//! `-dt 10.5 -e submit_batch_job | -sim-walltime 84805 --uid=user001 -N 1 -t 60 ... job.sh`.
//!
//! sbatch's own option table parses everything after `-sim-walltime`.

use super::{TraceJob, Workload};
use base::ids::Uid;
use base::time::{SECOND, Span};
use commands::slurm::opt::{JobOptions, SubmitCommand};
use std::sync::Arc;

/// Longest accepted time, in seconds: ten years.
const LONGEST: f64 = 10.0 * 366.0 * 86_400.0;

/// Parses a trace. `file` is its name in the diagnostics, `people` are the cluster's users.
#[must_use]
pub fn parse(file: &str, text: &str, people: &[(Uid, String)]) -> Workload {
    let mut workload = Workload::default();
    let script = Arc::new(b"#!/bin/sh\n".to_vec());
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match job(line, people) {
            Ok(mut work) => {
                work.desc.script = Some(Arc::clone(&script));
                work.line = number;
                workload.jobs.push(work);
            }
            Err(why) => {
                workload.left_out += 1;
                workload.note(file, number, why);
            }
        }
    }
    if workload.sort() {
        workload.note(file, 0, "submissions were not sorted by time; they have been sorted".to_owned());
    }
    workload
}

fn job(line: &str, people: &[(Uid, String)]) -> Result<TraceJob, String> {
    let (event, job) = line.split_once('|').ok_or("there is no '|' after the event")?;
    let mut words = event.split_whitespace();
    let (mut at, mut kind) = (None, None);
    while let Some(word) = words.next() {
        match word {
            "-dt" => at = words.next(),
            "-e" => kind = words.next(),
            other => return Err(format!("unknown event option '{other}'")),
        }
    }
    if kind != Some("submit_batch_job") {
        return Err(format!("event '{}' is not replayed", kind.unwrap_or("")));
    }
    let submit = seconds(at.unwrap_or(""))?;
    let mut runtime = None;
    let mut user = None;
    let mut rest = vec!["sbatch".to_owned()];
    let mut words = job.split_whitespace();
    while let Some(word) = words.next() {
        if word == "-sim-walltime" {
            runtime = Some(seconds(words.next().unwrap_or(""))?);
        } else if let Some(name) = word.strip_prefix("--uid=") {
            user = Some(name);
        } else {
            rest.push(word.to_owned());
        }
    }
    let user = user.ok_or("it has no --uid")?;
    let uid = people.iter().find(|p| p.1 == user).map(|p| p.0);
    let uid = uid.or_else(|| user.parse().ok().map(Uid)).ok_or_else(|| format!("unknown user '{user}'"))?;
    let mut options = JobOptions { uid, ..JobOptions::default() };
    let files = options
        .argv(SubmitCommand::Sbatch, &rest)
        .map_err(|bad| bad.lines("sbatch").trim_end().to_owned())?;
    let mut desc = options.desc;
    desc.uid = uid;
    if desc.name.is_empty() {
        desc.name = files.first().cloned().unwrap_or_else(|| "sbatch".to_owned());
    }
    "/tmp".clone_into(&mut desc.work_dir);
    let runtime = runtime.ok_or("it has no -sim-walltime")?;
    Ok(TraceJob { line: 0, submit, runtime, desc: Box::new(desc) })
}

fn seconds(text: &str) -> Result<Span, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("'{text}' is not a number of seconds"))?;
    if !(0.0..=LONGEST).contains(&seconds) {
        return Err(format!("'{text}' is out of range"));
    }
    Ok(Span((seconds * SECOND as f64) as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let people = [(Uid(1001), "user001".to_owned())];
        let good = "-dt 10.50 -e submit_batch_job | -sim-walltime 84805.00 --uid=user001 -J j1 -N 1 -n 32 \
                    -t 3-00:00:00 -q general -p compute --mem=500G pseudo.job";
        let workload = parse("w", good, &people);
        let work = &workload.jobs[0];
        assert_eq!((work.submit, work.runtime.secs()), (Span::from_millis(10_500), 84_805));
        assert_eq!((work.desc.ntasks, work.desc.mem_per_node), (Some(32), Some(512_000)));
        assert_eq!((work.desc.name.as_str(), work.desc.qos.as_deref()), ("j1", Some("general")));
        for (bad, part) in [
            ("-dt 1 -e cancel | --uid=user001", "not replayed"),
            ("-dt x -e submit_batch_job | a", "not a number"),
            ("-dt -1 -e submit_batch_job | a", "out of range"),
            ("-dt 1 -e submit_batch_job | -sim-walltime 5 --uid=eve x", "unknown user"),
            ("-dt 1 -e submit_batch_job | --uid=user001 x", "no -sim-walltime"),
            ("-dt 1 -e submit_batch_job | -sim-walltime 5 --uid=user001 -t soon x", "--time"),
            ("-dt 1", "no '|'"),
        ] {
            let workload = parse("w", bad, &people);
            assert_eq!((workload.jobs.len(), workload.left_out), (0, 1), "{bad}");
            assert!(workload.diagnostics[0].to_string().contains(part), "{}", workload.diagnostics[0]);
        }
    }
}
