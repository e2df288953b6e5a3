//! What slurmctld wants done outside of itself: the world carries it to the node daemons, hosts and clients.

use base::ids::{JobId, NodeId, StepNum, Uid};
use base::signal::Signal;
use base::time::Time;
use serde::{Deserialize, Serialize};

/// What slurmctld tells the node daemons and clients to do; drained by the world after each request and timer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// A letter about a job.
    Mail {
        /// Whose mailbox.
        to: Uid,
        /// There is no more to it than this.
        subject: String,
    },
    /// A line from slurmstepd in the output of a batch job.
    Tell {
        /// Which.
        job: JobId,
        /// What.
        message: String,
    },
    /// Run a trigger's program where the controller runs.
    Run {
        /// As whom.
        uid: Uid,
        /// Its path and arguments, between blanks.
        program: String,
    },
    /// Run what comes before a job, answer with `Prepared`.
    Prepare(JobId),
    /// Start a batch job's script on its first node.
    LaunchBatch(JobId),
    /// An allocation for `salloc` or `srun` was granted (or its job ended): wake the client.
    WakeClient(JobId),
    /// Signal a job's processes: steps, batch shell, or both.
    Signal {
        /// Which.
        job: JobId,
        /// Which one.
        signal: Signal,
        /// To whom.
        scope: SignalScope,
    },
    /// End everything of a job on its nodes: CONT and TERM, then KILL at `kill_at`. Each node answers with
    /// `EpilogComplete` once nothing of the job is left on it. `note` goes to the job's output (`*** JOB 12 ON cn01
    /// CANCELLED AT ... DUE TO TIME LIMIT ***`).
    Terminate {
        /// Which.
        job: JobId,
        /// Where.
        nodes: Vec<NodeId>,
        /// When SIGKILL follows.
        kill_at: Time,
        /// The end of the line, from ` DUE TO` on.
        note: String,
    },
    /// Run the site's program that switches nodes, at a time.
    Power {
        /// Which one.
        what: Switch,
        /// For which nodes.
        nodes: Vec<NodeId>,
        /// When.
        at: Time,
    },
    /// A node restarts: its processes are gone, it answers again at `back`.
    NodeRestarts {
        /// Which.
        node: NodeId,
        /// When it is back.
        back: Time,
    },
    /// There are nodes that were not there before.
    NewNodes,
    /// A job that runs on gives nodes back: what it has there is killed.
    Leave {
        /// Which.
        job: JobId,
        /// Where.
        nodes: Vec<NodeId>,
    },
    /// The job is over for slurmctld: clean up on its nodes, answer with `EpilogComplete` for each.
    CleanUp {
        /// Which.
        job: JobId,
        /// Where.
        nodes: Vec<NodeId>,
    },
}

/// A program of power_save.html.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Switch {
    /// `ResumeProgram`.
    Resume,
    /// `SuspendProgram`.
    Suspend,
    /// `ResumeFailProgram`.
    Fail,
}

/// Whom a signal reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SignalScope {
    /// The steps, not the batch script.
    #[default]
    Steps,
    /// Only the batch script (`-b`).
    Batch,
    /// Both (`-f`).
    Full,
    /// One step.
    Step(StepNum),
}

impl SignalScope {
    /// Whether it means this step (the batch script is one).
    #[must_use]
    pub fn reaches(self, step: StepNum) -> bool {
        match self {
            Self::Steps => matches!(step, StepNum::Number(_)),
            Self::Batch => step == StepNum::Batch,
            Self::Full => true,
            Self::Step(wanted) => step == wanted,
        }
    }
}
