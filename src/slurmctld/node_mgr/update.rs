//! Node states set by administrators. Mirrors `scontrol update nodename=`, `reboot` and `power`. Other changes of nodes
//! are in `events`.

use crate::Slurmctld;
use crate::rpc::request::{Caller, NodeUpdate, Reboot};
use crate::state::edit;
use crate::state::edit::node::NodeAttributes;
use crate::state::error::SlurmError;
use crate::state::node::{NodeBase, PowerDown};
use base::hostlist;
use base::ids::NodeId;
use base::time::{Span, Time, next_second};
use config::{GresConf, NodeConf};

/// `a,b` as a list.
fn names(text: &str) -> Vec<String> {
    text.split(',').filter(|f| !f.is_empty()).map(str::to_owned).collect()
}

impl Slurmctld {
    /// The nodes of a host list (`ALL`: all of them).
    pub(crate) fn nodes_named(&self, list: &str) -> Result<Vec<NodeId>, SlurmError> {
        if list.eq_ignore_ascii_case("ALL") {
            return Ok(self.nodes.iter().filter(|n| !n.gone).map(|n| n.id).collect());
        }
        let names = hostlist::expand(list).map_err(|_| SlurmError::InvalidNodeName)?;
        names.iter().map(|n| self.node_by_name(n).ok_or(SlurmError::InvalidNodeName)).collect()
    }

    /// `scontrol update nodename=`. If one node refuses, the others are still updated.
    pub(crate) fn update_nodes(
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
        if change.topology.is_some() {
            return Err(SlurmError::RequestedTopoConfigUnavailable);
        }
        if let Some(features) = change.features.as_deref().map(names) {
            // Active features cannot be removed.
            let node = self.node(id);
            let active = node.active.as_ref().unwrap_or(&node.conf.features);
            let stays = change.active_features.is_some() || active.iter().all(|f| features.contains(f));
            if !stays {
                return Err(SlurmError::ActiveFeatureNotSubset);
            }
        }
        if let Some(gres) = &change.gres {
            self.set_gres(id, gres)?;
        }
        let labels = NodeAttributes {
            weight: change.weight,
            comment: change.comment.clone(),
            extra: change.extra.clone(),
            features: change.features.as_deref().map(names),
            names: change.names.clone(),
        };
        self.edit_node(id, edit::node::label(labels));
        if let Some(active) = change.active_features.as_deref().map(names) {
            if active.iter().any(|f| !self.node(id).conf.features.contains(f)) {
                return Err(SlurmError::ActiveFeatureNotSubset);
            }
            self.edit_node(id, edit::node::set_active_features(active));
        }
        if change.features.is_some() || change.active_features.is_some() {
            self.join_partitions(id);
        }
        // A node in service has no reason.
        let node = self.node(id);
        let out = node.base == NodeBase::Down || node.flags.drain || node.flags.fail;
        if let Some(text) = change.reason.as_ref().filter(|_| out || change.state.is_some()) {
            self.edit_node(id, edit::node::set_reason(text, caller.uid, now));
        }
        if let Some(seconds) = change.resume_after {
            let at = seconds.map(|s| now + Span::from_secs(s.into()));
            self.edit_node(id, edit::node::set_resume_after(at));
        }
        match &change.state {
            None => Ok(()),
            Some(state) => self.set_state(id, state, now),
        }
    }

    /// `Gres=`: only GRES without device files can get another count. An empty list removes those with files, too, as
    /// recorded (77), and their names bring them back. Names that the cluster does not know are ignored, as recorded
    /// from 22.05.
    fn set_gres(&mut self, id: NodeId, text: &str) -> Result<(), SlurmError> {
        let wanted = NodeConf::parse_gres(text, &self.cluster.global.gres_types);
        let have = &self.node(id).conf.gres;
        // The node's own count, even while it is removed.
        let own = |g: &GresConf| u32::try_from(g.files.len()).unwrap_or(u32::MAX).max(g.count);
        let sum = |list: &[GresConf], name: &str| -> u64 {
            list.iter().filter(|g| g.name == name).map(|g| u64::from(own(g))).sum()
        };
        let devices = |g: &GresConf| g.is_gpu() || g.shares() || !g.files.is_empty();
        let fixed = have.iter().chain(&wanted).filter(|g| devices(g));
        if fixed.clone().any(|g| sum(have, &g.name) != sum(&wanted, &g.name) && sum(&wanted, &g.name) > 0) {
            return Err(SlurmError::InvalidGres);
        }
        let count = |gres: &GresConf| {
            let same = wanted.iter().find(|w| w.name == gres.name && w.kind == gres.kind);
            let named = wanted.iter().any(|w| w.name == gres.name);
            match (text.trim().is_empty(), named) {
                (true, _) => Some(0),
                (false, false) => None,
                (false, true) if devices(gres) => Some(own(gres)),
                (false, true) => Some(same.map_or(0, |g| g.count)),
            }
        };
        let counts = have.iter().enumerate().filter_map(|(at, gres)| Some((at, count(gres)?))).collect();
        self.edit_node(id, edit::node::set_gres_counts(counts));
        Ok(())
    }

    /// Applies `State=` as far as the node's present state permits.
    fn set_state(&mut self, id: NodeId, state: &str, now: Time) -> Result<(), SlurmError> {
        let node = self.node(id);
        match state {
            "drain" => self.edit_node(id, edit::node::drain()),
            "fail" => self.edit_node(id, edit::node::fail()),
            "down" => {
                self.edit_node(id, edit::node::set_down());
                self.lose_jobs(id, now);
            }
            "future" if node.jobs.is_empty() => self.edit_node(id, edit::node::set_future()),
            "noresp" => self.edit_node(id, edit::node::set_silent()),
            "undrain" => self.edit_node(id, edit::node::undrain()),
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
            _ => return Err(SlurmError::InvalidNodeStateTransition),
        }
        Ok(())
    }

    /// Returns a node to service. A node that was down does not respond until the next ping.
    fn resume_service(&mut self, id: NodeId, now: Time) {
        let ping = next_second(self.boot, now);
        self.edit_node(id, edit::node::resume_service(ping));
    }

    /// Returns a node to service when its `ResumeAfter` has passed.
    pub(crate) fn resume_after(&mut self, id: NodeId, now: Time) {
        self.resume_service(id, now);
        self.clock.want_schedule(now);
    }

    /// `scontrol reboot`.
    pub(crate) fn reboot_nodes(&mut self, caller: Caller, how: &Reboot, now: Time) -> Result<(), SlurmError> {
        self.administrator_only(caller)?;
        for id in self.nodes_named(&how.nodes)? {
            self.reboot_node(id, how, caller.uid, now);
            self.note_node(id, now);
        }
        Ok(())
    }
}
