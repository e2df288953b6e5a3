//! Configurations with errors: each diagnostic has file and line, and the rest is still read. Files of real
//! sites, and damaged copies of them.

use base::diagnostic::Severity;
use config::{Cluster, SiteFiles};

fn cluster(files: &[(&str, &str)]) -> Cluster {
    Cluster::parse(&SiteFiles(files.iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned())).collect()))
}

/// Diagnostics as text, without notes.
fn found(cluster: &Cluster) -> Vec<String> {
    cluster.diagnostics.iter().filter(|d| d.severity > Severity::Note).map(ToString::to_string).collect()
}

const BASE: &str =
    "ClusterName=lab\nNodeName=cn[1-4] CPUs=8 RealMemory=1000\nPartitionName=main Nodes=ALL Default=YES\n";

#[test]
fn contradictions_are_reported_and_the_rest_is_read() {
    for (line, finding) in [
        ("PartitionName=x", "warning: partition x has no nodes"),
        (
            "PartitionName=x Nodes=cn[1-2] MinNodes=3 MaxNodes=2",
            "warning: partition x: MinNodes=3 is more than MaxNodes=2",
        ),
        (
            "PartitionName=x Nodes=cn[1-2] MinNodes=3",
            "warning: partition x: MinNodes=3 is more than its 2 nodes",
        ),
        (
            "PartitionName=x Nodes=cn1 MaxTime=10 DefaultTime=1:00:00",
            "warning: partition x: DefaultTime exceeds MaxTime",
        ),
        (
            "PartitionName=x Nodes=cn1 DefMemPerCPU=1 DefMemPerNode=2",
            "warning: partition x: DefMemPerNode is not used beside DefMemPerCPU",
        ),
        (
            "PartitionName=x Nodes=cn1 DefMemPerCPU=10 MaxMemPerCPU=2",
            "warning: partition x: DefMemPerCPU exceeds MaxMemPerCPU",
        ),
        (
            "PartitionName=x Nodes=cn1 AllowAccounts=a DenyAccounts=b",
            "warning: Both AllowAccounts and DenyAccounts are defined, DenyAccounts will be ignored",
        ),
        (
            "PartitionName=x Nodes=cn1 TRESBillingWeights=CPU=-1",
            "warning: partition x: a weight in TRESBillingWeights is negative",
        ),
        ("PartitionName=x Nodes=cn1 Default=YES", "warning: the default partition is x, not main any more"),
        ("PartitionName=x Nodes=cn1 MaxNodes=-1", "error: Invalid value \"-1\" for MaxNodes"),
        (
            "PartitionName=x Nodes=cn1 Nodes=cn2",
            "warning: Nodes is specified more than once in a PartitionName line, latest value used",
        ),
        (
            "PartitionName=x Nodes=cn1 MaxTme=3",
            "error: Unknown option MaxTme in a PartitionName line (did you mean MaxTime?)",
        ),
        ("PriorityWeightAge=-3", "error: Invalid value \"-3\" for PriorityWeightAge"),
        (
            "PriorityWeightTRES=CPU=-3",
            "warning: a weight in PriorityWeightTRES is negative: it lowers the priority of those who ask for it",
        ),
        ("NodeName=x Weight=-1", "error: Invalid value \"-1\" for Weight"),
        ("NodeName=x State=ASLEEP", "error: Invalid value \"ASLEEP\" for State"),
        ("NodeName=x RealMemory=5 MemSpecLimit=5", "warning: MemSpecLimit=5 leaves nothing of RealMemory=5"),
        ("NodeName=x CPUs=2 CoreSpecCount=2", "warning: CoreSpecCount=2 leaves none of 2 cores"),
        ("DownNodes=cn[ State=DOWN", "error: Invalid DownNodes=cn["),
        ("NodeSet=a Nodes=cn1\nNodeSet=a Nodes=cn2", "warning: duplicate NodeSet a, the later one is used"),
    ] {
        let c = cluster(&[("slurm.conf", &format!("{BASE}{line}\n"))]);
        let at = 4 + line.matches('\n').count();
        let said = found(&c);
        assert!(
            said.len() == 1 && said[0].starts_with(&format!("slurm.conf:{at}: {finding}")),
            "{line}: {said:?}"
        );
        assert!(c.nodes.len() >= 4 && !c.partitions.is_empty(), "{line}");
        assert!(c.partitions.iter().filter(|p| p.is_default).count() == 1, "{line}");
    }
}

#[test]
fn invalid_switches() {
    let conf = format!("{BASE}TopologyPlugin=topology/tree\n");
    for (topology, findings) in [
        ("SwitchName=a Nodes=cn[1-2]\nSwitchName=b Nodes=cn[3-4]\nSwitchName=c Switches=a,b\n", vec![]),
        (
            "SwitchName=l Nodes=ALL\nSwitchName=a Switches=b\nSwitchName=b Switches=a\n",
            vec!["topology.conf:2: error: Switch configuration has cycles at a"],
        ),
        (
            "SwitchName=l Nodes=ALL\nSwitchName=a Switches=a\n",
            vec!["topology.conf:2: error: Switch configuration has cycles at a"],
        ),
        (
            "SwitchName=l Nodes=ALL\nSwitchName=a Switches=l,zz\n",
            vec!["topology.conf:2: error: Switch a: zz is no switch"],
        ),
        (
            "SwitchName=a Nodes=cn[1-3]\nSwitchName=b Nodes=cn[3-4]\n",
            vec!["topology.conf:2: warning: Switch b has nodes that are on another switch as well"],
        ),
        (
            "SwitchName=a Nodes=cn[1-3]\n",
            vec!["topology.conf: warning: switches lack access to 1 nodes: cn4"],
        ),
        (
            "SwitchName=a Nodes=ALL\nSwitchName=b Switches=a Nodes=cn1\n",
            vec![
                "topology.conf:2: error: Switch b has both child switches and nodes; its nodes are left out",
            ],
        ),
        (
            "SwitchName=a Nodes=ALL\nSwitchName=a Nodes=cn1\n",
            vec!["topology.conf:2: error: Switch (a) has already been defined, or there are too many"],
        ),
    ] {
        let c = cluster(&[("slurm.conf", &conf), ("topology.conf", topology)]);
        assert_eq!(found(&c), findings, "{topology}");
        assert_eq!((c.nodes.len(), c.partitions.len()), (4, 1));
    }
}

