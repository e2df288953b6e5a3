//! Nodes and partitions as configured, from which the page lays out its pictures. An administrator can change
//! them (`scontrol reconfigure`, `create`, `update`), and they can differ at another moment.

use base::time::{Limit, hms};
use config::PartConf;
use protocol::{MachineInfo, NodeInfo, PartitionInfo, SwitchInfo};
use slurmctld::Slurmctld;
use slurmctld::node::Node;

/// All nodes and partitions.
pub fn machine(ctld: &Slurmctld) -> MachineInfo {
    let leaves = ctld.cluster.topology.switches().iter().filter(|s| s.level == 0);
    MachineInfo {
        nodes: (0u32..).zip(&ctld.nodes).map(|(i, node)| node_info(i, node, &ctld.partitions)).collect(),
        partitions: ctld.partitions.iter().map(partition_info).collect(),
        switches: leaves
            .map(|s| SwitchInfo { name: s.name.clone(), nodes: s.nodes.iter().collect() })
            .collect(),
    }
}

/// A fingerprint of the result of [`machine`].
pub fn stamp(ctld: &Slurmctld) -> u64 {
    let of_node = |n: &Node| u64::from(n.cores()) << 1 | u64::from(n.gone);
    let nodes = ctld.nodes.iter().map(of_node);
    let of_part = |p: &PartConf| {
        let name = p.name.bytes().map(u64::from);
        let limit = match p.max_time {
            Limit::Unlimited => u64::MAX,
            Limit::Minutes(minutes) => u64::from(minutes),
        };
        let set = p.nodes.words().iter().copied();
        name.chain([limit, u64::from(p.is_default)]).chain(set).fold(FNV, mix)
    };
    nodes.chain(ctld.partitions.iter().map(of_part)).fold(FNV, mix)
}

/// The offset basis of the FNV-1a hash.
pub const FNV: u64 = 0xcbf2_9ce4_8422_2325;

/// One step of the FNV-1a hash.
pub const fn mix(hash: u64, word: u64) -> u64 {
    (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3)
}

fn node_info(index: u32, node: &Node, partitions: &[PartConf]) -> NodeInfo {
    let conf = &node.conf;
    let gpus = || conf.gres.iter().filter(|g| g.name == "gpu");
    NodeInfo {
        name: conf.name.clone(),
        cpus: conf.cpus,
        cores: conf.sockets * conf.cores_per_socket,
        memory_mib: conf.real_memory,
        gpus: gpus().map(|g| g.count).sum(),
        gpu_kind: gpus().next().and_then(|g| g.kind.clone()).unwrap_or_default(),
        partitions: (0..).zip(partitions).filter(|(_, p)| p.nodes.contains(index)).map(|(i, _)| i).collect(),
        gone: node.gone,
    }
}

fn partition_info(part: &PartConf) -> PartitionInfo {
    let time_limit = match part.max_time {
        Limit::Unlimited => "infinite".to_owned(),
        Limit::Minutes(minutes) => hms(i64::from(minutes) * 60),
    };
    PartitionInfo {
        name: part.name.clone(),
        is_default: part.is_default,
        time_limit,
        nodes: part.nodes.iter().collect(),
    }
}
