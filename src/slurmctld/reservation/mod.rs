//! Reservations: nodes, cores or licences that are set aside for some users or accounts for some time. Mirrors
//! scontrol(1) ("RESERVATIONS") and reservations.html.
//!
//! `change` creates, updates and deletes them, `pick` selects nodes, `window` computes which nodes are closed to a job,
//! `access` checks permissions, and `events` handles begins, ends and repetitions.
//!
//! Deliberate difference: burst buffers are text only; `MAGNETIC` opens its nodes to everyone who may use it instead of moving jobs into it.

mod access;
mod change;
mod events;
mod pick;
#[cfg(test)]
mod tests;
mod window;

pub use crate::rpc::reservation::{ResvDesc, ResvFlags, Who, WhoChange};

use crate::Slurmctld;
use base::bitset::BitSet;
use base::ids::{NodeId, PartId, ResvId};
use base::time::{Span, Time};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
pub(crate) use window::{closed, closed_cores, edges, of_cores, own_nodes, personal};

/// All reservations, in order of creation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reservations {
    list: Vec<Reservation>,
    /// How many were ever created: the number in a generated name.
    made: u32,
    /// Nodes that carry RESERVED or MAINTENANCE because of them.
    marked: BitSet,
    /// When unused reservations were last checked.
    looked: Time,
}

impl Reservations {
    /// Whether there are no reservations.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All reservations, the oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Reservation> {
        self.list.iter()
    }

    /// The reservation with this name.
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<&Reservation> {
        self.list.iter().find(|r| r.name == name)
    }

    /// The reservation with this id.
    #[must_use]
    pub fn get(&self, id: ResvId) -> Option<&Reservation> {
        self.list.iter().find(|r| r.id == id)
    }

    /// Renumbers partitions.
    pub(crate) fn move_partitions(&mut self, new_id: impl Fn(PartId) -> Option<PartId>) {
        self.list.iter_mut().for_each(|r| r.partition = r.partition.and_then(&new_id));
    }
}

/// A reservation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Reservation {
    pub id: ResvId,
    pub name: String,
    /// With `TIME_FLOAT`, both times move along with the clock.
    pub start: Time,
    pub end: Time,
    /// Created with a duration, which a new start time keeps.
    pub lasts: bool,
    pub nodes: BitSet,
    pub cores: u32,
    /// Its cores on each node. Empty if it has whole nodes.
    pub cores_of: Vec<(NodeId, BitSet)>,
    pub features: Option<String>,
    pub partition: Option<PartId>,
    pub flags: ResvFlags,
    pub users: Who,
    pub groups: Who,
    pub accounts: Who,
    pub qos: Who,
    pub partitions: Who,
    pub licenses: BTreeMap<String, u32>,
    pub burst_buffer: Option<String>,
    pub comment: Option<String>,
    /// How long after its start other jobs may still run there.
    pub max_start_delay: Option<Span>,
    /// `PURGE_COMP`: it is deleted after being unused for this long.
    pub purge: Span,
    /// When it became unused.
    pub idle_since: Option<Time>,
    /// With `TIME_FLOAT`, how far ahead of the clock it starts.
    pub ahead: Option<Span>,
    /// It has begun, and the jobs waiting for that were notified.
    pub begun: bool,
}

impl Reservation {
    /// When it begins and ends, seen from `now`.
    #[must_use]
    pub fn window(&self, now: Time) -> (Time, Time) {
        match self.ahead {
            Some(ahead) => (now + ahead, now + ahead + (self.end - self.start)),
            None => (self.start, self.end),
        }
    }

    /// The number of its cores on a node.
    #[must_use]
    pub fn cores_on(&self, node: &crate::state::node::Node) -> u32 {
        self.cores_of.iter().find(|c| c.0 == node.id).map_or(node.cores(), |c| c.1.len())
    }

    /// Whether it is active.
    #[must_use]
    pub fn active(&self, now: Time) -> bool {
        let (start, end) = self.window(now);
        start <= now && now < end
    }

    /// The interval of a reservation that repeats evenly.
    #[must_use]
    pub fn period(&self) -> Option<Span> {
        [
            (ResvFlags::HOURLY, 3600),
            (ResvFlags::DAILY, 86_400),
            (ResvFlags::WEEKDAY, 86_400),
            (ResvFlags::WEEKEND, 86_400),
            (ResvFlags::WEEKLY, 7 * 86_400),
        ]
        .into_iter()
        .find(|(flag, _)| self.flags.has(*flag))
        .map(|(_, secs)| Span::from_secs(secs))
    }
}

impl Slurmctld {
    /// The reservation that a node is in at present.
    #[must_use]
    pub fn node_reservation(&self, node: &crate::state::node::Node) -> Option<&str> {
        let of = |r: &&Reservation| r.begun && r.nodes.contains(node.id.0);
        let list = if node.flags.reserved { self.reservations.list.as_slice() } else { &[] };
        list.iter().find(of).map(|r| r.name.as_str())
    }

    /// The names of the reservations that a job asked for.
    #[must_use]
    pub fn reservation_names(&self, job: &crate::state::job::Job) -> String {
        let names: Vec<&str> = job
            .reservations
            .iter()
            .filter_map(|id| self.reservations.get(*id))
            .map(|r| r.name.as_str())
            .collect();
        names.join(",")
    }
}
