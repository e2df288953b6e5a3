//! The Gantt chart: the past from the accounting database, the present and backfill's plan from the controller.
//!
//! Its size is bounded by the visible rows and the width in pixels, the work by [`MAX_RECORDS`] and
//! [`MAX_NAMES`]. It is computed a few times per second; in between the page moves the bars.

use crate::session::frame::{People, queue};
use crate::world::World;
use base::hostlist;
use base::ids::JobId;
use base::order::StableSort as _;
use base::state::JobState;
use base::time::{Span, Time};
use protocol::{BarKind, GanttBar, GanttFrame, GanttPicture, GanttWindow, Micros};
use slurmctld::job::Job;
use slurmctld::reservation::ResvFlags;
use slurmdbd::JobRecord;
use std::collections::BTreeMap;

/// Maximum number of records read, the newest.
const MAX_RECORDS: usize = 20_000;
/// Maximum number of node names read from records.
const MAX_NAMES: u32 = 20_000;
/// Maximum number of rows sent.
const MAX_ROWS: u32 = 200;
/// Maximum number of bars sent.
const MAX_BARS: usize = 4000;
/// Maximum number of jobs searched for the rows by job.
const MAX_JOBS: usize = 5000;
/// Milliseconds between two charts of the same window, and the number of inspected items for which the pause
/// grows by a millisecond.
const REST: u32 = 150;
const LOOKS_PER_MILLI: u32 = 200;

/// Makes charts, at most as often as a change is visible.
#[derive(Default)]
pub struct GanttCache {
    window: GanttWindow,
    rest: u32,
}

impl GanttCache {
    /// Lets real time pass.
    pub const fn tick(&mut self, millis: u32) {
        self.rest = self.rest.saturating_sub(millis);
    }

    /// The chart of a window. None if it was sent a moment ago.
    pub fn picture(&mut self, world: &World, window: &GanttWindow, people: &People) -> Option<GanttPicture> {
        if self.rest > 0 && self.window == *window {
            return None;
        }
        self.window = window.clone();
        let (picture, looks) = picture(world, window, people);
        self.rest = REST + looks / LOOKS_PER_MILLI;
        Some(picture)
    }
}

/// The chart of a window, and the number of inspected items.
fn picture(world: &World, window: &GanttWindow, people: &People) -> (GanttPicture, u32) {
    let span = window.span.clamp(10_000_000, 400 * 86_400_000_000);
    let until = window.until.unwrap_or(world.now.0 + span / 2);
    let mut found = GanttJobs {
        world,
        people,
        pushed: world.ctld.preemptions().map(|p| (p.victim, p.at, p.by)).collect(),
        frame: (until - span, until),
        bars: Vec::new(),
        names: 0,
        looks: 0,
        cut: false,
    };
    found.look();
    let count = window.count.min(MAX_ROWS);
    let (cut, looks) = (found.cut, found.looks);
    let mut picture =
        GanttPicture { from: until - span, until, now: world.now.0, cut, ..GanttPicture::default() };
    if window.jobs {
        by_job(&mut picture, found.bars, window.first, count);
    } else {
        by_node(world, &mut picture, found.bars, window.first, count);
    }
    let pixel = span / i64::from(window.columns.clamp(50, 8000));
    picture.bars = together(std::mem::take(&mut picture.bars), pixel);
    picture.cut |= picture.bars.len() > MAX_BARS;
    picture.bars.truncate(MAX_BARS);
    (picture, looks)
}

/// Jobs in the window, on any nodes.
struct GanttJobs<'w> {
    world: &'w World,
    people: &'w People,
    /// Preempted jobs with the time and the preemptor, in the order of time.
    pushed: Vec<(JobId, Time, JobId)>,
    frame: (Micros, Micros),
    bars: Vec<(GanttBar, BarNodes)>,
    /// Number of node names to read.
    names: u32,
    looks: u32,
    cut: bool,
}

/// The nodes of a bar: node numbers, or the bar's host list.
enum BarNodes {
    Numbers(Vec<u32>),
    Text,
}

