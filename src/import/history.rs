//! Converts sacct records to jobs: joins requeued runs, drops duplicates, repairs times, and writes the rest as
//! `workload.events`.
//!
//! Uses about 300 bytes of memory for each job.

use crate::findings::ImportFindings;
use crate::request;
use crate::sacct::SacctRow;
use crate::sacct::columns::SacctColumn as C;
use crate::sacct::values::{self, SacctJobId};
use base::state::JobState;
use base::time::{Limit, Time};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

/// Run time in seconds for a job with unknown end and no time limit.
const UNKNOWN_RUN: i64 = 3600;
/// Additional run time in seconds of a job that Slurm ended at its time limit, so that the simulated limit ends it,
/// too.
const BEYOND: i64 = 3600;

/// One run of a job, from a record.
#[derive(Clone, Copy, Debug)]
struct HistoryRun {
    start: i64,
    end: Option<i64>,
    state: JobState,
}

/// One record.
#[derive(Clone, Debug)]
struct HistoryRecord {
    line: u32,
    job: u32,
    array: Option<(u32, u32)>,
    throttle: Option<u32>,
    het: Option<(u32, u32)>,
    user: u32,
    account: u32,
    submit: i64,
    eligible: Option<i64>,
    run: Option<HistoryRun>,
    end: Option<i64>,
    state: JobState,
    limit: Option<Limit>,
    cpus: u32,
    nodes: Box<str>,
    options: Box<str>,
    waited_for: Box<str>,
}

/// The jobs of an accounting history, as far as they have been read.
#[derive(Default)]
pub struct JobHistory {
    records: Vec<HistoryRecord>,
    names: Vec<String>,
    numbers: BTreeMap<String, u32>,
    /// Users whose jobs got several nodes without requesting them.
    spread: BTreeSet<u32>,
    /// Start of the window in sacct's command line.
    pub since: Option<i64>,
    /// When sacct ran.
    pub until: Option<i64>,
}

/// Totals of the written workload.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryTotals {
    /// Jobs in the workload.
    pub jobs: u64,
    /// The first submission.
    pub began: Option<Time>,
    /// The last submission, start or end.
    pub ended: Option<Time>,
    /// Users with their accounts, the busiest first.
    pub users: Vec<(String, BTreeSet<String>)>,
    /// QOS named by jobs.
    pub qos: BTreeSet<String>,
}

impl JobHistory {
    /// Adds a record.
    pub fn take(&mut self, row: &SacctRow, file: &str, findings: &mut ImportFindings) {
        if let Err(why) = self.record(row, file, findings) {
            findings.leave_out(why, file, row.line, row.get(C::JobId));
        }
    }

