//! The end of a job: its final state, its nodes to be cleaned, its place in the queue again. Mirrors job_state_codes.html.
//!
//! As in Slurm a job that is ended from outside (scancel, a limit, preemption, a lost node) has its final state at once,
//! or is pending again, and is COMPLETING until nothing of it is left on its nodes; each node is free as soon as it is
//! clean. What its processes say about their end stands with the steps.

use super::Slurmctld;
use super::error::SlurmError;
use super::job::{Ending, ExitCode, JobState};
use super::mail::Event;
use super::priority;
use super::reason::Reason;
use super::request::Order;
use crate::base::bitset::BitSet;
use crate::base::ids::{JobId, NodeId};
use crate::base::time::{Span, Time};

/// A requeued job waits so long, seconds: two minutes and one.
const REQUEUE_DELAY: i64 = 121;

/// The pass for a job that was lost with its node comes so much later, when other nodes' losses are known.
const AFTER_LOSS: Span = Span::from_millis(20);

impl Slurmctld {
    /// Ends a running job from outside: CONT and TERM now, KILL after KillWait; `note` completes the line in its output.
    pub(super) fn end_job(&mut self, id: JobId, ending: Ending, note: &str, now: Time) {
        let exit = ExitCode { code: u8::from(ending.state == JobState::NodeFail), signal: 0 };
        self.change_job(id, |job| job.ending = Some(ending));
        let nodes = self.close(id, ending.state, exit, now);
        let kill_at = now + Span::from_secs(self.cluster.global.kill_wait.into());
        self.orders.push(Order::Terminate { job: id, nodes, kill_at, note: note.to_owned() });
        self.orders.push(Order::WakeClient(id));
        for other in self.led_by(id) {
            self.end_job(other, ending, note, now);
        }
    }

    /// The job's script has ended, or its allocation was given back.
    pub(super) fn finish(&mut self, id: JobId, exit: ExitCode, now: Time) {
        let Some(job) = self.jobs.get(id) else { return };
        let global = &self.cluster.global;
        let told = |codes: &[u8]| exit.signal == 0 && codes.contains(&exit.code);
        let (state, shown) = match job.ending {
            Some(ending) => (ending.state, ExitCode::default()),
            // What ends in the grace time of a preemption was preempted, whatever it says.
            None if job.preempt_time.is_some() => (JobState::Preempted, ExitCode::default()),
            None if exit == super::oom::OOM => (JobState::OutOfMemory, exit),
            None if exit == ExitCode::default() => (JobState::Complete, exit),
            None => (JobState::Failed, exit),
        };
        let by_code = job.requeue && (state == JobState::Complete || state == JobState::Failed);
        let hold = by_code && told(&global.requeue_exit_hold);
        let again = job.comes_again();
        let by_code = hold || by_code && told(&global.requeue_exit);
        let requeue = by_code || again;
        if requeue {
            self.change_job(id, |job| {
                let state = if by_code { JobState::Failed } else { state };
                job.ending = Some(Ending { state, since: now, by: job.uid(), requeue });
                job.flags.requeue_hold = hold;
                job.flags.special_exit = hold;
            });
        }
        let nodes = self.close(id, if by_code { JobState::Failed } else { state }, shown, now);
        self.end_open_steps(id, Some(ExitCode { code: 0, signal: 15 }), now);
        self.orders.push(Order::WakeClient(id));
        self.orders.push(Order::CleanUp { job: id, nodes });
        for other in self.led_by(id) {
            self.finish(other, exit, now);
        }
    }

