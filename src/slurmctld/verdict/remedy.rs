//! What would change it: a job's request is changed on a fork as its owner could change it, the passes run once, and it is
//! seen whether the job starts. Time limit and memory are searched for the most with which it does.
//!
//! Bounded: at most [`STEPS`] forks for each amount, [`OTHERS`] for each list of names.

use super::ahead;
use crate::base::ids::{AssocId, JobId, PartId, QosId};
use crate::base::time::{Limit, Time};
use crate::config::PartState;
use crate::slurmctld::Slurmctld;
use crate::slurmctld::job::{Job, JobDesc, JobState, Memory};
use crate::slurmctld::request::{Caller, JobUpdate};
use crate::slurmctld::sched::{self, backfill};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Forks tried for one amount.
const STEPS: u32 = 12;
/// Partitions, accounts, QOS that are tried.
const OTHERS: usize = 8;
/// Minutes that stand for "no limit" in the search.
const LONGEST: u32 = 366 * 1440;

/// A change of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// `--time`, minutes.
    Time(u32),
    /// `--mem`, MiB.
    Memory(u64),
    /// `--mem-per-cpu`, MiB.
    MemoryPerCpu(u64),
    /// So many GPUs in the option that it used (`--gres`, `--gpus` ...).
    Gpus(u64),
    /// `-p`.
    Partition(PartId),
    /// `-A`.
    Account(AssocId),
    /// `-q`.
    Qos(QosId),
    /// Without `-w`.
    AnyNode,
    /// Without `-C`.
    AnyFeatures,
    /// Without `--exclusive`.
    Shared,
}

impl Slurmctld {
    /// Changes with any of which alone the job would start at the next passes.
    #[must_use]
    pub fn remedies(&self, id: JobId, now: Time) -> Vec<Change> {
        let Some(job) = self.jobs.get(id).filter(|j| j.queued()) else { return Vec::new() };
        let starts = |change: &Change| self.would_start(id, change, now);
        let mut found = Vec::new();
        let asked =
            job.time_limit.span().map_or(LONGEST, |s| u32::try_from(s.secs() / 60).unwrap_or(LONGEST));
        let minutes = |n: u64| Change::Time(u32::try_from(n).unwrap_or(LONGEST));
        found.extend(most(asked.into(), 1, minutes, &starts));
        found.extend(match job.needs.memory {
            Memory::PerNode(mib) if mib > 0 => most(mib, coarse(mib), Change::Memory, &starts),
            Memory::PerCpu(mib) => most(mib, coarse(mib), Change::MemoryPerCpu, &starts),
            Memory::PerNode(_) | Memory::PerGpu(_) | Memory::Unset => None,
        });
        found.extend(most(gpus(job), 1, Change::Gpus, &starts));
        found.extend(self.others(job).into_iter().filter(starts));
        found
    }

    /// Whether the job would start at the next passes if its request were changed so.
    #[must_use]
    pub fn would_start(&self, id: JobId, change: &Change, now: Time) -> bool {
        let mut fork = self.fork(now);
        if !fork.change_request(id, change, now) {
            return false;
        }
        // Who only wants to know who starts need not know who is expected when.
        fork.lean = true;
        sched::main::pass(&mut fork, usize::MAX, now);
        if fork.cluster.global.scheduler_backfill {
            backfill::pass(&mut fork, now);
        }
        fork.jobs.get(id).is_some_and(|job| ahead::started(&fork, job, now))
    }

