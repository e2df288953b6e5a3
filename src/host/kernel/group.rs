//! Cgroups (`cgroup(7)`): membership of processes, and usage of tasks.

use super::{Kernel, TaskAccount};
use base::ids::{Cgroup, Pid};
use base::time::Time;
use serde::{Deserialize, Serialize};

/// A cgroup.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CgroupState {
    /// The live processes, sorted.
    members: Vec<Pid>,
    /// Usage of its tasks in the order of their first processes; kept until the cgroup is removed.
    accounts: Vec<(Pid, TaskAccount)>,
}

impl CgroupState {
    /// The live processes, sorted.
    pub(super) fn members(&self) -> &[Pid] {
        &self.members
    }

    fn account(&mut self, task: Pid) -> &mut TaskAccount {
        let at = match self.accounts.binary_search_by_key(&task, |(of, _)| *of) {
            Ok(at) => at,
            Err(at) => {
                self.accounts.insert(at, (task, TaskAccount::default()));
                at
            }
        };
        &mut self.accounts[at].1
    }
}

impl Kernel {
    /// Adds a process to a cgroup or removes it.
    pub(super) fn enlist(&mut self, cgroup: Cgroup, pid: Pid, lives: bool) {
        if !self.groups.contains(cgroup) {
            self.groups.insert(cgroup, CgroupState::default());
        }
        let Some(group) = self.groups.get_mut(cgroup) else { return };
        match (group.members.binary_search(&pid), lives) {
            (Err(at), true) => group.members.insert(at, pid),
            (Ok(at), false) => drop(group.members.remove(at)),
            (Ok(_), true) | (Err(_), false) => {}
        }
        if group.members.is_empty() && group.accounts.is_empty() {
            self.groups.remove(cgroup);
        }
    }

    /// A task's usage, mutably; `None` outside cgroups.
    pub(super) fn account(&mut self, cgroup: Cgroup, task: Pid) -> Option<&mut TaskAccount> {
        if cgroup == Cgroup(0) {
            return None;
        }
        if !self.groups.contains(cgroup) {
            self.groups.insert(cgroup, CgroupState::default());
        }
        Some(self.groups.get_mut(cgroup)?.account(task))
    }

    /// A task's usage, if the cgroup still exists.
    pub(super) fn known_account(&mut self, cgroup: Cgroup, task: Pid) -> Option<&mut TaskAccount> {
        let group = self.groups.get_mut(cgroup)?;
        let at = group.accounts.binary_search_by_key(&task, |(of, _)| *of).ok()?;
        group.accounts.get_mut(at).map(|(_, account)| account)
    }

    /// The live processes of a cgroup, by PID.
    pub(super) fn members(&self, cgroup: Cgroup) -> impl Iterator<Item = Pid> {
        self.groups.get(cgroup).into_iter().flat_map(|group| group.members.iter().copied())
    }

    /// Whether a cgroup has live processes.
    #[must_use]
    pub fn cgroup_alive(&self, cgroup: Cgroup) -> bool {
        self.members(cgroup).next().is_some()
    }

    /// Usage of the tasks of a cgroup, in the order of their first processes.
    pub fn accounts(&self, cgroup: Cgroup) -> impl Iterator<Item = &TaskAccount> {
        let accounts = self.groups.get(cgroup).map(|group| group.accounts.as_slice()).unwrap_or_default();
        accounts.iter().map(|(_, account)| account)
    }

    /// Resident memory of a cgroup's processes, MiB.
    #[must_use]
    pub fn cgroup_memory(&self, cgroup: Cgroup) -> u64 {
        self.accounts(cgroup).map(|a| a.memory).sum()
    }

    /// CPU time of a cgroup's processes until `now`, including ended ones, microseconds.
    #[must_use]
    pub fn cgroup_cpu_time(&self, cgroup: Cgroup, now: Time) -> i64 {
        self.accounts(cgroup).map(|a| a.cpu.at(now)).sum()
    }

    /// Removes a cgroup.
    pub fn forget_cgroup(&mut self, cgroup: Cgroup) {
        if let Some(group) = self.groups.get_mut(cgroup) {
            group.accounts.clear();
            if group.members.is_empty() {
                self.groups.remove(cgroup);
            }
        }
    }
}
