//! Finds requests that no node of the chosen partitions can satisfy: too many GPUs, CPUs, nodes or too much
//! memory.
//!
//! sbatch reports these as "Requested node configuration is not available"; the finding says what is
//! available.

use super::{Finding, OptionPosition, OptionPositions, last_position};
use crate::slurm::opt::JobOptions;
use base::lint::LintMessage;
use base::tres::mem_text;
use config::{GresConf, PartConf};
use slurmctld::Slurmctld;
use slurmctld::job::{GresReq, JobDesc};
use slurmctld::node::Node;

/// A script's request and its partitions.
struct LintRequest<'a> {
    state: &'a Slurmctld,
    desc: &'a JobDesc,
    /// The named partitions, or the default one.
    parts: Vec<&'a PartConf>,
    positions: &'a OptionPositions,
}

/// Adds findings about sizes.
pub fn look(state: &Slurmctld, all: &JobOptions, positions: &OptionPositions, found: &mut Vec<Finding>) {
    let desc = &all.desc;
    let named = |p: &&PartConf| match &desc.partition {
        Some(list) => list.split(',').any(|name| name == p.name),
        None => p.is_default,
    };
    let asked =
        LintRequest { state, desc, parts: state.partitions.iter().filter(named).collect(), positions };
    if asked.nodes().next().is_none() {
        return;
    }
    asked.gpus(found);
    asked.numbers(found);
    asked.memory(found);
}

impl LintRequest<'_> {
    /// The candidate nodes.
    fn nodes(&self) -> impl Iterator<Item = &Node> {
        let meant = |n: &&Node| !n.gone && self.parts.iter().any(|p| p.nodes.contains(n.id.0));
        self.state.nodes.iter().filter(meant)
    }

    /// The names of the partitions.
    fn of(&self) -> Vec<String> {
        self.parts.iter().map(|p| p.name.clone()).collect()
    }

    /// The maximum of a quantity over the nodes.
    fn most(&self, of: impl Fn(&Node) -> u64) -> u64 {
        self.nodes().map(of).max().unwrap_or(0)
    }

    fn at(&self, option: &str) -> Option<OptionPosition> {
        last_position(self.positions, option)
    }

    /// GPUs per node, with the option that requests them.
    fn gpus(&self, found: &mut Vec<Finding>) {
        let lists: [(&str, &Vec<GresReq>, &str); 3] = [
            ("gres", &self.desc.gres, "gpu:"),
            ("gpus-per-node", &self.desc.gpus_per_node, ""),
            ("gpus-per-task", &self.desc.gpus_per_task, ""),
        ];
        for (option, list, prefix) in lists {
            let Some(at) = self.at(option) else { continue };
            for asked in list.iter().filter(|g| g.name == "gpu") {
                found.extend(
                    self.gpu(option, prefix, asked)
                        .map(|(message, better)| at.finding(false, message, better)),
                );
            }
        }
    }

    fn gpu(&self, option: &str, prefix: &str, asked: &GresReq) -> Option<(LintMessage, Option<String>)> {
        let gpus = |n: &Node| {
            let fits = |g: &&GresConf| g.name == "gpu" && (asked.kind.is_none() || g.kind == asked.kind);
            n.conf.gres.iter().filter(fits).map(|g| u64::from(g.count)).sum::<u64>()
        };
        let most = self.most(gpus);
        if asked.count <= most {
            return None;
        }
        let kind = asked.kind.as_ref().map(|k| format!("{k}:")).unwrap_or_default();
        if most > 0 {
            let message =
                LintMessage::FewGpus { of: self.of(), asked: asked.count, kind: asked.kind.clone(), most };
            return Some((message, Some(format!("--{option}={prefix}{kind}{most}"))));
        }
        // The nodes have another type of GPU, or another partition has the GPUs.
        let other =
            self.nodes().flat_map(|n| &n.conf.gres).find(|g| g.name == "gpu").and_then(|g| g.kind.clone());
        if let (Some(wrong), Some(right)) = (&asked.kind, other) {
            let better = Some(format!("--{option}={prefix}{right}:{}", asked.count));
            return Some((LintMessage::OtherGpus { of: self.of(), wrong: wrong.clone(), right }, better));
        }
        let has = |p: &&PartConf| {
            p.nodes.iter().filter_map(|i| self.state.nodes.get(i as usize)).any(|n| gpus(n) >= asked.count)
        };
        let would = self.state.partitions.iter().filter(has).take(4).map(|p| p.name.clone()).collect();
        Some((LintMessage::NoGpus { of: self.of(), would }, None))
    }

    /// Checks nodes, and CPUs per task and node.
    fn numbers(&self, found: &mut Vec<Finding>) {
        let cpus = self.most(|n| u64::from(n.cpus()));
        let nodes = self.nodes().count() as u64;
        let table = [
            ("cpus-per-task", self.desc.cpus_per_task, cpus),
            ("ntasks-per-node", self.desc.ntasks_per_node, cpus),
            ("mincpus", self.desc.min_cpus_per_node, cpus),
            ("nodes", self.desc.min_nodes, nodes),
        ];
        for (option, asked, most) in table {
            let Some((asked, at)) = asked.zip(self.at(option)).filter(|(n, _)| u64::from(*n) > most) else {
                continue;
            };
            let of = self.of();
            let message = match option {
                "nodes" => LintMessage::FewNodes { of, asked, most },
                _ => LintMessage::FewCpus { of, asked, most },
            };
            found.push(at.finding(false, message, Some(format!("--{option}={most}"))));
        }
    }

    fn memory(&self, found: &mut Vec<Finding>) {
        let most = self.most(|n| n.conf.real_memory);
        let Some((asked, at)) = self.desc.mem_per_node.zip(self.at("mem")).filter(|(m, _)| *m > most) else {
            return;
        };
        let message = LintMessage::Memory { of: self.of(), asked: mem_text(asked), most: mem_text(most) };
        found.push(at.finding(false, message, Some(format!("--mem={most}M"))));
    }
}