    /// Changes it as its owner may; false where that is refused.
    pub(super) fn change_request(&mut self, id: JobId, change: &Change, now: Time) -> bool {
        let Some(job) = self.jobs.get(id).filter(|j| j.state == JobState::Pending) else { return false };
        let caller = Caller { uid: job.uid() };
        let update = match change {
            Change::Time(minutes) => {
                JobUpdate { time_limit: Some(Limit::Minutes(*minutes)), ..JobUpdate::default() }
            }
            Change::Memory(mib) => JobUpdate { mem_per_node: Some(*mib), ..JobUpdate::default() },
            Change::MemoryPerCpu(mib) => JobUpdate { mem_per_cpu: Some(*mib), ..JobUpdate::default() },
            Change::Partition(part) => {
                JobUpdate { partition: Some(self.partition(*part).name.clone()), ..JobUpdate::default() }
            }
            Change::Account(assoc) => JobUpdate {
                account: self.dbd.assoc(*assoc).map(|a| a.account.clone()),
                ..JobUpdate::default()
            },
            Change::Qos(qos) => {
                JobUpdate { qos: self.dbd.qos_by_id(*qos).map(|q| q.name.clone()), ..JobUpdate::default() }
            }
            Change::AnyNode => JobUpdate { required: Some(String::new()), ..JobUpdate::default() },
            Change::AnyFeatures => JobUpdate { features: Some(String::new()), ..JobUpdate::default() },
            Change::Gpus(count) => return self.ask_anew(id, |desc| set_gpus(desc, *count)),
            Change::Shared => return self.ask_anew(id, |desc| desc.exclusive = None),
        };
        self.update_one(caller, id, &update, now).is_ok()
    }

    /// As if the job had been submitted with another description.
    fn ask_anew(&mut self, id: JobId, edit: impl FnOnce(&mut JobDesc)) -> bool {
        let Some(job) = self.jobs.get(id) else { return false };
        let Some(part) = job.partitions.first().copied() else { return false };
        let mut desc = JobDesc::clone(&job.desc);
        edit(&mut desc);
        let Ok(needs) = self.needs(&desc, part) else { return false };
        let tres = self.requested_tres(&needs, part);
        self.change_job(id, |job| {
            job.desc = Arc::new(desc);
            job.needs = Arc::new(needs);
            job.req_tres = tres;
        });
        true
    }

    /// Other places to ask for, and wishes that could be dropped.
    fn others(&self, job: &Job) -> Vec<Change> {
        let mut changes = Vec::new();
        let part = |(conf, id): (&crate::config::PartConf, u32)| {
            let open =
                conf.state == PartState::Up && !conf.root_only && !job.partitions.contains(&PartId(id));
            open.then_some(Change::Partition(PartId(id)))
        };
        changes.extend(self.partitions.iter().zip(0..).filter_map(part).take(OTHERS));
        let user = self.user_name(job.uid());
        let mine =
            |a: &&crate::slurmdbd::Assoc| a.user.as_deref() == Some(user.as_str()) && Some(a.id) != job.assoc;
        changes.extend(self.dbd.live().filter(mine).map(|a| Change::Account(a.id)).take(OTHERS));
        let qos = job.assoc.map(|a| self.dbd.allowed_qos(a)).unwrap_or_default();
        changes.extend(qos.into_iter().filter(|q| *q != job.qos).map(Change::Qos).take(OTHERS));
        let dropped = [
            (!job.needs.required.is_empty(), Change::AnyNode),
            (job.needs.constraint.is_some(), Change::AnyFeatures),
            (job.needs.exclusive.is_some(), Change::Shared),
        ];
        changes.extend(dropped.into_iter().filter(|d| d.0).map(|d| d.1));
        changes
    }
}

/// The most below `asked`, in steps, with which the job starts; none where the least does not help either, or where
/// nothing needs to change.
fn most(
    asked: u64,
    step: u64,
    change: impl Fn(u64) -> Change,
    starts: &impl Fn(&Change) -> bool,
) -> Option<Change> {
    let works = |steps: u64| starts(&change(steps * step));
    let (mut good, mut bad) = (1, asked.div_ceil(step));
    if bad <= good || !works(good) {
        return None;
    }
    for _ in 0..STEPS {
        if bad - good <= 1 {
            break;
        }
        let middle = good + (bad - good) / 2;
        if works(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    Some(change(good * step))
}

/// MiB that make a difference to people.
const fn coarse(mib: u64) -> u64 {
    if mib > 16_000 {
        1000
    } else if mib > 1000 {
        100
    } else {
        10
    }
}

/// GPUs that it asks for, in whatever way; 0 where it asks in several.
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
