//! Resamples of a trace: which of its jobs are submitted when.
//!
//! Users are drawn with replacement, each user's jobs are shifted by whole weeks modulo the length of the trace, and
//! each submission is jittered by minutes. Daily and weekly cycles and the order of a user's jobs are preserved. A user
//! who is drawn twice has twice the jobs under one name, and therefore one fair share and one set of limits. See D.
//! Feitelson, "Resampling with Feedback" (2016), and D. Tsafrir and D. Feitelson, "Instability in parallel job
//! scheduling simulation" (2006).

use super::feedback::ThinkTimes;
use super::plan::Resampling;
use super::statistics::SplitMix;
use base::ids::Uid;
use base::time::Span;
use engine::session::replay::{Arrival, TraceJob};
use std::collections::BTreeMap;

const WEEK: i64 = 7 * 86_400 * base::time::SECOND;
const MINUTE: i64 = 60 * base::time::SECOND;

/// The submissions of a resample, in order. Number 0 is the trace as recorded. `stream` distinguishes policies that do
/// not share their resamples; `thinking` has an entry for each job if users wait for results.
#[must_use]
pub fn arrivals(
    trace: &[TraceJob],
    thinking: Option<&ThinkTimes>,
    how: &Resampling,
    number: u32,
    stream: &str,
) -> Vec<Arrival> {
    let index_of = |i: usize| u32::try_from(i).unwrap_or(u32::MAX);
    let mut all = match number {
        0 => (0..trace.len())
            .map(|i| (Arrival { job: index_of(i), at: trace[i].submit, after: None }, 0))
            .collect(),
        _ => {
            drawn(trace, thinking, how, &mut SplitMix::new(how.seed, &format!("resample {number} {stream}")))
        }
    };
    all.sort_by_key(|(arrival, draw)| (arrival.at, arrival.job, *draw));
    if let Some(thinking) = thinking {
        let indices: BTreeMap<(u32, u32), usize> =
            all.iter().enumerate().map(|(i, (arrival, draw))| ((*draw, arrival.job), i)).collect();
        for (i, (arrival, draw)) in all.iter_mut().enumerate() {
            let follows = thinking.get(arrival.job as usize).copied().flatten();
            let earlier = follows.and_then(|(job, think)| Some((*indices.get(&(*draw, job))?, think)));
            // A shift past the end of the trace splits sessions.
            arrival.after = earlier
                .filter(|(earlier, _)| *earlier < i)
                .map(|(earlier, think)| (index_of(earlier), think));
        }
    }
    all.into_iter().map(|(arrival, _)| arrival).collect()
}