#[test]
fn lines_that_are_too_long() {
    let long = "x".repeat(10 << 20);
    let text =
        format!("ClusterName=lab\nLicenses={long}\nNodeName=cn[1-4] CPUs=8\nPartitionName=main Nodes=ALL\n");
    let c = cluster(&[("slurm.conf", &text)]);
    let first = found(&c).into_iter().next().unwrap_or_default();
    assert_eq!(first, "slurm.conf:2: error: More than 8 MiB of configuration; the rest is left out");
    let long = "x".repeat(2 << 20);
    let text =
        format!("ClusterName=lab\nLicenses={long}\nNodeName=cn[1-4] CPUs=8\nPartitionName=main Nodes=ALL\n");
    let c = cluster(&[("slurm.conf", &text)]);
    assert_eq!(found(&c), ["slurm.conf:2: error: A line of more than 1 MiB is left out"]);
    assert_eq!((c.nodes.len(), c.partitions.len()), (4, 1));
    let split = "xxxx\\\n".repeat(300_000);
    let c = cluster(&[("slurm.conf", &format!("{BASE}Licenses={split}\nKillWait=5\n"))]);
    assert_eq!(found(&c), ["slurm.conf:4: error: A line of more than 1 MiB is left out"]);
    assert_eq!(c.global.kill_wait, 5);
}

/// A real site's files.
type Site = (&'static str, &'static [(&'static str, &'static str)]);

macro_rules! site {
    ($name:literal: $($file:literal)*) => {
        ($name, &[$(($file, include_str!(concat!("../configs/", $name, "/", $file)))),*])
    };
}

const SITES: &[Site] = &[
    site!("sussex": "slurm.conf" "gres.conf"),
    site!("unsw": "slurm.conf" "headnode.conf" "nodenames.conf" "partitions.conf" "topology.conf"),
    site!("nstda": "slurm.conf" "topology.conf"),
    site!("ub-medium": "slurm.conf" "topology.conf" "gres.conf"),
];

/// Every diagnostic refers to an existing line.
fn lines_exist(files: &SiteFiles, cluster: &Cluster) {
    for found in &cluster.diagnostics {
        let lines = files.0.get(&found.file).map_or(0, |text| text.lines().count());
        assert!(found.line as usize <= lines.max(1), "{found}");
        assert!(!found.message.is_empty() && found.message.len() < 5000, "{found}");
    }
}

#[test]
fn real_files_are_read() {
    for (name, files) in SITES {
        let c = cluster(files);
        let errors: Vec<String> = found(&c).into_iter().filter(|f| f.contains(": error: ")).collect();
        assert_eq!(errors, [] as [&str; 0], "{name}");
        assert!(!c.nodes.is_empty() && !c.partitions.is_empty(), "{name}");
    }
}

#[test]
fn mangled_real_files_never_panic() {
    let words: Vec<String> = SITES
        .iter()
        .flat_map(|(_, files)| files.iter())
        .flat_map(|(_, text)| text.split_whitespace())
        .map(str::to_owned)
        .collect();
    testing::for_seeds(0..600, |round, numbers| {
        let mut random = |n: usize| numbers.below(n.max(1));
        let (_, files) = SITES[round as usize % SITES.len()];
        let mut files = SiteFiles(files.iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned())).collect());
        for text in files.0.values_mut() {
            for _ in 0..random(5) {
                mangle(text, &words, &mut random);
            }
        }
        let c = Cluster::parse(&files);
        lines_exist(&files, &c);
        let nodes = u32::try_from(c.nodes.len()).unwrap_or(u32::MAX);
        assert!(c.partitions.iter().all(|p| p.nodes.iter().all(|n| n < nodes)));
    });
}

/// One random change of a text: inserts a word of some site, duplicates or deletes a line, cuts out a few
/// bytes, or truncates it.
fn mangle(text: &mut String, words: &[String], random: &mut impl FnMut(usize) -> usize) {
    let mut lines: Vec<&str> = text.lines().collect();
    let at = random(lines.len());
    let joined;
    match random(5) {
        0 => {
            let (line, word) = (lines.get(at).copied().unwrap_or_default(), &words[random(words.len())]);
            joined = format!("{line} {word}");
            lines.splice(at..(at + 1).min(lines.len()), [joined.as_str()]);
        }
        1 => lines.extend(lines.get(at).copied()),
        2 => drop(lines.splice(at..(at + 1).min(lines.len()), [])),
        3 => {
            let line: Vec<char> = lines.get(at).copied().unwrap_or_default().chars().collect();
            let (from, n) = (random(line.len()), random(8));
            joined = line.iter().take(from).chain(line.iter().skip(from + n)).collect();
            lines.splice(at..(at + 1).min(lines.len()), [joined.as_str()]);
        }
        _ => lines.truncate(at.max(3)),
    }
    *text = lines.join("\n") + "\n";
}
