//! Searches for changes that would start a job. On a fork, its request is changed as its owner could change it, and the
//! passes run once. For amounts such as time limit and memory, a binary search finds the largest with which the job
//! starts.
//!
//! Bounded: at most [`STEPS`] forks for each amount, [`OTHERS`] for each list of names.

use super::attempt::Attempt;
use crate::rpc::request::{Caller, JobUpdate, Response, Target};
use crate::state::edit;
use crate::state::job::{Job, JobDesc, JobState, Memory};
use crate::state::reason::Reason;
use crate::{Slurmctld, Teardown};
use base::ids::{JobId, PartId, Uid};
use base::time::{Limit, Time};
use base::verdict::{Eligibility, RequestChange};
use config::PartState;

/// Maximum number of forks for one amount.
const STEPS: u32 = 12;
/// Maximum number of partitions, accounts or QOS to try.
const OTHERS: usize = 8;
/// Minutes that represent "no limit" in the search.
const LONGEST: u32 = 366 * 1440;

/// A search for changes with which a job would start now, one fork after another.
#[derive(Debug)]
pub struct RemedySearch {
    job: JobId,
    /// The fork on which a change is tried.
    attempt: Option<Attempt>,
    /// What remains of the previous fork.
    gone: Teardown,
    /// The remaining trials; the last one is next.
    left: Vec<RemedyTrial>,
    found: Vec<RequestChange>,
}

/// A trial.
#[derive(Clone, Debug)]
enum RemedyTrial {
    /// A reduced amount.
    Amount(Amount),
    /// A single change.
    Other(RequestChange),
}

/// A binary search for the largest amount with which the job starts.
#[derive(Clone, Debug)]
struct Amount {
    change: fn(u64) -> RequestChange,
    step: u64,
    /// With this amount the job starts, once `works` is set.
    good: u64,
    /// With this amount it does not start.
    bad: u64,
    works: bool,
    /// The number of forks left.
    forks: u32,
}

impl RemedySearch {
    /// Runs a step of about a millisecond. Returns false when no trial is left. `ctld` and `now` must be the same each
    /// time.
    pub fn step(&mut self, ctld: &Slurmctld, now: Time) -> bool {
        if self.gone.drop_some() {
            return true;
        }
        match self.attempt.take() {
            None => {
                self.attempt = self.left.last().map(|trial| Attempt::new(ctld, self.job, trial.change(), now))
            }
            Some(mut attempt) => {
                if attempt.step() {
                    self.attempt = Some(attempt);
                } else {
                    self.learn(attempt.starts());
                    self.gone = attempt.leave();
                }
            }
        }
        !self.left.is_empty()
    }

    /// What remains of its forks, to be dropped in steps.
    pub fn leave(self) -> impl Iterator<Item = Teardown> {
        self.attempt.map(Attempt::leave).into_iter().chain([self.gone])
    }

    /// Takes in the result of the last trial.
    fn learn(&mut self, starts: bool) {
        let over = match self.left.last_mut() {
            None => return,
            Some(RemedyTrial::Other(change)) => {
                self.found.extend(Some(change.clone()).filter(|_| starts));
                true
            }
            Some(RemedyTrial::Amount(amount)) => {
                amount.learn(amount.next(), starts);
                let over = amount.is_over();
                self.found.extend(amount.answer().filter(|_| over));
                over
            }
        };
        if over {
            self.left.pop();
        }
    }

    /// The changes found so far.
    #[must_use]
    pub fn found(&self) -> &[RequestChange] {
        &self.found
    }
}

impl RemedyTrial {
    /// The next change to try.
    fn change(&self) -> RequestChange {
        match self {
            Self::Amount(amount) => (amount.change)(amount.next() * amount.step),
            Self::Other(change) => change.clone(),
        }
    }
}

impl Amount {
    /// A search below `asked`. None if the request cannot be reduced.
    fn below(asked: u64, step: u64, change: fn(u64) -> RequestChange) -> Option<RemedyTrial> {
        let bad = asked.div_ceil(step);
        let amount = Self { change, step, good: 1, bad, works: false, forks: STEPS + 1 };
        (bad > 1).then_some(RemedyTrial::Amount(amount))
    }

    /// The next amount. The smallest comes first: if that does not help, nothing does.
    const fn next(&self) -> u64 {
        if self.works { self.good + (self.bad - self.good) / 2 } else { self.good }
    }

    const fn learn(&mut self, asked: u64, starts: bool) {
        self.forks -= 1;
        if starts {
            self.works = true;
            self.good = asked;
        } else if self.works {
            self.bad = asked;
        } else {
            self.forks = 0;
        }
    }

    const fn is_over(&self) -> bool {
        self.forks == 0 || self.bad - self.good <= 1
    }

    fn answer(&self) -> Option<RequestChange> {
        self.works.then(|| (self.change)(self.good * self.step))
    }
}

