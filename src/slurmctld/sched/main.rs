//! The main loop: in order of priority; the first job of a partition that finds no room stops the partition (and its
//! nodes for others), so that it is next. Mirrors sched_config.html.

use super::super::Slurmctld;
use super::super::job::{Allocation, Scheduler};
use super::super::limits;
use super::super::limits::access::{self, Denied, Guest};
use super::super::reason::Reason;
use super::super::select::{self, Board};
use super::Row;
use crate::base::bitset::BitSet;
use crate::base::ids::{JobId, PartId};
use crate::base::time::Time;

/// One pass.
pub(in super::super) fn pass(ctld: &mut Slurmctld, now: Time) {
    super::refresh(ctld, now);
    let rows = super::rows(ctld);
    let depth = ctld.cluster.global.scheduler_parameters.get("default_queue_depth");
    let depth = depth.and_then(|d| d.parse().ok()).unwrap_or(100usize);
    let mut board = Board::now(ctld);
    let mut blocked = BitSet::new();
    let mut closed = BitSet::new();
    let mut tried = 0usize;
    for Row { job, part } in rows {
        if ctld.jobs.get(job).is_none_or(|j| j.state != super::super::job::JobState::Pending) {
            continue;
        }
        if tried >= depth {
            break;
        }
        while let Some(record) = ctld.jobs.get(job) {
            let verdict = if let Some(reason) = super::barred(ctld, record, part) {
                Err(reason)
            } else if blocked.contains(part.0) {
                Err(Reason::Priority)
            } else {
                tried += 1;
                attempt(ctld, job, part, &board, &closed, now)
            };
            match verdict {
                Ok(allocation) => {
                    let whole = begin(ctld, job, part, allocation, &mut board, Scheduler::Main, now);
                    if whole {
                        break;
                    }
                }
                Err(reason) => {
                    if matches!(reason, Reason::Resources | Reason::NodeNotAvail) {
                        blocked.insert(part.0);
                        closed.union_with(&ctld.partition(part).nodes.clone());
                    }
                    let desc = ctld.jobs.get(job).and_then(|j| access::sentence(ctld, j, part, reason));
                    ctld.change_job(job, |j| {
                        j.reason = reason;
                        j.state_desc = desc;
                        j.last_sched = Some(now);
                        j.scheduler = Scheduler::Main;
                    });
                    break;
                }
            }
        }
    }
}

/// Starts one job now if it finds room in one of its partitions.
pub(in super::super) fn at_once(ctld: &mut Slurmctld, id: JobId, now: Time) {
    let parts = ctld.jobs.get(id).map(|j| j.partitions.clone()).unwrap_or_default();
    let mut board = Board::now(ctld);
    for part in parts {
        let Some(job) = ctld.jobs.get(id) else { return };
        let tried = match super::barred(ctld, job, part) {
            Some(reason) => Err(reason),
            None => attempt(ctld, id, part, &board, &BitSet::new(), now),
        };
        match tried {
            Ok(allocation) => {
                begin(ctld, id, part, allocation, &mut board, Scheduler::Main, now);
                return;
            }
            Err(reason) => ctld.change_job(id, |job| {
                job.reason = reason;
                job.last_sched = Some(now);
            }),
        }
    }
}

fn attempt(
    ctld: &Slurmctld,
    job: JobId,
    part: PartId,
    board: &Board,
    closed: &BitSet,
    now: Time,
) -> Result<Allocation, Reason> {
    let job = ctld.jobs.get(job).ok_or(Reason::None)?;
    access::admits(ctld, Guest::of(job), part).map_err(Denied::reason)?;
    let allocation = select::now(ctld, job, part, board)?;
    limits::after_selection(ctld, job, part, &allocation, now).map_err(|b| b.reason)?;
    if allocation.nodes.iter().any(|n| closed.contains(n.node.0)) {
        return Err(Reason::Priority);
    }
    Ok(allocation)
}

/// Starts a job, or one task of an array. True when nothing of it is left to start.
pub(super) fn begin(
    ctld: &mut Slurmctld,
    job: JobId,
    part: PartId,
    allocation: Allocation,
    board: &mut Board,
    by: Scheduler,
    now: Time,
) -> bool {
    let task = ctld.jobs.get(job).and_then(|j| j.array.as_ref()).and_then(|a| a.pending.first());
    let started = task.map_or(job, |task| ctld.split_task(job, task));
    ctld.start(started, part, allocation, by, now);
    if let Some(record) = ctld.jobs.get(started) {
        let alone = select::alone(ctld, record) == Some(super::super::job::Exclusive::User);
        for part in record.allocation.iter().flat_map(|a| &a.nodes) {
            board.take(part, record, alone);
        }
    }
    started == job
}
