//! The needs of a job, derived from its description and the defaults of partition and cluster: tasks, CPUs, memory, GRES.

use crate::Slurmctld;
use crate::licenses;
use crate::state::billing::{add_gres, billing};
use crate::state::error::SlurmError;
use crate::state::features;
use crate::state::job::{GresNeed, GresPer, GresReq, JobDesc, Memory, Needs, Shape, Style};
use base::bitset::BitSet;
use base::hostlist;
use base::ids::PartId;
use base::tres::Tres;
use config::{PartConf, Select, Topology};
use std::sync::Arc;

/// The default of `max_switch_wait` in seconds: the longest time that a job waits for switches.
const MAX_SWITCH_WAIT: u32 = 300;

/// The requested tasks and nodes, each derived from the other if it is missing.
struct RequestedCounts {
    tasks: u32,
    min_nodes: u32,
    /// 0: no limit.
    max_nodes: u32,
    /// The number of tasks for which the total of CPUs is computed.
    counted: u32,
}

impl Slurmctld {
    /// The needs of a description in a partition.
    pub(crate) fn needs(&self, desc: &JobDesc, part: PartId) -> Result<Needs, SlurmError> {
        let conf = self.partition(part);
        let required = self.named_nodes(desc.nodelist.as_deref())?;
        let excluded = self.named_nodes(desc.exclude.as_deref())?;
        if required.intersects(&excluded) {
            return Err(SlurmError::InvalidNodeName);
        }
        let count = counts(desc, required.len());
        let default_cpus = conf.gpu_defaults.cpus.or(self.cluster.global.gpu_defaults.cpus);
        let cpus_per_gpu = desc
            .cpus_per_gpu
            .or_else(|| default_cpus.filter(|_| desc.cpus_per_task.is_none() && wants_gpus(desc)));
        let each_task: u64 = desc.gpus_per_task.iter().map(|g| g.count).sum();
        let by_gpus = desc.cpus_per_gpu.map(|each| u64::from(each).saturating_mul(each_task));
        let by_gpus = by_gpus.and_then(|cpus| u32::try_from(cpus).ok()).unwrap_or(0);
        let (mut cpus_per_task, mut memory) =
            (desc.cpus_per_task.unwrap_or(1).max(by_gpus).max(1), self.memory_need(desc, conf));
        let all_gpus = Gpus::of(desc).total(count.min_nodes, count.tasks);
        let near_gpus = u64::from(desc.cpus_per_gpu.unwrap_or(0)).saturating_mul(all_gpus);
        let near_gpus = u32::try_from(near_gpus).unwrap_or(u32::MAX);
        // Overcommitted tasks ask for one CPU of each node, as recorded with 22.05.
        let asked_cpus = if desc.overcommit {
            desc.min_nodes.unwrap_or(1)
        } else {
            count.counted.saturating_mul(cpus_per_task).max(near_gpus)
        };
        let per_node = desc.ntasks_per_node.unwrap_or(0);
        let mut min_cpus_per_node = desc
            .min_cpus_per_node
            .unwrap_or(1)
            .max(desc.cpus_per_task.unwrap_or(1).saturating_mul(per_node.max(1)));
        // MaxMemPerCPU: a job that requests more memory per CPU gets more CPUs per task.
        let most = conf.max_mem_per_cpu.or(self.cluster.global.max_mem_per_cpu);
        match (memory, most) {
            (Memory::PerCpu(mib), Some(most)) if mib > most => {
                let times = u32::try_from(mib.div_ceil(most)).unwrap_or(u32::MAX);
                cpus_per_task = cpus_per_task.saturating_mul(times);
                memory = Memory::PerCpu(mib.div_ceil(times.into()));
            }
            (Memory::PerNode(mib), Some(most)) if mib > most => {
                let least = u32::try_from(mib.div_ceil(most)).unwrap_or(u32::MAX);
                min_cpus_per_node = min_cpus_per_node.max(least);
            }
            (Memory::PerNode(_) | Memory::PerCpu(_) | Memory::PerGpu(_) | Memory::Unset, _) => {}
        }
        let keep =
            |list: &[GresReq]| -> Vec<GresReq> { list.iter().filter(|g| g.count > 0).cloned().collect() };
        let mut gres_per_node = keep(&desc.gres);
        gres_per_node.extend(keep(&desc.gpus_per_node));
        let gres = self.gres_needs(desc);
        let constraint = |text: &Option<String>| -> Result<_, SlurmError> {
            Ok(features::constraint(self, text.as_deref().unwrap_or_default())?.map(Arc::new))
        };
        let patience = self.parameter("max_switch_wait").unwrap_or(MAX_SWITCH_WAIT);
        let (licenses, any_license) =
            licenses::parse(&self.cluster, desc.licenses.as_deref().unwrap_or_default())?;
        let mut needs = Needs {
            min_nodes: count.min_nodes,
            max_nodes: count.max_nodes,
            node_counts: desc.node_counts.clone(),
            ntasks: count.tasks,
            ntasks_given: desc.ntasks.is_some() || desc.ntasks_per_gpu.is_some(),
            cpus_per_task,
            min_cpus: asked_cpus.max(1),
            max_cpus: 0,
            ntasks_per_node: per_node,
            min_cpus_per_node,
            memory,
            gres_per_node,
            gres_per_job: keep(&desc.gpus),
            gres_per_task: keep(&desc.gpus_per_task),
            gres_per_socket: keep(&desc.gpus_per_socket),
            exclusive: desc.exclusive,
            features: desc.constraint.clone(),
            required,
            excluded,
            tmp_disk: desc.tmp_disk.unwrap_or(0),
            licenses,
            any_license,
            contiguous: desc.contiguous,
            share: desc.oversubscribe,
            likely_nodes: 0,
            shape: shape(desc),
            cpus_per_gpu: cpus_per_gpu.unwrap_or(0),
            gres,
            constraint: constraint(&desc.constraint)?,
            prefer: constraint(&desc.prefer).map_err(|_| SlurmError::InvalidPrefer)?,
            style: style(desc, self.cluster.global.select),
            core_spec: desc.core_spec.filter(|_| self.cluster.global.select.core_spec),
            switches: desc.switches.map(|(n, wait)| (n, wait.map_or(patience, |w| w.min(patience)))),
            mcs: desc.mcs_label.clone().filter(|_| self.selects_by_label(desc)),
            segment: self.segment(desc, count.min_nodes)?,
        };
        needs.likely_nodes = self.least_nodes(part, &needs);
        Ok(needs)
    }

