//! Traces of sbatch command lines, in the format of the Slurm simulators:
//! `-dt 10.5 -e submit_batch_job | -sim-walltime 84805 --uid=user001 -N 1 -t 60 ... job.sh`.
//!
//! sbatch's own option table parses everything after the options that begin with `-sim-`. Times such as
//! `--begin=now+1hour` and `--begin=16:00` are relative to the submission; without `-e begin`, the trace begins at
//! [`START`]. Imported histories
//! (`sandbatch import`) add what the real cluster recorded ([`RecordedJob`]), all of it optional, with times in seconds
//! since the trace's beginning:
//!
//! | option | meaning |
//! | --- | --- |
//! | `-sim-job 12` | its number there |
//! | `-sim-array 12_3` | the array and the task |
//! | `-sim-throttle 4` | how many tasks of the array may run at once |
//! | `-sim-het 12+1` | the heterogeneous job and the component |
//! | `-sim-eligible 5` | when it could have started at the earliest |
//! | `-sim-run 7:60:PREEMPTED` | an earlier run: start, end, why it ended (`REQUEUED`: by `scontrol requeue`) |
//! | `-sim-start 90`, `-sim-end 100` | the last run; a job that never started has only an end |
//! | `-sim-state COMPLETED` | the state at the end |
//! | `-sim-cpus 8`, `-sim-nodes cn[01-02]` | what it got |
//! | `-sim-waited-for dependency,hold` | what it waited for beside resources |
//! | `-sim-warm-up` | submitted before the recorded window |
//!
//! Three more events: `-e begin | 2026-11-21T06:02:31` is the real time of `-dt 0`, `-e exported |` the moment of the
//! export, and `-e node | cn[01-02] DOWN reason` a change of nodes (`DOWN`, `DRAIN`, `RESUME`).

use super::people::{TracePeople, keeps_accounts};
use super::recorded::{RecordedJob, RecordedNodeChange, RecordedRun, state_named};
use super::site::START;
use super::{ThrottledTask, TraceJob, Workload};
use base::ids::Uid;
use base::order::StableSort as _;
use base::state::JobState;
use base::time::{SECOND, Span, Time};
use commands::slurm::opt::{JobOptions, SubmitCommand};
use config::SiteFiles;
use slurmctld::Slurmctld;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Longest accepted time, in seconds: ten years.
const LONGEST: f64 = 10.0 * 366.0 * 86_400.0;

/// Uids of new users while a trace is read. No site has that many users.
const FIRST_NEW_UID: u32 = 1 << 31;
/// Longest name of a new user or account.
const MAX_NAME: usize = 64;

/// Parses a trace. `file` is its name in the diagnostics, `people` are the cluster's users. Jobs of other users are left out.
#[must_use]
pub fn parse(file: &str, text: &str, people: &[(Uid, String)]) -> Workload {
    parse_with(file, text, &mut TraceNames::new(people, None))
}

/// Parses a trace for a site, whose controller is `ctld`. Users, accounts and memberships that the site does not know are
/// added to its files. A new user whose jobs name no account gets that of the group (`--gid`), or `trace`. A site without
/// accounts takes any number as a uid.
#[must_use]
pub fn parse_for_site(file: &str, text: &str, ctld: &Slurmctld, files: &mut SiteFiles) -> Workload {
    let mut names = TraceNames::new(&ctld.people, Some(keeps_accounts(files)));
    let mut workload = parse_with(file, text, &mut names);
    let TraceNames { uids, groups, .. } = names;
    let named: BTreeMap<Uid, String> = uids.into_iter().map(|(name, uid)| (uid, name)).collect();
    let people = TracePeople::of(&workload, |uid| named.get(&uid).cloned().unwrap_or_default());
    people.add_unknown(ctld, &groups, files, file, &mut workload);
    workload
}

/// The users of a trace by name.
struct TraceNames {
    uids: BTreeMap<String, Uid>,
    /// The group of users whose lines have one.
    groups: BTreeMap<Uid, String>,
    /// The uid of the next new user while the trace is read, if users may be added.
    next: Option<u32>,
    /// Whether an unknown number becomes a new user.
    names_numbers: bool,
}

