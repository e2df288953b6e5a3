//! Computes the values of the variables.

use super::devices::{gpu_indices, task_gpus};
use super::{Scope, folded, who};
use crate::state::job::{Exclusive, GresReq, Job, Memory, NodeAlloc};
use crate::step_mgr::layout::Deal;
use base::hostlist;
use config::Topology;

/// The address that all simulated hosts have.
pub const ADDRESS: &str = "10.0.1.1";

fn parts(job: &Job) -> &[NodeAlloc] {
    job.allocation.as_ref().map(|a| a.nodes.as_slice()).unwrap_or_default()
}

pub(super) fn job_id(s: &Scope) -> Option<String> {
    Some(s.task.map_or(s.job.id, |t| t.layouts.first().map_or(s.job.id, |l| l.step.job)).to_string())
}

pub(super) fn cpus_per_node(s: &Scope) -> Option<String> {
    Some(folded(s.jobs().iter().flat_map(|j| parts(j)).map(|n| n.usable)))
}

pub(super) fn job_nodes(s: &Scope) -> Option<String> {
    let texts: Vec<&str> = s.jobs().iter().map(|j| j.nodes_text.as_str()).collect();
    Some(texts.join(","))
}

pub(super) fn job_node_count(s: &Scope) -> Option<String> {
    Some(s.jobs().iter().map(|j| parts(j).len()).sum::<usize>().to_string())
}

pub(super) fn partition(s: &Scope) -> Option<String> {
    Some(s.ctld.partition(*s.job.partitions.first()?).name.clone())
}

pub(super) fn qos(s: &Scope) -> Option<String> {
    Some(s.ctld.dbd.qos.iter().find(|q| q.id == s.job.qos)?.name.clone())
}

pub(super) fn exclusive(s: &Scope) -> Option<String> {
    let text = match crate::exclusive_of(s.ctld, s.job) {
        None => "NO",
        Some(Exclusive::Node) => "NODE",
        Some(Exclusive::User) => "USER",
        Some(Exclusive::Mcs) => "MCS",
        Some(Exclusive::Topo) => "TOPO",
    };
    Some(text.to_owned())
}

pub(super) fn submit_dir(s: &Scope) -> Option<String> {
    Some(s.job.desc.env.get("PWD").cloned().unwrap_or_else(|| s.job.desc.work_dir.clone()))
}

/// The memory request. A script sees the memory that its job has, including defaults; other steps only what was
/// requested.
fn memory(s: &Scope) -> Memory {
    let d = &s.job.desc;
    match s.job.needs.memory {
        Memory::PerCpu(_) if s.who != who::BATCH && d.mem_per_cpu.is_none() => Memory::Unset,
        Memory::PerNode(_) if s.who != who::BATCH && d.mem_per_node.is_none() => Memory::Unset,
        asked => asked,
    }
}

pub(super) fn mem_per_cpu(s: &Scope) -> Option<String> {
    match memory(s) {
        Memory::PerCpu(mib) => Some(mib.to_string()),
        Memory::PerNode(_) | Memory::PerGpu(_) | Memory::Unset => None,
    }
}

pub(super) fn mem_per_node(s: &Scope) -> Option<String> {
    match memory(s) {
        Memory::PerNode(0) => None,
        Memory::PerNode(mib) => Some(mib.to_string()),
        Memory::PerCpu(_) | Memory::PerGpu(_) | Memory::Unset => None,
    }
}

pub(super) fn mem_per_gpu(s: &Scope) -> Option<String> {
    match memory(s) {
        Memory::PerGpu(mib) => Some(mib.to_string()),
        Memory::PerCpu(_) | Memory::PerNode(_) | Memory::Unset => None,
    }
}

/// `2`, `a100:2`.
pub(super) fn gres_counts(list: &[GresReq]) -> Option<String> {
    let one =
        |g: &GresReq| g.kind.as_ref().map_or_else(|| g.count.to_string(), |k| format!("{k}:{}", g.count));
    let texts: Vec<String> = list.iter().map(one).collect();
    Some(texts.join(",")).filter(|t| !t.is_empty())
}

