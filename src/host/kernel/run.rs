//! Who may run, who waits, and being woken: nothing that is waited for may change without a wake.

use super::super::{Fd, Notice, Wait};
use super::{Kernel, PIPE_SIZE, Resource, Target};
use crate::base::ids::Pid;
use crate::base::time::Time;

/// Writes of up to this many bytes go into a pipe in one piece or not at all (`PIPE_BUF`), so a pipe can be
/// written to once it has room for as many.
pub(super) const PIPE_BUF: usize = 4096;

impl Kernel {
    /// The next process that may run; it is no longer in the queue.
    pub fn next_ready(&mut self) -> Option<Pid> {
        let pid = self.ready.pop_front()?;
        if let Some(process) = self.processes.get_mut(pid) {
            process.queued = false;
        }
        Some(pid)
    }

    /// Whether any process may run.
    #[must_use]
    pub fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Living processes that will never run again: neither ready nor waiting nor stopped. Between two slices there
    /// must be none.
    pub fn lost(&self) -> impl Iterator<Item = Pid> {
        let living = self.processes.values().filter(|process| process.status.is_none());
        living
            .filter(|process| !process.queued && process.waiting.is_none() && !process.stopped)
            .map(|process| process.pid)
    }

    /// It has more to do: back to the end of the queue.
    pub fn requeue(&mut self, pid: Pid) {
        self.enqueue(pid);
    }

    /// Into the queue, once; a stopped process goes there when it is continued.
    pub(super) fn enqueue(&mut self, pid: Pid) {
        if let Ok(process) = self.living_mut(pid)
            && !process.queued
            && !process.stopped
        {
            process.queued = true;
            self.ready.push_back(pid);
        }
    }

    /// Out of the queue and out of every wait.
    pub(super) fn park(&mut self, pid: Pid) {
        let Some(process) = self.processes.get_mut(pid) else { return };
        process.waiting = None;
        process.ticket = process.ticket.wrapping_add(1);
        let queued = std::mem::take(&mut process.queued);
        for resource in std::mem::take(&mut process.registered) {
            self.waiters.remove(&(resource, pid));
        }
        if queued {
            self.ready.retain(|other| *other != pid);
        }
    }