impl GanttJobs<'_> {
    fn look(&mut self) {
        let ctld = &self.world.ctld;
        for record in ctld.dbd.jobs.values().rev().take(MAX_RECORDS) {
            self.looks += 1;
            if record.end.is_some() && !self.add_record(record) {
                self.cut = true;
                break;
            }
        }
        self.cut |= ctld.dbd.jobs.len() > MAX_RECORDS as u64;
        for job in ctld.active_jobs().chain(ctld.pending_jobs()) {
            self.looks += 1;
            self.add_job(job);
        }
    }

    const fn outside(&self, from: Micros, until: Micros) -> bool {
        until < self.frame.0 || from > self.frame.1
    }

    /// The job that preempted a job between these moments.
    fn pusher(&self, job: JobId, from: Time, until: Time) -> String {
        let mut its = self.pushed.iter().rev().filter(|(victim, ..)| *victim == job);
        let by = its.find(|(_, at, _)| (from..=until).contains(at)).map(|(.., by)| *by);
        by.map(|by| self.world.ctld.job(by).map_or_else(|| by.to_string(), slurmctld::job::Job::id_text))
            .unwrap_or_default()
    }

    /// Adds a finished run. False if no more fit.
    fn add_record(&mut self, record: &JobRecord) -> bool {
        let (Some(start), Some(end)) = (record.start, record.end) else { return true };
        if end <= start || self.outside(start.0, end.0) {
            return true;
        }
        self.names += record.node_count;
        let id = match record.array {
            Some((array, Some(task))) => format!("{array}_{task}"),
            Some(_) | None => record.job.to_string(),
        };
        let bar = GanttBar {
            row: 0,
            from: start.0,
            until: end.0,
            limit: None,
            kind: ended(record),
            id,
            job: record.job.0,
            user_index: queue::index(self.people, record.uid),
            user: record.user.clone(),
            name: record.name.clone(),
            nodes: record.nodes.clone(),
            by: self.pusher(record.job, start, end),
        };
        self.bars.push((bar, BarNodes::Text));
        self.bars.len() < MAX_JOBS && self.names < MAX_NAMES
    }

    /// Adds a job that is running or has a planned start.
    fn add_job(&mut self, job: &Job) {
        let (from, until, limit, kind) = match (job.state, job.start, &job.planned) {
            (JobState::Running, Some(start), _) => {
                (start, self.world.now, Some(job.planned_end()), BarKind::Running)
            }
            (JobState::Suspended, Some(start), _) => (start, self.world.now, None, BarKind::Suspended),
            (JobState::Pending, _, Some((at, _))) => {
                let day = Span::from_secs(86_400);
                (*at, *at + job.time_limit.span().unwrap_or(day), None, BarKind::Planned)
            }
            _ => return,
        };
        let limit = limit.map(|t: Time| t.0);
        if self.outside(from.0, limit.unwrap_or(until.0)) {
            return;
        }
        let numbers: Vec<u32> = match (&job.allocation, &job.planned) {
            (Some(allocation), _) => allocation.nodes.iter().map(|n| n.node.0).collect(),
            (None, Some((_, nodes))) => nodes.iter().collect(),
            (None, None) => Vec::new(),
        };
        let bar = GanttBar {
            row: 0,
            from: from.0,
            until: until.0,
            limit,
            kind,
            id: job.id_text(),
            job: job.id.0,
            user_index: queue::index(self.people, job.uid()),
            user: self.world.kernel.users.name(job.uid()),
            name: job.name.clone(),
            nodes: job.nodes_text.clone(),
            by: if kind == BarKind::Suspended { self.pusher(job.id, from, until) } else { String::new() },
        };
        self.bars.push((bar, BarNodes::Numbers(numbers)));
    }
}

/// How a run ended.
const fn ended(record: &JobRecord) -> BarKind {
    match record.state {
        JobState::Preempted => BarKind::Preempted,
        _ if record.requeued => BarKind::Requeued,
        JobState::Complete => BarKind::Completed,
        JobState::Pending | JobState::Running | JobState::Suspended => BarKind::Requeued,
        JobState::Cancelled
        | JobState::Failed
        | JobState::Timeout
        | JobState::NodeFail
        | JobState::BootFail
        | JobState::Deadline
        | JobState::OutOfMemory => BarKind::Failed,
    }
}

