//! `PartitionName=` and `NodeSet=` lines of slurm.conf(5).

use super::global::{gpu_defaults, job_defaults, memory};
use super::lines::{ConfigEntry, ConfigLine, DiagnosticLog, LineOptions};
use super::nodes::{Nodes, checked};
use super::value::{self, bound, limit, names, number, weights, words, yes};
use super::{OverSubscribe, PartConf, PartExclusive, PartState, keys};
use base::bitset::BitSet;
use base::diagnostic::Severity;
use base::hostlist;
use base::time::Limit;
use std::collections::BTreeMap;

/// Maximum number of partitions in a cluster.
const MAX_PARTITIONS: usize = 2000;
/// Maximum number of node names in all partitions together.
const MAX_NAMES: usize = 4_000_000;

impl PartConf {
    /// Whether several jobs may share a core (`OverSubscribe=FORCE` or `YES`).
    #[must_use]
    pub const fn shares_cores(&self) -> bool {
        matches!(self.over_subscribe, OverSubscribe::Force(_) | OverSubscribe::Yes(_))
    }

    /// Whether the partition limits its jobs' CPUs per node.
    #[must_use]
    pub const fn caps_cpus(&self) -> bool {
        self.max_cpus_per_node.is_some() || self.max_cpus_per_socket.is_some()
    }

    /// `MaxCPUsPerNode`.
    #[must_use]
    pub fn cpus_limit(&self) -> u32 {
        self.max_cpus_per_node.unwrap_or(u32::MAX)
    }
}

/// The partitions read so far, and the `DEFAULT` values for the next lines.
pub(super) struct Partitions<'a> {
    pub(super) list: Vec<PartConf>,
    sets: BTreeMap<String, NodeSet>,
    defaults: LineOptions<'a>,
    room: usize,
}

/// Nodes of a partition or node set.
#[derive(Clone, Default)]
struct NodeSet {
    all: bool,
    named: BitSet,
    features: Vec<String>,
    /// All members.
    nodes: BitSet,
}

impl NodeSet {
    fn add(&mut self, other: &Self) {
        self.all |= other.all;
        self.named.union_with(&other.named);
        self.nodes.union_with(&other.nodes);
        self.features.extend(other.features.iter().cloned());
    }
}

impl<'a> Partitions<'a> {
    pub(super) fn new() -> Self {
        Self { list: Vec::new(), sets: BTreeMap::new(), defaults: LineOptions::default(), room: MAX_NAMES }
    }