    /// It waits. If the condition holds already (or a caught signal is pending) it stays ready. Moments
    /// become [`Notice::Alarm`]s.
    pub fn block(&mut self, pid: Pid, wait: Wait) {
        let Ok(process) = self.living(pid) else { return };
        if process.queued {
            // Woken during its own slice: what woke it must not be lost.
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
        process.registered = resources;
        process.waiting = Some(wait);
        process.ticket = process.ticket.wrapping_add(1);
        let ticket = process.ticket;
        if let Some(at) = at {
            self.notices.push_back(Notice::Alarm { at, pid, ticket });
        }
    }

    /// Whether a wait is over already. News of a child is used up by asking.
    fn holds(&mut self, pid: Pid, wait: &Wait) -> bool {
        match wait {
            Wait::Readable(fd) => self.readable(pid, *fd),
            Wait::Writable(fd) => self.writable(pid, *fd),
            Wait::Child => self
                .living_mut(pid)
                .is_ok_and(|process| std::mem::take(&mut process.child_news) || process.children.is_empty()),
            Wait::Until(_) | Wait::Wakeup => false,
            Wait::Any(waits) => waits.iter().any(|wait| self.holds(pid, wait)),
        }
    }

    /// Whether reading would not give `EAGAIN`.
    pub(super) fn readable(&self, pid: Pid, fd: Fd) -> bool {
        match self.target(pid, fd) {
            Some(Target::PipeRead(pipe)) => {
                self.pipes.get(pipe).is_none_or(|pipe| !pipe.data.is_empty() || pipe.writers == 0)
            }
            Some(Target::Tty(tty)) => self.tty_readable(pid, *tty),
            Some(Target::PipeWrite(_) | Target::Inode(_) | Target::Null | Target::Zero | Target::Full)
            | Some(Target::Urandom)
            | None => true,
        }
    }

    /// Whether there is something to read (or the end) at a descriptor, now.
    #[must_use]
    pub fn has_input(&self, pid: Pid, fd: Fd) -> bool {
        self.readable(pid, fd)
    }

    /// Whether writing a piece of [`PIPE_BUF`] would not give `EAGAIN`.
    pub(super) fn writable(&self, pid: Pid, fd: Fd) -> bool {
        match self.target(pid, fd) {
            Some(Target::PipeWrite(pipe)) => self
                .pipes
                .get(pipe)
                .is_none_or(|pipe| pipe.data.len() + PIPE_BUF <= PIPE_SIZE || pipe.readers == 0),
            Some(Target::PipeRead(_) | Target::Inode(_) | Target::Null | Target::Zero | Target::Full)
            | Some(Target::Tty(_) | Target::Urandom)
            | None => true,
        }
    }

    /// What a wait hangs on, and its earliest moment.
    fn resources(&self, pid: Pid, wait: &Wait, resources: &mut Vec<Resource>, at: &mut Option<Time>) {
        match wait {
            Wait::Readable(fd) | Wait::Writable(fd) => match self.target(pid, *fd) {
                Some(Target::PipeRead(pipe)) => resources.push(Resource::PipeRead(*pipe)),
                Some(Target::PipeWrite(pipe)) => resources.push(Resource::PipeWrite(*pipe)),
                Some(Target::Tty(tty)) => resources.push(Resource::Tty(*tty)),
                Some(Target::Inode(_) | Target::Null | Target::Zero | Target::Full | Target::Urandom)
                | None => {}
            },
            Wait::Until(moment) => *at = Some(at.map_or(*moment, |at| at.min(*moment))),
            Wait::Child | Wait::Wakeup => {}
            Wait::Any(waits) => {
                for wait in waits {
                    self.resources(pid, wait, resources, at);
                }
            }
        }
    }

    /// Wakes a process whatever it waits for.
    pub fn wake(&mut self, pid: Pid) {
        self.unblock(pid);
        self.enqueue(pid);
    }

    /// Ends a wait; what does not wait is left alone.
    pub(super) fn unblock(&mut self, pid: Pid) {
        let Ok(process) = self.living_mut(pid) else { return };
        if process.waiting.take().is_none() {
            return;
        }
        process.ticket = process.ticket.wrapping_add(1);
        let registered = std::mem::take(&mut process.registered);
        if !process.queued && !process.stopped {
            process.queued = true;
            self.ready.push_back(pid);
        }
        for resource in registered {
            self.waiters.remove(&(resource, pid));
        }
    }

    /// Something changed: whoever waits for it tries again.
    pub(super) fn changed(&mut self, resource: Resource) {
        let range = (resource, Pid(0))..=(resource, Pid(u32::MAX));
        let waiters: Vec<Pid> = self.waiters.range(range).map(|(_, pid)| *pid).collect();
        for pid in waiters {
            self.unblock(pid);
        }
    }

    /// A child of `parent` ended or stopped.
    pub(super) fn tell_parent(&mut self, parent: Pid) {
        let Ok(process) = self.living_mut(parent) else { return };
        if process.waiting.as_ref().is_some_and(waits_for_child) {
            self.unblock(parent);
        } else {
            process.child_news = true;
        }
        self.deliver(parent, super::super::Signal::CHLD);
    }

    /// A process that was about to run does nothing but wait for a moment; if it is not the one that was entered last,
    /// it finds that out itself.
    pub fn rest_until(&mut self, pid: Pid, moment: Time) {
        if self.ready.back() != Some(&pid) {
            return self.wake(pid);
        }
        self.ready.pop_back();
        if let Ok(process) = self.living_mut(pid) {
            process.queued = false;
        }
        self.block(pid, Wait::Until(moment));
    }

    /// Whether the alarm of this ticket ends a wait.
    #[must_use]
    pub fn rings(&self, pid: Pid, ticket: u32) -> bool {
        self.living(pid).is_ok_and(|p| p.ticket == ticket && p.waiting.is_some() && !p.stopped)
    }

    /// An alarm rang; stale tickets are ignored.
    pub fn alarm(&mut self, pid: Pid, ticket: u32) {
        if self.living(pid).is_ok_and(|process| process.ticket == ticket) {
            self.unblock(pid);
        }
    }

    /// What happened since the last call, in order.
    pub fn take_notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices).into()
    }

    /// How many things happened that nobody has heard of.
    #[must_use]
    pub fn untold(&self) -> usize {
        self.notices.len()
    }

    /// The first of them.
    pub fn next_notice(&mut self) -> Option<Notice> {
        self.notices.pop_front()
    }
}

fn waits_for_child(wait: &Wait) -> bool {
    match wait {
        Wait::Child => true,
        Wait::Any(waits) => waits.iter().any(waits_for_child),
        Wait::Readable(_) | Wait::Writable(_) | Wait::Until(_) | Wait::Wakeup => false,
    }
}
