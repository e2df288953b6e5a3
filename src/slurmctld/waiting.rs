//! Who waits for what: indices that change where jobs change, so that a submission or a pass looks at the jobs whose
//! dependencies or begin times may have changed and at no others. Decides nothing; see `depend` for that.

use super::Slurmctld;
use super::depend::Standing;
use super::job::{DepKind, Dependency, Job, JobState};
use super::mail::Event;
use super::reason::Reason;
use crate::base::cow_set::CowSet;
use crate::base::ids::{JobId, Uid};
use crate::base::time::{Span, Time};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Pairs of jobs, found by the first.
type Pairs = CowSet<(JobId, JobId)>;

/// What is known about waiting jobs; derived from the jobs, kept for speed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Waiting {
    /// An array and each of its records.
    records: Pairs,
    /// Records of an array that hold resources; arrays without one are left out.
    running: BTreeMap<JobId, u32>,
    /// A job (or an array) and each job that depends on it.
    dependents: Pairs,
    /// Jobs that are not over by the hash of owner and name, for `singleton`.
    named: CowSet<(u64, JobId)>,
    /// When a begin time or an `after:...+minutes` comes.
    due: CowSet<(Time, JobId)>,
    /// Jobs whose dependencies or begin times are looked at by the next pass.
    review: CowSet<JobId>,
}

/// How a job stands for those who wait for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stage {
    active: bool,
    started: bool,
    over: bool,
}

impl Stage {
    pub(super) fn of(job: &Job) -> Self {
        let completing = job.flags.completing;
        Self {
            active: !completing && job.state != JobState::Pending && !job.state.ended(),
            started: job.start.is_some(),
            over: job.state.ended() && !completing,
        }
    }

    /// Whether it has ended and left its nodes.
    pub(super) const fn over(self) -> bool {
        self.over
    }
}

fn of(pairs: &Pairs, first: JobId) -> impl DoubleEndedIterator<Item = JobId> + '_ {
    pairs.range((first, JobId(0))..=(first, JobId(u32::MAX))).map(|p| p.1)
}

