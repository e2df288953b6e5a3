//! A job's life on nodes: start, the end of its script, completion, going back to the queue.

use super::Slurmctld;
use super::error::SlurmError;
use super::job::{Allocation, ExitCode, Job, JobState, Scheduler, StepRecord};
use super::priority;
use super::reason::Reason;
use super::request::{BatchEnd, Caller, Order, Usage};
use crate::base::ids::{JobId, NodeId, PartId, StepNum};
use crate::base::time::{Span, Time};
use crate::host::Status;

/// A requeued job waits so long, seconds: two minutes and one.
const REQUEUE_DELAY: i64 = 121;

impl Slurmctld {
    /// Gives a pending job its allocation and launches it.
    pub(super) fn start(
        &mut self,
        id: JobId,
        part: PartId,
        allocation: Allocation,
        by: Scheduler,
        now: Time,
    ) {
        let nodes_text = self.nodes_text(allocation.nodes.iter().map(|n| n.node));
        let first = allocation.nodes.first().map(|n| n.node);
        for taken in &allocation.nodes {
            let node = self.node_mut(taken.node);
            node.cores_used.union_with(&taken.cores);
            node.cpus_used += taken.cpus;
            node.mem_used += taken.memory;
            for (i, set) in &taken.gres {
                node.gres_used[*i as usize].union_with(set);
            }
            node.jobs.insert(id, taken.cpus);
            node.flags.planned = false;
            node.last_busy = now;
        }
        self.change_job(id, |job| {
            job.state = JobState::Running;
            job.reason = Reason::None;
            job.state_desc = None;
            job.partitions.retain(|p| *p == part);
            if job.partitions.is_empty() {
                job.partitions.push(part);
            }
            job.start = Some(now);
            job.end = Some(job.time_limit.span().map_or(Time(i64::MAX), |s| now + s));
            job.last_sched = Some(now);
            job.scheduler = by;
            job.planned = None;
            job.suspend = None;
            job.pre_suspend = 0;
            job.allocation = Some(allocation);
            job.nodes_text = nodes_text;
            job.batch_host = first;
            job.warned = false;
            job.eligible = Some(job.eligible.unwrap_or(now));
        });
        self.record_pending(id);
        self.clock.note_change();
        let Some(job) = self.jobs.get(id) else { return };
        if job.is_batch() {
            self.begin_batch_step(id, now);
            self.orders.push(Order::LaunchBatch(id));
        } else {
            self.orders.push(Order::WakeClient(id));
        }
    }

    fn begin_batch_step(&mut self, id: JobId, now: Time) {
        let Some(job) = self.jobs.get(id) else { return };
        let Some(node) = job.allocation.as_ref().and_then(|a| a.nodes.first()) else { return };
        let tres = super::steps::node_tres(self, node);
        let step = StepRecord {
            num: StepNum::Batch,
            name: "batch".to_owned(),
            state: JobState::Running,
            start: now,
            end: None,
            exit: ExitCode::default(),
            tasks: 1,
            nodes: vec![(node.node, node.cpus)],
            tres,
            cpu_time: 0,
            max_rss: 0,
            submit_line: String::new(),
        };
        self.record_step(id, &step);
        self.change_job(id, |job| {
            job.steps.insert(StepNum::Batch, step);
        });
    }

    /// The batch script is over (or never began): the job is, too.
    pub(super) fn batch_done(
        &mut self,
        id: JobId,
        end: BatchEnd,
        usage: Usage,
        now: Time,
    ) -> Result<(), SlurmError> {
        let job = self.jobs.get(id).ok_or(SlurmError::InvalidJobId)?;
        if job.flags.completing && job.state.ended() || !job.steps.contains_key(&StepNum::Batch) {
            return Err(SlurmError::AlreadyDone);
        }
        let exit = match end {
            BatchEnd::Ran(Status::Exited(code)) => ExitCode { code, signal: 0 },
            BatchEnd::Ran(Status::Signaled(signal)) => ExitCode { code: 0, signal: signal.number() },
            BatchEnd::NotStarted(exit) => exit,
        };
        let step_state = super::steps::state_of(exit);
        self.end_step(id, StepNum::Batch, step_state, exit, usage, now);
        self.finish(id, exit, now);
        Ok(())
    }

