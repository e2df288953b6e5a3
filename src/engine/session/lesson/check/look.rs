//! Evaluates claims in a world.

use super::table::{CheckField, JobThing, Thing};
use super::{Claim, Comparison, FieldValue, Operand, RequiredCount, Subject, Term};
use crate::world::World;
use base::ids::{JobId, Uid};
use base::order::StableSort as _;
use base::state::JobState;
use shell::name_matches;
use slurmctld::job::Job;
use std::collections::BTreeMap;

/// Maximum number of searched database records, the newest first.
const MAX_RECORDS: usize = 20_000;
/// Maximum number of files inspected for one pattern.
const MAX_FILES: usize = 1_000;

/// A world in which claims are evaluated.
pub struct ClaimEvaluator<'w> {
    world: &'w World,
    /// The meaning of `~` in file paths.
    home: &'w str,
    /// Every job once, the newest first; none if no claim is about jobs.
    jobs: Vec<JobThing<'w>>,
}

impl<'w> ClaimEvaluator<'w> {
    /// For these claims; `home` replaces `~` in file paths.
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

    /// The objects that satisfy all terms of a claim, if their number does.
    #[must_use]
    pub fn found(&self, claim: &Claim) -> Option<Vec<Thing<'w>>> {
        let mut things = things(self.world, &claim.subject, &self.jobs, self.home);
        let all = things.len();
        things.retain(|thing| claim.terms.iter().all(|t| met(self.world, thing, t, &self.jobs)));
        enough(claim.count, things.len(), all).then_some(things)
    }
}

/// Whether all claims hold; `home` replaces `~` in file paths.
#[must_use]
pub fn holds(world: &World, claims: &[Claim], home: &str) -> bool {
    let look = ClaimEvaluator::new(world, claims.iter(), home);
    claims.iter().all(|claim| look.holds(claim))
}

fn enough(count: RequiredCount, found: usize, all: usize) -> bool {
    let found_number = u32::try_from(found).unwrap_or(u32::MAX);
    match count {
        RequiredCount::AtLeast(n) => found_number >= n,
        RequiredCount::AtMost(n) => found_number <= n,
        RequiredCount::Exactly(n) => found_number == n,
        RequiredCount::Every => found > 0 && found == all,
    }
}

/// Every job once, the newest first.
fn jobs(world: &World) -> Vec<JobThing<'_>> {
    let ctld = &world.ctld;
    let mut by_id: BTreeMap<JobId, usize> = BTreeMap::new();
    let mut all: Vec<JobThing> = Vec::new();
    for record in ctld.dbd.jobs.values().rev().take(MAX_RECORDS) {
        let preempted = i64::from(record.state == JobState::Preempted);
        match by_id.get(&record.job).and_then(|at| all.get_mut(*at)) {
            Some(newer) => newer.preempted += preempted,
            None => {
                by_id.insert(record.job, all.len());
                // A reused job id belongs to another job.
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

/// The files that match a pattern. Only its last component may contain `*`.
fn files<'a>(world: &World, pattern: &str, home: &str) -> Vec<Thing<'a>> {
    let path = match pattern.strip_prefix('~') {
        Some(rest) => format!("{home}{rest}"),
        None => pattern.to_owned(),
    };
    let (dir, last) = (host::path::parent(&path), host::path::base_name(&path));
    let mut names = world.kernel.fs.list(Uid(0), dir).unwrap_or_default();
    names.retain(|name| name_matches(last, name));
    names.order();
    let paths = names.into_iter().take(MAX_FILES).map(|name| host::path::resolve(dir, &name));
    paths.map(Thing::File).collect()
}

fn met(world: &World, thing: &Thing, term: &Term, jobs: &[JobThing]) -> bool {
    let value = (term.field.read)(world, thing);
    let mut each = term.values.iter().map(|operand| {
        let other = match operand {
            Operand::Absent => None,
            Operand::Word(word) => Some(FieldValue::Word(word.clone())),
            Operand::Number(number) => Some(FieldValue::Number(*number)),
            Operand::Field(field) => (field.read)(world, thing),
            Operand::Of(field, name) => of_named(world, thing, field, name, jobs),
        };
        compare(value.as_ref(), term.op, other.as_ref(), matches!(operand, Operand::Absent))
    });
    if term.op == Comparison::Unequal { each.all(|met| met) } else { each.any(|met| met) }
}

/// A missing value equals `none` and nothing else.
fn compare(value: Option<&FieldValue>, op: Comparison, other: Option<&FieldValue>, absent: bool) -> bool {
    let same = || match (value, other) {
        (Some(FieldValue::Word(text)), Some(FieldValue::Word(pattern))) => name_matches(pattern, text),
        (Some(value), Some(other)) => value == other,
        (None, None) => absent,
        (Some(_), None) | (None, Some(_)) => false,
    };
    let both = value.zip(other);
    match op {
        Comparison::Equal => same(),
        Comparison::Unequal => !same(),
        Comparison::Less => both.is_some_and(|(a, b)| a < b),
        Comparison::AtMost => both.is_some_and(|(a, b)| a <= b),
        Comparison::More => both.is_some_and(|(a, b)| a > b),
        Comparison::AtLeast => both.is_some_and(|(a, b)| a >= b),
        Comparison::Contains => match both {
            Some((FieldValue::Word(text), FieldValue::Word(part))) => text.contains(part.as_str()),
            Some(_) | None => false,
        },
    }
}

/// A field of the same user's newest job with this name.
fn of_named(
    world: &World,
    thing: &Thing,
    field: &CheckField,
    name: &str,
    jobs: &[JobThing],
) -> Option<FieldValue> {
    let Thing::Job(job) = thing else { return None };
    let user = job.user(world);
    let newest = |other: &&JobThing| {
        other.id() != job.id() && name_matches(name, other.name()) && other.user(world) == user
    };
    jobs.iter()
        .filter(newest)
        .max_by_key(|other| other.id())
        .and_then(|other| (field.read)(world, &Thing::Job(*other)))
}

/// The number of records that an evaluation reads, for pacing.
#[must_use]
pub fn effort(world: &World) -> u64 {
    world.ctld.dbd.jobs.len().min(MAX_RECORDS as u64)
}
