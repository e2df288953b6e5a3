//! Edits from a job's start to its end: start, prolog, suspension, preemption, size, end, requeue.

use super::JobEdit;
use crate::state::job::{Allocation, Ending, ExitCode, Job, JobFlags, JobState, Scheduler};
use crate::state::reason::{Reason, ReasonKind};
use base::ids::{NodeId, PartId, Uid};
use base::time::{Limit, Span, Time};
use std::sync::Arc;

/// Delay of a requeued job in seconds: two minutes and one second.
const REQUEUE_DELAY: i64 = 121;

/// The parameters of a start.
pub(crate) struct JobStart {
    pub part: PartId,
    pub allocation: Allocation,
    /// Its nodes, as text.
    pub nodes_text: String,
    pub by: Scheduler,
    /// A time limit that it must not exceed.
    pub at_most: Option<Limit>,
    /// Its nodes are booting.
    pub configuring: bool,
    /// Plans use `--time-min`.
    pub soft_limit: bool,
}

/// The job starts.
pub(crate) fn start(start: JobStart, now: Time) -> JobEdit<impl FnOnce(&mut Job)> {
    let JobStart { part, allocation, nodes_text, by, at_most, configuring, soft_limit } = start;
    let first: Option<NodeId> = allocation.nodes.first().map(|n| n.node);
    JobEdit(move |job| {
        job.time_limit = at_most.map_or(job.time_limit, |most| job.time_limit.min(most));
        job.state = JobState::Running;
        job.flags.configuring = configuring;
        job.reason = Reason::None;
        job.state_desc = None;
        job.partitions.retain(|p| *p == part);
        if job.partitions.is_empty() {
            job.partitions.push(part);
        }
        job.start = Some(now);
        let limit = job.time_limit.span().map_or(Time(i64::MAX), |s| now + s);
        job.end = Some(job.desc.deadline.map_or(limit, |deadline| deadline.min(limit)));
        job.soft_end = job.desc.time_min.filter(|_| soft_limit).and_then(Limit::span).map(|s| now + s);
        job.last_sched = Some(now);
        job.scheduler = by;
        job.planned = None;
        job.suspend = None;
        job.pre_suspend = 0;
        job.suspended = 0;
        job.preempting = None;
        job.allocation = Some(allocation);
        job.nodes_text = nodes_text;
        job.batch_host = first;
        job.warned = false;
        job.eligible = Some(job.eligible.unwrap_or(now));
    })
}

/// The Prolog begins. `shown`: the job is CONFIGURING meanwhile.
pub(crate) fn begin_prolog(shown: bool) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.flags.preparing = true;
        job.flags.configuring = shown;
        job.reason = if shown { Reason::Prolog } else { Reason::None };
    })
}

/// The Prolog has ended.
pub(crate) fn end_prolog() -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(|job| {
        job.flags.preparing = false;
        job.flags.configuring = false;
        job.flags.prepared = true;
        job.reason = Reason::None;
    })
}

/// The launch has failed; `hold`: the job goes back to the queue, held.
pub(crate) fn fail_launch(hold: bool) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.flags.requeue_hold = hold;
        job.flags.launch_failed = hold;
    })
}

/// All nodes of a job have booted: its time counts from now.
pub(crate) fn end_configuring(now: Time) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.flags.configuring = false;
        job.start = Some(now);
        job.end = Some(job.time_limit.span().map_or(Time(i64::MAX), |s| now + s));
    })
}

/// The signal that the job asked for (`--signal`) was sent.
pub(crate) fn warn() -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(|job| job.warned = true)
}

/// Mail has reported this part of the time limit, per cent.
pub(crate) fn mail(part: u8) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| job.flags.mailed = part)
}

/// The job is stopped (`SIGSTOP`) or continued.
pub(crate) fn set_stopped(stopped: bool) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| job.flags.stopped = stopped)
}

/// The job is suspended after `ran` seconds; `ganged`: it resumes by itself.
pub(crate) fn suspend(ran: u32, ganged: bool, now: Time) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.state = JobState::Suspended;
        job.pre_suspend = ran;
        job.suspend = Some(now);
        job.ganged = ganged;
    })
}

/// The job resumes after it was suspended for a span, by which its end moves.
pub(crate) fn resume(away: Span, now: Time) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.state = JobState::Running;
        job.suspend = Some(now);
        job.ganged = false;
        job.suspended += u32::try_from(away.secs()).unwrap_or(0);
        if job.time_limit.span().is_some() {
            job.end = job.end.map(|end| end + away);
        }
    })
}

/// A suspended job no longer resumes by itself.
pub(crate) fn stay_suspended() -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(|job| job.ganged = false)
}

/// The job is preempted.
pub(crate) fn preempt(now: Time) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| job.preempt_time = Some(now))
}

/// The job ends at this moment at the latest.
pub(crate) fn end_by(latest: Time) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| job.end = Some(job.end.map_or(latest, |end| end.min(latest))))
}

/// The job waits for jobs that it has preempted.
pub(crate) fn await_preempted(now: Time) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.preempting.get_or_insert(now);
    })
}

/// A running job has a new allocation and a new database record.
pub(crate) fn resize(
    allocation: Allocation,
    nodes_text: String,
    now: Time,
) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        let nodes = u32::try_from(allocation.nodes.len()).unwrap_or(u32::MAX);
        Arc::make_mut(&mut job.needs).min_nodes = nodes;
        (job.allocation, job.nodes_text) = (Some(allocation), nodes_text);
        (job.resized, job.db) = (Some(now), None);
    })
}

/// A running job has transferred its nodes to another one and is complete.
pub(crate) fn give_nodes_away(now: Time) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.state = JobState::Complete;
        (job.allocation, job.nodes_text) = (None, String::new());
        (job.end, job.resized) = (Some(now), Some(now));
    })
}