fn name_key(uid: Uid, name: &str) -> u64 {
    crate::base::hash::fnv1a(name.as_bytes()) ^ u64::from(uid.0).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Waiting {
    /// A job is new.
    pub(super) fn enter(&mut self, job: &Job) {
        if let Some(array) = &job.array {
            self.records.insert((array.job, job.id));
        }
        self.named.insert((name_key(job.uid(), &job.name), job.id));
        self.depend(job);
    }

    /// Notes whom and what moment it waits for.
    fn depend(&mut self, job: &Job) {
        if let Some(latest) = latest_start(job) {
            self.wake_at(latest + Span(1), job.id);
        }
        if !job.deps.is_empty() {
            self.dependents.extend(job.deps.iter().map(|d| (d.job, job.id)));
            self.review.insert(job.id);
        } else if let Some(begin) = job.begin {
            self.wake_at(begin, job.id);
        }
    }

    /// Looked at once more when `at` has come.
    fn wake_at(&mut self, at: Time, id: JobId) {
        self.due.insert((at, id));
    }

    fn wake_due(&mut self, now: Time) {
        while let Some(&(at, id)) = self.due.first().filter(|d| d.0 <= now) {
            self.due.remove(&(at, id));
            self.review.insert(id);
        }
    }

    /// The next moment at which some job's begin time or delay has come; the past if one is to be looked at.
    pub(super) fn next_due(&self) -> Option<Time> {
        if self.review.is_empty() { self.due.first().map(|d| d.0) } else { Some(Time::default()) }
    }

    /// A job is forgotten.
    pub(super) fn leave(&mut self, job: &Job) {
        self.review.remove(&job.id);
        self.named.remove(&(name_key(job.uid(), &job.name), job.id));
        for dep in &job.deps {
            self.dependents.remove(&(dep.job, job.id));
        }
        let mut gone = vec![job.id];
        if let Some(array) = &job.array {
            self.records.remove(&(array.job, job.id));
            gone.retain(|id| *id != array.job);
            if of(&self.records, array.job).next().is_none() {
                gone.push(array.job);
            }
        }
        for id in gone {
            let pairs: Vec<JobId> = of(&self.dependents, id).collect();
            for dependent in pairs {
                self.dependents.remove(&(id, dependent));
            }
        }
    }

    fn changed(&mut self, job: &Job, before: Stage, after: Stage) {
        if before.over != after.over {
            let named = (name_key(job.uid(), &job.name), job.id);
            if after.over {
                self.named.remove(&named)
            } else {
                self.named.insert(named)
            };
        }
        let Some(array) = job.array.as_ref().filter(|_| before.active != after.active) else { return };
        let running = self.running.entry(array.job).or_default();
        *running = if after.active { *running + 1 } else { running.saturating_sub(1) };
        if *running == 0 {
            self.running.remove(&array.job);
        }
    }
}

impl Slurmctld {
    /// Passes look again when a job has waited long enough for its switches, or so long that places are kept for it.
    pub(super) fn note_patience(&mut self, id: JobId) {
        let Some(job) = self.jobs.get(id) else { return };
        let Some(since) = job.eligible else { return };
        if let Some((_, wait)) = job.needs.switches {
            self.index.ripe.insert(since + Span::from_secs(wait.into()));
        }
        let patience = self.live.knobs.bf_min_age_reserve;
        if patience.0 > 0 {
            self.index.ripe.insert(since + patience);
        }
    }

    /// Puts a new job into memory and into the indices.
    pub(super) fn insert_job(&mut self, job: Job) {
        let counted = self.counts_limits().then(|| super::limits::Standing::of(&job));
        self.limits.move_job(&self.dbd, &job, None, counted);
        self.index.waiting.enter(&job);
        let id = job.id;
        self.list(id, [false; 4], super::lists(&job));
        self.jobs.insert(id, job);
        self.note_priority(id, 0);
        self.note_standing(id, &super::live::Standing::default());
    }

    /// A job's memory is over (`MinJobAge`).
    pub(super) fn forget_job(&mut self, id: JobId) {
        if let Some(job) = self.jobs.get(id) {
            self.index.waiting.leave(job);
        }
        self.jobs.remove(id);
    }

    /// A job moved on from `before`: counts it, and those who wait for it are looked at again.
    pub(super) fn note_stage(&mut self, id: JobId, before: Stage) {
        let Some(job) = self.jobs.get(id) else { return };
        let after = Stage::of(job);
        if before == after {
            return;
        }
        self.index.waiting.changed(job, before, after);
        if before.started != after.started || before.over != after.over {
            self.wake_dependents(id);
        }
    }

    /// Those who depend on a job, or on its array, are looked at by the next pass.
    pub(super) fn wake_dependents(&mut self, id: JobId) {
        let Some(job) = self.jobs.get(id) else { return };
        let array = job.array.as_ref().map(|a| a.job).filter(|a| *a != id);
        let dependents = &self.index.waiting.dependents;
        let woken: Vec<JobId> = of(dependents, id)
            .chain(array.into_iter().flat_map(|a| of(dependents, a)))
            .filter(|d| self.jobs.get(*d).is_some_and(|d| concerns(d, job)))
            .collect();
        self.index.waiting.review.extend(woken);
    }

    /// A job has another name from now on.
    pub(super) fn rename(&mut self, id: JobId, name: &str) {
        let Some(job) = self.jobs.get_mut(id) else { return };
        let old = (name_key(job.uid(), &job.name), id);
        name.clone_into(&mut job.name);
        if self.index.waiting.named.remove(&old) {
            self.index.waiting.named.insert((name_key(job.uid(), name), id));
        }
    }

    /// The next pass looks at what the job waits for.
    pub(super) fn review_later(&mut self, id: JobId) {
        if let Some(job) = self.jobs.get(id) {
            self.index.waiting.depend(job);
            self.index.waiting.review.insert(id);
        }
    }

    /// Records of an array by their own ids: the tasks that have one, and the one that stands for the rest.
    pub fn array_records(&self, array: JobId) -> impl Iterator<Item = JobId> + '_ {
        of(&self.index.waiting.records, array)
    }

    /// A job's place in slurmctld's list: its id, but of an array's tasks. The first one keeps the array's place, later ones were
    /// added behind the jobs that existed when they were split off; the record with the array's own id was split off last.
    #[must_use]
    pub fn list_place(&self, job: &Job) -> u32 {
        let Some(array) = job.array.as_ref().map(|a| a.job) else { return job.id.0 };
        if array == job.id {
            return of(&self.index.waiting.records, array).next_back().map_or(job.id.0, |last| last.0);
        }
        // Tasks that start together are neighbours.
        let neighbour = job.id.0.checked_sub(1).and_then(|id| self.jobs.get(JobId(id)));
        if let Some(neighbour) = neighbour.filter(|j| j.array.as_ref().is_some_and(|a| a.job == array)) {
            return neighbour.id.0;
        }
        let before = self.index.waiting.records.range((array, JobId(0))..(array, job.id)).rev();
        before.map(|pair| pair.1).find(|id| *id != array).unwrap_or(array).0
    }

    /// Jobs that name a job, or an array, among those that they wait for; others, too.
    pub fn dependents(&self, id: JobId) -> impl Iterator<Item = JobId> + '_ {
        of(&self.index.waiting.dependents, id)
    }

    /// Tasks of an array that run; those that are completing do not count for its throttle.
    #[must_use]
    pub fn running_tasks(&self, array: JobId) -> u32 {
        self.index.waiting.running.get(&array).copied().unwrap_or(0)
    }

    /// The job that a `singleton` waits for: of the same owner and name, submitted before it or running.
    #[must_use]
    pub fn singleton_blocker(&self, job: &Job) -> Option<JobId> {
        let key = name_key(job.uid(), &job.name);
        let same = |id: &JobId| {
            let other = self.jobs.get(*id)?;
            (other.name == job.name && other.uid() == job.uid()).then_some(other)
        };
        let named = &self.index.waiting.named;
        let before = named.range((key, JobId(0))..(key, job.id)).rev().map(|n| n.1);
        let after = named.range((key, JobId(job.id.0.saturating_add(1)))..=(key, JobId(u32::MAX)));
        let running = after.map(|n| n.1).find(|id| same(id).is_some_and(|o| o.state != JobState::Pending));
        before.into_iter().find(|id| same(id).is_some()).or(running)
    }
}

