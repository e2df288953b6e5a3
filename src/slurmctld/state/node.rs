//! A node as slurmctld sees it.

use base::bitset::BitSet;
use base::ids::{JobId, NodeId, Uid};
use base::time::Time;
use base::vec_map::VecMap;
use config::NodeConf;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The user that slurmctld runs as, and that sets reasons automatically.
pub const SLURM_USER: Uid = Uid(64_030);

/// A node. A stored node changes only by the edits of the controller:
///
/// ```compile_fail,E0594
/// fn assign(ctld: &mut slurmctld::Slurmctld, id: base::ids::NodeId) {
///     let Some(node) = ctld.nodes.get(id.0 as usize) else { return };
///     node.responding = false;
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Node {
    pub id: NodeId,
    pub conf: NodeConf,
    pub base: NodeBase,
    pub flags: NodeFlags,
    pub reason: Option<NodeReason>,
    pub comment: Option<String>,
    /// The active features, if not all available ones are active.
    pub active: Option<Vec<String>>,
    /// Cores of running (and suspended) jobs.
    pub cores_used: BitSet,
    pub cpus_used: u32,
    /// MiB.
    pub mem_used: u64,
    /// Indices in use, in the order of `conf.gres`.
    pub gres_used: Vec<BitSet>,
    /// Jobs that hold resources here, with their number of CPUs. Includes completing jobs.
    pub jobs: VecMap<JobId, u32>,
    /// The jobs among them that are completing.
    pub completing: VecMap<JobId, Time>,
    /// The jobs among them that are suspended.
    pub suspended: BTreeSet<JobId>,
    pub boot: Time,
    pub slurmd_start: Time,
    pub last_busy: Time,
    /// Whether slurmctld has heard from slurmd. If not, the state shows `*`.
    pub responding: bool,
    pub last_response: Time,
    /// Whether slurmd is alive, regardless of what slurmctld knows.
    pub alive: bool,
    pub extra: Option<String>,
    pub names: NodeNames,
    /// When its current transition ends: booting, powering down, a ping.
    pub until: Option<Time>,
    /// `ResumeAfter`: down or drained until then.
    pub resume_after: Option<Time>,
    /// It stays down after a reboot (`nextstate=DOWN`).
    pub next_down: bool,
    /// The configuration no longer names it.
    pub gone: bool,
    /// It was created at run time (`scontrol create`).
    pub dynamic: bool,
    /// When its next event is due, see `node_mgr::events`.
    pub due: Option<Time>,
}

/// Labels set by administrators that have no effect here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct NodeNames {
    pub address: Option<String>,
    pub host: Option<String>,
    pub instance_id: Option<String>,
    pub instance_type: Option<String>,
    pub cpu_bind: Option<String>,
}

impl NodeNames {
    /// These labels, overridden by those of `other`. An empty text clears a value.
    #[must_use]
    pub fn changed(self, other: &Self) -> Self {
        let pick = |old: Option<String>, new: &Option<String>| match new {
            None => old,
            Some(text) => Some(text.clone()).filter(|text| !text.is_empty()),
        };
        Self {
            address: pick(self.address, &other.address),
            host: pick(self.host, &other.host),
            instance_id: pick(self.instance_id, &other.instance_id),
            instance_type: pick(self.instance_type, &other.instance_type),
            cpu_bind: pick(self.cpu_bind, &other.cpu_bind),
        }
    }
}

/// The stored base states. ALLOCATED and MIXED are derived from the usage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum NodeBase {
    Idle,
    Down,
    Future,
    Unknown,
}

/// Flags of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct NodeFlags {
    pub drain: bool,
    pub fail: bool,
    pub maint: bool,
    pub reserved: bool,
    pub planned: bool,
    pub cloud: bool,
    pub powered_down: bool,
    pub powering_up: bool,
    /// Its `ResumeProgram` has not succeeded yet. The node is set down after `ResumeTimeout`.
    pub unanswered: bool,
    pub powering_down: bool,
    /// To be powered down as soon as it is idle.
    pub power_down: bool,
    pub reboot_requested: bool,
    pub reboot_issued: bool,
}

