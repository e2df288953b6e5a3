//! Changes of nodes that no command triggers: failures, recoveries, boots, power saving, restarts. Mirrors
//! SlurmdTimeout and ReturnToService of slurm.conf(5).
//!
//! One index holds the next event of each node, maintained by [`Slurmctld::note_node`], so nothing scans all nodes.

use super::pings;
use crate::Slurmctld;
use crate::rpc::request::Order;
use crate::state::edit;
use crate::state::error::SlurmError;
use crate::state::job::{Ending, JobState};
use crate::state::node::SLURM_USER;
use crate::state::node::{Node, NodeBase};
use base::ids::{JobId, NodeId, Uid};
use base::time::{Span, Time, earlier};

impl Slurmctld {
    /// Recomputes the next event of every node.
    pub(crate) fn note_nodes(&mut self, now: Time) {
        (0..self.nodes.len())
            .filter_map(|i| u32::try_from(i).ok())
            .for_each(|i| self.note_node(NodeId(i), now));
    }

    /// Recomputes the next event of a node after a change of its state.
    pub(crate) fn note_node(&mut self, id: NodeId, now: Time) {
        let due = self.node_due(self.node(id), now);
        self.nodes.settle(id, due);
    }

    fn node_due(&self, node: &Node, now: Time) -> Option<Time> {
        let f = node.flags;
        let leaves = (f.reboot_requested || f.power_down) && node.jobs.is_empty();
        let at_once = (leaves && !f.powering_down && !f.reboot_issued).then_some(now);
        let pending = if node.until.is_some() { node.until } else { at_once.or(self.suspend_due(node)) };
        earlier(pending, node.resume_after)
    }

    /// When the next node event is due: a transition, or the time-out of a silent node.
    pub(crate) fn next_node_event(&self) -> Option<Time> {
        let silent = self.nodes.index().silent.first().map(|s| s.0);
        let due = self.nodes.index().due.first().map(|s| s.0);
        earlier(silent, due)
    }

    pub(crate) fn node_events(&mut self, now: Time) {
        while let Some(id) = self.nodes.take_due(now) {
            self.node_event(id, now);
            self.note_node(id, now);
        }
        while let Some(id) = self.nodes.take_silent(now) {
            self.silent(id, now);
            self.note_node(id, now);
        }
    }

    /// Handles a node's due event.
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

    /// Pings a node.
    fn ping(&mut self, id: NodeId, now: Time) {
        self.clock.note_ping(now);
        self.edit_node(id, edit::node::ping());
        let node = self.node(id);
        if node.alive && !node.responding {
            self.edit_node(id, edit::node::answer(now));
            self.nodes.forget_silence(id);
            self.clock.want_schedule(now);
        } else if !node.alive {
            let timeout = Span::from_secs(self.cluster.global.slurmd_timeout.max(1).into());
            self.nodes.expect_silence(id, now + timeout);
        }
    }

    /// Handles an unanswered ping: first the node does not respond, finally it is down.
    fn silent(&mut self, id: NodeId, now: Time) {
        if !self.node(id).responding {
            return self.give_up(id, "Not responding", now);
        }
        self.edit_node(id, edit::node::set_silent());
        self.clock.want_schedule(now);
    }

    /// Sets a node down because it does not respond.
    fn give_up(&mut self, id: NodeId, why: &str, now: Time) {
        let node = self.node(id);
        if node.base == NodeBase::Down || node.flags.powered_down || node.flags.powering_down {
            return;
        }
        self.edit_node(id, edit::node::give_up(why, now));
        self.lose_jobs(id, now);
        self.clock.want_schedule(now);
    }

    /// With `--no-kill`, whether a job survives the loss of a node: others are left, among them its script's.
    fn survives(&self, job: JobId, lost: NodeId) -> bool {
        let Some(job) = self.jobs.get(job).filter(|j| j.desc.no_kill && !j.flags.completing) else {
            return false;
        };
        let others = job.allocation.as_ref().is_some_and(|a| a.nodes.len() > 1);
        job.state == JobState::Running && others && !(job.is_batch() && job.batch_host == Some(lost))
    }

    /// Ends everything that runs on a lost node.
    pub(crate) fn lose_jobs(&mut self, id: NodeId, now: Time) {
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

    /// slurmd stops responding, or responds again.
    pub(crate) fn node_responding(&mut self, id: NodeId, up: bool, now: Time) -> Result<(), SlurmError> {
        if id.0 as usize >= self.nodes.len() {
            return Err(SlurmError::InvalidNodeName);
        }
        let return_to_service = self.cluster.global.return_to_service;
        self.note_response(id, up, now);
        let node = self.node(id);
        if up && !node.flags.reboot_issued {
            let ours = node.reason.as_ref().is_some_and(|r| r.by == SLURM_USER);
            let returns = return_to_service == 2 || (return_to_service == 1 && ours);
            let in_service = node.base == NodeBase::Down && returns;
            self.edit_node(id, edit::node::register(in_service, now));
            self.clock.want_schedule(now);
        }
        self.note_node(id, now);
        Ok(())
    }

    /// Notes that a node stops responding as expected.
    pub(crate) fn silenced(&mut self, id: NodeId, now: Time) {
        self.note_response(id, false, now);
        self.nodes.forget_silence(id);
    }

    /// Notes whether the node responds.
    fn note_response(&mut self, id: NodeId, up: bool, now: Time) {
        self.nodes.forget_silence(id);
        let (node, boot) = (self.node(id), self.boot);
        let expected = node.flags.reboot_issued;
        if !up && node.alive && !expected {
            let silence = pings::silence(boot, node.last_response, now, self.cluster.global.slurmd_timeout);
            let events = [node.responding.then_some(silence.noticed), silence.down];
            events.into_iter().flatten().for_each(|at| self.nodes.expect_silence(id, at));
        }
        self.edit_node(id, edit::node::set_alive(up, up || expected, now));
    }
    /// The node's memory ran out and it restarts. Its jobs are cancelled, and their Comment says why (Slurm itself does
    /// not notice the cause).
    pub(crate) fn node_out_of_memory(
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
        self.note_response(id, false, now);
        self.edit_node(id, edit::node::boot(now));
        // The restarting program reports it: no job may start on the node until slurmd is back.
        self.edit_node(id, edit::node::set_silent());
        self.edit_node(id, edit::node::give_up("Node restarts", now));
        self.nodes.forget_silence(id);
        let jobs: Vec<JobId> = self.node(id).jobs.keys().copied().collect();
        for job in jobs {
            if self.jobs.get(job).is_some_and(|j| !j.state.ended() && !j.flags.completing) {
                if job == culprit {
                    self.edit_job(job, edit::request::set_comment(comment.clone()));
                }
                let ending = Ending { state: JobState::Cancelled, since: now, by: Uid(0), requeue: false };
                self.end_job(job, ending, " DUE to SIGNAL Terminated", now);
                self.record_cancelled(job, Uid(0));
            }
            // Nothing is left there to clean up.
            let _ = self.epilog_complete(job, &[id], now);
        }
        self.clock.want_schedule(now);
        self.note_node(id, now);
        self.orders.push(Order::NodeRestarts { node: id, back });
        Ok(())
    }
}