    /// Reads a `NodeSet=` line. All nodes must be read before.
    pub(super) fn node_set(
        &mut self,
        line: &ConfigLine<'a>,
        name: &str,
        entries: &[ConfigEntry<'a>],
        nodes: &Nodes<'_>,
        report: &mut DiagnosticLog,
    ) {
        let mut set = NodeSet::default();
        for entry in entries {
            if entry.key.eq_ignore_ascii_case("Nodes") {
                set.add(&self.nodes(entry, nodes, report));
            } else if entry.key.eq_ignore_ascii_case("Feature") {
                let has = (0u32..).zip(&nodes.list).filter(|(_, n)| n.features.contains(&entry.value));
                has.for_each(|(i, _)| set.nodes.insert(i));
                set.features.push(entry.value.clone());
            } else {
                let message = format!("Unknown option {} in a NodeSet line", entry.key);
                report.add(Severity::Error, line.file, line.line, message);
            }
        }
        if self.sets.insert(name.to_owned(), set).is_some() {
            let message = format!("duplicate NodeSet {name}, the later one is used");
            report.add(Severity::Warning, line.file, line.line, message);
        }
    }

    /// Reads a `PartitionName=` line. All nodes must be read before.
    pub(super) fn line(
        &mut self,
        line: &ConfigLine<'a>,
        name: &str,
        entries: Vec<ConfigEntry<'a>>,
        nodes: &Nodes<'_>,
        report: &mut DiagnosticLog,
    ) {
        let own = checked(line, entries, keys::partition, "PartitionName", report);
        let mut options = self.defaults.clone();
        options.0.extend(own.0);
        if name.eq_ignore_ascii_case("DEFAULT") {
            self.defaults = options;
            return;
        }
        for name in words(name) {
            let mut part = self.partition(&name, &options, nodes, report);
            let mut say = |message: String| report.add(Severity::Warning, line.file, line.line, message);
            if options.text("Nodes").is_none() {
                say(format!("partition {name} has no nodes"));
            }
            contradictions(&mut part, &mut say);
            if let Some(old) =
                self.list.iter_mut().find(|p| part.is_default && p.is_default && p.name != name)
            {
                say(format!("the default partition is {name}, not {} any more", old.name));
                old.is_default = false;
            }
            if let Some(old) = self.list.iter_mut().find(|p| p.name == name) {
                let message = format!("duplicate entry for partition {name}, the later one is used");
                report.add(Severity::Warning, line.file, line.line, message);
                *old = part;
            } else if self.list.len() < MAX_PARTITIONS {
                self.list.push(part);
            } else {
                let message = format!("More than {MAX_PARTITIONS} partitions");
                return report.add(Severity::Error, line.file, line.line, message);
            }
        }
    }

    /// The nodes that an entry names: `ALL`, node sets, host lists.
    fn nodes(&mut self, entry: &ConfigEntry<'_>, nodes: &Nodes<'_>, report: &mut DiagnosticLog) -> NodeSet {
        if entry.value.eq_ignore_ascii_case("ALL") {
            let all = BitSet::full(u32::try_from(nodes.list.len()).unwrap_or(0));
            return NodeSet { all: true, named: all.clone(), nodes: all, ..NodeSet::default() };
        }
        let mut set = NodeSet::default();
        let mut unknown = Vec::new();
        match hostlist::expand(&entry.value) {
            Err(e) => {
                let message = format!("Invalid {}={}: {e}", entry.key, entry.value);
                report.add(Severity::Error, entry.file, entry.line, message);
            }
            Ok(all) if all.len() > self.room => {
                report.add(Severity::Error, entry.file, entry.line, "Too many node names");
            }
            Ok(all) => {
                self.room -= all.len();
                for name in all {
                    match (nodes.index.get(&name), self.sets.get(&name)) {
                        (Some(i), _) => {
                            set.named.insert(*i);
                            set.nodes.insert(*i);
                        }
                        (None, Some(other)) => set.add(other),
                        (None, None) => unknown.push(name),
                    }
                }
            }
        }
        if !unknown.is_empty() {
            let mut list = hostlist::compress(&unknown);
            if list.len() > 200 {
                list = format!("{} names", unknown.len());
            }
            let message = format!("Invalid node names in partition: {list}");
            report.add(Severity::Error, entry.file, entry.line, message);
        }
        set
    }

    pub(super) fn partition(
        &mut self,
        name: &str,
        o: &LineOptions<'_>,
        nodes: &Nodes<'_>,
        report: &mut DiagnosticLog,
    ) -> PartConf {
        super::invalid::report_partition(o, report);
        let in_it = o.entry("Nodes").cloned().map(|e| self.nodes(&e, nodes, report)).unwrap_or_default();
        // `Priority` in old files sets both of its successors.
        let both = o.get(report, "Priority", number);
        let over_subscribe = o
            .get(report, "OverSubscribe", over_subscribe)
            .or_else(|| o.get(report, "Shared", over_subscribe))
            .unwrap_or_default();
        PartConf {
            name: name.to_owned(),
            nodes: in_it.nodes,
            all_nodes: in_it.all,
            features: in_it.features,
            named: in_it.named,
            is_default: o.get(report, "Default", yes).unwrap_or(false),
            max_time: o.get(report, "MaxTime", limit).unwrap_or(Limit::Unlimited),
            default_time: o.get(report, "DefaultTime", default_time).flatten(),
            max_nodes: o.get(report, "MaxNodes", bound).flatten(),
            min_nodes: o.get(report, "MinNodes", number).unwrap_or(0),
            max_cpus_per_node: o.get(report, "MaxCPUsPerNode", bound).flatten(),
            max_cpus_per_socket: o.get(report, "MaxCPUsPerSocket", bound).flatten(),
            def_mem_per_cpu: memory(o, report, "DefMemPerCPU"),
            def_mem_per_node: memory(o, report, "DefMemPerNode"),
            max_mem_per_cpu: memory(o, report, "MaxMemPerCPU"),
            max_mem_per_node: memory(o, report, "MaxMemPerNode"),
            state: o.get(report, "State", state).unwrap_or_default(),
            hidden: o.get(report, "Hidden", yes).unwrap_or(false),
            root_only: o.get(report, "RootOnly", yes).unwrap_or(false),
            disable_root_jobs: o.get(report, "DisableRootJobs", yes).unwrap_or(false),
            req_resv: o.get(report, "ReqResv", yes).unwrap_or(false),
            lln: o.get(report, "LLN", yes).unwrap_or(false),
            exclusive: part_exclusive(o, report),
            over_subscribe,
            over_time_limit: o.get(report, "OverTimeLimit", over_time).flatten(),
            priority_tier: o.get(report, "PriorityTier", number).or(both).unwrap_or(1),
            priority_job_factor: o.get(report, "PriorityJobFactor", number).or(both).unwrap_or(1),
            preempt_mode: o.text("PreemptMode").map(str::to_ascii_uppercase),
            grace_time: o.get(report, "GraceTime", grace).unwrap_or(0),
            qos: o.text("QOS").map(str::to_owned),
            allow_groups: names(o.text("AllowGroups")),
            allow_accounts: names(o.text("AllowAccounts")),
            deny_accounts: o.text("DenyAccounts").map(words),
            allow_qos: names(o.text("AllowQos")),
            deny_qos: o.text("DenyQos").map(words),
            tres_billing_weights: o.get(report, "TRESBillingWeights", weights).unwrap_or_default(),
            tres_billing_text: o.text("TRESBillingWeights").map(str::to_owned),
            alternate: o.text("Alternate").map(str::to_owned),
            cpu_bind: o.text("CpuBind").and_then(cpu_bind).map(str::to_owned),
            gpu_defaults: gpu_defaults(job_defaults(o).as_deref()),
            job_defaults: job_defaults(o),
            alloc_nodes: some_hosts(o.text("AllocNodes").unwrap_or_default()),
            suspend_time: o.get(report, "SuspendTime", super::power::suspend_time),
            suspend_timeout: o.get(report, "SuspendTimeout", number),
            resume_timeout: o.get(report, "ResumeTimeout", number),
            power_down_on_idle: o.get(report, "PowerDownOnIdle", yes).unwrap_or(false),
        }
    }
}

/// Parses a host list; `ALL` and the empty list mean any host.
pub(super) fn some_hosts(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|t| !t.is_empty() && !t.eq_ignore_ascii_case("ALL"))
}