/// `cpu=4,gres/gpu=1`.
pub(super) fn tres_per_task(s: &Scope) -> Option<String> {
    Some(s.job.desc.tres_per_task()).filter(|t| !t.is_empty())
}

/// GPUs per task are bound to the task: `gres/gpu:per_task:1`.
pub(super) fn tres_bind(s: &Scope) -> Option<String> {
    let count: u64 = s.job.desc.gpus_per_task.iter().map(|g| g.count).sum();
    (count > 0).then(|| format!("gres/gpu:per_task:{count}"))
}

pub(super) fn distribution(s: &Scope) -> Option<String> {
    match s.task {
        Some(t) if t.own && !t.asked.distribution && t.layouts.len() == 1 => None,
        Some(t) => t.layouts.first().map(|l| l.distribution.text()),
        None => {
            let text = s.job.desc.distribution.as_ref()?;
            Some(text.split(['=', ',']).next().unwrap_or(text).to_owned())
        }
    }
}

pub(super) fn plane_size(s: &Scope) -> Option<String> {
    match s.task {
        Some(t) => match t.layouts.first()?.distribution.deal {
            Deal::Plane(size) => Some(size.to_string()),
            Deal::Block | Deal::Cyclic | Deal::Arbitrary => None,
        },
        None => s.job.desc.distribution.as_ref()?.strip_prefix("plane=").map(str::to_owned),
    }
}

pub(super) fn node_name(s: &Scope) -> Option<String> {
    Some(s.ctld.node(s.node?.node).conf.name.clone())
}

pub(super) fn cpus_on_node(s: &Scope) -> Option<String> {
    Some(s.here().map_or_else(|| s.node.map_or(0, |n| n.usable), |here| here.gets.cpus).to_string())
}

/// The ranks of all tasks on this node.
pub(super) fn global_ranks(s: &Scope) -> Option<String> {
    let ranks = s.here().map(|here| here.ranks.as_slice()).unwrap_or(&[0]);
    Some(ranks.iter().map(u32::to_string).collect::<Vec<_>>().join(","))
}

pub(super) fn rank(s: &Scope) -> u32 {
    let local_id = s.task.map_or(0, |t| t.local_id);
    s.here().and_then(|here| here.ranks.get(local_id)).copied().unwrap_or(0)
}

/// The node's index in the step.
pub(super) fn node_index(s: &Scope) -> usize {
    let Some(task) = s.task else { return 0 };
    task.layouts.iter().take(task.component).map(|l| l.nodes.len()).sum::<usize>() + task.node
}

pub(super) fn step_number(s: &Scope) -> Option<String> {
    s.task.map_or_else(|| Some("-5".to_owned()), |t| Some(t.layouts.first()?.step.step.to_string()))
}

pub(super) fn step_node_list(s: &Scope) -> Option<String> {
    let lists = s
        .task?
        .layouts
        .iter()
        .map(|l| hostlist::compress(&l.nodes.iter().map(|n| n.name.as_str()).collect::<Vec<_>>()));
    Some(lists.collect::<Vec<_>>().join(","))
}

/// Number of nodes of the step, or of the job outside a step.
pub(super) fn step_node_count(s: &Scope) -> Option<String> {
    if s.task.is_none() { job_node_count(s) } else { Some(s.step_nodes().count().to_string()) }
}

fn count(n: &crate::rpc::request::StepNode) -> u32 {
    u32::try_from(n.ranks.len()).unwrap_or(u32::MAX)
}

pub(super) fn tasks(s: &Scope) -> Option<String> {
    if s.task.is_some() {
        return Some(s.step_nodes().map(count).sum::<u32>().to_string());
    }
    if s.job.needs.ntasks_given {
        return Some(s.job.needs.ntasks.to_string());
    }
    // This number on each of the requested nodes.
    let (each, nodes) = (s.job.desc.ntasks_per_node?, s.job.desc.min_nodes?);
    Some((each * nodes).to_string())
}