/// The job is being ended.
pub(crate) fn begin_ending(ending: Ending) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| job.ending = Some(ending))
}

/// A job that ends by itself goes back to the queue; `hold`: held (`RequeueExitHold`).
pub(crate) fn begin_requeue(state: JobState, hold: bool, now: Time) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.ending = Some(Ending { state, since: now, by: job.uid(), requeue: true });
        job.flags.requeue_hold = hold;
        job.flags.special_exit = hold;
    })
}

/// `scontrol requeue`, `requeuehold`: how the job goes back to the queue.
pub(crate) fn set_requeue_hold(hold: bool, special_exit: bool) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.flags.requeue_hold = hold;
        job.flags.special_exit = special_exit;
    })
}

/// The job has ended and its nodes are completing.
pub(crate) fn end(state: JobState, exit: ExitCode, now: Time) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        // A job that ends while suspended ran until its suspension.
        let end = job.suspend.filter(|_| job.state == JobState::Suspended).unwrap_or(now);
        job.state = state;
        let before = if held_in_place(job) { job.reason } else { Reason::None };
        job.reason = reason_of(state, exit).unwrap_or(before);
        job.state_desc = (job.reason == Reason::FailSignal)
            .then(|| format!("RaisedSignal:{}({})", exit.signal, base::signal::describe(exit.signal)));
        job.exit = exit;
        job.end = Some(end);
        job.flags.completing = true;
        job.flags.configuring = false;
    })
}

/// A job that was ended is pending again while its nodes are completing.
pub(crate) fn restart() -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(|job| {
        job.state = JobState::Pending;
        if !held_in_place(job) {
            job.reason = Reason::None;
        }
        job.exit = ExitCode::default();
        job.restarts += 1;
    })
}

/// Nothing of the job is left on its nodes.
pub(crate) fn complete() -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(|job| job.flags.completing = false)
}

/// The exit code that slurmctld shows.
pub(crate) fn set_exit(exit: ExitCode) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| job.exit = exit)
}

/// The job is requeued. It is not eligible for two minutes. `reason` is shown until the next pass.
pub(crate) fn requeue(
    held: bool,
    reason: Reason,
    exit: ExitCode,
    now: Time,
) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        if job.state.ended() {
            // It had ended before it was requeued.
            job.restarts += 1;
        }
        let before = held_in_place(job);
        job.state = JobState::Pending;
        if !before {
            job.reason = if held { Reason::HeldUser } else { reason };
        }
        job.exit = exit;
        job.derived_exit = ExitCode::default();
        job.submit = now;
        let delay = Some(now + Span::from_secs(REQUEUE_DELAY));
        job.begin = job.desc.cron.map_or(delay, |schedule| schedule.next(now));
        job.eligible = None;
        job.accrue = None;
        job.start = None;
        job.end = None;
        job.suspend = None;
        job.pre_suspend = 0;
        job.suspended = 0;
        job.resized = None;
        job.ganged = false;
        job.preempt_time = None;
        job.allocation = None;
        job.nodes_text = String::new();
        job.batch_host = None;
        job.steps.clear();
        job.oom_steps.clear();
        job.next_step = 0;
        job.waiting_steps.clear();
        job.db = None;
        job.ending = None;
        job.warned = false;
        let (special, failed) = (job.flags.special_exit, job.flags.launch_failed);
        job.flags = JobFlags { special_exit: special, ..JobFlags::default() };
        if held && !before {
            job.priority = 0;
            let state = match (special, failed) {
                (true, _) => "job in special exit state",
                (false, true) => "launch failed requeued held",
                (false, false) => "job requeued in held state",
            };
            job.state_desc = Some(state.to_owned());
        }
    })
}

/// Whether it was held while it ran: it comes back to the queue as held as it was.
fn held_in_place(job: &Job) -> bool {
    job.priority == 0 && job.reason.kind() == ReasonKind::Hold && !job.flags.requeue_hold
}

/// A job on its way back to the queue is cancelled.
pub(crate) fn cancel_requeued(by: Uid, now: Time) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.state = JobState::Cancelled;
        job.end = Some(now);
        job.ending = Some(Ending { state: JobState::Cancelled, since: now, by, requeue: false });
    })
}

/// A pending job ends at once.
pub(crate) fn end_pending(state: JobState, reason: Reason, now: Time) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.state = state;
        job.reason = reason;
        job.state_desc = None;
        job.end = Some(now);
    })
}

/// A job that was refused after it had got its id.
pub(crate) fn fail_unstarted(reason: Reason, now: Time) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.state = JobState::Failed;
        job.reason = reason;
        job.exit = ExitCode { code: 1, signal: 0 };
        job.eligible = Some(now);
        job.start = Some(now);
        job.end = Some(now);
        job.last_sched = Some(now);
        job.scheduler = Scheduler::Main;
    })
}

/// The reason that an ended job shows for how it ended.
const fn reason_of(state: JobState, exit: ExitCode) -> Option<Reason> {
    let reason = match state {
        JobState::Timeout => Reason::FailTimeout,
        JobState::NodeFail => Reason::FailDownNode,
        JobState::Deadline => Reason::FailDeadline,
        JobState::OutOfMemory => Reason::FailOom,
        JobState::BootFail => Reason::FailDownNode,
        JobState::Failed if exit.signal != 0 => Reason::FailSignal,
        JobState::Failed => Reason::FailExitCode,
        JobState::Pending
        | JobState::Running
        | JobState::Suspended
        | JobState::Complete
        | JobState::Cancelled
        | JobState::Preempted => return None,
    };
    Some(reason)
}
