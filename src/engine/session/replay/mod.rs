//! Replays whole workloads without scripts: jobs arrive and run for the times given in a trace. Nodes respond
//! immediately and run nothing, so months pass in seconds; the controller decides as in any other world.
//!
//! Traces are in the Standard Workload Format ([`swf`]) or consist of sbatch command lines ([`events`]).

mod dependencies;
pub mod display_commands;
pub mod events;
pub mod long_queue;
mod people;
mod power;
pub mod recorded;
pub mod report;
mod requeues;
pub mod site;
pub mod swf;
#[cfg(test)]
mod tests;
mod throttle;
mod trace;
pub mod user_events;

pub(crate) use trace::MAX_DIAGNOSTICS;
pub use trace::{Arrival, ThrottledTask, TraceJob, Workload};

use base::ids::{JobId, Uid};
use base::time::{Span, Time, earlier};
use dependencies::RecordedIds;
use power::PoweredNodes;
use recorded::RecordedNodeChange;
use report::Outcome;
use slurmctld::Preemption;
use slurmctld::Slurmctld;
use slurmctld::job::{ExitCode, JobState};
use slurmctld::request::{Caller, Order, Request, Response};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::sync::Arc;
use throttle::ThrottledArrays;
use user_events::UserEvents;

/// The replay of a workload.
pub struct Replay {
    ctld: Slurmctld,
    /// The trace.
    jobs: Arc<[TraceJob]>,
    /// Submissions to come, by time and index.
    arrivals: BinaryHeap<Reverse<(Time, u32)>>,
    /// Submissions that follow the end of another one: that submission, the think time, and the following one.
    followers: Vec<(u32, Span, u32)>,
    /// Number of submissions so far, and in total.
    submitted: (usize, usize),
    start: Time,
    now: Time,
    /// Ends of scripts: time, sequence number, job, and the job's restart count.
    ends: BinaryHeap<Reverse<(Time, u64, JobId, u32)>>,
    sequence: u64,
    /// The index of each job's work. Job ids are consecutive from the first.
    works: Vec<Option<u32>>,
    first_id: u32,
    outcomes: Vec<Outcome>,
    /// Accounts by name, so that outcomes share them.
    accounts: BTreeSet<Arc<str>>,
    /// The newest preemption already counted in the outcomes.
    preemption: Option<Preemption>,
    power: PoweredNodes,
    user_events: UserEvents,
    throttled: ThrottledArrays,
    /// None if no job of the trace has a dependency.
    recorded_ids: Option<RecordedIds>,
    /// Whether jobs are delayed, held and cancelled by their users as recorded.
    repeats_users: bool,
    events: u64,
    /// Every start: time, job, nodes.
    #[cfg(test)]
    starts: Vec<(Time, JobId, String)>,
}

impl Replay {
    /// A replay of an unchanged trace, which begins at `start` on a controller at that time.
    #[must_use]
    pub fn new(ctld: Slurmctld, jobs: Vec<TraceJob>, start: Time) -> Self {
        let arrivals: Vec<Arrival> =
            (0..).zip(&jobs).map(|(job, work)| Arrival { job, at: work.submit, after: None }).collect();
        Self::with_arrivals(ctld, jobs.into(), &arrivals, start)
    }