/// `CpuBind`, as Slurm prints it.
pub(super) fn cpu_bind(text: &str) -> Option<&'static str> {
    const KNOWN: &[&str] = &["none", "off", "sockets", "ldoms", "cores", "threads"];
    let lower = text.to_ascii_lowercase();
    KNOWN.iter().copied().find(|name| *name == lower || name.strip_suffix('s') == Some(lower.as_str()))
}

/// Reports contradictory settings. Drops one as Slurm does, or warns that jobs can never run.
fn contradictions(part: &mut PartConf, say: &mut impl FnMut(String)) {
    let name = part.name.clone();
    if let Some(most) = part.max_nodes.filter(|most| part.min_nodes > *most) {
        say(format!("partition {name}: MinNodes={} is more than MaxNodes={most}", part.min_nodes));
    }
    let enough = part.nodes.is_empty() || part.max_nodes.is_some_and(|most| part.min_nodes > most);
    if !enough && part.min_nodes > part.nodes.len() {
        say(format!(
            "partition {name}: MinNodes={} is more than its {} nodes",
            part.min_nodes,
            part.nodes.len()
        ));
    }
    if part.default_time.is_some_and(|default| default > part.max_time) {
        say(format!("partition {name}: DefaultTime exceeds MaxTime"));
    }
    let one = |cpu: &Option<u64>, node: &mut Option<u64>| cpu.is_some() && node.take().is_some();
    if one(&part.def_mem_per_cpu, &mut part.def_mem_per_node) {
        say(format!("partition {name}: DefMemPerNode is not used beside DefMemPerCPU"));
    }
    if one(&part.max_mem_per_cpu, &mut part.max_mem_per_node) {
        say(format!("partition {name}: MaxMemPerNode is not used beside MaxMemPerCPU"));
    }
    for (what, default, most) in [
        ("CPU", part.def_mem_per_cpu, part.max_mem_per_cpu),
        ("Node", part.def_mem_per_node, part.max_mem_per_node),
    ] {
        if default.zip(most).is_some_and(|(default, most)| default > most) {
            say(format!("partition {name}: DefMemPer{what} exceeds MaxMemPer{what}"));
        }
    }
    for (what, allow, deny) in [
        ("Accounts", part.allow_accounts.is_some(), &mut part.deny_accounts),
        ("Qos", part.allow_qos.is_some(), &mut part.deny_qos),
    ] {
        if allow && deny.take().is_some() {
            say(format!("Both Allow{what} and Deny{what} are defined, Deny{what} will be ignored"));
        }
    }
    if part.tres_billing_weights.values().any(|w| *w < 0.0) {
        say(format!("partition {name}: a weight in TRESBillingWeights is negative"));
    }
}

