//! A workload as a trace describes it: its jobs, and the changes of its nodes.

use super::recorded::{RecordedJob, RecordedNodeChange};
use base::diagnostic::{Diagnostic, Severity};
use base::order::StableSort as _;
use base::time::{Span, Time};
use slurmctld::job::JobDesc;

/// One job of a trace.
#[derive(Clone, Debug)]
pub struct TraceJob {
    /// Its line number in the trace, from 1.
    pub line: usize,
    /// Submission time since the trace's beginning.
    pub submit: Span,
    /// Run time of its script unless the job ends earlier.
    pub runtime: Span,
    /// The request, with the uid and account of the simulated cluster.
    pub desc: Box<JobDesc>,
    /// The earliest start after its submission, if its command line has one (`--begin=now+1hour`).
    pub begin: Option<Span>,
    /// The deadline after its submission (`--deadline=now+1day`).
    pub deadline: Option<Span>,
    /// What the real cluster did with it, if the trace says.
    pub recorded: Option<Box<RecordedJob>>,
    /// Its place in an array that limits how many of its tasks run at once (`--array=1-100%4`).
    pub throttled: Option<ThrottledTask>,
}

/// A task of an array with a limit. A trace lists each task as a job of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThrottledTask {
    /// The array's number in the trace.
    pub array: u32,
    /// How many tasks of the array may run at once, at least 1.
    pub limit: u32,
}

/// A parsed trace.
#[derive(Clone, Debug, Default)]
pub struct Workload {
    /// In the order of submission.
    pub jobs: Vec<TraceJob>,
    /// Recorded changes of nodes, in order.
    pub node_changes: Vec<RecordedNodeChange>,
    /// The real time at which the trace begins, if it says so.
    pub began: Option<Time>,
    /// When the history was exported. Later events are unknown.
    pub exported: Option<Span>,
    /// Jobs that were skipped or corrected, with line numbers.
    pub diagnostics: Vec<Diagnostic>,
    /// Number of jobs of the trace that are not in `jobs`.
    pub left_out: u64,
}

/// Maximum number of listed diagnostics. Further ones are only counted.
pub(crate) const MAX_DIAGNOSTICS: usize = 20;

impl Workload {
    /// Adds a diagnostic for a line.
    pub(crate) fn note(&mut self, file: &str, line: usize, message: String) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            let line = u32::try_from(line).unwrap_or(u32::MAX);
            let file = file.to_owned();
            self.diagnostics.push(Diagnostic { severity: Severity::Warning, file, line, message });
        }
    }

    /// Sorts the jobs by submission time. True if they were not in order.
    pub(crate) fn sort(&mut self) -> bool {
        let sorted = self.jobs.windows(2).all(|w| w[0].submit <= w[1].submit);
        if !sorted {
            self.jobs.order_by_key(|w| w.submit);
        }
        !sorted
    }
}

/// The submission of one of a trace's jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Its index in the trace.
    pub job: u32,
    /// Submission time since the beginning.
    pub at: Span,
    /// Instead of `at`: it is submitted this long after another arrival's job has ended (the user's think time).
    pub after: Option<(u32, Span)>,
}
