//! `partition-stats`, a tool of the Alliance: waiting and running jobs, idle and total nodes, for each kind
//! of node and each maximum time. Each cell shows whole-node jobs and by-core jobs, separated by a colon.
//!
//! The kinds follow from the partitions: GPUs, more than 8 GB per core, and the rest. A partition that
//! allocates whole nodes (`OverSubscribe=EXCLUSIVE`) counts as by-node. Only sites that list the tool
//! (`tools` of site.toml) have it.

use crate::Cx;
use crate::slurm::jobtext::JobView;
use base::bitset::BitSet;
use base::order::StableSort as _;
use base::time::Limit;
use config::{OverSubscribe, PartConf, PartExclusive};
use slurmctld::job::{Job, JobState};

const HELP: &str = "\
usage: partition-stats [-h]

For each kind of node and each longest time: jobs that wait, jobs that run, idle nodes, and all nodes, for jobs of whole
nodes and of single cores (by node:by core).

options:
  -h, --help  show this help message and exit
";

/// The kinds of nodes, in the order of the rows.
const KINDS: [&str; 3] = ["Regular", "Large Mem", "GPU"];
/// Minimum memory per core of a large-memory node, MiB.
const LARGE: u64 = 8192;
/// The column at which the headings of the four parts end.
const HEADING: usize = 64;

/// Counts for one kind of node, one maximum time, and by-node or by-core allocation.
#[derive(Clone, Default)]
struct PartitionCount {
    queued: u32,
    running: u32,
    nodes: BitSet,
}

/// A section of the table: its heading, and its value in a count.
type StatsSection = (&'static str, fn(&JobView, &PartitionCount) -> u32);

const PARTS: [StatsSection; 4] = [
    ("Number of Queued Jobs by partition Type (by node:by core)", |_, c| c.queued),
    ("Number of Running Jobs by partition Type (by node:by core)", |_, c| c.running),
    ("Number of Idle nodes by partition Type (by node:by core)", idle),
    ("Total Number of nodes by partition Type (by node:by core)", |_, c| c.nodes.len()),
];

/// Runs it.
pub fn run(cx: &mut Cx) -> u8 {
    match cx.args().first().map(String::as_str) {
        None => {}
        Some("-h" | "--help") => {
            cx.print(HELP);
            return 0;
        }
        Some(word) => {
            let text = format!(
                "usage: partition-stats [-h]\npartition-stats: error: unrecognized arguments: {}",
                cx.args().join(" ")
            );
            cx.complain(&if word.is_empty() { text.trim_end().to_owned() } else { text });
            return 2;
        }
    }
    let table = table(&JobView::of(cx));
    cx.print(&table);
    0
}

fn table(view: &JobView) -> String {
    let parts = &view.state.partitions;
    let mut limits: Vec<u32> = parts.iter().map(hours).collect();
    limits.order();
    limits.dedup();
    let counts = counts(view, &limits);
    let rule = format!("----------|{}\n", "-".repeat(1 + 10 * limits.len()));
    let columns: String = limits.iter().map(|hours| format!("  {:<7}|", heading(*hours))).collect();
    let mut out = format!("\nNode type |                     Max walltime\n          | {columns}\n");
    for (heading, shown) in PARTS {
        out += &format!("{rule}{heading:>HEADING$}\n{rule}");
        for (kind, name) in KINDS.iter().enumerate() {
            let cell = |column| {
                let at = |slice| counts.get((kind * limits.len() + column) * 2 + slice);
                let [by_node, by_core] = [0, 1].map(|slice| at(slice).map_or(0, |c| shown(view, c)));
                format!("{by_node:>4}:{by_core:<4}|")
            };
            out += &format!("{name:<10}| {}\n", (0..limits.len()).map(cell).collect::<String>());
        }
    }
    out + &rule
}

/// Counts by kind of node, maximum time, and by-node or by-core allocation.
fn counts(view: &JobView, limits: &[u32]) -> Vec<PartitionCount> {
    let mut counts = vec![PartitionCount::default(); KINDS.len() * limits.len() * 2];
    let indices: Vec<Option<usize>> =
        view.state.partitions.iter().map(|part| count_index(view, part, limits)).collect();
    for (part, index) in view.state.partitions.iter().zip(&indices) {
        if let Some(count) = index.and_then(|at| counts.get_mut(at)) {
            part.nodes.iter().for_each(|node| count.nodes.insert(node));
        }
    }
    let jobs = view.state.pending_jobs().chain(view.state.active_jobs());
    for job in jobs.filter(|job| view.sees_job(job)) {
        let first = job.partitions.first().and_then(|p| indices.get(p.0 as usize).copied().flatten());
        let Some(count) = first.and_then(|at| counts.get_mut(at)) else { continue };
        if job.state == JobState::Pending {
            count.queued += tasks(job);
        } else if job.state == JobState::Running {
            count.running += 1;
        }
    }
    counts
}

/// The index of a partition's count. None for a partition without nodes.
fn count_index(view: &JobView, part: &PartConf, limits: &[u32]) -> Option<usize> {
    let column = limits.iter().position(|l| *l == hours(part))?;
    let node = &view.state.nodes.get(part.nodes.iter().next()? as usize)?.conf;
    let kind = if node.gres.iter().any(|g| g.name == "gpu") {
        2
    } else {
        usize::from(node.real_memory > LARGE * u64::from(node.cores().max(1)))
    };
    let whole = part.over_subscribe == OverSubscribe::Exclusive || part.exclusive != PartExclusive::No;
    Some((kind * limits.len() + column) * 2 + usize::from(!whole))
}

/// The maximum time in whole hours. The largest number if there is none.
fn hours(part: &PartConf) -> u32 {
    match part.max_time {
        Limit::Minutes(minutes) => minutes.div_ceil(60),
        Limit::Unlimited => u32::MAX,
    }
}

fn heading(hours: u32) -> String {
    if hours == u32::MAX { "no max".to_owned() } else { format!("{hours} hr") }
}

/// The number of jobs in a record.
fn tasks(job: &Job) -> u32 {
    job.array.as_ref().filter(|a| a.task.is_none()).map_or(1, |a| a.pending.len().max(1))
}

fn idle(view: &JobView, count: &PartitionCount) -> u32 {
    let nodes = count.nodes.iter().filter_map(|i| view.state.nodes.get(i as usize));
    nodes.map(|node| u32::from(node.idle() && node.responding && !node.flags.drain)).sum()
}