    /// `--segment`: it must divide the number of nodes and fit into a base block. Without topology/block it has no effect.
    fn segment(&self, desc: &JobDesc, nodes: u32) -> Result<u32, SlurmError> {
        match (&self.cluster.topology, desc.segment) {
            (Topology::Block { sizes, .. }, Some(segment)) if segment > 0 => {
                let fits = sizes.first().is_none_or(|base| segment <= *base) && nodes.is_multiple_of(segment);
                if fits { Ok(segment) } else { Err(SlurmError::RequestedTopoConfigUnavailable) }
            }
            (Topology::Block { .. } | Topology::Flat | Topology::Tree(_), _) => Ok(0),
        }
    }

    /// The requested GRES as kinds. A request for a kind that no node has is kept, so that no node is suitable.
    fn gres_needs(&self, desc: &JobDesc) -> Vec<GresNeed> {
        let kinds = |req: &GresReq| -> u64 {
            let fits =
                |k: &config::GresKind| k.name == req.name && (req.kind.is_none() || k.kind == req.kind);
            let all = self.cluster.gres_kinds.iter().zip(0..64u32);
            all.filter(|(k, _)| fits(k)).fold(0, |bits, (_, i)| bits | 1 << i)
        };
        let lists = [
            (&desc.gres, GresPer::Node),
            (&desc.gpus_per_node, GresPer::Node),
            (&desc.gpus, GresPer::Job),
            (&desc.gpus_per_task, GresPer::Task),
            (&desc.gpus_per_socket, GresPer::Socket),
        ];
        let mut needs = Vec::new();
        for (list, per) in lists {
            for req in list.iter().filter(|g| g.count > 0) {
                needs.push(GresNeed { kinds: kinds(req), count: req.count, per });
            }
        }
        needs
    }

    /// The minimum number of nodes of the partition for the job's CPUs, as Slurm estimates it before it tests the job. For tasks
    /// with several CPUs it counts only full nodes, as recorded.
    fn least_nodes(&self, part: PartId, needs: &Needs) -> u32 {
        let most = self.size_of(part).most.max(1);
        let nodes = match needs.cpus_per_task {
            0 | 1 if needs.style.overcommit => needs.ntasks.div_ceil(most),
            0 | 1 => needs.min_cpus.div_ceil(most),
            each => needs.ntasks.checked_div(most / each).unwrap_or(1),
        };
        nodes.max(needs.min_nodes).max(1)
    }

