//! What a job needs, worked out of what was asked: defaults of partition and cluster, tasks, CPUs, memory, GRES.

use super::Slurmctld;
use super::error::SlurmError;
use super::job::{GresReq, JobDesc, Memory, Needs};
use crate::base::bitset::BitSet;
use crate::base::hostlist;
use crate::base::ids::PartId;
use crate::base::tres::Tres;
use crate::config::{PartConf, PriorityFlags};
use std::collections::BTreeMap;

impl Slurmctld {
    /// The needs of a description in a partition.
    pub(super) fn needs(&self, desc: &JobDesc, part: PartId) -> Result<Needs, SlurmError> {
        let conf = self.partition(part);
        let asked_nodes = desc.min_nodes;
        let per_node = desc.ntasks_per_node.unwrap_or(0);
        let ntasks = match (desc.ntasks, asked_nodes) {
            (Some(n), _) => n,
            (None, Some(nodes)) => nodes.saturating_mul(per_node.max(1)),
            (None, None) => per_node.max(1),
        };
        let cpus_per_task = desc.cpus_per_task.unwrap_or(1).max(1);
        let required = self.named_nodes(desc.nodelist.as_deref())?;
        let excluded = self.named_nodes(desc.exclude.as_deref())?;
        if required.intersects(&excluded) {
            return Err(SlurmError::InvalidNodeName);
        }
        let min_cpus = ntasks.saturating_mul(cpus_per_task);
        let min_nodes = match asked_nodes {
            Some(nodes) => nodes,
            None => required.len().max(self.least_nodes(conf, min_cpus, per_node, ntasks)),
        };
        let mut gres_per_node = desc.gres.clone();
        gres_per_node.extend(desc.gpus_per_node.iter().cloned());
        let times = |list: &[GresReq], n: u32| -> Vec<GresReq> {
            list.iter().map(|g| GresReq { count: g.count.saturating_mul(n.into()), ..g.clone() }).collect()
        };
        let mut gres_per_job = desc.gpus.clone();
        gres_per_job.extend(times(&desc.gpus_per_task, ntasks));
        Ok(Needs {
            min_nodes,
            max_nodes: desc.max_nodes.unwrap_or(0),
            ntasks,
            ntasks_given: desc.ntasks.is_some(),
            cpus_per_task,
            min_cpus: min_cpus.max(min_nodes),
            ntasks_per_node: per_node,
            min_cpus_per_node: desc
                .min_cpus_per_node
                .unwrap_or(1)
                .max(cpus_per_task)
                .max(per_node.saturating_mul(cpus_per_task)),
            memory: self.memory_need(desc, conf),
            gres_per_node: gres_per_node.into_iter().filter(|g| g.count > 0).collect(),
            gres_per_job: gres_per_job.into_iter().filter(|g| g.count > 0).collect(),
            gres_per_task: desc.gpus_per_task.clone(),
            gres_per_socket: desc.gpus_per_socket.clone(),
            exclusive: desc.exclusive,
            features: desc.constraint.clone(),
            required,
            excluded,
            licenses: self.licenses(desc.licenses.as_deref())?,
            contiguous: desc.contiguous,
            share: desc.oversubscribe,
        })
    }

    /// The least number of nodes of the partition that so many CPUs need.
    fn least_nodes(&self, part: &PartConf, cpus: u32, per_node: u32, ntasks: u32) -> u32 {
        let largest = part.nodes.iter().filter_map(|i| self.nodes.get(i as usize)).map(|n| n.cpus()).max();
        let by_cpus = cpus.div_ceil(largest.unwrap_or(1).max(1)).max(1);
        if per_node > 0 { by_cpus.max(ntasks.div_ceil(per_node)) } else { by_cpus }
    }

    fn memory_need(&self, desc: &JobDesc, part: &PartConf) -> Memory {
        let global = &self.cluster.global;
        if let Some(mib) = desc.mem_per_node {
            Memory::PerNode(mib)
        } else if let Some(mib) = desc.mem_per_cpu {
            Memory::PerCpu(mib)
        } else if let Some(mib) = desc.mem_per_gpu {
            Memory::PerGpu(mib)
        } else if let Some(mib) = part.def_mem_per_cpu {
            Memory::PerCpu(mib)
        } else if let Some(mib) = part.def_mem_per_node {
            Memory::PerNode(mib)
        } else if let Some(mib) = global.def_mem_per_cpu {
            Memory::PerCpu(mib)
        } else if let Some(mib) = global.def_mem_per_node {
            Memory::PerNode(mib)
        } else {
            Memory::Unset
        }
    }

