//! srun's messages about finished tasks, and its exit code.

use super::launch::SrunTask;
use crate::Cx;
use base::ids::JobId;
use base::time::Time;
use host::{Signal, Status};
use slurmctld::job::{ExitCode, JobState};
use slurmctld::request::StepLayout;

/// `task 0`, `tasks 0-1,4`.
pub fn ranks(list: &[u32]) -> String {
    let set = list.iter().copied().collect();
    let text = crate::slurm::jobtext::task_list(&set);
    if list.len() == 1 { format!("task {text}") } else { format!("tasks {text}") }
}

/// One line per node and kind of failure, in the order of the ends. `oom`: the OOM killer was active.
pub fn ends(ended: &[(String, u32, Status)], oom: bool) -> Vec<String> {
    let mut groups: Vec<(&str, String, Vec<u32>)> = Vec::new();
    for (node, rank, status) in ended {
        let text = match status {
            Status::Exited(0) => continue,
            Status::Exited(code) => format!("Exited with exit code {code}"),
            Status::Signaled(Signal::KILL) if oom => "Out Of Memory".to_owned(),
            Status::Signaled(signal) => signal.text().to_owned(),
        };
        match groups.iter_mut().find(|g| g.0 == node && g.1 == text) {
            Some(group) => group.2.push(*rank),
            None => groups.push((node, text, vec![*rank])),
        }
    }
    groups
        .into_iter()
        .map(|(node, text, list)| format!("srun: error: {node}: {}: {text}", ranks(&list)))
        .collect()
}

/// Whether a task's message is about a program that was not found in any directory of the path.
pub fn searched(note: &str) -> bool {
    let missing = note.strip_suffix(": No such file or directory");
    let name = missing.and_then(|rest| rest.split_once("execve(): ")).map_or("", |(_, name)| name);
    !name.is_empty() && !name.contains('/')
}

/// srun's exit code if the OOM killer ended processes: 128 plus 125, the code for it.
pub const OOM_CODE: u8 = 253;

/// slurmstepd's message at the end of a step with this number of OOM kills.
pub fn oom(now: Time, layouts: &[StepLayout], kills: usize) -> String {
    let step = layouts.first().map(|l| l.step.to_string()).unwrap_or_default();
    let events = if kills == 1 { "event" } else { "events" };
    let stamp = now.iso_millis();
    format!(
        "[{stamp}] error: Detected {kills} oom_kill {events} in StepId={step}. Some of the step tasks have been OOM Killed."
    )
}

/// The exit code in a step's record: the highest wait status, in which a code weighs more than a signal.
pub fn recorded<'a>(tasks: impl Iterator<Item = &'a SrunTask>) -> ExitCode {
    let exit = |status| match status {
        Status::Exited(code) => ExitCode { code, signal: 0 },
        Status::Signaled(signal) => ExitCode { code: 0, signal: signal.number() },
    };
    tasks.filter_map(|t| t.status).map(exit).max_by_key(|e| (e.code, e.signal)).unwrap_or_default()
}

/// srun's exit code (the highest of the tasks), and the exit code of its own job.
pub fn result<'a>(tasks: impl Iterator<Item = &'a SrunTask>) -> (u8, ExitCode) {
    let worst = tasks.filter_map(|t| t.status).max_by_key(|s| s.shell_code());
    match worst {
        None => (0, ExitCode::default()),
        Some(Status::Exited(code)) => (code, ExitCode { code, signal: 0 }),
        Some(status @ Status::Signaled(signal)) => {
            (status.shell_code(), ExitCode { code: 0, signal: signal.number() })
        }
    }
}

/// The message of `-v` about a starting step.
pub fn launching(cx: &mut Cx, job: JobId, layouts: &[StepLayout]) {
    let state = cx.cluster.state();
    let parts =
        state.jobs.get(job).and_then(|j| j.allocation.as_ref()).map_or(&[][..], |a| a.nodes.as_slice());
    let names = state.jobs.get(job).map(|j| j.nodes_text.clone()).unwrap_or_default();
    let cpus: Vec<u32> = parts.iter().map(|p| p.usable).collect();
    let counts = slurmctld::jobenv::folded_always(&cpus);
    let mut lines =
        vec![format!("srun: jobid {job}: nodes({}):`{names}', cpu counts: {counts}", parts.len())];
    for layout in layouts {
        for node in &layout.nodes {
            let (step, count) = (layout.step, node.ranks.len());
            let list = crate::slurm::jobtext::task_list(&node.ranks.iter().copied().collect());
            let list = if count == 1 { list } else { format!("[{list}]") };
            lines.push(format!("srun: launching StepId={step} on host {}, {count} tasks: {list}", node.name));
        }
    }
    for node in layouts.iter().flat_map(|l| &l.nodes) {
        lines.push(format!("srun: Node {}, {} tasks started", node.name, node.ranks.len()));
    }
    for line in lines {
        cx.complain(&line);
    }
}

/// Why the end of a job ends its steps, in slurmstepd's words.
pub const fn why(state: JobState) -> &'static str {
    match state {
        JobState::Timeout => "DUE TO TIME LIMIT",
        JobState::Preempted => "DUE TO PREEMPTION",
        JobState::NodeFail => "DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS",
        JobState::Pending
        | JobState::Running
        | JobState::Suspended
        | JobState::Complete
        | JobState::Cancelled
        | JobState::Failed
        | JobState::BootFail
        | JobState::Deadline
        | JobState::OutOfMemory => "DUE to SIGNAL Terminated",
    }
}

/// slurmstepd's message when a step is ended from outside.
pub fn cancelled(now: Time, layouts: &[StepLayout], why: &str) -> String {
    let layout = layouts.first();
    let node = layout.and_then(|l| l.nodes.first()).map_or("", |n| n.name.as_str());
    let step = layout.map(|l| l.step.to_string()).unwrap_or_default();
    format!("[{}] error: *** STEP {step} ON {node} CANCELLED AT {now} {why} ***", now.iso_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_as_recorded() {
        let end = |rank, status| ("cn01".to_owned(), rank, status);
        assert_eq!(
            ends(&[end(0, Status::Exited(1)), end(1, Status::Exited(1))], false),
            ["srun: error: cn01: tasks 0-1: Exited with exit code 1"]
        );
        assert_eq!(
            ends(&[end(0, Status::Signaled(Signal::KILL))], false),
            ["srun: error: cn01: task 0: Killed"]
        );
        assert!(ends(&[end(0, Status::Exited(0))], true).is_empty());
    }
}
