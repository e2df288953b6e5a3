//! Texts about a node that several commands share. Mirrors "NODE STATE CODES" of sinfo(1).

use base::bitset::BitSet;
use base::ids::Uid;
use base::time::Time;
use config::{OverSubscribe, PartConf, PartState};
use host::users::Users;
use slurmctld::Slurmctld;
use slurmctld::job::JobState;
use slurmctld::node::SLURM_USER;
use slurmctld::node::{Node, NodeBase};

/// A node's base state as displayed: CPUs of completing or suspended jobs do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum Base {
    Unknown,
    Down,
    Idle,
    Allocated,
    Mixed,
    Future,
}

/// A node's state and its components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct NodeStateText {
    pub base: Base,
    pub completing: bool,
    pub drain: bool,
    pub fail: bool,
    /// Slurm's number of the state, the sort key of `sinfo`.
    pub number: u32,
}

/// The state of a node.
#[must_use]
pub fn shown(state: &Slurmctld, node: &Node) -> NodeStateText {
    let completing = !node.completing.is_empty();
    // Suspended jobs are rare, so job lookups are skipped if there are none.
    let still = |id| state.jobs.get(id).is_some_and(|j| j.state == JobState::Suspended);
    let stands_still = |id| !node.suspended.is_empty() && still(id);
    let busy = node.jobs.keys().any(|id| !node.completing.contains_key(id) && !stands_still(*id));
    let base = match node.base {
        NodeBase::Unknown => Base::Unknown,
        NodeBase::Down => Base::Down,
        NodeBase::Future => Base::Future,
        NodeBase::Idle if !busy => Base::Idle,
        NodeBase::Idle if node.cpus_used >= node.cpus() => Base::Allocated,
        NodeBase::Idle => Base::Mixed,
    };
    let f = node.flags;
    let bits = [
        (f.reserved, 0x20),
        (f.cloud, 0x80),
        (f.drain, 0x200),
        (completing, 0x400),
        (!node.responding, 0x800),
        (f.powered_down, 0x1000),
        (f.fail, 0x2000),
        (f.powering_up, 0x4000),
        (f.maint, 0x8000),
        (f.reboot_requested, 0x10000),
        (f.powering_down, 0x40000),
        (f.reboot_issued, 0x10_0000),
        (f.planned, 0x20_0000),
        (f.power_down, 0x80_0000),
    ];
    let flags: u32 = bits.iter().filter(|(set, _)| *set).map(|(_, bit)| bit).sum();
    let base_number = match base {
        Base::Unknown => 0,
        Base::Down => 1,
        Base::Idle => 2,
        Base::Allocated => 3,
        Base::Mixed => 5,
        Base::Future => 6,
    };
    NodeStateText { base, completing, drain: f.drain, fail: f.fail, number: flags + base_number }
}

/// The suffix of a state's name.
fn sign(node: &Node) -> &'static str {
    let f = node.flags;
    if f.maint {
        "$"
    } else if f.reboot_issued {
        "^"
    } else if f.reboot_requested {
        "@"
    } else if f.powering_up {
        "#"
    } else if f.powering_down {
        "%"
    } else if f.powered_down {
        "~"
    } else if f.power_down {
        "!"
    } else if !node.responding {
        "*"
    } else {
        ""
    }
}

/// `(long, compact)`: `MIXED`, `MIX`, with the suffix.
#[must_use]
pub fn state_text(state: &Slurmctld, node: &Node) -> (String, String) {
    let s = shown(state, node);
    let busy = s.completing || matches!(s.base, Base::Allocated | Base::Mixed);
    let sign = sign(node);
    let plain = sign.is_empty();
    let working = matches!(s.base, Base::Allocated | Base::Mixed);
    let f = node.flags;
    let silent = if node.responding { "" } else { "*" };
    if f.maint && !s.drain && s.base != Base::Down && !working {
        return (format!("MAINT{silent}"), format!("MAINT{silent}"));
    }
    if (f.reboot_requested || f.reboot_issued) && !working {
        let silent = if f.reboot_issued { "^" } else { silent };
        return (format!("REBOOT{silent}"), format!("BOOT{silent}"));
    }
    let (long, compact) = match s.base {
        _ if s.drain && busy => ("DRAINING", "DRNG"),
        _ if s.drain => ("DRAINED", "DRAIN"),
        _ if s.fail && busy => ("FAILING", "FAILG"),
        _ if s.fail => ("FAIL", "FAIL"),
        Base::Down => ("DOWN", "DOWN"),
        Base::Allocated if s.completing && plain => return ("ALLOCATED+".into(), "ALLOC+".into()),
        Base::Allocated => ("ALLOCATED", "ALLOC"),
        Base::Idle | Base::Mixed if s.completing && s.base == Base::Idle => ("COMPLETING", "COMP"),
        Base::Idle if node.flags.reserved && plain => ("RESERVED", "RESV"),
        Base::Idle if node.flags.planned && plain => ("PLANNED", "PLND"),
        Base::Idle => ("IDLE", "IDLE"),
        Base::Mixed if node.flags.planned && plain => return ("MIXED-".into(), "MIX-".into()),
        Base::Mixed => ("MIXED", "MIX"),
        Base::Future => ("FUTURE", "FUTR"),
        Base::Unknown => ("UNKNOWN", "UNK"),
    };
    (format!("{long}{sign}"), format!("{compact}{sign}"))
}

