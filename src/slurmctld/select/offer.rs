//! What a job requests of a single node, and what a node can offer.

use super::{Counts, Free, SelectError, exclusive_in, gres, least_memory, share, sockets};
use crate::Slurmctld;
use crate::acct_policy;
use crate::state::job::{Exclusive, GresPer, Job, Memory, Needs};
use crate::state::node::Node;
use base::bitset::BitSet;
use base::ids::{PartId, Uid};
use base::time::Span;
use config::{NodeConf, PartConf, Select, SelectUnit, Topology};
use slurmdbd::QosFlag;
use std::borrow::Cow;

/// The part of a choice that is the same for all nodes.
pub(super) struct SelectContext<'a> {
    pub(super) ctld: &'a Slurmctld,
    pub(super) needs: &'a Needs,
    pub(super) part_id: PartId,
    pub(super) part: &'a PartConf,
    pub(super) select: Select,
    uid: Uid,
    exclusive: Option<Exclusive>,
    /// How many other jobs of the partition may share its cores.
    pub(super) layer: u32,
    /// Minimum and maximum number of nodes, by its own request and the partition's limits.
    pub(super) node_limits: (u32, u32),
    /// It has waited long enough for `--switches`.
    pub(super) any_switches: bool,
    /// Nodes in use come first (`bf_busy_nodes`, for starts in the future).
    pub(super) busy_first: bool,
    /// How many of its tasks each node could take, if this is known and all nodes have the same weight.
    pub(super) counted: Option<&'a Counts>,
}

/// The offer of one node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    /// The node's index.
    pub(super) node: u32,
    /// `Weight`: nodes with a lower weight come first.
    pub(super) weight: u32,
    /// CPUs that tasks could use.
    pub(super) cpus: u32,
    /// All free CPUs.
    pub(super) free: u32,
    /// GRES for the whole job.
    pub(super) gres: u64,
}

/// Whether a job no longer waits for `--switches`.
fn any_switches(ctld: &Slurmctld, job: &Job) -> bool {
    let Some((_, wait)) = job.needs.switches else { return true };
    let since = job.eligible.unwrap_or(job.submit);
    since + Span::from_secs(wait.into()) <= ctld.caches.moment
}

/// Minimum and maximum number of nodes. A QOS may lift the partition's limits.
fn node_limits(ctld: &Slurmctld, job: &Job, part: PartId) -> (u32, u32) {
    let (needs, conf) = (&job.needs, ctld.partition(part));
    // Each node gets at least one task.
    let tasks = if needs.ntasks_given { needs.ntasks.max(needs.min_nodes) } else { u32::MAX };
    let own = if needs.max_nodes > 0 { needs.max_nodes.min(tasks) } else { u32::MAX };
    let least =
        Some(conf.min_nodes).filter(|_| !acct_policy::flagged(ctld, job, part, QosFlag::PartitionMinNodes));
    let most = conf.max_nodes.filter(|_| !acct_policy::flagged(ctld, job, part, QosFlag::PartitionMaxNodes));
    (needs.min_nodes.max(least.unwrap_or(0)).max(1), own.min(most.unwrap_or(u32::MAX)))
}

impl<'a> SelectContext<'a> {
    pub(super) fn new(ctld: &'a Slurmctld, job: &'a Job, part_id: PartId) -> Self {
        let part = ctld.partition(part_id);
        Self {
            ctld,
            needs: &job.needs,
            part_id,
            part,
            select: ctld.cluster.global.select,
            uid: job.uid(),
            exclusive: exclusive_in(job.needs.exclusive, Some(part)),
            layer: 0,
            node_limits: node_limits(ctld, job, part_id),
            any_switches: any_switches(ctld, job),
            busy_first: false,
            counted: None,
        }
    }

    /// Whether the job takes all cores of its nodes.
    pub(super) fn whole(&self) -> bool {
        self.select.linear || self.needs.core_spec.is_some() || self.exclusive_node()
    }

