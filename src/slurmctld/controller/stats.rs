//! The statistics that sdiag(1) shows, since the controller started or `sdiag --reset`.
//!
//! No clock is read: the duration of a pass is estimated from the number of queue entries that it visited.

use crate::rpc::request::Request;
use base::state::JobState;
use base::time::Time;
use serde::{Deserialize, Serialize};

/// Estimated microseconds of an empty pass, and for each queue entry.
const PASS: u64 = 12;
/// See [`PASS`].
const ROW: u64 = 40;

/// Statistics about passes of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cycles {
    /// Number of passes.
    pub count: u64,
    /// Duration of the last pass in microseconds.
    pub last: u64,
    /// The longest duration.
    pub max: u64,
    /// The total duration.
    pub total: u64,
    /// Queue entries visited in the last pass.
    pub last_depth: u64,
    /// Queue entries visited in all passes.
    pub depth: u64,
    /// Queue length at the start of the last pass.
    pub last_queue: u64,
    /// Sum of the queue lengths of all passes.
    pub queue: u64,
    /// When the last pass ran.
    pub when: Option<Time>,
    /// Number of passes that ended because they reached their maximum number of queue entries.
    pub cut: u64,
}

impl Cycles {
    fn note(&mut self, depth: u64, queue: u64, cut: bool, now: Time) {
        let took = PASS + ROW * depth;
        self.count += 1;
        self.last = took;
        self.max = self.max.max(took);
        self.total += took;
        self.last_depth = depth;
        self.depth += depth;
        self.last_queue = queue;
        self.queue += queue;
        self.when = Some(now);
        self.cut += u64::from(cut);
    }
}

/// Requests of one type or one user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calls {
    /// The message type's number, or the uid.
    pub id: u32,
    /// Number of requests.
    pub count: u64,
}

/// All statistics.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Stats {
    pub since: Time,
    pub submitted: u64,
    pub started: u64,
    pub completed: u64,
    pub canceled: u64,
    pub failed: u64,
    pub main: Cycles,
    pub backfill: Cycles,
    /// Jobs that backfill started: since slurmctld started, since the last reset, and components of heterogeneous jobs.
    pub backfilled: u64,
    pub backfilled_since: u64,
    pub backfilled_het: u64,
    pub by_kind: Vec<Calls>,
    pub by_user: Vec<Calls>,
}

impl Stats {
    /// Restarts the counts at `now`.
    #[must_use]
    pub fn new(now: Time) -> Self {
        Self { since: now, ..Self::default() }
    }

    /// `sdiag --reset`: resets everything except the counts since slurmctld started.
    pub fn reset(&mut self, now: Time) {
        *self = Self { backfilled: self.backfilled, ..Self::new(now) };
    }

    /// Counts a request.
    pub fn call(&mut self, uid: u32, request: &Request) {
        let Some(kind) = kind(request) else { return };
        for (list, id) in [(&mut self.by_kind, kind), (&mut self.by_user, uid)] {
            match list.iter_mut().find(|c| c.id == id) {
                Some(calls) => calls.count += 1,
                None => list.push(Calls { id, count: 1 }),
            }
        }
    }

    /// Counts a change of a job's state.
    pub fn job(&mut self, was: JobState, is: JobState, by_backfill: bool, het: bool) {
        if was == is {
            return;
        }
        if was == JobState::Pending && is == JobState::Running {
            self.started += 1;
            self.backfilled += u64::from(by_backfill);
            self.backfilled_since += u64::from(by_backfill);
            self.backfilled_het += u64::from(by_backfill && het);
        }
        match is {
            JobState::Complete if !was.ended() => self.completed += 1,
            JobState::Cancelled if !was.ended() => self.canceled += 1,
            other if other.ended() && !was.ended() => self.failed += 1,
            _ => {}
        }
    }

    /// Counts a pass of the main loop or of backfill.
    pub fn pass(&mut self, backfill: bool, depth: u64, queue: u64, cut: bool, now: Time) {
        let cycles = if backfill { &mut self.backfill } else { &mut self.main };
        cycles.note(depth, queue, cut, now);
    }
}

