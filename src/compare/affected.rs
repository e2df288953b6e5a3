//! The jobs whose waits changed most, and why: slurmctld's explanation at the time when the job started under the other
//! policy.

use super::cell::{CellResult, ComparedJob};
use super::study::{ComparisonStudy, in_parallel};
use base::time::{Span, Time};
use protocol::why::Verdict;
use std::collections::BTreeMap;

/// Maximum number of listed jobs, of those that gained and of those that lost.
pub const NAMED: usize = 10;
/// Minimum change of a wait, in seconds, for a job to be listed.
const LEAST: f64 = 60.0;

/// Why a job did not start.
#[derive(Clone, Debug, PartialEq)]
pub enum WaitReason {
    /// slurmctld has no explanation.
    Unknown,
    /// At most this number of tasks of its array run at once.
    ArrayLimit(u64),
    /// slurmctld's explanation.
    Explained(Box<Verdict>),
}

/// A job that waited longer under one policy than under the other.
#[derive(Clone, Debug, PartialEq)]
pub struct AffectedJob {
    /// Index of the workload in the plan.
    pub workload: u32,
    /// Index of the policy that is compared with the baseline.
    pub policy: u32,
    /// Its index among the jobs.
    pub index: usize,
    /// Waits under the baseline and under the policy, in seconds.
    pub waits: (f64, f64),
    /// Its start under the policy with the shorter wait.
    pub sooner: Time,
    /// Why it did not start then under the other policy.
    pub why: WaitReason,
}

/// The most affected jobs of all workloads and policies, those that lost first.
pub(super) fn find(study: &ComparisonStudy, results: &[CellResult], threads: usize) -> Vec<AffectedJob> {
    let baseline = u32::try_from(study.plan().baseline()).unwrap_or(0);
    let recorded = |workload: u32, policy: u32| {
        let cell =
            |r: &&CellResult| r.cell.resample == 0 && r.cell.workload == workload && r.cell.policy == policy;
        results.iter().find(cell).map_or(&[][..], |r| &r.jobs)
    };
    let mut all = Vec::new();
    for result in results.iter().filter(|r| r.cell.resample == 0 && r.cell.policy != baseline) {
        let (workload, policy) = (result.cell.workload, result.cell.policy);
        all.extend(most_affected(recorded(workload, baseline), &result.jobs).into_iter().map(
            |(index, waits, sooner)| {
                let sooner = study.start() + sooner;
                AffectedJob { workload, policy, index, waits, sooner, why: WaitReason::Unknown }
            },
        ));
    }
    // One replay for each policy under which some job waited longer.
    let mut questions: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
    for (index, job) in all.iter().enumerate() {
        let lost = job.waits.1 > job.waits.0;
        questions.entry((job.workload, if lost { job.policy } else { baseline })).or_default().push(index);
    }
    let questions: Vec<((u32, u32), Vec<usize>)> = questions.into_iter().collect();
    let ask = |number: usize| {
        let ((workload, policy), indices) = &questions[number];
        let mut indices = indices.clone();
        indices.sort_by_key(|index| all[*index].sooner);
        let mut replay = study.recorded_replay(*workload, *policy);
        let mut answers = Vec::new();
        for index in indices {
            let job = &all[index];
            replay.run_until(job.sooner);
            let id = replay.outcomes().get(job.index).and_then(|outcome| outcome.job);
            let why = match id.and_then(|id| replay.array_limit(id)) {
                Some(limit) => WaitReason::ArrayLimit(limit as u64),
                None => {
                    let verdict = id.and_then(|id| replay.ctld().verdict(id, job.sooner));
                    verdict.map_or(WaitReason::Unknown, |verdict| WaitReason::Explained(Box::new(verdict)))
                }
            };
            answers.push((index, why));
        }
        answers
    };
    let answers = in_parallel(questions.len(), threads, &|_| (), &ask);
    for (index, why) in answers.into_iter().flatten() {
        all[index].why = why;
    }
    all
}

/// The jobs whose waits differ most: their index, both waits, and the earlier start.
fn most_affected(base: &[ComparedJob], own: &[ComparedJob]) -> Vec<(usize, (f64, f64), Span)> {
    let pairs = base.iter().zip(own).enumerate();
    let mut changed: Vec<(usize, (f64, f64), Span)> = pairs
        .filter_map(|(i, (base, own))| {
            let sooner = base.start?.min(own.start?);
            Some((i, (base.wait()?, own.wait()?), Span(sooner)))
        })
        .filter(|(_, waits, _)| (waits.1 - waits.0).abs() >= LEAST)
        .collect();
    changed.sort_by(|a, b| (b.1.1 - b.1.0).total_cmp(&(a.1.1 - a.1.0)).then(a.0.cmp(&b.0)));
    let lost = changed.iter().filter(|c| c.1.1 > c.1.0).take(NAMED).copied().collect::<Vec<_>>();
    let gained = changed.iter().rev().filter(|c| c.1.1 < c.1.0).take(NAMED).copied();
    lost.into_iter().chain(gained).collect()
}
