//! Scheduling of processes: ready queue, waits and wake-ups.
//!
//! Invariant: no change of a resource that a process waits for happens without a wake-up.

use super::super::{Fd, KernelEvent, Wait};
use super::{FileTarget, Kernel, PIPE_SIZE, WaitResource};
use base::ids::Pid;
use base::time::Time;

/// Writes of up to this many bytes to a pipe are atomic (`PIPE_BUF`), so a pipe is writable if it has this much
/// space.
pub(super) const PIPE_BUF: usize = 4096;

impl Kernel {
    /// Removes and returns the next ready process.
    pub fn next_ready(&mut self) -> Option<Pid> {
        let pid = self.ready.pop_front()?;
        if let Some(process) = self.processes.get_mut(pid) {
            process.queued = false;
        }
        Some(pid)
    }

    /// Whether any process is ready.
    #[must_use]
    pub fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Live processes that are neither ready nor waiting nor stopped. There must be none between two slices.
    pub fn lost(&self) -> impl Iterator<Item = Pid> {
        let living = self.processes.values().filter(|process| process.status.is_none());
        living
            .filter(|process| !process.queued && process.waiting.is_none() && !process.stopped)
            .map(|process| process.pid)
    }

    /// Puts a process with more work at the end of the ready queue.
    pub fn requeue(&mut self, pid: Pid) {
        self.enqueue(pid);
    }

    /// Adds a process to the ready queue once; a stopped process only when it is continued.
    pub(super) fn enqueue(&mut self, pid: Pid) {
        if let Ok(process) = self.living_mut(pid)
            && !process.queued
            && !process.stopped
        {
            process.queued = true;
            self.ready.push_back(pid);
        }
    }

    /// Removes a process from the ready queue and from all waits.
    pub(super) fn park(&mut self, pid: Pid) {
        let Some(process) = self.processes.get_mut(pid) else { return };
        process.waiting = None;
        process.ticket = process.ticket.wrapping_add(1);
        let queued = std::mem::take(&mut process.queued);
        for resource in std::mem::take(&mut process.registered) {
            self.waiters.remove(&(resource, pid));
        }
        self.news.remove(&pid);
        if queued {
            self.ready.retain(|other| *other != pid);
        }
    }

    /// Blocks a process. If the condition already holds, or a caught signal is pending, it stays ready.
    /// Timers become [`KernelEvent::Alarm`]s.
    pub fn block(&mut self, pid: Pid, wait: Wait) {
        let Ok(process) = self.living(pid) else { return };
        if process.queued {
            // Woken during its own slice: the wake-up must not be lost.
            return;
        }
        let caught = !process.stopped && !process.pending.is_empty();
        if caught || self.holds(pid, &wait) {
            self.enqueue(pid);
            return;
        }
        let (mut resources, mut at) = (Vec::new(), None);
        self.resources(pid, &wait, &mut resources, &mut at);
        for resource in &resources {
            self.waiters.insert((*resource, pid));
        }
        let Ok(process) = self.living_mut(pid) else { return };
        process.registered.extend(resources);
        process.waiting = Some(wait);
        process.ticket = process.ticket.wrapping_add(1);
        let ticket = process.ticket;
        if let Some(at) = at {
            self.notices.push_back(KernelEvent::Alarm { at, pid, ticket });
        }
    }

    /// Whether a wait condition holds. Consumes a pending child notification.
    fn holds(&mut self, pid: Pid, wait: &Wait) -> bool {
        if matches!(wait, Wait::Readable(_) | Wait::Writable(_)) {
            self.descriptor_checks += 1;
        }
        match wait {
            Wait::Readable(fd) => self.readable(pid, *fd),
            Wait::Writable(fd) => self.writable(pid, *fd),
            Wait::Child => self
                .living_mut(pid)
                .is_ok_and(|process| std::mem::take(&mut process.child_news) || process.children.is_empty()),
            Wait::Watched => !self.watched_input(pid).is_empty(),
            Wait::Until(_) | Wait::Wakeup => false,
            Wait::Any(waits) => waits.iter().any(|wait| self.holds(pid, wait)),
        }
    }

    /// Whether a read would not return `EAGAIN`.
    pub(super) fn readable(&self, pid: Pid, fd: Fd) -> bool {
        match self.target(pid, fd) {
            Some(FileTarget::PipeRead(pipe)) => {
                self.pipes.get(pipe).is_none_or(|pipe| !pipe.data.is_empty() || pipe.writers == 0)
            }
            Some(FileTarget::Tty(tty)) => self.tty_readable(pid, *tty),
            Some(FileTarget::Master(tty)) => self.master_readable(*tty),
            #[cfg(feature = "real-host")]
            Some(FileTarget::RealHost(_)) => true,
            Some(
                FileTarget::PipeWrite(_)
                | FileTarget::Inode(_)
                | FileTarget::Null
                | FileTarget::Zero
                | FileTarget::Full,
            )
            | Some(FileTarget::Urandom)
            | None => true,
        }
    }

    /// Whether a descriptor has input or end of file now.
    #[must_use]
    pub fn has_input(&self, pid: Pid, fd: Fd) -> bool {
        self.readable(pid, fd)
    }

    /// Whether writing [`PIPE_BUF`] bytes would not return `EAGAIN`.
    pub(super) fn writable(&self, pid: Pid, fd: Fd) -> bool {
        match self.target(pid, fd) {
            Some(FileTarget::PipeWrite(pipe)) => self
                .pipes
                .get(pipe)
                .is_none_or(|pipe| pipe.data.len() + PIPE_BUF <= PIPE_SIZE || pipe.readers == 0),
            #[cfg(feature = "real-host")]
            Some(FileTarget::RealHost(_)) => true,
            Some(
                FileTarget::PipeRead(_)
                | FileTarget::Inode(_)
                | FileTarget::Null
                | FileTarget::Zero
                | FileTarget::Full,
            )
            | Some(FileTarget::Tty(_) | FileTarget::Master(_) | FileTarget::Urandom)
            | None => true,
        }
    }

