//! What `scontrol create reservation` says, and whom a reservation admits.

pub use super::reservation_flags::ResvFlags;
use base::time::{Limit, Time};
use serde::{Deserialize, Serialize};

/// Who may use a reservation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Who {
    /// The names; none: says nothing.
    pub names: Vec<String>,
    /// All but these.
    pub except: bool,
}

impl Who {
    /// Whether one of the names may; `None` where the list says nothing.
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

/// What `scontrol create` or `update reservation` asks for; none: not said.
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
    /// `CoreCnt`: in all, or of each node; empty: whole nodes.
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
    /// The present occurrence of a repeating one is left out.
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
