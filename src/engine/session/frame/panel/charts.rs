//! The cluster over time. Computed on request from slurmdbd's records, so that it is the same after a reload,
//! on a fork, and at any past moment. Only the newest records are read, so that it takes a few milliseconds.

use crate::session::frame::{People, queue};
use crate::world::World;
use base::order::StableSort as _;
use base::time::{Span, Time};
use protocol::{ChartsPicture, ChartsWindow, ClusterLoad, UseRow, WaitRow};
use slurmdbd::JobRecord;

/// Number of intervals of a chart.
const SPANS: usize = 96;
/// Maximum number of records read.
const MAX_RECORDS: usize = 20_000;
/// Maximum number of rows of a table.
const MAX_ROWS: usize = 12;

/// The window, or the time since slurmctld started if it names no length.
pub fn picture(world: &World, window: ChartsWindow, people: &People) -> ChartsPicture {
    let ctld = &world.ctld;
    let now = world.now;
    let until = window.until.map_or(now, |until| Time(until).min(now));
    let since = match window.seconds {
        0 => ctld.boot.min(until - Span::from_mins(10)),
        seconds => until - Span::from_secs(i64::from(seconds)),
    };
    let axis = Axis { from: since.0, step: ((until - since).0 / SPANS as i64).max(1) };
    let mut sums = ChartSums::default();
    let [mut cpus, mut memory, mut gpus, mut running, mut waiting] = [(); 5].map(|()| Series::new());
    let (mut starts, mut ends) = (vec![0_u32; SPANS], vec![0_u32; SPANS]);
    for record in ctld.dbd.jobs.values().rev().take(MAX_RECORDS) {
        if record.end.is_some_and(|end| end < since) || record.submit > until {
            continue;
        }
        let start = record.start.filter(|s| *s <= now);
        let waits = (record.eligible.max(record.submit), start.or(record.end).unwrap_or(now));
        waiting.add(axis, waits, f64::from(many(world, record)));
        let Some(start) = start.filter(|s| *s <= until) else { continue };
        let ran = (start, record.end.unwrap_or(now));
        cpus.add(axis, ran, f64::from(record.cpus));
        memory.add(axis, ran, record.alloc_tres.mem as f64);
        gpus.add(axis, ran, gpu(record));
        running.add(axis, ran, 1.0);
        count(&mut starts, axis, start);
        if let Some(end) = record.end {
            count(&mut ends, axis, end);
        }
        sums.add(record, (since.max(start), ran.1.min(until)), start >= since, world, people);
    }
    ChartsPicture {
        from: axis.from,
        step: axis.step,
        until: until.0,
        cpus: cpus.means(axis),
        memory: memory.means(axis),
        gpus: gpus.means(axis),
        totals: totals(world),
        running: running.means(axis),
        waiting: waiting.means(axis),
        starts,
        ends,
        waits: sums.waits(),
        users: most(sums.users),
        accounts: most(sums.accounts),
        cut: ctld.dbd.jobs.len() > MAX_RECORDS as u64,
    }
}

/// Longest time of [`load`].
const DAY: Span = Span::from_secs(86_400);

/// The load since a moment; by default over the last day, or since slurmctld started.
pub fn load(world: &World, since: Option<Time>) -> ClusterLoad {
    let now = world.now;
    let since = since.unwrap_or_else(|| world.ctld.boot.max(now - DAY).min(now - Span::from_mins(10)));
    let axis = Axis { from: since.0, step: ((now - since).0 / SPANS as i64).max(1) };
    let [mut cpus, mut gpus, mut pending] = [(); 3].map(|()| Series::new());
    for record in world.ctld.dbd.jobs.values().rev().take(MAX_RECORDS) {
        if record.end.is_some_and(|end| end < since) {
            continue;
        }
        let start = record.start.filter(|s| *s <= now);
        let waits = (record.eligible.max(record.submit), start.or(record.end).unwrap_or(now));
        pending.add(axis, waits, f64::from(many(world, record)));
        if let Some(start) = start {
            let ran = (start, record.end.unwrap_or(now));
            cpus.add(axis, ran, f64::from(record.cpus));
            gpus.add(axis, ran, gpu(record));
        }
    }
    let [all_cpus, _, all_gpus] = totals(world);
    let thousandths = |used: Series, all: f64| {
        let share = |n: f64| if all > 0.0 { (n / all).clamp(0.0, 1.0) * 1000.0 } else { 0.0 };
        used.means(axis).into_iter().map(|n| share(n).round() as u16).collect()
    };
    ClusterLoad {
        from: since.0,
        until: now.0,
        cpus: thousandths(cpus, all_cpus),
        gpus: thousandths(gpus, all_gpus),
        pending: pending.means(axis).into_iter().map(|n| n.round() as u32).collect(),
    }
}

/// The number of jobs in a record: for a pending array, all tasks without a record of their own.
fn many(world: &World, record: &JobRecord) -> u32 {
    match record.array {
        Some((_, None)) => world.ctld.job(record.job).map_or(1, queue::tasks),
        Some((_, Some(_))) | None => 1,
    }
}

fn gpu(record: &JobRecord) -> f64 {
    record.alloc_tres.gres.get("gpu").map_or(0.0, |n| *n as f64)
}

fn totals(world: &World) -> [f64; 3] {
    let nodes = &world.ctld.nodes;
    let gpus =
        nodes.iter().flat_map(|n| &n.conf.gres).filter(|g| g.name == "gpu").map(|g| u64::from(g.count));
    let cpus = nodes.iter().map(|n| u64::from(n.cpus())).sum::<u64>();
    [cpus as f64, nodes.iter().map(|n| n.conf.real_memory).sum::<u64>() as f64, gpus.sum::<u64>() as f64]
}

