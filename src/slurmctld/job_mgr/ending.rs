//! The end of a job: its final state, cleaning up its nodes, and its requeue. Mirrors job_state_codes.html.
//!
//! As in Slurm, a job that is ended from outside (scancel, a limit, preemption, a lost node) gets its final state at
//! once, or is pending again. It is COMPLETING until its last node is clean, and each node is free as soon as it is
//! clean. The exit codes of its processes go to its steps.

use super::mail::MailEvent;
use crate::Slurmctld;
use crate::priority;
use crate::rpc::request::Order;
use crate::state::edit;
use crate::state::error::SlurmError;
use crate::state::job::{Ending, ExitCode, JobState};
use crate::state::reason::Reason;
use base::bitset::BitSet;
use base::ids::{JobId, NodeId};
use base::time::{Span, Time};

/// Delay of the pass after a job was lost with its node. By then, the losses of other nodes are known.
const AFTER_LOSS: Span = Span::from_millis(20);

impl Slurmctld {
    /// Ends a running job from outside: SIGCONT and SIGTERM now, SIGKILL after KillWait. `note` completes the line in
    /// its output.
    pub(crate) fn end_job(&mut self, id: JobId, ending: Ending, note: &str, now: Time) {
        let exit = ExitCode { code: u8::from(ending.state == JobState::NodeFail), signal: 0 };
        self.edit_job(id, edit::life::begin_ending(ending));
        let nodes = self.close(id, ending.state, exit, now);
        let kill_at = now + Span::from_secs(self.cluster.global.kill_wait.into());
        self.orders.push(Order::Terminate { job: id, nodes, kill_at, note: note.to_owned() });
        self.orders.push(Order::WakeClient(id));
        for other in self.led_by(id) {
            self.end_job(other, ending, note, now);
        }
    }

    /// Ends a job whose script has ended or whose allocation was relinquished.
    pub(crate) fn finish(&mut self, id: JobId, exit: ExitCode, now: Time) {
        let Some(job) = self.jobs.get(id) else { return };
        let global = &self.cluster.global;
        let is_one_of = |codes: &[u8]| exit.signal == 0 && codes.contains(&exit.code);
        let (state, shown) = match job.ending {
            Some(ending) => (ending.state, ExitCode::default()),
            // A job that ends in its grace time is PREEMPTED, whatever its exit code.
            None if job.preempt_time.is_some() => (JobState::Preempted, ExitCode::default()),
            None if exit == crate::step_mgr::oom::OOM => (JobState::OutOfMemory, exit),
            None if exit == ExitCode::default() => (JobState::Complete, exit),
            None => (JobState::Failed, exit),
        };
        let by_code = job.requeue && (state == JobState::Complete || state == JobState::Failed);
        let hold = by_code && is_one_of(&global.requeue_exit_hold);
        let again = job.is_recurring();
        let by_code = hold || by_code && is_one_of(&global.requeue_exit);
        let requeue = by_code || again;
        if requeue {
            let state = if by_code { JobState::Failed } else { state };
            self.edit_job(id, edit::life::begin_requeue(state, hold, now));
        }
        let nodes = self.close(id, if by_code { JobState::Failed } else { state }, shown, now);
        self.end_open_steps(id, Some(ExitCode { code: 0, signal: 15 }), now);
        self.orders.push(Order::WakeClient(id));
        self.orders.push(Order::CleanUp { job: id, nodes });
        for other in self.led_by(id) {
            self.finish(other, exit, now);
        }
    }

    /// Ends the job, or makes it pending again. Returns its nodes, which are completing from now on.
    fn close(&mut self, id: JobId, state: JobState, exit: ExitCode, now: Time) -> Vec<NodeId> {
        self.charge(id, now);
        self.edit_job(id, edit::life::end(state, exit, now));
        self.record_update(id);
        let nodes = self.nodes_of(id);
        for at in &nodes {
            self.nodes.begin_completing(*at, id, now);
        }
        let requeue = self.jobs.get(id).and_then(|j| j.ending).is_some_and(|e| e.requeue);
        self.mail(id, if requeue { MailEvent::Requeued } else { MailEvent::Ended }, now);
        if requeue {
            self.record_requeued(id, state, now);
            self.edit_job(id, edit::life::restart());
        }
        self.forget_shared(id, now);
        nodes
    }

