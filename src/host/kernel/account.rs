//! What processes use: CPU time, memory and GPUs, added up as they change, for tasks and hosts as `cgroup(7)` keeps it.
//!
//! Nobody wakes up to count: a process says how many CPUs it keeps busy from now on ([`Kernel::set_load`]), and
//! whoever asks gets the time up to then. A *task* is the first process of a tracking group and what descends from it.

use super::super::Hardware;
use super::{Kernel, Process};
use crate::base::ids::{Cgroup, Pid};
use crate::base::time::Time;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What starting a program costs it, microseconds of CPU time.
pub const EXEC_COST: i64 = 3_000;

/// CPU time that goes on running: what was used until a moment, and how many hundredths of a CPU are busy since.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meter {
    /// Microseconds of CPU time until `since`.
    used: i64,
    /// Hundredths of a CPU from then on.
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

    /// Hundredths of a CPU that are busy.
    #[must_use]
    pub const fn load(&self) -> u32 {
        self.load
    }

    /// More CPU time at once.
    pub fn add(&mut self, micros: i64) {
        self.used = self.used.saturating_add(micros);
    }

    /// The load changes by so much.
    fn change(&mut self, more: i64, now: Time) {
        *self = Self {
            used: self.at(now),
            load: u32::try_from(i64::from(self.load) + more).unwrap_or(0),
            since: now,
        };
    }
}

/// A part of a GPU that a process uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GpuUse {
    /// The number of the device on its host.
    pub index: u32,
    /// Per cent of the GPU that it would keep busy if it were alone.
    pub load: u32,
    /// MiB of the GPU's memory.
    pub memory: u64,
}

/// What the processes of a task used so far, ended ones included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// CPU time.
    pub cpu: Meter,
    /// Resident memory now, MiB.
    pub memory: u64,
    /// The most that it was, MiB.
    pub peak: u64,
}

impl Kernel {
    /// The resident memory of a process is so many MiB from now on.
    pub fn set_memory(&mut self, pid: Pid, mebibytes: u64) {
        let Ok(process) = self.living_mut(pid) else { return };
        let before = std::mem::replace(&mut process.rss, mebibytes);
        let (cgroup, task, host) = (process.origin.cgroup, process.task, process.origin.host.clone());
        self.count_memory(cgroup, task, &host, before, mebibytes);
    }

    /// A process' memory in its task's account and on its host.
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

    /// The last so many MiB that a process took it did not get: a limit was before them, so they are in no peak.
    pub fn refuse_memory(&mut self, pid: Pid, mebibytes: u64) {
        let Ok(process) = self.living_mut(pid) else { return };
        let (cgroup, task) = (process.origin.cgroup, process.task);
        if let Some(account) = self.account(cgroup, task).filter(|account| account.peak == account.memory) {
            account.peak = account.peak.saturating_sub(mebibytes);
        }
    }

    /// A process keeps so many hundredths of a CPU busy from `now` on.
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

    /// A process used CPU time, microseconds.
    pub fn charge_cpu(&mut self, pid: Pid, micros: i64) {
        let Ok(process) = self.living_mut(pid) else { return };
        process.cpu.add(micros);
        let (cgroup, task) = (process.origin.cgroup, process.task);
        if let Some(account) = self.account(cgroup, task) {
            account.cpu.add(micros);
        }
    }

    /// A process ended at `now` that kept so much of a CPU busy: from now on it does not.
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

    /// The GPUs that a process uses from now on. Who uses one of them, too, is woken: it may have more or less of it.
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

    /// Wakes everybody else who uses a GPU that `pid` uses or used.
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

    /// The living processes on a host that use GPUs, by number.
    pub fn gpu_users<'a>(&'a self, host: &'a str) -> impl Iterator<Item = &'a Process> {
        let users = self.gpu_users.iter().filter_map(|pid| self.processes.get(*pid));
        users.filter(move |p| *p.origin.host == *host && p.status.is_none())
    }

    /// What a host is made of, where that is known.
    #[must_use]
    pub fn hardware(&self, host: &str) -> Option<&Hardware> {
        self.hardware.get(host)
    }

    /// A host is made of that.
    pub fn set_hardware(&mut self, host: &str, hardware: Hardware) {
        Arc::make_mut(&mut self.hardware).insert(host.into(), hardware);
    }

    /// The resident memory of a host's processes, MiB.
    #[must_use]
    pub fn host_memory(&self, host: &str) -> u64 {
        self.memory.get(host).copied().unwrap_or(0)
    }

    /// How many hundredths of CPUs are busy on a host.
    #[must_use]
    pub fn host_load(&self, host: &str) -> u64 {
        let there =
            self.processes.values().filter(|p| *p.origin.host == *host && p.status.is_none() && !p.stopped);
        there.map(|p| u64::from(p.cpu.load)).sum()
    }
}

impl Process {
    /// CPU time used until `now`, microseconds.
    #[must_use]
    pub fn cpu_time(&self, now: Time) -> i64 {
        self.cpu.at(now)
    }

    /// Hundredths of a CPU that it keeps busy.
    #[must_use]
    pub fn load(&self) -> u32 {
        self.cpu.load
    }

    /// CPU time of the children that it has waited for, with theirs, microseconds (`RUSAGE_CHILDREN`).
    #[must_use]
    pub fn children_cpu_time(&self) -> i64 {
        self.children_cpu
    }
}