/// `IDLE+DRAIN`, as `scontrol show node` prints it.
#[must_use]
pub fn state_complete(state: &Slurmctld, node: &Node) -> String {
    let s = shown(state, node);
    let f = node.flags;
    let mut text = match s.base {
        Base::Unknown => "UNKNOWN",
        Base::Down => "DOWN",
        Base::Idle => "IDLE",
        Base::Allocated => "ALLOCATED",
        Base::Mixed => "MIXED",
        Base::Future => "FUTURE",
    }
    .to_owned();
    for (set, name) in [
        (f.cloud, "CLOUD"),
        (s.completing, "COMPLETING"),
        (f.drain, "DRAIN"),
        (node.dynamic, "DYNAMIC_NORM"),
        (f.fail, "FAIL"),
        (f.maint, "MAINTENANCE"),
        (f.power_down, "POWER_DOWN"),
        (f.powered_down, "POWERED_DOWN"),
        (f.reboot_requested, "REBOOT_REQUESTED"),
        (f.reboot_issued, "REBOOT_ISSUED"),
        (f.reserved, "RESERVED"),
        (!node.responding, "NOT_RESPONDING"),
        (f.planned, "PLANNED"),
        (f.powering_up, "POWERING_UP"),
        (f.powering_down, "POWERING_DOWN"),
    ] {
        if set {
            text.push('+');
            text += name;
        }
    }
    text
}

/// State names that `sinfo -t` accepts, in the order of its message.
pub const STATES: &[&str] = &[
    "unknown",
    "down",
    "idle",
    "allocated",
    "mixed",
    "future",
    "drain",
    "drained",
    "draining",
    "no_respond",
    "reserved",
    "planned",
    "blocked",
    "cloud",
    "completing",
    "powering_down",
    "powered_down",
    "power_down",
    "powering_up",
    "power_up",
    "inval",
    "fail",
    "maint",
    "reboot",
    "reboot^",
    "external",
    "dynamic_future",
    "dynamic_norm",
];

/// The state that a word names or abbreviates.
#[must_use]
pub fn parse_state(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    let short = [
        ("alloc", "allocated"),
        ("mix", "mixed"),
        ("comp", "completing"),
        ("drng", "draining"),
        ("resv", "reserved"),
        ("plnd", "planned"),
        ("futr", "future"),
        ("unk", "unknown"),
        ("drain", "drain"),
        ("failg", "fail"),
    ];
    let named = short.iter().find(|(s, _)| *s == word).map(|(_, full)| *full);
    STATES.iter().copied().find(|s| Some(*s) == named || *s == word)
}

/// Whether a node is in this state.
#[must_use]
pub fn in_state(state: &Slurmctld, node: &Node, name: &str) -> bool {
    let s = shown(state, node);
    let busy = s.completing || matches!(s.base, Base::Allocated | Base::Mixed);
    let f = node.flags;
    match name {
        "unknown" => s.base == Base::Unknown,
        "down" => s.base == Base::Down,
        "idle" => s.base == Base::Idle && !s.completing,
        "allocated" => matches!(s.base, Base::Allocated | Base::Mixed) || (s.completing && !s.drain),
        "mixed" => s.base == Base::Mixed,
        "future" => s.base == Base::Future,
        "drain" => s.drain,
        "drained" => s.drain && !busy,
        "draining" => s.drain && busy,
        "no_respond" => !node.responding,
        "reserved" => f.reserved,
        "planned" => f.planned,
        "cloud" => f.cloud,
        "completing" => s.completing,
        "powering_down" => f.powering_down,
        "powered_down" => f.powered_down,
        "powering_up" => f.powering_up,
        "power_down" => f.power_down,
        "fail" => f.fail,
        "maint" => f.maint,
        "reboot" => f.reboot_requested,
        "reboot^" => f.reboot_issued,
        _ => false,
    }
}