impl Slurmctld {
    /// What the indices say otherwise than the jobs: counts, or a dependent that nobody would look at again.
    #[must_use]
    pub fn waiting_faults(&self, now: Time) -> Vec<String> {
        let waiting = &self.index.waiting;
        let mut running: BTreeMap<JobId, u32> = BTreeMap::new();
        let mut faults = Vec::new();
        for job in self.jobs.values() {
            if let Some(array) = &job.array {
                if Stage::of(job).active {
                    *running.entry(array.job).or_default() += 1;
                }
                if !waiting.records.contains(&(array.job, job.id)) {
                    faults.push(format!("job {} is missing among its array's records", job.id));
                }
            }
            let asleep = job.state == JobState::Pending && !job.held() && !waiting.review.contains(&job.id);
            let timed = waiting.due.iter().any(|d| d.0 <= now && d.1 == job.id);
            if asleep && !timed && !job.deps.is_empty() && self.review(job, now).0 != job.deps {
                faults.push(format!("job {}: its dependencies changed and nobody looks", job.id));
            }
        }
        if running != waiting.running {
            faults.push("the count of arrays' running tasks is not true".to_owned());
        }
        faults
    }
}

/// When a job with a deadline must have begun.
fn latest_start(job: &Job) -> Option<Time> {
    let need = job.desc.time_min.unwrap_or(job.time_limit).span().unwrap_or_default();
    job.desc.deadline.map(|deadline| deadline - need)
}

/// Whether something about `job` can matter to what a dependent waits for.
fn concerns(dependent: &Job, job: &Job) -> bool {
    let task = job.array.as_ref().and_then(|a| a.task);
    let same = |wanted: Option<u32>| wanted.is_none() || task.is_none() || wanted == task;
    dependent.deps.iter().any(|dep: &Dependency| match dep.kind {
        DepKind::Singleton => true,
        DepKind::AfterCorr => same(dependent.array.as_ref().and_then(|a| a.task)),
        DepKind::After
        | DepKind::AfterAny
        | DepKind::AfterBurstBuffer
        | DepKind::AfterNotOk
        | DepKind::AfterOk => same(dep.task),
    })
}

/// Brings what waits up to date for a pass: dependencies, begin times, arrays that must be split.
pub(super) fn refresh(ctld: &mut Slurmctld, now: Time) {
    ctld.index.waiting.wake_due(now);
    let mut again = CowSet::default();
    while let Some(id) = ctld.index.waiting.review.pop_first() {
        if !split_corresponding(ctld, id) && refresh_job(ctld, id, now) {
            again.insert(id);
        }
    }
    ctld.index.waiting.review = again;
}

