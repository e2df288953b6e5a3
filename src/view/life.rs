//! The points of a job's life, in their order.

use crate::protocol::{JobDetail, Micros};

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It was submitted, the first time.
    Submitted,
    /// It might start, and had to wait for that.
    Eligible,
    /// It started, or will.
    Started,
    /// It went back to the queue.
    PutBack,
    /// It ended, or will at the latest.
    Ended,
}

/// What happened when, and by which of Slurm's states. Slurm tells of a job that went back to the queue when *that* was, as
/// if it had been submitted then; its first run knows better.
#[must_use]
pub fn points(job: &JobDetail) -> Vec<(Step, Micros, &str)> {
    let submit = job.runs.first().map_or(job.submit, |run| run.submit);
    let eligible = job.eligible.filter(|at| *at != job.submit).map(|at| (Step::Eligible, at, ""));
    let runs = job.runs.iter().flat_map(|run| {
        let back = run.end.map(|at| (Step::PutBack, at, run.state.as_str()));
        [Some((Step::Started, run.start, "")), back]
    });
    let last =
        [eligible, job.start.map(|at| (Step::Started, at, "")), job.end.map(|at| (Step::Ended, at, ""))];
    [Some((Step::Submitted, submit, ""))].into_iter().chain(runs).chain(last).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Run;

    #[test]
    fn a_job_that_came_back_has_one_life() {
        let run = Run { submit: 10, start: 20, end: Some(30), state: "PREEMPTED".into(), nodes: "n1".into() };
        let job = JobDetail {
            runs: vec![run],
            submit: 30,
            eligible: Some(150),
            start: Some(200),
            end: Some(900),
            ..JobDetail::default()
        };
        let told = points(&job);
        let steps =
            [Step::Submitted, Step::Started, Step::PutBack, Step::Eligible, Step::Started, Step::Ended];
        assert_eq!(told.iter().map(|p| p.0).collect::<Vec<_>>(), steps);
        assert!(told.is_sorted_by_key(|p| p.1), "{told:?}");
        assert_eq!((told[0].1, told[2].2), (10, "PREEMPTED"));
        let once = JobDetail { submit: 1, eligible: Some(1), ..JobDetail::default() };
        assert_eq!(points(&once), [(Step::Submitted, 1, "")]);
    }
}