/// CPUs `(allocated, idle, other)`.
#[must_use]
pub fn cpus(state: &Slurmctld, node: &Node) -> (u32, u32, u32) {
    let s = shown(state, node);
    let used = node.cpus_used.min(node.cpus());
    let rest = node.cpus() - used;
    if s.drain || s.base == Base::Down { (used, 0, rest) } else { (used, rest, 0) }
}

/// A single node, counted in one of `(allocated, idle, other)`.
#[must_use]
pub fn count(state: &Slurmctld, node: &Node) -> (u32, u32, u32) {
    let s = shown(state, node);
    match s.base {
        Base::Allocated | Base::Mixed => (1, 0, 0),
        _ if s.completing => (1, 0, 0),
        Base::Idle if !s.drain => (0, 1, 0),
        Base::Idle | Base::Down | Base::Future | Base::Unknown => (0, 0, 1),
    }
}

/// `gpu:a100:4(S:0-1)`, or `(null)`; with the sockets if gres.conf binds GPUs to cores.
#[must_use]
pub fn gres(node: &Node) -> String {
    let per = node.conf.cores_per_socket.max(1);
    let near = |g: &config::GresConf| {
        let all: BitSet = g.affinity.iter().flat_map(|p| p.cores.iter()).map(|core| core / per).collect();
        if all.is_empty() { String::new() } else { format!("(S:{})", super::jobtext::task_list(&all)) }
    };
    let one = |g: &config::GresConf| match &g.kind {
        Some(kind) => format!("{}:{kind}:{}{}", g.name, g.count, near(g)),
        None => format!("{}:{}{}", g.name, g.count, near(g)),
    };
    let text = node.conf.gres.iter().filter(|g| g.count > 0).map(one).collect::<Vec<_>>().join(",");
    if text.is_empty() { "(null)".to_owned() } else { text }
}

/// `gpu:a100:2(IDX:0-1)`.
#[must_use]
pub fn gres_used(node: &Node) -> String {
    let none = BitSet::new();
    let parts: Vec<String> = node
        .conf
        .gres
        .iter()
        .enumerate()
        .map(|(i, g)| {
            let used = node.gres_used.get(i).unwrap_or(&none);
            let kind = g.kind.as_ref().map_or_else(String::new, |k| format!("{k}:"));
            let list = super::jobtext::task_list(used);
            let list = if list.is_empty() { "N/A".to_owned() } else { list };
            format!("{}:{kind}{}(IDX:{list})", g.name, used.len())
        })
        .collect();
    if parts.is_empty() { "(null)".to_owned() } else { parts.join(",") }
}

/// The features, or `(null)`.
#[must_use]
pub fn features(node: &Node) -> String {
    listed(&node.conf.features)
}

/// `ActiveFeatures`: the currently active ones.
#[must_use]
pub fn active_features(node: &Node) -> String {
    listed(node.features())
}

fn listed(features: &[String]) -> String {
    if features.is_empty() { "(null)".to_owned() } else { features.join(",") }
}

/// `up`, `down`, `drain`, `inact`.
#[must_use]
pub const fn part_state(part: &PartConf) -> &'static str {
    match part.state {
        PartState::Up => "up",
        PartState::Down => "down",
        PartState::Drain => "drain",
        PartState::Inactive => "inactive",
    }
}

/// `NO`, `EXCLUSIVE`, `YES:4`, `FORCE:4`.
#[must_use]
pub fn oversubscribe(part: &PartConf) -> String {
    match part.over_subscribe {
        OverSubscribe::No => "NO".to_owned(),
        OverSubscribe::Exclusive => "EXCLUSIVE".to_owned(),
        OverSubscribe::Yes(n) => format!("YES:{n}"),
        OverSubscribe::Force(n) => format!("FORCE:{n}"),
    }
}

/// The user who set a reason, or slurmctld.
#[must_use]
pub fn who(users: &Users, uid: Uid) -> String {
    if uid == SLURM_USER { "slurm".to_owned() } else { users.name(uid) }
}

/// Whether listings omit a node: a powered-down cloud node, unless `PrivateData` has `cloud`.
#[must_use]
pub fn hidden(state: &Slurmctld, node: &Node) -> bool {
    let shown = state.cluster.global.private_data.iter().any(|w| w == "cloud");
    node.flags.cloud && node.flags.powered_down && !shown
}

/// The time at which the reason was set.
#[must_use]
pub fn reason_time(node: &Node) -> Option<Time> {
    node.reason.as_ref().map(|r| r.at)
}
