//! Pipes that a process watches for longer than one wait, like `epoll(7)`.
//!
//! A process that reads many pipes registers each of them once. A wake-up then costs what has changed instead of what is
//! watched.
//!
//! Invariant: a watched pipe with input, or without a writer, is in the process's news. The news are derived: after a
//! session was restored, every watched pipe is news.

use super::super::Fd;
use super::{FileTarget, Kernel, WaitResource};
use base::ids::Pid;
use std::collections::BTreeSet;

impl WaitResource {
    /// Whether it stays registered when the wait ends.
    pub(super) const fn is_watched(self) -> bool {
        matches!(self, Self::Watched { .. })
    }
}

impl Kernel {
    /// Watches the read end of a pipe until it is closed. [`super::super::Wait::Watched`] waits for all such pipes.
    pub fn watch(&mut self, pid: Pid, fd: Fd) {
        let Some(FileTarget::PipeRead(pipe)) = self.target(pid, fd) else { return };
        let resource = WaitResource::Watched { pipe: *pipe, fd };
        if !self.waiters.insert((resource, pid)) {
            return;
        }
        let Ok(process) = self.living_mut(pid) else { return };
        let first = !process.registered.iter().any(|resource| resource.is_watched());
        process.registered.push(resource);
        if first {
            self.news.insert(pid, BTreeSet::from([fd]));
        } else if let Some(news) = self.news.get_mut(&pid) {
            news.insert(fd);
        }
    }

    /// The watched descriptors that can be read without `EAGAIN`, in ascending order.
    pub fn watched_input(&mut self, pid: Pid) -> Vec<Fd> {
        let mut news = match self.news.remove(&pid) {
            Some(news) => news,
            None => self.living(pid).map_or_else(|_| BTreeSet::new(), |process| process.watched().collect()),
        };
        self.descriptor_checks += u64::try_from(news.len()).unwrap_or(0);
        news.retain(|fd| self.readable(pid, *fd));
        let ready = news.iter().copied().collect();
        self.news.insert(pid, news);
        ready
    }

    /// Ends the watch of a descriptor that is closed or replaced.
    pub(super) fn unwatch(&mut self, pid: Pid, fd: Fd) {
        let is_of =
            |resource: &WaitResource| matches!(resource, WaitResource::Watched { fd: of, .. } if *of == fd);
        let Ok(process) = self.living_mut(pid) else { return };
        let Some(at) = process.registered.iter().position(is_of) else { return };
        let resource = process.registered.remove(at);
        self.waiters.remove(&(resource, pid));
        if let Some(news) = self.news.get_mut(&pid) {
            news.remove(&fd);
        }
    }

    /// Notes a change of a pipe for the processes that watch it, and wakes those that wait for it.
    pub(super) fn watched_changed(&mut self, pipe: u32) {
        let least = (WaitResource::Watched { pipe, fd: Fd::MIN }, Pid(0));
        let most = (WaitResource::Watched { pipe, fd: Fd::MAX }, Pid(u32::MAX));
        let watching: Vec<(WaitResource, Pid)> = self.waiters.range(least..=most).copied().collect();
        for (resource, pid) in watching {
            if let (WaitResource::Watched { fd, .. }, Some(news)) = (resource, self.news.get_mut(&pid)) {
                news.insert(fd);
            }
            if self
                .living(pid)
                .is_ok_and(|process| process.waiting.as_ref().is_some_and(super::run::waits_for_watched))
            {
                self.unblock(pid);
            }
        }
    }
}
