//! The Standard Workload Format: eighteen numbers per line, `-1` for unknown values.
//!
//! A job requests one single-CPU task per requested processor, and the requested time (or its run time if none
//! was requested). A job that was cancelled before it started is cancelled after the same time. Memory is ignored,
//! because traces measure it in too many different ways.

use super::people::TracePeople;
use super::recorded::RecordedJob;
use super::{TraceJob, Workload};
use base::ids::Uid;
use base::time::{Limit, Span};
use config::SiteFiles;
use slurmctld::job::JobDesc;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The first uid of a trace's users.
const FIRST_UID: u32 = 2000;
/// Longest accepted run time or time limit, in seconds: ten years.
const LONGEST: i64 = 10 * 366 * 86_400;

/// Positions of the fields that are used.
const SUBMIT: usize = 1;
const WAIT: usize = 2;
const RUN: usize = 3;
const USED: usize = 4;
const ASKED: usize = 7;
const ASKED_TIME: usize = 8;
const STATUS: usize = 10;
const USER: usize = 11;
const GROUP: usize = 12;
const FIELDS: usize = 18;

/// The status of a cancelled job.
const CANCELLED: i64 = 5;

/// Numbers with at most this many digits fit in 64 bits.
const MAX_DIGITS: usize = 18;

/// The machine according to the header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SwfMachine {
    /// `MaxNodes`.
    pub nodes: u32,
    /// `MaxProcs`.
    pub processors: u32,
}

/// Parses a trace. `file` is its name in the diagnostics. Its users have no names and no accounts.
#[must_use]
pub fn parse(file: &str, text: &str) -> (Workload, SwfMachine) {
    parse_with(file, text, job)
}

/// Parses a trace for a site. If the site keeps accounts, the trace's users are added to its files: user 7 of group 3 becomes
/// `user7` with the account `group3`, as in an import.
#[must_use]
pub fn parse_for_site(file: &str, text: &str, files: &mut SiteFiles) -> Workload {
    let (mut workload, _) = parse_with(file, text, |fields| {
        let mut work = job(fields)?;
        work.desc.account = Some(["group", &fields[GROUP].max(0).to_string()].concat());
        Ok(work)
    });
    let people = TracePeople::of(&workload, |uid| ["user", &(uid.0 - FIRST_UID).to_string()].concat());
    people.add_to(files, file, &mut workload);
    workload
}