impl TraceNames {
    /// `adds`: users may be added, also for numbers that are no uids.
    fn new(people: &[(Uid, String)], adds: Option<bool>) -> Self {
        let uids = people.iter().map(|(uid, name)| (name.clone(), *uid)).collect();
        let (next, names_numbers) = (adds.map(|_| FIRST_NEW_UID), adds == Some(true));
        Self { uids, groups: BTreeMap::new(), next, names_numbers }
    }

    /// The uid of a user, who is named by a name or a number.
    fn uid(&mut self, user: &str) -> Result<Uid, String> {
        if let Some(uid) = self.uids.get(user) {
            return Ok(*uid);
        }
        let number = user.parse().ok().map(Uid);
        let Some(next) = self.next else {
            return number.ok_or_else(|| format!("unknown user '{user}'"));
        };
        let known = |uid: &Uid| !self.names_numbers || self.uids.values().any(|known| known == uid);
        if let Some(uid) = number.filter(known) {
            return Ok(uid);
        }
        let name = if number.is_some() { format!("uid{user}") } else { user.to_owned() };
        if !is_name(&name) {
            return Err(format!("'{user}' cannot be the name of a user"));
        }
        let uid = *self.uids.entry(name).or_insert(Uid(next));
        self.next = Some(next.max(uid.0 + 1));
        Ok(uid)
    }
}

/// Whether a new user or account can have this name.
fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "_.-+@".contains(c);
    text.len() <= MAX_NAME && text.starts_with(|c: char| c.is_ascii_alphanumeric()) && text.chars().all(fits)
}

fn parse_with(file: &str, text: &str, names: &mut TraceNames) -> Workload {
    let mut workload = Workload::default();
    let script = Arc::new(b"#!/bin/sh\n".to_vec());
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match event(line, workload.began, names) {
            Ok(Event::Submit(mut work)) => {
                work.desc.script = Some(Arc::clone(&script));
                work.line = number;
                workload.jobs.push(*work);
            }
            Ok(Event::Begin(time)) => workload.began = Some(time),
            Ok(Event::Exported(at)) => workload.exported = Some(at),
            Ok(Event::Node(change)) => workload.node_changes.push(change),
            Err(why) => {
                workload.left_out += 1;
                workload.note(file, number, why);
            }
        }
    }
    workload.node_changes.order_by_key(|change| change.at);
    if workload.sort() {
        workload.note(file, 0, "submissions were not sorted by time; they have been sorted".to_owned());
    }
    workload
}

enum Event {
    Submit(Box<TraceJob>),
    Begin(Time),
    Exported(Span),
    Node(RecordedNodeChange),
}

fn event(line: &str, began: Option<Time>, names: &mut TraceNames) -> Result<Event, String> {
    let (event, rest) = line.split_once('|').ok_or("there is no '|' after the event")?;
    let mut words = event.split_whitespace();
    let (mut at, mut kind) = (None, None);
    while let Some(word) = words.next() {
        match word {
            "-dt" => at = words.next(),
            "-e" => kind = words.next(),
            other => return Err(format!("unknown event option '{other}'")),
        }
    }
    let at = || seconds(at.unwrap_or(""));
    match kind {
        Some("submit_batch_job") => {
            let submit = at()?;
            let job = job(submit, began.unwrap_or(START) + submit, rest, names)?;
            Ok(Event::Submit(Box::new(job)))
        }
        Some("begin") => {
            let civil = rest.trim().parse().ok().and_then(Time::from_civil);
            civil.map(Event::Begin).ok_or_else(|| format!("'{}' is not a date and time", rest.trim()))
        }
        Some("exported") => Ok(Event::Exported(at()?)),
        Some("node") => {
            let mut words = rest.split_whitespace();
            let nodes = words.next().ok_or("it names no nodes")?.to_owned();
            let state = words.next().unwrap_or_default().to_owned();
            if !["DOWN", "DRAIN", "RESUME"].contains(&state.as_str()) {
                return Err(format!("unknown state of nodes '{state}'"));
            }
            let reason = words.collect::<Vec<_>>().join(" ");
            Ok(Event::Node(RecordedNodeChange { at: at()?, nodes, state, reason }))
        }
        kind => Err(format!("event '{}' is not replayed", kind.unwrap_or(""))),
    }
}

