//! A trigger as described by strigger.

use base::ids::{JobId, Uid};
use base::time::Time;
use serde::{Deserialize, Serialize};

/// The kind of resource that a trigger watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Resource {
    /// A job, or its nodes.
    Job,
    /// Nodes.
    Node,
    /// The controller, its backup.
    Slurmctld,
    /// The accounting daemon.
    Slurmdbd,
    /// Its database.
    Database,
    /// Burst buffers.
    Other,
}

impl Resource {
    /// `RES_TYPE` in strigger's output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Job => "job",
            Self::Node => "node",
            Self::Slurmctld => "slurmctld",
            Self::Slurmdbd => "slurmdbd",
            Self::Database => "database",
            Self::Other => "other",
        }
    }
}

/// The event that a trigger waits for. Events of daemons are names only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum TriggerEvent {
    Down,
    Up,
    Drained,
    Draining,
    Resume,
    Fail,
    Idle,
    Reconfig,
    Time,
    Fini,
    BurstBuffer,
    /// `primary_slurmctld_failure` and similar events.
    Daemon(Resource, u8),
}

/// A trigger, as requested and as stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Trigger {
    /// 0 in a request.
    pub id: u32,
    pub uid: Uid,
    pub resource: Resource,
    /// It fires on any of these.
    pub events: Vec<TriggerEvent>,
    pub job: Option<JobId>,
    /// A host list. None: all nodes.
    pub nodes: Option<String>,
    /// Seconds after the event; negative for before it.
    pub offset: i64,
    pub program: String,
    /// It remains after it has fired.
    pub permanent: bool,
    /// Its event has happened: when its program runs, and with which argument.
    pub due: Option<(Time, String)>,
}
