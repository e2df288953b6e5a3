//! Nodes' states as administrators set them. Mirrors `scontrol update nodename=`, `reboot` and `power`. What nodes do
//! by themselves is in `node_events`.

use super::Slurmctld;
use super::error::SlurmError;
use super::node::{NodeBase, NodeReason, PowerDown};
use super::request::{Caller, NodeUpdate, Reboot};
use crate::base::hostlist;
use crate::base::ids::NodeId;
use crate::base::time::{Span, Time, next_second};
use crate::config::{GresConf, NodeConf};

/// `a,b` as a list.
fn names(text: &str) -> Vec<String> {
    text.split(',').filter(|f| !f.is_empty()).map(str::to_owned).collect()
}

impl Slurmctld {
    /// The nodes of a host list (`ALL`: all of them).
    pub(super) fn nodes_named(&self, list: &str) -> Result<Vec<NodeId>, SlurmError> {
        if list.eq_ignore_ascii_case("ALL") {
            return Ok(self.nodes.iter().filter(|n| !n.gone).map(|n| n.id).collect());
        }
        let names = hostlist::expand(list).map_err(|_| SlurmError::InvalidNodeName)?;
        names.iter().map(|n| self.node_by_name(n).ok_or(SlurmError::InvalidNodeName)).collect()
    }

    /// `scontrol update nodename=`. What one node refuses, others may still do.
    pub(super) fn update_nodes(
        &mut self,
        caller: Caller,
        change: &NodeUpdate,
        now: Time,
    ) -> Result<(), SlurmError> {
        self.administrator_only(caller)?;
        let mut done = Ok(());
        for id in self.nodes_named(&change.nodes)? {
            if let Err(error) = self.update_node(caller, id, change, now) {
                done = Err(error);
            }
            self.note_node(id, now);
        }
        if change.features.is_some() || change.active_features.is_some() {
            self.resolve_features();
        }
        self.clock.want_schedule(now);
        done
    }

    fn update_node(
        &mut self,
        caller: Caller,
        id: NodeId,
        change: &NodeUpdate,
        now: Time,
    ) -> Result<(), SlurmError> {
        if let Some(gres) = &change.gres {
            self.set_gres(id, gres)?;
        }
        let node = self.node_mut(id);
        if let Some(weight) = change.weight {
            node.conf.weight = weight;
        }
        if let Some(comment) = &change.comment {
            node.comment = Some(comment.clone()).filter(|c| !c.is_empty());
        }
        if let Some(extra) = &change.extra {
            node.extra = Some(extra.clone()).filter(|c| !c.is_empty());
        }
        if let Some(features) = &change.features {
            (node.conf.features, node.active) = (names(features), None);
        }
        if let Some(active) = change.active_features.as_deref().map(names) {
            if active.iter().any(|f| !node.conf.features.contains(f)) {
                return Err(SlurmError::ActiveFeatureNotSubset);
            }
            node.active = Some(active);
        }
        if change.features.is_some() || change.active_features.is_some() {
            self.join_partitions(id);
        }
        let node = self.node_mut(id);
        if let Some(text) = &change.reason {
            node.reason = Some(NodeReason { text: text.clone(), by: caller.uid, at: now });
        }
        if let Some(seconds) = change.resume_after {
            node.resume_after = seconds.map(|s| now + Span::from_secs(s.into()));
        }
        match &change.state {
            None => Ok(()),
            Some(state) => self.set_state(id, state, now),
        }
    }

