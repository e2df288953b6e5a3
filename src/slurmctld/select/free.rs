//! What is free on a node.

use super::{Exclusive, alone, share};
use crate::Slurmctld;
use crate::state::job::{Job, NodeAlloc};
use base::bitset::BitSet;
use base::ids::{JobId, PartId, Uid};

/// What is free on one node, and who is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Free {
    pub cores: BitSet,
    pub mem: u64,
    /// In the order of the node's gres list.
    pub gres: Vec<BitSet>,
    /// Jobs there.
    pub guests: Vec<NodeJob>,
    /// Some of its cores are reserved for others.
    pub cut: bool,
}

/// A job on a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NodeJob {
    pub job: JobId,
    pub uid: Uid,
    /// It shares the node with no other user.
    pub alone: bool,
    /// It has all of the node that it wants (`--core-spec`): nobody joins it.
    pub whole: bool,
    /// The MCS label of those who may join it.
    pub mcs: Option<String>,
    /// Where its partition lets others onto its cores: the partition and the cores.
    pub shared: Option<(PartId, BitSet)>,
    /// If its partition limits the CPUs of a node: the partition and the job's cores.
    pub capped: Option<(PartId, BitSet)>,
}

impl Free {
    pub(super) fn of_idle(node: &crate::state::node::Node) -> Self {
        Self {
            cores: node.conf.job_cores(),
            mem: node.conf.usable_memory(),
            gres: node.conf.gres.iter().map(|g| BitSet::full(g.units())).collect(),
            guests: Vec::new(),
            cut: false,
        }
    }

    /// Becomes that of an idle node; keeps its memory.
    pub(super) fn renew(&mut self, idle: &Self) {
        self.cores.clone_from(&idle.cores);
        self.mem = idle.mem;
        if !idle.gres.is_empty() || !self.gres.is_empty() {
            self.gres.clone_from(&idle.gres);
        }
        self.guests.clear();
        self.cut = false;
    }

    pub(super) fn take(&mut self, ctld: &Slurmctld, part: &NodeAlloc, job: &Job) {
        self.cores.subtract(&part.cores);
        self.mem = self.mem.saturating_sub(part.memory);
        for (i, used) in &part.gres {
            self.gres[*i as usize].subtract(used);
        }
        let capped = |p: &&PartId| ctld.partition(**p).caps_cpus();
        let layered = |p: &&PartId| share::layers(ctld, **p, job.needs.share) > 1;
        self.guests.push(NodeJob {
            job: job.id,
            uid: job.uid(),
            alone: alone(ctld, job) == Some(Exclusive::User),
            whole: job.needs.core_spec.is_some(),
            mcs: job.needs.mcs.clone(),
            shared: job.partitions.first().filter(layered).map(|p| (*p, part.cores.clone())),
            capped: job.partitions.first().filter(capped).map(|p| (*p, part.cores.clone())),
        });
    }

    /// Whether all that is free in another is free here, and nobody is here who is not there.
    pub(super) fn covers(&self, other: &Self) -> bool {
        other.cores.is_subset(&self.cores)
            && other.mem <= self.mem
            && other.gres.iter().zip(&self.gres).all(|(other, own)| other.is_subset(own))
            && self.guests.iter().all(|g| other.guests.contains(g))
    }

    pub(super) fn give(&mut self, part: &NodeAlloc, job: JobId) {
        self.cores.union_with(&part.cores);
        self.mem += part.memory;
        for (i, used) in &part.gres {
            self.gres[*i as usize].union_with(used);
        }
        self.guests.retain(|g| g.job != job);
        self.cores.subtract(&share::still_used(&self.guests));
    }
}
