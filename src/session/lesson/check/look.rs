//! Whether claims hold in a world as it is.

use super::table::{Field, JobThing, Thing};
use super::{Claim, Count, Op, Operand, Subject, Term, Value};
use crate::base::ids::{JobId, Uid};
use crate::base::order::Order as _;
use crate::base::state::JobState;
use crate::commands::unix::glob::glob;
use crate::slurmctld::job::Job;
use crate::world::World;
use std::collections::BTreeMap;

/// Records of the database that are looked at, the newest first.
const MAX_RECORDS: usize = 20_000;
/// Files that are looked at for one pattern.
const MAX_FILES: usize = 1_000;

/// A world that is looked at.
pub struct Look<'w> {
    world: &'w World,
    /// What `~` means in files' paths.
    home: &'w str,
    /// Every job once, the newest first; none where nobody asks about jobs.
    jobs: Vec<JobThing<'w>>,
}

impl<'w> Look<'w> {
    /// For these claims; `home` is what `~` means in files' paths.
    #[must_use]
    pub fn new<'c>(world: &'w World, mut claims: impl Iterator<Item = &'c Claim>, home: &'w str) -> Self {
        let about_jobs = claims.any(|c| matches!(c.subject, Subject::Job | Subject::Array));
        Self { world, home, jobs: if about_jobs { jobs(world) } else { Vec::new() } }
    }

    /// Whether a claim holds.
    #[must_use]
    pub fn holds(&self, claim: &Claim) -> bool {
        self.found(claim).is_some()
    }

    /// The things of which all terms of a claim hold, if there are as many as it wants.
    #[must_use]
    pub fn found(&self, claim: &Claim) -> Option<Vec<Thing<'w>>> {
        let mut things = things(self.world, &claim.subject, &self.jobs, self.home);
        let all = things.len();
        things.retain(|thing| claim.terms.iter().all(|t| met(self.world, thing, t, &self.jobs)));
        enough(claim.count, things.len(), all).then_some(things)
    }
}

/// Whether all claims hold; `home` is what `~` means in files' paths.
#[must_use]
pub fn holds(world: &World, claims: &[Claim], home: &str) -> bool {
    let look = Look::new(world, claims.iter(), home);
    claims.iter().all(|claim| look.holds(claim))
}

fn enough(count: Count, found: usize, all: usize) -> bool {
    let found_number = u32::try_from(found).unwrap_or(u32::MAX);
    match count {
        Count::AtLeast(n) => found_number >= n,
        Count::AtMost(n) => found_number <= n,
        Count::Exactly(n) => found_number == n,
        Count::Every => found > 0 && found == all,
    }
}

/// Every job once, the newest first.
fn jobs(world: &World) -> Vec<JobThing<'_>> {
    let ctld = &world.ctld;
    let mut places: BTreeMap<JobId, usize> = BTreeMap::new();
    let mut all: Vec<JobThing> = Vec::new();
    for record in ctld.dbd.jobs.values().rev().take(MAX_RECORDS) {
        let preempted = i64::from(record.state == JobState::Preempted);
        match places.get(&record.job).and_then(|at| all.get_mut(*at)) {
            Some(newer) => newer.preempted += preempted,
            None => {
                places.insert(record.job, all.len());
                // A number that was given anew belongs to another job.
                let job = ctld.job(record.job).filter(|job| job.db == Some(record.index));
                all.push(JobThing { record: Some(record), job, preempted });
            }
        }
    }
    let unrecorded = ctld.pending_jobs().filter(|job| job.db.is_none());
    all.extend(unrecorded.map(|job: &Job| JobThing { record: None, job: Some(job), preempted: 0 }));
    all
}