/// Draws users, shifts them by weeks and jitters their submissions. Each arrival is returned with the index of its
/// draw.
fn drawn(
    trace: &[TraceJob],
    thinking: Option<&ThinkTimes>,
    how: &Resampling,
    random: &mut SplitMix,
) -> Vec<(Arrival, u32)> {
    let mut by_user: BTreeMap<Uid, Vec<u32>> = BTreeMap::new();
    for (work, index) in trace.iter().zip(0..) {
        by_user.entry(work.desc.uid).or_default().push(index);
    }
    let users: Vec<&Vec<u32>> = by_user.values().collect();
    let last = trace.iter().map(|work| work.submit.0).max().unwrap_or(0);
    let weeks = last / WEEK + 1;
    let mut all = Vec::with_capacity(trace.len());
    for (own, draw) in (0..users.len()).zip(0..) {
        let user = if how.users { random.below(users.len() as u64) as usize } else { own };
        // Tasks of an array with a limit stay together, or each would be an array of its own.
        let mut arrays: BTreeMap<(u32, Span), Span> = BTreeMap::new();
        let shift = if how.weeks { random.below(weeks.unsigned_abs()) as i64 * WEEK } else { 0 };
        for job in users[user] {
            let at = (trace[*job as usize].submit.0 + shift) % (weeks * WEEK);
            let follows = thinking.is_some_and(|times| times.get(*job as usize).copied().flatten().is_some());
            let jitter = if follows { 0 } else { i64::from(how.jitter) * MINUTE };
            let shaken = at - jitter + random.below(2 * jitter.unsigned_abs() + 1) as i64;
            let at = match trace[*job as usize].throttled {
                Some(task) => *arrays.entry((task.array, Span(at))).or_insert(Span(shaken.max(0))),
                None => Span(shaken.max(0)),
            };
            all.push((Arrival { job: *job, at, after: None }, draw));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::session::replay::ThrottledTask;
    use slurmctld::job::JobDesc;

    fn trace() -> Vec<TraceJob> {
        let work = |i: i64| TraceJob {
            line: 1,
            submit: Span(i * WEEK / 10),
            runtime: Span(0),
            desc: Box::new(JobDesc { uid: Uid((i % 7) as u32), ..JobDesc::default() }),
            begin: None,
            deadline: None,
            recorded: None,
            throttled: None,
        };
        (0..70).map(work).collect()
    }

    #[test]
    fn tasks_of_an_array_with_a_limit_stay_together() {
        let mut trace = trace();
        for i in [7, 14, 21] {
            trace[i].submit = trace[7].submit;
            trace[i].throttled = Some(ThrottledTask { array: 3, limit: 2 });
        }
        let how = Resampling { users: false, ..Resampling::default() };
        assert!(how.jitter > 0);
        let all = arrivals(&trace, None, &how, 1, "");
        let at = |job: u32| all.iter().find(|a| a.job == job).map(|a| a.at);
        assert!(at(7).is_some() && at(7) == at(14) && at(7) == at(21), "{all:?}");
        assert_ne!(at(7), at(28));
    }

    #[test]
    fn cycles_are_kept() {
        let trace = trace();
        let how = Resampling { users: false, jitter: 0, ..Resampling::default() };
        let all = arrivals(&trace, None, &how, 1, "");
        assert_eq!(all.len(), 70);
        for arrival in &all {
            assert_eq!((arrival.at.0 - trace[arrival.job as usize].submit.0) % WEEK, 0);
        }
        let moved = all.iter().filter(|a| a.at != trace[a.job as usize].submit).count();
        assert!((30..=70).contains(&moved), "{moved}");
        assert!(all.is_sorted_by_key(|a| a.at));
        let shaken = arrivals(&trace, None, &Resampling { weeks: false, jitter: 3, ..how }, 1, "");
        let off = |a: &Arrival| (a.at.0 - trace[a.job as usize].submit.0).abs();
        assert!(shaken.iter().all(|a| off(a) <= 3 * MINUTE) && shaken.iter().any(|a| off(a) > MINUTE));
    }

    #[test]
    fn users_are_drawn_whole_and_seeds_decide() {
        let (trace, how) = (trace(), Resampling::default());
        let [first, again, second] = [1, 1, 2].map(|number| arrivals(&trace, None, &how, number, ""));
        assert!(first == again && first != second && first != arrivals(&trace, None, &how, 1, "other"));
        let mut counts = BTreeMap::new();
        first.iter().for_each(|a| *counts.entry(trace[a.job as usize].desc.uid).or_insert(0) += 1);
        assert!(counts.values().all(|n| n % 10 == 0) && counts.len() < 7, "{counts:?}");
        assert_eq!(first.len(), 70);
        let recorded = arrivals(&trace, None, &how, 0, "");
        assert!((0..).zip(&recorded).all(|(i, a)| a.job == i && a.at == trace[i as usize].submit));
    }

    #[test]
    fn sessions_are_kept() {
        let (trace, how) = (trace(), Resampling::default());
        // Each job after the first seven follows the user's previous one.
        let thinking: ThinkTimes = (0..70_u32).map(|i| i.checked_sub(7).map(|job| (job, Span(5)))).collect();
        for number in 0..3 {
            let all = arrivals(&trace, Some(&thinking), &how, number, "");
            let mut followers = 0;
            for arrival in &all {
                let Some((earlier, think)) = arrival.after else { continue };
                let before = all[earlier as usize];
                assert_eq!((before.job + 7, think, arrival.at >= before.at), (arrival.job, Span(5), true));
                followers += 1;
            }
            // Seven first jobs, and at most one split per user.
            assert!((56..=63).contains(&followers), "{followers}");
        }
    }
}
