//! Processes on this machine: signals, and finding what a cluster started.
//!
//! The environment of every program of a job names its cluster and its job, and its children inherit it. `/proc` shows
//! them, so this works on Linux only; elsewhere only process groups are killed.

use crate::directory::ClusterDir;
use crate::{JOB_MARK, VARIABLE};
use base::ids::JobId;
use host::Signal;
use rustix::process::{Pid as MachinePid, Signal as MachineSignal, kill_process as kill, kill_process_group};
use std::collections::BTreeMap;
use std::fs;

/// Maximum number of scans of all processes. A process forked during one scan is found in the next.
const MAX_LOOKS: usize = 20;

/// Longest wait for all processes of a program to stop, in milliseconds.
const PATIENCE: u32 = 100;

/// The programs to find.
#[derive(Clone, Copy, Debug)]
pub enum Mark {
    /// The programs of a job.
    Job(JobId),
    /// The programs of all jobs.
    Cluster,
}

impl Mark {
    fn fits(self, cluster: &str, environ: &[u8]) -> bool {
        let has = |wanted: &str, whole: bool| {
            let is = |variable: &[u8]| {
                if whole { variable == wanted.as_bytes() } else { variable.starts_with(wanted.as_bytes()) }
            };
            environ.split(|byte| *byte == 0).any(is)
        };
        has(cluster, true)
            && match self {
                Self::Job(job) => has(&format!("{JOB_MARK}={job}"), true),
                Self::Cluster => has(&format!("{JOB_MARK}="), false),
            }
    }
}

/// Kills all marked programs.
pub fn kill_marked(dir: &ClusterDir, mark: Mark) {
    let cluster = format!("{VARIABLE}={}", dir.path().display());
    for _ in 0..MAX_LOOKS {
        let mut found = false;
        for pid in all() {
            if fs::read(format!("/proc/{pid}/environ")).is_ok_and(|environ| mark.fits(&cluster, &environ)) {
                found = true;
                kill_process(Some(pid), Signal::KILL.number());
            }
        }
        if !found {
            return;
        }
    }
}

/// All other processes.
fn all() -> impl Iterator<Item = u32> {
    let own = std::process::id();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(move |pid| *pid != own)
}

/// The parent of every process.
fn parents() -> BTreeMap<u32, u32> {
    let parent = |pid: u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name, in parentheses, may contain anything.
        let (_, rest) = stat.rsplit_once(')')?;
        rest.split_ascii_whitespace().nth(1)?.parse().ok()
    };
    all().filter_map(|pid| Some((pid, parent(pid)?))).collect()
}

/// The children of a process.
pub fn children_of(pid: u32) -> Vec<u32> {
    parents().into_iter().filter(|(_, parent)| *parent == pid).map(|(child, _)| child).collect()
}

/// The children of a process, their children, and so on.
pub fn descendants_of(pid: u32) -> Vec<u32> {
    let parents = parents();
    let mut found = vec![pid];
    let mut at = 0;
    while let Some(parent) = found.get(at).copied() {
        found.extend(parents.iter().filter(|(_, of)| **of == parent).map(|(child, _)| *child));
        at += 1;
    }
    found.split_off(1)
}

fn machine_signal(number: u8) -> Option<MachineSignal> {
    MachineSignal::from_named_raw(number.into())
}

fn machine_pid(number: u32) -> Option<MachinePid> {
    i32::try_from(number).ok().and_then(MachinePid::from_raw)
}

/// Signals a process. A process that has ended is not an error.
pub fn kill_process(machine: Option<u32>, number: u8) {
    if let (Some(pid), Some(signal)) = (machine.and_then(machine_pid), machine_signal(number)) {
        let _ = kill(pid, signal);
    }
}

/// Signals a process group.
pub fn kill_group(machine: u32, number: u8) {
    if let (Some(pid), Some(signal)) = (machine_pid(machine), machine_signal(number)) {
        let _ = kill_process_group(pid, signal);
    }
}

/// Stops or continues a program with everything that it started, as slurmd does with the processes of a step.
///
/// A shell stops before its children and continues after them, so that it does not see them stopped and take their terminal.
pub fn freeze(machine: u32, stopped: bool) {
    let number = if stopped { Signal::STOP } else { Signal::CONT }.number();
    if !stopped {
        for pid in descendants_of(machine).into_iter().rev() {
            kill_process(Some(pid), number);
        }
        kill_group(machine, number);
        return;
    }
    kill_group(machine, number);
    let mut patience = PATIENCE;
    wait_for_stop(machine, &mut patience);
    let mut known = Vec::new();
    for _ in 0..MAX_LOOKS {
        // What was forked before its parent stopped is found in the next scan.
        let found: Vec<u32> =
            descendants_of(machine).into_iter().filter(|pid| !known.contains(pid)).collect();
        if found.is_empty() {
            return;
        }
        for pid in found {
            kill_process(Some(pid), number);
            wait_for_stop(pid, &mut patience);
            known.push(pid);
        }
    }
}

/// Waits until a process that got SIGSTOP has stopped: until then, it may still see its children stop. `patience` counts
/// milliseconds.
fn wait_for_stop(pid: u32, patience: &mut u32) {
    let runs = || {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (_, rest) = stat.rsplit_once(')')?;
        Some(!rest.trim_start().starts_with(['T', 't', 'Z', 'X']))
    };
    while *patience > 0 && runs() == Some(true) {
        *patience -= 1;
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_whole_variables() {
        let environ = b"PATH=/bin\0SANDBATCH_CLUSTER=/tmp/c\0SANDBATCH_JOB=12\0";
        let cluster = "SANDBATCH_CLUSTER=/tmp/c";
        assert!(Mark::Job(JobId(12)).fits(cluster, environ) && Mark::Cluster.fits(cluster, environ));
        assert!(!Mark::Job(JobId(1)).fits(cluster, environ));
        assert!(!Mark::Cluster.fits("SANDBATCH_CLUSTER=/tmp", environ));
        // A shell of the user, which does not belong to a job.
        assert!(!Mark::Cluster.fits(cluster, b"SANDBATCH_CLUSTER=/tmp/c\0"));
    }
}
