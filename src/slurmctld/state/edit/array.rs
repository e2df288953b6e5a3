//! Edits of job arrays (job_array.html) and of a job's record in the accounting database.

use super::JobEdit;
use crate::state::job::Job;
use base::bitset::BitSet;
use base::ids::DbIndex;

/// The record stands for one task from now on.
pub(crate) fn become_task(task: u32) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        if let Some(array) = &mut job.array {
            array.task = Some(task);
            array.pending = BitSet::new();
        }
    })
}

/// A pending task is no longer part of the array's record.
pub(crate) fn drop_task(task: u32) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        if let Some(array) = &mut job.array {
            array.pending.remove(task);
        }
    })
}

/// A pending task gets a record of its own and takes the database's record with it: the rest of the array is unknown there
/// until its turn comes.
pub(crate) fn split_off(task: u32) -> JobEdit<impl FnOnce(&mut Job)> {
    let drop = drop_task(task);
    JobEdit(move |job| {
        drop.0(job);
        job.db = None;
    })
}

/// The job has a record in the accounting database.
pub(crate) fn record(index: DbIndex) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| job.db = Some(index))
}
