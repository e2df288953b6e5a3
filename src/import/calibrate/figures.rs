//! Figures of a calibration: waits of groups of jobs, the order of starts, utilisation over time.

use super::CalibratedJob;
use std::collections::BTreeMap;

/// Steps of the utilisation over time.
const STEPS: i64 = 24;
/// Points of a cumulative distribution.
const POINTS: usize = 21;

/// Waits of a group, in seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WaitFigures {
    /// Mean.
    pub mean: f64,
    /// The maximum wait of 25%, 50%, 75%, 90% and 99% of the jobs.
    pub quantiles: [i64; 5],
    /// The longest.
    pub longest: i64,
    /// The cumulative distribution: waits that 0%, 5%, ... 100% of the jobs do not exceed.
    pub ecdf: Vec<i64>,
}

impl WaitFigures {
    fn of(mut waits: Vec<i64>) -> Self {
        waits.sort_unstable();
        let Some(longest) = waits.last().copied() else { return Self::default() };
        let at = |share: f64| {
            let rank = (share * waits.len() as f64).ceil() as usize;
            waits[rank.clamp(1, waits.len()) - 1]
        };
        Self {
            mean: waits.iter().map(|w| *w as f64).sum::<f64>() / waits.len() as f64,
            quantiles: [0.25, 0.5, 0.75, 0.9, 0.99].map(at),
            longest,
            ecdf: (0..POINTS).map(|n| at(n as f64 / (POINTS - 1) as f64)).collect(),
        }
    }
}

/// A group of jobs, recorded and simulated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CalibrationRow {
    /// The partition, user, size or hour.
    pub name: String,
    /// Number of jobs that started in both.
    pub jobs: u64,
    /// What was recorded.
    pub recorded: WaitFigures,
    /// What was simulated.
    pub simulated: WaitFigures,
}

impl CalibrationRow {
    /// The difference between the simulated and the recorded mean wait, as a fraction of the latter.
    #[must_use]
    pub fn error(&self) -> f64 {
        let difference = (self.simulated.mean - self.recorded.mean).abs();
        if difference == 0.0 { 0.0 } else { difference / self.recorded.mean }
    }
}

/// The row of some jobs.
pub fn row<'j>(name: String, jobs: impl Iterator<Item = &'j CalibratedJob>) -> CalibrationRow {
    let both = jobs.filter_map(|job| Some((job.recorded_wait(), job.simulated_wait()?)));
    let (recorded, simulated): (Vec<i64>, Vec<i64>) = both.unzip();
    CalibrationRow {
        name,
        jobs: recorded.len() as u64,
        recorded: WaitFigures::of(recorded),
        simulated: WaitFigures::of(simulated),
    }
}

/// A row for each group, in the order of the names.
pub fn rows(jobs: &[CalibratedJob], name: impl Fn(&CalibratedJob) -> String) -> Vec<CalibrationRow> {
    let mut groups: BTreeMap<String, Vec<&CalibratedJob>> = BTreeMap::new();
    for job in jobs {
        groups.entry(name(job)).or_default().push(job);
    }
    groups.into_iter().map(|(name, jobs)| row(name, jobs.into_iter())).collect()
}

/// `1`, `2-7`, `8-31`, `32-127`, `128+` CPUs.
pub fn size_class(cpus: u64) -> String {
    match cpus {
        0 | 1 => "1",
        2..=7 => "2-7",
        8..=31 => "8-31",
        32..=127 => "32-127",
        128.. => "128+",
    }
    .to_owned()
}

/// The fraction of pairs of jobs that start in the same order in both. Pairs that start together in either do not
/// count. Costs O(n log n).
pub fn same_order(jobs: &[CalibratedJob]) -> Option<f64> {
    let mut starts: Vec<(i64, i64)> = jobs.iter().filter_map(|j| Some((j.recorded, j.simulated?))).collect();
    starts.sort_unstable();
    let pairs = |n: u64| n * n.saturating_sub(1) / 2;
    let ties = |keys: Vec<(i64, i64)>| {
        let runs = keys.chunk_by(|a, b| a == b);
        runs.map(|run| pairs(run.len() as u64)).sum::<u64>()
    };
    let of_recorded = ties(starts.iter().map(|s| (s.0, 0)).collect());
    let of_both = ties(starts.clone());
    let mut simulated: Vec<i64> = starts.iter().map(|s| s.1).collect();
    let reversed = inversions(&mut simulated);
    let of_simulated = ties(simulated.iter().map(|s| (*s, 0)).collect());
    let counted = pairs(starts.len() as u64) + of_both - of_recorded - of_simulated;
    (counted > 0).then(|| (counted - reversed.min(counted)) as f64 / counted as f64)
}

