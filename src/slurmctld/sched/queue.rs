//! The queue: eligible jobs in each of their partitions, in the order in which passes try them.

use super::parameters::HetPrio;
use crate::Slurmctld;
use crate::select::{RequestClassId, RequestClasses};
use crate::state::job::Job;
use base::ids::{JobId, PartId, Uid};
use base::order::StableSort as _;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

/// The first sort keys, before a job's age and number: preemption, reservation, tier, priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank {
    /// Length of the chain of QOS that preempt its own, each the next (preempt/qos). Tiers already order partitions.
    preempted: u32,
    reserved: Reverse<bool>,
    tier: Reverse<u32>,
    priority: Reverse<u32>,
}

impl Rank {
    /// The rank of a heterogeneous job with components of these ranks (`bf_hetjob_prio`).
    fn of_components(ranks: &[Self], prio: HetPrio) -> Option<Self> {
        let one = |of: fn(&Self) -> u32| {
            let all = || ranks.iter().map(of);
            let sum = all().map(u64::from).sum::<u64>();
            Some(Reverse(match prio {
                HetPrio::Min => all().min()?,
                HetPrio::Max => all().max()?,
                HetPrio::Avg => u32::try_from(sum / (ranks.len() as u64).max(1)).unwrap_or(u32::MAX),
            }))
        };
        Some(Self {
            preempted: ranks.iter().map(|r| r.preempted).min()?,
            reserved: ranks.iter().map(|r| r.reserved).min()?,
            tier: one(|r| r.tier.0)?,
            priority: one(|r| r.priority.0)?,
        })
    }
}

/// Sorts entries so that the components of heterogeneous jobs are adjacent (`bf_hetjob_prio`).
pub(super) fn together(ctld: &Slurmctld, entries: Vec<QueueEntry>, prio: HetPrio) -> Vec<QueueEntry> {
    let leader =
        |entry: &QueueEntry| ctld.jobs.get(entry.job()).and_then(|job| job.het).map(|het| het.leader);
    let mut whole: Vec<(JobId, Vec<Rank>)> = Vec::new();
    for entry in &entries {
        let Some(leader) = leader(entry) else { continue };
        match whole.iter_mut().find(|w| w.0 == leader) {
            Some(known) => known.1.push(entry.key.rank),
            None => whole.push((leader, vec![entry.key.rank])),
        }
    }
    let position = |entry: &QueueEntry| {
        let ranks = leader(entry).and_then(|leader| whole.iter().find(|w| w.0 == leader));
        let (rank, array) = match ranks {
            Some((leader, ranks)) => (Rank::of_components(ranks, prio), (*leader, 0)),
            None => (None, entry.key.array),
        };
        (rank.unwrap_or(entry.key.rank), entry.key.submit, array)
    };
    let mut entries: Vec<_> = entries.into_iter().map(|entry| (position(&entry), entry)).collect();
    entries.order_by_key(|entry| entry.0);
    entries.into_iter().map(|entry| entry.1).collect()
}

/// Number of entries of a partition that are checked for jobs ahead of a new one.
const CHECKED: usize = 100;

/// The sort key of a queue entry: rank, submission, array, job id, index of the partition in the job's list (88a).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    rank: Rank,
    /// Seconds, as Slurm compares them.
    submit: i64,
    /// Sorts the tasks of an array next to each other, in order; tasks without a job record come last.
    array: (JobId, u32),
    pub job: JobId,
    part_index: u32,
}

/// A job in one of its partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QueueEntry {
    pub key: Key,
    pub part: PartId,
    pub class: RequestClassId,
    pub uid: Uid,
}

/// The data of a queue entry besides its key and partition.
#[derive(Clone, Copy, Debug)]
struct Tag {
    class: RequestClassId,
    uid: Uid,
}

impl QueueEntry {
    const fn new(part: PartId, key: Key, Tag { class, uid }: Tag) -> Self {
        Self { key, part, class, uid }
    }

    pub(crate) const fn job(&self) -> JobId {
        self.key.job
    }
}

/// The queues of all partitions.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    parts: Vec<BTreeMap<Key, Tag>>,
    /// The entries of each job.
    entries: BTreeMap<JobId, Vec<(PartId, Key)>>,
    /// Jobs whose reason the next pass must set, even if it does not reach them.
    provisional: BTreeSet<JobId>,
    /// Number of times that entries changed their order.
    moves: u64,
}

impl Queue {
    pub(crate) fn new(partitions: usize) -> Self {
        Self { parts: (0..partitions).map(|_| BTreeMap::new()).collect(), ..Self::default() }
    }