    /// The resources of a wait, and its earliest timer.
    fn resources(&self, pid: Pid, wait: &Wait, resources: &mut Vec<WaitResource>, at: &mut Option<Time>) {
        match wait {
            Wait::Readable(fd) | Wait::Writable(fd) => match self.target(pid, *fd) {
                Some(FileTarget::PipeRead(pipe)) => resources.push(WaitResource::PipeRead(*pipe)),
                Some(FileTarget::PipeWrite(pipe)) => resources.push(WaitResource::PipeWrite(*pipe)),
                Some(FileTarget::Tty(tty)) => resources.push(WaitResource::Tty(*tty)),
                Some(FileTarget::Master(tty)) => resources.push(WaitResource::Master(*tty)),
                #[cfg(feature = "real-host")]
                Some(FileTarget::RealHost(_)) => {}
                Some(
                    FileTarget::Inode(_)
                    | FileTarget::Null
                    | FileTarget::Zero
                    | FileTarget::Full
                    | FileTarget::Urandom,
                )
                | None => {}
            },
            Wait::Until(moment) => *at = Some(at.map_or(*moment, |at| at.min(*moment))),
            // Watched pipes are registered already.
            Wait::Child | Wait::Wakeup | Wait::Watched => {}
            Wait::Any(waits) => {
                for wait in waits {
                    self.resources(pid, wait, resources, at);
                }
            }
        }
    }

    /// Wakes a process from any wait.
    pub fn wake(&mut self, pid: Pid) {
        self.unblock(pid);
        self.enqueue(pid);
    }

    /// Ends a wait; no effect on processes that do not wait.
    pub(super) fn unblock(&mut self, pid: Pid) {
        let Ok(process) = self.living_mut(pid) else { return };
        if process.waiting.take().is_none() {
            return;
        }
        process.ticket = process.ticket.wrapping_add(1);
        // What the process watches stays registered, and precedes what it waited for.
        let watched = process.registered.iter().rposition(|resource| resource.is_watched());
        let registered = process.registered.split_off(watched.map_or(0, |last| last + 1));
        if !process.queued && !process.stopped {
            process.queued = true;
            self.ready.push_back(pid);
        }
        for resource in registered {
            self.waiters.remove(&(resource, pid));
        }
    }

    /// Wakes the processes that wait for a resource.
    pub(super) fn changed(&mut self, resource: WaitResource) {
        let range = (resource, Pid(0))..=(resource, Pid(u32::MAX));
        let waiters: Vec<Pid> = self.waiters.range(range).map(|(_, pid)| *pid).collect();
        for pid in waiters {
            self.unblock(pid);
        }
        if let WaitResource::PipeRead(pipe) = resource {
            self.watched_changed(pipe);
        }
    }

    /// Notifies `parent` that a child ended or stopped.
    pub(super) fn notify_parent(&mut self, parent: Pid) {
        let Ok(process) = self.living_mut(parent) else { return };
        if process.waiting.as_ref().is_some_and(waits_for_child) {
            self.unblock(parent);
        } else {
            process.child_news = true;
        }
        self.deliver(parent, super::super::Signal::CHLD);
    }

    /// Makes a ready process wait until `moment` without a slice. If it is not last in the ready queue, it is woken
    /// instead and checks the time itself.
    pub fn rest_until(&mut self, pid: Pid, moment: Time) {
        if !self.delay_until(pid, moment) {
            self.wake(pid);
        }
    }

    /// Makes the process that became ready last wait until `moment` before its next slice. False if that is another one.
    pub fn delay_until(&mut self, pid: Pid, moment: Time) -> bool {
        if self.ready.back() != Some(&pid) {
            return false;
        }
        self.ready.pop_back();
        if let Ok(process) = self.living_mut(pid) {
            process.queued = false;
        }
        self.block(pid, Wait::Until(moment));
        true
    }

    /// Whether the timer with this ticket ends a wait.
    #[must_use]
    pub fn rings(&self, pid: Pid, ticket: u32) -> bool {
        self.living(pid).is_ok_and(|p| p.ticket == ticket && p.waiting.is_some() && !p.stopped)
    }

    /// Handles a timer; stale tickets are ignored.
    pub fn alarm(&mut self, pid: Pid, ticket: u32) {
        if self.living(pid).is_ok_and(|process| process.ticket == ticket) {
            self.unblock(pid);
        }
    }

    /// Takes the events since the last call, in order.
    pub fn take_notices(&mut self) -> Vec<KernelEvent> {
        std::mem::take(&mut self.notices).into()
    }

    /// The number of pending events.
    #[must_use]
    pub fn pending_events(&self) -> usize {
        self.notices.len()
    }

    /// Takes the first pending event.
    pub fn next_notice(&mut self) -> Option<KernelEvent> {
        self.notices.pop_front()
    }
}

fn waits_for_child(wait: &Wait) -> bool {
    match wait {
        Wait::Child => true,
        Wait::Any(waits) => waits.iter().any(waits_for_child),
        Wait::Readable(_) | Wait::Writable(_) | Wait::Until(_) | Wait::Wakeup | Wait::Watched => false,
    }
}

pub(super) fn waits_for_watched(wait: &Wait) -> bool {
    match wait {
        Wait::Watched => true,
        Wait::Any(waits) => waits.iter().any(waits_for_watched),
        Wait::Readable(_) | Wait::Writable(_) | Wait::Until(_) | Wait::Wakeup | Wait::Child => false,
    }
}