/// Sorts, and counts the inversions.
fn inversions(values: &mut Vec<i64>) -> u64 {
    if values.len() < 2 {
        return 0;
    }
    let mut right = values.split_off(values.len() / 2);
    let mut count = inversions(values) + inversions(&mut right);
    let left = std::mem::take(values);
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        if right[j] < left[i] {
            count += (left.len() - i) as u64;
            values.push(right[j]);
            j += 1;
        } else {
            values.push(left[i]);
            i += 1;
        }
    }
    values.extend_from_slice(&left[i..]);
    values.extend_from_slice(&right[j..]);
    count
}

/// The share of the machine's CPUs in use during a step of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UtilisationStep {
    /// The step's beginning, in seconds since 1970.
    pub from: i64,
    /// Recorded share.
    pub recorded: f64,
    /// Simulated share.
    pub simulated: f64,
}

/// Runs: start, end, CPUs.
#[derive(Default)]
pub struct Utilisation {
    pub recorded: Vec<(i64, i64, u64)>,
    pub simulated: Vec<(i64, i64, u64)>,
}

impl Utilisation {
    /// The utilisation over the recorded time.
    pub fn over_time(&self, capacity: u64) -> Vec<UtilisationStep> {
        let ended = |run: &&(i64, i64, u64)| run.1 < i64::MAX;
        let from = self.recorded.iter().map(|run| run.0).min();
        let to = self.recorded.iter().filter(ended).map(|run| run.1).max();
        let (Some(from), Some(to)) = (from, to) else { return Vec::new() };
        let width = ((to - from) / STEPS).max(1);
        let count = ((to - from + width - 1) / width).max(1);
        let shares = |runs: &[(i64, i64, u64)]| {
            let mut used = vec![0.0; count as usize];
            for (start, end, cpus) in runs {
                let (start, end) = ((*start).max(from), (*end).min(to));
                let first = (start - from) / width;
                for step in first..=((end - from) / width).min(count - 1) {
                    let (a, b) = (from + step * width, from + (step + 1) * width);
                    let overlap = end.min(b) - start.max(a);
                    if overlap > 0
                        && let Some(sum) = used.get_mut(step as usize)
                    {
                        *sum += overlap as f64 * *cpus as f64;
                    }
                }
            }
            used
        };
        let (recorded, simulated) = (shares(&self.recorded), shares(&self.simulated));
        let whole = width as f64 * capacity.max(1) as f64;
        let step = |n: i64| UtilisationStep {
            from: from + n * width,
            recorded: recorded[n as usize] / whole,
            simulated: simulated[n as usize] / whole,
        };
        (0..count).map(step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_and_order() {
        let figures = WaitFigures::of((1..=100).collect());
        assert_eq!((figures.mean, figures.quantiles), (50.5, [25, 50, 75, 90, 99]));
        assert_eq!((figures.ecdf[0], figures.ecdf[10], figures.ecdf[20]), (1, 50, 100));
        assert_eq!(inversions(&mut vec![3, 1, 2]), 2);
        assert_eq!(inversions(&mut (0..50).rev().collect()), 1225);
    }

    #[test]
    fn utilisation() {
        let runs = Utilisation { recorded: vec![(0, 240, 4)], simulated: vec![(120, 360, 4)] };
        let steps = runs.over_time(8);
        assert_eq!(steps.len(), 24);
        assert!(steps.iter().all(|s| s.recorded == 0.5));
        assert_eq!((steps[11].simulated, steps[12].simulated), (0.0, 0.5));
    }
}
