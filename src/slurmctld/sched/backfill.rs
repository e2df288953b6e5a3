//! Backfill: every `bf_interval`, jobs in order of priority get the earliest place in a plan made of time limits; who
//! can start now without moving anyone before it starts now. Mirrors sched_config.html.
//!
//! As in Slurm, a planned job keeps whole nodes. The plan is made of slots of time, each with the nodes that are
//! kept in it; moments are rounded up to `bf_resolution`.

use super::super::Slurmctld;
use super::super::job::{Job, JobState, Scheduler};
use super::super::limits;
use super::super::reason::Reason;
use super::super::select::{self, Board};
use super::{Row, planned_seconds};
use crate::base::bitset::BitSet;
use crate::base::ids::{JobId, NodeId};
use crate::base::order::Order as _;
use crate::base::time::{SECOND, Span, Time};

/// Selections tried in one pass: what keeps a pass short on a long queue.
const MAX_TESTS: u32 = 20_000;

/// Nodes kept for a planned job, from its start to its end.
struct Kept {
    from: Time,
    to: Time,
    nodes: BitSet,
}

/// One pass's knobs.
struct Knobs {
    window: Span,
    resolution: i64,
    max_test: usize,
    array_resv: u32,
    max_start: u32,
}

fn knobs(ctld: &Slurmctld) -> Knobs {
    let get = |name: &str, default: i64| {
        let text = ctld.cluster.global.scheduler_parameters.get(name);
        text.and_then(|t| t.parse().ok()).unwrap_or(default)
    };
    Knobs {
        window: Span::from_mins(get("bf_window", 1440).clamp(1, 43_200)),
        resolution: get("bf_resolution", 60).clamp(1, 3600),
        max_test: usize::try_from(get("bf_max_job_test", 500)).unwrap_or(500),
        array_resv: u32::try_from(get("bf_max_job_array_resv", 20)).unwrap_or(20),
        max_start: u32::try_from(get("bf_max_job_start", 0)).unwrap_or(0),
    }
}

/// One pass.
pub(in super::super) fn pass(ctld: &mut Slurmctld, now: Time) {
    super::refresh(ctld, now);
    let knobs = knobs(ctld);
    let ends = ends(ctld, now, knobs.resolution);
    let mut board = Board::now(ctld);
    let mut kept: Vec<Kept> = Vec::new();
    let mut tests = 0;
    let mut started = 0;
    let mut planned = BitSet::new();
    for Row { job: id, part } in super::rows(ctld).into_iter().take(knobs.max_test) {
        let mut tasks = 0;
        while let Some(job) = ctld.jobs.get(id).filter(|j| j.state == JobState::Pending) {
            if super::barred(ctld, job, part).is_some() || tests > MAX_TESTS {
                break;
            }
            if limits::access::admits(ctld, limits::access::Guest::of(job), part).is_err() {
                break;
            }
            if let Err(blocked) = limits::needs(ctld, job, part, now) {
                ctld.change_job(id, |j| j.reason = blocked.reason);
                break;
            }
            let search = Search { ctld, job, part, now, knobs: &knobs, ends: &ends, kept: &kept };
            let Some((at, nodes)) = search.earliest(&board, &mut tests) else {
                ctld.change_job(id, |j| j.planned = None);
                break;
            };
            if at <= now && (knobs.max_start == 0 || started < knobs.max_start) {
                let all = select::candidates(ctld, job, part, true);
                let free = search.unkept(&all, now, at + job_span(job));
                let Ok(choice) = select::choose(ctld, job, part, &board, &free) else { break };
                let allocation = choice.allocation(ctld, job, part);
                if let Err(blocked) = limits::after_selection(ctld, job, part, &allocation, now) {
                    ctld.change_job(id, |j| j.reason = blocked.reason);
                    break;
                }
                started += 1;
                if super::main::begin(ctld, id, part, allocation, &mut board, Scheduler::Backfill, now) {
                    break;
                }
                continue;
            }
            kept.push(Kept { from: at, to: at + job_span(job), nodes: nodes.clone() });
            if tasks == 0 {
                planned.union_with(&nodes);
                ctld.change_job(id, |j| {
                    j.planned = Some((at, nodes));
                    j.last_sched = Some(now);
                    j.scheduler = Scheduler::Backfill;
                    if j.reason == Reason::None {
                        j.reason = Reason::Priority;
                    }
                });
            }
            tasks += 1;
            let more =
                ctld.jobs.get(id).and_then(|j| j.array.as_ref()).is_some_and(|a| a.pending.len() > tasks);
            if !more || tasks >= knobs.array_resv {
                break;
            }
        }
    }
    for node in &mut ctld.nodes {
        node.flags.planned = planned.contains(node.id.0) && node.jobs.is_empty();
    }
}