impl Slurmctld {
    /// The changes that would each, alone, let the job start in the next passes.
    #[must_use]
    pub fn remedies(&self, id: JobId, now: Time) -> Vec<RequestChange> {
        let mut search = self.search(id, now);
        while search.step(self, now) {}
        search.found
    }

    /// Starts the search for such changes.
    #[must_use]
    pub fn search(&self, id: JobId, now: Time) -> RemedySearch {
        let left = self.jobs.get(id).map(|job| match self.eligibility_change(job, now) {
            Some(change) => vec![RemedyTrial::Other(change)],
            None => self.trials(job),
        });
        let mut left = left.unwrap_or_default();
        left.reverse();
        RemedySearch { job: id, attempt: None, gone: Teardown::default(), left, found: Vec::new() }
    }

    /// The change that makes the job eligible, if passes do not consider it.
    #[must_use]
    pub fn eligibility_change(&self, job: &Job, now: Time) -> Option<RequestChange> {
        match super::eligibility(self, job, now) {
            Eligibility::Held { by_admin: false } => Some(RequestChange::Release { by_admin: false }),
            Eligibility::Depends(open) if open.count > 0 => Some(RequestChange::NoDependency),
            Eligibility::Begins { .. } => Some(RequestChange::Now),
            // If no nodes could run it, a release would only hold it again.
            Eligibility::Held { by_admin: true } => Some(RequestChange::Release { by_admin: true })
                .filter(|_| job.reason != Reason::FailBadConstraints),
            Eligibility::Past(_) | Eligibility::Depends(_) | Eligibility::Queued { .. } => None,
        }
    }

    fn trials(&self, job: &Job) -> Vec<RemedyTrial> {
        if !job.queued() && job.reason != Reason::FailBadConstraints {
            return Vec::new();
        }
        let asked =
            job.time_limit.span().map_or(LONGEST, |s| u32::try_from(s.secs() / 60).unwrap_or(LONGEST));
        let amounts = [
            Amount::below(asked.into(), 1, |n| RequestChange::Time(small(n))),
            match job.needs.memory {
                Memory::PerNode(mib) => Amount::below(mib, coarse(mib), RequestChange::Memory),
                Memory::PerCpu(mib) => Amount::below(mib, coarse(mib), RequestChange::MemoryPerCpu),
                Memory::PerGpu(_) | Memory::Unset => None,
            },
            Amount::below(gpus(job), 1, RequestChange::Gpus),
            Amount::below(own_tasks(job).into(), 1, |n| RequestChange::Tasks(small(n))),
            Amount::below(job.needs.min_nodes.into(), 1, |n| RequestChange::Nodes(small(n))),
        ];
        amounts.into_iter().flatten().chain(self.others(job).into_iter().map(RemedyTrial::Other)).collect()
    }

    /// Whether the job would start in the next passes with this change.
    #[must_use]
    pub fn would_start(&self, id: JobId, change: &RequestChange, now: Time) -> bool {
        let mut attempt = Attempt::new(self, id, change.clone(), now);
        while attempt.step() {}
        attempt.starts()
    }

    /// Changes the job as its owner may. Returns false if that is refused.
    pub(super) fn change_request(&mut self, id: JobId, change: &RequestChange, now: Time) -> bool {
        let Some(job) = self.jobs.get(id).filter(|j| j.state == JobState::Pending) else { return false };
        let caller = Caller { uid: job.uid() };
        let update = match change {
            RequestChange::Time(minutes) => {
                JobUpdate { time_limit: Some(Limit::Minutes(*minutes)), ..JobUpdate::default() }
            }
            RequestChange::Memory(mib) => JobUpdate { mem_per_node: Some(*mib), ..JobUpdate::default() },
            RequestChange::MemoryPerCpu(mib) => JobUpdate { mem_per_cpu: Some(*mib), ..JobUpdate::default() },
            RequestChange::Partition(name) => {
                JobUpdate { partition: Some(name.clone()), ..JobUpdate::default() }
            }
            RequestChange::Account(name) => JobUpdate { account: Some(name.clone()), ..JobUpdate::default() },
            RequestChange::Qos(name) => JobUpdate { qos: Some(name.clone()), ..JobUpdate::default() },
            RequestChange::Tasks(count) => JobUpdate { ntasks: Some(*count), ..JobUpdate::default() },
            RequestChange::Nodes(count) => {
                JobUpdate { min_nodes: Some(*count), max_nodes: Some(*count), ..JobUpdate::default() }
            }
            RequestChange::Throttle(most) => JobUpdate { throttle: Some(*most), ..JobUpdate::default() },
            RequestChange::NoLicenses => JobUpdate { licenses: Some(String::new()), ..JobUpdate::default() },
            RequestChange::NoReservation => {
                JobUpdate { reservation: Some(String::new()), ..JobUpdate::default() }
            }
            RequestChange::NoDependency => {
                JobUpdate { dependency: Some(String::new()), ..JobUpdate::default() }
            }
            RequestChange::Now => JobUpdate { begin: Some(now), ..JobUpdate::default() },
            RequestChange::Release { by_admin } => {
                let caller = if *by_admin { Caller { uid: Uid(0) } } else { caller };
                let target = Target { job: id, task: None };
                return self.release(caller, target, now) == Response::Ok;
            }
            RequestChange::AnyNode => JobUpdate { required: Some(String::new()), ..JobUpdate::default() },
            RequestChange::AnyFeatures => JobUpdate { features: Some(String::new()), ..JobUpdate::default() },
            RequestChange::Gpus(count) => return self.resubmit(id, |desc| set_gpus(desc, *count)),
            RequestChange::Shared => return self.resubmit(id, |desc| desc.exclusive = None),
        };
        self.update_one(caller, id, &update, now).is_ok()
    }

