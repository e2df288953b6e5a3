//! Arrays that limit how many of their tasks run at once (`--array=1-100%4`). A trace lists each task as a job of its
//! own, so the replay holds the tasks beyond the limit, and releases one whenever another has ended.

use super::ThrottledTask;
use base::ids::{JobId, Uid};
use base::time::Time;
use slurmctld::Slurmctld;
use slurmctld::job::JobState;
use slurmctld::request::{Caller, Request, Target};
use std::collections::{BTreeMap, VecDeque};

/// The array's number in the trace, and its submission: a resample may submit it twice.
type ArrayKey = (u32, Time);

/// One array.
#[derive(Debug)]
struct ThrottledArray {
    limit: usize,
    /// Tasks that are running or may start.
    free: Vec<JobId>,
    /// The others, in order.
    held: VecDeque<JobId>,
}

/// The arrays that have been submitted.
#[derive(Debug, Default)]
pub(super) struct ThrottledArrays {
    arrays: BTreeMap<ArrayKey, ThrottledArray>,
    array_of: BTreeMap<JobId, ArrayKey>,
}

impl ThrottledArrays {
    /// Whether another task of this array may start now.
    pub(super) fn join(&mut self, ctld: &Slurmctld, task: ThrottledTask, now: Time) -> bool {
        let limit = usize::try_from(task.limit.max(1)).unwrap_or(usize::MAX);
        let new = || ThrottledArray { limit, free: Vec::new(), held: VecDeque::new() };
        let array = self.arrays.entry((task.array, now)).or_insert_with(new);
        array.free.retain(|job| !finished(ctld, *job));
        array.held.is_empty() && array.free.len() < array.limit
    }

    /// Notes a submitted task.
    pub(super) fn add(&mut self, task: ThrottledTask, now: Time, job: JobId, has_room: bool) {
        let key = (task.array, now);
        let Some(array) = self.arrays.get_mut(&key) else { return };
        if has_room {
            array.free.push(job);
        } else {
            array.held.push_back(job);
        }
        self.array_of.insert(job, key);
    }

    /// A job may have ended: then the next task of its array may start.
    pub(super) fn release_after(&mut self, ctld: &mut Slurmctld, job: JobId, now: Time) {
        if !finished(ctld, job) {
            return;
        }
        let Some(key) = self.array_of.remove(&job) else { return };
        let Some(array) = self.arrays.get_mut(&key) else { return };
        array.release(ctld, now);
        if array.held.is_empty() {
            self.arrays.remove(&key);
        }
    }

    /// The limit of a held task's array.
    pub(super) fn holds(&self, job: JobId) -> Option<usize> {
        let array = self.arrays.get(self.array_of.get(&job)?)?;
        array.held.contains(&job).then_some(array.limit)
    }
}

impl ThrottledArray {
    fn release(&mut self, ctld: &mut Slurmctld, now: Time) {
        self.free.retain(|job| !finished(ctld, *job));
        while self.free.len() < self.limit
            && let Some(job) = self.held.pop_front()
        {
            if finished(ctld, job) {
                continue;
            }
            let target = Target { job, task: None };
            ctld.request(Caller { uid: Uid(0) }, Request::Release(target), now);
            self.free.push(job);
        }
    }
}

/// Whether a job has ended. The controller forgets old ones.
fn finished(ctld: &Slurmctld, job: JobId) -> bool {
    let unfinished = [JobState::Pending, JobState::Running, JobState::Suspended];
    ctld.job(job).is_none_or(|job| !unfinished.contains(&job.state))
}