    /// From now on the job is over, or pending again, and its nodes are completing: gives them.
    fn close(&mut self, id: JobId, state: JobState, exit: ExitCode, now: Time) -> Vec<NodeId> {
        self.charge(id, now);
        self.change_job(id, |job| {
            // Who is ended while suspended has run until then.
            let end = job.suspend.filter(|_| job.state == JobState::Suspended).unwrap_or(now);
            job.state = state;
            job.reason = reason_of(state, exit);
            job.state_desc = (job.reason == Reason::FailSignal).then(|| {
                format!("RaisedSignal:{}({})", exit.signal, crate::host::signal::describe(exit.signal))
            });
            job.exit = exit;
            job.end = Some(end);
            job.flags.completing = true;
            job.flags.configuring = false;
        });
        self.record_update(id);
        let nodes = self.nodes_of(id);
        for at in &nodes {
            let node = self.node_mut(*at);
            node.completing.insert(id, now);
            node.suspended.remove(&id);
            self.index.completing.insert(at.0);
        }
        let requeue = self.jobs.get(id).and_then(|j| j.ending).is_some_and(|e| e.requeue);
        self.mail(id, if requeue { Event::Requeued } else { Event::Ended }, now);
        if requeue {
            self.record_requeued(id, state, now);
            self.change_job(id, |job| {
                job.state = JobState::Pending;
                job.reason = Reason::None;
                job.exit = ExitCode::default();
                job.restarts += 1;
            });
        }
        self.forget_shared(id, now);
        nodes
    }

    pub(super) fn nodes_of(&self, id: JobId) -> Vec<NodeId> {
        let allocation = self.jobs.get(id).and_then(|j| j.allocation.as_ref());
        allocation.iter().flat_map(|a| &a.nodes).map(|n| n.node).collect()
    }

    /// Nodes are clean; once all are, the job is no longer completing.
    pub(super) fn epilog_complete(
        &mut self,
        id: JobId,
        nodes: &[NodeId],
        now: Time,
    ) -> Result<(), SlurmError> {
        let mut freed = false;
        for node in nodes {
            let completing = &mut self.node_mut(*node).completing;
            if completing.remove(&id).is_none() {
                // Said already, or by a node that nobody waits for any more.
                continue;
            }
            if completing.is_empty() {
                self.index.completing.remove(node.0);
            }
            if self.jobs.get(id).ok_or(SlurmError::InvalidJobId)?.flags.completing {
                self.free_node(id, *node, now);
                freed = true;
            }
        }
        // The last nodes of a job are most often clean last.
        let nodes = self.jobs.get(id).and_then(|j| j.allocation.as_ref()).map_or(&[][..], |a| &a.nodes);
        let waiting = nodes.iter().rev().any(|n| self.node(n.node).completing.contains_key(&id));
        if freed && !waiting {
            self.complete(id, now);
        }
        Ok(())
    }

    pub(super) fn free_node(&mut self, id: JobId, at: NodeId, now: Time) {
        let kept = self.cores_of_others(id, at);
        let Some(job) = self.jobs.get(id) else { return };
        let Some(part) = job.allocation.as_ref().and_then(|a| a.on(at)) else { return };
        let home = job.partitions.first().copied();
        let node = &mut self.nodes[at.0 as usize];
        if node.jobs.remove(&id).is_none() {
            return;
        }
        self.live.forecast.touch(at);
        node.suspended.remove(&id);
        node.cores_used.subtract(&part.cores);
        node.cores_used.union_with(&kept);
        node.cpus_used = node.jobs.values().sum::<u32>().min(node.conf.cpus);
        node.mem_used = node.mem_used.saturating_sub(part.memory);
        for (i, set) in &part.gres {
            node.gres_used[*i as usize].subtract(set);
        }
        node.last_busy = now;
        if node.alive {
            node.last_response = now;
        }
        if node.jobs.is_empty() {
            self.power_down_after(at, home);
        }
        self.note_node(at, now);
    }

