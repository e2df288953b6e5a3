//! `scontrol reconfigure`: reads the configuration files again and applies them. Mirrors scontrol(1) and
//! `ReconfigFlags` of slurm.conf(5).
//!
//! As in Slurm since 23.11, files with an error change nothing. Nodes keep their numbers and new nodes follow them. A
//! node that the files no longer name loses its jobs and is hidden.

use crate::Slurmctld;
use crate::node_mgr::dynamic::MAX_KINDS;
use crate::rpc::request::{Caller, Order, Response};
use crate::state::edit;
use crate::state::error::SlurmError;
use crate::state::features;
use crate::state::node::Node;
use base::bitset::BitSet;
use base::diagnostic::Severity;
use base::ids::{JobId, NodeId};
use base::time::{Span, Time};
use config::{Cluster, GresKind, NodeConf, PartConf, SiteFiles, Topology};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Settings that a running slurmctld cannot change, and its error for each.
const FIXED: &[(&str, SlurmError)] = &[
    ("AuthType", SlurmError::InvalidAuthtypeChange),
    ("CredType", SlurmError::InvalidCredTypeChange),
    ("SchedulerType", SlurmError::InvalidSchedtypeChange),
    ("SelectType", SlurmError::InvalidSelecttypeChange),
    ("SwitchType", SlurmError::InvalidSwitchtypeChange),
];

/// The new files, translated to this controller's numbers.
struct Reconfiguration {
    cluster: Cluster,
    /// This controller's number for each node of the new files.
    numbers: Vec<u32>,
}

impl Slurmctld {
    /// Reads the files and applies them.
    pub(crate) fn reconfigure(&mut self, caller: Caller, files: &SiteFiles, now: Time) -> Response {
        let fail = |error, messages| Response::Err { error, messages };
        if let Err(error) = self.administrator_only(caller) {
            return fail(error, Vec::new());
        }
        let cluster = Cluster::parse(files);
        let errors = cluster.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        let errors: Vec<String> = errors.map(|d| format!("{}:{}: {}", d.file, d.line, d.message)).collect();
        if !errors.is_empty() {
            return fail(SlurmError::Error, errors);
        }
        match self.plan_of(cluster) {
            Ok(plan) => {
                self.follow(plan, now);
                self.note_reconfigured();
                Response::Ok
            }
            Err(error) => fail(error, Vec::new()),
        }
    }

    /// The reconfiguration, or why a running slurmctld cannot apply these files.
    fn plan_of(&self, mut cluster: Cluster) -> Result<Reconfiguration, SlurmError> {
        let (old, new) = (&self.cluster.global.raw, &cluster.global.raw);
        if let Some((_, error)) = FIXED.iter().find(|(key, _)| old.get(*key) != new.get(*key)) {
            return Err(*error);
        }
        if cluster.global.cluster_name != self.cluster.global.cluster_name {
            return Err(SlurmError::NeedRestart);
        }
        let numbers = self.numbers_of(&cluster.nodes);
        let kinds = self.renumber_gres(&mut cluster).ok_or(SlurmError::NeedRestart)?;
        cluster.gres_kinds = kinds;
        let busy = |number: u32| self.nodes.get(number as usize).filter(|n| !n.jobs.is_empty());
        let changed =
            |(conf, number): (&NodeConf, &u32)| busy(*number).is_some_and(|n| reshaped(&n.conf, conf));
        if cluster.nodes.iter().zip(&numbers).any(changed) {
            return Err(SlurmError::NeedRestart);
        }
        for part in &mut cluster.partitions {
            part.nodes = moved(&part.nodes, &numbers);
            part.named = moved(&part.named, &numbers);
        }
        cluster.topology = renumbered(cluster.topology, &numbers);
        Ok(Reconfiguration { cluster, numbers })
    }

    /// The numbers of the nodes: a known node keeps its number, a new one gets the next.
    fn numbers_of(&self, nodes: &[NodeConf]) -> Vec<u32> {
        let known: BTreeMap<&str, u32> = self.nodes.iter().map(|n| (n.conf.name.as_str(), n.id.0)).collect();
        let mut next = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let mut number = |conf: &NodeConf| {
            known.get(conf.name.as_str()).copied().unwrap_or_else(|| {
                next += 1;
                next - 1
            })
        };
        nodes.iter().map(&mut number).collect()
    }

    /// Kinds of GRES keep their numbers, because the requests of jobs refer to them. New kinds follow.
    fn renumber_gres(&self, cluster: &mut Cluster) -> Option<Vec<GresKind>> {
        let mut kinds = self.cluster.gres_kinds.clone();
        let mut numbers = Vec::new();
        for kind in &cluster.gres_kinds {
            let at = kinds.iter().position(|k| k == kind).unwrap_or(kinds.len());
            if at == kinds.len() {
                kinds.push(kind.clone());
            }
            numbers.push(u32::try_from(at).unwrap_or(0));
        }
        for gres in cluster.nodes.iter_mut().flat_map(|n| &mut n.gres) {
            gres.id = numbers.get(gres.id as usize).copied().unwrap_or(0);
        }
        (kinds.len() <= MAX_KINDS).then_some(kinds)
    }

