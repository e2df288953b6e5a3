//! Tracking groups (`cgroup(7)`): who lives in one, and what its tasks used.

use super::{Account, Kernel};
use crate::base::ids::{Cgroup, Pid};
use crate::base::time::Time;
use serde::{Deserialize, Serialize};

/// A tracking group.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// Its living processes, sorted.
    members: Vec<Pid>,
    /// What its tasks used, in the order of their first processes; until the group is forgotten.
    accounts: Vec<(Pid, Account)>,
}

impl Group {
    /// Its living processes, sorted.
    pub(super) fn members(&self) -> &[Pid] {
        &self.members
    }

    fn account(&mut self, task: Pid) -> &mut Account {
        let at = match self.accounts.binary_search_by_key(&task, |(of, _)| *of) {
            Ok(at) => at,
            Err(at) => {
                self.accounts.insert(at, (task, Account::default()));
                at
            }
        };
        &mut self.accounts[at].1
    }
}

impl Kernel {
    /// A process lives in a tracking group from now on, or no longer.
    pub(super) fn enlist(&mut self, cgroup: Cgroup, pid: Pid, lives: bool) {
        if !self.groups.contains(cgroup) {
            self.groups.insert(cgroup, Group::default());
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

    /// What a task used, to be changed; nobody counts outside of tracking groups.
    pub(super) fn account(&mut self, cgroup: Cgroup, task: Pid) -> Option<&mut Account> {
        if cgroup == Cgroup(0) {
            return None;
        }
        if !self.groups.contains(cgroup) {
            self.groups.insert(cgroup, Group::default());
        }
        Some(self.groups.get_mut(cgroup)?.account(task))
    }

    /// What a task used, if that is still known.
    pub(super) fn known_account(&mut self, cgroup: Cgroup, task: Pid) -> Option<&mut Account> {
        let group = self.groups.get_mut(cgroup)?;
        let at = group.accounts.binary_search_by_key(&task, |(of, _)| *of).ok()?;
        group.accounts.get_mut(at).map(|(_, account)| account)
    }

    /// The living processes of a tracking group, by number.
    pub(super) fn members(&self, cgroup: Cgroup) -> impl Iterator<Item = Pid> {
        self.groups.get(cgroup).into_iter().flat_map(|group| group.members.iter().copied())
    }

    /// Whether any living process belongs to the tracking group.
    #[must_use]
    pub fn cgroup_alive(&self, cgroup: Cgroup) -> bool {
        self.members(cgroup).next().is_some()
    }

    /// What the tasks of a tracking group used so far, in the order of their first processes.
    pub fn accounts(&self, cgroup: Cgroup) -> impl Iterator<Item = &Account> {
        let accounts = self.groups.get(cgroup).map(|group| group.accounts.as_slice()).unwrap_or_default();
        accounts.iter().map(|(_, account)| account)
    }

    /// The resident memory of a tracking group's processes, MiB.
    #[must_use]
    pub fn cgroup_memory(&self, cgroup: Cgroup) -> u64 {
        self.accounts(cgroup).map(|a| a.memory).sum()
    }

    /// CPU time that a tracking group's processes used until `now`, ended ones included, microseconds.
    #[must_use]
    pub fn cgroup_cpu_time(&self, cgroup: Cgroup, now: Time) -> i64 {
        self.accounts(cgroup).map(|a| a.cpu.at(now)).sum()
    }

    /// A tracking group that nobody asks about any more.
    pub fn forget_cgroup(&mut self, cgroup: Cgroup) {
        if let Some(group) = self.groups.get_mut(cgroup) {
            group.accounts.clear();
            if group.members.is_empty() {
                self.groups.remove(cgroup);
            }
        }
    }
}
