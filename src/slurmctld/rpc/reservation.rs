//! What `scontrol create reservation` requests, and the access lists of a reservation.

pub use super::reservation_flags::ResvFlags;
use base::time::{Limit, Time};
use serde::{Deserialize, Serialize};

/// An access list of a reservation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Who {
    /// The names. Empty: no restriction.
    pub names: Vec<String>,
    /// The list excludes these names.
    pub except: bool,
}

impl Who {
    /// Whether the list admits one of the names. `None` if it has no entries.
    #[must_use]
    pub fn admits<'n>(&self, mut names: impl Iterator<Item = &'n str>) -> Option<bool> {
        (!self.names.is_empty()).then(|| names.any(|n| self.names.iter().any(|m| m == n)) != self.except)
    }

    /// `alice,bob`, `-alice,-bob`, `(null)`.
    #[must_use]
    pub fn text(&self) -> String {
        if self.names.is_empty() {
            return "(null)".to_owned();
        }
        let sign = if self.except { "-" } else { "" };
        self.names.iter().map(|n| format!("{sign}{n}")).collect::<Vec<_>>().join(",")
    }
}

/// What `scontrol create` or `update reservation` requests; None: not given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct ResvDesc {
    pub name: Option<String>,
    pub start: Option<Time>,
    pub end: Option<Time>,
    pub duration: Option<Limit>,
    pub set: ResvFlags,
    pub clear: ResvFlags,
    /// `PURGE_COMP=`, seconds.
    pub purge: Option<u32>,
    pub node_count: Option<u32>,
    /// `CoreCnt`: in total, or for each node. Empty: whole nodes.
    pub core_counts: Vec<u32>,
    /// `ALL`, a host list, `+LIST` or `-LIST` in updates.
    pub nodes: Option<String>,
    pub features: Option<String>,
    pub partition: Option<String>,
    pub users: Option<WhoChange>,
    pub groups: Option<WhoChange>,
    pub accounts: Option<WhoChange>,
    pub qos: Option<WhoChange>,
    pub partitions: Option<WhoChange>,
    pub licenses: Option<String>,
    pub burst_buffer: Option<String>,
    pub comment: Option<String>,
    /// Seconds.
    pub max_start_delay: Option<u32>,
    /// Skip the present occurrence of a repeating reservation.
    pub skip: bool,
}

/// `Users=a,b`, `Users+=a`, `Users-=a`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum WhoChange {
    Set(Who),
    Add(Vec<String>),
    Remove(Vec<String>),
}