    /// A replay with other submissions of a trace's jobs. The first outcomes are those of the arrivals, in their order.
    /// No one runs `sacct` here, so finished jobs are purged.
    ///
    /// # Panics
    ///
    /// An arrival names a job that the trace does not have.
    #[must_use]
    pub fn with_arrivals(
        mut ctld: Slurmctld,
        jobs: Arc<[TraceJob]>,
        arrivals: &[Arrival],
        start: Time,
    ) -> Self {
        ctld.lean = true;
        let history = &mut Arc::make_mut(&mut ctld.cluster).global.accounting_enforce;
        (history.no_jobs, history.no_steps) = (true, true);
        let first_id = ctld.next_job;
        let outcome = |a: &Arrival| Outcome::new(&jobs[a.job as usize], a.job, start + a.at);
        let outcomes = arrivals.iter().map(outcome).collect();
        let fixed = (0..).zip(arrivals).filter(|(_, a)| a.after.is_none());
        let fixed = fixed.map(|(i, a)| Reverse((start + a.at, i))).collect();
        let follower = |(i, a): (u32, &Arrival)| a.after.map(|(other, think)| (other, think, i));
        let mut followers: Vec<_> = (0..).zip(arrivals).filter_map(follower).collect();
        followers.sort_unstable();
        let power = PoweredNodes::new(&ctld, start);
        let depends = |job: &TraceJob| job.recorded.is_some() && job.desc.dependency.is_some();
        let recorded_ids = jobs.iter().any(depends).then(RecordedIds::default);
        Self {
            ctld,
            jobs,
            arrivals: fixed,
            followers,
            submitted: (0, arrivals.len()),
            start,
            now: start,
            ends: BinaryHeap::new(),
            sequence: 0,
            works: Vec::new(),
            first_id,
            outcomes,
            accounts: BTreeSet::new(),
            preemption: None,
            power,
            user_events: UserEvents::default(),
            throttled: ThrottledArrays::default(),
            recorded_ids,
            repeats_users: false,
            events: 0,
            #[cfg(test)]
            starts: Vec::new(),
        }
    }

    /// Switches off all scheduler caches: the same decisions, but slowly.
    pub const fn without_shortcuts(&mut self) {
        self.ctld.plain = true;
    }

    /// Repeats the recorded events of users and administrators.
    pub fn follow(&mut self, user_events: UserEvents) {
        self.user_events = user_events;
    }

