//! What became of a job, and why a submission was refused, in words: what happened, and what to change. A [`Teller`] for each
//! language, written separately.

mod en;
mod fr;
mod refusal;
#[cfg(test)]
mod tests;

use super::states::{Tone, job_code, job_tone};
use crate::protocol::{DependsOn, JobDetail};

pub use en::EN;
pub use fr::FR;
pub use refusal::{Refusal, refusal};

/// A language's sentences; marked as `view::rich` has it.
pub struct Teller {
    /// What a job's exit means; empty for a good one.
    pub exit: fn(Exit) -> String,
    /// What became of a job that is over, or why it was put back, and what to change.
    pub fate: fn(&Fate, &JobDetail) -> (String, String),
    /// Why a submission was refused and what to change.
    pub refused: fn(Refusal) -> (&'static str, &'static str),
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Well.
    Good,
    /// Another number that only the program knows.
    Code(u8),
    /// 2: a shell's "used wrongly".
    Usage,
    /// 126.
    NotExecutable,
    /// 127.
    NotFound,
    /// A signal ended it: its number and name; also 128 and the number.
    Signal(u8, &'static str),
}

/// Signals that end programs.
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
    /// Of `code:signal`, as Slurm prints it.
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

/// What became of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It ended well.
    Completed,
    /// Its program failed.
    Failed(Exit),
    /// It reached its limit.
    Timeout,
    /// It used more memory than it had.
    OutOfMemory,
    /// Somebody cancelled it.
    Cancelled,
    /// Another job needed its place.
    Preempted,
    /// It runs, but has to make way for another one.
    Leaving,
    /// A node was lost.
    NodeFail,
    /// A node did not boot.
    BootFail,
    /// It could not end before its deadline.
    Deadline,
    /// It ran before, and waits again.
    Requeued,
}

/// What became of a job; none while it waits or runs for the first time, and may go on.
#[must_use]
pub fn fate(job: &JobDetail) -> Option<Fate> {
    Some(match job_code(&job.state) {
        "CD" => Fate::Completed,
        "F" => Fate::Failed(Exit::of(job.exit_code, job.exit_signal)),
        "TO" => Fate::Timeout,
        "OOM" => Fate::OutOfMemory,
        "CA" => Fate::Cancelled,
        "PR" => Fate::Preempted,
        "NF" => Fate::NodeFail,
        "BF" => Fate::BootFail,
        "DL" => Fate::Deadline,
        _ if job.pushed.as_ref().is_some_and(|p| p.leaving) => Fate::Leaving,
        _ if !job.runs.is_empty() => Fate::Requeued,
        _ => return None,
    })
}

/// Whether it never ran since what it depends on cannot happen any more.
fn hopeless(job: &JobDetail) -> bool {
    job.used.is_none() && job.depends_on.iter().any(|d| d.2 == DependsOn::Never)
}

/// The tone in which it is told.
#[must_use]
pub fn tone(job: &JobDetail) -> Tone {
    match job_tone(job_code(&job.state)) {
        Tone::Waiting | Tone::Running | Tone::Quiet => Tone::Warn,
        tone => tone,
    }
}

/// Per cent of something, rounded.
#[must_use]
pub const fn percent(part: u64, whole: u64) -> u64 {
    match (part.saturating_mul(100).saturating_add(whole / 2)).checked_div(whole) {
        Some(share) => share,
        None => 0,
    }
}

/// KiB in words: `800 MiB`, `3.5 GiB`.
#[must_use]
pub fn kib(amount: u64, point: &str) -> String {
    let tenth = |unit: u64| format!("{}{point}{}", amount / unit, amount % unit * 10 / unit);
    match amount {
        0..1024 => format!("{amount} KiB"),
        1024..1_048_576 => format!("{} MiB", amount / 1024),
        _ => format!("{} GiB", tenth(1_048_576)),
    }
}