/// The number of Slurm's message for a request. None for a node's internal requests.
const fn kind(request: &Request) -> Option<u32> {
    Some(match request {
        Request::SubmitBatch(_) => 4003,
        Request::SubmitHet(_) => 4027,
        Request::Allocate(_) => 4001,
        Request::WillRun(_) => 4012,
        Request::Kill { .. } => 5032,
        Request::Update { .. } | Request::Hold { .. } | Request::Release(_) => 3001,
        Request::Requeue { .. } => 5023,
        Request::Suspend(_) | Request::Resume(_) => 5014,
        Request::Top(_) => 5038,
        Request::UpdateNode(_) => 3002,
        Request::Reboot(_) => 1011,
        Request::CreateReservation(_) => 3006,
        Request::UpdateReservation(_) => 3009,
        Request::DeleteReservation(_) => 3008,
        Request::UpdatePartition { .. } => 3005,
        Request::CreateStep(_) | Request::ForgetStep { .. } => 5001,
        Request::Listen { .. } => 5003,
        Request::StepDone { .. } => 5016,
        Request::BatchDone { .. } => 5018,
        Request::CompleteJob { .. } => 5017,
        Request::EpilogComplete { .. } => 6012,
        Request::CreatePartition { .. } => 3004,
        Request::DeletePartition(_) => 3007,
        Request::CreateNodes(_) => 3012,
        Request::DeleteNodes(_) => 3013,
        Request::Reconfigure(_) => 1003,
        Request::SetCrontab { .. } => 2200,
        Request::ResetStats => 2036,
        Request::NodeResponding { .. }
        | Request::NodeOutOfMemory { .. }
        | Request::NodeGone { .. }
        | Request::OutOfMemory { .. }
        | Request::Prepared { .. }
        | Request::EpilogFailed { .. }
        | Request::Resuming { .. }
        | Request::SetTrigger(_)
        | Request::Notify { .. }
        | Request::SetDampening(_)
        | Request::ClearTriggers { .. }
        | Request::Accounting(_) => return None,
    })
}

/// Names of the messages that are counted, by number.
pub const KINDS: &[(u32, &str)] = &[
    (1003, "REQUEST_RECONFIGURE"),
    (1011, "REQUEST_REBOOT_NODES"),
    (2036, "REQUEST_STATS_RESET"),
    (2200, "REQUEST_UPDATE_CRONTAB"),
    (3001, "REQUEST_UPDATE_JOB"),
    (3002, "REQUEST_UPDATE_NODE"),
    (3004, "REQUEST_CREATE_PARTITION"),
    (3005, "REQUEST_UPDATE_PARTITION"),
    (3006, "REQUEST_CREATE_RESERVATION"),
    (3007, "REQUEST_DELETE_PARTITION"),
    (3008, "REQUEST_DELETE_RESERVATION"),
    (3009, "REQUEST_UPDATE_RESERVATION"),
    (3012, "REQUEST_CREATE_NODE"),
    (3013, "REQUEST_DELETE_NODE"),
    (4001, "REQUEST_RESOURCE_ALLOCATION"),
    (4003, "REQUEST_SUBMIT_BATCH_JOB"),
    (4012, "REQUEST_JOB_WILL_RUN"),
    (4027, "REQUEST_SUBMIT_BATCH_HET_JOB"),
    (5001, "REQUEST_JOB_STEP_CREATE"),
    (5014, "REQUEST_SUSPEND"),
    (5016, "REQUEST_STEP_COMPLETE"),
    (5017, "REQUEST_COMPLETE_JOB_ALLOCATION"),
    (5018, "REQUEST_COMPLETE_BATCH_SCRIPT"),
    (5023, "REQUEST_JOB_REQUEUE"),
    (5032, "REQUEST_KILL_JOB"),
    (5038, "REQUEST_TOP_JOB"),
    (6012, "MESSAGE_EPILOG_COMPLETE"),
];