    /// Repeats what the trace says about users and machines: a job that was delayed, held, or cancelled before it started is
    /// so for the same time after its submission, and nodes change at their recorded times.
    pub fn follow_trace(&mut self, node_changes: Vec<RecordedNodeChange>) {
        self.user_events = UserEvents::new(std::iter::empty(), node_changes);
        self.repeats_users = true;
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
        self.submitted
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

    /// Processes everything up to and including a time. False when the workload was finished before.
    pub fn run_until(&mut self, until: Time) -> bool {
        while self.next_event().is_some_and(|at| at <= until) {
            if !self.step() {
                return false;
            }
        }
        true
    }

    /// When something happens next.
    fn next_event(&self) -> Option<Time> {
        let arrival = self.arrivals.peek().map(|a| a.0.0);
        let end = self.ends.peek().map(|e| e.0.0);
        let user_event = self.user_events.due(self.start);
        earlier(earlier(arrival, end), earlier(user_event, self.ctld.next_due(self.now)))
    }

    fn step(&mut self) -> bool {
        let arrival = self.arrivals.peek().map(|a| a.0.0);
        let end = self.ends.peek().map(|e| e.0.0);
        let user_event = self.user_events.due(self.start);
        let coming = arrival.or(end).or(user_event);
        if coming.is_none() && self.ctld.active_jobs().next().is_none() && self.settled() {
            return false;
        }
        let due = self.ctld.next_due(self.now);
        let Some(at) = earlier(earlier(arrival, end), earlier(user_event, due)) else { return false };
        self.now = self.now.max(at);
        self.events += 1;
        if arrival == Some(at) {
            self.submit();
        } else if end == Some(at) {
            self.script_ends();
        } else if user_event == Some(at) {
            let outcomes = &self.outcomes;
            let job_of = |work: usize| outcomes.get(work).and_then(|o| o.job);
            if let Some(job) = self.user_events.apply_next(&mut self.ctld, self.now, job_of) {
                self.throttled.release_after(&mut self.ctld, job, self.now);
                self.note_cancelled(job);
            }
        } else {
            self.ctld.timer(self.now);
        }
        self.carry_out_orders();
        true
    }

    /// Notes a job that was cancelled before it started.
    fn note_cancelled(&mut self, job: JobId) {
        if let Some(work) = self.work_of(job).filter(|work| self.outcomes[*work].start.is_none()) {
            self.outcomes[work].state = Some(JobState::Cancelled);
        }
    }

    /// If nothing runs and no event is left: whether a pass has looked at the pending jobs since.
    fn settled(&self) -> bool {
        self.ctld.pending_jobs().next().is_none() || self.ctld.idle_since(self.now)
    }

    fn submit(&mut self) {
        let Some(Reverse((_, index))) = self.arrivals.pop() else { return };
        let work = index as usize;
        self.submitted.0 += 1;
        let jobs = Arc::clone(&self.jobs);
        let Some(job) = jobs.get(self.outcomes[work].trace as usize) else { return };
        let mut desc = job.desc.clone();
        let eligible = self.delay(job, &mut desc);
        (self.outcomes[work].submit, self.outcomes[work].eligible) = (self.now, eligible);
        let array = job.throttled.map(|task| (task, self.throttled.join(&self.ctld, task, self.now)));
        desc.hold |= array.is_some_and(|(_, has_room)| !has_room);
        let recorded = job.recorded.as_deref();
        if let Some((ids, recorded)) = self.recorded_ids.as_ref().zip(recorded) {
            let text = desc.dependency.take();
            desc.dependency = text.and_then(|text| ids.translate(&self.ctld, &text, recorded));
        }
        let patience = recorded.filter(|_| self.repeats_users);
        let patience = patience.and_then(|recorded| recorded.patience(job.submit));
        let caller = Caller { uid: desc.uid };
        match self.ctld.request(caller, Request::SubmitBatch(desc), self.now) {
            Response::Job { id, .. } => {
                self.assign(id, work);
                self.outcomes[work].job = Some(id);
                if let Some((ids, recorded)) = self.recorded_ids.as_mut().zip(recorded) {
                    ids.add(recorded, id);
                }
                if let Some((task, has_room)) = array {
                    self.throttled.add(task, self.now, id, has_room);
                }
                if let Some(patience) = patience {
                    self.user_events.cancel_at((self.now - self.start) + patience, work);
                }
            }
            Response::Err { error, .. } => {
                self.outcomes[work].refused = Some(error);
                self.release_followers(work);
            }
            Response::Ok
            | Response::WillRun { .. }
            | Response::Step(_)
            | Response::Reservation(_)
            | Response::PerTask(_)
            | Response::Accounting(_) => {}
        }
    }

    /// Notes the outcome that belongs to a job.
    fn assign(&mut self, job: JobId, work: usize) {
        let Some(index) = job.0.checked_sub(self.first_id) else { return };
        let index = index as usize;
        if self.works.len() <= index {
            self.works.resize(index + 1, None);
        }
        self.works[index] = u32::try_from(work).ok();
    }

    /// Submits the jobs that follow the end of this one, after the user's think time.
    fn release_followers(&mut self, work: usize) {
        let from = self.followers.partition_point(|f| (f.0 as usize) < work);
        let to = self.followers.partition_point(|f| f.0 as usize <= work);
        self.arrivals.extend(self.followers[from..to].iter().map(|f| Reverse((self.now + f.1, f.2))));
    }

    fn work_of(&self, job: JobId) -> Option<usize> {
        let index = job.0.checked_sub(self.first_id)? as usize;
        self.works.get(index).copied().flatten().map(|w| w as usize)
    }

    fn script_ends(&mut self) {
        let Some(Reverse((_, _, job, run))) = self.ends.pop() else { return };
        let Some(record) = self.ctld.job(job) else { return };
        let running = matches!(record.state, JobState::Running | JobState::Suspended);
        if record.restarts != run || !running || record.flags.completing {
            return;
        }
        // The script did not run while the job was suspended.
        let runtime = self.work_of(job).map_or(Span(0), |work| self.script_time(work));
        let left = runtime.secs() - record.run_seconds(self.now);
        if left > 0 {
            self.sequence += 1;
            self.ends.push(Reverse((self.now + Span::from_secs(left), self.sequence, job, run)));
            return;
        }
        if self.work_of(job).is_some_and(|work| self.requeue_as_recorded(job, work)) {
            return;
        }
        let exit = self.work_of(job).map_or(ExitCode::default(), |work| self.exit_of(work));
        let request = Request::CompleteJob { job, exit };
        self.ctld.request(Caller { uid: Uid(0) }, request, self.now);
    }

    /// How a script ends: as recorded, since dependencies of other jobs may ask for success or failure.
    fn exit_of(&self, work: usize) -> ExitCode {
        let failed = self.recorded_of(work).is_some_and(|recorded| recorded.state == JobState::Failed);
        ExitCode { code: failed.into(), signal: 0 }
    }

    fn carry_out_orders(&mut self) {
        self.note_preemptions();
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
                    Order::Power { at, .. } => self.power.count(&self.ctld, at.max(self.now)),
                    Order::WakeClient(_)
                    | Order::Signal { .. }
                    | Order::Mail { .. }
                    | Order::Run { .. }
                    | Order::Tell { .. }
                    | Order::Leave { .. }
                    | Order::NewNodes
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
        let Some(record) = self.ctld.job(job) else { return };
        // A task of an array has the id of its array until it starts.
        let array = record.array.as_ref().map(|array| array.job);
        let Some(work) = self.work_of(job).or_else(|| self.work_of(array?)) else { return };
        let work = if self.outcomes[work].job == Some(job) { work } else { self.new_task(work, job) };
        let Some(record) = self.ctld.job(job) else { return };
        let account = match self.accounts.get(record.account.as_str()) {
            Some(account) => Arc::clone(account),
            None => record.account.as_str().into(),
        };
        self.accounts.insert(Arc::clone(&account));
        let outcome = &mut self.outcomes[work];
        outcome.first_start = outcome.first_start.or(Some(self.now));
        (outcome.start, outcome.end, outcome.state) = (Some(self.now), None, None);
        outcome.preempted = false;
        outcome.placed = record.partitions.first().copied();
        (outcome.qos, outcome.account) = (Some(record.qos), Some(account));
        outcome.cpus = record.allocation.as_ref().map_or(0, |a| a.tres.cpu);
        outcome.nodes = record.allocation.as_ref().map_or(0, |a| a.tres.node);
        self.sequence += 1;
        let end = self.now + self.script_time(work);
        self.ends.push(Reverse((end, self.sequence, job, record.restarts)));
    }

    /// Adds an outcome for a task that was split off its array.
    fn new_task(&mut self, array: usize, task: JobId) -> usize {
        let of = &self.outcomes[array];
        let (lost, repeated, requeues) = (0, 0, 0);
        let outcome = Outcome { job: Some(task), first_start: None, lost, repeated, requeues, ..of.clone() };
        let work = self.outcomes.len();
        self.outcomes.push(outcome);
        self.assign(task, work);
        work
    }

    /// Marks the runs of preempted jobs, whose work is lost unless they end by themselves.
    fn note_preemptions(&mut self) {
        let newest = self.ctld.preemptions().next_back().copied();
        if newest == self.preemption {
            return;
        }
        let seen = self.preemption;
        let fresh = self.ctld.preemptions().rev().take_while(|p| Some(**p) != seen);
        let victims: Vec<usize> = fresh.filter_map(|p| self.work_of(p.victim)).collect();
        for work in victims {
            self.outcomes[work].preempted = true;
        }
        self.preemption = newest;
    }

    fn clean(&mut self, job: JobId, nodes: Vec<base::ids::NodeId>) {
        if let Some(work) = self.work_of(job) {
            let state = self.ctld.job(job).map(|j| j.state);
            let outcome = &mut self.outcomes[work];
            (outcome.end, outcome.state) = (Some(self.now), state);
            if outcome.preempted && matches!(state, Some(JobState::Preempted | JobState::Pending)) {
                outcome.lost += outcome.cpu_seconds();
            } else if state == Some(JobState::Pending) {
                outcome.repeated += outcome.cpu_seconds();
            }
            if state != Some(JobState::Pending) {
                self.release_followers(work);
            }
        }
        self.ctld.request(Caller { uid: Uid(0) }, Request::EpilogComplete { job, nodes }, self.now);
        self.throttled.release_after(&mut self.ctld, job, self.now);
    }

    /// How many tasks of its array may run at once, if a job waits for one of them. The controller sees a held job.
    #[must_use]
    pub fn array_limit(&self, job: JobId) -> Option<usize> {
        self.throttled.holds(job)
    }

    /// Node-seconds during which nodes were powered up, until now.
    #[must_use]
    pub fn powered_node_seconds(&self) -> u64 {
        self.power.until(self.now)
    }

    /// The outcome of each job, in the order of submission.
    #[must_use]
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }
}