    /// Whether the job has exclusive nodes, by its own request or its partition's.
    pub(super) const fn exclusive_node(&self) -> bool {
        matches!(self.exclusive, Some(Exclusive::Node | Exclusive::Topo))
    }

    /// Whether the job requested several nodes (`-N`).
    pub(super) fn nodes_asked(&self) -> bool {
        self.node_limits.0 > 1
    }

    /// Whether the number of tasks that a node could take is all that matters about it.
    pub(super) fn is_plain(&self) -> bool {
        let (needs, style) = (self.needs, self.needs.style);
        let flat = matches!(self.ctld.cluster.topology, Topology::Flat);
        let tasks_only = needs.gres.iter().all(|g| g.per != GresPer::Job)
            && needs.min_cpus <= needs.ntasks.saturating_mul(self.cpus_per_task())
            && needs.min_cpus_per_node <= self.cpus_per_task()
            && !style.overcommit;
        let anywhere = needs.required.is_empty() && !needs.contiguous && !style.spread;
        let limited = self.node_limits.1 == 1 && needs.max_nodes != 1;
        let layers = share::layers(self.ctld, self.part_id, needs.share);
        flat && tasks_only && anywhere && !limited && !self.by_order() && layers == 1
    }

    /// Whether the least loaded nodes come first.
    pub(super) const fn least_loaded(&self) -> bool {
        self.select.lln || self.part.lln
    }

    /// Whether nodes are taken in a fixed order, without regard to neighbours: `bf_busy_nodes`, LLN, or a one-CPU job with
    /// `pack_serial_at_end`.
    pub(super) fn by_order(&self) -> bool {
        let serial = || self.node_limits.0 == 1 && self.cpus_wanted() == 1;
        (self.busy_first || self.least_loaded() || self.ctld.caches.parameters.pack_serial_at_end && serial())
            && !self.needs.contiguous
    }

    /// CPUs per task, at least one.
    pub(super) fn cpus_per_task(&self) -> u32 {
        self.needs.cpus_per_task.max(1)
    }

    /// CPUs that a task takes on a node: whole cores if tasks do not share cores.
    pub(super) fn per_task_on(&self, conf: &NodeConf) -> u32 {
        let whole_cores = match self.needs.shape.ntasks_per_core {
            0 => self.select.one_task_per_core,
            tasks => tasks == 1,
        };
        let (task, core) = (self.cpus_per_task(), self.per_core(conf).max(1));
        if whole_cores { task.div_ceil(core).saturating_mul(core) } else { task }
    }

    /// Threads of each core that the tasks may use. They count for memory per CPU.
    pub(super) fn threads(&self, conf: &NodeConf) -> u32 {
        let all = conf.cpus_per_core();
        if self.needs.shape.threads > 0 { all.min(self.needs.shape.threads) } else { all }
    }

    /// CPUs of each core on which tasks can run.
    pub(super) fn per_core(&self, conf: &NodeConf) -> u32 {
        let threads = self.threads(conf);
        let each = match self.needs.shape.ntasks_per_core {
            0 if self.select.one_task_per_core => 1,
            0 => return threads,
            tasks => tasks,
        };
        threads.min(each.saturating_mul(self.cpus_per_task()))
    }

