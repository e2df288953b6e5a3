//! Finds jobs by number, name or user, for the page's finder: the jobs that slurmctld knows, then those that only slurmdbd
//! remembers, the newest first.

use super::past;
use crate::world::World;
use base::ids::JobId;
use protocol::QueueRow;
use slurmctld::job::Job;
use slurmdbd::JobRecord;

/// Maximum number of jobs that are returned.
const MAX_FOUND: usize = 8;
/// Maximum number of jobs, and of records, that are examined.
const LOOKED: usize = 20_000;

/// The jobs that match all typed words. A word matches the beginning of a job's number, a part of its name, or its whole
/// user. The job whose number was typed comes first. An array has one row, unless a task was typed.
#[inline(never)]
pub fn search(world: &World, typed: &str) -> Vec<QueueRow> {
    let typed = typed.to_lowercase();
    let mut search =
        Search { words: typed.split_whitespace().collect(), found: Vec::new(), arrays: Vec::new() };
    if search.words.is_empty() {
        return Vec::new();
    }
    if let [id] = search.words[..] {
        let known = super::find(world, id).map(|job| of_job(world, job));
        search.found.extend(known.or_else(|| past::record(world, id).map(of_record)));
    }
    let ctld = &world.ctld;
    for job in ctld.jobs.values_below(JobId(u32::MAX)).take(LOOKED) {
        let array = job.array.as_ref().map(|array| array.job);
        let user = || world.kernel.users.name(job.uid());
        if search.is_full() {
            break;
        }
        if search.fits(&job.name, user, || job.id_text()) {
            search.add(array, of_job(world, job));
        }
    }
    let ended = |record: &&JobRecord| record.end.is_some() && ctld.job(record.job).is_none();
    for record in ctld.dbd.jobs.values().rev().take(LOOKED).filter(ended) {
        if search.is_full() {
            break;
        }
        if search.fits(&record.name, || record.user.clone(), || id_of(record)) {
            search.add(record.array.map(|(array, _)| array), of_record(record));
        }
    }
    search.found
}

fn of_job(world: &World, job: &Job) -> QueueRow {
    let (long, short) = job.shown_state();
    QueueRow {
        id: job.id_text(),
        job: job.id.0,
        name: job.name.clone(),
        user: world.kernel.users.name(job.uid()),
        state: short.to_owned(),
        state_long: long.to_owned(),
        ..QueueRow::default()
    }
}

fn of_record(record: &JobRecord) -> QueueRow {
    QueueRow {
        id: id_of(record),
        job: record.job.0,
        name: record.name.clone(),
        user: record.user.clone(),
        state: record.state.compact().to_owned(),
        state_long: record.state.long().to_owned(),
        ..QueueRow::default()
    }
}

fn id_of(record: &JobRecord) -> String {
    let (job, task) = past::id_of(record);
    task.map_or_else(|| job.to_string(), |task| format!("{job}_{task}"))
}

/// Whether a word may be a job's number.
fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

struct Search<'a> {
    /// The typed words, in lower case.
    words: Vec<&'a str>,
    found: Vec<QueueRow>,
    /// The arrays that have a row.
    arrays: Vec<JobId>,
}

impl Search<'_> {
    fn is_full(&self) -> bool {
        self.found.len() >= MAX_FOUND
    }

    /// Whether all words match. The other texts are made only when the name does not match.
    fn fits(&self, name: &str, user: impl Fn() -> String, id: impl Fn() -> String) -> bool {
        let name = name.to_lowercase();
        let matches = |word: &&str| {
            name.contains(*word)
                || (is_number(word) && id().starts_with(*word))
                || user().to_lowercase() == **word
        };
        self.words.iter().all(matches)
    }

    /// Adds a row, unless its job or array has one.
    fn add(&mut self, array: Option<JobId>, row: QueueRow) {
        let task = self.words.iter().any(|word| is_number(word) && word.contains('_'));
        let repeated = array.is_some_and(|array| !task && self.arrays.contains(&array));
        if !repeated && self.found.iter().all(|found| found.id != row.id) {
            self.arrays.extend(array);
            self.found.push(row);
        }
    }
}