    fn memory_need(&self, desc: &JobDesc, part: &PartConf) -> Memory {
        let global = &self.cluster.global;
        let per_gpu = part.gpu_defaults.memory.or(global.gpu_defaults.memory).filter(|_| wants_gpus(desc));
        let asked = desc
            .mem_per_node
            .map(Memory::PerNode)
            // `--mem-per-cpu=0` requests all memory of the node.
            .or(desc.mem_per_cpu.map(|mib| if mib == 0 { Memory::PerNode(0) } else { Memory::PerCpu(mib) }))
            .or(desc.mem_per_gpu.filter(|mib| *mib > 0).map(Memory::PerGpu));
        asked
            .or(per_gpu.map(Memory::PerGpu))
            .or(part.def_mem_per_cpu.map(Memory::PerCpu))
            .or(part.def_mem_per_node.map(Memory::PerNode))
            .or(global.def_mem_per_cpu.map(Memory::PerCpu))
            .or(global.def_mem_per_node.map(Memory::PerNode))
            .unwrap_or(Memory::Unset)
    }

    fn named_nodes(&self, list: Option<&str>) -> Result<BitSet, SlurmError> {
        let Some(list) = list.filter(|l| !l.is_empty()) else { return Ok(BitSet::new()) };
        let names = hostlist::expand(list).map_err(|_| SlurmError::InvalidNodeName)?;
        names.iter().map(|n| self.node_by_name(n).map(|id| id.0).ok_or(SlurmError::InvalidNodeName)).collect()
    }

    /// All memory of a partition's first node in MiB, which counts for a job that requests all memory of a node.
    pub(crate) fn first_node_memory(&self, part: PartId) -> u64 {
        let first = self.partition(part).nodes.first();
        first.map_or(0, |i| self.node(base::ids::NodeId(i)).conf.real_memory)
    }

    /// The requested TRES (`ReqTRES`).
    pub(crate) fn requested_tres(&self, needs: &Needs, part: PartId) -> Tres {
        let conf = self.partition(part);
        let mut tres = Tres { cpu: needs.min_cpus.into(), node: needs.min_nodes.into(), ..Tres::default() };
        count_gres(&mut tres, needs);
        let gpus = tres.gres.get("gpu").copied().unwrap_or(0);
        let whole = || self.first_node_memory(part);
        tres.mem = match needs.memory {
            Memory::PerNode(0) | Memory::Unset => whole().saturating_mul(needs.min_nodes.into()),
            Memory::PerNode(mib) => mib.saturating_mul(needs.min_nodes.into()),
            Memory::PerCpu(mib) => {
                let counts = needs.ntasks_given && !needs.style.overcommit;
                let tasks = if counts { u64::from(needs.ntasks) } else { 0 };
                mib.saturating_mul(u64::from(needs.min_cpus).max(tasks * u64::from(needs.cpus_per_task)))
            }
            Memory::PerGpu(mib) => mib.saturating_mul(gpus),
        };
        tres.licenses = licenses::licenses_tres(needs);
        tres.billing = billing(conf, &tres, self.cluster.global.priority.flags);
        tres
    }
}

/// Adds GRES to `ReqTRES`: the request for the whole job counts, otherwise those per node, socket or task.
pub(crate) fn count_gres(tres: &mut Tres, needs: &Needs) {
    let sockets = needs.shape.sockets.max(1).saturating_mul(needs.min_nodes);
    let lists = [
        (&needs.gres_per_job, 1),
        (&needs.gres_per_node, needs.min_nodes),
        (&needs.gres_per_socket, sockets),
        (&needs.gres_per_task, needs.ntasks),
    ];
    let mut counted: Vec<&str> = Vec::new();
    for (list, times) in lists {
        for gres in list.iter().filter(|g| !counted.contains(&g.name.as_str())) {
            add_gres(tres, gres, gres.count.saturating_mul(times.into()));
        }
        counted.extend(list.iter().map(|g| g.name.as_str()));
    }
}

fn wants_gpus(desc: &JobDesc) -> bool {
    let lists = [&desc.gpus, &desc.gpus_per_node, &desc.gpus_per_task, &desc.gpus_per_socket];
    lists.into_iter().chain([&desc.gres]).flatten().any(|g| g.name == "gpu" && g.count > 0)
}

/// The requested GPUs per job, node, socket and task; 0: not requested.
struct Gpus {
    job: u64,
    node: u64,
    /// Those of all sockets of a node.
    sockets: u64,
    task: u64,
}

impl Gpus {
    fn of(desc: &JobDesc) -> Self {
        let sum = |list: &[GresReq]| list.iter().filter(|g| g.name == "gpu").map(|g| g.count).sum::<u64>();
        Self {
            job: sum(&desc.gpus),
            node: sum(&desc.gpus_per_node).max(sum(&desc.gres)),
            sockets: sum(&desc.gpus_per_socket)
                .saturating_mul(desc.sockets_per_node.unwrap_or(1).max(1).into()),
            task: sum(&desc.gpus_per_task),
        }
    }