    /// The cores of a node that the job may use.
    pub(super) fn cores<'f>(&self, free: &'f Free) -> Cow<'f, BitSet> {
        share::cores(free, self.part_id, self.layer)
    }

    /// The cores of a node that the job may use within `MaxCPUsPerSocket` and `--gres-flags=enforce-binding`.
    pub(super) fn open_cores<'f>(&self, conf: &NodeConf, free: &'f Free) -> Cow<'f, BitSet> {
        let mut cores = self.cores(free);
        if let Some(most) = self.part.max_cpus_per_socket {
            let (used, most) = (self.partition_cores(free), most / conf.cpus_per_core().max(1));
            cores = Cow::Owned(sockets::capped(conf, &cores, &used, most));
        }
        if self.bound() {
            let near = gres::reach(conf, free, self.needs.gres.iter().fold(0, |all, need| all | need.kinds));
            if let Some(near) = near {
                cores.to_mut().intersect_with(&near);
            }
        }
        cores
    }

    /// Whether the job gets only cores near its devices.
    pub(super) const fn bound(&self) -> bool {
        self.needs.style.bound && !self.needs.gres.is_empty()
    }

    /// The cores of a node that the partition's jobs hold, if the partition limits them.
    fn partition_cores(&self, free: &Free) -> BitSet {
        let mut used = BitSet::new();
        let capped = free.jobs.iter().filter_map(|g| g.capped.as_ref());
        capped.filter(|(part, _)| *part == self.part_id).for_each(|(_, cores)| used.union_with(cores));
        used
    }

    /// The offer of a node.
    pub(super) fn offer(&self, node: &Node, free: &Free) -> Result<Offer, SelectError> {
        self.check_jobs(free)?;
        let (conf, needs) = (&node.conf, self.needs);
        if needs.shape.threads > conf.cpus_per_core() {
            return Err(SelectError::Cpus);
        }
        let per_core = self.per_core(conf).max(1);
        let plain = self.layer == 0 && !self.bound() && self.part.max_cpus_per_socket.is_none();
        let cores = if plain && !self.by_socket() {
            free.cores.len()
        } else {
            sockets::usable(self, conf, &self.open_cores(conf, free))?
        };
        let mut cpus = cores.saturating_mul(per_core);
        // As recorded: a node must have CPUs for as many tasks as a socket or a core may get, even if the job has fewer.
        let together = needs.shape.ntasks_per_socket.max(needs.shape.ntasks_per_core);
        if cpus < together.saturating_mul(self.cpus_per_task()) {
            return Err(SelectError::Cpus);
        }
        if let Some(most) = self.part.max_cpus_per_node {
            let used = self.partition_cores(free).len();
            cpus = cpus.min((most / conf.cpus_per_core()).saturating_sub(used) * per_core);
        }
        if self.select.memory {
            cpus = cpus.min(self.cpus_by_memory(conf, free, per_core)?);
        } else if conf.real_memory < least_memory(needs) {
            return Err(SelectError::Memory);
        }
        let per_task = self.cpus_per_task();
        let mut tasks = cpus / self.per_task_on(conf);
        if needs.ntasks_per_node > 0 {
            tasks = tasks.min(needs.ntasks_per_node);
        }
        let mut of_job = 0;
        if !needs.gres.is_empty() {
            (tasks, of_job) = self.gres(conf, free, tasks)?;
        }
        if tasks == 0 || cpus < needs.min_cpus_per_node {
            return Err(SelectError::Cpus);
        }
        let cpus = tasks.saturating_mul(per_task).max(needs.min_cpus_per_node);
        let free = free.cores.len().saturating_mul(conf.cpus_per_core());
        Ok(Offer { node: node.id.0, weight: self.ctld.weight_of(node), cpus, free, gres: of_job })
    }

    /// Checks that the job may share the node with the jobs on it.
    fn check_jobs(&self, free: &Free) -> Result<(), SelectError> {
        let others = |all: bool| free.jobs.iter().any(|g| (all || g.exclusive_user) && g.uid != self.uid);
        let bad = match self.exclusive {
            _ if free.jobs.iter().any(|g| g.core_spec || g.mcs != self.needs.mcs) => true,
            _ if self.whole() => free.partly_reserved || (!free.jobs.is_empty() && self.layer == 0),
            Some(Exclusive::User) => others(true),
            Some(Exclusive::Node | Exclusive::Topo | Exclusive::Mcs) | None => others(false),
        };
        if bad { Err(SelectError::Busy) } else { Ok(()) }
    }

    /// Whether sockets matter for the job.
    pub(super) fn by_socket(&self) -> bool {
        let shape = &self.needs.shape;
        self.select.unit == SelectUnit::Socket
            || shape.sockets > 0
            || shape.cores > 0
            || shape.ntasks_per_socket > 0
            || self.needs.gres.iter().any(|g| g.per == GresPer::Socket)
    }

    /// The number of CPUs for which the node has memory.
    fn cpus_by_memory(&self, conf: &NodeConf, free: &Free, per_core: u32) -> Result<u32, SelectError> {
        let enough = match self.needs.memory {
            Memory::PerNode(0) | Memory::Unset => free.mem >= conf.usable_memory(),
            Memory::PerNode(mib) | Memory::PerGpu(mib) => free.mem >= mib,
            Memory::PerCpu(0) => true,
            Memory::PerCpu(mib) if self.whole() => {
                free.mem >= mib.saturating_mul(u64::from(self.cores(free).len() * self.threads(conf)))
            }
            Memory::PerCpu(mib) => {
                let by_core = free.mem / mib.saturating_mul(self.threads(conf).into());
                return Ok(u32::try_from(by_core).unwrap_or(u32::MAX).saturating_mul(per_core));
            }
        };
        if enough { Ok(u32::MAX) } else { Err(SelectError::Memory) }
    }

    /// The number of tasks for which the node has GRES, and its GRES for the whole job.
    fn gres(&self, conf: &NodeConf, free: &Free, mut tasks: u32) -> Result<(u32, u64), SelectError> {
        let needs = self.needs;
        let mut of_job = u64::MAX;
        for need in &needs.gres {
            let mut units = gres::free(conf, free, need.kinds, self.select.multiple_sharing);
            if let Memory::PerGpu(mib) = needs.memory
                && self.select.memory
                && mib > 0
            {
                units = units.min(free.mem / mib);
            }
            let wanted = match need.per {
                GresPer::Node => need.count,
                GresPer::Job => {
                    of_job = of_job.min(units);
                    1
                }
                GresPer::Task => {
                    tasks = tasks.min(u32::try_from(units / need.count.max(1)).unwrap_or(u32::MAX));
                    need.count
                }
                GresPer::Socket => need.count.saturating_mul(needs.shape.sockets.max(1).into()),
            };
            if units < wanted {
                return Err(SelectError::Gres);
            }
            if self.bound() && matches!(need.per, GresPer::Node | GresPer::Job) {
                // Devices for one task are enough here; for more tasks, the job may get more devices.
                let open = self.open_cores(conf, free);
                let least = self.per_task_on(conf).max(needs.min_cpus_per_node);
                let groups = |cpus: u32| {
                    let cores = cpus.div_ceil(self.per_core(conf).max(1));
                    gres::bound_cores(conf, free, need.kinds, (wanted, cores), &open)
                };
                let most = (0..tasks).find(|n| groups((tasks - n).saturating_mul(least)).is_some());
                tasks -= most.ok_or(SelectError::Gres)?;
            }
            if needs.cpus_per_gpu > 0 && matches!(need.per, GresPer::Node | GresPer::Socket) {
                let cpus = u64::from(needs.cpus_per_gpu).saturating_mul(wanted);
                if cpus > u64::from(tasks).saturating_mul(self.cpus_per_task().into()) {
                    return Err(SelectError::Cpus);
                }
            }
        }
        let of_job = if of_job == u64::MAX { 0 } else { of_job };
        if needs.cpus_per_gpu > 0 && of_job > 0 {
            let cpus = u64::from(tasks) * u64::from(self.cpus_per_task());
            let fed = of_job.min(cpus / u64::from(needs.cpus_per_gpu));
            return if fed == 0 { Err(SelectError::Cpus) } else { Ok((tasks, fed)) };
        }
        Ok((tasks, of_job))
    }
}
