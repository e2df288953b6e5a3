//! User feedback: users who wait for a result before they submit more jobs.
//!
//! A job that was submitted within [`SESSION`] after the end of an earlier job of the same user belongs to the same session and
//! follows that end, with the same think time. See D. Feitelson, "Resampling with Feedback" (2016), and E. Shmueli and D.
//! Feitelson, "Using site-level modeling to evaluate the performance of parallel system schedulers" (2006).

use base::ids::Uid;
use base::time::Span;
use engine::session::replay::TraceJob;
use std::collections::BTreeMap;

/// Longest think time within a session.
pub const SESSION: Span = Span::from_mins(20);

/// For each job of a trace, the job whose end it follows, and the think time.
pub type ThinkTimes = Vec<Option<(u32, Span)>>;

/// When each job ended on the real cluster, if the trace says. Only the Standard Workload Format needs its text again.
#[must_use]
pub fn recorded_ends(trace: &[TraceJob], swf: Option<&str>) -> Vec<Option<Span>> {
    let waits: BTreeMap<usize, i64> = swf
        .into_iter()
        .flat_map(|text| text.lines().zip(1..))
        .filter_map(|(line, number)| {
            let wait: i64 = line.split_ascii_whitespace().nth(2)?.parse().ok()?;
            (wait >= 0).then_some((number, wait))
        })
        .collect();
    let end = |work: &TraceJob| {
        let recorded = work.recorded.as_ref().and_then(|r| r.end.or(r.runs.last().and_then(|run| run.end)));
        let computed = || Some(work.submit + Span::from_secs(*waits.get(&work.line)?) + work.runtime);
        recorded.or_else(computed)
    };
    trace.iter().map(end).collect()
}

/// The think times of a trace whose jobs are in the order of submission.
#[must_use]
pub fn think_times(trace: &[TraceJob], ends: &[Option<Span>]) -> ThinkTimes {
    let mut by_user: BTreeMap<Uid, BTreeMap<(Span, u32), ()>> = BTreeMap::new();
    let mut times = Vec::with_capacity(trace.len());
    for ((work, end), index) in trace.iter().zip(ends).zip(0u32..) {
        let own = by_user.entry(work.desc.uid).or_default();
        let last = own.range(..=(work.submit, u32::MAX)).next_back().map(|((end, job), ())| (*end, *job));
        let follows = last.filter(|(end, _)| work.submit.0 - end.0 <= SESSION.0);
        times.push(follows.map(|(end, job)| (job, Span(work.submit.0 - end.0))));
        if let Some(end) = end {
            own.insert((*end, index), ());
        }
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;
    use slurmctld::job::JobDesc;

    #[test]
    fn sessions() {
        let work = |line: usize, uid: u32, submit: i64, runtime: i64| TraceJob {
            line,
            submit: Span::from_secs(submit),
            runtime: Span::from_secs(runtime),
            desc: Box::new(JobDesc { uid: Uid(uid), ..JobDesc::default() }),
            begin: None,
            deadline: None,
            recorded: None,
            throttled: None,
        };
        let trace = [
            work(1, 7, 0, 100),
            work(2, 7, 10, 300),
            work(3, 8, 200, 5),
            work(4, 7, 450, 60),
            work(5, 7, 9000, 1),
        ];
        // Waits: 0, 50, 0, 0 and 0 seconds, so the second job ends at 360.
        let swf = "1 0 0\n2 10 50\n3 200 0\n4 450 0\n5 9000 0\n";
        let ends = recorded_ends(&trace, Some(swf));
        assert_eq!(ends[1], Some(Span::from_secs(360)));
        assert_eq!(think_times(&trace, &ends), [None, None, None, Some((1, Span::from_secs(90))), None]);
        assert!(recorded_ends(&trace, None).iter().all(Option::is_none));
    }
}