fn things<'a>(world: &'a World, subject: &Subject, jobs: &[JobThing<'a>], home: &str) -> Vec<Thing<'a>> {
    match subject {
        Subject::Job => jobs.iter().map(|job| Thing::Job(*job)).collect(),
        Subject::Array => arrays(jobs),
        Subject::Node => world.ctld.nodes.iter().map(Thing::Node).collect(),
        Subject::File(pattern) => files(world, pattern, home),
    }
}

fn arrays<'a>(jobs: &[JobThing<'a>]) -> Vec<Thing<'a>> {
    let mut arrays: Vec<(JobId, Vec<JobThing<'a>>)> = Vec::new();
    for job in jobs {
        let Some((array, _)) = job.array() else { continue };
        match arrays.iter_mut().find(|(id, _)| *id == array) {
            Some((_, tasks)) => tasks.push(*job),
            None => arrays.push((array, vec![*job])),
        }
    }
    arrays.into_iter().map(|(_, tasks)| Thing::Array(tasks)).collect()
}

/// The files of a pattern; only its last part may have a `*`.
fn files<'a>(world: &World, pattern: &str, home: &str) -> Vec<Thing<'a>> {
    let path = match pattern.strip_prefix('~') {
        Some(rest) => format!("{home}{rest}"),
        None => pattern.to_owned(),
    };
    let (dir, last) = (crate::host::path::parent(&path), crate::host::path::base_name(&path));
    let mut names = world.kernel.fs.list(Uid(0), dir).unwrap_or_default();
    names.retain(|name| glob(last, name));
    names.order();
    let paths = names.into_iter().take(MAX_FILES).map(|name| crate::host::path::resolve(dir, &name));
    paths.map(Thing::File).collect()
}

fn met(world: &World, thing: &Thing, term: &Term, jobs: &[JobThing]) -> bool {
    let value = (term.field.read)(world, thing);
    let mut each = term.values.iter().map(|operand| {
        let other = match operand {
            Operand::Absent => None,
            Operand::Word(word) => Some(Value::Word(word.clone())),
            Operand::Number(number) => Some(Value::Number(*number)),
            Operand::Field(field) => (field.read)(world, thing),
            Operand::Of(field, name) => of_named(world, thing, field, name, jobs),
        };
        compare(value.as_ref(), term.op, other.as_ref(), matches!(operand, Operand::Absent))
    });
    if term.op == Op::Unequal { each.all(|met| met) } else { each.any(|met| met) }
}

/// What has no value equals `none` and nothing else.
fn compare(value: Option<&Value>, op: Op, other: Option<&Value>, absent: bool) -> bool {
    let same = || match (value, other) {
        (Some(Value::Word(text)), Some(Value::Word(pattern))) => glob(pattern, text),
        (Some(value), Some(other)) => value == other,
        (None, None) => absent,
        (Some(_), None) | (None, Some(_)) => false,
    };
    let both = value.zip(other);
    match op {
        Op::Equal => same(),
        Op::Unequal => !same(),
        Op::Less => both.is_some_and(|(a, b)| a < b),
        Op::AtMost => both.is_some_and(|(a, b)| a <= b),
        Op::More => both.is_some_and(|(a, b)| a > b),
        Op::AtLeast => both.is_some_and(|(a, b)| a >= b),
        Op::Contains => match both {
            Some((Value::Word(text), Value::Word(part))) => text.contains(part.as_str()),
            Some(_) | None => false,
        },
    }
}

/// A field of the newest job of this name that the same person has.
fn of_named(world: &World, thing: &Thing, field: &Field, name: &str, jobs: &[JobThing]) -> Option<Value> {
    let Thing::Job(job) = thing else { return None };
    let user = job.user(world);
    let newest =
        |other: &&JobThing| other.id() != job.id() && glob(name, other.name()) && other.user(world) == user;
    jobs.iter()
        .filter(newest)
        .max_by_key(|other| other.id())
        .and_then(|other| (field.read)(world, &Thing::Job(*other)))
}

/// How many records a look takes in: for who paces looks.
#[must_use]
pub fn effort(world: &World) -> u64 {
    world.ctld.dbd.jobs.len().min(MAX_RECORDS as u64)
}
