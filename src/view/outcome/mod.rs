//! Sentences about how jobs end and why submissions are refused: what happened, and what to change. Each language has
//! its own [`OutcomeTexts`], written separately.

mod en;
mod fr;
#[cfg(test)]
mod tests;

use super::states::{Tone, job_code, job_tone};
use protocol::{DependencyState, JobDetail, Refusal};

pub use en::EN;
pub use fr::FR;

/// A language's sentences, with the markup of `view::rich`.
pub struct OutcomeTexts {
    /// What an exit status means; empty for success.
    pub exit: fn(Exit) -> String,
    /// How a job ended or why it was requeued, and what to change.
    pub outcome: fn(&JobOutcome, &JobDetail) -> (String, String),
    /// Why a submission was refused and what to change.
    pub refused: fn(Refusal) -> (&'static str, &'static str),
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Success.
    Good,
    /// An exit code defined by the program.
    Code(u8),
    /// 2: the shell's "incorrect usage".
    Usage,
    /// 126: not executable.
    NotExecutable,
    /// 127: command not found.
    NotFound,
    /// Terminated by a signal (number, name); also exit codes above 128.
    Signal(u8, &'static str),
}

/// Signals that terminate programs.
const SIGNALS: [(u8, &str); 12] = [
    (1, "SIGHUP"),
    (2, "SIGINT"),
    (3, "SIGQUIT"),
    (4, "SIGILL"),
    (6, "SIGABRT"),
    (7, "SIGBUS"),
    (8, "SIGFPE"),
    (9, "SIGKILL"),
    (11, "SIGSEGV"),
    (13, "SIGPIPE"),
    (15, "SIGTERM"),
    (24, "SIGXCPU"),
];

impl Exit {
    /// Parses `code:signal` as Slurm prints it.
    #[must_use]
    pub fn of(code: u8, signal: u8) -> Self {
        let named = |n: u8| SIGNALS.iter().find(|s| s.0 == n).map_or("", |s| s.1);
        match (code, signal) {
            (0, 0) => Self::Good,
            (_, n) if n > 0 => Self::Signal(n, named(n)),
            (2, _) => Self::Usage,
            (126, _) => Self::NotExecutable,
            (127, _) => Self::NotFound,
            (n, _) if n > 128 && !named(n - 128).is_empty() => Self::Signal(n - 128, named(n - 128)),
            (n, _) => Self::Code(n),
        }
    }
}

/// How a job ended, or why it left the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobOutcome {
    /// Completed successfully.
    Completed,
    /// Its program failed.
    Failed(Exit),
    /// It reached its time limit.
    Timeout,
    /// It exceeded its memory.
    OutOfMemory,
    /// A user cancelled it.
    Cancelled,
    /// Another job preempted it.
    Preempted,
    /// It is being preempted and has grace time left.
    Leaving,
    /// A node failed.
    NodeFail,
    /// A node did not boot.
    BootFail,
    /// It could not finish before its deadline.
    Deadline,
    /// It was requeued and is pending again.
    Requeued,
}

/// How a job ended; `None` while it is pending or running for the first time.
#[must_use]
pub fn outcome(job: &JobDetail) -> Option<JobOutcome> {
    Some(match job_code(&job.state) {
        "CD" => JobOutcome::Completed,
        "F" => JobOutcome::Failed(Exit::of(job.exit_code, job.exit_signal)),
        "TO" => JobOutcome::Timeout,
        "OOM" => JobOutcome::OutOfMemory,
        "CA" => JobOutcome::Cancelled,
        "PR" => JobOutcome::Preempted,
        "NF" => JobOutcome::NodeFail,
        "BF" => JobOutcome::BootFail,
        "DL" => JobOutcome::Deadline,
        _ if job.pushed.as_ref().is_some_and(|p| p.leaving) => JobOutcome::Leaving,
        _ if !job.runs.is_empty() => JobOutcome::Requeued,
        _ => return None,
    })
}

/// Whether it never ran because its dependency could not be satisfied.
fn hopeless(job: &JobDetail) -> bool {
    job.used.is_none() && job.depends_on.iter().any(|d| d.2 == DependencyState::Never)
}

/// The tone of the sentence.
#[must_use]
pub fn tone(job: &JobDetail) -> Tone {
    match job_tone(job_code(&job.state)) {
        Tone::Waiting | Tone::Running | Tone::Quiet => Tone::Warn,
        tone => tone,
    }
}

/// A rounded percentage.
#[must_use]
pub const fn percent(part: u64, whole: u64) -> u64 {
    match (part.saturating_mul(100).saturating_add(whole / 2)).checked_div(whole) {
        Some(share) => share,
        None => 0,
    }
}

/// A size in KiB as text: `800 MiB`, `3.5 GiB`.
#[must_use]
pub fn kib(amount: u64, point: &str) -> String {
    let tenth = |unit: u64| format!("{}{point}{}", amount / unit, amount % unit * 10 / unit);
    match amount {
        0..1024 => format!("{amount} KiB"),
        1024..1_048_576 => format!("{} MiB", amount / 1024),
        _ => format!("{} GiB", tenth(1_048_576)),
    }
}
