//! The values that factors are normalized by: sums and maxima over the cluster. They are derived and cached, so a
//! priority costs the same on every cluster.

use crate::Slurmctld;
use base::order::StableSort as _;
use base::tres::Tres;
use serde::{Deserialize, Serialize};
use slurmdbd::Slurmdbd;

/// Sums and maxima over nodes, partitions, QOS and associations. Zero if there is nothing to compare with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Norms {
    pub nodes: f64,
    pub cpus: f64,
    /// Highest `PriorityJobFactor`.
    pub partition: f64,
    /// Highest priority of any QOS.
    pub qos: f64,
    /// Highest priority of any association.
    pub assoc: f64,
    /// `PriorityWeightTRES`, in the order of TRES ids.
    pub tres: Vec<Weighed>,
}

/// A weighted TRES.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Weighed {
    pub name: String,
    pub weight: f64,
    /// How much of it each partition has.
    pub total: Vec<u64>,
}

impl Norms {
    /// Computes the norms of a controller.
    pub fn of(ctld: &Slurmctld) -> Self {
        let conf = &ctld.cluster.global.priority;
        let mut weights: Vec<(&String, f64)> = conf.weight_tres.iter().map(|(n, w)| (n, *w)).collect();
        weights.order_by_key(|(name, _)| Tres::sort_key(name));
        let nodes = || ctld.nodes.iter().filter(|n| !n.gone);
        let parts: Vec<Tres> = if weights.is_empty() { Vec::new() } else { part_totals(ctld) };
        let mut norms = Self {
            nodes: nodes().count().max(1) as f64,
            cpus: f64::from(nodes().map(|n| n.cpus()).sum::<u32>().max(1)),
            partition: highest(&mut ctld.partitions.iter().map(|p| p.priority_job_factor)),
            qos: 1.0,
            assoc: 1.0,
            tres: (weights.into_iter())
                .map(|(name, weight)| Weighed {
                    name: name.clone(),
                    weight,
                    total: parts.iter().map(|p| p.get(name)).collect(),
                })
                .collect(),
        };
        norms.follow(&ctld.dbd);
        norms
    }

    /// Updates the norms after a change of associations or QOS.
    pub fn follow(&mut self, dbd: &Slurmdbd) {
        self.qos = highest(&mut dbd.qos.iter().filter(|q| !q.deleted).map(|q| q.priority));
        self.assoc = highest(&mut dbd.live().map(|a| a.priority));
    }
}

fn highest(values: &mut dyn Iterator<Item = u32>) -> f64 {
    f64::from(values.max().unwrap_or(0).max(1))
}

/// The TRES of each partition.
fn part_totals(ctld: &Slurmctld) -> Vec<Tres> {
    let one = |part: &config::PartConf| {
        let mut sum = Tres::default();
        for node in part.nodes.iter().filter_map(|i| ctld.nodes.get(i as usize)) {
            sum.node += 1;
            sum.cpu += u64::from(node.cpus());
            sum.mem += node.conf.real_memory;
            for gres in &node.conf.gres {
                *sum.gres.entry(gres.name.clone()).or_default() += u64::from(gres.count);
                if let Some(kind) = &gres.kind {
                    *sum.gres.entry(format!("{}:{kind}", gres.name)).or_default() += u64::from(gres.count);
                }
            }
        }
        sum.billing = sum.cpu;
        sum
    };
    ctld.partitions.iter().map(one).collect()
}
