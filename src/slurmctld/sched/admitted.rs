//! The queue entries that a backfill pass considers: `bf_max_job_test`, `bf_max_job_user` and similar limits.

use super::parameters::Parameters;
use super::queue::{self, QueueEntry};
use crate::Slurmctld;
use base::ids::{AssocId, PartId, Uid};

/// The entries that a pass considers.
pub(super) fn entries(ctld: &Slurmctld) -> Vec<QueueEntry> {
    let parameters = &ctld.caches.parameters;
    let mut counts = EntryCounts::default();
    let counted = EntryCounts::limits(parameters).iter().any(|most| *most > 0);
    let (queue, most) = (&ctld.caches.queue, parameters.bf_max_job_test);
    let entries = match counted {
        true => queue.first_entries(most, |entry| counts.admit(ctld, entry)),
        false => queue.first_entries(most, |_| true),
    };
    match parameters.bf_hetjob_prio {
        Some(prio) => queue::together(ctld, entries, prio),
        None => entries,
    }
}

/// Number of entries admitted so far, by user, association and partition.
#[derive(Default)]
struct EntryCounts {
    users: Vec<(Uid, u32)>,
    assocs: Vec<(AssocId, u32)>,
    parts: Vec<(PartId, u32)>,
    user_parts: Vec<((Uid, PartId), u32)>,
}

impl EntryCounts {
    /// The configured maximums; 0: no limit.
    const fn limits(parameters: &Parameters) -> [u32; 4] {
        [
            parameters.bf_max_job_user,
            parameters.bf_max_job_part,
            parameters.bf_max_job_user_part,
            parameters.bf_max_job_assoc,
        ]
    }

    /// Counts an entry. Returns false if one of the limits is exceeded.
    fn admit(&mut self, ctld: &Slurmctld, entry: QueueEntry) -> bool {
        let parameters = &ctld.caches.parameters;
        let QueueEntry { uid, part, .. } = entry;
        // Only this limit needs the job itself.
        let assoc = || {
            ctld.jobs.get(entry.job()).filter(|_| parameters.bf_max_job_assoc > 0).and_then(|job| job.assoc)
        };
        count(&mut self.users, uid, parameters.bf_max_job_user)
            && count(&mut self.parts, part, parameters.bf_max_job_part)
            && count(&mut self.user_parts, (uid, part), parameters.bf_max_job_user_part)
            && assoc().is_none_or(|assoc| count(&mut self.assocs, assoc, parameters.bf_max_job_assoc))
    }
}

fn count<T: Ord + Copy>(counts: &mut Vec<(T, u32)>, of: T, most: u32) -> bool {
    if most == 0 {
        return true;
    }
    let at = match counts.binary_search_by_key(&of, |c| c.0) {
        Ok(at) => at,
        Err(at) => {
            counts.insert(at, (of, 0));
            at
        }
    };
    counts[at].1 += 1;
    counts[at].1 <= most
}
