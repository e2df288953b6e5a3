//! Dynamic nodes: `scontrol create` and `delete nodename=`. Mirrors dynamic_nodes.html and `MaxNodeCount` of
//! slurm.conf(5).
//!
//! A new node joins the partitions with `Nodes=ALL` and those whose node sets name one of its features. It keeps its
//! number. Nodes do not register on their own: a `FUTURE` node stays one until an administrator changes its state.

use crate::Slurmctld;
use crate::rpc::request::{Caller, Order, Response};
use crate::state::edit;
use crate::state::error::SlurmError;
use crate::state::node::Node;
use base::bitset::BitSet;
use base::hostlist;
use base::ids::NodeId;
use base::time::Time;
use config::{GresKind, NodeConf};
use std::sync::Arc;

/// Maximum number of kinds of GRES: a request marks suitable kinds in one word of bits.
pub(crate) const MAX_KINDS: usize = 64;

/// A refusal: the error, and the line that scontrol prints before it.
type Refused = (SlurmError, Option<String>);

impl Slurmctld {
    /// `scontrol create nodename=...`: `line` is in the format of slurm.conf.
    pub(crate) fn create_nodes(&mut self, caller: Caller, line: &str, now: Time) -> Response {
        match self.new_nodes(caller, line).and_then(|nodes| self.add_nodes(nodes, now)) {
            Ok(()) => Response::Ok,
            Err((error, message)) => Response::Err { error, messages: message.into_iter().collect() },
        }
    }

    /// The nodes described by a line, if they may be created.
    fn new_nodes(&self, caller: Caller, line: &str) -> Result<Vec<NodeConf>, Refused> {
        self.operator_only(caller).map_err(|e| (e, None))?;
        if self.cluster.global.select.linear {
            return Err((SlurmError::NotSupported, None));
        }
        let nodes = NodeConf::parse_line(line, &self.cluster.global.gres_types)
            .ok_or_else(|| (SlurmError::Error, Some(format!("error: Failed to parse nodeline '{line}'"))))?;
        if nodes.iter().any(|n| !matches!(n.state.as_str(), "CLOUD" | "FUTURE" | "EXTERNAL")) {
            let text = "error: Only State=FUTURE and State=CLOUD allowed for nodes created by scontrol";
            return Err((SlurmError::InvalidNodeState, Some(text.to_owned())));
        }
        if let Some(known) = nodes.iter().find(|n| self.node_by_name(&n.name).is_some()) {
            let text = format!("error: Node {} already exists", known.name);
            return Err((SlurmError::NodeAlreadyExists, Some(text)));
        }
        Ok(nodes)
    }

    /// Adds nodes until the table is full.
    fn add_nodes(&mut self, nodes: Vec<NodeConf>, now: Time) -> Result<(), Refused> {
        for mut conf in nodes {
            let text = format!("error: Unable to add node, node table is full ({})", conf.name);
            self.check_node_count().map_err(|_| (SlurmError::NodeTableFull, Some(text)))?;
            self.number_gres(&mut conf).map_err(|e| (e, None))?;
            let id = self.take_number(&conf, now);
            self.edit_node(id, edit::node::set_dynamic());
            self.join_partitions(id);
            self.note_node(id, now);
        }
        self.orders.push(Order::NewNodes);
        self.resolve_features();
        self.cluster_changed();
        self.clock.want_schedule(now);
        Ok(())
    }

    /// `MaxNodeCount`, by default the number of nodes in slurm.conf.
    fn check_node_count(&self) -> Result<(), ()> {
        let here = self.nodes.iter().filter(|n| !n.gone);
        let (configured, all) = (here.clone().filter(|n| !n.dynamic).count(), here.count());
        let most = self.cluster.global.raw.get("MaxNodeCount").and_then(|n| n.parse().ok());
        if all < most.unwrap_or(0).max(configured) { Ok(()) } else { Err(()) }
    }

