//! A job from start to end on its nodes: start, end of its script, warnings and time limits. The end itself is in
//! `ending`.

use super::mail::MailEvent;
use crate::Slurmctld;
use crate::rpc::request::{BatchEnd, Caller, Order, SignalScope, Usage};
use crate::state::edit;
use crate::state::edit::life::JobStart;
use crate::state::error::SlurmError;
use crate::state::job::{Allocation, Ending, ExitCode, JobState, Scheduler, StepRecord, WarnSignal};
use base::ids::{JobId, NodeId, PartId, StepNum, Uid};
use base::process::Status;
use base::time::{Span, Time};

impl Slurmctld {
    /// Gives a pending job its allocation and launches it.
    pub(crate) fn start(
        &mut self,
        id: JobId,
        part: PartId,
        allocation: Allocation,
        by: Scheduler,
        now: Time,
    ) {
        let shown = allocation.nodes.iter().map(|n| n.node).filter(|_| !self.lean);
        let nodes_text = self.nodes_text(shown);
        for taken in &allocation.nodes {
            self.edit_node(taken.node, edit::node::allocate(id, taken, now));
            self.note_node(taken.node, now);
        }
        let nodes: Vec<NodeId> = allocation.nodes.iter().map(|n| n.node).collect();
        let configuring = self.power_up_nodes(&nodes, now);
        let at_most = self.expansion_limit(id, now);
        let soft_limit = self.caches.parameters.time_min_as_soft_limit;
        let start = JobStart { part, allocation, nodes_text, by, at_most, configuring, soft_limit };
        self.edit_job(id, edit::life::start(start, now));
        self.record_pending(id);
        self.note_shared(id, now);
        self.note_exempt(id, now);
        self.clock.note_change(now);
        if self.cluster.global.prolog_contain {
            self.begin_external_step(id, now);
        }
        self.mail(id, MailEvent::Began, now);
        if !configuring {
            self.launch_job(id, now);
        }
    }

    /// All its nodes are up: launches the script, or notifies the client.
    pub(crate) fn launch_job(&mut self, id: JobId, now: Time) {
        if self.prepare(id) {
            return;
        }
        let Some(job) = self.jobs.get(id) else { return };
        if job.het.is_some_and(|h| h.offset > 0) {
            // A heterogeneous job has one script, its first component's.
        } else if job.is_batch() {
            if !self.lean {
                self.begin_batch_step(id, now);
            }
            self.orders.push(Order::LaunchBatch(id));
        } else {
            self.orders.push(Order::WakeClient(id));
        }
    }

    /// With `PrologFlags=contain`, each job has an external step on all of its nodes, which adopts logins.
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
        self.edit_job(id, edit::steps::add(step));
    }

    fn begin_batch_step(&mut self, id: JobId, now: Time) {
        let Some(job) = self.jobs.get(id) else { return };
        let Some(node) = job.allocation.as_ref().and_then(|a| a.nodes.first()) else { return };
        let tres = crate::step_mgr::node_tres(self, node);
        let step = StepRecord {
            nodes: vec![(node.node, node.cpus)],
            tres,
            ..StepRecord::new(StepNum::Batch, "batch".to_owned(), now)
        };
        self.record_step(id, &step);
        self.edit_job(id, edit::steps::add(step));
    }

    /// Ends the job because its batch script has ended or never began.
    pub(crate) fn batch_done(
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
        let step_state = crate::step_mgr::state_of(exit);
        self.end_step(id, StepNum::Batch, step_state, Some(exit), usage, now);
        match (ended, back) {
            (false, _) => self.finish(id, exit, now),
            // slurmctld shows the script's last exit code; the database keeps the one reported before.
            (true, false) => self.edit_job(id, edit::life::set_exit(exit)),
            (true, true) => {}
        }
        Ok(())
    }

    /// The client relinquishes an allocation without a script.
    pub(crate) fn complete_allocation(
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

    /// Ends jobs over their time limit or grace time, and sends warning signals (`--signal`). Runs every 30 seconds.
    pub(crate) fn check_limits(&mut self, now: Time) {
        self.end_configuring(now);
        let due = self.jobs.index().limits.range(..=(now, JobId(u32::MAX)));
        let ids: Vec<JobId> = due.map(|(_, id)| *id).collect();
        for id in ids {
            self.mail_parts(id, now);
            let Some(job) = self.jobs.get(id) else { continue };
            let Some(end) = job.end else { continue };
            if job.preempt_time.is_some() {
                // It ends with its grace time; `--signal` refers to its time limit only.
                if end <= now {
                    self.end_preempted(id, now);
                }
                continue;
            }
            if let Some(warning) = job.desc.signal
                && !job.warned
                && now + Span::from_secs(i64::from(warning.seconds) + 30) >= end
            {
                self.warn(id, warning, now);
            }
            let over = self.over_time(id);
            if over.is_some_and(|over| end + over < now) {
                // A job's limit ends at its deadline, see [`Slurmctld::start`].
                let late = self.jobs.get(id).is_some_and(|j| j.desc.deadline.is_some_and(|d| d <= now));
                let state = if late { JobState::Deadline } else { JobState::Timeout };
                let ending = Ending { state, since: now, by: Uid(0), requeue: false };
                self.end_job(id, ending, " DUE TO TIME LIMIT", now);
            }
        }
    }

    /// Sends the signal that the job requested with `--signal`, once.
    pub(crate) fn warn(&mut self, id: JobId, warning: WarnSignal, now: Time) {
        if self.jobs.get(id).is_none_or(|j| j.warned) {
            return;
        }
        self.edit_job(id, edit::life::warn());
        let scope = if warning.batch_only { SignalScope::Batch } else { SignalScope::Steps };
        self.signal_job(id, warning.signal, scope, now);
    }

    fn over_time(&self, id: JobId) -> Option<Span> {
        let job = self.jobs.get(id)?;
        let part = job.partitions.first().map(|p| self.partition(*p));
        part.and_then(|p| p.over_time_limit).unwrap_or(self.cluster.global.over_time_limit).span()
    }
}
