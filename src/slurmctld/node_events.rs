//! What nodes do by themselves: they stop answering, come back, boot, switch off, restart. Mirrors SlurmdTimeout and
//! ReturnToService of slurm.conf(5).
//!
//! A node's next moment is kept in one index ([`Slurmctld::note_node`] keeps it true), so nobody looks at all nodes.

use super::Slurmctld;
use super::error::SlurmError;
use super::job::{Ending, JobState};
use super::node::SLURM_USER;
use super::node::{Node, NodeBase, NodeReason};
use super::pings;
use super::request::Order;
use crate::base::ids::{JobId, NodeId, Uid};
use crate::base::time::{Span, Time};

impl Slurmctld {
    /// Something changed that all nodes' next moments may depend on.
    pub(super) fn note_nodes(&mut self, now: Time) {
        (0..self.nodes.len())
            .filter_map(|i| u32::try_from(i).ok())
            .for_each(|i| self.note_node(NodeId(i), now));
    }

    /// A node's state has changed: when does it want attention next?
    pub(super) fn note_node(&mut self, id: NodeId, now: Time) {
        let node = self.node(id);
        if node.available() {
            self.index.available.insert(id.0);
        } else {
            self.index.available.remove(id.0);
        }
        let node = self.node(id);
        let due = self.node_due(node, now);
        let old = node.due;
        if old == due {
            return;
        }
        if let Some(old) = old {
            self.index.nodes_due.remove(&(old, id));
        }
        self.node_mut(id).due = due;
        if let Some(due) = due {
            self.index.nodes_due.insert((due, id));
        }
    }

    fn node_due(&self, node: &Node, now: Time) -> Option<Time> {
        let f = node.flags;
        let leaves = (f.reboot_requested || f.power_down) && node.jobs.is_empty();
        let at_once = (leaves && !f.powering_down && !f.reboot_issued).then_some(now);
        let pending = if node.until.is_some() { node.until } else { at_once.or(self.suspend_due(node)) };
        [pending, node.resume_after].into_iter().flatten().min()
    }

    /// When a node wants attention next: a transition, or a silent one is given up.
    pub(super) fn next_node_event(&self) -> Option<Time> {
        let silent = self.index.silent.first().map(|s| s.0);
        let due = self.index.nodes_due.first().map(|s| s.0);
        silent.into_iter().chain(due).min()
    }

    pub(super) fn node_events(&mut self, now: Time) {
        while let Some(&(_, id)) = self.index.nodes_due.first().filter(|s| s.0 <= now) {
            self.index.nodes_due.pop_first();
            self.node_mut(id).due = None;
            self.node_event(id, now);
            self.note_node(id, now);
        }
        while let Some(&(_, id)) = self.index.silent.first().filter(|s| s.0 <= now) {
            self.index.silent.pop_first();
            self.silent(id, now);
            self.note_node(id, now);
        }
    }

    /// What is due for one node.
    fn node_event(&mut self, id: NodeId, now: Time) {
        let node = self.node(id);
        let f = node.flags;
        if node.resume_after.is_some_and(|t| t <= now) {
            self.resume_after(id, now);
        } else if node.until.is_some_and(|t| t <= now) {
            if f.powering_up && f.unanswered {
                self.not_resumed(id, now);
            } else if f.powering_up {
                self.resumed(id, now);
            } else if f.powering_down {
                self.suspended(id);
            } else if f.reboot_issued {
                self.rebooted(id, now);
            } else {
                self.ping(id, now);
            }
        } else if f.reboot_requested && node.jobs.is_empty() {
            self.issue_reboot(id, now);
        } else if f.power_down && node.jobs.is_empty() || self.suspend_due(node).is_some_and(|t| t <= now) {
            self.suspend_node(id, now);
        }
    }

    /// A node is asked whether it is there.
    fn ping(&mut self, id: NodeId, now: Time) {
        self.clock.note_ping(now);
        let node = self.node_mut(id);
        node.until = None;
        if node.alive && !node.responding {
            node.responding = true;
            if !node.registered() {
                (node.boot, node.slurmd_start) = (now, now);
            }
            self.index.silent.retain(|s| s.1 != id);
            self.clock.want_schedule(now);
        } else if !node.alive {
            let timeout = Span::from_secs(self.cluster.global.slurmd_timeout.max(1).into());
            self.index.silent.insert((now + timeout, id));
        }
    }

    /// A ping was not answered: first the node does not respond, in the end it is down.
    fn silent(&mut self, id: NodeId, now: Time) {
        let node = self.node_mut(id);
        if !node.responding {
            return self.give_up(id, "Not responding", now);
        }
        node.responding = false;
        self.clock.want_schedule(now);
    }

