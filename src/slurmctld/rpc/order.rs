//! Orders of slurmctld. The world delivers them to node daemons, hosts and clients.

use base::ids::{JobId, NodeId, StepNum, Uid};
use base::signal::Signal;
use base::time::Time;
use serde::{Deserialize, Serialize};

/// An order to a node daemon or client. The world takes them after each request and timer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// Send mail about a job.
    Mail {
        /// The recipient.
        to: Uid,
        /// The whole message: there is no body.
        subject: String,
    },
    /// Print a line from slurmstepd in the output of a batch job.
    Tell {
        /// The job.
        job: JobId,
        /// The line.
        message: String,
    },
    /// Run a trigger's program where the controller runs.
    Run {
        /// The user to run it as.
        uid: Uid,
        /// Its path and arguments, separated by blanks.
        program: String,
    },
    /// Run the prologs of a job and answer with `Prepared`.
    Prepare(JobId),
    /// Start a batch job's script on its first node.
    LaunchBatch(JobId),
    /// An allocation for `salloc` or `srun` was granted (or its job ended): wake the client.
    WakeClient(JobId),
    /// Signal a job's processes: steps, batch shell, or both.
    Signal {
        /// The job.
        job: JobId,
        /// The signal.
        signal: Signal,
        /// The recipients.
        scope: SignalScope,
    },
    /// Kill everything of a job on its nodes: SIGCONT and SIGTERM, then SIGKILL at `kill_at`. Each node answers with
    /// `EpilogComplete` once it is clean. `note` goes to the job's output (`*** JOB 12 ON cn01 CANCELLED AT ... DUE TO
    /// TIME LIMIT ***`).
    Terminate {
        /// The job.
        job: JobId,
        /// The nodes.
        nodes: Vec<NodeId>,
        /// When SIGKILL follows.
        kill_at: Time,
        /// The end of the line, from ` DUE TO` on.
        note: String,
    },
    /// Run the site's program that powers nodes up or down.
    Power {
        /// The program.
        what: Switch,
        /// The nodes.
        nodes: Vec<NodeId>,
        /// When to run it.
        at: Time,
    },
    /// Restart a node: its processes are gone, and it answers again at `back`.
    NodeRestarts {
        /// The node.
        node: NodeId,
        /// When it is back.
        back: Time,
    },
    /// Add the hosts of new nodes.
    NewNodes,
    /// Kill what a resized job runs on the nodes that it gives back.
    Leave {
        /// The job.
        job: JobId,
        /// The nodes.
        nodes: Vec<NodeId>,
    },
    /// Clean up after a finished job. Each node answers with `EpilogComplete`.
    CleanUp {
        /// The job.
        job: JobId,
        /// The nodes.
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

/// The recipients of a signal.
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
    /// Whether it includes this step. The batch script is a step, too.
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