    /// Removes a job from all queues.
    pub(crate) fn remove(&mut self, job: JobId, classes: &mut RequestClasses) {
        for (part, key) in self.entries.remove(&job).unwrap_or_default() {
            if let Some(tag) = self.parts[part.0 as usize].remove(&key) {
                classes.leave(tag.class);
            }
        }
    }

    pub(crate) fn note_provisional(&mut self, job: JobId, provisional: bool) {
        if provisional {
            self.provisional.insert(job);
        } else {
            self.provisional.remove(&job);
        }
    }

    /// Jobs whose reason is not set yet, or may change.
    pub(super) fn provisional(&self) -> Vec<JobId> {
        self.provisional.iter().copied().collect()
    }

    /// The first entry of a partition after `after`.
    fn next(&self, part: PartId, after: Option<Key>) -> Option<QueueEntry> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let (key, tag) = self.parts[part.0 as usize].range((from, Bound::Unbounded)).next()?;
        Some(QueueEntry::new(part, *key, *tag))
    }

    /// Whether a partition for which `near` holds has an entry of at least this rank for which `waits` holds. Only the first
    /// [`CHECKED`] entries of each partition are considered.
    pub(crate) fn has_entry_before(
        &self,
        rank: Rank,
        near: impl Fn(PartId) -> bool,
        waits: impl Fn(JobId, PartId) -> bool,
    ) -> bool {
        let first = |entries: &BTreeMap<Key, Tag>, part: PartId| {
            let mut before = entries.keys().take(CHECKED).take_while(|key| key.rank <= rank);
            before.any(|key| waits(key.job, part))
        };
        let mut parts = (0u32..).map(PartId).zip(&self.parts).filter(|(_, entries)| !entries.is_empty());
        parts.any(|(part, entries)| near(part) && first(entries, part))
    }

    /// A job's entries, in the order of its partitions.
    pub(crate) fn entries_of(&self, job: JobId) -> Vec<QueueEntry> {
        let entries = self.entries.get(&job).map_or(&[][..], Vec::as_slice);
        let tag = |part: PartId, key: Key| self.parts[part.0 as usize].get(&key).copied();
        entries
            .iter()
            .filter_map(|(part, key)| Some(QueueEntry::new(*part, *key, tag(*part, *key)?)))
            .collect()
    }

    /// A counter that grows when queued jobs change their order.
    pub(crate) const fn moves(&self) -> u64 {
        self.moves
    }

    /// The first `most` entries of all partitions for which `admit` holds, in order.
    pub(crate) fn first_entries(
        &self,
        most: usize,
        mut admit: impl FnMut(QueueEntry) -> bool,
    ) -> Vec<QueueEntry> {
        let all = self.parts.iter().map(BTreeMap::len).sum();
        let mut entries = Vec::with_capacity(most.min(all));
        let parts = (0u32..).map(PartId).zip(&self.parts).filter(|(_, entries)| !entries.is_empty());
        let entry = |(part, (key, tag)): (PartId, (&Key, &Tag))| QueueEntry::new(part, *key, *tag);
        let mut parts: SmallVec<[_; 1]> =
            parts.map(|(part, entries)| entries.iter().map(move |r| entry((part, r)))).collect();
        if let [only] = parts.as_mut_slice() {
            entries.extend(only.filter(|entry| admit(*entry)).take(most));
            return entries;
        }
        let mut heads: Vec<Option<QueueEntry>> = parts.iter_mut().map(Iterator::next).collect();
        while entries.len() < most {
            let first = heads.iter().zip(0..).filter_map(|(entry, at)| Some((entry.as_ref()?, at)));
            let Some((entry, at)) = first.min_by_key(|(entry, _)| (&entry.key, entry.part)) else { break };
            if admit(*entry) {
                entries.push(*entry);
            }
            heads[at] = parts[at].next();
        }
        entries
    }

    /// A walk over the queue.
    pub(crate) fn walk(&self) -> QueueWalk {
        let heads = (0u32..).map(PartId).zip(&self.parts);
        QueueWalk { heads: heads.filter_map(|(part, _)| self.next(part, None)).collect() }
    }
}

/// A walk over the queue that tolerates jobs leaving it.
#[derive(Debug)]
pub(crate) struct QueueWalk {
    heads: SmallVec<[QueueEntry; 1]>,
}

impl QueueWalk {
    /// The next entry of the partitions for which `open` holds; a partition that was closed once is not visited again.
    pub(crate) fn next(&mut self, queue: &Queue, open: impl Fn(PartId) -> bool) -> Option<QueueEntry> {
        loop {
            self.heads.retain(|entry| open(entry.part));
            let (at, entry) =
                self.heads.iter().copied().enumerate().min_by_key(|(_, entry)| (entry.key, entry.part))?;
            match queue.next(entry.part, Some(entry.key)) {
                Some(next) => self.heads[at] = next,
                None => {
                    self.heads.remove(at);
                }
            }
            if queue.parts[entry.part.0 as usize].contains_key(&entry.key) {
                return Some(entry);
            }
        }
    }
}