fn part_exclusive(o: &LineOptions<'_>, report: &mut DiagnosticLog) -> PartExclusive {
    o.get(report, "Exclusive", exclusive).unwrap_or_else(|| {
        if o.get(report, "ExclusiveUser", yes) == Some(true) {
            PartExclusive::User
        } else if o.get(report, "ExclusiveTopo", yes) == Some(true) {
            PartExclusive::Topo
        } else {
            PartExclusive::No
        }
    })
}

/// Parses `NO`, `NODE`, `USER`, `TOPO`.
pub(super) fn exclusive(text: &str) -> Option<PartExclusive> {
    match text.to_ascii_uppercase().as_str() {
        "NO" => Some(PartExclusive::No),
        "NODE" | "YES" => Some(PartExclusive::Node),
        "USER" => Some(PartExclusive::User),
        "TOPO" => Some(PartExclusive::Topo),
        _ => None,
    }
}

/// Parses `NO`, `EXCLUSIVE`, `YES[:jobs]`, `FORCE[:jobs]`; the default is four jobs.
pub(super) fn over_subscribe(text: &str) -> Option<OverSubscribe> {
    let upper = text.to_ascii_uppercase();
    let (word, jobs) = upper.split_once(':').unwrap_or((&upper, "4"));
    let jobs = jobs.parse().ok().filter(|n| (1..0x8000).contains(n))?;
    match word {
        "NO" => Some(OverSubscribe::No),
        "EXCLUSIVE" => Some(OverSubscribe::Exclusive),
        "YES" => Some(OverSubscribe::Yes(jobs)),
        "FORCE" => Some(OverSubscribe::Force(jobs)),
        _ => None,
    }
}

pub(super) fn state(text: &str) -> Option<PartState> {
    match text.to_ascii_uppercase().as_str() {
        "UP" => Some(PartState::Up),
        "DOWN" => Some(PartState::Down),
        "DRAIN" => Some(PartState::Drain),
        "INACTIVE" => Some(PartState::Inactive),
        _ => None,
    }
}

pub(super) fn default_time(text: &str) -> Option<Option<Limit>> {
    if text.eq_ignore_ascii_case("NONE") { Some(None) } else { limit(text).map(Some) }
}

/// Parses whole minutes, or no limit.
pub(super) fn over_time(text: &str) -> Option<Option<Limit>> {
    if text.eq_ignore_ascii_case("NONE") {
        return Some(None);
    }
    bound(text).map(|b| Some(b.map_or(Limit::Unlimited, Limit::Minutes)))
}

/// Parses seconds, or a time with colons.
pub(super) fn grace(text: &str) -> Option<u32> {
    if text.contains([':', '-']) { value::period(text) } else { number(text) }
}
