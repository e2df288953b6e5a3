//! Nodes' states: drained, down, not answering, restarting. Mirrors `scontrol update nodename=` and SlurmdTimeout.

use super::Slurmctld;
use super::error::SlurmError;
use super::job::{Ending, JobState};
use super::node::{NodeBase, NodeReason};
use super::request::{Caller, Order};
use crate::base::hostlist;
use crate::base::ids::{JobId, NodeId, Uid};
use crate::base::time::{Span, Time};

/// What `scontrol update nodename=` changes.
pub(super) struct NodeChange {
    pub state: Option<String>,
    pub reason: Option<String>,
    pub weight: Option<u32>,
    pub comment: Option<String>,
}

impl Slurmctld {
    pub(super) fn update_nodes(
        &mut self,
        caller: Caller,
        list: &str,
        change: NodeChange,
        now: Time,
    ) -> Result<(), SlurmError> {
        self.operator_only(caller)?;
        let names = hostlist::expand(list).map_err(|_| SlurmError::InvalidNodeName)?;
        let ids: Result<Vec<NodeId>, SlurmError> =
            names.iter().map(|n| self.node_by_name(n).ok_or(SlurmError::InvalidNodeName)).collect();
        for id in ids? {
            self.update_node(caller, id, &change, now)?;
        }
        self.clock.want_schedule(now);
        Ok(())
    }

    fn update_node(
        &mut self,
        caller: Caller,
        id: NodeId,
        change: &NodeChange,
        now: Time,
    ) -> Result<(), SlurmError> {
        if let Some(weight) = change.weight {
            self.node_mut(id).conf.weight = weight;
        }
        if let Some(comment) = &change.comment {
            self.node_mut(id).comment = Some(comment.clone());
        }
        if let Some(text) = &change.reason {
            self.node_mut(id).reason = Some(NodeReason { text: text.clone(), by: caller.uid, at: now });
        }
        let Some(state) = &change.state else { return Ok(()) };
        match state.to_ascii_lowercase().as_str() {
            "drain" => self.node_mut(id).flags.drain = true,
            "fail" => self.node_mut(id).flags.fail = true,
            "down" => {
                self.node_mut(id).base = NodeBase::Down;
                self.lose_jobs(id, now);
            }
            "resume" | "undrain" | "idle" => {
                let node = self.node_mut(id);
                node.flags.drain = false;
                node.flags.fail = false;
                if state.eq_ignore_ascii_case("resume") || state.eq_ignore_ascii_case("idle") {
                    node.base = NodeBase::Idle;
                }
                node.reason = None;
            }
            _ => return Err(SlurmError::InvalidNodeState),
        }
        Ok(())
    }

    /// Everything that runs on a node is lost with it.
    fn lose_jobs(&mut self, id: NodeId, now: Time) {
        let jobs: Vec<JobId> = self.node(id).jobs.keys().copied().collect();
        for job in jobs {
            let requeue = self.jobs.get(job).is_some_and(|j| j.requeue && j.is_batch());
            if self.jobs.get(job).is_some_and(|j| !j.flags.completing && j.ending.is_none()) {
                let ending = Ending { state: JobState::NodeFail, since: now, by: Uid(0), requeue };
                self.end_job(job, ending, " DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS", now);
            }
            let _ = self.epilog_complete(job, id, now);
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
        if up {
            node.slurmd_start = now;
            let ours = node.reason.as_ref().is_some_and(|r| r.text.starts_with("Not responding"));
            if node.base == NodeBase::Down && (return_to_service == 2 || (return_to_service == 1 && ours)) {
                node.base = NodeBase::Idle;
                node.reason = None;
            }
            self.clock.want_schedule(now);
        }
        Ok(())
    }

    /// When a silent node is given up.
    pub(super) fn next_node_event(&self) -> Option<Time> {
        self.index.silent.first().map(|s| s.0)
    }

    pub(super) fn node_events(&mut self, now: Time) {
        while let Some(&(at, id)) = self.index.silent.first() {
            if at > now {
                break;
            }
            self.index.silent.pop_first();
            let node = self.node_mut(id);
            if node.base == NodeBase::Down {
                continue;
            }
            node.base = NodeBase::Down;
            node.reason = Some(NodeReason { text: "Not responding".to_owned(), by: Uid(0), at: now });
            self.lose_jobs(id, now);
            self.clock.want_schedule(now);
        }
    }

    /// From now on the node answers, or does not.
    fn hear(&mut self, id: NodeId, up: bool, now: Time) {
        let timeout = Span::from_secs(self.cluster.global.slurmd_timeout.max(1).into());
        self.index.silent.retain(|s| s.1 != id);
        if !up {
            self.index.silent.insert((now + timeout, id));
        }
        let node = self.node_mut(id);
        node.responding = up;
        node.last_response = now;
    }

    /// The OOM killer took the job's processes: it ends as OUT_OF_MEMORY once its script is gone.
    pub(super) fn out_of_memory(&mut self, job: JobId, now: Time) -> Result<(), SlurmError> {
        self.jobs.get(job).ok_or(SlurmError::InvalidJobId)?;
        self.change_job(job, |job| {
            job.ending =
                Some(Ending { state: JobState::OutOfMemory, since: now, by: Uid(0), requeue: false });
        });
        Ok(())
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
        self.orders.push(Order::NodeRestarts { node: id, back });
        Ok(())
    }
}
