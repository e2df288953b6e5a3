//! The events of a job's life, in order.

use protocol::{JobDetail, Micros};

/// Type of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LifeEvent {
    /// First submission.
    Submitted,
    /// It became eligible after waiting for that.
    Eligible,
    /// Start or expected start.
    Started,
    /// Requeue.
    PutBack,
    /// End or latest end.
    Ended,
}

/// The events with their times and Slurm states. After a requeue Slurm reports the requeue time as submission time, so
/// the first run's submission time is used instead.
#[must_use]
pub fn points(job: &JobDetail) -> Vec<(LifeEvent, Micros, &str)> {
    let submit = job.runs.first().map_or(job.submit, |run| run.submit);
    let eligible = job.eligible.filter(|at| *at != job.submit).map(|at| (LifeEvent::Eligible, at, ""));
    let runs = job.runs.iter().flat_map(|run| {
        let back = run.end.map(|at| (LifeEvent::PutBack, at, run.state.as_str()));
        [Some((LifeEvent::Started, run.start, "")), back]
    });
    let last = [
        eligible,
        job.start.map(|at| (LifeEvent::Started, at, "")),
        job.end.map(|at| (LifeEvent::Ended, at, "")),
    ];
    [Some((LifeEvent::Submitted, submit, ""))].into_iter().chain(runs).chain(last).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::JobRun;

    #[test]
    fn a_requeued_job_has_one_life() {
        let run =
            JobRun { submit: 10, start: 20, end: Some(30), state: "PREEMPTED".into(), nodes: "n1".into() };
        let job = JobDetail {
            runs: vec![run],
            submit: 30,
            eligible: Some(150),
            start: Some(200),
            end: Some(900),
            ..JobDetail::default()
        };
        let told = points(&job);
        let steps = [
            LifeEvent::Submitted,
            LifeEvent::Started,
            LifeEvent::PutBack,
            LifeEvent::Eligible,
            LifeEvent::Started,
            LifeEvent::Ended,
        ];
        assert_eq!(told.iter().map(|p| p.0).collect::<Vec<_>>(), steps);
        assert!(told.is_sorted_by_key(|p| p.1), "{told:?}");
        assert_eq!((told[0].1, told[2].2), (10, "PREEMPTED"));
        let once = JobDetail { submit: 1, eligible: Some(1), ..JobDetail::default() };
        assert_eq!(points(&once), [(LifeEvent::Submitted, 1, "")]);
    }
}