/// Reads a job. `now` is the recorded time of its submission, for options such as `--begin=16:00`.
fn job(submit: Span, now: Time, job: &str, names: &mut TraceNames) -> Result<TraceJob, String> {
    let mut runtime = None;
    let (mut user, mut group) = (None, None);
    let mut facts = RecordedFacts::default();
    let mut rest = vec!["sbatch".to_owned()];
    let mut words = job.split_whitespace();
    while let Some(word) = words.next() {
        if word == "-sim-walltime" {
            runtime = Some(seconds(words.next().unwrap_or(""))?);
        } else if word == "-sim-warm-up" {
            facts.warm_up = true;
        } else if let Some(name) = word.strip_prefix("-sim-") {
            facts.set(name, words.next().unwrap_or(""))?;
        } else if let Some(name) = word.strip_prefix("--uid=") {
            user = Some(name);
        } else if let Some(name) = word.strip_prefix("--gid=") {
            group = Some(name.to_ascii_lowercase());
        } else {
            rest.push(word.to_owned());
        }
    }
    let user = user.ok_or("it has no --uid")?;
    let uid = names.uid(user)?;
    let mut options = JobOptions { uid, now, ..JobOptions::default() };
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
    if let Some(account) = desc.account.as_ref().filter(|account| names.next.is_some() && !is_name(account)) {
        return Err(format!("'{account}' cannot be the name of an account"));
    }
    if let Some(group) = group.filter(|group| is_name(group)) {
        names.groups.entry(uid).or_insert(group);
    }
    let throttled = facts.array.zip(facts.throttle).map(|((array, _), limit)| ThrottledTask { array, limit });
    let after = |at: Time| Span((at.0 - now.0).max(0));
    let (begin, deadline) = (desc.begin.take().map(after), desc.deadline.take().map(after));
    let recorded = facts.recorded()?;
    Ok(TraceJob { line: 0, submit, runtime, desc: Box::new(desc), begin, deadline, recorded, throttled })
}

/// The recorded facts of a line, as far as they were read.
#[derive(Default)]
struct RecordedFacts {
    job: Option<u32>,
    array: Option<(u32, u32)>,
    throttle: Option<u32>,
    het: Option<(u32, u32)>,
    eligible: Option<Span>,
    earlier: Vec<RecordedRun>,
    start: Option<Span>,
    end: Option<Span>,
    state: Option<JobState>,
    cpus: u32,
    nodes: String,
    waited_for: String,
    warm_up: bool,
}

