//! The free resources of a node.

use super::{Exclusive, exclusive, share};
use crate::Slurmctld;
use crate::state::job::{Job, NodeAlloc};
use base::bitset::BitSet;
use base::ids::{JobId, PartId, Uid};

/// The free resources of one node, and the jobs on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Free {
    pub cores: BitSet,
    pub mem: u64,
    /// In the order of the node's gres list.
    pub gres: Vec<BitSet>,
    /// The jobs on the node.
    pub jobs: Vec<NodeJob>,
    /// Some of its cores are reserved for other jobs.
    pub partly_reserved: bool,
}

/// A job on a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NodeJob {
    pub job: JobId,
    pub uid: Uid,
    /// It shares the node only with jobs of the same user.
    pub exclusive_user: bool,
    /// It has specialised cores (`--core-spec`) and shares the node with no job.
    pub core_spec: bool,
    /// It shares the node only with jobs of this MCS label.
    pub mcs: Option<String>,
    /// If its partition shares cores: the partition and the job's cores.
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
            jobs: Vec::new(),
            partly_reserved: false,
        }
    }

    /// Resets this to an idle node. Its memory is reused.
    pub(super) fn reset(&mut self, idle: &Self) {
        self.cores.clone_from(&idle.cores);
        self.mem = idle.mem;
        if !idle.gres.is_empty() || !self.gres.is_empty() {
            self.gres.clone_from(&idle.gres);
        }
        self.jobs.clear();
        self.partly_reserved = false;
    }

    pub(super) fn allocate(&mut self, ctld: &Slurmctld, part: &NodeAlloc, job: &Job) {
        self.cores.subtract(&part.cores);
        self.mem = self.mem.saturating_sub(part.memory);
        for (i, used) in &part.gres {
            self.gres[*i as usize].subtract(used);
        }
        let capped = |p: &&PartId| ctld.partition(**p).caps_cpus();
        let layered = |p: &&PartId| share::layers(ctld, **p, job.needs.share) > 1;
        self.jobs.push(NodeJob {
            job: job.id,
            uid: job.uid(),
            exclusive_user: exclusive(ctld, job) == Some(Exclusive::User),
            core_spec: job.needs.core_spec.is_some(),
            mcs: job.needs.mcs.clone(),
            shared: job.partitions.first().filter(layered).map(|p| (*p, part.cores.clone())),
            capped: job.partitions.first().filter(capped).map(|p| (*p, part.cores.clone())),
        });
    }

    /// Whether everything that is free in `other` is free here, and all jobs here are also there.
    pub(super) fn covers(&self, other: &Self) -> bool {
        other.cores.is_subset(&self.cores)
            && other.mem <= self.mem
            && other.gres.iter().zip(&self.gres).all(|(other, own)| other.is_subset(own))
            && self.jobs.iter().all(|g| other.jobs.contains(g))
    }

    pub(super) fn release(&mut self, part: &NodeAlloc, job: JobId) {
        self.cores.union_with(&part.cores);
        self.mem += part.memory;
        for (i, used) in &part.gres {
            self.gres[*i as usize].union_with(used);
        }
        self.jobs.retain(|g| g.job != job);
        self.cores.subtract(&share::shared_cores(&self.jobs));
    }
}
