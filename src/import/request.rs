//! The request of a job as options of sbatch, from its columns and, where it agrees with them, from `SubmitLine`.
//!
//! The command line does not show the `#SBATCH` lines of the script, and the columns do not distinguish tasks from
//! CPUs. If the command line alone explains the recorded CPUs, its sizes are used, otherwise those of the columns.

use crate::sacct::SacctRow;
use crate::sacct::columns::SacctColumn as C;
use crate::sacct::values::{self, SacctMemory};
use base::time::Limit;
use commands::slurm::getopt;
use commands::slurm::opt::{SubmitCommand, longs};
use std::fmt::Write as _;

/// Options that are copied from the command line.
const KEPT: &[&str] = &[
    "constraint",
    "contiguous",
    "core-spec",
    "distribution",
    "exclude",
    "exclusive",
    "licenses",
    "nodelist",
    "oversubscribe",
    "prefer",
    "spread-job",
    "switches",
    "thread-spec",
    "threads-per-core",
    "hint",
    "time-min",
    "use-min-nodes",
    "nice",
    "requeue",
    "no-requeue",
];
/// Options that determine the number of tasks and CPUs.
const COUNTS: &[&str] = &[
    "nodes",
    "ntasks",
    "cpus-per-task",
    "ntasks-per-node",
    "ntasks-per-socket",
    "ntasks-per-core",
    "mincpus",
];
/// Options that determine its memory.
const MEMORY: &[&str] = &["mem", "mem-per-cpu", "mem-per-gpu"];
/// Options for GPUs and other GRES.
const GRES: &[&str] = &[
    "gpus",
    "gpus-per-node",
    "gpus-per-task",
    "gpus-per-socket",
    "gres",
    "cpus-per-gpu",
    "ntasks-per-gpu",
    "tres-per-task",
];

/// A request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportedRequest {
    /// Options of sbatch, each after a space.
    pub options: String,
    /// What it waited for besides resources, separated by commas.
    pub waited_for: String,
    /// How many tasks of its array may run at once.
    pub throttle: Option<u32>,
    /// What was guessed, as kinds of findings.
    pub guesses: Vec<&'static str>,
}

/// Reads a request. `spreads`: this user's jobs get several nodes without requesting them.
#[must_use]
pub fn request(row: &SacctRow, spreads: bool) -> ImportedRequest {
    let mut made = ImportedRequest::default();
    let typed = typed(row.get(C::SubmitLine));
    names(row, &typed, &mut made);
    match values::limit(row.get(C::TimelimitRaw), row.get(C::Timelimit)) {
        Some(Limit::Minutes(minutes)) => option(&mut made, "time", &minutes.to_string()),
        Some(Limit::Unlimited) => option(&mut made, "time", "UNLIMITED"),
        None => made.guesses.push("no time limit recorded: the partition's default is taken"),
    }
    // The allocation may be larger than the request.
    let asked = number(row, C::ReqCpus).or_else(|| tres_number(row, "cpu")).filter(|n| *n > 0);
    let cpus = asked.or_else(|| number(row, C::AllocCpus)).filter(|n| *n > 0).unwrap_or(1);
    let any = |names: &[&str]| typed.iter().any(|(name, _)| names.contains(name));
    let counted = if asked.is_some() { explains(&typed, cpus) } else { any(COUNTS) || any(GRES) };
    let counted = counted && !row.get(C::SubmitLine).is_empty();
    if !counted {
        size(row, cpus, spreads, &mut made);
    }
    if !any(MEMORY) {
        memory(row, cpus, &mut made);
    }
    if !any(GRES) {
        gres(row, &mut made);
    }
    for (name, value) in &typed {
        if (counted && COUNTS.contains(name)) || MEMORY.contains(name) || GRES.contains(name) {
            option(&mut made, name, value);
        }
    }
    for (name, value) in typed.iter().filter(|(name, _)| KEPT.contains(name)) {
        option(&mut made, name, value);
    }
    dependency(&typed, &mut made);
    // Clock times are those of the cluster's time zone, which is not known. The time of eligibility contains all of them.
    let begin = typed.iter().rev().find(|(name, _)| *name == "begin").map(|(_, value)| value);
    if let Some(begin) = begin.filter(|text| text.starts_with("now+") && row.get(C::Eligible).is_empty()) {
        option(&mut made, "begin", begin);
    }
    let array = typed.iter().rev().find(|(name, _)| *name == "array");
    made.throttle = array.and_then(|(_, list)| list.split_once('%')?.1.parse().ok()).filter(|n| *n > 0);
    let said = |name: &str| typed.iter().any(|(known, _)| *known == name);
    let constraint = row.get(C::Constraints);
    if !said("constraint") && !constraint.is_empty() && !constraint.contains(char::is_whitespace) {
        option(&mut made, "constraint", constraint);
    }
    let licenses = row.get(C::Licenses);
    if !said("licenses") && !licenses.is_empty() {
        option(&mut made, "licenses", licenses);
    }
    let reason = row.get(C::Reason);
    let plain = matches!(reason, "" | "None" | "Resources" | "Priority" | "N/A")
        || reason.contains(char::is_whitespace);
    for (word, there) in [
        ("dependency", said("dependency")),
        ("reservation", said("reservation") || !row.get(C::Reservation).is_empty()),
        ("hold", said("hold")),
        ("begin", said("begin")),
        (reason, !plain),
    ] {
        if there {
            if !made.waited_for.is_empty() {
                made.waited_for.push(',');
            }
            made.waited_for += word;
        }
    }
    made
}

