//! One cell of a plan: a replay of a resample under a policy, and its measurements.

use super::fairness::{DemandOfJob, balance};
use super::measure::{GroupKind, JobCounts, JobGroup, MeasuredValue, Metric, SIZES, SLOWDOWN_BOUND};
use super::statistics::{mean, quantile};
use base::ids::Uid;
use base::time::Time;
use engine::session::replay::Replay;
use engine::session::replay::report::Outcome;
use serde::{Deserialize, Serialize};
use slurmctld::Slurmctld;
use slurmctld::job::JobState;
use std::collections::BTreeMap;

/// Maximum number of measured groups of a kind: those with most jobs.
pub const MAX_GROUPS: usize = 50;

/// The parts of a cell's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CellId {
    /// Index of the workload in the plan.
    pub workload: u32,
    /// Number of the resample; 0 is the workload as recorded.
    pub resample: u32,
    /// Index of the policy in the plan.
    pub policy: u32,
}

/// The result of a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellResult {
    /// The cell.
    pub cell: CellId,
    /// The measured values, sorted by group and metric.
    pub values: Vec<MeasuredValue>,
    /// Jobs that started, by group.
    pub groups: Vec<(JobGroup, u64)>,
    /// Counts of jobs by outcome.
    pub counts: JobCounts,
    /// The cluster's CPUs.
    pub cpus: u64,
    /// The user whose `WorstUser` was measured.
    pub worst_user: String,
    /// The jobs, for the workload as recorded only.
    pub jobs: Vec<ComparedJob>,
}

/// The data about a job that the report needs. Times are in microseconds since the replay's beginning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct ComparedJob {
    pub line: u64,
    pub job: u32,
    pub uid: u32,
    pub submit: i64,
    pub start: Option<i64>,
    pub end: Option<i64>,
    pub cpus: u64,
    pub nodes: u64,
}

impl ComparedJob {
    /// The wait in seconds.
    #[must_use]
    pub fn wait(&self) -> Option<f64> {
        self.start.map(|start| (start - self.submit) as f64 / base::time::SECOND as f64)
    }
}

/// Events between two checks whether the replay continues.
const SLICE: u64 = 1_000_000;

/// Runs a cell: a replay that has not begun, of this number of submissions.
#[must_use]
pub fn run(cell: CellId, mut replay: Replay, submissions: usize, start: Time) -> CellResult {
    while replay.run(SLICE) {}
    let mut result = measure(cell, &replay, start);
    if cell.resample == 0 {
        let outcomes = &replay.outcomes()[..submissions];
        result.jobs = outcomes.iter().map(|outcome| compared(outcome, start)).collect();
    }
    result
}

fn compared(outcome: &Outcome, start: Time) -> ComparedJob {
    let since = |t: Time| (t - start).0;
    ComparedJob {
        line: outcome.line as u64,
        job: outcome.job.map_or(0, |job| job.0),
        uid: outcome.uid.0,
        submit: since(outcome.submit),
        start: outcome.first_start.map(since),
        end: outcome.start.and(outcome.end).map(since),
        cpus: outcome.cpus,
        nodes: outcome.nodes,
    }
}

/// Waits and slowdowns of a group's jobs.
#[derive(Default)]
struct GroupSamples {
    waits: Vec<f64>,
    slowdowns: Vec<f64>,
    ended: u64,
}

fn measure(cell: CellId, replay: &Replay, start: Time) -> CellResult {
    let ctld = replay.ctld();
    let mut groups: BTreeMap<JobGroup, GroupSamples> = BTreeMap::new();
    let mut counts = JobCounts::default();
    let (mut used, mut lost) = (0, 0);
    let (mut first, mut last) = (i64::MAX, 0);
    for outcome in replay.outcomes() {
        first = first.min((outcome.submit - start).secs());
        count(outcome, &mut counts);
        lost += outcome.lost;
        let (Some(wait), Some(_)) = (outcome.wait(), outcome.start) else { continue };
        let run = outcome.start.zip(outcome.end).map(|(start, end)| (end - start).secs().max(0) as f64);
        used += outcome.cpu_seconds() + outcome.repeated;
        last = last.max(outcome.end.map_or(0, |end| (end - start).secs()));
        let wait = wait.0 as f64 / base::time::SECOND as f64;
        for group in groups_of(ctld, outcome) {
            let samples = groups.entry(group).or_default();
            samples.waits.push(wait);
            if let Some(run) = run {
                samples.slowdowns.push(((wait + run) / run.max(SLOWDOWN_BOUND)).max(1.0));
                samples.ended += 1;
            }
        }
    }
    let cpus: u64 = ctld.nodes.iter().map(|n| u64::from(n.cpus())).sum();
    let makespan = (last - first.min(last)).max(0) as f64;
    let days = (makespan / 86_400.0).max(1.0 / 86_400.0);
    let kept = largest(&groups);
    let mut values = Vec::new();
    for (group, mut samples) in groups {
        if !kept.iter().any(|(other, _)| *other == group) {
            continue;
        }
        let mut add = |metric, value| values.push(MeasuredValue { group: group.clone(), metric, value });
        add(Metric::MeanWait, mean(&samples.waits));
        add(Metric::MedianWait, quantile(&mut samples.waits, 0.5));
        add(Metric::P90Wait, quantile(&mut samples.waits, 0.9));
        add(Metric::Slowdown, mean(&samples.slowdowns));
        add(Metric::Throughput, samples.ended as f64 / days);
    }
    let all = JobGroup { kind: GroupKind::All, name: String::new() };
    let mut add = |metric, value| values.push(MeasuredValue { group: all.clone(), metric, value });
    let whole = cpus as f64 * makespan;
    add(Metric::Utilisation, if whole > 0.0 { 100.0 * (used + lost) as f64 / whole } else { 0.0 });
    add(Metric::Makespan, makespan);
    let (missed, worst) = fairness(replay, start);
    add(Metric::MissedShare, 100.0 * missed);
    let (worst_user, part) = worst.unwrap_or_default();
    if !worst_user.is_empty() {
        add(Metric::WorstUser, 100.0 * part);
    }
    add(Metric::PreemptedWork, lost as f64 / 3600.0);
    add(Metric::NodeHours, replay.powered_node_seconds() as f64 / 3600.0);
    values.sort_by(|a, b| (&a.group, a.metric).cmp(&(&b.group, b.metric)));
    CellResult { cell, values, groups: kept, counts, cpus, worst_user, jobs: Vec::new() }
}

