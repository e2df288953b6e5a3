//! Invariants of the kernel's tables, for tests.

use super::super::Wait;
use super::super::fs::Ino;
use super::{FileTarget, Kernel, PIPE_SIZE, Process, WaitResource};
use base::ids::{Pid, Uid};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

impl Kernel {
    /// Checks the invariants between two slices: reference counts, no lost wake-ups, a consistent process
    /// tree.
    ///
    /// # Errors
    /// One sentence per violated invariant.
    pub fn check(&self) -> Result<(), Vec<String>> {
        let mut wrong = Vec::new();
        self.fs.check(&mut wrong);
        self.check_files(&mut wrong);
        self.check_counts(&mut wrong);
        for process in self.processes.values() {
            self.check_family(process, &mut wrong);
            self.check_running(process, &mut wrong);
        }
        let queue: BTreeSet<Pid> = self.ready.iter().copied().collect();
        let queued = self.processes.values().filter(|process| process.queued).map(|process| process.pid);
        if queue.len() != self.ready.len() || !queued.eq(queue) {
            wrong.push(format!("the ready queue is wrong: {:?}", self.ready));
        }
        let registered: BTreeSet<(WaitResource, Pid)> = self
            .processes
            .values()
            .flat_map(|process| process.registered.iter().map(|resource| (*resource, process.pid)))
            .collect();
        if registered != self.waiters {
            wrong.push("the list of waiters is wrong".to_owned());
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    /// Checks open files against descriptors, pipes and inodes.
    fn check_files(&self, wrong: &mut Vec<String>) {
        let mut refs: BTreeMap<u64, u32> = BTreeMap::new();
        for file in self.processes.values().flat_map(|process| process.fds.values()) {
            *refs.entry((*file).into()).or_default() += 1;
        }
        let kept: BTreeMap<u64, u32> = self.files.iter().map(|(number, file)| (number, file.refs)).collect();
        if refs != kept {
            wrong.push(format!("descriptors lead to open files {refs:?}, which count {kept:?}"));
        }
        let (mut ends, mut inodes) = (BTreeMap::new(), BTreeMap::new());
        for file in self.files.values() {
            match file.what {
                FileTarget::Inode(ino) => *inodes.entry(ino).or_insert(0) += 1,
                FileTarget::PipeRead(pipe) => ends.entry(pipe).or_insert((0, 0)).0 += 1,
                FileTarget::PipeWrite(pipe) => ends.entry(pipe).or_insert((0, 0)).1 += 1,
                #[cfg(feature = "real-host")]
                FileTarget::RealHost(_) => {}
                FileTarget::Tty(_)
                | FileTarget::Master(_)
                | FileTarget::Null
                | FileTarget::Zero
                | FileTarget::Full
                | FileTarget::Urandom => {}
            }
        }
        let counted: BTreeMap<u32, (u32, u32)> =
            self.pipes.iter().map(|(number, pipe)| (*number, (pipe.readers, pipe.writers))).collect();
        if ends != counted {
            wrong.push(format!("open files lead to pipes {ends:?}, which count {counted:?}"));
        }
        if self.pipes.values().any(|pipe| pipe.data.len() > PIPE_SIZE) {
            wrong.push("a pipe holds more than it can".to_owned());
        }
        let counted: BTreeMap<Ino, u32> = self.fs.open_counts().collect();
        if inodes != counted {
            wrong.push(format!("open files lead to {inodes:?}, the tree counts {counted:?}"));
        }
    }

    fn check_counts(&self, wrong: &mut Vec<String>) {
        let mut counts: BTreeMap<(Uid, Arc<str>), u32> = BTreeMap::new();
        let mut members: BTreeSet<(u64, Pid)> = BTreeSet::new();
        for process in self.processes.values() {
            *counts.entry((process.origin.uid, process.origin.host.clone())).or_default() += 1;
            if process.status.is_none() {
                members.insert((process.origin.cgroup.into(), process.pid));
            }
        }
        let counted = counts.into_iter().map(|((uid, host), count)| (uid, host, count));
        let listed: BTreeSet<(u64, Pid)> = self
            .groups
            .iter()
            .flat_map(|(number, group)| group.members().iter().map(move |pid| (number, *pid)))
            .collect();
        if !counted.eq(self.counts.iter().cloned()) || members != listed {
            wrong.push("the counts of processes are wrong".to_owned());
        }
    }

    fn check_family(&self, process: &Process, wrong: &mut Vec<String>) {
        let pid = process.pid;
        let parent = self.processes.get(process.parent);
        if parent.is_some_and(|parent| !parent.children.contains(&pid)) {
            wrong.push(format!("process {pid} is no child of its parent {}", process.parent));
        }
        if process.parent != Pid(0) && parent.is_none_or(|parent| parent.status.is_some()) {
            wrong.push(format!("process {pid} has a parent {} that is gone", process.parent));
        }
        if process.parent == Pid(0) && process.status.is_some() {
            wrong.push(format!("no parent will reap process {pid}"));
        }
        if process.children.iter().any(|child| self.processes.get(*child).is_none_or(|c| c.parent != pid)) {
            wrong.push(format!("process {pid} has a child that is not its own"));
        }
        let leftover = !process.fds.is_empty() || !process.children.is_empty() || process.queued;
        if process.status.is_some() && (leftover || process.waiting.is_some() || process.stopped) {
            wrong.push(format!("process {pid} is dead and still at work"));
        }
    }

    /// Checks that no process waits for a condition that holds, and that no waiting process is in the ready
    /// queue.
    fn check_running(&self, process: &Process, wrong: &mut Vec<String>) {
        let pid = process.pid;
        let Some(wait) = &process.waiting else {
            if process.registered.iter().any(|resource| !resource.is_watched()) {
                wrong.push(format!("process {pid} does not wait and is registered"));
            }
            return;
        };
        if process.queued {
            wrong.push(format!("process {pid} waits and is ready"));
        }
        if self.is_satisfied(pid, wait) || (!process.stopped && !process.pending.is_empty()) {
            wrong.push(format!("process {pid} was not woken from {wait:?}"));
        }
    }

    fn is_satisfied(&self, pid: Pid, wait: &Wait) -> bool {
        match wait {
            Wait::Readable(fd) => self.readable(pid, *fd),
            Wait::Writable(fd) => self.writable(pid, *fd),
            Wait::Child => self.living(pid).is_ok_and(|process| process.child_news),
            Wait::Watched => {
                self.living(pid).is_ok_and(|process| process.watched().any(|fd| self.readable(pid, fd)))
            }
            Wait::Until(_) | Wait::Wakeup => false,
            Wait::Any(waits) => waits.iter().any(|wait| self.is_satisfied(pid, wait)),
        }
    }
}
