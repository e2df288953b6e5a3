//! Replays whole workloads without scripts: jobs arrive and run for the times given in a trace. Nodes respond
//! immediately and run nothing, so months pass in seconds; the controller decides as in any other world.
//!
//! Traces are in the Standard Workload Format ([`swf`]) or consist of sbatch command lines ([`events`]).

pub mod crowd;
pub mod events;
pub mod recorded;
pub mod report;
pub mod shown;
pub mod site;
pub mod swf;
#[cfg(test)]
mod tests;

use base::diagnostic::{Diagnostic, Severity};
use base::ids::{JobId, Uid};
use base::order::StableSort as _;
use base::time::{Span, Time};
use recorded::{RecordedJob, RecordedNodeChange};
use report::{Outcome, WorkloadReport};
use slurmctld::Slurmctld;
use slurmctld::job::{ExitCode, JobDesc, JobState};
use slurmctld::request::{Caller, Order, Request, Response};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::iter::Peekable;
use std::sync::Arc;
use std::vec::IntoIter;

/// One job of a trace.
#[derive(Clone, Debug)]
pub struct TraceJob {
    /// Its line number in the trace, from 1.
    pub line: usize,
    /// Submission time since the trace's beginning.
    pub submit: Span,
    /// Run time of its script unless the job ends earlier.
    pub runtime: Span,
    /// The request, with the uid and account of the simulated cluster.
    pub desc: Box<JobDesc>,
    /// What the real cluster did with it, if the trace says.
    pub recorded: Option<Box<RecordedJob>>,
}

/// A parsed trace.
#[derive(Clone, Debug, Default)]
pub struct Workload {
    /// In the order of submission.
    pub jobs: Vec<TraceJob>,
    /// Recorded changes of nodes, in order.
    pub node_changes: Vec<RecordedNodeChange>,
    /// The real time of the trace's beginning, if the trace says.
    pub began: Option<Time>,
    /// When the history was exported: what had not ended by then is unknown.
    pub exported: Option<Span>,
    /// Jobs that were skipped or corrected, with line numbers.
    pub diagnostics: Vec<Diagnostic>,
    /// Number of jobs of the trace that are not in `jobs`.
    pub left_out: u64,
}

/// Maximum number of listed diagnostics. Further ones are only counted.
pub(crate) const MAX_DIAGNOSTICS: usize = 20;

impl Workload {
    /// Adds a diagnostic for a line.
    pub(crate) fn note(&mut self, file: &str, line: usize, message: String) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            let line = u32::try_from(line).unwrap_or(u32::MAX);
            let file = file.to_owned();
            self.diagnostics.push(Diagnostic { severity: Severity::Warning, file, line, message });
        }
    }

    /// Sorts the jobs by submission time. True if they were not in order.
    pub(crate) fn sort(&mut self) -> bool {
        let sorted = self.jobs.windows(2).all(|w| w[0].submit <= w[1].submit);
        if !sorted {
            self.jobs.order_by_key(|w| w.submit);
        }
        !sorted
    }
}

/// The replay of a workload.
pub struct Replay {
    ctld: Slurmctld,
    /// Jobs that are not submitted yet.
    jobs: Peekable<IntoIter<TraceJob>>,
    next: usize,
    start: Time,
    now: Time,
    /// Ends of scripts: time, sequence number, job, and the job's restart count.
    ends: BinaryHeap<Reverse<(Time, u64, JobId, u32)>>,
    sequence: u64,
    /// The index of each job's work. Job ids are consecutive from the first.
    works: Vec<Option<u32>>,
    first_id: u32,
    outcomes: Vec<Outcome>,
    events: u64,
    /// Every start: time, job, nodes.
    #[cfg(test)]
    starts: Vec<(Time, JobId, String)>,
}

impl Replay {
    /// A replay that begins at `start` on a controller at that time. Nobody runs `sacct` here, so finished jobs
    /// are forgotten.
    #[must_use]
    pub fn new(mut ctld: Slurmctld, jobs: Vec<TraceJob>, start: Time) -> Self {
        ctld.lean = true;
        let history = &mut Arc::make_mut(&mut ctld.cluster).global.accounting_enforce;
        (history.no_jobs, history.no_steps) = (true, true);
        let first_id = ctld.next_job;
        let outcomes = jobs.iter().map(|work| Outcome::new(work, start)).collect();
        Self {
            ctld,
            jobs: jobs.into_iter().peekable(),
            next: 0,
            start,
            now: start,
            ends: BinaryHeap::new(),
            sequence: 0,
            works: Vec::new(),
            first_id,
            outcomes,
            events: 0,
            #[cfg(test)]
            starts: Vec::new(),
        }
    }

    /// Switches off all scheduler caches: the same decisions, but slowly.
    pub const fn without_shortcuts(&mut self) {
        self.ctld.plain = true;
    }

    /// The controller.
    #[must_use]
    pub const fn ctld(&self) -> &Slurmctld {
        &self.ctld
    }

    /// Virtual time.
    #[must_use]
    pub const fn now(&self) -> Time {
        self.now
    }

    /// The numbers of submitted jobs and of all jobs.
    #[must_use]
    pub const fn progress(&self) -> (usize, usize) {
        (self.next, self.outcomes.len())
    }

    /// Number of events so far: submissions, ends, passes.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// Processes up to `events` events. False when the workload is finished: every job has ended, or no pending
    /// job will ever start.
    pub fn run(&mut self, events: u64) -> bool {
        for _ in 0..events {
            if !self.step() {
                return false;
            }
        }
        true
    }