    /// `Gres=`: only what has no device files can be counted otherwise; names that the cluster does not know are left alone,
    /// as recorded of 22.05.
    fn set_gres(&mut self, id: NodeId, text: &str) -> Result<(), SlurmError> {
        let wanted = NodeConf::parse_gres(text, &self.cluster.global.gres_types);
        let have = &self.node(id).conf.gres;
        let sum = |list: &[GresConf], name: &str| -> u64 {
            list.iter().filter(|g| g.name == name).map(|g| u64::from(g.count)).sum()
        };
        let devices = |g: &GresConf| g.is_gpu() || g.shares() || !g.files.is_empty();
        let fixed = have.iter().chain(&wanted).filter(|g| devices(g));
        if fixed.clone().any(|g| sum(have, &g.name) != sum(&wanted, &g.name) && sum(&wanted, &g.name) > 0) {
            return Err(SlurmError::InvalidGres);
        }
        let node = self.node_mut(id);
        for (gres, used) in node.conf.gres.iter_mut().zip(&node.gres_used) {
            let same = wanted.iter().find(|w| w.name == gres.name && w.kind == gres.kind);
            let named = text.trim().is_empty() || wanted.iter().any(|w| w.name == gres.name);
            if named && !devices(gres) {
                let new = same;
                // What jobs hold stays theirs.
                let held = used.iter().last().map_or(0, |last| last + 1);
                gres.count = new.map_or(0, |g| g.count).max(held);
            }
        }
        Ok(())
    }

    /// The words that `State=` takes, as the node's present state lets it.
    fn set_state(&mut self, id: NodeId, state: &str, now: Time) -> Result<(), SlurmError> {
        let node = self.node_mut(id);
        match state {
            "drain" => node.flags.drain = true,
            "fail" => node.flags.fail = true,
            "down" => {
                node.base = NodeBase::Down;
                node.flags.planned = false;
                self.lose_jobs(id, now);
            }
            "future" if node.jobs.is_empty() => node.base = NodeBase::Future,
            "noresp" => node.responding = false,
            "undrain" => {
                node.flags.drain = false;
                node.reason = None;
            }
            "idle" if node.base == NodeBase::Future => return Err(SlurmError::InvalidNodeState),
            "idle" => self.resume_service(id, now),
            "resume" => {
                let f = node.flags;
                let nothing = node.base == NodeBase::Idle
                    && !(f.drain || f.fail || f.power_down || f.powering_up || f.powering_down);
                if nothing {
                    return Err(SlurmError::InvalidNodeStateTransition);
                }
                self.resume_service(id, now);
            }
            "power_down" => return self.power_down(id, PowerDown::WhenIdle, now),
            "power_down_asap" => return self.power_down(id, PowerDown::Asap, now),
            "power_down_force" => return self.power_down(id, PowerDown::Force, now),
            "power_up" => return self.power_up(id, now),
            "cancel_reboot" => return self.cancel_reboot(id),
            _ => return Err(SlurmError::InvalidNodeState),
        }
        Ok(())
    }

    /// Back to service. One that was down is not heard of until the next ping.
    fn resume_service(&mut self, id: NodeId, now: Time) {
        let boot = self.boot;
        let node = self.node_mut(id);
        node.flags.drain = false;
        node.flags.fail = false;
        node.flags.power_down = false;
        node.reason = None;
        node.resume_after = None;
        if node.flags.powering_up || node.flags.powering_down {
            node.flags.powering_up = false;
            node.flags.powering_down = false;
            node.until = None;
            node.alive = true;
        }
        if matches!(node.base, NodeBase::Down | NodeBase::Unknown | NodeBase::Future) {
            // The machine of a node that was none so far is there from now on.
            node.alive |= node.base == NodeBase::Future;
            node.base = NodeBase::Idle;
            node.flags.reboot_issued = false;
            if !node.flags.powered_down {
                node.responding = false;
                node.until = Some(next_second(boot, now));
            }
        }
    }

    /// `ResumeAfter` is over.
    pub(super) fn resume_after(&mut self, id: NodeId, now: Time) {
        self.resume_service(id, now);
        self.clock.want_schedule(now);
    }

    /// `scontrol reboot`.
    pub(super) fn reboot_nodes(&mut self, caller: Caller, how: &Reboot, now: Time) -> Result<(), SlurmError> {
        self.administrator_only(caller)?;
        for id in self.nodes_named(&how.nodes)? {
            self.reboot_node(id, how, caller.uid, now);
            self.note_node(id, now);
        }
        Ok(())
    }
}