fn parse_with(
    file: &str,
    text: &str,
    job: impl Fn(&[i64; FIELDS]) -> Result<TraceJob, String>,
) -> (Workload, SwfMachine) {
    let mut workload = Workload::default();
    let mut machine = SwfMachine::default();
    let script = Arc::new(b"#!/bin/sh\n".to_vec());
    for (line, number) in text.lines().zip(1..) {
        if let Some(comment) = line.trim_start().strip_prefix(';') {
            header(comment, &mut machine);
            continue;
        }
        if line.trim().is_empty() {
            continue;
        }
        match numbers(line).and_then(|fields| job(&fields)) {
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
    let first = workload.jobs.first().map_or(Span(0), |w| w.submit);
    for work in &mut workload.jobs {
        work.submit = Span(work.submit.0 - first.0);
        if let Some(end) = work.recorded.as_mut().and_then(|recorded| recorded.end.as_mut()) {
            *end = Span(end.0 - first.0);
        }
    }
    (workload, machine)
}

fn header(comment: &str, machine: &mut SwfMachine) {
    let Some((key, value)) = comment.split_once(':') else { return };
    let number = value.split_whitespace().next().and_then(|v| v.parse().ok());
    match (key.trim(), number) {
        ("MaxNodes", Some(n)) => machine.nodes = n,
        ("MaxProcs", Some(n)) => machine.processors = n,
        _ => {}
    }
}

/// The numbers of a line. Traces have up to millions of lines, so plain numbers are read in one go over the bytes.
fn numbers(line: &str) -> Result<[i64; FIELDS], String> {
    let text = line.as_bytes();
    let is_end = |at: usize| text.get(at).is_none_or(u8::is_ascii_whitespace);
    let mut fields = [-1_i64; FIELDS];
    let mut at = 0;
    for (field, count) in fields.iter_mut().zip(0..) {
        while text.get(at).is_some_and(u8::is_ascii_whitespace) {
            at += 1;
        }
        let first = at;
        if first == text.len() {
            return Err(format!("{count} fields instead of {FIELDS}"));
        }
        let negative = text[first] == b'-';
        at += usize::from(negative);
        let (digits, mut value) = (at, 0_i64);
        while let Some(digit) = text.get(at).filter(|byte| byte.is_ascii_digit()) {
            value = value.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
            at += 1;
        }
        if is_end(at) && (1..=MAX_DIGITS).contains(&(at - digits)) {
            *field = if negative { -value } else { value };
            continue;
        }
        while !is_end(at) {
            at += 1;
        }
        *field = number(&line[first..at])?;
    }
    Ok(fields)
}

/// A number in any other notation: with a sign, or with decimals, which are dropped.
fn number(word: &str) -> Result<i64, String> {
    let whole = || word.split('.').next().and_then(|whole| whole.parse().ok());
    word.parse().ok().or_else(whole).ok_or_else(|| format!("'{word}' is not a number"))
}

fn job(fields: &[i64; FIELDS]) -> Result<TraceJob, String> {
    let either = |first: usize, second: usize| if fields[first] > 0 { fields[first] } else { fields[second] };
    if fields[SUBMIT] < 0 {
        return Err("submitted before the start of the trace".to_owned());
    }
    let gave_up = fields[STATUS] == CANCELLED && fields[RUN] <= 0 && fields[WAIT] >= 0;
    if fields[RUN] < 0 && !gave_up {
        return Err("it has no run time".to_owned());
    }
    let processors = either(ASKED, USED);
    let tasks = u32::try_from(processors).ok().filter(|n| *n > 0).ok_or("it requests no processors")?;
    let limit = either(ASKED_TIME, RUN).clamp(1, LONGEST);
    let minutes = limit.div_euclid(60) + i64::from(limit % 60 != 0);
    let desc = JobDesc {
        uid: Uid(FIRST_UID + u32::try_from(fields[USER].clamp(0, 1_000_000)).unwrap_or(0)),
        name: ["job", &fields[0].to_string()].concat(),
        ntasks: Some(tasks),
        time_limit: Some(Limit::Minutes(u32::try_from(minutes).unwrap_or(u32::MAX))),
        work_dir: "/tmp".to_owned(),
        ..JobDesc::default()
    };
    let submit = fields[SUBMIT].min(LONGEST);
    // If it starts earlier than in reality, it runs until it is cancelled.
    let runtime = if gave_up { limit } else { fields[RUN].min(LONGEST) };
    let recorded = gave_up.then(|| {
        let end = Span::from_secs(submit + fields[WAIT].min(LONGEST));
        Box::new(RecordedJob::cancelled(u32::try_from(fields[0]).unwrap_or(0), end))
    });
    Ok(TraceJob {
        line: 0,
        submit: Span::from_secs(submit),
        runtime: Span::from_secs(runtime),
        desc: Box::new(desc),
        begin: None,
        deadline: None,
        recorded,
        throttled: None,
    })
}

/// A cluster for a trace without a site: identical nodes in one partition without limits.
#[must_use]
pub fn site(machine: SwfMachine, parameters: &str) -> SiteFiles {
    let nodes = machine.nodes.max(1);
    let cores = (machine.processors / nodes).max(1);
    let conf = format!(
        "ClusterName=trace\nSlurmctldHost=ctl\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n\
         SchedulerType=sched/backfill\nSchedulerParameters={parameters}\nPriorityType=priority/basic\n\
         NodeName=n[1-{nodes}] Sockets=1 CoresPerSocket={cores} ThreadsPerCore=1 RealMemory=1000\n\
         PartitionName=all Nodes=ALL Default=YES MaxTime=UNLIMITED State=UP\n"
    );
    SiteFiles(BTreeMap::from([("slurm.conf".to_owned(), conf)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str =
        "   16   600022  11940   2488   25     -1    -1   25   3601    -1  1  13  13  -1 -1 -1 -1 -1";

    #[test]
    fn a_job() {
        let (workload, machine) = parse("x", &format!("; MaxNodes: 100\n;MaxProcs: 200 in all\n\n{LINE}\n"));
        assert_eq!(machine, SwfMachine { nodes: 100, processors: 200 });
        let work = &workload.jobs[0];
        assert_eq!((work.submit.secs(), work.runtime.secs()), (0, 2488));
        assert_eq!((work.desc.ntasks, work.desc.uid), (Some(25), Uid(2013)));
        assert_eq!(work.desc.time_limit, Some(Limit::Minutes(61)));
        assert!(workload.diagnostics.is_empty());
    }

    #[test]
    fn invalid_lines_are_reported_and_skipped() {
        let text = format!(
            "{LINE}\n1 2 3\n1 x 3\n{}\n{}\n{}\n",
            "5 100 0 -1 4 -1 -1 4 60 -1 1 1 1 -1 -1 -1 -1 -1",
            "6 100 0 10 -1 -1 -1 -1 60 -1 1 1 1 -1 -1 -1 -1 -1",
            "7 -5 0 10 1 -1 -1 1 60 -1 1 1 1 -1 -1 -1 -1 -1",
        );
        let (workload, _) = parse("t.swf", &text);
        assert_eq!((workload.jobs.len(), workload.left_out), (1, 5));
        let told: Vec<String> = workload.diagnostics.iter().map(ToString::to_string).collect();
        for (told, part) in
            told.iter().zip(["3 fields", "not a number", "run time", "no processor", "before the"])
        {
            assert!(told.contains(part), "{told}");
        }
    }

    #[test]
    fn a_job_that_was_cancelled_before_it_started() {
        let line = "9 700 60 -1 4 -1 -1 4 600 -1 5 1 1 -1 -1 -1 -1 -1";
        let later = "10 750 10 0 4 -1 -1 4 600 -1 5 1 1 -1 -1 -1 -1 -1";
        let (workload, _) = parse("x", &format!("{line}\n{later}\n"));
        let patience = |work: &TraceJob| work.recorded.as_ref().and_then(|r| r.patience(work.submit));
        let found: Vec<_> =
            workload.jobs.iter().map(|w| (w.submit.secs(), patience(w).map(Span::secs))).collect();
        assert_eq!(found, [(0, Some(60)), (50, Some(10))]);
    }

    #[test]
    fn numbers_in_any_notation() {
        let line =
            "\t+7 2.9 -3.5 1000000000000000001 -1 0 00012 9223372036854775807 4 5 6 7 8 9 10 11 12 -13 14";
        let expected =
            [7, 2, -3, 1_000_000_000_000_000_001, -1, 0, 12, i64::MAX, 4, 5, 6, 7, 8, 9, 10, 11, 12, -13];
        assert_eq!(numbers(line), Ok(expected));
        for word in ["-", "1e3", "é", "12-", ".5", "99999999999999999999"] {
            let told = format!("'{word}' is not a number");
            assert_eq!(numbers(&format!("1 {word} 3")), Err(told));
        }
        assert_eq!(numbers("1 2  "), Err("2 fields instead of 18".to_owned()));
    }

    #[test]
    fn times_out_of_order_are_sorted() {
        let early = LINE.replace("600022", "600000");
        let (workload, _) = parse("t.swf", &format!("{LINE}\n{early}\n"));
        assert_eq!(workload.jobs.iter().map(|w| w.submit.secs()).collect::<Vec<_>>(), [0, 22]);
        assert_eq!(workload.diagnostics.len(), 1);
    }
}