fn names(row: &SacctRow, typed: &[(&'static str, String)], made: &mut ImportedRequest) {
    for (name, column) in [("account", C::Account), ("partition", C::Partition), ("qos", C::Qos)] {
        let value = row.get(column);
        // The column has the partition where it ran; the command line has all partitions where it could have run.
        let list =
            typed.iter().rev().find(|(known, list)| *known == name && list.split(',').any(|p| p == value));
        match list.filter(|_| name == "partition") {
            Some((_, list)) => option(made, name, list),
            None if !value.is_empty() => option(made, name, value),
            None => {}
        }
    }
}

/// The dependency and the job name, which a singleton refers to. The last ones count, as on the command line.
fn dependency(typed: &[(&'static str, String)], made: &mut ImportedRequest) {
    let last =
        |wanted: &str| typed.iter().rev().find(|(name, _)| *name == wanted).map(|(_, value)| value.as_str());
    let name = last("job-name");
    if let Some(name) = name {
        option(made, "job-name", name);
    }
    // Exports contain no job names, and a dependency may name jobs of another cluster.
    let known = |part: &str| match part.split_once(':') {
        None => part == "singleton" && name.is_some(),
        Some((kind, _)) => ["after", "afterany", "afterok", "afternotok", "aftercorr"].contains(&kind),
    };
    if let Some(text) = last("dependency").filter(|text| text.split([',', '?']).all(known)) {
        option(made, "dependency", text);
    }
}

/// The number of nodes and tasks from the columns.
fn size(row: &SacctRow, cpus: u64, spreads: bool, made: &mut ImportedRequest) {
    let nodes = nodes(row).min(cpus);
    if nodes > 1 {
        option(made, "nodes", &nodes.to_string());
    } else if cpus > 1 && number(row, C::AllocNodes).unwrap_or(1) <= 1 && !spreads {
        option(made, "nodes", "1");
        made.guesses
            .push("whether one node was asked for is not recorded: taken from what this user's jobs get");
    }
    option(made, "ntasks", &cpus.to_string());
}

/// The requested number of nodes.
fn nodes(row: &SacctRow) -> u64 {
    number(row, C::ReqNodes).or_else(|| tres_number(row, "node")).unwrap_or(1).max(1)
}

fn memory(row: &SacctRow, cpus: u64, made: &mut ImportedRequest) {
    let total = values::tres(row.get(C::ReqTres), "mem").and_then(values::mib).filter(|mib| *mib > 0);
    match values::memory(row.get(C::ReqMem)).or_else(|| total.map(SacctMemory::Total)) {
        Some(SacctMemory::PerCpu(mib)) => option(made, "mem-per-cpu", &mib.to_string()),
        Some(SacctMemory::PerNode(mib)) => option(made, "mem", &mib.to_string()),
        Some(SacctMemory::Total(mib)) if cpus == 1 => option(made, "mem", &mib.to_string()),
        // Jobs with many CPUs usually have the default memory per CPU.
        Some(SacctMemory::Total(mib)) if mib % cpus == 0 => {
            option(made, "mem-per-cpu", &(mib / cpus).to_string())
        }
        Some(SacctMemory::Total(mib)) => option(made, "mem", &(mib / nodes(row)).max(1).to_string()),
        None => {}
    }
}

/// GPUs and other GRES, per node.
fn gres(row: &SacctRow, made: &mut ImportedRequest) {
    let nodes = number(row, C::AllocNodes).unwrap_or(1).max(nodes(row));
    let list = row.get(C::ReqTres);
    let mut wanted: Vec<(String, u64)> = Vec::new();
    for (key, value) in list.split(',').filter_map(|part| part.split_once('=')) {
        let (Some(name), Ok(count)) = (key.strip_prefix("gres/"), value.parse::<u64>()) else { continue };
        if count > 0 && !["gpumem", "gpuutil"].contains(&name) {
            wanted.push((name.to_owned(), count));
        }
    }
    // `gres/gpu=2,gres/gpu:a100=2` lists the same GPUs twice.
    let typed: Vec<String> =
        wanted.iter().filter_map(|(n, _)| n.split_once(':').map(|t| t.0.to_owned())).collect();
    wanted.retain(|(name, _)| !typed.contains(name));
    let mut text = String::new();
    for (name, count) in &wanted {
        let each = count.div_ceil(nodes);
        if each * nodes != *count {
            made.guesses.push("GRES that do not divide by the nodes: rounded up");
        }
        let _ = write!(text, "{}{name}:{each}", if text.is_empty() { "" } else { "," });
    }
    // Before Slurm 21.08: `gpu:2`, per node.
    let old = row.get(C::ReqGres);
    if text.is_empty() && !old.is_empty() && !old.contains(char::is_whitespace) && old != "(null)" {
        text = old.replace("PER_NODE:", "").replace("gres:", "");
    }
    if !text.is_empty() {
        option(made, "gres", &text);
    }
}

/// The options of a command line such as `sbatch -n 4 --wrap=sleep 30`. Its words were joined by spaces, so operands
/// cannot be separated from what follows them.
fn typed(line: &str) -> Vec<(&'static str, String)> {
    let words: Vec<String> = line.split(' ').filter(|w| !w.is_empty()).map(str::to_owned).collect();
    let tool = words.first().map_or("", |word| word.rsplit('/').next().unwrap_or(word));
    let tool = match tool {
        "sbatch" => SubmitCommand::Sbatch,
        "salloc" => SubmitCommand::Salloc,
        "srun" => SubmitCommand::Srun,
        _ => return Vec::new(),
    };
    let rows = longs(tool);
    // A word that is not an option of this release ends the readable part.
    let parsed = (1..=words.len()).rev().take(64).find_map(|n| getopt::parse(&rows, &words[..n], false).ok());
    let fits = |value: &str| !value.contains(char::is_whitespace);
    let parsed = parsed.map(|p| p.options).unwrap_or_default();
    parsed.into_iter().map(|(n, v)| (n, v.unwrap_or_default())).filter(|(_, v)| fits(v)).collect()
}

/// Whether the sizes on the command line result in this number of CPUs.
fn explains(typed: &[(&'static str, String)], cpus: u64) -> bool {
    let value = |name: &str| {
        let found = typed.iter().rev().find(|(known, _)| *known == name);
        found.and_then(|(_, v)| v.parse::<u64>().ok())
    };
    let nodes = value("nodes");
    let per_node = value("ntasks-per-node");
    let tasks = value("ntasks").or_else(|| per_node.map(|n| n * nodes.unwrap_or(1))).or(nodes).unwrap_or(1);
    tasks.saturating_mul(value("cpus-per-task").unwrap_or(1)) == cpus
}

fn number(row: &SacctRow, column: C) -> Option<u64> {
    row.get(column).parse().ok()
}

fn tres_number(row: &SacctRow, name: &str) -> Option<u64> {
    values::tres(row.get(C::ReqTres), name)?.parse().ok()
}

/// Adds an option. The workload cannot contain a value with a space.
fn option(made: &mut ImportedRequest, name: &str, value: &str) {
    if value.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return;
    }
    let _ = match value {
        "" => write!(made.options, " --{name}"),
        value => write!(made.options, " --{name}={value}"),
    };
}