pub(super) fn tasks_per_node(s: &Scope) -> Option<String> {
    if s.task.is_some() {
        return Some(folded(s.step_nodes().map(count)));
    }
    let (needs, desc) = (&s.job.needs, &s.job.desc);
    if needs.ntasks_given || desc.ntasks_per_node.is_some() || !desc.gpus_per_task.is_empty() {
        return Some(folded(parts(s.job).iter().map(|n| n.tasks)));
    }
    // No number of tasks was requested: as many as the CPUs allow.
    let each = needs.cpus_per_task.max(1);
    Some(folded(parts(s.job).iter().map(|n| (n.cpus / each).max(1))))
}

pub(super) fn cpu_bind(s: &Scope, part: fn(&(String, String, String)) -> String) -> Option<String> {
    s.task?.asked.cpu_bind.as_ref().map(part)
}

fn join(list: &[u32]) -> Option<String> {
    let texts: Vec<String> = list.iter().map(u32::to_string).collect();
    Some(texts.join(",")).filter(|t| !t.is_empty())
}

/// GPUs of the job on this node, by their numbers on it.
pub(super) fn job_gpus(s: &Scope) -> Option<String> {
    join(&gpu_indices(s.ctld, s.node?.node, &s.node?.gres))
}

/// The GPUs that the process sees: real indices, or 0, 1 ... if devices are confined to the step.
pub(super) fn visible_gpus(s: &Scope) -> Option<String> {
    let (seen, all) = match s.here() {
        Some(here) => {
            let all = gpu_indices(s.ctld, here.gets.node, &here.gets.gres);
            (task_gpus(s, &all), all)
        }
        None => {
            let all = gpu_indices(s.ctld, s.node?.node, &s.node?.gres);
            (all.clone(), all)
        }
    };
    if !s.ctld.cluster.constrain_devices {
        return join(&seen);
    }
    let indices: Vec<u32> =
        (0u32..).zip(&all).filter(|(_, gpu)| seen.contains(gpu)).map(|(i, _)| i).collect();
    join(&indices)
}

pub(super) fn step_gpus(s: &Scope) -> Option<String> {
    let here = s.here()?;
    join(&task_gpus(s, &gpu_indices(s.ctld, here.gets.node, &here.gets.gres)))
}

pub(super) fn gpus_on_node(s: &Scope) -> Option<String> {
    let all = match s.here() {
        Some(here) => gpu_indices(s.ctld, here.gets.node, &here.gets.gres),
        None => gpu_indices(s.ctld, s.node?.node, &s.node?.gres),
    };
    Some(all.len().to_string()).filter(|_| !all.is_empty())
}

/// The node's position in the topology, and its pattern: `root.leaf1.cn01`, `switch.switch.node`.
pub(super) fn topology(s: &Scope) -> Option<(String, String)> {
    let node = s.node?.node.0;
    let name = node_name(s)?;
    let (mut names, mut kinds) = (vec![name], vec!["node"]);
    match &s.ctld.cluster.topology {
        Topology::Flat => {}
        Topology::Tree(switches) => {
            let mut at = switches.iter().find(|sw| sw.level == 0 && sw.nodes.contains(node));
            while let Some(switch) = at.filter(|_| names.len() < 16) {
                names.insert(0, switch.name.clone());
                kinds.insert(0, "switch");
                at = switch.parent.and_then(|p| switches.get(p as usize));
            }
        }
        Topology::Block { blocks, .. } => {
            if let Some(block) = blocks.iter().find(|b| b.nodes.contains(node)) {
                names.insert(0, block.name.clone());
                kinds.insert(0, "block");
            }
        }
    }
    Some((names.join("."), kinds.join(".")))
}