/// Start and length of the intervals, in microseconds.
#[derive(Clone, Copy)]
struct Axis {
    from: i64,
    step: i64,
}

impl Axis {
    /// The interval of a moment, if it is in the chart.
    fn span(self, at: Time) -> Option<usize> {
        let i = usize::try_from((at.0 - self.from).div_euclid(self.step)).ok()?;
        // The last moment belongs to the last interval.
        (i <= SPANS).then(|| i.min(SPANS - 1))
    }
}

fn count(counts: &mut [u32], axis: Axis, at: Time) {
    if let Some(n) = axis.span(at).and_then(|i| counts.get_mut(i)) {
        *n += 1;
    }
}

/// Amounts times microseconds. Each job is added in constant time: the intervals of its ends directly, those
/// between as a step up and a step down.
struct Series {
    parts: Vec<f64>,
    steps: Vec<f64>,
}

impl Series {
    fn new() -> Self {
        Self { parts: vec![0.0; SPANS], steps: vec![0.0; SPANS + 1] }
    }

    fn add(&mut self, axis: Axis, (from, to): (Time, Time), amount: f64) {
        let last = axis.from + axis.step * SPANS as i64;
        let (from, to) = (from.0.max(axis.from), to.0.min(last));
        if from >= to || amount <= 0.0 {
            return;
        }
        let span_of = |at: i64| usize::try_from((at - axis.from) / axis.step).unwrap_or(0).min(SPANS - 1);
        let (a, b) = (span_of(from), span_of(to - 1));
        if a == b {
            self.parts[a] += amount * (to - from) as f64;
            return;
        }
        let begin = |i: usize| axis.from + axis.step * i as i64;
        self.parts[a] += amount * (begin(a + 1) - from) as f64;
        self.parts[b] += amount * (to - begin(b)) as f64;
        self.steps[a + 1] += amount;
        self.steps[b] -= amount;
    }

    fn means(self, axis: Axis) -> Vec<f64> {
        let mut level = 0.0;
        let mean = |(part, step): (f64, f64)| {
            level += step;
            part / axis.step as f64 + level
        };
        self.parts.into_iter().zip(self.steps).map(mean).collect()
    }
}

/// Sums over the whole chart.
#[derive(Default)]
struct ChartSums {
    users: Vec<UseRow>,
    accounts: Vec<UseRow>,
    /// Waits in seconds, by partition.
    partitions: Vec<(String, Vec<i64>)>,
}

impl ChartSums {
    fn add(
        &mut self,
        record: &JobRecord,
        (from, to): (Time, Time),
        started: bool,
        world: &World,
        people: &People,
    ) {
        let seconds = (to - from).secs().max(0) as f64;
        let used = (seconds * f64::from(record.cpus), seconds * gpu(record));
        let user = &record.user;
        let uid = || world.kernel.users.by_name(user).map(|u| queue::index(people, u.uid));
        add_use(&mut self.users, user, used, uid);
        add_use(&mut self.accounts, &record.account, used, || None);
        if started && let Some(start) = record.start {
            let wait = (start - record.eligible.max(record.submit)).secs().max(0);
            match self.partitions.iter_mut().find(|(name, _)| *name == record.partition) {
                Some((_, waits)) => waits.push(wait),
                None => self.partitions.push((record.partition.clone(), vec![wait])),
            }
        }
    }

    fn waits(&mut self) -> Vec<WaitRow> {
        self.partitions.order_by_key(|(name, _)| name.clone());
        let row = |(name, waits): &mut (String, Vec<i64>)| {
            waits.order();
            let at = |tenths: usize| waits.get((waits.len() - 1) * tenths / 10).copied().unwrap_or(0);
            let jobs = u32::try_from(waits.len()).unwrap_or(u32::MAX);
            WaitRow { partition: name.clone(), jobs, median: at(5), ninth: at(9), longest: at(10) }
        };
        self.partitions.iter_mut().take(MAX_ROWS).map(row).collect()
    }
}

fn add_use(rows: &mut Vec<UseRow>, name: &str, (cpu, gpu): (f64, f64), index: impl Fn() -> Option<u32>) {
    let at = rows.iter().position(|r| r.name == name).unwrap_or_else(|| {
        rows.push(UseRow { name: name.to_owned(), user_index: index(), ..UseRow::default() });
        rows.len() - 1
    });
    if let Some(row) = rows.get_mut(at) {
        row.cpu_seconds += cpu;
        row.gpu_seconds += gpu;
        row.jobs += 1;
    }
}

/// The entries with the highest usage.
fn most(mut rows: Vec<UseRow>) -> Vec<UseRow> {
    rows.order_by(|a, b| {
        let by_use = b.cpu_seconds.partial_cmp(&a.cpu_seconds).unwrap_or(std::cmp::Ordering::Equal);
        by_use.then_with(|| a.name.cmp(&b.name))
    });
    rows.truncate(MAX_ROWS);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_become_means() {
        let axis = Axis { from: 0, step: 10 };
        let mut series = Series::new();
        series.add(axis, (Time(5), Time(35)), 2.0);
        series.add(axis, (Time(-100), Time(10)), 1.0);
        series.add(axis, (Time(12), Time(14)), 5.0);
        series.add(axis, (Time(950), Time(5000)), 3.0);
        series.add(axis, (Time(40), Time(40)), 9.0);
        let means = series.means(axis);
        assert_eq!(means[..5], [2.0, 3.0, 2.0, 1.0, 0.0]);
        assert_eq!(means[95], 3.0);
        assert_eq!([axis.span(Time(-1)), axis.span(Time(960)), axis.span(Time(971))], [None, Some(95), None]);
    }
}
