//! Which of the job's GRES a step gets on each node. Mirrors `--gres`, `--gpus`, `--gpus-per-node` and
//! `--gpus-per-task` of srun(1): a step that names none gets what the job asked for, `--gres=none` gets none.

use crate::Slurmctld;
use crate::rpc::request::StepDesc;
use crate::state::job::{GresReq, Job, StepHold};
use base::bitset::BitSet;
use base::ids::NodeId;

/// GRES by index in the node's list, with device indices.
type Held = Vec<(u32, BitSet)>;

/// The GRES that a step requests.
pub enum StepGres {
    /// None.
    None,
    /// All that the job has.
    All,
    /// These amounts.
    Some {
        /// On each node.
        node: Vec<GresReq>,
        /// In total.
        step: Vec<GresReq>,
        /// For each task.
        task: Vec<GresReq>,
    },
}

/// Reads a step's request.
pub fn requested(job: &Job, desc: &StepDesc) -> StepGres {
    let asks = [&desc.gres, &desc.gpus, &desc.gpus_per_task].iter().any(|list| !list.is_empty());
    if desc.no_gres {
        StepGres::None
    } else if asks {
        // If several options give amounts of one resource, the one for the smallest unit applies.
        let named = |list: &[GresReq], name: &str| list.iter().any(|g| g.name == name);
        let task = || desc.gpus_per_task.as_slice();
        let finest = |list: &[GresReq], finer: &[&[GresReq]]| -> Vec<GresReq> {
            let counts = |g: &&GresReq| g.count > 0 && !finer.iter().any(|list| named(list, &g.name));
            list.iter().filter(counts).cloned().collect()
        };
        StepGres::Some {
            node: finest(&desc.gres, &[task()]),
            step: finest(&desc.gpus, &[task(), &desc.gres]),
            task: finest(task(), &[]),
        }
    } else if job.allocation.as_ref().is_some_and(|a| a.nodes.iter().any(|n| !n.gres.is_empty())) {
        // An exclusive job has all GRES of its nodes, its steps those that were asked for, as recorded from 22.05.
        let node: Vec<GresReq> = job.desc.gres.iter().chain(&job.desc.gpus_per_node).cloned().collect();
        if job.desc.exclusive.is_some() && !node.is_empty() {
            return StepGres::Some { node, step: Vec::new(), task: Vec::new() };
        }
        StepGres::All
    } else {
        StepGres::None
    }
}

/// `gres/gpu:a100:1,gres/shard:2`
pub fn text(list: &[GresReq]) -> String {
    let one = |g: &GresReq| {
        let kind = g.kind.as_ref().map(|k| format!(":{k}")).unwrap_or_default();
        format!("gres/{}{kind}:{}", g.name, g.count)
    };
    list.iter().map(one).collect::<Vec<_>>().join(",")
}

/// The message for a request that exceeds what the job has.
pub fn complaint(job: &Job, desc: &StepDesc) -> Option<String> {
    let parts = job.allocation.as_ref().map(|a| a.nodes.as_slice()).unwrap_or_default();
    if parts.iter().all(|p| p.gres.is_empty()) {
        return None;
    }
    let has: Vec<GresReq> = job.desc.gres.iter().chain(&job.desc.gpus_per_node).cloned().collect();
    let more = !desc.gres.is_empty() && !has.is_empty();
    more.then(|| {
        let (wanted, has) = (text(&desc.gres), text(&has));
        format!("error: Step requested gres_per_node={wanted} is more than the job's gres_per_node={has}")
    })
}

/// Removes the held GRES from the free ones.
pub fn subtract(free: &mut Held, held: &Held) {
    for (gres_index, set) in held {
        for (_, mine) in free.iter_mut().filter(|(at, _)| at == gres_index) {
            mine.subtract(set);
        }
    }
}

fn matches(ctld: &Slurmctld, node: NodeId, gres_index: u32, req: &GresReq) -> bool {
    let conf = ctld.node(node).conf.gres.get(gres_index as usize);
    conf.is_some_and(|g| g.name == req.name && (req.kind.is_none() || g.kind == req.kind))
}