    /// What others hold of a node where cores are shared in turns.
    fn cores_of_others(&self, id: JobId, at: NodeId) -> BitSet {
        let mut cores = BitSet::new();
        let part = self.jobs.get(id).and_then(|j| j.partitions.first()).map(|p| self.partition(*p));
        if self.cluster.global.preempt.gang || part.is_some_and(crate::config::PartConf::shares_cores) {
            let others = self.node(at).jobs.keys().filter(|other| **other != id);
            let parts = others.filter_map(|other| self.jobs.get(*other)?.allocation.as_ref());
            for part in parts.flat_map(|a| &a.nodes).filter(|n| n.node == at) {
                cores.union_with(&part.cores);
            }
        }
        cores
    }

    /// Everything is cleaned up: the job has ended, or goes back to the queue.
    pub(super) fn complete(&mut self, id: JobId, now: Time) {
        let ending = self.jobs.get(id).and_then(|j| j.ending);
        self.end_open_steps(id, None, now);
        self.change_job(id, |job| job.flags.completing = false);
        if ending.is_some_and(|e| e.requeue) {
            self.back_to_queue(id, Reason::Time, ExitCode::default(), now);
        }
        if let Some(ending) = ending {
            let lost = ending.state == JobState::NodeFail;
            self.clock.schedule_at_once(if lost { now + AFTER_LOSS } else { now });
        }
        self.clock.want_schedule(now);
    }

    /// A job waits again, not before two minutes have passed. `reason` stands until the next pass.
    pub(super) fn back_to_queue(&mut self, id: JobId, reason: Reason, exit: ExitCode, now: Time) {
        let held = self.jobs.get(id).is_some_and(|j| j.flags.requeue_hold || j.priority == 0);
        self.change_job(id, |job| {
            if job.state.ended() {
                // It had ended before somebody wanted it back.
                job.restarts += 1;
            }
            job.state = JobState::Pending;
            job.reason = if held { Reason::HeldUser } else { reason };
            job.exit = exit;
            job.derived_exit = ExitCode::default();
            job.submit = now;
            let delay = Some(now + Span::from_secs(REQUEUE_DELAY));
            job.begin = job.desc.cron.map_or(delay, |schedule| schedule.next(now));
            job.eligible = None;
            job.accrue = None;
            job.start = None;
            job.end = None;
            job.suspend = None;
            job.pre_suspend = 0;
            job.suspended = 0;
            job.resized = None;
            job.ganged = false;
            job.preempt_time = None;
            job.allocation = None;
            job.nodes_text = String::new();
            job.batch_host = None;
            job.steps.clear();
            job.oom_steps.clear();
            job.next_step = 0;
            job.waiting_steps.clear();
            job.db = None;
            job.ending = None;
            job.warned = false;
            let (special, failed) = (job.flags.special_exit, job.flags.launch_failed);
            job.flags = super::job::JobFlags { special_exit: special, ..Default::default() };
            if held {
                job.priority = 0;
                let state = match (special, failed) {
                    (true, _) => "job in special exit state",
                    (false, true) => "launch failed requeued held",
                    (false, false) => "job requeued in held state",
                };
                job.state_desc = Some(state.to_owned());
            }
        });
        if !held && let Some(job) = self.jobs.get(id) {
            let priority = priority::of(self, job, now);
            self.change_job(id, |job| priority.give(job));
        }
        self.record_pending(id);
        self.review_later(id);
    }
}

/// The reason that stands with a final state.
const fn reason_of(state: JobState, exit: ExitCode) -> Reason {
    match state {
        JobState::Timeout => Reason::FailTimeout,
        JobState::NodeFail => Reason::FailDownNode,
        JobState::Deadline => Reason::FailDeadline,
        JobState::OutOfMemory => Reason::FailOom,
        JobState::BootFail => Reason::FailDownNode,
        JobState::Failed if exit.signal != 0 => Reason::FailSignal,
        JobState::Failed => Reason::FailExitCode,
        JobState::Pending
        | JobState::Running
        | JobState::Suspended
        | JobState::Complete
        | JobState::Cancelled
        | JobState::Preempted => Reason::None,
    }
}
