//! Edits of job arrays (job_array.html) and of a job's record in the accounting database.

use super::JobEdit;
use crate::state::job::Job;
use base::bitset::BitSet;
use base::ids::DbIndex;

/// Turns the array's record into the record of one task.
pub(crate) fn become_task(task: u32) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        if let Some(array) = &mut job.array {
            array.task = Some(task);
            array.pending = BitSet::new();
        }
    })
}

/// Removes a pending task from the array's record.
pub(crate) fn drop_task(task: u32) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        if let Some(array) = &mut job.array {
            array.pending.remove(task);
        }
    })
}

/// Splits off a pending task. It takes the database record with it; the rest of the array gets a new one when it
/// needs it.
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