/// Why it is not available.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct NodeReason {
    pub text: String,
    pub by: Uid,
    pub at: Time,
}

/// A node's state as commands show it: base, then suffix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub enum ShownState {
    Down,
    Idle,
    Allocated,
    Mixed,
    Future,
    Unknown,
}

impl Node {
    /// A node that has just registered.
    #[must_use]
    pub fn new(id: NodeId, conf: &NodeConf, now: Time) -> Self {
        let state = conf.state.to_ascii_uppercase();
        let base = match state.as_str() {
            s if s.starts_with("DOWN") => NodeBase::Down,
            s if s.starts_with("FUTURE") => NodeBase::Future,
            _ => NodeBase::Idle,
        };
        let cloud = state.starts_with("CLOUD");
        Self {
            id,
            conf: conf.clone(),
            base,
            flags: NodeFlags {
                drain: state.starts_with("DRAIN"),
                fail: state.starts_with("FAIL"),
                cloud,
                powered_down: cloud,
                ..NodeFlags::default()
            },
            reason: conf.reason.as_ref().map(|text| NodeReason { text: text.clone(), by: Uid(0), at: now }),
            comment: None,
            active: None,
            cores_used: BitSet::new(),
            cpus_used: 0,
            mem_used: 0,
            gres_used: vec![BitSet::new(); conf.gres.len()],
            jobs: VecMap::default(),
            completing: VecMap::default(),
            suspended: BTreeSet::new(),
            boot: now,
            slurmd_start: now,
            last_busy: if cloud { Time::default() } else { now },
            responding: true,
            last_response: now,
            alive: !cloud,
            extra: None,
            names: NodeNames::default(),
            until: None,
            resume_after: None,
            next_down: false,
            gone: false,
            dynamic: false,
            due: None,
        }
    }

    /// Whether jobs may start here.
    #[must_use]
    pub const fn available(&self) -> bool {
        matches!(self.base, NodeBase::Idle)
            && self.responding
            && !self.flags.drain
            && !self.flags.fail
            && !self.flags.powering_down
            && !self.flags.power_down
            && !self.flags.reboot_issued
    }

    /// Whether it is neither down nor FUTURE. Drained nodes count as up.
    #[must_use]
    pub const fn up(&self) -> bool {
        matches!(self.base, NodeBase::Idle) && self.responding
    }

    /// Its active features.
    #[must_use]
    pub fn features(&self) -> &[String] {
        self.active.as_ref().unwrap_or(&self.conf.features)
    }

    /// Whether its slurmd has ever registered.
    #[must_use]
    pub const fn registered(&self) -> bool {
        self.slurmd_start.0 > 0
    }

    /// Whether nothing runs or completes here.
    #[must_use]
    pub fn idle(&self) -> bool {
        self.jobs.is_empty() && self.completing.is_empty() && self.base == NodeBase::Idle
    }

    /// All its CPUs.
    #[must_use]
    pub const fn cpus(&self) -> u32 {
        self.conf.cpus
    }

    /// All its cores.
    #[must_use]
    pub const fn cores(&self) -> u32 {
        self.conf.cores()
    }

    /// The base state that commands show.
    #[must_use]
    pub fn shown(&self) -> ShownState {
        match self.base {
            NodeBase::Down => ShownState::Down,
            NodeBase::Future => ShownState::Future,
            NodeBase::Unknown => ShownState::Unknown,
            // If all jobs are suspended, nothing runs.
            NodeBase::Idle if self.jobs.len() == self.suspended.len() => ShownState::Idle,
            NodeBase::Idle if self.cpus_used >= self.cpus() => ShownState::Allocated,
            NodeBase::Idle => ShownState::Mixed,
        }
    }
}

/// The three variants of `power_down`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PowerDown {
    /// Once it is idle.
    WhenIdle,
    /// Once it is idle, and no new job starts there.
    Asap,
    /// Now. Its jobs are requeued.
    Force,
}
