//! Resource accounting: CPU time, memory and GPUs of tasks and hosts, as `cgroup(7)` keeps it.
//!
//! Cost: no periodic sampling. A process reports its CPU load when it changes ([`Kernel::set_load`]), and
//! readers extrapolate to the current time. A *task* is the first process of a cgroup and its descendants.

use super::super::Hardware;
use super::{Kernel, Process};
use base::ids::{Cgroup, Pid};
use base::time::Time;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// CPU time of starting a program, microseconds.
pub const EXEC_COST: i64 = 3_000;

/// A CPU time counter: the time used until a moment, and the load since then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meter {
    /// Microseconds of CPU time until `since`.
    used: i64,
    /// Load since then, in hundredths of a CPU.
    load: u32,
    since: Time,
}

impl Meter {
    /// Microseconds of CPU time until `now`.
    #[must_use]
    pub fn at(&self, now: Time) -> i64 {
        let ran = (now - self.since).0.max(0);
        self.used.saturating_add(ran.saturating_mul(self.load.into()) / 100)
    }

    /// Current load in hundredths of a CPU.
    #[must_use]
    pub const fn load(&self) -> u32 {
        self.load
    }

    /// Adds CPU time.
    pub fn add(&mut self, micros: i64) {
        self.used = self.used.saturating_add(micros);
    }

    /// Changes the load.
    fn change(&mut self, more: i64, now: Time) {
        *self = Self {
            used: self.at(now),
            load: u32::try_from(i64::from(self.load) + more).unwrap_or(0),
            since: now,
        };
    }
}

/// A process's use of a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GpuUse {
    /// The device's index on its host.
    pub index: u32,
    /// The utilisation in percent that it would reach alone.
    pub load: u32,
    /// MiB of the GPU's memory.
    pub memory: u64,
}

/// Resource usage of a task's processes so far, including ended ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskAccount {
    /// CPU time.
    pub cpu: Meter,
    /// Current resident memory, MiB.
    pub memory: u64,
    /// Peak resident memory, MiB.
    pub peak: u64,
}

impl Kernel {
    /// Sets a process's resident memory in MiB.
    pub fn set_memory(&mut self, pid: Pid, mebibytes: u64) {
        let Ok(process) = self.living_mut(pid) else { return };
        let before = std::mem::replace(&mut process.rss, mebibytes);
        let (cgroup, task, host) = (process.origin.cgroup, process.task, process.origin.host.clone());
        self.count_memory(cgroup, task, &host, before, mebibytes);
    }

    /// Updates the memory of a process's task and host.
    pub(super) fn count_memory(
        &mut self,
        cgroup: Cgroup,
        task: Pid,
        host: &Arc<str>,
        before: u64,
        after: u64,
    ) {
        if before == after {
            return;
        }
        let on_host = self.memory.entry(host.clone()).or_default();
        *on_host = (*on_host + after).saturating_sub(before);
        if *on_host == 0 {
            self.memory.remove(host);
        }
        if let Some(account) = self.account(cgroup, task) {
            account.memory = (account.memory + after).saturating_sub(before);
            account.peak = account.peak.max(account.memory);
        }
    }

    /// Takes back memory that a limit denied, so it does not count towards a peak.
    pub fn refuse_memory(&mut self, pid: Pid, mebibytes: u64) {
        let Ok(process) = self.living_mut(pid) else { return };
        let (cgroup, task) = (process.origin.cgroup, process.task);
        if let Some(account) = self.account(cgroup, task).filter(|account| account.peak == account.memory) {
            account.peak = account.peak.saturating_sub(mebibytes);
        }
    }

    /// Sets a process's load in hundredths of a CPU from `now` on.
    pub fn set_load(&mut self, pid: Pid, load: u32, now: Time) {
        let Ok(process) = self.living_mut(pid) else { return };
        let more = i64::from(load) - i64::from(process.cpu.load);
        process.cpu.change(more, now);
        let (cgroup, task) = (process.origin.cgroup, process.task);
        if more != 0
            && let Some(account) = self.account(cgroup, task)
        {
            account.cpu.change(more, now);
        }
    }

