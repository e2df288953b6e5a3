//! The nodes as a table, for a file.

use crate::fill::csv_line;
use protocol::{NodeCell, NodeInfo, PartitionInfo};

/// The nodes as CSV, without those that were removed from the configuration. Memory is in MiB.
#[must_use]
pub fn csv(nodes: &[NodeInfo], cells: &[NodeCell], partitions: &[PartitionInfo]) -> String {
    let headings =
        ["node", "state", "partitions", "cores", "cores_used", "memory", "memory_used", "gpus", "gpus_used"];
    let mut out = csv_line(headings);
    for (node, cell) in nodes.iter().zip(cells).filter(|(node, _)| !node.gone) {
        let names = node.partitions.iter().filter_map(|at| Some(partitions.get(*at as usize)?.name.as_str()));
        let cores: u32 = cell.cores.iter().filter(|run| run.job > 0).map(|run| run.count).sum();
        let gpus = cell.gpus.iter().filter(|job| **job > 0).count();
        out.push_str(&csv_line([
            node.name.as_str(),
            &cell.state,
            &names.collect::<Vec<_>>().join(" "),
            &node.cores.to_string(),
            &cores.to_string(),
            &node.memory_mib.to_string(),
            &cell.mem_used_mib.to_string(),
            &node.gpus.to_string(),
            &gpus.to_string(),
        ]));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::CoreRun;

    #[test]
    fn a_line_for_each_node() {
        let node = |name: &str, gone| NodeInfo {
            name: name.into(),
            cpus: 4,
            cores: 4,
            memory_mib: 8000,
            gpus: 2,
            gpu_kind: String::new(),
            partitions: vec![1, 0],
            gone,
        };
        let run = |count, job| CoreRun { count, job, ..CoreRun::default() };
        let cell = NodeCell {
            state: "mix".into(),
            cores: vec![run(3, 7), run(1, 0)],
            mem_used_mib: 2000,
            gpus: vec![0, 7],
        };
        let partition = |name: &str| PartitionInfo {
            name: name.into(),
            is_default: false,
            time_limit: String::new(),
            nodes: Vec::new(),
        };
        let text = csv(
            &[node("n1", false), node("n2", true)],
            &[cell.clone(), cell],
            &[partition("cpu"), partition("gpu")],
        );
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(lines, ["n1,mix,gpu cpu,4,3,8000,2000,2,1"]);
    }
}