    /// Numbers a node's GRES with the existing kinds, or new ones.
    fn number_gres(&mut self, conf: &mut NodeConf) -> Result<(), SlurmError> {
        for gres in &mut conf.gres {
            let kind = GresKind { name: gres.name.clone(), kind: gres.kind.clone() };
            let kinds = &mut Arc::make_mut(&mut self.cluster).gres_kinds;
            let at = kinds.iter().position(|k| *k == kind).unwrap_or(kinds.len());
            if at >= MAX_KINDS {
                return Err(SlurmError::InvalidGres);
            }
            if at == kinds.len() {
                kinds.push(kind);
            }
            gres.id = u32::try_from(at).unwrap_or(0);
        }
        Ok(())
    }

    /// A node's number: the one from before its deletion, otherwise the next.
    fn take_number(&mut self, conf: &NodeConf, now: Time) -> NodeId {
        let old = self.nodes.iter().find(|n| n.gone && n.conf.name == conf.name).map(|n| n.id);
        let id = old.unwrap_or(NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)));
        let never = Time::default();
        let node = Node { boot: never, slurmd_start: never, ..Node::new(id, conf, now) };
        let at = id.0 as usize;
        if old.is_some() {
            self.edit_node(id, edit::node::replace(node));
            Arc::make_mut(&mut self.cluster).nodes[at] = conf.clone();
        } else {
            self.nodes.push(node);
            Arc::make_mut(&mut self.cluster).nodes.push(conf.clone());
        }
        id
    }

    /// Updates the partitions that take a node automatically or because of its features.
    pub(crate) fn join_partitions(&mut self, id: NodeId) {
        let Some(features) = self.nodes.get(id.0 as usize).map(|n| n.features().to_vec()) else { return };
        for part in &mut self.partitions {
            let among = |named: &[String]| named.iter().any(|f| features.contains(f));
            if part.all_nodes || among(&part.features) {
                part.nodes.insert(id.0);
            } else if !part.features.is_empty() && !part.named.contains(id.0) {
                part.nodes.remove(id.0);
            }
        }
    }

    /// `scontrol delete nodename=`: deletes all of them or none.
    pub(crate) fn delete_nodes(&mut self, caller: Caller, list: &str, now: Time) -> Response {
        match self.unused_nodes(caller, list) {
            Ok(nodes) => {
                nodes.into_iter().for_each(|id| self.delete_node(id, now));
                self.cluster_changed();
                Response::Ok
            }
            Err((error, message)) => Response::Err { error, messages: message.into_iter().collect() },
        }
    }

    fn unused_nodes(&self, caller: Caller, list: &str) -> Result<Vec<NodeId>, Refused> {
        self.operator_only(caller).map_err(|e| (e, None))?;
        let names = hostlist::expand(list).unwrap_or_default();
        let found: Vec<Option<NodeId>> = names.iter().map(|name| self.node_by_name(name)).collect();
        let failed =
            |which: Vec<String>| format!("error: failed to delete nodes {}", hostlist::compress(&which));
        let pick = |bad: &dyn Fn(&Option<NodeId>) -> bool| -> Vec<String> {
            names.iter().zip(&found).filter(|(_, id)| bad(id)).map(|(name, _)| name.clone()).collect()
        };
        let lost = pick(&Option::is_none);
        if !lost.is_empty() || names.is_empty() {
            return Err((SlurmError::InvalidNodeName, Some(failed(lost))));
        }
        // Nodes in slurm.conf cannot be deleted.
        let fixed = pick(&|id| id.is_some_and(|id| !self.node(id).dynamic));
        if !fixed.is_empty() {
            return Err((SlurmError::InvalidNodeState, Some(failed(fixed))));
        }
        let reserved: BitSet = self.reservations.iter().flat_map(|r| r.nodes.iter()).collect();
        let busy = |id: &Option<NodeId>| {
            id.is_some_and(|id| !self.node(id).jobs.is_empty() || reserved.contains(id.0))
        };
        let busy = pick(&busy);
        if !busy.is_empty() {
            return Err((SlurmError::NodesBusy, Some(failed(busy))));
        }
        Ok(found.into_iter().flatten().collect())
    }

    fn delete_node(&mut self, id: NodeId, now: Time) {
        self.drop_node(id, now);
        self.partitions.iter_mut().for_each(|part| part.nodes.remove(id.0));
        self.note_node(id, now);
    }
}