fn count(ctld: &Slurmctld, node: NodeId, free: &[(u32, BitSet)], req: &GresReq) -> u64 {
    free.iter()
        .filter(|(gres_index, _)| matches(ctld, node, *gres_index, req))
        .map(|(_, set)| u64::from(set.len()))
        .sum()
}

/// The number of tasks that an offer's GRES are sufficient for.
pub fn tasks(ctld: &Slurmctld, requested: &StepGres, offer: &StepHold) -> u32 {
    let StepGres::Some { node, step, task } = requested else { return u32::MAX };
    let has = |req: &GresReq| count(ctld, offer.node, &offer.gres, req);
    if node.iter().any(|req| has(req) < req.count) || step.iter().any(|req| has(req) == 0) {
        return 0;
    }
    let each = task.iter().map(|req| has(req) / req.count.max(1)).min().unwrap_or(u64::MAX);
    u32::try_from(each).unwrap_or(u32::MAX)
}

/// Whether the nodes together have the total that the step requests.
pub fn enough<'a>(
    ctld: &Slurmctld,
    requested: &StepGres,
    offers: impl Iterator<Item = &'a [(u32, BitSet)]> + Clone,
    nodes: impl Iterator<Item = NodeId> + Clone,
) -> bool {
    let StepGres::Some { step, .. } = requested else { return true };
    let has =
        |req: &GresReq| nodes.clone().zip(offers.clone()).map(|(n, o)| count(ctld, n, o, req)).sum::<u64>();
    step.iter().all(|req| has(req) >= req.count)
}

/// What each node contributes, given its tasks. `None` if other steps hold too much.
pub fn shares<'a>(
    ctld: &Slurmctld,
    requested: &StepGres,
    ranks: &[Vec<u32>],
    offers: impl Iterator<Item = (NodeId, &'a [(u32, BitSet)])>,
) -> Option<Vec<Held>> {
    let offers: Vec<(NodeId, &[(u32, BitSet)])> = offers.collect();
    let (node, step, task) = match requested {
        StepGres::None => return Some(vec![Held::new(); offers.len()]),
        StepGres::All => return Some(offers.iter().map(|(_, o)| o.to_vec()).collect()),
        StepGres::Some { node, step, task } => (node, step, task),
    };
    let mut left: Vec<u64> = step.iter().map(|req| req.count).collect();
    let mut all = Vec::new();
    for (i, ((id, offer), ranks)) in offers.iter().zip(ranks).enumerate() {
        let (mut free, mut gets) = (offer.to_vec(), Held::new());
        let behind = (offers.len() - i - 1) as u64;
        let tasks = ranks.len() as u64;
        let own =
            node.iter().map(|req| (req, req.count)).chain(task.iter().map(|req| (req, req.count * tasks)));
        let mut wanted: Vec<(&GresReq, u64)> = own.collect();
        for (req, left) in step.iter().zip(&mut left) {
            let here = count(ctld, *id, offer, req).min(left.saturating_sub(behind)).max(1.min(*left));
            *left -= here.min(*left);
            wanted.push((req, here));
        }
        for (req, count) in wanted {
            take(ctld, *id, &mut free, &mut gets, req, count)?;
        }
        all.push(gets);
    }
    left.iter().all(|l| *l == 0).then_some(all)
}

fn take(
    ctld: &Slurmctld,
    node: NodeId,
    free: &mut Held,
    gets: &mut Held,
    req: &GresReq,
    mut count: u64,
) -> Option<()> {
    for (gres_index, set) in free.iter_mut().filter(|(gres_index, _)| matches(ctld, node, *gres_index, req)) {
        while let Some(index) = set.first().filter(|_| count > 0) {
            set.remove(index);
            count -= 1;
            match gets.iter_mut().find(|(at, _)| at == gres_index) {
                Some((_, mine)) => mine.insert(index),
                None => gets.push((*gres_index, [index].into_iter().collect())),
            }
        }
    }
    (count == 0).then_some(())
}