    /// An allocation without a script is given back by its client.
    pub(super) fn complete_allocation(
        &mut self,
        caller: Caller,
        id: JobId,
        exit: ExitCode,
        now: Time,
    ) -> Result<(), SlurmError> {
        let job = self.jobs.get(id).ok_or(SlurmError::InvalidJobId)?;
        if job.uid() != caller.uid && !self.is_operator(caller.uid) {
            return Err(SlurmError::UserIdMissing);
        }
        if job.state.ended() {
            return Err(SlurmError::AlreadyDone);
        }
        if job.state == JobState::Pending {
            self.cancel_pending(id, caller.uid, now);
            return Ok(());
        }
        self.finish(id, exit, now);
        Ok(())
    }

    /// The job is over: its final state, its nodes to be cleaned.
    pub(super) fn finish(&mut self, id: JobId, exit: ExitCode, now: Time) {
        let Some(job) = self.jobs.get(id) else { return };
        let requeue_on = |codes: &[u8]| exit.signal == 0 && codes.contains(&exit.code);
        let global = &self.cluster.global;
        let (requeue, hold) = (requeue_on(&global.requeue_exit), requeue_on(&global.requeue_exit_hold));
        let ending = job.ending;
        let (state, reason) = match ending {
            Some(ending) => (ending.state, reason_of(ending.state)),
            None if exit == ExitCode::default() => (JobState::Complete, Reason::None),
            None if exit.signal != 0 => (JobState::Failed, Reason::FailSignal),
            None => (JobState::Failed, Reason::FailExitCode),
        };
        // A job that was ended by Slurm keeps 0:0; what its processes said stands with the steps.
        let shown = if ending.is_some() { ExitCode::default() } else { exit };
        self.change_job(id, |job| {
            job.state = state;
            job.reason = reason;
            job.exit = shown;
            job.end = Some(now);
            job.flags.completing = true;
        });
        self.end_open_steps(id, now);
        self.record_update(id);
        let back = ending.is_some_and(|e| e.requeue) || (ending.is_none() && (requeue || hold));
        if back {
            let shown = if ending.is_some() { state } else { JobState::Failed };
            self.record_requeued(id, shown, now);
            self.change_job(id, |job| {
                job.ending = Some(super::job::Ending {
                    state,
                    since: now,
                    by: crate::base::ids::Uid(0),
                    requeue: true,
                });
                job.flags.requeue_hold = hold && ending.is_none();
            });
        }
        let nodes: Vec<NodeId> = self.nodes_of(id);
        for node in &nodes {
            self.node_mut(*node).completing.insert(id, now);
        }
        self.orders.push(Order::WakeClient(id));
        self.orders.push(Order::CleanUp { job: id, nodes });
    }

    pub(super) fn nodes_of(&self, id: JobId) -> Vec<NodeId> {
        let allocation = self.jobs.get(id).and_then(|j| j.allocation.as_ref());
        allocation.iter().flat_map(|a| &a.nodes).map(|n| n.node).collect()
    }

    /// A node is clean; once all are, the resources are free.
    pub(super) fn epilog_complete(&mut self, id: JobId, node: NodeId, now: Time) -> Result<(), SlurmError> {
        self.node_mut(node).completing.remove(&id);
        let job = self.jobs.get(id).ok_or(SlurmError::InvalidJobId)?;
        if !job.flags.completing {
            return Ok(());
        }
        self.free_node(id, node, now);
        let waiting = self.nodes_of(id).iter().any(|n| self.node(*n).completing.contains_key(&id));
        if !waiting {
            self.complete(id, now);
        }
        Ok(())
    }

    fn free_node(&mut self, id: JobId, at: NodeId, now: Time) {
        let Some(job) = self.jobs.get(id) else { return };
        let part = job.allocation.iter().flat_map(|a| &a.nodes).find(|n| n.node == at).cloned();
        let (Some(part), true) = (part, self.node(at).jobs.contains_key(&id)) else { return };
        let node = self.node_mut(at);
        node.jobs.remove(&id);
        node.cores_used.subtract(&part.cores);
        node.cpus_used = node.cpus_used.saturating_sub(part.cpus);
        node.mem_used = node.mem_used.saturating_sub(part.memory);
        for (i, set) in &part.gres {
            node.gres_used[*i as usize].subtract(set);
        }
        node.last_busy = now;
    }