fn job_span(job: &Job) -> Span {
    Span::from_secs(planned_seconds(job.time_limit))
}

/// When running jobs end by their limits, rounded up; overdue ones count as ending soon.
fn ends(ctld: &Slurmctld, now: Time, resolution: i64) -> Vec<(Time, JobId)> {
    let step = resolution * SECOND;
    let round = |t: Time| Time((t.0 + step - 1).div_euclid(step) * step);
    let mut ends: Vec<(Time, JobId)> = ctld
        .active_jobs()
        .map(|job| {
            let limit = job.start.unwrap_or(now) + job_span(job);
            (round(limit.max(now + Span::from_secs(1))), job.id)
        })
        .collect();
    ends.order();
    ends
}

/// The search for one job's place.
struct Search<'a> {
    ctld: &'a Slurmctld,
    job: &'a Job,
    part: crate::base::ids::PartId,
    now: Time,
    knobs: &'a Knobs,
    ends: &'a [(Time, JobId)],
    kept: &'a [Kept],
}

impl Search<'_> {
    /// The nodes of `all` that nobody keeps between the two moments.
    fn unkept(&self, all: &BitSet, from: Time, to: Time) -> BitSet {
        let mut free = all.clone();
        for kept in self.kept.iter().filter(|k| k.from < to && from < k.to) {
            free.subtract(&kept.nodes);
        }
        free
    }

    /// The earliest moment within the window at which the job fits, and where.
    fn earliest(&self, board: &Board, tests: &mut u32) -> Option<(Time, BitSet)> {
        let all = select::candidates(self.ctld, self.job, self.part, true);
        let span = job_span(self.job);
        let mut later = board.clone();
        let mut changes: Vec<Time> =
            self.kept.iter().map(|k| k.to).chain(self.ends.iter().map(|e| e.0)).collect();
        changes.push(self.now);
        changes.order();
        changes.dedup();
        let mut ended = 0;
        for at in changes.into_iter().filter(|t| *t >= self.now && *t <= self.now + self.knobs.window) {
            let mut news = at == self.now || self.kept.iter().any(|k| k.to == at);
            while let Some((end, id)) = self.ends.get(ended).filter(|e| e.0 <= at) {
                if let Some(job) = self.ctld.jobs.get(*id) {
                    news |= job.allocation.iter().flat_map(|a| &a.nodes).any(|n| all.contains(n.node.0));
                    later.release(job);
                }
                debug_assert!(*end <= at, "ends are sorted");
                ended += 1;
            }
            let free = self.unkept(&all, at, at + span);
            if !news || !self.may_fit(&later, &free) {
                continue;
            }
            *tests += 1;
            if let Ok(choice) = select::choose(self.ctld, self.job, self.part, &later, &free) {
                return Some((at, choice.nodes()));
            }
        }
        None
    }

    /// A quick look before the real choice: enough nodes and cores at all?
    fn may_fit(&self, board: &Board, free: &BitSet) -> bool {
        let cpus: u32 = free
            .iter()
            .map(|i| board.nodes[i as usize].cores.len() * self.ctld.node(NodeId(i)).conf.threads_per_core)
            .sum();
        free.len() >= self.job.needs.min_nodes && cpus >= self.job.needs.min_cpus
    }
}
