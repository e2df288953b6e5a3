//! Job arrays: index lists, and splitting off tasks with a record of their own. Mirrors job_array.html and `sbatch
//! --array`.

use crate::Slurmctld;
use crate::state::edit;
use crate::state::error::SlurmError;
use crate::state::job::{Array, Job};
use crate::state::reason::Reason;
use base::bitset::BitSet;
use base::ids::JobId;
use base::time::Time;

/// A parsed `--array=1-7:2,20%2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArraySpec {
    /// The indices.
    pub tasks: BitSet,
    /// `%N`; 0: no limit.
    pub throttle: u32,
    /// The step of the last range; what SLURM_ARRAY_TASK_STEP shows.
    pub step: u32,
}

/// Reads an index list; indices must be below `max_size` (`MaxArraySize`).
///
/// # Errors
/// [`SlurmError::InvalidArray`].
pub fn parse(text: &str, max_size: u32) -> Result<ArraySpec, SlurmError> {
    let (list, throttle) = match text.split_once('%') {
        // As Slurm does (strtol): a limit that is not a number means no limit.
        Some((list, limit)) => (list, limit.parse().unwrap_or(0)),
        None => (text, 0),
    };
    // A limit alone is that of a single task, as recorded from 22.05.
    let list = if list.is_empty() && text.contains('%') { "0" } else { list };
    let list = list.strip_prefix('[').and_then(|l| l.strip_suffix(']')).unwrap_or(list);
    let (mut tasks, mut step) = (BitSet::new(), 1);
    // Commas in a row count as one, at the end as none.
    for part in list.split(',').filter(|part| !part.is_empty()) {
        let (range, by) = match part.split_once(':') {
            // Only a range has a step.
            Some((range, by)) if range.contains('-') => (range, number(by)?),
            Some(_) => return Err(SlurmError::InvalidArray),
            None => (part, 1),
        };
        let (first, last) = match range.split_once('-') {
            Some((first, last)) => (number(first)?, number(last)?),
            None => (number(range)?, number(range)?),
        };
        if by == 0 || first > last || last >= max_size {
            return Err(SlurmError::InvalidArray);
        }
        if part.contains(':') {
            step = by;
        }
        (first..=last).step_by(by as usize).for_each(|i| tasks.insert(i));
    }
    if tasks.is_empty() { Err(SlurmError::InvalidArray) } else { Ok(ArraySpec { tasks, throttle, step }) }
}

fn number(text: &str) -> Result<u32, SlurmError> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(SlurmError::InvalidArray);
    }
    text.parse().map_err(|_| SlurmError::InvalidArray)
}

impl Job {
    /// The time from which it may start. The rest of an array that waits for its throttle is not eligible yet.
    #[must_use]
    pub fn eligible_since(&self) -> Option<Time> {
        let rest = |a: &Array| a.task.is_none() && a.pending.len() < a.count;
        let throttled = self.reason == Reason::ArrayTaskLimit && self.array.as_ref().is_some_and(rest);
        self.eligible.filter(|_| !throttled)
    }
}

impl Slurmctld {
    /// Gives one task a record of its own. The last task takes over the array's record.
    pub(crate) fn split_task(&mut self, master: JobId, task: u32) -> JobId {
        let Some(job) = self.jobs.get(master) else { return master };
        let Some(array) = &job.array else { return master };
        if array.pending.len() <= 1 {
            self.edit_job(master, edit::array::become_task(task));
            return master;
        }
        let mut split = Box::new(job.clone());
        let id = self.new_job_id();
        split.id = id;
        if let Some(array) = &mut split.array {
            array.task = Some(task);
            array.pending = BitSet::new();
        }
        self.insert_job(split);
        self.edit_job(master, edit::array::split_off(task));
        id
    }

    /// Turns the record of an array with one task left, which a pass could not start, into the record of that task.
    pub(crate) fn single_out(&mut self, id: JobId) {
        let array = self.jobs.get(id).and_then(|job| job.array.as_ref());
        let last = array.filter(|a| a.pending.len() == 1 && a.count > 1).and_then(|a| a.pending.first());
        let Some(task) = last else { return };
        self.split_task(id, task);
        self.move_entries(id);
        self.record_pending(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::job_text::task_list;

    #[test]
    fn index_lists() {
        let text = |t: &str| parse(t, 1001).map(|s| (task_list(&s.tasks), s.throttle));
        assert_eq!(text("1-6%2"), Ok(("1-6".into(), 2)));
        assert_eq!(text("0-200:7"), Ok(("0-196:7".into(), 0)));
        assert_eq!(text("1,3,5-9:2,20-22%1"), Ok(("1,3,5,7,9,20-22".into(), 1)));
        assert_eq!(text("1-10%abc"), Ok(("1-10".into(), 0)));
        assert_eq!(text("%2"), Ok(("0".into(), 2)));
        assert_eq!(text("1,1,1"), Ok(("1".into(), 0)));
        assert_eq!(text("1,,2-3,"), Ok(("1-3".into(), 0)));
        for bad in ["0-1001", "1001", "3-1", "abc", "1-", "1-10:0", "-1", ""] {
            assert_eq!(text(bad), Err(SlurmError::InvalidArray), "{bad}");
        }
    }
}