    fn named_nodes(&self, list: Option<&str>) -> Result<BitSet, SlurmError> {
        let Some(list) = list.filter(|l| !l.is_empty()) else { return Ok(BitSet::new()) };
        let names = hostlist::expand(list).map_err(|_| SlurmError::InvalidNodeName)?;
        names.iter().map(|n| self.node_by_name(n).map(|id| id.0).ok_or(SlurmError::InvalidNodeName)).collect()
    }

    fn licenses(&self, list: Option<&str>) -> Result<BTreeMap<String, u32>, SlurmError> {
        let mut wanted = BTreeMap::new();
        for part in list.unwrap_or_default().split(',').filter(|p| !p.is_empty()) {
            let (name, count) = part.split_once([':', '=']).unwrap_or((part, "1"));
            let count = count.parse().map_err(|_| SlurmError::InvalidLicenses)?;
            let total = self.cluster.global.licenses.get(name).copied().ok_or(SlurmError::InvalidLicenses)?;
            if count > total {
                return Err(SlurmError::InvalidLicenses);
            }
            wanted.insert(name.to_owned(), count);
        }
        Ok(wanted)
    }

    /// What a job asks for, as `ReqTRES` says it.
    pub(super) fn requested_tres(&self, needs: &Needs, part: PartId) -> Tres {
        let conf = self.partition(part);
        let mut tres = Tres { cpu: needs.min_cpus.into(), node: needs.min_nodes.into(), ..Tres::default() };
        for (list, times) in [(&needs.gres_per_node, needs.min_nodes), (&needs.gres_per_job, 1)] {
            for gres in list {
                add_gres(&mut tres, gres, gres.count.saturating_mul(times.into()));
            }
        }
        let gpus = tres.gres.get("gpu").copied().unwrap_or(0);
        let whole = || conf.nodes.first().map_or(0, |i| self.nodes[i as usize].conf.real_memory);
        tres.mem = match needs.memory {
            Memory::PerNode(0) | Memory::Unset => whole() * u64::from(needs.min_nodes),
            Memory::PerNode(mib) => mib * u64::from(needs.min_nodes),
            Memory::PerCpu(mib) => mib * u64::from(needs.min_cpus),
            Memory::PerGpu(mib) => mib * gpus,
        };
        tres.licenses = licenses_tres(needs);
        tres.billing = billing(conf, &tres, self.cluster.global.priority.flags);
        tres
    }
}

/// Counts GRES under its name and, where it has a type, under `name:type` too.
pub(super) fn add_gres(tres: &mut Tres, gres: &GresReq, count: u64) {
    *tres.gres.entry(gres.name.clone()).or_default() += count;
    if let Some(kind) = &gres.kind {
        *tres.gres.entry(format!("{}:{kind}", gres.name)).or_default() += count;
    }
}

/// Licences as TRES.
pub(super) fn licenses_tres(needs: &Needs) -> BTreeMap<String, u64> {
    needs.licenses.iter().map(|(name, count)| (name.clone(), u64::from(*count))).collect()
}

/// Billing units as TRES show them: whole ones.
pub(super) fn billing(part: &PartConf, tres: &Tres, flags: PriorityFlags) -> u64 {
    // Not negative and far below 2^53: the sum of bounded amounts.
    billable(part, tres, flags) as u64
}

/// `TRESBillingWeights`: the sum of amount times weight; without weights the CPUs. With `MAX_TRES` what a node has
/// (CPUs, memory, GRES) counts only by its largest part, with `MAX_TRES_GRES` by that and its GPUs. Memory is weighed
/// per GiB, as slurm.conf(5) has it for a weight with a suffix (the parser scales weights to that).
pub(super) fn billable(part: &PartConf, tres: &Tres, flags: PriorityFlags) -> f64 {
    if part.tres_billing_weights.is_empty() {
        return tres.cpu as f64;
    }
    let (mut largest, mut sum) = (0.0_f64, 0.0);
    for (name, weight) in part.tres_billing_weights.iter().filter(|(name, _)| *name != "billing") {
        let weighed = tres.get(name) as f64 * weight;
        let gres = name.starts_with("gres/");
        let of_node = gres || matches!(name.as_str(), "cpu" | "mem" | "node");
        let gpu = name == "gres/gpu" || name.starts_with("gres/gpu:");
        if of_node && (flags.max_tres || flags.max_tres_gres && !gpu) {
            largest = largest.max(weighed);
        } else {
            sum += weighed;
        }
    }
    (largest + sum).max(0.0)
}