    fn step(&mut self) -> bool {
        let arrival = self.jobs.peek().map(|w| self.start + w.submit);
        let end = self.ends.peek().map(|e| e.0.0);
        if arrival.is_none() && end.is_none() && self.ctld.active_jobs().next().is_none() && self.settled() {
            return false;
        }
        let due = self.ctld.next_due(self.now);
        let Some(at) = [arrival, end, due].into_iter().flatten().min() else { return false };
        self.now = self.now.max(at);
        self.events += 1;
        if arrival == Some(at) {
            self.submit();
        } else if end == Some(at) {
            self.script_ends();
        } else {
            self.ctld.timer(self.now);
        }
        self.obey();
        true
    }

    /// With nothing running and nothing to come: whether a pass has looked at the pending jobs since.
    fn settled(&self) -> bool {
        self.ctld.pending_jobs().next().is_none() || self.ctld.idle_since(self.now)
    }

    fn submit(&mut self) {
        let Some(TraceJob { desc, .. }) = self.jobs.next() else { return };
        let work = self.next;
        self.next += 1;
        let caller = Caller { uid: desc.uid };
        match self.ctld.request(caller, Request::SubmitBatch(desc), self.now) {
            Response::Job { id, .. } => {
                let place = (id.0 - self.first_id) as usize;
                self.works.resize(place + 1, None);
                self.works[place] = u32::try_from(work).ok();
                self.outcomes[work].job = Some(id);
            }
            Response::Err { error, .. } => self.outcomes[work].refused = Some(error),
            Response::Ok
            | Response::WillRun { .. }
            | Response::Step(_)
            | Response::Reservation(_)
            | Response::PerTask(_)
            | Response::Accounting(_) => {}
        }
    }

    fn work_of(&self, job: JobId) -> Option<usize> {
        let place = job.0.checked_sub(self.first_id)? as usize;
        self.works.get(place).copied().flatten().map(|w| w as usize)
    }

    fn script_ends(&mut self) {
        let Some(Reverse((_, _, job, run))) = self.ends.pop() else { return };
        let same_run = |j: &slurmctld::job::Job| {
            j.restarts == run
                && matches!(j.state, JobState::Running | JobState::Suspended)
                && !j.flags.completing
        };
        if self.ctld.job(job).is_some_and(same_run) {
            let request = Request::CompleteJob { job, exit: ExitCode::default() };
            self.ctld.request(Caller { uid: Uid(0) }, request, self.now);
        }
    }

    fn obey(&mut self) {
        loop {
            let orders = self.ctld.take_orders();
            if orders.is_empty() {
                return;
            }
            for order in orders {
                match order {
                    Order::LaunchBatch(job) => self.launch(job),
                    Order::Terminate { job, nodes, .. } | Order::CleanUp { job, nodes } => {
                        self.clean(job, nodes);
                    }
                    // No prolog runs here.
                    Order::Prepare(job) => {
                        let request = Request::Prepared { job, failed: None };
                        self.ctld.request(Caller { uid: Uid(0) }, request, self.now);
                    }
                    Order::WakeClient(_)
                    | Order::Signal { .. }
                    | Order::Mail { .. }
                    | Order::Run { .. }
                    | Order::Tell { .. }
                    | Order::Leave { .. }
                    | Order::NewNodes
                    | Order::Power { .. }
                    | Order::NodeRestarts { .. } => {}
                }
            }
        }
    }

    fn launch(&mut self, job: JobId) {
        #[cfg(test)]
        self.starts.extend(self.ctld.job(job).and_then(|j| j.allocation.as_ref()).map(|allocation| {
            let nodes = self.ctld.nodes_text(allocation.nodes.iter().map(|part| part.node));
            (self.now, job, nodes)
        }));
        let Some(work) = self.work_of(job) else { return };
        let Some(record) = self.ctld.job(job) else { return };
        let outcome = &mut self.outcomes[work];
        outcome.start = Some(self.now);
        outcome.cpus = record.allocation.as_ref().map_or(0, |a| a.tres.cpu);
        outcome.nodes = record.allocation.as_ref().map_or(0, |a| a.tres.node);
        self.sequence += 1;
        let end = self.now + outcome.runtime;
        self.ends.push(Reverse((end, self.sequence, job, record.restarts)));
    }

    fn clean(&mut self, job: JobId, nodes: Vec<base::ids::NodeId>) {
        if let Some(work) = self.work_of(job) {
            self.outcomes[work].end = Some(self.now);
            self.outcomes[work].state = self.ctld.job(job).map(|j| j.state);
        }
        self.ctld.request(Caller { uid: Uid(0) }, Request::EpilogComplete { job, nodes }, self.now);
    }

    /// The report.
    #[must_use]
    pub fn report_of(&self) -> WorkloadReport {
        WorkloadReport::new(&self.ctld, &self.outcomes, self.start)
    }

    /// Jobs that never started, with the reason, up to the limit of diagnostics. Usually they request more than
    /// the cluster has.
    #[must_use]
    pub fn never_started(&self, file: &str) -> Vec<Diagnostic> {
        let mut found = Workload::default();
        for outcome in self.outcomes.iter().filter(|o| o.start.is_none()).take(MAX_DIAGNOSTICS) {
            let waits = outcome.job.and_then(|id| self.ctld.job(id)).map(|job| job.reason.text().to_owned());
            let why = outcome.refused.map(|error| error.to_string()).or(waits).unwrap_or_default();
            found.note(file, outcome.line, format!("the job never started: {why}"));
        }
        found.diagnostics
    }

    /// The outcome of each job, in the order of submission.
    #[must_use]
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }
}