    /// The total for the job.
    fn total(&self, nodes: u32, tasks: u32) -> u64 {
        match self {
            Self { job: 1.., .. } => self.job,
            Self { node: 1.., .. } => self.node.saturating_mul(nodes.into()),
            Self { sockets: 1.., .. } => self.sockets.saturating_mul(nodes.into()),
            Self { .. } => self.task.saturating_mul(tasks.into()),
        }
    }

    /// The number of nodes for `--gpus` with `--gpus-per-node`.
    fn nodes(&self) -> Option<u32> {
        let nodes = self.job.checked_div(self.node).filter(|n| *n > 0)?;
        u32::try_from(nodes).ok()
    }
}

/// Tasks and nodes as requested, otherwise derived from the rest of the request.
fn counts(desc: &JobDesc, required: u32) -> RequestedCounts {
    let per_node = desc.ntasks_per_node.unwrap_or(0);
    let asked = desc.min_nodes.unwrap_or(1).max(required.min(desc.max_nodes.unwrap_or(u32::MAX)));
    let gpus = Gpus::of(desc);
    let by_gpus = gpus.nodes().filter(|nodes| asked <= *nodes && desc.max_nodes.is_none_or(|m| *nodes <= m));
    let nodes = by_gpus.unwrap_or(asked);
    let by_gpu = desc.ntasks_per_gpu.map(|n| u64::from(n).saturating_mul(gpus.total(nodes, 0)));
    let tasks = match (desc.ntasks, by_gpu.filter(|n| *n > 0)) {
        (Some(tasks), _) => tasks,
        (None, Some(tasks)) => u32::try_from(tasks).unwrap_or(u32::MAX),
        (None, None) if gpus.task > 0 && gpus.job > 0 => {
            u32::try_from(gpus.job / gpus.task).unwrap_or(u32::MAX).max(1)
        }
        (None, None) => nodes.saturating_mul(per_node.max(1)),
    };
    let min_nodes = if per_node > 0 { nodes.max(tasks.div_ceil(per_node)) } else { nodes };
    // A range of nodes (`-N 2-4`) counts as one CPU until the nodes are chosen, and so do nodes that follow from GPUs.
    let range = if desc.min_nodes.is_some() { desc.max_nodes != desc.min_nodes } else { by_gpus.is_some() };
    let counted = if desc.ntasks.is_none() && per_node == 0 && range && by_gpu.is_none() { 1 } else { tasks };
    let max_nodes = by_gpus.or(desc.max_nodes).unwrap_or(0);
    RequestedCounts { tasks, min_nodes, max_nodes, counted }
}

fn shape(desc: &JobDesc) -> Shape {
    Shape {
        sockets: desc.sockets_per_node.unwrap_or(0),
        cores: desc.cores_per_socket.unwrap_or(0),
        threads: desc.threads_per_core.unwrap_or(0),
        ntasks_per_socket: desc.ntasks_per_socket.unwrap_or(0),
        ntasks_per_core: desc.ntasks_per_core.unwrap_or(0),
    }
}

/// `-m` and the options that affect only the choice among nodes.
fn style(desc: &JobDesc, select: Select) -> Style {
    let text = desc.distribution.as_deref().unwrap_or_default();
    let mut parts = text.split(',').next().unwrap_or_default().split(':');
    let nodes = parts.next().unwrap_or_default();
    Style {
        use_min_nodes: desc.use_min_nodes,
        spread: desc.spread_job,
        overcommit: desc.overcommit,
        consolidate_segments: desc.consolidate_segments,
        spread_segments: desc.spread_segments,
        cyclic: nodes.eq_ignore_ascii_case("cyclic") || desc.spread_job,
        block_cores: nodes.to_ascii_lowercase().starts_with("plane")
            || parts.next().map_or(select.block_cores, |s| s.eq_ignore_ascii_case("block")),
        bound: desc.gres_binding.unwrap_or(select.enforce_binding),
    }
}

/// Whether a job exceeds `MaxMemPerNode`. Memory per CPU counts for the minimum CPUs of a node, as recorded with 22.05.
pub(crate) fn too_much_memory(ctld: &Slurmctld, needs: &Needs, part: PartId) -> bool {
    let (conf, global) = (ctld.partition(part), &ctld.cluster.global);
    let other = conf.max_mem_per_cpu.is_some();
    let Some(most) = conf.max_mem_per_node.or(global.max_mem_per_node.filter(|_| !other)) else {
        return false;
    };
    match needs.memory {
        // All memory of a node: Slurm checks the partition's first node.
        Memory::PerNode(0) | Memory::Unset => {
            conf.nodes.first().is_some_and(|i| ctld.nodes[i as usize].conf.real_memory > most)
        }
        Memory::PerNode(mib) => mib > most,
        Memory::PerCpu(mib) => mib.saturating_mul(needs.min_cpus_per_node.max(1).into()) > most,
        Memory::PerGpu(_) => false,
    }
}