fn count(outcome: &Outcome, counts: &mut JobCounts) {
    counts.jobs += 1;
    counts.refused += u64::from(outcome.refused.is_some());
    counts.started += u64::from(outcome.start.is_some());
    counts.never_started += u64::from(outcome.refused.is_none() && outcome.start.is_none());
    match outcome.state {
        Some(JobState::Timeout) => counts.timed_out += 1,
        Some(JobState::Complete) | None => {}
        Some(_) => counts.failed += 1,
    }
}

/// The groups of a job that started.
fn groups_of(ctld: &Slurmctld, outcome: &Outcome) -> Vec<JobGroup> {
    let group = |kind, name: &str| JobGroup { kind, name: name.to_owned() };
    let partition = outcome.placed.and_then(|p| ctld.partitions.get(p.0 as usize)).map(|p| p.name.as_str());
    let qos = outcome.qos.and_then(|q| ctld.dbd.qos_by_id(q)).map(|q| q.name.as_str());
    let account = outcome.account.as_deref().filter(|name| !name.is_empty());
    let size = SIZES.iter().find(|(most, _)| outcome.cpus <= *most).map(|size| size.1);
    let named = [
        (GroupKind::Partition, partition),
        (GroupKind::Account, account),
        (GroupKind::Qos, qos),
        (GroupKind::Size, size),
    ];
    let mut all = vec![group(GroupKind::All, "")];
    all.extend(named.into_iter().filter_map(|(kind, name)| Some(group(kind, name?))));
    all
}

/// The largest groups of each kind with their numbers of jobs, in order.
fn largest(groups: &BTreeMap<JobGroup, GroupSamples>) -> Vec<(JobGroup, u64)> {
    let mut by_size: Vec<(&JobGroup, u64)> =
        groups.iter().map(|(group, samples)| (group, samples.waits.len() as u64)).collect();
    by_size.sort_by(|a, b| (b.1, a.0).cmp(&(a.1, b.0)));
    let mut of_kind: BTreeMap<GroupKind, usize> = BTreeMap::new();
    by_size.retain(|(group, _)| {
        let number = of_kind.entry(group.kind).or_default();
        *number += 1;
        *number <= MAX_GROUPS
    });
    let mut kept: Vec<(JobGroup, u64)> = by_size.into_iter().map(|(group, n)| (group.clone(), n)).collect();
    kept.sort();
    kept
}

/// The missed share, and the worst-off user with the fraction that was received in time.
fn fairness(replay: &Replay, start: Time) -> (f64, Option<(String, f64)>) {
    let ctld = replay.ctld();
    let mut parties: BTreeMap<Uid, u32> = BTreeMap::new();
    let mut demands = Vec::new();
    for outcome in replay.outcomes() {
        let (Some(from), Some(to)) = (outcome.start, outcome.end) else { continue };
        let next = u32::try_from(parties.len()).unwrap_or(u32::MAX);
        let party = *parties.entry(outcome.uid).or_insert(next);
        let since = |t: Time| (t - start).secs();
        let (submit, start, end) = (since(outcome.eligible), since(from), since(to));
        demands.push(DemandOfJob { party, submit, start, end, cpus: outcome.cpus });
    }
    let mut users: Vec<(Uid, u32)> = parties.into_iter().collect();
    users.sort_by_key(|user| user.1);
    let even = 1.0 / users.len().max(1) as f64;
    let owed = shares_by_user(ctld);
    let shares: Vec<f64> =
        users.iter().map(|(uid, _)| owed.get(&ctld.user_name(*uid)).copied().unwrap_or(even)).collect();
    let found = balance(&demands, &shares);
    let worst = found.worst().and_then(|(party, part)| Some((ctld.user_name(users.get(party)?.0), part)));
    (found.missed(), worst)
}

/// The fraction of the cluster that each user with an association is owed.
fn shares_by_user(ctld: &Slurmctld) -> BTreeMap<String, f64> {
    let mut siblings: BTreeMap<u32, u64> = BTreeMap::new();
    let weight = |assoc: &slurmdbd::Assoc| u64::from(assoc.shares.unwrap_or(1));
    for assoc in ctld.dbd.live() {
        *siblings.entry(assoc.parent.map_or(0, |p| p.0)).or_default() += weight(assoc);
    }
    let mut owed: BTreeMap<String, f64> = BTreeMap::new();
    for assoc in ctld.dbd.live() {
        let Some(user) = &assoc.user else { continue };
        let part = ctld.dbd.chain(assoc.id).filter(|a| a.parent.is_some()).map(|a| {
            let level = siblings.get(&a.parent.map_or(0, |p| p.0)).copied().unwrap_or(1);
            weight(a) as f64 / level.max(1) as f64
        });
        *owed.entry(user.clone()).or_default() += part.product::<f64>();
    }
    owed
}