    fn follow(&mut self, plan: Reconfiguration, now: Time) {
        let Reconfiguration { mut cluster, numbers } = plan;
        let partitions = self.partitions_to_be(&cluster);
        self.jobs.set_min_age(Span::from_secs(cluster.global.min_job_age.into()));
        let nodes = std::mem::take(&mut cluster.nodes);
        for (conf, number) in nodes.iter().zip(&numbers) {
            self.take_node(NodeId(*number), conf, now);
        }
        let named: BitSet = numbers.iter().copied().collect();
        let lost: Vec<NodeId> = self
            .nodes
            .iter()
            .filter(|n| !n.gone && !n.dynamic && !named.contains(n.id.0))
            .map(|n| n.id)
            .collect();
        cluster.nodes = self.nodes.iter().map(|n| n.conf.clone()).collect();
        self.cluster = Arc::new(cluster);
        self.share_resources();
        self.clock.tune(&self.cluster.global.scheduler_parameters);
        lost.into_iter().for_each(|id| self.drop_node(id, now));
        self.note_nodes(now);
        self.replace_partitions(partitions, now);
        let dynamic: Vec<NodeId> = self.nodes.iter().filter(|n| n.dynamic && !n.gone).map(|n| n.id).collect();
        dynamic.into_iter().for_each(|id| self.join_partitions(id));
        self.orders.push(Order::NewNodes);
        self.resolve_features();
        self.shares_changed();
        self.caches.forget();
    }

    /// The partitions of the new files, with the changes of the old ones that `ReconfigFlags` keeps.
    fn partitions_to_be(&self, new: &Cluster) -> Vec<PartConf> {
        let flags = new.global.raw.get("ReconfigFlags").map(String::as_str).unwrap_or_default();
        let flag = |name: &str| flags.split(',').any(|f| f.trim().eq_ignore_ascii_case(name));
        let (whole, state) = (flag("KeepPartInfo"), flag("KeepPartState"));
        let mut all = new.partitions.clone();
        for part in &mut all {
            match self.partitions.iter().find(|p| p.name == part.name) {
                Some(old) if whole => part.clone_from(old),
                Some(old) if state => part.state = old.state,
                Some(_) | None => {}
            }
        }
        if whole {
            let known: Vec<String> = all.iter().map(|p| p.name.clone()).collect();
            all.extend(self.partitions.iter().filter(|p| !known.contains(&p.name)).cloned());
        }
        all
    }

    /// Applies the node's configuration line. Its state stays.
    fn take_node(&mut self, id: NodeId, conf: &NodeConf, now: Time) {
        match self.nodes.get(id.0 as usize).map(|n| n.gone) {
            None => self.nodes.push(Node::new(id, conf, now)),
            Some(true) => self.edit_node(id, edit::node::replace(Node::new(id, conf, now))),
            Some(false) => {
                let reshaped = reshaped(&self.node(id).conf, conf);
                self.edit_node(id, edit::node::configure(conf.clone(), reshaped));
            }
        }
    }

    /// Removes a node that the files no longer name.
    pub(crate) fn drop_node(&mut self, id: NodeId, now: Time) {
        self.edit_node(id, edit::node::set_down());
        self.lose_jobs(id, now);
        self.edit_node(id, edit::node::delete());
    }

    /// Resolves the features of pending jobs again, against the current nodes.
    pub(crate) fn resolve_features(&mut self) {
        let asks = |j: &&crate::state::job::Job| j.needs.features.is_some() || j.needs.prefer.is_some();
        let ids: Vec<JobId> = self.pending_jobs().filter(asks).map(|j| j.id).collect();
        for id in ids {
            let Some(job) = self.jobs.get(id) else { continue };
            let find = |text: &Option<String>| {
                features::again(self, text.as_deref().unwrap_or_default()).map(Arc::new)
            };
            let (constraint, prefer) = (find(&job.desc.constraint), find(&job.desc.prefer));
            self.edit_job(id, edit::request::set_constraints(constraint, prefer));
        }
    }
}

/// Whether the node's resources are counted in a different way.
fn reshaped(old: &NodeConf, new: &NodeConf) -> bool {
    let shape = |n: &NodeConf| (n.sockets, n.cores_per_socket, n.threads_per_core, n.cpus);
    let gres = |n: &NodeConf| -> Vec<(u32, u32)> { n.gres.iter().map(|g| (g.id, g.count)).collect() };
    shape(old) != shape(new) || gres(old) != gres(new)
}

/// A set of nodes, translated to this controller's numbers.
fn moved(set: &BitSet, numbers: &[u32]) -> BitSet {
    set.iter().filter_map(|i| numbers.get(i as usize).copied()).collect()
}

fn renumbered(topology: Topology, numbers: &[u32]) -> Topology {
    match topology {
        Topology::Flat => Topology::Flat,
        Topology::Tree(mut switches) => {
            switches.iter_mut().for_each(|s| s.nodes = moved(&s.nodes, numbers));
            Topology::Tree(switches)
        }
        Topology::Block { sizes, mut blocks } => {
            blocks.iter_mut().for_each(|b| b.nodes = moved(&b.nodes, numbers));
            Topology::Block { sizes, blocks }
        }
    }
}