    /// Replaces the description, as if the job had been submitted with it.
    fn resubmit(&mut self, id: JobId, edit: impl FnOnce(&mut JobDesc)) -> bool {
        let Some(job) = self.jobs.get(id) else { return false };
        let Some(part) = job.partitions.first().copied() else { return false };
        let mut desc = JobDesc::clone(&job.desc);
        edit(&mut desc);
        let Ok(needs) = self.needs(&desc, part) else { return false };
        let tres = self.requested_tres(&needs, part);
        self.reconsider(id, self.caches.moment);
        self.edit_job(id, edit::request::resubmit(desc, needs, tres));
        true
    }

    /// Other partitions, accounts and QOS, and options to remove.
    fn others(&self, job: &Job) -> Vec<RequestChange> {
        let mut changes = Vec::new();
        let part = |(conf, id): (&config::PartConf, u32)| {
            let open =
                conf.state == PartState::Up && !conf.root_only && !job.partitions.contains(&PartId(id));
            open.then(|| RequestChange::Partition(conf.name.clone()))
        };
        changes.extend(self.partitions.iter().zip(0..).filter_map(part).take(OTHERS));
        let user = self.user_name(job.uid());
        let mine = |a: &&slurmdbd::Assoc| a.user.as_deref() == Some(user.as_str()) && Some(a.id) != job.assoc;
        changes.extend(
            self.dbd.live().filter(mine).map(|a| RequestChange::Account(a.account.clone())).take(OTHERS),
        );
        let qos = job.assoc.map(|a| self.dbd.allowed_qos(a)).unwrap_or_default();
        changes.extend(
            qos.into_iter()
                .filter(|q| *q != job.qos)
                .map(|q| RequestChange::Qos(super::names::qos(self, q)))
                .take(OTHERS),
        );
        let dropped = [
            (!job.needs.required.is_empty(), RequestChange::AnyNode),
            (job.needs.constraint.is_some(), RequestChange::AnyFeatures),
            (job.needs.exclusive.is_some(), RequestChange::Shared),
            (!job.needs.licenses.is_empty(), RequestChange::NoLicenses),
            (!job.reservations.is_empty(), RequestChange::NoReservation),
        ];
        // Doubles the throttle if the array itself blocks the job.
        let throttle = job.array.as_ref().map_or(0, |a| a.throttle);
        changes.extend((throttle > 0).then(|| RequestChange::Throttle(throttle.saturating_mul(2))));
        changes.extend(dropped.into_iter().filter(|d| d.0).map(|d| d.1));
        changes
    }
}

/// The number of tasks that it requests, or 0 if that follows from other options.
fn own_tasks(job: &Job) -> u32 {
    if job.needs.ntasks_given { job.needs.ntasks } else { 0 }
}

fn small(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Rounds MiB to a useful step.
const fn coarse(mib: u64) -> u64 {
    if mib > 16_000 {
        1000
    } else if mib > 1000 {
        100
    } else {
        10
    }
}

/// The number of GPUs that it requests in any way, or 0 if it uses several options.
fn gpus(job: &Job) -> u64 {
    let desc = &job.desc;
    let lists = [&desc.gres, &desc.gpus, &desc.gpus_per_node, &desc.gpus_per_task, &desc.gpus_per_socket];
    let mut all = lists.into_iter().flatten().filter(|g| g.name == "gpu" && g.count > 0);
    match (all.next(), all.next()) {
        (Some(one), None) => one.count,
        (Some(_), Some(_)) | (None, _) => 0,
    }
}

fn set_gpus(desc: &mut JobDesc, count: u64) {
    desc.gres_texts = Default::default();
    let lists = [
        &mut desc.gres,
        &mut desc.gpus,
        &mut desc.gpus_per_node,
        &mut desc.gpus_per_task,
        &mut desc.gpus_per_socket,
    ];
    for gres in lists.into_iter().flatten().filter(|g| g.name == "gpu") {
        gres.count = count;
    }
}
