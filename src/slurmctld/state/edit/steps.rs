//! Edits of a job's steps.

use super::JobEdit;
use crate::state::job::{ExitCode, Job, StepRecord, WaitingStep};
use base::ids::{Pid, StepNum, Uid};
use base::process::Fd;
use base::signal::Signal;
use base::state::JobState;
use base::time::Time;
use base::usage::Usage;

/// Adds a step that slurmctld itself starts: the batch or external step.
pub(crate) fn add(step: StepRecord) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        job.steps.insert(step.num, step);
    })
}

/// An `srun`'s step starts. Its client no longer waits, and the next step of fewer nodes begins after this step's
/// nodes.
pub(crate) fn begin(step: StepRecord) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        let all = job.allocation.as_ref().map(|a| a.nodes.as_slice()).unwrap_or_default();
        // The last of its nodes, counted from where it began. A step of all nodes begins with the first one; if it has
        // one task on each, the turn does not change.
        let (size, has) = (all.len().max(1), step.nodes.len());
        if has < all.len() || step.tasks as usize > has {
            let turn = if has < all.len() { job.step_turn as usize } else { 0 };
            let is =
                |index: &usize| step.nodes.iter().any(|n| all.get(*index).is_some_and(|p| p.node == n.0));
            let last = (0..size).map(|ahead| (turn + ahead) % size).rfind(is);
            job.step_turn = u32::try_from(last.map_or(0, |at| at + 1) % size).unwrap_or(0);
        }
        if let StepNum::Number(number) = step.num {
            job.next_step = job.next_step.max(number + 1);
        }
        job.waiting_steps.retain(|w| Some(&w.client) != step.client.as_ref());
        job.steps.insert(step.num, step);
    })
}

/// Uses up the number of a step that was refused late.
pub(crate) fn use_number(number: u32) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| job.next_step = job.next_step.max(number + 1))
}

/// An `srun` waits for other steps to end.
pub(crate) fn wait(step: WaitingStep) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| job.waiting_steps.push(step))
}

/// An `srun` no longer waits.
pub(crate) fn stop_waiting(client: Pid) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| job.waiting_steps.retain(|w| w.client.1 != client))
}

/// `sattach`: a process also gets the step's output.
pub(crate) fn listen(num: StepNum, listener: Pid, fds: [Fd; 2]) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        if let Some(step) = job.steps.get_mut(&num) {
            step.listeners.push((listener, fds));
        }
    })
}

/// How a step ended.
pub(crate) struct StepEnd {
    pub num: StepNum,
    pub state: JobState,
    pub exit: Option<ExitCode>,
    pub usage: Usage,
}

/// A step ends, unless it has ended already.
pub(crate) fn end(end: StepEnd, now: Time) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        let Some(step) = job.steps.get_mut(&end.num).filter(|s| s.end.is_none()) else { return };
        step.state = end.state;
        step.exit = end.exit;
        step.end = Some(now);
        step.usage = end.usage;
        // A step that ends after its job no longer counts for the derived exit code, unless its own code is unknown:
        // then so is the derived one, which is shown as `0:0` (89b).
        match (end.num, end.exit) {
            (StepNum::Number(_), None) => job.derived_exit = ExitCode::default(),
            (StepNum::Number(_), Some(exit)) if !job.state.ended() => {
                job.derived_exit = job.derived_exit.max(exit);
            }
            (StepNum::Number(_) | StepNum::Batch | StepNum::Interactive | StepNum::Extern, _) => {}
        }
    })
}

/// `scancel JOB.STEP`.
pub(crate) fn cancel(num: StepNum, by: Uid) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| {
        if let Some(step) = job.steps.get_mut(&num) {
            step.ended_by = Some(by);
        }
    })
}

/// Notes a terminating signal for the running steps that `reaches` selects.
pub(crate) fn signal(
    signal: Signal,
    reaches: impl Fn(StepNum) -> bool,
    now: Time,
) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job: &mut Job| {
        for step in job.steps.values_mut().filter(|s| s.end.is_none() && reaches(s.num)) {
            step.last_signal = Some((now, signal));
        }
    })
}

/// The OOM killer ended a process of a step.
pub(crate) fn out_of_memory(num: StepNum) -> JobEdit<impl FnOnce(&mut Job)> {
    JobEdit(move |job| job.oom_steps.push(num))
}