    /// Everything is cleaned up: the job has ended, or goes back to the queue.
    pub(super) fn complete(&mut self, id: JobId, now: Time) {
        let back = self.jobs.get(id).and_then(|j| j.ending).is_some_and(|e| e.requeue);
        self.change_job(id, |job| job.flags.completing = false);
        if back {
            self.back_to_queue(id, now);
        }
        self.clock.want_schedule(now);
    }

    fn back_to_queue(&mut self, id: JobId, now: Time) {
        let held = self.jobs.get(id).is_some_and(|j| j.flags.requeue_hold || j.priority == 0);
        self.change_job(id, |job| {
            job.state = JobState::Pending;
            job.reason = if held { Reason::Held } else { Reason::Time };
            job.exit = ExitCode::default();
            job.restarts += 1;
            job.begin = Some(now + Span::from_secs(REQUEUE_DELAY));
            job.eligible = None;
            job.accrue = None;
            job.start = None;
            job.end = None;
            job.allocation = None;
            job.nodes_text = String::new();
            job.batch_host = None;
            job.steps.clear();
            job.next_step = 0;
            job.db = None;
            job.ending = None;
            job.warned = false;
            job.flags = super::job::JobFlags::default();
            if held {
                job.priority = 0;
                job.held_by_admin = true;
                job.state_desc = Some("job requeued in held state".to_owned());
            }
        });
        if !held && let Some(job) = self.jobs.get(id) {
            let priority = priority::of(self, job, now);
            self.change_job(id, |job| job.priority = priority);
        }
        self.review_later(id);
    }

    /// Whether the licences that a job wants are free.
    pub(super) fn licenses_free(&self, job: &Job) -> bool {
        job.needs.licenses.iter().all(|(name, count)| {
            let total = self.cluster.global.licenses.get(name).copied().unwrap_or(0);
            let used: u32 =
                self.active_jobs().map(|j| j.needs.licenses.get(name).copied().unwrap_or(0)).sum();
            used + count <= total
        })
    }

    /// Jobs beyond their limit are ended; warnings (`--signal`) go out. Looked at every 30 seconds.
    pub(super) fn check_limits(&mut self, now: Time) {
        let ids: Vec<JobId> = self
            .active_jobs()
            .filter(|j| j.state == JobState::Running && !j.flags.completing && j.ending.is_none())
            .map(|j| j.id)
            .collect();
        for id in ids {
            let Some(job) = self.jobs.get(id) else { continue };
            let Some(end) = job.end else { continue };
            if let Some(warn) = job.desc.signal
                && !job.warned
                && now + Span::from_secs(i64::from(warn.seconds) + 30) >= end
            {
                self.change_job(id, |job| job.warned = true);
                self.orders.push(Order::Signal {
                    job: id,
                    signal: warn.signal,
                    scope: if warn.batch_only {
                        super::request::SignalScope::Batch
                    } else {
                        super::request::SignalScope::Steps
                    },
                });
            }
            let over = self.over_time(id);
            if over.is_some_and(|over| end + over < now) {
                self.end_job(id, JobState::Timeout, " DUE TO TIME LIMIT", false, now);
            }
        }
    }

    fn over_time(&self, id: JobId) -> Option<Span> {
        let job = self.jobs.get(id)?;
        let part = job.partitions.first().map(|p| self.partition(*p));
        part.and_then(|p| p.over_time_limit).unwrap_or(self.cluster.global.over_time_limit).span()
    }
}

/// The reason that stands with a final state.
fn reason_of(state: JobState) -> Reason {
    match state {
        JobState::Timeout => Reason::FailTimeout,
        JobState::NodeFail => Reason::FailDownNode,
        JobState::Deadline => Reason::FailDeadline,
        JobState::OutOfMemory => Reason::FailOom,
        JobState::BootFail => Reason::FailDownNode,
        JobState::Failed => Reason::FailExitCode,
        JobState::Pending
        | JobState::Running
        | JobState::Suspended
        | JobState::Complete
        | JobState::Cancelled
        | JobState::Preempted => Reason::None,
    }
}
