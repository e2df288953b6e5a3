//! A trigger as strigger describes it.

use base::ids::{JobId, Uid};
use base::time::Time;
use serde::{Deserialize, Serialize};

/// What a trigger is about.
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
    /// `RES_TYPE` of strigger.
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

/// What is waited for. Daemons' events are only names here.
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
    /// `primary_slurmctld_failure` and similar ones.
    Daemon(Resource, u8),
}

/// A trigger as it is asked for, and as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Trigger {
    /// 0 in a request.
    pub id: u32,
    pub uid: Uid,
    pub resource: Resource,
    /// One of these.
    pub events: Vec<TriggerEvent>,
    pub job: Option<JobId>,
    /// A host list; none: every node.
    pub nodes: Option<String>,
    /// Seconds after the event, or before it.
    pub offset: i64,
    pub program: String,
    /// It stays after its event.
    pub permanent: bool,
    /// Its event has come: when its program runs, and with which argument.
    pub due: Option<(Time, String)>,
}