impl Slurmctld {
    /// The number of queue entries.
    #[must_use]
    pub fn queue_entries(&self) -> u32 {
        u32::try_from(self.caches.queue.parts.iter().map(BTreeMap::len).sum::<usize>()).unwrap_or(u32::MAX)
    }

    /// The number of entries that a pass after an event considers (`default_queue_depth`), and a backfill pass (`bf_max_job_test`).
    #[must_use]
    pub const fn depths(&self) -> (usize, usize) {
        (self.caches.parameters.default_queue_depth, self.caches.parameters.bf_max_job_test)
    }

    /// The first queue entries, in the order in which passes try them.
    #[must_use]
    pub fn queue_order(&self, most: usize) -> Vec<(JobId, PartId)> {
        let mut walk = self.caches.queue.walk();
        let next = || walk.next(&self.caches.queue, |_| true).map(|entry| (entry.job(), entry.part));
        std::iter::from_fn(next).take(most).collect()
    }

    /// Moves the entries of a job after a change of its priority that left its request as it was.
    pub(crate) fn move_entries(&mut self, id: JobId) {
        let Some(job) = self.jobs.get(id) else { return };
        let new: Vec<Key> = job.partitions.iter().map(|part| key(self, job, *part)).collect();
        let queue = &mut self.caches.queue;
        queue.moves += 1;
        for ((part, old), new) in queue.entries.get_mut(&id).into_iter().flatten().zip(new) {
            let entries = &mut queue.parts[part.0 as usize];
            if let Some(tag) = entries.remove(old) {
                entries.insert(new, tag);
            }
            *old = new;
        }
    }

    /// Sorts all entries again after a change of priorities.
    pub(crate) fn reorder_entries(&mut self) {
        let mut queue = std::mem::take(&mut self.caches.queue);
        queue.moves += 1;
        for (part, entries) in (0u32..).map(PartId).zip(&mut queue.parts) {
            let moved = |(old, tag): (Key, Tag)| {
                (self.jobs.get(old.job).map_or(old, |job| key(self, job, part)), tag)
            };
            let mut moved: Vec<(Key, Tag)> = std::mem::take(entries).into_iter().map(moved).collect();
            moved.order_by_key(|entry| entry.0);
            *entries = moved.into_iter().collect();
        }
        for (job, entries) in &mut queue.entries {
            let Some(job) = self.jobs.get(*job) else { continue };
            entries.iter_mut().for_each(|(part, at)| *at = key(self, job, *part));
        }
        self.caches.queue = queue;
    }

    /// Adds a job to the queues of its partitions, if it is eligible.
    pub(crate) fn enqueue(&mut self, id: JobId) {
        // A deleted partition has no queue.
        let there = |part: &PartId| (part.0 as usize) < self.partitions.len();
        let may = |j: &&Job| j.queued() && j.partitions.iter().all(there);
        let Some(job) = self.jobs.get(id).filter(may) else { return };
        let mut entries = Vec::with_capacity(job.partitions.len());
        let mut classes = std::mem::take(&mut self.caches.classes);
        for part in &job.partitions {
            let class = classes.enter(self, job, *part);
            entries.push((*part, key(self, job, *part), Tag { class, uid: job.uid() }));
        }
        self.caches.classes = classes;
        let queue = &mut self.caches.queue;
        for (part, key, tag) in &entries {
            queue.parts[part.0 as usize].insert(*key, *tag);
        }
        queue.entries.insert(id, entries.into_iter().map(|(part, key, _)| (part, key)).collect());
    }
}

/// A job's rank in a partition's queue.
pub(crate) fn rank(ctld: &Slurmctld, job: &Job, part: PartId) -> Rank {
    let preempted = ctld.caches.preempted.iter().find(|p| p.0 == job.qos).map_or(0, |p| p.1);
    Rank {
        preempted,
        reserved: Reverse(!job.reservations.is_empty()),
        tier: Reverse(ctld.partition(part).priority_tier),
        priority: Reverse(ctld.priority_in(job, part)),
    }
}

pub(super) fn key(ctld: &Slurmctld, job: &Job, part: PartId) -> Key {
    Key {
        rank: rank(ctld, job, part),
        submit: job.submit.secs(),
        array: job.array.as_ref().map_or((job.id, 0), |a| (a.job, a.task.unwrap_or(u32::MAX))),
        job: job.id,
        part_index: (0..)
            .zip(&job.partitions)
            .find(|(_, p)| **p == part)
            .map_or(0, |(part_index, _)| part_index),
    }
}
