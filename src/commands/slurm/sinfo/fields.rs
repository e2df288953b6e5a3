//! The fields of sinfo's `-o` and `-O`: one table.

use super::groups::Group;
use crate::slurm::VERSION;
use crate::slurm::format;
use crate::slurm::jobtext::{JobView, limit_short};
use crate::slurm::nodetext as text;
use base::hostlist;
use base::time::Limit;
use slurmctld::node::Node;

/// The role of a field in grouping nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupingKey {
    /// Nodes in a line share its value.
    Same,
    /// A size: shared with `-e`; otherwise the minimum is printed with a `+`.
    Size,
    /// Summed or listed.
    Sum,
}

/// How a field is grouped and printed.
#[derive(Clone, Copy)]
pub struct SinfoSource {
    /// Grouping.
    pub key: GroupingKey,
    /// Its text.
    pub text: fn(&JobView, &Group) -> String,
}

/// A field of nodes and partitions.
pub type SinfoField = format::FormatField<SinfoSource>;

/// Whether a field describes the partition and not its nodes.
pub fn of_partition(field: &SinfoField) -> bool {
    let letters = ["P", "R", "a", "l", "L", "h", "I", "p", "M", "B", "r", "s", "g", "S"];
    letters.contains(&field.letter)
}

/// Whether a field separates the entries of `--json`.
pub fn groups_json(field: &SinfoField) -> bool {
    matches!(field.letter, "P" | "T" | "c" | "m" | "d" | "w" | "z" | "f" | "G" | "E")
}

const fn f(
    letter: &'static str,
    names: &'static [&'static str],
    title: &'static str,
    key: GroupingKey,
    text: fn(&JobView, &Group) -> String,
) -> SinfoField {
    SinfoField::new(letter, names, title, SinfoSource { key, text })
}

fn of_node(g: &Group, none: &str, get: impl Fn(&Node) -> String) -> String {
    g.nodes.first().map_or_else(|| none.to_owned(), |n| get(n))
}

/// `16`, or `16+` if some nodes have more.
fn least(g: &Group, get: impl Fn(&Node) -> u64) -> String {
    let all = || g.nodes.iter().map(|n| get(n));
    match (all().min(), all().max()) {
        (Some(min), Some(max)) if min < max => format!("{min}+"),
        (Some(min), _) => min.to_string(),
        _ => "0".to_owned(),
    }
}

/// `5881`, or `5881-5886` if nodes differ.
fn range(g: &Group, none: &str, get: impl Fn(&Node) -> u64, text: impl Fn(u64) -> String) -> String {
    let all = || g.nodes.iter().map(|n| get(n));
    match (all().min(), all().max()) {
        (Some(min), Some(max)) if min < max => format!("{}-{}", text(min), text(max)),
        (Some(min), _) => text(min),
        _ => none.to_owned(),
    }
}

fn sum(g: &Group, get: impl Fn(&Node) -> (u32, u32, u32)) -> (u32, u32, u32) {
    g.nodes.iter().map(|n| get(n)).fold((0, 0, 0), |s, n| (s.0 + n.0, s.1 + n.1, s.2 + n.2))
}

fn limit(limit: Limit) -> String {
    if limit == Limit::Unlimited { "infinite".to_owned() } else { limit_short(limit) }
}

fn hosts(g: &Group) -> String {
    hostlist::compress(&g.nodes.iter().map(|n| n.conf.name.as_str()).collect::<Vec<_>>())
}

fn who(v: &JobView, g: &Group, long: bool) -> String {
    g.nodes.first().and_then(|n| n.reason.as_ref()).map_or_else(
        || "Unknown".to_owned(),
        |r| {
            let name = text::who(v.users, r.by);
            if long { format!("{name}({})", r.by) } else { name }
        },
    )
}

fn yes_no(yes: bool) -> String {
    if yes { "yes" } else { "no" }.to_owned()
}

