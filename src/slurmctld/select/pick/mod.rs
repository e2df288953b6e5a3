//! Which of the suitable nodes are taken, with how many CPUs and job-wide GRES on each. Nodes with lower weights come first in all
//! strategies (`eval_nodes` of cons_tres).

mod block;
mod consecutive;
pub(super) mod counted;
mod tree;

use super::SelectError;
use super::offer::{Offer, SelectContext};
use base::ids::NodeId;
use base::order::StableSort as _;
use config::Topology;

/// A node that is taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken {
    pub(super) offer: Offer,
    /// CPUs for tasks.
    pub(super) cpus: u32,
    /// Job-wide GRES.
    pub(super) gres: u64,
}

/// What is still needed while nodes are taken.
#[derive(Clone, Debug)]
pub(super) struct Left {
    cpus: u32,
    gres: u64,
    /// The number of nodes wanted; the upper end of a range.
    nodes: u32,
    /// The minimum number of nodes.
    least: u32,
    /// The number of nodes that may still be taken.
    allowed: u32,
    per_task: u32,
    per_node: u32,
    shares_gres: bool,
    taken: Vec<Taken>,
}

/// Chooses among the offers, which are in the order of nodes.
pub(super) fn nodes(context: &SelectContext<'_>, offers: &[Offer]) -> Result<Vec<Taken>, SelectError> {
    let (left, others) = begin(context, offers)?;
    let tried = strategy(context, &others, left.clone());
    if tried.is_ok() || context.needs.contiguous {
        return tried;
    }
    if (left.allowed as usize) < others.len() {
        without_small(context, others, &left).ok_or(SelectError::Nodes)
    } else {
        tried
    }
}

/// Tries again without the smallest nodes, because they may have used up the maximum number of nodes. The minimum number of nodes
/// always remains.
fn without_small(context: &SelectContext<'_>, mut others: Vec<Offer>, left: &Left) -> Option<Vec<Taken>> {
    let least = left.least as usize - left.taken.len().min(left.least as usize);
    while others.len() > least {
        let smallest = others.iter().map(|o| o.cpus).min()?;
        let mut spare = others.len() - least;
        others.retain(|o| {
            let stays = o.cpus > smallest || spare == 0;
            spare -= usize::from(!stays);
            stays
        });
        if let Ok(taken) = strategy(context, &others, left.clone()) {
            return Some(taken);
        }
    }
    None
}

/// The needs of the job before any node is taken.
fn wanted(context: &SelectContext<'_>) -> Left {
    let needs = context.needs;
    let (least, most) = context.node_limits;
    let wanted =
        if needs.style.use_min_nodes || most == u32::MAX || needs.max_nodes == 0 { least } else { most };
    Left {
        cpus: context.cpus_wanted(),
        gres: context.gres_wanted(),
        nodes: wanted,
        least,
        allowed: most,
        per_task: context.cpus_per_task(),
        per_node: needs.min_cpus_per_node.max(1),
        shares_gres: context.gres_wanted() > 0,
        taken: Vec::new(),
    }
}

/// What is still needed after the required nodes are taken, and the other offers.
fn begin(context: &SelectContext<'_>, offers: &[Offer]) -> Result<(Left, Vec<Offer>), SelectError> {
    let (needs, most) = (context.needs, context.node_limits.1);
    let mut left = wanted(context);
    if needs.required.is_empty() {
        // A job that may have only one node needs one that is enough for all of it.
        let enough = |o: &&Offer| most > 1 || left.suffices(o);
        let offers = offers.iter().filter(enough).copied().collect();
        return Ok((left, offers));
    }
    let (required, others): (Vec<Offer>, Vec<Offer>) =
        offers.iter().partition(|o| needs.required.contains(o.node));
    if (required.len() as u32) < needs.required.len().min(most) {
        return Err(SelectError::Required);
    }
    for offer in required.into_iter().take(most as usize) {
        left.take(offer);
    }
    Ok((left, others))
}

/// Chooses by the strategy for the configuration and the request.
fn strategy(context: &SelectContext<'_>, offers: &[Offer], left: Left) -> Result<Vec<Taken>, SelectError> {
    if left.done() {
        return left.finish();
    }
    match &context.ctld.cluster.topology {
        Topology::Block { sizes, blocks } => return block::pick(context, offers, left, sizes, blocks),
        Topology::Tree(switches) if !context.needs.contiguous && !context.by_order() => {
            return tree::pick(context, offers, left, switches);
        }
        Topology::Tree(_) | Topology::Flat => {}
    }
    plain(context, offers, left)
}

