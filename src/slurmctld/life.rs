//! A job's life on nodes: start, the end of its script, warnings and limits. How it ends is in `ending`.

use super::Slurmctld;
use super::error::SlurmError;
use super::job::{Allocation, Ending, ExitCode, JobState, Scheduler, StepRecord, WarnSignal};
use super::mail::Event;
use super::reason::Reason;
use super::request::{BatchEnd, Caller, Order, SignalScope, Usage};
use crate::base::ids::{JobId, NodeId, PartId, StepNum, Uid};
use crate::base::time::{Limit, Span, Time};
use crate::host::Status;

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
        let shown = allocation.nodes.iter().map(|n| n.node).filter(|_| !self.lean);
        let nodes_text = self.nodes_text(shown);
        let first = allocation.nodes.first().map(|n| n.node);
        for taken in &allocation.nodes {
            let node = self.node_mut(taken.node);
            node.cores_used.union_with(&taken.cores);
            // Who shares cores in turns does not use more than there are.
            node.cpus_used = (node.cpus_used + taken.cpus).min(node.conf.cpus);
            node.mem_used += taken.memory;
            for (i, set) in &taken.gres {
                node.gres_used[*i as usize].union_with(set);
            }
            node.jobs.insert(id, taken.cpus);
            node.flags.planned = false;
            node.last_busy = now;
            node.last_response = now;
            self.note_node(taken.node, now);
        }
        let nodes: Vec<NodeId> = allocation.nodes.iter().map(|n| n.node).collect();
        let configuring = self.wake_nodes(&nodes, now);
        let most = self.expansion_limit(id, now);
        let soft = self.live.knobs.time_min_as_soft_limit;
        self.change_job(id, |job| {
            job.time_limit = most.map_or(job.time_limit, |most| job.time_limit.min(most));
            job.state = JobState::Running;
            job.flags.configuring = configuring;
            job.reason = Reason::None;
            job.state_desc = None;
            job.partitions.retain(|p| *p == part);
            if job.partitions.is_empty() {
                job.partitions.push(part);
            }
            job.start = Some(now);
            let limit = job.time_limit.span().map_or(Time(i64::MAX), |s| now + s);
            job.end = Some(job.desc.deadline.map_or(limit, |deadline| deadline.min(limit)));
            job.soft_end = job.desc.time_min.filter(|_| soft).and_then(Limit::span).map(|s| now + s);
            job.last_sched = Some(now);
            job.scheduler = by;
            job.planned = None;
            job.suspend = None;
            job.pre_suspend = 0;
            job.suspended = 0;
            job.preempting = None;
            job.allocation = Some(allocation);
            job.nodes_text = nodes_text;
            job.batch_host = first;
            job.warned = false;
            job.eligible = Some(job.eligible.unwrap_or(now));
        });
        self.record_pending(id);
        self.note_shared(id, now);
        self.note_exempt(id, now);
        self.clock.note_change(now);
        if self.cluster.global.prolog_contain {
            self.begin_external_step(id, now);
        }
        self.mail(id, Event::Began, now);
        if !configuring {
            self.launch_job(id, now);
        }
    }

    /// All its nodes are there: the script is launched, or the client told.
    pub(super) fn launch_job(&mut self, id: JobId, now: Time) {
        if self.prepare(id) {
            return;
        }
        let Some(job) = self.jobs.get(id) else { return };
        if job.het.is_some_and(|h| h.offset > 0) {
            // The first component's script is the whole job's.
        } else if job.is_batch() {
            if !self.lean {
                self.begin_batch_step(id, now);
            }
            self.orders.push(Order::LaunchBatch(id));
        } else {
            self.orders.push(Order::WakeClient(id));
        }
    }

    /// With `PrologFlags=contain` each job has an external step on all of its nodes, into which logins are taken.
    fn begin_external_step(&mut self, id: JobId, now: Time) {
        let Some(allocation) = self.jobs.get(id).and_then(|job| job.allocation.as_ref()) else { return };
        let nodes: Vec<(NodeId, u32)> = allocation.nodes.iter().map(|n| (n.node, n.cpus)).collect();
        let tres = allocation.tres.clone();
        let step = StepRecord {
            tasks: u32::try_from(nodes.len()).unwrap_or(1),
            nodes,
            tres,
            ..StepRecord::new(StepNum::Extern, "extern".to_owned(), now)
        };
        self.record_step(id, &step);
        self.change_job(id, |job| {
            job.steps.insert(StepNum::Extern, step);
        });
    }

    fn begin_batch_step(&mut self, id: JobId, now: Time) {
        let Some(job) = self.jobs.get(id) else { return };
        let Some(node) = job.allocation.as_ref().and_then(|a| a.nodes.first()) else { return };
        let tres = super::steps::node_tres(self, node);
        let step = StepRecord {
            nodes: vec![(node.node, node.cpus)],
            tres,
            ..StepRecord::new(StepNum::Batch, "batch".to_owned(), now)
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
        if job.steps.get(&StepNum::Batch).is_none_or(|batch| batch.end.is_some()) {
            return Err(SlurmError::AlreadyDone);
        }
        let (ended, back) = (job.flags.completing, job.state == JobState::Pending);
        let exit = match end {
            BatchEnd::Ran(Status::Exited(code)) => ExitCode { code, signal: 0 },
            BatchEnd::Ran(Status::Signaled(signal)) => ExitCode { code: 0, signal: signal.number() },
            BatchEnd::NotStarted(exit) => exit,
        };
        let exit = self.exit_of(id, StepNum::Batch, exit);
        let step_state = super::steps::state_of(exit);
        self.end_step(id, StepNum::Batch, step_state, Some(exit), usage, now);
        match (ended, back) {
            (false, _) => self.finish(id, exit, now),
            // slurmctld shows what the script said last; the database keeps what it was told before.
            (true, false) => self.change_job(id, |job| job.exit = exit),
            (true, true) => {}
        }
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

    /// Jobs beyond their limit are ended, those whose grace time is over too; warnings (`--signal`) go out. Looked at
    /// every 30 seconds.
    pub(super) fn check_limits(&mut self, now: Time) {
        self.end_configuring(now);
        let due = self.index.limits.range(..=(now, JobId(u32::MAX)));
        let ids: Vec<JobId> = due.map(|(_, id)| *id).collect();
        for id in ids {
            self.mail_parts(id, now);
            let Some(job) = self.jobs.get(id) else { continue };
            let Some(end) = job.end else { continue };
            if job.preempt_time.is_some() {
                // Its end is that of its grace time; `--signal` counts for its limit only.
                if end <= now {
                    self.end_preempted(id, now);
                }
                continue;
            }
            if let Some(wish) = job.desc.signal
                && !job.warned
                && now + Span::from_secs(i64::from(wish.seconds) + 30) >= end
            {
                self.warn(id, wish, now);
            }
            let over = self.over_time(id);
            if over.is_some_and(|over| end + over < now) {
                // The limit of a job with a deadline ends with that, see [`Slurmctld::start`].
                let late = self.jobs.get(id).is_some_and(|j| j.desc.deadline.is_some_and(|d| d <= now));
                let state = if late { JobState::Deadline } else { JobState::Timeout };
                let ending = Ending { state, since: now, by: Uid(0), requeue: false };
                self.end_job(id, ending, " DUE TO TIME LIMIT", now);
            }
        }
    }

    /// Sends the signal that the job asked for with `--signal`, once.
    pub(super) fn warn(&mut self, id: JobId, wish: WarnSignal, now: Time) {
        if self.jobs.get(id).is_none_or(|j| j.warned) {
            return;
        }
        self.change_job(id, |job| job.warned = true);
        let scope = if wish.batch_only { SignalScope::Batch } else { SignalScope::Steps };
        self.signal_job(id, wish.signal, scope, now);
    }

    fn over_time(&self, id: JobId) -> Option<Span> {
        let job = self.jobs.get(id)?;
        let part = job.partitions.first().map(|p| self.partition(*p));
        part.and_then(|p| p.over_time_limit).unwrap_or(self.cluster.global.over_time_limit).span()
    }
}