impl RecordedFacts {
    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let wrong = || format!("'-sim-{name} {value}' is not understood");
        let pair = |sign| {
            let (first, second) = value.split_once(sign)?;
            Some((first.parse().ok()?, second.parse().ok()?))
        };
        match name {
            "job" => self.job = Some(value.parse().map_err(|_| wrong())?),
            "array" => self.array = Some(pair('_').ok_or_else(wrong)?),
            "throttle" => self.throttle = Some(value.parse().ok().filter(|n| *n > 0).ok_or_else(wrong)?),
            "het" => self.het = Some(pair('+').ok_or_else(wrong)?),
            "eligible" => self.eligible = Some(seconds(value)?),
            "start" => self.start = Some(seconds(value)?),
            "end" => self.end = Some(seconds(value)?),
            "state" => self.state = Some(state_named(value).ok_or_else(wrong)?),
            "cpus" => self.cpus = value.parse().map_err(|_| wrong())?,
            "nodes" => value.clone_into(&mut self.nodes),
            "waited-for" => value.clone_into(&mut self.waited_for),
            "run" => {
                let mut parts = value.splitn(3, ':');
                let mut part = || parts.next().ok_or_else(wrong);
                let (start, end) = (seconds(part()?)?, Some(seconds(part()?)?));
                let state = match part()? {
                    "REQUEUED" => JobState::Pending,
                    text => state_named(text).ok_or_else(wrong)?,
                };
                self.earlier.push(RecordedRun { start, end, state });
            }
            _ => return Err(format!("unknown option '-sim-{name}'")),
        }
        Ok(())
    }

    fn recorded(mut self) -> Result<Option<Box<RecordedJob>>, String> {
        let Some(job) = self.job else { return Ok(None) };
        let state = self.state.ok_or("it has a -sim-job, but no -sim-state")?;
        let mut runs = std::mem::take(&mut self.earlier);
        runs.extend(self.start.map(|start| RecordedRun { start, end: self.end, state }));
        let Self { array, het, eligible, end, cpus, nodes, waited_for, warm_up, .. } = self;
        Ok(Some(Box::new(RecordedJob {
            job,
            array,
            het,
            eligible,
            runs,
            end,
            state,
            cpus,
            nodes,
            waited_for,
            warm_up,
        })))
    }
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
            ("-dt 1 -e node | cn01 SLEEPS", "unknown state of nodes"),
            ("-dt 1 -e submit_batch_job | -sim-walltime 5 -sim-job 1 --uid=user001 x", "no -sim-state"),
            ("-dt 1 -e submit_batch_job | -sim-walltime 5 -sim-run 1:2 --uid=user001 x", "not understood"),
            ("-dt 1 -e submit_batch_job | -sim-walltime 5 -sim-mood 1 --uid=user001 x", "unknown option"),
        ] {
            let workload = parse("w", bad, &people);
            assert_eq!((workload.jobs.len(), workload.left_out), (0, 1), "{bad}");
            assert!(workload.diagnostics[0].to_string().contains(part), "{}", workload.diagnostics[0]);
        }
    }

    #[test]
    fn times_on_the_command_line_are_relative_to_the_submission() {
        let line = |begin: &str| {
            format!(
                "-dt 360 -e submit_batch_job | -sim-walltime 5 --uid=7 --begin={begin} --deadline=now+2days x\n"
            )
        };
        let times = |text: &str| {
            let jobs = parse("w", text, &[]).jobs;
            let seconds = |time: Option<Span>| time.map(Span::secs);
            (seconds(jobs[0].begin), seconds(jobs[0].deadline), jobs[0].desc.begin, jobs[0].desc.deadline)
        };
        let two_days = Some(2 * 86_400);
        assert_eq!(times(&line("now+1hour")), (Some(3600), two_days, None, None));
        // It is 06:00:00.
        assert_eq!(times(&line("16:00")), (Some(36_000), two_days, None, None));
        let began = "-dt 0 -e begin | 2026-03-01T22:00:00\n";
        assert_eq!(times(&(began.to_owned() + &line("22:16:00"))), (Some(600), two_days, None, None));
        assert_eq!(times(&(began.to_owned() + &line("2026-03-01"))), (Some(0), two_days, None, None));
    }

    #[test]
    fn recorded_facts() {
        let people = [(Uid(1001), "user001".to_owned())];
        let text = "-dt 0 -e begin | 2026-11-21T06:02:31\n\
                    -dt 4 -e node | cn[01-02] DOWN disk broken\n\
                    -dt 1 -e submit_batch_job | -sim-walltime 10 -sim-job 12 -sim-array 12_3 -sim-throttle 4 -sim-eligible 5 \
                    -sim-run 7:60:PREEMPTED -sim-start 90 -sim-end 100 -sim-state COMPLETED -sim-cpus 8 \
                    -sim-nodes cn[03-04] --uid=user001 -n 8 x\n-dt 900 -e exported |\n";
        let workload = parse("w", text, &people);
        assert_eq!(workload.diagnostics, []);
        assert_eq!(workload.began.map(Time::iso).as_deref(), Some("2026-11-21T06:02:31"));
        assert_eq!(workload.exported, Some(Span::from_secs(900)));
        let change = &workload.node_changes[0];
        assert_eq!(
            (change.nodes.as_str(), change.state.as_str(), change.reason.as_str()),
            ("cn[01-02]", "DOWN", "disk broken")
        );
        let work = &workload.jobs[0];
        assert_eq!(work.throttled, Some(ThrottledTask { array: 12, limit: 4 }));
        let recorded = work.recorded.as_deref().unwrap();
        assert_eq!((recorded.job, recorded.array, recorded.cpus), (12, Some((12, 3)), 8));
        assert_eq!(recorded.runs.len(), 2);
        assert_eq!(
            (recorded.runs[0].state, recorded.runs[1].end),
            (JobState::Preempted, Some(Span::from_secs(100)))
        );
        assert_eq!(recorded.wait(work.submit), Some(Span::from_secs(2)));
    }
}