/// Chooses by a strategy that ignores the topology.
fn plain(context: &SelectContext<'_>, offers: &[Offer], left: Left) -> Result<Vec<Taken>, SelectError> {
    if context.needs.style.spread {
        return spread(offers, left);
    }
    if context.by_order() {
        return in_order(context, offers, left);
    }
    consecutive::pick(context, offers, left)
}

/// Takes nodes in a fixed order: nodes in use first, the least loaded first, or the last first.
fn in_order(
    context: &SelectContext<'_>,
    offers: &[Offer],
    mut left: Left,
) -> Result<Vec<Taken>, SelectError> {
    let node = |o: &Offer| context.ctld.node(NodeId(o.node));
    let rank = |o: &Offer| {
        if context.busy_first {
            u64::from(node(o).jobs.is_empty())
        } else if context.least_loaded() {
            u64::MAX - (u64::from(o.free) << 32) / u64::from(node(o).cpus().max(1))
        } else {
            u64::from(u32::MAX - o.node)
        }
    };
    let mut order = offers.to_vec();
    order.order_by_key(|o| (o.weight, rank(o), o.node));
    order.into_iter().for_each(|offer| left.take_if_wanted(offer));
    left.finish()
}

/// `--spread-job`: as many nodes as possible, at most one for each task.
fn spread(offers: &[Offer], mut left: Left) -> Result<Vec<Taken>, SelectError> {
    let tasks = (left.cpus / left.per_task.max(1)).max(1);
    left.nodes = left.allowed.min(tasks).min(u32::try_from(offers.len()).unwrap_or(u32::MAX)).max(left.nodes);
    let mut order = offers.to_vec();
    order.order_by_key(|o| (o.weight, o.node));
    order.into_iter().for_each(|offer| left.take_if_wanted(offer));
    left.finish()
}

impl Left {
    fn done(&self) -> bool {
        // With GRES for the whole job, nodes of a range are taken only while they add GRES.
        let few = self.shares_gres && self.taken.len() as u64 >= u64::from(self.least);
        self.cpus == 0 && self.gres == 0 && (self.nodes == 0 || few)
    }

    fn take_if_wanted(&mut self, offer: Offer) {
        if !self.done() && self.allowed > 0 {
            self.take(offer);
        }
    }

    /// Takes as much of a node as is needed, but leaves something for each further node up to the minimum. The last nodes of a
    /// range may get more than what is left: the tasks are distributed afterwards.
    fn take(&mut self, offer: Offer) {
        let taken = u32::try_from(self.taken.len()).unwrap_or(u32::MAX);
        let further = self.least.saturating_sub(taken).saturating_sub(1);
        let spare = self.cpus.saturating_sub(further.saturating_mul(self.per_task.max(self.per_node)));
        let cpus = offer.cpus.min(spare.max(self.per_node).max(self.per_task));
        let gres = offer.gres.min(self.gres.saturating_sub(further.into()).max(1));
        self.cpus = self.cpus.saturating_sub(cpus);
        self.gres = self.gres.saturating_sub(gres);
        self.nodes = self.nodes.saturating_sub(1);
        self.allowed = self.allowed.saturating_sub(1);
        self.taken.push(Taken { offer, cpus, gres });
    }

    /// The taken nodes, if they are enough.
    fn finish(self) -> Result<Vec<Taken>, SelectError> {
        if (self.taken.len() as u64) < u64::from(self.least) {
            Err(SelectError::Nodes)
        } else if self.gres > 0 {
            Err(SelectError::Gres)
        } else if self.cpus > 0 {
            Err(SelectError::Cpus)
        } else {
            Ok(self.taken)
        }
    }

    /// Whether the node has all that is still needed.
    fn suffices(&self, offer: &Offer) -> bool {
        offer.cpus >= self.cpus && offer.gres >= self.gres
    }

    /// Whether nodes with these totals would be enough.
    fn enough(&self, nodes: u32, cpus: u64, gres: u64) -> bool {
        // The lower end of a range of nodes is enough.
        let taken = u32::try_from(self.taken.len()).unwrap_or(u32::MAX);
        cpus >= u64::from(self.cpus) && gres >= self.gres && nodes >= self.least.saturating_sub(taken)
    }
}