    fn record(
        &mut self,
        row: &SacctRow,
        file: &str,
        findings: &mut ImportFindings,
    ) -> Result<(), &'static str> {
        let id = values::job_id(row.get(C::JobId)).ok_or("no job number")?;
        let raw = row.get(C::JobIdRaw).parse().ok();
        let (job, array, het) = match id {
            SacctJobId::Step => return Ok(()),
            SacctJobId::Waiting(..) => {
                return Err("array tasks that never started share one record: left out");
            }
            SacctJobId::Plain(job) => (raw.unwrap_or(job), None, None),
            SacctJobId::Task(job, task) => (raw.unwrap_or(job), Some((job, task)), None),
            SacctJobId::Component(job, n) => (raw.unwrap_or(job.saturating_add(n)), None, Some((job, n))),
        };
        let time = |column| values::moment(row.get(column)).map(Time::secs);
        let (mut submit, eligible) = (time(C::Submit).ok_or("no time of submission")?, time(C::Eligible));
        let (start, mut end) = (time(C::Start), time(C::End));
        let text = row.get(C::State);
        let state = values::state(text).ok_or("no state")?;
        let elapsed = row.get(C::ElapsedRaw).parse().ok().or_else(|| values::seconds(row.get(C::Elapsed)));
        if let (Some(begun), Some(over)) = (start, end)
            && over < begun
        {
            let repaired = begun.saturating_add(elapsed.unwrap_or(0).max(0));
            findings.guess(
                "it ends before it starts (a clock was set): its elapsed time counts",
                file,
                row.line,
                row.get(C::JobId),
            );
            end = Some(repaired);
        }
        // In old releases, a job that was cancelled before it started has the same start and end time.
        let started = start.filter(|_| {
            let never = matches!(state, JobState::Cancelled | JobState::Deadline | JobState::Pending);
            !(never && elapsed.unwrap_or(0) == 0 && matches!(row.get(C::NodeList), "" | "None assigned"))
        });
        if state == JobState::Failed && started.is_none() {
            return Err("it failed without a start, as a refused submission is recorded: left out");
        }
        if let Some(begun) = started.filter(|begun| *begun < submit) {
            findings.guess(
                "it starts before its submission (a clock was set): submitted at its start",
                file,
                row.line,
                row.get(C::JobId),
            );
            submit = begun;
        }
        let user = match (row.get(C::User), row.get(C::Uid)) {
            ("", "") => return Err("no user"),
            ("", uid) => self.number(&format!("uid{uid}")),
            (name, _) => self.number(name),
        };
        let count = |column| row.get(column).parse::<u32>().unwrap_or(0);
        let unasked = count(C::ReqNodes) <= 1 && !row.get(C::ReqNodes).is_empty();
        if started.is_some() && unasked && count(C::AllocNodes) > 1 {
            self.spread.insert(user);
        }
        let made = request::request(row, self.spread.contains(&user));
        made.guesses.iter().for_each(|kind| findings.guess(kind, file, row.line, row.get(C::JobId)));
        if het.is_some() {
            findings.guess(
                "components of heterogeneous jobs are replayed as jobs of their own",
                file,
                row.line,
                row.get(C::JobId),
            );
        }
        if !made.waited_for.is_empty() {
            findings.guess(
                "holds, begin times and dependencies are calibrated with the recorded time of eligibility, reservations are not replayed",
                file,
                row.line,
                &made.waited_for,
            );
        }
        let account = self.number(row.get(C::Account));
        let nodes = match row.get(C::NodeList) {
            "None assigned" | "None" | "(null)" => "",
            nodes if nodes.contains(char::is_whitespace) => "",
            nodes => nodes,
        };
        self.records.push(HistoryRecord {
            line: row.line,
            job,
            array,
            throttle: made.throttle,
            het,
            user,
            account,
            submit,
            eligible,
            run: started.map(|start| HistoryRun { start, end, state }),
            end,
            state,
            limit: values::limit(row.get(C::TimelimitRaw), row.get(C::Timelimit)),
            cpus: count(C::AllocCpus),
            nodes: nodes.into(),
            options: made.options.into(),
            waited_for: made.waited_for.into(),
        });
        Ok(())
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// Joins the runs of each job and writes the workload.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(
        mut self,
        file: &str,
        findings: &mut ImportFindings,
        out: &mut dyn Write,
    ) -> std::io::Result<HistoryTotals> {
        self.records
            .sort_by_key(|r| (r.job, r.array, r.submit, r.run.map_or(i64::MAX, |run| run.start), r.line));
        let mut jobs: Vec<(HistoryRecord, Vec<HistoryRun>)> = Vec::with_capacity(self.records.len());
        for record in std::mem::take(&mut self.records) {
            match jobs.last_mut().filter(|(last, _)| (last.job, last.array) == (record.job, record.array)) {
                Some((last, _)) if same_record(last, &record) => {
                    findings.leave_out(
                        "the record is there twice",
                        file,
                        record.line,
                        &record.job.to_string(),
                    );
                }
                Some((last, earlier)) if requeued(last.state) => {
                    earlier.extend(last.run);
                    // Later records of a requeued job may repeat the first submission time or have one of their own.
                    let submit = last.submit;
                    let (eligible, waited_for) = (last.eligible, last.waited_for.clone());
                    *last = record;
                    (last.submit, last.eligible, last.waited_for) = (submit, eligible, waited_for);
                }
                _ => jobs.push((record, Vec::new())),
            }
        }
        jobs.sort_by_key(|(r, _)| (r.submit, r.job));
        self.events(&jobs, file, findings, out)
    }

    fn events(
        &self,
        jobs: &[(HistoryRecord, Vec<HistoryRun>)],
        file: &str,
        findings: &mut ImportFindings,
        out: &mut dyn Write,
    ) -> std::io::Result<HistoryTotals> {
        let Some(began) = jobs.first().map(|(r, _)| r.submit) else { return Ok(HistoryTotals::default()) };
        let last = |r: &HistoryRecord| r.run.map_or(r.submit, |run| run.start).max(r.end.unwrap_or(r.submit));
        let ended = jobs.iter().map(|(r, _)| last(r)).max().unwrap_or(began).max(self.until.unwrap_or(began));
        writeln!(out, "# A recorded history, written by `sandbatch import`.")?;
        writeln!(out, "-dt 0 -e begin | {}", Time::from_secs(began).iso())?;
        let mut totals = HistoryTotals {
            jobs: jobs.len() as u64,
            began: Some(Time::from_secs(began)),
            ended: Some(Time::from_secs(ended)),
            ..HistoryTotals::default()
        };
        let mut users: BTreeMap<u32, (u64, BTreeSet<u32>)> = BTreeMap::new();
        for (record, earlier) in jobs {
            let person = users.entry(record.user).or_default();
            person.0 += 1;
            person.1.insert(record.account);
            if let Some(qos) = record.options.split(" --qos=").nth(1).and_then(|rest| rest.split(' ').next())
                && !totals.qos.contains(qos)
            {
                totals.qos.insert(qos.to_owned());
            }
            self.event(record, earlier, (began, ended), file, findings, out)?;
        }
        writeln!(out, "-dt {} -e exported |", ended - began)?;
        let mut users: Vec<_> = users.into_iter().collect();
        users.sort_by_key(|(user, (jobs, _))| (std::cmp::Reverse(*jobs), *user));
        let name = |number: u32| self.names.get(number as usize).cloned().unwrap_or_default();
        let accounts = |all: BTreeSet<u32>| all.into_iter().map(name).filter(|n| !n.is_empty()).collect();
        totals.users = users.into_iter().map(|(user, (_, all))| (name(user), accounts(all))).collect();
        Ok(totals)
    }

    fn event(
        &self,
        record: &HistoryRecord,
        earlier: &[HistoryRun],
        (began, ended): (i64, i64),
        file: &str,
        findings: &mut ImportFindings,
        out: &mut dyn Write,
    ) -> std::io::Result<()> {
        let limit = match record.limit {
            Some(Limit::Minutes(minutes)) => i64::from(minutes) * 60,
            Some(Limit::Unlimited) | None => UNKNOWN_RUN,
        };
        let id = record.job.to_string();
        let walltime = match (record.run, record.state) {
            (Some(HistoryRun { start, end: Some(end), .. }), JobState::Timeout) => end - start + BEYOND,
            (Some(HistoryRun { start, end: Some(end), .. }), _) => end - start,
            (Some(HistoryRun { start, end: None, .. }), _) => {
                findings.guess(
                    "it was still running at the export: taken to run to its time limit",
                    file,
                    record.line,
                    &id,
                );
                limit.max(ended - start)
            }
            (None, JobState::Cancelled) => limit,
            (None, _) => {
                findings.guess("it never started: taken to run to its time limit", file, record.line, &id);
                limit
            }
        };
        // A run from before the window begins at its recorded start. Its wait before that is unknown.
        let warm_up = self.since.is_some_and(|since| record.submit < since);
        write!(
            out,
            "-dt {} -e submit_batch_job | -sim-walltime {walltime} -sim-job {id}",
            record.submit - began
        )?;
        if let Some((job, task)) = record.array {
            write!(out, " -sim-array {job}_{task}")?;
            if let Some(limit) = record.throttle {
                write!(out, " -sim-throttle {limit}")?;
            }
        }
        if let Some((job, component)) = record.het {
            write!(out, " -sim-het {job}+{component}")?;
        }
        if let Some(eligible) = record.eligible.filter(|at| *at >= record.submit) {
            write!(out, " -sim-eligible {}", eligible - began)?;
        }
        for run in earlier {
            let why = if run.state == JobState::Pending { "REQUEUED" } else { run.state.long() };
            let end = run.end.unwrap_or(run.start);
            write!(out, " -sim-run {}:{}:{why}", run.start - began, end - began)?;
        }
        if let Some(run) = record.run {
            write!(out, " -sim-start {}", run.start - began)?;
        }
        if let Some(end) = record.end.filter(|end| *end >= began) {
            write!(out, " -sim-end {}", end - began)?;
        }
        write!(out, " -sim-state {}", record.state.long())?;
        if record.cpus > 0 {
            write!(out, " -sim-cpus {}", record.cpus)?;
        }
        for (name, value) in [("nodes", &record.nodes), ("waited-for", &record.waited_for)] {
            if !value.is_empty() {
                write!(out, " -sim-{name} {value}")?;
            }
        }
        if warm_up {
            write!(out, " -sim-warm-up")?;
        }
        let user = self.names.get(record.user as usize).map_or("", String::as_str);
        writeln!(out, " --uid={user}{} job", record.options)
    }
}

/// Whether a run in this state may be followed by another of the same job.
const fn requeued(state: JobState) -> bool {
    matches!(state, JobState::Pending | JobState::NodeFail | JobState::Preempted | JobState::BootFail)
}

/// Whether two records have the same content.
fn same_record(a: &HistoryRecord, b: &HistoryRecord) -> bool {
    a.submit == b.submit
        && a.run.map(|r| r.start) == b.run.map(|r| r.start)
        && a.end == b.end
        && a.state == b.state
}
