//! Rows of the queue, in squeue's order and words.

use super::People;
use crate::base::ids::{JobId, Uid};
use crate::base::state::JobState;
use crate::base::time::{Limit, Span};
use crate::base::tres::Tres;
use crate::commands::slurm::jobtext::View;
use crate::commands::slurm::squeue::{place, plain_rows, row::Row};
use crate::protocol::{Direction, QueueList, QueueRow, QueueRows, QueueWindow, SortBy, StateClass};
use crate::slurmctld::job::Job;
use crate::world::World;
use std::collections::BTreeMap;

/// Most rows in a frame.
const MAX_ROWS: usize = 200;
/// A long queue is put in order again after a millisecond for so many rows.
pub const ROWS_PER_MILLI: u32 = 100;
/// Jobs that ended so long ago are still shown where ended ones are asked for.
const ENDED: Span = Span::from_mins(5);

/// What the texts are made from.
pub fn view(world: &World) -> View<'_> {
    View { state: &world.ctld, users: &world.kernel.users, now: world.now, asker: Uid(0), times: None }
}

/// The queue in the order in which the page wants it, kept while nothing changes, and when the queue is long for a moment
/// longer: the rows that are seen are always as they are now.
#[derive(Default)]
pub struct Order {
    list: QueueList,
    places: Vec<Place>,
    /// Events of the session at that time; none: it is to be made.
    step: Option<u64>,
    /// Milliseconds until it may be made anew.
    rest: u32,
}

/// A row's record, and what of an array is folded into it.
struct Place {
    job: JobId,
    folded: Option<(String, String)>,
    tasks: Option<(u32, u32)>,
}

impl Order {
    /// Real time went by.
    pub const fn tick(&mut self, millis: u32) {
        self.rest = self.rest.saturating_sub(millis);
    }

    /// The rows of a window.
    pub fn rows(&mut self, world: &World, step: u64, window: &QueueWindow, people: &People) -> QueueRows {
        let stale = self.step != Some(step) && self.rest == 0;
        if self.list != window.list || self.step.is_none() || stale {
            self.places = places(world, &window.list);
            self.list = window.list.clone();
            self.step = Some(step);
            self.rest = u32::try_from(self.places.len()).unwrap_or(u32::MAX) / ROWS_PER_MILLI;
        }
        let view = view(world);
        let shown =
            self.places.iter().skip(window.first as usize).take((window.count as usize).min(MAX_ROWS));
        let text = |place: &Place| {
            let job = world.ctld.job(place.job)?;
            let shown = Row { folded: place.folded.clone(), ..Row::of(job) };
            Some(QueueRow { tasks: place.tasks, ..row(&view, &shown, people) })
        };
        QueueRows {
            total: u32::try_from(self.places.len()).unwrap_or(u32::MAX),
            first: window.first,
            rows: shown.map(|place| text(place).unwrap_or_default()).collect(),
        }
    }
}

/// The records of all rows, in order.
fn places(world: &World, list: &QueueList) -> Vec<Place> {
    let view = view(world);
    // Nobody has this number, so somebody who does not exist has no jobs.
    let uid = |name: &String| world.kernel.users.by_name(name).map_or(u32::MAX, |u| u.uid.0);
    let sort = list.sort.map(|(by, way)| letters(by, way)).unwrap_or_default();
    let rows = plain_rows(&view, list.user.as_ref().map(uid), list.ended, &sort);
    let wanted = |row: &Row| {
        (live(row.job) || row.job.end.is_some_and(|end| world.now - end <= ENDED)) && passes(&view, list, row)
    };
    let place = |row: Row| Place { job: row.job.id, folded: row.folded, tasks: None };
    let rows = rows.into_iter().filter(wanted);
    if !list.group {
        return rows.map(place).collect();
    }
    let mut arrays: BTreeMap<JobId, (usize, u32, u32)> = BTreeMap::new();
    let mut places: Vec<Place> = Vec::new();
    for row in rows {
        if let Some(array) = &row.job.array {
            let entry = arrays.entry(array.job).or_insert((places.len(), 0, 0));
            entry.1 += if row.job.state == JobState::Pending { tasks(row.job) } else { 0 };
            entry.2 += u32::from(row.job.state == JobState::Running);
            if entry.0 < places.len() {
                continue;
            }
        }
        places.push(place(row));
    }
    for (at, waiting, running) in arrays.into_values().filter(|(_, w, r)| w + r > 1) {
        if let Some(place) = places.get_mut(at) {
            place.tasks = Some((waiting, running));
        }
    }
    places
}