/// One row per node.
fn by_node(
    world: &World,
    picture: &mut GanttPicture,
    found: Vec<(GanttBar, BarNodes)>,
    first: u32,
    count: u32,
) {
    let there = || world.ctld.nodes.iter().filter(|n| !n.gone);
    picture.total = u32::try_from(there().count()).unwrap_or(u32::MAX);
    picture.first = first.min(picture.total.saturating_sub(count));
    let (mut by_name, mut by_number) = (BTreeMap::new(), BTreeMap::new());
    for (node, row) in there().skip(picture.first as usize).take(count as usize).zip(0u32..) {
        picture.rows.push(node.conf.name.clone());
        by_name.insert(node.conf.name.as_str(), row);
        by_number.insert(node.id.0, row);
    }
    for (bar, found_rows) in found {
        let rows: Vec<u32> = match found_rows {
            BarNodes::Numbers(numbers) => numbers.iter().filter_map(|n| by_number.get(n).copied()).collect(),
            // Most jobs have one node: no list to parse.
            BarNodes::Text if !bar.nodes.contains(['[', ',']) => {
                by_name.get(bar.nodes.as_str()).copied().into_iter().collect()
            }
            BarNodes::Text => {
                let names = hostlist::expand(&bar.nodes).unwrap_or_default();
                names.iter().filter_map(|name| by_name.get(name.as_str()).copied()).collect()
            }
        };
        let bar = GanttBar { nodes: String::new(), ..bar };
        picture.bars.extend(rows.into_iter().map(|row| GanttBar { row, ..bar.clone() }));
    }
    picture.bars.order_by_key(|bar| (bar.row, bar.from));
    for resv in world.ctld.reservations.iter() {
        let maintenance = resv.flags.has(ResvFlags::MAINT);
        let rows: Vec<u32> = resv.nodes.iter().filter_map(|n| by_number.get(&n).copied()).collect();
        for run in rows.chunk_by(|a, b| a + 1 == *b) {
            let (Some(row), Ok(rows)) = (run.first(), u32::try_from(run.len())) else { continue };
            let (row, from, until) = (*row, resv.start.0, resv.end.0);
            picture.frames.push(GanttFrame { row, rows, from, until, name: resv.name.clone(), maintenance });
        }
    }
}

/// One row per job: running ones, then planned ones, then finished ones, the newest first.
fn by_job(picture: &mut GanttPicture, found: Vec<(GanttBar, BarNodes)>, first: u32, count: u32) {
    let mut bars: Vec<GanttBar> = found.into_iter().map(|(bar, _)| bar).collect();
    bars.order_by_key(|bar| match bar.kind {
        BarKind::Running | BarKind::Suspended => (0, bar.from),
        BarKind::Planned => (1, bar.from),
        BarKind::Completed | BarKind::Failed | BarKind::Preempted | BarKind::Requeued | BarKind::Many => {
            (2, -bar.from)
        }
    });
    // The runs of one job share a row.
    let mut rows: BTreeMap<String, u32> = BTreeMap::new();
    let mut names: Vec<String> = Vec::new();
    for bar in &mut bars {
        let next = u32::try_from(names.len()).unwrap_or(u32::MAX);
        bar.row = *rows.entry(bar.id.clone()).or_insert_with(|| {
            names.push(bar.id.clone());
            next
        });
    }
    picture.total = u32::try_from(names.len()).unwrap_or(u32::MAX);
    picture.first = first.min(picture.total.saturating_sub(count));
    let seen = picture.first..picture.first.saturating_add(count);
    picture.rows = names.into_iter().skip(seen.start as usize).take(count as usize).collect();
    bars.retain(|bar| seen.contains(&bar.row));
    bars.iter_mut().for_each(|bar| bar.row -= seen.start);
    bars.order_by_key(|bar| (bar.row, bar.from));
    picture.bars = bars;
}

/// Merges bars that begin and end within one pixel with neighbours of the same kind into [`BarKind::Many`].
fn together(bars: Vec<GanttBar>, pixel: Micros) -> Vec<GanttBar> {
    let mut all: Vec<GanttBar> = Vec::with_capacity(bars.len().min(MAX_BARS));
    let narrow = |bar: &GanttBar| bar.kind != BarKind::Running && bar.until - bar.from < pixel;
    for bar in bars {
        if let Some(last) = all.last_mut()
            && last.row == bar.row
            && narrow(&bar)
            && (narrow(last) || last.kind == BarKind::Many)
            && bar.from - last.until < pixel
        {
            last.until = last.until.max(bar.until);
            (last.kind, last.id, last.name) = (BarKind::Many, String::new(), String::new());
            continue;
        }
        all.push(bar);
    }
    all
}

#[cfg(test)]
mod tests;