    /// Charges CPU time to a process, microseconds.
    pub fn charge_cpu(&mut self, pid: Pid, micros: i64) {
        let Ok(process) = self.living_mut(pid) else { return };
        process.cpu.add(micros);
        let (cgroup, task) = (process.origin.cgroup, process.task);
        if let Some(account) = self.account(cgroup, task) {
            account.cpu.add(micros);
        }
    }

    /// Ends the load of a process that ended at `now`.
    pub fn end_load(&mut self, pid: Pid, cgroup: Cgroup, task: Pid, load: u32, now: Time) {
        if load == 0 {
            return;
        }
        if let Some(zombie) = self.processes.get_mut(pid) {
            zombie.cpu.change(-i64::from(load), now);
        }
        if let Some(account) = self.known_account(cgroup, task) {
            account.cpu.change(-i64::from(load), now);
        }
    }

    /// Sets the GPUs that a process uses. Wakes the other users of these GPUs because their share may change.
    pub fn set_gpus(&mut self, pid: Pid, gpus: Vec<GpuUse>) {
        let Ok(process) = self.living_mut(pid) else { return };
        if process.gpus == gpus {
            return;
        }
        let before = std::mem::replace(&mut process.gpus, gpus);
        if process.gpus.is_empty() {
            self.gpu_users.remove(&pid);
        } else {
            self.gpu_users.insert(pid);
        }
        self.wake_gpu_users(pid, &before);
    }

    /// Wakes the other users of GPUs that `pid` uses or used.
    pub(super) fn wake_gpu_users(&mut self, pid: Pid, before: &[GpuUse]) {
        let Some(process) = self.processes.get(pid) else { return };
        let mut changed: Vec<u32> = before.iter().chain(&process.gpus).map(|g| g.index).collect();
        changed.dedup();
        let host = process.origin.host.clone();
        let others: Vec<Pid> = self
            .gpu_users(&host)
            .filter(|p| p.pid != pid && p.gpus.iter().any(|g| changed.contains(&g.index)))
            .map(|p| p.pid)
            .collect();
        for other in others {
            self.wake(other);
        }
    }

    /// The live processes on a host that use GPUs, by PID.
    pub fn gpu_users<'a>(&'a self, host: &'a str) -> impl Iterator<Item = &'a Process> {
        let users = self.gpu_users.iter().filter_map(|pid| self.processes.get(*pid));
        users.filter(move |p| *p.origin.host == *host && p.status.is_none())
    }

    /// A host's hardware, if known.
    #[must_use]
    pub fn hardware(&self, host: &str) -> Option<&Hardware> {
        self.hardware.get(host)
    }

    /// Sets a host's hardware.
    pub fn set_hardware(&mut self, host: &str, hardware: Hardware) {
        Arc::make_mut(&mut self.hardware).insert(host.into(), hardware);
    }

    /// Resident memory of a host's processes, MiB.
    #[must_use]
    pub fn host_memory(&self, host: &str) -> u64 {
        self.memory.get(host).copied().unwrap_or(0)
    }

    /// Load of a host in hundredths of a CPU.
    #[must_use]
    pub fn host_load(&self, host: &str) -> u64 {
        let running =
            self.processes.values().filter(|p| *p.origin.host == *host && p.status.is_none() && !p.stopped);
        running.map(|p| u64::from(p.cpu.load)).sum()
    }
}

impl Process {
    /// CPU time used until `now`, microseconds.
    #[must_use]
    pub fn cpu_time(&self, now: Time) -> i64 {
        self.cpu.at(now)
    }

    /// Load in hundredths of a CPU.
    #[must_use]
    pub fn load(&self) -> u32 {
        self.cpu.load
    }

    /// CPU time of reaped children and their descendants, microseconds (`RUSAGE_CHILDREN`).
    #[must_use]
    pub fn children_cpu_time(&self) -> i64 {
        self.children_cpu
    }
}