/// squeue's letter for a column, `-` before it for the other way.
fn letters(by: SortBy, way: Direction) -> String {
    let letter = match by {
        SortBy::Id => "i",
        SortBy::State => "t",
        SortBy::Name => "j",
        SortBy::User => "u",
        SortBy::Partition => "P",
        SortBy::Time => "M",
        SortBy::Size => "C",
        SortBy::Place => "r,N",
        SortBy::Priority => "p",
        SortBy::Start => "S",
    };
    match way {
        Direction::Up => letter.to_owned(),
        Direction::Down => format!("-{letter}"),
    }
}

fn passes(view: &View, list: &QueueList, row: &Row) -> bool {
    let job = row.job;
    let class = match job.state {
        JobState::Pending => StateClass::Waiting,
        JobState::Running | JobState::Suspended => StateClass::Running,
        _ if job.flags.completing => StateClass::Running,
        _ => StateClass::Over,
    };
    let part = |name: &String| {
        let waits = job.state == JobState::Pending;
        let tried = job.partitions.iter().take(if waits { job.partitions.len() } else { 1 });
        tried.into_iter().any(|p| view.state.partition(*p).name == *name)
    };
    let text = || {
        let has = |text: &str| text.to_lowercase().contains(&list.text);
        list.text.is_empty()
            || has(&job.name)
            || has(&row.id())
            || has(&view.users.name(job.uid()))
            || (job.state == JobState::Pending && has(row.reason()))
    };
    list.state.is_none_or(|s| s == class) && list.partition.as_ref().is_none_or(part) && text()
}

/// One row.
pub fn row(view: &View, row: &Row, people: &People) -> QueueRow {
    let job = row.job;
    let (state_long, state) = job.shown_state();
    let tres = job.allocation.as_ref().map_or(&job.req_tres, |a| &a.tres);
    QueueRow {
        id: row.id(),
        job: job.id.0,
        partition: view.partitions(job),
        name: job.name.clone(),
        user: view.users.name(job.uid()),
        user_index: index(people, job.uid()),
        state: state.to_owned(),
        state_long: state_long.to_owned(),
        seconds: job.run_seconds(view.now),
        limit: limit_seconds(job.time_limit),
        nodes: view.node_count(job),
        cpus: view.cpus(job),
        gpus: gpus(tres),
        place: place(view, row),
        priority: job.priority,
        start: view.start(job).map(|t| t.0),
        tasks: None,
    }
}

/// How many jobs a record stands for.
pub fn tasks(job: &Job) -> u32 {
    match &job.array {
        Some(array) if array.task.is_none() => array.pending.len().max(1),
        Some(_) | None => 1,
    }
}

/// Seconds of a limit; -1: none.
pub fn limit_seconds(limit: Limit) -> i64 {
    limit.span().map_or(-1, Span::secs)
}

/// A person's place, behind everybody for those who are not listed.
pub fn index(people: &People, uid: Uid) -> u32 {
    people.get(&uid).copied().unwrap_or(u32::try_from(people.len()).unwrap_or(u32::MAX))
}

/// Whether it has something, or waits for it.
pub fn live(job: &Job) -> bool {
    matches!(job.state, JobState::Pending | JobState::Running | JobState::Suspended) || job.flags.completing
}

fn gpus(tres: &Tres) -> u32 {
    tres.gres.get("gpu").map_or(0, |n| u32::try_from(*n).unwrap_or(u32::MAX))
}