    /// The node is taken to be dead.
    fn give_up(&mut self, id: NodeId, why: &str, now: Time) {
        let node = self.node_mut(id);
        if node.base == NodeBase::Down || node.flags.powered_down || node.flags.powering_down {
            return;
        }
        node.base = NodeBase::Down;
        // Why it was drained is said on.
        node.reason.get_or_insert(NodeReason { text: why.to_owned(), by: SLURM_USER, at: now });
        self.lose_jobs(id, now);
        self.clock.want_schedule(now);
    }

    /// `--no-kill`: a job goes on where others of its nodes are left, its script's among them.
    fn survives(&self, job: JobId, lost: NodeId) -> bool {
        let Some(job) = self.jobs.get(job).filter(|j| j.desc.no_kill && !j.flags.completing) else {
            return false;
        };
        let others = job.allocation.as_ref().is_some_and(|a| a.nodes.len() > 1);
        job.state == JobState::Running && others && !(job.is_batch() && job.batch_host == Some(lost))
    }

    /// Everything that runs on a node is lost with it.
    pub(super) fn lose_jobs(&mut self, id: NodeId, now: Time) {
        let jobs: Vec<JobId> = self.node(id).jobs.keys().copied().collect();
        for job in jobs {
            if self.survives(job, id) {
                self.shrink(job, &[id], now);
                continue;
            }
            let requeue = self.jobs.get(job).is_some_and(|j| j.requeue && j.is_batch());
            if self.jobs.get(job).is_some_and(|j| !j.flags.completing && j.ending.is_none()) {
                let ending = Ending { state: JobState::NodeFail, since: now, by: Uid(0), requeue };
                self.end_job(job, ending, " DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS", now);
            }
            let _ = self.epilog_complete(job, &[id], now);
        }
    }

    /// slurmd stops answering, or answers again.
    pub(super) fn node_responding(&mut self, id: NodeId, up: bool, now: Time) -> Result<(), SlurmError> {
        if id.0 as usize >= self.nodes.len() {
            return Err(SlurmError::InvalidNodeName);
        }
        let return_to_service = self.cluster.global.return_to_service;
        self.hear(id, up, now);
        let node = self.node_mut(id);
        if up && !node.flags.reboot_issued {
            node.slurmd_start = now;
            let ours = node.reason.as_ref().is_some_and(|r| r.by == SLURM_USER);
            if node.base == NodeBase::Down && (return_to_service == 2 || (return_to_service == 1 && ours)) {
                node.base = NodeBase::Idle;
                node.reason = None;
            }
            self.clock.want_schedule(now);
        }
        self.note_node(id, now);
        Ok(())
    }

    /// The node answers no more, and that is expected.
    pub(super) fn silenced(&mut self, id: NodeId, now: Time) {
        self.hear(id, false, now);
        self.index.silent.retain(|s| s.1 != id);
    }

    /// From now on the node answers, or does not.
    fn hear(&mut self, id: NodeId, up: bool, now: Time) {
        self.index.silent.retain(|s| s.1 != id);
        let (node, boot) = (self.node(id), self.boot);
        let expected = node.flags.reboot_issued;
        if !up && node.alive && !expected {
            let silence = pings::silence(boot, node.last_response, now, self.cluster.global.slurmd_timeout);
            let events = [node.responding.then_some(silence.noticed), silence.down];
            self.index.silent.extend(events.into_iter().flatten().map(|at| (at, id)));
        }
        let node = self.node_mut(id);
        node.alive = up;
        if up || expected {
            node.responding = up;
            node.last_response = now;
        }
    }
    /// The node's memory ran out and it restarts: its jobs are cancelled, and why stands in their Comment (Slurm itself
    /// does not notice the cause).
    pub(super) fn node_out_of_memory(
        &mut self,
        id: NodeId,
        culprit: JobId,
        comment: String,
        back: Time,
        now: Time,
    ) -> Result<(), SlurmError> {
        if id.0 as usize >= self.nodes.len() {
            return Err(SlurmError::InvalidNodeName);
        }
        let jobs: Vec<JobId> = self.node(id).jobs.keys().copied().collect();
        for job in jobs {
            if self.jobs.get(job).is_none_or(|j| j.state.ended() || j.flags.completing) {
                continue;
            }
            if job == culprit {
                self.change_job(job, |j| j.comment = Some(comment.clone()));
            }
            let ending = Ending { state: JobState::Cancelled, since: now, by: Uid(0), requeue: false };
            self.end_job(job, ending, " DUE to SIGNAL Terminated", now);
            self.record_cancelled(job, Uid(0));
        }
        self.hear(id, false, now);
        self.node_mut(id).boot = now;
        self.note_node(id, now);
        self.orders.push(Order::NodeRestarts { node: id, back });
        Ok(())
    }
}