fn sct(g: &Group) -> String {
    let parts: [fn(&Node) -> u32; 3] =
        [|n| n.conf.sockets, |n| n.conf.cores_per_socket, |n| n.conf.threads_per_core];
    if g.nodes.is_empty() {
        return String::new();
    }
    parts.map(|part| least(g, |n| part(n).into())).join(":")
}

fn job_size(g: &Group) -> String {
    let max = g.part.max_nodes.map_or_else(|| "infinite".to_owned(), |m| m.to_string());
    let min = g.part.min_nodes.max(1);
    if max == min.to_string() { max } else { format!("{min}-{max}") }
}

fn state(v: &JobView, g: &Group, compact: bool) -> String {
    of_node(g, "n/a", |n| {
        let (long, short) = text::state_text(v.state, n);
        if compact { short } else { long }.to_ascii_lowercase()
    })
}

/// Plausible loads for the CPUs in use.
fn load(g: &Group) -> String {
    range(g, "N/A", |n| n.cpus_used.into(), |cpus| format!("{cpus}.00"))
}

use GroupingKey::{Same, Size, Sum};

#[rustfmt::skip]
pub const FIELDS: &[SinfoField] = &[
    f("A", &["nodeai"], "NODES(A/I)", Sum, |v, g| { let (a, i, _) = sum(g, |n| text::count(v.state, n)); format!("{a}/{i}") }),
    f("a", &["available"], "AVAIL", Same, |_, g| text::part_state(g.part).to_owned()),
    f("B", &["maxcpuspernode"], "MAX_CPUS_PER_NODE", Same, |_, g| g.part.max_cpus_per_node.map_or_else(|| "UNLIMITED".to_owned(), |c| c.to_string())),
    f("b", &["features_act"], "ACTIVE_FEATURES", Same, |_, g| of_node(g, "", text::active_features)),
    f("C", &["cpusstate"], "CPUS(A/I/O/T)", Sum, |v, g| { let (a, i, o) = sum(g, |n| text::cpus(v.state, n)); format!("{a}/{i}/{o}/{}", a + i + o) }),
    f("c", &["cpus"], "CPUS", Size, |_, g| least(g, |n| n.conf.cpus.into())),
    f("D", &["nodes"], "NODES", Sum, |_, g| g.nodes.len().to_string()),
    f("d", &["disk"], "TMP_DISK", Size, |_, g| least(g, |n| n.conf.tmp_disk)),
    f("E", &["reason"], "REASON", Same, |_, g| g.nodes.first().and_then(|n| n.reason.as_ref()).map_or_else(|| "none".to_owned(), |r| r.text.clone())),
    f("e", &["freemem"], "FREE_MEM", Sum, |_, g| range(g, "0", |n| n.conf.real_memory.saturating_sub(n.mem_used), |mib| mib.to_string())),
    f("F", &["nodeaiot"], "NODES(A/I/O/T)", Sum, |v, g| { let (a, i, o) = sum(g, |n| text::count(v.state, n)); format!("{a}/{i}/{o}/{}", a + i + o) }),
    f("f", &["features"], "AVAIL_FEATURES", Same, |_, g| of_node(g, "", text::features)),
    f("G", &["gres"], "GRES", Same, |_, g| of_node(g, "", text::gres)),
    f("g", &["groups"], "GROUPS", Same, |_, g| g.part.allow_groups.as_ref().map_or_else(|| "all".to_owned(), |l| l.join(","))),
    f("H", &["timestamp"], "TIMESTAMP", Same, |v, g| v.moment_or(g.nodes.first().copied().and_then(text::reason_time), "Unknown")),
    f("h", &["oversubscribe", "share"], "OVERSUBSCRIBE", Same, |_, g| text::oversubscribe(g.part)),
    f("I", &["priorityjobfactor"], "PRIO_JOB_FACTOR", Same, |_, g| g.part.priority_job_factor.to_string()),
    f("i", &["reservation"], "RESERVATION", Same, |v, g| of_node(g, "", |n| v.state.node_reservation(n).unwrap_or("").to_owned())),
    f("L", &["defaulttime"], "DEFAULTTIME", Same, |_, g| g.part.default_time.map_or_else(|| "n/a".to_owned(), limit)),
    f("l", &["time"], "TIMELIMIT", Same, |_, g| limit(g.part.max_time)),
    f("M", &["preemptmode"], "PREEMPT_MODE", Same, |v, g| g.part.preempt_mode.clone().unwrap_or_else(|| v.state.cluster.global.preempt_mode.clone()).to_ascii_uppercase()),
    f("m", &["memory"], "MEMORY", Size, |_, g| least(g, |n| n.conf.real_memory)),
    f("N", &["nodelist"], "NODELIST", Sum, |_, g| hosts(g)),
    f("n", &["nodehost"], "HOSTNAMES", Same, |_, g| hosts(g)),
    f("O", &["cpusload"], "CPU_LOAD", Sum, |_, g| load(g)),
    f("o", &["nodeaddr"], "NODE_ADDR", Same, |_, g| hosts(g)),
    f("P", &["partition"], "PARTITION", Same, |_, g| format!("{}{}", g.part.name, if g.part.is_default { "*" } else { "" })),
    f("p", &["prioritytier"], "PRIO_TIER", Same, |_, g| g.part.priority_tier.to_string()),
    f("R", &["partitionname"], "PARTITION", Same, |_, g| g.part.name.clone()),
    f("r", &["root"], "ROOT", Same, |_, g| yes_no(g.part.root_only)),
    f("S", &["allocnodes"], "ALLOCNODES", Same, |_, _| "all".to_owned()),
    f("s", &["size"], "JOB_SIZE", Same, |_, g| job_size(g)),
    f("T", &["statelong"], "STATE", Same, |v, g| state(v, g, false)),
    f("t", &["statecompact"], "STATE", Same, |v, g| state(v, g, true)),
    f("U", &["userlong"], "USER", Same, |v, g| who(v, g, true)),
    f("u", &["user"], "USER", Same, |v, g| who(v, g, false)),
    f("V", &["cluster"], "CLUSTER", Same, |_, _| "N/A".to_owned()),
    f("v", &["version"], "VERSION", Same, |_, _| VERSION.trim_start_matches("slurm ").to_owned()),
    f("w", &["weight"], "WEIGHT", Size, |_, g| least(g, |n| n.conf.weight.into())),
    f("X", &["sockets"], "SOCKETS", Size, |_, g| least(g, |n| n.conf.sockets.into())),
    f("Y", &["cores"], "CORES", Size, |_, g| least(g, |n| n.conf.cores_per_socket.into())),
    f("Z", &["threads"], "THREADS", Size, |_, g| least(g, |n| n.conf.threads_per_core.into())),
    f("z", &["socketcorethread"], "S:C:T", Size, |_, g| sct(g)),
    f("", &["allocmem"], "ALLOCMEM", Same, |_, g| g.first().map_or(0, |n| n.mem_used).to_string()),
    f("", &["comment"], "COMMENT", Same, |_, g| of_node(g, "", |n| n.comment.clone().unwrap_or_else(|| "(null)".to_owned()))),
    f("", &["extra"], "EXTRA", Same, |_, g| of_node(g, "", |n| n.extra.clone().unwrap_or_else(|| "(null)".to_owned()))),
    f("", &["gresused"], "GRES_USED", Same, |_, g| of_node(g, "", text::gres_used)),
    f("", &["port"], "PORT", Sum, |_, g| of_node(g, "", |n| n.conf.port.to_string())),
    f("", &["statecomplete"], "STATECOMPLETE", Same, |v, g| of_node(g, "n/a", |n| text::state_complete(v.state, n).to_ascii_lowercase())),
];