/// Looks at the dependencies that may have changed, without splitting arrays.
pub(super) fn refresh_dependencies(ctld: &mut Slurmctld, now: Time) {
    ctld.index.waiting.wake_due(now);
    let ids: Vec<JobId> = ctld.index.waiting.review.iter().copied().collect();
    for id in ids {
        let Some(job) = ctld.jobs.get(id) else { continue };
        if !job.deps.is_empty() && !corresponds(job) {
            ctld.index.waiting.review.remove(&id);
            refresh_job(ctld, id, now);
        }
    }
}

/// Whether it is an array of which each task will depend on another one.
fn corresponds(job: &Job) -> bool {
    job.array.as_ref().is_some_and(|a| a.task.is_none())
        && job.deps.iter().any(|d| d.kind == DepKind::AfterCorr)
}

/// An array with `aftercorr` gets a record for each task: each has its own predecessor.
fn split_corresponding(ctld: &mut Slurmctld, id: JobId) -> bool {
    let Some(job) = ctld.jobs.get(id).filter(|j| corresponds(j)) else { return false };
    let tasks: Vec<u32> = job.array.iter().flat_map(|a| a.pending.iter()).collect();
    for task in tasks {
        let record = ctld.split_task(id, task);
        ctld.index.waiting.review.insert(record);
    }
    true
}

/// Brings one job up to date. True: the next pass looks at it again.
fn refresh_job(ctld: &mut Slurmctld, id: JobId, now: Time) -> bool {
    let waits = |job: &&Job| job.state == JobState::Pending && !job.flags.completing;
    let Some(job) = ctld.jobs.get(id).filter(waits) else { return false };
    if latest_start(job).is_some_and(|latest| now > latest) {
        ctld.miss_deadline(id, now);
        return false;
    }
    if job.priority == 0 && job.desc.priority != Some(0) && job.held() {
        return false;
    }
    if !job.deps.is_empty() {
        let (deps, standing) = ctld.review(job, now);
        if standing == Standing::Never && job.reason != Reason::DepInvalid {
            ctld.mail(id, Event::NeverSatisfied, now);
        }
        let Some(job) = ctld.jobs.get(id) else { return false };
        let kill = standing == Standing::Never
            && job.desc.kill_on_invalid_dep.unwrap_or(ctld.cluster.global.kill_on_invalid_depend);
        ctld.change_job(id, |job| {
            job.deps = deps;
            match standing {
                Standing::Free if matches!(job.reason, Reason::Dependency | Reason::DepInvalid) => {
                    job.reason = Reason::None;
                }
                Standing::Free => {}
                Standing::Waiting => job.reason = Reason::Dependency,
                Standing::Never => job.reason = Reason::DepInvalid,
            }
        });
        if kill {
            ctld.cancel_pending(id, Uid(0), now);
            return false;
        }
        if standing != Standing::Free {
            watch(ctld, id);
            return false;
        }
    }
    let Some(job) = ctld.jobs.get(id) else { return false };
    if let Some(begin) = job.begin.filter(|begin| *begin > now) {
        // An array's throttle is looked at first, and moves with the other tasks.
        let throttle = job.array.as_ref().filter(|a| a.throttle > 0);
        let throttled = throttle.is_some_and(|a| ctld.running_tasks(a.job) >= a.throttle);
        let reason = if throttled { Reason::ArrayTaskLimit } else { Reason::Time };
        let again = throttle.is_some();
        ctld.index.waiting.wake_at(begin, id);
        ctld.change_job(id, |job| job.reason = reason);
        return again;
    }
    if job.eligible.is_none() {
        ctld.make_eligible(id, now);
    }
    false
}

/// What a job that goes on waiting will wake up for besides the ends of those it names.
fn watch(ctld: &mut Slurmctld, id: JobId) {
    let Some(job) = ctld.jobs.get(id) else { return };
    if job.deps.iter().any(|d| d.kind == DepKind::Singleton)
        && let Some(blocker) = ctld.singleton_blocker(job)
    {
        ctld.index.waiting.dependents.insert((blocker, id));
    }
    let moments: Vec<Time> = job.deps.iter().filter_map(|dep| ctld.after_due(dep)).collect();
    for at in moments {
        ctld.index.waiting.wake_at(at, id);
    }
}