    pub(crate) fn nodes_of(&self, id: JobId) -> Vec<NodeId> {
        let allocation = self.jobs.get(id).and_then(|j| j.allocation.as_ref());
        allocation.iter().flat_map(|a| &a.nodes).map(|n| n.node).collect()
    }

    /// Notes that nodes are clean. After the last one, the job is no longer completing.
    pub(crate) fn epilog_complete(
        &mut self,
        id: JobId,
        nodes: &[NodeId],
        now: Time,
    ) -> Result<(), SlurmError> {
        let mut freed = false;
        for node in nodes {
            if !self.nodes.end_completing(*node, id) {
                // A duplicate report, or one from a node that is no longer awaited.
                continue;
            }
            if self.jobs.get(id).ok_or(SlurmError::InvalidJobId)?.flags.completing {
                self.free_node(id, *node, now);
                freed = true;
            }
        }
        // Usually the last nodes of a job are the last to be clean.
        let nodes = self.jobs.get(id).and_then(|j| j.allocation.as_ref()).map_or(&[][..], |a| &a.nodes);
        let waiting = nodes.iter().rev().any(|n| self.node(n.node).completing.contains_key(&id));
        if freed && !waiting {
            self.complete(id, now);
        }
        Ok(())
    }

    pub(crate) fn free_node(&mut self, id: JobId, at: NodeId, now: Time) {
        let kept = self.cores_of_others(id, at);
        let Some(job) = self.jobs.get(id) else { return };
        let Some(part) = job.allocation.as_ref().and_then(|a| a.on(at)) else { return };
        let home = job.partitions.first().copied();
        if !self.node(at).jobs.contains_key(&id) {
            return;
        }
        self.nodes.apply(at, edit::node::free(id, part, &kept, now));
        if self.node(at).jobs.is_empty() {
            self.power_down_after(at, home);
        }
        self.note_node(at, now);
    }

    /// The cores of a node that other jobs hold, if cores are shared in turns.
    fn cores_of_others(&self, id: JobId, at: NodeId) -> BitSet {
        let mut cores = BitSet::new();
        let part = self.jobs.get(id).and_then(|j| j.partitions.first()).map(|p| self.partition(*p));
        if self.cluster.global.preempt.gang || part.is_some_and(config::PartConf::shares_cores) {
            let others = self.node(at).jobs.keys().filter(|other| **other != id);
            let parts = others.filter_map(|other| self.jobs.get(*other)?.allocation.as_ref());
            for part in parts.flat_map(|a| &a.nodes).filter(|n| n.node == at) {
                cores.union_with(&part.cores);
            }
        }
        cores
    }

    /// All nodes are clean: the job has ended, or goes back to the queue.
    pub(crate) fn complete(&mut self, id: JobId, now: Time) {
        let ending = self.jobs.get(id).and_then(|j| j.ending);
        self.end_open_steps(id, None, now);
        self.edit_job(id, edit::life::complete());
        if ending.is_some_and(|e| e.requeue) {
            self.back_to_queue(id, Reason::Time, ExitCode::default(), now);
        }
        if let Some(ending) = ending {
            let lost = ending.state == JobState::NodeFail;
            self.clock.schedule_at_once(if lost { now + AFTER_LOSS } else { now });
        }
        self.clock.want_schedule(now);
    }

    /// Requeues a job. It is not eligible for two minutes. `reason` is shown until the next pass.
    pub(crate) fn back_to_queue(&mut self, id: JobId, reason: Reason, exit: ExitCode, now: Time) {
        let held = self.jobs.get(id).is_some_and(|j| j.flags.requeue_hold || j.priority == 0);
        self.edit_job(id, edit::life::requeue(held, reason, exit, now));
        if !held && let Some(job) = self.jobs.get(id) {
            let priority = priority::of(self, job, now);
            self.edit_job(id, edit::pending::prioritize(priority));
        }
        self.record_pending(id);
        self.jobs.review_later(id);
    }
}
